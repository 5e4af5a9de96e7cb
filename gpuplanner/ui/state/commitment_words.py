"""An order in words: GPUs, cost, order-by day, and reasons."""

from collections.abc import Iterable, Sequence
from typing import Final

from gpuplanner.charts.kit.translation import by_count, spoken, tr
from gpuplanner.domain.commitment.order_days import Seen
from gpuplanner.domain.commitment.plan.orders import orders_by_row, together_words
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.commitment.words import orders as words_of_orders
from gpuplanner.domain.commitment.words.terms import row_term_words
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract, term_words
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import words_table
from gpuplanner.ui.words import numbers

LAPSED: Final = worded("Quote expired: ask again")
SOON_DAYS = 30
URGENT_DAYS = 14
Commitments = tuple[Order, ...]
"""Orders that continue each other, the first to start first: what is shown as one row."""
LONG_AGO_DAYS = 365


def rows_left(orders: Iterable[Order], seen: Seen) -> list[Commitments]:
    """Orders as they are shown, those that continue each other together, without those that are over; the first to be
    placed first."""
    rows = [tuple(order for order in row if not seen.is_over(order)) for row in orders_by_row(orders)]
    return sorted(
        filter(None, rows),
        key=lambda row: (row[0].order_by_s, row[0].start_s, row[0].offer_id, row[0].pool, row[0].row),
    )


def is_mapped(order: Order) -> bool:
    """Whether GPUs of another model than the demand's are bought."""
    return order.gpu_model is not None and order.offer_gpu_model not in (None, order.gpu_model)


def bought_words(orders: Sequence[Order]) -> str:
    """13 H100: what is signed, of the offer's own model. orders: of one row and one model of offers."""
    return spoken(words_of_orders.bought_words(orders))


def commit_words(row: Commitments) -> str:
    """What is to be done with orders that continue each other: GPUs committed for a term or again and again, or bought
    to own."""
    gpus, term = bought_words(row[:1]), row_term_words(row)
    if row[0].is_bought:
        return tr("Buy {what}, to own for {months}.", what=gpus, months=term)
    if len(row) > 1 or row[0].renews:  # until when is said beside it: `days_words`
        return tr("Commit {what}, {how}.", what=gpus, how=short_term(row))
    return tr("Commit {what}.", what=bought_for(row))


def days_words(row: Commitments) -> str:
    """starts 3 Oct 2026; 3 Oct 2026 until 2 Apr 2027 where orders continue each other."""
    starts = numbers.date(row[0].start_s)
    if len(row) == 1 and not row[0].renews:
        return tr("starts {start_s}", start_s=starts)
    return tr("{start_s} until {end_s}", start_s=starts, end_s=numbers.date(row[-1].end_s - 1))


def bought_for(row: Commitments) -> str:
    """44 H100 for 12 months; 2 H100, monthly, until 22 Oct 2027: orders that continue each other."""
    return spoken(words_of_orders.order_words(row))


def short_term(row: Commitments) -> str:
    """12 months; monthly where orders continue each other, or a term of days is signed again."""
    return spoken(row_term_words(row, has_end=False))


def gpus_in(orders: Iterable[Order]) -> str:
    """GPUs of orders as they are bought, and the most of them that run at one time."""
    return spoken(together_words(tuple(orders)))


def due_words(orders: Sequence[Order]) -> list[str]:
    """What is to be paid on the day that they are signed or bought; nothing where nothing is."""
    usd = known_sum(order.due_at_once for order in orders)
    if orders[0].is_bought:
        return [tr("{usd} due when bought", usd=numbers.dollars(usd))]
    return [tr("{usd} due when signed", usd=numbers.dollars(usd))] if usd else []


def in_place_of(orders: Sequence[Order]) -> list[str]:
    """What GPUs of another model do the work of, in place of 13 H100; nothing where the model is the demand's own."""
    first = orders[0]
    if not is_mapped(first):
        return []
    gpus = numbers.gpus(sum(order.gpus for order in orders))
    return [tr("instead of {orders} {gpu_model}", orders=gpus, gpu_model=first.gpu_model)]


def days_between(start_s: int, end_s: int) -> int:
    """Whole days from one moment to another, by the calendar (UTC).

    >>> days_between(86_399, 86_400), days_between(0, 86_399), days_between(86_400, 0)
    (1, 0, -1)
    """
    return end_s // DAY_S - start_s // DAY_S


def longest_lead_words(order: Order) -> list[str]:
    """The day to order by at the longest lead, where its offer states one."""
    by_s = order.last_day_high_s
    return [] if by_s is None else [tr("longest lead time: order by {day}", day=numbers.date(by_s))]


def sla_words(of: Order | Contract) -> list[str]:
    """What the SLA of an order or a contract leaves open, in minutes and $ a month, where one is stated."""
    if (hours := of.sla_hours_per_month) is None:
        return []
    usd, minutes = of.sla_usd_per_month, numbers.significant(round(hours * 60, 1))
    if usd is None:
        return [tr("its SLA excludes {minutes} minutes per month", minutes=minutes)]
    cost = numbers.whole(usd)
    return [tr("its SLA excludes {minutes} minutes per month: {usd} $", minutes=minutes, usd=cost)]


def order_by_words(order_by_s: int, today_s: int, *, has_lapsed: bool = False) -> tuple[str, str, str]:
    """The sentence, the icon and its colour of a date to order by, as seen from today.

    has_lapsed: the quote is no longer valid.
    """
    if has_lapsed:
        return tr(LAPSED), "octagon", "red"
    by = tr("Order by {order_by_s}", order_by_s=numbers.date(order_by_s))
    days = days_between(today_s, order_by_s)
    if days < -LONG_AGO_DAYS:  # a plan of an old log: the day itself is no news, a quicker start no remedy
        return tr("{by}, {days} ago", by=by, days=numbers.counted(-days, "day")), "octagon", "red"
    if days < 0:
        late = numbers.counted(-days, "day")
        return tr("{by}, {days} ago: ask for a quicker start", by=by, days=late), "octagon", "red"
    if days <= SOON_DAYS:
        when = tr("today") if days == 0 else tr("in {days}", days=numbers.counted(days, "day"))
        return tr("{first}, {second}", first=by, second=when), "triangle", "amber"
    return by, "contract", "muted"


def until_words(by_s: int, today_s: int) -> tuple[str, str, str]:
    """How far away the last day of a decision is, as seen from today, with its icon and its role in the style sheet:
    red within 14 days, amber within 30.
    """
    days = days_between(today_s, by_s)
    if days < 0:
        return tr("overdue"), "octagon", "red"
    if days == 0:
        return tr("today"), "octagon", "red"
    if days <= URGENT_DAYS:
        words = by_count(days, "in {count} day", "in {count} days", count=numbers.whole(days))
        return words, "octagon", "red"
    day = numbers.short_date(by_s) if days < LONG_AGO_DAYS else numbers.date(by_s)
    icon, role = ("triangle", "amber") if days <= SOON_DAYS else ("contract", "muted")
    return tr("by {day}", day=day), icon, role


def named_day(by_s: int | None, today_s: int) -> str:
    """The last day itself where `until_words` counts from today instead of naming it; "" without one."""
    if by_s is None or days_between(today_s, by_s) > URGENT_DAYS or days_between(today_s, by_s) == 0:
        return ""
    return numbers.short_date(by_s)


_REASONS: Final = words_table("order_reason")


def reason_words(order: Order) -> str:
    """Why it starts when it does."""
    return spoken(_REASONS.get(order.reason, order.reason))


Term = tuple[int, int | None]
"""Months of a term, and its days where it is sold by the day."""


def gpus_by_term(parts: Sequence[tuple[float, Term]]) -> dict[Term, float]:
    """GPUs of each term; parts: GPUs and their term.

    >>> gpus_by_term([(31.0, (6, None)), (8.0, (2, 45)), (2.0, (6, None))])
    {(6, None): 33.0, (2, 45): 8.0}
    """
    usd_by_term: dict[Term, float] = {}
    for gpus, term in parts:
        usd_by_term[term] = usd_by_term.get(term, 0.0) + gpus
    return usd_by_term


def terms_words(parts: Sequence[tuple[float, Term]]) -> str:
    """31 for 6 months, 16 for 3, 8 for 24: each term once, most GPUs first, the unit once where all are of months."""
    together = ((gpus, term) for term, gpus in gpus_by_term(parts).items())
    ordered = sorted(together, key=lambda part: (-part[0], part[1][0], part[1][1] or 0))
    is_said_once = not any(days for _, (_, days) in ordered)
    words = [
        tr(
            "{gpus} for {term}",
            gpus=numbers.gpus(gpus),
            term=term[0] if at and is_said_once else spoken(term_words(*term)),
        )
        for at, (gpus, term) in enumerate(ordered)
    ]
    return ", ".join(words)


def sentences(*parts: str) -> str:
    """Parts as sentences: the first letter large, one full stop each.

    >>> sentences("order by June", "", "it starts later.")
    'Order by June. It starts later.'
    """
    cleaned = [part.strip().rstrip(".") for part in parts if part.strip()]
    return ". ".join(part[0].upper() + part[1:] for part in cleaned) + "." if cleaned else ""
