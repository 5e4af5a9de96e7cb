"""Leaks that a plan accepts, and copies of a plan, on two workloads of a team."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.edits import plans
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool
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
