"""The log of decisions of a plan: what was decided, when, and why as far as the planner said."""

from dataclasses import fields, replace

from gpuplanner.domain.edits.find import plan_named, with_plan
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import TODAY, Decision, Scenario

MOST_KEPT = 5_000
"""Lines of a log: the oldest without a reason make room, so that an afternoon of dragging does not fill a project."""


def add_decision(project: Project, scenario: str, at_s: int, what: Text, reason: Text = "") -> Project:
    """A line at the end of a plan's log of decisions; at_s in epoch seconds UTC.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    return with_plan(project, plan, replace(plan, decisions=(*plan.decisions, Decision(at_s, what, reason))))


def log_decision(
    before: Project,
    after: Project,
    scenario: str,
    at_s: int,
    what: Message,
    base: tuple[Decision, ...] | None = None,
) -> Project:
    """`after` with a line in the log of a plan that plans other than `before`; `after` itself where it does not.

    An edit that wrote a line of its own keeps it. base: the log to write after, where the line before was of the same
    gesture; None: the plan's own. Today, and what holds for all plans, is in no plan's log.
    """
    plan, old = _found(after, scenario), _found(before, scenario)
    if plan is None or (old is not None and (plan.plans_as(old) or plan.decisions is not old.decisions)):
        return after
    kept = plan.decisions if base is None else base
    if len(kept) >= MOST_KEPT:
        at = next((place for place, one in enumerate(kept) if not one.reason), 0)
        kept = (*kept[:at], *kept[at + 1 :])
    return with_plan(after, plan, replace(plan, decisions=(*kept, Decision(at_s, what))))


def set_reason(project: Project, scenario: str, number: int, reason: str) -> Project:
    """The reason of a line of a plan's log, counted from 0; empty takes it away.

    Errors: PlannerError where there is no such line.
    """
    plan = plan_named(project, scenario)
    if not 0 <= number < len(plan.decisions):
        raise PlannerError(scenario, "usage", worded("no such decision"), worded("choose one of its log"))
    changed = replace(plan.decisions[number], reason=" ".join(reason.split()))
    decisions = (*plan.decisions[:number], changed, *plan.decisions[number + 1 :])
    return with_plan(project, plan, replace(plan, decisions=decisions))


def say_the_same(one: Project, other: Project) -> bool:
    """Whether two projects differ in nothing but what the logs of their plans say.

    Parts compare by identity, plans by value without their logs: a cheap question after every edit.
    """
    parts = (each.name for each in fields(Project) if each.name != "scenarios")
    if any(getattr(one, name) is not getattr(other, name) for name in parts):
        return False
    plans = [[replace(plan, decisions=()) for plan in project.scenarios] for project in (one, other)]
    return plans[0] == plans[1]


def _found(project: Project, scenario: str) -> Scenario | None:
    """The plan of a name; None for Today and for one that is gone."""
    if scenario == TODAY:
        return None
    return next((plan for plan in project.scenarios if plan.name == scenario), None)
