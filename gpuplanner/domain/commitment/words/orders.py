"""Orders in words: what they buy for which term, how many a list has, and what later ones are expected to cost."""

from collections.abc import Callable, Sequence

from gpuplanner.domain.commitment.asked_rows import AskedRow
from gpuplanner.domain.commitment.plan.orders import due_at_once_usd, set_up_usd
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.commitment.words.terms import row_term_words
from gpuplanner.domain.figures.typed import amount, day, significant, whole, worded_whole
from gpuplanner.domain.message import NO_WORDS, Message, Part, Text, joined, worded, worded_count
from gpuplanner.domain.model.amounts import HALF_A_CENT, grouped, known_sum
from gpuplanner.domain.model.book.only import gpu_model_of

OrdersInRow = Sequence[Order]
"""Orders that continue each other, the first to start first: people read them as one."""


def bought_words(orders: Sequence[Order]) -> Message:
    """Return what orders of one model buy, in GPUs of the offer: 48 H100; or $12.50 per hour for one in dollars."""
    first = orders[0]
    if first.is_dollars:
        usd_per_hour = known_sum(order.usd_per_hour for order in orders)
        return worded("{usd} per hour", usd=amount(usd_per_hour, 2))
    bought = sum(order.bought_gpus for order in orders)
    model, gpus = _bought_model(first), significant(bought)
    if model is None:
        return worded_count(bought, "{gpus} GPU", "{gpus} GPUs", gpus=gpus)
    return worded("{gpus} {model}", gpus=gpus, model=model)


def bought_in_rows_words(rows: Sequence[OrdersInRow]) -> Message:
    """Return what orders buy, each once however often it renews, by model: 48 H100; 16 B200 + 8 H100."""
    by_model = grouped((_bought_model(row[0]), row[0]) for row in rows)
    return joined([bought_words(firsts) for firsts in by_model.values()], " + ")


def order_words(row: OrdersInRow, *, has_end: bool = True) -> Message:
    """Return an order with its term: 44 H100 for 12 months; 2 H100, monthly, until 22 Oct 2027.

    has_end: include the last day of one that renews.
    """
    return _for_term(bought_words(row[:1]), row, has_end=has_end)


def rows_words(rows: Sequence[OrdersInRow]) -> Message:
    """Return orders of one term with all their GPUs, without days: 24 H100 for 36 months; 16 B200, monthly."""
    return _for_term(bought_in_rows_words(rows), rows[0], has_end=False)


def dated_order_words(row: OrdersInRow, day_words: Callable[[int], Text]) -> Message:
    """Return an order with term and days: 14 H100 for 36 months from 1 Mar 2027; 16 B200 from 1 Mar 2027 to 31 May
    2027, monthly.

    day_words: writes a day, epoch seconds.
    """
    first = row[0]
    given: dict[str, Part] = {"what": bought_words((first,)), "start": day_words(first.start_s)}
    given["term"] = row_term_words(row, has_end=False)
    if _renews(row):
        return worded("{what} from {start} to {last}, {term}", last=day_words(row[-1].end_s - 1), **given)
    return worded("{what} for {term} from {start}", **given)


def _for_term(gpus: Message, row: OrdersInRow, *, has_end: bool) -> Message:
    """Return GPUs with the term of a row."""
    words = {"gpus": gpus, "term": row_term_words(row, has_end=has_end)}
    return worded("{gpus}, {term}", **words) if _renews(row) else worded("{gpus} for {term}", **words)


def _renews(row: OrdersInRow) -> bool:
    """Return whether an order is placed again when its term ends."""
    return len(row) > 1 or row[0].renews


def _bought_model(order: Order) -> str | None:
    """Return the GPU model of an order's offer; None if unknown."""
    return order.offer_gpu_model or gpu_model_of(order.gpu_model)


def set_up_words(orders: Sequence[Order]) -> Message:
    """Return which part of what is due with orders is a set-up fee; empty without one."""
    fee, usd = set_up_usd(orders), due_at_once_usd(orders)
    if not fee:
        return NO_WORDS
    if usd is not None and usd - fee < HALF_A_CENT:
        return worded("set-up fee, not in the commitment")
    return worded("upfront, and {usd} set-up fee that is not in the commitment", usd=amount(fee))


def committed_orders_words(listed: int, orders: Sequence[Order]) -> Message:
    """Return the number of listed and of all orders in twelve months, and that purchases are not among the listed.

    listed: number from `signed_for`. orders: all that are not over.
    """
    of_all = sum(order.is_certain for order in orders)
    if not of_all:
        return worded("no order in twelve months")
    bought = sum(order.bought_gpus for order in orders if order.is_certain and order.is_bought)
    counts: dict[str, Part] = {"listed": whole(listed), "count": whole(of_all)}
    if bought:
        return worded(
            "{listed} of {count} orders in 12 months; {gpus} GPUs to buy are not contracts",
            **counts,
            gpus=significant(bought),
        )
    return worded_count(
        of_all, "the {count} order of twelve months", "all {count} orders of twelve months", **counts
    )


def asked_rows_words(rows: Sequence[AskedRow]) -> Message:
    """Return the number of requests and of those that are options: 13 requests. 2 options."""
    options = sum(row.is_option for row in rows)
    sentences = [worded_whole(len(rows), "{count} request.", "{count} requests.")]
    if options:
        sentences.append(worded_whole(options, "{count} option.", "{count} options."))
    return joined(sentences, " ")


def expected_price_words(orders: Sequence[Order], listed_orders: Sequence[Order]) -> Message | None:
    """Return the cost of orders with one start at expected and at list rates, $ per month; None if equal or unknown.

    listed_orders: the same orders at today's rates, from `orders.at_list`.
    """
    expected, listed = (known_sum(o.cost_per_month for o in priced) for priced in (orders, listed_orders))
    if not orders or expected is None or listed is None or round(expected) == round(listed):
        return None
    return worded(
        "Expected on {start}: {expected} per month; at today's list price: {listed}",
        start=day(min(order.start_s for order in orders)),
        expected=amount(expected),
        listed=amount(listed),
    )
