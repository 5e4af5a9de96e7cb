"""Figures of the business: CSV, XLSX or Parquet with the columns month, figure and value."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.edits.business import LARGEST, check_business
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.business import BusinessFigure
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Facts
from gpuplanner.files.tables.small_table import Row, RowError
from gpuplanner.files.tables.table_kind import TableKind, one_value

KIND: Final = "business"
FORMAT: Final = "own_business"
COLUMNS: Final = ("month", "figure", "value")
MONTH_SIGNS: Final = 7
"""2026-08: of a whole date the day is passed over."""


def _read_row(row: Row) -> BusinessFigure:
    """A row as a figure. Errors: RowError where there is no name, no month, or no number above 0."""
    month, name, text = row.required("month"), row.required("figure"), row.required("value")
    value = row.number("value", high=LARGEST)
    if value is None:
        raise RowError("bad_number", worded("value is {text}", text=repr(text)))
    try:
        return check_business(BusinessFigure(name, month[:MONTH_SIGNS], float(value)))
    except PlannerError as fault:
        raise RowError("unknown_value", fault.what) from None


def _facts(figures: Sequence[BusinessFigure]) -> Facts:
    """What a file says."""
    return (("figures", len({one.name for one in figures})), ("months", len({one.month for one in figures})))


BUSINESS: Final = TableKind(
    KIND,
    FORMAT,
    COLUMNS,
    (("month",), ("figure",), ("value",)),
    one_value(_read_row),
    lambda one: (one.name, one.month),
    worded("it has the columns month, figure and value"),
    facts=_facts,
    tells_unread=True,
)
"""Of two rows of one figure and month the first is kept."""
