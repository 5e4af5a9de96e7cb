"""Bands that hold: what use costs in weeks like those of the log, drawn with levels and churn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from math import log, sqrt
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.busy import Month, MonthState, months_of
from gpuplanner.domain.commitment.cache import Scratch
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_plans import PlannedRow
from gpuplanner.domain.commitment.result import Volatility
from gpuplanner.domain.commitment.slicing import hour_weights
from gpuplanner.domain.commitment.streams import leftover, prepared
from gpuplanner.domain.commitment.volatility import seen_volatility
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import HALF_A_CENT
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.cube import RANGE_WEEKS, WEEK_HOURS
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH

# --- What use costs a month if it were like a week of the log, at each level of demand: what bands are drawn from

WHOLE_WEEKS: Final = 4
PART_HOURS: Final = HOURS_PER_MONTH - WHOLE_WEEKS * WEEK_HOURS
"""A month is four weeks and the first 58 hours of a fifth."""


@dataclass(frozen=True, slots=True, eq=False)
class UseCost:
    """$ a month by use of some slices of a row. levels: factors of demand, rising, (levels,).

    whole, part: of each of the log's last whole weeks, if all hours were like its hours, or like its first 58; shape
    (levels, weeks). most: $ a month that it never comes to more than.
    """

    levels: Floats
    whole: Floats
    part: Floats
    most: float = float("inf")

    def at(self, level: Floats, weeks: np.ndarray) -> Floats:
        """$ of months of drawn weeks, (draws,), linear between levels. Shapes: level (draws,), weeks (draws, 5).

        Levels beyond the known ones count as the outermost. A month is four drawn weeks and a part of a
        fifth, in $ a month.
        """
        place = np.clip(np.searchsorted(self.levels, level, side="right") - 1, 0, len(self.levels) - 2)
        low, high = self.levels[place], self.levels[place + 1]
        above = np.clip((level - low) / (high - low), 0.0, 1.0)
        answer = (1 - above) * self._month(place, weeks) + above * self._month(place + 1, weeks)
        return np.asarray(np.minimum(answer, self.most), dtype=np.float64)

    def _month(self, place: np.ndarray, weeks: np.ndarray) -> Floats:
        """$ of drawn weeks at the level of each draw's place; place (draws,), weeks (draws, 5)."""
        whole = self.whole[place[:, None], weeks[:, :WHOLE_WEEKS]].sum(axis=1) * WEEK_HOURS
        last = self.part[place, weeks[:, WHOLE_WEEKS]] * PART_HOURS
        return np.asarray((whole + last) / HOURS_PER_MONTH, dtype=np.float64)


def _open_share(one: PlannedRow, month: int) -> Floats:
    """The share of each part of a month in which a slice is paid by use, (parts, slices)."""
    listed, parts = one.listed, one.listed.parts_of(month)
    hours = np.diff(listed.edges_s)[parts][:, None] / HOUR_S
    denied = np.zeros(listed.held_h.shape) if one.denied_h is None else one.denied_h[: len(listed.held_h)]
    return np.asarray(np.clip(1 - (listed.held_h[parts] + denied[parts]) / hours, 0.0, 1.0))


def _most(one: PlannedRow, rate: float) -> float:
    """$ a month that use comes to at most, at $ per GPU-hour: of a row whose fall is seen its log's peak around the
    clock, of any other nothing limits it."""
    if one.fall is None or not rate:
        return float("inf")
    return HOURS_PER_MONTH * float(one.demand_gpus.max()) * rate


class UseCosts:
    """Works them out for the rows of a plan; what leaves demand over alike is worked out once.

    Source: docs/formulas.md, Uncertainty and cost of separation.
    """

    def __init__(self, ground: Ground, rows: Sequence[PlannedRow], levels: Floats, months: int) -> None:
        """levels: factors of demand, rising, (levels,). months: how many of the plan are asked about."""
        self._ground, self._levels = ground, levels
        self._hours = ground.window.hours
        self._weeks = len(ground.known(np.zeros(self._hours))) // WEEK_HOURS
        self._model = {model.gpu_model: model for model in ground.plan.models}
        self._months = {
            model.gpu_model: months_of(model, ground.plan.contracts, ground.window, ground.outlined, months)
            for model in ground.plan.models
        }
        self._left: dict[tuple[str | None, MonthState], Floats] = {}
        self._known: dict[tuple[object, ...], UseCost] = {}
        self.rows = rows

    def by_use(self, one: PlannedRow, month: int) -> UseCost:
        """Of all that a row pays by use in a month with its commitments held, at that month's prices but their fall.

        one: a row of the plan. What is above its slices is paid at its r_flex.
        """
        return self._known_cost(one, month, _open_share(one, month), one.row.flex.rate or 0.0)

    def of_layers(self, one: PlannedRow) -> UseCost:
        """Of what the row's layers of month 0 leave to be paid by use.

        At the price of use of month 0, which dated changes may have moved.
        """
        price = one.row.market.use_prices[0]
        return self._known_cost(one, 0, _open_share(one, 0) * price, (one.row.flex.rate or 0.0) * price)

    def of_slices(self, one: PlannedRow, month: int, share: Floats) -> UseCost:
        """Of a share of each slice, (slices,), and of nothing above them.

        share: 0..1. What is not a slice of the row costs nothing here.
        """
        parts = one.listed.parts_of(month)
        return self._known_cost(one, month, np.repeat(share[None], parts.stop - parts.start, axis=0), 0.0)

    def _known_cost(self, one: PlannedRow, month: int, share: Floats, above_rate: float) -> UseCost:
        """share: of each slice that is paid by use in each part of the month, (parts, slices); above_rate: $ per
        GPU-hour of demand beyond the slices.
        """
        row = one.row
        if not row.slices:  # it is there for runs alone, which have one future
            return UseCost(self._levels, *np.zeros((2, len(self._levels), self._weeks)))
        if row.use is None:
            rates = np.full(row.slices, row.flex.rate or 0.0)
        else:
            rates, above_rate = np.nan_to_num(row.use.rate[month]), 0.0
        here = self._months[gpu_model_of(row.gpu_model)][month]
        key = (row.pool, row.gpu_model, here, (share * rates).tobytes(), above_rate)
        if key not in self._known:
            self._known[key] = self._cost(one, here, share * rates, above_rate)
        return self._known[key]

    def _cost(self, one: PlannedRow, month: Month, rates: Floats, above_rate: float) -> UseCost:
        """rates: $ per GPU-hour of each slice in each part, (parts, slices). A month is the sum of its parts."""
        edges = one.row.slicing.edges
        whole, part = (np.zeros((len(self._levels), self._weeks)) for _ in range(2))
        for (share, state), of_part in zip(month, rates, strict=True):
            usd = np.concatenate(([0.0], np.cumsum(one.row.slicing.widths * of_part)))
            left = self._ground.known(self._left_over(one, state))
            hourly = np.interp(left, edges, usd) + above_rate * np.maximum(left - edges[-1], 0.0)
            weekly = hourly[:, -self._weeks * WEEK_HOURS :].reshape(len(left), self._weeks, WEEK_HOURS)
            whole += share * HOURS_PER_MONTH * weekly.mean(axis=2)
            part += share * HOURS_PER_MONTH * weekly[:, :, :PART_HOURS].mean(axis=2)
        return UseCost(self._levels, whole, part, _most(one, above_rate))

    def _left_over(self, one: PlannedRow, state: MonthState) -> Floats:
        """GPUs that existing contracts leave over of a row, (levels, hours)."""
        model = self._model[gpu_model_of(one.row.gpu_model)]
        key = (model.gpu_model, state)
        if key not in self._left:
            ready = prepared(model, state.capacities, self._hours, float(MILLI_GPU_SECONDS_PER_GPU_HOUR))
            factors = {flow: factor * self._levels for flow, factor in state.factors}
            self._left[key] = leftover(ready, factors, Scratch()).copy()
        left: Floats = self._left[key][model.rows.index((one.row.pool, one.row.gpu_model))]
        return left


# --- Bands that hold: draws of weeks, of the level of demand and of churn, widened by how often past bands missed

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
    distribution, which `levels` turns into a factor. Source: docs/formulas.md, Uncertainty and cost of separation.
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

    Shapes: week_weights (weeks,), any scale. The seed is fixed: the same log has the same futures.
    """
    random = np.random.default_rng(SEED)
    size = (RESAMPLES, months, WEEKS_AHEAD)
    weeks = random.choice(len(week_weights), size=size, p=week_weights / week_weights.sum())
    z = random.standard_normal(RESAMPLES) if is_normal else random.standard_t(DEGREES, RESAMPLES)
    return Draws(weeks, z)


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
        docs/formulas.md, Uncertainty and cost of separation.
        """
        shares = self.week_weights / self.week_weights.sum()
        walk = self.volatility.sigma**2 * (self.lag_months + months / 3)
        return float(walk + self.volatility.noise * (shares @ shares))


def past_of(
    hourly: Floats,
    half_life_days: float | None,
    volatility: Volatility | None = None,
    missing: Bools | None = None,
) -> Past:
    """Of a log's demand, (hours,); volatility None: what it shows. missing: hours that are in no week.

    A, the months that its weighted mean lags behind, is the sum over hours of (weight of all older hours)^2 / 730.
    """
    weights = hour_weights(len(hourly), half_life_days, missing)
    if missing is not None and weights is not None:
        hourly, weights = hourly[~missing], weights[~missing]
    hours = len(hourly)
    weights = np.full(hours, 1 / hours) if weights is None else weights
    weeks = hours // WEEK_HOURS
    older = np.cumsum(weights) - weights
    by_week = weights[hours - weeks * WEEK_HOURS :].reshape(weeks, WEEK_HOURS).sum(axis=1)
    return Past(by_week, float(older @ older) / HOURS_PER_MONTH, volatility or seen_volatility(hourly))


@dataclass(frozen=True, slots=True)
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

        >>> Band(1.0, 2.0, 3.0).holds(3.004), Band(1.0, 2.0, 3.0).holds(3.1)
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
    return Band(p10, p50, p90, float(least), float(most))


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
) -> Measured:
    """Bands of every week of a log that has a month behind it, from the rows before it alone, against what came.

    hourly: demand, (hours,); cost: $ a month; missing: hours that are in no week. The score of
    a month is its miss over the half-width of its side; a band
    is as wide as the 80% quantile of the scores known.
    Source: split conformal prediction (Vovk 2005); coverage is that of the bands as they would have been said then.
    """
    known = np.arange(len(hourly)) if missing is None else np.flatnonzero(~missing)
    weeks = len(known) // WEEK_HOURS
    origins = range(max(RANGE_WEEKS, weeks - WEEKS_AHEAD + 1 - MOST_FOLDS), weeks - WEEKS_AHEAD + 1)
    bands: list[tuple[int, Band, float]] = []
    for origin in origins:
        end = int(known[len(known) - (weeks - origin) * WEEK_HOURS - 1]) + 1
        so_far = None if missing is None else missing[:end]
        past = past_of(hourly[:end], half_life_days, set_by_hand, so_far)
        drawn = draws_of(past.week_weights, past.volatility.is_set)
        levels = drawn.levels(past.variance(1))
        band = band_of(cost(levels, drawn.weeks[:, 0]), levels, origin, cost)
        ahead = np.arange(origin, origin + WEEKS_AHEAD)[None]
        bands.append((origin, band, float(cost(np.ones(1), ahead)[0])))
    inside = 0
    for origin, band, came in bands:
        scores = [one.miss(usd) for at, one, usd in bands if at + WEEKS_AHEAD <= origin]
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
