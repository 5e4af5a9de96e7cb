"""How far demand moves, where that is read, and how growth fades, by hand."""

from math import log, sqrt

import numpy as np
import pytest

from gpuplanner.domain.commitment import volatility as module
from gpuplanner.domain.commitment.volatility import (
    Volatility,
    grown,
    in_force,
    seen_volatility,
    source_of,
    source_words,
)
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.tables import Pool

WEEK = 168


def weeks(*gpus: float) -> np.ndarray:
    return np.repeat(np.array(gpus), WEEK)


@pytest.mark.parametrize("demand", [weeks(1, 2), weeks(0, 0, 0, 0)])
def test_a_log_that_says_nothing_moves_by_a_tenth(demand: np.ndarray) -> None:
    assert seen_volatility(demand) == Volatility(sigma=0.1, noise=0.0, changes=0)


def test_a_steady_log_is_drawn_towards_the_prior() -> None:
    """Six changes of nothing: sqrt(3 x 0.1^2 / 9); of many the least is 3%."""
    assert seen_volatility(weeks(*[5.0] * 7)) == Volatility(
        sigma=pytest.approx(sqrt(0.03 / 9)), noise=0.0, changes=6
    )  # type: ignore[arg-type]
    assert seen_volatility(weeks(*[5.0] * 99)).sigma == 0.03


def test_a_walk_is_the_slope_of_its_squares() -> None:
    """Demand that doubles each week: squares of L ln 2 for L = 1, 2 over three weeks, with 2 and 1 pairs.

    The line through 0.4805 and 1.9218 has a height below 0, so that it goes through 0:
    (2 x 0.4805 + 2 x 1.9218) / (2 + 4) = 0.8007; the most is 40%.
    """
    assert seen_volatility(weeks(1, 2, 4)) == Volatility(sigma=0.4, noise=0.0, changes=2)
    slope = (2 * log(2) ** 2 + 2 * 4 * log(2) ** 2) / 6
    found = module.fit_rising_line(
        np.array([1.0, 2.0]), np.array([log(2) ** 2, 4 * log(2) ** 2]), np.array([2.0, 1.0])
    )
    assert found == (0.0, pytest.approx(slope))
    assert module.fit_rising_line(np.array([1.0, 2.0]), np.array([3.0, 1.0]), np.ones(2)) == (2.0, 0.0)
    assert module.fit_rising_line(np.array([1.0, 2.0]), np.array([3.0, 5.0]), np.ones(2)) == (1.0, 2.0)
    weighted = module.fit_rising_line(
        np.array([1.0, 2.0, 3.0]), np.array([2.0, 3.0, 9.0]), np.array([1.0, 1.0, 0.0])
    )
    assert weighted == pytest.approx((1.0, 1.0))


def test_noise_is_half_of_what_does_not_grow_with_the_lag() -> None:
    """Up and down by a hundredth: squares of 0.01 at lag 1 and 3, of 0 at lags 2 and 4."""
    up = float(np.exp(0.1))
    found = seen_volatility(weeks(1, up, 1, up, 1, up))
    # pairs 5, 4, 3, 2: mean of squares (5 + 3) / 14 of a hundredth, and no slope that grows
    assert found.noise == pytest.approx(0.01 * 8 / 14 / 2, rel=0.2) and found.changes == 5
    assert found.sigma == pytest.approx(sqrt(0.03 / 8), rel=0.2)


def test_an_idle_week_counts_as_a_twentieth_of_the_mean() -> None:
    """Of 10, 0 and 10 the mean is 6.67, so that the second counts as a third: 30 times less.

    Squares of ln 30 at lag 1, in 2 pairs, of 0 at lag 2: no slope, a height of two thirds, half of which is noise.
    """
    found = seen_volatility(weeks(10, 0, 10))
    assert (found.noise, found.changes) == (pytest.approx(log(30) ** 2 / 3), 2)
    assert found.sigma == pytest.approx(sqrt(0.03 / 5))


def test_what_the_planner_set_counts_before_the_log() -> None:
    seen = Volatility(sigma=0.2, noise=0.01, changes=5)
    assert in_force(Assumptions(sigma=None), Pool.TRAINING, seen) is seen
    assert in_force(Assumptions(sigma=0.3), Pool.TRAINING, seen) == Volatility(
        sigma=0.3, noise=0.01, changes=5, is_set=True
    )
    assert in_force(Assumptions(sigma=0.3, sigma_burst=0.0), Pool.BURST, seen).sigma == 0.0
    assert [
        source_of(each)
        for each in (
            Volatility(sigma=0.1, noise=0, changes=0),
            seen,
            Volatility(sigma=0.1, noise=0, changes=5, is_set=True),
        )
    ] == ["default", "log", "set"]
    assert "6" in str(source_words(seen))


def test_growth_fades_month_by_month() -> None:
    """10% in the first month, half of it in the next, a quarter in the third."""
    assert grown(0.1, 0.5, 4).tolist() == pytest.approx([1.0, 1.1, 1.1 * 1.05, 1.1 * 1.05 * 1.025])
    assert grown(0.1, 1.0, 3).tolist() == pytest.approx([1.0, 1.1, 1.21])
    assert grown(-0.1, 0.0, 3).tolist() == pytest.approx([1.0, 0.9, 0.9])


@pytest.mark.parametrize(("freedom", "quantile"), [(1, 2.9575), (2, 1.8799), (10, 1.3722)])
def test_the_quantile_of_students_t_is_that_of_the_expansion(freedom: int, quantile: float) -> None:
    """1.2816 + 0.8466 / f + 0.5709 / f^2 + 0.2585 / f^3; tables have 1.3722 at 10 degrees of freedom."""
    assert module.compute_student_90(freedom) == pytest.approx(quantile, abs=1e-4)


def test_growth_is_the_slope_of_weekly_logarithms() -> None:
    """Weeks of 1, e^0.1 ... e^0.4: no error. With weeks of 1, 2, 1, 2, 1 no slope, and the same error on both sides."""
    steady = module.fitted_growth(weeks(*np.exp(0.1 * np.arange(5))))
    month = float(np.exp(0.1 * 730 / WEEK)) - 1
    assert steady is not None and steady.is_clear
    assert (steady.value, steady.low, steady.high) == pytest.approx((month,) * 3)
    flat = module.fitted_growth(weeks(1, 2, 1, 2, 1))
    assert flat is not None and flat.value == pytest.approx(0.0) and not flat.is_clear
    # changes of ln 2 over 1 and 3 weeks, of 0 over 2 and 4: noise alone, of which a line through five weeks leaves
    # 1.9, 1.6, 1.1 and 0.4; 4, 3, 2 and 1 pairs; at^2 adds up to 10, 3 degrees are free
    noise = log(2) ** 2 * (4 * 1.9 + 2 * 1.1) / (4 * 1.9**2 + 3 * 1.6**2 + 2 * 1.1**2 + 0.4**2)
    error = sqrt(noise / 10) * module.compute_student_90(3) * 730 / WEEK
    assert (flat.low, flat.high) == pytest.approx((float(np.exp(-error)) - 1, float(np.exp(error)) - 1))
    assert module.fitted_growth(weeks(1, 2, 0, 2, 1)) is None
    assert module.fitted_growth(weeks(1, 2, 3, 4)) is None  # under 30 days
