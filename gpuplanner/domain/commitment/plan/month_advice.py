"""The advice as it stands in a month: its rows, cards and totals of that month."""

from collections.abc import Callable, Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment import busy
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand import growth
from gpuplanner.domain.commitment.plan import twelve_months
from gpuplanner.domain.commitment.plan.advice import pool_plans
from gpuplanner.domain.commitment.plan.cards import card_costs
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow, in_all, parts_in_months, plan_of
from gpuplanner.domain.commitment.plan.totals import idle_existing, plan_inputs, totals_of
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace


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
    Law: its pools and idle rows cost as in the comparison. Source: docs/formulas/totals.md, A later month.
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
    on_demand = {row: price.on_demand for row, price in ground.prices.items()}
    plans = tuple(
        replace(plan, demand=replace(plan.demand, gpu_time=gpu_time(plan.pool, plan.gpu_model)))
        for plan in pool_plans(ground, of_month, on_demand, month)
    )
    idle = tuple(
        row for row in idle_existing(ground, plans, month) if row.gpu_model not in advice.unknown_models
    )
    known_idle = None if advice.unknown_models else idle
    inputs = replace(plan_inputs(ground, plans, known_idle, month), bound=advice.inputs.bound)
    has_savings = advice.totals.savings_vs_do_nothing is not None
    totals = totals_of(ground, audit, plans, known_idle, compared, advice.orders, inputs, has_savings)
    cards = card_costs(ground, planned, range(month, month + 1))
    return replace(
        advice,
        pools=plans,
        idle_existing=idle,
        totals=replace(totals, lock_in_months=advice.totals.lock_in_months),
        workload_usd=dict(cards.usd),
        cards=cards,
        inputs=inputs,
    )


def with_cards(
    project: Project, scenario: Scenario, pools: tuple[Pool, ...], advice: Advice, cache: AdviceCache
) -> Advice:
    """`advice` with what each workload costs in its twelve months. cache: that it was made with, which has its plan."""
    ground = ground_of(project, scenario, pools, cache, advice.classes)
    return replace(advice, cards=card_costs(ground, plan_of(ground, cache), range(COMPARED_MONTHS)))


def _rows_in(ground: Ground, rows: Sequence[PlannedRow], month: int) -> tuple[PlannedRow, ...]:
    """The rows with the demand of a month, before and after what contracts serve in it."""
    hours, months = ground.window.hours, max(month + 1, ground.months)
    demand_of = {}
    for model in ground.plan.models:
        of_month = busy.months_of(model, ground.plan.contracts, ground.window, ground.outlined, months)[month]
        for row, parts in zip(model.rows, parts_in_months(model, of_month, hours), strict=True):
            demand_of[row] = (*in_all(parts), tuple(parts))
    return tuple(
        row  # of runs alone
        if (amounts := demand_of.get(Row(row.row.pool, row.row.gpu_model))) is None
        else replace(row, demand_gpus=amounts[0], residual_gpus=amounts[1], month_parts=amounts[2])
        for row in rows
    )


def _gpu_time_in(ground: Ground, month: int) -> Callable[[Pool, str | None], Floats | None]:
    """The GPU time of each workload of a row in a month, by which the row's $ are shared out, (workloads,)."""
    parts = busy.factors_of_months(ground.outlined, ground.window, month + 1)[month]
    group_shares = busy.shares_of_month_0(parts)
    groups = twelve_months.groups_of(ground)
    schedules = ground.outlined.schedules
    shares = np.array([group_shares.get(group, 0.0) for group in groups.tolist()])
    grows = np.array([group in group_shares and schedules[group].grows for group in groups.tolist()])

    def of_row(pool: Pool, gpu_model: str | None) -> Floats | None:
        """Of one row; None where nobody of it is there."""
        users = ground.plan.users.get(Row(pool, gpu_model))
        if users is None:
            return None
        times = float(growth.grown(ground.growth[pool], ground.assumptions.growth_fade, month + 1)[month])
        amounts: Floats = users * shares * np.where(grows, times, 1.0)
        return amounts if amounts.any() else None

    return of_row
