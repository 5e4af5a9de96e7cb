"""How sheets are drawn and print: bars that stand on each other, paper that can be read, no table cut."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from math import ceil
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
    at: tuple[int, int],
    size: tuple[int, int],
    across: Options = MappingProxyType({}),
    up: Options = MappingProxyType({}),
    legend: Options = MappingProxyType({"position": "bottom"}),
) -> None:
    """Set a chart on a sheet. at: row and column; size: pixels; across, up: options of its axes, of which the one that
    goes up begins at 0 and has lines."""
    chart.set_title({"name": title, "name_font": {"size": 12}, "overlay": False})
    chart.set_x_axis({**across})
    chart.set_y_axis({"min": 0, **GRID, **up})
    chart.set_legend({**legend})
    chart.set_size({"width": size[0], "height": size[1]})
    book.sheets[sheet].insert_chart(*at, chart)


BRIDGE_FIELDS: Final = fields_of("print_pages.bridge")


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


PIXELS_PER_INCH: Final = 96
LEFT_RIGHT: Final = 0.8
TOP_BOTTOM: Final = 1.1
"""Inches of margins, as `Book.add_sheet` sets them."""
SAFE: Final = 0.96
"""Of a page's height that is filled: rows of one program are a little higher than those of another."""
LEAST_SCALE, MOST_SCALE = 0.6, 0.65
"""Text of 10 points is printed in 6 at least: smaller is not read, what is wider goes on more pages; and in 6.5 at
most, so that a list has fewer of them."""
FIRST_ROWS: Final = 5
"""A long table does not begin with fewer rows at the foot of a page."""
PRINTED_ROWS: Final = 60
"""A list of more rows that is not the first of its sheet, nor of inputs, is read on a screen: paper ends above it."""
CHART_WIDTH, BETWEEN_CHARTS = 640, 12
"""Pixels, of charts that stand two in a row."""


@dataclass(frozen=True, slots=True)
class Paper:
    """How a sheet of paper lies: inches across and down, the least scale at which it is chosen."""

    is_landscape: bool
    width: float
    height: float
    least: float

    @property
    def across(self) -> float:
        """Pixels that go across, at full size."""
        return (self.width - LEFT_RIGHT) * PIXELS_PER_INCH

    @property
    def down(self) -> float:
        """Pixels that go down, at full size."""
        return (self.height - TOP_BOTTOM) * PIXELS_PER_INCH * SAFE


PAPERS: Final = (Paper(False, 11.69, 16.54, MOST_SCALE), Paper(True, 16.54, 11.69, LEAST_SCALE))
"""A3, upright and across; the second is taken, on several pages across, where none is wide enough."""


@dataclass(frozen=True, slots=True)
class Unit:
    """Rows that belong together, zero-based, both included. is_whole: never on two pages, whatever its height."""

    top: int
    bottom: int
    is_whole: bool = False


def settle_pages(book: Book) -> None:
    """Lay every sheet out on pages, once all of it but its long rows is written."""
    for name, sheet in book.sheets.items():
        if not sheet.has_own_pages:
            _settle(book, sheet, [table for table in book.tables if table.sheet == name])


def _settle(book: Book, sheet: PlainSheet, tables: Sequence[Table]) -> None:
    """Paper, scale, print area, breaks and the heading rows that are repeated of one sheet."""
    last_row, last_column = _printed(sheet)
    first = min((table.first_row for table in tables), default=0)
    lists = [
        one for one in tables if one.size > PRINTED_ROWS and one.first_row > first and not one.is_changed
    ]
    last_row = min((last_row, *(unit.top - 1 for unit in _of_tables(sheet, lists))))
    widths = [sheet._size_col(column) for column in range(last_column + 1)]
    whole = sum(widths)
    paper = next((one for one in PAPERS if one.across / whole >= one.least), PAPERS[-1])
    scale = max(LEAST_SCALE, min(MOST_SCALE, paper.across / whole))
    charts = [
        Unit(column, column + _columns_of(sheet, column, chart.width) - 1)
        for _, column, chart, *_ in sheet.charts
    ]
    breaks = _across_breaks(widths, paper.across / scale, charts)
    book.wrap_notes(sheet.get_name(), (breaks[0] if breaks else last_column + 1) - 1)
    (sheet.set_landscape if paper.is_landscape else sheet.set_portrait)()
    sheet.print_area(0, 0, last_row, last_column)
    if breaks:
        sheet.set_v_pagebreaks(breaks)
        sheet.repeat_columns(0)
    units = [*_of_tables(sheet, tables), *_of_charts(sheet)]
    heights = [sheet._size_row(row) for row in range(last_row + 1)]
    page = paper.down / scale
    printed = [table for table in tables if table.first_row <= last_row]
    long = [table for table in printed if sum(heights[table.first_row : table.end_row]) > page]
    if long and all(table.first_row <= long[-1].first_row for table in printed):
        sheet.repeat_rows(long[-1].first_row - 1)
        page -= heights[long[-1].first_row - 1]
    down = place_row_breaks(heights, page, units)
    sheet.set_h_pagebreaks(down)
    pages = sum(ceil(sum(heights[top:end]) / page) for top, end in pairwise((0, *down, last_row + 1)))
    # 0: as many as the width makes of it
    sheet.fit_to_pages(len(breaks) + 1, pages if scale == MOST_SCALE else 0)


def _printed(sheet: PlainSheet) -> tuple[int, int]:
    """The last row and column that are printed: those that were chosen, as far as anything stands there, and no fewer
    than go across a page, for texts of a narrow sheet go on beside their cells."""
    last_row, last_column = sheet.dim_rowmax or 0, sheet.dim_colmax or 0
    for row, column, chart, *_ in sheet.charts:
        last_row = max(last_row, row + _rows_of(sheet, row, chart.height) - 1)
        last_column = max(last_column, column + _columns_of(sheet, column, chart.width) - 1)
    if sheet.printed is not None:
        last_row, last_column = min(last_row, sheet.printed[0]), min(last_column, sheet.printed[1])
    narrow = PAPERS[0].across - sum(sheet._size_col(column) for column in range(last_column + 1))
    return last_row, last_column + _columns_of(sheet, last_column + 1, narrow)


def _rows_of(sheet: PlainSheet, row: int, height: float) -> int:
    """How many rows from a row on something of so many pixels covers."""
    return _covered(sheet._size_row, row, height)


def _covered(pixels_of: Callable[[int], int], first: int, pixels: float) -> int:
    """How many rows or columns from one on so many pixels cover."""
    found = 0
    while pixels > 0:
        pixels -= pixels_of(first + found)
        found += 1
    return found


def column_of_chart(sheet: PlainSheet, number: int) -> int:
    """Where a chart begins of several that stand two in a row, whose column widths are set. number: of it from 0."""
    return _columns_of(sheet, 0, CHART_WIDTH + BETWEEN_CHARTS) if number % 2 else 0


def _columns_of(sheet: PlainSheet, column: int, width: float) -> int:
    """How many columns from a column on something of so many pixels covers."""
    return _covered(sheet._size_col, column, width)


def _of_tables(sheet: PlainSheet, tables: Iterable[Table]) -> list[Unit]:
    """Each table with its headings, the title above them and the row of sums below."""
    found = []
    for table in tables:
        head = table.first_row - 1
        has_title = head > 0 and bool(sheet.table.get(head - 1))
        found.append(Unit(head - 1 if has_title else head, table.end_row))
    return found


def _of_charts(sheet: PlainSheet) -> list[Unit]:
    """Each chart with the title above it."""
    return [
        Unit(max(0, row - 1), row + _rows_of(sheet, row, chart.height) - 1, is_whole=True)
        for row, _, chart, *_ in sheet.charts
    ]


def _across_breaks(widths: Sequence[float], page: float, charts: Sequence[Unit]) -> list[int]:
    """Columns before which a page across ends, the first column standing on each; none where all go on one.

    charts: the columns of each, which no break divides where it can be helped.

    >>> _across_breaks([10.0] * 20, 120, [])
    [12]
    >>> _across_breaks([10.0] * 20, 120, [Unit(9, 14)])
    [9]
    """
    if sum(widths) <= page + 1:
        return []
    breaks, start = list[int](), 0
    while True:
        end, filled = start, widths[0] if breaks else 0.0
        while end < len(widths) and (end == start or filled + widths[end] <= page):
            filled += widths[end]
            end += 1
        if end == len(widths):
            return breaks
        start = min((chart.top for chart in charts if start < chart.top < end <= chart.bottom), default=end)
        breaks.append(start)


def place_row_breaks(heights: Sequence[float], page: float, units: Sequence[Unit]) -> list[int]:
    """Return the rows before which a page ends: the fewest that cut no unit that fits on a page.

    A unit that is longer, and rows of none, go on as the printing program divides them, but not in the first rows of a
    unit; what follows begins a page of its own, for nobody knows where those end. A chart is never cut.

    >>> place_row_breaks([10.0] * 30, 100, [Unit(7, 14)])
    [7]
    >>> place_row_breaks([10.0] * 50, 100, [Unit(8, 28), Unit(30, 35), Unit(37, 42)])
    [8, 30, 37]
    """
    breaks, start = list[int](), 0
    tops = sorted({unit.top for unit in units})
    while True:
        end, filled = start, 0.0
        while end < len(heights) and (end == start or filled + heights[end] <= page):
            filled += heights[end]
            end += 1
        if end == len(heights):
            return breaks
        stop = _uncut(start, end, heights, page, units)
        if stop not in tops:
            over = max((unit.bottom for unit in units if unit.top < stop <= unit.bottom), default=stop - 1)
            stop = next((row for row in tops if row > over), len(heights))
        if stop >= len(heights):
            return breaks
        breaks.append(stop)
        start = stop


def _uncut(start: int, end: int, heights: Sequence[float], page: float, units: Sequence[Unit]) -> int:
    """The last row to end a page before, from `end` upwards, that cuts nothing that may not be cut."""
    row = end
    while True:
        tops = [
            unit.top
            for unit in units
            if start < unit.top < row <= unit.bottom
            and (
                unit.is_whole
                or sum(heights[unit.top : unit.bottom + 1]) <= page
                or row - unit.top <= FIRST_ROWS
            )
        ]
        if not tops:
            return row
        row = min(tops)
