"""Workloads and planned work that move in a plan."""

from dataclasses import replace

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits import workloads
from gpuplanner.domain.model.tables import Pool
from tests.domain.edits.loaded_project import CLASSES, KEYS, loaded
from tests.domain.edits.refusals import refused
from tests.domain.edits.two_workloads import NEW, PLAN, TRAINS, project


def test_planned_work_moves_in_itself_and_a_workload_in_the_plan() -> None:
    of = project(NEW, replace(NEW, name="other"))
    (plan,) = workloads.move_workloads(of, PLAN, (NEW.key, TRAINS), Pool.BURST).scenarios
    assert {work.name: work.pool for work in plan.planned} == {"new": Pool.BURST, "other": Pool.TRAINING}
    assert plan.pools == {TRAINS: Pool.BURST}
    assert workloads.move_workloads(of, PLAN, (NEW.key,), Pool.BURST).scenarios[0].pools == {}
    assert refused(workloads.move_workloads, of, PLAN, ("x",), Pool.BURST)


def test_separating_moves_all_but_the_pinned_and_leaves_the_unsure_in_review() -> None:
    moved = edits.workloads.move_workloads(loaded(), "Plan A", [KEYS[0], KEYS[2]], Pool.TRAINING)
    pinned = edits.workloads.pin_workloads(moved, "Plan A", [KEYS[2]])
    assert edits.workloads.separate_automatically(pinned, "Plan A", CLASSES).scenario("Plan A").pools == {
        KEYS[2]: Pool.TRAINING
    }


def test_separating_a_plan_that_starts_as_today_names_the_pools_that_are_sure() -> None:
    separated = edits.workloads.separate_automatically(loaded(), "Plan B", CLASSES)
    assert separated.scenario("Plan B").pools == {
        key: found.pool
        for key, found in CLASSES.items()
        if key != KEYS[1]  # in review, as it was
    }


@pytest.mark.parametrize("plan", ["Plan A", "Plan B"])
def test_an_unsure_card_that_the_planner_placed_stays_where_it_was_placed(plan: str) -> None:
    moved = edits.workloads.move_workloads(loaded(), plan, [KEYS[1]], Pool.BURST)
    separated = edits.workloads.separate_automatically(moved, plan, CLASSES)
    assert separated.scenario(plan).pools[KEYS[1]] is Pool.BURST
