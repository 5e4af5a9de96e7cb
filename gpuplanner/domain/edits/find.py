"""Parts of a project found by name, and a project with something put back; what no verb changes is its argument."""

from bisect import bisect_left
from collections.abc import Collection, Iterable
from operator import attrgetter
from typing import Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model import cube, spelling
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.plan.merged_cards import with_those_merged
from gpuplanner.domain.model.plan.scenario import TODAY, Scenario
from gpuplanner.domain.model.plan.splits import bare_key, leaf_keys, whole_key
from gpuplanner.domain.model.project import Project
from gpuplanner.lazy_dataclass import replace

TEAM: Final = "team:"
"""What stands before the name of a team where a workload's key could stand."""
NOBODY: Final = "nobody"
"""As documents and calls name the team of work that names none; its own name is empty."""


def plan_named(project: Project, name: str) -> Scenario:
    """A plan. Errors: PlannerError for Today and for a name that no plan has."""
    if name == TODAY:
        problem = worded("it shows the past, read-only")
        raise refusal(TODAY, problem, worded("make a plan and change it"))
    try:
        return project.scenario(name)
    except KeyError:
        known = ", ".join(plan.name for plan in project.scenarios)
        raise refusal(name, worded("no such plan"), worded("use one of {known}", known=known)) from None


def workload_of(project: Project, key: str) -> cube.Workload | None:
    """A workload; None for a key that an import no longer brings.

    Found by halving: workloads are sorted by key.
    """
    at = bisect_left(project.workloads, key, key=attrgetter("key"))  # sorted by key: a law of Project
    rows = project.workloads[at : at + 1]
    return rows[0] if rows and rows[0].key == key else None


def require_workloads(project: Project, keys: Iterable[str]) -> None:
    """Errors: PlannerError for the first key that no workload has."""
    for key in keys:
        if workload_of(project, key) is None:
            raise refusal(key, worded("no such workload"), worded("use a key that the audit lists"))


def planned_keys(project: Project, plan: Scenario) -> frozenset[str]:
    """Keys of the work planned in a plan that no log has; what a log has by now counts as it ran."""
    return frozenset(work.key for work in plan.planned if workload_of(project, work.key) is None)


def teams_of(project: Project, plan: Scenario) -> dict[str, tuple[str, ...]]:
    """Keys of the workloads of each team, and of the work planned for it; teams and keys sorted.

    The team is the account of the jobs, else their user; "" where the log names neither.
    """
    teams: dict[str, list[str]] = {}
    for workload in project.workloads:
        teams.setdefault(workload.owner, []).append(workload.key)
    planned = planned_keys(project, plan)
    for work in plan.planned:
        if work.key in planned:
            teams.setdefault(work.team, []).append(work.key)
    return {team: tuple(sorted(teams[team])) for team in sorted(teams)}


def teams_called(project: Project, plan: Scenario, name: str) -> tuple[str, ...]:
    """The teams that a name means: the one of just this name, else all that differ from it in case; none: empty."""
    teams, wanted = teams_of(project, plan), name.strip()
    if wanted in teams:
        return (wanted,)
    alike = tuple(team for team in teams if team.casefold() == wanted.casefold())
    return alike or (("",) if wanted.casefold() == NOBODY and "" in teams else ())


def cards_of(project: Project, plan: Scenario, keys: Iterable[str]) -> tuple[str, ...]:
    """The cards that workloads, or parts of them, are in a plan, with those that they are merged with.

    Errors: PlannerError for the first that is neither."""
    given = tuple(keys)
    require_workloads(project, (whole_key(key, plan.splits) for key in given))
    leaves = (leaf for key in given for leaf in leaf_keys(key, plan.splits)) if plan.splits else given
    return with_those_merged(leaves, plan.merges)


def workloads_called(project: Project, keys: Collection[str]) -> Text:
    """The name of a single workload, else how many they are."""
    if len(keys) != 1:
        return worded("{keys} workloads", keys=whole(len(keys)))
    (key,) = keys
    workload = workload_of(project, key)
    if workload is not None:
        return spelling.name_apart(workload, project.workloads)
    works = (work.name for plan in project.scenarios for work in plan.planned if work.key == key)
    workload = workload_of(project, bare_key(key))
    if workload is None:
        return next(works, key)
    return worded("a part of {workload}", workload=spelling.name_apart(workload, project.workloads))


def with_plan(project: Project, before: Scenario, after: Scenario) -> Project:
    """The project with a plan changed; itself where nothing changed.

    before: the very plan of the project, which is found by identity.
    """
    if after == before:
        return project
    return replace(project, scenarios=tuple(after if plan is before else plan for plan in project.scenarios))


def with_values(project: Project, **values: object) -> Project:
    """The project with other values of its fields; itself where they are equal.

    Fields compare by value, so that a no-op edit gives the very same project.
    """
    if all(getattr(project, name) == value for name, value in values.items()):
        return project
    return replace(project, **values)  # type: ignore[arg-type]
