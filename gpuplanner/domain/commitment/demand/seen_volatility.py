"""Volatility that a log shows: how far demand walks from month to month, apart from the noise of single weeks."""

from math import sqrt
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.demand.trend import weekly_means
from gpuplanner.domain.commitment.result import Volatility

PRIOR_SIGMA: Final = 0.10
"""Volatility a month where the log shows none, and what a short log is drawn towards."""
PRIOR_WEEKS: Final = 3
WEEKS_PER_MONTH: Final = 4.35
LOWEST: Final = 0.03
HIGHEST: Final = 0.40
LONGEST_LAG_WEEKS: Final = 4
LEAST_OF_MEAN: Final = 0.05
"""A week with less than this share of the mean week counts as this share: the log of an idle week says nothing."""


def seen_volatility(hourly: Floats) -> Volatility:
    """Walk and noise of the weekly means of a log. Shapes: hourly (hours,), any unit; the last whole weeks count.

    m_L, the mean squared change of the logs over L weeks, is fitted by 2 noise + q L over L = 1..4, weighted by pairs,
    both at least 0; sigma^2 = (w 4.35 q + 3 x 0.1^2) / (w + 3), within 3% and 40%. Under 3 weeks: 10%, no noise.
    Source: docs/formulas.md, Volatility; variogram of a random walk seen with noise, shrunk towards the prior.
    """
    weekly = weekly_means(hourly)
    changes = len(weekly) - 1
    if changes < 2 or not weekly.any():
        return Volatility(PRIOR_SIGMA, 0.0, 0)
    logs = np.log(np.maximum(weekly, LEAST_OF_MEAN * weekly.mean()))
    lags = np.arange(1, min(LONGEST_LAG_WEEKS, changes) + 1)
    squares = np.array([float(np.mean((logs[lag:] - logs[:-lag]) ** 2)) for lag in lags])
    pairs = np.array([len(logs) - lag for lag in lags], dtype=np.float64)
    height, slope = _line_from_zero_up(lags.astype(np.float64), squares, pairs)
    variance = (changes * WEEKS_PER_MONTH * slope + PRIOR_WEEKS * PRIOR_SIGMA**2) / (changes + PRIOR_WEEKS)
    return Volatility(min(max(sqrt(variance), LOWEST), HIGHEST), height / 2, changes)


def _line_from_zero_up(at: Floats, values: Floats, weights: Floats) -> tuple[float, float]:
    """Height and slope, both at least 0, of the line with the least weighted squared distance to some values."""
    middle, mean = float(weights @ at / weights.sum()), float(weights @ values / weights.sum())
    slope = float(weights @ ((at - middle) * (values - mean)) / (weights @ (at - middle) ** 2))
    height = mean - slope * middle
    if slope < 0:
        return mean, 0.0
    if height < 0:
        return 0.0, float(weights @ (at * values) / (weights @ at**2))
    return height, slope
