"""The answer of the audit: the past as it was, before anything is planned."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from gpuplanner.domain.audit.money.bridge import NOTHING_KNOWN, StrandedBridge
from gpuplanner.domain.audit.money.cluster_inputs import ClusterInputs
from gpuplanner.domain.audit.money.contract_inputs import ContractInputs
from gpuplanner.domain.audit.use.contention import Contention
from gpuplanner.domain.audit.use.use_by import WindowUse
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.model.part_sum import NO_PARTS, PartSum
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
    """One cluster over the window; its figures are declared in figures/clusters.py. None is unknown, also what hangs on
    names of log and contracts that may be one (unmatched.py).

    inputs: what they were worked out from (cluster_rows.py).
    """

    cluster: str
    paid_gpu_hours: float
    used_gpu_hours: float | None
    utilization: float | None
    activity: float | None
    training_hours: int
    non_training_hours: int
    non_training_used_gpu_hours: float | None
    non_training_paid_gpu_hours: float
    non_training_utilization: float | None
    cost_per_month: float | None
    overflow_gpu_hours: float | None
    overflow_in_window: float | None
    below_40_percent: bool | None
    stranded_audit: float | None
    stranded_metered: float | None
    paid_in_window: float | None
    useful_in_window: float | None
    allocated_idle_in_window: float | None
    allocated_in_window: float | None
    unallocated_in_window: float | None
    allocated_per_month: float | None
    unallocated_per_month: float | None
    idle_while_training: float | None
    scaled_to_all_hours: float | None
    inputs: ClusterInputs = field(repr=False)


@dataclass(frozen=True, slots=True)
class ContractAudit:
    """One contract over the window; its figures are declared in figures/use.py. None is unknown.

    inputs: what they were worked out from (contract_rows.py).
    """

    contract_id: str
    cluster: str
    provider: str | None
    gpus: float
    paid_gpu_hours: float
    used_gpu_hours: float | None
    utilization: float | None
    below_40_percent: bool | None
    break_even_utilization: float | None
    unused_per_month: float | None
    inputs: ContractInputs = field(repr=False)


@dataclass(frozen=True, slots=True)
class WorkloadToday:
    """One workload today: its class, the pool its cluster runs in, and what it costs a month (None: unknown)."""

    key: str
    classification: Classification
    pool_today: Pool
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class LeakPart:
    """What one workload ran, or one contract was paid for and idle, of a leak.

    kind: workload (id is its key) or contract (id is its contract_id). GPU-hours in the window, $ per month (None:
    unknown). counted_*: what of it is in the list's total, in which each GPU-hour counts once.
    """

    kind: str
    id: str
    gpu_hours: float
    usd_per_month: float | None
    counted_gpu_hours: float
    counted_usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class Leak:
    """Money that leaks: GPU-hours in the window, $ per month, and what to do.

    leak_id: code and cluster, or code and contract; the same from one evaluation to the next. Laws: parts add up to
    gpu_hours and usd_per_month, and the counted_* of parts to those of the leak; those of all leaks to the total.
    """

    code: str
    subject: str
    gpu_hours: float
    usd_per_month: float | None
    action: str
    leak_id: str = ""
    cluster: str = ""
    parts: tuple[LeakPart, ...] = ()
    counted_gpu_hours: float = 0.0
    counted_usd_per_month: float | None = None


@dataclass(frozen=True, slots=True)
class Check:
    """Something to know before signing. severity: red, amber or info.

    keys: of the workloads that the planner can say something of to settle it; most checks have none.
    """

    code: str
    severity: str
    subject: str
    message: str
    usd_per_month: float | None = None
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything about the past. workloads are in the order of Project.workloads.

    leaks_gpu_hours (window) and leaks_usd_per_month: the list's total, in which each GPU-hour counts once.
    bridge: from what is paid to stranded spend, over all clusters; contention: by cluster.
    use: the window by cluster, contract, GPU model and team; None in an audit that was put together by hand.
    premium_usd_per_month: the consolidation premium at equal terms, over all inference. unknown_contracts: ids of
    those whose GPU models or clusters may be the log's under another name, so that nothing is said of their use.
    current_parts: what is known of current_usd_per_month where not all of it is.
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
    bridge: StrandedBridge = NOTHING_KNOWN
    contention: Mapping[str, Contention] = field(default_factory=dict, compare=False)
    use: WindowUse | None = field(default=None, compare=False)
    premium_usd_per_month: float | None = None
    unknown_contracts: frozenset[str] = frozenset()
    current_parts: PartSum = NO_PARTS

    @property
    def spend(self) -> PartSum:
        """What is spent a month today: the whole of it, or what is known of it."""
        return (
            self.current_parts if self.current_usd_per_month is None else PartSum(self.current_usd_per_month)
        )

    @property
    def contended_hours(self) -> int:
        """Hours in which a cluster was asked for more GPUs than it had, over all clusters."""
        return sum(one.contention_hours for one in self.contention.values())

    @property
    def classifications(self) -> tuple[Classification, ...]:
        """What each workload was taken for."""
        return tuple(row.classification for row in self.workloads)
