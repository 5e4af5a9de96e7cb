"""Volatility in force: the log's of each pool and model, the pooled demand's in one pool, the planner's before both."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.commitment import volatility as module
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.uncertainty.outlook import separation_of
from gpuplanner.domain.commitment.volatility import (
    HIGHEST,
    LOWEST,
    PRIOR_SIGMA,
    WEEK_HOURS,
    Volatility,
    after_months,
    fitted_growth,
    grown,
    level_factors,
    seen_volatility,
    source_of,
    source_words,
    steps_of,
    transition,
)
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

# --- Volatility in force: the log's of each pool and model, the pooled demand's in one pool, the
# planner's before both

OFFERS = [offer("od", 0, 7.0), offer("y1", 12, 3.0)]
WEEK = 168


def walk(seed, weeks=8):
    steps = np.random.default_rng(seed).normal(0, 0.08, weeks)
    return np.repeat(np.round(8 * np.exp(np.cumsum(steps)), 3), WEEK)


def near(seen):
    """The same seen in other units: the last digits of a mean may differ."""
    return replace(seen, sigma=pytest.approx(seen.sigma), noise=pytest.approx(seen.noise))


def rows_of(made, **values):
    scenario = replace(made.project.scenarios[0], assumptions=values)
    cache = AdviceCache()
    return plan_of(ground_of(made.project, scenario, made.pools, cache), cache).rows


def test_each_pool_and_model_has_its_own_and_what_is_set_wins():
    made = case([Load(pool=Pool.INFERENCE, gpus=walk(1)), Load(pool=Pool.TRAINING, gpus=walk(2))], (), OFFERS)
    inference, training = rows_of(made)
    assert inference.volatility == near(seen_volatility(walk(1)))
    assert training.volatility == near(seen_volatility(walk(2)))
    assert inference.volatility != training.volatility
    inference, training = rows_of(made, sigma_training=0.2)
    assert (inference.row.market.sigma, training.row.market.sigma) == (
        pytest.approx(seen_volatility(walk(1)).sigma),
        0.2,
    )
    assert {row.row.market.sigma for row in rows_of(made, sigma=0.0)} == {0.0}
    assert rows_of(made, sigma=0.3)[0].volatility.noise == pytest.approx(seen_volatility(walk(1)).noise)


def test_one_pool_has_that_of_the_pooled_demand():
    made = case([Load(pool=Pool.INFERENCE, gpus=walk(1)), Load(pool=Pool.TRAINING, gpus=walk(2))], (), OFFERS)
    cache = AdviceCache()
    ground = ground_of(made.project, made.project.scenarios[0], made.pools, cache)
    (joint,) = separation_of(ground, cache).joint
    assert joint.demand.volatility == near(seen_volatility(walk(1) + walk(2)))


@pytest.mark.parametrize("model", ["H100", None])
def test_who_is_over_when_the_plan_begins_is_in_no_volatility_and_in_no_demand(model):
    loads = [
        Load(pool=Pool.INFERENCE, gpus=walk(1)),
        Load(pool=Pool.INFERENCE, gpus=walk(2), model=model),
        Load(pool=Pool.BURST, gpus=walk(3)),
    ]
    held = [contract("k", 1, 1.0, 0.5, len(walk(1)))]
    made = case(loads, held, OFFERS)
    over = {made.project.workloads[place].key: Spell(None, made.end_s) for place in (1, 2)}
    scenario, cache = replace(made.project.scenarios[0], spells=over), AdviceCache()
    ground = ground_of(made.project, scenario, made.pools, cache)
    (row,) = plan_of(ground, cache).rows
    assert row.volatility == near(seen_volatility(walk(1))) and row.demand_gpus.max() == max(walk(1))
    (joint,) = separation_of(ground, cache).joint
    assert joint.demand.volatility == near(seen_volatility(walk(1)))


def test_a_moved_card_is_planned_as_afresh_to_the_bit():
    made = case(
        [
            Load(pool=Pool.INFERENCE, gpus=walk(1)),
            Load(pool=Pool.TRAINING, gpus=walk(2)),
            Load(pool=Pool.BURST, gpus=walk(3)),
        ],
        (),
        OFFERS,
    )
    scenario, cache = made.project.scenarios[0], AdviceCache()
    plan_of(ground_of(made.project, scenario, made.pools, cache), cache)
    moved = (Pool.TRAINING, *made.pools[1:])
    again = plan_of(ground_of(made.project, scenario, moved, cache), cache).rows
    fresh = plan_of(ground_of(made.project, scenario, moved, AdviceCache()), AdviceCache()).rows
    assert [row.volatility for row in again] == [row.volatility for row in fresh]
    for one, other in zip(again, fresh, strict=True):
        assert np.array_equal(one.row.busy.shares, other.row.busy.shares)


def test_under_three_weeks_it_is_the_default():
    (row,) = rows_of(case([Load(pool=Pool.INFERENCE, gpus=walk(1, 2))], (), OFFERS))
    assert (row.volatility.sigma, source_of(row.volatility)) == (PRIOR_SIGMA, "default")


@pytest.mark.parametrize(
    ("volatility", "source", "words"),
    [
        (Volatility(sigma=0.1, noise=0.0, changes=12), "log", "from 13 log weeks"),
        (Volatility(sigma=0.1, noise=0.0, changes=12, is_set=True), "set", "set by the planner"),
        (Volatility(sigma=0.1, noise=0.0, changes=0), "default", "default: log shorter than three weeks"),
    ],
)
def test_its_source_is_said(volatility, source, words):
    assert (source_of(volatility), str(source_words(volatility))) == (source, words)


# --- Growth: it fades month by month, and without fading it is the old power ---------------------


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


# --- test walk -----------------------------------------------------------------------------------

SIGMAS = st.floats(1e-4, 0.6)


@given(SIGMAS, st.integers(1, 36))
def test_chances_add_up_to_one(sigma: float, months: int) -> None:
    chances = after_months(sigma, months)
    assert (chances >= 0).all()
    assert chances.sum(axis=1) == pytest.approx(np.ones(21), abs=1e-12)


@given(SIGMAS)
def test_the_expected_level_stays_one_away_from_the_edges(sigma: float) -> None:
    expected = transition(sigma) @ level_factors(sigma)
    assert expected[1:-1] == pytest.approx(level_factors(sigma)[1:-1], rel=1e-12)
    assert after_months(sigma, 10)[10] @ level_factors(sigma) == pytest.approx(
        1, rel=1e-12
    )  # ten months reach no edge


def test_the_steps_have_the_volatility_that_was_asked_for() -> None:
    logs = np.log(level_factors(0.1))
    chances = transition(0.1)[10]
    assert chances @ logs**2 == pytest.approx(0.1**2)


def test_at_the_edge_the_outward_step_stays() -> None:
    chances = transition(0.2)
    assert chances[0, 0] == pytest.approx(1 - chances[0, 1])
    assert chances[20, 20] == pytest.approx(1 - chances[20, 19])
    assert chances[20, 19] == pytest.approx(chances[10, 9])


def test_without_volatility_there_is_one_level() -> None:
    assert level_factors(0.0).tolist() == [1.0]
    assert after_months(0.0, 12).tolist() == [[1.0]]


# --- Trend of a log: what was put in comes out, and short logs say nothing -----------------------

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
    around = module.measure_around_line(5)
    assert around.walk.tolist() == pytest.approx([0.76, 68 / 75, 0.54, 0.16])
    assert around.noise.tolist() == pytest.approx([1.9, 1.6, 1.1, 0.4])
    assert around.walk_slope == pytest.approx(0.26)


def test_no_trend_under_thirty_days_nor_where_a_week_is_empty() -> None:
    assert fitted_growth(growing(0.1, 5)[: 720 - 1]) is None
    empty = growing(0.1, 12)
    empty[3 * WEEK_HOURS : 4 * WEEK_HOURS] = 0
    assert fitted_growth(empty) is None


# --- Volatility: made walks with and without noise are told apart; short logs keep the prior -----


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


# --- Steps of demand


@pytest.mark.parametrize(
    ("weekly", "noise", "sizes"),
    [
        ((4, 4, 8, 8), 0.0, [np.log(2)]),
        ((8, 8, 4, 4), 0.0, [np.log(2)]),
        ((4, 4, 5, 5), 0.0, []),  # exactly a quarter more is no step
        ((4, 4, 5.01, 5.01), 0.0, [np.log(5.01 / 4)]),
        ((4, 4, 3, 3), 0.0, []),  # exactly a quarter less is no step
        ((4, 4, 2.99, 2.99), 0.0, [np.log(4 / 2.99)]),
        ((4, 6, 7, 9), 0.0, []),  # not from each of two weeks to each of the next two
        ((4, 5, 7, 9), 0.0, [np.log(63 / 20) / 2]),  # 7 is 40% over 5
        ((9, 7, 5, 4), 0.0, [np.log(63 / 20) / 2]),
        ((4, 4, 8), 0.0, []),  # one week after is not enough
        ((4, 8, 8, 8), 0.0, []),  # one week before is not enough
        ((4, 4, 8, 8, 16, 16), 0.0, [np.log(2), np.log(2)]),
        ((4, 4, 8, 8, 8, 16, 16), 0.0, [np.log(2), np.log(2)]),
        # two standard deviations of the difference of two weeks: 2 sqrt(2 x 0.0625) = 0.7071, and ln 2 = 0.6931
        ((4, 4, 8, 8), 0.0625, []),
        ((8, 8, 4, 4), 0.0625, []),
        ((4, 4, 8, 8), 0.06, [np.log(2)]),  # 0.6928
        ((8, 8, 4, 4), 0.06, [np.log(2)]),
    ],
)
def test_a_step_is_over_a_quarter_and_over_the_noise(
    weekly: tuple[float, ...], noise: float, sizes: list[float]
) -> None:
    hourly = np.repeat(np.array(weekly, dtype=float), WEEK_HOURS)
    assert steps_of(hourly, noise) == pytest.approx(sizes)
