"""What vendors are asked for: the orders of twelve months, alike ones together, in whole nodes, from today on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

from gpuplanner.domain.commitment.result import IF_IT_LASTS, Order
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.fit.asked_needs import NOTHING_ASKED, AskedNeeds, AskedOf
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded, worded_count
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import Only, only_of
from gpuplanner.domain.model.book.owned import is_owned
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.window import DAY_S, HOUR_S, MONTH_S, instant_s, iso_utc, months_after


@dataclass(frozen=True, slots=True)
class AskedRow:
    """One row of a request. name: R1, R2 ...; is_option: wanted only if demand that is young goes on.

    gpus: in whole nodes of node_gpus; start_s: a day, 00:00 UTC; term_days: 0 where the term is of calendar months.
    only: who alone may serve it, and where. orders: those that it stands for.
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
    return tuple(order for order in orders if order.offer_id not in owned)


def asked_rows(
    orders: Sequence[Order],
    needs: Mapping[AskedOf, AskedNeeds],
    node_gpus: Mapping[str, int],
    today_s: int,
) -> tuple[AskedRow, ...]:
    """Every order whose term is not over in exactly one row: firm ones, then options, by start, model and term.

    needs: by pool and name of the demand, none asks for nothing; node_gpus: by GPU model, 1 where it is sold singly;
    today_s: no row starts before this day, epoch seconds. Source: docs/formulas.md, Requests for quote.
    """
    alike: dict[_Key, list[Order]] = {}
    for order, start_s in starts_from(orders, today_s):
        days, limit = order.term_days or 0, only_of(order.gpu_model)
        asked = needs.get((order.pool, order.gpu_model), NOTHING_ASKED)
        model = order.offer_gpu_model or ""
        key = (not order.is_certain, start_s, model, 0 if days else order.term_months, days, asked, limit)
        alike.setdefault(key, []).append(order)
    rows = []
    together = _joined(alike, node_gpus)
    in_order = sorted(together, key=lambda key: (*key[:5], str(key[5:])))
    for number, key in enumerate(in_order, 1):
        is_option, start_s, model, months, days, asked, limit = key
        of, node = together[key], node_gpus.get(model, 1)
        gpus = whole_nodes(sum(order.bought_gpus for order in of), node)
        name = f"R{number}"
        rows.append(
            AskedRow(name, is_option, model, gpus, node, months, days, start_s, asked, limit, tuple(of))
        )
    return tuple(rows)


_Key = tuple[bool, int, str, int, int, AskedNeeds, Only]
"""What orders of one row have in common: as AskedRow has it, the term in months or days."""


def _joined(alike: Mapping[_Key, list[Order]], node_gpus: Mapping[str, int]) -> dict[_Key, list[Order]]:
    """Rows that need less with the one that needs more, all else alike, where that saves a node.

    Law: the same orders, each once; no more nodes than before. The one that saves most goes first.
    """
    found = {key: list(orders) for key, orders in alike.items()}

    def nodes(*keys: _Key) -> int:
        """Nodes of some rows together."""
        node = node_gpus.get(keys[0][2], 1)
        gpus = sum(order.bought_gpus for key in keys for order in found[key])
        return whole_nodes(gpus, node) // node

    while True:
        pairs = [
            (nodes(weak) + nodes(strong) - nodes(weak, strong), weak, strong)
            for weak in found
            for strong in found
            if weak != strong
            and (*weak[:5], weak[6]) == (*strong[:5], strong[6])
            and weak[5].beside(strong[5]) == strong[5]
        ]
        saved, weak, strong = max(pairs, key=lambda pair: (pair[0], str(pair[1:])), default=(0, None, None))
        if not saved or weak is None or strong is None:
            return found
        found[strong] += found.pop(weak)


def asked_words(rows: Iterable[AskedRow]) -> Message:
    """How many GPUs the firm rows ask for, and how many of these the plan orders, where whole nodes are more: for us,
    a vendor is told neither.

    Source: docs/formulas.md, Requests for quote.
    """
    firm = [row for row in rows if not row.is_option]
    asked, ordered = sum(row.gpus for row in firm), sum(row.ordered_gpus for row in firm)
    if round(ordered, 6) >= asked:
        return worded("Firm rows ask for {asked} GPUs.", asked=whole(asked))
    nodes = sorted({row.node_gpus for row in firm if round(row.ordered_gpus, 6) < row.gpus})
    return worded(
        "Firm rows ask for {asked} GPUs where the plan orders {ordered}: each row is rounded up to whole nodes of "
        "{node} GPUs.",
        asked=whole(asked),
        ordered=significant(ordered),
        node=joined(map(whole, nodes), ", "),
    )


def owned_words(orders: Iterable[Order], offers: Sequence[Offer]) -> Message:
    """How many GPUs of our own a plan buys, which no vendor is asked for; no words where there are none."""
    orders = tuple(orders)
    asked = asked_of_vendors(orders, offers)
    gpus = sum(order.bought_gpus for order in orders if order not in asked)
    if not gpus:
        return NO_WORDS
    return worded(
        "No request asks for the {gpus} GPUs of our own that the plan buys.", gpus=significant(gpus)
    )


def asked_now_words(rows: Iterable[AskedRow], now: Sequence[Order]) -> Message:
    """The same of the rows that hold what is to be signed now; no words where nothing is, or no row asks for more."""
    mine = [row for row in rows if any(order in now for order in row.orders)]
    held = [order for row in mine for order in row.orders]
    asked = sum(row.gpus for row in mine)
    ordered = sum(order.bought_gpus for order in now if order in held)
    if not mine or round(ordered, 6) >= asked:
        return NO_WORDS
    return worded_count(
        ordered,
        "For the {ordered} GPU to sign now vendors are asked for {asked}, in whole nodes.",
        "For the {ordered} GPUs to sign now vendors are asked for {asked}, in whole nodes.",
        ordered=significant(ordered),
        asked=whole(asked),
    )


MONTHS_OF_HOURS: Final = worded(
    "Months of the plan have 730 hours: terms of months that follow each other may leave out or repeat up to three "
    "days of the calendar."
)
"""What of days is not as a vendor or a calendar counts them."""


def calendar_words(rows: Iterable[AskedRow]) -> Message:
    """That days of rows of months which follow others are to be agreed on; no words where none does."""
    orders = (order for row in rows for order in row.orders)
    if not any(
        order.reason in ("follows", "bridge") and order.month and not order.term_days for order in orders
    ):
        return NO_WORDS
    return worded("{months} Agree on the days where you sign.", months=MONTHS_OF_HOURS)


def starts_from(orders: Iterable[Order], today_s: int) -> list[tuple[Order, int]]:
    """The orders with the day on which each is wanted, epoch seconds, 00:00 UTC: that of the plan, none before today.

    Those whose whole term is over by today are left out. What comes after another order of its row starts no earlier
    than that one's hours are over, so that what begins late in its month, or today, is not paid twice; but in its own
    month of the plan, for which a quote as asked can be signed. A month is 730 h here as there.
    Source: docs/formulas.md, Requests for quote.
    """
    today_s -= today_s % DAY_S
    found: list[tuple[Order, int]] = []
    wanted = (order for order in orders if not is_over(order, today_s))
    for order in sorted(wanted, key=lambda order: (order.month, order.start_s)):
        after_s = max([order.start_s, *_ends_before(order, found)])
        start_s = max(min(after_s, order.start_s + MONTH_S - DAY_S), today_s)
        found.append((order, start_s - start_s % DAY_S))
    return found


def _ends_before(order: Order, earlier: Iterable[tuple[Order, int]]) -> list[int]:
    """When the hours are over of what it comes after: orders of its own offer, else any; of several the last. Empty
    where it comes after nothing of the plan."""
    if order.month == 0 or order.reason not in ("follows", "bridge", IF_IT_LASTS):
        return []
    before = [
        (one.offer_id == order.offer_id, start_s + round(one.term_hours * HOUR_S))
        for one, start_s in earlier
        if (one.pool, one.gpu_model) == (order.pool, order.gpu_model)
        and one.month + one.term_months == order.month
        and (one.reason == "bridge" or order.reason != "bridge")
    ]
    return [max(before)[1]] if before else []


def order_day_s(orders: Iterable[Order], today_s: int) -> int | None:
    """The first day on which one of some orders is to be placed, epoch seconds, 00:00 UTC, none before today.

    None where none is certain, or all are over. today_s: epoch seconds.
    """
    today_s -= today_s % DAY_S
    certain = [one.order_by_s for one in orders if one.is_certain and not is_over(one, today_s)]
    return max(min(certain) // DAY_S * DAY_S, today_s) if certain else None


def is_over(order: Order, at_s: int) -> bool:
    """Whether an order's whole term has gone by the beginning of a day: nothing of it is left to sign, or to ask for.

    at_s: epoch seconds, some time of that day.
    """
    return end_s(order.start_s, order) <= at_s - at_s % DAY_S


def end_s(start_s: int, order: Order) -> int:
    """When the term of an order is over that starts then: so many days later, or the same day of a later month."""
    if order.term_days:
        return start_s + order.term_days * DAY_S
    return instant_s(months_after(iso_utc(start_s), order.term_months) or iso_utc(start_s))
