"""Checkpoints on spot: the best interval for each workload, and what it would save."""

from collections.abc import Sequence

from gpuplanner.domain.commitment import outlook_result
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.recursion.rates import (
    OF_LENGTH,
    Barrier,
    barrier_of,
    best_interval_h,
    class_at,
    lost_share,
    spot_inputs,
    with_checkpoint_of,
    with_nodes_of,
)
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.figures.card import SPOT
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.intake import node_times
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH


def choose_cheaper_use(on_demand: float | None, spot: float, lost: float) -> tuple[float | None, bool]:
    """The cheaper of on demand (None: nobody offers it) and spot at a lost share, $ per GPU-hour, and whether that is
    spot; None where neither can be had."""
    effective = None if lost >= 1 else spot / (1 - lost)
    is_spot = effective is not None and (on_demand is None or effective < on_demand)
    return effective if is_spot else on_demand, is_spot


def spot_advice(ground: Ground, pools: Sequence[PoolPlan]) -> tuple[outlook_result.SpotAdvice, ...]:
    """One for each workload and row whose pool lets it use spot, where spot is on offer, and for training that only its
    length keeps off; sorted by key and model.

    saves_usd_per_month: month 0 with the layers held: its share, by GPU time, of the GPU-hours that its row pays by
    use, times what its rate by use falls. Law: the row's usage $ with every workload at its best interval are less by
    the sum of them. Source: Young 1974 for the interval; docs/formulas/spot.md.
    """
    times = node_times(ground.project.intake)
    plans: dict[Row, PoolPlan] = {Row(plan.pool, plan.gpu_model): plan for plan in pools}
    answer = []
    for row in ground.rows:
        price, users, plan = ground.prices[row], ground.plan.users[row], plans.get(row)
        if not price.spots or plan is None:
            continue
        by_use = sum(layer.busy_gpus for layer in plan.layers if layer.term_months == 0)
        total = float(users.sum())
        for place in (users > 0).nonzero()[0].tolist():
            workload = ground.project.workloads[place]
            barrier = barrier_of(ground.assumptions, workload, row.pool, class_at(ground.classes, place))
            if barrier is None or (row.pool is Pool.TRAINING and barrier in OF_LENGTH):
                gpus = by_use * float(users[place]) / total
                spot = price.spot_of(place)
                assert spot is not None and spot.rate is not None
                rates = None if price.on_demand is None else price.on_demand.rate, spot.rate
                own = with_nodes_of(ground.assumptions, spot, times)
                own = with_checkpoint_of(own, workload, class_at(ground.classes, place), ground.project.needs)
                answer.append(advise_spot(own, workload, row, rates, gpus, barrier))
    return tuple(sorted(answer, key=lambda advice: (advice.key, advice.gpu_model or "")))


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


def advise_spot(
    assumptions: Assumptions,
    workload: Workload,
    row: Row,
    rates: tuple[float | None, float],
    gpus_by_use: float,
    barrier: Barrier | None = None,
) -> outlook_result.SpotAdvice:
    """Return the spot advice for one workload, now and at the best checkpoint interval.

    rates: on demand and of spot, as of `choose_cheaper_use`; gpus_by_use: its GPUs, on average, that are paid by use.
    barrier: what keeps it on demand now.
    """
    nodes, longest_s = workload.max_nodes or 1, workload.longest_job_s
    lost = lost_share(assumptions, nodes, longest_s)
    best, takes_checkpoints = best_way(assumptions, nodes, longest_s)
    (now, on_spot), (then, on_spot_at_best) = (
        choose_cheaper_use(*rates, 1.0 if barrier else lost),
        choose_cheaper_use(*rates, best),
    )
    gpus, longest_h = workload.max_milli_gpus / 1000, longest_s / 3600
    run_hours = longest_h / (1 - best) if best < 1 else None
    saved = None if now is None or then is None else HOURS_PER_MONTH * gpus_by_use * (now - then)
    pool, gpu_model = row
    on_demand_rate, spot_rate = rates
    return outlook_result.SpotAdvice(
        key=workload.key,
        pool=pool,
        gpu_model=gpu_model,
        nodes=nodes,
        longest_job_hours=longest_h,
        interval_hours=assumptions.spot_interval_hours,
        lost_share=lost,
        best_interval_hours=best_interval_h(assumptions, nodes) if takes_checkpoints else None,
        best_lost_share=best,
        on_spot=on_spot,
        on_spot_at_best=on_spot_at_best,
        saves_usd_per_month=saved,
        node_hours=assumptions.spot_node_mtbf_hours,
        barrier=barrier,
        run_hours=run_hours,
        run_usd=None if run_hours is None else gpus * run_hours * spot_rate,
        run_usd_on_demand=None if on_demand_rate is None else gpus * longest_h * on_demand_rate,
    )
