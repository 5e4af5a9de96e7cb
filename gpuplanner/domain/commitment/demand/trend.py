"""Trend that a log shows, with its range: a suggestion, never applied by itself."""

from dataclasses import dataclass
from math import exp, sqrt
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.log.log_length import TREND_HOURS, WEEK_HOURS
from gpuplanner.domain.model.window import HOURS_PER_MONTH

WEEKS_PER_MONTH: Final = HOURS_PER_MONTH / WEEK_HOURS
NORMAL_95: Final = 1.6448536269514722


@dataclass(frozen=True, slots=True)
class Fitted:
    """A value per month (a ratio) and the range that holds it in 90 of 100 logs like this one."""

    value: float
    low: float
    high: float

    @property
    def is_clear(self) -> bool:
        """Whether the range leaves out 0.

        Then the log speaks for a growth or a fall, at 90%.
        """
        return self.low > 0 or self.high < 0


def weekly_means(hourly: Floats) -> Floats:
    """Means of the last whole weeks, oldest first; shape (weeks,), in the unit of `hourly`, which is (hours,).

    Weeks are of 168 hours and end with the window; what is older than a whole week is left out.
    """
    weeks = len(hourly) // WEEK_HOURS
    last = hourly[len(hourly) - weeks * WEEK_HOURS :]
    return np.asarray(last.reshape(weeks, WEEK_HOURS).mean(axis=1), dtype=np.float64)


def fitted_growth(hourly: Floats) -> Fitted | None:
    """Growth a month: a straight line through the logarithms of weekly means.

    Shapes: hourly (hours,). None under 30 days, or where a week had no demand at all. Weeks follow their
    neighbours, so the range is widened by their correlation. Source: least squares with an AR(1) correction.
    """
    weekly = weekly_means(hourly)
    if len(hourly) < TREND_HOURS or not weekly.all():
        return None
    logs, at = np.log(weekly), np.arange(len(weekly)) - (len(weekly) - 1) / 2
    slope = float(at @ logs / (at @ at))
    rest = logs - logs.mean() - slope * at
    spread = float(rest @ rest)
    error = sqrt(spread / (len(weekly) - 2) / float(at @ at))
    kept = float(rest[1:] @ rest[:-1]) / spread if spread > 0 else 0.0
    kept = min(max(kept, 0.0), 0.9)
    error *= sqrt((1 + kept) / (1 - kept)) * _student_95(len(weekly) - 2)
    return Fitted(*(exp(WEEKS_PER_MONTH * one) - 1 for one in (slope, slope - error, slope + error)))


def _student_95(freedom: int) -> float:
    """The 95% quantile of Student's t, by the expansion of Cornish and Fisher around the normal one."""
    z = NORMAL_95
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
