"""What each workload is charged for a window: what served it, its share of idle GPUs, and what overflowed."""

from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.costs.idle_shares import IdleShare, gpu_time_by_team, idle_shares, team_of
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.audit.money.spend import overflow_usd_per_unit, served_usd_per_unit
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.use.model_groups import group_of_row
from gpuplanner.domain.audit.use.row_sums import weighted_row_sums
from gpuplanner.domain.figures.columns import floats, gpu_hours, optional
from gpuplanner.domain.figures.costs.chargeback import OWN_IDLE
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.assumptions import IdleRule


@dataclass(frozen=True, slots=True)
class WorkloadCharge:
    """What one workload is charged. place: in Project.workloads; milli_gpu_seconds of the window.

    direct, idle, overflow: $ of the window, None where a rate is missing. is_endpoint: it is classed inference.
    """

    place: int
    key: str
    cluster: str
    team: str
    milli_gpu_seconds: int
    direct: float | None
    idle: float | None
    overflow: float | None
    is_endpoint: bool


@dataclass(frozen=True, slots=True, eq=False)
class Charged:
    """What a window's money is made of, before it is put into rows. rule: how idle GPUs are shared.

    shares: of idle GPUs, by cluster and team; unborne: those of them that no job answers for. months: of 730 h.
    """

    rule: IdleRule
    workloads: tuple[WorkloadCharge, ...]
    shares: tuple[IdleShare, ...]
    unborne: tuple[IdleShare, ...]
    months: float

    @property
    def teams(self) -> frozenset[str]:
        """Teams whose jobs had GPU time."""
        return frozenset(row.team for row in self.workloads)


def charged(past: Past, audit: Audit) -> Charged:
    """What each workload is charged, and what nobody is.

    Laws: direct + overflow of a workload is what it costs in the audit; all of it adds up to paid + overflow.
    Source: docs/formulas.md, Who pays.
    """
    project = past.project
    shares = idle_shares(past, audit)
    ran = gpu_time_by_team(project)
    borne: list[IdleShare] = []
    unborne: list[IdleShare] = []
    for one in shares:
        (borne if one.team in ran.get(one.cluster, {}) else unborne).append(one)
    team_idle: dict[tuple[str, str], float | None] = {}
    for one in borne:
        where = (one.cluster, one.team)
        team_idle[where] = known_sum((team_idle.get(where, 0.0), one.idle_in_window))
    unknown = {row.cluster for row in audit.clusters if row.used_gpu_hours is None}
    direct, overflow = _money(past)
    places = [place for place, workload in enumerate(project.workloads) if workload.milli_gpu_seconds]
    at = [project.workloads[place] for place in places]
    idle = OWN_IDLE.value(
        "own_idle",
        {
            "team_idle": floats([team_idle.get((one.cluster, team_of(one.owner)), 0.0) for one in at]),
            "gpu_hours": gpu_hours([one.milli_gpu_seconds for one in at]),
            "team_gpu_hours": gpu_hours([ran[one.cluster][team_of(one.owner)] for one in at]),
        },
    )

    def known(cluster: str, usd: float | None) -> float | None:
        return None if cluster in unknown else usd

    return Charged(
        IdleRule(project.assumptions.idle_shared_by),
        tuple(
            WorkloadCharge(
                place=place,
                key=one.key,
                cluster=one.cluster,
                team=team_of(one.owner),
                milli_gpu_seconds=one.milli_gpu_seconds,
                direct=known(one.cluster, direct[place]),
                idle=known(one.cluster, own_idle),
                overflow=known(one.cluster, overflow[place]),
                is_endpoint=past.classifications[place].pool is Pool.INFERENCE,
            )
            for place, one, own_idle in zip(places, at, optional(idle), strict=True)
        ),
        shares,
        tuple(unborne),
        project.window.months,
    )


def _money(past: Past) -> tuple[list[float | None], list[float | None]]:
    """Each workload's $ of the window: what contracts served of it, and what overflowed; None: a rate is missing."""
    project, cube = past.project, past.project.cube
    of_row = group_of_row(project, past.clusters)

    def of_workloads(worth: Floats) -> list[float | None]:
        rows = weighted_row_sums(cube, of_row, worth)
        sums = np.bincount(cube.workload_index, rows, minlength=len(project.workloads)).astype(float)
        return optional(sums)

    return (
        of_workloads(served_usd_per_unit(past.clusters)),
        of_workloads(overflow_usd_per_unit(project, past.clusters)),
    )
