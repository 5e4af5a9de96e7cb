"""Budgets of teams: a table with the columns team and usd_per_month."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.budgets import LARGEST_BUDGET, check_budget
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts
from gpuplanner.files.tables.small_table import Row, RowError, TableKind, one_value
from gpuplanner.files.tables.unread_columns import Verdict
from gpuplanner.files.values.amounts import read_amount


class Budget(NamedTuple):
    """One row. usd_per_month: US dollars a month of 730 h."""

    team: str
    usd_per_month: float


def _read_budget(row: Row) -> Budget:
    """A row as a budget. Errors: RowError where there is no name, or no amount."""
    team = row.required("team")
    text = row.required("usd_per_month")
    usd = _dollars(text)
    if usd is None:
        raise RowError("bad_number", worded("{column} is {text}", column="usd_per_month", text=repr(text)))
    try:
        return Budget(team, check_budget(team, float(usd)))
    except PlannerError as fault:
        raise RowError("unknown_value", fault.what) from None


def _dollars(text: str) -> Decimal | None:
    """What is typed as an amount: 20,000, $20,000 and 20k too. None where it is none, or of another currency.

    >>> [_dollars(text) for text in ("20,000", "$1,200.50", "20k", "-1", "20 EUR", "many")]
    [Decimal('20000'), Decimal('1200.50'), Decimal('20000'), None, None, None]
    """
    amount = read_amount(text)
    is_amount = amount.number is not None and not amount.per and amount.currency in (None, "USD")
    if not is_amount or amount.number is None:
        return None
    return amount.number if 0 <= amount.number <= LARGEST_BUDGET else None


def _budget_facts(budgets: Sequence[Budget]) -> Facts:
    """What a file says."""
    return (("teams", len(budgets)), ("usd_per_month", sum(budget.usd_per_month for budget in budgets)))


BUDGETS: Final = TableKind(
    kind="budgets",
    format="own_budgets",
    columns=("team", "usd_per_month"),
    needed=(("team",), ("usd_per_month",)),
    reader=one_value(_read_budget),
    key=lambda row: row.team,
    why=worded("has the columns {names}", names="team, usd_per_month"),
    facts=_budget_facts,
    unread=Verdict.TOLD,
)
"""US dollars a month by team; of two rows of one team the first is kept."""
