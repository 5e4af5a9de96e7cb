"""Bands, their misses and draws, and levels tried out beside the advice, by hand."""

from dataclasses import replace
from math import exp, inf, log, sqrt
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import Slicing
from gpuplanner.domain.commitment.demand.volatility import NO_VOLATILITY
from gpuplanner.domain.commitment.outlook_result import LevelCost, LevelValues
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import plan_of
from gpuplanner.domain.commitment.result import Flex, SliceRun
from gpuplanner.domain.commitment.uncertainty import levels
from gpuplanner.domain.commitment.uncertainty.levels import (
    Band,
    Draws,
    LevelGround,
    Measured,
    Past,
    UseCost,
    UseCosts,
    band_of,
    cost_of_levels,
    cost_of_row,
    draws_of,
    factor_of,
    level_ground,
    level_values,
    measured_on,
    past_of,
    plan_at,
    regret_p90_usd,
    screening_of,
    values_of_row,
)
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.plan_inputs import HandLayer, PlannedWork, Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.domain.commitment.conftest import Load, audit, case, contract, offer

WEEK = 168
KEY = (Pool.INFERENCE, "H100")
STANDARD = PricingCategory.STANDARD


# --- Bands


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


# --- Draws, and the past that they are drawn from


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
    monkeypatch.setattr(levels, "band_of", lambda *_: Band(low=50.0, middle=100.0, high=200.0))
    found = measured_on(
        np.ones(weeks * WEEK), None, NO_VOLATILITY, lambda level, _: np.full(len(level), 400.0)
    )
    assert (found.folds, found.inside, found.factor) == (weeks - 6, inside, 2.0)


# --- What use costs in drawn weeks


def test_use_of_drawn_weeks_lies_between_its_levels() -> None:
    """Two weeks: 10 and 20 at level 1, twice that at level 2. A month is four weeks and 58 hours' share of a fifth."""
    cost = UseCost(np.array([1.0, 2.0]), np.array([[10.0, 20.0], [20.0, 40.0]]))
    weeks = np.array([[0, 0, 0, 0, 0], [1, 1, 1, 1, 1], [0, 1, 0, 1, 1]])
    low = [10.0, 20.0, (60 * 168 + 20 * 58) / 730]
    assert cost.at(np.ones(3), weeks).tolist() == pytest.approx(low)
    assert cost.at(np.full(3, 1.5), weeks).tolist() == pytest.approx([1.5 * usd for usd in low])
    assert cost.at(np.array([0.1, 9.0, 2.0]), weeks).tolist() == pytest.approx(
        [low[0], 2 * low[1], 2 * low[2]]
    )
    assert replace(cost, most=10.0).at(np.ones(3), weeks).tolist() == pytest.approx([low[0], 10.0, 10.0])


def use_costs(hours: int = 2 * WEEK, **values: Any) -> tuple[UseCosts, Any]:
    """4 GPUs in the first week and 6 in the second, of which a contract serves 1 and 3 are signed for a year."""
    gpus = [4.0] * WEEK + [6.0] * (hours - WEEK)
    scenario = Scenario(name="A", hand_layers={KEY: (HandLayer(12, 3),)}, **values)
    offers = [offer("od", 0, 5.0), offer("y1", 12, 2.0)]
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=gpus)],
        [contract("k", 1, 1.0, 40, hours)],
        offers,
        scenario,
        sigma=0.0,
        delta=0.5,
    )
    ground = ground_of(made.project, scenario, made.pools, AdviceCache())
    planned = plan_of(ground, AdviceCache())
    return UseCosts(ground, planned.rows, np.array([1.0, 2.0]), 2), planned.rows[0]


def test_what_layers_leave_to_use_is_priced_week_by_week() -> None:
    """Of 4 GPUs contract and level serve all; of 6 two are left: $7,300. At level 2 four and eight are."""
    costs, row = use_costs()
    layers = costs.of_layers(row)
    assert layers.weekly.tolist() == [pytest.approx([0.0, 7300.0]), pytest.approx([4 * 3650.0, 8 * 3650.0])]
    assert costs.by_use(row, 0).weekly.tolist() == layers.weekly.tolist()
    # at that month's prices, but their fall
    assert costs.by_use(row, 1).weekly.tolist() == layers.weekly.tolist()
    share = np.array([0.0, 0.0, 0.0, 0.5, 0.5, 0.0])  # the contract ends one day: six slices
    assert costs.of_slices(row, 0, share).weekly.tolist() == [
        pytest.approx([0.0, 3650.0]),
        pytest.approx([3650.0, 3650.0]),
    ]
    assert costs.rows == [row] or costs.rows == (row,)


def test_slices_are_paid_by_use_for_what_orders_and_a_budget_leave_of_a_part() -> None:
    """Parts of 100 and 200 hours: 25 and 50 are held, of the second 100 denied."""
    edges_s = np.array([0, 100, 300]) * 3600
    listed = SimpleNamespace(
        held_h=np.array([[25.0, 0.0], [50.0, 200.0]]), edges_s=edges_s, parts_of=lambda _: slice(0, 2)
    )
    row: Any = SimpleNamespace(listed=listed, denied_h=None, row=SimpleNamespace(held=None))
    assert levels.compute_open_share(row, 0).tolist() == [[0.75, 1.0], [0.75, 0.0]]
    row.denied_h = np.array([[0.0, 100.0], [100.0, 100.0], [9.0, 9.0]])
    assert levels.compute_open_share(row, 0).tolist() == [[0.75, 0.0], [0.25, 0.0]]
    row.row.held = np.array([[False, False], [True, False], [False, True]])  # by orders that were placed
    assert levels.compute_open_share(row, 0).tolist() == [[0.75, 0.0], [0.0, 0.0]]


def test_use_of_what_fell_comes_to_no_more_than_its_peak() -> None:
    row: Any = SimpleNamespace(fall=object(), demand_gpus=np.array([1.0, 4.0, 2.0]))
    assert levels.compute_most_usd(row, 5.0) == 730 * 4 * 5
    assert levels.compute_most_usd(row, 0.0) == inf
    row.fall = None
    assert levels.compute_most_usd(row, 5.0) == inf


# --- Levels tried out


def row_of(levels: Any = None, offers: Any = None, loads: Any = None, **values: Any) -> Any:
    hand = {} if levels is None else {KEY: levels}
    scenario = Scenario(name="A", hand_layers=hand, planned=values.pop("planned", ()))
    rates = offers or [offer("od", 0, 6.0), offer("y1", 12, 2.0, max_gpus=3), offer("y1b", 12, 3.0)]
    held = values.pop("contracts", ())
    made = case(
        loads or [Load(pool=Pool.INFERENCE, gpus=[5.0] * 400)], held, rates, scenario, sigma=0.0, **values
    )
    project = replace(made.project, mappings=(ModelMapping("H100", "H200", 1.6),))
    (plan,) = advise(project, scenario, made.pools, audit()).pools
    return plan


def tried(ground: LevelGround, *levels: HandLayer) -> list[tuple[Any, ...]]:
    return [
        (item.term_months, item.offer_id, item.gpus, item.busy_gpus)
        for item in plan_at(ground, levels).layers
    ]


def test_levels_tried_out_are_served_from_the_bottom() -> None:
    ground = level_ground(row_of(), {})
    assert tried(ground, HandLayer(12, 4)) == [
        (12, "y1", 3.0, 3.0),
        (12, "y1b", 1.0, 1.0),
        (0, "od", 1.0, 1.0),
    ]
    assert tried(ground, HandLayer(12, 7)) == [(12, "y1", 3.0, 3.0), (12, "y1b", 4.0, 2.0)]
    assert tried(ground, HandLayer(6, 2)) == [(6, None, 2.0, 2.0), (0, "od", 3.0, 3.0)]
    assert tried(ground) == [(0, "od", 5.0, 5.0)]
    assert tried(level_ground(row_of(), {"y1": 2.5}), HandLayer(12, 2)) == [
        (12, "y1b", 2.0, 2.0),
        (0, "od", 3.0, 3.0),
    ]
    assert tried(level_ground(row_of(), {"y1": 9.0}), HandLayer(12, 2))[0][1] == "y1b"
    plan = plan_at(ground, (HandLayer(12, 4),))
    runs = [
        (run.first_slice, run.last_slice, run.term_months, run.rate_usd_per_gpu_hour) for run in plan.runs
    ]
    assert runs == [(1, 3, 12, 2.0), (4, 4, 12, 3.0), (5, 5, 0, 6.0)]
    assert plan.cost_per_month == pytest.approx(730 * (3 * 2 + 3 + 6)) and plan.by_hand.is_set
    full = plan_at(ground, (HandLayer(12, 5),))
    assert [run.term_months for run in full.runs] == [12, 12]


def test_levels_of_a_mapped_offer_are_in_gpus_of_the_row() -> None:
    """Two H200 do the work of 3.2 H100, so three whole GPUs; in blocks of 2 only two."""
    big = offer("big", 12, 3.2, gpu_model="H200", max_gpus=2)
    rates = [offer("od", 0, 6.0), big, offer("y1b", 12, 3.0)]
    assert [item[:3] for item in tried(level_ground(row_of(offers=rates), {}), HandLayer(12, 4))][:2] == [
        (12, "big", 3.0),
        (12, "y1b", 1.0),
    ]
    two = level_ground(row_of(offers=rates, block=2), {})
    assert (two.unit, [item[:3] for item in tried(two, HandLayer(12, 4))][:2]) == (
        2,
        [(12, "big", 2.0), (12, "y1b", 2.0)],
    )
    exactly = [offer("od", 0, 6.0), replace(big, max_gpus=5), offer("y1b", 12, 3.0)]
    assert tried(level_ground(row_of(offers=exactly), {}), HandLayer(12, 8))[0][:3] == (12, "big", 8.0)


def test_finer_levels_make_finer_units() -> None:
    plan = row_of(block=4)
    assert level_ground(plan, {}, (HandLayer(12, 4),)).unit == 4
    fine = level_ground(plan, {}, (HandLayer(12, 6), HandLayer(3, 4)))
    # 5 GPUs are two blocks of 4, which is four units of 2; the levels are five
    assert (fine.unit, fine.busy.tolist()) == (2, [1.0, 1.0, 0.5, 0.0, 0.0])
    assert level_ground(plan, {}).busy.tolist() == [1.0, 0.25]


def test_terms_sold_by_the_month_go_before_those_of_days() -> None:
    rates = [offer("od", 0, 6.0), offer("d90", 3, 1.0, term_days=90), offer("m3", 3, 4.0, max_gpus=2)]
    found = tried(level_ground(row_of(offers=rates), {}), HandLayer(3, 3))
    assert [item[:3] for item in found[:2]] == [(3, "m3", 2.0), (3, "d90", 1.0)]


def test_runs_stand_above_levels_that_are_tried() -> None:
    """A run of 2 GPUs for 73 h is paid at $6 like the rest, so that it is in its layer."""
    work = PlannedWork(
        name="load-001",
        pool=Pool.INFERENCE,
        gpu_model="H100",
        gpus=2.0,
        cluster="c1",
        team="team",
        length_hours=73,
    )
    plan = row_of(
        planned=(work,),
        loads=[Load(pool=Pool.INFERENCE, gpus=[5.0] * 400), Load(pool=Pool.INFERENCE, gpus=[2.0] * 400)],
    )
    ground = level_ground(plan, {})
    found = tried(ground, HandLayer(12, 4))
    assert found[-1] == (0, "od", 3.0, pytest.approx(1.2))
    assert tried(ground, HandLayer(12, 5))[-1] == (0, "od", 2.0, pytest.approx(0.2))
    apart = replace(plan, flex=replace(plan.flex, rate=7.0))
    above = tried(level_ground(apart, {}), HandLayer(12, 4))
    assert above[-2:] == [(0, "od", 1.0, 1.0), (0, "od", 2.0, pytest.approx(0.2))]


def test_regret_is_what_the_best_size_would_save() -> None:
    """5 GPUs at all hours: each too few costs $6 - $2, each too many $2, a month of 730 h."""
    rates = [offer("od", 0, 6.0), offer("y1", 12, 2.0), offer("m6", 6, 3.0)]
    ground = level_ground(row_of(offers=rates), {})
    usd = [regret_p90_usd(ground, (HandLayer(12, gpus),), 12) for gpus in (0, 3, 5, 6)]
    assert usd == pytest.approx([5 * 4 * 730, 2 * 4 * 730, 0.0, 2 * 730])
    beside = (HandLayer(12, 1), HandLayer(6, 2))
    assert regret_p90_usd(ground, beside, 12) == pytest.approx(2 * 4 * 730)  # three are wanted beside two
    assert regret_p90_usd(ground, beside, 6) == pytest.approx(2 * 3 * 730)
    assert regret_p90_usd(ground, (), 12) == pytest.approx(5 * 4 * 730)
    assert regret_p90_usd(ground, beside, 24) is None
    unsold = replace(ground, plan=replace(ground.plan, flex=replace(ground.plan.flex, rate=None)))
    assert regret_p90_usd(unsold, beside, 12) is None
    assert (
        level_ground(row_of(loads=[Load(pool=Pool.INFERENCE, gpus=[5.0] * (2 * WEEK - 1))]), {}).above is None
    )


def test_missing_hours_are_in_no_resample() -> None:
    """Of three weeks one weighs nothing."""
    plan = row_of(loads=[Load(pool=Pool.INFERENCE, gpus=[9.0] * WEEK + [5.0] * 2 * WEEK)])
    weights = np.array([0.0] * WEEK + [1.0] * 2 * WEEK) / (2 * WEEK)
    ground = level_ground(replace(plan, demand=replace(plan.demand, weights=weights)), {})
    assert ground.above is not None
    assert ground.above[0].tolist() == pytest.approx([5.0, 4.0, 3.0, 2.0, 1.0] + [0.0] * 5)
    assert ground.busy.tolist() == pytest.approx([1.0] * 5 + [0.0] * 4)


# --- What levels cost over the horizon


def values(**more: Any) -> LevelValues:
    """Three slices: by use 30, 20 and 10 in month 0, then 300, 200 and 100; a year is paid for 10 months."""
    base = LevelValues(
        pool=Pool.INFERENCE,
        gpu_model="H100",
        slicing=Slicing(2, 3),
        horizon_months=24,
        churn=0.01,
        use_prices=(1.0,),
        paid_months={12: 10.0},
        extra_usd={12: np.array([1.0, 1.0, 1.0])},
        after_usd={12: np.array([5.0, 5.0, 5.0])},
        by_use_usd=np.array([30.0, 20.0, 10.0]),
        wait_usd=np.array([300.0, 200.0, 100.0]),
        advised_usd=np.array([50.0, 50.0, 50.0]),
        advised_month_usd=np.array([7.0, 7.0, 7.0]),
    )
    return replace(base, **more)


def planned(*runs: SliceRun, slicing: Slicing = Slicing(2, 3)) -> Any:  # noqa: B008  # it does not change
    return SimpleNamespace(runs=runs, slicing=slicing, pool=Pool.INFERENCE, gpu_model="H100")


def test_levels_cost_their_term_and_what_follows_beside_the_advice() -> None:
    """A year of 2 slices of 2 GPUs at $1: $2,920 a month, for ten; the third slice pays by use."""
    found = cost_of_levels(planned(SliceRun(1, 2, 12, 1.0), SliceRun(3, 3, 0, 6.0)), values())
    assert found is not None
    year = LevelCost(12, 4.0, 2920.0 - 14.0, 29_200.0 + 2 + 10 - 100.0)
    use = LevelCost(0, 2.0, 10.0 - 7.0, 110.0 - 50.0)
    assert found.levels == (year, use)
    assert (found.horizon_months, found.month_0_usd, found.usd) == (
        24,
        year.month_0_usd + 3.0,
        year.usd + 60.0,
    )
    # two runs of one term are one level
    both = cost_of_levels(
        planned(SliceRun(1, 1, 12, 1.0), SliceRun(2, 2, 12, 1.0), SliceRun(3, 3, 0, 6.0)), values()
    )
    assert both is not None and both.levels == found.levels


@pytest.mark.parametrize(
    ("runs", "more"),
    [
        ((SliceRun(1, 1, 12, None),), {}),
        ((SliceRun(1, 1, 6, 1.0),), {}),  # a term without values
        ((SliceRun(1, 1, 12, 1.0),), {"slicing": Slicing(1, 3)}),
        ((SliceRun(1, 3, 12, 1.0),), {"slicing": Slicing(2, 2, 1)}),  # into what grows wider
        ((SliceRun(1, 1, 12, 1.0), SliceRun(2, 3, 12, 1.0)), {"slicing": Slicing(2, 2, 1)}),
    ],
)
def test_levels_of_other_slices_or_without_a_rate_have_no_cost(runs: Any, more: Any) -> None:
    assert cost_of_levels(planned(*runs), values(**more)) is None


def test_levels_within_even_slices_have_a_cost() -> None:
    grown = values(slicing=Slicing(2, 2, 1))
    assert cost_of_levels(planned(SliceRun(1, 2, 12, 1.0), SliceRun(3, 3, 0, 1.0)), grown) is not None
    assert cost_of_levels(planned(), values()) is not None


def test_values_are_found_by_pool_and_model() -> None:
    other, own = values(gpu_model="A100"), values()
    row = planned(SliceRun(1, 3, 0, 6.0))
    assert values_of_row(row, [other, own]) is own
    assert values_of_row(row, [other]) is None and cost_of_row(row, [other]) is None
    assert cost_of_row(row, [other, own]) == cost_of_levels(row, own)


def of_row(hours: int, offers: Any, **more: Any) -> Any:
    scenario = Scenario(name="A")
    made = case([Load(pool=Pool.INFERENCE, gpus=[3.0] * hours)], (), offers, scenario, **more)
    plan = plan_of(ground_of(made.project, scenario, made.pools, AdviceCache()), AdviceCache())
    return level_values(plan, hours, AdviceCache())


CALM = {"sigma": 0.0, "lambda_": 0.0, "delta": 0.0, "wacc": 0.0, "horizon_months": 24}


def test_values_of_a_calm_row_are_its_rates_times_months() -> None:
    """$6 by use, $2 for a year: $1,460 a month for 24 months as advised, or $4,380 once and 23 more."""
    (found,) = of_row(
        400, [offer("od", 0, 6.0), offer("y1", 12, 2.0), offer("y3", 36, 1.9, max_gpus=1)], **CALM
    )
    assert found.by_use_usd.tolist() == pytest.approx([4380.0] * 3)
    assert found.advised_usd.tolist() == pytest.approx([24 * 730 * 1.9, 24 * 1460.0, 24 * 1460.0])
    assert found.advised_month_usd.tolist() == pytest.approx([730 * 1.9, 1460.0, 1460.0])
    assert found.wait_usd[1:].tolist() == pytest.approx([23 * 1460.0] * 2)
    assert (found.paid_months[12], found.paid_months[36]) == (12.0, 24.0)
    assert found.after_usd[12][1:].tolist() == pytest.approx([12 * 1460.0] * 2)
    assert found.after_usd[36].tolist() == [0.0] * 3
    assert found.extra_usd[12].tolist() == pytest.approx([0.0] * 3)
    (late,) = of_row(400, [offer("od", 0, 6.0), offer("y1", 12, 2.0, lead_time_hours=365.0)], **CALM)
    assert late.extra_usd[12].tolist() == pytest.approx([0.5 * 4380.0] * 3)  # half a month by use
    assert late.after_usd[12].tolist() == pytest.approx([11.5 * 1460.0] * 3)


def test_a_week_of_log_values_terms_of_a_month_alone() -> None:
    offers = [offer("od", 0, 6.0), offer("m1", 1, 3.0), offer("y1", 12, 2.0)]
    (short,), (longer,) = of_row(WEEK, offers, **CALM), of_row(WEEK + 1, offers, **CALM)
    assert short.advised_month_usd.tolist() == pytest.approx([2190.0] * 3)
    assert longer.advised_month_usd.tolist() == pytest.approx([1460.0] * 3)


def test_rows_without_a_price_by_use_have_no_values() -> None:
    assert of_row(400, [offer("y1", 12, 2.0)]) == ()
    assert of_row(400, [offer("od", 0, 6.0, max_gpus=2)]) == ()
    assert len(of_row(400, [offer("od", 0, 6.0)])) == 1


def test_a_screening_curve_has_the_terms_whose_figures_are_known() -> None:
    def term(months: int, **more: Any) -> Any:
        figures = {"rate": 1.0, "one_gpu_per_month": 730.0, "compared_per_month": 800.0, "break_even": 0.5}
        return SimpleNamespace(term_months=months, **(figures | more))

    known = [term(3), term(36, break_even=0.3), term(12)]
    lacking = [
        term(6, **{name: None}) for name in ("rate", "one_gpu_per_month", "compared_per_month", "break_even")
    ]
    plan: Any = SimpleNamespace(
        flex=Flex(rate=2.0, category=STANDARD, offer_id="od", spot_share=0.0), break_even=(*known, *lacking)
    )
    screening = screening_of(plan)
    assert screening is not None and screening.by_use_usd == 1460.0
    assert [each.term_months for each in screening.terms] == [36, 12, 3]
    assert [screening.is_cheapest(each) for each in screening.terms] == [True, False, False]
    for rate in (None, 0.0):
        plan.flex = Flex(rate=rate, category=STANDARD, offer_id="od", spot_share=0.0)
        assert screening_of(plan) is None


@pytest.mark.parametrize("block", [2, 4, 8])
def test_use_of_wide_slices_is_priced_week_by_week(block: int) -> None:
    """Two blocks in the first week and three in the second; the third costs $5 an hour, at level 1.5 half of it too.

    At level 0.75 demand is of 1.5 and 2.25 blocks, at 1.5 of 3 and 4.5, of which there are no slices above the third.
    """
    gpus = [2.0 * block] * WEEK + [3.0 * block] * WEEK
    made = case(
        [Load(pool=Pool.INFERENCE, gpus=gpus)],
        (),
        [offer("od", 0, 5.0)],
        Scenario(name="A"),
        sigma=0.0,
        delta=0.0,
        block=block,
    )
    ground = ground_of(made.project, Scenario(name="A"), made.pools, AdviceCache())
    planned = plan_of(ground, AdviceCache())
    costs, row = UseCosts(ground, planned.rows, np.array([0.75, 1.0, 1.5]), 2), planned.rows[0]
    unit = 730 * 5.0 * block
    third = costs.of_slices(row, 0, np.array([0.0, 0.0, 1.0])).weekly
    assert third.tolist() == [
        pytest.approx([0.0, 0.25 * unit]),
        pytest.approx([0.0, unit]),
        pytest.approx([unit, unit]),
    ]
    above = costs.by_use(row, 0).weekly
    assert above.tolist() == [
        pytest.approx([level * 2 * unit, level * 3 * unit]) for level in (0.75, 1.0, 1.5)
    ]
    half = costs.of_slices(row, 1, np.array([0.5, 0.0, 0.0])).weekly
    assert half.tolist() == [pytest.approx([unit / 2, unit / 2])] * 3


def test_regret_of_wide_units_is_of_their_gpus() -> None:
    """5 GPUs in units of 2, the third half busy: signed it costs $4 an hour, by use $6. All three cost $12 an hour."""
    rates = [offer("od", 0, 6.0), offer("y1", 12, 2.0)]
    ground = level_ground(row_of(offers=rates, block=2), {})
    usd = [regret_p90_usd(ground, (HandLayer(12, gpus),), 12) for gpus in (0, 2, 6, 8)]
    assert usd == pytest.approx([730 * (30 - 12), 730 * (4 + 18 - 12), 0.0, 730 * 4])


def test_levels_of_wide_units_are_slices_of_so_many_gpus() -> None:
    """5 GPUs in units of 2 are three; a level of 8 takes four."""
    ground = level_ground(row_of(block=2), {})
    for gpus, slices, runs in ((6, 3, [(1, 1), (2, 3)]), (8, 4, [(1, 1), (2, 4)]), (2, 3, [(1, 1), (2, 3)])):
        plan = plan_at(ground, (HandLayer(12, gpus),))
        assert (plan.slicing.block, plan.slicing.even) == (2, slices)
        assert [(run.first_slice, run.last_slice) for run in plan.runs] == runs
