"""What a yellow cell takes: rules that the spreadsheet program holds a reader to, with a way round them."""

from collections.abc import Sequence
from typing import Any, Final

from gpuplanner.files.workbook.kit.book import Table

FIRST_DAY, LAST_DAY = 25_569, 109_575
"""1 January 1970 and 2200, as the spreadsheet counts days."""
TITLE: Final = "This input"


def take_numbers(table: Table, *keys: str, words: str = "Enter a number, 0 or more.") -> None:
    """Numbers from 0 up, in every row of some columns; a warning, not a wall."""
    for key in keys:
        _rule(table, key, {"validate": "decimal", "criteria": ">=", "value": 0}, words)


def take_dates(table: Table, *keys: str) -> None:
    """Days (UTC) between 1970 and 2200; an end may be a dash."""
    between = {"validate": "date", "criteria": "between", "minimum": FIRST_DAY, "maximum": LAST_DAY}
    for key in keys:
        _rule(table, key, between, "Enter a date (UTC); leave the dash where a contract has no end.")


def take_words(table: Table, key: str, words: Sequence[str]) -> None:
    """One of some words, from a list that drops down."""
    _rule(table, key, {"validate": "list", "source": list(words)}, f"Enter {', '.join(words)}.")


def take_between(table: Table, key: str, place: int, low: float, high: float, *, is_whole: bool) -> None:
    """A number between two, in one row."""
    rule = {
        "validate": "integer" if is_whole else "decimal",
        "criteria": "between",
        "minimum": low,
        "maximum": high,
    }
    _rule(table, key, rule, f"Enter a number from {low:g} to {high:g}.", place)


def take_nothing(table: Table, *keys: str) -> None:
    """Nothing else than what stands there: a wall, for sheets whose tables grow and so cannot be protected.

    keys: in the order of the sheet; one rule holds for neighbours.
    """
    columns = [table.column_of(key) for key in keys]
    firsts = [column for column in columns if column - 1 not in columns]
    lasts = [column for column in columns if column + 1 not in columns]
    for first, last in zip(firsts, lasts, strict=True):
        table.book.sheets[table.sheet].data_validation(
            *(table.first_row, first, table.end_row - 1, last),
            {
                "validate": "custom",
                "value": "=FALSE",
                "ignore_blank": True,
                "error_type": "stop",
                "error_title": TITLE,
                "error_message": "The advice stands on this cell: change it in the app, and export again.",
            },
        )


def _rule(table: Table, key: str, rule: dict[str, Any], words: str, place: int | None = None) -> None:
    """Sets a rule on a column, or on one of its cells; whoever breaks it is warned and may go on."""
    if not table.size:
        return
    first = table.first_row if place is None else table.first_row + place
    last = table.end_row - 1 if place is None else first
    column = table.column_of(key)
    said = {
        "ignore_blank": True,
        "error_type": "warning",
        "error_title": TITLE,
        "error_message": table.book.in_currency(words),
    }
    table.book.sheets[table.sheet].data_validation(first, column, last, column, rule | said)
