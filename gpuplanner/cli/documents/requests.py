"""A request for quotes as JSON: its days, and the orders and cost of each row."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.cli.documents.head import Document
from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.commitment.asked_rows import is_over
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.domain.reports import report
from gpuplanner.files.request.request import Request

REQUEST_ROW: Final = report.fields(
    report.named("row", "name"),
    *("is_option", "gpu_model", "gpus", "node_gpus", "term_months", "term_days"),
    report.named("start", "start_s", "date"),
)
"""What is asked for, with the day by which it starts."""


def approval_document(evaluation: Evaluation, at_s: int, entries: Sequence[report.Entry]) -> Document:
    """What is to be approved on the day of writing, all that is left, and what is over: `left` and `over` are the plan.

    at_s: epoch seconds; entries: its orders as its document has them, in US dollars.
    """
    orders = evaluation.advised.orders
    approval = approval_on(evaluation.advised, evaluation.project, at_s)
    parts = {"now": approval.now, "left": approval.left, "over": approval.over}
    return {"written": iso_utc(at_s)} | {name: _of(own, orders, entries) for name, own in parts.items()}


def _of(own: Sequence[Order], orders: Sequence[Order], entries: Sequence[report.Entry]) -> report.Entry:
    """Which orders, and what the certain of them cost over their terms; unknown where the plan has them no more."""
    places = {id(order): place for place, order in enumerate(orders)}
    known = [places[id(order)] for order in own if id(order) in places]
    if len(known) < len(own):
        return {"orders": known, "liability_usd": None}
    usd = known_sum(entries[place]["liability_usd"] for place in known if orders[place].is_certain)
    return {"orders": known, "liability_usd": usd}


def request_document(request: Request, orders: Sequence[Order], entries: Sequence[report.Entry]) -> Document:
    """The days of a request, its rows and what of the plan no row asks for: with that they add up to its orders.

    orders: of the plan; entries: the same as its document has them, in US dollars. `orders` of a row are places in
    them. Source: docs/formulas/quotes.md, Requests for quote.
    """
    asking = request.asking
    asked = {id(order) for row in request.rows for order in row.orders}
    rest: dict[str, list[Order]] = {}
    for order in orders:
        if order.is_certain and id(order) not in asked:
            if is_over(order, asking.today_s):
                why = "over"
            elif order.is_bought:
                why = "bought"
            else:
                why = "list_price"
            rest.setdefault(why, []).append(order)
    return {
        "reference": request.reference,
        "issued": iso_utc(asking.today_s),
        "reply_by": iso_utc(asking.reply_by_s),
        "decide_days": asking.decide_s // DAY_S,
        "orders_from": iso_utc(asking.orders_from_s),
        "rows": [
            report.entry(REQUEST_ROW, row)
            | {
                "until": None if row.until_s is None else iso_utc(row.until_s),
                "order_by": iso_utc(request.order_day_s(row)),
                "is_too_late": asking.is_too_late(row.orders[0]),
            }
            | _of(row.orders, orders, entries)
            for row in request.rows
        ],
        "not_asked": [
            {"reason": why} | _of(orders_left, orders, entries) for why, orders_left in sorted(rest.items())
        ],
        "liability_usd": _of(orders, orders, entries)["liability_usd"],
    }
