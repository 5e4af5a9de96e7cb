"""What happens to commitments in a span of time: orders, contracts that end, and days to act."""

from collections.abc import Callable, Sequence

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.renewal import notice_by_s
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Happening:
    """Orders that start, end and are to be signed in a span, contracts that end in it, and those whose last day
    for notice is in it; each in given order."""

    starting: tuple[Order, ...]
    ending: tuple[Order, ...]
    to_sign: tuple[Order, ...]
    contracts_ending: tuple[Contract, ...]
    notices: tuple[Contract, ...] = ()


def happening(orders: Sequence[Order], contracts: Sequence[Contract], from_s: int, to_s: int) -> Happening:
    """What happens in [from_s, to_s), epoch seconds; orders that hold only if young demand lasts are left out.

    Law: spans that follow each other share out what happens in all of them.
    """

    def within(at_s: Callable[[Order], int]) -> tuple[Order, ...]:
        """The orders of which a moment lies in the span."""
        return tuple(order for order in orders if order.is_certain and from_s <= at_s(order) < to_s)

    return Happening(
        starting=within(lambda order: order.start_s),
        ending=within(lambda order: order.end_s),
        to_sign=within(lambda order: order.order_by_s),
        contracts_ending=tuple(c for c in contracts if c.end_s is not None and from_s <= c.end_s < to_s),
        notices=tuple(c for c in contracts if from_s <= (notice_by_s(c, c.end_s) or -1) < to_s),
    )
