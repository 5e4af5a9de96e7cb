"""Figures of the business: a table with the columns month, figure and value."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.business_figures import LARGEST, BusinessFigure, check_business
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.tables.small_table import Row, RowError, TableKind, one_value
from gpuplanner.files.tables.unread_columns import Verdict

MONTH_SIGNS: Final = 7
"""2026-08: of a whole date the day is passed over."""


def _read_business_figure(row: Row) -> BusinessFigure:
    """A row as a figure. Errors: RowError where there is no name, no month, or no number above 0."""
    month, name, text = row.required("month"), row.required("figure"), row.required("value")
    value = row.number("value", high=LARGEST)
    if value is None:
        raise RowError("bad_number", worded("{column} is {text}", column="value", text=repr(text)))
    try:
        return check_business(BusinessFigure(name, month[:MONTH_SIGNS], float(value), row.text("key") or ""))
    except PlannerError as fault:
        raise RowError("unknown_value", fault.what) from None


def _business_facts(figures: Sequence[BusinessFigure]) -> Facts:
    """What a file says."""
    return (
        ("figures", len({figure.name for figure in figures})),
        ("months", len({figure.month for figure in figures})),
    )


BUSINESS: Final = TableKind(
    kind="business",
    format="own_business",
    columns=("month", "figure", "value", "key"),
    needed=(("month",), ("figure",), ("value",)),
    reader=one_value(_read_business_figure),
    key=lambda row: row.identity,
    why=worded("has the columns {names}", names="month, figure, value"),
    facts=_business_facts,
    unread=Verdict.TOLD,
)
"""Of two rows of one figure and month the first is kept."""
