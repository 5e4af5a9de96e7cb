"""Advice, what it binds: every order over its whole term at the prices of this book, now and in twelve months."""

from typing import Final

from gpuplanner.domain.brief.approval import approval_of
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.reports.order_days import seen_on
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Book, Field, Table, day_number
from gpuplanner.files.workbook.kit.checks import CENT, Check
from gpuplanner.files.workbook.kit.expressions import copy_of, known, known_sum_where
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, surely
from gpuplanner.files.workbook.kit.watch import Watch
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.order_rows import Orders

FIELDS: Final = (
    Field("pool", "Pool"),
    Field("gpu_model", "GPU model"),
    Field("offer_id", "Offer"),
    Field("order_by", "Order by (UTC)", "date.fixed"),
    Field("bought_gpus", "GPUs bought", "gpus"),
    figure_field(ORDER["term_hours"]),
    Field("is_now", "To sign now (1 yes)", "count.fixed"),
    figure_field(ORDER["rate"], 15),
    figure_field(ORDER["upfront_per_gpu"], 15),
    figure_field(ORDER["liability"], 15),
)
SUM_FIELDS: Final = (Field("what", "Bound, over the whole terms", width=46), Field("usd", "$", "usd"))


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
    book.write(sheet, row, 0, "What it binds", "section")
    sums = Table(book, sheet, row + 1, 4, SUM_FIELDS)
    start = sums.end_row + 1
    title = "Orders of twelve months, over their whole terms"
    if over:
        title += f"; {over} more {'is' if over == 1 else 'are'} over"
    book.write(sheet, start, 0, title, "section")
    table = Table(book, sheet, start + 1, len(left), FIELDS, watch=Watch("Orders over their terms"))
    for place, order in enumerate(left):
        _order(table, place, order, orders, is_now=order in approval.now)
    liability, flags = table.range("liability"), table.range("is_now")
    signed, later = known_sum_where(liability, (flags, 1)), known_sum_where(liability, (flags, 0))
    bound = commitment.total("existing_lock")
    lines = (
        ("Existing contracts, for the months left", copy_of(bound)),
        ("Orders to sign now", signed),
        ("Orders later in the twelve months", later),
    )
    for place, (what, usd) in enumerate(lines):
        sums.put("what", place, what)
        sums.put("usd", place, usd)
    cells = [sums.cell("usd", place) for place in range(3)]
    sums.put("what", 3, "In all", "strong")
    sums.put("usd", 3, known(cells, cells[0] + cells[1] + cells[2]), "usd.strong.total")
    both = known(cells[1:], cells[1] + cells[2])
    checks = [
        Check("Total as in the app", what, app, here, CENT, "total")
        for what, app, here in (
            ("Commitment now, $", approval.usd, copy_of(cells[1])),
            ("Commitment in all, $", approval.in_all_usd, both),
        )
        if app is not None
    ]
    return table.end_row + 1, checks


def _order(table: Table, place: int, order: Order, orders: Orders, *, is_now: bool) -> None:
    """One order: its day is the app's, all else stands on Commitment."""
    table.put("pool", place, pool_words(order.pool), f"pool_{order.pool}")
    table.put("gpu_model", place, model_words(order.gpu_model))
    table.put("order_by", place, day_number(order.order_by_s))
    table.put("is_now", place, float(is_now))
    copies = {
        key: table.put(key, place, copy_of(orders.cell(key, order)))
        for key in ("offer_id", "bought_gpus", "term_hours", "rate", "upfront_per_gpu")
    }
    given = {key: maybe(copies[key]) if key == "rate" else surely(copies[key]) for key in ORDER_INPUTS}
    table.put("liability", place, ORDER.value("liability", given).live)


ORDER_INPUTS: Final = ("bought_gpus", "term_hours", "rate", "upfront_per_gpu")
