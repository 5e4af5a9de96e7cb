"""A trace as an answer of the window: values and columns that add up as they are written."""

from collections.abc import Callable, Sequence
from typing import Final

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evidence.plan.headline import HeadlineAnswer
from gpuplanner.domain.evidence.trace import (
    Adds,
    Amount,
    Divides,
    Multiplies,
    Quotient,
    Reached,
    Trace,
    TraceColumn,
    TraceRow,
    Value,
)
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.writing import WrittenAs
from gpuplanner.domain.message import Message
from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.ui.state.view_state import Pairs
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.why.answer import Why
from gpuplanner.ui.words import numbers

ADDITIVE: Final[frozenset[WrittenAs]] = frozenset(
    ("usd", "gpu_hours", "milli_gpu_seconds", "hours", "count", "gpus")
)
ROUNDED_TOGETHER: Final[frozenset[WrittenAs]] = frozenset(("usd", "gpu_hours", "milli_gpu_seconds"))
WRITTEN: Final[dict[WrittenAs, Callable[[float], str]]] = {
    "milli_gpu_seconds": lambda value: numbers.whole(value / MILLI_GPU_SECONDS_PER_GPU_HOUR),
    "share": lambda value: numbers.percent(value, 2),
}
"""WrittenAs -> how a known value of it is written here; others are written as everywhere."""


def why_of(trace: Trace, inputs: Pairs) -> Why:
    """The answer: title, formula in words and with its numbers, rows with a total, what it was worked out from."""
    least = trace.at_least if trace.value is None else None
    value = (
        in_full(trace.value, trace.unit) if least is None else numbers.AT_LEAST + in_full(least, trace.unit)
    )
    opens = any(row.opens for row in trace.rows)
    texts = [_column(trace, at, column) for at, column in enumerate(trace.columns)]
    more = (Column(title="", is_figure=False, width=24),) if opens else ()
    rows = [
        Row(
            (
                Cell(text=row.name, is_strong=True, tip=row.name),
                *(Cell(text=column[at], tip=_exact(trace, at, place)) for place, column in enumerate(texts)),
                *((Cell(icon="chevron_right" if row.opens else ""),) if opens else ()),
            ),
            key=row.opens,
        )
        for at, row in enumerate(trace.rows)
    ]
    total = _total(trace, [column[-1] for column in texts])
    return Why(
        title=" ".join(
            tr("{title}: {value} {said_as}", title=trace.title, value=value, said_as=trace.said_as).split()
        ),
        formula=spoken(trace.words),
        note="".join(_symbols(trace, texts)),
        columns=(
            Column(title="", is_figure=False),
            *(
                Column(title=column.title, is_figure=_holds_figures(trace, at))
                for at, column in enumerate(trace.columns)
            ),
            *more,
        ),
        rows=(*rows, total),
        remark=spoken(trace.note),
        inputs=inputs,
        readings_title=_readings_title(trace),
        readings=tuple((name, written(reading.value, reading.unit)) for name, reading in trace.readings),
        more=trace.more,
    )


def why_in_parts(answer: HeadlineAnswer, inputs: Pairs) -> Why:
    """An answer of the headline: the rows of each part, and what they come to."""
    units = [column.unit for column in answer.columns]
    return Why(
        title=spoken(answer.title),
        formula=spoken(answer.words),
        note=spoken(answer.note),
        columns=(
            Column(title=answer.heading, is_figure=False),
            *(Column(title=column.title) for column in answer.columns),
            Column(title="", is_figure=False, width=24),
        ),
        rows=tuple(
            _written_row(row, units, is_total=row is part.total)
            for part in answer.parts
            for row in (*part.rows, part.total)
        ),
        remark=spoken(answer.remark),
        inputs=inputs,
        readings_title=spoken(answer.readings_title),
        readings=tuple((spoken(name), written(value, "text")) for name, value in answer.readings),
    )


def _written_row(row: TraceRow, units: Sequence[WrittenAs], *, is_total: bool) -> Row:
    """A row of an answer in parts."""
    cells = (Cell(text=written(value, unit)) for value, unit in zip(row.values, units, strict=True))
    name = Cell(text=row.name, is_strong=not is_total)
    opens = Cell(icon="chevron_right" if row.opens else "")
    return Row((name, *cells, opens), is_total=is_total, key=row.opens)


def _readings_title(trace: Trace) -> str:
    """Names the unit where all are dollars; others are of the figure's own."""
    if any(reading.unit != "usd" for _, reading in trace.readings):
        return tr("Other readings")
    return tr("Other readings, $ per month") if trace.readings else ""


def _holds_figures(trace: Trace, at: int) -> bool:
    """Whether a column is of numbers, also of such as have units of their own."""
    return trace.columns[at].unit != "text" or any(isinstance(row.values[at], Amount) for row in trace.rows)


def written(value: Value, unit: WrittenAs) -> str:
    """A value under a heading that names its unit."""
    if isinstance(value, Amount):
        return written(value.value, value.unit)
    if isinstance(value, Message | str):
        return spoken(value)
    write = None if value is None else WRITTEN.get(unit)
    return numbers.of_unit(value, unit) if value is None or write is None else write(value)


def in_full(value: Value, unit: WrittenAs) -> str:
    """A value in a sentence: dollars with their sign."""
    if unit == "usd" and (value is None or isinstance(value, int | float)):
        return numbers.dollars(value)
    return numbers.cents(value) if unit == "rate" and isinstance(value, int | float) else written(value, unit)


def _symbols(trace: Trace, texts: Sequence[Sequence[str]]) -> list[str]:
    """The formula with its numbers: addends as their rows have them, so that both lines add up as they are written."""
    arrival = trace.arrival
    quantities = [symbol for symbol in trace.symbols if isinstance(symbol, Amount)]
    figures = [in_full(quantity.value, quantity.unit) for quantity in quantities]
    if isinstance(arrival, Adds) and trace.columns[arrival.column].unit == "usd":
        of_rows = [row.values[arrival.column] for row in trace.rows]
        if None not in of_rows and [quantity.value for quantity in quantities[:-1]] == of_rows:
            figures[:-1] = [numbers.with_dollar(text) for text in texts[arrival.column][:-1]]
    left = iter(figures)
    return [next(left) if isinstance(symbol, Amount) else spoken(symbol) for symbol in trace.symbols]


def _exact(trace: Trace, at: int, column: int) -> str:
    """What a tool tip adds: cents, and GPU-hours to a tenth."""
    cell = trace.rows[at].values[column]
    value, unit = (cell.value, cell.unit) if isinstance(cell, Amount) else (cell, trace.columns[column].unit)
    if not isinstance(value, int | float):
        return ""
    if unit == "usd":
        return numbers.cents(value)
    if unit in ("gpu_hours", "milli_gpu_seconds"):
        hours = value / MILLI_GPU_SECONDS_PER_GPU_HOUR if unit == "milli_gpu_seconds" else value
        return tr("{gpu_hours} GPU-h", gpu_hours=numbers.one_decimal(hours))
    return ""


def _column(trace: Trace, at: int, column: TraceColumn) -> list[str]:
    """The texts of a column, and last that of its total: whole amounts that add up to it, where it is a sum."""
    values = [row.values[at] for row in trace.rows]
    adds = _adds(trace, at)
    numbers_only = [value for value in values if isinstance(value, int | float)]
    known = len(numbers_only) == len(values)
    if not (adds and column.unit in ROUNDED_TOGETHER and known and values):
        total = sum(numbers_only) if adds and known else None
        return [
            *(written(value, column.unit) for value in values),
            written(total, column.unit) if adds else "",
        ]
    scale = MILLI_GPU_SECONDS_PER_GPU_HOUR if column.unit == "milli_gpu_seconds" else 1
    amounts: list[float | None] = [value / scale for value in numbers_only]
    whole = largest_remainder(amounts, _written_total(trace, at, sum(numbers_only) / scale))
    of_all = numbers.whole(float(sum(value or 0 for value in whole)))
    return [*map(numbers.whole, whole), of_all]


def _written_total(trace: Trace, at: int, total: float) -> float | None:
    """What a column is rounded to: the figure as it is written, where it is their sum but for a dollar."""
    is_figure = isinstance(trace.arrival, Adds) and trace.arrival.column == at and trace.unit == "usd"
    value = trace.value
    if not is_figure or not isinstance(value, int) or abs(value - total) > len(trace.rows) + 3:
        return None
    return float(value)


def _adds(trace: Trace, at: int) -> bool:
    """Whether the sum of a column means something: where rows are parts of one whole."""
    unit, arrival = trace.columns[at].unit, trace.arrival
    if any(isinstance(row.values[at], Amount) for row in trace.rows):
        return False
    if isinstance(arrival, Adds) and at == arrival.column and unit in ("ms", "decimal", "exact"):
        return True
    if isinstance(arrival, Adds):
        return unit in ADDITIVE and (at == arrival.column or unit not in ("hours", "gpus"))
    return isinstance(arrival, Divides) and unit in ADDITIVE


def _total(trace: Trace, sums: Sequence[str]) -> Row:
    """The last row: what the rows come to."""
    names = {
        Quotient: tr("First \u00f7 second"),
        Multiplies: tr("Product"),
        Adds: tr("Total"),
        Divides: tr("Total"),
        Reached: tr("Comes to"),
    }
    name = names.get(type(trace.arrival), f"{numbers.counted(len(trace.rows), 'row')}")
    cells = [Cell(text=text) for text in sums]
    value = written(trace.value, trace.unit)
    if isinstance(trace.arrival, Quotient | Multiplies):
        cells[trace.arrival.column] = Cell(text=value)
    elif isinstance(trace.arrival, Reached):
        cells[0] = Cell(text=value)
    elif isinstance(trace.arrival, Divides):
        shares = [at for at, column in enumerate(trace.columns) if column.unit in ("share", "ms")]
        if shares and shares[-1] not in (trace.arrival.top, trace.arrival.bottom):
            cells[shares[-1]] = Cell(text=value)
    return Row((Cell(text=name), *cells), is_total=True)
