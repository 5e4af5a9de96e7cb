"""Orders in words: how many a list has of which kinds, and what later ones are expected to cost."""

from collections.abc import Sequence

from gpuplanner.domain.commitment.asked_rows import AskedRow, renewed_rows, runs_of
from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.typed import amount, day, significant, whole, worded_whole
from gpuplanner.domain.message import Message, Part, Text, joined, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum


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
    """Return the numbers of RFQ rows and orders: 13 rows for 29 orders of twelve months; 11 of them renew or follow
    another
    order; identical orders share a row.
    """
    clauses: list[Text] = []
    if firm := [row for row in rows if not row.is_option]:
        orders = [order for row in firm for order in row.orders]
        lines = len(runs_of(firm))
        clauses.append(
            worded(
                "{rows} for {orders} of twelve months",
                rows=worded_whole(lines, "{count} row", "{count} rows"),
                orders=worded_whole(len(orders), "{count} order", "{count} orders"),
            )
        )
        if follow := len(orders) - len(asked_for(orders)):
            clauses.append(worded("{count} renew or follow another order", count=whole(follow)))
        if len(firm) < len(orders):
            clauses.append(worded("identical orders share a row"))
        if renewed_rows(firm):
            clauses.append(worded("terms that renew each other share a row"))
    if options := len(runs_of(row for row in rows if row.is_option)):
        clauses.append(worded_whole(options, "{count} row is an option", "{count} rows are options"))
    return joined(clauses, "; ")


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
