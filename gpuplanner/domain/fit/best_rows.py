"""Rows of a sizing by rank: the advised one, the runner-up and why it lost, and the nearest to the targets."""

from collections.abc import Iterable

from gpuplanner.domain.figures.typed import amount, whole
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.serving.calibration import BYTES_BY_PRECISION
from gpuplanner.domain.serving.sizing import RowId
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Beside:
    """A row that is not the advice, and why."""

    cost: ServingCost
    why: Text


def best_row(costs: Iterable[ServingCost]) -> ServingCost | None:
    """The row of least $ a month that keeps the targets, in the widest precision that has one.

    Ties: a measured GPU model before one that nobody measured, fewer GPUs, then the row's id. Quantised weights are
    another model, so a narrower precision is the advice only where that of the model cannot be had. A row whose queue
    never settles is no answer.
    """
    return next(iter(_in_order(costs)), None)


def _in_order(costs: Iterable[ServingCost]) -> list[ServingCost]:
    """The rows that can be had and keep the targets, the advised first."""
    known = [
        cost
        for cost in costs
        if cost.cost_per_month is not None and not cost.row.is_unstable and cost.row.meets_target is not False
        if not cost.row.is_rewritten
    ]

    def order(cost: ServingCost) -> tuple[float, float, bool, int, RowId]:
        width = BYTES_BY_PRECISION.get(cost.row.precision, 0.0)
        usd = cost.cost_per_month or 0.0
        return (-width, usd, cost.row.is_assumed, cost.gpus_peak or 0, cost.row.row_id)

    return sorted(known, key=order)


def runner_up(costs: Iterable[ServingCost]) -> Beside | None:
    """The cheapest row on another GPU model, or else in another shape, and what it lost by; None without one."""
    ranked = _in_order(costs)
    if len(ranked) < 2:
        return None
    best, others = ranked[0], ranked[1:]
    same_width = [other for other in others if other.row.precision == best.row.precision] or others
    second = next((other for other in same_width if other.row.gpu_model != best.row.gpu_model), same_width[0])
    more = (second.cost_per_month or 0.0) - (best.cost_per_month or 0.0)
    if more < 0:
        why = worded(
            "{usd} less per month with {precision} weights: another model, test its answers",
            usd=amount(-more),
            precision=second.row.precision,
        )
    else:
        why = worded(
            "{usd} more per month: {gpus} GPUs at {rate} per GPU-hour",
            usd=amount(more),
            gpus=whole(second.gpus_peak or 0),
            rate=amount(second.rate or 0.0, 2),
        )
    return Beside(second, why)


def nearest_row(costs: Iterable[ServingCost]) -> Beside | None:
    """Of rows that all miss a target the one that misses least, and by how much; None where one keeps them all."""
    every = [cost for cost in costs if cost.row.missed_by is not None and not cost.row.is_rewritten]
    if not every or any(cost.row.meets_target for cost in every):
        return None
    cost = min(every, key=lambda cost: (cost.row.missed_by or 0.0, cost.row.row_id))
    return Beside(cost, cost.row.why)
