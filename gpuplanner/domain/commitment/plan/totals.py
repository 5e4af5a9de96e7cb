"""Totals: the monthly money of today, of doing nothing and of the plan, and each workload's share of it."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.money.spend import UNKNOWN_MODEL
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.demand.slices import weighted_mean
from gpuplanner.domain.commitment.layer_figures import cost_per_month
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.orders import due_at_once_usd, liability_usd, to_sign
from gpuplanner.domain.commitment.result import (
    Advice,
    IdleExisting,
    Layer,
    Order,
    PlanInputs,
    PoolPlan,
    Totals,
)
from gpuplanner.domain.figures.card import CARD_PART
from gpuplanner.domain.figures.columns import floats, optional
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import bound_usd, mean_rate, running
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.part_sum import NOTHING_KNOWN, PartSum, part_sum
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOURS_PER_MONTH


def idle_existing(
    in_month_0: Sequence[Contract], pools: Sequence[PoolPlan], weights: Floats | None
) -> tuple[IdleExisting, ...]:
    """What existing contracts of each model are paid for and do not serve in month 0; nothing idle: no row.

    weights: of the window's hours, (hours,), adding up to 1; None: all alike. Source: docs/formulas.md, Layers.
    """
    found: list[tuple[str | None, float, float | None]] = []
    for model in sorted({contract.gpu_model for contract in in_month_0}, key=lambda model: model or ""):
        rows = [contract for contract in in_month_0 if contract.gpu_model == model]
        idle = sum(contract.milli_gpus for contract in rows) / 1000
        for pool in pools:
            if gpu_model_of(pool.gpu_model) == model:
                idle -= weighted_mean(pool.demand_gpus - pool.residual_gpus, weights)
        if idle > 1e-9:  # less is rounding of the mean
            found.append((model, idle, mean_rate(rows)))
    costs = cost_per_month([gpus for _, gpus, _ in found], [rate for *_, rate in found])
    return tuple(IdleExisting(*of_model, usd) for of_model, usd in zip(found, costs, strict=True))


def plan_usd_of(pools: Sequence[PoolPlan], idle: Sequence[IdleExisting] | None) -> float | None:
    """$ a month of a plan: all layers, and what existing contracts are paid for and do not serve (None: unknown).

    None where one part is unknown.
    """
    if idle is None:
        return None
    return known_sum([*(pool.cost_per_month for pool in pools), *(row.cost_per_month for row in idle)])


def plan_sum(advice: Advice) -> PartSum:
    """What a plan costs a month: the whole of it, or what is known, by pool and GPU model and what stands idle.

    Where the whole is unknown: what is known of it, with the names of what is missing; nothing at all where
    contracts are still asked about.
    """
    pools, idle = advice.pools, advice.idle_existing
    if advice.totals.plan is not None:
        return PartSum(advice.totals.plan)
    layers = (
        (
            worded("{pool} {gpu_model}", pool=pool.pool.value, gpu_model=pool.gpu_model or UNKNOWN_MODEL),
            layer.cost_per_month,
        )
        for pool in pools
        for layer in pool.layers
    )
    idle_rows = (
        (worded("idle {gpu_model}", gpu_model=row.gpu_model or UNKNOWN_MODEL), row.cost_per_month)
        for row in idle
    )
    found = part_sum((*layers, *idle_rows))
    return found if found.missing and not advice.asked_models else NOTHING_KNOWN


def paid_gpus(advice: Advice) -> float | None:
    """Mean GPUs that a plan pays for in month 0; None where nobody knows yet what contracts serve.

    New layers at what they hold on average, existing contracts whether they serve or not.
    """
    if advice.asked_models:
        return None
    of_layers = sum(layer.mean_gpus for pool in advice.pools for layer in pool.layers)
    return of_layers + sum(row.gpus for row in advice.idle_existing)


def asked_words(advice: Advice) -> Text:
    """Why nobody knows what a plan comes to though all has a price; empty where no contract is asked about."""
    models = sorted(str(model or UNKNOWN_MODEL) for model in advice.asked_models)
    if not models:
        return ""
    names = ", ".join(models)
    return worded("Unknown until somebody says which jobs the contracts of {names} serve", names=names)


def commitments_in(project: Project, scenario: str, month: int) -> tuple[Contract, ...]:
    """The existing commitments that a plan counts with, of those that run through a month; from scratch none.

    scenario: by name; one that is no plan, such as today, has all of them.
    """
    if any(plan.name == scenario and plan.greenfield for plan in project.scenarios):
        return ()
    return tuple(row for row in running(project.contracts, project.plan_window, month) if row.is_committed)


def plan_inputs(ground: Ground, pools: Sequence[PoolPlan], idle: Sequence[IdleExisting] | None) -> PlanInputs:
    """What a plan's utilization and lock-in are of; None where prices that are missing leave open what it signs.

    Months bound, weighted by $: new layers by their term, existing contracts by what is left of them.
    Source: docs/formulas.md, Totals.
    """
    in_month_0 = running(ground.plan.contracts, ground.window, 0)
    bound = [bound_usd(contract, ground.window) for contract in in_month_0]
    layers = [layer for pool in pools for layer in pool.layers]
    bound += [layer.bound for layer in layers if layer.is_new]
    if idle is None or not is_priced(pools):
        return PlanInputs(bound=known_sum(bound))
    paid = sum(contract.milli_gpus for contract in in_month_0) / 1000
    for layer in layers:
        paid += 0.0 if layer.existing else layer.mean_gpus
    return PlanInputs(sum(pool.mean_gpus for pool in pools), paid, known_sum(bound))


def is_priced(pools: Sequence[PoolPlan]) -> bool:
    """Whether all that is to be signed or paid by use has a price; else nobody knows what a plan would sign."""
    return all(is_priced_layer(layer) for pool in pools for layer in pool.layers)


def is_priced_layer(layer: Layer) -> bool:
    """Whether a layer is there already, or has a price; without one it only says that there is demand."""
    return layer.existing or layer.rate is not None


def totals_of(
    ground: Ground,
    audit: Audit,
    pools: Sequence[PoolPlan],
    idle: Sequence[IdleExisting] | None,
    nothing_usd: float | None,
    orders: Sequence[Order],
    inputs: PlanInputs,
    has_savings: bool = True,
) -> Totals:
    """All totals but the cost of separation, which the outlook works out.

    idle: None where nobody knows yet what contracts that run serve; then what the plan comes to is unknown.
    has_savings: whether what is saved is known; not where the plan serves less than doing nothing does.
    """
    has_prices = is_priced(pools)
    idle_usd = None if idle is None else known_sum([row.cost_per_month for row in idle])
    plan_usd = plan_usd_of(pools, idle)
    on_demand = known_sum(
        [
            None
            if pool.on_demand_rate is None
            else HOURS_PER_MONTH * weighted_mean(pool.demand_gpus, ground.weights) * pool.on_demand_rate
            for pool in pools
        ]
    )
    unused = [layer.unused_per_month for pool in pools for layer in pool.layers if layer.is_new]
    found = _figures(audit.spend, nothing_usd, plan_usd, on_demand, inputs)
    saved = found if has_savings else dict.fromkeys(found)
    return Totals(
        today=audit.spend,
        do_nothing=nothing_usd,
        plan=plan_usd,
        savings=saved["savings"],
        savings_percent=saved["savings_percent"],
        savings_vs_do_nothing=saved["savings_vs_do_nothing"],
        on_demand_equivalent=on_demand,
        effective_savings_rate=saved["effective_savings_rate"],
        effective_utilization_now=audit.effective_utilization,
        effective_utilization_plan=found["effective_utilization_plan"],
        unused_now=audit.unused_per_month,
        unused_plan=known_sum([*unused, idle_usd]) if has_prices else None,
        lock_in_now_months=audit.lock_in_now_months,
        lock_in_months=found["lock_in_months"],
        cost_of_separation=None,
        liability_now=liability_usd(to_sign(orders, ground.window.end_s)) if has_prices else None,
        liability=liability_usd(orders) if has_prices else None,
        due_at_once_now=due_at_once_usd(to_sign(orders, ground.window.end_s)) if has_prices else None,
    )


def _figures(
    today: float | None,
    do_nothing: float | None,
    plan: float | None,
    on_demand: float | None,
    inputs: PlanInputs,
) -> dict[str, float | None]:
    """The figures of PLAN, by key."""
    given: dict[str, float | None] = {
        "today": today,
        "do_nothing": do_nothing,
        "plan": plan,
        "on_demand_equivalent": on_demand,
        "used_gpus": inputs.used_gpus,
        "paid_gpus": inputs.paid_gpus,
        "bound": inputs.bound,
        "joint": None,
    }
    return PLAN.row(given)


def workload_usd(ground: Ground, pools: Sequence[PoolPlan]) -> dict[str, float | None]:
    """Plan $ a month of each workload: its share, by GPU time, of the layers of its pool and model.

    Law: over all workloads, the pools' $ a month.
    """
    usd = np.zeros(len(ground.project.workloads))
    for pool in pools:
        amounts = pool.gpu_time
        if amounts is not None:  # somebody of it is there in month 0
            given = {
                "gpu_time": amounts,
                "all_gpu_time": np.full(len(usd), amounts.sum()),
                "all_cost_per_month": floats([pool.cost_per_month] * len(usd)),
            }
            usd += CARD_PART.worked_out(given)["cost_per_month"]
    return {
        workload.key: value for workload, value in zip(ground.project.workloads, optional(usd), strict=True)
    }
