"""Volatility of demand: that of each pool and model, of a walk with noise, and the default of a short log."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.volatility import (
    HIGHEST,
    LOWEST,
    PRIOR_SIGMA,
    Volatility,
    seen_volatility,
    source_of,
    source_words,
)
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.uncertainty.separation import separation_of
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, case, contract, offer
from tests.domain.commitment.demand.logs import WEEK, hours, walk

OFFERS = [offer("od", 0, 7.0), offer("y1", 12, 3.0)]


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
