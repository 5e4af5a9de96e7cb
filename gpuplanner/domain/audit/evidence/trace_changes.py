"""Traces of what changed between two periods: volume, efficiency and price, by cluster, workload and contract."""

from dataclasses import replace

from gpuplanner.domain.audit.cost_result import ClusterVariance
from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_costs import CostEvidence
from gpuplanner.domain.audit.evidence.trace_forms import over, product, read, summed
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.model.worded import worded


def changed(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A cell of what changed. scope: before, volume, efficiency, price or after; subject: a cluster ("": all)."""
    found = evidence.variance
    if not subject:
        value = getattr(found, f"{scope}_usd_per_month")
        rows = [
            TraceRow(row.cluster, (_changed_usd(row, scope),), figure("changed", row.cluster, scope))
            for row in found.clusters
        ]
        words = worded("{scope} = \u03a3 over clusters", scope=worded(scope.capitalize()))
        return summed(
            figure("changed", "", scope),
            worded("{scope}, all clusters", scope=worded(scope.capitalize())),
            value,
            "usd",
            words,
            rows,
            said_as=worded("per month"),
        )
    cluster = next(row for row in found.clusters if row.cluster == subject)
    title = worded("{words}, {subject}", words=worded(scope.capitalize()), subject=subject)
    if scope in ("before", "after"):
        return _period(evidence, cluster, scope, title)
    value = _changed_usd(cluster, scope)
    if scope == "volume":
        parts = [
            TraceRow(
                part.key,
                (part.gpu_hours_per_month, part.usd_per_month),
                figure("volume_usd", part.key, subject),
            )
            for part in cluster.workloads
        ]
        columns = (
            TraceColumn(worded("GPU-h\nper month"), "gpu_hours"),
            TraceColumn(worded("$ per\nmonth"), "usd"),
        )
        words = worded(
            "Volume = \u03a3 over workloads of GPU-hours more \u00d7 cost of a used GPU-hour before"
        )
        return summed(
            figure("changed", subject, scope),
            title,
            value,
            "usd",
            words,
            parts,
            said_as=worded("per month"),
            columns=columns,
            column=1,
            note=cluster.note,
        )
    name = f"{scope}_usd_per_month"
    rows = [TraceRow(part.contract_id, (getattr(part, name),)) for part in cluster.contracts]
    words = {
        "efficiency": worded(
            "Efficiency = used after \u00d7 change of paid per used \u00d7 rate before, by contract"
        ),
        "price": worded("Price = GPU-hours paid after \u00d7 change of the rate, by contract"),
    }[scope]
    return summed(
        figure("changed", subject, scope),
        title,
        value,
        "usd",
        words,
        rows,
        said_as=worded("per month"),
        note=cluster.note,
    )


def _changed_usd(row: ClusterVariance, scope: str) -> float | None:
    if scope in ("before", "after"):
        cost = row.before if scope == "before" else row.after
        return cost.usd_per_month
    return getattr(row, f"{scope}_usd_per_month")  # type: ignore[no-any-return]


def _period(evidence: CostEvidence, cluster: ClusterVariance, scope: str, title: str) -> Trace:
    cost = cluster.before if scope == "before" else cluster.after
    period = evidence.variance.before if scope == "before" else evidence.variance.after
    months = period.hours / HOURS_PER_MONTH
    return over(
        figure("changed", cluster.cluster, scope),
        title,
        cost.usd_per_month,
        "usd",
        worded("Cost per month = paid for contracts in the period \u00f7 its months of 730 h"),
        (worded("Paid in the period"), cost.paid_usd),
        (worded("Months of the period"), months),
        ("usd", "rate"),
        said_as=worded("per month"),
        note=worded(
            "Paid is GPU-hours under contract \u00d7 their rates, used or not. What overflowed is not in it."
        ),
    )


def _volume_part(evidence: CostEvidence, scope: str, key: str) -> tuple[float, float | None]:
    clusters = [row for row in evidence.variance.clusters if row.cluster == scope]
    part = next(part for row in clusters for part in row.workloads if part.key == key)
    return part.gpu_hours_per_month, part.usd_per_month


def volume_hours(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """GPU-hours a month that a workload used more. scope: its cluster."""
    gpu_hours, _ = _volume_part(evidence, scope, key)
    source = worded("the job log: second period less the first")
    return read(
        figure("volume_hours", key, scope),
        worded("GPU-hours more of {key}", key=key),
        gpu_hours,
        "gpu_hours",
        source,
        said_as=worded("per month"),
        opens=figure(JOBS, key),
    )


def volume_usd(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ a month of what a workload used more."""
    gpu_hours, usd = _volume_part(evidence, scope, key)
    rate = None if usd is None or not gpu_hours else usd / gpu_hours
    return product(
        figure("volume_usd", key, scope),
        worded("Volume of {key}", key=key),
        usd,
        "usd",
        worded("Volume = GPU-hours more a month \u00d7 cost of a used GPU-hour before"),
        (
            (worded("GPU-hours more a month"), gpu_hours, "gpu_hours"),
            (worded("$ per GPU-hour used"), rate, "rate"),
        ),
        said_as=worded("per month"),
    )


def contract_change(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """A contract's part of what changed. scope: idle, efficiency or price."""
    part = next(
        part for row in evidence.variance.clusters for part in row.contracts if part.contract_id == subject
    )
    value = part.idle_gpu_hours_per_month if scope == "idle" else getattr(part, f"{scope}_usd_per_month")
    words = {
        "idle": worded("GPU-hours paid and idle a month: second period less the first"),
        "efficiency": worded(
            "Its part of the cluster's change of paid per used, by how its idle time changed"
        ),
        "price": worded("Its part of the cluster's change of the rate, by its share of what is paid for"),
    }[scope]
    unit = "gpu_hours" if scope == "idle" else "usd"
    trace = read(
        figure("contract_change", subject, scope),
        worded("{scope} of {subject}", scope=worded(scope.capitalize()), subject=subject),
        value,
        unit,  # type: ignore[arg-type]
        worded("contracts and job log"),
        said_as=worded("per month"),
    )
    return replace(trace, words=words)
