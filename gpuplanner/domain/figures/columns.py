"""Columns: one array a figure, over all rows at once. Formulas called with columns are the values."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints

MILLI_GPU_SECONDS_PER_GPU_HOUR: Final = 3_600_000


@dataclass(frozen=True, slots=True, eq=False)
class GpuHours:
    """A column of GPU time, exact: milli-GPU-seconds (int64) and which of them are known; shapes (rows,)."""

    milli_gpu_seconds: Ints
    is_known: Bools

    @property
    def hours(self) -> Floats:
        """In GPU-hours; NaN where unknown. Shape (rows,)."""
        return np.where(self.is_known, self.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR, np.nan)

    def __add__(self, other: "GpuHours") -> "GpuHours":
        """Exact; unknown where one of the two is."""
        return GpuHours(self.milli_gpu_seconds + other.milli_gpu_seconds, self.is_known & other.is_known)

    def __sub__(self, other: "GpuHours") -> "GpuHours":
        """Exact; unknown where one of the two is."""
        return GpuHours(self.milli_gpu_seconds - other.milli_gpu_seconds, self.is_known & other.is_known)

    def __mul__(self, other: "int | Floats") -> "Column":
        """A whole number leaves GPU time exact; anything else makes GPU-hours as floats of it."""
        if isinstance(other, int):
            return GpuHours(self.milli_gpu_seconds * other, self.is_known)
        return self.hours * other

    __rmul__ = __mul__

    def __truediv__(self, other: "GpuHours | float | Floats") -> Floats:
        """A ratio, NaN where something is unknown or the other is 0; by a number GPU-hours as floats."""
        with np.errstate(divide="ignore", invalid="ignore"):
            if isinstance(other, GpuHours):
                known = self.is_known & other.is_known & (other.milli_gpu_seconds != 0)
                return np.where(known, self.milli_gpu_seconds / other.milli_gpu_seconds, np.nan)
            return np.asarray(self.hours / other)


Column = Floats | GpuHours
"""One value a row; NaN, or not is_known, where it is unknown."""


def floats(values: Sequence[float | None]) -> Floats:
    """A column of what may be unknown.

    >>> floats([1.0, None]).tolist()
    [1.0, nan]
    """
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def gpu_hours(milli_gpu_seconds: Sequence[int | None]) -> GpuHours:
    """A column of GPU time of which some may be unknown.

    Units: whole milli-GPU-seconds; None is unknown, and not 0.

    >>> gpu_hours([3_600_000, None]).hours.tolist()
    [1.0, nan]
    """
    known = [amount is not None for amount in milli_gpu_seconds]
    return GpuHours(
        np.array([amount or 0 for amount in milli_gpu_seconds], dtype=np.int64),
        np.array(known, dtype=np.bool_),
    )


def optional(column: Column) -> list[float | None]:
    """The values of a column, one a row: NaN becomes None, once and here.

    >>> optional(floats([1.0, None]))
    [1.0, None]
    """
    values = column.hours if isinstance(column, GpuHours) else column
    return [None if isnan(value) else value for value in values.tolist()]


def by_row(columns: Mapping[str, Column]) -> list[dict[str, float | None]]:
    """The values of columns by key, one mapping a row.

    Errors: ValueError where columns are not of one length.

    >>> by_row({"gpus": floats([2]), "rate": floats([None])})
    [{'gpus': 2.0, 'rate': None}]
    """
    values = [optional(column) for column in columns.values()]
    return [dict(zip(columns, row, strict=True)) for row in zip(*values, strict=True)]


def truth(value: float | None) -> bool | None:
    """A flag as rows keep it.

    >>> truth(1.0), truth(0.0), truth(None)
    (True, False, None)
    """
    return None if value is None else bool(value)


def exactly(milli_gpu_seconds: Ints) -> GpuHours:
    """GPU time of any shape, all of it known.

    Units: milli-GPU-seconds, int64.
    """
    return GpuHours(milli_gpu_seconds, np.ones(milli_gpu_seconds.shape, dtype=np.bool_))
