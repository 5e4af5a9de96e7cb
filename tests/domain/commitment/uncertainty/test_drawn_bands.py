"""Bands, their misses and the draws that they come from, by hand."""

from dataclasses import replace
from math import exp, inf, log, sqrt
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.demand.volatility import NO_VOLATILITY
from gpuplanner.domain.commitment.uncertainty import bands
from gpuplanner.domain.commitment.uncertainty.bands import (
    Band,
    Draws,
    Measured,
    Past,
    band_of,
    draws_of,
    factor_of,
    measured_on,
    past_of,
)
from tests.domain.commitment.uncertainty.small_rows import WEEK


def test_a_band_is_widened_in_logarithms_but_not_beyond_what_is_known() -> None:
    """50 to 100 to 400: twice as wide it is 25 to 1,600, half as wide 71 to 200."""
    band = Band(low=50.0, middle=100.0, high=400.0, least=0.0, most=inf)
    wide, narrow = band.wider(2.0), band.wider(0.5)
    assert (wide.low, wide.middle, wide.high) == pytest.approx((25.0, 100.0, 1600.0))
    assert (narrow.low, narrow.high) == pytest.approx((100 * sqrt(0.5), 200.0))
    held = replace(band, least=40.0, most=1000.0).wider(2.0)
    assert (held.low, held.high) == (40.0, 1000.0)
    inside = replace(band, least=60.0, most=300.0).wider(2.0)  # never narrower than it was for it
    assert (inside.low, inside.high) == (50.0, 400.0)
    for nothing in (0.0, -1.0):
        none = replace(band, low=nothing)
        assert none.wider(2.0) is none


@pytest.mark.parametrize(
    ("usd", "miss"),
    [
        (400.0, 1.0),
        (1600.0, 2.0),
        (200.0, 0.5),
        (50.0, 1.0),
        (25.0, 2.0),
        (100.0, 0.0),
        (100.004, 0.0),
        (0.0, 0.0),
        (-5.0, 0.0),
    ],
)
def test_a_miss_is_told_in_half_widths_of_its_side(usd: float, miss: float) -> None:
    assert Band(low=50.0, middle=100.0, high=400.0).miss(usd) == pytest.approx(miss)


def test_a_side_without_width_is_missed_by_infinitely_much() -> None:
    assert (
        Band(low=100.0, middle=100.0, high=100.0).miss(101.0) == inf
        and Band(low=100.0, middle=100.0, high=100.0).miss(99.0) == inf
    )
    assert Band(low=100.0, middle=100.0, high=200.0).miss(150.0) == pytest.approx(log(1.5) / log(2))
    assert Band(low=0.0, middle=100.0, high=200.0).miss(150.0) == 0.0


@pytest.mark.parametrize(
    ("usd", "holds"), [(0.995, True), (0.994, False), (3.005, True), (3.006, False), (2.0, True)]
)
def test_a_band_holds_to_the_half_cent(usd: float, holds: bool) -> None:
    assert Band(low=1.0, middle=2.0, high=3.0).holds(usd) is holds


def test_a_band_is_of_its_draws_and_may_be_widened_to_the_extreme_weeks() -> None:
    """Levels 0 to 100, $ twice that; weeks cost 1, 2 and 3 for each level."""

    def cost(level: Any, weeks: Any) -> Any:
        assert weeks.shape == (3, 5) and (weeks == weeks[:, :1]).all()
        return level * (weeks[:, 0] + 1)

    levels = np.arange(101.0)
    band = band_of(2 * levels, levels, 3, cost)
    assert (band.low, band.middle, band.high, band.least, band.most) == (20.0, 100.0, 180.0, 10.0, 270.0)


@pytest.mark.parametrize(
    ("scores", "factor"),
    [
        ([9.0] * 3, 1.0),
        ([0.1] * 4, 0.5),
        ([inf] * 9, 2.0),
        # the 80% quantile of four lies at place 0.8 x 5 = 4
        ([0.6, 0.7, 0.8, 1.5], 1.5),
        # of nine at place 8
        ([0.1] * 7 + [1.2, 1.9], 1.2),
    ],
)
def test_the_factor_is_the_quantile_of_past_misses_between_a_half_and_two(
    scores: list[float], factor: float
) -> None:
    assert factor_of(scores) == pytest.approx(factor)


def test_coverage_is_told_from_four_months_on() -> None:
    assert Measured(1.0, 3, 4).coverage == 0.75
    assert Measured(1.0, 3, 3).coverage is None


def test_levels_of_draws_have_the_mean_of_one() -> None:
    """exp(sqrt(v) z - v / 2) with v = 4: e^(2 z - 2)."""
    draws = Draws(np.zeros((3, 1, 5), np.int64), np.array([0.0, 1.0, -1.0]))
    assert draws.levels(4.0).tolist() == pytest.approx([exp(-2), 1.0, exp(-4)])
    assert draws.levels(0.0).tolist() == [1.0, 1.0, 1.0]


def test_weeks_are_drawn_by_their_weight() -> None:
    drawn = draws_of(np.array([0.0, 3.0, 1.0]), True, 2)
    assert drawn.weeks.shape == (500, 2, 5) and drawn.level.shape == (500,)
    shares = np.bincount(drawn.weeks.ravel(), minlength=3) / drawn.weeks.size
    assert shares[0] == 0.0 and abs(shares[1] - 0.75) < 0.03
    normal, student = (np.abs(draws_of(np.ones(2), flag).level).max() for flag in (True, False))
    assert normal < 4.5 < student  # Student's t with five degrees has longer tails


def test_variance_grows_with_the_months_ahead_and_the_weight_of_single_weeks() -> None:
    """Weights of a quarter and three quarters: squares of 0.625. 0.2^2 x (0.5 + 3 / 3) + 0.1 x 0.625."""
    past = Past(np.array([1.0, 3.0]), 0.5, replace(NO_VOLATILITY, sigma=0.2, noise=0.1))
    assert past.variance(3) == pytest.approx(0.04 * 1.5 + 0.0625)


def test_the_past_has_the_weights_of_its_last_whole_weeks() -> None:
    """Two weeks and three hours, all alike: the lag is the sum of (k / n)^2, about a third of the log."""
    hours = 2 * WEEK + 3
    past = past_of(np.ones(hours), None, NO_VOLATILITY)
    assert past.week_weights.tolist() == pytest.approx([WEEK / hours] * 2)
    expected = sum((k / hours) ** 2 for k in range(hours)) / 730
    assert past.lag_months == pytest.approx(expected)
    assert past.volatility is NO_VOLATILITY
    recent = past_of(np.ones(hours), 3.5, NO_VOLATILITY)
    assert recent.week_weights[1] / recent.week_weights[0] == pytest.approx(4.0)  # two half lives
    missing = np.zeros(hours, np.bool_)
    missing[3 : 3 + WEEK] = True
    assert past_of(np.ones(hours), None, NO_VOLATILITY, missing).week_weights.tolist() == pytest.approx(
        [WEEK / (WEEK + 3)]
    )
    assert past_of(np.ones(hours), None).volatility.sigma == 0.1  # too short to show any


def test_past_bands_are_held_against_what_came() -> None:
    """Ten weeks; a band needs two weeks behind it and five ahead: origins 2, 3, 4 and 5, each with no width."""
    asked: list[int] = []
    drawn: list[int] = []

    def cost(level: Any, weeks: Any) -> Any:
        asked.append(int(weeks.max()))
        drawn.extend([int(weeks.max())] * (len(weeks) == 500))
        return level * 10.0

    hourly = np.ones(10 * WEEK)
    found = measured_on(hourly, None, NO_VOLATILITY, cost)
    assert (found.folds, found.inside, found.factor) == (4, 4, 0.5)
    assert max(asked) == 9 and drawn == [1, 2, 3, 4]  # of all weeks before each, and of no other
    assert measured_on(hourly[: 6 * WEEK], None, NO_VOLATILITY, cost).folds == 0
    assert measured_on(hourly[: 7 * WEEK], None, NO_VOLATILITY, cost).folds == 1
    assert measured_on(np.ones(60 * WEEK), None, NO_VOLATILITY, cost).folds == 26
    missing = np.zeros(10 * WEEK, np.bool_)
    missing[:WEEK] = True
    assert measured_on(hourly, None, NO_VOLATILITY, cost, missing).folds == 3


@pytest.mark.parametrize(("weeks", "inside"), [(14, 0), (15, 1), (16, 2)])
def test_a_month_is_held_against_misses_that_were_known_before_it(
    weeks: int, inside: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every month comes to 400, two half-widths over the band. Months from week 10 on know four of weeks 2 to 5, which
    are five weeks long: their bands are twice as wide.
    """
    monkeypatch.setattr(bands, "band_of", lambda *_: Band(low=50.0, middle=100.0, high=200.0))
    found = measured_on(
        np.ones(weeks * WEEK), None, NO_VOLATILITY, lambda level, _: np.full(len(level), 400.0)
    )
    assert (found.folds, found.inside, found.factor) == (weeks - 6, inside, 2.0)
