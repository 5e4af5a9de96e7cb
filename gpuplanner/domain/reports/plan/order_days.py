"""Days of a plan's orders as seen on the day that they are written down: what is overdue, what to approve."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from gpuplanner.domain.commitment.plan.orders import asked_for, to_sign
from gpuplanner.domain.commitment.recursion.calendar import lead_s
from gpuplanner.domain.commitment.requests.asked_rows import is_over
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.typed import day, whole
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.window import DAY_S, MONTH_S, has_calendar


@dataclass(frozen=True, slots=True)
class Seen:
    """A plan as seen on a day. written_s: that day; begins_s: the plan's first; both epoch seconds UTC.

    leads_s: seconds from an order to its start, by offer_id; closed: offer_ids that can no longer be ordered
    on the later of both.
    """

    written_s: int
    begins_s: int
    leads_s: Mapping[str, int] = field(default_factory=dict)
    closed: frozenset[str] = frozenset()

    @property
    def is_dated(self) -> bool:
        """Whether the plan's months are of the calendar; else nothing in it has a day."""
        return has_calendar(self.begins_s)

    @property
    def days_late(self) -> int:
        """Whole days from the plan's first day to the day of writing; 0 where the plan begins on it or later."""
        return max(0, self.written_s // DAY_S - self.begins_s // DAY_S) if self.is_dated else 0

    @property
    def counted_from_s(self) -> int:
        """Epoch seconds from which on there is still time to order: the later of both days."""
        return max(self.begins_s, self.written_s) if self.is_dated else self.begins_s

    def is_past(self, at_s: int) -> bool:
        """Whether a day has gone by the calendar (UTC); what is due on the day of writing has not.

        at_s: epoch seconds. False where the plan has no days.
        """
        return self.is_dated and at_s // DAY_S < self.written_s // DAY_S

    def is_over(self, order: Order) -> bool:
        """Whether the order's whole term had gone when this was written: there is nothing left of it to sign."""
        return self.is_dated and is_over(order, self.written_s)

    def is_late(self, order: Order) -> bool:
        """Whether it should have been placed before the day of writing, and something of its term is left."""
        return self.is_past(order.order_by_s) and not self.is_over(order)

    def has_lapsed(self, order: Order) -> bool:
        """Whether the quote that it stands on was no longer valid when this was written."""
        return self.is_dated and order.offer_id in self.closed

    def is_overdue(self, order: Order) -> bool:
        """Whether it should have been placed before the day of writing, and still can be."""
        return self.is_late(order) and not self.has_lapsed(order)

    def order_by(self, order: Order) -> Text:
        """The last day to order; never one that has gone."""
        if self.has_lapsed(order):
            return worded("quote no longer valid: ask again")
        if self.is_overdue(order):
            return worded("overdue: order now")
        return self.day(order.order_by_s)

    def starts(self, order: Order) -> Text:
        """The day that it serves from: of what is late, with the offer's lead from the day of writing on."""
        return self.day(self.starts_s(order))

    def starts_s(self, order: Order) -> int:
        """The same, epoch seconds."""
        if not self.is_late(order):
            return order.start_s
        lead = self.leads_s.get(order.offer_id, order.start_s - order.order_by_s)
        return max(order.start_s, self.written_s // DAY_S * DAY_S + lead)

    def day(self, at_s: int) -> Text:
        """A day of the plan; the month of it where nothing in it has a day.

        at_s: epoch seconds.
        """
        if self.is_dated:
            return worded("{day}", day=day(at_s))
        return worded("month {month}", month=whole(max(0, at_s - self.begins_s) // MONTH_S))

    def to_approve(self, orders: Sequence[Order]) -> tuple[Order, ...]:
        """What is to be signed now: certain orders that are overdue, or to be placed within a month of
        `counted_from_s`, the first to be placed first. Every medium's *now* is this one.
        """
        return tuple(self._left(to_sign(orders, self.counted_from_s)))

    def to_sign_later(self, orders: Sequence[Order]) -> tuple[Order, ...]:
        """The others that are certain and new: what only renews or follows another order is left out."""
        now = self.to_approve(orders)
        return tuple(one for one in self._left(asked_for(orders)) if one not in now)

    def _left(self, orders: Iterable[Order]) -> list[Order]:
        """Those that are not over, the first to be placed first; ties by start, offer and pool."""
        return sorted(
            (one for one in orders if not self.is_over(one)),
            key=lambda one: (one.order_by_s, one.start_s, one.offer_id, one.pool),
        )


def seen_on(written_s: int, begins_s: int, offers: Iterable[Offer]) -> Seen:
    """A plan with its offers as seen on a day.

    written_s, begins_s: epoch seconds UTC.
    """
    listed = tuple(offers)
    order_day_s = max(written_s, begins_s)  # as an award has it
    return Seen(
        written_s,
        begins_s,
        {offer.offer_id: lead_s(offer) for offer in listed},
        frozenset(offer.offer_id for offer in listed if not offer.is_open_on(order_day_s)),
    )
