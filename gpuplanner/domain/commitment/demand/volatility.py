"""Volatility of demand: what a log shows, what is in force, and where it comes from."""

from math import sqrt
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.demand.growth import Fitted, fitted_growth
from gpuplanner.domain.commitment.demand.weekly_means import (
    fit_rising_line,
    squared_changes,
    week_logs,
    weekly_means,
)
from gpuplanner.domain.figures.typed import percent, whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass, field, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Volatility:
    """sigma: volatility a month, a ratio; noise: variance of the log of a week's mean around its level.

    changes: week-to-week changes that it was seen in, 0 where the log is too short and sigma is the prior's.
    is_set: whether the planner set sigma; the noise is the log's all the same. trend: growth a month, of the log.
    """

    sigma: float
    noise: float
    changes: int
    is_set: bool = False
    trend: Fitted | None = field(default=None, compare=False)


NO_VOLATILITY = Volatility(sigma=0.0, noise=0.0, changes=0)

PRIOR_SIGMA: Final = 0.10
"""Volatility a month where the log shows none, and what a short log is drawn towards."""
PRIOR_WEEKS: Final = 3
ROUNDED_WEEKS_PER_MONTH: Final = 4.35
LOWEST: Final = 0.03
HIGHEST: Final = 0.40


def seen_volatility(hourly: Floats) -> Volatility:
    """Walk and noise of the weekly means of a log. Shapes: hourly (hours,), any unit; the last whole weeks count.

    m_L, the mean squared change of the logs over L weeks, is fitted by 2 noise + q L over L = 1..4, weighted by pairs,
    both at least 0; sigma^2 = (w 4.35 q + 3 x 0.1^2) / (w + 3), within 3% and 40%. Under 3 weeks: 10%, no noise.
    Source: docs/formulas/demand.md, Volatility; variogram of a random walk seen with noise, shrunk towards the prior.
    """
    weekly = weekly_means(hourly)
    changes = len(weekly) - 1
    if changes < 2 or not weekly.any():
        return Volatility(sigma=PRIOR_SIGMA, noise=0.0, changes=0)
    squares = squared_changes(week_logs(weekly))
    lags = np.arange(1.0, len(squares) + 1)
    height, slope = fit_rising_line(lags, squares, changes + 1 - lags)
    variance = (changes * ROUNDED_WEEKS_PER_MONTH * slope + PRIOR_WEEKS * PRIOR_SIGMA**2) / (
        changes + PRIOR_WEEKS
    )
    sigma = min(max(sqrt(variance), LOWEST), HIGHEST)
    return Volatility(sigma=sigma, noise=height / 2, changes=changes, trend=fitted_growth(hourly))


def in_force(assumptions: Assumptions, pool: Pool | None, seen: Volatility) -> Volatility:
    """The volatility that demand of a pool (None: of no one pool) is planned with; the noise is always the log's.

    Sigma is a ratio a month. The answer keeps what the log shows beside a sigma that the planner set.
    Source: docs/formulas/demand.md, Volatility.
    """
    own = assumptions.sigma_of(pool)
    return seen if own is None else replace(seen, sigma=own, is_set=True)


def source_of(volatility: Volatility) -> str:
    """Where it comes from, as one word: set, log or default.

    log: at least two changes from week to week were seen; default: fewer weeks.
    """
    if volatility.is_set:
        return "set"
    return "log" if volatility.changes else "default"


def source_words(volatility: Volatility) -> Message:
    """Where it comes from: "read off 13 weeks of the log, trend 4.1% per month".

    Weeks are one more than the changes between them.
    """
    if volatility.is_set:
        return worded("set by the planner")
    weeks = whole(volatility.changes + 1)
    if volatility.trend:
        growth = percent(volatility.trend.value, 1)
        return worded("from {weeks} log weeks, trend {growth} per month", weeks=weeks, growth=growth)
    if volatility.changes:
        return worded("from {weeks} log weeks", weeks=weeks)
    return worded("default: log shorter than three weeks")
