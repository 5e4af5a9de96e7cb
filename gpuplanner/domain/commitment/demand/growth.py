"""Growth of demand: how it fades over the months, and the trend that a log shows, with its range."""

from functools import lru_cache
from math import exp, sqrt
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.demand.weekly_means import (
    LONGEST_LAG_WEEKS,
    fit_rising_line,
    squared_changes,
    weekly_means,
)
from gpuplanner.domain.model.cube import TREND_HOURS, WEEK_HOURS
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass

WEEKS_PER_MONTH: Final = HOURS_PER_MONTH / WEEK_HOURS
NORMAL_90: Final = 1.2815515655446004


def grown(growth: float, fade: float, months: int) -> Floats:
    """G_t = product over i = 1..t of (1 + g fade^(i-1)) for t = 0..months-1; shape (months,).

    growth: g a month, a ratio; fade 1: the same growth for ever.
    Source: docs/formulas/demand.md, Growth.
    """
    steps = 1 + growth * fade ** np.arange(max(months - 1, 0))
    return np.concatenate(([1.0], np.cumprod(steps)))[:months]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A value per month (a ratio) and the range that holds it in 80 of 100 logs like this one."""

    value: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Whether the range leaves out 0.

        Then the log speaks for a growth or a fall, at 80%.
        """
        return self.low > 0 or self.high < 0


def fitted_growth(hourly: Floats) -> Fitted | None:
    """Growth a month: a straight line through the logarithms of weekly means.

    Shapes: hourly (hours,). None under 30 days, or where a week had no demand at all. A walk without any growth seems
    to grow or fall for months, so the range is that of noise and a walk, as the weeks around the line show both.
    Source: least squares; docs/formulas/demand.md, Volatility.
    """
    weekly = weekly_means(hourly)
    if len(hourly) < TREND_HOURS or not weekly.all():
        return None
    logs, around = np.log(weekly), measure_around_line(len(weekly))
    slope = float(around.slope_weights @ logs)
    changes = squared_changes(around.rest @ logs)
    shape, pairs = around.walk / around.noise, np.arange(len(weekly) - 1, 0, -1)[: len(changes)]
    noise, step = fit_rising_line(shape, changes / around.noise, pairs * around.noise**2)
    error = sqrt(
        noise * float(around.slope_weights @ around.slope_weights) + step * around.walk_slope
    ) * compute_student_90(len(weekly) - 2)
    return Fitted(*(exp(WEEKS_PER_MONTH * rate) - 1 for rate in (slope, slope - error, slope + error)))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AroundLine:
    """What a fitted line leaves of weeks. Shapes: slope_weights (weeks,) times the weeks is the slope, rest
    (weeks, weeks) times them what is around the line. noise, walk: mean squared changes around it over 1 to 4 weeks,
    (lags,), of noise of variance 1 and of a walk in steps of variance 1, whose slope has the variance walk_slope."""

    slope_weights: Floats
    rest: Floats
    noise: Floats
    walk: Floats
    walk_slope: float


@lru_cache(maxsize=64)
def measure_around_line(weeks: int) -> AroundLine:
    numbers = np.arange(weeks, dtype=np.float64)
    slope_weights = (numbers - numbers.mean()) / float(
        (numbers - numbers.mean()) @ (numbers - numbers.mean())
    )
    rest = np.eye(weeks) - 1 / weeks - np.outer(numbers - numbers.mean(), slope_weights)
    walk = np.minimum.outer(numbers, numbers)
    # the sum over a basis of what each of its parts alone comes to
    noise, of_walk = (
        sum(map(squared_changes, around_line.T), np.zeros(min(LONGEST_LAG_WEEKS, weeks - 1)))
        for around_line in (rest, rest @ np.tri(weeks, k=-1))
    )
    return AroundLine(
        slope_weights=slope_weights,
        rest=rest,
        noise=noise,
        walk=of_walk,
        walk_slope=float(slope_weights @ walk @ slope_weights),
    )


def compute_student_90(freedom: int) -> float:
    """The 90% quantile of Student's t, by the expansion of Cornish and Fisher around the normal one."""
    z = NORMAL_90
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
