"""Checks of the past: what a planner should know about the log and the contracts before reading the figures."""

from collections.abc import Sequence

from gpuplanner.domain.audit.result import Check, ClusterAudit, ContractAudit
from gpuplanner.domain.audit.utilization import ClusterHours
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.model.project import Project


def audit_checks(
    project: Project,
    classifications: Sequence[Classification],
    clusters: Sequence[ClusterHours],
    of_clusters: Sequence[ClusterAudit],
    of_contracts: Sequence[ContractAudit],
    workload_usd: Sequence[float | None],
) -> tuple[Check, ...]:
    """None yet."""
    return ()
