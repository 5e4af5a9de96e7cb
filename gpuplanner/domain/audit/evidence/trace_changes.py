"""Traces of what changed between two periods: volume, efficiency and price, by cluster, workload and contract."""

from collections.abc import Callable

from gpuplanner.domain.audit.cost_result import ClusterVariance, VolumePart
from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_costs import CostEvidence
from gpuplanner.domain.audit.evidence.trace_forms import column_of, summed
from gpuplanner.domain.figures.costs.changes import CHANGE, CONTRACT_CHANGE, PERIOD, WORKLOAD_CHANGE
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import HOURS_PER_MONTH

WORDS = {
    "volume": worded(
        "Volume = \u03a3 over workloads of GPU-hours more \u00d7 cost of a used GPU-hour before"
    ),
    "efficiency": worded(
        "Efficiency = used after \u00d7 change of paid per used \u00d7 rate before, by contract"
    ),
    "price": worded("Price = GPU-hours paid after \u00d7 change of the rate, by contract"),
}


def _of(subject: Subject, scope: str) -> Figure:
    """The figure of a subject that a scope asks for. Errors: StopIteration."""
    return next(one for one in subject.figures if one.why and one.why_scope == scope)


def changed(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A cell of what changed. scope: before, volume, efficiency, price or after; subject: a cluster ("": all)."""
    found, one = evidence.variance, _of(CHANGE, scope)
    if not subject:
        rows = [
            TraceRow(row.cluster, (getattr(row, one.key),), figure("changed", row.cluster, scope))
            for row in found.clusters
        ]
        return summed(
            figure("changed", "", scope),
            worded("{scope}, all clusters", scope=one.title),
            getattr(found, one.key),
            one.unit.key,
            worded("{scope} = \u03a3 over clusters", scope=one.title),
            rows,
            said_as=one.unit.per,
        )
    cluster = next(row for row in found.clusters if row.cluster == subject)
    if scope in ("before", "after"):
        return _period(evidence, cluster, scope)
    is_volume = scope == "volume"
    gpu_hours = WORKLOAD_CHANGE["gpu_hours_per_month"]
    columns = (
        column_of(gpu_hours),
        TraceColumn(WORKLOAD_CHANGE["volume_per_month"].heading("\n", is_short=True), one.unit.key),
    )
    if is_volume:
        rows = [
            TraceRow(
                part.key,
                (part.gpu_hours_per_month, part.volume_per_month),
                figure("volume_usd", part.key, subject),
            )
            for part in cluster.workloads
        ]
    else:
        rows = [
            TraceRow(
                part.contract_id,
                (getattr(part, one.key),),
                figure("contract_change", part.contract_id, scope),
            )
            for part in cluster.contracts
        ]
    return summed(
        figure("changed", subject, scope),
        worded("{words}, {subject}", words=one.title, subject=subject),
        getattr(cluster, one.key),
        one.unit.key,
        WORDS[scope],
        rows,
        said_as=one.unit.per,
        columns=columns if is_volume else (),
        column=1 if is_volume else 0,
        note=cluster.note,
    )


def _period(evidence: CostEvidence, cluster: ClusterVariance, scope: str) -> Trace:
    """What a cluster was paid a month in one of the two periods. scope: before or after."""
    cost = cluster.before if scope == "before" else cluster.after
    period = evidence.variance.before if scope == "before" else evidence.variance.after
    values = {
        "paid_cost": cost.paid_cost,
        "hours": float(period.hours),
        "hours_per_month": float(HOURS_PER_MONTH),
    }
    words = worded(" before") if scope == "before" else worded(" after")
    row = Inputs(values, cluster.cluster, scope=scope, scope_words=words)
    return explained(PERIOD, "cost_per_month", row)


def _volume_part(evidence: CostEvidence, scope: str, key: str) -> VolumePart:
    """A workload's part of a cluster's volume. Errors: StopIteration where it has none."""
    clusters = [row for row in evidence.variance.clusters if row.cluster == scope]
    return next(part for row in clusters for part in row.workloads if part.key == key)


def of_workload(key: str) -> Callable[[CostEvidence, str, str], Trace]:
    """What explains a workload's part of the volume. scope: its cluster."""

    def answer(evidence: CostEvidence, scope: str, subject: str) -> Trace:
        part = _volume_part(evidence, scope, subject)
        names = ("used_before", "used_after", "used_rate")
        opens = dict.fromkeys(names[:2], figure(JOBS, part.key))
        values = {name: getattr(part, name) for name in names}
        return explained(WORKLOAD_CHANGE, key, Inputs(values, part.key, scope=scope, opens=opens))

    return answer


def contract_change(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A contract's part of what changed. scope: idle, efficiency or price."""
    part = next(
        part for row in evidence.variance.clusters for part in row.contracts if part.contract_id == subject
    )
    one = _of(CONTRACT_CHANGE, scope)
    values = {name: getattr(part, name) for name in one.parameters}
    return explained(CONTRACT_CHANGE, one.key, Inputs(values, subject))
