"""What stands in the book as plain values: its tables with their columns, and the lines outside them."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any, Final, Protocol

from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.workbook.kit.cells import EPOCH_SERIAL
from gpuplanner.files.workbook.kit.expressions import DASH, Value
from gpuplanner.files.workbook.kit.functions import Empty

DAYS: Final = frozenset(("date", "month", "moment"))
"""Kinds of number that are days since the spreadsheet's day 0."""
NOT_TOLD: Final = frozenset(("Demand", "Exported"))
"""The hours of the cube, which `reduce` has, and what repeats the other sheets to check them."""

Cells = dict[str, dict[tuple[int, int], str | float | None]]
"""By sheet, then by zero-based row and column."""


def plain(value: Value, style: str) -> str | float | None:
    """A cell's value as documents have it: days in ISO 8601 UTC; None for the dash and for an empty cell."""
    if isinstance(value, Empty) or value == DASH:
        return None
    is_day = not isinstance(value, str) and not DAYS.isdisjoint(style.split("."))
    return iso_utc(round((float(value) - EPOCH_SERIAL) * DAY_S)) if is_day else value


class Listed(Protocol):
    """What a table of the book says of itself."""

    sheet: str
    size: int
    first_row: int
    fields: Any

    @property
    def end_row(self) -> int:
        """The row below its last."""

    def column_of(self, key: str) -> int:
        """Where a field is."""


def told(cells: Cells, tables: Sequence[Listed]) -> list[dict[str, object]]:
    """Every sheet but NOT_TOLD: each table with its columns, then the lines outside tables, from left to right.

    row: of the sheet, the first of a table, counted from 1. Money is in the book's currency, as its headings name it.
    """
    rest = {sheet: dict(found) for sheet, found in cells.items() if sheet not in NOT_TOLD}
    document: list[dict[str, object]] = []
    for table in tables:
        if table.sheet in rest:
            of, places = rest[table.sheet], [table.column_of(field.key) for field in table.fields]
            for place in places:
                of.pop((table.first_row - 1, place), None)
            rows = [
                [of.pop((row, place), None) for place in places]
                for row in range(table.first_row, table.end_row)
            ]
            headings = [str(field.heading) for field in table.fields]
            document.append(_entry(table.sheet, table.first_row + 1, headings, rows[: table.size]))
    for sheet, of in rest.items():
        for row, line in groupby(sorted(of.items()), lambda cell: cell[0][0]):
            if any(values := [value for _, value in line]):
                document.append(_entry(sheet, row + 1, None, [values]))
    return sorted(document, key=lambda one: (str(one["sheet"]), int(str(one["row"]))))


def _entry(sheet: str, row: int, columns: list[str] | None, rows: object) -> dict[str, object]:
    """One table, or one line outside tables (columns: None)."""
    return {"sheet": sheet, "row": row, "columns": columns, "rows": rows}
