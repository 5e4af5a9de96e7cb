"""A budget a month: what a plan does not serve, and what it starts later, so that no month costs more."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.plan.row_list import Bought, Listed, RowList, row_list
from gpuplanner.domain.commitment.recursion.allocation import Signed
from gpuplanner.domain.commitment.recursion.calendar import is_block
from gpuplanner.domain.commitment.recursion.slice_policy import NO_ORDER, Orders
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, MONTH_S

GIVEN_UP: Final = (frozenset({Pool.BURST}), frozenset({Pool.TRAINING}), frozenset({Pool.INFERENCE}))
"""The pools in the order in which they give way."""
ALL_ALIKE: Final = (frozenset(Pool),)
"""Where all workloads of a model are one pool."""
_ROUNDING_USD: Final = 1e-6
_DIGITS: Final = 9


@dataclass(frozen=True, slots=True)
class _Cut:
    """What may give way in a month: the use of a slice, or the order at a place of its list (None: use).

    usd: that it costs in the month; rate: $ per GPU-hour that it serves.
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
    order: Sequence[frozenset[Pool]] = GIVEN_UP,
) -> list[Bought]:
    """What everyone signs and serves so that no month costs more; as it was where an amount is unknown.

    Months in order: while one costs more, of the first pools that have one the dearest per GPU-hour gives way (ties:
    the higher slice, GPU model): a slice's use of the month is not served, or an order that holds part of it starts at
    the month's end, with its chain. contracts_usd: of the months. Source: docs/formulas.md, A budget a month.
    """
    waiting = [_Waiting(one) for one in bought]
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
                if (
                    over <= _ROUNDING_USD or of_slice[cut.row, cut.slice] > 1
                ):  # the rest of the slice moved too
                    break
    return [one.answer() for one in waiting]


def _over(waiting: Sequence["_Waiting"], month: int, over: float) -> float | None:
    """$ by which a month costs more than the budget; None where an amount is unknown."""
    for one in waiting:
        usd = one.usd_in(month)
        if usd is None:
            return None
        over += usd
    return over


def _cuts(waiting: Sequence["_Waiting"], month: int, order: Sequence[frozenset[Pool]]) -> list[_Cut]:
    """All that may give way in a month, what gives way first coming first."""
    found = [cut for at, one in enumerate(waiting) for cut in one.cuts(at, month)]

    def turn(cut: _Cut) -> tuple[int, float, float, int, str, int]:
        row = waiting[cut.row].row
        pools = next(at for at, some in enumerate(order) if row.pool in some)
        low = np.inf if row.is_run else row.slicing.below(cut.slice)
        above = -cut.row if row.is_run else 0  # runs lie on each other as they come
        return pools, -round(cut.rate, _DIGITS), -low, above, row.gpu_model or "", cut.row

    return sorted(found, key=turn)


class _Waiting:
    """One row in the making: its orders as they are moved, and what is not served."""

    def __init__(self, before: Bought) -> None:
        """Copies what is moved. before: the row without the budget."""
        self._before, self.row, self._signed = before, before.row, before.signed
        row, signed = before.row, before.signed
        names = ("offer", "start_s", "end_s", "follows")
        self._orders = Orders(*(getattr(signed.orders, name).copy() for name in names))
        self._denied_h, self._moved_h = np.zeros((2, len(row.busy.parts.edges_s) - 1, row.slices))
        self._listed: RowList | None = None

    @property
    def listed(self) -> RowList:
        """The list as it is now."""
        if self._listed is None:
            self._listed = row_list(self.row, self._now(), self._denied_h)
        return self._listed

    def _now(self) -> Signed:
        return replace(self._signed, orders=self._orders)

    def usd_in(self, month: int) -> float | None:
        """$ of the row in a month; None where one is unknown."""
        orders, use = self.listed.orders_usd(month), self.listed.use_usd(month)
        return None if orders is None or use is None else orders + use

    def cuts(self, at: int, month: int) -> Iterator[_Cut]:
        """What of the row may give way in a month; at: its place among the rows."""
        listed, parts = self.listed, self.listed.parts_of(month)
        used = listed.used[parts]
        usd, hours = (used * np.nan_to_num(listed.rate[parts])).sum(axis=0), used.sum(axis=0)
        for k in np.flatnonzero(usd > 0).tolist():
            yield _Cut(at, k, None, float(usd[k]), float(usd[k] / hours[k]))
        widths = self.row.slicing.widths
        for one, held in listed.running(month):
            if one.usd_per_hour is None:
                continue
            for k, rate in zip(one.slices.tolist(), self._rates_of(one).tolist(), strict=True):
                (number,) = np.nonzero(
                    (self._orders.start_s[:, k] == one.start_s) & self._orders.is_there[:, k]
                )
                yield _Cut(at, k, int(number[0]), one.usd_per_hour * held * widths[k] / one.gpus, rate)

    def _rates_of(self, one: Listed) -> Floats:
        """$ per GPU-hour that an order serves in the plan's months, of each of its slices; infinite where none."""
        parts = self.row.busy.parts
        inside = one.hours_in(parts.edges_s[:-1], parts.edges_s[1:])
        usd = (one.usd_per_hour or 0.0) * inside.sum() / one.gpus
        served: Floats = inside @ parts.busy[:, one.slices]
        return np.asarray(np.divide(usd, served, out=np.full(len(served), np.inf), where=served > 0))

    def give_way(self, cut: _Cut, month: int) -> None:
        """The use of a slice in a month is not served, or an order and its chain start at the month's end."""
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
        """When an order begins once the one before it ends later: a chain stays one, a block keeps its day."""
        keeps_day = place >= 0 and is_block(self.row.offers[place])
        return free_s if joins and not keeps_day else max(start_s, free_s)

    def _may_move(self, place: int, slice_: int, start_s: int, length: int) -> bool:
        """Whether an order may begin then: its offer is there, and it serves somebody."""
        parts = self.row.busy.parts
        inside = np.minimum(parts.edges_s[1:], start_s + length) - np.maximum(parts.edges_s[:-1], start_s)
        serves = bool((parts.busy[:, slice_] @ np.maximum(inside, 0)) > 0)
        is_there = place < 0 or self.row.calendar.is_there(self.row.offers[place], start_s, length)
        return serves and is_there

    def answer(self) -> Bought:
        """The row as it keeps to the budget, with the hours of its parts that nobody serves, and what these cost in the
        plan without it, $: GPU-hours x what one costs that its order, or use, serves."""
        before, now, widths = self._before.listed, self.listed, self.row.slicing.widths
        open_h = np.diff(before.edges_s)[:, None] / HOUR_S - now.held_h
        lost = np.minimum(self._denied_h[: len(open_h)], np.maximum(open_h, 0.0))
        gone_h = np.maximum(before.held_h - now.held_h, self._moved_h[: len(lost)])
        of_orders = np.minimum(np.minimum(gone_h, lost), before.held_h)
        usd = (lost - of_orders) * np.nan_to_num(before.rate)
        for at in reversed(range(len(before.orders))):  # what is lost lies at the end of its part
            one = before.orders[at]
            hours = np.minimum(before.order_h[at][:, None], of_orders[:, one.slices])
            usd[:, one.slices] += hours * np.nan_to_num(self._rates_of(one), posinf=0.0)
            of_orders[:, one.slices] -= hours
        lost_usd = usd * before.busy * widths
        return replace(
            self._before, signed=self._now(), listed=self.listed, denied_h=self._denied_h, lost_usd=lost_usd
        )
