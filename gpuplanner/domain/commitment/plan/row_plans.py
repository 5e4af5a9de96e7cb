"""From the ground to a plan: rows to plan, what each of their slices signs, and runs that are bought apart."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import gcd
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.audit.utilization.cluster_hours import part_of
from gpuplanner.domain.commitment import busy
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.model_demand import Flow, ModelDemand, Stream, without_one_job
from gpuplanner.domain.commitment.demand.slicing import (
    Peaks,
    Slicing,
    asked_block,
    block_for,
    in_nodes,
    slicing_of,
)
from gpuplanner.domain.commitment.demand.streams import Cell
from gpuplanner.domain.commitment.demand.volatility import (
    NO_VOLATILITY,
    Volatility,
    in_force,
    seen_volatility,
)
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of, streams_in
from gpuplanner.domain.commitment.plan.row_list import (
    ALL_ALIKE,
    COMPARED_MONTHS,
    GIVEN_UP,
    Bought,
    row_list,
    within_budget,
)
from gpuplanner.domain.commitment.plan.runs import PlannedRun, Wanted, buyers_of, use_asked, wanted_of
from gpuplanner.domain.commitment.plan.shares import rooms_of, share_rooms
from gpuplanner.domain.commitment.recursion import calendar, rates, slice_policy
from gpuplanner.domain.commitment.recursion.allocation import (
    RowToPlan,
    Signed,
    WholeOrders,
    allocate,
    held_by,
    in_turn,
)
from gpuplanner.domain.commitment.recursion.ways import spread_when_signed
from gpuplanner.domain.commitment.result import Flex, MonthPart
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.demand_cuts import is_idle_dev
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.assumptions import Assumptions, AssumptionValue
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row, limited_name, only_of, ratios_of
from gpuplanner.domain.model.cube import SHORT_WINDOW_HOURS
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario, WholeMinimum
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- From the ground to a plan: tables of busy shares, rows to plan, and what each of their slices signs

_ROUNDING_GPUS: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlannedRow(Bought):
    """One row with its answer. demand_gpus, residual_gpus: each hour of the
    window, month 0 at level 1, (hours,).

    left_of_offers: GPUs of each offer with a maximum when the row's turn came, by offer_id. fall: of its demand, which
    closes terms over 3 months to it; None without one. month_parts: as of a PoolPlan.
    """

    volatility: Volatility
    demand_gpus: Floats
    residual_gpus: Floats
    month_parts: tuple[MonthPart, ...]
    left_of_offers: Mapping[str, float] = field(default_factory=dict)
    fall: calendar.Fall | None = None

    @property
    def term_now(self) -> Ints:
        """Months of the term that each slice signs in month 0, 0 for none, (slices,)."""
        by_hand = (self.signed.orders.end_s[0] - self.signed.orders.start_s[0]) // MONTH_S
        terms = np.array([*(offer.term_months for offer in self.row.offers), 0, 0], dtype=np.int64)
        return np.asarray(np.where(self.signed.now == slice_policy.NOBODY, by_hand, terms[self.signed.now]))


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """All rows of a plan, its runs, and the offers whose maximum was reached."""

    rows: tuple[PlannedRow, ...]
    reached: tuple[Offer, ...]
    runs: tuple[PlannedRun, ...] = ()

    @property
    def bought(self) -> tuple[Bought, ...]:
        """Rows and layers of runs."""
        return (*self.rows, *self.runs)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Wish:
    """What a row is planned with besides its demand. churn and volatility are those of the pool planned.

    dated_use: what dated changes of prices make of r_flex in each month, dated_parts: and in each part.
    """

    churn: float
    volatility: Volatility
    eligible: tuple[Offer, ...]
    flex: Flex
    blend: slice_policy.Blend
    hand: tuple[HandLayer, ...] | None = None
    is_rest_advised: bool = False
    dated_use: rates.Levels = (1.0,)
    dated_parts: Floats | None = None


def plan_of(ground: Ground, cache: AdviceCache, is_counted: bool = False) -> Planned:
    """The plan of a scenario: every pool for itself.

    is_counted: whether what it is expected to cost is worked out part by part too. The cache changes no digit of it.
    Source: docs/formulas/policy.md.
    """
    assumptions = ground.assumptions
    wishes = {
        row: wish_of(
            ground,
            (row,),
            ground.churn(row),
            in_force(assumptions, row.pool, measured_volatility(ground, model, place, row[:1], cache)),
        )
        for model in ground.plan.models
        for place, row in enumerate(model.rows)
    }
    return plan_models(ground, ground.plan.models, wishes, True, cache, is_counted)


def wish_of(
    ground: Ground,
    rows: Sequence[Row],
    churn: float,
    volatility: Volatility,
    shared: tuple[Offer, ...] | None = None,
) -> Wish:
    """What a row is planned with, or several as one. shared: offers that are open to all of several."""
    (own, *_), scenario = rows, ground.scenario
    dated_use, dated_parts = ground.dated_use(rows)
    return Wish(
        churn=churn,
        volatility=volatility,
        eligible=ground.eligible[own] if shared is None else shared,
        flex=rates.blend(ground.by_use(rows)),
        blend=ground.blend_of(rows),
        hand=scenario.hand_layers.get(own) if shared is None else None,
        is_rest_advised=shared is None and own in scenario.advised_around,
        dated_use=dated_use,
        dated_parts=dated_parts,
    )


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


def measured_volatility(
    ground: Ground, model: ModelDemand, place: int, pools: Sequence[Pool], cache: AdviceCache
) -> Volatility:
    """The volatility that the log of one row of a model shows, of who is there when the plan begins or later.

    place: of the row in model.rows; pools: that it is of. Source: docs/formulas/demand.md, Volatility.
    """
    closes = ground.assumptions.demand_fall_closes

    def seen() -> Volatility:
        fall, logged = _fall(ground, model, place), _logged(ground, model, place)[1]
        return seen_volatility(logged[-calendar.LEVEL_AGAIN_H :] if fall and fall.is_over else logged)

    key = (*pools, model.rows[place], ground.outlined.schedules, ground.missing is None, closes)
    return cache.recall("volatility", key, (model,), seen)


def plan_models(
    ground: Ground,
    models: Sequence[ModelDemand],
    wishes: Mapping[Row, Wish],
    pins_apply: bool,
    cache: AdviceCache,
    is_counted: bool = False,
) -> Planned:
    """Plan all rows of some models; the answers sorted by pool and model.

    wishes: of every row of the models. pins_apply: whether a contract pinned to a pool serves that pool
    alone. is_counted: as of `plan_of`.
    """
    assumptions, hours = ground.assumptions, ground.window.hours
    months = ground.months
    rows: list[RowToPlan] = []
    hourly: list[tuple[Volatility, Floats, Floats, tuple[MonthPart, ...]]] = []
    falls: list[calendar.Fall | None] = []
    for model in models:
        of_months = busy.months_of(
            model, ground.below_slices, ground.window, ground.outlined, months, pins_apply
        )
        served = busy.months_of(model, ground.plan.contracts, ground.window, ground.outlined, 1, pins_apply)
        planned_months = of_months[: assumptions.horizon_months]
        today = busy.months_of(model, ground.lasting, ground.window, ground.outlined, 1, pins_apply)
        peaks = cache.recall(
            "peaks",
            (today, planned_months),
            (model,),
            partial(busy.peaks_of, model, today, planned_months, hours),
        )
        asked = [
            replace(wishes[row], eligible=in_nodes(wishes[row].eligible, ground.nodes, peak.today))
            for row, peak in zip(model.rows, peaks, strict=True)
        ]
        minima = [_minima_of(ground, row, model) for row in model.rows]
        slicings = tuple(
            _slicing(peak, wish, assumptions, of_row)
            for peak, wish, of_row in zip(peaks, asked, minima, strict=True)
        )
        sigmas = tuple(wish.volatility.sigma for wish in asked)
        monthly = tuple(row in ground.monthly for row in model.rows)
        weights = tuple(map(ground.weights_of, model.rows))
        weighed = (assumptions.recency_half_life_days, ground.missing is None, monthly)
        tables = cache.recall(
            "busy",
            (of_months, sigmas, slicings, *weighed),
            (model,),
            partial(busy.busy_tables, model, of_months, sigmas, slicings, hours, weights),
        )
        is_advised = [wish.hand is None or wish.is_rest_advised for wish in asked]
        of_rows = [_fall(ground, model, place) for place in range(len(asked))]
        closing = tuple(fall if advised else None for fall, advised in zip(of_rows, is_advised, strict=True))
        lived = _lived(ground, model, of_months, slicings, closing, cache)
        falls += of_rows
        parts = parts_in_months(model, served[0], hours)
        placed = _placed(ground, model, tables, slicings, pins_apply)
        tables = tuple(
            cache.recall("placed", (held.tobytes(),), (table,), partial(table.without, held))
            if held.any()
            else table
            for table, held in zip(tables, placed, strict=True)
        )
        for place, ((pool, name), wish, table) in enumerate(zip(model.rows, asked, tables, strict=True)):
            market = slice_policy.Market(
                horizon_months=assumptions.horizon_months,
                churn=wish.churn,
                use_prices=rates.times(ground.levels.path, wish.dated_use, months),
                sigma=wish.volatility.sigma,
                wacc=assumptions.wacc,
            )
            longest = find_longest_term(hours, assumptions.max_term_months)
            offers = rates.committed_offers(wish.eligible, longest if is_advised[place] else None)
            whole = _whole_orders(ground, offers, slicings[place], minima[place] if is_advised[place] else ())
            rows.append(
                RowToPlan(
                    pool=pool,
                    gpu_model=name,
                    busy=table,
                    market=market,
                    slicing=slicings[place],
                    offers=offers,
                    flex=wish.flex,
                    hand=wish.hand,
                    advised_to_months=longest,
                    is_rest_advised=wish.is_rest_advised and wish.hand is not None,
                    lived=lived[place],
                    ratios=ratios_of(ground.project.offers, model.gpu_model, ground.project.mappings, pool),
                    calendar=ground.calendar if is_advised[place] else ground.calendar.by_hand,
                    prices=ground.levels,
                    dated_use=wish.dated_use,
                    dated_parts=wish.dated_parts,
                    whole=whole,
                    beside_whole=_beside(table, whole, cache),
                    held=placed[place],
                    is_counted=is_counted,
                )
            )
            hourly.append((wish.volatility, *in_all(parts[place]), tuple(parts[place])))
    rows, wanted = _with_limited_use(ground, rows, wishes, wanted_of(ground))
    apart = buyers_of(ground, wanted)
    least = {
        offer.offer_id: float(offer.max_gpus)
        for row in apart
        for offer in ground.eligible[row]
        if offer.max_gpus is not None and offer.pricing_category.is_commitment
    }
    rows, signed, reached, left_over, runs = _with_minima(rows, months, cache, least, apart)
    shares = share_rooms(ground)
    if shares:
        bought = [
            Bought(row=row, signed=s, listed=row_list(row, s)) for row, s in zip(rows, signed, strict=True)
        ]
        room = rooms_of([*bought, *runs], ground, shares)
        rows, signed, reached, left_over, runs = _with_minima(rows, months, cache, least | room, apart)
    planned = [
        PlannedRow(
            row=row,
            signed=answer,
            listed=row_list(row, answer),
            volatility=volatility,
            demand_gpus=demand_gpus,
            residual_gpus=residual_gpus,
            month_parts=month_parts,
            left_of_offers=gpus,
            fall=fall,
        )
        for row, answer, (volatility, demand_gpus, residual_gpus, month_parts), gpus, fall in zip(
            rows, signed, hourly, left_over, falls, strict=True
        )
    ]
    if assumptions.budget_usd_per_month is not None:
        months_usd = [ground.contracts_usd(month) for month in range(COMPARED_MONTHS)]
        order = GIVEN_UP if pins_apply else ALL_ALIKE
        kept = within_budget([*planned, *runs], months_usd, assumptions.budget_usd_per_month, order)
        planned = [piece for piece in kept if isinstance(piece, PlannedRow)]
        runs = [piece for piece in kept if isinstance(piece, PlannedRun)]
    named = {(row.pool, row.gpu_model) for row in rows}
    alone = {(run.row.pool, run.row.gpu_model): run for run in runs}
    planned += [_row_of_runs(ground, run) for name, run in alone.items() if name not in named]
    planned.sort(key=lambda piece: (piece.row.pool, piece.row.gpu_model or ""))
    return Planned(tuple(planned), reached, tuple(runs))


def _minima_of(ground: Ground, row: Row, model: ModelDemand) -> tuple[tuple[WholeMinimum, Offer], ...]:
    """The minima that a plan buys whole for a row, with their offers: those of its pool, and of its model for anybody;
    where pools are planned as one, those of all of them."""
    decided = ground.scenario.whole_decisions
    if decided is None or not decided.minima or row.name != model.gpu_model:
        return ()
    offers = {offer.offer_id: offer for offer in ground.project.offers if offer.gpu_model == model.gpu_model}
    others = {pool for pool, name in model.rows if (pool, name) != row}
    return tuple(
        (minimum, offers[minimum.offer_id])
        for minimum in decided.minima
        if minimum.offer_id in offers
        and (minimum.pool is row.pool or minimum.pool not in {row.pool, *others})
    )


def _whole_orders(
    ground: Ground, offers: tuple[Offer, ...], slices: Slicing, minima: Sequence[tuple[WholeMinimum, Offer]]
) -> tuple[WholeOrders, ...]:
    """The orders of minima that a row buys whole, on its slices from the lowest up. offers: of the row."""
    answer, first, begin_s = list[WholeOrders](), 0, ground.window.end_s
    for minimum, offer in minima:
        start_s, length, spans = minimum.start_s - begin_s, calendar.length_s(offer), list[tuple[int, int]]()
        last = first + minimum.gpus // slices.block
        place = next((at for at, own in enumerate(offers) if own.offer_id == offer.offer_id), None)
        while start_s < ground.assumptions.horizon_months * MONTH_S:
            if place is None or not ground.calendar.is_there(offer, start_s, length):
                break
            spans.append((start_s, start_s + length))
            start_s += length
        if spans and place is not None:
            answer.append(WholeOrders(place, first, last, tuple(spans)))
            first = last
    return tuple(answer)


def _placed(
    ground: Ground,
    model: ModelDemand,
    tables: Sequence[busy.BusyTable],
    slicings: Sequence[Slicing],
    pins_apply: bool,
) -> list[Bools]:
    """The slices of each row that orders hold which were placed, (parts, slices): its own of
    the plan, or the highest that are free."""
    held = [np.zeros(table.parts.busy.shape, dtype=np.bool_) for table in tables]
    for order, (at, *_) in busy.in_turn([c for c in ground.plan.contracts if c.slices], model, pins_apply):
        edges, edges_s = slicings[at].edges, ground.window.end_s + tables[at].parts.edges_s[:-1]
        runs = (edges_s >= order.start_s) & (edges_s < (order.end_s or np.inf))
        middles = (edges[:-1] + edges[1:]) / 2
        is_own = np.any([(low < middles) & (middles < high) for low, high in order.slices], axis=0)
        free = np.flatnonzero(~held[at][runs].any(axis=0))
        free = np.concatenate((free[is_own[free]], free[~is_own[free]][::-1]))
        below = np.cumsum(np.diff(edges)[free]) - np.diff(edges)[free]
        held[at][np.ix_(runs, free[below < order.gpus - _ROUNDING_GPUS])] = True
    return held


def _beside(
    table: busy.BusyTable, whole: tuple[WholeOrders, ...], cache: AdviceCache
) -> busy.BusyTable | None:
    """How busy the slices of a row are beside what it buys whole; None where it buys nothing whole."""
    if not whole:
        return None
    return cache.recall("beside", (whole,), (table,), lambda: table.without(held_by(whole, table)))


def _row_of_runs(ground: Ground, run: PlannedRun) -> PlannedRow:
    """A row that is there for runs alone: it has no slices and no demand of its own."""
    months, hours = ground.months, ground.window.hours
    spans = busy.spans_of_months(ground.outlined.moments, ground.window, months)
    edges = [0, *(to_s - ground.window.end_s for of_month in spans for _, to_s in of_month)]
    parts = busy.Parts(np.array(edges, dtype=np.int64), np.zeros((len(edges) - 1, 0)))
    table = busy.BusyTable(
        shares=np.zeros((1, 1, 0)), state_of_month=np.zeros(months, dtype=np.int64), parts=parts
    )
    row = replace(run.row, busy=table, slicing=Slicing(1, 0), use=None, dated_parts=None, is_run=False)
    nothing = Signed(
        orders=slice_policy.no_orders(months, 0),
        lasts=np.zeros((months, 0), dtype=np.bool_),
        value_usd=np.zeros(0),
    )
    none = np.zeros(hours)
    shares = [(to_s - from_s) / MONTH_S for from_s, to_s in spans[0]]
    month_parts = tuple(MonthPart(share, none, none) for share in shares)
    return PlannedRow(
        row=row,
        signed=nothing,
        listed=row_list(row, nothing),
        volatility=NO_VOLATILITY,
        demand_gpus=none,
        residual_gpus=none,
        month_parts=month_parts,
    )


def _with_limited_use(
    ground: Ground, rows: list[RowToPlan], wishes: Mapping[Row, Wish], wanted: Sequence[Wanted]
) -> tuple[list[RowToPlan], list[Wanted]]:
    """The rows and runs with what they may pay by use where an offer has a maximum; limits go to them in serving order,
    to the runs of a row before its slices, which they lie above."""
    asked: list[slice_policy.UseAsked | None] = []
    turns: list[RowToPlan | Wanted] = []
    by_name = {Row(row.pool, row.gpu_model): row for row in rows}
    for name in sorted({*by_name, *(run.run.row for run in wanted)}, key=in_turn):
        for run in wanted:
            if run.run.row == name:
                own = use_asked(ground, run)
                is_asked = run.flex.rate is not None or ground.is_left_to_nobody(name)
                asked += own if is_asked else [None] * len(own)
                turns += [run] * len(own)
        if name in by_name:
            row, wish = by_name[name], wishes[name]
            is_asked = (row.flex.rate is not None or ground.is_left_to_nobody(name)) and not row.is_by_hand
            offers, is_refused = slice_policy.usage_offers(wish.eligible), row.flex.rate is None
            of_row = slice_policy.UseAsked(
                offers=offers,
                blend=wish.blend,
                busy=row.busy,
                slicing=row.slicing,
                ratios=row.ratios,
                is_refused=is_refused,
            )
            asked.append(of_row if is_asked else None)
            turns.append(row)
    uses = slice_policy.limited_use(asked, ground.months, ground.calendar)
    of = grouped((id(turn), use) for turn, use in zip(turns, uses, strict=True) if use is not None)
    return (
        [replace(row, use=of[id(row)][0]) if id(row) in of else row for row in rows],
        [
            replace(run, use=slice_policy.use_together(of[id(run)])) if id(run) in of else run
            for run in wanted
        ],
    )


_Left = Mapping[str, float]


def _with_minima(
    rows: list[RowToPlan],
    months: int,
    cache: AdviceCache,
    room: Mapping[str, float],
    apart: Mapping[Row, Callable[[dict[str, float]], list[PlannedRun]]],
) -> tuple[list[RowToPlan], Sequence[Signed], tuple[Offer, ...], Sequence[_Left], list[PlannedRun]]:
    """Rows and what they sign once no offer is signed for fewer GPUs than it is sold for.

    An offer with a least is open in the months in which the slices that it would pay for come to it. Where those that
    take it in a month do not, it is closed from then on and all is planned again, until none changes: the first month,
    then the first by offer_id. A quote is for one row of a request: all slices that ever take it must come to its
    least, or it is paid for idle GPUs where that costs less than without it. What is set by hand is not closed.
    Law: each round closes a month that was open, or settles a quote; so there is an end.
    Source: docs/formulas/policy.md.
    """
    least = {offer.offer_id: offer.min_gpus for row in rows for offer in row.offers if offer.min_gpus}
    advised = [row for row in rows if not row.is_by_hand]
    whole = {name: _bought_whole(rows, name, months) for name in least}
    closed = {
        name: (count_wanted_gpus(advised, name, months) < gpus - _ROUNDING_GPUS) & ~whole[name]
        for name, gpus in least.items()
    }
    paid_idle: set[str] = set()
    while True:
        rows = [row if row.is_by_hand else replace(row, closed=closed) for row in rows]
        signed, reached, left, bought = allocate(rows, months, cache, room, apart)
        short: list[tuple[int, str]] = []
        for name, gpus in least.items():
            if name in paid_idle:
                continue
            taken = sum(
                (
                    count_signed_gpus(row, signing, name, months)
                    for row, signing in zip(rows, signed, strict=True)
                ),
                np.zeros(months),
            )
            is_short = (taken > 0) & (taken < gpus - _ROUNDING_GPUS)
            months_short = np.flatnonzero(is_short & ~whole[name] & ~closed[name])
            if len(months_short):
                short.append((int(months_short[0]), name))
        if not short:
            runs = sorted((run for of_row in bought.values() for run in of_row), key=lambda run: run.key)
            return rows, add_idle_cost(rows, signed), reached, left, runs
        month, name = min(short)
        without = {**closed, name: closed[name] | ((np.arange(months) >= month) & ~whole[name])}
        named = [(row, offer) for row in rows for offer in row.offers if offer.offer_id == name]
        if any(row.calendar.months_quoted_for(offer) is not None for row, offer in named):
            others = [row if row.is_by_hand else replace(row, closed=without) for row in rows]
            if compute_expected_usd(rows, signed) <= compute_expected_usd(
                others, allocate(others, months, cache, room, apart).signed
            ):
                paid_idle.add(name)
                continue
        closed = without


def _bought_whole(rows: Sequence[RowToPlan], name: str, months: int) -> Bools:
    """The months on a day of which an offer is bought whole, (months,)."""
    is_bought = np.zeros(months, dtype=np.bool_)
    for row in rows:
        for whole in row.whole:
            if row.offers[whole.place].offer_id == name:
                starts = [start_s // MONTH_S for start_s, _ in whole.spans]
                is_bought[[month for month in starts if month < months]] = True
    return is_bought


def add_idle_cost(rows: Sequence[RowToPlan], signed: Sequence[Signed]) -> list[Signed]:
    """What rows sign, with what a quote is paid for beyond all that take it: the first of them has it."""
    taken: dict[str, float] = {}
    first: dict[str, tuple[int, int]] = {}
    for at, (row, signing) in enumerate(zip(rows, signed, strict=True)):
        for place, offer in enumerate(() if row.is_by_hand else row.offers):
            gpus = row.gpus(signing.ever(place)) if offer.min_gpus else 0.0
            if gpus and row.calendar.months_quoted_for(offer) is not None:
                ratio = row.ratios.get(offer.offer_id, 1.0)
                taken[offer.offer_id] = taken.get(offer.offer_id, 0.0) + gpus / ratio
                first.setdefault(offer.offer_id, (at, place))
    answer = list(signed)
    for name, (at, place) in first.items():
        short = ((offer := rows[at].offers[place]).min_gpus or 0) - taken[name]
        if short > _ROUNDING_GPUS:
            idle = {**answer[at].idle, place: short * rows[at].ratios.get(offer.offer_id, 1.0)}
            answer[at] = replace(answer[at], idle=idle)
    return answer


def compute_expected_usd(rows: Sequence[RowToPlan], signed: Sequence[Signed]) -> float:
    """$ that rows are expected to cost to the horizon, and what they pay for idle GPUs of quotes."""
    usd = 0.0
    for row, signing in zip(rows, add_idle_cost(rows, signed), strict=True):
        usd += float(np.nansum(signing.value_usd))
        for place, gpus in signing.idle.items():
            offer = row.offers[place]
            usd += gpus * ((offer.rate or 0.0) * calendar.length_s(offer) / HOUR_S + offer.upfront)
    return usd


def count_wanted_gpus(rows: Sequence[RowToPlan], name: str, months: int) -> Floats:
    """GPUs of an offer's own model for which it would pay in each month, by itself, (months,)."""
    gpus = np.zeros(months)
    for row in rows:
        offer = next((offer for offer in row.offers if offer.offer_id == name), None)
        if offer is None:
            continue
        if row.calendar.months_quoted_for(offer) is not None:
            return np.full(months, np.inf)
        spread = spread_when_signed(offer, row.prices.of_offer(offer, months))
        prices, rate = rates.over(row.market.use_prices, months), row.use_rate()
        for month in range(months):
            if rate is None:
                flex = np.inf
            elif isinstance(rate, float):
                flex = rate
            else:
                flex = rate[month]
            by_use = np.nan_to_num(np.asarray(flex * prices[month]), nan=np.inf)
            busy = row.left.today(month)
            with np.errstate(invalid="ignore"):
                pays = (busy > 0) & (busy * by_use >= spread[month] * (1 - slice_policy.TIE))
            gpus[month] += float(row.widths_of(name)[pays].sum())
    return gpus


def count_signed_gpus(row: RowToPlan, signed: Signed, name: str, months: int) -> Floats:
    """GPUs of an offer's own model that a row signs from a day of each month on, (months,); of a quote all of them in
    the first.

    A slice that signs twice in a month counts once: its second order begins as the first ends.
    """
    gpus = np.zeros(months)
    place = next((at for at, offer in enumerate(row.offers) if offer.offer_id == name), None)
    if place is None or row.is_by_hand:
        return gpus
    takes, widths = signed.orders.offer == place, row.widths_of(name)
    if row.calendar.months_quoted_for(row.offers[place]) is not None:
        gpus[0] = float(widths[takes.any(axis=0)].sum())
        return gpus
    # An order that finds the line of its month taken stands in a later one.
    begins = np.where(takes, signed.orders.start_s // MONTH_S, -1)
    for month in range(months):
        gpus[month] = float(widths[(begins == month).any(axis=0)].sum())
    return gpus


def _slicing(
    peaks: Peaks, wish: Wish, assumptions: Assumptions, minima: Sequence[tuple[WholeMinimum, Offer]]
) -> Slicing:
    """The slices of a row: finer where levels set by hand, or what it buys whole, are no whole blocks."""
    levels = [layer.gpus for layer in wish.hand or ()]
    levels += [minimum.gpus for minimum, _ in minima]
    block = asked_block(assumptions.block, rates.committed_offers(wish.eligible))
    own = gcd(block_for(peaks.today, block), *levels)
    return slicing_of(peaks, own, sum(levels))


def find_longest_term(hours: int, set_months: int | None) -> int | None:
    """In months: what the planner and a short log leave open; None: every term."""
    limits = [months for months in (set_months,) if months is not None]
    if hours <= SHORT_WINDOW_HOURS:
        limits.append(rates.SHORT_WINDOW_TERM_MONTHS)
    return min(limits, default=None)


def _lived(
    ground: Ground,
    model: ModelDemand,
    months: Sequence[busy.Month],
    slicings: tuple[Slicing, ...],
    falls: tuple[calendar.Fall | None, ...],
    cache: AdviceCache,
) -> Sequence[calendar.Lived | None]:
    """Of each row of a model, with its fall; where the assumption is switched off a fall alone closes terms."""
    is_on = ground.assumptions.slices_lived
    if not is_on and not any(falls):
        return [None] * len(slicings)
    soon, hours, schedules = tuple(months), ground.window.hours, ground.outlined.schedules
    names = {name for _, name in model.rows}
    jobs = tuple(largest for row, largest in ground.largest.items() if row.name in names)

    def make() -> tuple[calendar.Lived, ...]:
        seen, missing = _evidence(ground, model, cache), ground.missing
        rows = calendar.lived_in(model, seen, soon, schedules, slicings, hours, missing, falls)
        return rows if is_on else tuple(row.of_any_age for row in rows)

    key = (soon, schedules, slicings, hours, jobs, ground.missing is None, falls, is_on)
    return cache.recall("lived", key, (model, ground.classes), make)


def _evidence(ground: Ground, model: ModelDemand, cache: AdviceCache) -> ModelDemand:
    """The demand that days are counted on: without development that stands idle, and without the largest job of each
    pool, also where pools are planned as one, but where the planner says that its workload comes back."""
    place_of = {name: place for place, (_, name) in enumerate(model.rows)}
    idle = {
        at
        for at, classified in enumerate(ground.classes)
        if is_idle_dev(ground.project.workloads[at], classified) and not ground.schedules[at].counts_as_lived
    }
    model = _without_workloads(ground, model, idle, cache)
    for row, largest in ground.largest.items():
        place = model.rows.index(row) if row in model.rows else place_of.get(row.name)
        schedule = ground.schedules[largest.place]
        if place is not None and not schedule.counts_as_lived and largest.place not in idle:
            amounts = largest.factor * largest.job.hourly(ground.project.window).astype(np.float64)
            flow = Flow(row.pool, ground.outlined.schedules.index(schedule), place)
            model = without_one_job(model, flow, ground.project.workloads[largest.place].cluster, amounts)
    return model


def _without_workloads(
    ground: Ground, model: ModelDemand, places: Iterable[int], cache: AdviceCache
) -> ModelDemand:
    """The demand without that of workloads, by their places: of each stream their share of it in each hour."""
    project, numbers = ground.project, {of: group for group, of in enumerate(ground.outlined.schedules)}
    amounts: dict[tuple[int | None, Cell], Floats] = {}
    for at in places:
        for name, when, spent in project.cube.by_model_of(at):
            cluster = project.workloads[at].cluster if ground.groups else model.sites[0].cluster
            cell = Cell(ground.pools[at], cluster, name)
            key = numbers.get(ground.schedules[at]), cell
            amounts.setdefault(key, np.zeros(ground.window.hours))[when] += spent

    def kept(cluster: str, stream: Stream) -> Stream:
        name = model.rows[stream.row].name
        logged = limited_name(None, only_of(name)) if stream.is_split else name
        cell = Cell(stream.grows_with, cluster, logged)
        taken = amounts.get((stream.group, cell))
        if taken is None:
            return stream
        if not ground.groups:  # a backtest has all clusters in one
            return replace(stream, demand=np.maximum(stream.demand - taken, 0.0))
        whole = streams_in(project, ground.groups[stream.group].cube, stream.group, ground.pools, cache)
        return replace(stream, demand=stream.demand * (1 - part_of(taken, whole.cells[cell])))

    return model.with_streams(kept) if amounts else model


def parts_in_months(model: ModelDemand, month: busy.Month, hours: int) -> list[list[MonthPart]]:
    """Each row of a model in each part of a month, GPUs: one list a row, in the order of model.rows."""
    left = [busy.residual_at(model, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR for _, state in month]
    return [
        [
            MonthPart(
                share,
                busy.demand_at(model, place, state, hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR,
                residual[place],
            )
            for (share, state), residual in zip(month, left, strict=True)
        ]
        for place in range(len(model.rows))
    ]


def in_all(parts: Sequence[MonthPart]) -> tuple[Floats, Floats]:
    """Demand before and after what contracts serve, GPUs in each hour, (hours,): the mean of parts by their length."""
    demand, residual = ([part.share * part[at] for part in parts] for at in (1, 2))
    return np.asarray(sum(demand)), np.asarray(sum(residual))


def _fall(ground: Ground, model: ModelDemand, place: int) -> calendar.Fall | None:
    """The fall of a row that closes terms."""
    if not ground.assumptions.demand_fall_closes:
        return None
    whole, _, unstated = _logged(ground, model, place)
    return calendar.fall_left(whole, unstated)


def _logged(ground: Ground, model: ModelDemand, place: int) -> tuple[Floats, Floats, Floats]:
    """The demand of a row as it was logged, milli-GPU-seconds, (hours,): of all its workloads that the plan has, of
    those that are no runs, and of those whose coming and going the planner said nothing about."""
    hours, schedules = ground.window.hours, ground.outlined.schedules
    logged = [
        number for number, schedule in enumerate(schedules) if not (schedule.is_planned or schedule.repeats)
    ]
    unstated = [number for number in logged if not schedules[number].is_stated]

    def of(groups: Sequence[int]) -> Floats:
        return ground.known(model.hourly(hours, lambda _, flow: flow.row == place and flow.group in groups))

    runs = (run.place for run in ground.runs if run.row == model.rows[place])
    steady = [
        ground.project.cube.hourly_of(at).astype(np.float64)
        for at in runs
        if not ground.schedules[at].is_planned
    ]
    times = ground.assumptions.demand_of(model.rows[place].pool)
    walking = of(logged)
    return sum((times * ground.known(hourly) for hourly in steady), walking), walking, of(unstated)
