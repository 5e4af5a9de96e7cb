"""What a drop would change: the plan as it would be beside the plan as it is."""

from dataclasses import dataclass

from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import POOLS, Pool


@dataclass(frozen=True, slots=True)
class HoverChange:
    """$ a month: the whole plan, then each pool; None is unknown."""

    total: float | None
    pools: dict[Pool, float | None]


def hover_change(before: Advice, after: Advice) -> HoverChange:
    """The difference of two answers of the engine."""
    return HoverChange(
        _difference(before.totals.plan_usd_per_month, after.totals.plan_usd_per_month),
        {pool: _difference(_of_pool(before, pool), _of_pool(after, pool)) for pool in POOLS},
    )


def _of_pool(advice: Advice, pool: Pool) -> float | None:
    return known_sum(plan.usd_per_month for plan in advice.pools if plan.pool is pool)


def _difference(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before
