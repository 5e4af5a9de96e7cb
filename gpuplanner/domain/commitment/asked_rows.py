"""What vendors are asked for: rows of requests, their numbers and renewals, and which a quote is for."""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil
from typing import Final

from gpuplanner.domain.commitment.demand.slicing import asked_block
from gpuplanner.domain.commitment.listed_order import ListedOrder, numbers_of, same_orders
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.recursion.calendar import ANY_TIME, BRIDGE_S, Calendar, lead_s
from gpuplanner.domain.commitment.recursion.rates import committed_offers
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.typed import amount, day, significant, whole
from gpuplanner.domain.fit.needs import NOTHING_ASKED, AskedNeeds, asked_needs, is_quoted_with
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded, worded_count
from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.book.only import Only, Row, only_of
from gpuplanner.domain.model.book.quote_source import answered_row, quote_id, quoted_start
from gpuplanner.domain.model.intake import LEAST_REPLY_S, RequestDays, SentRow, issued_on, sent_in
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, day_of, instant_s
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What vendors are asked for: the orders of twelve months, alike ones together, in whole nodes, from today on


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedRow:
    """One row of a request. name: R1, R2 ...; is_option: wanted only if demand that is young goes on.

    gpus: in whole nodes of node_gpus; start_s: a day, 00:00 UTC; term_days: 0 where the term is of calendar months.
    only: who alone may serve it, and where. orders: those that it stands for. order_numbers: of those in the plan's
    list, O1, O2, …; empty where these have none yet. asked_as: reference and number of the rows of requests that it
    equals, the newest request first.
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
    order_numbers: tuple[int, ...] = ()
    asked_as: tuple[tuple[str, str], ...] = ()

    @property
    def is_soonest(self) -> bool:
        """Whether its start is no day of its own: the first on which some of it can be had."""
        return any(order.reason in WAITS or day_of(order.start_s) < self.start_s for order in self.orders)

    @property
    def ordered_gpus(self) -> float:
        """GPUs that the plan orders, of the model asked for."""
        return sum(order.bought_gpus for order in self.orders)

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
    """The days of a request for the orders of a plan. leads_s: seconds from an order to its start, by offer_id; quoted:
    offers that vendors answered with: what is ordered of them waits for no reply."""

    leads_s: Mapping[str, int]
    quoted: frozenset[str] = frozenset()

    @property
    def days(self) -> RequestDays:
        """Its days alone."""
        return RequestDays(self.today_s, self.reply_by_s, self.decide_s)

    def reply_s(self, order: Order) -> int:
        """The day by which an order needs replies: that of the request, sooner where its start cannot wait.

        What is wanted at once, or as soon as it can be had, waits; vendors have LEAST_REPLY_S at least.
        """
        if order.reason in WAITS:
            return self.reply_by_s
        needed_s = day_of(order.order_by_s) - self.decide_s
        return min(self.reply_by_s, max(needed_s, self.today_s + LEAST_REPLY_S))

    def order_day_s(self, order: Order) -> int:
        """The first day on which it can be placed, none before that of the plan; that itself where nobody is asked."""
        is_asked = not order.is_bought and not self.needs_no_quote(order)
        return self._replied_s(order) if is_asked else self._own_s(order)

    def start_s(self, order: Order) -> int:
        """The day on which it starts: that of the plan, or its lead after the day on which it can be placed."""
        return self._start_placed_s(order, self.order_day_s(order))

    def own_start_s(self, order: Order) -> int:
        """The day on which it starts in the plan, where it is placed today at the earliest."""
        return self._start_placed_s(order, self._own_s(order))

    def quoted_start_s(self, order: Order) -> int:
        """The day on which it starts if it waits for a quote, whatever its term is and whoever sells it."""
        return self._start_placed_s(order, self._decided_s(order))

    def needs_no_quote(self, order: Order) -> bool:
        """Whether it bridges the time until orders can be placed: a month at most, at a rate that is known."""
        is_late = self._replied_s(order) > self._own_s(order)
        return is_short(order) and is_late and order.rate is not None and not order.is_bought

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
        return max(self._own_s(order), self.reply_s(order) + self.decide_s)

    def _replied_s(self, order: Order) -> int:
        return self._own_s(order) if order.offer_id in self.quoted else self._decided_s(order)


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
    listed = tuple(offers)
    leads = {offer.offer_id: lead_s(offer) for offer in listed}
    quoted = frozenset(offer.offer_id for offer in listed if answered_row(offer) is not None)
    return Asking(
        today_s=days.today_s, reply_by_s=days.reply_by_s, decide_s=days.decide_s, leads_s=leads, quoted=quoted
    )


WAITS: Final = ("now", "lead_time")
"""Reasons of orders whose start is no day of its own: until then their demand is paid by use."""


def asked_rows(
    orders: Sequence[Order],
    needs: Mapping[Row, AskedNeeds],
    node_gpus: Mapping[str, int],
    today_s: int,
    asking: Asking | None = None,
) -> tuple[AskedRow, ...]:
    """Every order whose term is not over in exactly one row: firm ones, then options, by start, model and term.

    needs: by pool and name of the demand, none asks for nothing; node_gpus: by GPU model, 1 where it is sold singly;
    today_s: no row starts before this day, epoch seconds; asking: nor before replies are decided on. Source:
    docs/formulas/quotes.md, Requests for quote.
    """
    alike: dict[AskedRow, list[Order]] = {}
    for order, start_s in starts_from(orders, today_s, asking):
        days, model = order.term_days or 0, order.offer_gpu_model or ""
        months, node = 0 if days else order.term_months, node_gpus.get(model, 1)
        need, limit = needs.get(Row(order.pool, order.gpu_model), NOTHING_ASKED), only_of(order.gpu_model)
        asked = AskedRow(
            name="",
            is_option=not order.is_certain,
            gpu_model=model,
            gpus=0,
            node_gpus=node,
            term_months=months,
            term_days=days,
            start_s=start_s,
            needs=need,
            only=limit,
            orders=(),
        )
        alike.setdefault(asked, []).append(order)
    together = _joined(alike)
    return tuple(
        replace(row, name=f"R{number}", gpus=_gpus_of(row, together[row]), orders=tuple(together[row]))
        for number, row in enumerate(sorted(together, key=_by_start), 1)
    )


def _by_start(row: AskedRow) -> tuple[object, ...]:
    """Firm rows first, each by start, model and term."""
    return (
        row.is_option,
        row.start_s,
        row.gpu_model,
        row.term_months,
        row.term_days,
        str((row.needs, row.only)),
    )


def _gpus_of(row: AskedRow, orders: Sequence[Order]) -> int:
    """What a row that stands for some orders asks for."""
    return whole_nodes(sum(order.bought_gpus for order in orders), row.node_gpus)


def _joined(alike: Mapping[AskedRow, list[Order]]) -> dict[AskedRow, list[Order]]:
    """Rows that need less with the one that needs more, all else alike, where that saves a node.

    Law: the same orders, each once; no more nodes than before. The one that saves most goes first.
    """
    joined_rows = {row: list(orders) for row, orders in alike.items()}

    def nodes(row: AskedRow, *others: AskedRow) -> int:
        """Nodes of some rows together."""
        orders = [order for other in (row, *others) for order in joined_rows[other]]
        return _gpus_of(row, orders) // row.node_gpus

    while True:
        pairs = [
            (nodes(weak) + nodes(strong) - nodes(weak, strong), weak, strong)
            for weak in joined_rows
            for strong in joined_rows
            if weak != strong
            and replace(weak, needs=strong.needs) == strong
            and weak.needs.beside(strong.needs) == strong.needs
        ]
        saved, weak, strong = max(
            pairs, key=lambda pair: (pair[0], str(list(map(_by_start, pair[1:])))), default=(0, None, None)
        )
        if not saved or weak is None or strong is None:
            return joined_rows
        joined_rows[strong] += joined_rows.pop(weak)


def asked_words(rows: Iterable[AskedRow], more_usd: float = 0.0) -> Message:
    """How many GPUs the firm rows ask for, and how many of these the plan orders, where whole nodes are more: for us,
    a vendor is told neither. more_usd: what the others are awarded for; 0 where nothing is known of it.

    Source: docs/formulas/quotes.md, Requests for quote.
    """
    firm = [row for row in rows if not row.is_option]
    asked, ordered = sum(row.gpus for row in firm), sum(row.ordered_gpus for row in firm)
    if round(ordered, 6) >= asked:
        return worded("Firm rows request {asked} GPUs.", asked=whole(asked))
    nodes = sorted({row.node_gpus for row in firm if round(row.ordered_gpus, 6) < row.gpus})
    return worded(
        "Firm rows request {asked} GPUs for {ordered} planned: rounded up to nodes of {node} GPUs{more}.",
        asked=whole(asked),
        ordered=significant(ordered),
        node=joined(map(whole, nodes), ", "),
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
    """The same of what is to be signed now, with what of it bridges the time until orders start and no row asks for.

    No words where nothing is to be signed, where nobody is asked, or where all of it is asked for in as many.
    """
    due = [row for row in rows if any(order in now for order in row.orders)]
    held = [order for row in due for order in row.orders]
    asked = sum(row.gpus for row in due)
    ordered = sum(order.bought_gpus for order in now if order in held)
    bridging = sum(order.bought_gpus for order in now if order not in held and not order.is_bought)
    if rows and bridging:
        return worded(
            "Of {now} GPUs to order now, {ordered} go out for quote ({asked} in whole nodes). {bridging} "
            "bridge the gap until orders start, at list price, for one month at most.",
            now=significant(ordered + bridging),
            ordered=significant(ordered),
            asked=whole(asked),
            bridging=significant(bridging),
        )
    if round(ordered, 6) >= asked:
        return NO_WORDS
    return worded_count(
        ordered,
        "For {ordered} GPU to order now, vendors quote {asked} in whole nodes.",
        "For {ordered} GPUs to order now, vendors are asked for {asked} in whole nodes.",
        ordered=significant(ordered),
        asked=whole(asked),
    )


def waiting_words(rows: Iterable[AskedRow], asking: Asking) -> Message:
    """From when on orders can be placed, what starts later for it, and how its demand is paid for until then."""
    late = [row.name for row in rows if row.is_soonest]
    sentences = [worded("Orders possible from {day}.", day=day(asking.orders_from_s))]
    if late:
        sentences.append(worded("Starting later, on demand until then: {rows}.", rows=joined(late, ", ")))
    return joined(sentences, " ")


MONTHS_OF_HOURS: Final = worded("With 730-h months, consecutive terms skip or repeat up to three days.")
"""What of days is not as a vendor or a calendar counts them."""


def calendar_words(rows: Iterable[AskedRow]) -> Message:
    """That days of rows of months which follow others are to be agreed on; no words where none does."""
    orders = (order for row in rows for order in row.orders)
    if not any(
        order.reason in ("follows", "bridge") and order.follows and not order.term_days for order in orders
    ):
        return NO_WORDS
    return worded("{months} Agree on exact days at signing.", months=MONTHS_OF_HOURS)


def starts_from(
    orders: Iterable[Order], today_s: int, asking: Asking | None = None
) -> list[tuple[Order, int]]:
    """The orders with the day on which each is wanted, epoch seconds, 00:00 UTC: that of the plan, none before today,
    nor before it can be placed once replies to a request are decided on; what follows another starts after that.

    Without orders that are over today or need no quote. Source: docs/formulas/quotes.md, Requests for quote.
    """
    today_s -= today_s % DAY_S
    starts: list[tuple[Order, int]] = []
    for order in sorted(orders, key=lambda order: order.start_s):
        if is_over(order, today_s) or (asking is not None and asking.needs_no_quote(order)):
            continue
        start_s = max(day_of(order.start_s), today_s)
        if asking is not None:
            ends_s = (
                at_s + before.end_s - before.start_s
                for before, at_s in starts
                if order.follows and _is_before(before, order) and at_s > day_of(before.start_s)
            )
            start_s = max(start_s, asking.start_s(order), *map(day_of, ends_s))
        starts.append((order, start_s))
    return starts


def _is_before(earlier: Order, order: Order) -> bool:
    """Whether an order ends where another of its like begins."""
    is_alike = (earlier.pool, earlier.gpu_model, earlier.gpus) == (order.pool, order.gpu_model, order.gpus)
    return is_alike and abs(order.start_s - earlier.end_s) <= DAY_S


def is_over(order: Order, at_s: int) -> bool:
    """Whether an order's whole term has gone by the beginning of a day: nothing of it is left to sign, or to ask for.

    at_s: epoch seconds, some time of that day.
    """
    return order.end_s <= at_s - at_s % DAY_S


# --- Rows of a request that renew each other: one line that a vendor answers, with the day until which it is wanted


@dataclass(frozen=True, slots=True)
class Run:
    """A row and those that renew it, in order of their starts: each as many GPUs of the same for the same term."""

    rows: tuple[AskedRow, ...]

    @property
    def first(self) -> AskedRow:
        """The row under whose number a vendor knows all of them."""
        return self.rows[0]

    @property
    def order_numbers(self) -> tuple[int, ...]:
        """The numbers of all its orders, each once, the lowest first."""
        return tuple(sorted({number for row in self.rows for number in row.order_numbers}))

    @property
    def until_s(self) -> int | None:
        """The last day of its last renewal, epoch seconds, 00:00 UTC; None where nothing renews it.

        A term of days is renewed until its order ends, also where that is one row. Starts are whole days: what they
        lose of months of 730 hours is not lost of all of them.
        """
        row = self.first
        is_renewed = row.term_days > 0 and _end_s(row) - row.start_s >= (row.term_days + 1) * DAY_S
        if len(self.rows) == 1 and not is_renewed:
            return None
        in_all_s = len(self.rows) * (_end_s(self.first) - self.first.start_s)
        last_s = max(_end_s(self.rows[-1]), self.first.start_s + in_all_s) - 1
        return last_s - last_s % DAY_S


def runs_of(rows: Iterable[AskedRow]) -> tuple[Run, ...]:
    """The rows as lines of a request, in the order of their first ones.

    Law: every row is in exactly one run; a run has rows that differ in name, start and orders alone, each of which
    begins within a day of where the one before it ends. Source: docs/formulas/quotes.md, Requests for quote.
    """
    runs: list[list[AskedRow]] = []
    for row in sorted(rows, key=lambda row: (row.is_option, row.start_s)):
        before = next((run for run in runs if _renews(run[-1], row)), None)
        if before is None:
            runs.append([row])
        else:
            before.append(row)
    return tuple(Run(tuple(run)) for run in runs)


def renewed_rows(rows: Sequence[AskedRow]) -> int:
    """How many rows renew another and have no line of their own."""
    return len(rows) - len(runs_of(rows))


def _renews(earlier: AskedRow, row: AskedRow) -> bool:
    """Whether a row asks for the same as another from the day on which that ends. Months of a plan have 730 hours, so
    days may differ by one."""
    alike = replace(
        earlier,
        name=row.name,
        start_s=row.start_s,
        orders=row.orders,
        order_numbers=row.order_numbers,
        asked_as=row.asked_as,
    )
    return alike == row and abs(row.start_s - _end_s(earlier)) <= DAY_S


def _end_s(row: AskedRow) -> int:
    """When the hours of its term are over, epoch seconds."""
    return row.start_s + round(row.orders[0].term_hours * HOUR_S)


# --- Which row of a request an offer is a quote for, and whether it can be ordered in time for a row


def rows_quoted_for(
    offer: Offer, rows: Sequence[AskedRow], calendar: Calendar = ANY_TIME
) -> tuple[int, ...] | None:
    """The places of the rows that an offer answers; None where it answers no request, and is for any row.

    The row that it was asked for where that is still asked for, and those with an order of it or of what another vendor
    answered to that row. Else, and where its least is over what these ask, those of its model and term with an order
    that the plan might give it (calendar: of that plan), which need no more than it was asked for; where months are not
    known the nearest of them. What was quoted for an option is for no firm row.
    Source: docs/formulas/quotes.md, Quotes.
    """
    answered = answered_row(offer)
    if answered is None:
        return None
    key = answered.reference, answered.row
    if any(key in row.asked_as for row in rows):

        def is_answer(offer_id: str) -> bool:
            """Whether an offer is this one, or another vendor's for the row of its request."""
            return offer_id == offer.offer_id or offer_id.endswith(quote_id("", *key).removeprefix("quote "))

        own = [
            place
            for place, row in enumerate(rows)
            if key in row.asked_as or any(is_answer(order.offer_id or "") for order in row.orders)
        ]
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


def row_quoted_for(offer: Offer, rows: Sequence[AskedRow], calendar: Calendar = ANY_TIME) -> int | None:
    """The place of the row that a quote stands beside; None for one that is for none of them, and for what is no quote.

    Of the rows that it answers one that the plan gave it, else the one that starts nearest to the day it was quoted
    for; of two that are as near the one whose number it names, else the first.
    """
    places = rows_quoted_for(offer, rows, calendar)
    return _nearest(offer, rows, places) if places else None


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


# --- The rows that ask for the orders of a plan, under the numbers that vendors know them by where they have answered

_FURTHEST_S: Final = 3 * DAY_S
"""A row that starts further from one that was sent is another row; months of 730 hours move days of the calendar."""


def asked_in(
    ground: Ground,
    orders: Sequence[Order],
    today_s: int,
    asking: Asking | None = None,
    listed_orders: Sequence[ListedOrder] = (),
) -> tuple[AskedRow, ...]:
    """The rows that ask for the orders of a plan, but for those that buy GPUs of our own, in the nodes that its pools
    are sold them in.

    ground: of that plan. today_s: epoch seconds; no row starts before that day, nor before replies are decided on
    (asking; None: those of the request that the plan waits for). listed_orders: of the plan, by number.
    """
    days = ground.project.request_days
    if asking is None and days is not None:
        asking = asking_in(days, ground.project.offers)
    orders = asked_of_vendors(orders, ground.project.offers)
    named = {Row(order.pool, order.gpu_model) for order in orders}
    needs = asked_needs(ground.project, ground.plan.users, named)
    nodes: dict[str, int] = {}
    for pool, name, model in {(order.pool, order.gpu_model, order.offer_gpu_model or "") for order in orders}:
        sold = [offer for offer in ground.eligible.get(Row(pool, name), ()) if offer.gpu_model == model]
        node = asked_block(None, committed_offers(sold))
        nodes[model] = min(nodes.get(model, node), node)
    rows = asked_rows(orders, needs, nodes, today_s, asking)
    places = same_orders(orders, listed_orders)
    rows = tuple(replace(row, order_numbers=numbers_of(row.orders, places)) for row in rows)
    sent = [row for file in ground.project.intake for row in sent_in(file)]
    return as_numbered(rows, ground.project.offers, ground.calendar, sent)


def as_numbered(
    rows: Sequence[AskedRow],
    offers: Sequence[Offer],
    calendar: Calendar = ANY_TIME,
    sent: Sequence[SentRow] = (),
) -> tuple[AskedRow, ...]:
    """The rows, each that equals one of a request of which something came back under its number there, in the newest.

    sent: all rows of the files that came back. A row that was not asked so has a number that no request has used. Of a
    request whose rows are not known a row has the number of the quote that stands beside it (calendar: of the plan);
    where none are known the others keep their own, as far as no quote has it.
    Of requests of one day the one that was quoted on last is the newest; where that is the same, or not told, the last
    by reference. Source: docs/formulas/quotes.md, Requests for quote.
    """
    answered = [(offer, quote) for offer in offers if (quote := answered_row(offer)) is not None]
    of_request: dict[str, dict[int, SentRow]] = {}
    for sent_row in sent:
        of_request.setdefault(sent_row.reference, {})[sent_row.number] = sent_row
    day_of_request: dict[str, tuple[str, str, str]] = {}
    for reference, quoted_on in (
        *((quote.reference, offer.as_of) for offer, quote in answered),
        *((row.reference, row.quoted_on) for row in sent),
    ):
        day = issued_on(reference) or "", quoted_on or "", reference
        day_of_request[reference] = max(day, day_of_request.get(reference, day))
    asked_as: dict[int, list[tuple[str, str]]] = {}
    names: dict[int, int] = {}
    used: set[int] = set()
    for reference in sorted(day_of_request, key=day_of_request.__getitem__, reverse=True):
        quotes = [(int(quote.row[1:]), offer) for offer, quote in answered if quote.reference == reference]
        known = of_request.get(reference, {})
        numbers = _equal_rows(rows, known) if known else _quoted_rows(rows, quotes, calendar)
        for place, number in numbers.items():
            if known:
                asked_as.setdefault(place, []).append((reference, f"R{number}"))
            if number not in used:  # else newer requests ask for another row by it
                names.setdefault(place, number)
        used |= {*known, *(number for number, _ in quotes)}
    after = max((*used, *(() if of_request else (len(rows),))), default=0)
    numbered = []
    for place, row in enumerate(rows):
        if not of_request and place + 1 not in used:  # all that is known of is another number
            names.setdefault(place, place + 1)
        if used and place not in names:
            names[place] = after = after + 1
        name = f"R{names[place]}" if used else row.name
        numbered.append(replace(row, name=name, asked_as=tuple(asked_as.get(place, ()))))
    return tuple(numbered)


def _quoted_rows(
    rows: Sequence[AskedRow], quotes: Sequence[tuple[int, Offer]], calendar: Calendar
) -> dict[int, int]:
    """By place the number of the quote that stands beside a row; each number once."""
    numbers: dict[int, int] = {}
    for number, offer in sorted(quotes, key=lambda quote: (quote[0], quote[1].offer_id)):
        place = row_quoted_for(offer, rows, calendar)
        if place is not None and number not in numbers.values():
            numbers.setdefault(place, number)
    return numbers


def _equal_rows(rows: Sequence[AskedRow], sent: Mapping[int, SentRow]) -> dict[int, int]:
    """By place the number of the row of a request that a row equals, the nearest start first; each number once."""
    pairs = [
        (away_s, place, number)
        for place, row in enumerate(rows)
        for number, asked in sent.items()
        if _is_equal(row, asked) and (away_s := _away_s(row, asked)) <= _FURTHEST_S
    ]
    numbers: dict[int, int] = {}
    for _, place, number in sorted(pairs):
        if number not in numbers.values():
            numbers.setdefault(place, number)
    return numbers


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
