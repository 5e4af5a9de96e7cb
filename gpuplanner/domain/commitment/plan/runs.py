"""Runs: planned work with an end, bought apart on its own hours, exactly, once or again and again."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.busy import BusyTable, Parts
from gpuplanner.domain.commitment.plan.budget import Within
from gpuplanner.domain.commitment.plan.ground import Ground, Run
from gpuplanner.domain.commitment.plan.row_list import RowList, row_list
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed
from gpuplanner.domain.commitment.recursion.calendar import is_block, length_s
from gpuplanner.domain.commitment.recursion.rates import blend, committed_offers, usage_price
from gpuplanner.domain.commitment.recursion.slice_policy import TIE, UNSERVED_USD, LimitedUse, Market, Orders
from gpuplanner.domain.commitment.slicing import Slicing
from gpuplanner.domain.commitment.streams import Row
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.contract import runs_at
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, gpu_model_of, only_of, paid_gpus, ratios_of
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S

Spans = Sequence[tuple[int, int]]
"""From one second to another, counted from the plan's first moment, in order, without overlap."""
LEAST_GPUS: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class PlannedRun:
    """One layer of a run: GPUs that are bought alike. place: of its workload in the project; hours: of its pieces.

    row: its one slice; usd: of all of it, use_usd: by use alone (None: nobody sells by use); idle_gpus: that contracts
    hold for the run at most, and from_contracts the spans in which they do, of the lowest layer alone.
    """

    key: str
    place: int
    row: RowToPlan
    signed: Signed
    listed: RowList
    hours: float
    usd: float | None
    use_usd: float | None
    idle_gpus: float
    from_contracts: tuple[tuple[int, int, float], ...] = ()
    lost_usd: Floats | None = None
    denied_h: Floats | None = None

    @property
    def gpus(self) -> float:
        """That it buys, or pays by use."""
        return float(self.row.slicing.block)

    def hours_by_use(self, from_s: int, to_s: int, times: float = 1.0) -> float:
        """GPU-hours of so many times what it buys, in a span, that its orders do not serve. Seconds from the plan's
        first moment."""
        parts = self.row.busy.parts
        edges = {from_s, to_s, *(int(at) for at in parts.edges_s)}
        edges |= {at for one in self.listed.orders for at in (one.start_s, one.end_s)}
        inside = sorted(at for at in edges if from_s <= at <= to_s)
        total = 0.0
        for since_s, until_s in pairwise(inside):
            busy = self.gpus_between(since_s, until_s)
            held = sum(one.gpus for one in self.listed.orders if one.start_s <= since_s < one.end_s)
            total += max(times * (busy[0] - busy[1]) - held, 0.0) * (until_s - since_s) / HOUR_S
        return total

    def bought_hours_in(self, month: int) -> float:
        """GPU-hours of a month beyond what contracts serve."""
        whole, served = self.gpus_between(month * MONTH_S, (month + 1) * MONTH_S)
        return (whole - served) * HOURS_PER_MONTH

    def gpus_between(self, from_s: int, to_s: int) -> tuple[float, float]:
        """Mean GPUs of it in a span, seconds from the plan's first moment: all, and those that contracts serve."""
        of_contracts = sum(
            gpus * max(0, min(until_s, to_s) - max(since_s, from_s))
            for since_s, until_s, gpus in self.from_contracts
        )
        parts = self.row.busy.parts
        inside = np.maximum(np.minimum(parts.edges_s[1:], to_s) - np.maximum(parts.edges_s[:-1], from_s), 0)
        bought = self.gpus * float(inside @ parts.busy[:, 0])
        return (bought + of_contracts) / (to_s - from_s), of_contracts / (to_s - from_s)

    def within(self, kept: Within) -> "PlannedRun":
        """The same within a budget."""
        return replace(
            self, signed=kept.signed, listed=kept.listed, lost_usd=kept.lost_usd, denied_h=kept.denied_h
        )


def runs_of(
    ground: Ground, rows: Mapping[Row, RowToPlan], signed: Sequence[Signed]
) -> tuple[PlannedRun, ...]:
    """All runs of a plan, layer by layer, by key. rows, signed: what slices have taken before them.

    Source: docs/formulas.md, Runs.
    """
    left = _left_of_offers(ground, rows, signed)
    idle = dict[tuple[str, str | None], list[tuple[int, int, float]]]()
    answer: list[PlannedRun] = []
    for run in sorted(ground.runs, key=lambda run: run.key):
        answer += _bought(ground, run, left, idle)
    return tuple(answer)


def _left_of_offers(
    ground: Ground, rows: Mapping[Row, RowToPlan], signed: Sequence[Signed]
) -> dict[str, float]:
    """GPUs of offers with a maximum that slices leave, by offer_id."""
    left = {one.offer_id: float(one.max_gpus) for one in ground.project.offers if one.max_gpus is not None}
    for row, one in zip(rows.values(), signed, strict=True):
        for place, offer in enumerate(row.offers):
            if offer.max_gpus is not None:
                taken = float(row.widths_of(offer.offer_id)[one.ever(place)].sum())
                left[offer.offer_id] -= taken
    return left


def _bought(
    ground: Ground,
    run: Run,
    left: dict[str, float],
    idle: dict[tuple[str, str | None], list[tuple[int, int, float]]],
) -> Iterator[PlannedRun]:
    """The layers of one run, from the bottom up, each bought for itself; what they take is taken off `left`."""
    pool, name = run.row
    model, only = gpu_model_of(name), only_of(name)
    eligible = ground.eligible[run.row]
    price = usage_price(eligible, pool, ground.facts)
    weight = np.zeros(len(price.rate))
    weight[run.place] = 1.0
    flex = blend([(price, weight)])
    offers = committed_offers(eligible, ground.assumptions.max_term_months)
    offers = tuple(one for one in offers if left.get(one.offer_id, 1.0) > LEAST_GPUS)
    dated_use, _ = ground.dated_use_of(((price, weight),))
    needed = _needed(ground, run, idle)
    most = max((gpus for _, _, gpus in needed), default=0.0)
    cuts = {gpus for _, _, gpus in needed if gpus > LEAST_GPUS}
    ratios = ratios_of(ground.project.offers, model, ground.project.mappings)
    for offer in offers:
        gpus = left.get(offer.offer_id, np.inf) * ratios.get(offer.offer_id, 1.0)
        if 0 < gpus < most:
            cuts.add(gpus)
    taken_idle = run.gpus - min((gpus for _, _, gpus in needed), default=run.gpus)
    months = ground.months
    hours = sum(to_s - from_s for from_s, to_s in run.pieces) / HOUR_S
    if not cuts:
        cuts = {0.0}
    for low, high in pairwise((0.0, *sorted(cuts))) if cuts != {0.0} else [(0.0, 0.0)]:
        pieces = [(from_s, to_s) for from_s, to_s, gpus in needed if gpus >= high - LEAST_GPUS and high > 0]
        open_to = tuple(one for one in offers if _has_room(one, left, ratios, high - low))
        parts = _parts(pieces, months)
        market = Market(ground.assumptions.horizon_months, 0.0, ground.levels_with(dated_use), 0.0, 0.0)
        is_refused = flex.rate is None and only != ANYBODY
        row = RowToPlan(
            pool,
            name,
            BusyTable(np.zeros((1, 1, 1)), np.zeros(months, dtype=np.int64), parts),
            market,
            Slicing(high - low, 1),  # type: ignore[arg-type]  # a run may be of a part of a GPU
            open_to,
            flex,
            ratios=ratios,
            calendar=ground.calendar,
            prices=ground.levels,
            use=LimitedUse(np.full((months, 1), np.nan), np.zeros(1, np.int64), (flex,))
            if is_refused
            else None,
            is_run=True,
        )
        found = _cheapest(row, pieces)
        for place, _, _ in found.orders:
            offer_id = open_to[place].offer_id
            if offer_id in left:
                left[offer_id] -= (high - low) / ratios.get(offer_id, 1.0)
        signed = _signed(found.orders)
        yield PlannedRun(
            run.key,
            run.place,
            row,
            signed,
            row_list(row, signed),
            hours,
            None if flex.rate is None and found.is_by_use else (high - low) * found.usd,
            None if flex.rate is None else (high - low) * found.use_usd,
            taken_idle,
            () if low else tuple((a, b, run.gpus - gpus) for a, b, gpus in needed if gpus < run.gpus),
        )


def _has_room(offer: Offer, left: Mapping[str, float], ratios: Mapping[str, float], gpus: float) -> bool:
    """Whether an offer has enough GPUs for a layer, and the layer enough for its least."""
    own = gpus / ratios.get(offer.offer_id, 1.0)
    return left.get(offer.offer_id, np.inf) >= own - LEAST_GPUS and own >= (offer.min_gpus or 0) - LEAST_GPUS


def _needed(
    ground: Ground, run: Run, idle: dict[tuple[str, str | None], list[tuple[int, int, float]]]
) -> list[tuple[int, int, float]]:
    """What a run has to buy: its pieces, cut where contracts begin and end, and the GPUs beyond what these leave idle.

    idle: spans of GPUs that earlier runs have taken, by cluster and model; this one's are added.
    """
    pool, name = run.row
    model = gpu_model_of(name)
    serving = [
        one
        for one in ground.plan.contracts
        if one.cluster == run.cluster
        and one.gpu_model == model
        and one.pool in (None, pool)
        and only_of(name).allows(one)
    ]
    if not run.cluster or not serving:
        return [(from_s, to_s, run.gpus) for from_s, to_s in run.pieces]
    begin_s, peak = ground.window.end_s, _peak_on(ground, run.cluster, model)
    taken = idle.setdefault((run.cluster, model), [])
    moments = {at - begin_s for one in serving for at in (one.start_s, one.end_s) if at is not None}
    moments |= {at for from_s, to_s, _ in taken for at in (from_s, to_s)}
    found = []
    for first_s, last_s in run.pieces:
        edges = [first_s, *sorted(at for at in moments if first_s < at < last_s), last_s]
        for from_s, to_s in pairwise(edges):
            held = sum(one.gpus for one in serving if runs_at(one, begin_s + from_s))
            held -= sum(gpus for since_s, until_s, gpus in taken if since_s <= from_s < until_s)
            free = min(max(held - peak, 0.0), run.gpus)
            found.append((from_s, to_s, run.gpus - free))
    taken += [(from_s, to_s, run.gpus - gpus) for from_s, to_s, gpus in found if gpus < run.gpus]
    return found


def _peak_on(ground: Ground, cluster: str, model: str | None) -> float:
    """The largest hour of what the log wants of a model on a cluster, GPUs."""
    demand = np.zeros(ground.window.hours)
    for one in ground.plan.models:
        if one.gpu_model == model:
            for site in one.sites:
                if site.cluster == cluster:
                    for stream in site.streams:
                        demand = demand + stream.demand
    return float(demand.max(initial=0.0)) / MILLI_GPU_SECONDS_PER_GPU_HOUR


def _parts(pieces: Spans, months: int) -> Parts:
    """The parts of a plan's months in which a run is there, or not."""
    end_s = months * MONTH_S
    inside = {at for piece in pieces for at in piece if 0 < at < end_s}
    edges = np.array(sorted(inside | set(range(0, end_s + 1, MONTH_S))), dtype=np.int64)
    busy = np.zeros((len(edges) - 1, 1))
    for from_s, to_s in pieces:
        busy[(edges[:-1] >= from_s) & (edges[1:] <= to_s)] = 1.0
    return Parts(edges, busy)


@dataclass(frozen=True, slots=True)
class _Found:
    """The cheapest orders for the hours of a run: (place of the offer, start, end), $ of a GPU, and by use alone."""

    orders: tuple[tuple[int, int, int], ...]
    usd: float
    use_usd: float
    is_by_use: bool


class _Use:
    """$ of a GPU of a run by use up to a moment."""

    def __init__(self, row: RowToPlan, pieces: Spans) -> None:
        """Each piece cut at the months, whose prices differ; beyond the last month prices stay."""
        levels = row.market.use_prices
        rate = UNSERVED_USD if row.flex.rate is None else row.flex.rate
        cut = [
            (max(from_s, month * MONTH_S), min(to_s, (month + 1) * MONTH_S), month)
            for from_s, to_s in pieces
            for month in range(from_s // MONTH_S, (to_s - 1) // MONTH_S + 1)
        ]
        self._from_s = np.array([from_s for from_s, _, _ in cut], dtype=np.float64)
        self._to_s = np.array([to_s for _, to_s, _ in cut], dtype=np.float64)
        self._rate = np.array([rate * levels[min(month, len(levels) - 1)] for *_, month in cut])

    def between(self, from_s: float, to_s: float) -> float:
        """$ of a span."""
        inside = np.minimum(self._to_s, to_s) - np.maximum(self._from_s, from_s)
        return float((np.maximum(inside, 0.0) * self._rate).sum()) / HOUR_S


def _cheapest(row: RowToPlan, pieces: Spans) -> _Found:
    """Every chain of orders that begin with a piece, with the end of one before, or as their lead has passed, and use
    between them: the least $ by recursion over these moments, forward in time."""
    if not pieces:
        return _Found((), 0.0, 0.0, False)
    use, until_s = _Use(row, pieces), pieces[-1][1]
    starts = {from_s for from_s, _ in pieces}
    ways = [
        (place, offer, length_s(offer), row.calendar.soonest_s(offer), _day_s(row, offer))
        for place, offer in sorted(
            enumerate(row.offers),
            key=lambda one: (length_s(one[1]), one[1].spread_rate or 0.0, one[1].offer_id),
        )
    ]
    moments = sorted(
        starts
        | {
            soonest
            for _, offer, _, soonest, _ in ways
            if pieces[0][0] < soonest < until_s and not is_block(offer)
        }
        | {day for *_, day in ways if day is not None and day >= 0}
    )
    months = len(row.market.use_prices)
    rates, paid = row.rates_when_signed(months), {}
    gpus = float(row.slicing.block)
    for place, offer, *_ in ways:
        paid[place] = paid_gpus(gpus, row.ratios.get(offer.offer_id), offer.unit_gpus) / gpus
    best: dict[tuple[int, bool], float] = {(pieces[0][0], False): 0.0}
    came: dict[tuple[int, bool], tuple[tuple[int, bool], tuple[int, int, int] | None]] = {}
    heap = [(pieces[0][0], False)]
    done = set[tuple[int, bool]]()
    end: tuple[int, bool] = (until_s, True)

    def reach(
        state: tuple[int, bool], usd: float, via: tuple[int, bool], order: tuple[int, int, int] | None
    ) -> None:
        if state not in best:
            heappush(heap, state)
        elif usd >= best[state] - TIE * abs(best[state]):
            return
        best[state], came[state] = usd, (via, order)

    while heap:
        state = heappop(heap)
        if state in done or state == end:
            continue
        done.add(state)
        at_s, is_after = state
        usd = best[state]
        later = next((moment for moment in moments if moment > at_s), until_s)
        stop = (later, False) if later < until_s else end
        reach(stop, usd + use.between(at_s, min(later, until_s)), state, None)
        for place, offer, length, soonest, day in ways:
            if day is not None:
                if at_s != day or at_s < soonest:
                    continue
            elif at_s < soonest or not (is_after or at_s in starts or at_s == soonest):
                continue
            if not _is_there(row, offer, at_s, length):
                continue
            hours = length / HOUR_S
            rate = float(rates[place, min(at_s // MONTH_S, months - 1)])
            cost = (rate * hours + offer.upfront) * paid[place]
            to_s = at_s + length
            nxt = (to_s, True) if to_s < until_s else end
            reach(nxt, usd + cost, state, (place, at_s, to_s))
    orders, at = [], end
    is_by_use = False
    while at in came:
        before, order = came[at]
        if order is not None:
            orders.append(order)
        else:
            is_by_use |= use.between(before[0], at[0]) > 0
        at = before
    whole = use.between(0, until_s)
    return _Found(tuple(reversed(orders)), best[end], whole, is_by_use)


def _day_s(row: RowToPlan, offer: Offer) -> int | None:
    """When a block starts, seconds from the plan's first moment; None for what is none; -1 where no day is known."""
    if not is_block(offer):
        return None
    return -1 if row.calendar.begin_s is None else (offer.starts_s or 0) - row.calendar.begin_s


def _is_there(row: RowToPlan, offer: Offer, at_s: int, length: int) -> bool:
    """Whether the capacity of an offer is there from a moment on for its length, and can be ordered for it."""
    begin_s = row.calendar.begin_s
    if begin_s is None:
        return True
    if row.calendar.months_quoted_for(offer) is not None:
        return False  # a quote is for the row of a request
    if offer.starts_s is not None and begin_s + at_s < offer.starts_s:
        return False
    if offer.ends_s is not None and begin_s + at_s + length > offer.ends_s:
        return False
    lead = row.calendar.soonest_s(offer)
    return offer.is_open_on(begin_s + max(at_s - lead, 0))


def _signed(orders: Sequence[tuple[int, int, int]]) -> Signed:
    """Orders of one slice as rows have them, one a row."""
    offer, start_s, end_s = (
        np.array([one[at] for one in orders], dtype=np.int64).reshape(-1, 1) for at in range(3)
    )
    follows = np.zeros(offer.shape, dtype=np.bool_)
    follows[1:] = start_s[1:] == end_s[:-1]
    return Signed(
        Orders(offer, start_s, end_s, follows), np.zeros(offer.shape, dtype=np.bool_), np.full(1, np.nan)
    )
