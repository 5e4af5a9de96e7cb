"""How far demand moves, and where that is read, by hand."""

from math import log, sqrt

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand import weekly_means
from gpuplanner.domain.commitment.demand.volatility import (
    Volatility,
    in_force,
    seen_volatility,
    source_of,
    source_words,
)
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.demand.logs import weeks


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
    found = weekly_means.fit_rising_line(
        np.array([1.0, 2.0]), np.array([log(2) ** 2, 4 * log(2) ** 2]), np.array([2.0, 1.0])
    )
    assert found == (0.0, pytest.approx(slope))
    assert weekly_means.fit_rising_line(np.array([1.0, 2.0]), np.array([3.0, 1.0]), np.ones(2)) == (2.0, 0.0)
    assert weekly_means.fit_rising_line(np.array([1.0, 2.0]), np.array([3.0, 5.0]), np.ones(2)) == (1.0, 2.0)
    weighted = weekly_means.fit_rising_line(
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
