"""Uncertainty: the same advice on the log's weeks drawn again, and how much better another size would have been."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.commitment.result import Floats, Layer, PoolPlan, SizeBand, SliceRun, Uncertainty
from gpuplanner.domain.model.log_length import RANGE_WEEKS, WEEK_HOURS
from gpuplanner.domain.model.window import HOURS_PER_MONTH

RESAMPLES: Final = 500
SEED: Final = 0
SIZES: Final = ("one_less", "advice", "one_more")


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """The advice, or the advice with another size: its fixed $ a month, and $ a month by use in each week (weeks,)."""

    fixed_usd: float
    weekly_usd: Floats


def _by_week(hourly: Floats, weeks: int) -> Floats:
    """Means of the last whole weeks."""
    return np.asarray(hourly[-weeks * WEEK_HOURS :].reshape(weeks, WEEK_HOURS).mean(axis=1), dtype=np.float64)


def between(residual_gpus: Floats, low_gpus: float, high_gpus: float) -> Floats:
    """GPUs in use in each hour between two heights of the demand."""
    return np.asarray(np.clip(residual_gpus - low_gpus, 0.0, high_gpus - low_gpus), dtype=np.float64)


def _used_in(pool: PoolPlan, run: SliceRun) -> Floats:
    return between(
        pool.residual_gpus, pool.slicing.below(run.first_slice - 1), pool.slicing.below(run.last_slice)
    )


def _advice_variant(pools: Sequence[PoolPlan], plan_usd: float, weeks: int) -> Variant:
    weekly = np.zeros(weeks)
    for pool in pools:
        for run in pool.runs:
            if run.term_months == 0 and pool.use_rates is not None:
                weekly += _limited_usd(pool, pool.use_rates, run, weeks)
            elif run.term_months == 0 and pool.r_flex is not None:
                weekly += HOURS_PER_MONTH * pool.r_flex * _by_week(_used_in(pool, run), weeks)
    by_use = [layer.usd_per_month or 0.0 for pool in pools for layer in pool.layers if layer.term_months == 0]
    return Variant(plan_usd - sum(by_use), weekly)


def _limited_usd(pool: PoolPlan, rates: Floats, run: SliceRun, weeks: int) -> Floats:
    """$ of each week of slices that pay different rates by use; (weeks,). What nobody serves costs nothing."""
    usd, begin = np.zeros(weeks), run.first_slice - 1
    while begin < run.last_slice:
        rate, end = rates[begin], begin + 1
        while end < run.last_slice and (rates[end] == rate or (np.isnan(rates[end]) and np.isnan(rate))):
            end += 1
        if not np.isnan(rate):
            edges = pool.slicing.below(begin), pool.slicing.below(end)
            usd += HOURS_PER_MONTH * rate * _by_week(between(pool.residual_gpus, *edges), weeks)
        begin = end
    return usd


def _smallest_layer(pools: Sequence[PoolPlan]) -> tuple[PoolPlan, Layer] | None:
    """The new committed layer with fewest GPUs (the first of them), where its pool can also be paid by use."""
    found = [
        (pool, layer)
        for pool in pools
        for layer in pool.layers
        if layer.term_months
        and pool.r_flex is not None
        and pool.use_rates is None
        and layer.rate_usd_per_gpu_hour
    ]
    return min(found, key=lambda one: one[1].gpus, default=None)


def _other_sizes(pools: Sequence[PoolPlan], advice: Variant, weeks: int) -> dict[str, Variant]:
    """One block less in the smallest layer (the top committed block is paid by use instead), and one more."""
    smallest = _smallest_layer(pools)
    if smallest is None:
        return {}
    pool, layer = smallest
    block, flex = pool.block, pool.r_flex or 0.0
    block_usd = HOURS_PER_MONTH * block * (layer.rate_usd_per_gpu_hour or 0.0)
    top = pool.slicing.below(max(run.last_slice for run in pool.runs if run.term_months))
    open_runs = [run.first_slice for run in pool.runs if run.term_months == 0]
    next_up = pool.slicing.below(min(open_runs) - 1 if open_runs else pool.runs[-1].last_slice)
    freed = HOURS_PER_MONTH * flex * _by_week(between(pool.residual_gpus, top - block, top), weeks)
    spared = HOURS_PER_MONTH * flex * _by_week(between(pool.residual_gpus, next_up, next_up + block), weeks)
    return {
        "one_less": Variant(advice.fixed_usd - block_usd, advice.weekly_usd + freed),
        "one_more": Variant(advice.fixed_usd + block_usd, advice.weekly_usd - spared),
    }


def uncertainty_of(pools: Sequence[PoolPlan], plan_usd: float | None, hours: int) -> Uncertainty:
    """P10, P50, P90 of a month's cost, and P90 of the regret: what the best of three sizes would have saved.

    Source: block bootstrap of whole weeks (Künsch 1989); None where $ are unknown or the log is under two weeks.
    """
    weeks = hours // WEEK_HOURS
    if plan_usd is None or weeks < RANGE_WEEKS:
        return Uncertainty(None, None, None, None, RESAMPLES, SEED)
    drawn = np.random.default_rng(SEED).integers(0, weeks, size=(RESAMPLES, weeks))
    advice = _advice_variant(pools, plan_usd, weeks)
    others = _other_sizes(pools, advice, weeks)
    variants = {"advice": advice, **others}
    costs = np.stack([one.fixed_usd + one.weekly_usd[drawn].mean(axis=1) for one in variants.values()])
    low, middle, high = np.percentile(costs, (10, 50, 90), axis=1).tolist()
    regrets = np.percentile(costs - costs.min(axis=0), 90, axis=1).tolist()
    rows = {
        size: SizeBand(size, low[place], middle[place], high[place], regrets[place])
        for place, size in enumerate(variants)
    }
    own = rows["advice"]
    return Uncertainty(
        own.p10_usd_per_month,
        own.p50_usd_per_month,
        own.p90_usd_per_month,
        own.regret_p90_usd_per_month,
        RESAMPLES,
        SEED,
        tuple(rows[size] for size in SIZES if size in rows),
    )
