"""The busiest hours of month 0: peak and p95 over the parts that beginnings, ends and steps cut it into."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.commitment.result import MonthPart
from gpuplanner.domain.model.window import MONTH_S


def peak_of(parts: Sequence[MonthPart]) -> float:
    """The largest hourly value in any part of the month, GPUs."""
    return max(float(gpus.max()) for _, gpus in parts)


def p95_of(parts: Sequence[MonthPart]) -> float:
    """The smallest hourly value with at least 95% of the hours at or below it, GPUs.

    Each part's hours count by its share of the month. Law: 0 <= p95 <= peak; parts that are alike are as one.
    """
    if len(parts) == 1:
        ((_, gpus),) = parts
        return float(np.sort(gpus)[(95 * len(gpus) + 99) // 100 - 1])
    values = np.concatenate([gpus for _, gpus in parts])
    lengths_s = [round(share * MONTH_S) for share, _ in parts]  # whole, so that 95% is met to the hour
    weights = np.repeat(lengths_s, [len(gpus) for _, gpus in parts])
    order = np.argsort(values)
    at_or_below = weights[order].cumsum()
    return float(values[order[np.searchsorted(100 * at_or_below, 95 * at_or_below[-1])]])


def added(several: Sequence[Sequence[MonthPart]]) -> tuple[MonthPart, ...]:
    """Demand of several rows together, whose months have the same parts; the hours of each are (hours,)."""
    return tuple(
        (same[0][0], np.asarray(sum(gpus for _, gpus in same))) for same in zip(*several, strict=True)
    )
