"""The audit of the past: a project's window put together from its parts."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np

from gpuplanner.domain.audit.checks.log_checks import Findings, audit_checks
from gpuplanner.domain.audit.costs.energy import window_energy
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.audit.leaks.leak_list import find_leaks, total_of, without_clusters
from gpuplanner.domain.audit.leaks.premium import premium_usd_per_month
from gpuplanner.domain.audit.money.bridge import total_bridge
from gpuplanner.domain.audit.money.cluster_inputs import ClusterInputs, cluster_inputs
from gpuplanner.domain.audit.money.contract_inputs import contract_inputs
from gpuplanner.domain.audit.money.rates import eligible_rates
from gpuplanner.domain.audit.money.spend import (
    current_parts,
    lock_in_now_months,
    overflow_at_eligible_rates,
    overflow_usd,
    workload_usd_per_month,
)
from gpuplanner.domain.audit.result import Audit, WorkloadToday
from gpuplanner.domain.audit.row_figures import class_rows, cluster_columns, cluster_rows, contract_rows
from gpuplanner.domain.audit.use.activity import Ran
from gpuplanner.domain.audit.use.contention import contention_by_cluster
from gpuplanner.domain.audit.use.power import Powers
from gpuplanner.domain.audit.use.use_by import window_use
from gpuplanner.domain.audit.use.utilization import dispatch_window
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.pools import cluster_classes, pools_today
from gpuplanner.domain.figures.columns import Column, by_row, floats, gpu_hours, optional
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contracts_apart import any_ran
from gpuplanner.domain.model.gpu_family import Families
from gpuplanner.domain.model.names.unmatched import NOTHING_ASKED, unmatched
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.project import Project


def audit(
    project: Project,
    classifications: Sequence[Classification],
    families: Families | None = None,
    powers: Powers = MappingProxyType({}),
) -> Audit:
    """The audit of a project; classifications in the order of Project.workloads. It does not move when cards do.

    families: what tells GPU models of log and contracts apart (unmatched.py); None: names are what they are.
    powers: rated power by the names of GPU models.

    Source: docs/formulas.md, from Demand to Today's money.
    """
    classes = [classification.pool for classification in classifications]
    clusters = dispatch_window(project, classes)
    ran = Ran(project)
    activity = ran.by_cluster()
    rates = eligible_rates(project, classes)
    main_class = cluster_classes(project, classifications)
    workload_usd = workload_usd_per_month(project, clusters)
    on_demand = {
        contract.contract_id: rates.on_demand_offer(
            contract.pool or main_class.get(contract.cluster, POOLS[0]), contract.gpu_model
        )
        for contract in project.contracts
    }
    asked = NOTHING_ASKED if families is None else unmatched(project, families)
    now = (
        asked if any_ran(project.contracts, project.window) else NOTHING_ASKED
    )  # else it is of the plan alone
    into_clusters = [
        cluster_inputs(
            hours,
            np.ones(project.window.hours, dtype=np.bool_),
            project.window.months,
            activity.get(hours.cluster),
            overflow_usd(hours, project),
            overflow_at_eligible_rates(hours, rates),
            is_use_known=hours.cluster not in now.clusters,
        )
        for hours in clusters
    ]
    columns = cluster_columns(into_clusters)
    of_clusters = cluster_rows(into_clusters, columns)
    of_contracts = contract_rows(
        [
            one
            for hours in clusters
            for one in contract_inputs(hours, project.window, on_demand, asked.contracts)
        ]
    )
    if now.is_any:
        workload_usd = [
            None if workload.cluster in now.clusters else usd
            for workload, usd in zip(project.workloads, workload_usd, strict=True)
        ]
    today = pools_today(project, classifications)
    past = Past(project, tuple(classifications), clusters, tuple(workload_usd), rates)
    leaks = find_leaks(past)
    if now.is_any:
        leaks = without_clusters(leaks, now.clusters)
    whole = _window(into_clusters, columns, project.window.months, is_all=not now.is_any)
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
        spend=whole["spend"],
        unused_per_month=whole["unused_per_month"],
        effective_utilization=whole["effective_utilization"],
        lock_in_now_months=lock_in_now_months(project),
        leaks_total=total_of(leaks, project.window.months),
        bridge=total_bridge(of_clusters),
        contention={
            cluster: found
            for cluster, found in contention_by_cluster(project, classes, clusters).items()
            if cluster not in now.clusters
        },
        premium_usd_per_month=None if now.is_any else premium_usd_per_month(past),
        use=window_use(
            project,
            clusters,
            {name: None if offer is None else offer.rate for name, offer in on_demand.items()},
            workload_usd,
            ran,
            now,
        ),
        unknown_contracts=asked.contracts,
        energy=window_energy(project, clusters, powers, now.clusters),
        known_parts=current_parts(project, clusters, rates, whole["spend"], now.clusters),
    )


def _window(
    inputs: Sequence[ClusterInputs], columns: Mapping[str, Column], months: float, *, is_all: bool
) -> dict[str, float | None]:
    """The figures of all clusters together, by key. is_all: somebody said of all of it what is used."""

    def summed(key: str) -> float | None:
        return known_sum(optional(columns[key]))

    used = [one.used for one in inputs]
    found = WINDOW.worked_out(
        {
            "paid_gpu_hours": gpu_hours([sum(one.paid for one in inputs)]),
            "used_gpu_hours": gpu_hours([sum(amount or 0 for amount in used) if is_all else None]),
            "spent_in_window": floats([summed("spent_in_window") if is_all else None]),
            "unallocated_in_window": floats([summed("unallocated_in_window")]),
            "months": floats([months]),
        }
    )
    return by_row(found)[0]
