"""The plan in one of its twelve months: what it holds, serves and costs, what starts, ends and is to be signed."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment import busy
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan import twelve_months
from gpuplanner.domain.commitment.plan.advice import pool_plans
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow, in_all, parts_in_months, plan_of
from gpuplanner.domain.commitment.plan.totals import idle_existing, plan_inputs, totals_of, workload_usd
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.commitment.volatility import grown
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.plan_inputs import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool

# --- What happens to commitments in a span of time


@dataclass(frozen=True, slots=True)
class Happening:
    """Orders that start, end and are to be signed in a span, and contracts that end in it; each in given order."""

    starting: tuple[Order, ...]
    ending: tuple[Order, ...]
    to_sign: tuple[Order, ...]
    contracts_ending: tuple[Contract, ...]


def happening(orders: Sequence[Order], contracts: Sequence[Contract], from_s: int, to_s: int) -> Happening:
    """What happens in [from_s, to_s), epoch seconds; orders that hold only if young demand lasts are left out.

    Law: spans that follow each other share out what happens in all of them.
    """

    def within(at_s: Callable[[Order], int]) -> tuple[Order, ...]:
        """The orders of which a moment lies in the span."""
        return tuple(one for one in orders if one.is_certain and from_s <= at_s(one) < to_s)

    return Happening(
        within(lambda order: order.start_s),
        within(lambda order: order.end_s),
        within(lambda order: order.order_by_s),
        tuple(one for one in contracts if one.end_s is not None and from_s <= one.end_s < to_s),
    )


# --- The advice as it stands in a month: the same rows, of that month


def advise_in_month(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    audit: Audit,
    advice: Advice,
    month: int,
    cache: AdviceCache | None = None,
) -> Advice:
    """`advice` with the layers, idle GPUs, cards and totals of one of its months; orders, verdicts, checks and lock-in,
    which are of the day of signing, stay.

    advice: of the same project, scenario and pools. month: from 0, which is the advice as it is. Pure, as `advise`.
    Law: its pools and idle rows cost what the comparison says of the month. Source: docs/formulas.md, The year.
    Errors: IndexError for a month that is not compared.
    """
    compared = advice.comparison[month]
    if not month:
        return advice
    cache = AdviceCache() if cache is None else cache
    ground = ground_of(project, scenario, pools, cache, advice.classes)
    planned = plan_of(ground, cache)
    of_month = replace(planned, rows=_rows_in(ground, planned.rows, month))
    gpu_time = _gpu_time_in(ground, month)
    on_demand = {row: one.on_demand for row, one in ground.prices.items()}
    plans = tuple(
        replace(plan, demand=replace(plan.demand, gpu_time=gpu_time(plan.pool, plan.gpu_model)))
        for plan in pool_plans(ground, of_month, on_demand, month)
    )
    idle = tuple(
        row
        for row in idle_existing(ground, plans, ground.weights, month)
        if row.gpu_model not in advice.asked_models
    )
    known_idle = None if advice.asked_models else idle
    inputs = replace(plan_inputs(ground, plans, known_idle, month), bound=advice.inputs.bound)
    has_savings = advice.totals.savings_vs_do_nothing is not None
    totals = totals_of(
        ground,
        audit,
        plans,
        known_idle,
        compared.do_nothing_usd,
        compared.plan_usd,
        advice.orders,
        inputs,
        has_savings,
    )
    return replace(
        advice,
        pools=plans,
        idle_existing=idle,
        totals=replace(totals, lock_in_months=advice.totals.lock_in_months),
        workload_usd=workload_usd(ground, plans, planned.runs, month),
        inputs=inputs,
    )


def _rows_in(ground: Ground, rows: Sequence[PlannedRow], month: int) -> tuple[PlannedRow, ...]:
    """The rows with the demand of a month, before and after what contracts serve in it."""
    hours, months = ground.window.hours, max(month + 1, ground.months)
    found = {}
    for model in ground.plan.models:
        there = busy.months_of(model, ground.plan.contracts, ground.window, ground.outlined, months)[month]
        for row, parts in zip(model.rows, parts_in_months(model, there, hours), strict=True):
            found[row] = (*in_all(parts), tuple(parts))
    return tuple(
        one  # of runs alone
        if (amounts := found.get((one.row.pool, one.row.gpu_model))) is None
        else replace(one, demand_gpus=amounts[0], residual_gpus=amounts[1], month_parts=amounts[2])
        for one in rows
    )


def _gpu_time_in(ground: Ground, month: int) -> Callable[[Pool, str | None], Floats | None]:
    """The GPU time of each workload of a row in a month, by which the row's $ are shared out, (workloads,)."""
    parts = busy.factors_of_months(ground.outlined, ground.window, month + 1)[month]
    there = busy.shares_of_month_0(parts)
    groups = twelve_months.groups_of(ground)
    schedules = ground.outlined.schedules
    shares = np.array([there.get(group, 0.0) for group in groups.tolist()])
    grows = np.array([group in there and schedules[group].grows for group in groups.tolist()])

    def of_row(pool: Pool, gpu_model: str | None) -> Floats | None:
        """Of one row; None where nobody of it is there."""
        users = ground.plan.users.get((pool, gpu_model))
        if users is None:
            return None
        times = float(grown(ground.growth[pool], ground.assumptions.growth_fade, month + 1)[month])
        amounts: Floats = users * shares * np.where(grows, times, 1.0)
        return amounts if amounts.any() else None

    return of_row
