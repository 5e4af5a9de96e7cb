"""An order as people name it: its number, the decision that it belongs to, and what its price stands on."""

from collections.abc import Iterable
from typing import Final

from gpuplanner.domain.commitment.result import Order
from gpuplanner.lazy_dataclass import dataclass

PROVIDER_MISSING: Final = "provider_missing"
QUOTE_FIRST: Final = "quote_first"
READY: Final = "ready"
LATER: Final = "later"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedOrder:
    """Orders that continue each other, which people read as one: a monthly term that renews six times is one order.

    number: shown as O1, O2, …. orders: the first and those that renew it. order_ids: of each of them. decision: number
    of its decision; None for what is ordered only if recent demand continues. replaces: contracts whose work it takes.
    nodes: whole nodes of its GPUs; None where the offer is not sold in nodes. is_quote: its price is a quote and no
    list price. quote_valid_until: ISO date; None without one.
    status: PROVIDER_MISSING, LATER, QUOTE_FIRST (a list price, or a quote that is no longer valid or has no rate), or
    READY.
    """

    number: int
    orders: tuple[Order, ...]
    order_ids: tuple[str, ...]
    decision: int | None = None
    replaces: tuple[str, ...] = ()
    nodes: int | None = None
    is_quote: bool = False
    quote_valid_until: str | None = None
    status: str = QUOTE_FIRST


@dataclass(frozen=True, slots=True, kw_only=True)
class OrderInList:
    """One order with its id and the listed order that it is a part of."""

    order: Order
    order_id: str
    listed: ListedOrder


def in_list(listed_orders: Iterable[ListedOrder]) -> dict[tuple[int, int], OrderInList]:
    """Return each order with its place in the list, by its row and its start, epoch seconds.

    Orders of one row continue each other, so that none has the start of another. Another rate changes neither.
    """
    return {
        (order.row, order.start_s): OrderInList(order=order, order_id=order_id, listed=listed)
        for listed in listed_orders
        for order, order_id in zip(listed.orders, listed.order_ids, strict=True)
    }
