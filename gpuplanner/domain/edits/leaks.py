"""What a planner decides about leaks: accept one into a plan, dismiss it, open it again."""

from collections.abc import Mapping
from dataclasses import replace
from operator import attrgetter

from gpuplanner.domain.audit.leaks.leak_words import leak_called, remedy_of
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.edits.decisions import add_decision
from gpuplanner.domain.edits.find import plan_named, with_plan, workload_of, workloads_called
from gpuplanner.domain.edits.workloads import move_workloads
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import LeakDecision, LeakStatus


def accept_leak(
    project: Project, scenario: str, leak: Leak, classes: Mapping[str, Pool], at_s: int, owner: str = ""
) -> Project:
    """A leak taken into a plan: what a plan can show is done (its workloads put where they belong), the rest noted.

    classes: of the workloads, by key; at_s in epoch seconds UTC; owner: who is to do it. It says so in the log.
    Errors: PlannerError for Today or an unknown plan.
    """
    remedy = remedy_of(leak, classes)
    kept = [key for key in remedy.keys if workload_of(project, key) is not None]
    after = move_workloads(project, scenario, kept, remedy.pool) if remedy.pool and kept else project
    done = (
        worded("{project} to {pool}", project=workloads_called(project, kept), pool=remedy.pool or "")
        if kept
        else worded("to be done, not in the plan's $")
    )
    by = worded("by {owner}", owner=owner.strip()) if owner.strip() else ""
    decision = LeakDecision(
        leak.leak_id, LeakStatus.ACCEPTED, at_s, "", owner.strip(), remedy.pool if kept else None, len(kept),
        leak.gpu_hours, leak.leaked_per_month,
    )  # fmt: skip
    return _with_leak_decision(
        after, scenario, decision, worded("Accept {leak}: {done}", leak=leak_called(leak), done=done), by
    )


def dismiss_leak(project: Project, scenario: str, leak: Leak, reason: str, at_s: int) -> Project:
    """A leak that the planner does not count in a plan, and why; it stays in the audit, and in the log.

    Errors: PlannerError for Today, an unknown plan, or without a reason.
    """
    if not reason.strip():
        raise PlannerError(
            leak_called(leak),
            "usage",
            worded("no reason is given"),
            worded("say why it is none, for who reads the log"),
        )
    decision = LeakDecision(
        leak.leak_id, LeakStatus.DISMISSED, at_s, reason.strip(), gpu_hours=leak.gpu_hours,
        usd_per_month=leak.leaked_per_month,
    )  # fmt: skip
    return _with_leak_decision(
        project, scenario, decision, worded("Dismiss {leak}", leak=leak_called(leak)), reason.strip()
    )


def reopen_leak(project: Project, scenario: str, leak: Leak, at_s: int) -> Project:
    """A leak open again in a plan, whatever was decided; workloads that accepting it moved stay where they are.

    at_s: epoch seconds UTC, for the log of decisions. A leak that nothing was decided about changes nothing.
    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    kept = tuple(one for one in plan.leak_decisions if one.leak_id != leak.leak_id)
    if kept == plan.leak_decisions:
        return project
    after = with_plan(project, plan, replace(plan, leak_decisions=kept))
    return add_decision(after, scenario, at_s, worded("Reopen {leak}", leak=leak_called(leak)))


def _with_leak_decision(
    project: Project, scenario: str, decision: LeakDecision, what: Message, reason: Text
) -> Project:
    """The project with a decision and its line in the log; the project itself where the same was decided before."""
    plan = plan_named(project, scenario)
    before = plan.decision_on(decision.leak_id)
    if before is not None and replace(before, at_s=decision.at_s) == decision:
        return project
    others = (one for one in plan.leak_decisions if one.leak_id != decision.leak_id)
    decided = tuple(sorted((*others, decision), key=attrgetter("leak_id")))
    after = with_plan(project, plan, replace(plan, leak_decisions=decided))
    return add_decision(after, scenario, decision.at_s, what, reason)
