"""Answers about changes between two periods: volume, efficiency and price."""

from typing import Final

from gpuplanner.domain.audit import cost_result
from gpuplanner.domain.evidence.answering import Answers, Inputs, explained
from gpuplanner.domain.evidence.costs.cost_evidence import CostEvidence
from gpuplanner.domain.evidence.trace import JOBS, Trace, TraceColumn, TraceRow, column_of, figure, summed
from gpuplanner.domain.figures.changes import CHANGE, CONTRACT_CHANGE, PERIOD, WORKLOAD_CHANGE
from gpuplanner.domain.figures.figure import Figure, Subject
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import HOURS_PER_MONTH

WHY: Final = Answers[CostEvidence]()

CHANGE_WORDS = {
    "volume": worded("Volume = Σ over workloads (added GPU-hours × earlier cost per used GPU-hour)"),
    "efficiency": worded("Efficiency = later use × change in (paid ÷ used) × earlier rate, per contract"),
    "price": worded("Price = later paid GPU-hours × rate change, per contract"),
}


def _of(subject: Subject, scope: str) -> Figure:
    """The figure of a subject that a scope asks for. Errors: StopIteration."""
    return next(asked for asked in subject.figures if asked.why and asked.why_scope == scope)


@WHY.gives("changed")
def changed(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A cell of what changed. scope: before, volume, efficiency, price or after; subject: a cluster ("": all)."""
    variance, asked = evidence.variance, _of(CHANGE, scope)
    if not subject:
        rows = [
            TraceRow(row.cluster, (getattr(row, asked.key),), figure("changed", row.cluster, scope))
            for row in variance.clusters
        ]
        title = worded("{scope}, all clusters", scope=asked.title)
        words = worded("{scope} = \u03a3 over clusters", scope=asked.title)
        return summed(title, getattr(variance, asked.key), asked.unit, words, rows)
    cluster = next(row for row in variance.clusters if row.cluster == subject)
    if scope in ("before", "after"):
        return _period(evidence, cluster, scope)
    title = worded("{words}, {subject}", words=asked.title, subject=subject)
    value, words = getattr(cluster, asked.key), CHANGE_WORDS[scope]
    if scope == "volume":
        rows = []
        for part in cluster.workloads:
            opens = figure("volume_usd", part.key, subject)
            rows.append(TraceRow(part.key, (part.gpu_hours_per_month, part.volume_per_month), opens))
        heading = WORKLOAD_CHANGE["volume_per_month"].heading("\n", is_short=True)
        columns = (column_of(WORKLOAD_CHANGE["gpu_hours_per_month"]), TraceColumn(heading, asked.unit.key))
        return summed(title, value, asked.unit, words, rows, columns, 1, note=cluster.note)
    rows = [
        TraceRow(
            contract.contract_id,
            (getattr(contract, asked.key),),
            figure("contract_change", contract.contract_id, scope),
        )
        for contract in cluster.contracts
    ]
    return summed(title, value, asked.unit, words, rows, note=cluster.note)


def _period(evidence: CostEvidence, cluster: cost_result.ClusterVariance, scope: str) -> Trace:
    """What a cluster was paid a month in one of the two periods. scope: before or after."""
    is_before, variance = scope == "before", evidence.variance
    cost, period = (cluster.before, variance.before) if is_before else (cluster.after, variance.after)
    values = {
        "paid_cost": cost.paid_cost,
        "hours": float(period.hours),
        "hours_per_month": float(HOURS_PER_MONTH),
    }
    words = worded(" before") if is_before else worded(" after")
    row = Inputs(values=values, name=cluster.cluster, scope=scope, scope_words=words)
    return explained(PERIOD, "cost_per_month", row)


@WHY.explains(WORKLOAD_CHANGE, "gpu_hours_per_month", "volume_per_month")
def volume_part(evidence: CostEvidence, scope: str, subject: str) -> Inputs:
    """A workload's part of the volume. scope: its cluster. Errors: StopIteration where it has none."""
    clusters = [row for row in evidence.variance.clusters if row.cluster == scope]
    part = next(part for row in clusters for part in row.workloads if part.key == subject)
    names = ("used_before", "used_after", "used_rate")
    opens = dict.fromkeys(names[:2], figure(JOBS, part.key))
    return Inputs(
        values={name: getattr(part, name) for name in names}, name=part.key, scope=scope, opens=opens
    )


@WHY.gives("contract_change")
def contract_change(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A contract's part of what changed. scope: idle, efficiency or price."""
    part = next(
        part for row in evidence.variance.clusters for part in row.contracts if part.contract_id == subject
    )
    asked = _of(CONTRACT_CHANGE, scope)
    values = {name: getattr(part, name) for name in asked.parameters}
    return explained(CONTRACT_CHANGE, asked.key, Inputs(values=values, name=subject))
