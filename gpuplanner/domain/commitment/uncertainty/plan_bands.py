"""Bands of a plan's cost: what next month and the next year may cost with the advice held."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment import outlook_result
from gpuplanner.domain.commitment.demand.volatility import Volatility
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_list import COMPARED_MONTHS
from gpuplanner.domain.commitment.plan.row_plans import Planned, PlannedRow
from gpuplanner.domain.commitment.recursion.rates import over
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty import bands, use_costs
from gpuplanner.domain.commitment.uncertainty.sizes import Size, compute_size_bands, regrets_of, sizes_beside
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.cube import RANGE_WEEKS, WEEK_HOURS
from gpuplanner.domain.model.window import HOURS_PER_MONTH

SPREAD: Final = np.linspace(-3.0, 3.0, 13)
"""Levels at which use is priced, in standard deviations of the year's level; between them it is linear."""
HOURS_A_YEAR: Final = COMPARED_MONTHS * HOURS_PER_MONTH
UNKNOWN: Final = outlook_result.Uncertainty(resamples=bands.RESAMPLES, seed=bands.SEED)


def uncertainty_of(
    ground: Ground, planned: Planned, advice: Advice, values: Sequence[outlook_result.LevelValues] = ()
) -> outlook_result.Uncertainty:
    """The band of the plan's month and year, how past bands did, and the cost of being wrong.

    values: what slices are expected to cost over the horizon; of sizes beside the advice. Unknown where $ are unknown
    or the log is under two weeks. Source: docs/formulas/uncertainty.md.
    """
    plan_usd, hours = advice.totals.plan, ground.window.hours
    rows = [row for row in planned.rows if row.row.flex.rate is not None]
    missing = ground.missing
    if plan_usd is None or len(ground.known(np.zeros(hours))) // WEEK_HOURS < RANGE_WEEKS:
        return UNKNOWN
    half_life = ground.assumptions.recency_half_life_days
    # all demand as one, by what it costs by use: it moves less than a pool alone
    hourly = sum((row.demand_gpus * (row.row.flex.rate or 0.0) for row in rows), np.zeros(hours))
    by_hand = average_set_volatility(rows)
    past = bands.past_of(hourly, half_life, by_hand, missing, ground.project.window.end_s)
    drawn = bands.draws_of(past.week_weights, past.volatility.is_set, COMPARED_MONTHS)
    year, assumed = past.variance(COMPARED_MONTHS), ground.assumptions
    planned_growth = [assumed.of_pool("growth", row.row.pool) for row in rows]
    moves = bands.moves_of(ground.known(hourly), past.volatility.noise, assumed.growth_fade, planned_growth)
    year_levels = drawn.levels(year)
    top = max((float(np.percentile(year_levels * move.max(axis=1), 99)) for move in moves), default=1.0)
    spread = max(np.sqrt(year), np.log(top) / SPREAD[-1], 1e-6)
    reached = np.concatenate(([0.0], np.unique(np.exp(SPREAD * spread))))
    costs = use_costs.UseCosts(ground, rows, reached, COMPARED_MONTHS)
    monthly = [costs.of_layers(row) for row in rows]
    by_use = [row.listed.use_usd(0) or 0.0 for row in rows]
    fixed_usd = plan_usd - sum(by_use)
    present = compute_present_shares(ground, rows)

    def month_usd(
        level: Floats, weeks: Ints, present_at: Sequence[Floats | float] = (1.0,) * len(rows)
    ) -> Floats:
        usd = np.full(len(level), fixed_usd)
        for cost, share in zip(monthly, present_at, strict=True):
            usd += cost.at(level * share, weeks)
        return usd

    logged_to_s = ground.project.window.end_s
    tested = bands.measured_on(hourly, half_life, by_hand, month_usd, missing, logged_to_s)
    level, weeks = drawn.levels(past.variance(1)), len(past.week_weights)
    month = month_usd(level, drawn.weeks[:, 0], [row[0] for row in present])
    as_drawn = bands.band_of(month, level, weeks, month_usd)
    band = as_drawn.wider(tested.factor)
    drawn_year = _year(advice, costs, drawn, year_levels, moves, present, weeks)
    # misses of months say nothing of how far a year is too wide
    year_band = None if drawn_year is None else drawn_year.wider(max(tested.factor, 1.0))
    sizes = sizes_beside(rows, values)

    def use_of(size: Size) -> Floats:
        present_at = present[rows.index(size.row)][0]
        return costs.of_slices(size.row, 0, size.share).at(level * present_at, drawn.weeks[:, 0])

    regret_p50, regret_p90 = regrets_of(sizes, costs, drawn, past.variance(1), ground.assumptions)
    return outlook_result.Uncertainty(
        p10_usd_per_month=band.low,
        p50_usd_per_month=band.middle,
        p90_usd_per_month=band.high,
        regret_p50_usd_per_month=regret_p50,
        regret_p90_usd_per_month=regret_p90,
        year_p10_usd=None if year_band is None else year_band.low,
        year_p90_usd=None if year_band is None else year_band.high,
        coverage=tested.coverage,
        coverage_folds=tested.folds,
        resamples=bands.RESAMPLES,
        seed=bands.SEED,
        sizes=compute_size_bands(month, as_drawn, sizes, use_of, tested.factor),
        if_pattern_continues=hours < HOURS_A_YEAR,
    )


def average_set_volatility(rows: Sequence[PlannedRow]) -> Volatility | None:
    """The planner's volatility, where every pool has one set: their mean by what demand costs by use."""
    if not rows or not all(row.volatility.is_set for row in rows):
        return None
    usd = np.array([float(row.demand_gpus.sum()) * (row.row.flex.rate or 0.0) for row in rows])
    shares = usd / usd.sum() if usd.sum() > 0 else np.full(len(rows), 1 / len(rows))
    sigma = float(shares @ np.array([row.volatility.sigma for row in rows]))
    noise = float(shares @ np.array([row.volatility.noise for row in rows]))
    return Volatility(sigma=sigma, noise=noise, changes=0, is_set=True)


def compute_present_shares(ground: Ground, rows: Sequence[PlannedRow]) -> list[Floats]:
    """Share of a row's demand that is still there in each month, (months, draws), by GPU time of its workloads.

    A workload ends in a month with chance lambda and is then absent for half of it: lambda / 2 of the first month.
    """
    uniform = np.random.default_rng(bands.SEED + 1).random((bands.RESAMPLES, len(ground.project.workloads)))
    answer = []
    for planned in rows:
        row, months = planned.row, COMPARED_MONTHS
        users = ground.plan.users[Row(row.pool, row.gpu_model)]
        churn = row.market.churn
        places = np.flatnonzero(users > 0)
        gone = np.zeros((months, bands.RESAMPLES))
        if churn > 0 and len(places):
            share, drawn = users[places] / users[places].sum(), uniform[:, places]
            gone[0] = (drawn < churn / 2) @ share
            for month in range(1, months):
                ended = 1 - (1 - churn) ** month
                gone[month] = (drawn < ended + (1 - churn) ** month * churn / 2) @ share
        answer.append(1 - gone)
    return answer


def _year(
    advice: Advice,
    costs: use_costs.UseCosts,
    drawn: bands.Draws,
    level: Floats,
    moves: Sequence[Floats],
    present: Sequence[Floats],
    weeks: int,
) -> bands.Band | None:
    """The next twelve months together, each of its own weeks, at one level; None where a rate is missing.

    moves: of each row the factors of demand that growth and steps come to, (draws, months).
    """
    months = advice.comparison[:COMPARED_MONTHS]
    whole = known_sum(month.plan_usd for month in months)
    by_use = known_sum(row.listed.use_usd(month.month) for row in costs.rows for month in months)
    if whole is None or by_use is None:
        return None
    fixed_usd = whole - by_use
    priced = [
        (
            month.month,
            place,
            over(row.row.market.use_prices, COMPARED_MONTHS)[month.month],
            costs.by_use(row, month.month),
        )
        for place, row in enumerate(costs.rows)
        for month in months
    ]
    total = np.full(bands.RESAMPLES, fixed_usd)
    for number, place, price, cost in priced:
        moved = level * moves[place][:, number]
        total += price * cost.at(moved * present[place][number], drawn.weeks[:, number])

    def all_there_usd(level: Floats, weeks: Ints) -> Floats:
        return np.asarray(fixed_usd + sum(price * cost.at(level, weeks) for _, _, price, cost in priced))

    mean = np.mean([move.mean(axis=1) for move in moves], axis=0) if moves else 1.0
    return bands.band_of(total, level * mean, weeks, all_there_usd)
