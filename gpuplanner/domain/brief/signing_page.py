"""The last page: what to sign by when, what becomes of contracts, and what the brief was made from."""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.brief.figure_words import counted, gpus, whole
from gpuplanner.domain.brief.pages import (
    Page,
    TableBlock,
    TextBlock,
    TimelineChart,
    TimeRow,
    TimeSpan,
)
from gpuplanner.domain.brief.report_block import report_block
from gpuplanner.domain.commitment.plan.totals import is_priced
from gpuplanner.domain.commitment.result import Advice, Order, Verdict
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.writing import day
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.domain.reports.orders import TO_SIGN, VERDICT_ROWS, ToSign, is_late, sorted_orders

MONTHS_SHOWN: Final = 36
MOST_ROWS: Final = 8
MOST_ORDERS: Final = 8
WIDTHS: Final = {
    "Order by": 1.5,
    "GPUs": 1.1,
    "Starts": 1.2,
    "Because": 1.6,
    "contract_id": 1.5,
    "Advice": 1.8,
}
"""Of columns, where it is not 1."""


def signing_page(evaluation: Evaluation, advice: Advice, generated_at_s: int) -> Page:
    """generated_at_s: the day that the brief is written, which decides what is late."""
    orders = sorted_orders(advice)
    if orders:
        first = orders[0]
        late = sum(is_late(order, generated_at_s) for order in orders)
        count = counted(len(orders), "commitment")
        title = (
            f"Order {gpus(first.gpus)} {first.gpu_model or 'GPUs'} by {day(first.order_by_s)}; {count} in all"
        )
        if late:
            title += f", {late} of them past {'its' if late == 1 else 'their'} day"
    elif is_priced(advice.pools):
        title = "Nothing is to be signed in the next twelve months"
    else:
        title = "What to sign by when is unknown: prices are missing"
    rows = (
        (_timeline(evaluation, advice, orders, generated_at_s),),
        (
            orders_table(advice, generated_at_s, MOST_ORDERS, "To sign"),
            _contracts(evaluation),
        ),
        (_sources(evaluation),),
    )
    return Page("sign", "What to sign by when", title, rows)


def orders_table(advice: Advice, generated_at_s: int, most: int, title: str) -> TableBlock:
    """The first `most` orders; how many are left is said.

    generated_at_s: epoch seconds; what is to be ordered before it is late.
    """
    found = report_block(
        TO_SIGN, ToSign(advice, generated_at_s), title, WIDTHS, most, "on the workbook's sheet FOCUS."
    )
    return replace(found, note=str(found.note).strip())


def _contracts(evaluation: Evaluation) -> TableBlock:
    """What becomes of existing contracts, the first to decide on first."""
    found = report_block(
        VERDICT_ROWS,
        evaluation,
        "Existing contracts",
        WIDTHS,
        MOST_ORDERS,
        "on the workbook's Contracts sheet.",
    )
    return replace(found, note=str(found.note).strip())


def _timeline(
    evaluation: Evaluation, advice: Advice, orders: list[Order], generated_at_s: int
) -> TimelineChart:
    """Contracts and orders as bars, those with a day to order by first."""
    window = evaluation.project.plan_window  # of a plan that begins later: no years of nothing before it
    verdicts = {row.contract_id: row for row in advice.verdicts}
    contracts = sorted(
        (row for row in evaluation.project.contracts if row.end_s is None or row.end_s > window.start_s),
        key=lambda row: (row.end_s is None, row.end_s or 0, row.contract_id),
    )
    rows = [_contract_row(row, verdicts.get(row.contract_id)) for row in contracts]
    rows += [
        TimeRow(
            f"+ {gpus(order.bought_gpus)} {order.offer_gpu_model or order.gpu_model or 'GPUs'}, "
            f"{counted(order.term_months, 'month')}",
            (TimeSpan(order.start_s, order.start_s + order.term_months * MONTH_S, order.term_months, True),),
            order.order_by_s,
        )
        for order in orders
    ]
    rows.sort(key=lambda row: (row.order_by_s is None, row.order_by_s or 0))
    end_s = evaluation.project.plan_window.end_s + MONTHS_SHOWN * MONTH_S
    title = "Contracts, what follows them, and the days to order by"
    if len(rows) > MOST_ROWS:
        title += f" (the {MOST_ROWS} to decide on first)"
    return TimelineChart(title, tuple(rows[:MOST_ROWS]), window.start_s, end_s, generated_at_s)


def _contract_row(contract: Contract, verdict: Verdict | None) -> TimeRow:
    """A contract, and after its end what follows it; verdict None: nobody says."""
    is_by_use = not contract.is_committed
    spans = [TimeSpan(contract.start_s, contract.end_s, contract.term_months or 0, False, is_by_use)]
    order_by_s = None
    if verdict is not None and verdict.gpus and verdict.then_term_months and contract.end_s is not None:
        after_s = contract.end_s + verdict.then_term_months * MONTH_S
        spans.append(TimeSpan(contract.end_s, after_s, verdict.then_term_months, True))
        order_by_s = verdict.order_by_s
    return TimeRow(contract.contract_id, tuple(spans), order_by_s)


def _sources(evaluation: Evaluation) -> TextBlock:
    """The files that were read, with their fingerprints, and where every figure can be followed."""
    files = [
        f"{row.path.replace(chr(92), '/').rsplit('/', 1)[-1]} ({row.kind}, {counted(row.rows_accepted, 'row')} taken, "
        f"{whole(row.rows_rejected)} rejected; SHA-256 {row.sha256[:12] or 'not kept'})"
        for row in evaluation.project.intake
    ]
    made = "Made from: " + "; ".join(files[:4]) if files else "No file is on record."
    if len(files) > 4:
        made += f"; and {len(files) - 4} more, on the workbook's Provenance sheet"
    return TextBlock(
        "Sources",
        (
            f"{made}.".replace("..", "."),
            "Every figure here is the app's; the workbook of the same plan has each with its formula.",
        ),
    )
