"""What a planner does with plans: add, rename, delete them, and set what holds in one."""

from collections.abc import Sequence
from dataclasses import replace

from gpuplanner.domain.edits.find import plan_named, with_plan, with_values
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.price_case import PriceCase
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME, AssumptionValue, check_assumption
from gpuplanner.domain.model.scenario.plan_inputs import AS_TODAY, SEPARATED, TODAY, HandLayer, Scenario
from gpuplanner.domain.model.window import DAY_S, HOUR_S, iso_utc

LATEST_PLAN_S = 100 * 365 * DAY_S
"""How long after the log a plan may begin: a year typed wrong is refused."""


def add_plan(project: Project, name: str, from_name: str | None = None, start: str = SEPARATED) -> Project:
    """A new plan, last of the tabs.

    from_name: a plan to copy with all that is in it; Today for a plan that starts as today; None for a fresh one
    that begins by `start` (SEPARATED or AS_TODAY). Errors: PlannerError where the name is empty or taken.
    """
    wanted = _free_name(project, name)
    if from_name == TODAY:
        plan = Scenario(wanted, AS_TODAY)
    elif from_name is None:
        plan = Scenario(wanted, start)
    else:
        plan = replace(plan_named(project, from_name), name=wanted, scratch_of="")
    return replace(project, scenarios=(*project.scenarios, plan))


def duplicate_plan(project: Project, name: str) -> Project:
    """A copy of a plan right after it, named with the next free letter.

    Its log of decisions goes with it. Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, name)
    at = project.scenarios.index(plan) + 1
    copy = replace(plan, name=next_plan_name(project), scratch_of="")
    return replace(project, scenarios=(*project.scenarios[:at], copy, *project.scenarios[at:]))


def rename_plan(project: Project, name: str, new_name: str) -> Project:
    """A plan under another name. Errors: PlannerError where that is empty or taken.

    Blanks around and between words are tidied. Names differ by more than case. Scratch copies stay those of the plan.
    """
    plan = plan_named(project, name)
    wanted = _free_name(project, new_name, apart_from=name)
    renamed = with_plan(project, plan, replace(plan, name=wanted))
    return project if renamed is project else _with_scratch_of(renamed, name, wanted)


def delete_plan(project: Project, name: str) -> Project:
    """The project without a plan; scratch copies of it are then plans. Errors: PlannerError for the only plan there is.

    Errors: PlannerError, too, for Today or an unknown plan.
    """
    plan = plan_named(project, name)
    if len(project.scenarios) == 1:
        raise PlannerError(
            name, "usage", worded("it is the only plan"), worded("add another plan before you delete it")
        )
    left = replace(project, scenarios=tuple(other for other in project.scenarios if other is not plan))
    return _with_scratch_of(left, name, "")


def _with_scratch_of(project: Project, name: str, now: str) -> Project:
    """Scratch copies of a plan said to be of what it is called now."""
    if all(plan.scratch_of != name for plan in project.scenarios):
        return project
    plans = (replace(plan, scratch_of=now) if plan.scratch_of == name else plan for plan in project.scenarios)
    return replace(project, scenarios=tuple(plans))


def shift_plan(project: Project, name: str, places: int) -> Project:
    """A plan so many tabs further right (below zero: left), as far as there are tabs.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, name)
    others = [other for other in project.scenarios if other is not plan]
    at = min(len(others), max(0, project.scenarios.index(plan) + places))
    order = (*others[:at], plan, *others[at:])
    return project if order == project.scenarios else replace(project, scenarios=order)


def next_plan_name(project: Project) -> str:
    """The first of Plan A, Plan B, ... Plan Z, Plan 27, ... that no plan has, nor one called so and then a dot.

    "Plan A · as signed" takes Plan A. Case does not matter.
    """
    taken = {plan.name.split(" \u00b7 ", 1)[0].casefold() for plan in project.scenarios}
    letters = [chr(ord("A") + number) for number in range(26)]
    numbers = [str(number) for number in range(27, 28 + len(taken))]
    return next(
        str(worded("Plan {mark}", mark=mark))
        for mark in letters + numbers
        if f"plan {mark}".casefold() not in taken
    )


def set_assumption(project: Project, scenario: str | None, name: str, value: AssumptionValue) -> Project:
    """An assumption (by its --set name) changed in one plan, or with scenario None in the project.

    A plan keeps only what differs from the project: giving it the project's value takes its own away.
    Errors: PlannerError where the name is unknown, or the value out of range or of the wrong kind.
    """
    spec = SPEC_BY_NAME.get(name)
    if spec is None:
        raise PlannerError(
            name, "usage", worded("no such assumption"), worded("use one of ") + ", ".join(SPEC_BY_NAME)
        )
    checked = check_assumption(spec, value)
    shared = getattr(project.assumptions, spec.field)
    if scenario is None:
        return project if _is(shared, checked) else _with_shared_value(project, name, checked)
    plan = plan_named(project, scenario)
    own = {other: set_value for other, set_value in plan.assumptions.items() if other != name}
    if not _is(shared, checked):
        own[name] = checked
    return with_plan(project, plan, replace(plan, assumptions=own))


def set_hand_layers(
    project: Project,
    scenario: str,
    pool: Pool,
    gpu_model: str | None,
    layers: Sequence[HandLayer] | None,
    is_rest_advised: bool = False,
) -> Project:
    """The committed layers of a pool and model set by hand in a plan; None takes them back to the advice.

    is_rest_advised: only these are held and all else is advised around them; otherwise the rest is paid by use.

    Errors: PlannerError for a negative size, a term under a month, or two layers of one term.
    """
    plan = plan_named(project, scenario)
    kept = {pair: own for pair, own in plan.hand_layers.items() if pair != (pool, gpu_model)}
    if layers is not None:
        terms = [layer.term_months for layer in layers]
        if any(layer.gpus < 0 or layer.term_months < 1 for layer in layers) or len(set(terms)) < len(terms):
            where = f"{pool}, {gpu_model or 'unknown model'}"
            raise PlannerError(
                where,
                "usage",
                worded("a level is negative or given twice"),
                worded("enter one level of 0 or more a term"),
            )
        longest_first = tuple(sorted(layers, key=lambda layer: -layer.term_months))
        was_advised = (pool, gpu_model) in plan.advised_around
        if plan.hand_layers.get((pool, gpu_model)) == longest_first and was_advised == is_rest_advised:
            return project
        kept[pool, gpu_model] = longest_first
    around = plan.advised_around - {(pool, gpu_model)}
    if layers is not None and is_rest_advised:
        around |= {(pool, gpu_model)}
    return with_plan(project, plan, replace(plan, hand_layers=kept, advised_around=around))


def set_price_case(project: Project, scenario: str, case: PriceCase) -> Project:
    """Which rate of each offer counts in a plan: low, mid or high.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    return with_plan(project, plan, replace(plan, price_case=case))


def set_plan_from(project: Project, at_s: int | None) -> Project:
    """The moment that all plans begin, epoch seconds on a whole hour; None, or the window's end: where it ends.

    Errors: PlannerError where it lies in the log, or too far after it.
    """
    end_s = project.window.end_s
    if at_s is not None and (at_s < end_s or at_s > end_s + LATEST_PLAN_S or at_s % HOUR_S):
        what = worded(
            "{at_s} is no whole hour from the end of the log, {end_s}, on",
            at_s=iso_utc(at_s),
            end_s=iso_utc(end_s),
        )
        raise PlannerError(
            "plan from", "usage", what, worded("choose a day after the log, at most 100 years later")
        )
    return with_values(project, plan_from_s=None if at_s == end_s else at_s)


def set_greenfield(project: Project, scenario: str, greenfield: bool) -> Project:
    """A plan that leaves the existing contracts out, or takes them in.

    Errors: PlannerError for Today or an unknown plan.
    """
    plan = plan_named(project, scenario)
    return with_plan(project, plan, replace(plan, greenfield=greenfield))


def _with_shared_value(project: Project, name: str, value: AssumptionValue) -> Project:
    """The project with one of its own assumptions changed; plans are left to the caller."""
    return replace(project, assumptions=project.assumptions.with_values({name: value}))


def _free_name(project: Project, name: str, apart_from: str | None = None) -> str:
    """A name with its blanks tidied. Errors: PlannerError where it is empty, Today's, or that of a plan other
    than apart_from.
    """
    wanted = " ".join(name.split())
    if not wanted:
        raise PlannerError("plan", "usage", worded("it has no name"), worded("enter one"))
    taken = {
        TODAY.casefold(),
        *(plan.name.casefold() for plan in project.scenarios if plan.name != apart_from),
    }
    if wanted.casefold() in taken:
        raise PlannerError(wanted, "usage", worded("there is one of that name"), worded("enter another name"))
    return wanted


def _is(one: AssumptionValue, other: AssumptionValue) -> bool:
    """Whether two values are one; None is itself alone, not 0."""
    return one is other if one is None or other is None else one == other
