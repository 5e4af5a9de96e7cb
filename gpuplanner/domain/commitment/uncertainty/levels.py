"""Bands that hold, drawn from weeks of the log; other levels for one pool and model, their cost and screening."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from math import gcd, inf, log, pi, sqrt
from operator import attrgetter
from statistics import NormalDist
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.busy import Month, MonthState, months_of
from gpuplanner.domain.commitment.cache import AdviceCache, Scratch
from gpuplanner.domain.commitment.demand.growth import fitted_growth, grown
from gpuplanner.domain.commitment.demand.model_demand import leftover, prepared
from gpuplanner.domain.commitment.demand.slicing import Slicing, busy_shares, hour_weights
from gpuplanner.domain.commitment.demand.volatility import Volatility, seen_volatility
from gpuplanner.domain.commitment.demand.weekly_means import steps_of
from gpuplanner.domain.commitment.outlook_result import CostOfLevels, LevelCost, LevelValues
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.layers import committed_layer, held_terms, of_offer
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import PolicyPiece, RowToPlan, policy_pieces
from gpuplanner.domain.commitment.recursion.calendar import has_cycle_of_a_month
from gpuplanner.domain.commitment.recursion.rates import SHORT_WINDOW_TERM_MONTHS
from gpuplanner.domain.commitment.recursion.slice_policy import paid_months, policy_after_usd
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.layer import TERM
from gpuplanner.domain.model.amounts import HALF_A_CENT, known_sum
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ROUNDING, gpu_model_of
from gpuplanner.domain.model.cube import RANGE_WEEKS, SHORT_WINDOW_HOURS, WEEK_HOURS
from gpuplanner.domain.model.plan_inputs import HandLayer
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What use costs a month if it were like a week of the log, at each level of demand: what bands are drawn from

WHOLE_WEEKS: Final = 4
SHARE_OF_THE_FIFTH: Final = HOURS_PER_MONTH / WEEK_HOURS - WHOLE_WEEKS
"""A month is four weeks and 58 hours' share of a whole fifth: its first hours would hold what the hour of the export
puts there."""


@dataclass(frozen=True, slots=True, eq=False)
class UseCost:
    """$ a month by use of some slices of a row. levels: factors of demand, rising, (levels,).

    weekly: of each of the log's last whole weeks, if all hours were like its hours, (levels, weeks). most: $ a month
    that it never comes to more than.
    """

    levels: Floats
    weekly: Floats
    most: float = float("inf")

    def at(self, level: Floats, weeks: np.ndarray) -> Floats:
        """$ of months of drawn weeks, (draws,), linear between levels. Shapes: level (draws,), weeks (draws, 5).

        Levels beyond the known ones count as the outermost. A month is four drawn weeks and a share of a
        fifth, in $ a month.
        """
        place = np.clip(np.searchsorted(self.levels, level, side="right") - 1, 0, len(self.levels) - 2)
        low, high = self.levels[place], self.levels[place + 1]
        above = np.clip((level - low) / (high - low), 0.0, 1.0)
        answer = (1 - above) * self._month(place, weeks) + above * self._month(place + 1, weeks)
        return np.asarray(np.minimum(answer, self.most), dtype=np.float64)

    def _month(self, place: np.ndarray, weeks: np.ndarray) -> Floats:
        """$ of drawn weeks at the level of each draw's place; place (draws,), weeks (draws, 5)."""
        usd = self.weekly[place[:, None], weeks]
        whole = usd[:, :WHOLE_WEEKS].sum(axis=1) + SHARE_OF_THE_FIFTH * usd[:, WHOLE_WEEKS]
        return np.asarray(whole * WEEK_HOURS / HOURS_PER_MONTH, dtype=np.float64)


def compute_open_share(row: PlannedRow, month: int) -> Floats:
    """The share of each part of a month in which a slice is paid by use, (parts, slices)."""
    listed, parts = row.listed, row.listed.parts_of(month)
    hours = np.diff(listed.edges_s)[parts][:, None] / HOUR_S
    denied = np.zeros(listed.held_h.shape) if row.denied_h is None else row.denied_h[: len(listed.held_h)]
    is_held = row.row.held[parts] if row.row.held is not None else False
    return np.asarray(np.clip(1 - (listed.held_h[parts] + denied[parts]) / hours - is_held, 0.0, 1.0))


def compute_most_usd(row: PlannedRow, rate: float) -> float:
    """$ a month that use comes to at most, at $ per GPU-hour: of a row whose fall is seen its log's peak around the
    clock, of any other nothing limits it."""
    if row.fall is None or not rate:
        return float("inf")
    return HOURS_PER_MONTH * float(row.demand_gpus.max()) * rate


class UseCosts:
    """Works them out for the rows of a plan; what leaves demand over alike is worked out once.

    Source: docs/formulas/uncertainty.md.
    """

    def __init__(self, ground: Ground, rows: Sequence[PlannedRow], levels: Floats, months: int) -> None:
        """levels: factors of demand, rising, (levels,). months: how many of the plan are asked about."""
        self._ground, self._levels = ground, levels
        self._hours = ground.window.hours
        self._weeks = len(ground.known(np.zeros(self._hours))) // WEEK_HOURS
        self._model = {model.gpu_model: model for model in ground.plan.models}
        self._months = {
            model.gpu_model: months_of(model, ground.below_slices, ground.window, ground.outlined, months)
            for model in ground.plan.models
        }
        self._left: dict[tuple[str | None, MonthState], Floats] = {}
        self._known: dict[tuple[object, ...], UseCost] = {}
        self.rows = rows

    def by_use(self, row: PlannedRow, month: int) -> UseCost:
        """Of all that a row pays by use in a month with its commitments held, at that month's prices but their fall.

        row: of the plan. What is above its slices is paid at its r_flex.
        """
        return self._known_cost(row, month, compute_open_share(row, month), row.row.flex.rate or 0.0)

    def of_layers(self, row: PlannedRow) -> UseCost:
        """Of what the row's layers of month 0 leave to be paid by use.

        At the price of use of month 0, which dated changes may have moved.
        """
        price = row.row.market.use_prices[0]
        return self._known_cost(
            row, 0, compute_open_share(row, 0) * price, (row.row.flex.rate or 0.0) * price
        )

    def of_slices(self, row: PlannedRow, month: int, share: Floats) -> UseCost:
        """Of a share of each slice, (slices,), and of nothing above them.

        share: 0..1. What is not a slice of the row costs nothing here.
        """
        parts = row.listed.parts_of(month)
        return self._known_cost(row, month, np.repeat(share[None], parts.stop - parts.start, axis=0), 0.0)

    def _known_cost(self, planned: PlannedRow, month: int, share: Floats, above_rate: float) -> UseCost:
        """share: of each slice that is paid by use in each part of the month, (parts, slices); above_rate: $ per
        GPU-hour of demand beyond the slices.
        """
        row = planned.row
        if not row.slices:  # it is there for runs alone, which have one future
            return UseCost(self._levels, np.zeros((len(self._levels), self._weeks)))
        if row.use is None:
            rates = np.full(row.slices, row.flex.rate or 0.0)
        else:
            rates, above_rate = np.nan_to_num(row.use.rate[month]), 0.0
        here = self._months[gpu_model_of(row.gpu_model)][month]
        key = (row.pool, row.gpu_model, here, (share * rates).tobytes(), above_rate)
        if key not in self._known:
            self._known[key] = self._cost(planned, here, share * rates, above_rate)
        return self._known[key]

    def _cost(self, row: PlannedRow, month: Month, rates: Floats, above_rate: float) -> UseCost:
        """rates: $ per GPU-hour of each slice in each part, (parts, slices). A month is the sum of its parts."""
        edges = row.row.slicing.edges
        answer = np.zeros((len(self._levels), self._weeks))
        for (share, state), of_part in zip(month, rates, strict=True):
            usd = np.concatenate(([0.0], np.cumsum(row.row.slicing.widths * of_part)))
            left = self._ground.known(self._left_over(row, state))
            hourly = np.interp(left, edges, usd) + above_rate * np.maximum(left - edges[-1], 0.0)
            weekly = hourly[:, -self._weeks * WEEK_HOURS :].reshape(len(left), self._weeks, WEEK_HOURS)
            answer += share * HOURS_PER_MONTH * weekly.mean(axis=2)
        return UseCost(self._levels, answer, compute_most_usd(row, above_rate))

    def _left_over(self, row: PlannedRow, state: MonthState) -> Floats:
        """GPUs that existing contracts leave over of a row, (levels, hours)."""
        model = self._model[gpu_model_of(row.row.gpu_model)]
        key = (model.gpu_model, state)
        if key not in self._left:
            ready = prepared(model, state.capacities, self._hours, float(MILLI_GPU_SECONDS_PER_GPU_HOUR))
            factors = {flow: factor * self._levels for flow, factor in state.factors}
            self._left[key] = leftover(ready, factors, Scratch()).copy()
        left: Floats = self._left[key][model.rows.index((row.row.pool, row.row.gpu_model))]
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
        scores = [score.miss(usd) for at, score, usd in bands if at + WEEKS_AHEAD <= origin]
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


# --- Other levels for one pool and model: its month 0 as it would be, from the hourly curve alone, within a frame


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LevelGround:
    """What the levels of one row stand on, worked out once when one is taken hold of.

    unit: GPUs a slice; those above the even ones are left out. busy: u_k of month 0, (slices,). above: mean slices in
    use over each level in every resample of weeks, (resamples, slices + 1); None for a log under two weeks. taken:
    GPUs that other rows have of an offer, of its own model.
    """

    plan: result.PoolPlan
    unit: int
    busy: Floats
    above: Floats | None
    taken: Mapping[str, float]


def level_ground(
    plan: result.PoolPlan, taken: Mapping[str, float], levels: Sequence[HandLayer] = ()
) -> LevelGround:
    """The ground of a row for levels in whole blocks, or in the blocks of `levels` where those are finer."""
    unit = gcd(plan.block, *(level.gpus for level in levels))
    slices = max(plan.slicing.even * plan.block // unit, sum(level.gpus for level in levels) // unit, 1)
    in_units = (plan.apart or plan.demand).residual_gpus / unit
    weights = plan.demand.weights
    busy = busy_shares(in_units[None], slices, weights)[0]
    if weights is not None:
        in_units = in_units[weights > 0]  # what is missing in the log weighs nothing
    weeks, above = len(in_units) // WEEK_HOURS, None
    if weeks >= RANGE_WEEKS:
        by_week = busy_shares(in_units[-weeks * WEEK_HOURS :].reshape(weeks, WEEK_HOURS), slices, None)
        weekly_above = np.zeros((weeks, slices + 1))
        weekly_above[:, :-1] = np.cumsum(by_week[:, ::-1], axis=1)[:, ::-1]
        drawn = np.random.default_rng(SEED).integers(0, weeks, size=(RESAMPLES, weeks))
        times = np.stack([(drawn == week).sum(axis=1) for week in range(weeks)], axis=1)
        above = np.asarray(times @ weekly_above / weeks, dtype=np.float64)
    return LevelGround(plan=plan, unit=unit, busy=busy, above=above, taken=taken)


def plan_at(ground: LevelGround, levels: Sequence[HandLayer]) -> result.PoolPlan:
    """The row with these levels from the bottom, longest first, and the rest paid by use.

    Law: layers and $ a month are those of the advice with the same levels set by hand, as long as no other row is
    left with less of an offer that has a maximum. Levels are whole numbers of the ground's unit.
    """
    plan, unit = ground.plan, ground.unit
    size = sum(level.gpus for level in levels) // unit
    busy = np.concatenate((ground.busy, np.zeros(max(0, size - len(ground.busy)))))
    layers = [layer for layer in plan.layers if layer.existing]
    runs: list[result.SliceRun] = []
    at = 0
    for level in sorted(levels, key=lambda level: -level.term_months):
        for whole_gpus, offer in _parts(ground, level):
            end = at + whole_gpus // unit
            gpus, used = float(whole_gpus), float(busy[at:end].mean())
            layers.append(committed_layer(level.term_months, gpus, offer, plan.supply.ratios, gpus * used))
            rate = None if offer is None else offer.spread_rate
            runs.append(result.SliceRun(at + 1, end, level.term_months, rate))
            at = end
    layers += () if plan.apart is None else (layer for layer in plan.apart.layers if layer.is_new)
    layers += _by_use(ground, busy, at)
    if at < len(busy):
        runs.append(result.SliceRun(at + 1, len(busy), 0, plan.flex.rate))
    figured = result.with_figures(layers, plan.supply.on_demand_rate)
    return replace(
        plan,
        slicing=Slicing(unit, len(busy)),
        layers=figured,
        runs=tuple(runs),
        cost_per_month=known_sum([layer.cost_per_month for layer in figured]),
        by_hand=replace(plan.by_hand, is_set=True),
    )


def regret_p90_usd(ground: LevelGround, levels: Sequence[HandLayer], term_months: int) -> float | None:
    """What the best size of one layer would have saved a month, the others held: P90 over resampled weeks.

    Only month 0 counts: a shorter term that leaves a choice open later is no reason here. None where a rate is
    missing or the log is under two weeks. Source: block bootstrap of whole weeks (Künsch 1989).
    """
    flex, above = ground.plan.flex.rate, ground.above
    own = next((level.gpus for level in levels if level.term_months == term_months), 0)
    _, offer = _parts(ground, HandLayer(term_months, max(own, ground.unit)))[-1]
    if above is None or flex is None or offer is None or offer.spread_rate is None:
        return None
    others = sum(level.gpus for level in levels if level.term_months != term_months) // ground.unit
    units = own // ground.unit
    most = max(above.shape[1] - 1 - others, units)
    places = np.minimum(others + np.arange(most + 1), above.shape[1] - 1)
    month = HOURS_PER_MONTH * ground.unit
    costs = month * (offer.spread_rate * np.arange(most + 1) + flex * above[:, places])
    return float(np.percentile(costs[:, units] - costs.min(axis=1), 90))


def set_levels(plan: result.PoolPlan) -> tuple[HandLayer, ...]:
    """The committed levels of a row as whole GPUs, longest term first.

    GPUs are rounded to whole ones; offers of one term are added up, existing contracts and planned runs left out.
    """
    return tuple(HandLayer(term, round(gpus)) for term, (gpus, _) in held_terms(plan).items())


def _parts(ground: LevelGround, level: HandLayer) -> list[tuple[int, Offer | None]]:
    """GPUs of one level by offer (None: nobody offers it): the cheapest that can start now, the next best where its
    maximum is reached; what is sold by the month before what is sold by as many days."""
    plan, left, parts = ground.plan, level.gpus, list[tuple[int, Offer | None]]()
    # of each kind the cheapest first
    for offer in sorted(plan.supply.offers, key=lambda offer: bool(offer.term_days)):
        is_open = offer.offer_id in plan.supply.open_now
        if offer.term_months != level.term_months or not left or not is_open:
            continue
        room = inf
        if offer.max_gpus is not None:
            own_room = max(0.0, offer.max_gpus - ground.taken.get(offer.offer_id, 0.0))
            ratio = plan.supply.ratios.get(offer.offer_id)
            room = own_room if ratio is None else own_room * ratio + ROUNDING
        gpus = left if room >= left else int(room // ground.unit) * ground.unit
        if gpus:
            parts.append((gpus, offer))
            left -= gpus
    if left:
        parts.append((left, None))
    return parts


def _by_use(ground: LevelGround, busy: Floats, at: int) -> list[result.Layer]:
    """What is above the levels, paid by use, with planned runs that are paid alike; beside it those paid otherwise."""
    plan, flex, waiting = ground.plan, ground.plan.flex, busy[at:][busy[at:] > 0]
    runs = [layer for layer in (plan.apart.layers if plan.apart else ()) if not layer.is_new]
    if not len(waiting):
        return runs
    wanted = flex.category, flex.offer_id, flex.rate
    alike = [run for run in runs if (run.pricing_category, run.offer_id, run.rate) == wanted]
    gpus = ground.unit * len(waiting) + sum(layer.gpus for layer in alike)
    used = ground.unit * float(waiting.sum()) + sum(layer.busy_gpus for layer in alike)
    layer = result.Layer(
        existing=False,
        pricing_category=flex.category,
        term_months=0,
        offer_id=flex.offer_id,
        gpus=gpus,
        busy_gpus=used,
        rate=flex.rate,
        spot_share=flex.spot_share,
    )
    others = (run for run in runs if run not in alike)
    return [of_offer(layer, flex.gpu_model, plan.supply.ratios), *others]


# --- What levels set by hand are expected to cost over the whole horizon, beside the advice for the same slices


VALUED_BY: Final = ("offers", "calendar", "flex", "market", "prices", "slicing")
"""What the values of a row stand on, beside how busy it is."""


def level_values(planned: Planned, hours: int, cache: AdviceCache) -> tuple[LevelValues, ...]:
    """Of every row with a price by use. hours: of the log; a short one has advice for terms up to a month alone.

    Rows without slices and rows with limited use are left out: of them nothing is expected.
    Source: docs/formulas/layers.md, Levels tried out.
    """
    return tuple(
        cache.recall(
            "level values",
            (*attrgetter(*VALUED_BY)(row.row), tuple(row.left_of_offers.items()), hours),
            (row.row.busy, row.row.lived),
            partial(_values, row, hours),
        )
        for row in planned.rows
        if row.row.flex.rate is not None and row.row.use is None and row.row.slices
    )


def cost_of_levels(plan: result.PoolPlan, values: LevelValues) -> CostOfLevels | None:
    """A row's levels against the advice: as set in month 0, then the advice wherever a commitment ends.

    None where a rate is missing, or where the values are of other blocks of GPUs than the levels.
    Laws: 0 for the levels of the advice; never below 0 where the advice may sign the same terms.
    Offers of mapped models count at their rate for the work, not rounded up to whole GPUs.
    """
    bought = max((run.last_slice for run in plan.runs if run.term_months), default=0)
    slicing = plan.slicing
    is_wider = values.slicing.grown > 0 and bought > values.slicing.even
    if slicing.block != values.slicing.block or is_wider:
        return None
    if any(run.rate_usd_per_gpu_hour is None for run in plan.runs):
        return None
    levels: dict[int, list[float]] = {}
    for run in plan.runs:
        begin, end, term = run.first_slice - 1, run.last_slice, run.term_months
        rate, gpus = run.rate_usd_per_gpu_hour or 0.0, slicing.gpus(run.first_slice, run.last_slice)
        if not term:
            month_0 = _sum(values.by_use_usd, begin, end)
            whole = month_0 + _sum(values.wait_usd, begin, end)
        elif term in values.after_usd:
            month_0 = HOURS_PER_MONTH * rate * gpus
            beyond = _sum(values.extra_usd[term], begin, end) + _sum(values.after_usd[term], begin, end)
            whole = month_0 * values.paid_months[term] + beyond
        else:
            return None
        sums = levels.setdefault(term, [0.0, 0.0, 0.0])
        sums[0] += gpus
        sums[1] += month_0 - _sum(values.advised_month_usd, begin, end)
        sums[2] += whole - _sum(values.advised_usd, begin, end)
    rows = tuple(LevelCost(term, *levels[term]) for term in sorted(levels, reverse=True))
    month_0_usd, usd = sum(row.month_0_usd for row in rows), sum(row.usd for row in rows)
    return CostOfLevels(values.horizon_months, month_0_usd, usd, rows)


def cost_of_row(plan: result.PoolPlan, values: Sequence[LevelValues]) -> CostOfLevels | None:
    """The same, with the values of the row among those of a plan; None where they are not there.

    None, too, where `cost_of_levels` is.
    """
    own = values_of_row(plan, values)
    return None if own is None else cost_of_levels(plan, own)


def values_of_row(plan: result.PoolPlan | RowToPlan, values: Sequence[LevelValues]) -> LevelValues | None:
    """The values of one row among those of a plan; None where its prices are not known.

    At most one is the row's own.
    """
    key = (plan.pool, plan.gpu_model)
    return next((value for value in values if (value.pool, value.gpu_model) == key), None)


def _sum(amounts: Floats, begin: int, end: int) -> float:
    """Slices above the highest demand have none: they cost nothing by use, and later nothing at all."""
    return float(amounts[begin:end].sum())


def _values(planned: PlannedRow, hours: int) -> LevelValues:
    """What each slice costs: by use, waiting, with every term signed now, and as advised. $ of today,
    (slices,) each; pieces of slices that find the same offers open are solved together.
    """
    row, market, flex = planned.row, planned.row.market, planned.row.flex.rate or 0.0
    terms = sorted(
        {offer.term_months for offer in row.offers} | {level.term_months for level in row.hand or ()}
    )
    month = HOURS_PER_MONTH * row.slicing.widths
    by_use = np.asarray(row.busy.today(0) * month * flex, dtype=np.float64)
    wait, advised, advised_month = (np.zeros(row.slices) for _ in range(3))
    after = {term: np.zeros(row.slices) for term in terms}
    extra = {term: np.zeros(row.slices) for term in terms}
    for piece in policy_pieces(_as_advised(row, hours), market.horizon_months, planned.left_of_offers):
        here, kept = slice(piece.begin, piece.begin + piece.keep), slice(piece.keep)
        policy, ways = piece.policy, piece.ways
        today = policy.value.shape[0] // 2
        wait[here] = policy_after_usd(policy, market, 1)[kept]
        for term in terms:
            column = ways.of_term(term)
            late = float(ways.late[0, column]) if column >= 0 else 0.0
            after[term][here] = policy_after_usd(policy, market, late + term)[kept]
            extra[term][here] = _extra_usd(piece, row, term)[kept]
        advised[here] = policy.value[today][kept]
        choice = policy.choice[0][kept]
        signed = np.append(ways.spread[0], np.nan)[choice]  # -1, to wait, is the last
        advised_month[here] = np.where(choice >= 0, month[here] * signed, by_use[here])
    return LevelValues(
        pool=row.pool,
        gpu_model=row.gpu_model,
        slicing=row.slicing,
        horizon_months=market.horizon_months,
        churn=market.churn,
        use_prices=market.use_prices,
        paid_months={term: paid_months(market, term) for term in terms},
        extra_usd=extra,
        after_usd=after,
        by_use_usd=by_use,
        wait_usd=wait,
        advised_usd=advised,
        advised_month_usd=advised_month,
    )


def _extra_usd(piece: PolicyPiece, row: RowToPlan, term: int) -> Floats:
    """$ of a term signed in month 0 beside its spread rate in every month, (slices from the piece's first on,):
    days paid by use, and an upfront payment that is not spread; 0 where nobody offers it."""
    ways, widths = piece.ways, row.slicing.widths[piece.begin :]
    column = ways.of_term(term)
    if column < 0:
        return np.zeros(len(widths))
    spread = HOURS_PER_MONTH * float(ways.spread[0, column]) * paid_months(row.market, term) * widths
    return np.asarray(piece.policy.signed_usd[column] - spread, dtype=np.float64)


def _as_advised(row: RowToPlan, hours: int) -> RowToPlan:
    """The row with the offers that the advice may sign: levels set by hand may take longer terms on a short log."""
    if hours > SHORT_WINDOW_HOURS:
        return row
    return replace(
        row, offers=tuple(offer for offer in row.offers if offer.term_months <= SHORT_WINDOW_TERM_MONTHS)
    )


# --- The screening curve: what one GPU costs a month at each utilization, by use and by term, and where they cross


@dataclass(frozen=True, slots=True)
class Screening:
    """One GPU of a row for a month: by_use_usd where it is busy all the time, and every term, longest first.

    Units: $ a month of 730 h, of one GPU. Terms have all their figures, with what is paid upfront, spread over the
    term. compared_per_month stands above one_gpu_per_month: in the months of a term the price of paying by use falls
    and demand may end, so that a commitment has to be cheaper by as much. break_even: the utilization where the two
    cross (may be over 1: never worth it).
    """

    by_use_usd: float
    terms: tuple[result.BreakEven, ...]

    def is_cheapest(self, term: result.BreakEven) -> bool:
        """Whether its break-even is the lowest of all terms, so that it bounds the envelope."""
        return term.break_even == min(term.break_even for term in self.terms if term.break_even is not None)


def screening_of(plan: result.PoolPlan) -> Screening | None:
    """The screening curve of a row; None where nobody offers GPUs paid by use.

    Law: what a term is compared at is what paying by use costs at its break-even, so that the lines cross at the
    break-evens of the plan. A rule of thumb, as they are. Source: docs/formulas/layers.md, Screening curve.
    """
    if not plan.flex.rate:
        return None
    known = (
        term
        for term in plan.break_even
        if None not in (term.rate, term.one_gpu_per_month, term.compared_per_month, term.break_even)
    )
    longest_first = sorted(known, key=lambda term: -term.term_months)
    given = {"by_use_rate": plan.flex.rate, "month_hours": HOURS_PER_MONTH}
    return Screening(float(TERM.value("by_use_per_month", given)), tuple(longest_first))
