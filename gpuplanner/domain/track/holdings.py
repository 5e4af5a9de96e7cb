"""Holdings: the contracts and orders that serve and are paid for in the time that is compared."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.contract_months import month_start_s
from gpuplanner.domain.model.window import HOURS_PER_MONTH, MONTH_S, Window
from gpuplanner.domain.track.spans import Span

AT_AN_END = "contract_end"
"""Reason of an order that takes the place of a contract: it begins on the day that this one ends."""


@dataclass(frozen=True, slots=True)
class HeldOrder:
    """An order as if it had been signed: from when to when it serves and is paid, epoch seconds, the end exclusive.

    rate: $ per hour of one GPU of the offer's own model, what is paid upfront spread over its months; None: unknown.
    """

    order: Order
    start_s: int
    end_s: int
    rate: float | None

    @property
    def row(self) -> Row:
        """What it serves."""
        return self.order.pool, self.order.gpu_model

    @property
    def usd_per_hour(self) -> float | None:
        """$ of an hour of all its GPUs, used or not."""
        return None if self.rate is None else self.order.bought_gpus * self.rate


@dataclass(frozen=True, slots=True)
class Holdings:
    """What is held: contracts serve their own cluster by their dates, orders their pool and model anywhere, after
    them."""

    contracts: tuple[Contract, ...]
    orders: tuple[HeldOrder, ...] = ()

    @property
    def moments(self) -> frozenset[int]:
        """When something of it begins or ends, epoch seconds."""
        ends = (one.end_s for one in self.contracts if one.end_s is not None)
        of_orders = (at for one in self.orders for at in (one.start_s, one.end_s))
        return frozenset((*(one.start_s for one in self.contracts), *ends, *of_orders))

    def there_in(self, span: Span) -> Mapping[str, float]:
        """The share of a span in which each contract runs, by contract_id; those that do not are left out."""
        shares = {one.contract_id: span.share_of(one.start_s, one.end_s) for one in self.contracts}
        return {name: share for name, share in shares.items() if share > 0}

    def ordered_gpus(self, row: Row, span: Span) -> float:
        """GPUs of the row's own model that orders serve it with in a span, on average."""
        return sum(
            one.order.gpus * span.share_of(one.start_s, one.end_s) for one in self.orders if one.row == row
        )


def held_orders(
    orders: Sequence[Order], rows: Sequence[PlannedRow], plan_window: Window
) -> tuple[HeldOrder, ...]:
    """The orders of a plan, each from its start to the end of its last month; `if_it_lasts` too.

    rows: of the plan. Where a lead costs nothing the plan counts with all of the first month.
    """
    calendars = {(one.row.pool, one.row.gpu_model): one.row.calendar for one in rows}
    held = []
    for order in orders:
        begins_s = month_start_s(plan_window, order.month)
        is_whole = calendars[order.pool, order.gpu_model].free_leads and order.reason != AT_AN_END
        late, early = (0.0, 0.0) if is_whole else (order.late, order.early)
        start_s = begins_s if is_whole else order.start_s
        end_s = begins_s + order.term_months * MONTH_S - round(early * MONTH_S)
        paid_months = order.term_months - late - early
        rate = order.rate
        if rate is not None and order.upfront_per_gpu and paid_months > 0:
            rate += order.upfront_per_gpu / (HOURS_PER_MONTH * paid_months)
        if end_s > start_s:
            held.append(HeldOrder(order, start_s, end_s, rate))
    return tuple(held)
