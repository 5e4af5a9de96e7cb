"""Planned work beside a log: exact, on the log's hours of the week, in the plan and not in the past."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.demand.planned import NOT_LOGGED, planned_amounts, stands_on_board
from gpuplanner.domain.edits import (
    begin_workloads,
    bring_back,
    change_demand,
    change_planned,
    date_workloads,
    drop_planned,
    end_workloads,
    move_workloads,
    plan_work,
    split_workload,
    stop_workloads,
)
from gpuplanner.domain.evaluation import evaluate, evaluate_figures
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.dated import DemandChange, PlannedWork, Spell
from gpuplanner.domain.model.scenario.parting import ShareSplit
from gpuplanner.domain.model.window import DAY_S, Window
from gpuplanner.files.system.resources import read_tables
from tests.domain.commitment.conftest import START_S, Load, case, contract, offer

OFFERS = [offer("od", 0, 6.0), offer("c12", 12, 3.0), offer("odA", 0, 2.0, gpu_model="A100")]
WORK = PlannedWork("next", Pool.TRAINING, "H100", 8.0, "c1", "lab")
PLAN = "Plan A"


def project(**assumptions: Any) -> Any:
    loads = [Load(Pool.INFERENCE, [10.0] * 400), Load(Pool.BURST, [2.0] * 400, model=None)]
    return case(loads, [contract("k1", 6, 2.0, 40, 400)], OFFERS, sigma=0.0, delta=0.0, **assumptions).project


def test_it_is_laid_on_the_hours_of_the_week() -> None:
    monday_s = 1_767_571_200  # 5 January 2026
    work = replace(WORK, hours=(0, 25))
    amounts = planned_amounts(work, Window(monday_s + 3600, 400))
    assert np.flatnonzero(amounts).tolist() == [24, 167, 192, 335, 360] and set(amounts.tolist()) == {
        0,
        8 * 3_600_000,
    }


def test_it_stands_beside_the_log_and_changes_nothing_of_it() -> None:
    before = project()
    other = replace(WORK, name="a-first", gpu_model="a100", cluster="")
    new = replace(WORK, name="new", gpu_model="GB300")
    after = plan_work(before, PLAN, (WORK, other, new))
    board = stands_on_board(after, after.scenarios[0])
    assert board is not None and [w.key for w in board.workloads] == sorted(w.key for w in board.workloads)
    assert sum(place == NOT_LOGGED for place in board.whole) == 3
    cube = board.cube
    assert cube.total == before.cube.total + 3 * 8 * 3_600_000 * 400
    assert (np.diff(cube.workload_index) >= 0).all() and "GB300" in cube.gpu_models
    for at, place in enumerate(board.whole):
        if place != NOT_LOGGED:
            assert (cube.hourly_of(at) == before.cube.hourly_of(place)).all()
    assert after.cube is before.cube and stands_on_board(before, before.scenarios[0]) is None


def test_it_is_in_the_plan_and_doing_nothing_and_not_in_the_past() -> None:
    tables = read_tables()
    before = evaluate(project(), PLAN, tables)
    after = evaluate(plan_work(project(), PLAN, (replace(WORK, cluster=""),)), PLAN, tables)
    assert before.totals is not None and after.totals is not None
    assert after.totals.today == before.totals.today
    assert after.audit.classes == before.audit.classes
    more = 730 * 8 * 6.0
    nothing = [one.totals.do_nothing for one in (before, after)]  # type: ignore[union-attr]
    assert nothing[1] - nothing[0] == pytest.approx(more)
    equivalent = [one.totals.on_demand_equivalent for one in (before, after)]  # type: ignore[union-attr]
    assert equivalent[1] - equivalent[0] == pytest.approx(more)
    card = next(card for card in after.figures.cards if card.key == "/lab/next")
    assert (card.pool, card.classification.pool, card.in_review) == (Pool.TRAINING, Pool.TRAINING, False)
    assert card.gpu_hours_per_month == pytest.approx(8 * 730)


def test_neither_growth_nor_factors_touch_it() -> None:
    tables = read_tables()
    only = [
        evaluate(
            plan_work(project(growth=growth, demand=demand), PLAN, (replace(WORK, cluster=""),)), PLAN, tables
        )
        for growth, demand in ((0.0, 1.0), (0.1, 1.0), (0.0, 3.0))
    ]
    for one in only:
        assert one.advice is not None
        (training,) = [row for row in one.advice.pools if row.pool is Pool.TRAINING]
        assert training.mean_gpus == 8.0 and training.layers[0].gpus == 8.0
        column = one.figures.pools[Pool.TRAINING]
        assert column.gpu_hours_per_month == pytest.approx(8 * 730)
    late = only[1].advice.comparison[11].plan_usd - only[0].advice.comparison[11].plan_usd  # type: ignore[union-attr,operator]
    assert late > 0  # the log's own demand grows


def test_figures_after_an_edit_are_fresh_ones() -> None:
    tables = read_tables()
    first = evaluate(project(), PLAN, tables)
    planned = plan_work(first.project, PLAN, (WORK,))
    quick = evaluate_figures(planned, PLAN, first.audit, first.figures)
    fresh = evaluate_figures(planned, PLAN, first.audit)
    assert quick.cards == fresh.cards and quick.pools == fresh.pools
    gone = evaluate_figures(drop_planned(planned, PLAN, (WORK.key,)), PLAN, first.audit, quick)
    assert gone.cards == first.figures.cards


def test_edits_of_dates() -> None:
    before = project()
    key, end_s = before.workloads[0].key, before.window.end_s
    dated = date_workloads(before, PLAN, (key,), None, end_s + 86_400)
    assert dated.scenarios[0].spells == {key: Spell(None, end_s + 86_400)}
    assert date_workloads(dated, PLAN, (key,), None, end_s + 86_400) is dated
    assert date_workloads(dated, PLAN, (key,), None, None).scenarios[0].spells == {}
    assert stop_workloads(before, PLAN, (key,)).scenarios[0].spells == {key: Spell(None, end_s)}
    planned = plan_work(before, PLAN, (WORK,))
    moved = date_workloads(planned, PLAN, (WORK.key,), end_s, None)
    assert moved.scenarios[0].planned[0].begins_s == end_s and not moved.scenarios[0].spells
    assert plan_work(planned, PLAN, (WORK,)) is planned
    change = DemandChange("all", (), 2.0, end_s)
    assert change_demand(before, PLAN, (change,)).scenarios[0].changes == (change,)
    assert end_s > START_S


def test_each_date_is_set_beside_the_other() -> None:
    before = project()
    key, other = (one.key for one in before.workloads[:2])
    end_s = before.window.end_s
    ended = end_workloads(
        date_workloads(before, PLAN, (key,), end_s, None), PLAN, (key, other), end_s + DAY_S
    )
    assert ended.scenarios[0].spells == {key: Spell(end_s, end_s + DAY_S), other: Spell(None, end_s + DAY_S)}
    begun = begin_workloads(ended, PLAN, (other,), end_s + 3600)
    assert begun.scenarios[0].spells[other] == Spell(end_s + 3600, end_s + DAY_S)
    back = bring_back(begun, PLAN, (key, other))
    assert set(back.scenarios[0].spells.values()) == {Spell(end_s, None)}
    with pytest.raises(PlannerError):
        begin_workloads(ended, PLAN, (other,), end_s + DAY_S)


def test_planned_work_is_moved_by_its_pool_and_changed_in_place() -> None:
    before = plan_work(project(), PLAN, (WORK,))
    moved = move_workloads(before, PLAN, (WORK.key, before.workloads[0].key), Pool.BURST)
    plan = moved.scenarios[0]
    assert plan.planned == (replace(WORK, pool=Pool.BURST),) and plan.pools == {
        before.workloads[0].key: Pool.BURST
    }
    assert move_workloads(moved, PLAN, (WORK.key,), Pool.BURST) is moved
    assert move_workloads(moved, PLAN, (WORK.key,), WORK.pool).scenarios[0].planned == (WORK,)
    other = replace(WORK, name="other", gpus=3.0)
    assert change_planned(before, PLAN, WORK.key, other).scenarios[0].planned == (other,)
    both = plan_work(before, PLAN, (other,))
    with pytest.raises(PlannerError):
        change_planned(both, PLAN, WORK.key, other)
    of_length = plan_work(before, PLAN, (replace(WORK, length_hours=9),))
    with pytest.raises(PlannerError):
        end_workloads(of_length, PLAN, (WORK.key,), before.window.end_s + DAY_S)


def test_a_divided_workload_has_the_dates_and_steps_of_the_whole() -> None:
    before = project()
    key = before.workloads[0].key
    split = split_workload(before, PLAN, key, ShareSplit(400))
    change = DemandChange(key, (key,), 3.0, before.window.end_s)
    dated = [
        change_demand(end_workloads(of, PLAN, (key,), of.window.end_s + 40 * DAY_S), PLAN, (change,))
        for of in (before, split)
    ]
    whole, parts = (evaluate(of, PLAN, read_tables()).advice for of in dated)
    assert whole is not None and parts is not None
    assert parts.comparison[3].plan_usd == pytest.approx(whole.comparison[3].plan_usd)
    undated = evaluate(before, PLAN, read_tables()).advice
    assert undated is not None and undated.comparison[3].plan_usd != pytest.approx(
        whole.comparison[3].plan_usd
    )


@pytest.mark.parametrize(
    "edit",
    [
        lambda of: date_workloads(of, PLAN, ("no/such/one",), None, 0),
        lambda of: date_workloads(of, PLAN, (of.workloads[0].key,), 10, 10),
        lambda of: date_workloads(of, "Today", (of.workloads[0].key,), None, 10),
        lambda of: plan_work(of, PLAN, (replace(WORK, gpus=0.0),)),
        lambda of: plan_work(of, PLAN, (replace(WORK, hours=()),)),
        lambda of: plan_work(of, PLAN, (replace(WORK, name="load-000", team="team"),)),
        lambda of: change_demand(of, PLAN, (DemandChange("x", ("no/such/one",), 2.0, 0),)),
        lambda of: change_demand(of, PLAN, (DemandChange("all", (), -1.0, 0),)),
    ],
)
def test_what_cannot_be_is_refused(edit: Any) -> None:
    with pytest.raises(PlannerError):
        edit(project())
