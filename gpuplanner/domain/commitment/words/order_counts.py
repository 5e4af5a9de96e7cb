"""How many orders a list has, and of which: each medium lists others, and says so in these words."""

from collections.abc import Sequence

from gpuplanner.domain.commitment.plan.orders import asked_for
from gpuplanner.domain.commitment.requests.asked_rows import AskedRow
from gpuplanner.domain.commitment.requests.renewing import renewed_rows, runs_of
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.typed import significant, whole
from gpuplanner.domain.message import Message, Text, joined, worded, worded_count


def new_orders_words(listed: int, orders: Sequence[Order]) -> Message:
    """18 of the 29 orders of twelve months: those that are new, not those that renew or follow another.

    listed: those that `signed_for` has; orders: all of the plan. GPUs that are bought are said to be none of them.
    """
    of_all = sum(order.is_certain for order in orders)
    if not of_all:
        return worded("no order in the twelve months")
    bought = sum(order.bought_gpus for order in asked_for(orders) if order.is_bought)
    if bought:
        return worded(
            "{listed} of the {count} orders of twelve months: the new ones that sign for GPUs; {gpus} to buy are no "
            "contract commitment, and in none",
            listed=whole(listed),
            count=whole(of_all),
            gpus=significant(bought),
        )
    if listed == of_all:
        return worded_count(of_all, "the {count} order of twelve months", "all {count} orders of twelve months",
                            count=whole(of_all))  # fmt: skip
    return worded(
        "{listed} of the {count} orders of twelve months: those that are new, not those that renew or follow another",
        listed=whole(listed),
        count=whole(of_all),
    )


def asked_rows_words(rows: Sequence[AskedRow]) -> Message:
    """13 rows for 29 orders of twelve months, 11 of them only renew or follow another; alike ones share a row."""
    said: list[Text] = []
    if firm := [row for row in rows if not row.is_option]:
        orders = [order for row in firm for order in row.orders]
        lines = len(runs_of(firm))
        said.append(
            worded(
                "{rows} for {orders} of twelve months",
                rows=worded_count(lines, "{count} row", "{count} rows", count=whole(lines)),
                orders=worded_count(len(orders), "{count} order", "{count} orders", count=whole(len(orders))),
            )
        )
        if follow := len(orders) - len(asked_for(orders)):
            said.append(worded("{count} of them only renew or follow another", count=whole(follow)))
        if len(firm) < len(orders):
            said.append(worded("orders that are alike share a row"))
        if renewed_rows(firm):
            said.append(worded("terms that renew each other share a row"))
    if options := len(runs_of(row for row in rows if row.is_option)):
        said.append(
            worded_count(
                options, "{count} row is an option", "{count} rows are options", count=whole(options)
            )
        )
    return joined(said, "; ")
