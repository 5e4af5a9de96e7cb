"""At which prices amounts of later orders are, in words: those expected when each is signed, beside today's list."""

from collections.abc import Iterable, Sequence

from gpuplanner.domain.commitment.plan.orders import at_list
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.typed import amount, day
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.offer import Offer


def expected_price_words(orders: Sequence[Order], offers: Iterable[Offer]) -> Message | None:
    """Orders of one start, $ a month at both; None where both are the same, or one is unknown.

    offers: at the rates that count in the plan.
    """
    expected, listed = (
        known_sum(one.cost_per_month for one in priced) for priced in (orders, at_list(orders, offers))
    )
    if not orders or expected is None or listed is None or round(expected) == round(listed):
        return None
    return worded(
        "At the price expected on {start} {expected} per month, at today's list {listed}",
        start=day(min(one.start_s for one in orders)),
        expected=amount(expected),
        listed=amount(listed),
    )
