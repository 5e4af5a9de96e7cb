"""Rows with fewer or more cells than their table has columns: one rule for every reader."""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Message, worded

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
    return worded("it has {cells} cells for {width} columns", cells=whole(len(cells)), width=whole(width))


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
