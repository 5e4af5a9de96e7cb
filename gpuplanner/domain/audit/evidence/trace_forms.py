"""The forms in which most traces come: a sum of rows, one row over another, a product, or an input as it was read."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.audit.evidence.trace import (
    Adds,
    Amount,
    Multiplies,
    Quotient,
    Trace,
    TraceColumn,
    TraceRow,
    Value,
)
from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.typed import exact, significant, whole
from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.message import Message, Text, worded, worded_count
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer

Number = float | int | None
NamedValue = tuple[Text, Number]
AS_READ: Final = worded("An input, as it was read")
MOST_ROWS: Final = 200
"""Rows of a sum that are listed one by one; the others are one row."""

TITLES: Final[dict[WrittenAs, Text]] = {
    "usd": worded("$ per\nmonth"),
    "rate": worded("$ per\nGPU-h"),
    "gpu_hours": "GPU-h",
    "hours": worded("Hours"),
    "gpus": "GPUs",
    "share": worded("Share"),
    "count": worded("Count"),
    "ms": "ms",
}
"""How a column is headed whose values have this unit, where nothing else is said."""


def quoted_words(of: Contract | Offer, currency: str) -> Text:
    """What a rate is quoted in, and at what it counts; empty where that is the money of the project.

    currency: of the project, ISO code.
    """
    rate = of.rate_usd_per_gpu_hour
    if of.currency == currency or not rate:
        return ""
    return worded(
        "quoted at {rate} {quoted}, {exchange} {code} each",
        rate=exact(rate),
        quoted=of.currency,
        exchange=worded("unknown") if of.exchange is None else significant(of.exchange),
        code=currency,
    )


def column_of(one: Figure) -> TraceColumn:
    """A column of the values of a figure."""
    return TraceColumn(one.heading("\n", is_short=True), one.unit.key)


def less(value: Number) -> Number:
    """What is taken off, as a row of a sum has it; None is unknown."""
    return None if value is None else -value


def summed(
    figure_id: str,
    title: Text,
    value: Number,
    unit: WrittenAs,
    words: Text,
    rows: Sequence[TraceRow],
    *,
    said_as: Text = "",
    columns: Sequence[TraceColumn] = (),
    column: int = 0,
    note: Text = "",
) -> Trace:
    """The figure is the sum of a column of its rows."""
    shown = columns or (TraceColumn(TITLES[unit], unit),)
    symbols = (
        worded_count(len(rows), "\u03a3 of {rows} row = ", "\u03a3 of {rows} rows = ", rows=whole(len(rows))),
        Amount(value, unit),
    )
    listed = _first_ones(tuple(rows), column)
    return Trace(
        figure_id, title, value, unit, said_as, words, symbols, tuple(shown), listed, Adds(column), note
    )


def over(
    figure_id: str,
    title: Text,
    value: Number,
    unit: WrittenAs,
    words: Text,
    top: NamedValue,
    bottom: NamedValue,
    units: tuple[WrittenAs, WrittenAs],
    *,
    said_as: Text = "",
    note: Text = "",
    more: tuple[tuple[Message, str], ...] = (),
) -> Trace:
    """The figure is one number over another. more: other answers that help, as words and figure id."""
    parts = (Amount(top[1], units[0]), Amount(bottom[1], units[1]))
    symbols = (parts[0], " \u00f7 ", parts[1], " = ", Amount(value, unit))
    rows = (TraceRow(top[0], (parts[0],)), TraceRow(bottom[0], (parts[1],)))
    columns = (TraceColumn("", "text"),)
    return Trace(
        figure_id, title, value, unit, said_as, words, symbols, columns, rows, Quotient(0), note, (), more
    )


def product(
    figure_id: str,
    title: Text,
    value: Number,
    unit: WrittenAs,
    words: Text,
    factors: Sequence[tuple[Text, Number, WrittenAs]],
    *,
    said_as: Text = "",
    note: Text = "",
    more: tuple[tuple[Text, str], ...] = (),
) -> Trace:
    """The figure is the product of its rows. more: other answers that help, as words and figure id."""
    symbols: list[str | Amount] = []
    for at, (_, factor, of_unit) in enumerate(factors):
        symbols += ([" \u00d7 "] if at else []) + [Amount(factor, of_unit)]
    symbols += [" = ", Amount(value, unit)]
    rows = tuple(TraceRow(name, (Amount(factor, of_unit),)) for name, factor, of_unit in factors)
    columns = (TraceColumn("", "text"),)
    return Trace(
        figure_id,
        title,
        value,
        unit,
        said_as,
        words,
        tuple(symbols),
        columns,
        rows,
        Multiplies(0),
        note,
        (),
        more,
    )


def read(
    figure_id: str,
    title: Text,
    value: Number,
    unit: WrittenAs,
    source: Text,
    *,
    said_as: Text = "",
    opens: str = "",
    note: Text = "",
    words: Text = AS_READ,
) -> Trace:
    """The figure is an input, or counted as `words` say. source: what it was read from."""
    row = TraceRow(source, (value,), opens)
    columns = (TraceColumn(TITLES.get(unit, ""), unit),)
    symbols = (Amount(value, unit), worded(", from {source}", source=source))
    return Trace(
        figure_id,
        title,
        value,
        unit,
        said_as,
        words,
        symbols,
        columns,
        (row,),
        Adds(0),
        note,
    )


def _first_ones(rows: tuple[TraceRow, ...], column: int) -> tuple[TraceRow, ...]:
    """The largest rows, and one for all others, so that the column still adds up."""
    if len(rows) <= MOST_ROWS:
        return rows
    ordered = sorted(rows, key=lambda row: -abs(_number(row.values[column])))
    rest = ordered[MOST_ROWS:]
    values: list[Value] = [None] * len(rows[0].values)
    kept = [row.values[column] for row in rest]
    values[column] = None if None in kept else sum(_number(value) for value in kept)
    return (*ordered[:MOST_ROWS], TraceRow(worded("{rest} others", rest=whole(len(rest))), tuple(values)))


def _number(value: Value) -> float:
    """For sorting and adding: words and what is unknown are 0."""
    return float(value) if isinstance(value, int | float) else 0.0
