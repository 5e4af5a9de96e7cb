"""Waiting for quotes: what it costs at most, what a month at list price bridges for less, and what quotes brought."""

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from statistics import median
from typing import Final

from gpuplanner.domain.commitment.asked_rows import Asking, is_short
from gpuplanner.domain.commitment.late_orders import HOURS_PER_DAY, usd_per_day
from gpuplanner.domain.commitment.listed_order import PROVIDER_MISSING, ListedOrder
from gpuplanner.domain.commitment.numbers import order_number, order_numbers
from gpuplanner.domain.commitment.recursion.calendar import BRIDGE_S, length_s
from gpuplanner.domain.commitment.result import Supply
from gpuplanner.domain.figures.typed import amount, day, short_day
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.amounts import HALF_A_CENT, known_sum
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import paid_gpus
from gpuplanner.domain.model.book.quote_source import is_quote
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, day_of
from gpuplanner.lazy_dataclass import dataclass, replace

LEAST_QUOTES: Final = 3
"""Quotes beside a list price of the same product from which on their discount is a history."""
NO_SUPPLY: Final = Supply()


@dataclass(frozen=True, slots=True, kw_only=True)
class Bridge:
    """A month or less at list price in place of waiting on demand.

    offer_id: what is rented; of the order itself where its own term is that short. until_s: day on which the order
    starts then, epoch seconds. usd: $ more than the plan. saves_usd: $ less than waiting.
    """

    offer_id: str
    until_s: int
    usd: float
    saves_usd: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitingOrder:
    """An order that starts later if it waits for a quote.

    from_s, until_s: day on which it starts in the plan, and with a quote, epoch seconds. usd: most that waiting costs,
    $; None if unknown. bridge: the cheapest one that costs less; None without one. may_bring_usd: $ less over its terms
    at the discount that quotes had so far; None where the prices know of none.
    """

    listed: ListedOrder
    from_s: int
    until_s: int
    usd: float | None
    bridge: Bridge | None = None
    may_bring_usd: float | None = None

    @property
    def is_short(self) -> bool:
        """Whether it is for a month at most itself, so that it needs no bridge but its own list price."""
        return self.bridge is not None and self.bridge.offer_id == self.listed.orders[0].offer_id

    @property
    def text(self) -> Message:
        """The wait and what is cheaper, as O4: waiting for the quote (3 Dec to 22 Dec 2026) costs at most $3,327."""
        number, days = order_number(self.listed.number), days_words(self.from_s, self.until_s)
        if self.usd is None:
            return worded(
                "{number}: waiting for the quote ({days}) has an unknown cost", number=number, days=days
            )
        wait = worded(
            "{number}: waiting for the quote ({days}) costs at most {usd}",
            number=number,
            days=days,
            usd=amount(self.usd),
        )
        return joined(filter(None, (wait, may_bring_words(self.may_bring_usd), self.bridge_text)), ". ")

    @property
    def bridge_text(self) -> Message | None:
        """What is cheaper than waiting, as A month of vela-01m at list price until then costs $22,213 less."""
        if self.bridge is None:
            return None
        usd = amount(self.bridge.saves_usd)
        if self.is_short:
            return worded("At list price now it costs {usd} less: its term is a month", usd=usd)
        return worded(
            "A month of {offer} at list price until then costs {usd} less",
            offer=self.bridge.offer_id,
            usd=usd,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class WaitForQuotes:
    """Waiting for the quotes of all orders that need one and start later for it.

    orders: at least one, by number.
    """

    orders: tuple[WaitingOrder, ...]

    @property
    def from_s(self) -> int:
        """The first day on which one of them would start in the plan, epoch seconds."""
        return min(order.from_s for order in self.orders)

    @property
    def until_s(self) -> int:
        """The day on which that one starts with its quote, epoch seconds; of several the last."""
        return max(order.until_s for order in self.orders if order.from_s == self.from_s)

    @property
    def usd(self) -> float | None:
        """The most that waiting costs, $; None if unknown."""
        return known_sum(order.usd for order in self.orders)

    @property
    def may_bring_usd(self) -> float | None:
        """$ less over their terms at the discount that quotes had so far; None where the prices know of none."""
        return known_sum(order.may_bring_usd for order in self.orders)

    @property
    def may_bring_text(self) -> Message | None:
        """What the quotes may bring; None where the prices know of no discount."""
        return may_bring_words(self.may_bring_usd)

    @property
    def bridged(self) -> tuple[WaitingOrder, ...]:
        """Those that a month at list price serves for less."""
        return tuple(order for order in self.orders if order.bridge is not None)

    @property
    def saved_by_bridges_usd(self) -> float:
        """$ less than waiting where those are ordered for a month at list price."""
        return sum(order.bridge.saves_usd for order in self.orders if order.bridge is not None)

    @property
    def numbers(self) -> str:
        """The numbers of its orders, as O1, O2."""
        return ", ".join(order_numbers(order.listed.number for order in self.orders))

    def of(self, number: int) -> WaitingOrder | None:
        """Return the wait of the order with a number; None where it does not wait."""
        return next((order for order in self.orders if order.listed.number == number), None)

    @property
    def text(self) -> Message:
        """What waiting costs, as Waiting for the quotes (3 Dec to 22 Dec 2026) costs at most $63,100."""
        days = days_words(self.from_s, self.until_s)
        if self.usd is None:
            return worded("Waiting for the quotes ({days}) has an unknown cost", days=days)
        return worded("Waiting for the quotes ({days}) costs at most {usd}", days=days, usd=amount(self.usd))

    @property
    def bridge_text(self) -> Message | None:
        """Which orders a month at list price serves for less, and how much less; None without one."""
        if not self.bridged:
            return None
        return worded(
            "{orders}: a month at list price costs {usd} less than waiting",
            orders=", ".join(order_numbers(order.listed.number for order in self.bridged)),
            usd=amount(self.saved_by_bridges_usd),
        )


def may_bring_words(usd: float | None) -> Message | None:
    """Return what quotes may bring over whole terms, $; None where it is unknown or nothing."""
    return (
        worded("At the discount of earlier quotes: {usd} less over the terms", usd=amount(usd))
        if usd
        else None
    )


def days_words(from_s: int, until_s: int) -> Message:
    """Return the days of a wait, both in epoch seconds, as 3 Dec to 22 Dec 2026."""
    return worded("{first} to {last}", first=short_day(from_s), last=day(until_s))


def wait_for_quotes(
    listed_orders: Iterable[ListedOrder],
    asking: Asking,
    supplies: Mapping[tuple[Pool, str | None], Supply],
    discount: float | None = None,
) -> WaitForQuotes | None:
    """Return what waiting for quotes costs; None where no order starts later for it.

    listed_orders: with the choices of the plan; those that wait for quotes count. asking: days of the request.
    supplies: offers that may bridge, by pool and GPU model. discount: of quotes, 0..1, as of `quote_discount`.
    Law: the sum over its orders of late days times $ per day. Source: docs/formulas/savings.md, Waiting for quotes.
    """
    waiting, left = list[WaitingOrder](), dict[str, float]()
    for listed in listed_orders:
        order = listed.orders[0]
        from_s, until_s = asking.own_start_s(order), asking.quoted_start_s(order)
        if not listed.waits_for_quotes or order.is_bought or until_s <= from_s:
            continue
        late_usd = listed.waiting_usd_per_day
        usd = None if late_usd is None else (until_s - from_s) // DAY_S * late_usd
        liability = known_sum(order.liability for order in listed.orders)
        may_bring = None if discount is None or liability is None else discount * liability
        wait = WaitingOrder(listed=listed, from_s=from_s, until_s=until_s, usd=usd, may_bring_usd=may_bring)
        supply = supplies.get((order.pool, order.gpu_model), NO_SUPPLY)
        waiting.append(_bridged(wait, supply, asking, left))
    return WaitForQuotes(orders=tuple(waiting)) if waiting else None


def _bridged(wait: WaitingOrder, supply: Supply, asking: Asking, left: dict[str, float]) -> WaitingOrder:
    """Return the wait of an order with its cheapest bridge, if one costs less.

    left: GPUs that offers with a maximum still have, by offer_id; what the bridge takes is taken from them.
    """
    order = wait.listed.orders[0]
    if not wait.usd or wait.listed.status == PROVIDER_MISSING:  # nobody is known who sells at list price
        return wait
    if is_short(order):
        own = Bridge(offer_id=order.offer_id, until_s=wait.from_s, usd=0.0, saves_usd=wait.usd)
        return replace(wait, bridge=own)
    best: Bridge | None = None
    taken, most = 0.0, None
    for offer in supply.offers:
        ratio = supply.ratios.get(offer.offer_id)
        gpus = paid_gpus(order.gpus, ratio, offer.unit_gpus) / (ratio or 1.0)
        has_room = offer.sells(gpus) and gpus <= left.get(offer.offer_id, offer.max_gpus or inf)
        usd = _bridge_usd(wait, offer, gpus, asking) if has_room else None
        if usd is not None and usd < (wait.usd if best is None else best.usd) - HALF_A_CENT:
            until_s = max(wait.until_s, _bridge_begins_s(wait, offer, asking) + length_s(offer))
            best = Bridge(offer_id=offer.offer_id, until_s=day_of(until_s), usd=usd, saves_usd=wait.usd - usd)
            taken, most = gpus, offer.max_gpus
    if best is not None and most is not None:
        left[best.offer_id] = left.get(best.offer_id, float(most)) - taken
    return replace(wait, bridge=best)


def _bridge_begins_s(wait: WaitingOrder, offer: Offer, asking: Asking) -> int:
    """Return the first day on which an offer can bridge a wait, epoch seconds."""
    return max(wait.from_s, day_of(asking.today_s + asking.leads_s.get(offer.offer_id, 0)))


def _bridge_usd(wait: WaitingOrder, offer: Offer, gpus: float, asking: Asking) -> float | None:
    """Return what a bridge costs more than the plan, $: its whole term in place of the order, on demand before and
    after; None for what is no bridge, or has no rate.
    """
    order_usd, late_usd = usd_per_day(wait.listed.orders[0]), wait.listed.waiting_usd_per_day
    rate, length = offer.spread_rate, length_s(offer)
    if order_usd is None or late_usd is None or rate is None or not 0 < length <= BRIDGE_S:
        return None
    begins_s = _bridge_begins_s(wait, offer, asking)
    late_s = begins_s - wait.from_s + max(0, wait.until_s - begins_s - length)
    more_usd = HOURS_PER_DAY * gpus * rate - order_usd
    return (late_s * late_usd + length * more_usd) / DAY_S


def quote_discount(offers: Sequence[Offer], earlier_offers: Iterable[Offer] = ()) -> float | None:
    """Return how far quotes were below the list price of the same provider, GPU model and term: the median, 0..1.

    offers: of the project, with quotes and list prices. earlier_offers: superseded ones with their dates. None with
    fewer than LEAST_QUOTES quotes beside a list price; 0 where they were above it.
    """
    listed = {_product(offer): offer.spread_rate for offer in offers if not is_quote(offer)}
    quotes = [offer for offer in (*offers, *earlier_offers) if is_quote(offer) and offer.provider]
    discounts = [
        1 - quote.spread_rate / list_rate
        for quote in quotes
        if quote.spread_rate and (list_rate := listed.get(_product(quote)))
    ]
    return max(0.0, median(discounts)) if len(discounts) >= LEAST_QUOTES else None


def _product(offer: Offer) -> tuple[object, ...]:
    """Return what tells offers for different things apart, whatever their rate."""
    sold = offer.provider, offer.gpu_model, offer.pricing_category
    return (*sold, offer.term_months, offer.term_days)
