"""Weekly means of a log: their changes over several weeks, and their steps."""

from math import log, sqrt
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.model.cube import WEEK_HOURS

LONGEST_LAG_WEEKS: Final = 4
LEAST_OF_MEAN: Final = 0.05
"""A week with less than this share of the mean week counts as this share: the log of an idle week says nothing."""
LEAST_STEP: Final = 0.25
"""A step is a change of the weekly mean by more than this, from each of two weeks to each of the next two."""


def weekly_means(hourly: Floats) -> Floats:
    """Means of the last whole weeks, oldest first; shape (weeks,), in the unit of `hourly`, which is (hours,).

    Weeks are of 168 hours and end with the window; what is older than a whole week is left out.
    """
    weeks = len(hourly) // WEEK_HOURS
    last = hourly[len(hourly) - weeks * WEEK_HOURS :]
    return np.asarray(last.reshape(weeks, WEEK_HOURS).mean(axis=1), dtype=np.float64)


def week_logs(weekly: Floats) -> Floats:
    least = max(LEAST_OF_MEAN * float(weekly.mean()), 1e-300)  # without any demand all weeks are alike
    return np.asarray(np.log(np.maximum(weekly, least)), dtype=np.float64)


def squared_changes(logs: Floats) -> Floats:
    """m_L: mean squared changes over L = 1..4 weeks, (lags,); logs (weeks,), two at least."""
    lags = range(1, min(LONGEST_LAG_WEEKS, len(logs) - 1) + 1)
    return np.array([float(np.mean((logs[lag:] - logs[:-lag]) ** 2)) for lag in lags])


def fit_rising_line(positions: Floats, values: Floats, weights: Floats) -> tuple[float, float]:
    """Height and slope, both at least 0, of the line nearest to values at positions, by weighted least squares."""
    middle, mean = float(weights @ positions / weights.sum()), float(weights @ values / weights.sum())
    slope = float(weights @ ((positions - middle) * (values - mean)) / (weights @ (positions - middle) ** 2))
    height = mean - slope * middle
    if slope < 0:
        return mean, 0.0
    if height < 0:
        return 0.0, float(weights @ (positions * values) / (weights @ positions**2))
    return height, slope


def steps_of(hourly: Floats, noise: float) -> list[float]:
    """Sizes of the steps of the weekly means of a log, (hours,), as logarithms without sign.

    noise: variance of the logarithm of one week: what weeks differ by through it, two standard deviations, is no step.
    Source: docs/formulas/uncertainty.md.
    """
    logs, sizes, week = week_logs(weekly_means(hourly)), list[float](), 2
    up, down = (max(abs(log(1 + change)), 2 * sqrt(2 * noise)) for change in (LEAST_STEP, -LEAST_STEP))
    while week + 2 <= len(logs):
        before, then = logs[week - 2 : week], logs[week : week + 2]
        is_step = bool(then.min() - before.max() > up or before.min() - then.max() > down)
        sizes += [abs(float(then.mean() - before.mean()))] * is_step
        week += 1 + is_step
    return sizes
