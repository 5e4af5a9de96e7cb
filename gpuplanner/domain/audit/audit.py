"""The audit of the past: a project's window put together from its parts."""

from collections.abc import Sequence
from dataclasses import replace

from gpuplanner.domain.audit.checks.log_checks import Findings, audit_checks
from gpuplanner.domain.audit.class_rows import class_rows
from gpuplanner.domain.audit.contract_rows import contract_rows
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.audit.leaks.leak_list import find_leaks, total_of, without_clusters
from gpuplanner.domain.audit.leaks.premium import premium_usd_per_month
from gpuplanner.domain.audit.money.bridge import StrandedBridge, bridge_from, total_bridge
from gpuplanner.domain.audit.money.contract_inputs import contract_inputs
from gpuplanner.domain.audit.money.rates import eligible_rates
from gpuplanner.domain.audit.money.spend import (
    ClusterMoney,
    cluster_money,
    current_parts,
    current_usd_per_month,
    lock_in_now_months,
    workload_usd_per_month,
)
from gpuplanner.domain.audit.result import Audit, ClusterAudit, WorkloadToday
from gpuplanner.domain.audit.use.contention import contention_by_cluster
from gpuplanner.domain.audit.use.stranded import stranded
from gpuplanner.domain.audit.use.use_by import window_use
from gpuplanner.domain.audit.use.utilization import ClusterHours, dispatch_window, is_flagged
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.pools import cluster_classes, pools_today
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.gpu_family import Families
from gpuplanner.domain.model.log.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.names.unmatched import NOTHING_ASKED, unmatched
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.project import Project


def audit(
    project: Project, classifications: Sequence[Classification], families: Families | None = None
) -> Audit:
    """The audit of a project; classifications in the order of Project.workloads. It does not move when cards do.

    families: what tells GPU models of log and contracts apart (unmatched.py); None: names are what they are.

    Source: docs/formulas.md, from Demand to Today's money.
    """
    classes = [classification.pool for classification in classifications]
    clusters = dispatch_window(project, classes)
    activity = cluster_activity(project)
    money = [cluster_money(hours, activity.get(hours.cluster), project) for hours in clusters]
    rates = eligible_rates(project, classes)
    main_class = cluster_classes(project, classifications)
    workload_usd = workload_usd_per_month(project, clusters)
    of_clusters = tuple(
        _cluster(hours, of_cluster, activity.get(hours.cluster), project.window.months)
        for hours, of_cluster in zip(clusters, money, strict=True)
    )
    on_demand = {
        contract.contract_id: rates.on_demand_offer(
            contract.pool or main_class.get(contract.cluster, POOLS[0]), contract.gpu_model
        )
        for contract in project.contracts
    }
    asked = NOTHING_ASKED if families is None else unmatched(project, families)
    of_contracts = contract_rows(
        [
            one
            for hours in clusters
            for one in contract_inputs(hours, project.window, on_demand, asked.contracts)
        ]
    )
    if asked.is_any:
        of_clusters = tuple(
            _unknown_cluster(row) if row.cluster in asked.clusters else row for row in of_clusters
        )
        workload_usd = [
            None if workload.cluster in asked.clusters else usd
            for workload, usd in zip(project.workloads, workload_usd, strict=True)
        ]
    today = pools_today(project, classifications)
    past = Past(project, tuple(classifications), clusters, tuple(workload_usd), rates)
    leaks = find_leaks(past)
    if asked.is_any:
        leaks = without_clusters(leaks, asked.clusters)
    bridges = {cluster.cluster: _bridge(cluster, project.window.months) for cluster in of_clusters}
    current = None if asked.is_any else current_usd_per_month(project, clusters, money, rates)
    used = sum(int(hours.served.sum()) for hours in clusters)
    capacity = sum(int(hours.capacity.sum()) for hours in clusters)
    return Audit(
        classes=class_rows(project.workloads, classes, workload_usd),
        workloads=tuple(
            WorkloadToday(workload.key, classification, pool, usd)
            for workload, classification, pool, usd in zip(
                project.workloads, classifications, today, workload_usd, strict=True
            )
        ),
        clusters=of_clusters,
        contracts=of_contracts,
        leaks=leaks,
        checks=audit_checks(
            Findings(
                project,
                tuple(classifications),
                of_clusters,
                of_contracts,
                tuple(workload_usd),
                asked,
                families,
            )
        ),
        current_usd_per_month=current,
        unused_now_usd_per_month=_per_month(
            known_sum([row.unallocated_usd for row in of_clusters]),
            project.window.months,
        ),
        effective_utilization_now=used / capacity if capacity and not asked.is_any else None,
        lock_in_now_months=lock_in_now_months(project),
        leaks_total=total_of(leaks, project.window.months),
        bridge=total_bridge(bridges.values()),
        bridges=bridges,
        contention={
            cluster: found
            for cluster, found in contention_by_cluster(project, classes, clusters).items()
            if cluster not in asked.clusters
        },
        premium_usd_per_month=None if asked.is_any else premium_usd_per_month(past),
        use=window_use(
            project,
            clusters,
            {name: None if offer is None else offer.rate for name, offer in on_demand.items()},
            workload_usd,
            asked,
        ),
        unknown_contracts=asked.contracts,
        current_parts=current_parts(project, clusters, rates, current, asked.clusters),
    )


def _unknown_cluster(row: ClusterAudit) -> ClusterAudit:
    """A cluster of which only is known what is paid for: nobody has said yet which of its jobs its contracts serve."""
    return replace(
        row,
        used_gpu_hours=None,
        utilization=None,
        non_training_used_gpu_hours=None,
        non_training_utilization=None,
        overflow_gpu_hours=None,
        overflow_usd=None,
        below_40_percent=None,
        stranded_audit_usd_per_month=None,
        stranded_metered_usd_per_month=None,
        useful_usd=None,
        allocated_idle_usd=None,
        allocated_usd=None,
        unallocated_usd=None,
    )


def cluster_activity(project: Project) -> dict[str, float]:
    """Activity (0..1, weighted by GPU time) of the clusters on which every GPU job has it; the others are absent."""
    weighted: dict[str, float] = {}
    spent: dict[str, int] = {}
    unknown = set()
    for workload in project.workloads:
        if not workload.milli_gpu_seconds:
            continue
        if workload.activity is None:
            unknown.add(workload.cluster)
            continue
        amount = workload.milli_gpu_seconds
        weighted[workload.cluster] = weighted.get(workload.cluster, 0.0) + amount * workload.activity
        spent[workload.cluster] = spent.get(workload.cluster, 0) + amount
    return {cluster: weighted[cluster] / spent[cluster] for cluster in spent if cluster not in unknown}


def _cluster(hours: ClusterHours, money: ClusterMoney, activity: float | None, months: float) -> ClusterAudit:
    used, capacity = int(hours.served.sum()), int(hours.capacity.sum())
    idle = stranded(hours)
    cost = _per_month(money.paid_usd, months)
    return ClusterAudit(
        cluster=hours.cluster,
        capacity_gpu_hours=_gpu_hours(capacity),
        used_gpu_hours=_gpu_hours(used),
        utilization=used / capacity if capacity else None,
        activity=activity,
        training_hours=idle.training_hours,
        non_training_hours=idle.non_training_hours,
        non_training_used_gpu_hours=_gpu_hours(idle.used),
        non_training_capacity_gpu_hours=_gpu_hours(idle.capacity),
        non_training_utilization=idle.utilization,
        cost_usd_per_month=cost,
        overflow_gpu_hours=_gpu_hours(int(hours.overflow.sum())),
        overflow_usd=money.overflow_usd,
        below_40_percent=is_flagged(used, capacity),
        stranded_audit_usd_per_month=idle.audit_usd(cost),
        stranded_metered_usd_per_month=_per_month(idle.metered_usd, months),
        paid_usd=money.paid_usd,
        useful_usd=money.useful_usd,
        allocated_idle_usd=money.allocated_idle_usd,
        allocated_usd=money.allocated_usd,
        unallocated_usd=money.unallocated_usd,
    )


def _bridge(cluster: ClusterAudit, months: float) -> StrandedBridge:
    return bridge_from(
        paid=cluster.cost_usd_per_month,
        served=_per_month(cluster.allocated_usd, months),
        unallocated=_per_month(cluster.unallocated_usd, months),
        metered=cluster.stranded_metered_usd_per_month,
        audit=cluster.stranded_audit_usd_per_month,
    )


def _gpu_hours(milli_gpu_seconds: int) -> float:
    return milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR


def _per_month(window_usd: float | None, months: float) -> float | None:
    return None if window_usd is None else window_usd / months
