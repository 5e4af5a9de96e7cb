"""Runs: planned work with an end, bought apart on its own hours, exactly, once or again and again."""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import accumulate, pairwise
from math import ceil
from operator import attrgetter
from statistics import median
from typing import Final, NamedTuple

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.busy import BusyTable, Parts, spans_of_months
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.plan.dates import Run
from gpuplanner.domain.commitment.plan.ground import LEAST_GPUS, Ground, needed_by
from gpuplanner.domain.commitment.plan.row_list import Bought, row_list
from gpuplanner.domain.commitment.recursion import rates, slice_policy
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed, has_offer, until_one_closes
from gpuplanner.domain.commitment.recursion.calendar import is_block, length_s, month_placed
from gpuplanner.domain.commitment.result import Flex, RunWay
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row, gpu_model_of, paid_gpus, ratios_of
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.domain.training.choices import cost_usd
from gpuplanner.lazy_dataclass import dataclass

Spans = Sequence[tuple[int, int]]
"""From one second to another, counted from the plan's first moment, in order, without overlap."""


class MeanGpus(NamedTuple):
    """Mean GPUs of a run in a span: all, and those that contracts serve."""

    gpus: float
    of_contracts: float


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class PlannedRun(Bought):
    """One layer of a run: GPUs that are bought alike. place: of its workload in the project; hours: of its pieces.

    row: its one slice; use_usd: $ of all of it by use alone (None: nobody sells by use); idle_gpus: that contracts hold
    for the run at most, and from_contracts the spans in which they do, of the lowest layer alone.
    """

    key: str
    place: int
    hours: float
    use_usd: float | None
    idle_gpus: float
    from_contracts: tuple[tuple[int, int, float], ...] = ()

    @property
    def gpus(self) -> float:
        """That it buys, or pays by use."""
        return float(self.row.slicing.block)

    def hours_by_use(self, from_s: int, to_s: int, times: float) -> float:
        """GPU-hours of so many times what it buys, in a span, that its orders do not serve. Seconds from the plan's
        first moment."""
        parts = self.row.busy.parts
        edges = {from_s, to_s, *(int(at) for at in parts.edges_s)}
        edges |= {at for order in self.listed.orders for at in (order.start_s, order.end_s)}
        inside = sorted(at for at in edges if from_s <= at <= to_s)
        total = 0.0
        for since_s, until_s in pairwise(inside):
            busy = self.gpus_between(since_s, until_s)
            held = sum(order.gpus for order in self.listed.orders if order.start_s <= since_s < order.end_s)
            total += max(times * (busy.gpus - busy.of_contracts) - held, 0.0) * (until_s - since_s) / HOUR_S
        return total

    def gpus_between(self, from_s: int, to_s: int) -> MeanGpus:
        """Mean GPUs of it in a span, seconds from the plan's first moment."""
        of_contracts = sum(
            gpus * max(0, min(until_s, to_s) - max(since_s, from_s))
            for since_s, until_s, gpus in self.from_contracts
        )
        parts = self.row.busy.parts
        first, last = np.searchsorted(parts.edges_s, (from_s, to_s)).tolist()
        first = max(first - 1, 0)
        inside = np.clip(parts.edges_s[first : last + 1], from_s, to_s)
        bought = self.gpus * float((inside[1:] - inside[:-1]) @ parts.busy[first:last, 0])
        return MeanGpus(
            gpus=(bought + of_contracts) / (to_s - from_s), of_contracts=of_contracts / (to_s - from_s)
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Wanted:
    """A run before it is bought. needed: its pieces, and the GPUs that contracts leave it to buy in each; edges: GPUs
    at which what it pays by use is cut, since offers have fewer; use: of the slices between them, None: all pay flex.
    """

    run: Run
    needed: tuple[tuple[int, int, float], ...]
    edges: tuple[float, ...]
    flex: Flex
    use: slice_policy.LimitedUse | None = None


def wanted_of(ground: Ground) -> tuple[Wanted, ...]:
    """All runs of a plan, by key, with what is left for each to buy."""
    answer = []
    for run, needed in needed_by(ground.runs, ground.plan, ground.window).items():
        edges = use_edges(max((gpus for *_, gpus in needed), default=0.0), ground.eligible[run.row])
        answer.append(
            Wanted(
                run=run,
                needed=needed,
                edges=edges,
                flex=rates.blend(ground.by_use((run.row,), _alone(ground, run))),
            )
        )
    return tuple(answer)


def left_with_nothing(ground: Ground, spans: Spans) -> Mapping[str, tuple[float, ...]]:
    """GPU-hours of each run, by key, in some spans that contracts leave to use where nothing is signed. spans: epoch
    seconds."""
    begin_s = ground.window.end_s
    return {
        run.key: tuple(
            sum(gpus * max(0, min(b, to_s - begin_s) - max(a, from_s - begin_s)) for a, b, gpus in needed)
            / HOUR_S
            for from_s, to_s in spans
        )
        for run, needed in needed_by(ground.runs, ground.nothing, ground.window).items()
    }


def use_edges(most: float, eligible: Sequence[Offer]) -> tuple[float, ...]:
    """GPUs at which so many are cut where offers paid by use have fewer, the cheapest at the bottom, from 0 to all."""
    least_first = sorted(slice_policy.usage_offers(eligible), key=lambda o: (o.rate or 0.0, o.offer_id))
    sums = accumulate(float(offer.max_gpus) for offer in least_first if offer.max_gpus is not None)
    return (0.0, *sorted({*(gpus for gpus in sums if gpus < most), most}))


def _alone(ground: Ground, run: Run) -> Floats:
    """GPU time of a run alone, (workloads,)."""
    return np.asarray(np.arange(len(ground.project.workloads)) == run.place, dtype=np.float64)


def use_asked(ground: Ground, wanted: Wanted) -> list[slice_policy.UseAsked]:
    """What a run asks for by use, from the bottom up: each of its slices as one that is there in its months."""
    run, offers = wanted.run, slice_policy.usage_offers(ground.eligible[wanted.run.row])
    months, blend = ground.months, ground.blend_of((run.row,), _alone(ground, run))
    ratios = ratios_of(ground.project.offers, run.row.name, ground.project.mappings, run.row.pool)
    answer = []
    for low, high in pairwise(wanted.edges):
        parts = _parts(wanted, low, months, ())
        hours = np.bincount(parts.months, np.diff(parts.edges_s) / HOUR_S * parts.busy[:, 0], months)
        shares, state = np.unique(hours / HOURS_PER_MONTH, return_inverse=True)
        table = BusyTable(shares=shares[:, None, None], state_of_month=state, parts=parts)
        slicing = Slicing(high - low, 1)  # type: ignore[arg-type]  # a run may be of a part of a GPU
        is_refused = wanted.flex.rate is None
        answer.append(
            slice_policy.UseAsked(
                offers=offers, blend=blend, busy=table, slicing=slicing, ratios=ratios, is_refused=is_refused
            )
        )
    return answer


def buyers_of(
    ground: Ground, wanted: Sequence[Wanted]
) -> Mapping[Row, Callable[[dict[str, float]], list[PlannedRun]]]:
    """Of each row with runs what buys them, by key, with what is left of offers and rooms, which it takes off.

    Source: docs/formulas/orders.md, Runs.
    """

    def buyer(row: Row) -> Callable[[dict[str, float]], list[PlannedRun]]:
        of_row = [run for run in wanted if run.run.row == row]
        return lambda left: [layer for run in of_row for layer in _bought(ground, run, left)]

    return {row: buyer(row) for row in {run.run.row for run in wanted}}


def _bought(ground: Ground, wanted: Wanted, left: dict[str, float]) -> Iterator[PlannedRun]:
    """The layers of one run, from the bottom up, each bought for itself; what they take is taken off `left`."""
    run, needed, most = wanted.run, wanted.needed, wanted.edges[-1]
    offers = rates.committed_offers(ground.eligible[run.row], ground.assumptions.max_term_months)
    ratios = ratios_of(ground.project.offers, run.row.name, ground.project.mappings, run.row.pool)
    cuts = {0.0, *wanted.edges, *(gpus for _, _, gpus in needed if gpus > LEAST_GPUS)}
    rooms = (left.get(offer.offer_id, np.inf) * ratios.get(offer.offer_id, 1.0) for offer in offers)
    cuts |= {gpus for gpus in rooms if LEAST_GPUS < gpus < most}
    hours = sum(to_s - from_s for from_s, to_s in run.pieces) / HOUR_S
    taken_idle = run.gpus - min((gpus for _, _, gpus in needed), default=run.gpus)
    for low, high in pairwise(sorted(cuts)) if most else [(0.0, 0.0)]:
        while True:  # until it brings nobody over a share
            is_open = [offer for offer in offers if has_room(offer, left, ratios, high - low)]
            row = _row_of(ground, wanted, (low, high), tuple(is_open), ratios)
            orders, use_usd = _cheapest(row, [(a, b) for a, b, gpus in needed if gpus > low + LEAST_GPUS])
            signed = _signed(orders)
            if until_one_closes(signed.orders, row, left, 0):
                break
        yield PlannedRun(
            row=row,
            signed=signed,
            listed=row_list(row, signed),
            key=run.key,
            place=run.place,
            hours=hours,
            use_usd=None if use_usd is None else (high - low) * use_usd,
            idle_gpus=taken_idle,
            from_contracts=()
            if low
            else tuple((a, b, run.gpus - gpus) for a, b, gpus in needed if gpus < run.gpus),
        )


def ways_of(ground: Ground, row: Row, work: PlannedWork) -> Iterator[RunWay]:
    """Of each term the cheapest way to hold a run that comes back, the shortest first; none of what runs once, on spot,
    or on capacity of certain days. Whole terms at each start, or one after the other all through. Source:
    docs/formulas/orders.md, Runs."""
    if work.length_hours is None or work.every_hours is None:
        return
    starts, by_term = HOURS_PER_MONTH / work.every_hours, dict[float, RunWay]()
    ratios = ratios_of(ground.project.offers, row.name, ground.project.mappings, row.pool)
    by_use = (offer for offer in ground.eligible[row] if not offer.pricing_category.is_commitment)
    to_sign = rates.committed_offers(ground.eligible[row], ground.assumptions.max_term_months)
    for offer in sorted((*by_use, *to_sign), key=attrgetter("offer_id")):
        # its rate is for the work of a GPU of the row's model
        ratio, term = ratios.get(offer.offer_id, 1.0), offer.term_hours
        usd = None if is_block(offer) else cost_usd(offer, work.gpus / ratio, work.length_hours)
        if usd is None:
            continue
        usd *= starts * ratio
        through = cost_usd(offer, work.gpus / ratio, term) if term else None
        if through is not None:
            usd = min(usd, through * ratio * HOURS_PER_MONTH / term)
        if term not in by_term or usd < by_term[term].cost_per_month:
            by_term[term] = RunWay(work, offer, usd)
    yield from (by_term[term] for term in sorted(by_term))


EVEN: Final = 0.25
"""How far from the middle distance, as a share of it, starts of work that comes back may be apart."""


def logged_ways(ground: Ground) -> Iterator[RunWay]:
    """Of training of the log that comes back its ways to be held, as of `ways_of`: three runs or more of as many GPUs,
    begun about as far apart, each done before the next. Source: docs/formulas/orders.md, Runs."""
    by_key = grouped((run.key, run) for run in ground.project.jobs.runs)
    for row, users in ground.plan.users.items():
        for place in np.flatnonzero(users > 0).tolist() if row.pool is Pool.TRAINING else ():
            workload = ground.project.workloads[place]
            runs = by_key.get(workload.key, [])
            gaps = [after.start_s - before.start_s for before, after in pairwise(runs)]
            if len(gaps) < 2 or len({run.milli_gpus for run in runs}) > 1:
                continue
            every_h, length_h = median(gaps) / HOUR_S, median(run.hours for run in runs)
            if length_h <= every_h and all(abs(gap / HOUR_S - every_h) <= EVEN * every_h for gap in gaps):
                work = PlannedWork(
                    name=workload.name,
                    pool=row.pool,
                    gpu_model=gpu_model_of(row.name) or "",
                    gpus=runs[0].milli_gpus / 1000,
                    cluster=workload.cluster,
                    team=workload.owner,
                    length_hours=ceil(length_h),
                    every_hours=round(every_h),
                )
                yield from ways_of(ground, row, work)


def _row_of(
    ground: Ground,
    wanted: Wanted,
    layer: tuple[float, float],
    offers: tuple[Offer, ...],
    ratios: Mapping[str, float],
) -> RowToPlan:
    """A layer of a run as a row of one slice. layer: GPUs from and to."""
    months, (low, high) = ground.months, layer
    spans = spans_of_months(ground.outlined.moments, ground.window, months)
    parts = _parts(wanted, low, months, [from_s - ground.window.end_s for of in spans for from_s, _ in of])
    begins = (ground.window.end_s + parts.edges_s[:-1]).tolist()
    priced = ground.by_use((wanted.run.row,), _alone(ground, wanted.run))
    levels, at_parts = rates.dated_use(priced, ground.levels, months, begins)
    use = wanted.use
    if use is not None:
        at = sum(edge <= low for edge in wanted.edges[1:-1])
        use = slice_policy.LimitedUse(use.rate[:, at : at + 1], use.flex[at : at + 1], use.flexes)
    market = slice_policy.Market(
        horizon_months=ground.assumptions.horizon_months,
        churn=0.0,
        use_prices=rates.times(ground.levels.path, levels, months),
        sigma=0.0,
        wacc=0.0,
    )
    pool, gpu_model = wanted.run.row
    return RowToPlan(
        pool=pool,
        gpu_model=gpu_model,
        busy=BusyTable(
            shares=np.zeros((1, 1, 1)), state_of_month=np.zeros(months, dtype=np.int64), parts=parts
        ),
        market=market,
        slicing=Slicing(high - low, 1),  # type: ignore[arg-type]  # a run may be of a part of a GPU
        offers=offers,
        flex=wanted.flex,
        ratios=ratios,
        calendar=ground.calendar,
        prices=ground.levels,
        use=use,
        dated_use=levels,
        dated_parts=at_parts,
        is_run=True,
    )


def has_room(offer: Offer, left: Mapping[str, float], ratios: Mapping[str, float], gpus: float) -> bool:
    """Whether an offer has enough GPUs for a layer and nobody of it is over a share, and the layer enough for its
    least and no more than one order may have."""
    own = gpus / ratios.get(offer.offer_id, 1.0)
    if any(room == -np.inf and has_offer(key, offer) for key, room in left.items()):
        return False
    is_enough = own >= (offer.min_gpus or 0) - LEAST_GPUS
    is_in_tier = own <= (offer.max_gpus_per_order or np.inf) + LEAST_GPUS
    return left.get(offer.offer_id, np.inf) >= own - LEAST_GPUS and is_enough and is_in_tier


def _parts(wanted: Wanted, low: float, months: int, moments: Iterable[int]) -> Parts:
    """The parts of a plan's months in which a run needs more than so many GPUs, or not. moments: that cut them too."""
    end_s = months * MONTH_S
    pieces = [(from_s, to_s) for from_s, to_s, gpus in wanted.needed if gpus > low + LEAST_GPUS]
    inside = {at for at in (*moments, *(at for piece in pieces for at in piece)) if 0 < at < end_s}
    edges = np.array(sorted(inside | set(range(0, end_s + 1, MONTH_S))), dtype=np.int64)
    busy = np.zeros((len(edges) - 1, 1))
    for first, last in np.searchsorted(edges[:-1], pieces).tolist():
        busy[first:last] = 1.0
    return Parts(edges, busy)


State = tuple[int, bool]
"""A moment, seconds from the plan's first, and whether an order ends there."""
Taken = tuple[int, int, int]
"""An order: place of its offer, start and end."""


def _cheapest(row: RowToPlan, pieces: Spans) -> tuple[list[Taken], float | None]:
    """The cheapest orders for the hours of a run, and $ of a GPU by use alone; None where nobody sells that.

    Every chain of orders that begin with a piece, with the end of one before, or as their lead has passed, and use
    between them: the least $ by recursion over these moments, from the last back to the first. Ties: use, then the
    shorter offer."""
    if not pieces:
        return [], 0.0
    parts, until_s = row.busy.parts, pieces[-1][1]
    use = slice_policy.use_costs(parts, row.use_rate(), row.part_prices(), int(parts.months[-1]) + 1)
    moves = _Moves(row, pieces, until_s)
    todo: list[State] = [(0, False)]
    while todo:
        state = todo.pop()
        if state[0] < until_s and state not in moves:
            moves[state] = moves.of(state)
            todo += [to for to, _, _ in moves[state]]
    times = np.array(sorted({at_s for at_s, _ in moves} | {until_s}))
    by_use = dict(zip(times.tolist(), use.until(times, np.zeros_like(times)).tolist(), strict=True))
    best: dict[State, tuple[float, State, Taken | None]] = {}
    for state in sorted(moves, reverse=True):
        for to, order, cost in moves[state]:
            usd = cost if order is not None else by_use[to[0]] - by_use[state[0]]
            usd += best[to][0] if to in best else 0.0
            if state not in best or usd < best[state][0] - slice_policy.TIE * abs(best[state][0]):
                best[state] = usd, to, order
    orders, state = list[Taken](), (0, False)
    while state in best:
        _, state, order = best[state]
        orders += () if order is None else (order,)
    return orders, None if by_use[until_s] >= slice_policy.UNSERVED_USD else by_use[until_s]


class _Moves(dict[State, list[tuple[State, Taken | None, float]]]):
    """What may follow each moment: use until the next one, or an order, with its $ of a GPU."""

    def __init__(self, row: RowToPlan, pieces: Spans, until_s: int) -> None:
        """Of the moments at which orders may begin."""
        super().__init__()
        self._row, self._starts = row, {from_s for from_s, _ in pieces} - {to_s for _, to_s in pieces}
        by_length = sorted(
            enumerate(row.offers),
            key=lambda offer: (length_s(offer[1]), offer[1].spread_rate or 0.0, offer[1].offer_id),
        )
        begin_s, soonest_s = row.calendar.begin_s or 0, partial(row.calendar.soonest_s, has_day=True)
        gpus, rated = float(row.slicing.block), row.rates_when_placed(len(row.market.use_prices))
        self._ways = [
            (
                place,
                offer,
                length_s(offer),
                (offer.starts_s or 0) - begin_s if is_block(offer) else soonest_s(offer),
                paid_gpus(gpus, row.ratios.get(offer.offer_id), offer.unit_gpus) / gpus,
                rated[place].tolist(),
            )
            for place, offer in by_length
        ]
        self._moments = sorted(self._starts | {until_s, *(own_s for _, _, _, own_s, _, _ in self._ways)})

    def of(self, state: State) -> list[tuple[State, Taken | None, float]]:
        """From one moment on."""
        at_s, is_after = state
        is_begin = is_after or at_s in self._starts
        next_s = self._moments[bisect_right(self._moments, at_s)]
        moves: list[tuple[State, Taken | None, float]] = [((next_s, False), None, 0.0)]
        for place, offer, length, own_s, paid, rates_by_month in self._ways:
            is_time = at_s == own_s or (is_begin and not is_block(offer))
            if is_time and self._row.calendar.is_there(offer, at_s, length):
                rate = rates_by_month[month_placed(offer, at_s, len(rates_by_month))]
                usd = (rate * length / HOUR_S + offer.upfront) * paid
                moves.append(((at_s + length, True), (place, at_s, at_s + length), usd))
        return moves


def _signed(orders: Sequence[tuple[int, int, int]]) -> Signed:
    """Orders of one slice as rows have them, one a row."""
    offer, start_s, end_s = (
        np.array([order[at] for order in orders], dtype=np.int64).reshape(-1, 1) for at in range(3)
    )
    follows = np.zeros(offer.shape, dtype=np.bool_)
    follows[1:] = start_s[1:] == end_s[:-1]
    return Signed(
        orders=slice_policy.Orders(offer, start_s, end_s, follows),
        lasts=np.zeros(offer.shape, dtype=np.bool_),
        value_usd=np.full(1, np.nan),
    )
