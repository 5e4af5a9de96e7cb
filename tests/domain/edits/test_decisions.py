"""The log of decisions: a line for what changes a plan, one for a gesture, a reason whenever the planner has one."""

from dataclasses import replace

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits import plans as log
from gpuplanner.domain.model.cube import Workload, empty_cube
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import TODAY, Decision, Scenario
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window

BEFORE = Project(
    Window(0, 1),
    empty_cube(1),
    (Workload("a", "a", "", ""),),
    scenarios=(Scenario("Plan A"), Scenario("Plan B"), Scenario("Plan C")),
)


def lines(project: Project, plan: str = "Plan A") -> list[tuple[int, str, str]]:
    return [(one.at_s, one.what, one.reason) for one in project.scenario(plan).decisions]


def test_what_changes_a_plan_is_a_line_and_what_does_not_is_none() -> None:
    moved = edits.workloads.move_workloads(BEFORE, "Plan A", ["a"], Pool.BURST)
    logged = edits.plans.log_decision(BEFORE, moved, "Plan A", 7, "Move a")
    assert lines(logged) == [(7, "Move a", "")]
    assert lines(logged, "Plan B") == []
    for same in (BEFORE, edits.workloads.label_workloads(BEFORE, ["a"], Pool.BURST)):
        assert edits.plans.log_decision(BEFORE, same, "Plan A", 7, "x") is same
    assert edits.plans.log_decision(BEFORE, moved, TODAY, 7, "x") is moved
    assert edits.plans.log_decision(BEFORE, moved, "Plan B", 7, "x") is moved


def test_an_edit_that_wrote_its_own_line_keeps_it() -> None:
    said = edits.plans.add_decision(
        edits.plans.set_greenfield(BEFORE, "Plan A", True), "Plan A", 3, "Said", "so"
    )
    assert edits.plans.log_decision(BEFORE, said, "Plan A", 7, "x") is said


def test_steps_of_one_gesture_are_one_line() -> None:
    project, base = BEFORE, BEFORE.scenario("Plan A").decisions
    for churn in (0.02, 0.03, 0.04):
        after = edits.plans.set_assumption(project, "Plan A", "lambda", churn)
        project = edits.plans.log_decision(project, after, "Plan A", 7, f"Change churn to {churn:.0%}", base)
    assert lines(project) == [(7, "Change churn to 4%", "")]


def test_a_reason_is_given_changed_and_taken_away() -> None:
    said = edits.plans.add_decision(edits.plans.add_decision(BEFORE, "Plan A", 1, "One"), "Plan A", 2, "Two")
    why = edits.plans.set_reason(said, "Plan A", 0, "  is \n cheaper ")
    assert lines(why) == [(1, "One", "is cheaper"), (2, "Two", "")]
    assert edits.plans.set_reason(why, "Plan A", 0, "is cheaper") is why
    assert edits.plans.set_reason(why, "Plan A", 0, "").scenarios == said.scenarios
    for number in (-1, 2):
        with pytest.raises(PlannerError, match="no such decision"):
            edits.plans.set_reason(said, "Plan A", number, "x")


def test_a_full_log_gives_up_lines_without_a_reason_first(monkeypatch) -> None:
    monkeypatch.setattr(log, "MOST_KEPT", 2)
    old = (Decision(1, "kept", "why"), Decision(2, "goes"))
    full = replace(BEFORE, scenarios=(Scenario("Plan A", decisions=old),))
    after = edits.plans.log_decision(
        full, edits.plans.set_greenfield(full, "Plan A", True), "Plan A", 3, "new"
    )
    assert [what for _, what, _ in lines(after)] == ["kept", "new"]


def test_a_new_plan_says_where_it_comes_from_and_keeps_the_log_of_its_origin() -> None:
    said = edits.plans.add_decision(BEFORE, "Plan A", 1, "One", "why")
    copied = edits.plans.add_plan(said, "Plan D", "Plan A")
    logged = edits.plans.log_decision(said, copied, "Plan D", 5, "Add Plan D")
    assert lines(logged, "Plan D") == [(1, "One", "why"), (5, "Add Plan D", "")]


@pytest.mark.parametrize(
    ("name", "places", "order"),
    [
        ("Plan A", 1, "BAC"),
        ("Plan C", -1, "ACB"),
        ("Plan A", 9, "BCA"),
        ("Plan C", -9, "CAB"),
        ("Plan B", 0, "ABC"),
    ],
)
def test_tabs_change_places_and_stop_at_the_ends(name: str, places: int, order: str) -> None:
    shifted = edits.plans.shift_plan(BEFORE, name, places)
    assert "".join(plan.name[-1] for plan in shifted.scenarios) == order
    back = edits.plans.shift_plan(
        shifted,
        name,
        BEFORE.scenarios.index(BEFORE.scenario(name)) - shifted.scenarios.index(shifted.scenario(name)),
    )
    assert back.scenarios == BEFORE.scenarios
    assert edits.plans.shift_plan(BEFORE, "Plan A", -1) is BEFORE


def test_plans_plan_alike_whatever_they_are_called_and_what_their_logs_say() -> None:
    plan = BEFORE.scenario("Plan A")
    assert plan.plans_as(replace(plan, name="x", decisions=(Decision(1, "y"),)))
    assert not plan.plans_as(replace(plan, greenfield=True))
    assert not plan.plans_as(replace(plan, pools={"a": Pool.BURST}))


def test_projects_say_the_same_whatever_their_logs_say() -> None:
    logged = edits.plans.add_decision(BEFORE, "Plan B", 1, "x")
    assert edits.plans.say_the_same(BEFORE, logged)
    assert not edits.plans.say_the_same(BEFORE, edits.inputs.set_title(BEFORE, "t"))
    assert not edits.plans.say_the_same(BEFORE, edits.plans.set_greenfield(BEFORE, "Plan B", True))
    there = edits.plans.set_assumption(BEFORE, "Plan A", "lambda", 0.05)
    assert edits.plans.say_the_same(BEFORE, edits.plans.set_assumption(there, "Plan A", "lambda", None))
