"""The light over all checks: at the top of the Summary, and the colours of its words."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.kit.looks import AMBER, GREEN, RED
from gpuplanner.files.workbook.kit.sheets import SUMMARY

CHANGES: Final = "advice_is_of"
"""The named cell that says which inputs were changed."""
LIGHT_ROW: Final = 3
CHANGES_ROW: Final = LIGHT_ROW + 1
LAST_COLUMN: Final = 8
LEGEND: Final = (("Yellow: an input", "text.input"), ("Grey: change it in the app", "text.fixed"))
"""What the colours of cells say; shown on sheets that have both, in cells that are neither."""


@dataclass(frozen=True, slots=True)
class Light:
    """What the book says of itself, as named cells: the light over all checks, and which inputs were changed."""

    checks: Expr
    changes: Expr


def write_light(book: Book, light: Expr, changes: Expr) -> Light:
    """The one light of the Checks sheet at the top of the Summary, and what was changed below it."""
    sheet, row = book.sheets[SUMMARY], LIGHT_ROW
    book.write(SUMMARY, row, 0, "Checks", "strong")
    book.write(SUMMARY, row, 1, Expr(light.text, light.value, True), "light")
    add_light_colors(book, SUMMARY, row, 1, row, 1)
    sheet.set_row(row, 20)
    book.write(SUMMARY, CHANGES_ROW, 0, "Inputs", "strong.top")
    sheet.merge_range(CHANGES_ROW, 1, CHANGES_ROW, LAST_COLUMN, "", book.style("wrapped"))
    said = book.name(CHANGES, book.write(SUMMARY, CHANGES_ROW, 1, changes, "wrapped"))
    add_change_color(book, SUMMARY, CHANGES_ROW, 1)
    sheet.set_row(CHANGES_ROW, 70)
    write_legend(book, SUMMARY, row, LAST_COLUMN - 1)
    return Light(light, said)


def add_change_color(book: Book, sheet: str, row: int, column: int) -> None:
    """Colour the line on changed inputs where there are any."""
    look = book.workbook.add_format({"font_color": AMBER})
    rule = {"type": "text", "criteria": "begins with", "value": "advice", "format": look}
    book.sheets[sheet].conditional_format(row, column, row, column, rule)


def write_legend(book: Book, sheet: str, row: int, column: int) -> None:
    """What yellow and grey cells are, in two neighbouring cells; they look so and are no inputs."""
    for place, (words, style) in enumerate(LEGEND):
        book.put_cell(sheet, row, column + place, words, f"{style}.legend")


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
