"""Where things stand on the sheet Exported."""

from typing import Final

from gpuplanner.files.workbook.kit.cell_names import column_letters

SHEET: Final = "Exported"

WHAT, STANDS_AT, CHANGED, NUMBER, LINE, COLUMN, WRONG, FIRST_COPY = range(8)
"""The sheet's columns; WRONG: where a row has what is no number it can be; from FIRST_COPY on what its cells were."""
HEADINGS: Final = (
    "Input",
    "Its row now",
    "Cells changed",
    "Changes so far",
    "What was changed",
    "Where",
    "No such number",
)
WIDTHS: Final = (34, 11, 13, 14, 60, 10, 12)
FIRST_ROW: Final = 5


def column_area(column: int, first: int, last: int) -> str:
    """Cells of a column of the sheet, zero-based rows."""
    letters = column_letters(column)
    return f"{SHEET}!${letters}${first + 1}:${letters}${last + 1}"
