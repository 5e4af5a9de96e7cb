"""Terms of the layers and orders of a plan in words: 12 months; 90 days; monthly, until 22 Oct 2027."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.commitment.result import Order, PoolPlan
from gpuplanner.domain.figures.typed import day, whole
from gpuplanner.domain.message import Message, capital, worded
from gpuplanner.domain.model.book.contract import term_words, terms_words

OFTEN: Final = {(1, None): worded("monthly"), (1, 7): worded("weekly"), (1, 1): worded("daily")}
"""How often what renews itself is signed, by its term in months and in days."""


def term_name(plan: PoolPlan, months: int) -> Message:
    """Return the name of a term in a pool: from its new layers, otherwise from the best offer of the term.

    months: of the term, which identifies its layers; a term in days has the months that it touches.
    """
    new = (layer for layer in plan.layers if layer.is_new and layer.gpus)
    bought = [(layer.term_months or 0, layer.term_days) for layer in new]
    offered = [(term.term_months, term.term_days) for term in plan.break_even]
    for terms in (bought, offered):
        if sold := [term for term in terms if term[0] == months]:
            return terms_words(sold)
    return terms_words([(months, None)])


def counted_term_words(orders: Sequence[Order]) -> Message:
    """Return the duration of orders shown as one: 12 months; or how often it is signed, as monthly, 6 times.

    orders: of one row, by start.
    """
    return times_words(orders[0].term_months, orders[0].term_days, len(orders))


def times_words(months: int, days: int | None, count: int) -> Message:
    """Return a term with how often it is signed, where that is more than once. days: of a term in days.

    >>> str(times_words(1, None, 6)), str(times_words(12, None, 1))
    ('Monthly, 6 times', '12 months')
    """
    term = term_words(months, days)
    if count == 1:
        return term
    how = OFTEN.get((months, days), term)
    return worded("{how}, {count} times", how=capital(how), count=whole(count))


def row_term_words(orders: Sequence[Order], *, has_end: bool = True) -> Message:
    """Return the duration of orders shown as one: 12 months; or monthly, until 22 Oct 2027, if they renew.

    orders: of one row, by start. has_end: include the last day.
    """
    first, last_s = orders[0], orders[-1].end_s - 1
    term = term_words(first.term_months, first.term_days)
    if len(orders) == 1 and not first.renews:
        return term
    how = OFTEN.get((first.term_months, first.term_days), worded("{term} at a time", term=term))
    return worded("{how}, until {day}", how=how, day=day(last_s)) if has_end else how
