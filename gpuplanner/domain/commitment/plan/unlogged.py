"""The advice where no demand is known, or no price: none. Nobody can say then which contracts to let end."""

from dataclasses import fields, replace
from typing import Final

from gpuplanner.domain.commitment.result import Advice, Totals

KNOWN: Final = frozenset(("today", "lock_in_now_months"))
"""Totals that are of contracts alone."""

NO_DOLLARS: Final = dict.fromkeys(("do_nothing_usd", "plan_usd", "contracts_usd", "orders_usd", "use_usd"))


def without_prices(advice: Advice) -> Advice:
    """No verdicts: where nothing has a price, nobody can say that something is better than a contract that runs.

    Everything else stays, amounts of demand too.
    """
    return replace(advice, verdicts=())


def without_demand(advice: Advice) -> Advice:
    """No orders, no verdicts, no savings, and a plan of unknown $.

    Only what is of contracts alone stays known; checks are left out, for they speak of demand.
    """
    unknown = {field.name: None for field in fields(Totals) if field.name not in KNOWN}
    return replace(
        advice,
        idle_existing=(),
        orders=(),
        verdicts=(),
        totals=replace(advice.totals, **unknown),
        comparison=tuple(replace(month, **NO_DOLLARS) for month in advice.comparison),  # type: ignore[arg-type]
        checks=(),
    )
