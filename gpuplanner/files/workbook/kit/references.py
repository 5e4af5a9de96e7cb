"""References as a cell writes them: of its own row relative, so that they go with it wherever it is sorted to, and of a
table whose rows are numbered by the row's number, wherever that row stands now."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

SPARE_ROWS: Final = 5
"""Free rows under a table of numbered rows: what is appended has room there, and is told that it is not counted."""

_AFTER_SHEET: Final = r"!\$([A-Z]{1,3})\$(\d+)(?::\$([A-Z]{1,3})\$(\d+))?"


@dataclass(frozen=True, slots=True)
class NumberedRows:
    """Rows of one table, counted as the sheet shows them, and the letters of its columns and of that of numbers."""

    first: int
    last: int
    letters: frozenset[str]
    number: str

    def holds(self, letters: str, row: int) -> bool:
        """Whether a cell of the sheet is one of these."""
        return self.first <= row <= self.last and letters in self.letters

    def found(self, sheet: str, letters: str, row: int) -> str:
        """A cell by the number of its row; an empty cell once the row is gone. sheet: with its mark, or nothing.

        The last row of the ranges is the one under the spare rows, in which nothing stands.
        """
        end = self.last + SPARE_ROWS + 1
        area, numbers = (f"{sheet}${one}${self.first}:${one}${end}" for one in (letters, self.number))
        at = f"IFERROR(MATCH({row - self.first + 1},{numbers},0),ROWS({numbers}))"
        return f"INDEX({area},{at})"


class References:
    """What a book knows of its tables, to write references to their cells."""

    def __init__(self) -> None:
        self._numbered: dict[str, list[NumberedRows]] = {}

    def add(self, sheet: str, rows: NumberedRows) -> None:
        """A table whose rows are found by number from here on. sheet: as formulas spell it."""
        self._numbered.setdefault(sheet, []).append(rows)

    def written(self, text: str, sheet: str, row: int) -> str:
        """A formula as it stands in a cell of a sheet; row: as the sheet shows it.

        Every reference in `text` is absolute and names its sheet.
        """
        if "!" not in text:
            return text
        others = [one for one in self._numbered if one != sheet and f"{one}!" in text]
        for one in (sheet, *others):
            if f"{one}!" in text:
                text = self._of_sheet(text, one, sheet, row)
        return text

    def elsewhere(self, text: str, sheet: str, row: int) -> str:
        """A formula of that cell as another sheet writes it: cells of its row stay where they are, whatever is sorted.

        The same for every row of a column with one formula, and so of whatever stands in the row.
        """
        for one in self._numbered:
            if f"{one}!" in text:
                text = self._of_sheet(text, one, sheet, row, is_elsewhere=True)
        return text

    def _of_sheet(self, text: str, target: str, sheet: str, row: int, *, is_elsewhere: bool = False) -> str:
        numbered: Sequence[NumberedRows] = self._numbered.get(target, ())
        mark = "" if target == sheet and not is_elsewhere else f"{target}!"

        def one(match: "re.Match[str]") -> str:
            letters, at, right, bottom = match[1], int(match[2]), match[3], match[4]
            if right:
                if not mark and at == row == int(bottom) and letters != right:
                    return f"${letters}{at}:${right}{at}"
                return f"{mark}${letters}${at}:${right}${bottom}"
            if target == sheet and at == row:
                return f"{mark}${letters}${at}" if is_elsewhere else f"${letters}{at}"
            table = next((each for each in numbered if each.holds(letters, at)), None)
            return f"{mark}${letters}${at}" if table is None else table.found(mark, letters, at)

        return _pattern(target).sub(one, text)


@cache
def _pattern(sheet: str) -> "re.Pattern[str]":
    """References to cells and areas of a sheet, which no other sheet's name ends with."""
    return re.compile(rf"(?<![A-Za-z0-9_'.]){re.escape(sheet)}{_AFTER_SHEET}")
