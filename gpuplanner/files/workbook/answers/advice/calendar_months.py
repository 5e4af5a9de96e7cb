"""The twelve months of 730 hours by months of the calendar: each day pays the share of its month."""

from datetime import datetime, timedelta
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.window import has_calendar
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import EPOCH_SERIAL
from gpuplanner.files.workbook.kit.checks import CENT, Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, Range, call, copy_of, known, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison

WAYS: Final = (
    ("nothing", "Do nothing, $"),
    ("plan", "Plan as advised, $"),
    ("held", "Plan with layers held, $"),
)
FIELDS: Final = (
    Field("begins", "Calendar month", "month", 46),
    Field("days", "Days of the twelve months in it", "mean"),
    *(Field(key, title, "usd", 16) for key, title in WAYS),
    Field("saved", "Saved as advised, $", "change", 16),
)


def write_calendar(
    book: Book, sheet: str, inputs: Inputs, named: Named, comparison: Comparison, row: int
) -> tuple[int, list[Check]]:
    """Write the table from a row on; the next free row, and what is checked: that nothing is lost on the way.

    A log that counts its time from 0 has no calendar: nothing is written.
    """
    if not has_calendar(inputs.project.plan_window.end_s):
        return row, []
    book.write(
        sheet, row, 0, "By calendar month: a month of 730 hours is paid evenly over its days", "section"
    )
    starts = comparison.table.range("start")
    length = named.hours_per_month / 24
    begins = _calendar_months(starts.numbers(), length.number)
    table = Table(book, sheet, row + 1, len(begins), FIELDS)
    first = comparison.table.cell("start", 0)
    for place, day in enumerate(begins):
        if place:
            before = table.cell("begins", place - 1)
            begin = table.put("begins", place, call("EDATE", day, before, 1))
        else:
            text = f"DATE(YEAR({first.text}),MONTH({first.text}),1)"
            begin = table.put("begins", place, Expr(text, day, True))
        inside = _inside(starts, begin, length)
        table.put("days", place, call("SUMPRODUCT", float(inside.numbers().sum()), inside.text))
        for key, _ in WAYS:
            table.put(key, place, _paid(comparison.table.range(key), inside, length))
        nothing, plan = table.cell("nothing", place), table.cell("plan", place)
        saved = None if inputs.serves_less else known([nothing, plan], nothing - plan)
        table.put("saved", place, saved)
    end = table.end_row
    book.write(sheet, end, 0, "Sum", "strong.total")
    book.write(sheet, end, 1, table.range("days").sum(), "mean.strong.total")
    checks = []
    for key, title in (*WAYS, ("saved", "Saved as advised, $")):
        total = table.range(key).known_sum()
        book.write(
            sheet, end, table.column_of(key), total, f"{'change' if key == 'saved' else 'usd'}.strong.total"
        )
        if key != "saved":
            whole = comparison.sums[key]
            checks.append(Check("Calendar months add up to the twelve", title, copy_of(whole), total, CENT))
    return end + 2, checks


def _calendar_months(starts: Floats, length: float) -> list[float]:
    """The first day of each month of the calendar that the twelve months touch, as day numbers.

    starts: day numbers, shape (months,); length: of a month, days.
    """
    origin, last = datetime(1970, 1, 1) - timedelta(days=EPOCH_SERIAL), float(starts[-1]) + length
    at = (origin + timedelta(days=float(starts[0]))).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    found = []
    while (day := float((at - origin).days)) < last - 1e-9:
        found.append(day)
        at = (at + timedelta(days=32)).replace(day=1)
    return found


def _inside(starts: Range, begin: Expr, length: Expr) -> Range:
    """Days of each month of 730 hours that lie in a month of the calendar: its earlier end less its later beginning.

    The least and the most of two, and what is above nothing, by absolute values: a spreadsheet's MIN takes no rows.
    """
    ends, after = f"({starts.text}+{length.text})", f"EDATE({begin.text},1)"
    least = f"({ends}+{after}-ABS({ends}-{after}))/2"
    most = f"({starts.text}+{begin.text}+ABS({starts.text}-{begin.text}))/2"
    both = f"({least}-{most})"
    next_begin = _next_month(begin.number)
    days = np.minimum(starts.numbers() + length.number, next_begin) - np.maximum(
        starts.numbers(), begin.number
    )
    return Range(f"(({both}+ABS({both}))/2)", np.maximum(days, 0.0))


def _next_month(day: float) -> float:
    """The day number of the first of the month after one."""
    origin = datetime(1970, 1, 1) - timedelta(days=EPOCH_SERIAL)
    return float(((origin + timedelta(days=day + 32)).replace(day=1) - origin).days)


def _paid(amounts: Range, inside: Range, length: Expr) -> Expr:
    """$ of the months by the days inside; the dash where a month is unknown."""
    paid = float((amounts.numbers() * inside.numbers()).sum()) / length.number
    unknown = call("SUMPRODUCT", float(amounts.unknown), f"--ISTEXT({amounts.text})")
    text = f"SUMPRODUCT({amounts.text},{inside.text})/({length.text})"
    return when(unknown > 0, DASH, Expr(text, DASH if amounts.unknown else paid))
