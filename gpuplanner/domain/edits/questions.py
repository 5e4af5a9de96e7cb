"""Questions: what a planner tries out stands in a scratch copy beside the plan, until it is kept or discarded."""

from dataclasses import fields, replace

from gpuplanner.domain.edits.find import plan_named, with_plan, with_values
from gpuplanner.domain.edits.plans import delete_plan, rename_plan
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.plan_inputs import Decision, Scenario

LONGEST_NAME = 60
"""Letters of a name that is proposed."""


def asked_apart(before: Project, after: Project, scenario: str) -> Project:
    """What an edit changed in a plan, in a scratch copy right after it, and the plan as it was before.

    `after` itself where the edit changed more than that one plan, or nothing that it plans with, or a scratch copy.
    """
    plan, changed = _plan_of(before, scenario), _plan_of(after, scenario)
    if plan is None or changed is None or plan.scratch_of or changed.plans_as(plan):
        return after
    parts = (each.name for each in fields(Project) if each.name != "scenarios")
    if any(getattr(before, name) is not getattr(after, name) for name in parts):
        return after
    others = [[one for one in project.scenarios if one.name != scenario] for project in (before, after)]
    if others[0] != others[1]:
        return after
    copy = replace(changed, name=_scratch_name(before, scenario), scratch_of=scenario)
    at = before.scenarios.index(plan) + 1
    return replace(after, scenarios=(*before.scenarios[:at], copy, *before.scenarios[at:]))


def asks_nothing(project: Project, scenario: str) -> bool:
    """Whether a scratch copy says the same as its plan, but for its name and log."""
    plan = project.plan_before(scenario)
    if plan is None:
        return False
    return (
        replace(_question(project, scenario), name=plan.name, scratch_of="", decisions=plan.decisions) == plan
    )


def keep_question(project: Project, scenario: str, proposed: str) -> Project:
    """A scratch copy as a plan of its own, under the name that is proposed, or that with a number where it is taken.

    Errors: PlannerError for what is no scratch copy.
    """
    plan = _question(project, scenario)
    name = free_plan_name(project, proposed[:LONGEST_NAME].strip(), apart_from=scenario)
    kept = with_plan(project, plan, replace(plan, scratch_of=""))
    return kept if name == scenario else rename_plan(kept, scenario, name)


def discard_question(project: Project, scenario: str) -> Project:
    """The project without a scratch copy. Errors: PlannerError for what is no scratch copy."""
    _question(project, scenario)
    return delete_plan(project, scenario)


def with_sound_questions(project: Project) -> Project:
    """Every scratch copy is of a plan of its own that is there; any other copy is a plan of its own too.

    Nothing of it is lost, and its log of decisions says what happened. A project of which that is so is itself.
    """
    own = {plan.name for plan in project.scenarios if not plan.scratch_of}
    at_s = project.plan_window.end_s
    plans = tuple(
        plan if not plan.scratch_of or plan.scratch_of in own else _freed(plan, at_s)
        for plan in project.scenarios
    )
    return with_values(project, scenarios=plans)


def _freed(plan: Scenario, at_s: int) -> Scenario:
    """A scratch copy of nothing as a plan of its own, with a line that says so. at_s: of a first line, UTC."""
    said = worded(
        "A plan of its own from here on: it was to ask a question of {plan}, which is no plan of this project",
        plan=plan.scratch_of,
    )
    at_s = max((one.at_s for one in plan.decisions), default=at_s)
    return replace(plan, scratch_of="", decisions=(*plan.decisions, Decision(at_s, said)))


def free_plan_name(project: Project, name: str, apart_from: str = "") -> str:
    """A name, or the first of name 2, name 3, ... that no plan has, whatever its case."""
    taken = {plan.name.casefold() for plan in project.scenarios if plan.name != apart_from}
    tried, number = name, 2
    while tried.casefold() in taken:
        tried, number = f"{name} {number}", number + 1
    return tried


def _scratch_name(project: Project, scenario: str) -> str:
    """Plan A · what if."""
    return free_plan_name(project, str(worded("{plan} \u00b7 what if", plan=scenario)))


def _question(project: Project, scenario: str) -> Scenario:
    plan = plan_named(project, scenario)
    if not plan.scratch_of:
        raise PlannerError(
            scenario, "usage", worded("it is a plan, no question"), worded("ask one in What if")
        )
    return plan


def _plan_of(project: Project, scenario: str) -> Scenario | None:
    return next((plan for plan in project.scenarios if plan.name == scenario), None)
