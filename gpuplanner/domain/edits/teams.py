"""Teams and pools as one: which workloads a name means, and a team that stops."""

from collections.abc import Callable, Mapping
from typing import Final

from gpuplanner.domain.edits import find
from gpuplanner.domain.edits.dates import dated, drop_planned, spells_of
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import Spell
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace

POOL: Final = "pool:"
"""What stands before the name of a pool where a workload's key could stand."""


def team_meant(project: Project, plan: Scenario, text: str) -> str | None:
    """The name of the team that a text means, as it was written; None for a workload's key or a pool."""
    is_key = find.workload_of(project, text) is not None or text in find.planned_keys(project, plan)
    return None if is_key or not text.startswith(find.TEAM) else text.removeprefix(find.TEAM).strip()


def keys_meant(
    project: Project, plan: Scenario, text: str, pools: Callable[[], Mapping[str, Pool]]
) -> tuple[str, ...]:
    """The workloads that a text means: one by its key, those of `team:NAME`, or those that stand in `pool:NAME`.

    A key that is there wins; one that is not comes back as it is. Where none is called just so, names match without
    regard to case. pools: where each workload stands in the plan, by key, asked only for a pool.
    Errors: PlannerError where there is no such team or pool.
    """
    if find.workload_of(project, text) is not None or text in find.planned_keys(project, plan):
        return (text,)
    kind = next((kind for kind in (find.TEAM, POOL) if text.startswith(kind)), None)
    if kind is None:
        return (text,)
    name = text.removeprefix(kind)
    if kind == find.TEAM:
        teams = find.teams_of(project, plan)
        meant_keys = tuple(key for team in find.teams_called(project, plan, name) for key in teams[team])
        known = [team or find.NOBODY for team in teams]
    else:
        meant = name.strip().casefold()
        meant_keys = tuple(sorted(key for key, pool in pools().items() if pool == meant))
        known = [pool.value for pool in Pool]
    if not meant_keys:
        remedy = worded("use one of {known}", known=", ".join(known))
        raise refusal(text, worded("no workload has it"), remedy)
    return meant_keys


def stop_team(project: Project, scenario: str, team: str, from_s: int | None = None) -> Project:
    """Every workload of a team, and work planned for it, over from a moment on.

    from_s: epoch seconds; None: when the plan begins. What ends before stays as it is; what would begin later is not
    there at all, and planned work of a length that would then still run is taken out.
    Errors: PlannerError for Today, an unknown plan or a team without workloads.
    """
    plan = find.plan_named(project, scenario)
    begins_s = project.plan_window.end_s
    at_s = begins_s if from_s is None else from_s
    keys = keys_meant(project, plan, f"{find.TEAM}{team}", dict)
    of_length = {work.key: work for work in plan.planned if work.length_hours is not None}
    gone, spells = [], dict[str, Spell]()
    works = find.planned_keys(project, plan)
    for key, own in spells_of(project, plan, keys).items():
        spell = of_length[key].spell(begins_s) if key in works and key in of_length else own
        if spell.ends_s is not None and spell.ends_s <= at_s:
            continue
        is_later = spell.begins_s is not None and spell.begins_s >= at_s
        if key in works and (is_later or key in of_length):
            gone.append(key)
        else:
            spells[key] = Spell(None, begins_s) if is_later else replace(spell, ends_s=at_s)
    return dated(drop_planned(project, scenario, gone), scenario, spells)
