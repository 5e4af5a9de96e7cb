"""Bands: they hold what comes, are tested on the past alone, and no size beside the advice beats it throughout."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.volatility import Volatility
from gpuplanner.domain.commitment.outlook_result import Uncertainty
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.uncertainty import bands
from gpuplanner.domain.commitment.uncertainty.bands import (
    Band,
    Measured,
    band_of,
    draws_of,
    factor_of,
    measured_on,
    past_of,
)
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.commitment.uncertainty.sizes import sizes_beside
from gpuplanner.domain.commitment.words.bands import coverage_words
from gpuplanner.domain.model.tables import Pool
from tests.benchmarks.band_worlds import ANSWER_14, held_share, month_of
from tests.domain.commitment.conftest import Load, audit, case, offer
from tests.oracle.comparison import advice_of
from tests.oracle.new_worlds import new_world, rules_the_engine_has
from tests.some_of import one_in

WEEK = 168
WEEKLY = np.exp(np.cumsum(np.random.default_rng(4).normal(0, 0.05, 20)))


def cost(level, weeks):
    return level * month_of(WEEKLY, weeks)


def test_what_v_is_made_of():
    past = past_of(np.ones(730), None, Volatility(sigma=0.1, noise=0.02, changes=3))
    lag = sum((hour / 730) ** 2 for hour in range(730)) / 730
    assert past.variance(1) == pytest.approx(0.01 * (lag + 1 / 3) + 0.02 / 4)
    assert past.variance(12) == pytest.approx(0.01 * (lag + 4) + 0.02 / 4)


def test_recent_weeks_are_drawn_more_often_and_the_same_ones_every_time():
    past = past_of(np.ones(WEEK * 4), 7.0, Volatility(sigma=0.1, noise=0.0, changes=3))
    assert past.week_weights / past.week_weights[-1] == pytest.approx([1 / 8, 1 / 4, 1 / 2, 1])
    one, again = draws_of(past.week_weights, True, 2), draws_of(past.week_weights, True, 2)
    assert np.array_equal(one.weeks, again.weeks)
    counts = np.bincount(one.weeks.ravel(), minlength=4)
    assert counts / counts[-1] == pytest.approx([1 / 8, 1 / 4, 1 / 2, 1], abs=0.05)


@pytest.mark.parametrize(("is_normal", "p90"), [(False, 1.4759), (True, 1.2816)])
def test_draws_of_the_level_are_even_on_both_sides(is_normal, p90):
    """Tables of Student's t with 5 degrees and of the normal distribution; at random P10 was -1.58, P90 1.31."""
    level = draws_of(np.ones(13), is_normal, 12).level
    assert np.percentile(level, (10, 50, 90)) == pytest.approx([-p90, 0.0, p90], abs=0.01)
    assert level.mean() == pytest.approx(0.0, abs=1e-9) and not np.array_equal(level, np.sort(level))


def test_misses_are_counted_in_half_widths_of_their_side():
    band = Band(low=100.0, middle=200.0, high=800.0)
    assert [band.miss(usd) for usd in (200.0, 100.0, 800.0, 400.0)] == pytest.approx([0.0, 1.0, 1.0, 0.5])
    assert band.wider(2.0) == Band(low=50.0, middle=200.0, high=3200.0)
    assert (band.holds(100.0), band.holds(99.0)) == (True, False)


def test_a_band_is_never_widened_past_what_the_log_showed():
    """1,000 are signed; weeks of 1 and of 90,000 by use."""
    by_use, drawn = np.array([1.0, 1.0, 90_000.0]), draws_of(np.array([5.0, 3.0, 2.0]), False)
    levels = drawn.levels(0.01)

    def cost(level, weeks):
        return 1000 + level * by_use[weeks].mean(axis=1)

    band = band_of(cost(levels, drawn.weeks[:, 0]), levels, 3, cost)
    low, high = np.percentile(levels, (10, 90))
    assert (band.least, band.most) == pytest.approx((1000 + low, 1000 + 90_000 * high))
    wide = band.wider(3.0)
    assert 1000 < wide.low < band.low and band.high < wide.high == band.most
    assert band.wider(0.5).high < band.high and replace(band, most=0.0).wider(3.0).high == band.high


def test_the_factor_is_the_conformal_quantile():
    assert factor_of([9.0, 9.0, 9.0]) == 1.0
    assert factor_of([0.6, 2.0, 0.7, 0.8]) == 2.0
    assert factor_of([0.6, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.3, 2.0]) == pytest.approx(1.3)
    assert (factor_of([0.1] * 9), factor_of([99.0] * 9)) == (0.5, 2.0)


def test_bands_of_the_past_see_nothing_of_what_came():
    """The last week changed: all months that were over before it fell inside as they did."""
    log = np.repeat(WEEKLY, WEEK)
    seen = measured_on(log[: 19 * WEEK], 14.0, None, cost)
    assert seen.folds == 19 - 2 - 4
    later = measured_on(np.concatenate((log[: 19 * WEEK], log[19 * WEEK :] * 50)), 14.0, None, cost)
    assert later.folds == seen.folds + 1
    assert later.inside - seen.inside in (0, 1)


def test_it_says_untested_where_nothing_could_be_tested():
    assert Measured(1.0, 3, 3).coverage is None
    blank = Uncertainty(
        p10_usd_per_month=1,
        p50_usd_per_month=2,
        p90_usd_per_month=3,
        regret_p50_usd_per_month=0,
        regret_p90_usd_per_month=0,
        year_p10_usd=1,
        year_p90_usd=3,
        coverage=None,
        coverage_folds=3,
        resamples=500,
        seed=0,
    )
    assert str(coverage_words(blank)).startswith("untested")
    assert str(
        coverage_words(
            Uncertainty(
                p10_usd_per_month=1,
                p50_usd_per_month=2,
                p90_usd_per_month=3,
                regret_p50_usd_per_month=0,
                regret_p90_usd_per_month=0,
                year_p10_usd=1,
                year_p90_usd=3,
                coverage=7 / 9,
                coverage_folds=9,
                resamples=500,
                seed=0,
            )
        )
    ).startswith("7 of 9 months")


def test_a_band_is_of_the_tenth_the_half_and_nine_tenths():
    usd = np.arange(101.0)
    assert band_of(usd, usd, 3, lambda level, weeks: level + weeks[:, 0]) == Band(
        low=10.0, middle=50.0, high=90.0, least=10.0, most=92.0
    )


@pytest.mark.parametrize("seed", one_in(12, range(3000, 3008)))
def test_no_size_beside_the_advice_beats_it_throughout(seed):
    case = new_world(seed, rules_the_engine_has())
    project, pools, _ = case.on_board
    sizes = outlook(project, case.plan, pools, advice_of(case)).uncertainty.sizes
    for size in sizes[1:]:
        pairs = zip(quantiles(size), quantiles(sizes[0]), strict=True)
        assert not all(one < advised - 1e-6 for one, advised in pairs)


def quantiles(size):
    return size.p10_usd_per_month, size.p50_usd_per_month, size.p90_usd_per_month


@pytest.mark.long
@pytest.mark.parametrize("weeks", [13, 26])
@pytest.mark.parametrize("of_year", [False, True], ids=["month", "year"])
@pytest.mark.parametrize("name", ANSWER_14)
def test_bands_hold_in_four_of_five_worlds(name, of_year, weeks):
    """Known answer 14: 500 worlds, within two standard errors."""
    share = held_share(*ANSWER_14[name], weeks=weeks, worlds=500, of_year=of_year)
    error = 2 * (0.8 * 0.2 / 500) ** 0.5
    assert share >= 0.73 - error
    assert share <= 0.90 + error or name == "weeks 5%"


def test_months_that_fell_well_inside_narrow_no_year(monkeypatch):
    made = case(
        [Load(pool=Pool.TRAINING, gpus=4 * np.repeat(WEEKLY[:6], WEEK))], (), [offer("od", 0, 4.0)], sigma=0.2
    )
    (plan,) = made.project.scenarios
    advice = advise(made.project, plan, made.pools, audit())

    def spreads_of(factor):
        monkeypatch.setattr(bands, "measured_on", lambda *_: Measured(factor, 5, 5))
        band = outlook(made.project, plan, made.pools, advice).uncertainty
        return band.p90_usd_per_month / band.p10_usd_per_month, band.year_p90_usd / band.year_p10_usd

    (month, year), (narrow, same), (wide, wider) = map(spreads_of, (1.0, 0.5, 2.0))
    assert narrow < month < wide
    assert same == year < wider


CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 12}
M1 = 730 * 3.5


def sizes_of(*worlds, offers):
    made = case([Load(pool=pool, gpus=gpus) for pool, gpus in worlds], (), offers, **CALM)
    cache = AdviceCache()
    rows = plan_of(ground_of(made.project, made.project.scenarios[0], made.pools, cache), cache).rows
    return [
        (one.name, one.row.row.pool, one.share.tolist(), one.term_months, one.month_usd, one.expected_usd)
        for one in sizes_beside(rows, ())
    ]


def test_sizes_beside_the_advice_by_hand():
    """8 GPUs are always busy and signed, two more a quarter of the time: a GPU less costs $7 for $3.50 an hour, one
    more $3.50 for a quarter of $7. A quarter of 8 are 2."""
    gpus = [8.0 + 2 * (hour % 4 == 0) for hour in range(400)]
    found = sizes_of((Pool.INFERENCE, gpus), offers=[offer("od", 0, 7.0), offer("m1", 1, 3.5)])
    of = Pool.INFERENCE
    assert found == [
        ("one_less", of, [0] * 7 + [1, 0, 0], 1, M1, M1),
        ("quarter_less", of, [0] * 6 + [1, 1, 0, 0], 1, 2 * M1, 2 * M1),
        ("one_more", of, [0] * 8 + [1, 0], 1, M1, M1 / 2),
        ("quarter_more", of, [0] * 8 + [1, 1], 1, 2 * M1, 2 * M1 / 2),
    ]


def test_sizes_are_of_the_row_that_signs_most_of_the_shortest_term_else_pays_most_by_use():
    offers = [offer("od", 0, 7.0), offer("m1", 1, 3.5), offer("m3", 3, 3.4)]
    some = [2.0 * (hour % 4 == 0) for hour in range(400)]
    most = [2.0 * (hour % 3 == 0) for hour in range(400)]
    found = sizes_of((Pool.INFERENCE, some), (Pool.TRAINING, most), offers=offers)
    assert found == [("one_more", Pool.TRAINING, [1, 0], 1, M1, pytest.approx(M1 - 730 * 7 * 134 / 400))]
    assert sizes_of((Pool.INFERENCE, some), offers=offers[:1]) == []  # nothing to be signed
    signed = sizes_of((Pool.INFERENCE, [2.0] * 400), (Pool.TRAINING, most), offers=offers[:2])
    assert [row[:3] for row in signed] == [("one_less", Pool.INFERENCE, [0, 1])]


def test_dead_demand_is_no_dearer_than_its_peak_around_the_clock():
    """32 GPUs have been gone for nine days: P90 is 32 x 730 x 6.88 at most, with or without factor."""
    gpus = [32.0] * 1940 + [0.0] * 219 + [1.0]

    def p90(closes: bool) -> float:
        made = case(
            [Load(pool=Pool.BURST, gpus=gpus)], (), [offer("od", 0, 6.88)], demand_fall_closes=closes, sigma=0.4,
            recency_half_life_days=None,
        )  # fmt: skip
        scenario = made.project.scenarios[0]
        advice = advise(made.project, scenario, made.pools, audit())
        return outlook(made.project, scenario, made.pools, advice).uncertainty.p90_usd_per_month

    assert p90(True) <= 32 * 730 * 6.88 + 0.01
    assert p90(False) > 32 * 730 * 6.88


def test_the_quantile_of_past_misses_lies_between_two_of_them() -> None:
    """Of seven the place is 0.8 x 8 = 6.4; what is missed without any width counts as twice the width."""
    assert factor_of([0.6, 1.6, 0.7, 0.8, 1.1, 0.9, 1.0]) == pytest.approx(1.1 + 0.4 * 0.5)
    assert factor_of([0.6, float("inf"), 0.7, 0.8, 1.1, 0.9, 1.0]) == pytest.approx(1.1 + 0.4 * 0.9)
    assert factor_of([0.1] * 9) == 0.5


def test_bands_of_a_log_with_a_gap_end_with_the_week_before_each_month():
    """Two weeks are missing in the middle: each band sees what is known before its month, and nothing later."""
    log = np.repeat(WEEKLY, WEEK)
    gap = np.zeros(len(log) + 2 * WEEK, dtype=np.bool_)
    gap[8 * WEEK : 10 * WEEK] = True
    filled = np.insert(log, 8 * WEEK, np.full(2 * WEEK, 7.0))
    seen: list[int] = []

    def watched(hourly, half_life_days, volatility=None, missing=None, end_s=0):
        seen.append(len(hourly))
        assert end_s == 5_000_000 - 3600 * (len(filled) - len(hourly))
        assert missing is None or len(missing) == len(hourly)
        return past_of(hourly, half_life_days, volatility, missing, end_s)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bands, "past_of", watched)
        measured_on(filled, 14.0, None, cost, gap, 5_000_000)
    weeks = [hours // WEEK for hours in seen]
    assert [hours % WEEK for hours in seen] == [0] * len(seen)
    assert weeks == [*range(2, 9), *range(11, 18)]  # five weeks lie ahead of the last
