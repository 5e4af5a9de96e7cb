"""How long jobs wait: quantiles over jobs, shares, what the log's own waits say of a replay, and sizes beside their $.

Source: docs/formulas/waits.md.
"""

from collections.abc import Callable, Sequence
from math import ceil
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.figures.waiting import WAITING
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass

SECONDS_PER_HOUR: Final = 3600
SHARES: Final = (50, 90, 99)
"""Quantiles that are said, in percent of the jobs."""
SHORT_S: Final = 180.0
"""Three minutes: below them ratios of waits say nothing."""
LAST_PART: Final = 0.25
"""Of the window, against whose waits the calibration of the rest is held."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Waits:
    """Waits of some jobs, in hours, unrounded; None: none of them started. share_over_1h: strictly over.

    over_1h: so many jobs; waited_h: of all of them together.
    """

    jobs: int
    share_over_1h: float | None
    mean_h: float | None
    p50_h: float | None
    p90_h: float | None
    p99_h: float | None
    over_1h: int = 0
    waited_h: float = 0.0

    @property
    def quantiles(self) -> tuple[float | None, float | None, float | None]:
        """P50, P90 and P99."""
        return self.p50_h, self.p90_h, self.p99_h


def quantile_s(waits_s: Sequence[int] | Ints, percent: int) -> int:
    """The smallest wait that at least so many percent of the jobs are at or below. waits_s: in order, not empty.

    >>> quantile_s([0, 0, 3, 8], 50), quantile_s([3600, 10800, 28800], 50), quantile_s([3600, 10800, 28800], 90)
    (0, 10800, 28800)
    """
    return int(waits_s[max(0, -(-len(waits_s) * percent // 100) - 1)])


def waits_of(waits_s: Ints) -> Waits:
    """Of jobs that have started, seconds, (jobs,)."""
    if not len(waits_s):
        return Waits(jobs=0, share_over_1h=None, mean_h=None, p50_h=None, p90_h=None, p99_h=None)
    ordered, jobs = np.sort(waits_s), len(waits_s)
    p50, p90, p99 = (quantile_s(ordered, percent) / SECONDS_PER_HOUR for percent in SHARES)
    over, waited_h = int(np.count_nonzero(ordered > SECONDS_PER_HOUR)), int(ordered.sum()) / SECONDS_PER_HOUR
    given = {"jobs": float(jobs), "over_1h": float(over), "waited_h": waited_h}
    share, mean = (float(WAITING.value(key, given)) for key in ("share_over_1h", "mean_h"))
    return Waits(
        jobs=jobs,
        share_over_1h=share,
        mean_h=mean,
        p50_h=p50,
        p90_h=p90,
        p99_h=p99,
        over_1h=over,
        waited_h=waited_h,
    )


def p90_h(waits_s: Ints) -> float | None:
    """That quantile alone, in hours; None without a job that has started."""
    return quantile_s(np.sort(waits_s), 90) / SECONDS_PER_HOUR if len(waits_s) else None


# --- What the log's own waits say of a replay ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Range:
    """Where a replayed wait would really lie, hours."""

    low_h: float
    high_h: float


def calibrated(replayed_h: float, measured_h: float, today_h: float) -> Range:
    """From the ratio and from the difference that the log showed at its real size; they agree there. Never below 0.

    today_h: replayed at the real capacity, measured_h: as it was.

    >>> calibrated(2.0, 6.0, 2.0)
    Range(low_h=6.0, high_h=6.0)
    >>> calibrated(0.0, 6.0, 2.0).low_h < calibrated(0.0, 6.0, 2.0).high_h
    True
    """
    short = SHORT_S / SECONDS_PER_HOUR
    missing_h = measured_h - today_h
    by_ratio = replayed_h + missing_h * (replayed_h + short) / (today_h + short)
    by_difference = replayed_h + missing_h
    low, high = sorted((max(0.0, by_ratio), max(0.0, by_difference)))
    return Range(low, high)


def miss_of(
    measured_first_h: float, today_first_h: float, measured_last_h: float, today_last_h: float
) -> float:
    """How far the calibration of the window's first three quarters missed P90 of its last: middle over measured.

    1: not at all. Both with three minutes more.
    """
    short = SHORT_S / SECONDS_PER_HOUR
    span = calibrated(today_last_h, measured_first_h, today_first_h)
    return ((span.low_h + span.high_h) / 2 + short) / (measured_last_h + short)


# --- Sizes: a curve of waits against GPUs and $, its knee, and the smallest that keeps a target ---


def frontier_sizes(
    mean_gpus: float, largest_job: float, most_at_once: float, unit: int, points: int
) -> tuple[int, ...]:
    """Whole units from the larger of mean and largest job to the most that run at once, evenly; each once.

    >>> frontier_sizes(10.2, 8, 40, 8, 3)
    (16, 32, 40)
    """
    if points < 1:
        return ()
    low = _units(max(mean_gpus, largest_job), unit)
    high = max(low, _units(most_at_once, unit))
    steps = max(1, points - 1)
    return tuple(sorted({_units(low + (high - low) * at / steps, unit) for at in range(points)}))


def _units(gpus: float, unit: int) -> int:
    """So many in whole units, at least one."""
    return max(1, ceil(gpus / unit - 1e-9)) * unit


NEARLY: Final = 0.95
"""Points that lie so far of the knee's way under the line bend about as well."""


def knee_of(points: Sequence[tuple[float, float]]) -> tuple[int, int, int] | None:
    """The place of the point furthest under the line from first to last, both axes scaled to 0..1; None: none is.

    points: ($ or GPUs, wait), in order. Ties: the first. With it the first and last place around it that lie nearly as
    far under the line.

    >>> knee_of([(0, 10), (1, 1), (10, 0)])
    (1, 1, 1)
    >>> knee_of([(0, 10), (1, 2), (2, 1), (10, 0)])
    (1, 1, 2)
    >>> knee_of([(0, 1), (1, 0)]) is None
    True
    """
    if len(points) < 3:
        return None
    (first_x, first_y), (last_x, last_y) = points[0], points[-1]
    wide, high = last_x - first_x, max(y for _, y in points) - min(y for _, y in points)
    if wide <= 0 or high <= 0:
        return None
    lines = (first_y + (last_y - first_y) * (x - first_x) / wide for x, _ in points)
    under = [(on_line - y) / high for on_line, (_, y) in zip(lines, points, strict=True)]
    if (deepest := max(under)) <= 1e-12:
        return None
    knee = low = high_at = under.index(deepest)
    while under[low - 1] >= NEARLY * deepest:  # the first and the last lie on the line
        low -= 1
    while under[high_at + 1] >= NEARLY * deepest:
        high_at += 1
    return knee, low, high_at


def smallest_that_holds(least: int, most: int, unit: int, holds: Callable[[int], bool]) -> int | None:
    """The smallest size in whole units that keeps a target while one unit less does not, by bisection; None: none does
    up to twice the most, as pieces between machines may stand free.

    Where waits are not monotone, the one that bisection finds.
    """
    low, high = ceil(least / unit), ceil(most / unit)
    if holds(low * unit):
        return low * unit
    if not holds(high * unit):
        low, high = high, 2 * high
        if not holds(high * unit):
            return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle * unit) else (middle, high)
    return high * unit


@dataclass(frozen=True, slots=True)
class Target:
    """P90 wait of a pool that is to be kept, hours. gpu_model: None: the one that the pool has most of.

    is_of_all: nobody is to wait at all, or to be sent out.
    """

    pool: Pool
    p90_h: float
    gpu_model: str | None = None
    is_of_all: bool = False
