"""The audit of the past: a project's window put together from its parts, with a log or without."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from gpuplanner.domain.audit import result
from gpuplanner.domain.audit.cost_result import NO_PREMIUM
from gpuplanner.domain.audit.energy import UNKNOWN_ENERGY, Powers, window_energy
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.leak_list import find_leaks, total_of
from gpuplanner.domain.audit.log_checks import Findings, audit_checks
from gpuplanner.domain.audit.spend.cluster_inputs import (
    CLUSTER_GPU_TIME,
    CLUSTER_NUMBERS,
    ClusterInputs,
    cluster_inputs,
)
from gpuplanner.domain.audit.spend.contract_inputs import (
    ContractInputs,
    contract_inputs,
    dollar_inputs,
    rate_columns,
)
from gpuplanner.domain.audit.spend.lock_in import lock_in_now_months
from gpuplanner.domain.audit.spend.on_demand_rates import eligible_rates
from gpuplanner.domain.audit.spend.overflow import overflow_at_eligible_rates, overflow_usd
from gpuplanner.domain.audit.spend.stranded import NOTHING_KNOWN, total_bridge
from gpuplanner.domain.audit.spend.total_spend import current_parts
from gpuplanner.domain.audit.spend.workload_spend import workload_usd_per_month
from gpuplanner.domain.audit.use_by import Ran, use_without_contracts, window_use
from gpuplanner.domain.audit.use_leaks import premium_of
from gpuplanner.domain.audit.utilization.contention import contention_by_cluster
from gpuplanner.domain.audit.utilization.contracts_apart import any_ran
from gpuplanner.domain.audit.utilization.dispatch import dispatch_window
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.demand.pools import NOT_LOGGED, Parted, cluster_classes, planned_class, pools_today
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.figure import (
    Column,
    Subject,
    by_row,
    fields_of,
    floats,
    gpu_hours,
    optional,
    truth,
)
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.figures.window import CLASS, WINDOW
from gpuplanner.domain.model import amounts, cube, gpu_family
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.unmatched import NOTHING_ASKED, Unmatched, unmatched
from gpuplanner.lazy_dataclass import replace

# --- The figures of all contracts, clusters and classes at once, from what went into each --------


def contract_rows(inputs: Sequence[ContractInputs]) -> tuple[result.ContractAudit, ...]:
    """The figures of all contracts, sorted by contract_id. Source: figures/use.py.

    inputs: in any order. None is unknown. Source: docs/formulas/utilization.md.
    """
    columns = CONTRACT.worked_out(
        {
            "paid_gpu_hours": gpu_hours([row.paid for row in inputs]),
            "used_gpu_hours": gpu_hours([row.used for row in inputs]),
            "committed_rate": floats([row.committed_rate for row in inputs]),
            "on_demand_rate": floats([row.on_demand_rate for row in inputs]),
            **rate_columns([row.contract for row in inputs]),
            "months": floats([row.months for row in inputs]),
        }
    )
    rows = [
        result.ContractAudit(
            contract_id=given.contract.contract_id,
            cluster=given.contract.cluster,
            provider=given.contract.provider,
            gpus=given.contract.gpus,
            **fields_of(result.ContractAudit, row) | {"below_40_percent": truth(row["below_40_percent"])},
            inputs=given,
            figures=row,
        )
        for given, row in zip(inputs, by_row(columns), strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: row.contract_id))


_KEPT_OF_CLUSTER: Final = tuple(
    figure.key
    for figure in CLUSTER.figures
    if figure.key in result.ClusterAudit.__slots__ and figure.key != "below_40_percent"
)


def cluster_columns(inputs: Sequence[ClusterInputs]) -> dict[str, Column]:
    """Every figure of clusters by key, one row each. Source: figures/clusters.py.

    Source: docs/formulas/utilization.md.
    """
    given: dict[str, Column] = {key: floats([getattr(row, key) for row in inputs]) for key in CLUSTER_NUMBERS}
    given |= {
        key: gpu_hours([getattr(row, name) for row in inputs]) for key, name in CLUSTER_GPU_TIME.items()
    }
    return CLUSTER.worked_out(given)


def cluster_rows(
    inputs: Sequence[ClusterInputs], columns: Mapping[str, Column]
) -> tuple[result.ClusterAudit, ...]:
    """The rows of clusters, in the order of what went in. columns: of all their figures, by key.

    Errors: ValueError where there are not as many rows as inputs.
    """
    rows = []
    for given, row in zip(inputs, by_row(columns), strict=True):
        kept: dict[str, Any] = {key: row[key] for key in _KEPT_OF_CLUSTER}
        kept |= {"training_hours": given.training_hours, "non_training_hours": given.non_training_hours}
        flag = truth(row["below_40_percent"])
        rows.append(
            result.ClusterAudit(
                cluster=given.cluster, **kept, below_40_percent=flag, inputs=given, figures=row
            )
        )
    return tuple(rows)


def class_rows(
    workloads: Sequence[cube.Workload], classes: Sequence[Pool], costs: Sequence[float | None]
) -> dict[Pool, result.ClassShare]:
    """The figures of every class. classes, costs ($ a month; None: unknown): of the workloads, in their order.

    All of POOLS, those without workloads with 0. Source: docs/formulas/classes.md.
    """
    members = {pool: [at for at, of in enumerate(classes) if of is pool] for pool in POOLS}
    spent = {pool: sum(workloads[at].milli_gpu_seconds for at in members[pool]) for pool in POOLS}
    every = sum(spent.values())
    columns = CLASS.worked_out(
        {"gpu_hours": gpu_hours(list(spent.values())), "all_gpu_hours": gpu_hours([every] * len(POOLS))},
        ("share",),
    )
    return {
        pool: result.ClassShare(
            pool=pool,
            workloads=len(members[pool]),
            jobs=sum(workloads[at].jobs for at in members[pool]),
            gpu_hours=row["gpu_hours"] or 0.0,
            share=row["share"],
            cost_per_month=amounts.known_sum(costs[at] for at in members[pool]),
            milli_gpu_seconds=spent[pool],
            all_milli_gpu_seconds=every,
        )
        for pool, row in zip(POOLS, by_row(columns), strict=True)
    }


# --- The audit of the past: a project's window put together from its parts -----------------------


def audit(
    project: Project,
    classifications: Sequence[Classification],
    families: gpu_family.Families | None = None,
    powers: Powers = MappingProxyType({}),
) -> result.Audit:
    """The audit of a project; classifications in the order of Project.workloads. It does not move when cards do.

    families: what tells GPU models of log and contracts apart (unmatched.py); None: names are what they are.
    powers: rated power by the names of GPU models.

    Source: docs/formulas/utilization.md.
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
            is_use_known=hours.cluster not in now.clusters and not hours.is_use_unknown,
            is_demand_known=hours.cluster not in now.clusters - now.unlogged,
        )
        for hours in clusters
    ]
    columns = cluster_columns(into_clusters)
    of_clusters = cluster_rows(into_clusters, columns)
    of_contracts = contract_rows(
        [
            row
            for hours in clusters
            for row in contract_inputs(hours, project.window, on_demand, asked.contracts)
        ]
        + [*dollar_inputs(project, clusters)]
    )
    if now.is_any:
        workload_usd = [
            None if workload.cluster in now.clusters else usd
            for workload, usd in zip(project.workloads, workload_usd, strict=True)
        ]
    today = pools_today(project, classifications)
    past = Past(
        project=project,
        classifications=tuple(classifications),
        clusters=clusters,
        workload_usd_per_month=tuple(workload_usd),
        rates=rates,
    )
    leaks = tuple(leak for leak in find_leaks(past) if leak.cluster not in now.clusters)
    whole = _window(into_clusters, columns, project.window.months, now)
    return result.Audit(
        classes=class_rows(project.workloads, classes, workload_usd),
        workloads=tuple(
            result.WorkloadToday(workload.key, classification, pool, usd)
            for workload, classification, pool, usd in zip(
                project.workloads, classifications, today, workload_usd, strict=True
            )
        ),
        clusters=of_clusters,
        contracts=of_contracts,
        leaks=leaks,
        checks=audit_checks(
            Findings(
                project=project,
                classifications=tuple(classifications),
                clusters=of_clusters,
                contracts=of_contracts,
                workload_usd_per_month=tuple(workload_usd),
                asked=asked,
                families=families,
            )
        ),
        spend=whole["spend"],
        unused_per_month=whole["unused_per_month"],
        effective_utilization=whole["effective_utilization"],
        lock_in_now_months=lock_in_now_months(project),
        leaks_total=total_of(leaks, project.window.months),
        bridge=total_bridge(of_clusters),
        contention={
            cluster: contention
            for cluster, contention in contention_by_cluster(project, classes, clusters).items()
            if cluster not in now.clusters
        },
        premium=NO_PREMIUM if now.is_any else premium_of(past),
        use=window_use(
            project,
            clusters,
            {name: None if offer is None else offer.rate for name, offer in on_demand.items()},
            workload_usd,
            ran,
            now,
        ),
        unknown_contracts=asked.contracts,
        unlogged=asked.unlogged,
        energy=window_energy(project, clusters, powers, now.clusters),
        known_parts=current_parts(project, clusters, rates, whole["spend"], now.clusters),
    )


def _window(
    inputs: Sequence[ClusterInputs], columns: Mapping[str, Column], months: float, asked: Unmatched
) -> dict[str, float | None]:
    """The figures of all clusters together, by key. asked: what of them nobody knows yet."""

    def summed(key: str) -> float | None:
        return amounts.known_sum(optional(columns[key]))

    used = [row.used for row in inputs]
    worked = WINDOW.worked_out(
        {
            "paid_gpu_hours": gpu_hours([sum(row.paid for row in inputs)]),
            "used_gpu_hours": gpu_hours(
                [None if asked.clusters or None in used else sum(of or 0 for of in used)]
            ),
            "spent_in_window": floats([None if asked.is_any else summed("spent_in_window")]),
            "unallocated_in_window": floats([summed("unallocated_in_window")]),
            "months": floats([months]),
        }
    )
    return by_row(worked)[0]


# --- The audit of a project without a job log: what is paid stays known; how much of it is used is not, and not 0

OF_USE: Final = frozenset(("below_40", "persistent_dev", "contention", "activity_unknown", "short_log"))
"""Checks that speak of how contracts were used, or of the log."""


OF_HOURS: Final = frozenset(
    (
        "used_gpu_hours",
        "non_training_used_gpu_hours",
        "allocated_in_window",
        "unallocated_in_window",
        "non_training_unallocated_in_window",
    )
)
"""Figures of what ran, which only a log tells."""


def without_log(audit: result.Audit) -> result.Audit:
    """The audit with every figure of use unknown; no contract is under 40% and nothing leaks that nobody looked at.

    What is paid, and checks that are of contracts alone, stay.
    """
    return replace(
        audit,
        energy=replace(UNKNOWN_ENERGY, powers=audit.energy.powers),
        clusters=tuple(
            replace(row, **_without_use(result.ClusterAudit, row.figures, CLUSTER)) for row in audit.clusters
        ),
        contracts=tuple(
            replace(row, **_without_use(result.ContractAudit, row.figures, CONTRACT))
            for row in audit.contracts
        ),
        leaks=(),
        leaks_total=result.NOTHING_LEAKS,
        checks=tuple(check for check in audit.checks if check.code not in OF_USE),
        unused_per_month=None,
        effective_utilization=None,
        bridge=replace(NOTHING_KNOWN, cost_per_month=audit.bridge.cost_per_month),
        use=None,
    )


def _without_use(kind: Any, figures: Mapping[str, float | None], subject: Subject) -> dict[str, Any]:
    """What changes in a row: figures of OF_HOURS and all that stand on one; its own GPU-hours stay, which are none."""
    changes = _without_figures(kind, figures, subject, OF_HOURS)
    return {key: value for key, value in changes.items() if not key.endswith("used_gpu_hours")}


def _without_figures(
    kind: Any, figures: Mapping[str, float | None], subject: Subject, unknown: Collection[str]
) -> dict[str, Any]:
    """The changes of a row in which some figures, and all that depend on one of them, are unknown; it has no flag.

    kind: class of the row; figures: its figures by key; unknown: keys of `subject`.
    """
    gone = set(unknown)
    for figure in subject.figures:
        if gone.intersection(figure.parameters):
            gone.add(figure.key)
    fields = {key: None for key in gone if key in kind.__slots__}
    left = {key: None if key in gone else value for key, value in figures.items()}
    return {**fields, "below_40_percent": False, "figures": left}


# --- The audit of a log without contracts: what ran is known; what is paid is not, and not 0 ------

OF_CONTRACTS: Final = OF_HOURS | {"paid_gpu_hours", "non_training_paid_gpu_hours", "paid_in_window"}
"""Figures that only contracts tell."""


def without_contracts(audit: result.Audit) -> result.Audit:
    """Return the audit of a project without contracts: figures of paid GPUs are unknown, not 0.

    Demand stays: classes, hours without training, and overflow, which is all of the demand. With prices, spend is that
    of overflow on demand; without them nothing is known of idle cost.
    """
    return replace(
        audit,
        clusters=tuple(
            replace(row, **_without_figures(result.ClusterAudit, row.figures, CLUSTER, OF_CONTRACTS))
            for row in audit.clusters
        ),
        bridge=NOTHING_KNOWN,
        unused_per_month=None if audit.spend is None else audit.unused_per_month,
        use=None if audit.use is None else use_without_contracts(audit.use),
    )


# --- The audit's workloads as the parts of a plan: what each part is, and its share of what the whole costs today


def audit_in_parts(audit: result.Audit, project: Project, parts: Parted) -> result.Audit:
    """The audit with a row for each of the plan's workloads, in their order; all else is as it was.

    project: the one that was audited. A part is of its whole's class; $ a month today are shared by GPU time, so that
    parts add up to the whole. Planned work costs nothing today.
    """
    rows = []
    for workload, place in zip(parts.workloads, parts.whole, strict=True):
        if place == NOT_LOGGED:
            classification = planned_class(workload.label or Pool.BURST)
            rows.append(result.WorkloadToday(workload.key, classification, classification.pool, 0.0))
            continue
        row, whole = audit.workloads[place], project.workloads[place]
        if workload is not whole:
            usd = row.usd_per_month
            if usd is not None and whole.milli_gpu_seconds:
                usd = usd * workload.milli_gpu_seconds / whole.milli_gpu_seconds
            row = replace(row, key=workload.key, usd_per_month=usd)
        rows.append(row)
    return replace(audit, workloads=tuple(rows))
