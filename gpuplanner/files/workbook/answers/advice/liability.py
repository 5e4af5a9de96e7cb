"""Advice, what it binds: every order over its whole term at the prices of this book, now and in twelve months."""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.brief.approval import approval_of
from gpuplanner.domain.commitment.plan.orders import at_list, due_at_once_usd, liability_usd
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.reports.plan.order_days import seen_on
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import day_number
from gpuplanner.files.workbook.kit.checks import CENT, Check
from gpuplanner.files.workbook.kit.expressions import Expr, copy_of, known, known_sum_where, lift
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, surely
from gpuplanner.files.workbook.kit.watch import Watch
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.order_rows import Orders

FIELDS: Final = (
    Field("pool", "Pool"),
    Field("gpu_model", "GPU model"),
    Field("offer_id", "Offer"),
    Field("order_by", "Order by (UTC)", "date.fixed"),
    Field("bought_gpus", "GPUs", "gpus"),
    figure_field(ORDER["term_hours"]),
    Field("is_now", "To sign now (1 yes)", "count.fixed"),
    Field("is_new", "New (1 yes)", "count.fixed", note="0: it only renews or follows another order."),
    figure_field(ORDER["rate"], 15),
    figure_field(ORDER["upfront_per_gpu"], 15),
    figure_field(ORDER["liability"], 15),
    Field("listed", "Whole term at today's list, $", "usd", 15),
)
TO_OWN: Final = (figure_field(ORDER["capex_per_gpu"], 15), figure_field(ORDER["due_at_once"], 15))
"""After these, where GPUs are bought to be owned; the last alone where something is only paid upfront."""
SUM_FIELDS: Final = (
    Field("what", "Bound, over whole terms; of GPUs bought over life", width=46),
    Field("usd", "$", "usd"),
)


def write_liability(
    book: Book,
    sheet: str,
    inputs: Inputs,
    commitment: Commitment,
    orders: Orders,
    generated_at_s: int,
    row: int,
) -> tuple[int, list[Check]]:
    """Write it from a row on; the next free row, and what is checked against the app.

    generated_at_s: epoch seconds, the day that decides what is to be signed now and what is over: as in the brief.
    """
    project = inputs.project
    approval = approval_of(inputs.advice, seen_on(generated_at_s, project.plan_window.end_s, project.offers))
    left, over = approval.left, approval.over
    buys = any(order.is_bought for order in left)
    pays = any(order.due_at_once for order in left)
    book.write(sheet, row, 0, "What it binds", "section")
    sums = Table(book, sheet, row + 1, 8 if pays else 7, SUM_FIELDS)
    start = sums.end_row + 1
    title = "Orders of twelve months, over their whole terms"
    if over:
        title += f"; {over} more {'is' if over == 1 else 'are'} over"
    book.write(sheet, start, 0, title, "section")
    fields: tuple[Field, ...] = FIELDS
    if buys:
        named = {"is_now": "To sign or buy now (1 yes)"}
        fields = (*(replace(one, heading=named.get(one.key, one.heading)) for one in FIELDS), TO_OWN[0])
    fields = (*fields, TO_OWN[1]) if pays else fields
    table = Table(book, sheet, start + 1, len(left), fields, watch=Watch("Orders over their terms"))
    for place, order in enumerate(left):
        table.put("is_now", place, float(order in approval.now))
        table.put("is_new", place, float(order in approval.now or order in approval.later))
        _order(table, place, order, orders, buys=buys, pays=pays)
    now, later = (table.range("is_now"), 1), (table.range("is_now"), 0)
    new = (table.range("is_new"), 1)
    bound = commitment.total("existing_lock")
    liability, listed = table.range("liability"), table.range("listed")
    lines: list[tuple[str, Expr]] = [
        ("Existing contracts, for the months left", copy_of(bound)),
        (f"Orders to sign{' and GPUs to buy' if buys else ''} now", known_sum_where(liability, now)),
        ("Orders later in the twelve months", known_sum_where(liability, later)),
    ]
    for place, (what, usd) in enumerate(lines):
        sums.put("what", place, what)
        sums.put("usd", place, usd)
    cells = [sums.cell("usd", place) for place in range(3)]
    sums.put("what", 3, "In all", "strong")
    sums.put("usd", 3, known(cells, cells[0] + cells[1] + cells[2]), "usd.strong.total")
    beside = [
        ("Orders now, at today's list", known_sum_where(listed, now)),
        (
            "New orders later, at the prices expected then",
            known_sum_where(liability, later, new),
        ),
        ("New orders later, at today's list", known_sum_where(listed, later, new)),
    ]
    if pays:
        due = known_sum_where(table.range("due_at_once"), now)
        what = "Due at once now: upfront, and for GPUs bought" if buys else "Due at once now: upfront"
        beside.append((what, due))
    for place, (what, usd) in enumerate(beside, 4):
        sums.put("what", place, what)
        sums.put("usd", place, usd)
    both = known(cells[1:], cells[1] + cells[2])
    plan_offers = project.offers_in(inputs.scenario)
    app: list[tuple[str, float | None, Expr]] = [
        ("Commitment now, $", approval.usd, copy_of(cells[1])),
        ("Commitment in all, $", approval.in_all_usd, both),
        ("New orders later, $", liability_usd(approval.later), copy_of(sums.cell("usd", 5))),
        (
            "New orders later at today's list, $",
            liability_usd(at_list(approval.later, plan_offers)),
            copy_of(sums.cell("usd", 6)),
        ),
    ]
    if pays:
        app.append(("Due at once now, $", due_at_once_usd(approval.now), copy_of(sums.cell("usd", 7))))
    checks = [
        Check("Total as in the app", what, usd, here, CENT, "total")
        for what, usd, here in app
        if usd is not None
    ]
    return table.end_row + 1, checks


def _order(table: Table, place: int, order: Order, orders: Orders, *, buys: bool, pays: bool) -> None:
    """One order: its day is the app's, all else stands on Commitment.

    buys: some order of the table buys GPUs; pays: something is due at once.
    """
    table.put("pool", place, pool_words(order.pool), f"pool_{order.pool}")
    table.put("gpu_model", place, model_words(order.gpu_model))
    table.put("order_by", place, day_number(order.order_by_s))
    copies = {
        key: table.put(key, place, copy_of(orders.cell(key, order)))
        for key in ("offer_id", "bought_gpus", "term_hours", "rate", "upfront_per_gpu")
    }
    given = {key: maybe(copies[key]) if key == "rate" else surely(copies[key]) for key in ORDER_INPUTS}
    table.put("liability", place, ORDER.value("liability", given).live)
    today = given | {"rate": maybe(orders.listed_rate(order))}
    table.put("listed", place, ORDER.value("liability", today).live)
    given["capex_per_gpu"] = surely(lift(0.0))
    if buys:
        given["capex_per_gpu"] = surely(
            table.put("capex_per_gpu", place, copy_of(orders.cell("capex_per_gpu", order)))
        )
    if pays:
        table.put("due_at_once", place, ORDER.value("due_at_once", given).live)


ORDER_INPUTS: Final = ("bought_gpus", "term_hours", "rate", "upfront_per_gpu")
