"""Find cells of an exported workbook by what a reader sees: the heading of the column and the name in the row."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class SheetCells:
    """One sheet's cells by coordinate, as recalculate.cells_of gives them."""

    cells: dict[str, object]

    def column(self, heading, first_row=1):
        """The letters of the column under a heading, and the heading's row: the first one from a row on."""
        found = [
            (row, letters)
            for coordinate, value in self.cells.items()
            if value == str(heading)
            for letters, row in [_split(coordinate)]
            if row >= first_row
        ]
        row, letters = min(found)
        return letters, row

    def rows(self, **wanted):
        """Rows in which the columns (by letter) have these values."""
        first, *_ = wanted
        rows = [
            row
            for coordinate, value in self.cells.items()
            for letters, row in [_split(coordinate)]
            if letters == first and value == _in_cell(wanted[first])
        ]
        return [
            row
            for row in rows
            if all(self.cells.get(f"{letters}{row}") == _in_cell(value) for letters, value in wanted.items())
        ]

    def under(self, heading, **wanted):
        """The coordinate of the cell under a heading in the first row below it that has these values."""
        letters, head = self.column(heading)
        return f"{letters}{min(row for row in self.rows(**wanted) if row > head)}"


def _in_cell(value):
    """What a cell holds of a value: a number itself, and of a message its English."""
    return value if isinstance(value, int | float) else str(value)


def _split(coordinate):
    letters, digits = re.fullmatch(r"([A-Z]+)(\d+)", coordinate).groups()
    return letters, int(digits)
