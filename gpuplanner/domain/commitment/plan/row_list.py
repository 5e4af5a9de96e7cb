"""The list of one row: orders and on-demand use by part of a month, summed for any period; and cuts for a budget."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.demand.slicing import SOON_MONTHS
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed
from gpuplanner.domain.commitment.recursion.calendar import is_block, month_placed
from gpuplanner.domain.commitment.recursion.slice_policy import NO_ORDER, NOBODY, Orders
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book.only import paid_gpus
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S
from gpuplanner.lazy_dataclass import dataclass, field, replace

COMPARED_MONTHS = SOON_MONTHS


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """An order for slices of a row, with one offer from a start to an end, seconds from the plan's start.

    month: plan month of its price. place: index of its offer in the row's, NOBODY without an offer. slices: their
    indexes. gpus: working GPUs of the row's model. paid_gpus: GPUs paid for, more if sold in whole units. rate: $ per
    GPU-hour of the row's model without upfront payment; None without an offer. upfront: $ per GPU.
    """

    month: int
    place: int
    start_s: int
    end_s: int
    slices: Ints
    gpus: float
    paid_gpus: float
    rate: float | None
    upfront: float

    @property
    def hours(self) -> float:
        """Hours paid and served."""
        return (self.end_s - self.start_s) / HOUR_S

    @property
    def usd_per_hour(self) -> float | None:
        """$ per hour, with the upfront payment spread over all hours; None without a rate."""
        return None if self.rate is None else self.paid_gpus * (self.rate + self.upfront / self.hours)

    def hours_in(self, from_s: Ints, to_s: Ints) -> Floats:
        """Return its hours within periods; shape as the periods'."""
        inside = np.minimum(self.end_s, to_s) - np.maximum(self.start_s, from_s)
        return np.asarray(np.maximum(inside, 0) / HOUR_S, dtype=np.float64)


def listed_of(row: RowToPlan, signed: Signed) -> Iterator[Listed]:
    """Yield all orders of a row within its horizon, by start month and offer; slices with the same order are one."""
    idle = dict(signed.idle)
    orders, widths = signed.orders, row.slicing.widths
    priced_months = len(row.market.use_prices)
    rates = row.rates_when_placed(priced_months)
    is_there = orders.is_there
    for month in np.flatnonzero(is_there.any(axis=1)).tolist():
        (who,) = np.nonzero(is_there[month])
        kinds = [column[month, who].tolist() for column in (orders.offer, orders.start_s, orders.end_s)]
        alike = grouped(zip(zip(*kinds, strict=True), who.tolist(), strict=True))
        for (place, start_s, end_s), of_kind in sorted(alike.items()):
            slices = np.array(of_kind, dtype=np.int64)
            gpus = float(widths[slices].sum())
            if place == NOBODY:
                yield Listed(
                    month=month,
                    place=place,
                    start_s=start_s,
                    end_s=end_s,
                    slices=slices,
                    gpus=gpus,
                    paid_gpus=gpus,
                    rate=None,
                    upfront=0.0,
                )
                continue
            offer = row.offers[place]
            paid = paid_gpus(gpus, row.ratios.get(offer.offer_id), offer.unit_gpus) + idle.pop(place, 0.0)
            rate = float(rates[place, month_placed(offer, start_s, priced_months)])
            yield Listed(
                month=month,
                place=place,
                start_s=start_s,
                end_s=end_s,
                slices=slices,
                gpus=gpus,
                paid_gpus=paid,
                rate=rate,
                upfront=offer.upfront,
            )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RowList:
    """Orders and use of one row in the parts of the twelve months (a run: of all months) at today's level of demand.

    orders: all within the horizon. Shapes: edges_s (parts + 1,), seconds from the plan's start; order_h (orders,
    parts), hours of each order in each part; busy, held_h, used, unserved, rate (parts, slices): share of each part in
    which a slice is busy, hours on an order, on-demand GPU-hours, GPU-hours without an offer, and on-demand rate at the
    part's prices, $ per GPU-hour, NaN without an offer.
    """

    orders: tuple[Listed, ...]
    edges_s: Ints
    order_h: Floats
    busy: Floats
    held_h: Floats
    used: Floats
    unserved: Floats
    rate: Floats

    def parts_of(self, month: int) -> slice:
        """Return the parts of a month."""
        first, last = np.searchsorted(self.edges_s, (month * MONTH_S, (month + 1) * MONTH_S)).tolist()
        return slice(first, last)

    def running(self, month: int) -> list[tuple[Listed, float]]:
        """Return the orders that run in a month, with their hours in it."""
        hours = self.order_h[:, self.parts_of(month)].sum(axis=1)
        return [(self.orders[at], float(hours[at])) for at in np.flatnonzero(hours).tolist()]

    def orders_usd(self, month: int) -> float | None:
        """Return the cost of orders in a month, used or not, $; None if one has no rate."""
        return known_sum(
            None if order.usd_per_hour is None else order.usd_per_hour * hours
            for order, hours in self.running(month)
        )

    def use_usd(self, month: int) -> float | None:
        """Return the on-demand cost of a month, $, at its prices; None if used GPUs have no on-demand offer."""
        parts = self.parts_of(month)
        used, rate = self.used[parts], self.rate[parts]
        return None if np.isnan(rate[used > 0]).any() else float((used * np.nan_to_num(rate)).sum())

    def unpriced_in(self, month: int) -> float:
        """Return the on-demand GPU-hours of a month without an offer."""
        parts = self.parts_of(month)
        return float(self.used[parts][np.isnan(self.rate[parts])].sum())

    @property
    def usd(self) -> float | None:
        """$ of all its orders, each whole, and of on-demand use; None if one is unknown."""
        months = range(int(self.edges_s[-1]) // MONTH_S)
        orders = (None if o.usd_per_hour is None else o.usd_per_hour * o.hours for o in self.orders)
        return known_sum([*orders, *(self.use_usd(month) for month in months)])

    def used_in(self, from_s: int, to_s: int) -> float:
        """Return the on-demand GPU-hours in the parts between two edges, seconds."""
        first, last = np.searchsorted(self.edges_s, (from_s, to_s)).tolist()
        return float(self.used[first:last].sum())

    def unserved_in(self, month: int) -> float:
        """Return the unserved GPU-hours of a month."""
        return float(self.unserved[self.parts_of(month)].sum())

    def rate_by_use(self, month: int) -> float | None:
        """Return the mean on-demand rate of a month, $ per GPU-hour; without use, the mean of its possible rates.

        Law: times the on-demand GPU-hours it is the on-demand cost. None without an on-demand offer.
        """
        parts = self.parts_of(month)
        rate, weight = self.rate[parts], self.used[parts]
        if not weight.any():
            weight = np.where(np.isnan(rate), 0.0, 1.0)
        if not weight.any() or np.isnan(rate[weight > 0]).any():
            return None
        return float((np.nan_to_num(rate) * weight).sum() / weight.sum())

    def holds_unknown(self, month: int) -> bool:
        """Return whether layers set by the user include a term without an offer in a month, so that their cost is
        unknown.
        """
        return any(order.rate is None for order, _ in self.running(month))


def row_list(row: RowToPlan, signed: Signed, denied_h: Floats | None = None) -> RowList:
    """Return the list of a row. denied_h: hours of each part in which a budget leaves a slice's use unserved,
    (parts, slices); None without. A run lists all months. Source: docs/formulas/contracts.md, List of commitments.
    """
    parts, widths = row.busy.parts, row.slicing.widths
    compared = int(np.searchsorted(parts.edges_s, COMPARED_MONTHS * MONTH_S))
    count = len(parts.busy) if row.is_run else min(compared, len(parts.busy))
    edges_s, busy = parts.edges_s[: count + 1], parts.busy[:count]
    months = parts.months[:count]
    lengths_h = np.diff(edges_s) / HOUR_S
    orders = tuple(listed_of(row, signed))
    order_h, held_h = np.zeros((len(orders), count)), np.zeros(busy.shape)
    for at, order in enumerate(orders):
        if order.start_s < edges_s[-1]:
            order_h[at] = order.hours_in(edges_s[:-1], edges_s[1:])
            held_h[:, order.slices] += order_h[at][:, None]
    open_h = np.maximum(lengths_h[:, None] - held_h, 0.0)
    open_h[open_h < 1e-9] = 0.0  # hours: rounding of divided seconds
    denied = np.zeros(busy.shape) if denied_h is None else np.minimum(denied_h[:count], open_h)
    prices = row.part_prices()[:count, None]
    if row.use is None:
        rate = np.full(busy.shape, np.nan if row.flex.rate is None else row.flex.rate) * prices
        is_sold = np.ones(busy.shape, dtype=np.bool_)  # a missing rate means unknown, not unserved
    else:
        rate = row.use.rate[months] * prices
        is_sold = ~np.isnan(rate)
    used, lost = busy * widths * (open_h - denied), busy * widths * denied
    return RowList(
        orders=orders,
        edges_s=edges_s,
        order_h=order_h,
        busy=busy,
        held_h=held_h,
        used=np.where(is_sold, used, 0.0),
        unserved=lost + np.where(is_sold, 0.0, used),
        rate=rate,
    )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Bought:
    """A row of slices, or a layer of a run, with its orders and its list.

    denied_h: hours of parts in which a budget leaves slices unserved, (parts, slices). lost_usd: their cost in the list
    without the budget. None without a budget.
    """

    row: RowToPlan
    signed: Signed
    listed: RowList
    denied_h: Floats | None = field(default=None, kw_only=True)
    lost_usd: Floats | None = field(default=None, kw_only=True)


GIVEN_UP: Final = (frozenset({Pool.BURST}), frozenset({Pool.TRAINING}), frozenset({Pool.INFERENCE}))
"""Pools in the order in which a budget cuts them."""
ALL_ALIKE: Final = (frozenset(Pool),)
"""For a joint plan, where all workloads of a model are one pool."""
_ROUNDING_USD: Final = 1e-6
_DIGITS: Final = 9


@dataclass(frozen=True, slots=True, kw_only=True)
class _Cut:
    """A possible cut of a month: the use of a slice, or the order at an index of its list (None: use).

    usd: its cost in the month. rate: $ per GPU-hour served.
    """

    row: int
    slice: int
    order: int | None
    usd: float
    rate: float


def within_budget(
    bought: Sequence[Bought],
    contracts_usd: Sequence[float | None],
    budget_usd: float,
    order: Sequence[frozenset[Pool]],
) -> list[Bought]:
    """Return purchases cut so that no month exceeds the budget; unchanged if an amount is unknown.

    Months in order: while one exceeds it, the most expensive cut per GPU-hour of the first pools with any is made
    (ties: higher slice, GPU model). Either a slice's use in the month is not served, or an order moves to the month's
    end, with its chain. contracts_usd: cost of contracts by month. Source: docs/formulas/orders.md, Budget per month.
    """
    waiting = [_Waiting(purchase) for purchase in bought]
    for month, contracts in enumerate(contracts_usd):
        while contracts is not None:
            over = _over(waiting, month, contracts - budget_usd)
            cuts = _cuts(waiting, month, order) if over is not None and over > _ROUNDING_USD else []
            if over is None or not cuts:
                break
            of_slice = Counter((cut.row, cut.slice) for cut in cuts)
            for cut in cuts:
                waiting[cut.row].give_way(cut, month)
                over -= cut.usd
                # with several cuts of a slice its other orders moved too
                if over <= _ROUNDING_USD or of_slice[cut.row, cut.slice] > 1:
                    break
    return [row.answer() for row in waiting]


def _over(waiting: Sequence["_Waiting"], month: int, over: float) -> float | None:
    """Return by how many $ a month exceeds the budget; None if an amount is unknown."""
    for row in waiting:
        usd = row.usd_in(month)
        if usd is None:
            return None
        over += usd
    return over


def _cuts(waiting: Sequence["_Waiting"], month: int, order: Sequence[frozenset[Pool]]) -> list[_Cut]:
    """Return all possible cuts of a month, first cut first."""
    cuts = [cut for at, row in enumerate(waiting) for cut in row.cuts(at, month)]

    def turn(cut: _Cut) -> tuple[int, float, float, int, str, int]:
        row = waiting[cut.row].row
        pools = next(at for at, some in enumerate(order) if row.pool in some)
        low = np.inf if row.is_run else row.slicing.below(cut.slice)
        above = -cut.row if row.is_run else 0  # runs are stacked in their order
        return pools, -round(cut.rate, _DIGITS), -low, above, row.gpu_model or "", cut.row

    return sorted(cuts, key=turn)


class _Waiting:
    """A row being cut: its moved orders, and its unserved hours."""

    def __init__(self, before: Bought) -> None:
        """Copy the data that cuts change. before: the row without the budget."""
        self._before, self.row, self._signed = before, before.row, before.signed
        row, signed = before.row, before.signed
        names = ("offer", "start_s", "end_s", "follows")
        self._orders = Orders(*(getattr(signed.orders, name).copy() for name in names))
        self._denied_h, self._moved_h = np.zeros((2, len(row.busy.parts.edges_s) - 1, row.slices))
        self._listed: RowList | None = None

    @property
    def listed(self) -> RowList:
        """The list in its present state."""
        if self._listed is None:
            self._listed = row_list(self.row, self._now(), self._denied_h)
        return self._listed

    def _now(self) -> Signed:
        return replace(self._signed, orders=self._orders)

    def usd_in(self, month: int) -> float | None:
        """Return the $ of the row in a month; None if unknown."""
        orders, use = self.listed.orders_usd(month), self.listed.use_usd(month)
        return None if orders is None or use is None else orders + use

    def cuts(self, at: int, month: int) -> Iterator[_Cut]:
        """Yield the possible cuts of a row in a month. at: index of the row."""
        listed, parts = self.listed, self.listed.parts_of(month)
        used = listed.used[parts]
        usd, hours = (used * np.nan_to_num(listed.rate[parts])).sum(axis=0), used.sum(axis=0)
        for k in np.flatnonzero(usd > 0).tolist():
            yield _Cut(row=at, slice=k, order=None, usd=float(usd[k]), rate=float(usd[k] / hours[k]))
        widths = self.row.slicing.widths
        for order, held in listed.running(month):
            if order.usd_per_hour is None:
                continue
            for k, rate in zip(order.slices.tolist(), self._rates_of(order).tolist(), strict=True):
                (number,) = np.nonzero(
                    (self._orders.start_s[:, k] == order.start_s) & self._orders.is_there[:, k]
                )
                yield _Cut(
                    row=at,
                    slice=k,
                    order=int(number[0]),
                    usd=order.usd_per_hour * held * widths[k] / order.gpus,
                    rate=rate,
                )

    def _rates_of(self, order: Listed) -> Floats:
        """Return the $ per served GPU-hour of an order in the plan's months, for each of its slices; infinite if
        unused.
        """
        parts = self.row.busy.parts
        inside = order.hours_in(parts.edges_s[:-1], parts.edges_s[1:])
        usd = (order.usd_per_hour or 0.0) * inside.sum() / order.gpus
        served: Floats = inside @ parts.busy[:, order.slices]
        return np.asarray(np.divide(usd, served, out=np.full(len(served), np.inf), where=served > 0))

    def give_way(self, cut: _Cut, month: int) -> None:
        """Make a cut: leave a slice's use in a month unserved, or move an order and its chain to the month's end."""
        self._listed = None
        edges_s, until_s = self.row.busy.parts.edges_s, (month + 1) * MONTH_S
        if cut.order is None:
            inside = (edges_s[:-1] >= month * MONTH_S) & (edges_s[1:] <= until_s)
            self._denied_h[inside, cut.slice] = np.diff(edges_s)[inside] / HOUR_S
            return
        orders, k = self._orders, cut.slice
        from_s = int(orders.start_s[cut.order, k])
        gone = np.maximum(np.minimum(edges_s[1:], until_s) - np.maximum(edges_s[:-1], from_s), 0) / HOUR_S
        self._moved_h[:, k] += gone
        self._denied_h[:, k] = np.minimum(self._denied_h[:, k] + gone, np.diff(edges_s) / HOUR_S)
        free_s, joins = until_s, True
        for at in np.flatnonzero(orders.is_there[:, k]).tolist():
            if at < cut.order:
                continue
            before_s = int(orders.start_s[at, k])
            length = int(orders.end_s[at, k]) - before_s
            joins &= at == cut.order or bool(orders.follows[at, k])
            start_s = self._begins(orders.offer[at, k], before_s, free_s, joins)
            if start_s != before_s and not self._may_move(orders.offer[at, k], k, start_s, length):
                orders.offer[at, k], joins = NO_ORDER, False
                continue
            orders.follows[at, k] = at != cut.order and start_s == free_s
            orders.start_s[at, k], orders.end_s[at, k] = start_s, start_s + length
            free_s, joins = start_s + length, True

    def _begins(self, place: int, start_s: int, free_s: int, joins: bool) -> int:
        """Return the start of an order when the one before it ends later: a chain stays connected, a block keeps its
        date.
        """
        keeps_day = place >= 0 and is_block(self.row.offers[place])
        return free_s if joins and not keeps_day else max(start_s, free_s)

    def _may_move(self, place: int, slice_: int, start_s: int, length: int) -> bool:
        """Return whether an order may start then: its offer is available, and it serves demand."""
        parts = self.row.busy.parts
        inside = np.minimum(parts.edges_s[1:], start_s + length) - np.maximum(parts.edges_s[:-1], start_s)
        serves = bool((parts.busy[:, slice_] @ np.maximum(inside, 0)) > 0)
        is_there = place < 0 or self.row.calendar.is_there(self.row.offers[place], start_s, length)
        return serves and is_there

    def answer(self) -> Bought:
        """Return the row within the budget, with its unserved hours and their cost in the plan without it, $.

        The cost is GPU-hours x rate of the order, or of on-demand use, that would serve them.
        """
        before, now, widths = self._before.listed, self.listed, self.row.slicing.widths
        open_h = np.diff(before.edges_s)[:, None] / HOUR_S - now.held_h
        lost = np.minimum(self._denied_h[: len(open_h)], np.maximum(open_h, 0.0))
        gone_h = np.maximum(before.held_h - now.held_h, self._moved_h[: len(lost)])
        of_orders = np.minimum(np.minimum(gone_h, lost), before.held_h)
        usd = (lost - of_orders) * np.nan_to_num(before.rate)
        for at in reversed(range(len(before.orders))):  # lost hours are at the end of their part
            order = before.orders[at]
            hours = np.minimum(before.order_h[at][:, None], of_orders[:, order.slices])
            usd[:, order.slices] += hours * np.nan_to_num(self._rates_of(order), posinf=0.0)
            of_orders[:, order.slices] -= hours
        lost_usd = usd * before.busy * widths
        return replace(
            self._before, signed=self._now(), listed=self.listed, denied_h=self._denied_h, lost_usd=lost_usd
        )
