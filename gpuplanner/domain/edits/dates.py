"""What a planner says of time: first and last days, steps of demand and prices, and work that no log has yet."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from gpuplanner.domain.edits.find import plan_named, require_workloads, with_plan, workload_of
from gpuplanner.domain.edits.model_mappings import spelled
from gpuplanner.domain.model.dated import (
    DemandChange,
    PlannedWork,
    PriceChange,
    Spell,
    check_planned,
    check_spell,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.worded import worded

MOST_TIMES = 1000.0


def date_workloads(
    project: Project, scenario: str, keys: Collection[str], begins_s: int | None, ends_s: int | None
) -> Project:
    """Workloads of a plan, or work planned in it, given a first and a last moment (epoch seconds); None takes one back.

    Errors: PlannerError for Today, an unknown plan or workload, or an end before the beginning.
    """
    plan = plan_named(project, scenario)
    planned = {work.key: work for work in plan.planned}
    require_workloads(project, (key for key in keys if key not in planned))
    spells = dict(plan.spells)
    for key in keys:
        spell = check_spell(key, Spell(begins_s, ends_s))
        if key in planned:
            planned[key] = replace(planned[key], begins_s=begins_s, ends_s=ends_s)
        elif spell == Spell():
            spells.pop(key, None)
        else:
            spells[key] = spell
    after = replace(plan, spells=spells, planned=tuple(planned[key] for key in sorted(planned)))
    return (
        project
        if (after.spells, after.planned) == (plan.spells, plan.planned)
        else with_plan(project, plan, after)
    )


def stop_workloads(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that are over when the plan begins; their own beginning is let go.

    Errors: as for `date_workloads`.
    """
    return date_workloads(project, scenario, keys, None, project.plan_window.end_s)


def plan_work(project: Project, scenario: str, works: Iterable[PlannedWork]) -> Project:
    """Work that no log has, in a plan; what has the key of some that is there takes its place.

    Errors: PlannerError for Today, an unknown plan, a key that the log has, or what `check_planned` refuses.
    """
    plan = plan_named(project, scenario)
    planned = {work.key: work for work in plan.planned}
    for work in works:
        if workload_of(project, work.key) is not None:
            what = worded("the log has a workload of that key")
            raise PlannerError(work.key, "usage", what, worded("enter another name, team or cluster"))
        planned[work.key] = check_planned(work)
    after = tuple(planned[key] for key in sorted(planned))
    return project if after == plan.planned else with_plan(project, plan, replace(plan, planned=after))


def drop_planned(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Planned work taken out of a plan. Errors: PlannerError for Today or an unknown plan."""
    plan = plan_named(project, scenario)
    after = tuple(work for work in plan.planned if work.key not in set(keys))
    return project if after == plan.planned else with_plan(project, plan, replace(plan, planned=after))


def change_demand(project: Project, scenario: str, changes: Iterable[DemandChange]) -> Project:
    """Steps of demand of a plan, in place of its own.

    Errors: PlannerError for Today, an unknown plan or workload, or a factor below 0 or over 1,000.
    """
    plan = plan_named(project, scenario)
    after = tuple(changes)
    for change in after:
        known = {work.key for work in plan.planned}
        require_workloads(project, (key for key in change.keys if key not in known))
        if not 0 <= change.factor <= MOST_TIMES:
            what = worded("{factor} is no factor", factor=f"{change.factor:g}")
            raise PlannerError(change.of, "usage", what, worded("enter 0 to 1,000"))
    return project if after == plan.changes else with_plan(project, plan, replace(plan, changes=after))


def change_prices(project: Project, scenario: str, changes: Iterable[PriceChange]) -> Project:
    """Steps of prices of a plan, in place of its own; models are spelled as the price list spells them.

    Errors: PlannerError for Today, an unknown plan, a model without offers, or a factor of 0 or less or over 1,000.
    """
    plan = plan_named(project, scenario)
    offered = {offer.gpu_model for offer in project.offers}
    after = []
    for change in changes:
        model = spelled(change.gpu_model, offered, worded("no offer has"))
        if not 0 < change.factor <= MOST_TIMES:
            what = worded("{factor} is no factor of a price", factor=f"{change.factor:g}")
            raise PlannerError(model, "usage", what, worded("enter more than 0, up to 1,000"))
        after.append(replace(change, gpu_model=model))
    if tuple(after) == plan.price_changes:
        return project
    return with_plan(project, plan, replace(plan, price_changes=tuple(after)))
