"""An order as people name it: its number, the decision that it belongs to, and what its price stands on."""

from collections.abc import Iterable, Mapping, Sequence
from math import isclose
from typing import Final

from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.lazy_dataclass import dataclass, replace

PROVIDER_MISSING: Final = "provider_missing"
QUOTE_FIRST: Final = "quote_first"
READY: Final = "ready"
LATER: Final = "later"
REQUISITION: Final = "requisition"
PO: Final = "po"
CANCELED: Final = "canceled"
STATUS_TITLES: Final[Mapping[str, Message]] = {
    PROVIDER_MISSING: worded("Provider missing"),
    QUOTE_FIRST: worded("Quote first"),
    READY: worded("Ready to order"),
    REQUISITION: worded("Requisition sent"),
    PO: worded("PO sent"),
    LATER: worded("Later"),
    CANCELED: worded("Canceled"),
}
"""Each status of an order as people read it; the plan gives those of `STATUSES`, people type the others."""
STATUSES: Final = (PROVIDER_MISSING, QUOTE_FIRST, READY, LATER)
"""What the plan says of an order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedOrder:
    """Orders that continue each other, which people read as one: a monthly term that renews six times is one order.

    number: shown as O1, O2, …. orders: the first and those that renew it. order_ids: of each of them. decision: number
    of its decision; None for what is ordered only if recent demand continues. replaces: contracts whose work it takes.
    nodes: whole nodes of its GPUs; None where the offer is not sold in nodes. is_whole: its GPUs fill them, or are
    whole GPUs. is_quote: its price is a quote and no list price. quote_valid_until: ISO date; None without one.
    status: in STATUSES, as of `status_of`. is_at_list_price: the planner chose to order it without a quote.
    waiting_usd_per_day: most that each day costs by which its first order is late, $; None if unknown.
    """

    number: int
    orders: tuple[Order, ...]
    order_ids: tuple[str, ...]
    decision: int | None = None
    replaces: tuple[str, ...] = ()
    nodes: int | None = None
    is_whole: bool = True
    is_quote: bool = False
    quote_valid_until: str | None = None
    status: str = QUOTE_FIRST
    is_at_list_price: bool = False
    waiting_usd_per_day: float | None = None

    @property
    def waits_for_quotes(self) -> bool:
        """Whether vendors are asked before it is placed: for a price, or for who sells at a list price."""
        return self.status == QUOTE_FIRST or (self.status == PROVIDER_MISSING and not self.is_quote)

    @property
    def is_choosable(self) -> bool:
        """Whether the planner may choose to order it at list price, or has chosen so: then it would be READY."""
        return self.is_at_list_price or (
            self.status == QUOTE_FIRST and self.is_whole and self.orders[0].rate is not None
        )


def status_of(order: Order, *, is_soon: bool, has_price: bool, is_whole: bool) -> str:
    """Return what is to be done next for an order: the status of window, papers and documents.

    is_soon: it is due within a month of the plan's first day. has_price: its rate is a valid quote, or a list price
    that the planner chose to order at. is_whole: it fills whole nodes.
    Law: no order without a provider is READY.
    """
    if order.provider is None:
        return PROVIDER_MISSING
    if not is_soon:
        return LATER
    return READY if has_price and is_whole and order.rate is not None else QUOTE_FIRST


def with_choices(listed_orders: Iterable[ListedOrder], plan: Scenario) -> tuple[ListedOrder, ...]:
    """Return listed orders with what the planner chose for them: those ordered at list price need no quote."""
    return tuple(
        _at_list_price(order) if order.order_ids[0] in plan.at_list_price else order
        for order in listed_orders
    )


def _at_list_price(listed: ListedOrder) -> ListedOrder:
    """Return an order without a valid quote that is ordered at list price; any other as it is."""
    if listed.status != QUOTE_FIRST:
        return listed
    status = status_of(listed.orders[0], is_soon=True, has_price=True, is_whole=listed.is_whole)
    return replace(listed, status=status, is_at_list_price=status == READY)


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
