"""Columns of a table: what each is called, and how formulas spell that."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import Text

EXCEL_TABLE_ROWS: Final = 20_000
"""A longer one gets a filter instead: tables take memory in the program that opens them."""

HEADING_CHARACTERS: Final = 255
"""Of a column of an Excel table."""


@dataclass(frozen=True, slots=True)
class Field:
    """One column of a table. style: see looks; width in characters; note: what a comment on the heading says."""

    key: str
    heading: Text
    style: str = "text"
    width: float = 12
    note: str = ""


SEAL: Final = Field("sealed", "Words as exported", "muted", 14)
"""The last column of a long table that is watched; it goes with its row wherever that is sorted to."""


def is_excel_table(rows: int, fields: Sequence[Field]) -> bool:
    """Whether a table becomes an Excel table, whose columns formulas call by name.

    Not one without rows, too long for the program that opens it, or with headings that are alike, too long or no plain
    line of text: there formulas say ranges.
    """
    headings = [str(field.heading).lower() for field in fields]
    are_names = all(0 < len(each) <= HEADING_CHARACTERS and each.isprintable() for each in headings)
    return 0 < rows <= EXCEL_TABLE_ROWS and are_names and len(set(headings)) == len(headings)


def column_specifier(heading: Text) -> str:
    """A column's heading as structured references spell it: in brackets of its own unless it is plain words.

    >>> column_specifier("GPUs"), column_specifier("Rate, $ per GPU-h")
    ('GPUs', '[Rate, $ per GPU-h]')
    """
    spelled = "".join(f"'{sign}" if sign in "[]#'" else sign for sign in str(heading))
    return spelled if spelled.isalnum() else f"[{spelled}]"
