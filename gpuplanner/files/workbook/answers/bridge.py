"""A bridge on a sheet: totals and the steps between them as a table, and as columns that stand on an unseen base."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.message import Text
from gpuplanner.files.workbook.kit.book import Book, Content, Table
from gpuplanner.files.workbook.kit.expressions import Expr, highest, known, lowest, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.stacked_bars import add_stacked

FIELDS: Final = (
    Field("step", "Step"),
    Field("change", "Change, $ per month", "change"),
    Field("after", "After it, $ per month", "usd"),
    Field("base", "Drawn from, $ per month", "usd"),
    Field("total", "Total, $ per month", "usd"),
    Field("up", "More, $ per month", "usd"),
    Field("down", "Less, $ per month", "usd"),
)
ZERO: Final = Expr("0", 0.0, True)


@dataclass(frozen=True, slots=True)
class Step:
    """One column. amount: what a step adds, or what a total comes to (None: what the steps before it come to).

    style: of the cell with a step's amount, where it is no formula.
    """

    title: Text
    amount: Content
    is_total: bool = False
    style: str | None = None


def put_bridge(table: Table, steps: Sequence[Step]) -> None:
    """Write totals and steps under FIELDS; what is unknown is a dash and draws nothing."""
    for place, step in enumerate(steps):
        table.put("step", place, step.title, "strong" if step.is_total else "text")
        if step.is_total:
            _total(table, place, step.amount)
            continue
        change, before = table.put("change", place, step.amount, step.style), table.cell("after", place - 1)
        needs = [change, before]
        after = table.put("after", place, known(needs, before + change))
        needs.append(after)
        is_known = all(need.is_known for need in needs)
        table.put("base", place, known(needs, lowest(before, after) if is_known else before))
        table.put("total", place, "")
        table.put("up", place, known(needs, highest(change, 0) if is_known else change))
        table.put("down", place, known(needs, when(change < 0, ZERO - change, 0) if is_known else change))


def _total(table: Table, place: int, amount: Content) -> None:
    """Writes a total; its bar stands on the ground."""
    shown = table.cell("after", place - 1) if amount is None else amount
    table.put("change", place, "")
    after = table.put(
        "after", place, Expr(shown.text, shown.value, True) if isinstance(shown, Expr) else shown
    )
    table.put("base", place, "")
    table.put("total", place, Expr(after.text, after.value, True))
    table.put("up", place, "")
    table.put("down", place, "")


def add_bridge(book: Book, table: Table, title: str, row: int) -> None:
    """The chart of a bridge on the sheet of its table."""
    chart = book.workbook.add_chart({"type": "column", "subtype": "stacked"})
    for key, name, color in (
        ("base", "", None),
        ("total", "Total", "#526094"),
        ("up", "More", "#C96F04"),
        ("down", "Less", "#1B753F"),
    ):
        add_stacked(chart, table, "step", key, name, color, gap=40)
    chart.set_title({"name": book.in_currency(title), "name_font": {"size": 12}, "overlay": False})
    chart.set_legend({"position": "bottom", "delete_series": [0]})
    chart.set_y_axis(
        {"num_format": "#,##0", "min": 0, "major_gridlines": {"visible": True, "line": {"color": "#E4E7EC"}}}
    )
    chart.set_x_axis({"num_font": {"size": 9}})
    chart.set_size({"width": 640, "height": 340})
    book.sheets[table.sheet].insert_chart(row, 0, chart)
