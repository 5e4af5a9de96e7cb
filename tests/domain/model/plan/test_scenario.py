"""Scenarios: scratch copies, and plans that plan the same."""

from gpuplanner.domain.model.cube import empty_cube
from gpuplanner.domain.model.plan.scenario import LeakDecision, LeakStatus, Scenario, check_cut
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import Window
from tests.domain.model.refusals import is_right


def test_a_scratch_copy_knows_the_plan_that_it_asks_about() -> None:
    plans = (
        Scenario(name="Plan A"),
        Scenario(name="copy", scratch_of="Plan A"),
        Scenario(name="left", scratch_of="gone"),
    )
    project = Project(window=Window(0, 1), cube=empty_cube(1), workloads=(), scenarios=plans)
    assert [project.plan_before(name) for name in ("copy", "Plan A", "left", "Today")] == [
        plans[0],
        None,
        None,
        None,
    ]


def test_plans_that_differ_in_names_and_logs_alone_plan_the_same() -> None:
    pools = {"a": Pool.BURST}
    plan = Scenario(name="p", pools=pools)
    values = {name: getattr(plan, name) for name in plan.__slots__}
    decided = (LeakDecision(leak_id="l", status=LeakStatus.ACCEPTED, at_s=0),)
    other = Scenario(**(values | {"name": "q", "leak_decisions": decided, "scratch_of": "p"}))
    assert plan.plans_as(other) and other.decision_on("l") is decided[0] and other.decision_on("x") is None
    for changes in ({"pools": {"a": Pool.TRAINING}}, {"greenfield": True}, {"start": "as_today"}):
        assert not plan.plans_as(Scenario(**(values | changes)))
    assert is_right(check_cut, "autoscale") and not is_right(check_cut, "nothing")
