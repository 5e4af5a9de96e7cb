"""The operations of formulas beside + \u2212 \u00d7 \u00f7. Each has as many readings as there are kinds of operands.

An operand's type chooses the reading: columns and quantities here; cells of a workbook register theirs.
"""

from collections.abc import Callable
from dataclasses import replace
from functools import singledispatch
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.figures.columns import GpuHours, floats, optional
from gpuplanner.domain.figures.quantity import PLAIN, Number, Quantity, Sign, operation, same_dimension

Operand = Any
"""A column, a quantity or a cell: whatever the other operands are."""


@singledispatch
def share(part: Operand, whole: Operand) -> Operand:
    """part \u00f7 whole; unknown where there is nothing of the whole.

    With columns: NaN where the whole is 0, below 0 or unknown. With quantities: None there, and the division
    is kept as the way it was reached.

    >>> share(np.array([1.0, 1.0]), np.array([4.0, 0.0])).tolist()
    [0.25, nan]
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.asarray(whole) > 0, np.divide(part, whole), np.nan)


@share.register
def _(part: GpuHours, whole: GpuHours) -> Floats:
    return part / whole


@share.register
def _(part: Quantity, whole: Quantity) -> Quantity:
    found = part / whole
    value = found.value if whole.value is not None and whole.value > 0 else None
    return operation("\u00f7", value, found.dimension, found.parts)


@singledispatch
def priced(gpu_hours: Operand, rate: Operand) -> Operand:
    """GPU-hours \u00d7 rate: nothing costs nothing, something without a rate is unknown.

    Errors: TypeError where the first is no GPU time.
    """
    raise TypeError(f"GPU time is never {type(gpu_hours).__name__}")


@priced.register
def _(gpu_hours: GpuHours, rate: Floats) -> Floats:
    nothing = gpu_hours.is_known & (gpu_hours.milli_gpu_seconds == 0)
    return np.where(nothing, 0.0, gpu_hours.hours * rate)


@priced.register
def _(gpu_hours: Quantity, rate: Quantity) -> Quantity:
    found = gpu_hours * rate
    value: Number | None = 0.0 if gpu_hours.value == 0 else found.value
    return operation("\u00d7", value, found.dimension, found.parts)


@singledispatch
def is_below(one: Operand, other: Operand) -> Operand:
    """Whether one is less than the other, 1 or 0; unknown where either is.

    GPU time is compared in whole milli-GPU-seconds, so that a limit is exact. Errors: TypeError for
    quantities of different dimensions.

    >>> is_below(np.array([1.0, np.nan]), np.array([2.0, 2.0])).tolist()
    [1.0, nan]
    """
    return np.where(np.isnan(one) | np.isnan(other), np.nan, np.less(one, other))


@is_below.register
def _(one: GpuHours, other: GpuHours) -> Floats:
    known = one.is_known & other.is_known
    return np.where(known, one.milli_gpu_seconds < other.milli_gpu_seconds, np.nan)


@is_below.register
def _(one: Quantity, other: Quantity) -> Quantity:
    same_dimension(one, other)
    values = (one.value, other.value)
    truth = None if values[0] is None or values[1] is None else int(values[0] < values[1])
    return operation("<", truth, PLAIN, (one, other))


@singledispatch
def least(one: Operand, other: Operand) -> Operand:
    """The lesser of two; unknown where either is.

    Errors: TypeError for quantities of different dimensions.

    >>> least(np.array([1.0, 3.0]), np.array([2.0, np.nan])).tolist()
    [1.0, nan]
    """
    return np.minimum(one, other)


@least.register
def _(one: Quantity, other: Quantity) -> Quantity:
    known = [value for value in (one.value, other.value) if value is not None]
    value = min(known) if len(known) == 2 else None
    return operation("least", value, same_dimension(one, other), (one, other))


MONTHS_PER_YEAR: Final = 12


@singledispatch
def discounted(a_year: Operand, months: Operand) -> Operand:
    """What 1 that comes in so many months is worth today, at a cost of capital a year.

    >>> discounted(np.array([0.25, 0.0]), np.array([12.0, 24.0])).tolist()
    [0.8, 1.0]
    """
    return np.power(1 + a_year, -months / MONTHS_PER_YEAR)


@discounted.register
def _(a_year: Quantity, months: Quantity) -> Quantity:
    return _of_capital("discounted", discounted, a_year, months)


@singledispatch
def repaid(a_year: Operand, months: Operand) -> Operand:
    """What 1 of capital costs a month, paid back over so many months at a cost of capital a year: an annuity.

    Without a cost of capital 1 / months; unknown where there are no months.

    >>> repaid(np.array([0.1, 0.0, 0.1]), np.array([12.0, 12.0, 0.0])).round(6).tolist()
    [0.087716, 0.083333, nan]
    """
    monthly = np.power(1 + np.asarray(a_year), 1 / MONTHS_PER_YEAR) - 1
    with np.errstate(divide="ignore", invalid="ignore"):
        paid = np.where(monthly > 0, monthly / (1 - np.power(1 + monthly, -months)), np.divide(1, months))
    return np.where(np.asarray(months) > 0, paid, np.nan)


@repaid.register
def _(a_year: Quantity, months: Quantity) -> Quantity:
    return _of_capital("repaid", repaid, a_year, months)


def _of_capital(
    sign: Sign, work: Callable[[Operand, Operand], Operand], a_year: Quantity, months: Quantity
) -> Quantity:
    """One row of what columns come to; a share of capital a month, or once, without a dimension of its own."""
    values = floats([a_year.number]), floats([months.number])
    per_month = tuple(-power for power in months.dimension) if sign == "repaid" else PLAIN
    return operation(sign, optional(work(*values))[0], per_month, (a_year, months))


@singledispatch
def if_any(gpu_hours: Operand, cost: Operand) -> Operand:
    """The cost, and nothing where there is no GPU time, also at a rate that nobody states.

    >>> if_any(np.array([0.0, 2.0]), np.array([np.nan, 5.0])).tolist()
    [0.0, 5.0]
    """
    return np.where(np.asarray(gpu_hours) == 0, 0.0, cost)


@if_any.register
def _(gpu_hours: Quantity, cost: Quantity) -> Quantity:
    return replace(cost, value=0.0) if gpu_hours.value == 0 else cost
