"""What a planner says of time: first and last days, steps of demand and prices, and work that no log has yet."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from gpuplanner.domain.edits.find import (
    TEAM,
    plan_named,
    planned_keys,
    require_workloads,
    teams_called,
    teams_of,
    with_plan,
    workload_of,
)
from gpuplanner.domain.edits.model_mappings import spelled
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.dated import (
    NO_SPELL,
    DemandChange,
    PlannedWork,
    PriceChange,
    Spell,
    check_demand_change,
    check_planned,
    check_price_change,
    check_spell,
)
from gpuplanner.domain.model.scenario.plan_inputs import Scenario

ALL = "all"
"""What a step of demand is of that is of everything."""


def date_workloads(
    project: Project, scenario: str, keys: Collection[str], begins_s: int | None, ends_s: int | None
) -> Project:
    """Workloads of a plan, or work planned in it, given a first and a last moment (epoch seconds); None takes one back.

    Errors: PlannerError for Today, an unknown plan or workload, an end before the beginning, or the end of planned work
    whose length says when it ends.
    """
    return dated(project, scenario, dict.fromkeys(keys, Spell(begins_s, ends_s)))


def end_workloads(project: Project, scenario: str, keys: Collection[str], ends_s: int) -> Project:
    """Workloads that are over from a moment on (epoch seconds); each begins when it did before.

    Errors: as for `date_workloads`.
    """
    own = spells_of(project, plan_named(project, scenario), keys)
    return dated(project, scenario, {key: replace(spell, ends_s=ends_s) for key, spell in own.items()})


def begin_workloads(project: Project, scenario: str, keys: Collection[str], begins_s: int) -> Project:
    """Workloads that are there from a moment on (epoch seconds); each ends when it did before.

    Errors: as for `date_workloads`.
    """
    own = spells_of(project, plan_named(project, scenario), keys)
    return dated(project, scenario, {key: replace(spell, begins_s=begins_s) for key, spell in own.items()})


def spells_of(project: Project, plan: Scenario, keys: Collection[str]) -> dict[str, Spell]:
    """What a planner said of when workloads, or work that no log has, are there in a plan, by key.

    Keys of which nothing was said have NO_SPELL. Planned work that the log has by now counts as a workload.
    """
    works = {work.key: Spell(work.begins_s, work.ends_s) for work in plan.planned}
    logged = frozenset(works) - planned_keys(project, plan)
    return {
        key: works[key] if key in works and key not in logged else plan.spells.get(key, NO_SPELL)
        for key in keys
    }


def dated(project: Project, scenario: str, dates: Mapping[str, Spell]) -> Project:
    """The plan with these spells, of planned work in the work itself. The project itself where nothing
    changes.
    """
    plan = plan_named(project, scenario)
    works = planned_keys(project, plan)
    planned = {work.key: work for work in plan.planned}
    require_workloads(project, (key for key in dates if key not in works))
    spells = dict(plan.spells)
    for key, spell in dates.items():
        check_spell(key, spell)
        if key in works:
            if spell.ends_s is not None and planned[key].length_hours is not None:
                what = worded("its length says when it ends")
                raise PlannerError(
                    planned[key].name, "usage", what, worded("change its length, or when it begins")
                )
            planned[key] = replace(planned[key], begins_s=spell.begins_s, ends_s=spell.ends_s)
        elif spell == NO_SPELL:
            spells.pop(key, None)
        else:
            spells[key] = spell
    after = replace(plan, spells=spells, planned=tuple(planned[key] for key in sorted(planned)))
    return (
        project
        if (after.spells, after.planned) == (plan.spells, plan.planned)
        else with_plan(project, plan, after)
    )


def stop_workloads(
    project: Project, scenario: str, keys: Collection[str], from_s: int | None = None
) -> Project:
    """Workloads that are over from a moment on, epoch seconds (None: when the plan begins); their beginning is let go.

    Errors: as for `date_workloads`.
    """
    return date_workloads(
        project, scenario, keys, None, project.plan_window.end_s if from_s is None else from_s
    )


def bring_back(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Workloads that are there again when the plan begins, for good: that they stopped is no fall of demand.

    Errors: as for `date_workloads`.
    """
    return date_workloads(project, scenario, keys, project.plan_window.end_s, None)


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


def change_planned(project: Project, scenario: str, key: str, work: PlannedWork) -> Project:
    """Planned work of a key, as it is said now; it may have another name. Errors: as for `plan_work`.

    Errors: PlannerError, too, where other planned work has its new key.
    """
    without = drop_planned(project, scenario, () if work.key == key else (key,))
    plan = plan_named(without, scenario)
    if work.key != key and any(other.key == work.key for other in plan.planned):
        what = worded("other planned work has that key")
        raise PlannerError(work.name, "usage", what, worded("enter another name, team or cluster"))
    return plan_work(without, scenario, (work,))


def drop_planned(project: Project, scenario: str, keys: Collection[str]) -> Project:
    """Planned work taken out of a plan. Errors: PlannerError for Today or an unknown plan.

    Keys that no planned work has are passed over.
    """
    plan = plan_named(project, scenario)
    after = tuple(work for work in plan.planned if work.key not in set(keys))
    return project if after == plan.planned else with_plan(project, plan, replace(plan, planned=after))


def demand_change(
    project: Project,
    scenario: str,
    of: str,
    factor: float,
    from_s: int,
    classes: Mapping[str, Pool],
    by: bool = False,
) -> DemandChange:
    """A step of demand of `of`: a workload's key, a class or TEAM and a name (the workloads of it now), or ALL.

    classes: of the log's workloads, by key. by: it gets there evenly, up to that moment.
    Errors: PlannerError where no workload is of the class or team.
    """
    if of == ALL:
        return DemandChange(of, (), factor, from_s, by)
    plan = plan_named(project, scenario)
    if of.startswith(TEAM) and workload_of(project, of) is None:
        name, teams = of.removeprefix(TEAM), teams_of(project, plan)
        keys = [key for team in teams_called(project, plan, name) for key in teams[team]]
        nobody = worded("no workload is of team {team}", team=name)
    elif of in set(Pool):
        keys = [key for key, pool in classes.items() if pool == of]
        keys += [work.key for work in plan.planned if work.pool == of]
        nobody = worded("no workload is of class {of}", of=of)
    else:
        return DemandChange(of, (of,), factor, from_s, by)
    if not keys:
        raise PlannerError(of, "usage", nobody, worded("choose another"))
    return DemandChange(of, tuple(sorted(set(keys))), factor, from_s, by)


def change_demand(project: Project, scenario: str, changes: Iterable[DemandChange]) -> Project:
    """Steps of demand of a plan, in place of its own.

    Errors: PlannerError for Today, an unknown plan or workload, or a factor below 0 or over 1,000.
    """
    plan = plan_named(project, scenario)
    after = tuple(changes)
    for change in after:
        known = {work.key for work in plan.planned}
        require_workloads(project, (key for key in change.keys if key not in known))
        check_demand_change(change)
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
        after.append(check_price_change(replace(change, gpu_model=model)))
    if tuple(after) == plan.price_changes:
        return project
    return with_plan(project, plan, replace(plan, price_changes=tuple(after)))
