"""Comparison of a plan with today, with do nothing and with another plan: savings and differences."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Final, TypeVar

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit import result
from gpuplanner.domain.audit.leak_claims import listed
from gpuplanner.domain.audit.spend.on_demand_rates import eligible_rates
from gpuplanner.domain.audit.spend.total_spend import eligible_usd_by_hour
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.commitment.busy import spans_of_months
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.counted import counted
from gpuplanner.domain.commitment.demand.slicing import weighted_mean
from gpuplanner.domain.commitment.outlook_result import SavingsStep
from gpuplanner.domain.commitment.plan import twelve_months
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of, with_accepted
from gpuplanner.domain.commitment.result import Advice, ComparisonMonth, Layer
from gpuplanner.domain.demand.demand_cuts import flat_activities
from gpuplanner.domain.demand.pools import pools_today
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, by_row, floats
from gpuplanner.domain.figures.plan import AHEAD, SAVINGS_BUY, SAVINGS_STEP, STEP, telling_share
from gpuplanner.domain.figures.typed import amount, worded_whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import (
    HALF_A_CENT,
    PartSum,
    in_all,
    known_sum,
    known_sums,
    remedy,
    whole_change,
)
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, AssumptionValue
from gpuplanner.domain.model.cube import Cube, cube_from_entries
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS, IDLE_ENDED, STATEMENTS, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Sources of savings: five steps from today's cost of the log to the plan's cost of month 0 ----

STEPS: Final = ("demand", "ending", "terms", "separation", "spot")
NEEDS_RATE: Final = worded("A plan rate is missing.")
TODAY_NEEDS_RATE: Final = worded("A contract or the overflow has no rate.")
NOTHING_NEEDS_RATE: Final = worded("A rate is missing for next month's cost without new orders.")
NOTHING_LEAVES: Final = worded(
    "{name} leaves demand unserved: its cost is not comparable.", name=titles.DO_NOTHING
)
UNDER_BUDGET: Final = worded(
    "{name} leaves demand unserved: its cost is not comparable.", name=worded("The plan under its budget")
)
LEAVES_DEMAND: Final = worded(
    "{name} leaves demand unserved: its cost is not comparable.", name=titles.THE_PLAN
)
"""Reasons for an unknown cost between two steps."""


def savings_steps(
    project: Project, ground: Ground, advice: Advice, cache: AdviceCache
) -> tuple[SavingsStep, ...]:
    """Return the $ per month that each of STEPS saves (negative: it adds cost), and then each accepted saving.

    None, with the reason, where a cost is unknown or GPU-hours are unserved, so that costs are not comparable.
    project: as given to the advice, at its own rates. ground: of the plan.
    Law: they add up to today less the plan. Source: docs/formulas/savings.md.
    """
    totals, accepted = advice.totals, ground.scenario.accepted
    plan = with_cuts = _end_of_plan(ground, advice.comparison, totals.plan)
    if accepted:
        ground = ground_of(
            project, replace(ground.scenario, accepted=()), ground.pools, cache, ground.classes
        )
        plan = _plan_usd(project, ground.pools, ground, cache)
    nothing = StepEnd(totals.do_nothing, NOTHING_NEEDS_RATE)
    months = advice.comparison[: ground.assumptions.horizon_months]
    if twelve_months.is_left([month.do_nothing_unserved_gpu_hours for month in months]):
        nothing = StepEnd(None, NOTHING_LEAVES)
    no_spot = replace(
        project,
        offers=tuple(
            offer for offer in project.offers if offer.pricing_category is not PricingCategory.DYNAMIC
        ),
    )
    today = pools_today(project, ground.classes) if ground.classes else ground.pools
    has_spot = len(no_spot.offers) < len(project.offers)
    own_end = _plan_usd(no_spot, ground.pools, ground, cache) if has_spot else plan
    today_end = own_end if today == ground.pools else _plan_usd(no_spot, today, ground, cache)
    ends = (
        StepEnd(totals.today, TODAY_NEEDS_RATE),
        StepEnd(current_with_demand_of_month_0(project, ground, totals.today, cache), TODAY_NEEDS_RATE),
        nothing,
        today_end,
        own_end,
        plan,
    )
    return (*make_steps(*ends), *make_cut_steps(project, ground, accepted, plan, with_cuts, cache))


def savings_offered(
    project: Project, ground: Ground, advice: Advice, cache: AdviceCache
) -> tuple[SavingsStep, ...]:
    """Return the effect of each of DEMAND_CUTS that the plan has not accepted, one after the other; in no total.

    Parameters as for `savings_steps`. Cuts without an effect are not planned. Source: docs/formulas/savings.md.
    """
    steps = [step for step in DEMAND_CUTS if step not in ground.scenario.accepted]
    plan = _end_of_plan(ground, advice.comparison, advice.totals.plan)
    return tuple(make_cut_steps(project, ground, steps, plan, None, cache))


def make_cut_steps(
    project: Project,
    ground: Ground,
    steps: Sequence[str],
    before: "StepEnd",
    last: "StepEnd | None",
    cache: AdviceCache,
) -> Iterator[SavingsStep]:
    """Yield the effect of each cut of demand: the plan with it less the plan before, starting at `before`.

    last: the plan with all cuts, if known. A fixed-size service without measured activity is not cut; a step without
    any measured service is unknown.
    """
    scenario, classes = ground.scenario, ground.classes
    total = with_accepted(project, scenario, classes, cache).cube.total
    flat = flat_activities(project, classes) if set(steps) - {IDLE_ENDED} else []
    for at, step in enumerate(steps, start=1):
        taken = tuple(cut_name for cut_name in DEMAND_CUTS if cut_name in {*scenario.accepted, step})
        scenario = replace(scenario, accepted=taken)
        cut = with_accepted(project, scenario, classes, cache).cube.total
        unknown = 0 if step == IDLE_ENDED else flat.count(None)
        if unknown and unknown == len(flat):
            yield SavingsStep(
                step=step,
                cost_before=before.usd,
                cost_after=None,
                saved_per_month=None,
                unknown=_unmeasured_words(unknown),
                unmeasured=unknown,
            )
            continue
        after = before
        if cut != total:
            of = replace(ground, scenario=scenario)
            after = last if last and at == len(steps) else _plan_usd(project, ground.pools, of, cache)
        (saved,) = make_steps(before, after, names=(step,))
        yield replace(saved, unmeasured=unknown)
        before, total = after, cut


def _unmeasured_words(count: int) -> Text:
    return worded_whole(
        count,
        "{count} fixed-size service has unmeasured activity.",
        "{count} fixed-size services have unmeasured activity.",
    )


@dataclass(frozen=True, slots=True)
class StepEnd:
    """The cost between two steps, $ of the first month and of twelve, and the reason if unknown (None)."""

    usd: float | None
    why: Text
    year_usd: float | None = None


def make_steps(*ends: StepEnd, names: Sequence[str] = STEPS) -> tuple[SavingsStep, ...]:
    """Return the steps between adjacent costs, one per name."""
    saved = SAVINGS_STEP.worked_out(
        {
            "cost_before": floats([end.usd for end in ends[:-1]]),
            "cost_after": floats([end.usd for end in ends[1:]]),
            "year_before": floats([end.year_usd for end in ends[:-1]]),
            "year_after": floats([end.year_usd for end in ends[1:]]),
        }
    )
    return tuple(
        SavingsStep(
            step=step,
            unknown=next((end.why for end in (before, after) if end.usd is None), ""),
            **row,  # type: ignore[arg-type]
        )
        for step, before, after, row in zip(names, ends[:-1], ends[1:], by_row(saved), strict=True)
    )


def _end_of_plan(ground: Ground, months: Sequence[ComparisonMonth], usd: float | None) -> StepEnd:
    """Return the $ of a plan's month 0; unknown if it leaves demand unserved."""
    if twelve_months.is_left([m.unserved_gpu_hours for m in months[: ground.assumptions.horizon_months]]):
        has_budget = ground.assumptions.budget_usd_per_month is not None
        return StepEnd(None, UNDER_BUDGET if has_budget else LEAVES_DEMAND)
    why = joined(filter(None, (NEEDS_RATE, remedy(months[0].plan_parts))), " ")
    return StepEnd(usd, why, known_sum(month.plan_usd for month in months))


def current_with_demand_of_month_0(
    project: Project, ground: Ground, current_usd: float | None, cache: AdviceCache
) -> float | None:
    """Return the monthly cost of the log's hours as the plan counts them: repeated, weighted, with the workloads of
    month 0.

    $ per month of 730 h; None without a rate. Workloads that start or end count for their days, runs for their periods;
    planned work is added. current_usd: cost of the log as it is, returned if the plan changes no demand.
    """
    plan, logged = ground.scenario, project.cube
    project, *_ = counted(project, plan, ground.classes, cache)
    times = np.array([ground.assumptions.demand_of(pool) for pool in ground.pools])
    is_dated = bool(plan.spells or plan.planned or plan.changes) or project.cube is not logged
    if ground.weights is None and not is_dated and (times == 1).all():
        return current_usd
    is_stated = [schedule.is_planned or schedule.is_run for schedule in ground.schedules]
    times = np.where(is_stated, 1.0, times)
    classes = [classification.pool for classification in ground.classes] or list(ground.pools)
    begin_s, moments = ground.window.end_s, twelve_months.cut_at_runs(ground).outlined.moments
    running = {run.place: run.pieces for run in ground.runs}
    weights, scaled = ground.weights, dict[tuple[Pool, str | None], Floats]()
    # the mean covers all rows, so monthly rows are scaled
    if weights is not None and ground.by_months is not None:
        quotient = np.divide(ground.by_months, weights, out=np.zeros(len(weights)), where=weights > 0)
        scaled = dict.fromkeys(ground.monthly, quotient)
    cube, total, known = _round_the_clock(project.cube, ground), 0.0, dict[bytes, float | None]()
    for from_s, to_s in spans_of_months(moments, ground.window, 1)[0]:
        factors = times * np.array(
            [
                float(
                    any(since_s <= from_s - begin_s < until_s for since_s, until_s in running.get(place, ()))
                )
                if schedule.is_run
                else schedule.factor_at(from_s, 0, begin_s)
                for place, schedule in enumerate(ground.schedules)
            ]
        )
        if factors.tobytes() not in known:
            piece = replace(project, cube=_times(cube, factors), workloads=ground.project.workloads)
            usd = eligible_usd_by_hour(
                dispatch_window(piece, classes), eligible_rates(piece, classes), scaled
            )
            known[factors.tobytes()] = None if usd is None else weighted_mean(usd, weights)
        usd_per_hour = known[factors.tobytes()]
        if usd_per_hour is None:
            return None
        total += (to_s - from_s) / HOUR_S * usd_per_hour
    return total


def _round_the_clock(cube: Cube, ground: Ground) -> Cube:
    """Return the demand with each run's GPUs in every hour; its factor selects the hours."""
    if not ground.runs:
        return cube
    is_run = np.isin(np.arange(len(ground.project.workloads)), [run.place for run in ground.runs])
    rest, hours = cube.of_workloads(~is_run), np.arange(cube.hours)
    columns: list[Ints] = [rest.workload_index[rest.entry_row], rest.model_index[rest.entry_row], rest.hour]
    columns.append(rest.milli_gpu_seconds)
    for run in ground.runs:
        (model, *_) = cube.model_index[cube.workload_index == run.place].tolist()
        added = (run.place, model, hours, round(run.gpus * MILLI_GPU_SECONDS_PER_GPU_HOUR))
        columns = [
            np.append(column, np.broadcast_to(value, hours.shape))
            for column, value in zip(columns, added, strict=True)
        ]
    return cube_from_entries(cube.hours, cube.gpu_models, *columns)


def _times(cube: Cube, factors: Floats) -> Cube:
    """Return the demand of each workload times a factor. factors: (workloads,)."""
    if (factors == 1).all():
        return cube
    scaled = cube.of_workloads(factors > 0)
    amounts = np.rint(scaled.milli_gpu_seconds * factors[scaled.workload_index][scaled.entry_row])
    return replace(scaled, milli_gpu_seconds=amounts.astype(np.int64))


def _plan_usd(project: Project, pools: tuple[Pool, ...], of: Ground, cache: AdviceCache) -> StepEnd:
    """Return the $ of month 0 of such a plan; None if a rate is missing or GPU-hours are unserved."""
    ground, _, months = twelve_months.planned_months(project, of.scenario, pools, of.classes, cache)
    return _end_of_plan(ground, months, months[0].plan_usd)


def step_usd(steps: Sequence[SavingsStep], name: str) -> float | None:
    """Return the $ per month of one step, negative if it saves; None if unknown or missing.

    name: in STEPS or DEMAND_CUTS.
    """
    return next((step.usd_per_month for step in steps if step.step == name), None)


# --- GPU-hours per month and GPUs for a year that the savings would buy, at the rate of one more --


@dataclass(frozen=True, slots=True, kw_only=True)
class SavingsBuy:
    """Figures of SAVINGS_BUY with their inputs; None is unknown, for the reason in `unknown`."""

    savings_vs_do_nothing: float | None
    by_use_per_month: float | None
    by_use_gpu_hours_per_month: float
    month_hours: float
    marginal_rate: float | None
    bought_gpu_hours_per_month: float | None
    bought_gpus: float | None
    unknown: Text = ""


def savings_buy(advice: Advice) -> SavingsBuy:
    """Return the GPUs that the plan's savings would buy on demand, at the mean on-demand rate of month 0.

    Unknown if the plan saves no cost, or has no on-demand use. Source: docs/formulas/savings.md.
    """
    layers = [
        layer
        for plan in advice.pools
        for layer in plan.layers
        if not layer.existing and not layer.term_months and layer.mean_gpus
    ]
    saved = advice.totals.savings_vs_do_nothing
    given = {
        "savings_vs_do_nothing": saved if saved is not None and saved > HALF_A_CENT else None,
        "by_use_per_month": known_sum(layer.cost_per_month for layer in layers),
        "by_use_gpu_hours_per_month": HOURS_PER_MONTH * sum(layer.mean_gpus for layer in layers),
        "month_hours": float(HOURS_PER_MONTH),
    }
    return SavingsBuy(**SAVINGS_BUY.row(given), unknown=_why_unknown(saved, bool(layers), given))  # type: ignore[arg-type]


def _why_unknown(saved: float | None, pays_by_use: bool, given: dict[str, float | None]) -> Text:
    """Return why the figures are unknown; empty if known."""
    if saved is None:
        return worded("The savings are unknown.")
    if saved <= HALF_A_CENT:
        return worded("The plan saves nothing in its first month.")
    if not pays_by_use:
        return worded("Without on-demand use, an extra GPU-hour has no rate.")
    return worded("An on-demand rate is missing.") if given["by_use_per_month"] is None else ""


# --- Cost of a plan next month, in month 12 and over twelve months, compared with the plan before a question


Month = TypeVar("Month")


class Horizon(StrEnum):
    """A period ahead. NEXT_MONTH: the first of the twelve months."""

    NEXT_MONTH = "next_month"
    MONTH_12 = "month_12"
    TWELVE_MONTHS = "twelve_months"


@dataclass(frozen=True, slots=True, kw_only=True)
class HorizonRow:
    """Figures of a period in $, by the keys of AHEAD; None is unknown. before: None without a question."""

    horizon: Horizon
    do_nothing: float | None
    plan: float | None
    before: float | None
    saved: float | None
    changed: float | None

    @property
    def whole_changed(self) -> int | None:
        """The change as it is written: the difference of the whole dollars of both plans."""
        return whole_change(self.before, self.plan)


def horizons_of(advice: Advice, before: Advice | None) -> tuple[HorizonRow, ...]:
    """Return the figures of next month, month 12, and all twelve. before: the plan that a question refers to, or None.

    Savings are unknown if the plan leaves demand unserved that do nothing serves.
    Law: all twelve are the sum of the comparison's months. Source: docs/formulas/totals.md, Horizons.
    """
    return tuple(horizon_row(horizon, advice, before) for horizon in Horizon)


def changes_of(before: Advice, after: Advice) -> dict[Horizon, HorizonRow]:
    """Return what an edit changes of a plan, by period: the rows of `after` beside `before`.

    Every change of a plan's cost is read here: of a card that hovers over a pool, of a question, and of a settled plan.
    Law: `changed` of a row = the headline's spend after the edit less the one before.
    """
    return {row.horizon: row for row in horizons_of(after, before)}


def period_beside(horizon: Horizon, changes: Mapping[Horizon, HorizonRow]) -> Horizon | None:
    """Return the period whose change is to be shown beside that of `horizon`; None if it says nothing else.

    Next month, and twelve months beside next month, if the change has the opposite sign, or if that of `horizon` is $0.
    changes: by period. Unknown changes have no sign.
    """
    beside = Horizon.TWELVE_MONTHS if horizon is Horizon.NEXT_MONTH else Horizon.NEXT_MONTH
    shown_usd, beside_usd = changes[horizon].whole_changed, changes[beside].whole_changed
    if shown_usd is None or not beside_usd:
        return None
    has_own_sign = not shown_usd or (shown_usd > 0) != (beside_usd > 0)
    return beside if has_own_sign else None


def is_priced_ahead(advice: Advice) -> bool:
    """Return whether any future cost of the plan or of do nothing is known."""
    return any(row.plan is not None or row.do_nothing is not None for row in horizons_of(advice, None))


def plan_usd_in(advice: Advice, horizon: Horizon) -> float | None:
    """Return the cost of a plan in a period, $."""
    return _usd_in(horizon, advice.totals.plan, [month.plan_usd for month in advice.comparison])


def nothing_usd_in(advice: Advice, horizon: Horizon) -> float | None:
    """Return the cost of do nothing in a period, $."""
    return _usd_in(horizon, advice.totals.do_nothing, [month.do_nothing_usd for month in advice.comparison])


def months_in(horizon: Horizon, months: Sequence[Month]) -> Sequence[Month]:
    """Return the entries of a period from those of the twelve months."""
    of = {Horizon.NEXT_MONTH: months[:1], Horizon.MONTH_12: months[-1:], Horizon.TWELVE_MONTHS: months}
    return of[horizon]


def sum_in(horizon: Horizon, months: Sequence[PartSum]) -> PartSum:
    """Return the known sum of a period from those of the twelve months."""
    return in_all(months_in(horizon, months))


def _usd_in(horizon: Horizon, next_month: float | None, months: list[float | None]) -> float | None:
    """Return the $ of a period, from those of next month and of each of the twelve; None without months."""
    if horizon is Horizon.NEXT_MONTH:
        return next_month
    return known_sum(months_in(horizon, months)) if months else None


def mean_usd(months: Sequence[float | None]) -> float | None:
    """Return the mean $ per month; None if one is unknown, or without months."""
    usd = known_sum(months) if months else None
    return None if usd is None else usd / len(months)


def compares_with_nothing(advice: Advice) -> bool:
    """Return whether a plan is comparable with do nothing: neither leaves work unserved."""
    totals = advice.totals
    if totals.savings_vs_do_nothing is not None or None not in (totals.plan, totals.do_nothing):
        return totals.savings_vs_do_nothing is not None
    is_left = twelve_months.is_left([month.do_nothing_unserved_gpu_hours for month in advice.comparison])
    return not (advice.unserved or is_left)


def saved_share(saved: float | None, do_nothing: float | None) -> float | None:
    """Return the plan's savings as a share of the cost of do nothing; None if unknown or not meaningful."""
    return telling_share(saved / do_nothing if saved is not None and do_nothing else None)


def horizon_row(horizon: Horizon, advice: Advice, before: Advice | None) -> HorizonRow:
    """Return the figures of one period, for `horizons_of`."""
    figures = AHEAD.row(ahead_inputs(horizon, advice, before), ["changed"])
    inputs, _ = saved_inputs(horizon, advice)
    saved = AHEAD.row(inputs, ["saved"])["saved"]
    return HorizonRow(horizon=horizon, do_nothing=nothing_usd_in(advice, horizon), saved=saved, **figures)


def ahead_inputs(horizon: Horizon, advice: Advice, before: Advice | None) -> dict[str, float | None]:
    """Return the inputs of a period's figures, except savings."""
    return {
        "plan": plan_usd_in(advice, horizon),
        "before": None if before is None else plan_usd_in(before, horizon),
    }


def saved_inputs(horizon: Horizon, advice: Advice) -> tuple[dict[str, float | None], Text]:
    """Return the inputs of savings, and the parts without a rate in both or in one; do nothing is None if the plan is
    not
    comparable with it.
    """
    nothing, plan = nothing_usd_in(advice, horizon), plan_usd_in(advice, horizon)
    why: Text = ""
    if not compares_with_nothing(advice):
        nothing, why = None, worded("Unknown: some demand is unserved")
    elif months := None in (nothing, plan) and months_in(horizon, advice.comparison):
        sides = [month.nothing_side for month in months], [month.plan_side for month in months]
        nothing, plan, lacks = twelve_months.side_by_side(*sides)
        why, nothing = twelve_months.in_both(lacks), nothing if lacks else None
        if nothing is None and lacks:
            why = worded("unknown: no rate for {parts}", parts=listed(lacks))
    return {"do_nothing": nothing, "plan": plan}, why


NOTHING_USD: Final = 0.5
"""Smaller amounts round to zero and are not shown."""


def more_words(usd: float, nothing: Message = worded("nothing more")) -> Message:
    """Return $1,200 more, $1,200 less, or `nothing` below half a dollar."""
    if abs(usd) < NOTHING_USD:
        return nothing
    return worded("{usd} more", usd=amount(usd)) if usd > 0 else worded("{usd} less", usd=amount(-usd))


# --- Comparison of two plans: $ by line, steps from today to each, and the effect of each change --

MOVES_ALONE: Final = 6
"""Most moves to calculate one by one, largest first; the rest is calculated together."""

EXISTING, COMMITTED, ON_DEMAND, SPOT, IDLE = "existing", "committed", "on demand", "spot", "idle"
WAYS = {
    EXISTING: worded("existing"),
    COMMITTED: worded("committed"),
    ON_DEMAND: worded("on demand"),
    SPOT: worded("spot"),
    IDLE: worded("idle"),
}
"""Ways of paying, in words."""
KINDS: Final = (EXISTING, COMMITTED, ON_DEMAND, SPOT)

LineKey = tuple[Pool | None, str]
"""(pool, kind); idle existing contracts are (None, IDLE)."""


def cost_lines(advice: Advice) -> dict[LineKey, float | None]:
    """Return the $ per month of every line of a plan, None unknown; mixed layers are split by their share of spot
    GPU-hours.

    Law: they add up to the plan's $ per month.
    """
    parts: list[tuple[LineKey, float | None]] = [
        ((row.pool, kind), None if layer.cost_per_month is None else layer.cost_per_month * share)
        for row in advice.pools
        for layer in row.layers
        for kind, share in kinds_of(layer).items()
    ]
    usd = known_sums([*parts, *(((None, IDLE), idle.cost_per_month) for idle in advice.idle_existing)])
    order = [(pool, kind) for pool in POOLS for kind in KINDS] + [(None, IDLE)]
    return {key: usd[key] for key in order if key in usd}


def kinds_of(layer: Layer) -> dict[str, float]:
    """Return the ways in which a layer is paid, with their shares of its $, which add up to 1.

    A mixed layer is split by its share of spot GPU-hours.
    """
    if layer.existing:
        return {EXISTING: 1.0}
    if layer.term_months:
        return {COMMITTED: 1.0}
    if layer.pricing_category is PricingCategory.MIXED:
        return {ON_DEMAND: 1 - layer.spot_share, SPOT: layer.spot_share}
    return {SPOT if layer.pricing_category is PricingCategory.DYNAMIC else ON_DEMAND: 1.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class FromToday:
    """Steps from today's spend to the plan's, $ per month; None unknown.

    Law: today - unused_now + sum of pools + other + unused_plan = plan. pools: cost of a pool's workloads in the plan
    while busy, less their cost today. other: rounding, and today's cost without a workload.
    """

    today: float | None
    unused_now: float | None
    pools: Mapping[Pool, float | None]
    other: float | None
    unused_plan: float | None
    plan: float | None


def from_today(audit: result.Audit, advice: Advice, pools: Sequence[Pool]) -> FromToday:
    """Return the steps from today to a plan. pools: pool of each workload of the audit in the plan.

    Errors: ValueError for a different number of pools and workloads.
    """
    totals = advice.totals
    today_usd = known_sums(zip(pools, (row.usd_per_month for row in audit.workloads), strict=True))
    busy = known_sums((row.pool, busy_usd(layer)) for row in advice.pools for layer in row.layers)
    change = {pool: _less(busy.get(pool, 0.0), today_usd.get(pool, 0.0)) for pool in POOLS}
    unused = totals.unused_now
    reached = known_sum(
        [totals.today, None if unused is None else -unused, *change.values(), totals.unused_plan]
    )
    return FromToday(
        today=totals.today,
        unused_now=unused,
        pools=change,
        other=_less(totals.plan, reached),
        unused_plan=totals.unused_plan,
        plan=totals.plan,
    )


def busy_usd(layer: Layer) -> float | None:
    """Return the $ per month of a layer without the unused part of a new commitment; None if unknown."""
    usd, unused = layer.cost_per_month, layer.unused_per_month
    return None if usd is None or unused is None else usd - unused


def _less(left: float | None, right: float | None) -> float | None:
    """Return the difference; None if one is unknown."""
    return None if left is None or right is None else left - right


@dataclass(frozen=True, slots=True, eq=False)
class Change:
    """A step from one plan to another, with the plan after it.

    what: kind of change. keys: moved workloads; empty for other changes. scenario, pools: the plan after it, with the
    pool of each of project.workloads.
    """

    what: str
    keys: tuple[str, ...]
    scenario: Scenario
    pools: tuple[Pool, ...]


def changes_between(
    project: Project,
    before: tuple[Scenario, tuple[Pool, ...]],
    after: tuple[Scenario, tuple[Pool, ...]],
    moves_alone: int = MOVES_ALONE,
) -> tuple[Change, ...]:
    """Return the steps from one plan to another, each including those before it: moves, assumptions, contracts, rates,
    schedules, steps of demand, planned work, steps of prices, allowed providers, layers.

    before, after: scenario and pools of each plan. Moves come first, largest GPU time first; those beyond `moves_alone`
    are one step. Law: the last step plans as `after` does.
    """
    (here, pools), (goal_plan, goal) = before, after
    scenario, now, steps = replace(here, name=goal_plan.name), list(pools), list[Change]()
    for keys, places in _moves(project, pools, goal, moves_alone):
        for place in places:
            now[place] = goal[place]
        steps.append(Change("move", keys, scenario, tuple(now)))
    for part, fields in _PARTS:
        values = {name: getattr(goal_plan, name) for name in fields}
        if any(getattr(scenario, name) != value for name, value in values.items()):
            scenario = replace(scenario, **values)
            steps.append(Change(part, (), scenario, tuple(now)))
    return tuple(steps)


_PARTS: Final = (
    ("assumptions", ("assumptions",)),
    ("contracts", ("greenfield",)),
    ("notices", STATEMENTS),
    ("savings", ("accepted",)),
    ("gap", ("is_gap_missing",)),
    ("providers", ("provider_ends",)),
    ("rates", ("price_case",)),
    ("dates", ("spells",)),
    ("demand", ("changes",)),
    ("planned", ("planned",)),
    ("only", ("only",)),
    ("shares", ("shares",)),
    ("price steps", ("price_changes",)),
    ("levels", ("hand_layers", "advised_around", "left_terms")),
)


def _moves(
    project: Project, pools: Sequence[Pool], goal: Sequence[Pool], alone: int
) -> list[tuple[tuple[str, ...], tuple[int, ...]]]:
    """Return keys and indexes of workloads that change pool, largest first; those beyond `alone` together."""
    places = [at for at, (before, other) in enumerate(zip(pools, goal, strict=True)) if before is not other]
    places.sort(key=lambda at: (-project.workloads[at].milli_gpu_seconds, project.workloads[at].key))
    groups = [(at,) for at in places[:alone]] + ([tuple(places[alone:])] if places[alone:] else [])
    return [(tuple(project.workloads[at].key for at in group), group) for group in groups]


@dataclass(frozen=True, slots=True)
class Worth:
    """The effect of one change, by the keys of STEP: $ per month of the plans before and after it (None: unknown)."""

    change: Change
    plan_before: float | None
    plan_after: float | None
    worth_per_month: float | None


def worths(
    begin_usd: float | None, changes: Sequence[Change], plan_usd_after: Callable[[Change], float | None]
) -> tuple[Worth, ...]:
    """Return the effect of each change in this order. Law: they add up to the last plan less the first.

    begin_usd: $ per month of the first plan, None unknown; a step next to an unknown plan is unknown. plan_usd_after:
    returns the $ per month after a change; called for each, in order.
    """
    steps, before = list[Worth](), begin_usd
    for change in changes:
        after = plan_usd_after(change)
        row = STEP.row({"plan_before": before, "plan_after": after})
        steps.append(Worth(change, before, after, row["worth_per_month"]))
        before = after
    return tuple(steps)


def differing_assumptions(
    project: Project, scenarios: Sequence[Scenario]
) -> tuple[tuple[str, tuple[AssumptionValue, ...]], ...]:
    """Return the assumptions (by --set name) that differ between these plans, with the value in each.

    Values in the order of the scenarios; names in the order of the table of assumptions.
    """
    values = [project.assumptions_in(scenario) for scenario in scenarios]
    rows = (
        (name, tuple(getattr(each, spec.field) for each in values)) for name, spec in SPEC_BY_NAME.items()
    )
    return tuple((name, row) for name, row in rows if any(value != row[0] for value in row))
