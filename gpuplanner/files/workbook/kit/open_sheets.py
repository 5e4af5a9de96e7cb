"""What stands on a sheet that is not protected outside of its growing tables: rows typed there are counted by nobody,
and cells and columns that are gone are missed."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import column_letters, sheet_reference
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.kit.references import SPARE_ROWS
from gpuplanner.files.workbook.kit.sheets import SHEETS

ROWS_LOOKED_AT: Final = 2_000
"""Below the last row in which something stands: in them a row that was typed is named; all of them are counted."""
LOOKED_AT: Final = 8
"""Columns of a row, from the left, in which something has to stand for it to be named."""
OPEN: Final = frozenset(sheet.name for sheet in SHEETS if not sheet.is_protected)


def open_sheets(tables: Sequence[Table]) -> dict[str, list[Table]]:
    """The sheets that are not protected, each with those of its tables that may grow."""
    found: dict[str, list[Table]] = {}
    for table in tables:
        if table.sheet in OPEN and table.is_numbered:
            found.setdefault(table.sheet, []).append(table)
    return found


def columns_more(growing: Sequence[Table]) -> str:
    """How many more columns than at the export stand where the growing tables do; less than 0: how many are gone."""
    last = _last(growing)
    return f"COLUMNS({sheet_reference(growing[0].sheet)}!$A:${column_letters(last)})-{last + 1}"


def columns_left(growing: Sequence[Table]) -> tuple[float, Expr]:
    """How many columns there were, and how many of them are left."""
    count = _last(growing) + 1.0
    return count, Expr(f"{count:.0f}+MIN(0,{columns_more(growing)})", count)


def _last(growing: Sequence[Table]) -> int:
    """The rightmost column of some tables, zero-based."""
    return max(table.column_of(field.key) for table in growing for field in table.fields)


def cells_outside(book: Book, sheet: str, growing: Sequence[Table]) -> str:
    """How many more cells than at the export stand outside of the growing tables and their spare rows; less than 0:
    how many are gone. Counted down whole columns, so that no row of the sheet is beyond them."""
    last = _last(growing)
    spelled = sheet_reference(sheet)
    inside = 0
    text = f"COUNTA({spelled}!$A:${column_letters(last)})"
    filled = _filled(book, sheet, last)
    for table in growing:
        columns = [table.column_of(field.key) for field in table.fields]
        rows = range(table.first_row, table.end_row + SPARE_ROWS)
        inside += sum(
            min(columns) <= column <= max(columns) for row in rows for column in filled.get(row, ())
        )
        left, right = column_letters(min(columns)), column_letters(max(columns))
        text += f"-COUNTA({spelled}!${left}${rows.start + 1}:${right}${rows.stop})"
    return f"{text}-{sum(map(len, filled.values())) - inside}"


def typed_below(book: Book, sheet: str, growing: Sequence[Table]) -> str:
    """The sheet's row of the lowest of those that stand where none did below the first growing table; 0: of none."""
    filled = _filled(book, sheet, _last(growing))
    taken = {row for table in growing for row in range(table.first_row, table.end_row + SPARE_ROWS)}
    bottom = max(*filled, *taken)
    empty = (
        row
        for row in range(growing[0].first_row, bottom + ROWS_LOOKED_AT)
        if row not in filled and row not in taken
    )
    found = []
    for _, run in groupby(enumerate(empty), lambda pair: pair[1] - pair[0]):
        rows = [row for _, row in run]
        columns = [
            f"{sheet_reference(sheet)}!${letters}${rows[0] + 1}:${letters}${rows[-1] + 1}"
            for letters in map(column_letters, range(LOOKED_AT))
        ]
        found.append(f'IFERROR(SUMPRODUCT(MAX(({"&".join(columns)}<>"")*ROW({columns[0]}))),0)')
    return f"MAX({','.join(found)})"


def _filled(book: Book, sheet: str, last: int) -> dict[int, list[int]]:
    """The columns up to one in which something stands, by row; both zero-based. A look alone is nothing."""
    found = {
        row: [column for column, cell in cells.items() if column <= last and type(cell).__name__ != "Blank"]
        for row, cells in book.sheets[sheet].table.items()
    }
    return {row: columns for row, columns in found.items() if columns}
