"""The audit's workloads as the parts of a plan: what each part is, and its share of what the whole costs today."""

from dataclasses import replace

from gpuplanner.domain.audit.result import Audit, WorkloadToday
from gpuplanner.domain.demand.parts import Parted
from gpuplanner.domain.demand.planned import NOT_LOGGED, planned_class
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project


def audit_in_parts(audit: Audit, project: Project, parts: Parted) -> Audit:
    """The audit with a row for each of the plan's workloads, in their order; all else is as it was.

    project: the one that was audited. A part is of its whole's class; $ a month today are shared by GPU time, so that
    parts add up to the whole. Planned work costs nothing today.
    """
    rows = []
    for workload, place in zip(parts.workloads, parts.whole, strict=True):
        if place == NOT_LOGGED:
            found = planned_class(workload.label or Pool.BURST)
            rows.append(WorkloadToday(workload.key, found, found.pool, 0.0))
            continue
        row, whole = audit.workloads[place], project.workloads[place]
        if workload is not whole:
            usd = row.usd_per_month
            if usd is not None and whole.milli_gpu_seconds:
                usd = usd * workload.milli_gpu_seconds / whole.milli_gpu_seconds
            row = replace(row, key=workload.key, usd_per_month=usd)
        rows.append(row)
    return replace(audit, workloads=tuple(rows))
