"""The light over all checks: at the top of the Summary, and the colours of its words."""

from typing import Final

from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.kit.looks import AMBER, GREEN, RED

SUMMARY: Final = "Summary"
LIGHT_ROW: Final = 3


def write_light(book: Book, light: Expr) -> None:
    """The one light of the Checks sheet, at the top of the Summary."""
    sheet, row = book.sheets[SUMMARY], LIGHT_ROW
    book.write(SUMMARY, row, 0, "Checks", "strong")
    book.write(SUMMARY, row, 1, Expr(light.text, light.value, True), "light")
    add_light_colors(book, SUMMARY, row, 1, row, 1)
    sheet.set_row(row, 20)


def add_light_colors(book: Book, sheet: str, row: int, column: int, last_row: int, last_column: int) -> None:
    """Colour words that begin with red, changed or green; the word says it without the colour too."""
    for word, color in (("red", RED), ("changed", AMBER), ("green", GREEN)):
        look = book.workbook.add_format({"font_color": color, "bold": True})
        book.sheets[sheet].conditional_format(
            row,
            column,
            last_row,
            last_column,
            {"type": "text", "criteria": "begins with", "value": word, "format": look},
        )
