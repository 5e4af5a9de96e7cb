"""Shared idle: what each team bears of the GPUs that are paid on a cluster and used by nobody, by the rule in force."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.audit.money.contract_inputs import contract_amounts
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.use.utilization import ClusterHours
from gpuplanner.domain.figures.columns import floats, gpu_hours, optional
from gpuplanner.domain.figures.costs.chargeback import IDLE_SHARE
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.assumptions import IdleRule

NOBODYS = ""
"""The team of jobs that name neither account nor user, and of what no job answers for."""
CALLED_NOBODY = "nobody"
"""What it is called in documents; an account of that name is the same."""


@dataclass(frozen=True, slots=True)
class IdleShare:
    """What one team bears of one cluster, or of what one owner answers for there.

    owner: None of what nobody answers for, or where the rule asks nobody. held, all_held: milli-GPU-seconds that it and
    all count with (of an owner both the same). shared_in_window, idle_in_window: $, None where a rate is missing.
    """

    cluster: str
    team: str
    owner: str | None
    held: int
    all_held: int
    shared_in_window: float | None
    idle_in_window: float | None


def team_of(owner: str | None) -> str:
    """The team of an account or user; NOBODYS where a log or contract names none.

    >>> team_of("vision"), team_of(" Nobody "), team_of(None)
    ('vision', '', '')
    """
    name = (owner or "").strip()
    return NOBODYS if name.casefold() == CALLED_NOBODY else name


def as_logged(names: Iterable[str], teams: Iterable[str]) -> dict[str, str]:
    """Names that people gave -> the team of the log that they mean: the very name, else the only one but for case.

    A name that no team has stays.

    >>> as_logged(["ML", "hr", "Vision"], ["ml", "vision", "VISION"])
    {'ML': 'ml', 'hr': 'hr', 'Vision': 'Vision'}
    """
    known = set(teams)
    by_fold: dict[str, list[str]] = {}
    for team in sorted(known):
        by_fold.setdefault(team.casefold(), []).append(team)

    def found(name: str) -> str:
        alike = by_fold.get(name.casefold(), [])
        return name if name in known or len(alike) != 1 else alike[0]

    return {name: found(team_of(name)) for name in names}


def idle_shares(past: Past, audit: Audit) -> tuple[IdleShare, ...]:
    """Every team's share of every cluster. Law: they add up to what is unallocated, cluster by cluster.

    A cluster without jobs is borne by NOBODYS; without a log nobody knows what is idle.
    Source: docs/formulas.md, Who pays.
    """
    project = past.project
    if not project.has_log:
        return ()
    rule = IdleRule(project.assumptions.idle_shared_by)
    ran = gpu_time_by_team(project)
    held = _largest_hours(project) if rule is IdleRule.PEAK else ran
    teams = {team for of_cluster in ran.values() for team in of_cluster}
    drafts = [
        (hours.cluster, team, owner, own, whole, usd)
        for hours in past.clusters
        for owner, usd in _to_share(hours, project, audit, rule, teams)
        for team, own, whole in _bearers(owner, held.get(hours.cluster, {}))
    ]
    found = IDLE_SHARE.worked_out(
        {
            "shared_in_window": floats([usd for *_, usd in drafts]),
            "held_gpu_hours": gpu_hours([own for *_, own, _, _ in drafts]),
            "all_held_gpu_hours": gpu_hours([whole for *_, whole, _ in drafts]),
        }
    )["idle_in_window"]
    return tuple(IdleShare(*draft, usd) for draft, usd in zip(drafts, optional(found), strict=True))


def gpu_time_by_team(project: Project) -> dict[str, dict[str, int]]:
    """Milli-GPU-seconds of each team on each cluster, served or not; no team without any."""
    found: dict[str, dict[str, int]] = {}
    for workload in project.workloads:
        if workload.milli_gpu_seconds:
            of_cluster = found.setdefault(workload.cluster, {})
            team = team_of(workload.owner)
            of_cluster[team] = of_cluster.get(team, 0) + workload.milli_gpu_seconds
    return found


def _to_share(
    hours: ClusterHours, project: Project, audit: Audit, rule: IdleRule, teams: Iterable[str]
) -> list[tuple[str | None, float | None]]:
    """What is to be shared on a cluster: $ by who answers for it (None: nobody).

    None where a rate is missing, or nobody has said yet which jobs a contract serves.
    """
    window = project.window
    unused = contract_amounts(hours, np.ones(window.hours, dtype=np.bool_), window.months)["unused_in_window"]
    names = as_logged((contract.owner or "" for contract in hours.contracts), teams)
    pots: dict[str | None, list[float | None]] = {}
    for contract, usd in zip(hours.contracts, unused, strict=True):
        owner = names[contract.owner or ""] if rule is IdleRule.OWNER else NOBODYS
        is_unknown = contract.contract_id in audit.unknown_contracts
        pots.setdefault(owner or None, []).append(None if is_unknown else usd)
    return [(owner, known_sum(amounts)) for owner, amounts in pots.items()]


def _bearers(owner: str | None, held: Mapping[str, int]) -> list[tuple[str, int, int]]:
    """Who bears it: team, what it counts with, and what all do."""
    if owner is not None:
        return [(owner, 1, 1)]
    whole = sum(held.values())
    return [(team, own, whole) for team, own in sorted(held.items())] or [(NOBODYS, 1, 1)]


def _largest_hours(project: Project) -> dict[str, dict[str, int]]:
    """Milli-GPU-seconds of each team's largest hour on each cluster."""
    cube = project.cube
    rows: dict[tuple[str, str], list[int]] = {}
    for row, place in enumerate(cube.workload_index.tolist()):
        workload = project.workloads[place]
        rows.setdefault((workload.cluster, team_of(workload.owner)), []).append(row)
    found: dict[str, dict[str, int]] = {}
    for (cluster, team), of_team in rows.items():
        found.setdefault(cluster, {})[team] = int(_by_hour(cube, of_team).max())
    return found


def _by_hour(cube: Cube, rows: Sequence[int]) -> Ints:
    """Milli-GPU-seconds of some rows together in each hour; shape (hours,)."""
    total = np.zeros(cube.hours, dtype=np.int64)
    for row in rows:
        span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
        total[cube.hour[span]] += cube.milli_gpu_seconds[span]  # an hour is once in a row
    return total
