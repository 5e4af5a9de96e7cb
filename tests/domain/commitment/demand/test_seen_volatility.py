"""Volatility: made walks with and without noise are told apart; short logs keep the prior."""

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.seen_volatility import HIGHEST, LOWEST, PRIOR_SIGMA, seen_volatility

WEEK = 168


def hours(weekly):
    return np.repeat(np.asarray(weekly, dtype=float), WEEK)


def test_a_short_log_keeps_the_prior():
    assert seen_volatility(hours([4, 5])).sigma == PRIOR_SIGMA
    assert seen_volatility(np.zeros(WEEK * 8)).sigma == PRIOR_SIGMA


def test_three_weeks_by_hand():
    # logs 0, a, 0: changes a and -a, mean square a^2 at lag 1 (two pairs), 0 at lag 2 (one pair): the slope is below
    # 0, so all is noise: 2 c = (2 a^2 + 0) / 3
    found = seen_volatility(hours([1, np.e**0.3, 1]))
    assert found.noise == pytest.approx(2 * 0.09 / 3 / 2)
    assert found.sigma == pytest.approx((3 * 0.01 / 5) ** 0.5)
    assert found.changes == 2


def test_level_demand_is_the_prior_shrunk():
    assert seen_volatility(hours([7] * 13)).sigma == pytest.approx((3 * 0.01 / 15) ** 0.5)


def test_it_stays_within_its_range():
    assert seen_volatility(hours([7] * 200)).sigma == LOWEST
    assert seen_volatility(hours(2.0 ** np.arange(12))).sigma == HIGHEST


@pytest.mark.parametrize(("sigma", "noise"), [(0.2, 0.0), (0.2, 0.1), (0.05, 0.2)])
def test_a_walk_with_noise_is_found_on_average(sigma, noise):
    draws = np.random.default_rng(5)
    found = []
    for _ in range(200):
        walk = np.cumsum(draws.normal(0, sigma / 4.345**0.5, 52)) + draws.normal(0, noise, 52)
        found.append(seen_volatility(hours(np.exp(walk))))
    assert np.mean([one.sigma for one in found]) == pytest.approx(sigma, abs=0.04)
    assert np.mean([one.noise for one in found]) == pytest.approx(noise**2, abs=0.006)
