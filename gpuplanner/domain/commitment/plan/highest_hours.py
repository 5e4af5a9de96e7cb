"""The busiest hours of month 0, over the parts that beginnings, ends and steps cut it into: peak, p95, all in order."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.result import MonthPart, PoolPlan
from gpuplanner.domain.model.window import MONTH_S


def peak_of(parts: Sequence[MonthPart]) -> float:
    """The largest hourly demand in any part of the month, GPUs.

    parts: of month 0, at least one. Errors: ValueError without any.
    """
    return max(float(part.demand_gpus.max()) for part in parts)


def p95_of(parts: Sequence[MonthPart]) -> float:
    """The smallest hourly demand with at least 95% of the hours at or below it, GPUs.

    Each part's hours count by its share of the month. Law: 0 <= p95 <= peak; parts that are alike are as one.
    """
    if len(parts) == 1:
        gpus = parts[0].demand_gpus
        return float(np.sort(gpus)[(95 * len(gpus) + 99) // 100 - 1])
    values, at_or_below = _in_order([part.share for part in parts], [part.demand_gpus for part in parts])
    return float(values[np.searchsorted(100 * at_or_below, 95 * at_or_below[-1])])


def busiest_first(plan: PoolPlan) -> Floats:
    """Hourly GPUs that existing contracts leave in month 0, the busiest hour first, (hours,).

    Of a month in parts as many hours, picked evenly from those of all parts by their shares of the month. Law: its
    mean is theirs by days, but for what is picked.
    """
    parts = plan.month_parts
    if len(parts) < 2:
        return np.sort(np.asarray(plan.residual_gpus, dtype=np.float64))[::-1]
    values, at_or_below = _in_order([part.share for part in parts], [part.residual_gpus for part in parts])
    hours = len(plan.residual_gpus)
    middles = (2 * np.arange(hours) + 1) * at_or_below[-1]
    picked: Floats = values[np.searchsorted(2 * hours * at_or_below, middles)]
    return picked[::-1]


def added(several: Sequence[Sequence[MonthPart]]) -> tuple[MonthPart, ...]:
    """Several rows together, whose months have the same parts.

    Errors: ValueError where rows have not the same number of parts.
    """
    return tuple(
        MonthPart(
            same[0].share,
            np.sum([part.demand_gpus for part in same], axis=0),
            np.sum([part.residual_gpus for part in same], axis=0),
        )
        for same in zip(*several, strict=True)
    )


def _in_order(shares: Sequence[float], hourly: Sequence[Floats]) -> tuple[Floats, Ints]:
    """Hours of all parts, the least first, and for how long it is that or less: seconds of the month times hours."""
    values = np.concatenate(hourly)
    lengths_s = [round(share * MONTH_S) for share in shares]  # whole, so that 95% is met to the hour
    order = np.argsort(values)
    weights = np.repeat(np.array(lengths_s, dtype=np.int64), [len(gpus) for gpus in hourly])
    return values[order], weights[order].cumsum()
