"""A trace: one figure of the audit with its formula and the rows behind it, which arrive at it."""

from dataclasses import dataclass
from math import prod
from typing import Final

from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.message import Message, Text


@dataclass(frozen=True, slots=True)
class Amount:
    """A number inside a formula, and how it is written."""

    value: float | int | None
    unit: WrittenAs


Value = float | int | Text | Amount | None
"""A quantity has a unit of its own; other values have that of their column."""


@dataclass(frozen=True, slots=True)
class TraceColumn:
    """A heading (its unit after a line break), and how its values are written."""

    title: Text
    unit: WrittenAs


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
    """The figure is what its formula came to, called with the rows (explained.py)."""


Arrival = Adds | Divides | Quotient | Multiplies | Counts | Reached


@dataclass(frozen=True, slots=True)
class Trace:
    """Why a figure is what it is.

    words: the formula in words; symbols: the same with the numbers in; value: as it is shown on the page, None is
    unknown; said_as: the unit behind it ("per month"); arrival: how the rows make it; readings: other numbers that
    go by a similar name; more: other traces that help, as (words, figure id).
    Law: `arrived(trace)` is the value, to the cent, and exactly where all values are whole numbers.
    """

    figure_id: str
    title: Text
    value: float | int | None
    unit: WrittenAs
    said_as: Text
    words: Text
    symbols: tuple[Text | Amount, ...]
    columns: tuple[TraceColumn, ...]
    rows: tuple[TraceRow, ...]
    arrival: Arrival
    note: Text = ""
    readings: tuple[tuple[Text, Amount], ...] = ()
    more: tuple[tuple[Text, str], ...] = ()


JOBS: Final = "jobs"
"""The kind of a figure id that ends a trace: the job rows of a workload, in some hours."""


def figure(kind: str, subject: str = "", scope: str = "") -> str:
    """The id of a figure: of what kind, in which hours ("": all, see hours_in), of what."""
    return f"{kind}:{scope}:{subject}"


def parts_of(figure_id: str) -> tuple[str, str, str]:
    """Kind, scope and subject of a figure id; a subject may hold colons."""
    kind, scope, subject = (*figure_id.split(":", 2), "", "")[:3]
    return kind, scope, subject


def arrived(trace: Trace) -> float | int | None:
    """What the rows of a trace come to; None where one that is needed is unknown, or a divisor is 0."""
    arrival, rows = trace.arrival, trace.rows
    if isinstance(arrival, Counts):
        return len(rows)
    if isinstance(arrival, Reached):
        return trace.value
    if isinstance(arrival, Adds):
        return _sum(trace, arrival.column)
    if isinstance(arrival, Divides):
        return _over(_sum(trace, arrival.top), _sum(trace, arrival.bottom))
    values = [_number(row.values[arrival.column]) for row in rows]
    if isinstance(arrival, Quotient):
        return _over(values[0], values[1])
    return None if None in values else prod(value for value in values if value is not None)


def _sum(trace: Trace, column: int) -> float | int | None:
    """What a column of rows adds up to; None where one is unknown. Errors: TypeError for words."""
    total: float | int = 0
    for row in trace.rows:
        value = _number(row.values[column])
        if value is None:
            return None
        total += value
    return total


def _over(top: float | int | None, bottom: float | int | None) -> float | None:
    """A quotient; None where a side is unknown or the lower one 0."""
    return None if top is None or not bottom else top / bottom


def _number(value: Value) -> float | int | None:
    """A value as a number, None where unknown. Errors: TypeError for words."""
    if isinstance(value, Amount):
        return value.value
    if isinstance(value, Message | str):
        raise TypeError(f"{str(value)!r} is no number: it cannot be added up")
    return value
