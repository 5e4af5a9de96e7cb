"""What is to be approved, by when, what that commits to in all, and what is due at once: a brief's first words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.brief.figure_words import counted, dollars, gpus
from gpuplanner.domain.brief.pages import LargeFigure
from gpuplanner.domain.commitment.plan.orders import due_at_once_usd, liability_usd
from gpuplanner.domain.commitment.result import Advice, Order
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.domain.reports.plan.order_days import Seen

WHOLE_TERMS: Final = "$ over the whole terms"
TERMS_AND_LIVES: Final = "$ over whole terms and lives"
ALL_PASSED: Final = "The terms of all orders have passed, plan from a later day"


@dataclass(frozen=True, slots=True)
class Approval:
    """What is to be signed, or bought, on the day of writing, and $ over whole terms (of what is bought its life).

    now: what is to be approved, the first to be placed first: every medium's *now*. later: what else is new. left: all
    certain orders that are not over, renewals too; over: how many are. usd, in_all_usd: of `now` and of `left`, None
    where a rate is missing. own_usd: of the plan's own first month, whenever this is written.
    """

    seen: Seen
    now: tuple[Order, ...]
    later: tuple[Order, ...]
    left: tuple[Order, ...]
    over: int
    usd: float | None
    in_all_usd: float | None
    own_usd: float | None

    @property
    def overdue(self) -> tuple[Order, ...]:
        """Those that should have been placed before the day of writing."""
        return tuple(one for one in self.now if self.seen.is_overdue(one))

    @property
    def lapsed(self) -> tuple[Order, ...]:
        """Those that stand on a quote that is no longer valid: they are in the sum at its price, to be asked again."""
        return tuple(one for one in self.now if self.seen.has_lapsed(one))

    @property
    def open(self) -> tuple[Order, ...]:
        """Those that can be placed on the day of writing."""
        return tuple(one for one in self.now if not self.seen.has_lapsed(one))

    @property
    def bought(self) -> tuple[Order, ...]:
        """Those that buy GPUs to own: nothing is signed for them, and their price is due when they are bought."""
        return tuple(one for one in self.now if one.is_bought)

    @property
    def bought_usd(self) -> float | None:
        """What is due when those are bought, $; 0 where none is."""
        return due_at_once_usd(self.bought)

    @property
    def span_unit(self) -> str:
        """What $ of orders are over: their terms, and the lives of what is owned where some is."""
        return TERMS_AND_LIVES if any(one.is_bought for one in self.left) else WHOLE_TERMS

    @property
    def verb(self) -> str:
        """What is done with the orders of `now`: signed; placed, where some of them buy."""
        return "Place" if self.bought else "Sign"

    @property
    def lapsed_words(self) -> str:
        """What of the sum cannot be placed as it was quoted: $9,000 of it on quotes no longer valid; else empty."""
        usd = liability_usd(self.lapsed)
        return f"; {dollars(usd)} of it on quotes no longer valid" if self.lapsed else ""

    @property
    def following(self) -> tuple[Order, ...]:
        """Those of `left` that are neither now nor later: they only renew or follow others."""
        return tuple(one for one in self.left if one not in self.now and one not in self.later)

    @property
    def counts_words(self) -> str:
        """29 orders of twelve months: 6 now, 13 later, 10 that renew or follow these: what `left` is made of."""
        parts = [f"{len(self.now)} now"] if self.now else []
        parts += [f"{len(self.later)} later"] if self.later else []
        many = len(self.following)
        parts += (
            [f"{many} that {'renews or follows' if many == 1 else 'renew or follow'} these"] if many else []
        )
        if len(parts) == 1 and self.now:
            same = "order" if len(self.now) == 1 else f"{len(self.now)} orders"
            return f"the same {same}, no more in twelve months"
        said = f"{counted(len(self.left), 'order')} of twelve months"
        return f"{said}: {', '.join(parts)}" if len(parts) > 1 else f"{said}, all later"

    @property
    def first(self) -> Order | None:
        """The certain order to be placed first; None where nothing is left to sign."""
        return min(self.left, key=lambda one: one.order_by_s, default=None)

    @property
    def gpus_now(self) -> float:
        """GPUs of what is to be approved, as they are bought."""
        return sum(one.bought_gpus for one in self.now)

    @property
    def at_once_now(self) -> float:
        """The most GPUs of them that run in one month of the plan: a bridge that is signed month by month is one."""
        months = {one.month for one in self.now}
        running = (
            sum(one.bought_gpus for one in self.now if one.month <= month < one.month + one.term_months)
            for month in months
        )
        return max(running, default=0.0)

    @property
    def gpus_counted(self) -> str:
        """90 GPUs, 58 at once: what is to be signed now; 42 GPUs where they all run together."""
        said, at_once = counted_gpus(self.gpus_now), self.at_once_now
        return f"{said}, {gpus(at_once)} at once" if round(at_once) < round(self.gpus_now) else said

    @property
    def gpus_words(self) -> str:
        """90 GPUs, 58 at once: 16 to buy, 74 to sign for; where nothing is bought `gpus_counted` alone."""
        said = self.gpus_counted
        buys = sum(one.bought_gpus for one in self.bought)
        signs = self.gpus_now - buys
        if not buys:
            return said
        return f"{said}: {gpus(buys)} to buy, {gpus(signs)} to sign for" if signs else f"{said} to buy"


def approval_of(advice: Advice, seen: Seen) -> Approval:
    """Of a plan as seen on a day.

    Written before the plan's first day, or on it, usd is `liability_now` of the totals; where no order is over,
    in_all_usd is their `liability`.
    """
    totals, now, later = advice.totals, seen.to_approve(advice.orders), seen.to_sign_later(advice.orders)
    certain = [one for one in advice.orders if one.is_certain]
    left = tuple(one for one in certain if not seen.is_over(one))
    usd, in_all_usd = totals.liability_now, totals.liability
    if usd is not None and seen.days_late:
        usd = liability_usd(now)
    if in_all_usd is not None and len(left) < len(certain):
        in_all_usd = liability_usd(left)
    return Approval(seen, now, later, left, len(certain) - len(left), usd, in_all_usd, totals.liability_now)


def ask(approval: Approval) -> str:
    """Approve $3,457,972 by 1 Oct 2026; what is overdue says now, what has no day says which month. What is due as
    GPUs are bought is said beside it."""
    seen, first = approval.seen, approval.first
    if approval.usd is None:
        return "What to approve is unknown: a rate is missing"
    if first is None:
        return ALL_PASSED if approval.over else "Nothing to approve"
    if not approval.now:
        return f"Nothing to approve yet, the first order is due by {seen.day(first.order_by_s)}"
    usd, overdue, lapsed = dollars(approval.usd), len(approval.overdue), approval.lapsed_words
    if not approval.open:
        return f"Ask again before approving {usd}, {lapsed_orders(approval)}"
    if overdue:
        said = f"Approve {usd} now, {counted(overdue, 'order is', 'orders are')} overdue{lapsed}"
    elif not seen.is_dated:
        said = f"Approve {usd} in month 0"
    else:
        said = f"Approve {usd} by {day(min(one.order_by_s for one in approval.open))}{lapsed}"
    if not approval.bought:
        return said
    return f"{said}; {dollars(approval.bought_usd)} is due when {bought_gpus(approval.bought)} are bought"


def lapsed_orders(approval: Approval) -> str:
    """The quotes of 2 orders are no longer valid."""
    count = len(approval.lapsed)
    return (
        f"the quote{'' if count == 1 else 's'} of {counted(count, 'order is', 'orders are')} no longer valid"
    )


def now_words(approval: Approval, gpus_words: str) -> str:
    """6 orders for 90 GPUs, due by 23 Dec 2026: what is to be signed now. gpus_words: for how many GPUs."""
    count = counted(len(approval.now), "order")
    said = f"{count} for {gpus_words}"
    if not approval.seen.is_dated:
        return said
    return f"{said}, due by {day(approval.seen.counted_from_s + MONTH_S)}"


def bought_gpus(orders: Sequence[Order]) -> str:
    """56 GPUs: of orders that buy them."""
    return counted_gpus(sum(one.bought_gpus for one in orders))


def purchase_sentences(approval: Approval) -> list[str]:
    """What a purchase is, beside what is signed: money of the day, and of each month; none where nothing is bought."""
    bought = approval.bought
    if not bought:
        return []
    a_month = known_sum(one.cost_per_month for one in bought)
    return [
        f"Buying is no signing: {dollars(approval.bought_usd)} is due when {bought_gpus(bought)} are bought; over "
        f"their life they cost {dollars(a_month)} per month, as the plan counts."
    ]


def counted_gpus(amount: float) -> str:
    """1 GPU, 90 GPUs."""
    return f"{gpus(amount)} {'GPU' if amount == 1 else 'GPUs'}"


def commitment_figures(approval: Approval) -> tuple[LargeFigure, ...]:
    """The total commitment of what is to be approved, what of it is due as GPUs are bought, and of all orders of the
    twelve months."""
    seen = approval.seen
    what = now_words(approval, approval.gpus_counted)
    note = f"{what}{approval.lapsed_words}" if approval.now else "no order"
    if seen.days_late and approval.own_usd != approval.usd:
        note += f"; in the plan's own first month {dollars(approval.own_usd)}"
    key = "to_approve" if seen.days_late else "liability_now"
    count, over = len(approval.left), approval.over
    in_all = approval.counts_words
    if not count:
        in_all = "no order left of twelve months" if over else "no order in twelve months"
    elif over:
        in_all += f"; {over} more {'is' if over == 1 else 'are'} over"
    unit, bought = approval.span_unit, approval.bought
    due = LargeFigure(
        "due_at_once", "Due at purchase", "$ on the day", approval.bought_usd, dollars(approval.bought_usd),
        f"{bought_gpus(bought)} to buy",
    )  # fmt: skip
    return (
        LargeFigure(key, "Commitment now", unit, approval.usd, dollars(approval.usd), note),
        *((due,) if bought else ()),
        LargeFigure(
            "left_to_sign" if over else "liability", "Commitment in all", unit, approval.in_all_usd,
            dollars(approval.in_all_usd), in_all,
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
    if approval.lapsed:
        said.append(
            f"Of the sum to approve, {lapsed_orders(approval)}: ask again before they are placed. Until then the sum "
            "has their old prices."
        )
    return said


def _starts(seen: Seen, orders: tuple[Order, ...]) -> str:
    """A day, or from the first to the last."""
    starts = [seen.starts_s(one) for one in orders]
    first, last = day(min(starts)), day(max(starts))
    return f"on {first}" if first == last else f"between {first} and {last}"
