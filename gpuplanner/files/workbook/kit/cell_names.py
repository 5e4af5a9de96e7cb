"""How formulas call cells and sheets, and days as a spreadsheet counts them."""

from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Final

EPOCH_SERIAL: Final = 25_569
"""The spreadsheet's day number of 1 January 1970."""


def day_number(at_s: int) -> float:
    """The spreadsheet's day number of an instant given in epoch seconds (UTC)."""
    return EPOCH_SERIAL + at_s / 86_400


def written_date(at_s: int) -> str:
    """An instant in words, as `3 Jul 2026` (UTC)."""
    at = datetime.fromtimestamp(at_s, UTC)
    return f"{at.day} {at:%b %Y}"


@lru_cache(maxsize=20_000)
def column_letters(column: int) -> str:
    """A zero-based column's letters: 0 is A, 26 is AA."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def reference(sheet: str, row: int, column: int) -> str:
    """The absolute reference of a cell (zero-based row and column) from any sheet."""
    return f"{sheet_reference(sheet)}!${column_letters(column)}${row + 1}"


@cache
def sheet_reference(sheet: str) -> str:
    """A sheet's name as formulas write it.

    >>> sheet_reference("Demand"), sheet_reference("Request for quote")
    ('Demand', "'Request for quote'")
    """
    return sheet if sheet.isalnum() else f"'{sheet}'"
