"""Traces: a figure with its formula and the rows that give it, and builders for the usual forms."""

from collections.abc import Iterable, Sequence
from typing import Final, TypedDict, Unpack

from gpuplanner.domain.figures.figure import Figure
from gpuplanner.domain.figures.typed import exact, significant, whole
from gpuplanner.domain.figures.writing import Unit, WrittenAs
from gpuplanner.domain.message import Message, Text, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.lazy_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True)
class Amount:
    """A number in a formula, with its number format."""

    value: float | int | None
    unit: WrittenAs


Value = float | int | Text | Amount | None
"""The value of a cell; a quantity has its own unit, other values that of their column."""
Number = float | int | None
Symbols = tuple[Text | Amount, ...]
"""A formula with its numbers."""
AnyUnit = Unit | WrittenAs
"""The unit of a figure, with its text after the value, or a number format."""
More = tuple[tuple[Text, str], ...]
"""Further traces, as (words, figure id)."""


@dataclass(frozen=True, slots=True)
class TraceColumn:
    """A column: heading (unit after a line break) and number format."""

    title: Text
    unit: WrittenAs


Columns = Sequence[TraceColumn]


@dataclass(frozen=True, slots=True)
class TraceRow:
    """A row: name, values in the trace's columns, and the id of the figure behind it ("": an input)."""

    name: Text
    values: tuple[Value, ...]
    opens: str = ""


@dataclass(frozen=True, slots=True)
class Adds:
    """The figure is the sum of a column."""

    column: int


@dataclass(frozen=True, slots=True)
class Divides:
    """The figure is the sum of one column divided by the sum of another."""

    top: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Quotient:
    """The figure is the first row divided by the second, in one column."""

    column: int


@dataclass(frozen=True, slots=True)
class Multiplies:
    """The figure is the product of a column."""

    column: int


@dataclass(frozen=True, slots=True)
class Counts:
    """The figure is the number of rows."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The figure is the result of its formula with the rows as inputs (answering.py)."""


Arrival = Adds | Divides | Quotient | Multiplies | Counts | Reached


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The explanation of a figure.

    words: the formula in words. symbols: the formula with its numbers. value: as shown on the page, None is unknown.
    said_as: unit after the value ("per month"). arrival: how the rows give the value. readings: other figures with a
    similar name. more: further traces, as (words, figure id). figure_id: the requested id, set by the caller. at_least:
    known part of an unknown value. Law: the rows give the value by the arrival, to the cent, and exactly for whole
    numbers.
    """

    title: Text
    value: Number
    unit: WrittenAs
    said_as: Text
    words: Text
    symbols: Symbols
    columns: tuple[TraceColumn, ...]
    rows: tuple[TraceRow, ...]
    arrival: Arrival
    note: Text = ""
    readings: tuple[tuple[Text, Amount], ...] = ()
    more: More = ()
    figure_id: str = ""
    at_least: Number = None


JOBS: Final = "jobs"
"""Kind of figure ids that end a trace: the job rows of a workload, in some hours."""


def figure(kind: str, subject: str = "", scope: str = "") -> str:
    """Return the id of a figure. scope: its hours ("": all, see hours_in). subject: as a contract's id."""
    return f"{kind}:{scope}:{subject}"


def parts_of(figure_id: str) -> tuple[str, str, str]:
    """Return kind, scope and subject of a figure id; the subject may contain colons."""
    kind, scope, subject = (*figure_id.split(":", 2), "", "")[:3]
    return kind, scope, subject


# Builders for the usual forms of traces

AS_READ: Final = worded("An input, as read")
MOST_ROWS: Final = 200
"""Most rows of a sum to list; the others become one row."""

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
"""Default headings of columns by unit."""
MONEY: Final = TraceColumn(TITLES["usd"], "usd")
GPUS: Final = TraceColumn("GPUs", "gpus")
VALUES: Final = (TraceColumn(worded("Value"), "text"),)
"""The column for rows with different units."""


def quoted_words(of: Contract | Offer, currency: str) -> Text:
    """Return the quote of a rate in another currency with its exchange rate, or that the user stated it; otherwise
    empty.

    currency: of the project, ISO code.
    """
    rate = of.quoted_rate
    is_said = isinstance(of, Contract) and of.is_rate_stated
    if of.currency == currency or not rate:
        return worded("entered by you") if is_said else ""
    return worded(
        "quoted at {rate} {quoted}, at {exchange} {code} each",
        rate=exact(rate),
        quoted=of.currency,
        exchange=worded("unknown") if of.exchange is None else significant(of.exchange),
        code=currency,
    )


def column_of(declared: Figure, *, is_short: bool = True) -> TraceColumn:
    """Return a column for the values of a figure."""
    return TraceColumn(declared.heading("\n", is_short=is_short), declared.unit.key)


def unit_column(declared: Figure) -> tuple[TraceColumn]:
    """Return a single column, headed with a figure's unit."""
    return (TraceColumn(declared.unit.label, declared.unit.key),)


def titled(declared: Figure, name: Text) -> Message:
    """Return the title of a trace: a figure of an object."""
    return worded("{figure} of {name}", figure=declared.title, name=name)


def sum_of(rows: Iterable[TraceRow], column: int = 0) -> float | None:
    """Return the sum of a column; None if a value is unknown or text."""
    values = (row.values[column] for row in rows)
    return known_sum(value if isinstance(value, int | float) else None for value in values)


def less(value: Number) -> Number:
    """Return the negative value, for a deduction in a sum; None stays unknown."""
    return None if value is None else -value


def minus(name: Text) -> Message:
    """Return the name of a deducted row."""
    return worded("Minus: {name}", name=name)


def plus(parts: Iterable[Value], total: Amount) -> Symbols:
    """Return a + b + c = total; for over four parts only their number."""
    each = [Amount(part if isinstance(part, int | float) else None, total.unit) for part in parts]
    if not each or len(each) > 4:
        return (worded("\u03a3 of {each} rows = ", each=whole(len(each))), total)
    symbols: list[Text | Amount] = [each[0]]
    for part in each[1:]:
        symbols += [" + ", part]
    return (*symbols, " = ", total)


class Beside(TypedDict, total=False):
    """Optional parts of every form: unit after the value, note, other readings, further traces."""

    said_as: Text
    note: Text
    readings: tuple[tuple[Text, Amount], ...]
    more: More


class Others(Beside, total=False):
    """The same, and the formula with its numbers (default: number of rows and their total)."""

    symbols: Symbols


def listed(
    title: Text,
    value: Number,
    unit: AnyUnit,
    words: Text,
    rows: Sequence[TraceRow],
    columns: Columns,
    arrival: Arrival,
    **others: Unpack[Others],
) -> Trace:
    """Return a trace with all its rows."""
    key, per = (unit.key, unit.per) if isinstance(unit, Unit) else (unit, "")
    symbols = others.get("symbols") or (
        worded_count(len(rows), "\u03a3 of {rows} row = ", "\u03a3 of {rows} rows = ", rows=whole(len(rows))),
        Amount(value, key),
    )
    shown = columns or (TraceColumn(TITLES.get(key, ""), key),)
    said_as, note = others.get("said_as") or per, others.get("note", "")
    readings, more = others.get("readings", ()), others.get("more", ())
    return Trace(
        title=title,
        value=value,
        unit=key,
        said_as=said_as,
        words=words,
        symbols=symbols,
        columns=tuple(shown),
        rows=tuple(rows),
        arrival=arrival,
        note=note,
        readings=readings,
        more=more,
    )


def summed(
    title: Text,
    value: Number,
    unit: AnyUnit,
    words: Text,
    rows: Sequence[TraceRow],
    columns: Columns = (),
    column: int = 0,
    **others: Unpack[Others],
) -> Trace:
    """Return the trace of a sum of a column, with its largest rows. others: as for `listed`."""
    every = listed(title, value, unit, words, rows, columns, Adds(column), **others)
    return every if len(rows) <= MOST_ROWS else replace(every, rows=_first_ones(every.rows, column))


def over(
    title: Text,
    value: Number,
    unit: AnyUnit,
    words: Text,
    top: tuple[Text, Number, WrittenAs],
    bottom: tuple[Text, Number, WrittenAs],
    **others: Unpack[Beside],
) -> Trace:
    """Return the trace of a quotient. top, bottom: name, number and format. others: as for `listed`."""
    return _of_amounts(title, value, unit, words, (top, bottom), " \u00f7 ", Quotient(0), **others)


def product(
    title: Text,
    value: Number,
    unit: AnyUnit,
    words: Text,
    factors: Sequence[tuple[Text, Number, WrittenAs]],
    **others: Unpack[Beside],
) -> Trace:
    """Return the trace of a product. factors: name, number and format of each. others: as for `listed`."""
    return _of_amounts(title, value, unit, words, factors, " \u00d7 ", Multiplies(0), **others)


def _of_amounts(
    title: Text,
    value: Number,
    unit: AnyUnit,
    words: Text,
    parts: Sequence[tuple[Text, Number, WrittenAs]],
    sign: str,
    arrival: Arrival,
    **others: Unpack[Beside],
) -> Trace:
    """Return a trace whose rows have different units, joined by one sign."""
    key = unit.key if isinstance(unit, Unit) else unit
    rows = [TraceRow(name, (Amount(number, written),)) for name, number, written in parts]
    symbols: list[Text | Amount] = []
    for _, number, written in parts:
        symbols += [*([sign] if symbols else []), Amount(number, written)]
    symbols += [" = ", Amount(value, key)]
    columns = (TraceColumn("", "text"),)
    return listed(title, value, unit, words, rows, columns, arrival, symbols=tuple(symbols), **others)


def read(
    title: Text,
    value: Number,
    unit: AnyUnit,
    source: Text,
    *,
    opens: str = "",
    words: Text = AS_READ,
    **others: Unpack[Beside],
) -> Trace:
    """Return the trace of an input, or of a count described by `words`.

    source: origin of the input. others: as for `listed`.
    """
    key = unit.key if isinstance(unit, Unit) else unit
    symbols = (Amount(value, key), worded(", from {source}", source=source))
    rows = (TraceRow(source, (value,), opens),)
    return listed(title, value, unit, words, rows, (), Adds(0), symbols=symbols, **others)


def _first_ones(rows: tuple[TraceRow, ...], column: int) -> tuple[TraceRow, ...]:
    """Return the largest rows, and one row for the others, so that the column still adds up."""
    ordered = sorted(rows, key=lambda row: -abs(_known(row.values[column])))
    rest = ordered[MOST_ROWS:]
    values: list[Value] = [None] * len(rows[0].values)
    kept = [row.values[column] for row in rest]
    values[column] = None if None in kept else sum(_known(value) for value in kept)
    return (*ordered[:MOST_ROWS], TraceRow(worded("{rest} others", rest=whole(len(rest))), tuple(values)))


def _known(value: Value) -> float:
    """Return a value for sorting and adding; text and unknown values are 0."""
    return float(value) if isinstance(value, int | float) else 0.0
