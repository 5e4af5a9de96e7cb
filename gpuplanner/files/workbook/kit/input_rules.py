"""What a yellow cell takes: rules that the spreadsheet program holds a reader to, with a way round them."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, Final

from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.watch import Limits

FIRST_DAY, LAST_DAY = 25_569, 109_575
"""1 January 1970 and 2200, as the spreadsheet counts days."""
TITLE: Final = "This input"


def take_numbers(
    table: Table,
    *keys: str,
    words: str = "Enter a number, 0 or more.",
    or_unknown: bool = False,
    place: int | None = None,
    but: Collection[int] = (),
) -> None:
    """Numbers from 0 up, in every row of some columns or in one; a warning, not a wall. but: rows that take nothing."""
    for key in keys:
        for rows in _open_rows(table, key, place, but):
            _rule(table, key, {"validate": "decimal", "criteria": ">=", "value": 0}, words, rows)
            table.limit(key, rows, Limits(or_unknown=or_unknown))


def take_dates(table: Table, key: str, *, or_unknown: bool = False) -> None:
    """Days (UTC) between 1970 and 2200; an end may be a dash."""
    between = {"validate": "date", "criteria": "between", "minimum": FIRST_DAY, "maximum": LAST_DAY}
    rows = _rows(table, None)
    _rule(table, key, between, "Enter a date (UTC); leave the dash where a contract has no end.", rows)
    table.limit(key, rows, Limits(FIRST_DAY, LAST_DAY, or_unknown))


def take_words(table: Table, key: str, words: Sequence[str]) -> None:
    """One of some words, from a list that drops down."""
    rule = {"validate": "list", "source": list(words)}
    _rule(table, key, rule, f"Enter {', '.join(words)}.", _rows(table, None))


def take_between(
    table: Table,
    key: str,
    place: int | None,
    low: float,
    high: float,
    *,
    is_whole: bool = False,
    or_unknown: bool = False,
    but: Collection[int] = (),
) -> None:
    """A number between two, in one row or in all. but: rows that take nothing."""
    rule = {
        "validate": "integer" if is_whole else "decimal",
        "criteria": "between",
        "minimum": low,
        "maximum": high,
    }
    for rows in _open_rows(table, key, place, but):
        _rule(table, key, rule, f"Enter a number from {low:,.10g} to {high:,.10g}.", rows)
        table.limit(key, rows, Limits(low, high, or_unknown))


def take_lone_number(book: Book, sheet: str, row: int, column: int) -> None:
    """A number from 0 up in an input that stands in no table."""
    rule = {"validate": "decimal", "criteria": ">=", "value": 0}
    book.sheets[sheet].data_validation(
        row, column, row, column, _with_warning(rule, "Enter a number, 0 or more.")
    )
    book.lone_limits[sheet, row, column] = Limits()


def take_nothing(table: Table, *keys: str) -> None:
    """Nothing else than what stands there: a wall, for sheets whose tables grow and so cannot be protected.

    keys: in the order of the sheet; one rule holds for neighbours.
    """
    columns = [table.column_of(key) for key in keys]
    firsts = [column for column in columns if column - 1 not in columns]
    lasts = [column for column in columns if column + 1 not in columns]
    for first, last in zip(firsts, lasts, strict=True):
        _wall(table, table.first_row, first, table.end_row - 1, last)


def _wall(table: Table, *area: int) -> None:
    """Lets nothing be typed into an area: first row and column, last row and column."""
    table.book.sheets[table.sheet].data_validation(
        *area,
        {
            "validate": "custom",
            "value": "=FALSE",
            "ignore_blank": True,
            "error_type": "stop",
            "error_title": TITLE,
            "error_message": "The advice stands on this cell: change it in the app, and export again.",
        },
    )


def _open_rows(table: Table, key: str, place: int | None, but: Collection[int]) -> list[range]:
    """One row of a table, or all, in runs of neighbours; a wall is set before those of `but`."""
    found = []
    for are_fixed, places in groupby(_rows(table, place), key=but.__contains__):
        first, *others = places
        rows = range(first, (others[-1] if others else first) + 1)
        if are_fixed:
            column, row = table.column_of(key), table.first_row
            _wall(table, row + rows[0], column, row + rows[-1], column)
        else:
            found.append(rows)
    return found


def _rows(table: Table, place: int | None) -> range:
    """One row of a table, or all."""
    return range(table.size) if place is None else range(place, place + 1)


def _rule(table: Table, key: str, rule: dict[str, Any], words: str, rows: range) -> None:
    """Sets a rule on rows of a column; whoever breaks it is warned and may go on."""
    if not rows:
        return
    first, column = table.first_row, table.column_of(key)
    said = _with_warning(rule, table.book.in_currency(words))
    table.book.sheets[table.sheet].data_validation(first + rows[0], column, first + rows[-1], column, said)


def _with_warning(rule: dict[str, Any], words: str) -> dict[str, Any]:
    """A rule with what it says to who breaks it."""
    said = {"ignore_blank": True, "error_type": "warning", "error_title": TITLE, "error_message": words}
    return rule | said
