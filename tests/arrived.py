"""What the rows of a trace come to, worked out anew: the law of every answer to Why this number?"""

from math import prod

from gpuplanner.domain.evidence.trace import Adds, Amount, Counts, Divides, Quotient, Reached, Trace, Value
from gpuplanner.domain.message import Message


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
