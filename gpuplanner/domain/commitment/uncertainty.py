"""Uncertainty: what next month and the next year may cost with the advice held, and what being wrong costs."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.commitment.bands import (
    RESAMPLES,
    SEED,
    Band,
    Draws,
    band_of,
    draws_of,
    measured_on,
    past_of,
)
from gpuplanner.domain.commitment.ground import Ground
from gpuplanner.domain.commitment.plan import COMPARED_MONTHS, Planned, PlannedRow
from gpuplanner.domain.commitment.price_levels import over
from gpuplanner.domain.commitment.result import (
    Advice,
    Floats,
    LevelValues,
    SizeBand,
    Uncertainty,
    Volatility,
)
from gpuplanner.domain.commitment.sizes_beside import Size, regrets_of, sizes_beside
from gpuplanner.domain.commitment.use_costs import UseCost, UseCosts
from gpuplanner.domain.model.cube import Ints
from gpuplanner.domain.model.log_length import RANGE_WEEKS, WEEK_HOURS

SPREAD: Final = np.linspace(-3.0, 3.0, 13)
"""Levels at which use is priced, in standard deviations of the year's level; between them it is linear."""
UNKNOWN: Final = Uncertainty(None, None, None, None, None, None, None, None, 0, RESAMPLES, SEED)


def uncertainty_of(
    ground: Ground, planned: Planned, advice: Advice, values: Sequence[LevelValues] = ()
) -> Uncertainty:
    """The band of the plan's month and year, how past bands did, and the cost of being wrong.

    values: what slices are expected to cost over the horizon; of sizes beside the advice. Unknown where $ are unknown
    or the log is under two weeks. Source: docs/formulas.md, Uncertainty and cost of separation.
    """
    plan_usd, hours = advice.totals.plan_usd_per_month, ground.window.hours
    rows = [one for one in planned.rows if one.row.flex.rate is not None]
    if plan_usd is None or hours // WEEK_HOURS < RANGE_WEEKS:
        return UNKNOWN
    half_life = ground.assumptions.recency_half_life_days
    hourly, by_hand = _demand_usd(rows, hours), _set_by_hand(rows)
    past = past_of(hourly, half_life, by_hand)
    drawn = draws_of(past.week_weights, past.volatility.is_set, COMPARED_MONTHS)
    year = past.variance(COMPARED_MONTHS)
    levels = np.concatenate(([0.0], np.unique(np.exp(SPREAD * np.sqrt(max(year, 1e-12))))))
    costs = UseCosts(ground, rows, levels, COMPARED_MONTHS)
    monthly = [costs.of_layers(one) for one in rows]
    by_use = [
        layer.usd_per_month or 0.0 for pool in advice.pools for layer in pool.layers if layer.term_months == 0
    ]
    fixed_usd = plan_usd - sum(by_use)
    present = _present(ground, rows)

    def month_usd(level: Floats, weeks: Ints, there: Sequence[Floats | float]) -> Floats:
        usd = np.full(len(level), fixed_usd)
        for cost, share in zip(monthly, there, strict=True):
            usd += cost.at(level * share, weeks)
        return usd

    everybody = [1.0] * len(rows)
    tested = measured_on(hourly, half_life, by_hand, lambda level, weeks: month_usd(level, weeks, everybody))
    month = month_usd(drawn.levels(past.variance(1)), drawn.weeks[:, 0], [row[0] for row in present])
    band = band_of(month).wider(tested.factor)
    year_band = _year(advice, costs, drawn, drawn.levels(year), present)
    if year_band is not None:
        year_band = year_band.wider(tested.factor)
    sizes = sizes_beside(rows, values)
    regrets = regrets_of(sizes, costs, drawn, past.variance(1), ground.assumptions)
    return Uncertainty(
        band.low,
        band.middle,
        band.high,
        regrets[0],
        regrets[1],
        None if year_band is None else year_band.low,
        None if year_band is None else year_band.high,
        tested.coverage,
        tested.folds,
        RESAMPLES,
        SEED,
        _size_bands(month, sizes, costs, drawn, drawn.levels(past.variance(1)), present, tested.factor),
    )


def _demand_usd(rows: Sequence[PlannedRow], hours: int) -> Floats:
    """All demand of a plan as one: GPUs x what they cost by use, (hours,). It moves less than a pool alone."""
    total = np.zeros(hours)
    for one in rows:
        total += one.demand_gpus * (one.row.flex.rate or 0.0)
    return total


def _set_by_hand(rows: Sequence[PlannedRow]) -> Volatility | None:
    """The planner's volatility, where every pool has one set: their mean by what demand costs by use."""
    if not rows or not all(one.volatility.is_set for one in rows):
        return None
    usd = np.array([float(one.demand_gpus.sum()) * (one.row.flex.rate or 0.0) for one in rows])
    shares = usd / usd.sum() if usd.sum() > 0 else np.full(len(rows), 1 / len(rows))
    sigma = float(shares @ np.array([one.volatility.sigma for one in rows]))
    noise = float(shares @ np.array([one.volatility.noise for one in rows]))
    return Volatility(sigma, noise, 0, True)


def _present(ground: Ground, rows: Sequence[PlannedRow]) -> list[Floats]:
    """Share of a row's demand that is still there in each month, (months, draws), by GPU time of its workloads.

    A workload ends in a month with chance lambda and is then absent for half of it: lambda / 2 of the first month.
    """
    uniform = np.random.default_rng(SEED + 1).random((RESAMPLES, len(ground.project.workloads)))
    answer = []
    for one in rows:
        row, months = one.row, COMPARED_MONTHS
        users = ground.plan.users[row.pool, row.gpu_model]
        churn = ground.assumptions.of_pool("lambda", row.pool)
        there = np.flatnonzero(users > 0)
        gone = np.zeros((months, RESAMPLES))
        if churn > 0 and len(there):
            share, drawn = users[there] / users[there].sum(), uniform[:, there]
            gone[0] = (drawn < churn / 2) @ share
            for month in range(1, months):
                ended = 1 - (1 - churn) ** month
                gone[month] = (drawn < ended + (1 - churn) ** month * churn / 2) @ share
        answer.append(1 - gone)
    return answer


def _year(
    advice: Advice,
    costs: UseCosts,
    drawn: Draws,
    level: Floats,
    present: Sequence[Floats],
) -> Band | None:
    """The next twelve months together, each of its own weeks, at one level; None where a rate is missing."""
    total = np.zeros(RESAMPLES)
    for month in advice.comparison[:COMPARED_MONTHS]:
        if month.contracts_usd is None or month.orders_usd is None or month.use_usd is None:
            return None
        total += month.contracts_usd + month.orders_usd
        for one, there in zip(costs.rows, present, strict=True):
            cost: UseCost = costs.by_use(one, month.month)
            price = over(one.row.market.use_prices, COMPARED_MONTHS)[month.month]
            total += price * cost.at(level * there[month.month], drawn.weeks[:, month.month])
    return band_of(total)


def _size_bands(
    month: Floats,
    sizes: Sequence[Size],
    costs: UseCosts,
    drawn: Draws,
    level: Floats,
    present: Sequence[Floats],
    factor: float,
) -> tuple[SizeBand, ...]:
    """The month's cost with each size beside the advice, and all that the size is expected to cost more.

    Their middles lie as far apart as the advice expects, so that no size beats throughout what the advice minimises.
    """
    if not sizes:
        return ()
    answer = [_size_band("advice", month, factor)]
    for size in sizes:
        there = present[costs.rows.index(size.row)][0]
        use = costs.of_slices(size.row, 0, size.share).at(level * there, drawn.weeks[:, 0])
        usd = month - size.sign * use
        usd += np.median(month) + size.expected_usd - np.median(usd)
        answer.append(_size_band(size.name, usd, factor))
    return tuple(answer)


def _size_band(name: str, usd: Floats, factor: float) -> SizeBand:
    band = band_of(usd).wider(factor)
    return SizeBand(name, band.low, band.middle, band.high)
