"""Budgets of teams: CSV, XLSX or Parquet with the columns team and usd_per_month."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from gpuplanner.domain.edits.budgets import LARGEST_BUDGET, check_budget
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Facts
from gpuplanner.files.tables.small_table import Row, RowError
from gpuplanner.files.tables.table_kind import TableKind, one_value
from gpuplanner.files.values.amounts import read_amount

KIND: Final = "budgets"
FORMAT: Final = "own_budgets"
COLUMNS: Final = ("team", "usd_per_month")


class Budget(NamedTuple):
    """One row. usd_per_month: US dollars a month of 730 h."""

    team: str
    usd_per_month: float


def _read_row(row: Row) -> Budget:
    """A row as a budget. Errors: RowError where there is no name, or no amount."""
    team = row.required("team")
    text = row.required("usd_per_month")
    usd = _dollars(text)
    if usd is None:
        raise RowError("bad_number", worded("usd_per_month is {text}", text=repr(text)))
    try:
        return Budget(team, check_budget(team, float(usd)))
    except PlannerError as fault:
        raise RowError("unknown_value", fault.what) from None


def _dollars(text: str) -> Decimal | None:
    """What is typed as an amount: 20,000, $20,000 and 20k too. None where it is none, or of another currency.

    >>> [_dollars(text) for text in ("20,000", "$1,200.50", "20k", "-1", "20 EUR", "many")]
    [Decimal('20000'), Decimal('1200.50'), Decimal('20000'), None, None, None]
    """
    found = read_amount(text)
    is_amount = found.number is not None and not found.per and found.currency in (None, "USD")
    if not is_amount or found.number is None:
        return None
    return found.number if 0 <= found.number <= LARGEST_BUDGET else None


def _facts(budgets: Sequence[Budget]) -> Facts:
    """What a file says."""
    return (("teams", len(budgets)), ("usd_per_month", sum(one.usd_per_month for one in budgets)))


BUDGETS: Final = TableKind(
    KIND,
    FORMAT,
    COLUMNS,
    (("team",), ("usd_per_month",)),
    one_value(_read_row),
    lambda one: one.team,
    worded("it has the columns team and usd_per_month"),
    facts=_facts,
    tells_unread=True,
)
"""US dollars a month by team; of two rows of one team the first is kept."""
