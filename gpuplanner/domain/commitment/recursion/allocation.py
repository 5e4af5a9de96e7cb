"""Who commits to what, row by row: policies, layers set by hand, and offers with a maximum given out by slice."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from math import inf
from typing import Any, Final, Generic, NamedTuple, TypeVar

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.busy import BusyTable
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.recursion import slice_policy
from gpuplanner.domain.commitment.recursion.calendar import (
    ANY_TIME,
    FOR_EVER_S,
    Calendar,
    Lived,
    length_s,
    month_placed,
)
from gpuplanner.domain.commitment.recursion.rates import TODAY, Levels, Prices, over, times
from gpuplanner.domain.commitment.recursion.ways import Ways, ways_of, without_terms
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Row, only_of
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.tables import SERVING_ORDER, Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, field, replace

_ROUNDING: Final = 1e-6
"""GPUs: what a ratio leaves behind of an offer's last block."""
PROVIDER: Final = "\0provider\t"
"""Before the name of a provider: key of the $ a month that its new commitments may still come to."""
NAMED: Final = "\0named @ "
"""Before who is limited by name, as an Only is written: key of the same, of a provider, a region, or both."""
ROOMS: Final = (PROVIDER, NAMED)
"""What keys of $ begin with: any other key is an offer's, of GPUs."""
_ROUNDING_USD: Final = 1e-6
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowToPlan:
    """One (pool, model): its slices, and what they may buy. offers: committed and eligible, cheapest first.

    ends_by_month: no term may reach beyond it (None: terms may outlast the horizon).
    closed: months in which an offer with a least number of GPUs is closed, by offer_id, (months,).
    hand: layers set by hand (then every priced offer counts, whatever the window's length); None: advised.
    advised_to_months: longest term that the advice may sign; a level set by hand may be longer; None: every term.
    ratios: GPUs of this row's model that one GPU of an offer is worth, by offer_id, of mapped models alone; rates of
    `offers` are for the work of one GPU of this row's model, their max_gpus are of their own.
    use: what slices may pay by use where offers have a maximum; None: r_flex for all.
    lived: what slices are too young for (None: nothing).
    prices: what rates of today are when something is signed; dated_use: what dated changes make of r_flex in each
    month, dated_parts: and in each part.
    is_run: planned work with an end, bought apart: one slice, the highest of its pool.
    is_rest_advised: those layers are held and all else is advised; otherwise the rest is paid by use.
    whole: minima that it buys whole, from the lowest slices up; beside_whole: how busy its slices are beside them (None
    where it buys none). is_counted: whether policies are counted part by part too. held: slices of orders that were
    placed, (parts, slices), which are idle in `busy`.
    """

    pool: Pool
    gpu_model: str | None
    busy: BusyTable
    market: slice_policy.Market
    slicing: Slicing
    offers: tuple[Offer, ...]
    flex: Flex
    hand: tuple[HandLayer, ...] | None = None
    advised_to_months: int | None = None
    ends_by_month: int | None = None
    is_rest_advised: bool = False
    lived: Lived | None = None
    ratios: Mapping[str, float] = field(default_factory=dict)
    calendar: Calendar = ANY_TIME
    use: slice_policy.LimitedUse | None = None
    prices: Prices = TODAY
    dated_use: Levels = (1.0,)
    dated_parts: Floats | None = None
    closed: Mapping[str, Bools] = field(default_factory=dict)
    is_run: bool = False
    whole: tuple["WholeOrders", ...] = ()
    beside_whole: BusyTable | None = None
    held: Bools | None = None
    is_counted: bool = False

    @property
    def left(self) -> BusyTable:
        """How busy its slices are beside what it buys whole."""
        return self.busy if self.beside_whole is None else self.beside_whole

    def on_path(self, path: Levels) -> "RowToPlan":
        """The row on another path of prices; dated changes stay.

        What is signed later and what is paid by use both follow the path; rates of today stay. Returns a new
        row.
        """
        use_prices = times(path, self.dated_use, len(path))
        return replace(self, prices=self.prices.on(path), market=replace(self.market, use_prices=use_prices))

    @property
    def is_by_hand(self) -> bool:
        """Whether all of it is set by hand: nothing of it is advised."""
        return self.hand is not None and not self.is_rest_advised

    def ways(self, closed: Collection[str] = ()) -> Ways:
        """The ways to commit that are open to it. closed: offer_ids that nobody may take."""
        months = self.market.horizon_months
        return ways_of(
            self.offers, months, self.calendar, self.prices, closed, self.closed, self.ends_by_month
        )

    def part_prices(self) -> Floats:
        """What a price by use of today is in each part, (parts,): the path of its month, and what is dated by then."""
        months = self.busy.parts.months
        levels = self.market.use_prices if self.dated_parts is None else self.prices.path
        path = over(levels, int(months[-1]) + 1)[months]
        return path if self.dated_parts is None else np.asarray(path * self.dated_parts)

    def use_costs(self, begin: int = 0) -> slice_policy.UseCosts:
        """What a GPU of each slice from `begin` on costs by use, part by part."""
        parts = replace(self.left.parts, busy=self.left.parts.busy[:, begin:])
        return slice_policy.use_costs(
            parts, self.use_rate(begin), self.part_prices(), self.market.horizon_months
        )

    def rates_when_placed(self, months: int) -> Floats:
        """$ per GPU-hour of each offer, ordered in each month, without what is paid upfront; (offers, months).

        A stated rate is today's. months: how many, month 0 first. Source: docs/formulas/policy.md, Steps of prices.
        """
        rates = [(offer.rate or 0.0) * self.prices.when_placed(offer, months) for offer in self.offers]
        return np.array(rates, dtype=np.float64).reshape(len(self.offers), months)

    def use_rate(self, begin: int = 0, count: int | None = None) -> float | Floats | None:
        """r_flex, or that of each month and of so many slices from `begin` on (None: of all) where use is limited.

        Units: $ per GPU-hour at prices of today. Shapes: (months, slices), NaN where nobody serves the slice; one
        number where every slice pays alike. None: nobody sells by use.
        """
        if self.use is None:
            return self.flex.rate
        return np.ascontiguousarray(self.use.rate[:, begin:][:, :count])

    @property
    def policy_key(self) -> tuple[object, ...]:
        """What tells its prices of use, its market and its slices from others.

        For keys of the cache: equal keys mean equal prices by use, bit for bit.
        """
        return self.flex.rate if self.use is None else self.use.rate.tobytes(), self.market, self.slicing

    def widths_of(self, offer_id: str) -> Floats:
        """GPUs of an offer's own model that each slice takes, (slices,).

        A mapped model's GPUs are worth more or fewer of the row's; for the row's own model these are the
        slices' widths.
        """
        widths = self.slicing.widths
        return np.asarray(widths / self.ratios[offer_id] if offer_id in self.ratios else widths)

    def gpus(self, taken: Bools) -> float:
        """GPUs of some slices together; taken: (slices,)."""
        return float(self.slicing.widths[taken].sum())

    @property
    def slices(self) -> int:
        """Number of slices."""
        return self.slicing.count


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Signed:
    """What each slice signs along today's level, dated.

    lasts (months, slices): orders that hold only if young demand goes on; value_usd (slices,): what the policy
    is expected to cost from month 0 to the horizon, discounted; NaN for layers set by hand. idle: GPUs of the row's
    model that are paid for and idle, by the place of a quote that is sold from so many on. expected_usd (slices,): as
    of a Policy, where it is counted.
    """

    orders: slice_policy.Orders
    lasts: Bools
    value_usd: Floats
    idle: Mapping[int, float] = field(default_factory=dict)
    expected_usd: Floats | None = None

    @property
    def now(self) -> Ints:
        """The place of the offer that each slice signs for month 0, (slices,); -1: none, -2: nobody sells it."""
        return np.asarray(
            np.where(self.orders.start_s[0] < MONTH_S, self.orders.offer[0], slice_policy.NO_ORDER)
        )

    def ever(self, place: int) -> Bools:
        """Which slices ever take an offer along today's level, (slices,)."""
        return np.asarray((self.orders.offer == place).any(axis=0))


@dataclass(frozen=True, slots=True)
class WholeOrders:
    """The minimum of an offer that a row buys whole. place: of the offer in the row's; first, last: of its slices, the
    last one exclusive; spans: of its orders, one after the other, seconds from the plan's first moment."""

    place: int
    first: int
    last: int
    spans: tuple[tuple[int, int], ...]

    @property
    def slices(self) -> slice:
        """Its slices."""
        return slice(self.first, self.last)


def held_by(whole: Sequence[WholeOrders], table: BusyTable) -> Bools:
    """Which slices orders of minima hold in each part of a table, (parts, slices)."""
    edges_s, held = table.parts.edges_s, np.zeros(table.parts.busy.shape, dtype=np.bool_)
    for orders in whole:
        inside = (edges_s[:-1] >= orders.spans[0][0]) & (edges_s[:-1] < orders.spans[-1][1])
        held[inside, orders.slices] = True
    return held


class Allocation(NamedTuple, Generic[T]):
    """What each row signs and has left, in the order of the rows.

    reached: offers whose maximum was reached. left: GPUs of every offer with a maximum, by offer_id, and the room of
    providers, when the row's turn came. bought: what was bought apart, by row.
    """

    signed: tuple[Signed, ...]
    reached: tuple[Offer, ...]
    left: tuple[Mapping[str, float], ...]
    bought: dict[Any, T]


def allocate(
    rows: Sequence[RowToPlan],
    months: int,
    cache: AdviceCache,
    room: Mapping[str, float] | None = None,
    apart: Mapping[Row, Callable[[dict[str, float]], T]] | None = None,
) -> Allocation[T]:
    """Plan every row.

    room: $ a month that providers may still have, by PROVIDER and their name, and who is limited by NAMED; and GPUs of
    offers with a maximum that no row has. apart: what is bought above the slices of a row, by its pool and model: it
    takes what it signs off what is left.

    Rows are planned in the order inference, training, burst (then by model): an offer's max_gpus goes to slices
    by k; a slice that ever takes it along today's level keeps its width of it; once less than that is left
    it is closed to later slices, which are planned again without it. So are the offers of a provider, or a region, to
    the slice that would bring it over its room, and to all later ones.
    """
    apart = apart or {}
    limits = ((o.offer_id, o.max_gpus) for row in rows for o in row.offers if o.max_gpus is not None)
    remaining: dict[str, float] = {**(room or {}), **dict(limits)}
    place_of = {Row(row.pool, row.gpu_model): place for place, row in enumerate(rows)}
    answers: dict[int, Signed] = {}
    left: dict[int, Mapping[str, float]] = {}
    bought: dict[Any, T] = {}
    for name in sorted({*place_of, *apart}, key=in_turn):
        if name in place_of:
            place = place_of[name]
            row, left[place] = rows[place], dict(remaining)
            if row.hand is None or row.is_rest_advised:
                answers[place] = with_whole(row, _advised(row, months, remaining, cache), months)
            else:
                answers[place] = _by_hand(row, row.hand, months, remaining, cache)
        if name in apart:
            bought[name] = apart[name](remaining)
    offers = {offer.offer_id: offer for row in rows for offer in row.offers}
    reached = tuple(
        offers[name]
        for name, gpus in sorted(remaining.items())
        if name in offers
        and gpus < min(_least_of(row, name) for row in rows if offers[name] in row.offers) - _ROUNDING
    )
    places = range(len(rows))
    return Allocation(
        signed=tuple(answers[place] for place in places),
        reached=reached,
        left=tuple(left[place] for place in places),
        bought=bought,
    )


def in_turn(row: Row) -> tuple[int, str]:
    """Where a pool and model stands in the order in which offers are given out; a key to sort by."""
    return SERVING_ORDER.index(row.pool), row.name or ""


def _least_of(row: RowToPlan, offer_id: str) -> float:
    """GPUs of an offer's own model that the narrowest slice takes."""
    return row.slicing.block / row.ratios.get(offer_id, 1.0)


def _advised(row: RowToPlan, months: int, remaining: dict[str, float], cache: AdviceCache) -> Signed:
    """Slices in pieces, from the lowest up: a piece is kept until an offer runs out, then the rest is solved
    without it.
    """
    for orders in row.whole:
        offer_id, gpus = row.offers[orders.place].offer_id, row.slicing.widths[orders.slices].sum()
        if offer_id in remaining:
            remaining[offer_id] -= float(gpus)
    sizes = _held_sizes(row, remaining)
    held = None
    if sizes:
        of_row = row.offers, row.calendar, tuple(row.ratios.items()), *row.policy_key, row.prices, months
        key = tuple(sizes.items()), tuple(sorted(remaining.items())), *of_row
        solve = partial(_held_places, row, months, dict(remaining), sizes)
        held = cache.recall("held places", key, (row.left, row.lived), solve)
    nothing = Signed(
        orders=slice_policy.no_orders(months, 0),
        lasts=np.zeros((months, 0), dtype=np.bool_),
        value_usd=np.zeros(0),
        expected_usd=np.zeros(0),
    )
    pieces, begin = [nothing], 0
    while begin < row.slices:
        ways = _ways_left(row, remaining, begin)
        own = None if held is None else held[begin:]
        of_levels = tuple(sizes), b"" if own is None else own.tobytes()
        signed = cache.recall(
            "policy",
            (*of_levels, *ways.key, *row.policy_key, begin, months, row.is_counted, row.whole),
            (row.left, row.lived),
            partial(_solved, row, begin, ways, months, tuple(sizes), own, cache),
        )
        keep = until_one_closes(signed.orders, row, remaining, begin)
        of_pieces = signed.value_usd if signed.expected_usd is None else signed.expected_usd
        pieces.append(
            Signed(
                orders=signed.orders.first(keep),
                lasts=signed.lasts[:, :keep],
                value_usd=signed.value_usd[:keep],
                expected_usd=of_pieces[:keep],
            )
        )
        begin += keep
    return Signed(
        orders=slice_policy.together([piece.orders for piece in pieces]),
        lasts=np.concatenate([piece.lasts for piece in pieces], axis=1),
        value_usd=np.concatenate([piece.value_usd for piece in pieces]),
        expected_usd=np.concatenate(
            [piece.expected_usd for piece in pieces if piece.expected_usd is not None]
        ),
    )


def with_whole(row: RowToPlan, signed: Signed, months: int) -> Signed:
    """What a row signs with the minima that it buys whole, and what they are expected to cost.

    Source: docs/formulas/policy.md, Whole decisions.
    """
    if not row.whole:
        return signed
    orders, usd = slice_policy.Orders(*(column.copy() for column in signed.orders.columns)), whole_usd(row)
    for whole in row.whole:
        for number, (start_s, end_s) in enumerate(whole.spans):
            if start_s < months * MONTH_S:
                for k in range(whole.first, whole.last):
                    orders.put(k, whole.place, start_s, end_s, number > 0)
    expected_usd = None if signed.expected_usd is None else signed.expected_usd + usd
    return replace(signed, orders=orders, value_usd=signed.value_usd + usd, expected_usd=expected_usd)


def whole_usd(row: RowToPlan) -> Floats:
    """$ of today that the minima which a row buys whole are expected to cost to the horizon, (slices,)."""
    usd = np.zeros(row.slices)
    for whole in row.whole:
        rates, offer = row.rates_when_placed(len(row.market.use_prices))[whole.place], row.offers[whole.place]
        of_gpu = sum(held_usd(row.market, offer, rates, start_s, end_s) for start_s, end_s in whole.spans)
        usd[whole.slices] += of_gpu * row.slicing.widths[whole.slices]
    return usd


def held_usd(market: slice_policy.Market, offer: Offer, rates: Floats, start_s: int, end_s: int) -> float:
    """$ of today that one GPU of an order is expected to cost to the horizon: its chance falls with churn until it
    starts. rates: of the offer when it is ordered in each month; the other two in seconds from the first moment."""
    start = start_s / MONTH_S
    bound = min((end_s - start_s) / MONTH_S, market.horizon_months - start)
    if bound <= 0:
        return 0.0
    rate = float(rates[month_placed(offer, start_s, len(rates))])
    paid = HOURS_PER_MONTH * rate * slice_policy.annuity(market.beta, bound) + offer.upfront
    return float(market.stays**start * paid)


def _held_sizes(row: RowToPlan, remaining: Mapping[str, float]) -> dict[int, int]:
    """Slices of each level that the planner holds, by term: no more than its offers have left. A level of a term that
    nobody sells is whole: its price is unknown."""
    sizes = dict[int, int]()
    for level in row.hand or ():
        wanted = level.gpus // row.slicing.block
        sold = sold_soonest(row, level.term_months)
        names = () if sold is None else [row.offers[place].offer_id for place in sold.places]
        if sold is None or not all(name in remaining for name in names):
            sizes[level.term_months] = wanted
        else:
            fitting = (max(remaining[name], 0.0) / _least_of(row, name) + _ROUNDING for name in names)
            sizes[level.term_months] = min(wanted, sum(int(slices) for slices in fitting))
    return sizes


class SoldSoonest(NamedTuple):
    """Offers of a term that a level set by hand takes. month: the first in which one of them may start; places: of
    those that may start in it, in the order in which the level takes them."""

    month: int
    places: tuple[int, ...]


def sold_soonest(row: RowToPlan, term_months: int) -> SoldSoonest | None:
    """Return the offers that a level of a term takes as soon as it can; None if nobody sells the term.

    What is sold by the month goes before what is sold by as many days, of each the cheapest first.
    """
    horizon, first = row.market.horizon_months, dict[int, int]()
    for place, offer in enumerate(row.offers):
        is_open = row.calendar.begins(offer, horizon)[1] if offer.term_months == term_months else np.zeros(1)
        if is_open.any():
            first[place] = int(is_open.argmax())
    if not first:
        return None
    month = min(first.values())
    places = [place for place in first if first[place] == month]
    return SoldSoonest(month, tuple(sorted(places, key=lambda place: bool(row.offers[place].term_days))))


def _held_places(
    row: RowToPlan, months: int, remaining: Mapping[str, float], sizes: Mapping[int, int]
) -> Ints:
    """The held term (0: none) of each slice: where the levels cost least, by the policies that each slice would have
    if nothing were held."""
    costs = list[slice_policy.HeldCosts]()
    for piece in policy_pieces(row, months, remaining):
        without = policy_of(row, piece.begin, without_terms(piece.ways, sizes))
        here = slice_policy.held_costs(piece.policy, without, piece.ways, row.market, sizes)
        usd = _with_sold_out(row, piece, here, remaining)
        costs.append(slice_policy.HeldCosts(here.terms, usd[:, : piece.keep], here.wants[: piece.keep]))
    if not costs:
        return np.zeros(0, dtype=np.int64)
    usd = np.concatenate([cost.usd for cost in costs], axis=1)
    wants = np.concatenate([cost.wants for cost in costs])
    return slice_policy.cheapest_places(slice_policy.HeldCosts(costs[0].terms, usd, wants), sizes)


def _with_sold_out(
    row: RowToPlan, piece: "PolicyPiece", costs: slice_policy.HeldCosts, remaining: Mapping[str, float]
) -> Floats:
    """Costs of a piece with those of the held terms that the advice leaves none of: the planner's level may take them
    there, too. Without this they cost nothing and the level would leave the busiest slices."""
    sold_out = [term for term in costs.terms if piece.ways.of_term(term) < 0 and sold_soonest(row, term)]
    if not sold_out:
        return costs.usd
    of_terms = {offer.offer_id for offer in row.offers if offer.term_months in sold_out}
    ways = _ways_left(
        row, {name: room for name, room in remaining.items() if name not in of_terms}, piece.begin
    )
    policy, usd = policy_of(row, piece.begin, ways), costs.usd.copy()
    for term in sold_out:
        column = ways.of_term(term)
        if column >= 0:
            end = float(ways.late[0, column] + ways.months[column])
            after = slice_policy.policy_after_usd(piece.policy, row.market, end)
            usd[costs.terms.index(term)] = policy.signed_usd[column] + after
    return usd


@dataclass(frozen=True, slots=True, eq=False)
class PolicyPiece:
    """Neighbouring slices that find the same offers open: `keep` of them from `begin` on; policy has all from there."""

    begin: int
    keep: int
    ways: Ways
    policy: slice_policy.Policy


def policy_pieces(row: RowToPlan, months: int, left: Mapping[str, float]) -> Iterator[PolicyPiece]:
    """The policies that a row's slices would have if nothing were held. left: GPUs of offers with a maximum.

    months: of the plan. Pieces cover all slices, from the lowest up, and do not overlap; what they take is
    taken off a copy of `left`.
    """
    remaining, begin = dict(left), 0
    while begin < row.slices:
        ways = _ways_left(row, remaining, begin)
        policy = policy_of(row, begin, ways)
        orders = slice_policy.orders_along(policy, ways, row.use_costs(begin), months)
        keep = until_one_closes(orders, row, remaining, begin)
        if keep:
            yield PolicyPiece(begin, keep, ways, policy)
        begin += keep


def _ways_left(row: RowToPlan, remaining: Mapping[str, float], begin: int) -> Ways:
    """The ways of the offers that still have enough left for the slice at `begin`."""
    return row.ways([o.offer_id for o in row.offers if _is_closed(row, o.offer_id, remaining, begin)])


def _is_closed(row: RowToPlan, offer_id: str, remaining: Mapping[str, float], at: int) -> bool:
    """Whether less is left of an offer than the slice at `at` takes, or its provider or region is closed."""
    offer = next(offer for offer in row.offers if offer.offer_id == offer_id)
    if any(room == -inf and has_offer(key, offer) for key, room in remaining.items()):
        return True
    return offer_id in remaining and remaining[offer_id] < _needs(row, offer_id)[at]


def _needs(row: RowToPlan, offer_id: str) -> Floats:
    """GPUs of an offer's own model that must be left for each slice, (slices,)."""
    return row.widths_of(offer_id) - (_ROUNDING if offer_id in row.ratios else 0.0)


def policy_of(
    row: RowToPlan, begin: int, ways: Ways, count: int | None = None, cache: AdviceCache | None = None
) -> slice_policy.Policy:
    """The cheapest policy of so many slices from `begin` on (None: of all); what the log is too young for is closed to
    them.

    cache: keeps what holds once all quotes are closed, whatever they cost.
    """
    here = slice(begin, None if count is None else begin + count)

    def cheapest(ways: Ways, first: int = 0, tail: slice_policy.Policy | None = None) -> slice_policy.Policy:
        """Of some ways, down to a month."""
        closed = _closed(row, begin, ways, count) if ways.count else None
        counted = row.left.of_slices(here) if row.is_counted else None
        return slice_policy.cheapest_policy(
            np.ascontiguousarray(row.left.shares[:, :, here]),
            row.left.state_of_month,
            ways,
            row.use_rate(begin, count),
            row.market,
            row.slicing.widths[here],
            closed,
            first,
            tail,
            counted,
        )

    settled = ways.settled_month
    if cache is None or row.is_counted or not 0 < settled <= row.market.horizon_months // 2:
        return cheapest(ways)
    lasting, columns = ways.lasting(settled)
    key = (settled, begin, *lasting.key, *row.policy_key)
    tail = cache.recall("tail", key, (row.left, row.lived), partial(cheapest, lasting, settled))
    return cheapest(ways, tail=replace(tail, choice=np.append(columns, -1)[tail.choice]))


def _closed(row: RowToPlan, begin: int, ways: Ways, count: int | None) -> Bools | None:
    """What so many slices from `begin` on may not sign in the first months, (months, ways, slices); None: nothing."""
    young = None if row.lived is None else row.lived.closed(ways.length_s, begin)[:, :, :count]
    has_last_day = bool((ways.last_start_s < FOR_EVER_S).any())
    late = slice_policy.too_late(row.use_costs(begin), ways, row.slices - begin) if has_last_day else None
    late = None if late is None else late[:, :, :count]
    if row.whole:
        beyond = _beyond_whole(row, ways)[:, :, begin:][:, :, :count]
        late = (
            beyond if late is None else beyond | np.pad(late, ((0, len(beyond) - len(late)), (0, 0), (0, 0)))
        )
    if late is None or young is None:
        return young if late is None else late
    late[: len(young)] |= young[: len(late)]
    return late


def _beyond_whole(row: RowToPlan, ways: Ways) -> Bools:
    """What slices may not sign since it would not end before what is bought whole begins, (months, ways, slices)."""
    closed = np.zeros((*ways.begin_s.shape, row.slices), dtype=np.bool_)
    bound_s = np.where(ways.is_block, ways.length_s, np.maximum(ways.length_s, MONTH_S))
    for whole in row.whole:
        start_s, end_s = whole.spans[0][0], whole.spans[-1][1]
        overlaps = (ways.begin_s + bound_s > start_s) & (ways.begin_s < end_s)
        closed[:, :, whole.slices] = overlaps[:, :, None]
    return closed


def _solved(
    row: RowToPlan,
    begin: int,
    ways: Ways,
    months: int,
    terms: tuple[int, ...],
    held: Ints | None,
    cache: AdviceCache,
) -> Signed:
    """What the slices from `begin` on sign. held: the held term of each (0: none), one of `terms`, (slices,)."""
    policy, use = policy_of(row, begin, ways, cache=cache), row.use_costs(begin)
    free = slice_policy.orders_along(policy, ways, use, months)
    if row.use is not None and row.flex.rate is None and ways.count and ways.is_block.all():
        free = slice_policy.orders_of_blocks(ways, use, months, _closed(row, begin, ways, None))
    value_usd = policy.value[len(policy.value) // 2].copy()  # a view would keep every month and level
    if held is not None:
        without = policy_of(row, begin, without_terms(ways, terms))
        spared = slice_policy.orders_along(without, ways, use, months)
        columns = np.array([ways.soonest_of(term) if term else -1 for term in held.tolist()], dtype=np.int64)
        sold_terms = [term for term in terms if sold_soonest(row, term)]
        is_sold_out = (columns < 0) & np.isin(held, sold_terms)
        held = np.where(is_sold_out, 0, held)
        kept = slice_policy.orders_along(policy, ways, use, months, columns)
        _hold_what_nobody_sells(kept, held, columns)
        signs = np.append(ways.terms, 0)[policy.choice[0]]
        is_denied = np.isin(signs, terms) & (held == 0)
        columns_of = zip(kept.columns, spared.columns, free.columns, strict=True)
        free = slice_policy.Orders(
            *(np.where(held > 0, own, np.where(is_denied, rest, any_)) for own, rest, any_ in columns_of)
        )
        costs = slice_policy.held_costs(policy, without, ways, row.market, terms)
        places = np.array([costs.terms.index(term) for term in held.tolist()], dtype=np.int64)
        opens_now = np.append(ways.is_open[0], True)  # of a later order the costs say nothing
        is_now = opens_now[columns]
        value_usd = np.where(is_now, costs.usd[places, np.arange(len(held))], value_usd)
    return Signed(
        orders=free, lasts=_lasting(row, free, begin), value_usd=value_usd, expected_usd=policy.expected_usd
    )


def _hold_what_nobody_sells(orders: slice_policy.Orders, held: Ints, columns: Ints) -> None:
    """Terms that the planner holds and nobody sells are in the list all the same, without a rate; in place."""
    for slice_ in np.flatnonzero((held > 0) & (columns < 0)).tolist():
        until_s = int(held[slice_]) * MONTH_S
        gone = orders.start_s[:, slice_] < until_s
        orders.offer[gone, slice_] = slice_policy.NO_ORDER
        orders.offer[0, slice_] = slice_policy.NOBODY
        orders.start_s[0, slice_], orders.end_s[0, slice_] = 0, until_s


def _lasting(row: RowToPlan, orders: slice_policy.Orders, begin: int) -> Bools:
    """Which orders hold only if young demand goes on, (months, slices): those, and all that come after one in the chain
    of their slice, with or without a gap between."""
    lasting = np.zeros(orders.offer.shape, dtype=np.bool_)
    if row.lived is None:
        return lasting
    before = np.zeros(orders.offer.shape[1], dtype=np.bool_)
    for month in range(len(lasting)):
        here = orders.offer[month]
        for place in set(here[here >= 0].tolist()):
            takes = here == place
            young = row.lived.if_it_lasts(month, length_s(row.offers[place]))[begin:]
            lasting[month] |= takes & (young | before)
        before |= lasting[month]
    return lasting


def until_one_closes(
    orders: slice_policy.Orders, row: RowToPlan, remaining: dict[str, float], begin: int
) -> int:
    """How many slices from `begin` on may keep what they chose; what they take is taken off `remaining`.

    0: the first would bring a provider over its room, whose offers are closed from here on.
    """
    takes = {place: (orders.offer == place).any(axis=0) for place in range(len(row.offers))}
    sums: dict[str, Floats] = {}
    keep: int = orders.offer.shape[1]
    for place, offer in enumerate(row.offers):
        if offer.offer_id not in remaining:
            continue
        taken = np.cumsum(row.widths_of(offer.offer_id)[begin:] * takes[place])
        sums[offer.offer_id] = taken
        left = remaining[offer.offer_id] - np.concatenate(([0.0], taken[:-1]))
        closed = left < _needs(row, offer.offer_id)[begin:]
        if closed.any() and not closed[0]:
            keep = min(keep, int(closed.argmax()))
    for key, room in list(remaining.items()):
        if not key.startswith(ROOMS) or room == -inf:
            continue
        spent = np.cumsum(usd_of_room(row, key, takes)[begin:])
        sums[key] = spent
        over = np.diff(spent, prepend=0.0) * (spent > room + _ROUNDING_USD) > 0
        if over.any():
            keep = min(keep, int(over.argmax()))
            if over[0]:
                remaining[key] = -inf
    for key, taken in sums.items():
        remaining[key] -= float(taken[keep - 1]) if keep else 0.0
    return keep


def has_offer(key: str, seller: Offer | Contract) -> bool:
    """Whether an offer or a contract is of whom a room is of; key: PROVIDER or NAMED, and who.

    False for any other key.
    """
    if key.startswith(PROVIDER):
        return seller.provider == key.removeprefix(PROVIDER)
    return key.startswith(NAMED) and only_of(key).allows(seller)


def usd_of_room(row: RowToPlan, key: str, takes: Mapping[int, Bools]) -> Floats:
    """$ a month of each slice at the most expensive offer that it ever takes of whom a room is of; key: of the room.

    Shapes: (slices,), 0 before the piece.
    """
    count = len(next(iter(takes.values()))) if takes else 0
    rate = np.zeros(count)
    for place, offer in enumerate(row.offers):
        if has_offer(key, offer):
            rate = np.maximum(rate, np.where(takes[place], offer.rate or 0.0, 0.0))
    usd = np.zeros(row.slices)
    usd[row.slices - count :] = HOURS_PER_MONTH * rate * row.slicing.widths[row.slices - count :]
    return usd


def _renewed(row: RowToPlan, quote: Offer, month: int) -> int:
    """What takes a quote's place when a level set by hand is renewed: it is for one start alone, so the cheapest of its
    term that is none; NOBODY where nobody else has that term."""
    return next(
        (
            at
            for at, offer in enumerate(row.offers)
            if (offer.term_months, offer.term_days) == (quote.term_months, quote.term_days)
            and row.calendar.months_quoted_for(offer) is None
            and row.calendar.is_open_in(offer, month)
        ),
        slice_policy.NOBODY,
    )


def _by_hand(
    row: RowToPlan,
    layers: tuple[HandLayer, ...],
    months: int,
    remaining: dict[str, float],
    cache: AdviceCache,
) -> Signed:
    """Layers from the bottom, longest term first, each renewed when it ends: a hand pool holds them throughout.

    Slices of a level beyond what the offers of its term have are planned like advised ones, once every level has taken
    its offers. A level of a term that nobody sells has no price.
    """
    orders = slice_policy.no_orders(months, row.slices)
    sold_out = np.zeros(row.slices, dtype=np.bool_)
    block, lowest = row.slicing.block, 0
    terms = [layer for layer in layers if layer.term_months > 0]
    for layer in sorted(terms, key=lambda layer: -layer.term_months):
        sold = sold_soonest(row, layer.term_months) or SoldSoonest(0, ())
        for _ in range(layer.gpus // block):
            names = ((place, row.offers[place].offer_id) for place in sold.places)
            place = next(
                (p for p, name in names if not _is_closed(row, name, remaining, lowest)), slice_policy.NOBODY
            )
            sold_out[lowest] = bool(sold.places) and place == slice_policy.NOBODY
            if not sold_out[lowest]:
                _hold(row, place, range(sold.month, months, layer.term_months), lowest, orders, remaining)
            lowest += 1
    lasts = np.zeros((months, row.slices), dtype=np.bool_)
    for piece_of in _neighbours(sold_out):
        _sign_next_best(row, piece_of, months, remaining, cache, orders, lasts)
    return Signed(orders=orders, lasts=lasts, value_usd=np.full(row.slices, np.nan))


def _hold(
    row: RowToPlan,
    place: int,
    months: range,
    which: int,
    orders: slice_policy.Orders,
    remaining: dict[str, float],
) -> None:
    """Sign an offer for the slice `which` in the first of some months, a term apart, and renew it in the others.

    place: of the offer; NOBODY: nobody sells the term. What it takes is taken off `remaining`.
    """
    is_quote = False
    start_s = months.start * MONTH_S
    if place >= 0:
        offer = row.offers[place]
        is_quote = row.calendar.months_quoted_for(offer) is not None
        start_s = int(row.calendar.begins(offer, months.start + 1)[0][-1]) if months.start else 0
        if offer.offer_id in remaining:
            remaining[offer.offer_id] -= _least_of(row, offer.offer_id)
    for month in months:
        begin_s = start_s + (month - months.start) * MONTH_S
        is_renewed = month > months.start
        orders.offer[month, which] = (
            _renewed(row, row.offers[place], month) if is_quote and is_renewed else place
        )
        orders.start_s[month, which], orders.end_s[month, which] = begin_s, begin_s + months.step * MONTH_S
        orders.follows[month, which] = is_renewed


def _neighbours(which: Bools) -> list[slice]:
    """Slices that are marked, as runs of neighbours from the lowest up.

    >>> _neighbours(np.array([True, True, False, True]))
    [slice(0, 2, None), slice(3, 4, None)]
    """
    edges = np.flatnonzero(np.diff(np.concatenate(([False], which, [False])).astype(np.int8))).tolist()
    return [slice(first, last) for first, last in zip(edges[::2], edges[1::2], strict=True)]


def _sign_next_best(
    row: RowToPlan,
    piece_of: slice,
    months: int,
    remaining: dict[str, float],
    cache: AdviceCache,
    orders: slice_policy.Orders,
    lasts: Bools,
) -> None:
    """Sign for neighbouring slices what their policy takes of the offers that are left, into orders and lasts.

    Offers with a least number of GPUs are left out: nobody checks that these slices come to it.
    """
    never = {offer.offer_id for offer in row.offers if offer.min_gpus or _is_too_long(row, offer)}
    begin = piece_of.start
    while begin < piece_of.stop:
        names = (offer.offer_id for offer in row.offers)
        ways = row.ways([name for name in names if name in never or _is_closed(row, name, remaining, begin)])
        signed = _solved(row, begin, ways, months, (), None, cache)
        signed.orders.offer[:, piece_of.stop - begin :] = slice_policy.NO_ORDER
        keep = min(until_one_closes(signed.orders, row, remaining, begin), piece_of.stop - begin)
        for column, own in zip(orders.columns, signed.orders.columns, strict=True):
            column[:, begin : begin + keep] = own[:, :keep]
        lasts[:, begin : begin + keep] = signed.lasts[:, :keep]
        begin += keep


def _is_too_long(row: RowToPlan, offer: Offer) -> bool:
    """Return whether an offer is longer than the advice may sign."""
    return row.advised_to_months is not None and length_s(offer) > row.advised_to_months * MONTH_S
