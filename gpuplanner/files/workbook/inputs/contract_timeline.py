"""Contracts, the timeline: from when to when each is paid, from the window's start to three years into the plan."""

from typing import Final

from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.contracts_sheet import SHEET, Contracts
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import Expr, Value
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.stacked_bars import add_stacked

ROWS_AT_MOST: Final = 40

FIELDS: Final = (
    Field("name", "Contract"),
    Field("what", "What it is"),
    Field("from", "Shown from (UTC)", "date"),
    Field("in_window", "Days in the window", "hours"),
    Field("after", "Days after it", "hours"),
)


def write_timeline(book: Book, named: Named, contracts: Contracts) -> None:
    """A table of days by formulas, and the chart over it; the first contracts where there are many."""
    table = contracts.table
    size = min(table.size, ROWS_AT_MOST)
    if not size:
        return
    row = table.free_row + 1
    more = "" if size == table.size else f": the first {size} of {table.size}"
    book.write(SHEET, row, 0, f"Timeline{more}", "section")
    days = Table(book, SHEET, row + 1, size, FIELDS)
    begin = named.window_start.number
    end = begin + named.window_hours.number / 24
    shown_months = named.fixed["timeline_months"]
    last = begin + named.plan_begins_h.number / 24 + shown_months.number * HOURS_PER_MONTH / 24
    begin_text = named.window_start.text
    end_text = f"({begin_text}+{named.window_hours.text}/24)"
    ahead = f"{shown_months.text}*{named.hours_per_month.text}/24"
    last_text = f"({begin_text}+{named.plan_begins_h.text}/24+{ahead})"
    for place in range(size):
        name, model, starts, ends = (
            table.cell(key, place) for key in ("contract_id", "gpu_model", "start", "end")
        )
        gpus = table.cell("gpus", place)
        days.put("name", place, Expr(name.text, name.value, True))
        words = f"{_short(gpus.value)} {model.value}"
        days.put("what", place, Expr(f'{gpus.text}&" "&{model.text}', words))
        start = min(max(_number(starts.value, begin), begin), last)
        until = min(max(_number(ends.value, last), start), last)
        start_text = f"MIN(MAX(N({starts.text}),{begin_text}),{last_text})"
        until_text = f"MIN(IF(ISNUMBER({ends.text}),{ends.text},{last_text}),{last_text})"
        shown = days.put("from", place, Expr(start_text, start, True))
        split = f"MAX({shown.text},MIN({until_text},{end_text}))"
        at = max(start, min(until, end))
        days.put("in_window", place, Expr(f"{split}-{shown.text}", at - start))
        days.put("after", place, Expr(f"MAX(0,{until_text}-{split})", max(0.0, until - at)))
    _chart(book, days, begin, row + 2, size)


def _number(value: Value, otherwise: float) -> float:
    """A value as a number; another where it is unknown."""
    return otherwise if isinstance(value, str) else value


def _short(value: Value) -> str:
    """A value in a formula's text, numbers to 15 digits."""
    return value if isinstance(value, str) else f"{value:.15g}"


def _chart(book: Book, days: Table, begin: float, row: int, size: int) -> None:
    """Adds the chart of bars by contract; the first part of each is unseen and only moves the rest."""
    chart = book.workbook.add_chart({"type": "bar", "subtype": "stacked"})
    for key, name, color in (
        ("from", "Before", None),
        ("in_window", "In the window", "#7381B1"),
        ("after", "After it", "#4B45C6"),
    ):
        add_stacked(chart, days, "name", key, name, color, gap=35)
    chart.set_title(
        {
            "name": "Contracts over time: light in the window, dark after it",
            "name_font": {"size": 12},
            "overlay": False,
        }
    )
    chart.set_legend({"none": True})
    chart.set_x_axis(
        {
            "num_format": "mmm yyyy",
            "min": int(begin),
            "major_unit": 183,
            "major_gridlines": {"visible": True, "line": {"color": "#E4E7EC"}},
        }
    )
    chart.set_y_axis({"reverse": True})
    chart.set_size({"width": 700, "height": max(220, 90 + 24 * size)})
    book.sheets[SHEET].insert_chart(row, 6, chart)
