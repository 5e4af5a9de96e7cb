"""The workbook of a plan as a reader finds a number in it: sheet, name of the row, heading of the column."""

from collections.abc import Sequence
from pathlib import Path

from openpyxl import load_workbook

from tests.meeting.question import Cell


class PlanBook:
    """An exported workbook; each sheet is read once, when it is asked for."""

    def __init__(self, path: Path) -> None:
        self._book = load_workbook(path, read_only=True, data_only=True)
        self._sheets: dict[str, list[Sequence[object]]] = {}

    def value(self, cell: Cell) -> object:
        """What the cell holds; the heading is the nearest one above the row."""
        rows = self._rows(cell.sheet)
        begin = 0
        if cell.after:
            begin = next(at for at, row in enumerate(rows) if cell.after in map(str, row))
        wanted = (cell.row,) if isinstance(cell.row, str) else cell.row
        for at in range(begin, len(rows)):
            texts = [_text(one) for one in rows[at]]
            if not all(one in texts for one in wanted):
                continue
            for head in reversed(rows[:at]):
                heads = [_text(one) for one in head]
                if cell.column in heads:
                    return rows[at][heads.index(cell.column)]
        message = f"{cell.words}: not found; rows begin {[row[:2] for row in rows[begin : begin + 40]]}"
        raise AssertionError(message)

    def close(self) -> None:
        """Let go of the file."""
        self._book.close()

    def _rows(self, sheet: str) -> list[Sequence[object]]:
        """All rows of a sheet."""
        if sheet not in self._sheets:
            self._sheets[sheet] = [*self._book[sheet].iter_rows(values_only=True)]
        return self._sheets[sheet]


def _text(value: object) -> str:
    """A cell as it is looked for: whole numbers without a point, days as 2027-01-25."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value).removesuffix(" 00:00:00")
