"""The error for a cell of a planner's list that cannot be used."""

from gpuplanner.domain.message import Message, worded
from gpuplanner.files.tables.small_table import Row, RowError


def bad_cell(row: Row, column: str, remedy: Message, code: str = "bad_number") -> RowError:
    """The error for a cell that is there and cannot be used."""
    return RowError(code, worded("{column} is {text}", column=column, text=repr(row.text(column))), remedy)
