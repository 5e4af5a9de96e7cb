"""Checkpoints on spot: the best time between them for each workload that may use spot, and what it would save."""

from collections.abc import Sequence
from dataclasses import dataclass

from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.recursion.spot import (
    barrier_of,
    best_interval_h,
    class_at,
    lost_share,
    spot_inputs,
)
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.figures.spot import SPOT
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.scenario.assumptions import Assumptions
from gpuplanner.domain.model.window import HOURS_PER_MONTH


@dataclass(frozen=True, slots=True)
class _Rates:
    """$ per GPU-hour of a row: on demand (None: nobody offers it), and spot before interruptions."""

    on_demand: float | None
    spot: float

    def by_use(self, lost: float) -> float | None:
        """The cheaper of both at a lost share; None where neither can be had."""
        effective = None if lost >= 1 else self.spot / (1 - lost)
        known = [rate for rate in (self.on_demand, effective) if rate is not None]
        return min(known, default=None)

    def is_spot(self, lost: float) -> bool:
        """Whether spot is feasible and cheaper at a lost share."""
        return lost < 1 and (self.on_demand is None or self.spot / (1 - lost) < self.on_demand)


def spot_advice(ground: Ground, pools: Sequence[PoolPlan]) -> tuple[SpotAdvice, ...]:
    """One for each workload and row whose pool lets it use spot, where spot is on offer; sorted by key and model.

    saves_usd_per_month: month 0 with the layers held: its share, by GPU time, of the GPU-hours that its row pays by
    use, times what its rate by use falls. Law: the row's usage $ with every workload at its best interval are less by
    the sum of them. Source: Young 1974 for the interval; docs/formulas.md, Spot.
    """
    plans: dict[Row, PoolPlan] = {(plan.pool, plan.gpu_model): plan for plan in pools}
    answer = []
    for row in ground.rows:
        price, users, plan = ground.prices[row], ground.plan.users[row], plans.get(row)
        if price.spot is None or price.spot.rate is None or plan is None:
            continue
        rates = _Rates(None if price.on_demand is None else price.on_demand.rate, price.spot.rate)
        by_use = sum(layer.busy_gpus for layer in plan.layers if layer.term_months == 0)
        total = float(users.sum())
        for place in (users > 0).nonzero()[0].tolist():
            workload = ground.project.workloads[place]
            if barrier_of(ground.assumptions, workload, row[0], class_at(ground.classes, place)) is None:
                gpus = by_use * float(users[place]) / total
                answer.append(_of_workload(ground.assumptions, workload, row, rates, gpus))
    return tuple(sorted(answer, key=lambda one: (one.key, one.gpu_model or "")))


def best_way(assumptions: Assumptions, nodes: int, longest_job_s: float) -> tuple[float, bool]:
    """The least share of work that is lost, and whether it takes checkpoints.

    Writing them pays where the best interval is shorter than half of the longest job.
    """
    best_h, longest_h = best_interval_h(assumptions, nodes), longest_job_s / 3600
    takes_checkpoints = best_h < longest_h / 2
    inputs = spot_inputs(assumptions, nodes, longest_job_s) | {"interval_hours": best_h}
    if not best_h:  # checkpoints that take no time are written all the time, and only restarts are lost
        return float(SPOT.value("lost_without_checkpoints", inputs | {"longest_hours": 0.0})), True
    key = "lost_with_checkpoints" if takes_checkpoints else "lost_without_checkpoints"
    return float(SPOT.value(key, inputs)), takes_checkpoints


def _of_workload(
    assumptions: Assumptions, workload: Workload, row: Row, rates: _Rates, gpus_by_use: float
) -> SpotAdvice:
    """Spot now and at the best interval, for one workload. gpus_by_use: its GPUs, on average, that are paid
    by use.
    """
    nodes, longest_s = workload.max_nodes or 1, workload.longest_job_s
    lost = lost_share(assumptions, nodes, longest_s)
    best, takes_checkpoints = best_way(assumptions, nodes, longest_s)
    now, then = rates.by_use(lost), rates.by_use(best)
    return SpotAdvice(
        key=workload.key,
        pool=row[0],
        gpu_model=row[1],
        nodes=nodes,
        longest_job_hours=longest_s / 3600,
        interval_hours=assumptions.spot_interval_hours,
        lost_share=lost,
        best_interval_hours=best_interval_h(assumptions, nodes) if takes_checkpoints else None,
        best_lost_share=best,
        on_spot=rates.is_spot(lost),
        on_spot_at_best=rates.is_spot(best),
        saves_usd_per_month=None
        if now is None or then is None
        else HOURS_PER_MONTH * gpus_by_use * (now - then),
    )
