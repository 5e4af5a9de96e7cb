"""Leaks that a plan accepts, and copies of a plan, on two workloads of a team."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits import plans
from gpuplanner.domain.model.plan.scenario import LeakStatus, Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.edits.loaded_project import KEYS, LEAK, LEAK_CLASSES, TAIL, loaded
from tests.domain.edits.refusals import refused
from tests.domain.edits.two_workloads import PLAN, TRAINS, project


def test_a_copy_of_a_plan_stands_after_it() -> None:
    of = replace(
        project(),
        scenarios=(Scenario(name="Plan A"), Scenario(name="Plan B"), Scenario(name="Q", scratch_of="Plan A")),
    )
    assert [plan.name for plan in plans.duplicate_plan(of, "Plan A").scenarios] == [
        "Plan A",
        "Plan C",
        "Plan B",
        "Q",
    ]
    assert plans.duplicate_plan(of, "Q").scenarios[3].scratch_of == ""


def test_a_leak_is_accepted_with_what_a_plan_can_show(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workloads that are there move to where the remedy puts them; else it is to be done."""
    leak: Any = SimpleNamespace(leak_id="l", gpu_hours=5.0, leaked_per_month=7.0)
    monkeypatch.setattr(plans, "leak_called", lambda _: "leak")
    for keys, pool, moved, count in (
        ((TRAINS, "gone"), Pool.BURST, {TRAINS: Pool.BURST}, 1), ((TRAINS,), None, {}, 1),
        (("gone",), Pool.BURST, {}, 0),
    ):  # fmt: skip
        monkeypatch.setattr(
            plans, "remedy_of", lambda *_, keys=keys, pool=pool: SimpleNamespace(keys=keys, pool=pool)
        )
        (plan,) = plans.accept_leak(project(), PLAN, leak, {}, 9, " ops ").scenarios
        (decision,) = plan.leak_decisions
        assert plan.pools == moved
        assert (decision.pool, decision.workloads, decision.owner) == (pool if count else None, count, "ops")
        assert (decision.gpu_hours, decision.usd_per_month, plan.decisions[0].at_s) == (5.0, 7.0, 9)
    dismissed = plans.dismiss_leak(project(), PLAN, leak, " why ", 9)
    assert dismissed.scenarios[0].leak_decisions[0].reason == "why"
    assert plans.dismiss_leak(dismissed, PLAN, leak, "why", 10) is dismissed
    assert refused(plans.dismiss_leak, project(), PLAN, leak, " ", 9)
    assert plans.reopen_leak(dismissed, PLAN, leak, 9).scenarios[0].leak_decisions == ()
    bare = project()
    assert plans.reopen_leak(bare, PLAN, leak, 9) is bare


def test_accepting_a_leak_moves_what_a_plan_can_show_in_one_step_and_logs_it() -> None:
    after = edits.plans.accept_leak(loaded(), "Plan A", LEAK, LEAK_CLASSES, 9, " Ann ")
    plan = after.scenario("Plan A")
    assert plan.pools == {KEYS[2]: Pool.INFERENCE}  # of contention, inference alone
    decided = plan.decision_on("contention:c")
    assert decided is not None
    assert (decided.status, decided.owner, decided.pool, decided.workloads) == (
        LeakStatus.ACCEPTED,
        "Ann",
        Pool.INFERENCE,
        1,
    )
    assert (decided.gpu_hours, decided.usd_per_month) == (12.0, 96.0)
    (line,) = plan.decisions
    assert (line.at_s, str(line.reason)) == (9, "by Ann")
    assert str(line.text).startswith("Accept ") and "c: vllm-chat to inference" in str(line.text)


def test_a_leak_that_a_plan_cannot_show_is_noted_as_not_in_its_dollars() -> None:
    before = edits.workloads.move_workloads(loaded(), "Plan A", KEYS[:1], Pool.BURST)
    plan = edits.plans.accept_leak(before, "Plan A", TAIL, LEAK_CLASSES, 9).scenario("Plan A")
    assert plan.pools == before.scenario("Plan A").pools
    assert plan.leak_decisions[0].pool is None
    assert "not in" in str(plan.decisions[0].text)


def test_a_dismissed_leak_keeps_its_reason_and_opens_again() -> None:
    dismissed = edits.plans.dismiss_leak(loaded(), "Plan A", LEAK, " known until May ", 9)
    decided = dismissed.scenario("Plan A").decision_on("contention:c")
    assert decided is not None
    assert (decided.status, decided.reason) == (LeakStatus.DISMISSED, "known until May")
    plan = edits.plans.reopen_leak(dismissed, "Plan A", LEAK, 10).scenario("Plan A")
    assert plan.leak_decisions == ()
    assert [(str(line.text).split()[0], line.reason) for line in plan.decisions] == [
        ("Dismiss", "known until May"),
        ("Reopen", ""),
    ]


def test_the_last_decision_on_a_leak_is_the_one_that_holds() -> None:
    project = edits.plans.dismiss_leak(loaded(), "Plan A", LEAK, "known", 9)
    project = edits.plans.accept_leak(project, "Plan A", TAIL, LEAK_CLASSES, 10)
    project = edits.plans.accept_leak(project, "Plan A", LEAK, LEAK_CLASSES, 11)
    plan = project.scenario("Plan A")
    assert [(one.leak_id, one.status) for one in plan.leak_decisions] == [
        ("contention:c", LeakStatus.ACCEPTED),
        ("idle_tail:c", LeakStatus.ACCEPTED),
    ]
    assert len(plan.decisions) == 3
    assert project.scenario("Plan B").leak_decisions == ()


def test_a_leak_of_workloads_that_are_gone_is_noted() -> None:
    gone = replace(loaded(), workloads=loaded().workloads[:1])
    plan = edits.plans.accept_leak(gone, "Plan A", LEAK, LEAK_CLASSES, 9).scenario("Plan A")
    assert (plan.pools, plan.leak_decisions[0].pool) == ({}, None)


def test_steps_about_leaks_have_names() -> None:
    label = str(edits.labels.leak_label("Accept", TAIL))
    assert label.startswith("Accept idle ") and label.endswith(", c")
