"""What the signs and functions of a spreadsheet come to, of numbers, texts, empty cells and columns of them."""

import math
import operator
import re
from calendar import monthrange
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial, reduce
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats

NA: Final = "#N/A"
"""What a formula with an error comes to, until IFERROR takes it."""


class Empty(float):
    """What an empty cell comes to: 0 in a sum, and yet neither a number nor a text that is there."""

    __slots__ = ()


def is_error(value: Any) -> bool:
    """Whether a value is an error."""
    return isinstance(value, str) and value == NA


def elementwise(sign: str, *values: Any) -> Any:
    """A sign between two values; of arrays one by one. Arrays of numbers alone are worked out as a whole."""
    if not any(isinstance(one, np.ndarray) for one in values):
        return scalar(sign, *values)
    is_plain = sign in _WHOLE and not any(isinstance(one, str) or _is_mixed(one) for one in values)
    if is_plain and not (sign == "/" and np.any(np.equal(values[-1], 0))):
        return _WHOLE[sign](*(np.asarray(one, dtype=np.float64) for one in values))
    found = np.frompyfunc(partial(scalar, sign), len(values), 1)(*values)
    return np.asarray(found, dtype=object)


def _is_mixed(value: Any) -> bool:
    """Whether it is an array with texts or empty cells among its numbers."""
    return isinstance(value, np.ndarray) and value.dtype.hasobject


def scalar(sign: str, *values: Any) -> Any:
    """A sign between two values that are no arrays; an error of either is one of both."""
    try:
        return NA if NA in values else SIGNS[sign](*values)
    except (TypeError, ZeroDivisionError, OverflowError):
        return NA


def _ranked(value: Any) -> tuple[bool, Any]:
    """A spreadsheet sorts all text behind all numbers, and does not tell capitals."""
    return (True, value.casefold()) if isinstance(value, str) else (False, value)


def _equal(one: Any, other: Any) -> bool:
    if isinstance(one, Empty) or isinstance(other, Empty):
        return (
            (one or other or 0) in ("", 0) if isinstance(one, str) or isinstance(other, str) else one == other
        )
    return _ranked(one) == _ranked(other)


def _by_rank(work: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    return lambda one, other: work(_ranked(one), _ranked(other))


def _concatenated(one: Any, other: Any) -> str:
    return "".join(each if isinstance(each, str) else f"{each:.15g}" for each in (one, other))


SIGNS: Final[Mapping[str, Callable[..., Any]]] = {
    "=": _equal, "<>": lambda one, other: not _equal(one, other), "&": _concatenated,
    "<": _by_rank(operator.lt), "<=": _by_rank(operator.le), ">": _by_rank(operator.gt), ">=": _by_rank(operator.ge),
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "^": operator.pow,
    "negated": operator.neg, "ABS": abs,
}  # fmt: skip
"""What a sign between two values comes to."""
_WHOLE: Final[Mapping[str, Callable[..., Any]]] = {
    "=": np.equal, "<>": np.not_equal, "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
    "+": np.add, "-": np.subtract, "*": np.multiply, "/": np.divide, "^": np.power,
    "negated": np.negative, "ABS": np.abs,
}  # fmt: skip
"""The same between arrays of numbers; quotients are worked out one by one where some have no value."""


def called(name: str, function: Callable[..., Any], values: Sequence[Any]) -> Any:
    """What a function comes to; an error of an argument, or of the function itself, is one of the call."""
    if name not in _TAKE_ERRORS and any(map(is_error, values)):
        return NA
    try:
        return function(*values)
    except (TypeError, ValueError, IndexError, ArithmeticError):
        return NA


_TAKE_ERRORS: Final = frozenset(("COUNT", "ISNUMBER", "ISTEXT"))


def _numbers_in(values: Sequence[Any]) -> Sequence[float] | Floats:
    """The numbers among cells and columns; text and empty cells are passed over."""
    if not any(isinstance(one, np.ndarray) for one in values):
        return [one for one in values if not isinstance(one, str | Empty)]
    found = []
    for one in values:
        is_plain = isinstance(one, np.ndarray) and not _is_mixed(one)
        cells = one.tolist() if _is_mixed(one) else [one]
        found.append(one if is_plain else [each for each in cells if not isinstance(each, str | Empty)])
    return np.concatenate(found).astype(np.float64)


def _each(holds: Callable[[Any], Any], value: Any) -> Any:
    """A question of a cell, or of each of a column."""
    if not isinstance(value, np.ndarray):
        return holds(value)
    if not _is_mixed(value):
        return np.full(len(value), holds(0.0))
    return np.array([holds(one) for one in value.tolist()])


def _sum_of_products(*columns: Any) -> Any:
    """Text counts as nothing, an error is one."""
    product: Any = 1.0
    for column in columns:
        values = np.asarray(column)
        if _is_mixed(values):
            if any(map(is_error, values.ravel().tolist())):
                return NA
            values = np.array(
                [0.0 if isinstance(one, str) else float(one) for one in values.ravel().tolist()]
            )
        product = product * values
    return float(np.sum(product))


def _matches(column: Any, criterion: Any) -> npt.NDArray[np.bool_]:
    """Which cells of a column meet a criterion: a number, text, or a sign with either."""
    found = re.match(r"(<>|<=|>=|[=<>])(.*)", criterion) if isinstance(criterion, str) else None
    sign, wanted = ("=", criterion) if found is None else (found[1], found[2])
    if isinstance(wanted, str):
        with suppress(ValueError):
            wanted = float(wanted)
    if sign == "<>":
        return ~_matches(column, wanted)
    if isinstance(wanted, str):
        met = [isinstance(one, str) and SIGNS[sign](one, wanted) for one in column.tolist()]
    elif _is_mixed(column):
        met = [not isinstance(one, str) and SIGNS[sign](one, wanted) for one in column.tolist()]
    else:
        met = _WHOLE[sign](column, wanted)
    return np.asarray(met, dtype=np.bool_)


def _all_met(*conditions: Any) -> npt.NDArray[np.bool_]:
    """conditions: a column and its criterion, by turns."""
    met = [_matches(column, wanted) for column, wanted in zip(conditions[::2], conditions[1::2], strict=True)]
    return np.asarray(np.logical_and.reduce(met), dtype=np.bool_)


def _where(column: Any, conditions: Sequence[Any]) -> Sequence[float] | Floats:
    return _numbers_in([column[_all_met(*conditions)]])


def _ranked_number(column: Any, rank: float) -> float:
    """The number that is so many from the smallest on."""
    numbers = _numbers_in([column])
    return float(np.partition(numbers, int(rank) - 1)[int(rank) - 1])


def _place(wanted: Any, column: Any, _exactly: Any) -> Any:
    places = (place for place, one in enumerate(column.tolist(), 1) if _equal(one, wanted))
    return next(places, NA)


def _found(column: Any, place: Any, across: Any = 0) -> Any:
    if is_error(place):
        return NA
    return column[int(place) - 1] if place else column


def _least(numbers: Sequence[float] | Floats) -> float:
    """0 of none, as a spreadsheet has it."""
    return (
        float(np.min(numbers) if isinstance(numbers, np.ndarray) else min(numbers)) if len(numbers) else 0.0
    )


def _most(numbers: Sequence[float] | Floats) -> float:
    return 0.0 - _least([-one for one in numbers] if isinstance(numbers, list) else -np.asarray(numbers))


def _rounded(value: float, digits: float) -> float:
    """Halves go away from 0, as a spreadsheet has it."""
    scale = 10.0**digits
    return float(math.copysign(math.floor(abs(value) * scale + 0.5), value) / scale)


def _rounded_up(value: float, digits: float) -> float:
    scale = 10.0**digits
    return float(math.copysign(math.ceil(round(abs(value) * scale, 9)), value) / scale)


_EPOCH: Final = datetime(1899, 12, 30)


def _day(serial: float) -> datetime:
    return _EPOCH + timedelta(days=serial)


def _serial(moment: datetime) -> float:
    return (moment - _EPOCH) / timedelta(days=1)


def _months_later(serial: float, months: float) -> float:
    """Of a first of a month; the day of others is kept as a spreadsheet keeps it, no later than the month's last."""
    year, month = divmod(_day(serial).year * 12 + _day(serial).month - 1 + int(months), 12)
    last = monthrange(year, month + 1)[1]
    return _serial(datetime(year, month + 1, min(_day(serial).day, last)))


def _time_of_day(text: str) -> float:
    return _serial(datetime.fromisoformat(f"1899-12-30T{text}"))


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "ABS": partial(elementwise, "ABS"),
    "AND": lambda *values: all(map(bool, values)),
    "COUNT": lambda *values: len(_numbers_in(values)),
    "COUNTIF": lambda *conditions: int(_all_met(*conditions).sum()),
    "COUNTIFS": lambda *conditions: int(_all_met(*conditions).sum()),
    "DATE": lambda year, month, day: _serial(datetime(int(year), int(month), int(day))),
    "DATEVALUE": lambda text: _serial(datetime.fromisoformat(text)),
    "EDATE": _months_later,
    "INDEX": _found,
    "INT": math.floor,
    "ISNUMBER": partial(_each, lambda one: not isinstance(one, str | Empty)),
    "ISTEXT": partial(_each, lambda one: isinstance(one, str)),
    "LARGE": lambda column, rank: _ranked_number(column, len(_numbers_in([column])) + 1 - int(rank)),
    "LOG10": math.log10,
    "LEFT": lambda text, count: text[: int(count)],
    "MATCH": _place,
    "MAX": lambda *values: _most(_numbers_in(values)),
    "MID": lambda text, first, count: text[int(first) - 1 : int(first) - 1 + int(count)],
    "MIN": lambda *values: _least(_numbers_in(values)),
    "MONTH": lambda serial: _day(serial).month,
    "N": lambda value: 0.0 if isinstance(value, str) else value,
    "NA": lambda: NA,
    "NOT": lambda value: not value,
    "OR": lambda *values: any(map(bool, values)),
    "POWER": operator.pow,
    "ROUND": _rounded,
    "ROUNDUP": _rounded_up,
    "ROWS": len,
    "SMALL": _ranked_number,
    "SQRT": math.sqrt,
    "SUM": lambda *values: float(np.sum(_numbers_in(values))),
    "SUMIF": lambda column, wanted, amounts: float(np.sum(_where(amounts, (column, wanted)))),
    "SUMIFS": lambda column, *conditions: float(np.sum(_where(column, conditions))),
    "SUMPRODUCT": _sum_of_products,
    "TIMEVALUE": _time_of_day,
    "VALUE": float,
    "YEAR": lambda serial: _day(serial).year,
    "_xlfn.MAXIFS": lambda column, *conditions: _most(_where(column, conditions)),
    "_xlfn.MINIFS": lambda column, *conditions: _least(_where(column, conditions)),
}
"""What a function of a spreadsheet comes to, by its name in the file."""

BY_ROW: Final[Mapping[str, Callable[..., Any]]] = {
    **{name: FUNCTIONS[name] for name in ("ABS", "ISNUMBER", "ISTEXT", "ROUND")},
    "MAX": lambda *values: reduce(np.maximum, values),
    "MIN": lambda *values: reduce(np.minimum, values),
    "MOD": np.mod,
    "SUM": lambda columns: columns.sum(axis=-1),
    "SUMIF": lambda labels, wanted, columns: columns[:, labels == wanted].sum(axis=-1),
    "SUMPRODUCT": lambda columns: columns.sum(axis=-1),
}
"""The same of what stands in each row; neighbouring columns have the shape (rows, columns)."""
