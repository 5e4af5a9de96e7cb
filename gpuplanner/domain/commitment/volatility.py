"""Growth, trend and volatility of demand: what a log shows, what is in force, and the levels it walks."""

from functools import lru_cache
from math import exp, log, sqrt
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.figures.typed import percent, whole
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.cube import TREND_HOURS, WEEK_HOURS
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass, field, replace

# --- Growth of demand: how many times today's it is in each month, a growth that fades month by month


def grown(growth: float, fade: float, months: int) -> Floats:
    """G_t = product over i = 1..t of (1 + g fade^(i-1)) for t = 0..months-1; shape (months,).

    growth: g a month, a ratio; fade 1: the same growth for ever.
    Source: docs/formulas/demand.md, Growth.
    """
    steps = 1 + growth * fade ** np.arange(max(months - 1, 0))
    return np.concatenate(([1.0], np.cumprod(steps)))[:months]


# --- The level of demand: a random walk on a grid of levels whose expected value stays what it is today

EDGE: Final = 10
"""The grid runs from -EDGE to EDGE; 0 is today's level."""


def level_step(sigma: float) -> float:
    """Distance s between two levels of the grid, as a logarithm, for a volatility of sigma a month.

    Source: the step of a trinomial lattice, sqrt(3) standard deviations; docs/formulas/demand.md, Levels of demand.

    >>> round(level_step(0.1), 6)
    0.173205
    """
    return sigma * sqrt(3)


def level_factors(sigma: float) -> Floats:
    """f_j = exp(j s) for j = -10..10, shape (21,); the one level 1 without volatility, shape (1,).

    Ratios to today's demand, ascending; the middle one is exactly 1.

    >>> level_factors(0.0).tolist(), level_factors(0.2)[EDGE].item(), len(level_factors(0.2))
    ([1.0], 1.0, 21)
    """
    if sigma == 0:
        return np.ones(1)
    return np.asarray(np.exp(np.arange(-EDGE, EDGE + 1) * level_step(sigma)), dtype=np.float64)


def transition(sigma: float) -> Floats:
    """Chance of going from level i (row) to level j (column) in one month; shape (levels, levels).

    Law: rows add up to 1, and the expected factor is kept from every level but the two at the edge.
    Source: a trinomial lattice matched to mean and variance; the outward step at an edge stays.
    """
    levels = len(level_factors(sigma))
    if levels == 1:
        return np.ones((1, 1))
    up = 1 / (3 * (1 + exp(level_step(sigma))))
    down = exp(level_step(sigma)) * up
    chances = np.zeros((levels, levels))
    inner = np.arange(levels)
    chances[inner, np.minimum(inner + 1, levels - 1)] += up
    chances[inner, np.maximum(inner - 1, 0)] += down
    chances[inner, inner] += 1 - up - down
    return chances


def after_months(sigma: float, months: int) -> Floats:
    """Chances over several months: E_T is this matrix times a column of values by level.

    Shapes: (levels, levels); row i: the chances of every level `months` after level i, adding up to 1. sigma:
    volatility a month, a ratio; at 0 there is one level. Source: docs/formulas/demand.md, Levels of demand.
    """
    return np.asarray(np.linalg.matrix_power(transition(sigma), months), dtype=np.float64)


# --- Trend that a log shows, with its range: a suggestion, never applied by itself ---------------

WEEKS_PER_MONTH: Final = HOURS_PER_MONTH / WEEK_HOURS
NORMAL_90: Final = 1.2815515655446004


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


def weekly_means(hourly: Floats) -> Floats:
    """Means of the last whole weeks, oldest first; shape (weeks,), in the unit of `hourly`, which is (hours,).

    Weeks are of 168 hours and end with the window; what is older than a whole week is left out.
    """
    weeks = len(hourly) // WEEK_HOURS
    last = hourly[len(hourly) - weeks * WEEK_HOURS :]
    return np.asarray(last.reshape(weeks, WEEK_HOURS).mean(axis=1), dtype=np.float64)


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
    slope = float(around.at @ logs)
    changes = _squared_changes(around.rest @ logs)
    shape, pairs = around.walk / around.noise, np.arange(len(weekly) - 1, 0, -1)[: len(changes)]
    noise, step = fit_rising_line(shape, changes / around.noise, pairs * around.noise**2)
    error = sqrt(noise * float(around.at @ around.at) + step * around.walk_slope) * compute_student_90(
        len(weekly) - 2
    )
    return Fitted(*(exp(WEEKS_PER_MONTH * rate) - 1 for rate in (slope, slope - error, slope + error)))


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AroundLine:
    """What a fitted line leaves of weeks. Shapes: at (weeks,) times the weeks is the slope, rest (weeks, weeks) times
    them what is around the line. noise, walk: mean squared changes around it over 1 to 4 weeks, (lags,), of noise of
    variance 1 and of a walk in steps of variance 1, whose slope has the variance walk_slope."""

    at: Floats
    rest: Floats
    noise: Floats
    walk: Floats
    walk_slope: float


@lru_cache(maxsize=64)
def measure_around_line(weeks: int) -> AroundLine:
    numbers = np.arange(weeks, dtype=np.float64)
    at = (numbers - numbers.mean()) / float((numbers - numbers.mean()) @ (numbers - numbers.mean()))
    rest = np.eye(weeks) - 1 / weeks - np.outer(numbers - numbers.mean(), at)
    walk = np.minimum.outer(numbers, numbers)
    # the sum over a basis of what each of its parts alone comes to
    noise, of_walk = (
        sum(map(_squared_changes, of.T), np.zeros(min(LONGEST_LAG_WEEKS, weeks - 1)))
        for of in (rest, rest @ np.tri(weeks, k=-1))
    )
    return AroundLine(at=at, rest=rest, noise=noise, walk=of_walk, walk_slope=float(at @ walk @ at))


def _squared_changes(logs: Floats) -> Floats:
    """m_L: mean squared changes over L = 1..4 weeks, (lags,); logs (weeks,), two at least."""
    lags = range(1, min(LONGEST_LAG_WEEKS, len(logs) - 1) + 1)
    return np.array([float(np.mean((logs[lag:] - logs[:-lag]) ** 2)) for lag in lags])


def compute_student_90(freedom: int) -> float:
    """The 90% quantile of Student's t, by the expansion of Cornish and Fisher around the normal one."""
    z = NORMAL_90
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3


# --- Volatility that a log shows: how far demand walks from month to month, apart from the noise of single weeks


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
LONGEST_LAG_WEEKS: Final = 4
LEAST_OF_MEAN: Final = 0.05
"""A week with less than this share of the mean week counts as this share: the log of an idle week says nothing."""


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
    squares = _squared_changes(_week_logs(weekly))
    lags = np.arange(1.0, len(squares) + 1)
    height, slope = fit_rising_line(lags, squares, changes + 1 - lags)
    variance = (changes * ROUNDED_WEEKS_PER_MONTH * slope + PRIOR_WEEKS * PRIOR_SIGMA**2) / (
        changes + PRIOR_WEEKS
    )
    sigma = min(max(sqrt(variance), LOWEST), HIGHEST)
    return Volatility(sigma=sigma, noise=height / 2, changes=changes, trend=fitted_growth(hourly))


def _week_logs(weekly: Floats) -> Floats:
    least = max(LEAST_OF_MEAN * float(weekly.mean()), 1e-300)  # without any demand all weeks are alike
    return np.asarray(np.log(np.maximum(weekly, least)), dtype=np.float64)


def fit_rising_line(at: Floats, values: Floats, weights: Floats) -> tuple[float, float]:
    """Height and slope, both at least 0, of the line with the least weighted squared distance to some values."""
    middle, mean = float(weights @ at / weights.sum()), float(weights @ values / weights.sum())
    slope = float(weights @ ((at - middle) * (values - mean)) / (weights @ (at - middle) ** 2))
    height = mean - slope * middle
    if slope < 0:
        return mean, 0.0
    if height < 0:
        return 0.0, float(weights @ (at * values) / (weights @ at**2))
    return height, slope


LEAST_STEP: Final = 0.25
"""A step is a change of the weekly mean by more than this, from each of two weeks to each of the next two."""


def steps_of(hourly: Floats, noise: float) -> list[float]:
    """Sizes of the steps of the weekly means of a log, (hours,), as logarithms without sign.

    noise: variance of the logarithm of one week: what weeks differ by through it, two standard deviations, is no step.
    Source: docs/formulas/uncertainty.md.
    """
    logs, sizes, week = _week_logs(weekly_means(hourly)), list[float](), 2
    up, down = (max(abs(log(1 + change)), 2 * sqrt(2 * noise)) for change in (LEAST_STEP, -LEAST_STEP))
    while week + 2 <= len(logs):
        before, then = logs[week - 2 : week], logs[week : week + 2]
        is_step = bool(then.min() - before.max() > up or before.min() - then.max() > down)
        sizes += [abs(float(then.mean() - before.mean()))] * is_step
        week += 1 + is_step
    return sizes


# --- Volatility in force: what the planner set, else what the log shows; and where it comes from, in words


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
