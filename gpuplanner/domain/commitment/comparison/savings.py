"""Where savings come from: five steps from what the log costs today to what the plan costs in month 0."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gpuplanner.domain.audit.money.rates import eligible_rates
from gpuplanner.domain.audit.money.spend import eligible_usd_by_hour
from gpuplanner.domain.audit.use.utilization import dispatch_window
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.flows import pieces_of_months, schedules_of
from gpuplanner.domain.commitment.demand.slices import weighted_mean
from gpuplanner.domain.commitment.outlook_result import SavingsStep
from gpuplanner.domain.commitment.plan.advice import pool_plans
from gpuplanner.domain.commitment.plan.doing_nothing import nothing_by_month, nothing_where_anybody_serves
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.plan.totals import idle_existing, plan_usd_of
from gpuplanner.domain.commitment.plan.twelve_months import comparison_of
from gpuplanner.domain.commitment.plan.unserved import LEAST_GPU_HOURS, leaves_more_unserved, unserved_of
from gpuplanner.domain.commitment.result import Totals
from gpuplanner.domain.demand.pools import pools_today
from gpuplanner.domain.figures.columns import by_row, floats
from gpuplanner.domain.figures.plan import SAVINGS_STEP
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.contract_months import running
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOURS_PER_MONTH

STEPS: Final = ("demand", "ending", "terms", "separation", "spot")
NEEDS_RATE: Final = worded("A rate of the plan is missing: see Prices.")
TODAY_NEEDS_RATE: Final = worded("A contract or what overflows has no rate.")
NOTHING_NEEDS_RATE: Final = worded(
    "What next month costs with nothing signed needs a rate that nobody states."
)
NOTHING_LEAVES: Final = worded("Doing nothing leaves demand to nobody too: what may serve it is limited.")
UNDER_BUDGET: Final = worded(
    "Under the budget the plan serves less than doing nothing does, so that the two do not cost the same work."
)
LEAVES_DEMAND: Final = worded(
    "The plan leaves demand to nobody that doing nothing serves, so that the two do not cost the same work."
)
"""Why an end between two steps is unknown."""


@dataclass(frozen=True, slots=True)
class _Case:
    """One of the plans between doing nothing and the plan: where workloads stand, and what is on offer."""

    project: Project
    pools: tuple[Pool, ...]


def savings_steps(
    project: Project, ground: Ground, totals: Totals, cache: AdviceCache
) -> tuple[SavingsStep, ...]:
    """What each of STEPS takes off a month's $ (below 0: it adds); None, with the reason, where an end is unknown.

    project: as it was given to the advice, at its own rates; ground, totals: of the plan. Where the plan leaves
    unserved what doing nothing serves where anybody may, the steps that compare with it are unknown; and with doing
    nothing, where that leaves it too.
    Law: they add up to current - plan. Source: docs/formulas.md, Where savings come from.
    """
    is_comparable = totals.savings_vs_do_nothing is not None
    plan = _End(totals.plan, NEEDS_RATE)
    if not is_comparable and plan.usd is not None and totals.do_nothing is not None:
        plan = _End(None, _left_words(ground))
    nothing = _End(totals.do_nothing, NOTHING_NEEDS_RATE)
    if not is_comparable and _is_nothing_limited(project, ground, cache):
        nothing = _End(None, NOTHING_LEAVES)
    if totals.do_nothing is None:  # then it may be comparable all the same
        plan = _plan_usd(_Case(project, ground.pools), ground, cache)
    no_spot = replace(
        project,
        offers=tuple(
            offer for offer in project.offers if offer.pricing_category is not PricingCategory.DYNAMIC
        ),
    )
    today = _Case(no_spot, _pools_today(project, ground))
    own = _Case(no_spot, ground.pools)
    has_spot = len(no_spot.offers) < len(project.offers)
    own_end = _plan_usd(own, ground, cache) if has_spot else plan
    today_end = own_end if today.pools == own.pools else _plan_usd(today, ground, cache)
    return _between(
        _End(totals.today, TODAY_NEEDS_RATE),
        _End(current_with_demand_of_month_0(project, ground, totals.today), TODAY_NEEDS_RATE),
        nothing,
        today_end,
        own_end,
        plan,
    )


@dataclass(frozen=True, slots=True)
class _End:
    """$ a month between two steps, and why they are unknown where they are (None)."""

    usd: float | None
    why: Text


def _between(*ends: _End) -> tuple[SavingsStep, ...]:
    """The steps between neighbouring ends, as many as there are names."""
    saved = SAVINGS_STEP.worked_out(
        {
            "cost_before": floats([end.usd for end in ends[:-1]]),
            "cost_after": floats([end.usd for end in ends[1:]]),
        }
    )
    return tuple(
        SavingsStep(
            step,
            before.usd,
            after.usd,
            row["saved_per_month"],
            next((end.why for end in (before, after) if end.usd is None), ""),
        )
        for step, before, after, row in zip(STEPS, ends[:-1], ends[1:], by_row(saved), strict=True)
    )


def _left_words(ground: Ground) -> Text:
    """Why a plan is not compared with what serves more, by the limit that makes it leave demand to nobody."""
    return UNDER_BUDGET if ground.assumptions.budget_usd_per_month is not None else LEAVES_DEMAND


def current_with_demand_of_month_0(
    project: Project, ground: Ground, current_usd: float | None
) -> float | None:
    """$ a month of the log's hours as they count in the plan: weighted by recency, with the workloads of month 0.

    Those that come or go in it are there for their days of it; planned work stands beside the log's.
    current_usd: of the log as it is, which this is where nothing weighs or changes it.
    """
    plan = ground.scenario
    times = np.array([ground.assumptions.demand_of(pool) for pool in ground.pools])
    is_dated = bool(plan.spells or plan.planned or plan.changes)
    if ground.weights is None and not is_dated and (times == 1).all():
        return current_usd
    schedules = schedules_of(project.workloads, plan, ground.window.end_s)
    times = np.where([schedule.is_planned for schedule in schedules], 1.0, times)
    classes = [found.pool for found in ground.classes] or list(ground.pools)
    total = 0.0
    for share, there in pieces_of_months(schedules, ground.window, 1)[0]:
        piece = replace(project, cube=_times(project.cube, times * np.array(there)))
        usd = eligible_usd_by_hour(dispatch_window(piece, classes), eligible_rates(piece, classes))
        if usd is None:
            return None
        total += share * HOURS_PER_MONTH * weighted_mean(usd, ground.weights)
    return total


def _times(cube: Cube, factors: "np.ndarray[tuple[int], np.dtype[np.float64]]") -> Cube:
    """The demand of each workload so many times; factors: (workloads,)."""
    if (factors == 1).all():
        return cube
    there = cube.of_workloads(factors > 0)
    amounts = np.rint(there.milli_gpu_seconds * factors[there.workload_index][there.entry_row])
    return replace(there, milli_gpu_seconds=amounts.astype(np.int64))


def _pools_today(project: Project, ground: Ground) -> tuple[Pool, ...]:
    """Where each workload runs today; where nobody said what it is, where the plan has it."""
    return pools_today(project, ground.classes) if ground.classes else ground.pools


def _plan_usd(case: _Case, of: Ground, cache: AdviceCache) -> _End:
    """$ of month 0 of such a plan; None where a rate is missing or it serves less than doing nothing."""
    ground = ground_of(case.project, of.scenario, case.pools, cache, of.classes)
    planned = plan_of(ground, cache)
    plans = pool_plans(ground, planned, {row: price.on_demand for row, price in ground.prices.items()})
    if unserved_of(ground, planned.rows):
        nothing = nothing_by_month(ground)
        comparison = comparison_of(ground, planned.rows, nothing)
        anybody = nothing_where_anybody_serves(case.project, ground, nothing, cache)
        if leaves_more_unserved(comparison, anybody, ground.assumptions.horizon_months):
            return _End(None, _left_words(ground))
    in_month_0 = running(ground.plan.contracts, ground.window, 0)
    return _End(plan_usd_of(plans, idle_existing(in_month_0, plans, ground.weights)), NEEDS_RATE)


def _is_nothing_limited(project: Project, ground: Ground, cache: AdviceCache) -> bool:
    """Whether doing nothing leaves GPU-hours of month 0 unserved that it would serve where anybody may."""
    nothing = nothing_by_month(ground)
    anybody = nothing_where_anybody_serves(project, ground, nothing, cache)
    return nothing[0].unserved_gpu_hours > anybody[0].unserved_gpu_hours + LEAST_GPU_HOURS


def step_usd(steps: Sequence[SavingsStep], name: str) -> float | None:
    """$ a month of one step; None where it is unknown or not worked out.

    name: one of STEPS. Below 0 the step saves.
    """
    return next((one.usd_per_month for one in steps if one.step == name), None)
