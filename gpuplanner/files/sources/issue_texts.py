"""What is said of files and rows: each issue code, rows of odd width, kinds of files, refusals."""

from array import array
from collections.abc import Sequence
from functools import cache
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue
from gpuplanner.files.sources.source import Source
from gpuplanner.files.system.resources import rows_of, words_table
from gpuplanner.lazy_dataclass import dataclass, field

# --- What each issue code says to the planner: what is so, and what to do about it; what to do in the window, where the
# remedy names an option. Texts are in resources/issue_texts.csv

ISSUE_TEXTS: Final = {
    row["code"]: (
        worded(row["what"]),
        worded_both(row["remedy"], row["window"]) if row["window"] else worded(row["remedy"]),
    )
    for row in rows_of("issue_texts.csv")
}
"""By code: what is so, and what to do."""

KEPT_IF_OPEN: Final = worded_both(
    "--open-ended keeps rows that miss only an end or only a start",
    "to keep rows that miss only one of them, tick Keep rows without an end or a start",
)
"""Said of rejected rows that would be accepted with that option."""


def gpus_are(gpus: Text) -> Message:
    """What a row has for its number of GPUs, where that is none."""
    return worded_both("gpus is {gpus}", "the number of GPUs is {gpus}", gpus=gpus)


@cache
def issue_message(code: str) -> Message:
    """What and remedy in one line: one and the same text for every row."""
    return joined(ISSUE_TEXTS[code], "; ")


# --- Rows with fewer or more cells than their table has columns: one rule for every reader -------

SHORT: Final = "short_row"
"""Its missing cells are empty, and it is judged by what is there."""

LONG: Final = "long_row"
"""Something stands beyond its last column, so it is not told which cell is of which column: it is rejected."""


_LONG_ROWS_KEPT: Final = 1000


def ragged_code(cells: Sequence[str], width: int, least: int | None = None) -> str:
    """SHORT, LONG, or empty where a row is neither. width: columns of the table; least: those that have a name.

    >>> ragged_code(["1", "2"], 3), ragged_code(["1", "2", "3", "", "x"], 3), ragged_code(["1", "2", "3", ""], 3)
    ('short_row', 'long_row', '')
    """
    if len(cells) > width and any(cell.strip() for cell in cells[width:]):
        return LONG
    return SHORT if len(cells) < (width if least is None else least) else ""


def named_width(headings: Sequence[str]) -> int:
    """Columns up to the last that has a heading: no row lacks a cell of one without.

    >>> named_width(["job_id", "gpus", ""])
    2
    """
    return max((place for place, name in enumerate(headings, 1) if name.strip()), default=0)


def long_words(cells: Sequence[str], width: int) -> Message:
    """What is wrong with a row of too many cells."""
    return worded("{cells} cells for {width} columns", cells=whole(len(cells)), width=whole(width))


@dataclass(slots=True)
class RaggedLines:
    """The numbers of the lines of a log that have too few or too many cells, in the order of the file.

    beyond: what stands beyond the last column, of the first long lines.
    """

    short: "array[int]" = field(default_factory=lambda: array("q"))
    long: "array[int]" = field(default_factory=lambda: array("q"))
    beyond: dict[int, tuple[str, ...]] = field(default_factory=dict)

    def fit(self, line: int, cells: list[str], width: int, least: int | None = None) -> list[str]:
        """As many cells as there are columns; what has too few or too many is noted. least: see `ragged_code`."""
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


# --- What kinds of files are called in sentences about them --------------------------------------

KIND_WORDS: Final = words_table("kind")
"""Kinds of files as words of a sentence."""


def kind_words(kind: str) -> Message:
    """A kind of file as a word of a sentence.

    A kind without a word of its own is called by its name.
    """
    return KIND_WORDS.get(kind) or joined((kind,))


# --- A file that was read and is of no use: its intake says why, the other files go on -----------

UNREADABLE: Final = ("file_unreadable", "truncated_file")
"""Codes of what could not be read at all, where other files of the same archive could."""


def refused_file(
    source: Source, fault: PlannerError, kind: str = "jobs", format_name: str = ""
) -> FileIntake:
    """The intake of a readable file that is not what it was given as: no rows, and why.

    Its hash is kept, so that the same file is known again.
    """
    issue = Issue(
        fault.code, 1, 1 if fault.code == "missing_column" else None, joined((fault.what, fault.remedy), "; ")
    )
    return FileIntake(source.path, kind, format_name, 0, 0, 0, 0, 0, (issue,), (), source.sha256)


def unreadable_file(fault: PlannerError, kind: str = "jobs") -> FileIntake:
    """The intake of a file of an archive that could not be read: no rows, and why."""
    issue = Issue(fault.code, 1, None, joined((fault.what, fault.remedy), "; "))
    return FileIntake(str(fault.where), kind, "", 0, 0, 0, 0, 0, (issue,))


def is_unreadable(file: FileIntake) -> bool:
    """Whether nothing of a file could be read.

    A file without rows that could be read is none.
    """
    return not file.rows_read and any(issue.code in UNREADABLE for issue in file.issues)
