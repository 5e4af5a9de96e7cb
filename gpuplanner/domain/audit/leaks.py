"""Leaks: where money runs out, with jobs or contracts named and what to do."""

from collections.abc import Sequence

from gpuplanner.domain.audit.rates import EligibleRates
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.audit.utilization import ClusterHours
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project


def find_leaks(
    project: Project,
    classifications: Sequence[Classification],
    clusters: Sequence[ClusterHours],
    workload_usd: Sequence[float | None],
    today: Sequence[Pool],
    rates: EligibleRates,
) -> tuple[Leak, ...]:
    """None yet."""
    return ()
