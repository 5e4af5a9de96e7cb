"""Levels tried out in month 0: served from the bottom, in whole units, with their regret."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.commitment.result import LevelBeyondOffers
from gpuplanner.domain.commitment.uncertainty.levels import LevelGround, level_ground, plan_at, regret_p90_usd
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Load, offer
from tests.domain.commitment.uncertainty.small_rows import WEEK, row_of


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


def test_a_level_above_what_its_offers_have_is_by_use_until_the_plan_is_there() -> None:
    """Of seven for a year there are three; of one for half a year, which takes two months to come, none yet."""
    late = offer("m6", 6, 2.5, lead_time_hours=1000.0)
    rates = [offer("od", 0, 6.0), offer("y1", 12, 2.0, max_gpus=3), late]
    ground = level_ground(row_of(offers=rates), {})
    plan = plan_at(ground, (HandLayer(12, 4), HandLayer(6, 1)))
    layers = [(item.term_months, item.offer_id, item.gpus) for item in plan.layers]
    assert layers == [(12, "y1", 3.0), (0, "od", 2.0)]
    assert plan.cost_per_month == pytest.approx(730 * (3 * 2 + 2 * 6))
    assert [(run.first_slice, run.last_slice, run.term_months) for run in plan.runs] == [
        (1, 3, 12),
        (4, 4, 0),
        (5, 5, 0),
    ]
    assert plan.by_hand.beyond == (LevelBeyondOffers(term_months=12, gpus=4, offered_gpus=3, offers=1),)
    assert plan.by_hand.beyond_of(12) == plan.by_hand.beyond[0] and plan.by_hand.beyond_of(6) is None
    taken = plan_at(level_ground(row_of(offers=rates), {"y1": 2.0}), (HandLayer(12, 4),))
    assert [(level.offered_gpus, level.is_left) for level in taken.by_hand.beyond] == [(1, True)]
    settled = row_of((HandLayer(12, 4), HandLayer(6, 1)), offers=rates)
    assert settled.layers == plan.layers and settled.by_hand == plan.by_hand


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
