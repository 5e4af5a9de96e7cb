"""Plans side by side: figures of each plan alone, and the worth of each change between them."""

from dataclasses import replace

import pytest
from pytestqt.qtbot import QtBot

from gpuplanner.app.plans.comparing import Comparing, Comparison
from gpuplanner.domain import edits
from gpuplanner.domain.evaluation import audit_project, evaluate
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.system.resources import read_tables
from tests.ui.plans_world import KEYS, plans_project


@pytest.fixture
def comparing(qtbot: QtBot):  # type: ignore[no-untyped-def]
    made = Comparing()
    made.told = []
    made.compared.connect(made.told.append)
    made.failed.connect(lambda error: made.told.append(error))
    yield made
    made.close()


def settled(comparing, qtbot: QtBot) -> Comparison:  # type: ignore[no-untyped-def]
    qtbot.waitUntil(lambda: bool(comparing.told) and not comparing.is_busy, timeout=60_000)
    return comparing.told[-1]  # type: ignore[no-any-return]


@pytest.mark.long
def test_figures_are_those_of_each_plan_alone_and_the_changes_are_the_difference(
    comparing, qtbot: QtBot
) -> None:  # type: ignore[no-untyped-def]
    tables = read_tables()
    project = plans_project()
    third = edits.plans.set_greenfield(edits.plans.duplicate_plan(project, "Plan A"), "Plan C", True)
    names = ("Plan A", "Plan B", "Plan C")
    comparing.ask(third, audit_project(third, tables), names)
    found = settled(comparing, qtbot)
    assert found.worths is not None
    for side, name in zip(found.sides, names, strict=True):
        alone = evaluate(third, name, tables)
        assert side.advice.totals == alone.advice.totals
        assert side.advice.comparison == alone.advice.comparison
        assert side.advice.workload_usd == alone.advice.workload_usd
        assert [plan.layers for plan in side.advice.pools] == [plan.layers for plan in alone.advice.pools]
        assert side.figures.cards == alone.figures.cards
        assert side.outlook.uncertainty == alone.outlook.uncertainty
    first = found.sides[0].advice.totals.plan
    for worths, side in zip(found.worths, found.sides[1:], strict=True):
        assert sum(one.worth_per_month for one in worths) == pytest.approx(side.advice.totals.plan - first)
    assert [one.change.what for one in found.worths[0]] == ["move", "assumptions", "levels"]
    assert [one.change.what for one in found.worths[1]] == ["contracts"]


def test_what_is_known_is_told_at_once_and_another_name_or_a_reason_asks_for_nothing(
    comparing, qtbot: QtBot
) -> None:  # type: ignore[no-untyped-def]
    project = plans_project()
    audit = audit_project(project, read_tables())
    comparing.ask(project, audit, ("Plan A", "Plan B"))
    before = settled(comparing, qtbot)
    renamed = edits.plans.rename_plan(
        edits.plans.add_decision(project, "Plan A", 1, "x", "y"), "Plan B", "Bold"
    )
    comparing.told.clear()
    comparing.ask(renamed, audit, ("Plan A", "Bold"))
    assert not comparing.is_busy
    (now,) = comparing.told
    assert [side.scenario.name for side in now.sides] == ["Plan A", "Bold"]
    assert now.worths is before.worths
    for old, new in zip(before.sides, now.sides, strict=True):
        assert (new.advice, new.outlook) == (old.advice, old.outlook)


def test_a_question_asked_again_is_not_worked_out_again(comparing, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    project = plans_project()
    audit = audit_project(project, read_tables())
    for _ in range(3):
        comparing.ask(project, audit, ("Plan A", "Plan B"))
    settled(comparing, qtbot)
    told = len(comparing.told)
    assert told == 4  # figures, what changes are worth, and two bands
    comparing.ask(project, audit, ("Plan A", "Plan B"))
    assert len(comparing.told) == told
    comparing.cancel()
    comparing.ask(project, audit, ("Plan A", "Plan B"))
    assert len(comparing.told) == told + 1  # left and entered again: told once more


def test_a_cancelled_question_tells_nothing(comparing, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    project = plans_project()
    comparing.ask(project, audit_project(project, read_tables()), ("Plan A", "Plan B"))
    comparing.cancel()
    comparing.close()
    qtbot.wait(20)
    assert comparing.told == []


def test_an_unknown_rate_leaves_differences_unknown(comparing, qtbot: QtBot) -> None:  # type: ignore[no-untyped-def]
    project = replace(plans_project(), offers=())
    comparing.ask(project, audit_project(project, read_tables()), ("Plan A", "Plan B"))
    found = settled(comparing, qtbot)
    assert found.sides[0].advice.totals.plan is None
    assert found.sides[0].steps.plan is None
    assert {one.worth_per_month for one in found.worths[0]} == {None}


@pytest.mark.long
def test_dates_steps_and_planned_work_are_changes_and_what_both_plan_is_in_every_step(
    comparing, qtbot: QtBot
) -> None:  # type: ignore[no-untyped-def]
    tables = read_tables()
    end_s = plans_project().window.end_s
    work = PlannedWork(name="next", pool=Pool.TRAINING, gpu_model="H100", gpus=16.0)
    base = edits.dates.plan_work(plans_project(), "Plan A", (work,))
    base = edits.plans.duplicate_plan(base, "Plan A")
    moved = edits.workloads.move_workloads(base, "Plan C", (KEYS[0],), Pool.INFERENCE)
    only_moved = evaluate(moved, "Plan C", tables).advice.totals.plan
    other = edits.dates.end_workloads(moved, "Plan C", (KEYS[3],), end_s)
    change = edits.dates.demand_change(other, "Plan C", "all", 2.0, end_s, {})
    other = edits.dates.change_demand(other, "Plan C", (change,))
    other = edits.dates.change_planned(other, "Plan C", work.key, replace(work, gpus=20.0))
    comparing.ask(other, audit_project(other, tables), ("Plan A", "Plan C"))
    found = settled(comparing, qtbot)
    (steps,) = found.worths or ()
    assert [one.change.what for one in steps] == ["move", "dates", "demand", "planned"]
    first, last = (side.advice.totals.plan for side in found.sides)
    assert steps[0].worth_per_month == pytest.approx(only_moved - first)
    assert sum(one.worth_per_month for one in steps) == pytest.approx(last - first)
    ended = next(one.worth_per_month for one in steps if one.change.what == "dates")
    assert ended < 0
