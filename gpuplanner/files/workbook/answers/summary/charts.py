"""Summary, its charts: the steps from spend now to the plan, and the twelve months side by side."""

from typing import Final

from gpuplanner.files.workbook.answers.bridge import FIELDS, ZERO, Step, add_bridge, put_bridge
from gpuplanner.files.workbook.demand.audit_sheet import AuditCells
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import Expr, known, known_sum_where
from gpuplanner.files.workbook.plan.commitment_layers import COMMITTED, USAGE
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison, add_months_chart

SHEET: Final = "Summary"
CHART_ROWS: Final = 18


def write_charts(book: Book, steps: Table, comparison: Comparison, row: int) -> None:
    """Two charts side by side, from a row on."""
    book.write(SHEET, row, 0, "From spend now to the plan, and month by month", "section")
    add_bridge(book, steps, "From spend now to the plan, $ per month", row + 1)
    add_months_chart(book, comparison.table, SHEET, row + 1, 4, (620, 340))


def write_steps(
    book: Book,
    named: Named,
    audit: AuditCells,
    commitment: Commitment,
    figures: dict[str, Expr],
    row: int,
) -> Table:
    """Two totals and what leads from one to the other; a step that is unknown is a dash and draws nothing."""
    book.write(SHEET, row, 0, "Steps from spend now to the plan", "section")
    months, kinds = named.window_months, commitment.layers.range("kind")
    paid, overflow = audit.total("paid"), audit.total("overflow")
    existing = commitment.total("existing_usd")
    layers = commitment.layers.range("cost_per_month")
    steps = (
        Step("Spend today", figures["current_usd_per_month"], is_total=True),
        Step("Contracts that end or are on demand", known([existing, paid], existing - paid / months)),
        Step("Overflow of the window", known([overflow], ZERO - overflow / months)),
        Step("New commitments", known_sum_where(layers, (kinds, COMMITTED))),
        Step("Paid by use in the plan", known_sum_where(layers, (kinds, USAGE))),
        Step("Plan", figures["plan_usd_per_month"], is_total=True),
    )
    table = Table(book, SHEET, row + 1, len(steps), FIELDS)
    put_bridge(table, steps)
    return table
