"""What vendors are asked for: a row for each order of the plan, and which row a quote is for."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Final

from gpuplanner.domain.commitment.demand.slicing import asked_block
from gpuplanner.domain.commitment.listed_order import ListedOrder
from gpuplanner.domain.commitment.numbers import order_number
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, BRIDGE_S, Calendar, lead_s
from gpuplanner.domain.commitment.recursion.rates import committed_offers
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.typed import amount, significant, whole
from gpuplanner.domain.fit.needs import NOTHING_ASKED, AskedNeeds, asked_needs, is_quoted_with
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded, worded_count
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.book.only import Only, Row, only_of
from gpuplanner.domain.model.book.quote_source import answered_row, quoted_start
from gpuplanner.domain.model.intake import RequestDays, SentRow, days_answered, issued_on, sent_in
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, day_of, instant_s
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What vendors are asked for: every order of the plan under its number, in whole nodes, from today on


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRow:
    """One row of a request: an order of the plan with those that renew it. name: its number there, O1, O2, …

    is_option: wanted only if demand that is young goes on. gpus: in whole nodes of node_gpus; start_s: a day, 00:00
    UTC; term_days: 0 where the term is of calendar months. terms: how often the term is wanted, once after the other;
    until_s: the last day of the last of them, 00:00 UTC; None where it is wanted once. only: who alone may serve it,
    and where. orders: the order and those that renew it. asked_as: reference and number of the rows of requests that
    it equals, the newest request first.
    """

    name: str
    is_option: bool
    gpu_model: str
    gpus: int
    node_gpus: int
    term_months: int
    term_days: int
    start_s: int
    needs: AskedNeeds
    only: Only
    orders: tuple[Order, ...]
    terms: int = 1
    until_s: int | None = None
    asked_as: tuple[tuple[str, str], ...] = ()

    @property
    def number(self) -> int:
        """The number of its order."""
        return int(self.name[1:])

    @property
    def is_soonest(self) -> bool:
        """Whether its start is no day of its own: the first on which some of it can be had."""
        return any(order.reason in WAITS or day_of(order.start_s) < self.start_s for order in self.orders)

    @property
    def ordered_gpus(self) -> float:
        """GPUs that the plan orders, of the model asked for."""
        return self.orders[0].bought_gpus

    @property
    def term_s(self) -> int:
        """Seconds of one term."""
        return _term_s(self.orders[0])

    @property
    def term_words(self) -> str:
        """The term as a request writes it: 1 month, 12 months, 30 days."""
        return str(term_words(self.term_months, self.term_days))


def whole_nodes(gpus: float, node_gpus: int) -> int:
    """The GPUs of as many whole nodes as hold so many.

    Law: no fewer than asked, and less than one node more. A thousandth over is a node's last GPU, not another node.

    >>> whole_nodes(18, 8), whole_nodes(16, 8), whole_nodes(2.5, 1)
    (24, 16, 3)
    """
    return node_gpus * max(1, ceil(round(gpus, 6) / node_gpus))


def asked_of_vendors(orders: Iterable[Order], offers: Iterable[Offer]) -> tuple[Order, ...]:
    """The orders that a request is for: no vendor of GPU-hours sells what is bought to be our own."""
    owned = {offer.offer_id for offer in offers if is_owned(offer)}
    return tuple(order for order in orders if not (order.is_dollars or order.offer_id in owned))


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking(RequestDays):
    """The days of a request for the orders of a plan. leads_s: seconds from an order to its start, by offer_id."""

    leads_s: Mapping[str, int]

    @property
    def days(self) -> RequestDays:
        """Its days alone."""
        return RequestDays(self.today_s, self.reply_by_s, self.decide_s)

    def order_day_s(self, order: Order) -> int:
        """The first day on which it can be placed, none before that of the plan; that itself where nobody is asked."""
        return self._own_s(order) if order.is_bought else self._decided_s(order)

    def own_start_s(self, order: Order) -> int:
        """The day on which it starts in the plan, where it is placed today at the earliest."""
        return self._start_placed_s(order, self._own_s(order))

    def quoted_start_s(self, order: Order) -> int:
        """The day on which it starts if it waits for a quote, whatever its term is and whoever sells it."""
        return self._start_placed_s(order, self._decided_s(order))

    def is_too_late(self, order: Order) -> bool:
        """Whether replies are decided on only after the last day to order it."""
        return self.order_day_s(order) > day_of(order.order_by_s)

    def _start_placed_s(self, order: Order, placed_s: int) -> int:
        """The day on which it starts if it is placed on a day: its lead later, but not before that of the plan."""
        own_s = max(day_of(order.start_s), self.today_s)
        if placed_s <= day_of(order.order_by_s):
            return own_s
        lead_s = self.leads_s.get(order.offer_id, order.start_s - order.order_by_s)
        return max(own_s, day_of(placed_s + lead_s))

    def _own_s(self, order: Order) -> int:
        return max(day_of(order.order_by_s), self.today_s)

    def _decided_s(self, order: Order) -> int:
        return max(self._own_s(order), self.orders_from_s)


def is_short(order: Order) -> bool:
    """Whether an order is for a month at most, so that it can bridge the time until others are placed."""
    return order.term_days * DAY_S <= BRIDGE_S if order.term_days else order.term_months <= 1


REPLY_DAYS: Final = 14
DECIDE_DAYS: Final = 5


def usual_days(today_s: int) -> RequestDays:
    """The days of a request that is sent on a day (epoch seconds) and says nothing else of them."""
    sent_s = day_of(today_s)
    return RequestDays(sent_s, sent_s + REPLY_DAYS * DAY_S, DECIDE_DAYS * DAY_S)


def usual_asking(today_s: int, offers: Iterable[Offer]) -> Asking:
    """The same, with the leads of what is on offer."""
    return asking_in(usual_days(today_s), offers)


def asking_in(days: RequestDays, offers: Iterable[Offer]) -> Asking:
    """The days of a request, with the leads of what is on offer."""
    leads = {offer.offer_id: lead_s(offer) for offer in offers}
    return Asking(today_s=days.today_s, reply_by_s=days.reply_by_s, decide_s=days.decide_s, leads_s=leads)


WAITS: Final = ("now", "lead_time")
"""Reasons of orders whose start is no day of its own: until then their demand is paid by use."""


def asked_rows(
    listed_orders: Iterable[ListedOrder],
    needs: Mapping[Row, AskedNeeds],
    node_gpus: Mapping[str, int],
    today_s: int,
    asking: Asking | None = None,
) -> tuple[AskedRow, ...]:
    """Every listed order whose terms are not over in exactly one row, by number; none that is ordered at list price.

    needs: by pool and name of the demand, none asks for nothing; node_gpus: by GPU model, 1 where it is sold singly;
    today_s: no row starts before this day, epoch seconds; asking: nor before replies are decided on. Source:
    docs/formulas/quotes.md, Requests for quote.
    """
    rows = []
    for listed in listed_orders:
        orders = tuple(order for order in listed.orders if not is_over(order, today_s))
        if not orders or listed.is_at_list_price:
            continue
        first, model = orders[0], orders[0].offer_gpu_model or ""
        start_s = (
            max(day_of(first.start_s), day_of(today_s)) if asking is None else asking.quoted_start_s(first)
        )
        node = node_gpus.get(model, 1)
        terms = _terms(orders, start_s)
        last_s = max(orders[-1].end_s, start_s + terms * _term_s(first)) - 1
        rows.append(
            AskedRow(
                name=order_number(listed.number),
                is_option=not first.is_certain,
                gpu_model=model,
                gpus=whole_nodes(first.bought_gpus, node),
                node_gpus=node,
                term_months=0 if first.term_days else first.term_months,
                term_days=first.term_days or 0,
                start_s=start_s,
                needs=needs.get(Row(first.pool, first.gpu_model), NOTHING_ASKED),
                only=only_of(first.gpu_model),
                orders=orders,
                terms=terms,
                until_s=day_of(last_s) if terms > 1 else None,
            )
        )
    return tuple(rows)


def _terms(orders: Sequence[Order], start_s: int) -> int:
    """How many whole terms of a chain of orders there are from a day until it ends, one at least.

    A term of days is renewed until its order ends. Months of 730 hours and whole days leave a day's slack.
    """
    return max(1, (orders[-1].end_s + DAY_S - start_s) // _term_s(orders[0]))


def _term_s(order: Order) -> int:
    """Seconds of one term: a term of days is shorter than its order, which renews it."""
    return order.term_days * DAY_S if order.term_days else round(order.term_hours * HOUR_S)


def asked_words(rows: Iterable[AskedRow], more_usd: float = 0.0) -> Message:
    """Which firm rows ask for more than the plan orders, as nodes are whole: for us, a vendor is told neither. No words
    without any. more_usd: what these GPUs are awarded for; 0 where nothing is known of it.

    Source: docs/formulas/quotes.md, Requests for quote.
    """
    rounded = [row for row in rows if not row.is_option and round(row.ordered_gpus, 6) < row.gpus]
    if not rounded:
        return NO_WORDS
    return worded(
        "{orders}: rounded up to nodes of {node} GPUs{more}.",
        orders=joined((row.name for row in rounded), ", "),
        node=joined(map(whole, sorted({row.node_gpus for row in rounded})), ", "),
        more=worded(", for {usd} more over their terms", usd=amount(more_usd)) if more_usd else "",
    )


def unasked_words(orders: Iterable[Order], offers: Sequence[Offer]) -> Message:
    """GPUs of our own and dollars per hour that a plan buys, which no vendor is asked for; no words without any."""
    orders = tuple(orders)
    asked, words = asked_of_vendors(orders, offers), list[Message]()
    gpus = sum(order.bought_gpus for order in orders if order not in asked and not order.is_dollars)
    if gpus:
        words.append(worded("No RFQ covers the plan's {gpus} owned GPUs.", gpus=significant(gpus)))
    if usd := sum(order.usd_per_hour or 0.0 for order in orders):
        words.append(worded("No RFQ covers {usd} per hour: order from its provider.", usd=amount(usd, 2)))
    return joined(words, " ")


def asked_now_words(rows: Sequence[AskedRow], now: Sequence[Order]) -> Message:
    """The same of what is to be signed now. No words where nothing of it is asked for, or in as many GPUs."""
    due = [row for row in rows if any(order in now for order in row.orders)]
    asked, ordered = sum(row.gpus for row in due), sum(row.ordered_gpus for row in due)
    if round(ordered, 6) >= asked:
        return NO_WORDS
    return worded_count(
        ordered,
        "For {ordered} GPU to order now, vendors quote {asked} in whole nodes.",
        "For {ordered} GPUs to order now, vendors are asked for {asked} in whole nodes.",
        ordered=significant(ordered),
        asked=whole(asked),
    )


MONTHS_OF_HOURS: Final = worded("With 730-h months, consecutive terms skip or repeat up to three days.")
"""What of days is not as a vendor or a calendar counts them."""


def calendar_words(rows: Iterable[AskedRow]) -> Message:
    """That days of rows of months which follow others are to be agreed on; no words where none does."""
    if not any(row.terms > 1 and not row.term_days for row in rows):
        return NO_WORDS
    return worded("{months} Agree on exact days at signing.", months=MONTHS_OF_HOURS)


def is_over(order: Order, at_s: int) -> bool:
    """Whether an order's whole term has gone by the beginning of a day: nothing of it is left to sign, or to ask for.

    at_s: epoch seconds, some time of that day.
    """
    return order.end_s <= at_s - at_s % DAY_S


# --- Which row of a request an offer is a quote for, and whether it can be ordered in time for a row


def rows_quoted_for(
    offer: Offer, rows: Sequence[AskedRow], calendar: Calendar = ANY_TIME
) -> tuple[int, ...] | None:
    """The places of the rows that an offer answers; None where it answers no request, and is for any row.

    The row that it was asked for where that is still asked for. Else, and where its least is over what that asks, those
    of its model and term with an order that the plan might give it (calendar: of that plan), which need no more than it
    was asked for; where months are not known the nearest of them. What was quoted for an option is for no firm row.
    Source: docs/formulas/quotes.md, Quotes.
    """
    answered = answered_row(offer)
    if answered is None:
        return None
    key = answered.reference, answered.row
    if any(key in row.asked_as for row in rows):
        own = [place for place, row in enumerate(rows) if key in row.asked_as]
        if (offer.min_gpus or 0) <= sum(rows[place].gpus for place in own):
            return tuple(own)
        return tuple(sorted({*own, *_might_be_given(offer, rows, calendar)}))
    alike = _might_be_given(offer, rows, calendar)
    is_known = calendar.months_quoted_for(offer) is not None
    return tuple(alike) if is_known else tuple(alike and [_nearest(offer, rows, alike)])


def _might_be_given(offer: Offer, rows: Sequence[AskedRow], calendar: Calendar) -> list[int]:
    """The places of the rows of its model and term with an order that the plan might give it."""
    months, begin_s = calendar.months_quoted_for(offer), calendar.begin_s or 0
    return [
        place
        for place, row in enumerate(rows)
        if _is_for(offer, row)
        and (months is None or any((order.start_s - begin_s) // MONTH_S in months for order in row.orders))
    ]


def _nearest(offer: Offer, rows: Sequence[AskedRow], places: Sequence[int]) -> int:
    """The row among some that a quote is for first."""
    answered, quote = answered_row(offer), quoted_start(offer)
    number = "" if answered is None else answered.row
    day_s = None if quote is None else quote.offered_s

    def how_far(place: int) -> tuple[bool, int, bool, int]:
        """Whether it was given none of it, seconds between the days, whether it has another number, and its place."""
        row = rows[place]
        is_given = any(order.offer_id == offer.offer_id for order in row.orders)
        far = 0 if day_s is None else abs(row.start_s - day_s)
        return not is_given, far, row.name != number, place

    return min(places, key=how_far)


def is_of_term(offer: Offer, row: AskedRow) -> bool:
    """Whether an offer is of the very term of a row: as many months, or as many days."""
    if row.term_days or offer.term_days:
        return offer.term_days == row.term_days
    return offer.term_months == row.term_months


def begins_s(offer: Offer, order_day_s: int) -> int:
    """When a term begins that is ordered on a day: after its lead, and once its capacity is there. Epoch seconds.

    What a vendor copied from the request as its earliest start is there as soon as it was asked for.
    """
    return max(day_of(order_day_s) + lead_s(offer), offer.starts_s or 0)


def latest_start_s(row: AskedRow, leads_s: Mapping[str, int], order_day_s: int) -> int:
    """The day asked for; where the plan's own offers cannot begin by then any more, the day on which they can.

    leads_s: by offer_id; all in epoch seconds.
    """
    own = [leads_s[order.offer_id] for order in row.orders if order.offer_id in leads_s]
    return max(row.start_s, day_of(order_day_s) + min(own, default=0))


def is_in_time(offer: Offer, start_s: int, order_day_s: int) -> bool:
    """Whether an offer that is ordered on a day begins on another or before, by the day (UTC)."""
    return day_of(begins_s(offer, order_day_s)) <= day_of(start_s)


def _is_for(offer: Offer, row: AskedRow) -> bool:
    """Whether an offer is of the model and term of a row, from who may serve it, and was asked for what it needs."""
    answered = answered_row(offer)
    is_alike = offer.gpu_model == row.gpu_model and is_of_term(offer, row)
    if answered is not None and answered.is_option and not row.is_option:
        return False
    return is_alike and row.only.allows(offer) and is_quoted_with(offer, row.needs)


# --- The rows that ask for the orders of a plan, each with the rows of requests that it equals

_FURTHEST_S: Final = 3 * DAY_S
"""A row that starts further from one that was sent is another row; months of 730 hours move days of the calendar."""


def asked_in(
    ground: Ground, listed_orders: Sequence[ListedOrder], today_s: int, asking: Asking | None = None
) -> tuple[AskedRow, ...]:
    """The rows that ask for the orders of a plan, but for those that buy GPUs of our own, in the nodes that its pools
    are sold them in.

    ground: of that plan. listed_orders: its orders. today_s: epoch seconds; no row starts before that day, nor before
    replies are decided on (asking; None: those of the newest request of which something came back).
    """
    days = days_answered(ground.project.intake)
    if asking is None and days is not None:
        asking = asking_in(days, ground.project.offers)
    of_vendors = set(map(id, asked_of_vendors((o.orders[0] for o in listed_orders), ground.project.offers)))
    listed_orders = [listed for listed in listed_orders if id(listed.orders[0]) in of_vendors]
    orders = [listed.orders[0] for listed in listed_orders]
    named = {Row(order.pool, order.gpu_model) for order in orders}
    needs = asked_needs(ground.project, ground.plan.users, named)
    nodes: dict[str, int] = {}
    for pool, name, model in {(order.pool, order.gpu_model, order.offer_gpu_model or "") for order in orders}:
        sold = [offer for offer in ground.eligible.get(Row(pool, name), ()) if offer.gpu_model == model]
        node = asked_block(None, committed_offers(sold))
        nodes[model] = min(nodes.get(model, node), node)
    rows = asked_rows(listed_orders, needs, nodes, today_s, asking)
    return as_asked(rows, [row for file in ground.project.intake for row in sent_in(file)])


def as_asked(rows: Sequence[AskedRow], sent: Sequence[SentRow]) -> tuple[AskedRow, ...]:
    """The rows, each with the rows of requests that it equals, and under the number that it had in the newest of them.

    sent: all rows of the files that came back; those of older files have other numbers than orders, R1, R2, …, which no
    row is named by. A row that was not asked so keeps its number, or has the next one that is free. Of requests of one
    day the one that was quoted on last is the newest; where that is the same, or not told, the last by reference.
    Source: docs/formulas/quotes.md, Requests for quote.
    """
    of_request: dict[str, dict[str, SentRow]] = {}
    newest: dict[str, tuple[str, str, str]] = {}
    for sent_row in sent:
        reference = sent_row.reference
        of_request.setdefault(reference, {})[sent_row.name] = sent_row
        when = issued_on(reference) or "", sent_row.quoted_on or "", reference
        newest[reference] = max(when, newest.get(reference, when))
    asked_as: dict[int, list[tuple[str, str]]] = {}
    names: dict[int, str] = {}
    for reference in sorted(newest, key=newest.__getitem__, reverse=True):
        for place, name in _equal_rows(rows, of_request[reference]).items():
            asked_as.setdefault(place, []).append((reference, name))
            if name == order_number(int(name[1:])) and name not in names.values():
                names.setdefault(place, name)
    for place, row in enumerate(rows):
        if place not in names and row.name not in names.values():
            names[place] = row.name
    after = max((int(name[1:]) for name in names.values()), default=0)
    numbered = []
    for place, row in enumerate(rows):
        if place not in names:
            names[place] = order_number(after := after + 1)
        numbered.append(replace(row, name=names[place], asked_as=tuple(asked_as.get(place, ()))))
    return tuple(sorted(numbered, key=lambda row: row.number))


def _equal_rows(rows: Sequence[AskedRow], sent: Mapping[str, SentRow]) -> dict[int, str]:
    """By place the name of the row of a request that a row equals; each name once.

    The one of the same name first, then the nearest start.
    """
    pairs = [
        (row.name != name, away_s, place, asked.number, name)
        for place, row in enumerate(rows)
        for name, asked in sent.items()
        if _is_equal(row, asked) and (away_s := _away_s(row, asked)) <= _FURTHEST_S
    ]
    names: dict[int, str] = {}
    for _, _, place, _, name in sorted(pairs):
        if name not in names.values():
            names.setdefault(place, name)
    return names


def _is_equal(row: AskedRow, sent: SentRow) -> bool:
    """Whether a row asks for what one that was sent does, whenever it starts; what is not told of that may be alike."""
    names = (row.gpu_model, sent.gpu_model), (row.only.region, sent.region)
    return (
        all(ours.casefold() == theirs.casefold() for ours, theirs in names)
        and (row.term_months, row.term_days, row.is_option)
        == (sent.term_months, sent.term_days, sent.is_option)
        and sent.gpus in (None, row.gpus)
        and sent.interconnect == row.needs.interconnect
        and (
            sent.gpus is None
            or (sent.bare_metal, sent.memory_gb) == (row.needs.bare_metal, row.needs.memory_gb)
        )
    )


def _away_s(row: AskedRow, sent: SentRow) -> int:
    """Seconds between the starts of both, none where that which was sent was the soonest of its day and is no more than
    a month from this; more than the furthest where it has none."""
    if sent.start is None:
        return _FURTHEST_S + 1
    start_s = instant_s(sent.start)
    own_s = min((day_of(order.start_s) for order in row.orders), default=row.start_s)
    is_soonest = sent.is_soonest or sent.start == issued_on(sent.reference)
    away_s = abs(row.start_s - start_s)
    return 0 if is_soonest and own_s <= start_s and away_s <= MONTH_S else away_s
