"""Charts of a sheet: series, stacked bars, and the steps from one total to another."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from gpuplanner.domain.message import Text
from gpuplanner.files.workbook.kit.book import Book, Content, Table
from gpuplanner.files.workbook.kit.cells import PlainSheet
from gpuplanner.files.workbook.kit.expressions import Range, highest, known, lift, lowest, when
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.lazy_dataclass import dataclass

Options = Mapping[str, Any]
"""Of a chart or an axis, by the names of the library that writes it."""
GRID: Final = {"major_gridlines": {"visible": True, "line": {"color": "#E4E7EC"}}}
IN_USD: Final = {"num_format": "#,##0"}


def add_series(chart: Any, name: Any, categories: Range, values: Range, **look: Any) -> None:
    """Add a column of a table to a chart. look: options of a series."""
    chart.add_series({"name": name, "categories": f"={categories.area}", "values": f"={values.area}", **look})


def add_stacked(
    chart: Any, table: Table, over: str, bars: Iterable[tuple[str, str, str | None]], gap: int
) -> None:
    """Add columns of a table as bars. over: key of the column of their names; bars: key, name and colour of each, None:
    not seen; gap: percent of a bar's width."""
    for key, name, colour in bars:
        look = {"fill": {"none": True} if colour is None else {"color": colour}, "border": {"none": True}}
        add_series(chart, name, table.range(over), table.range(key), **look, gap=gap)


def put_chart(
    book: Book,
    sheet: str,
    chart: Any,
    title: Any,
    corner: tuple[int, int],
    size: tuple[int, int],
    across: Options = MappingProxyType({}),
    up: Options = MappingProxyType({}),
    legend: Options = MappingProxyType({"position": "bottom"}),
) -> None:
    """Set a chart on a sheet. corner: row and column; size: pixels; across, up: options of its axes, of which the one
    that goes up begins at 0 and has lines."""
    chart.set_title({"name": title, "name_font": {"size": 12}, "overlay": False})
    chart.set_x_axis({**across})
    chart.set_y_axis({"min": 0, **GRID, **up})
    chart.set_legend({**legend})
    chart.set_size({"width": size[0], "height": size[1]})
    book.sheets[sheet].insert_chart(*corner, chart)


BRIDGE_FIELDS: Final = fields_of("charts.bridge")


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
        table.fill(place, total="", up=known(needs, highest(change, 0) if is_known else change))
        table.put("down", place, known(needs, when(change < 0, lift(0) - change, 0) if is_known else change))


def _total(table: Table, place: int, amount: Content) -> None:
    """Writes a total; its bar stands on the ground."""
    shown = table.cell("after", place - 1) if amount is None else amount
    table.put("change", place, "")
    table.fill(place, base="", total=table.put("after", place, shown), up="", down="")


def add_bridge(book: Book, table: Table, title: str, row: int) -> None:
    """The chart of a bridge on the sheet of its table."""
    chart = book.workbook.add_chart({"type": "column", "subtype": "stacked"})
    more, less = ("up", "More", "#C96F04"), ("down", "Less", "#1B753F")
    add_stacked(chart, table, "step", (("base", "", None), ("total", "Total", "#526094"), more, less), 40)
    names, legend = {"num_font": {"size": 9}}, {"position": "bottom", "delete_series": [0]}
    title = book.in_currency(title)
    put_chart(book, table.sheet, chart, title, (row, 0), (CHART_WIDTH, 340), names, IN_USD, legend)


CHART_WIDTH, BETWEEN_CHARTS = 640, 12
"""Pixels, of charts that stand two in a row."""


def column_of_chart(sheet: PlainSheet, number: int) -> int:
    """Where a chart begins of several that stand two in a row, whose column widths are set. number: of it from 0."""
    column, left = 0, CHART_WIDTH + BETWEEN_CHARTS if number % 2 else 0
    while left > 0:
        left -= sheet._size_col(column)
        column += 1
    return column
