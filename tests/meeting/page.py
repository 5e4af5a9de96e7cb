"""docs/questions.md, written from the questions of the meeting: `python -m tests.meeting.page`."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from gpuplanner.files.system.resources import read_question_forms
from tests.meeting.first_twenty import FIRST_TWENTY
from tests.meeting.next_twenty import NEXT_TWENTY
from tests.meeting.question import Answer, Question

PAGE: Final = Path(__file__).resolve().parents[2] / "docs" / "questions.md"
HEAD: Final = """# Questions of a meeting

<!-- Written by python -m tests.meeting.page -->

Each question with the hands that answer it in the window, the command that says the same, and the cell of the workbook.
Dates and names are those of the demo. A test asks all of them in the three ways and holds the numbers to one. `PLAN` is
a saved project; with `--json` the number stands under the path beside the command. *Find a command* (Ctrl+K) takes the
words of a question.

| | asked | in the window | on the command line | in the workbook |
|---|---|---|---|---|
"""
FORMS: Final = """
## What can be asked in words

*Find a command* (Ctrl+K) takes these as they stand, and `gpuplanner ask "..." PLAN` too. Each has a few wordings;
case and polite words do not matter. Names match whole: of two that are alike it is asked which. Amounts are
`$400k`, `400,000` or `0.4M`, days as in `--change`, `Q2` or `in 6 months`, and `next month`, `next quarter` or `next
year`. Changes that are no matter of each other may stand in one line, joined by `and`, `;` or `/`. What fits no form
is said so, with the three nearest, and never guessed. A change can be kept in the plan or discarded.

| form | such as | wordings |
|---|---|---|
"""


def page_text() -> str:
    """The whole page."""
    questions = "".join(f"{_row(question)}\n" for question in (*FIRST_TWENTY, *NEXT_TWENTY))
    return HEAD + questions + FORMS + "".join(_forms())


def _forms() -> Iterator[str]:
    """Each form that can be asked in words, by its example."""
    forms = read_question_forms()
    for one in forms:
        if one.example:
            many = sum(other.form == one.form and bool(other.pattern) for other in forms)
            wordings = "as `--change` reads it" if not many else f"{many}"
            yield f"| `{one.form}` | {one.example} | {wordings} |\n"


def _row(question: Question) -> str:
    """One question as a row of the table."""
    command, *words = question.command
    plain = (word.replace("{folder}/", "").replace("{inputs}/", "") for word in words)
    said = " ".join(["gpuplanner", command, "PLAN", *map(shlex.quote, plain)])
    paths = ", ".join(f"`{answer.at}`" for answer in question.answers)
    cells = "; ".join(dict.fromkeys(_cell(answer) for answer in question.answers))
    cells_of_row = (str(question.number), question.words, _hands(question), f"`{said}`: {paths}", cells)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells_of_row) + " |"


def _hands(question: Question) -> str:
    """What is done, then where each number is read."""
    done = ", ".join(hand.words for hand in question.hands)
    read = []
    for answer in question.answers:
        more = "".join(f"{hand.words}: " for hand in answer.hands)
        read.append(f"{more}{answer.window.words} ({answer.what[:1].lower()}{answer.what[1:]})")
    return ". ".join(filter(None, (f"{done[:1].upper()}{done[1:]}", "; ".join(read))))


def _cell(answer: Answer) -> str:
    """Where the workbook has it, or why it has not."""
    return f"none: {answer.no_cell}" if answer.cell is None else answer.cell.words


if __name__ == "__main__":
    PAGE.write_text(page_text(), "utf-8")
