"""docs/questions.md, written from docs/questions.csv and the examples of forms: `python -m tests.meeting.page`."""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gpuplanner.files.system.resources import read_question_forms

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "questions.md"
TABLE: Final = PAGE.with_suffix(".csv")
HEAD: Final = """# Questions

<!-- Written by python -m tests.meeting.page -->

`gpuplanner ask "WORDS" PLAN.gpuplan` answers in one sentence.
In the window, *Find a command* (Ctrl+K) takes the same words.

- Each form accepts other wordings. Case and polite words are ignored.
- Amounts: `$400k`, `400,000`, `0.4M`. Dates: `1 Feb`, `March`, `Q2`, `in 6 months`, `next quarter`.
- Several changes can be joined by `and`, `;` or `/`.
- Names must match completely. If two names are similar, the answer asks which.
- Without a match, the answer lists the three nearest questions (status 2).

Paths are those of `gpuplanner plan --json` unless another command is stated.
For a change, add the options in `as` of the answer.
The `numbers` of an answer contain the exact path.

| question | words for `ask` | JSON path |
|---|---|---|
"""


def questions() -> dict[str, dict[str, str]]:
    """Return the question and the JSON path of each form."""
    with TABLE.open(encoding="utf-8", newline="") as file:
        return {row["form"]: row for row in csv.DictReader(file)}


def page_text() -> str:
    """Return the whole page."""
    return HEAD + "".join(_rows())


def _rows() -> Iterator[str]:
    """Yield a row for each example; a form that the table does not have shows its name and no path."""
    known = questions()
    for one in read_question_forms():
        if one.example:
            row = known.get(one.form, {"question": one.form.replace("_", " "), "path": ""})
            command, colon, path = row["path"].rpartition(": ")
            where = f"{command}{colon}`{path}`" if path else "\u2014"
            yield f"| {row['question']} | `{one.example}` | {where} |\n"


if __name__ == "__main__":
    PAGE.write_text(page_text(), "utf-8")
