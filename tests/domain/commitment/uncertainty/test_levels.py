"""Levels tried out: month 0 from the hourly curve is what the engine answers to the same levels."""

from itertools import product

import numpy as np
import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.levels import (
    LevelGround,
    level_ground,
    plan_at,
    regret_p90_usd,
    set_levels,
)
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

OFFERS = [
    offer("od", 0, 7.0),
    offer("q1", 3, 4.6),
    offer("y1", 12, 3.9, max_gpus=6),
    offer("y1b", 12, 4.1),
    offer("y3", 36, 3.1),
    offer("late", 36, 2.0, lead_time_hours=2000),
]
HOURS = 700
RANDOM = np.random.default_rng(3)
GPUS = [6.5 + hour % 12 + 5 * float(RANDOM.random() < 0.5) for hour in range(HOURS)]
CONTRACTS = [contract("k1", 4, 3.0, 40, HOURS)]
TRIED = [(0, 0, 0), (3, 0, 0), (2, 5, 1), (0, 9, 0), (40, 3, 2)]


def row(levels: tuple[HandLayer, ...] | None, half_life: float | None = None, block: int = 1) -> PoolPlan:
    scenario = Scenario(
        name="Plan A", hand_layers={} if levels is None else {(Pool.INFERENCE, "H100"): levels}
    )
    of = case(
        [Load(pool=Pool.INFERENCE, gpus=GPUS)],
        CONTRACTS,
        OFFERS,
        scenario,
        recency_half_life_days=half_life,
        block=block,
    )
    (plan,) = advise(of.project, scenario, of.pools, audit()).pools
    return plan


def ground(half_life: float | None = None, block: int = 1, levels: tuple[HandLayer, ...] = ()) -> LevelGround:
    return level_ground(row(None, half_life, block), {}, levels)


def levels_of(y3: int, y1: int, q1: int) -> tuple[HandLayer, ...]:
    return tuple(level for level in (HandLayer(36, y3), HandLayer(12, y1), HandLayer(3, q1)) if level.gpus)


@pytest.mark.parametrize(
    ("sizes", "half_life", "block"), [*product(TRIED, (None, 9.0), (1,)), *product(TRIED, (None,), (4,))]
)
def test_levels_tried_out_are_what_the_engine_answers(
    sizes: tuple[int, int, int], half_life: float | None, block: int
) -> None:
    levels = levels_of(*sizes)
    tried, engine = plan_at(ground(half_life, block, levels), levels), row(levels, half_life, block)
    assert [(x.term_months, x.offer_id, x.gpus, x.existing) for x in tried.layers] == [
        (x.term_months, x.offer_id, x.gpus, x.existing) for x in engine.layers
    ]
    for mine, theirs in zip(tried.layers, engine.layers, strict=True):
        assert mine.utilization == pytest.approx(theirs.utilization, rel=1e-12)
        assert mine.cost_per_month == pytest.approx(theirs.cost_per_month, rel=1e-12)
        assert mine.value_per_month == pytest.approx(theirs.value_per_month, rel=1e-9, abs=1e-6)
    assert tried.cost_per_month == pytest.approx(engine.cost_per_month, rel=1e-12)
    assert (tried.block, tried.by_hand.is_set) == (engine.block, True)


@pytest.mark.parametrize("sizes", [(0, 0, 0), (2, 5, 1), (20, 3, 2)])
def test_levels_tried_out_beside_a_planned_run_leave_it_as_it_is_bought(sizes: tuple[int, int, int]) -> None:
    """A run is bought apart: no level of the log's demand serves it, in the plan as in what is tried."""
    work = PlannedWork(
        name="load-001",
        pool=Pool.INFERENCE,
        gpu_model="H100",
        gpus=3.0,
        cluster="c1",
        team="team",
        length_hours=40,
        every_hours=168,
    )
    loads = [Load(pool=Pool.INFERENCE, gpus=GPUS), Load(pool=Pool.INFERENCE, gpus=[3.0] * HOURS)]

    def of(levels: tuple[HandLayer, ...] | None) -> PoolPlan:
        held = {} if levels is None else {(Pool.INFERENCE, "H100"): levels}
        plan = Scenario(name="Plan A", hand_layers=held, planned=(work,))
        made = case(loads, CONTRACTS, OFFERS, plan, recency_half_life_days=None, block=1)
        (found,) = advise(made.project, plan, made.pools, audit()).pools
        return found

    levels = levels_of(*sizes)
    engine, start = of(levels), of(None)
    tried = plan_at(level_ground(start, {}, levels), levels)
    assert start.apart is not None and start.apart.gpus > 0
    assert set_levels(engine) == set_levels(tried) == levels
    assert [(x.term_months, x.offer_id, x.existing) for x in tried.layers] == [
        (x.term_months, x.offer_id, x.existing) for x in engine.layers
    ]
    for mine, theirs in zip(tried.layers, engine.layers, strict=True):
        assert mine.utilization == pytest.approx(theirs.utilization, rel=1e-9)
        assert mine.cost_per_month == pytest.approx(theirs.cost_per_month, rel=1e-9)
    assert tried.cost_per_month == pytest.approx(engine.cost_per_month, rel=1e-9)


def test_a_level_that_is_sold_by_the_day_alone_renews_to_the_end_of_the_month() -> None:
    """4 GPUs for 30 days at $4.90, renewed: 4 x 730 h x $4.90 = $14,308 a month, in the row as advised and as tried."""
    by_days = offer("d30", 1, 4.9, term_days=30)
    levels = (HandLayer(1, 4),)
    for more, expected in (
        ([by_days], ("d30", 14_308.0)),
        ([by_days, offer("m1", 1, 5.0)], ("m1", 14_600.0)),
    ):
        scenario = Scenario(name="Plan A", hand_layers={(Pool.INFERENCE, "H100"): levels})
        of = case([Load(pool=Pool.INFERENCE, gpus=GPUS)], [], [*OFFERS, *more], scenario)
        (engine,) = advise(of.project, scenario, of.pools, audit()).pools
        tried = plan_at(level_ground(engine, {}, levels), levels)
        for plan in (engine, tried):
            (layer,) = [one for one in plan.layers if one.term_months]
            assert (layer.offer_id, layer.cost_per_month) == (expected[0], pytest.approx(expected[1]))
            assert plan.cost_per_month is not None


def test_the_levels_of_the_advice_give_the_advice_back() -> None:
    advice = row(None)
    again = plan_at(level_ground(advice, {}), set_levels(advice))
    assert again.cost_per_month == pytest.approx(advice.cost_per_month, rel=1e-12)
    assert [layer.gpus for layer in again.layers] == [layer.gpus for layer in advice.layers]


def test_what_other_rows_take_of_an_offer_is_not_there() -> None:
    plan = row(None)
    levels = (HandLayer(12, 7),)
    tried = plan_at(level_ground(plan, {"y1": 4.0}), levels)
    assert [(x.offer_id, x.gpus) for x in tried.layers if x.term_months == 12] == [("y1", 2.0), ("y1b", 5.0)]


def test_a_term_that_nobody_offers_has_no_price() -> None:
    tried = plan_at(ground(), (HandLayer(24, 2),))
    assert tried.cost_per_month is None
    assert regret_p90_usd(ground(), (HandLayer(24, 2),), 24) is None


def test_regret_is_nothing_at_the_best_size_of_a_steady_log_and_grows_away_from_it() -> None:
    steady = case([Load(pool=Pool.INFERENCE, gpus=[8.0] * 700)], (), OFFERS)
    (plan,) = advise(steady.project, steady.project.scenarios[0], steady.pools, audit()).pools
    of = level_ground(plan, {})
    regrets = [regret_p90_usd(of, (HandLayer(36, size),), 36) for size in range(12)]
    assert regrets[8] == pytest.approx(0.0, abs=1e-6)
    assert regrets[9] == pytest.approx(730 * 3.1)  # one idle
    assert regrets[7] == pytest.approx(730 * (7.0 - 3.1))  # one on demand
    assert regrets[11] == pytest.approx(3 * 730 * 3.1)


def test_regret_is_that_of_the_resampled_weeks_drawn_one_by_one() -> None:
    of, levels = ground(), (HandLayer(36, 5), HandLayer(3, 2))
    drawn = np.random.default_rng(0).integers(0, 4, size=(500, 4))
    weekly = of.plan.demand.residual_gpus[-4 * 168 :].reshape(4, 168)
    costs = np.array(
        [
            [
                730 * (3.1 * size + 7.0 * np.maximum(weekly[weeks] - size - 2, 0).mean())
                for size in range(len(of.busy) - 1)
            ]
            for weeks in drawn
        ]
    )
    wanted = np.percentile(costs[:, 5] - costs.min(axis=1), 90)
    assert regret_p90_usd(of, levels, 36) == pytest.approx(wanted, rel=1e-9)


def test_a_log_under_two_weeks_has_no_regret() -> None:
    short = case([Load(pool=Pool.INFERENCE, gpus=GPUS[:300])], (), OFFERS)
    (plan,) = advise(short.project, short.project.scenarios[0], short.pools, audit()).pools
    assert regret_p90_usd(level_ground(plan, {}), set_levels(plan), 36) is None
