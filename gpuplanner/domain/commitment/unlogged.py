"""The advice on a plan that no demand is known of: none. Without a log nobody can say which contracts to let end."""

from dataclasses import fields, replace
from typing import Final

from gpuplanner.domain.commitment.result import Advice, Totals

KNOWN: Final = frozenset(("current_usd_per_month", "lock_in_now_months"))
"""Totals that are of contracts alone."""

NO_DOLLARS: Final = dict.fromkeys(("do_nothing_usd", "plan_usd", "contracts_usd", "orders_usd", "use_usd"))


def without_demand(advice: Advice) -> Advice:
    """No orders, no verdicts, no savings, and a plan of unknown $."""
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
