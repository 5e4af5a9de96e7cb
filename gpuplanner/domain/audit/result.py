"""The answer of the audit: the past as it was, before anything is planned."""

from dataclasses import dataclass

from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.model.pool import Pool


@dataclass(frozen=True, slots=True)
class ClassShare:
    """One class: workloads, jobs, GPU-hours in the window, and its share of all GPU-hours (None without any)."""

    workloads: int
    jobs: int
    gpu_hours: float
    share: float | None


@dataclass(frozen=True, slots=True)
class ClusterAudit:
    """One cluster; `*_usd` are window amounts, `*_per_month` monthly; None is unknown. Field names as in the JSON."""

    cluster: str
    capacity_gpu_hours: float
    used_gpu_hours: float
    utilization: float | None
    activity: float | None
    training_hours: int
    non_training_hours: int
    non_training_used_gpu_hours: float
    non_training_capacity_gpu_hours: float
    non_training_utilization: float | None
    cost_usd_per_month: float | None
    overflow_gpu_hours: float
    overflow_usd: float | None
    below_40_percent: bool
    stranded_audit_usd_per_month: float | None
    stranded_metered_usd_per_month: float | None
    paid_usd: float | None
    useful_usd: float | None
    allocated_idle_usd: float | None
    allocated_usd: float | None
    unallocated_usd: float | None


@dataclass(frozen=True, slots=True)
class ContractAudit:
    """One contract over the window."""

    contract_id: str
    cluster: str
    provider: str | None
    gpus: float
    committed_gpu_hours: float
    used_gpu_hours: float
    utilization: float | None
    below_40_percent: bool
    break_even_utilization: float | None
    unused_usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class WorkloadToday:
    """One workload today: its class, the pool its cluster runs in, and what it costs a month (None: unknown)."""

    key: str
    classification: Classification
    pool_today: Pool
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class Leak:
    """Money that leaks: GPU-hours in the window, $ per month, and what to do."""

    code: str
    subject: str
    gpu_hours: float
    usd_per_month: float | None
    action: str


@dataclass(frozen=True, slots=True)
class Check:
    """Something to know before signing. severity: red, amber or info."""

    code: str
    severity: str
    subject: str
    message: str
    usd_per_month: float | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything about the past. workloads are in the order of Project.workloads.

    contended_gpu_hours: of each workload's training beside inference, in hours with more demand than GPUs.
    leaks_gpu_hours (window) and leaks_usd_per_month: the list's total, in which each GPU-hour counts once.
    """

    classes: dict[Pool, ClassShare]
    workloads: tuple[WorkloadToday, ...]
    clusters: tuple[ClusterAudit, ...]
    contracts: tuple[ContractAudit, ...]
    leaks: tuple[Leak, ...]
    checks: tuple[Check, ...]
    current_usd_per_month: float | None
    unused_now_usd_per_month: float | None
    effective_utilization_now: float | None
    lock_in_now_months: float | None
    leaks_gpu_hours: float = 0.0
    leaks_usd_per_month: float | None = None
    contended_gpu_hours: tuple[float, ...] = ()
