"""Texts about files and rows: issue codes, rows of wrong width, kinds of files, refusals."""

from array import array
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.resources import rows_of, words_table
from gpuplanner.lazy_dataclass import dataclass, field

# --- Texts of each issue code: problem and remedy, with a remedy for the window where the other names
# an option. From resources/issue_texts.csv


class IssueText(NamedTuple):
    """Problem and remedy of an issue."""

    problem: Message
    remedy: Message


ISSUE_TEXTS: Final = {
    row["code"]: IssueText(
        problem=worded(row["what"]),
        remedy=worded_both(row["remedy"], row["window"]) if row["window"] else worded(row["remedy"]),
    )
    for row in rows_of("issue_texts.csv")
}
"""Problem and remedy by code."""

_SUMMARIES: Final = {row["code"]: row["summary"] for row in rows_of("issue_texts.csv") if row["summary"]}
"""Short text by code, for a terminal; with places for values of the message."""

KEPT_IF_OPEN: Final = worded_both(
    "--open-ended keeps rows that miss only an end or start",
    "to keep rows that miss one, tick Keep rows without an end or a start",
)
"""For rejected rows that the option would accept."""


def gpus_are(gpus: Text) -> Message:
    """Return the problem of a row whose number of GPUs is invalid."""
    return worded_both("gpus is {gpus}", "the number of GPUs is {gpus}", gpus=gpus)


@cache
def issue_message(code: str) -> Message:
    """Return problem and remedy of a code in one line; the same object for every row."""
    return joined(ISSUE_TEXTS[code], "; ")


def issue_summary(issue: Issue) -> str:
    """Return the short English text of an issue; its message if the code has none."""
    try:
        return _SUMMARIES[issue.code].format(**_values(issue.message))
    except KeyError:  # no short text, or a message of a project that was saved without its values
        return str(issue.message)


def _values(message: Message) -> dict[str, object]:
    """Return the values of a message and of the messages in it, by place."""
    values: dict[str, object] = {}
    for place, value in message.values.items():
        values |= _values(value) if isinstance(value, Message) else {place: value}
    return values


# --- Rows with fewer or more cells than columns: one rule for all readers -------------------------

SHORT: Final = "short_row"
"""Its missing cells count as empty; the row is read."""

LONG: Final = "long_row"
"""Extra cells after the last column make the columns ambiguous; the row is rejected."""


_LONG_ROWS_KEPT: Final = 1000


def ragged_code(cells: Sequence[str], width: int, least: int | None = None) -> str:
    """Return SHORT, LONG, or "". width: columns of the table. least: columns up to the last with a heading.

    >>> ragged_code(["1", "2"], 3), ragged_code(["1", "2", "3", "", "x"], 3), ragged_code(["1", "2", "3", ""], 3)
    ('short_row', 'long_row', '')
    """
    if len(cells) > width and any(cell.strip() for cell in cells[width:]):
        return LONG
    return SHORT if len(cells) < (width if least is None else least) else ""


def named_width(headings: Sequence[str]) -> int:
    """Return the number of columns up to the last with a heading; rows need no cells after it.

    >>> named_width(["job_id", "gpus", ""])
    2
    """
    return max((place for place, name in enumerate(headings, 1) if name.strip()), default=0)


def long_words(cells: Sequence[str], width: int) -> Message:
    """Return the problem of a row with too many cells."""
    return worded("{cells} cells for {width} columns", cells=whole(len(cells)), width=whole(width))


@dataclass(slots=True)
class RaggedLines:
    """Line numbers of a log's rows with too few or too many cells, in order.

    beyond: the extra cells of the first long rows, by line.
    """

    short: "array[int]" = field(default_factory=lambda: array("q"))
    long: "array[int]" = field(default_factory=lambda: array("q"))
    beyond: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def fit(self, line: int, cells: list[str], width: int, least: int | None = None) -> list[str]:
        """Return exactly `width` cells; notes the line of a row with fewer or more. least: as for `ragged_code`."""
        if len(cells) == width:
            return cells
        code = ragged_code(cells, width, least)
        if code == SHORT:
            self.short.append(line)
        elif code == LONG:
            self.long.append(line)
            if len(self.beyond) < _LONG_ROWS_KEPT:
                self.beyond[line] = tuple(cells[width:])
        return cells[:width] + [""] * (width - len(cells))


# --- Kinds of files in sentences ------------------------------------------------------------------

KIND_WORDS: Final = words_table("kind")
"""Words for kinds of files in sentences."""


def kind_words(kind: str) -> Message:
    """Return the word for a kind of file in a sentence; the kind itself without one."""
    return KIND_WORDS.get(kind) or joined((kind,))


# --- Files that were read but cannot be used: the intake states why, and other files continue -----

UNREADABLE: Final = ("file_unreadable", "truncated_file")
"""Codes of files that could not be read at all, although others of the archive could."""

NOT_READ: Final = ("file_missing", *UNREADABLE)
"""Codes of files that could not be read at all, in an archive or alone."""


def refused_file(
    source: Source, fault: PlannerError, kind: str = "jobs", format_name: str = ""
) -> FileIntake:
    """Return the intake of a readable file of the wrong kind: no rows, the reason, and its hash."""
    issue = Issue(
        fault.code, 1, 1 if fault.code == "missing_column" else None, joined((fault.what, fault.remedy), "; ")
    )
    return FileIntake(
        path=source.path,
        kind=kind,
        format=format_name,
        rows_read=0,
        rows_accepted=0,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        issues=(issue,),
        rejected=(),
        sha256=source.sha256,
    )


def unreadable_file(fault: PlannerError, kind: str = "jobs") -> FileIntake:
    """Return the intake of an unreadable file in an archive: no rows and the reason."""
    issue = Issue(fault.code, 1, None, joined((fault.what, fault.remedy), "; "))
    return FileIntake(
        path=str(fault.where),
        kind=kind,
        format="",
        rows_read=0,
        rows_accepted=0,
        rows_rejected=0,
        rows_duplicate=0,
        rows_ignored=0,
        issues=(issue,),
    )


def is_unreadable(file: FileIntake) -> bool:
    """Return whether a file could not be read at all; a readable file without rows is not unreadable."""
    return not file.rows_read and any(issue.code in NOT_READ for issue in file.issues)
