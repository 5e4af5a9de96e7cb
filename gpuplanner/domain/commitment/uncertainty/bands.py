"""Bands that hold: draws of weeks, levels of demand and churn, widened by how far past bands missed."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import log, pi, sqrt
from statistics import NormalDist
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.demand.growth import fitted_growth, grown
from gpuplanner.domain.commitment.demand.slicing import hour_weights
from gpuplanner.domain.commitment.demand.volatility import Volatility, seen_volatility
from gpuplanner.domain.commitment.demand.weekly_means import steps_of
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.recursion.calendar import has_cycle_of_a_month
from gpuplanner.domain.commitment.uncertainty.use_costs import WHOLE_WEEKS
from gpuplanner.domain.model.amounts import HALF_A_CENT
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.cube import RANGE_WEEKS, WEEK_HOURS
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass, replace

RESAMPLES: Final = 500
SEED: Final = 0
DEGREES: Final = 5
"""Of Student's t: volatility that is read off a short log is itself uncertain."""
INSIDE: Final = 0.8
LEAST_FOLDS: Final = 4
MOST_FOLDS: Final = 26
WEEKS_AHEAD: Final = WHOLE_WEEKS + 1
NARROWEST: Final = 0.5
WIDEST: Final = 2.0


@dataclass(frozen=True, slots=True, eq=False)
class Draws:
    """500 futures: which weeks of the log come again, and how far the level of demand has moved.

    Shapes: weeks (draws, months, 5), places in the log's whole weeks, five a month; level (draws,), z of the level's
    distribution, which `levels` turns into a factor. Source: docs/formulas/uncertainty.md.
    """

    weeks: Ints
    level: Floats

    def levels(self, variance: float) -> Floats:
        """Factor of demand: exp(sqrt(v) z - v / 2), (draws,).

        variance: v of the logarithm. Law: the factor's mean is 1 over normal draws, as nearly as so many
        draws can say.
        """
        return np.asarray(np.exp(sqrt(variance) * self.level - variance / 2), dtype=np.float64)


def draws_of(week_weights: Floats, is_normal: bool, months: int = 1) -> Draws:
    """Weeks in proportion to their weight; the level Student's t, or normal where volatility was set by hand.

    Shapes: week_weights (weeks,), any scale. The seed is fixed: the same log has the same futures. Source: the
    distribution of Student's t with 5 degrees in closed form.
    """
    random = np.random.default_rng(SEED)
    size = (RESAMPLES, months, WEEKS_AHEAD)
    weeks = random.choice(len(week_weights), size=size, p=week_weights / week_weights.sum())
    return Draws(weeks, random.permutation(_evenly_likely(is_normal)))


@lru_cache(maxsize=2)
def _evenly_likely(is_normal: bool) -> Floats:
    """The middles of 500 equally likely parts of the distribution, (draws,), rising.

    Drawn at random, 500 values have their P10 and P90 off by 7% or more, and one seed has the same error in every band.
    """
    shares = (np.arange(RESAMPLES) + 0.5) / RESAMPLES
    if is_normal:
        return np.array([NormalDist().inv_cdf(share) for share in shares.tolist()])
    angle = np.linspace(-pi / 2, pi / 2, 20_001)
    below = 0.5 + (angle + np.sin(angle) * np.cos(angle) * (1 + 2 / 3 * np.cos(angle) ** 2)) / pi
    return np.asarray(sqrt(DEGREES) * np.tan(np.interp(shares, below, angle)), dtype=np.float64)


def moves_of(hourly: Floats, noise: float, fade: float, planned: Sequence[float]) -> list[Floats]:
    """Factors of demand beside its level in each month of a year, (draws, months), for each growth that is planned.

    hourly: demand of the log, (hours,); noise: as of `steps_of`. Growth is drawn evenly from the 80% range of the trend
    within what a planner may set, in place of the growth that is planned. Steps come as often as in the log.
    """
    random, trend, spec = np.random.default_rng(SEED + 2), fitted_growth(hourly), SPEC_BY_NAME["growth"]
    jumps = np.zeros((RESAMPLES, COMPARED_MONTHS))
    if sizes := steps_of(hourly, noise):
        a_month = len(sizes) * HOURS_PER_MONTH / len(hourly)
        draw, month = np.nonzero(many := random.poisson(a_month, jumps.shape))
        for place in zip(draw.tolist(), month.tolist(), strict=True):
            jumps[place] = random.choice(sizes, many[place]) @ random.choice((-1.0, 1.0), many[place])
    factors = np.exp(np.cumsum(jumps, axis=1))
    if trend is None:
        return [factors] * len(planned)
    low, high = np.clip((trend.low, trend.high), spec.low, spec.high).tolist()
    drawn = random.uniform(low, high, RESAMPLES)
    factors *= [grown(growth, fade, COMPARED_MONTHS) for growth in drawn.tolist()]
    return [factors / grown(growth, fade, COMPARED_MONTHS) for growth in planned]


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """A log as bands see it at some hour: weights of its whole weeks, and how uncertain the level is.

    Shapes: week_weights (weeks,), any scale. lag_months: months that the weighted mean of the log lags behind
    its end.
    """

    week_weights: Floats
    lag_months: float
    volatility: Volatility

    def variance(self, months: int) -> float:
        """v = sigma^2 (A + n / 3) + c x sum of squared weights of the weeks, n months ahead.

        Shapes: a number, of the logarithm of the level. Source:
        docs/formulas/uncertainty.md.
        """
        shares = self.week_weights / self.week_weights.sum()
        walk = self.volatility.sigma**2 * (self.lag_months + months / 3)
        return float(walk + self.volatility.noise * (shares @ shares))


def past_of(
    hourly: Floats,
    half_life_days: float | None,
    volatility: Volatility | None = None,
    missing: Bools | None = None,
    end_s: int = 0,
) -> Past:
    """Of a log's demand, (hours,), weighed as a row of the plan is; volatility None: what it shows. missing: hours that
    are in no week. end_s: of the log, epoch seconds; 0: it has no calendar.

    A, the months that its weighted mean lags behind, is the sum over hours of (weight of all older hours)^2 / 730.
    """
    all_hours, hourly = len(hourly), hourly if missing is None else hourly[~missing]
    months_to_s = end_s if has_cycle_of_a_month(hourly) else None
    weights = hour_weights(all_hours, half_life_days, missing, months_to_s)
    if missing is not None and weights is not None:
        weights = weights[~missing]
    hours = len(hourly)
    weights = np.full(hours, 1 / hours) if weights is None else weights
    weeks = hours // WEEK_HOURS
    older = np.cumsum(weights) - weights
    by_week = weights[hours - weeks * WEEK_HOURS :].reshape(weeks, WEEK_HOURS).sum(axis=1)
    return Past(by_week, float(older @ older) / HOURS_PER_MONTH, volatility or seen_volatility(hourly))


@dataclass(frozen=True, slots=True, kw_only=True)
class Band:
    """P10, P50 and P90 of $, each above 0, or all alike; least, most: how far past misses may widen it."""

    low: float
    middle: float
    high: float
    least: float = 0.0
    most: float = float("inf")

    def holds(self, usd: float) -> bool:
        """Whether it came as the band says; to the cent.

        A half cent beside its ends still counts as inside.

        >>> band = Band(low=1.0, middle=2.0, high=3.0)
        >>> band.holds(3.004), band.holds(3.1)
        (True, False)
        """
        return self.low - HALF_A_CENT <= usd <= self.high + HALF_A_CENT

    def wider(self, factor: float) -> "Band":
        """With both sides so many times as wide, in logarithms, but not widened beyond `least` and `most`.

        So it never ends below what is signed, and where a log fell or jumped it is not stretched past all it showed.
        """
        if self.low <= 0:
            return self
        low = self.middle * (self.low / self.middle) ** factor
        high = self.middle * (self.high / self.middle) ** factor
        return replace(
            self, low=max(low, min(self.low, self.least)), high=min(high, max(self.high, self.most))
        )

    def miss(self, usd: float) -> float:
        """How far off it was, in half-widths of its side.

        In logarithms: 1 at the end of the band, 0 at its middle and where nothing was to be paid; inf where
        that side has no width.
        """
        if usd <= 0 or self.low <= 0 or abs(usd - self.middle) < HALF_A_CENT:
            return 0.0
        side = log(self.high / self.middle) if usd > self.middle else log(self.middle / self.low)
        return abs(log(usd / self.middle)) / side if side > 1e-12 else float("inf")


Cost = Callable[[Floats, Ints], Floats]
"""$ at levels (n,) of weeks (n, 5), commitments held: (n,)."""


def band_of(usd: Floats, levels: Floats, weeks: int, cost: Cost) -> Band:
    """Of drawn costs at drawn levels, both (draws,); weeks: how many the log has.

    It may be widened to what the cheapest and the most expensive of them cost at the levels of P10 and P90.
    """
    alone = np.repeat(np.arange(weeks)[:, None], WEEKS_AHEAD, axis=1)
    low, high = np.percentile(levels, (10, 90)).tolist()
    least, most = cost(np.full(weeks, low), alone).min(), cost(np.full(weeks, high), alone).max()
    p10, p50, p90 = np.percentile(usd, (10, 50, 90)).tolist()
    return Band(low=p10, middle=p50, high=p90, least=float(least), most=float(most))


@dataclass(frozen=True, slots=True)
class Measured:
    """How past bands did: the factor by which a band is to be as wide, and how many of how many months fell inside."""

    factor: float
    inside: int
    folds: int

    @property
    def coverage(self) -> float | None:
        """The share that fell inside; None where too few months could be tested.

        A ratio, 0..1; a band that holds has about 0.8.
        """
        return self.inside / self.folds if self.folds >= LEAST_FOLDS else None


def measured_on(
    hourly: Floats,
    half_life_days: float | None,
    set_by_hand: Volatility | None,
    cost: Cost,
    missing: Bools | None = None,
    end_s: int = 0,
) -> Measured:
    """Bands of every week of a log that has a month behind it, from the rows before it alone, against what came.

    hourly: demand, (hours,); cost: $ a month; missing, end_s: as of `past_of`. The score of a month is its miss over
    the half-width of its side; a band is as wide as the 80% quantile of the scores known.
    Source: split conformal prediction (Vovk 2005); coverage is that of the bands as they would have been said then.
    """
    known = np.arange(len(hourly)) if missing is None else np.flatnonzero(~missing)
    weeks = len(known) // WEEK_HOURS
    origins = range(max(RANGE_WEEKS, weeks - WEEKS_AHEAD + 1 - MOST_FOLDS), weeks - WEEKS_AHEAD + 1)
    bands: list[tuple[int, Band, float]] = []
    for origin in origins:
        end = int(known[len(known) - (weeks - origin) * WEEK_HOURS - 1]) + 1
        so_far = None if missing is None else missing[:end]
        ends_s = end_s - HOUR_S * (len(hourly) - end)
        past = past_of(hourly[:end], half_life_days, set_by_hand, so_far, ends_s)
        drawn = draws_of(past.week_weights, past.volatility.is_set)
        levels = drawn.levels(past.variance(1))
        band = band_of(cost(levels, drawn.weeks[:, 0]), levels, origin, cost)
        ahead = np.arange(origin, origin + WEEKS_AHEAD)[None]
        bands.append((origin, band, float(cost(np.ones(1), ahead)[0])))
    inside = 0
    for origin, band, came in bands:
        scores = [earlier.miss(usd) for start, earlier, usd in bands if start + WEEKS_AHEAD <= origin]
        inside += band.wider(factor_of(scores)).holds(came)
    return Measured(factor_of([band.miss(came) for _, band, came in bands]), inside, len(bands))


def factor_of(scores: Sequence[float]) -> float:
    """The split conformal quantile of scores, within a half and two; 1 where there are too few.

    scores: misses in half-widths. The quantile lies between two of them where 0.8 of their number and one more does: of
    seven the next higher one, which is the largest, would hold 7 months of 8. Source: split conformal prediction (Vovk
    2005), plotting positions (Weibull 1939).

    >>> factor_of([0.1, 0.2]), round(factor_of([0.9, 1.1, 1.2, 5.0, 0.8]), 2)
    (1.0, 1.84)
    """
    if len(scores) < LEAST_FOLDS:
        return 1.0
    known = np.minimum(scores, WIDEST)  # a side without width is missed by infinitely much
    return float(np.clip(np.quantile(known, INSIDE, method="weibull"), NARROWEST, WIDEST))
