"""Trend of a log: what was put in comes out, and short logs say nothing."""

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.trend import WEEK_HOURS, fitted_growth

MONTH = 730


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


def test_the_range_holds_the_true_growth_in_about_nine_of_ten_noisy_logs() -> None:
    inside = 0
    for seed in range(200):
        found = fitted_growth(growing(0.05, 13, 0.1, seed))
        assert found is not None
        inside += found.low <= 0.05 <= found.high
    assert 165 <= inside <= 200


def test_no_trend_under_thirty_days_nor_where_a_week_is_empty() -> None:
    assert fitted_growth(growing(0.1, 5)[: 720 - 1]) is None
    empty = growing(0.1, 12)
    empty[3 * WEEK_HOURS : 4 * WEEK_HOURS] = 0
    assert fitted_growth(empty) is None
