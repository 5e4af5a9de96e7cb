"""A trace: one figure with its formula and the rows behind it, which arrive at it; the forms in which most come."""

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
    """A number inside a formula, and how it is written."""

    value: float | int | None
    unit: WrittenAs


Value = float | int | Text | Amount | None
"""A quantity has a unit of its own; other values have that of their column."""
Number = float | int | None
Symbols = tuple[Text | Amount, ...]
"""A formula with its numbers."""
AnyUnit = Unit | WrittenAs
"""The unit of a figure, which says what stands behind it too, or how a value is written."""
More = tuple[tuple[Text, str], ...]
"""Other answers that help, as words and figure id."""


@dataclass(frozen=True, slots=True)
class TraceColumn:
    """A heading (its unit after a line break), and how its values are written."""

    title: Text
    unit: WrittenAs


Columns = Sequence[TraceColumn]


@dataclass(frozen=True, slots=True)
class TraceRow:
    """One row: a name, its values under the trace's columns, and the figure that answers for it ("": an input)."""

    name: Text
    values: tuple[Value, ...]
    opens: str = ""


@dataclass(frozen=True, slots=True)
class Adds:
    """The figure is the sum of a column."""

    column: int


@dataclass(frozen=True, slots=True)
class Divides:
    """The figure is the sum of one column over the sum of another."""

    top: int
    bottom: int


@dataclass(frozen=True, slots=True)
class Quotient:
    """The figure is the first row over the second, in one column."""

    column: int


@dataclass(frozen=True, slots=True)
class Multiplies:
    """The figure is the product of the rows of a column."""

    column: int


@dataclass(frozen=True, slots=True)
class Counts:
    """The figure is how many rows there are."""


@dataclass(frozen=True, slots=True)
class Reached:
    """The figure is what its formula came to, called with the rows (answering.py)."""


Arrival = Adds | Divides | Quotient | Multiplies | Counts | Reached


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a figure is what it is.

    words: the formula in words; symbols: the same with the numbers in; value: as it is shown on the page, None is
    unknown; said_as: the unit behind it ("per month"); arrival: how the rows make it; readings: other numbers that
    go by a similar name; more: other traces that help, as (words, figure id). figure_id: what was asked, put in by who
    answers; at_least: what is known of a value that is unknown.
    Law: what the rows come to by the arrival is the value, to the cent, and exactly where all values are whole numbers.
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
"""The kind of a figure id that ends a trace: the job rows of a workload, in some hours."""


def figure(kind: str, subject: str = "", scope: str = "") -> str:
    """The id of a figure: of what kind, in which hours ("": all, see hours_in), of what."""
    return f"{kind}:{scope}:{subject}"


def parts_of(figure_id: str) -> tuple[str, str, str]:
    """Kind, scope and subject of a figure id; a subject may hold colons."""
    kind, scope, subject = (*figure_id.split(":", 2), "", "")[:3]
    return kind, scope, subject


# The forms in which most traces come

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
MONEY: Final = TraceColumn(TITLES["usd"], "usd")
GPUS: Final = TraceColumn("GPUs", "gpus")
VALUES: Final = (TraceColumn(worded("Value"), "text"),)
"""The column of rows that each have a unit of their own."""


def quoted_words(of: Contract | Offer, currency: str) -> Text:
    """What a rate is quoted in, and at what it counts, or that the planner said it; empty where the file states it in
    the money of the project.

    currency: of the project, ISO code.
    """
    rate = of.quoted_rate
    is_said = isinstance(of, Contract) and of.is_rate_stated
    if of.currency == currency or not rate:
        return worded("as you said") if is_said else ""
    return worded(
        "quoted at {rate} {quoted}, {exchange} {code} each",
        rate=exact(rate),
        quoted=of.currency,
        exchange=worded("unknown") if of.exchange is None else significant(of.exchange),
        code=currency,
    )


def column_of(declared: Figure, *, is_short: bool = True) -> TraceColumn:
    """A column of the values of a figure."""
    return TraceColumn(declared.heading("\n", is_short=is_short), declared.unit.key)


def unit_column(declared: Figure) -> tuple[TraceColumn]:
    """The only column of rows, headed by the unit of a figure."""
    return (TraceColumn(declared.unit.label, declared.unit.key),)


def titled(declared: Figure, name: Text) -> Message:
    """The title of an answer: a figure of a thing."""
    return worded("{figure} of {name}", figure=declared.title, name=name)


def sum_of(rows: Iterable[TraceRow], column: int = 0) -> float | None:
    """The sum of a column; None where one is unknown or words."""
    values = (row.values[column] for row in rows)
    return known_sum(value if isinstance(value, int | float) else None for value in values)


def less(value: Number) -> Number:
    """What is taken off, as a row of a sum has it; None is unknown."""
    return None if value is None else -value


def plus(parts: Iterable[Value], total: Amount) -> Symbols:
    """a + b + c = total; with many parts only how many there are."""
    each = [Amount(part if isinstance(part, int | float) else None, total.unit) for part in parts]
    if not each or len(each) > 4:
        return (worded("\u03a3 of {each} rows = ", each=whole(len(each))), total)
    symbols: list[Text | Amount] = [each[0]]
    for part in each[1:]:
        symbols += [" + ", part]
    return (*symbols, " = ", total)


class Beside(TypedDict, total=False):
    """What else a form may say: the unit behind the value, and what helps."""

    said_as: Text
    note: Text
    readings: tuple[tuple[Text, Amount], ...]
    more: More


class Others(Beside, total=False):
    """And the formula with its numbers (empty: how many rows there are and what they come to)."""

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
    """All rows of a figure."""
    key, per = (unit.key, unit.per) if isinstance(unit, Unit) else (unit, "")
    symbols = others.get("symbols") or (
        worded_count(len(rows), "\u03a3 of {rows} row = ", "\u03a3 of {rows} rows = ", rows=whole(len(rows))),
        Amount(value, key),
    )
    shown = columns or (TraceColumn(TITLES.get(key, ""), key),)
    said_as, note = others.get("said_as") or per, others.get("note", "")
    readings, more = others.get("readings", ()), others.get("more", ())
    return Trace(
        title, value, key, said_as, words, symbols, tuple(shown), tuple(rows), arrival, note, readings, more
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
    """The figure is the sum of a column of its rows, the largest of which are listed. others: of `listed`."""
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
    """The figure is one number over another, each with its name and how it is written. others: of `listed`."""
    return _of_amounts(title, value, unit, words, (top, bottom), " \u00f7 ", Quotient(0), **others)


def product(
    title: Text,
    value: Number,
    unit: AnyUnit,
    words: Text,
    factors: Sequence[tuple[Text, Number, WrittenAs]],
    **others: Unpack[Beside],
) -> Trace:
    """The figure is the product of its rows, each with its name and how it is written. others: of `listed`."""
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
    """Rows with units of their own, and between them one sign."""
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
    """The figure is an input, or counted as `words` say. source: what it was read from; others: of `listed`."""
    key = unit.key if isinstance(unit, Unit) else unit
    symbols = (Amount(value, key), worded(", from {source}", source=source))
    rows = (TraceRow(source, (value,), opens),)
    return listed(title, value, unit, words, rows, (), Adds(0), symbols=symbols, **others)


def _first_ones(rows: tuple[TraceRow, ...], column: int) -> tuple[TraceRow, ...]:
    """The largest rows, and one for all others, so that the column still adds up."""
    ordered = sorted(rows, key=lambda row: -abs(_known(row.values[column])))
    rest = ordered[MOST_ROWS:]
    values: list[Value] = [None] * len(rows[0].values)
    kept = [row.values[column] for row in rest]
    values[column] = None if None in kept else sum(_known(value) for value in kept)
    return (*ordered[:MOST_ROWS], TraceRow(worded("{rest} others", rest=whole(len(rest))), tuple(values)))


def _known(value: Value) -> float:
    """For sorting and adding: words and what is unknown are 0."""
    return float(value) if isinstance(value, int | float) else 0.0
