"""The policy of each slice: wait, or commit to a term; held levels, and use that is limited."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from math import floor
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.busy import BusyTable, Parts
from gpuplanner.domain.commitment.demand.demand_levels import after_months
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.recursion.rates import Levels, over
from gpuplanner.domain.commitment.recursion.ways import Ways
from gpuplanner.domain.commitment.result import Flex
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, field

# --- The policy of each slice: wait, or commit to a term, whichever costs least from here to the horizon

TIE: Final = 1e-12
ROUNDING: Final = 1e-9
"""Months: what is left of dividing seconds."""
NOT_BUSY: Final = 1e-12
"""A share of hours that is only rounding: a thousandth of a GPU for a second in a year is more."""
IMPOSSIBLE_USD: Final = 1e200
"""Stands for infinity, so that impossible states add up without NaN."""


UNSERVED_USD: Final = 1e7
"""A GPU-hour that nobody serves: more than any dollars, so that less of them is always better."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Market:
    """What the recursion assumes: ratios a month (wacc a year), months to the horizon.

    use_prices: what a price by use of today is in each month. last_month: how long the last one is, a share of 730 h; a
    forecast ends with a whole one, what came need not.
    """

    horizon_months: int
    churn: float
    use_prices: Levels
    sigma: float
    wacc: float
    last_month: float = 1.0

    @property
    def beta(self) -> float:
        """Worth today of a dollar next month.

        A ratio a month: (1 + wacc)^(-1/12), with wacc a year. Source: docs/formulas/policy.md.
        """
        return float((1 + self.wacc) ** (-1 / 12))

    @property
    def stays(self) -> float:
        """q: the same of a dollar that counts only while the demand is there, a ratio a month."""
        return self.beta * (1 - self.churn)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Policy:
    """The cheapest policy of every slice.

    Shapes: value (levels, slices), $ from month 0 on; choice (months, slices) along today's level: the column of
    Ways to commit to, -1 to wait; by_month (months + 1, levels, slices), $ from each month on; signed_usd
    (ways, slices): what signing each way in month 0 at today's level costs until it ends, NaN where it is not open.
    first: the month down to which it was worked out; nothing is told of those before it. expected_usd (slices,): what
    the policy costs at today's level of month 0, part by part; None where nobody asked.
    """

    value: Floats
    choice: Ints
    by_month: Floats
    signed_usd: Floats
    first: int = 0
    expected_usd: Floats | None = None


def cheapest_policy(
    shares: Floats,
    state_of_month: Ints,
    ways: Ways,
    flex_rate: float | Floats | None,
    market: Market,
    widths: Floats | float,
    closed: Bools | None = None,
    first: int = 0,
    tail: Policy | None = None,
    by_part: BusyTable | None = None,
) -> Policy:
    """Backward recursion over months and levels, all slices at once (docs/formulas/policy.md).

    Shapes: shares u_k (states, levels, slices); state_of_month (months,) says which state a month has;
    widths b_k, GPUs: (slices,), or one for all. closed (months, ways, slices): what a slice may not sign in the
    first months.
    A candidate replaces the best so far when it is lower by more than 1e-12 of it: wait first, then ways in their
    order. flex_rate: r_flex, or of each month and slice where use is limited, (months, slices), NaN where nobody
    serves it. None: a busy slice cannot wait, nor sign what leaves a part of a month to be paid by use. first: the
    month down to which it is worked out; tail: what holds from its own first month on, by the columns of these ways.
    by_part: the table of these slices, where the policy is to be counted part by part too.
    """
    (_, levels, slices), horizon, today = shares.shape, market.horizon_months, shares.shape[1] // 2
    values, choice = np.empty((horizon + 1, levels, slices)), np.full((horizon, slices), -1, dtype=np.int64)
    values[horizon], begin = 0.0, horizon if tail is None else tail.first
    if tail is not None:
        values[begin:], choice[begin:] = tail.by_month[begin:], tail.choice[begin:]
    used = None if flex_rate is None else _use_usd(flex_rate, market, widths)
    table = None if used is None else by_part
    counted = (
        None
        if table is None
        else _Counted(table=table, ways=ways, market=market, shape=values.shape, widths=widths)
    )
    column, counts, fixed, by_use, ends = _options(ways, market)
    signed, now = np.full((ways.count, slices), np.nan), slice(1, counts[0])
    signed[column[0, now]] = fixed[0, now] * widths
    if used is not None:
        signed[column[0, now]] += by_use[0, now, None] * shares[state_of_month[0], today] * used[0]
    # with few slices calls of numpy are what takes time: all options of a month go through them at once
    chances_of = {end: _chances(market.stays, market.sigma, end) for end in np.unique(ends).tolist()}
    room, scratch = np.empty((1 + ways.count, levels, slices)), np.empty((levels, slices))
    at_today = np.empty((1 + ways.count, horizon, slices))
    each_usd, each_value, end_of, share_of = list(room), list(values), ends.tolist(), by_use.tolist()
    for month in range(begin - 1, first - 1, -1):
        count, busy, end = counts[month], shares[state_of_month[month]], end_of[month]
        options = room[:count]
        for at in range(count):
            if at and end[at] == end[at - 1]:
                np.copyto(each_usd[at], each_usd[at - 1])
            else:
                _after(each_value, month, chances_of[end[at]], each_usd[at])
        options += (fixed[month, :count] * widths)[:, None]
        for at, share in enumerate(share_of[month][:count]):
            if share > 0 and used is not None:
                each_usd[at] += np.multiply(busy, used[month] * share, out=scratch)
            elif share > ROUNDING:
                each_usd[at][busy > NOT_BUSY] = IMPOSSIBLE_USD
        if closed is not None and month < len(closed):
            np.copyto(options[1:], np.inf, where=closed[month, column[month, 1:count], None])
        np.minimum.reduce(options, axis=0, out=each_value[month])
        at_today[:count, month] = options[:, today]
        if counted is not None and used is not None:
            counted.decide(month, used[month], _first_lowest(options), column[month, :count].tolist())
    for count, alike in groupby(range(first, begin), counts.__getitem__):
        months = list(alike)
        run = slice(months[0], months[-1] + 1)
        choice[run] = np.take_along_axis(column[run], _first_lowest(at_today[:count, run]), axis=1)
    return Policy(
        value=values[first],
        choice=choice,
        by_month=values,
        signed_usd=signed,
        first=first,
        expected_usd=None if counted is None else counted.at(first),
    )


def _use_usd(flex_rate: float | Floats, market: Market, widths: Floats | float) -> Floats:
    """$ of each month of a slice that is busy all through, by use: (months, slices), or one for all."""
    months = np.arange(market.horizon_months)
    prices = over(market.use_prices, len(months))[:, None]
    return np.asarray(HOURS_PER_MONTH * widths * _rate_in(flex_rate, months, prices))


def _options(ways: Ways, market: Market) -> tuple[Ints, list[int], Floats, Floats, Floats]:
    """To wait, and then the ways that are open in a month: their columns, -1 to wait, and how many of them there are.

    Then $ a GPU that are sure, (months, 1 + ways, 1), the share of the month that is paid by use, and the months until
    each ends, (months, 1 + ways). What is beyond the count of a month means nothing.
    """
    month = np.arange(market.horizon_months)[:, None]
    wait, is_open, until = np.zeros(month.shape), ways.is_open, len(month) - 1 + market.last_month - month
    column = np.argsort(~is_open, axis=1, kind="stable")
    length, late = ways.months[column], np.where(is_open, ways.late, 0.0)[month, column]
    bound = np.maximum(np.minimum(length, until - late), 0.0)
    paid = HOURS_PER_MONTH * ways.rate[month, column] * annuities(market.beta, bound) + ways.upfront[column]
    is_inside = ways.is_block[column] & (late + length < 1 - ROUNDING)
    fixed = np.hstack((wait, market.stays**late * paid))[:, :, None]
    by_use = np.hstack((np.minimum(1.0, until), np.where(is_inside, 1 - length, late)))
    ends = np.hstack((wait + 1, np.where(is_inside, 1.0, late + length)))
    columns = np.hstack((np.full(month.shape, -1), column))
    return columns, (1 + is_open.sum(axis=1)).tolist(), fixed, by_use, ends


def _first_lowest(usd: Floats) -> Ints:
    """The place of the lowest of (options, ..) $: one replaces the best so far where it is lower by more than TIE."""
    best, place = usd[0].copy(), np.zeros(usd.shape[1:], dtype=np.int64)
    for at, option in enumerate(usd[1:], 1):
        is_lower = option < best * (1 - TIE)
        np.copyto(best, option, where=is_lower)
        np.copyto(place, at, where=is_lower)
    return place


class _Counted:
    """What a policy costs part by part: use in the part in which it is, an order from the day on which it is dated.

    Source: docs/formulas/policy.md, Whole decisions.
    """

    def __init__(
        self, table: BusyTable, ways: Ways, market: Market, shape: tuple[int, ...], widths: Floats | float
    ) -> None:
        """values: by month, filled from the last month down, (months + 1, levels, slices)."""
        self.values, self._table, self._ways, self._market = np.zeros(shape), table, ways, market
        self._widths, self._spread = widths, ways.spread

    def at(self, month: int) -> Floats:
        """At today's level, (slices,)."""
        return np.array(self.values[month][len(self.values[month]) // 2])  # a view would keep all of them

    def _after(self, month: int, later: float) -> Floats:
        """What is expected so many months later."""
        chances = _chances(self._market.stays, self._market.sigma, later)
        return _after(self.values, month, chances, np.empty_like(self.values[0]))

    def decide(self, month: int, used: Floats, place: Ints, columns: Sequence[int]) -> None:
        """Follow the options of a month: place (levels, slices) in columns, 0 to wait."""
        self.wait(month, used)
        for at, column in enumerate(columns[1:], 1):
            who = np.asarray(place == at)
            if who.any():
                self.commit(month, column, used, who)

    def wait(self, month: int, used: Floats) -> None:
        """Every slice waits. used: $ of a month of a slice that is busy all through, by use."""
        self._pieces = self._table.pieces[self._table.state_of_month[month]]
        shares = self._table.shares if self._table.by_part is None else self._table.by_part
        self._busy = [shares[place] for _, place in self._pieces]
        use = sum(share * busy for (share, _), busy in zip(self._pieces, self._busy, strict=True))
        self.values[month] = self._after(month, 1) + use * used

    def commit(self, month: int, column: int, used: Floats, who: Bools) -> None:
        """Those of them (levels, slices) commit in a month: use before the order begins, the order, what follows."""
        ways, market = self._ways, self._market
        begin, length = float(ways.late[month, column]), float(ways.months[column])
        starts = np.full(who.shape, begin)
        if len(self._pieces) > 1 and not ways.is_block[column]:
            worth = [
                busy * used >= self._spread[month, column] * HOURS_PER_MONTH * self._widths * (1 - TIE)
                for busy in self._busy
            ]
            first = np.argmax(worth, axis=0)
            edges = np.cumsum([0.0, *(share for share, _ in self._pieces)])
            starts = np.maximum(starts, np.where(np.any(worth, axis=0), edges[first], 0.0))
        until = market.horizon_months - 1 + market.last_month
        for start in np.unique(starts[who]).tolist():
            here = who & (starts == start)
            bound = max(min(length, until - month - start), 0.0)
            paid = (
                HOURS_PER_MONTH * ways.rate[month, column] * annuity(market.beta, bound)
                + ways.upfront[column]
            )
            usd = market.stays**start * paid * self._widths
            is_inside = ways.is_block[column] and start + length < 1 - ROUNDING
            then = self._after(month, 1.0 if is_inside else start + length)
            before, at = 0.0, 0.0
            for (share, _), busy in zip(self._pieces, self._busy, strict=True):
                open_share = min(max(start - at, 0.0), share)
                if is_inside:
                    open_share = share - max(min(start + length, at + share) - max(start, at), 0.0)
                before, at = before + open_share * busy, at + share
            np.copyto(self.values[month], then + usd + before * used, where=here)


@lru_cache(maxsize=256)
def _chances(stays: float, sigma: float, later: float) -> tuple[int, Floats, Floats | None]:
    """i, whole months, and q^i E_i. What follows an end inside a month lies on the line to the next: then its share."""
    whole = floor(later + ROUNDING)
    part = max(later - whole, 0.0)
    chances = stays**whole * after_months(sigma, whole)
    if part <= ROUNDING:
        return whole, chances, None
    return whole, (1 - part) * chances, part * stays ** (whole + 1) * after_months(sigma, whole + 1)


def _after(
    values: Floats | Sequence[Floats], month: int, chances: tuple[int, Floats, Floats | None], out: Floats
) -> Floats:
    """W(t, j, y), into `out`: what is expected after y months of a commitment that is signed for month t, discounted.

    values: V by month, (months + 1, levels, slices); 0 from the horizon on. chances: of y.
    """
    whole, before, after = chances
    if month + whole >= len(values) - 1:
        out.fill(0.0)
        return out
    np.dot(before, values[month + whole], out)
    if after is not None:
        out += after @ values[month + whole + 1]
    return out


@lru_cache(maxsize=4096)
def annuity(beta: float, months: float) -> float:
    """a(n) = 1 + beta + .. over the whole months of n, plus its rest times beta^floor(n).

    >>> annuity(1.0, 2.5), annuity(0.5, 2.0)
    (2.5, 1.5)
    """
    return float(annuities(beta, np.array(months)))


def annuities(beta: float, months: Floats) -> Floats:
    """The same of each of many n, of any shape."""
    whole = np.floor(months + ROUNDING).astype(np.int64)
    kept = beta ** np.arange(whole.max(initial=0) + 1)
    sums = np.concatenate(([0.0], np.cumsum(kept)))
    return np.asarray(sums[whole] + np.maximum(months - whole, 0.0) * kept[whole])


def _rate_in(flex_rate: float | Floats, month: int | Ints, price: float | Floats) -> Floats | float:
    """$ per GPU-hour by use in a month, or in each of some; price: share of today's, of several (months, 1)."""
    if isinstance(flex_rate, float | int):
        return flex_rate * price
    here = flex_rate[month]
    return np.where(np.isnan(here), UNSERVED_USD, here * price)


# --- Orders: the policy along today's level, slice by slice, dated

NOBODY: Final = -2
"""The place of the offer of a term set by hand that nobody sells."""
NO_ORDER: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Orders:
    """What each slice signs along today's level: at most one order in each month of the plan.

    Shapes: all (months, slices). offer: place in the row's offers, NO_ORDER where none starts, NOBODY: nobody sells it;
    start_s, end_s: seconds from the plan's first moment; follows: it starts when the slice's order before it ends.
    Law: orders of one slice never overlap.
    """

    offer: Ints
    start_s: Ints
    end_s: Ints
    follows: Bools

    @property
    def is_there(self) -> Bools:
        """Whether an order starts, (months, slices)."""
        return np.asarray(self.offer != NO_ORDER)

    @property
    def columns(self) -> tuple[np.ndarray, ...]:
        """All of it, as it is made of them."""
        return self.offer, self.start_s, self.end_s, self.follows

    def put(self, k: int, place: int, start_s: int, end_s: int, is_next: bool = False) -> None:
        """Add an order of a slice in the first free line from its month on; in place. is_next: it follows one that is
        not of the slice."""
        free = np.flatnonzero(self.offer[start_s // MONTH_S :, k] == NO_ORDER)
        if len(free):
            line = start_s // MONTH_S + int(free[0])
            before = self.end_s[self.is_there[:, k], k]
            self.offer[line, k], self.start_s[line, k], self.end_s[line, k] = place, start_s, end_s
            self.follows[line, k] = is_next or bool((before == start_s).any())

    def first(self, count: int) -> "Orders":
        """Of the first so many slices."""
        return Orders(*(column[:, :count] for column in self.columns))


def no_orders(months: int, slices: int) -> Orders:
    """Nothing signed."""
    shape = (months, slices)
    start_s, end_s = np.zeros(shape, np.int64), np.zeros(shape, np.int64)
    return Orders(np.full(shape, NO_ORDER, np.int64), start_s, end_s, np.zeros(shape, np.bool_))


def together(pieces: Sequence[Orders]) -> Orders:
    """Orders of neighbouring slices, from the lowest up."""
    columns = zip(*(piece.columns for piece in pieces), strict=True)
    return Orders(*(np.concatenate(alike, axis=1) for alike in columns))


@dataclass(frozen=True, slots=True, eq=False)
class UseCosts:
    """What a GPU of each slice costs by use along today's level. usd: up to each edge of its parts, (parts + 1,
    slices), $; rate (parts, slices), $ per hour of it."""

    edges_s: Ints
    usd: Floats
    rate: Floats

    def until(self, at_s: Ints, slices: Ints) -> Floats:
        """$ from the plan's first moment up to one of each of some slices; beyond the last edge nothing is added."""
        at = np.minimum(at_s, self.edges_s[-1])
        part = np.searchsorted(self.edges_s[1:-1], at, side="right")
        since = (at - self.edges_s[part]) / HOUR_S
        return np.asarray(self.usd[part, slices] + since * self.rate[part, slices])


def use_costs(
    parts: Parts, flex_rate: float | Floats | None, prices: Floats, horizon_months: int
) -> UseCosts:
    """Of the parts inside the horizon. prices: of each part, as shares of today's; flex_rate as in the policy."""
    count = int(np.searchsorted(parts.edges_s, horizon_months * MONTH_S))
    busy = parts.busy[:count]
    if flex_rate is None:
        rate = np.where(busy > NOT_BUSY, UNSERVED_USD, 0.0)
    else:
        rate = busy * _rate_in(flex_rate, parts.months[:count], prices[:count, None])
    edges_s = parts.edges_s[: count + 1]
    usd = np.concatenate(
        (np.zeros((1, busy.shape[1])), np.cumsum(rate * (np.diff(edges_s) / HOUR_S)[:, None], axis=0))
    )
    return UseCosts(edges_s, usd, rate)


def orders_along(policy: Policy, ways: Ways, use: UseCosts, months: int, held: Ints | None = None) -> Orders:
    """Follow a policy along j = 0, slice by slice, and date what it signs. Source: docs/formulas/orders.md.

    held: of each slice the way that it signs in the first month in which it is open whatever the policy says,
    (slices,), -1 for none; before it nothing is signed.
    An order that costs more than the use of its span inside the horizon, or that would come after its offer's last day,
    is not placed; the policy is asked again in the next month. Law: an order starts in its own month, after its lead,
    and when the one before it has ended.
    """
    horizon, slices = policy.choice.shape
    orders = no_orders(months, slices)
    free_in, free_s = np.zeros(slices, dtype=np.int64), np.full(slices, -1, dtype=np.int64)
    bound_s = np.where(ways.is_block, ways.length_s, np.maximum(ways.length_s, MONTH_S))
    spread, within_s = ways.spread, int(use.edges_s[-1])
    held = np.full(slices, -1) if held is None else held
    signs_in = np.where(held >= 0, ways.is_open.argmax(axis=0)[held], -1) if ways.count else held
    for month in range(min(horizon, months)):
        choice = policy.choice[month]
        choice = np.where(month < signs_in, -1, np.where(month == signs_in, held, choice))
        signs = (free_in <= month) & (choice >= 0)
        for column in sorted(set(choice[signs].tolist())):  # few: np.unique takes ten times as long
            (who,) = np.nonzero(signs & (choice == column))
            begin_s = int(ways.begin_s[month, column])
            if ways.is_block[column]:
                who = who[free_s[who] <= begin_s]
                start_s = np.full(len(who), begin_s)
                end_s = start_s + ways.length_s[column]
            else:
                start_s = np.maximum(free_s[who], begin_s)
                start_s = np.maximum(start_s, _first_worth(use, month, float(spread[month, column]), who))
                end_s = start_s + bound_s[column]
                if ways.length_s[column] < MONTH_S:
                    end_s = np.full(len(who), begin_s + MONTH_S)
            hours = np.maximum(np.minimum(end_s, within_s) - start_s, 0) / HOUR_S
            cost = ways.placed_rate(column, start_s) * hours + ways.upfront[column]
            instead = use.until(end_s, who) - use.until(start_s, who)
            pays = (cost <= instead * (1 + TIE)) & (end_s > start_s) & (start_s <= ways.last_start_s[column])
            pays |= signs_in[who] == month
            who, start_s, end_s = who[pays], start_s[pays], end_s[pays]
            orders.offer[month, who] = ways.place[column]
            orders.start_s[month, who], orders.end_s[month, who] = start_s, end_s
            orders.follows[month, who] = start_s == free_s[who]
            free_s[who] = end_s
            free_in[who] = np.maximum(end_s // MONTH_S, month + 1)
    return orders


def orders_of_blocks(ways: Ways, use: UseCosts, months: int, closed: Bools | None) -> Orders:
    """The blocks that each slice buys where only blocks are sold: with the use between them they cost least, exactly,
    along j = 0. closed: as of `cheapest_policy`. At most one block for each month of the plan; the first ones count.

    Source: docs/formulas/policy.md, Rules of offers; weighted interval scheduling (Kleinberg, Tardos 2005, 6.1).
    """
    month, column = np.nonzero(ways.is_open)
    by_start = np.argsort(ways.begin_s[month, column], kind="stable")
    month, column = month[by_start], column[by_start]
    start_s, who, last_s = ways.begin_s[month, column], np.arange(use.rate.shape[1]), use.edges_s[-1]
    end_s = start_s + ways.length_s[column]
    usd = ways.rate[month, column] * (np.minimum(end_s, last_s) - start_s) / HOUR_S + ways.upfront[column]
    saved = use.until(end_s[:, None], who) - use.until(start_s[:, None], who) - usd[:, None]
    if closed is not None:
        (soon,) = np.nonzero(month < len(closed))
        saved[soon] -= np.where(closed[month[soon], column[soon]], np.inf, 0.0)
    after = np.searchsorted(start_s, end_s).tolist()
    best = np.zeros((len(after) + 1, len(who)))
    for at in reversed(range(len(after))):
        best[at] = np.maximum(best[at + 1], best[after[at]] + saved[at])
    orders = no_orders(months, len(who))
    for k in who.tolist():
        at = 0
        while at < len(after):
            is_taken = best[at, k] > best[at + 1, k]
            if is_taken:
                orders.put(k, int(ways.place[column[at]]), int(start_s[at]), int(end_s[at]))
            at = after[at] if is_taken else at + 1
    return orders


def too_late(use: UseCosts, ways: Ways, slices: int) -> Bools | None:
    """What slices may not sign, (months, ways, slices): offers whose last day has passed when the use of a slice first
    costs as much as an order of the month. None where no offer has a last day in these months."""
    months = int(use.edges_s[-1] // MONTH_S)
    (ending,) = np.nonzero(ways.last_start_s < use.edges_s[-1])
    if not len(ending):
        return None
    closed, who = np.zeros((months, ways.count, slices), dtype=np.bool_), np.arange(slices)
    for column in ending.tolist():
        month = int(ways.last_start_s[column]) // MONTH_S
        if 0 <= month < months:
            first_s = _first_worth(use, month, float(ways.spread[month, column]), who)
            closed[month, column] = first_s > ways.last_start_s[column]
    return closed


def _first_worth(use: UseCosts, month: int, rate: float, who: Ints) -> Ints:
    """When the first part of a month begins in which the use of each slice costs at least as much as an order; the
    month's beginning where none does, or the month is one part; (slices,), seconds."""
    first, last = np.searchsorted(use.edges_s, (month * MONTH_S, (month + 1) * MONTH_S)).tolist()
    if last - first < 2:
        return np.zeros(len(who), dtype=np.int64)
    is_worth = use.rate[first:last, who] >= rate * (1 - TIE)
    return np.asarray(np.where(is_worth.any(axis=0), use.edges_s[first + is_worth.argmax(axis=0)], 0))


# --- Held levels: which slices take a level that the planner holds, so that the rest can be planned around it best

ADVICE_FIRST_USD: Final = 1e-6
"""A slice stays with what its policy says where another place for a held level costs no less than this more."""


@dataclass(frozen=True, slots=True, eq=False)
class HeldCosts:
    """What each place for a slice is expected to cost, $. terms: of the held levels, 0 first for none of them.

    Shapes: usd (terms, slices); wants (slices,): the held term that a slice signs now if it may, 0 for none.
    """

    terms: tuple[int, ...]
    usd: Floats
    wants: Ints


def held_costs(
    policy: Policy, without: Policy, ways: Ways, market: Market, held: Collection[int]
) -> HeldCosts:
    """Costs of all slices of a policy. without: the policy with no held term on offer.

    A slice of a held level signs its term in month 0 and then follows `policy`; another follows `policy` too, or
    `without` where `policy` would sign a held term in month 0. A term that nobody offers now costs nothing here:
    it takes the busiest slices.
    """
    today = policy.value.shape[0] // 2
    terms = (0, *sorted(held, reverse=True))
    signs = np.append(ways.terms, 0)[policy.choice[0]]  # -1, to wait, is the last
    wants = np.where(np.isin(signs, terms), signs, 0)
    free = np.where(wants > 0, without.value[today], policy.value[today])
    usd = np.stack([free, *(compute_signing_cost(policy, ways, market, term) for term in terms[1:])])
    return HeldCosts(terms, usd, wants)


def cheapest_places(costs: HeldCosts, sizes: Mapping[int, int]) -> Ints:
    """The held term (0: none) of each slice, at the least cost of all slices together, exactly; shape (slices,).

    sizes: slices by held term. Law: levels held at what the policy signs are exactly the slices that sign them.
    Source: minimum-cost flow by successive shortest paths (Ahuja, Magnanti, Orlin 1993, ch. 9); one unit a slice,
    one node a term.
    """
    terms = np.array(costs.terms, dtype=np.int64)
    usd = costs.usd + ADVICE_FIRST_USD * (costs.wants[None, :] != terms[:, None])
    place = np.zeros(usd.shape[1], dtype=np.int64)
    for node, term in enumerate(costs.terms[1:], 1):
        for _ in range(sizes[term]):
            push_slice(usd, place, node)
    return np.asarray(terms[place], dtype=np.int64)


def paid_months(market: Market, term: int) -> float:
    """Months that a term signed in month 0 is paid for inside the horizon, discounted: 1 + beta + .. .

    term: months. A term that outlasts the horizon counts up to it.
    Law: without discount the number of months, min(term, horizon).
    """
    return float((market.beta ** np.arange(min(term, market.horizon_months))).sum())


def policy_after_usd(policy: Policy, market: Market, months: float) -> Floats:
    """$ that the policy is expected to cost each slice from `months` on, as seen today; 0 from the horizon on.

    What lies inside a month lies on the line between two.

    Shapes: (slices,). Units: $ of today: discounted by market.beta, times the chance that the demand is still there.
    The level of demand is expected over the walk. Source: docs/formulas/policy.md: (beta (1 - lambda))^T E_T[V(T)].
    """
    chances = _chances(market.stays, market.sigma, months)
    after = _after(policy.by_month, 0, chances, np.empty_like(policy.value))
    return np.asarray(after[len(after) // 2])


def compute_signing_cost(policy: Policy, ways: Ways, market: Market, term: int) -> Floats:
    """$ of signing a term in month 0 and following the policy after it, (slices,); 0 where nobody offers it."""
    column = ways.of_term(term)
    if column < 0:
        return np.zeros(policy.value.shape[1])
    after = policy_after_usd(policy, market, float(ways.late[0, column] + ways.months[column]))
    return np.asarray(policy.signed_usd[column] + after, dtype=np.float64)


def push_slice(costs: Floats, place: Ints, target: int) -> None:
    """Give `target` one slice more, along the cheapest chain of slices that move on from node to node."""
    nodes = len(costs)
    step = np.full((nodes, nodes), np.inf)
    mover = np.zeros((nodes, nodes), dtype=np.int64)
    for node in range(nodes):
        (here,) = np.nonzero(place == node)
        if len(here):
            extra = costs[:, here] - costs[node, here]
            lowest = extra.argmin(axis=1)
            step[node], mover[node] = extra[np.arange(nodes), lowest], here[lowest]
    reach, came_from = np.full(nodes, np.inf), np.zeros(nodes, dtype=np.int64)
    reach[0] = 0.0
    for _ in range(nodes - 1):
        for node in range(1, nodes):
            through = reach + step[:, node]
            through[node] = np.inf
            best = int(through.argmin())
            if through[best] < reach[node] - 1e-9:
                reach[node], came_from[node] = through[best], best
    node, seen = target, 0
    while node and seen < nodes:
        before = int(came_from[node])
        place[mover[before, node]] = node
        node, seen = before, seen + 1


# --- Use that is limited: which slice of which month may be paid by use, and at what rate, where offers have a maximum

Blend = Callable[[frozenset[str]], tuple[Flex, Mapping[str, float]]]
"""r_flex of a row without some offers (by offer_id), and the share of its GPU-hours on each of the others."""

_ROUNDING: Final = 1e-9


@dataclass(frozen=True, slots=True, eq=False)
class LimitedUse:
    """What each slice pays by use in each month. Shapes: rate (months, slices), $ per GPU-hour at prices of today, NaN
    where nobody serves it; flex (slices,): place in `flexes` of what it pays in month 0."""

    rate: Floats
    flex: Ints
    flexes: tuple[Flex, ...]


def use_together(pieces: Sequence[LimitedUse]) -> LimitedUse:
    """Several slices, from the bottom up, as one."""
    flexes = tuple(dict.fromkeys(flex for piece in pieces for flex in piece.flexes))
    places = [flexes.index(piece.flexes[at]) for piece in pieces for at in piece.flex.tolist()]
    rate = np.concatenate([piece.rate for piece in pieces], axis=1)
    return LimitedUse(rate, np.array(places, dtype=np.int64), flexes)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class UseAsked:
    """One row that asks for GPUs by use. offers: usage-priced and eligible; ratios: of mapped models, by offer_id.

    is_refused: nobody who may serve it sells by use: what is not signed is served by nobody.
    """

    offers: tuple[Offer, ...]
    blend: Blend
    busy: BusyTable
    slicing: Slicing
    ratios: Mapping[str, float] = field(default_factory=dict)
    is_refused: bool = False

    @property
    def is_limited(self) -> bool:
        """Whether what its slices pay is not one rate for all.

        Where it is False, one r_flex holds for all slices and months, and `limited_use` answers None.
        """
        return self.is_refused or is_limited(self.offers)


def usage_offers(eligible: Sequence[Offer]) -> tuple[Offer, ...]:
    """Offers paid by use that have a rate.

    On demand and spot, in given order. A rate of 0 counts as none stated.
    """
    categories = (PricingCategory.STANDARD, PricingCategory.DYNAMIC)
    return tuple(offer for offer in eligible if offer.pricing_category in categories and offer.rate)


def is_limited(offers: Sequence[Offer]) -> bool:
    """Whether one of these offers has a maximum, or days.

    A maximum of GPUs, or a first or last day of capacity. False without offers.
    """
    return any(offer.max_gpus is not None or offer.starts or offer.ends for offer in offers)


def limited_use(
    rows: Sequence[UseAsked | None], months: int, calendar: Calendar
) -> tuple[LimitedUse | None, ...]:
    """What every row may pay by use; None for rows without limits. rows: in the order in which offers are given out.

    Month by month the limits go to slices that are busy, from the highest of a row downward: each takes of an offer its
    GPUs times the share of the row's GPU-hours on it; an offer with too little left is closed to it, and it takes the
    next best. Source: docs/formulas/policy.md.
    """
    if not any(row is not None and row.is_limited for row in rows):
        return tuple(None for _ in rows)
    tables = [_Table(row, months) if row is not None and row.is_limited else None for row in rows]
    known: dict[object, int] = {}
    for month in range(months):
        alike = tuple(
            (int(row.busy.state_of_month[month]), _closed_in(row.offers, month, calendar))
            for row, table in zip(rows, tables, strict=True)
            if row is not None and table is not None
        )
        first = known.setdefault(alike, month)
        if first < month:
            for table in tables:
                if table is not None:
                    table.copy(first, month)
            continue
        left = {
            offer.offer_id: float(offer.max_gpus)
            for row in rows
            if row is not None
            for offer in row.offers
            if offer.max_gpus is not None
        }
        for row, table in zip(rows, tables, strict=True):
            if row is not None and table is not None:
                table.give_out(month, left, _closed_in(row.offers, month, calendar))
    return tuple(None if table is None else table.answer() for table in tables)


def _closed_in(offers: Sequence[Offer], month: int, calendar: Calendar) -> frozenset[str]:
    """Offers whose capacity is not there through all of a month."""
    if calendar.begin_s is None:
        return frozenset()
    begin_s = calendar.begin_s + month * MONTH_S
    return frozenset(
        offer.offer_id
        for offer in offers
        if (offer.starts_s is not None and offer.starts_s > begin_s)
        or (offer.ends_s is not None and offer.ends_s < begin_s + MONTH_S)
    )


class _Table:
    """One row's answer in the making."""

    def __init__(self, row: UseAsked, months: int) -> None:
        """Nothing is served at first: rates are NaN until a slice finds an offer."""
        self._row = row
        self._blends: dict[frozenset[str], tuple[Flex, Mapping[str, float]]] = {}
        self._rate = np.full((months, row.slicing.count), np.nan)
        self._flexes: dict[Flex, int] = {}
        self._flex = np.zeros(row.slicing.count, dtype=np.int64)

    def copy(self, source: int, month: int) -> None:
        """A month that is like another."""
        self._rate[month] = self._rate[source]

    def give_out(self, month: int, left: dict[str, float], closed: frozenset[str]) -> None:
        """One month, highest slice first; what busy slices take is taken off `left`."""
        widths = self._row.slicing.widths.tolist()
        busy = self._row.busy.today(month) > NOT_BUSY
        for k in range(len(widths) - 1, -1, -1):
            flex, shares = self._open(closed, left, widths[k])
            self._rate[month, k] = np.nan if flex.rate is None else flex.rate
            if month == 0:
                self._flex[k] = self._flexes.setdefault(flex, len(self._flexes))
            if busy[k]:
                for offer_id, share in shares.items():
                    if offer_id in left:
                        left[offer_id] -= share * widths[k] / self._row.ratios.get(offer_id, 1.0)

    def _open(
        self, closed: frozenset[str], left: Mapping[str, float], width: float
    ) -> tuple[Flex, Mapping[str, float]]:
        """The blend that is open to a slice of this width: offers with too little left are closed one by one,
        the first by id, since each closure moves shares to the others.
        """
        while True:
            if closed not in self._blends:
                self._blends[closed] = self._row.blend(closed)
            flex, shares = self._blends[closed]
            short = [
                offer_id
                for offer_id, share in shares.items()
                if offer_id in left
                and share * width / self._row.ratios.get(offer_id, 1.0) > left[offer_id] + _ROUNDING
            ]
            if not short:
                return flex, shares
            closed = closed | {min(short)}

    def answer(self) -> LimitedUse:
        """What was found."""
        return LimitedUse(self._rate, self._flex, tuple(self._flexes))
