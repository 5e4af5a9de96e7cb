"""Advice, what it binds: every order over its whole term at the prices of this book, now and in twelve months."""

from typing import Final

from gpuplanner.domain.brief.approval import approval_of
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.reports.order_days import seen_on
from gpuplanner.files.workbook.answers.checks_of_app import Check
from gpuplanner.files.workbook.inputs.prices_sheet import UPFRONT, Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Book, Field, Table, day_number
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, copy_of, known, known_sum_where
from gpuplanner.files.workbook.kit.figure_cells import Cell, figure_field, maybe, surely
from gpuplanner.files.workbook.kit.watch import Watch
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment

FIELDS: Final = (
    Field("pool", "Pool"),
    Field("gpu_model", "GPU model"),
    Field("offer_id", "Offer"),
    Field("order_by", "Order by (UTC)", "date.fixed"),
    Field("bought_gpus", "GPUs bought", "gpus.fixed"),
    Field("term_hours", ORDER["term_hours"].title, "hours.fixed"),
    Field("level", "Rate when signed, share of today's", "ratio.fixed"),
    Field("is_now", "To sign now (1 yes)", "count.fixed"),
    figure_field(ORDER["rate"], 15),
    Field("upfront", "Upfront, $ per GPU", "rate", 15),
    figure_field(ORDER["liability"], 15),
)
SUM_FIELDS: Final = (Field("what", "Bound, over the whole terms", width=46), Field("usd", "$", "usd"))


def write_liability(
    book: Book,
    sheet: str,
    inputs: Inputs,
    prices: Prices,
    commitment: Commitment,
    generated_at_s: int,
    row: int,
) -> tuple[int, list[Check]]:
    """Write it from a row on; the next free row, and what is checked against the app.

    generated_at_s: epoch seconds, the day that decides what is to be signed now and what is over: as in the brief.
    """
    project = inputs.project
    approval = approval_of(inputs.advice, seen_on(generated_at_s, project.plan_window.end_s, project.offers))
    orders, over = approval.left, approval.over
    book.write(sheet, row, 0, "What it binds", "section")
    sums = Table(book, sheet, row + 1, 4, SUM_FIELDS)
    start = sums.end_row + 1
    title = "Orders of twelve months, over their whole terms"
    if over:
        title += f"; {over} more {'is' if over == 1 else 'are'} over"
    book.write(sheet, start, 0, title, "section")
    table = Table(book, sheet, start + 1, len(orders), FIELDS, watch=Watch("Orders over their terms"))
    for place, order in enumerate(orders):
        _order(table, place, order, prices, is_now=order in approval.now)
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
        Check("Total as in the app", what, app, here, 0.01, "total")
        for what, app, here in (
            ("Commitment now, $", approval.usd, copy_of(cells[1])),
            ("Commitment in all, $", approval.in_all_usd, both),
        )
        if app is not None
    ]
    return table.end_row + 1, checks


def _order(table: Table, place: int, order: Order, prices: Prices, *, is_now: bool) -> None:
    """One order: GPUs, hours, day and price level are the app's, its rate and what is paid upfront those of Prices."""
    at = next(at for at, offer in enumerate(prices.listed) if offer.offer_id == order.offer_id)
    offer = prices.counted[at]
    table.put("pool", place, pool_words(order.pool), f"pool_{order.pool}")
    table.put("gpu_model", place, model_words(order.gpu_model))
    table.put("offer_id", place, order.offer_id)
    table.put("order_by", place, day_number(order.order_by_s))
    gpus = table.put("bought_gpus", place, order.bought_gpus)
    hours = table.put("term_hours", place, order.term_hours)
    is_priced = order.rate is not None and bool(offer.rate)
    level = table.put("level", place, (order.rate or 0.0) / float(offer.rate or 1) if is_priced else None)
    table.put("is_now", place, float(is_now))
    rate = table.put("rate", place, _at_level(prices.offer_named(at), level))
    upfront: Expr | None = None
    if offer.upfront_usd:
        upfront = table.put("upfront", place, copy_of(prices.offers.cell(UPFRONT.key, at)))
    operands: dict[str, Cell] = {
        "bought_gpus": surely(gpus),
        "term_hours": surely(hours),
        "rate": maybe(rate),
        "upfront_per_gpu": surely(Expr("0", 0.0, True)) if upfront is None else maybe(upfront),
    }
    table.put("liability", place, ORDER.value("liability", operands).live)


def _at_level(rate: Expr, level: Expr) -> Expr:
    """A rate of today at the prices of the month in which it is signed; the dash where either is unknown."""
    if not level.is_known:
        return Expr(f'"{DASH}"', DASH, True)
    return known([rate, level], rate * level)
