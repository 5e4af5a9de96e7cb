"""Summary, its charts: the steps from spend now to the plan, and the twelve months side by side."""

from typing import Final

from gpuplanner.files.workbook.demand.audit_sheet import AuditCells
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.kit.book import Book, Field, Table
from gpuplanner.files.workbook.kit.expressions import Expr, highest, known, known_sum_where, lowest, when
from gpuplanner.files.workbook.kit.stacked_bars import add_stacked
from gpuplanner.files.workbook.plan.commitment_layers import COMMITTED, USAGE
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison, add_months_chart

SHEET: Final = "Summary"
CHART_ROWS: Final = 18

FIELDS: Final = (
    Field("step", "Step"),
    Field("change", "Change, $ per month", "change"),
    Field("after", "After it, $ per month", "usd"),
    Field("base", "Drawn from, $ per month", "usd"),
    Field("total", "Total, $ per month", "usd"),
    Field("up", "More, $ per month", "usd"),
    Field("down", "Less, $ per month", "usd"),
)


def write_charts(book: Book, steps: Table, comparison: Comparison, row: int) -> None:
    """Two charts side by side, from a row on."""
    book.write(SHEET, row, 0, "From spend now to the plan, and month by month", "section")
    _waterfall(book, steps, row + 1)
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
    zero = Expr("0", 0.0, True)
    steps = (
        ("Spend today", figures["current_usd_per_month"], True),
        ("Contracts that end or are on demand", known([existing, paid], existing - paid / months), False),
        ("Overflow of the window", known([overflow], zero - overflow / months), False),
        ("New commitments", known_sum_where(layers, (kinds, COMMITTED)), False),
        ("Paid by use in the plan", known_sum_where(layers, (kinds, USAGE)), False),
        ("Plan", figures["plan_usd_per_month"], True),
    )
    table = Table(book, SHEET, row + 1, len(steps), FIELDS)
    for place, (title, amount, is_total) in enumerate(steps):
        table.put("step", place, title, "strong" if is_total else "text")
        if is_total:
            table.put("change", place, "")
            after = table.put("after", place, Expr(amount.text, amount.value, True))
            table.put("base", place, "")
            table.put("total", place, Expr(after.text, after.value, True))
            table.put("up", place, "")
            table.put("down", place, "")
            continue
        change, before = table.put("change", place, amount), table.cell("after", place - 1)
        needs = [change, before]
        after = table.put("after", place, known(needs, before + change))
        needs.append(after)
        is_known = all(need.is_known for need in needs)
        table.put("base", place, known(needs, lowest(before, after) if is_known else before))
        table.put("total", place, "")
        table.put("up", place, known(needs, highest(change, 0) if is_known else change))
        table.put("down", place, known(needs, when(change < 0, zero - change, 0) if is_known else change))
    return table


def _waterfall(book: Book, table: Table, row: int) -> None:
    """Adds the chart from spend now to the plan: columns that stand on an unseen base."""
    chart = book.workbook.add_chart({"type": "column", "subtype": "stacked"})
    for key, name, color in (
        ("base", "", None),
        ("total", "Total", "#526094"),
        ("up", "More", "#C96F04"),
        ("down", "Less", "#1B753F"),
    ):
        add_stacked(chart, table, "step", key, name, color, gap=40)
    chart.set_title(
        {
            "name": book.in_currency("From spend now to the plan, $ a month"),
            "name_font": {"size": 12},
            "overlay": False,
        }
    )
    chart.set_legend({"position": "bottom", "delete_series": [0]})
    chart.set_y_axis(
        {"num_format": "#,##0", "min": 0, "major_gridlines": {"visible": True, "line": {"color": "#E4E7EC"}}}
    )
    chart.set_x_axis({"num_font": {"size": 9}})
    chart.set_size({"width": 640, "height": 340})
    book.sheets[SHEET].insert_chart(row, 0, chart)
