"""Volatility in force: the log's of each pool and model, the pooled demand's in one pool, the planner's before both."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.comparison.separation import joint_plan
from gpuplanner.domain.commitment.demand.seen_volatility import PRIOR_SIGMA, seen_volatility
from gpuplanner.domain.commitment.demand.volatility import source_of, source_words
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.result import Volatility
from gpuplanner.domain.model.pool import Pool
from tests.domain.commitment.conftest import Load, case, offer

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
    made = case([Load(Pool.INFERENCE, walk(1)), Load(Pool.TRAINING, walk(2))], (), OFFERS)
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
    made = case([Load(Pool.INFERENCE, walk(1)), Load(Pool.TRAINING, walk(2))], (), OFFERS)
    cache = AdviceCache()
    (joint,) = joint_plan(ground_of(made.project, made.project.scenarios[0], made.pools, cache), cache)
    assert joint.volatility == near(seen_volatility(walk(1) + walk(2)))


def test_a_moved_card_is_planned_as_afresh_to_the_bit():
    made = case(
        [Load(Pool.INFERENCE, walk(1)), Load(Pool.TRAINING, walk(2)), Load(Pool.BURST, walk(3))], (), OFFERS
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
    (row,) = rows_of(case([Load(Pool.INFERENCE, walk(1, 2))], (), OFFERS))
    assert (row.volatility.sigma, source_of(row.volatility)) == (PRIOR_SIGMA, "default")


@pytest.mark.parametrize(
    ("volatility", "source", "words"),
    [
        (Volatility(0.1, 0.0, 12), "log", "read off 13 weeks of the log"),
        (Volatility(0.1, 0.0, 12, True), "set", "set by the planner"),
        (Volatility(0.1, 0.0, 0), "default", "the default: under three weeks of log say nothing of it"),
    ],
)
def test_its_source_is_said(volatility, source, words):
    assert (source_of(volatility), str(source_words(volatility))) == (source, words)
