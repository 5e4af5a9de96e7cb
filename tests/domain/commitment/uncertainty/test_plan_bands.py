"""Bands of a plan's cost: the month and the year, by hand."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.volatility import Volatility
from gpuplanner.domain.commitment.outlook_result import Uncertainty
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.uncertainty import bands, plan_bands
from gpuplanner.domain.commitment.uncertainty.coverage import coverage_of
from gpuplanner.domain.commitment.uncertainty.net_present_value import npv_usd
from gpuplanner.domain.commitment.uncertainty.plan_bands import uncertainty_of
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, offer
from tests.domain.commitment.uncertainty.calm_world import CALM, OFFERS, ROW, WEEK, A


def test_the_band_of_a_flat_log_is_its_plan() -> None:
    """5 GPUs for a year at $3, whatever week comes again; under two weeks nothing is known."""
    for hours, is_known in ((2 * WEEK, True), (2 * WEEK - 1, False)):
        made = case([Load(pool=Pool.INFERENCE, gpus=[5.0] * hours)], (), OFFERS, **CALM)
        ground = ground_of(made.project, A, made.pools, AdviceCache())
        advice = advise(made.project, A, made.pools, audit())
        band = uncertainty_of(ground, plan_of(ground, AdviceCache()), advice)
        if not is_known:
            assert band == Uncertainty(resamples=500)
            continue
        month = 5 * 3 * 730.0
        assert (band.p10_usd_per_month, band.p50_usd_per_month, band.p90_usd_per_month) == pytest.approx(
            (month,) * 3
        )
        assert (band.year_p10_usd, band.year_p90_usd) == pytest.approx((12 * month,) * 2)
        assert (band.coverage, band.coverage_folds, band.resamples, band.seed) == (None, 0, 500, 0)
        assert [item.size for item in band.sizes] == ["advice", "one_less", "quarter_less"]
        unpriced = replace(advice, totals=replace(advice.totals, plan=None))
        assert uncertainty_of(ground, plan_of(ground, AdviceCache()), unpriced) == Uncertainty(resamples=500)


def test_demand_is_there_until_its_workloads_end() -> None:
    """Half of them end in a month and are gone for half of it: a quarter of month 0, then 1 - 0.5^m x 0.75.

    One of 3 GPUs and one of 1; the third wants nothing, and a draw of it changes nothing.
    """
    loads = [Load(pool=Pool.INFERENCE, gpus=[gpus] * 200) for gpus in (3.0, 1.0, 0.0)]
    made = case(loads, (), OFFERS, **(CALM | {"lambda_": 0.5}))
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    (row,) = plan_of(ground, AdviceCache()).rows
    (present,) = plan_bands.compute_present_shares(ground, [row])
    drawn = np.random.default_rng(bands.SEED + 1).random((bands.RESAMPLES, 3))
    for month, chance in enumerate((0.25, 0.625, 0.8125, 0.90625)):
        stays = drawn[:, :2] >= chance
        assert present[month].tolist() == pytest.approx((stays @ np.array([0.75, 0.25])).tolist())
    assert present.shape == (12, bands.RESAMPLES)
    calm = case(loads, (), OFFERS, **CALM)
    ground = ground_of(calm.project, A, calm.pools, AdviceCache())
    (all_there,) = plan_bands.compute_present_shares(ground, plan_of(ground, AdviceCache()).rows)
    assert (all_there == 1).all()


def test_volatility_that_is_set_everywhere_is_a_mean_by_dollars() -> None:
    """$3 of 1,000 and $1 of 1,000 hours: three quarters of the first."""

    def row(sigma: float, gpus: float, rate: float | None, is_set: bool = True) -> Any:
        flex = SimpleNamespace(rate=rate)
        volatility = Volatility(sigma=sigma, noise=2 * sigma, changes=5, is_set=is_set)
        return SimpleNamespace(
            demand_gpus=np.full(10, gpus), row=SimpleNamespace(flex=flex), volatility=volatility
        )

    found = plan_bands.average_set_volatility([row(0.4, 1.0, 3.0), row(0.2, 1.0, 1.0)])
    assert found == Volatility(sigma=pytest.approx(0.35), noise=pytest.approx(0.7), changes=0, is_set=True)
    assert plan_bands.average_set_volatility([row(0.4, 1.0, 3.0), row(0.2, 1.0, 1.0, False)]) is None
    assert plan_bands.average_set_volatility([]) is None
    free = plan_bands.average_set_volatility([row(0.4, 0.0, 3.0), row(0.2, 1.0, None)])
    assert free is not None and free.sigma == pytest.approx(0.3)


def test_workloads_that_end_leave_their_share() -> None:
    """Of two alike each ends with 10% a month, and is absent for half of the month in which it does."""
    users = {ROW: np.array([1.0, 1.0, 0.0]), (Pool.BURST, "H100"): np.array([0.0, 0.0, 1.0])}
    ground: Any = SimpleNamespace(
        project=SimpleNamespace(workloads=(1, 2, 3)), plan=SimpleNamespace(users=users)
    )
    churn = {Pool.INFERENCE: 0.1, Pool.BURST: 0.0}
    rows = [
        SimpleNamespace(
            row=SimpleNamespace(pool=pool, gpu_model=model, market=SimpleNamespace(churn=churn[pool]))
        )
        for pool, model in users
    ]
    present, stays = plan_bands.compute_present_shares(ground, rows)  # type: ignore[arg-type]
    assert present.shape == (12, 500) and set(np.unique(present)) == {0.0, 0.5, 1.0}
    means = present.mean(axis=1)
    # 1 - 0.05, and 0.9^m x 0.95 after m months
    assert means[0] == pytest.approx(0.95, abs=0.03) and means[6] == pytest.approx(0.9**6 * 0.95, abs=0.05)
    assert (np.diff(present, axis=0) <= 0).all()
    assert (stays == 1.0).all()


@pytest.mark.parametrize("block", [2, 4, 8])
def test_the_outlook_of_wide_slices(block: int) -> None:
    """Four blocks signed for a year at $3, two half of the hours by use at $4: alike in all weeks."""
    gpus = [4.0 * block, 6.0 * block] * WEEK
    sold = [offer("od", 0, 4.0), offer("y1", 12, 3.0, unit_gpus=block)]
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=gpus)], (), sold, **(CALM | {"block": block, "horizon_months": 24})
    )
    ground = ground_of(made.project, A, made.pools, AdviceCache())
    planned = plan_of(ground, AdviceCache())
    advice = advise(made.project, A, made.pools, audit())
    band = uncertainty_of(ground, planned, advice)
    month = 730.0 * block * (4 * 3 + 4)
    assert (band.p10_usd_per_month, band.p90_usd_per_month) == pytest.approx((month, month))
    assert (band.year_p10_usd, band.year_p90_usd) == pytest.approx((12 * month, 12 * month))
    whole = coverage_of(ground, planned)
    assert whole.plan == pytest.approx(4 / 5)
    # three more years follow the first month that waits: $4 - $3 of four blocks, 24 months
    assert npv_usd(planned) == pytest.approx(24 * 730.0 * block * 4 * (4 - 3))
