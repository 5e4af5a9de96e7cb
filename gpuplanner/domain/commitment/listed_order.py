"""An order as people name it: its number, the decision that it belongs to, and what its price stands on."""

from collections.abc import Iterable, Mapping, Sequence
from math import isclose
from typing import Final

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.model.amounts import grouped
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


def place_of(order: Order) -> tuple[int, int]:
    """Return what tells an order from the others of its plan: its row and its start, epoch seconds."""
    return order.row, order.start_s


def in_list(listed_orders: Iterable[ListedOrder]) -> dict[tuple[int, int], OrderInList]:
    """Return each order with its place in the list, by its row and its start, epoch seconds.

    Orders of one row continue each other, so that none has the start of another. Another rate changes neither.
    """
    return {
        place_of(order): OrderInList(order=order, order_id=order_id, listed=listed)
        for listed in listed_orders
        for order, order_id in zip(listed.orders, listed.order_ids, strict=True)
    }


OrderPlaces = Mapping[tuple[int, int], OrderInList]
"""Orders in a list, by `place_of`."""


def same_orders(orders: Iterable[Order], listed_orders: Sequence[ListedOrder]) -> OrderPlaces:
    """Return the listed order that each order of another working out of the plan is, such as of one that waits for
    quotes.

    The same order buys as many GPUs of the same offer for the same row and term; of several the one that starts
    nearest. An order without its like is left out: it is not in the list. Law: each listed order is found once; the
    orders of the list itself find themselves.
    """
    chains = list(grouped((order.row, order) for order in orders).values())
    pairs = [
        (
            place_of(chain[0]) != place_of(listed.orders[0]),
            abs(chain[0].start_s - listed.orders[0].start_s),
            row,
            place,
        )
        for row, chain in enumerate(chains)
        for place, listed in enumerate(listed_orders)
        if _are_alike(chain[0], listed.orders[0])
    ]
    matched: dict[int, int] = {}
    for _, _, row, place in sorted(pairs):
        if row not in matched and place not in matched.values():
            matched[row] = place
    return {
        place_of(order): _nearest(order, listed_orders[place])
        for row, place in matched.items()
        for order in chains[row]
    }


def numbers_of(orders: Iterable[Order], places: OrderPlaces) -> tuple[int, ...]:
    """Return the numbers of the listed orders that some orders are, each once, the lowest first."""
    known = (places.get(place_of(order)) for order in orders)
    return tuple(sorted({place.listed.number for place in known if place is not None}))


def _nearest(order: Order, listed: ListedOrder) -> OrderInList:
    """Return the renewal of a listed order that starts nearest to an order."""
    own, order_id = min(
        zip(listed.orders, listed.order_ids, strict=True),
        key=lambda renewal: abs(renewal[0].start_s - order.start_s),
    )
    return OrderInList(order=own, order_id=order_id, listed=listed)


def _are_alike(order: Order, other: Order) -> bool:
    """Return whether two orders buy the same, whenever they start."""
    return _bought(order) == _bought(other) and isclose(order.bought_gpus, other.bought_gpus, rel_tol=1e-9)


def _bought(order: Order) -> tuple[object, ...]:
    """Return what an order buys, without its GPUs and days."""
    of_row = (order.pool, order.gpu_model, order.run, order.is_certain)
    return (*of_row, order.offer_id, order.term_months, order.term_days, order.usd_per_hour)
