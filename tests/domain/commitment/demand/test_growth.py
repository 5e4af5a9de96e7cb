"""Growth of demand: it fades month by month, and a trend that was put into a log comes out."""

from math import log, sqrt

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand import growth
from gpuplanner.domain.commitment.demand.growth import fitted_growth, grown, measure_around_line
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.model.cube import WEEK_HOURS
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, offer
from tests.domain.commitment.demand.logs import WEEK, weeks

MONTH = 730


def test_each_month_grows_by_nine_tenths_of_the_month_before() -> None:
    factors = grown(0.5, 0.9, 4)
    assert factors.tolist() == pytest.approx([1.0, 1.5, 1.5 * 1.45, 1.5 * 1.45 * 1.405])
    assert len(grown(0.5, 0.9, 1)) == 1


@pytest.mark.parametrize("growth", [-0.3, 0.0, 0.02, 0.5])
def test_without_fading_it_is_the_power(growth: float) -> None:
    assert grown(growth, 1.0, 60) == pytest.approx((1 + growth) ** np.arange(60))


def test_growth_that_fades_comes_to_a_limit() -> None:
    assert grown(0.03, 0.9, 120)[-1] == pytest.approx(1.3467, abs=0.0001)


def test_the_twelve_months_grow_as_it_fades() -> None:
    made = case(
        [Load(pool=Pool.TRAINING, gpus=[8.0] * 400)], (), [offer("od", 0, 5.0)], growth=0.1, delta=0.0
    )
    advice = advise(made.project, made.project.scenarios[0], made.pools, audit())
    expected = 730 * 8 * 5.0 * grown(0.1, 0.9, 12)
    assert [row.plan_usd for row in advice.comparison] == pytest.approx(expected.tolist())
    assert [row.do_nothing_usd for row in advice.comparison] == pytest.approx(expected.tolist())


def growing(rate: float, weeks: int, noise: float = 0.0, seed: int = 1) -> np.ndarray:
    hours = np.arange(weeks * WEEK_HOURS)
    jitter = np.exp(noise * np.repeat(np.random.default_rng(seed).standard_normal(weeks), WEEK_HOURS))
    return 50 * (1 + rate) ** (hours / MONTH) * jitter


@pytest.mark.parametrize("rate", [-0.2, 0.0, 0.05, 0.3])
def test_steady_growth_is_found(rate: float) -> None:
    found = fitted_growth(growing(rate, 12))
    assert found is not None
    assert found.value == pytest.approx(rate, abs=1e-9)
    assert found.low <= found.value + 1e-12
    assert found.high >= found.value - 1e-12


def test_the_range_holds_the_true_growth_in_about_eight_of_ten_noisy_logs() -> None:
    inside = 0
    for seed in range(200):
        found = fitted_growth(growing(0.05, 13, 0.1, seed))
        assert found is not None
        inside += found.low <= 0.05 <= found.high
    assert 145 <= inside <= 180


@pytest.mark.parametrize(("walk", "noise", "least"), [(0.2, 0.0, 0.6), (0.1, 0.1, 0.65), (0.0, 0.15, 0.8)])
def test_the_range_holds_no_growth_where_demand_only_walks(walk: float, noise: float, least: float) -> None:
    """13 weeks: under a correction of neighboring weeks alone it held in 35%, 51% and 81% of logs."""
    random = np.random.default_rng(11)
    steps, around = (random.standard_normal((200, 13)) for _ in range(2))
    logs = np.cumsum(walk * steps / np.sqrt(730 / WEEK_HOURS), axis=1) + noise * around
    found = [fitted_growth(np.repeat(np.exp(log), WEEK_HOURS)) for log in logs]
    assert np.mean([one is not None and one.low <= 0 <= one.high for one in found]) >= least


def test_a_walk_around_the_line_widens_the_range_by_its_slope() -> None:
    """Steps of five weeks with the changes that a walk is expected to show around a line: 0.76, 0.907, 0.54, 0.16 of
    the variance of a step; the slope of such a walk has 0.26 of it."""
    around = measure_around_line(5)
    assert around.walk.tolist() == pytest.approx([0.76, 68 / 75, 0.54, 0.16])
    assert around.noise.tolist() == pytest.approx([1.9, 1.6, 1.1, 0.4])
    assert around.walk_slope == pytest.approx(0.26)


def test_no_trend_under_thirty_days_nor_where_a_week_is_empty() -> None:
    assert fitted_growth(growing(0.1, 5)[: 720 - 1]) is None
    empty = growing(0.1, 12)
    empty[3 * WEEK_HOURS : 4 * WEEK_HOURS] = 0
    assert fitted_growth(empty) is None


def test_growth_fades_month_by_month() -> None:
    """10% in the first month, half of it in the next, a quarter in the third."""
    assert grown(0.1, 0.5, 4).tolist() == pytest.approx([1.0, 1.1, 1.1 * 1.05, 1.1 * 1.05 * 1.025])
    assert grown(0.1, 1.0, 3).tolist() == pytest.approx([1.0, 1.1, 1.21])
    assert grown(-0.1, 0.0, 3).tolist() == pytest.approx([1.0, 0.9, 0.9])


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 2.9575), (2, 1.8799), (10, 1.3722)])
def test_the_quantile_of_students_t_is_that_of_the_expansion(freedom: int, quantile: float) -> None:
    """1.2816 + 0.8466 / f + 0.5709 / f^2 + 0.2585 / f^3; tables have 1.3722 at 10 degrees of freedom."""
    assert growth.compute_student_90(freedom) == pytest.approx(quantile, abs=1e-4)


def test_growth_is_the_slope_of_weekly_logarithms() -> None:
    """Weeks of 1, e^0.1 ... e^0.4: no error. With weeks of 1, 2, 1, 2, 1 no slope, and the same error on both sides."""
    steady = growth.fitted_growth(weeks(*np.exp(0.1 * np.arange(5))))
    month = float(np.exp(0.1 * 730 / WEEK)) - 1
    assert steady is not None and steady.is_clear
    assert (steady.value, steady.low, steady.high) == pytest.approx((month,) * 3)
    flat = growth.fitted_growth(weeks(1, 2, 1, 2, 1))
    assert flat is not None and flat.value == pytest.approx(0.0) and not flat.is_clear
    # changes of ln 2 over 1 and 3 weeks, of 0 over 2 and 4: noise alone, of which a line through five weeks leaves
    # 1.9, 1.6, 1.1 and 0.4; 4, 3, 2 and 1 pairs; at^2 adds up to 10, 3 degrees are free
    noise = log(2) ** 2 * (4 * 1.9 + 2 * 1.1) / (4 * 1.9**2 + 3 * 1.6**2 + 2 * 1.1**2 + 0.4**2)
    error = sqrt(noise / 10) * growth.compute_student_90(3) * 730 / WEEK
    assert (flat.low, flat.high) == pytest.approx((float(np.exp(-error)) - 1, float(np.exp(error)) - 1))
    assert growth.fitted_growth(weeks(1, 2, 0, 2, 1)) is None
    assert growth.fitted_growth(weeks(1, 2, 3, 4)) is None  # under 30 days
