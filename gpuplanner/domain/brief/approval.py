"""What is to be approved, by when, and what that commits to in all: the first words of a brief."""

from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.brief.figure_words import counted, dollars
from gpuplanner.domain.brief.pages import LargeFigure
from gpuplanner.domain.commitment.plan.orders import liability_usd
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.domain.reports.order_days import Seen

WHOLE_TERMS: Final = "$ over the whole terms"
ALL_PASSED: Final = "The terms of all orders have passed, plan from a later day"


@dataclass(frozen=True, slots=True)
class Approval:
    """Orders to approve on the day of writing, all certain ones, and $ of both over their whole terms.

    usd, in_all_usd: None where a rate is missing. own_usd: of the plan's own first month, whenever this is written.
    """

    seen: Seen
    now: tuple[Order, ...]
    certain: tuple[Order, ...]
    usd: float | None
    in_all_usd: float | None
    own_usd: float | None

    @property
    def overdue(self) -> tuple[Order, ...]:
        """Those that should have been placed before the day of writing."""
        return tuple(one for one in self.now if self.seen.is_overdue(one))

    @property
    def first(self) -> Order | None:
        """The certain order to be placed first; None where nothing is left to sign."""
        left = [one for one in self.certain if not self.seen.is_over(one)]
        return min(left, key=lambda one: one.order_by_s, default=None)


def approval_of(advice: Advice, seen: Seen) -> Approval:
    """Of a plan as seen on a day.

    Written before the plan's first day, or on it, usd is `liability_now` of the totals.
    """
    totals, now = advice.totals, seen.to_approve(advice.orders)
    certain = tuple(one for one in advice.orders if one.is_certain)
    usd = totals.liability_now
    if usd is not None and seen.days_late:
        usd = liability_usd(now)
    return Approval(seen, now, certain, usd, totals.liability, totals.liability_now)


def ask(approval: Approval) -> str:
    """Approve $3,457,972 by 1 Oct 2026; what is overdue says now, what has no day says which month."""
    seen, first = approval.seen, approval.first
    if approval.usd is None:
        return "What to approve is unknown: a rate is missing"
    if first is None:
        return ALL_PASSED if approval.certain else "Nothing to approve"
    if not approval.now:
        return f"Nothing to approve yet, the first order is due by {seen.day(first.order_by_s)}"
    usd, overdue = dollars(approval.usd), len(approval.overdue)
    if overdue:
        return f"Approve {usd} now, {counted(overdue, 'order is', 'orders are')} overdue"
    if not seen.is_dated:
        return f"Approve {usd} in month 0"
    return f"Approve {usd} by {day(min(one.order_by_s for one in approval.now))}"


def commitment_figures(approval: Approval) -> tuple[LargeFigure, LargeFigure]:
    """The total commitment of what is to be approved, and of all orders of the twelve months."""
    seen = approval.seen
    note = counted(len(approval.now), "order") if approval.now else "no order"
    if approval.now and seen.is_dated:
        note += f" due by {day(seen.counted_from_s + MONTH_S)}"
    if seen.days_late and approval.own_usd != approval.usd:
        note += f"; in the plan's own first month {dollars(approval.own_usd)}"
    key = "to_approve" if seen.days_late else "liability_now"
    count = len(approval.certain)
    in_all = (
        f"{counted(count, 'order')} of twelve months, these included"
        if count
        else "no order in twelve months"
    )
    return (
        LargeFigure(key, "Commitment now", WHOLE_TERMS, approval.usd, dollars(approval.usd), note),
        LargeFigure(
            "liability", "Commitment in all", WHOLE_TERMS, approval.in_all_usd, dollars(approval.in_all_usd), in_all
        ),
    )  # fmt: skip


def day_sentences(approval: Approval) -> list[str]:
    """What stands in the way of reading the plan's days as they are: it began before this was written, or has none."""
    seen = approval.seen
    if not seen.is_dated:
        return [
            "The log counts its time from 0, so nothing here has a day of the calendar: months are counted from the "
            "plan's beginning. Say the day that it begins (Plan from; --plan-from) for days to order by."
        ]
    if not seen.days_late:
        return []
    said = [
        f"The plan begins on {day(seen.begins_s)}, {counted(seen.days_late, 'day')} before this was written. Days "
        f"below are counted from {day(seen.written_s)}; its amounts are still those of its own first day. Plan from "
        "today for both (Plan from; --plan-from)."
    ]
    overdue = approval.overdue
    if overdue:
        said.append(
            f"{counted(len(overdue), 'order')} should have been placed before: what is ordered now would start "
            f"{_starts(seen, overdue)}, with the lead of its offer."
        )
    return said


def _starts(seen: Seen, orders: tuple[Order, ...]) -> str:
    """A day, or from the first to the last."""
    starts = [seen.starts_s(one) for one in orders]
    first, last = day(min(starts)), day(max(starts))
    return f"on {first}" if first == last else f"between {first} and {last}"
