"""From the ground to a plan: rows to plan, what each of their slices signs, within a budget a month."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import gcd
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats
from gpuplanner.domain.commitment import busy, slicing
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import UNLIMITED, Ground, ground_of, rooms_of, share_rooms
from gpuplanner.domain.commitment.recursion import slice_policy
from gpuplanner.domain.commitment.recursion.allocation import (
    RowToPlan,
    Signed,
    allocate,
    bound_in,
    committed_share,
)
from gpuplanner.domain.commitment.recursion.calendar import (
    LONGEST_AFTER_A_FALL_MONTHS,
    Fall,
    Lived,
    fall_left,
    lived_in,
)
from gpuplanner.domain.commitment.recursion.rates import (
    SHORT_WINDOW_TERM_MONTHS,
    Levels,
    blend,
    committed_offers,
    over,
    times,
)
from gpuplanner.domain.commitment.result import Flex, MonthPart, Volatility
from gpuplanner.domain.commitment.streams import Flow, ModelDemand, Row
from gpuplanner.domain.commitment.volatility import in_force, seen_volatility
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.assumptions import Assumptions, AssumptionValue
from gpuplanner.domain.model.book.contract import monthly_usd, running
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, only_of, ratios_of
from gpuplanner.domain.model.cube import SHORT_WINDOW_HOURS
from gpuplanner.domain.model.plan_inputs import HandLayer, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH

# --- A budget a month: which slices a plan gives up, for good, so that no month costs more -------

GIVEN_UP: Final = (frozenset({Pool.BURST}), frozenset({Pool.TRAINING}), frozenset({Pool.INFERENCE}))
"""The pools in the order in which they give up slices."""
ALL_ALIKE: Final = (frozenset(Pool),)
"""Where all workloads of a model are one pool."""
_ROUNDING_USD: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Dropped:
    """What one row gave up. usd: of the slices that it gave up, what each of the months would have cost, (months,)."""

    slices: Bools
    usd: Floats


def within_budget(
    rows: Sequence[RowToPlan],
    signed: Sequence[Signed],
    contracts_usd: Sequence[float | None],
    budget_usd: float,
    order: Sequence[frozenset[Pool]] = GIVEN_UP,
) -> tuple[list[tuple[RowToPlan, Signed]], tuple[Dropped, ...]]:
    """Rows and what they sign, without the slices that are given up; None of them where an amount is unknown.

    Months in order: while one costs more, the slice that begins highest (ties: GPU model) of the first pool of burst,
    training, inference that has one which costs something in it is dropped, in every month. contracts_usd: of months.
    A dropped slice signs nothing and is served by nobody.
    """
    months = len(contracts_usd)
    costs = [slice_usd(row, one, months) for row, one in zip(rows, signed, strict=True)]
    dropped = [np.zeros(row.slices, dtype=np.bool_) for row in rows]
    if not any(cost is None for cost in costs) and None not in contracts_usd:
        known = [cost for cost in costs if cost is not None]
        for month, contracts in enumerate(contracts_usd):
            over = (contracts or 0.0) + sum(
                float(cost[month][~gone].sum()) for cost, gone in zip(known, dropped, strict=True)
            )
            while over > budget_usd + _ROUNDING_USD:
                found = _highest(rows, [cost[month] for cost in known], dropped, order)
                if found is None:
                    break
                at, k = found
                dropped[at][k] = True
                over -= float(known[at][month, k])
    answer = [
        _without(row, one, gone) if gone.any() else (row, one)
        for row, one, gone in zip(rows, signed, dropped, strict=True)
    ]
    given_up = tuple(
        Dropped(gone, np.zeros(months) if cost is None else cost[:, gone].sum(axis=1))
        for cost, gone in zip(costs, dropped, strict=True)
    )
    return answer, given_up


def slice_usd(row: RowToPlan, signed: Signed, months: int) -> Floats | None:
    """$ of each slice in each month: what it signed and what it pays by use, at today's level of demand.

    Shapes: (months, slices), months 0..months-1. What is paid upfront is spread over the months that it pays for.
    None where a rate is missing for something that is used, or a term is held that nobody offers.
    Source: docs/formulas.md, Comparison.
    """
    usd, widths = np.zeros((months, row.slices)), row.slicing.widths
    rates = np.concatenate([row.rates_when_signed(months), np.zeros((1, months))])
    prices = over(row.market.use_prices, months)
    upfront = np.array([*(offer.upfront for offer in row.offers), 0.0], dtype=np.float64)
    for month in range(months):
        since, place = bound_in(signed, month)
        bound = since >= 0
        if (place[bound] < 0).any():
            return None
        share, upfront_share = committed_share(row, since, place, month)
        paid = HOURS_PER_MONTH * rates[place, np.maximum(since, 0)] * share
        paid += upfront[place] * upfront_share
        used = row.busy.today(month) * np.where(bound, 1 - share, 1.0)
        rate = row.flex.rate if row.use is None else np.nan_to_num(row.use.rate[month])
        if rate is None:
            if used.any():
                return None
            rate = 0.0
        usd[month] = widths * (paid + HOURS_PER_MONTH * used * rate * prices[month])
    return usd


def _highest(
    rows: Sequence[RowToPlan],
    costs: Sequence[Floats],
    dropped: Sequence[Bools],
    order: Sequence[frozenset[Pool]],
) -> tuple[int, int] | None:
    """Row and slice to give up next: the highest with a cost in the first pools that have one; None where
    nothing is left.
    """
    for pools in order:
        found = []
        for at, (row, cost, gone) in enumerate(zip(rows, costs, dropped, strict=True)):
            places = np.flatnonzero((cost > 0) & ~gone)
            if row.pool in pools and len(places):
                k = int(places[-1])
                found.append((-row.slicing.below(k), row.gpu_model or "", at, k))
        if found:
            _, _, at, k = min(found)
            return at, k
    return None


def _without(row: RowToPlan, signed: Signed, gone: Bools) -> tuple[RowToPlan, Signed]:
    """The row with slices that nobody serves: no price by use, nothing signed. months: all that the row has."""
    months = len(row.busy.state_of_month)
    if row.use is not None:
        rate, flex, flexes = row.use.rate.copy(), row.use.flex, row.use.flexes
    else:
        known = np.nan if row.flex.rate is None else row.flex.rate
        rate, flex, flexes = (
            np.full((months, row.slices), known),
            np.zeros(row.slices, dtype=np.int64),
            (row.flex,),
        )
    rate[:, gone] = np.nan
    term, offer = signed.term.copy(), signed.offer.copy()
    term[:, gone], offer[:, gone] = 0, -1
    kept = replace(row, use=slice_policy.LimitedUse(rate, flex, flexes))
    return kept, Signed(term, offer, signed.value_usd)


# --- From the ground to a plan: tables of busy shares, rows to plan, and what each of their slices signs

COMPARED_MONTHS = slicing.SOON_MONTHS


@dataclass(frozen=True, slots=True, eq=False)
class PlannedRow:
    """One row with its answer. demand_gpus, residual_gpus: each hour of the window, month 0 at level 1, (hours,).

    left_of_offers: GPUs of each offer with a maximum when the row's turn came, by offer_id. fall: of its demand, which
    closes terms over 3 months to it; None without one.
    given_up: slices that a budget dropped; None without a budget. month_parts: as of a PoolPlan.
    """

    row: RowToPlan
    signed: Signed
    volatility: Volatility
    demand_gpus: Floats
    residual_gpus: Floats
    month_parts: tuple[MonthPart, ...]
    left_of_offers: Mapping[str, float] = field(default_factory=dict)
    fall: Fall | None = None
    given_up: Dropped | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """All rows of a plan, and the offers whose maximum was reached."""

    rows: tuple[PlannedRow, ...]
    reached: tuple[Offer, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """What a row is planned with besides its demand. churn and volatility are those of the pool planned.

    dated_use: what dated changes of prices make of r_flex in each month.
    """

    churn: float
    volatility: Volatility
    eligible: tuple[Offer, ...]
    flex: Flex
    blend: slice_policy.Blend
    hand: tuple[HandLayer, ...] | None = None
    is_rest_advised: bool = False
    dated_use: Levels = (1.0,)


def plan_of(ground: Ground, cache: AdviceCache) -> Planned:
    """The plan of a scenario: every pool for itself.

    The cache changes no digit of the answer.
    Source: docs/formulas.md, Policy.
    """
    assumptions = ground.assumptions
    wishes = {
        row: Wish(
            assumptions.of_pool("lambda", row[0]),
            in_force(assumptions, row[0], measured_volatility(ground, model, place, cache)),
            ground.eligible[row],
            blend([(ground.prices[row], ground.plan.users[row])]),
            ground.blend_of((row,)),
            ground.scenario.hand_layers.get(row),
            row in ground.scenario.advised_around,
            ground.dated_use((row,)),
        )
        for model in ground.plan.models
        for place, row in enumerate(model.rows)
    }
    return plan_models(ground, ground.plan.models, wishes, True, cache)


def plan_with(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    classes: tuple[Classification, ...],
    values: Mapping[str, AssumptionValue],
    cache: AdviceCache,
) -> Planned:
    """The plan that a scenario would be with some assumptions (by --set name) set to other values.

    values: by --set name; those of the scenario stay otherwise. pools, classes: of project.workloads, as in
    `ground_of`.
    """
    moved = replace(scenario, assumptions={**scenario.assumptions, **values})
    return plan_of(ground_of(project, moved, pools, cache, classes), cache)


def measured_volatility(ground: Ground, model: ModelDemand, place: int, cache: AdviceCache) -> Volatility:
    """The volatility that the log of one row of a model shows; planned work is in no log.

    place: of the row in model.rows. Source: docs/formulas.md, Volatility.
    """
    planned = frozenset(
        number for number, schedule in enumerate(ground.outlined.schedules) if schedule.is_planned
    )

    def seen() -> Volatility:
        logged = np.zeros(ground.window.hours)
        for site in model.sites:
            for stream in site.streams:
                if stream.row == place and stream.group not in planned:
                    logged += stream.demand
        return seen_volatility(logged)

    return cache.recall("volatility", (place, planned), (model,), seen)


def plan_models(
    ground: Ground,
    models: Sequence[ModelDemand],
    wishes: Mapping[Row, Wish],
    pins_apply: bool,
    cache: AdviceCache,
) -> Planned:
    """Plan all rows of some models; the answers sorted by pool and model.

    wishes: of every row of the models. pins_apply: whether a contract pinned to a pool serves that pool
    alone.
    """
    assumptions, hours = ground.assumptions, ground.window.hours
    months = ground.months
    rows: list[RowToPlan] = []
    hourly: list[tuple[Volatility, Floats, Floats, tuple[MonthPart, ...]]] = []
    falls: list[Fall | None] = []
    for model in models:
        found = busy.months_of(
            model, ground.plan.contracts, ground.window, ground.outlined, months, pins_apply
        )
        asked = [wishes[row] for row in model.rows]
        planned_months = found[: assumptions.horizon_months]
        peaks = cache.recall(
            "peaks", (planned_months,), (model,), partial(busy.peaks_of, model, planned_months, hours)
        )
        slicings = tuple(_slicing(peak, wish, assumptions) for peak, wish in zip(peaks, asked, strict=True))
        sigmas = tuple(wish.volatility.sigma for wish in asked)
        key = (found, sigmas, slicings)
        tables = cache.recall(
            "busy",
            (*key, assumptions.recency_half_life_days),
            (model,),
            partial(busy.busy_tables, model, found, sigmas, slicings, hours, ground.weights),
        )
        lived = _lived(ground, model, found, slicings, cache)
        left = busy.residual_in(model, found[0], hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        for place, ((pool, name), wish, table) in enumerate(zip(model.rows, asked, tables, strict=True)):
            market = slice_policy.Market(
                assumptions.horizon_months,
                wish.churn,
                times(ground.levels.path, wish.dated_use, months),
                wish.volatility.sigma,
                assumptions.wacc,
            )
            demand = demand_in(model, place, found[0], hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
            is_advised = wish.hand is None or wish.is_rest_advised
            fall = fall_left(*_logged(ground, model, place)) if assumptions.demand_fall_closes else None
            longest = (
                _longest_term(fall is not None, hours, assumptions.max_term_months) if is_advised else None
            )
            offers = committed_offers(wish.eligible, longest)
            rows.append(
                RowToPlan(
                    pool,
                    name,
                    table,
                    market,
                    slicings[place],
                    offers,
                    wish.flex,
                    wish.hand,
                    is_rest_advised=wish.is_rest_advised and wish.hand is not None,
                    lived=lived[place],
                    ratios=ratios_of(ground.project.offers, model.gpu_model, ground.project.mappings),
                    calendar=ground.calendar if is_advised else ground.calendar.by_hand,
                    prices=ground.levels,
                    dated_use=wish.dated_use,
                )
            )
            parts = _parts_in(model, place, found[0], demand, left[place])
            hourly.append((wish.volatility, demand, left[place], parts))
            falls.append(fall)
    rows = _with_limited_use(ground, rows, wishes, months)
    rows, (signed, reached, left_of_offers) = _with_minima(rows, months, cache)
    shares = share_rooms(ground)
    if shares:
        in_month_0 = running(ground.plan.contracts, ground.window, 0)
        room = rooms_of(rows, signed, in_month_0, shares)
        rows, (signed, reached, left_of_offers) = _with_minima(rows, months, cache, room)
    given_up: tuple[Dropped | None, ...] = tuple(None for _ in rows)
    if assumptions.budget_usd_per_month is not None:
        contracts_usd = [
            monthly_usd(running(ground.plan.contracts, ground.window, month))
            for month in range(min(COMPARED_MONTHS, assumptions.horizon_months))  # past it nothing is planned
        ]
        kept, given_up = within_budget(
            rows,
            signed,
            contracts_usd,
            assumptions.budget_usd_per_month,
            GIVEN_UP if pins_apply else ALL_ALIKE,
        )
        rows, signed = [row for row, _ in kept], tuple(one for _, one in kept)
    planned = [
        PlannedRow(row, answer, amounts[0], amounts[1], amounts[2], amounts[3], gpus, fall, given)
        for row, answer, amounts, gpus, fall, given in zip(
            rows, signed, hourly, left_of_offers, falls, given_up, strict=True
        )
    ]
    planned.sort(key=lambda one: (one.row.pool, one.row.gpu_model or ""))
    return Planned(tuple(planned), reached)


def _with_limited_use(
    ground: Ground, rows: list[RowToPlan], wishes: Mapping[Row, Wish], months: int
) -> list[RowToPlan]:
    """The rows with what slices may pay by use where an offer has a maximum; limits go to rows in serving order."""
    order = sorted(
        range(len(rows)), key=lambda at: (SERVING_ORDER.index(rows[at].pool), rows[at].gpu_model or "")
    )
    asked: list[slice_policy.UseAsked | None] = []
    for at in order:
        row = rows[at]
        wish = wishes[row.pool, row.gpu_model]
        offers = slice_policy.usage_offers(wish.eligible)
        is_by_hand = row.hand is not None and not row.is_rest_advised
        is_limited_demand = only_of(row.gpu_model) != ANYBODY
        is_asked = (row.flex.rate is not None or is_limited_demand) and not is_by_hand
        asked.append(
            slice_policy.UseAsked(
                offers, wish.blend, row.busy, row.slicing, row.ratios, row.flex.rate is None
            )
            if is_asked
            else None
        )
    found = dict(zip(order, slice_policy.limited_use(asked, months, ground.calendar), strict=True))
    return [replace(row, use=found[at]) if found[at] is not None else row for at, row in enumerate(rows)]


_Allocated = tuple[tuple[Signed, ...], tuple[Offer, ...], tuple[Mapping[str, float], ...]]


def _with_minima(
    rows: list[RowToPlan], months: int, cache: AdviceCache, room: Mapping[str, float] = UNLIMITED
) -> tuple[list[RowToPlan], _Allocated]:
    """Rows and what they sign once no offer is signed in month 0 for fewer GPUs than it is sold for.

    An offer whose slices of month 0 do not come to its least is closed there, the first by offer_id, and all is planned
    again, until none changes. A quote is for one row of a request: all slices that ever take it must come to its least.
    What is set by hand is not closed.
    """
    rows = [replace(row, calendar=replace(row.calendar, not_now=frozenset())) for row in rows]
    while True:
        found = allocate(rows, months, cache, room)
        taken: dict[str, float] = {}
        least = {offer.offer_id: offer.min_gpus for row in rows for offer in row.offers if offer.min_gpus}
        for row, signed in zip(rows, found[0], strict=True):
            if row.hand is not None and not row.is_rest_advised:
                continue
            for place, offer in enumerate(row.offers):
                if offer.offer_id in least:
                    is_quoted = row.calendar.months_quoted_for(offer) is not None
                    takes = (signed.offer[: None if is_quoted else 1] == place).any(axis=0)
                    gpus = row.widths_of(offer.offer_id)[takes].sum()
                    taken[offer.offer_id] = taken.get(offer.offer_id, 0.0) + float(gpus)
        short = [name for name, gpus in taken.items() if 0 < gpus < (least[name] or 0) - 1e-9]
        if not short:
            return rows, found
        closed = min(short)
        rows = [
            replace(row, calendar=replace(row.calendar, not_now=row.calendar.not_now | {closed}))
            for row in rows
        ]


def _slicing(peaks: slicing.Peaks, wish: Wish, assumptions: Assumptions) -> slicing.Slicing:
    """The slices of a row: finer where levels set by hand are no whole blocks."""
    levels = [layer.gpus for layer in wish.hand or ()]
    block = slicing.asked_block(assumptions.block, committed_offers(wish.eligible))
    own = gcd(slicing.block_for(peaks.today, block), *levels)
    return slicing.slicing_of(peaks, own, sum(levels))


def _longest_term(fell: bool, hours: int, set_months: int | None) -> int | None:
    """In months: what the planner, a short log and a fall of demand leave open; None: every term."""
    limits = [months for months in (set_months,) if months is not None]
    if hours <= SHORT_WINDOW_HOURS:
        limits.append(SHORT_WINDOW_TERM_MONTHS)
    if fell:
        limits.append(LONGEST_AFTER_A_FALL_MONTHS)
    return min(limits, default=None)


def _lived(
    ground: Ground,
    model: ModelDemand,
    months: Sequence[busy.Month],
    slicings: tuple[slicing.Slicing, ...],
    cache: AdviceCache,
) -> Sequence[Lived | None]:
    """Of each row of a model; None for all where the assumption is switched off."""
    if not ground.assumptions.slices_lived:
        return [None] * len(slicings)
    soon, hours, schedules = tuple(months[:COMPARED_MONTHS]), ground.window.hours, ground.outlined.schedules
    return cache.recall(
        "lived",
        (soon, schedules, slicings, hours),
        (model,),
        partial(lived_in, model, soon, schedules, slicings, hours),
    )


def demand_in(model: ModelDemand, place: int, month: busy.Month, hours: int) -> Floats:
    """What one row of a model wants in each hour of a month at today's level, milli-GPU-seconds, before anything is
    served; (hours,)."""
    there: dict[Flow, float] = {}
    for share, state in month:
        for flow, factor in state.factors:
            there[flow] = there.get(flow, 0.0) + share * factor
    total = np.zeros(hours)
    for site in model.sites:
        for stream in site.streams:
            if stream.row == place and there[stream.flow]:
                total += stream.demand if there[stream.flow] == 1 else stream.demand * there[stream.flow]
    return total


def _parts_in(
    model: ModelDemand, place: int, month: busy.Month, demand_gpus: Floats, residual_gpus: Floats
) -> tuple[MonthPart, ...]:
    """One row of a model in each part of a month. demand_gpus, residual_gpus: in all of it, by days, (hours,)."""
    if len(month) == 1:
        return (MonthPart(1.0, demand_gpus, residual_gpus),)
    hours = len(demand_gpus)
    return tuple(
        MonthPart(
            share,
            demand_in(model, place, ((1.0, state),), hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR,
            busy.residual_at(model, state, hours)[place] / MILLI_GPU_SECONDS_PER_GPU_HOUR,
        )
        for share, state in month
    )


def parts_in_months(model: ModelDemand, month: busy.Month, hours: int) -> list[list[MonthPart]]:
    """Each row of a model in each part of a month, GPUs: one list a row, in the order of model.rows."""
    left = [busy.residual_at(model, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR for _, state in month]
    return [
        [
            MonthPart(
                share,
                demand_in(model, place, ((1.0, state),), hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR,
                residual[place],
            )
            for (share, state), residual in zip(month, left, strict=True)
        ]
        for place in range(len(model.rows))
    ]


def _logged(ground: Ground, model: ModelDemand, place: int) -> tuple[Floats, Floats]:
    """The demand of a row as it was logged, milli-GPU-seconds, (hours,): of all its workloads that the plan has, and of
    those whose coming and going the planner said nothing about."""
    schedules = ground.outlined.schedules
    logged, unstated = np.zeros(ground.window.hours), np.zeros(ground.window.hours)
    for site in model.sites:
        for stream in site.streams:
            if stream.row != place or schedules[stream.group].is_planned:
                continue
            logged += stream.demand
            if not schedules[stream.group].is_stated:
                unstated += stream.demand
    return logged, unstated
