"""The list of one row: its orders and its use, part by part; every $ and GPU-hour of a span is a sum over it."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed
from gpuplanner.domain.commitment.recursion.slice_policy import NOBODY
from gpuplanner.domain.commitment.slicing import SOON_MONTHS
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.only import paid_gpus
from gpuplanner.domain.model.window import HOUR_S, MONTH_S

COMPARED_MONTHS = SOON_MONTHS


@dataclass(frozen=True, slots=True)
class Listed:
    """Slices of a row that hold one offer from a start to an end, seconds from the plan's first moment.

    month: of the plan, whose price it has; place: of its offer in the row's, NOBODY where nobody sells it. slices:
    which ones. gpus: of the row's model that work; paid_gpus: that are paid for, more where whole units are. rate: $
    per GPU-hour of the row's model, without what is paid upfront; None where nobody sells it. upfront: $ a GPU.
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
        """Hours that it pays and serves."""
        return (self.end_s - self.start_s) / HOUR_S

    @property
    def usd_per_hour(self) -> float | None:
        """$ of an hour of it, what is paid upfront spread over all of them."""
        return None if self.rate is None else self.paid_gpus * (self.rate + self.upfront / self.hours)

    def hours_in(self, from_s: Ints, to_s: Ints) -> Floats:
        """Hours of it in spans; shape of the spans."""
        inside = np.minimum(self.end_s, to_s) - np.maximum(self.start_s, from_s)
        return np.asarray(np.maximum(inside, 0) / HOUR_S, dtype=np.float64)


def listed_of(row: RowToPlan, signed: Signed) -> Iterator[Listed]:
    """All orders of a row inside its horizon, by start month and offer: slices that hold the same one together."""
    idle = dict(signed.idle)
    orders, widths = signed.orders, row.slicing.widths
    priced_months = len(row.market.use_prices)
    rates = row.rates_when_signed(priced_months)
    for month in range(len(orders.offer)):
        alike: dict[tuple[int, int, int], list[int]] = {}
        (who,) = np.nonzero(orders.is_there[month])
        kinds = [column[month, who].tolist() for column in (orders.offer, orders.start_s, orders.end_s)]
        for k, *kind in zip(who.tolist(), *kinds, strict=True):
            alike.setdefault((kind[0], kind[1], kind[2]), []).append(k)
        for (place, start_s, end_s), of_kind in sorted(alike.items()):
            slices = np.array(of_kind, dtype=np.int64)
            gpus = float(widths[slices].sum())
            if place == NOBODY:
                yield Listed(month, place, start_s, end_s, slices, gpus, gpus, None, 0.0)
                continue
            offer = row.offers[place]
            paid = paid_gpus(gpus, row.ratios.get(offer.offer_id), offer.unit_gpus) + idle.pop(place, 0.0)
            rate = float(rates[place, min(start_s // MONTH_S, priced_months - 1)])
            yield Listed(month, place, start_s, end_s, slices, gpus, paid, rate, offer.upfront)


@dataclass(frozen=True, slots=True, eq=False)
class RowList:
    """What one row holds and uses in the parts of the twelve months, of a run of all months, along today's level of
    demand.

    orders: all inside the horizon. Shapes: edges_s (parts + 1,), seconds from the plan's first moment; order_h (orders,
    parts), hours that each holds in each part; busy, held_h, used, unserved, rate (parts, slices): share of each part
    that a slice is busy, hours of it that an order holds it, GPU-hours that it pays by use, GPU-hours that nobody
    serves, and $ per GPU-hour by use at prices of the part, NaN where nobody sells.
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
        """The parts of a month."""
        first, last = np.searchsorted(self.edges_s, (month * MONTH_S, (month + 1) * MONTH_S)).tolist()
        return slice(first, last)

    def running(self, month: int) -> list[tuple[Listed, float]]:
        """The orders that hold GPUs in a month, with the hours of it that they do."""
        hours = self.order_h[:, self.parts_of(month)].sum(axis=1)
        return [(self.orders[at], float(hours[at])) for at in np.flatnonzero(hours).tolist()]

    def orders_usd(self, month: int) -> float | None:
        """$ of what orders hold in a month, used or not; None where nobody sells one that runs in it."""
        return known_sum(
            None if one.usd_per_hour is None else one.usd_per_hour * hours
            for one, hours in self.running(month)
        )

    def use_usd(self, month: int) -> float | None:
        """$ by use in a month, at its prices; None where nobody sells by use what is used."""
        parts = self.parts_of(month)
        used, rate = self.used[parts], self.rate[parts]
        if np.isnan(rate[used > 0]).any():
            return None
        return float((used * np.nan_to_num(rate)).sum())

    @property
    def usd(self) -> float | None:
        """$ of its orders, each whole, and of all use; None where one is unknown."""
        months = range(int(self.edges_s[-1]) // MONTH_S)
        orders = (None if one.usd_per_hour is None else one.usd_per_hour * one.hours for one in self.orders)
        return known_sum([*orders, *(self.use_usd(month) for month in months)])

    def used_in(self, from_s: int, to_s: int) -> float:
        """GPU-hours that are paid by use in the parts between two edges."""
        first, last = np.searchsorted(self.edges_s, (from_s, to_s)).tolist()
        return float(self.used[first:last].sum())

    def unserved_in(self, month: int) -> float:
        """GPU-hours of a month that nobody serves."""
        return float(self.unserved[self.parts_of(month)].sum())

    def rate_by_use(self, month: int) -> float | None:
        """$ per GPU-hour of what a month pays by use, a mean; of all that it could where it pays nothing.

        Law: times its GPU-hours by use it is its $ by use. None where nobody sells by use.
        """
        parts = self.parts_of(month)
        rate, weight = self.rate[parts], self.used[parts]
        if not weight.any():
            weight = np.where(np.isnan(rate), 0.0, 1.0)
        if not weight.any() or np.isnan(rate[weight > 0]).any():
            return None
        return float((np.nan_to_num(rate) * weight).sum() / weight.sum())

    def holds_unknown(self, month: int) -> bool:
        """Whether levels set by hand hold a term in a month that nobody sells: what they cost is unknown."""
        return any(one.rate is None for one, _ in self.running(month))


def row_list(row: RowToPlan, signed: Signed, denied_h: Floats | None = None) -> RowList:
    """The list of a row. denied_h: hours of each part in which a slice's use is served by nobody, for a budget,
    (parts, slices); None without one. Of a run all months are listed. Source: docs/formulas.md, A plan is a list."""
    parts, widths = row.busy.parts, row.slicing.widths
    count = len(parts.busy) if row.is_run else int(np.searchsorted(parts.edges_s, COMPARED_MONTHS * MONTH_S))
    edges_s, busy = parts.edges_s[: count + 1], parts.busy[:count]
    months = parts.months[:count]
    lengths_h = np.diff(edges_s) / HOUR_S
    orders = tuple(listed_of(row, signed))
    order_h, held_h = np.zeros((len(orders), count)), np.zeros(busy.shape)
    for at, one in enumerate(orders):
        if one.start_s < edges_s[-1]:
            order_h[at] = one.hours_in(edges_s[:-1], edges_s[1:])
            held_h[:, one.slices] += order_h[at][:, None]
    open_h = np.maximum(lengths_h[:, None] - held_h, 0.0)
    open_h[open_h < 1e-9] = 0.0  # hours: what is left of dividing seconds
    denied = np.zeros(busy.shape) if denied_h is None else np.minimum(denied_h[:count], open_h)
    prices = row.part_prices()[:count, None]
    if row.use is None:
        rate = np.full(busy.shape, np.nan if row.flex.rate is None else row.flex.rate) * prices
        is_sold = np.ones(busy.shape, dtype=np.bool_)  # a rate that is missing is unknown, not unserved
    else:
        rate = row.use.rate[months] * prices
        is_sold = ~np.isnan(rate)
    used, lost = busy * widths * (open_h - denied), busy * widths * denied
    return RowList(
        orders,
        edges_s,
        order_h,
        busy,
        held_h,
        np.where(is_sold, used, 0.0),
        lost + np.where(is_sold, 0.0, used),
        rate,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Bought:
    """A row of slices, or a layer of a run, with what it signs and its list.

    denied_h: hours of parts in which a budget leaves slices unserved, (parts, slices), and lost_usd, what those of the
    list cost without it; None without a budget.
    """

    row: RowToPlan
    signed: Signed
    listed: RowList
    denied_h: Floats | None = field(default=None, kw_only=True)
    lost_usd: Floats | None = field(default=None, kw_only=True)
