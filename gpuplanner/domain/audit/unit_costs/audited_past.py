"""The past that an audit looked at, from its answer."""

from gpuplanner.domain.audit import result
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.spend.on_demand_rates import eligible_rates
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.model.project import Project


def past_of(project: Project, audit: result.Audit) -> Past:
    """What the audit looked at, from its answer: classes and $ are the audit's, the serving is done again."""
    classes = [row.classification.pool for row in audit.workloads]
    return Past(
        project=project,
        classifications=tuple(row.classification for row in audit.workloads),
        clusters=dispatch_window(project, classes),
        workload_usd_per_month=tuple(row.usd_per_month for row in audit.workloads),
        rates=eligible_rates(project, classes),
        workload_energy=audit.energy.workloads,
    )
