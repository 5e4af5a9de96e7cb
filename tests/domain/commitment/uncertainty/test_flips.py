"""Flip points: on both sides of a flip the plan is worked out again, and says what the flip says."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, Largest, flip_points, flip_sentence
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Case, Load, case, offer

OFFERS = [offer("od", 0, 7.0), offer("m1", 1, 3.5), offer("y1", 12, 3.0), offer("y3", 36, 2.5)]
GPUS = [float(4 + hour % 6) for hour in range(600)]


def largest(made: Any, name: str, value: float) -> int:
    scenario = replace(made.project.scenarios[0], assumptions={name: value})
    cache = AdviceCache()
    (one,) = plan_of(ground_of(made.project, scenario, made.pools, cache), cache).rows
    terms = one.term_now.tolist()
    return max({0, *terms}, key=lambda term: (terms.count(term) if term else 0, term))


@cache
def flipping() -> tuple[Case, tuple[FlipPoint, ...]]:
    made = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], (), OFFERS)
    return made, flip_points(made.project, made.project.scenarios[0], made.pools)


def test_each_flip_is_one() -> None:
    made, points = flipping()
    assert points
    for point in points:
        outwards = 1 if point.at > point.value else -1
        assert largest(made, point.assumption, point.value) == point.today.term
        assert largest(made, point.assumption, point.at) == point.there.term != point.today.term
        assert largest(made, point.assumption, point.at - outwards * 0.004) == point.today.term


def test_slower_falling_prices_lengthen_the_largest_layer() -> None:
    _, points = flipping()
    slower = next(point for point in points if point.assumption == "delta" and point.at < point.value)
    assert slower.there.term > slower.today.term


def test_nothing_flips_where_the_planner_set_the_layers_or_cancelled() -> None:
    hand = Scenario(name="Plan A", hand_layers={(Pool.INFERENCE, "H100"): (HandLayer(12, 2),)})
    made = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], (), OFFERS, hand)
    assert flip_points(made.project, hand, made.pools) == ()
    free = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], (), OFFERS)
    assert flip_points(free.project, free.project.scenarios[0], free.pools, None, lambda: True) == ()


@pytest.mark.parametrize(
    ("now", "at", "said"),
    [
        (0.02, 0.0312, "3.1%"),
        (0.02, 0.0203125, "2.03%"),
        (0.02, 0.02001, "2.001%"),
        (0.0, -0.00875, "\u22120.9%"),
        (0.01, 0.0103125, "1.03%"),
    ],
)
def test_a_value_is_told_from_the_one_in_force(now: float, at: float, said: str) -> None:
    point = FlipPoint(
        assumption="delta",
        pool=Pool.INFERENCE,
        gpu_model="H100",
        value=now,
        at=at,
        today=Largest(0, 0.0),
        there=Largest(36, 1.0),
    )
    sentence = str(flip_sentence(point, is_named=False))
    assert f" {said} per month" in sentence and "36-month" in sentence and "1 GPU" in sentence


@pytest.mark.parametrize(
    ("begin", "end", "said"),
    [
        ((12, 17.0), (3, 14.0), "the largest layer is 3-month (14 GPUs), not 12-month (17)"),
        ((12, 17.0), (0, 0.0), "the 12-month layer of 17 GPUs is no longer worth it"),
        ((0, 0.0), (3, 4.0), "a 3-month layer of 4 GPUs becomes worth it"),
    ],
)
def test_a_flip_in_words(begin: tuple[int, float], end: tuple[int, float], said: str) -> None:
    point = FlipPoint(
        assumption="delta",
        pool=Pool.INFERENCE,
        gpu_model="H100",
        value=0.02,
        at=0.0312,
        today=Largest(*begin),
        there=Largest(*end),
    )
    assert str(flip_sentence(point)).startswith("Inference, H100: ")
    assert str(flip_sentence(point)).endswith(f" 3.1% per month {said}")


def test_a_volatility_that_nobody_set_flips_from_the_one_that_the_log_shows() -> None:
    offers = [offer("od", 0, 7.0), offer("m1", 1, 5.0), offer("y1", 12, 4.0), offer("y3", 36, 3.6)]
    weeks = np.exp(np.cumsum(np.random.default_rng(3).normal(0, 0.03, 6)))
    made = case([Load(pool=Pool.INFERENCE, gpus=np.tile(GPUS[:168], 6) * np.repeat(weeks, 168))], (), offers)
    scenario = made.project.scenarios[0]
    cache = AdviceCache()
    (row,) = plan_of(ground_of(made.project, scenario, made.pools, cache), cache).rows
    assert row.volatility.sigma not in (0.1, 0.03)
    points = [
        one for one in flip_points(made.project, scenario, made.pools, cache) if one.assumption == "sigma"
    ]
    assert points
    assert {one.value for one in points} == {row.volatility.sigma}
