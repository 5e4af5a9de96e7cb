"""The answer of the audit: the past as it was, before anything is planned."""

from collections.abc import Mapping
from functools import cached_property
from math import ceil, floor
from typing import Final

from gpuplanner.domain.audit.cost_result import NO_PREMIUM, Premium
from gpuplanner.domain.audit.energy import UNKNOWN_ENERGY, WindowEnergy
from gpuplanner.domain.audit.spend import NOTHING_KNOWN, ClusterInputs, ContractInputs, StrandedBridge
from gpuplanner.domain.audit.use_by import WindowUse
from gpuplanner.domain.audit.utilization import Contention
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.figure import Number, exact_hours, floats, optional
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum, known_sum, part_sum
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass, field


@dataclass(frozen=True, slots=True)
class ClassShare:
    """One class over the window; its figures are declared in figures/window.py. None is unknown.

    milli_gpu_seconds, all_milli_gpu_seconds: its GPU time and that of all classes, exact.
    """

    pool: Pool
    workloads: int
    jobs: int
    gpu_hours: float
    share: float | None
    cost_per_month: float | None
    milli_gpu_seconds: int
    all_milli_gpu_seconds: int

    @property
    def exact(self) -> dict[str, Number | None]:
        """The inputs of the share by key, exact.

        Units: GPU-hours.
        """
        return {
            "gpu_hours": exact_hours(self.milli_gpu_seconds),
            "all_gpu_hours": exact_hours(self.all_milli_gpu_seconds),
        }


@dataclass(frozen=True, slots=True)
class ClusterAudit:
    """One cluster over the window; its figures are declared in figures/clusters.py. None is unknown, also what hangs on
    names of log and contracts that may be one (unmatched.py).

    inputs: what they were worked out from (audit.py); figures: all of them by key, with and without a field.
    """

    cluster: str
    paid_gpu_hours: float
    used_gpu_hours: float | None
    utilization: float | None
    activity: float | None
    training_hours: int
    non_training_hours: int
    mean_paid_gpus: float
    non_training_used_gpu_hours: float | None
    non_training_paid_gpu_hours: float
    non_training_utilization: float | None
    cost_per_month: float | None
    overflow_gpu_hours: float | None
    overflow_in_window: float | None
    overflow_per_month: float | None
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
    figures: Mapping[str, float | None] = field(default_factory=dict, repr=False, hash=False)


@dataclass(frozen=True, slots=True)
class ContractAudit:
    """One contract over the window; its figures are declared in figures/use.py. None is unknown.

    inputs: what they were worked out from (audit.py); figures: all of them by key, with and without a field.
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
    figures: Mapping[str, float | None] = field(default_factory=dict, repr=False, hash=False)


@dataclass(frozen=True, slots=True)
class WorkloadToday:
    """One workload today: its class, the pool its cluster runs in, and what it costs a month (None: unknown).

    Source: docs/formulas/spend.md, Spend today.
    """

    key: str
    classification: Classification
    pool_today: Pool
    usd_per_month: float | None


@dataclass(frozen=True, slots=True)
class LeakPart:
    """What one workload ran, or one contract was paid for and idle, of a leak; figures are declared in figures/leak.py.

    kind: workload (id is its key) or contract (id is its contract_id). None is unknown. counted_*: what of it is in the
    list's total, in which each GPU-hour counts once. rate, left_gpu_hours: what the figures were worked out from beside
    gpu_hours: $ per GPU-hour, and what the leaks above left to count.
    """

    kind: str
    id: str
    gpu_hours: float
    gpu_hours_per_month: float
    leaked_in_window: float | None
    leaked_per_month: float | None
    counted_gpu_hours: float
    counted_gpu_hours_per_month: float
    counted_per_month: float | None
    rate: float | None
    left_gpu_hours: float


@dataclass(frozen=True)
class Leak:
    """Money that leaks, and what to do: the sum of its parts.

    leak_id: code and cluster, or code and contract; the same from one evaluation to the next. None is unknown.
    """

    code: str
    subject: Text
    action: Text
    leak_id: str
    cluster: str
    parts: tuple[LeakPart, ...]

    @cached_property
    def gpu_hours(self) -> float:
        """Leaked in the window.

        Units: GPU-hours, of the whole window.
        """
        return sum(part.gpu_hours for part in self.parts)

    @cached_property
    def gpu_hours_per_month(self) -> float:
        """Leaked per month."""
        return sum(part.gpu_hours_per_month for part in self.parts)

    @cached_property
    def leaked_in_window(self) -> float | None:
        """$ in the window.

        None where the rate of one part is unknown.
        """
        return known_sum(part.leaked_in_window for part in self.parts)

    @cached_property
    def leaked_per_month(self) -> float | None:
        """$ per month.

        A month is 730 h. None where the rate of one part is unknown.
        """
        return known_sum(part.leaked_per_month for part in self.parts)

    @cached_property
    def counted_gpu_hours(self) -> float:
        """What of its GPU-hours is in the list's total.

        Units: GPU-hours of the window. Law: at most gpu_hours.
        """
        return sum(part.counted_gpu_hours for part in self.parts)

    @cached_property
    def counted_gpu_hours_per_month(self) -> float:
        """The same per month."""
        return sum(part.counted_gpu_hours_per_month for part in self.parts)

    @cached_property
    def counted_per_month(self) -> float | None:
        """What of its $ per month is in the list's total.

        A part of which nothing is counted costs nothing, also at an unknown rate.
        """
        return known_sum(part.counted_per_month for part in self.parts)

    @cached_property
    def average_rate(self) -> float | None:
        """$ per leaked GPU-hour.

        None where the $ are unknown.
        """
        sums = {"leaked_in_window": floats([self.leaked_in_window]), "gpu_hours": floats([self.gpu_hours])}
        return optional(LEAK.value("average_rate", sums))[0]


@dataclass(frozen=True, slots=True)
class LeakTotal:
    """What some leaks count together, each GPU-hour once; counted_per_month None where a rate of them is unknown."""

    leaks: int
    counted_gpu_hours: float
    counted_gpu_hours_per_month: float
    counted_per_month: float | None


NOTHING_LEAKS: Final = LeakTotal(0, 0.0, 0.0, None)
"""Of a window in which nobody looked for leaks."""


OF_RENEWALS: Final = frozenset({"order_by_passed", "renewal_unknown"})
"""Checks whose $ are those of a whole renewal, not of a month."""


@dataclass(frozen=True, slots=True)
class Check:
    """Something to know before signing. severity: red, amber or info.

    keys: of the workloads that the planner can say something of to settle it; most checks have none.
    """

    code: str
    severity: str
    subject: Text
    message: Text
    usd_per_month: float | None = None
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Audit:
    """Everything about the past. workloads are in the order of Project.workloads.

    leaks_total: of the list, in which each GPU-hour counts once.
    bridge: from what is paid to stranded spend, over all clusters; contention: by cluster.
    use: the window by cluster, contract, GPU model and team; None in an audit that was put together by hand.
    premium: the consolidation premium at equal terms, over all inference. unknown_contracts: ids of
    those whose GPU models or clusters may be the log's under another name, or whose cluster no log names (unlogged), so
    that nothing is said of their use.
    spend, unused_per_month, effective_utilization: figures of WINDOW; known_parts: what is known of spend where not all
    of it is. node_gpus: GPUs of the usual node, by GPU model.
    """

    classes: dict[Pool, ClassShare]
    workloads: tuple[WorkloadToday, ...]
    clusters: tuple[ClusterAudit, ...]
    contracts: tuple[ContractAudit, ...]
    leaks: tuple[Leak, ...]
    checks: tuple[Check, ...]
    spend: float | None
    unused_per_month: float | None
    effective_utilization: float | None
    lock_in_now_months: float | None
    leaks_total: LeakTotal = NOTHING_LEAKS
    bridge: StrandedBridge = NOTHING_KNOWN
    contention: Mapping[str, Contention] = field(default_factory=dict, compare=False)
    use: WindowUse | None = field(default=None, compare=False)
    premium: Premium = NO_PREMIUM
    unknown_contracts: frozenset[str] = frozenset()
    unlogged: frozenset[str] = frozenset()
    known_parts: PartSum = NO_PARTS
    energy: WindowEnergy = UNKNOWN_ENERGY
    node_gpus: Mapping[str, int] = field(default_factory=dict, compare=False)

    @property
    def asked_contracts(self) -> frozenset[str]:
        """Of the unknown contracts those that jobs of the log may be on: what overflows hangs on them."""
        unlogged = {contract.contract_id for contract in self.contracts if contract.cluster in self.unlogged}
        return self.unknown_contracts - unlogged

    @property
    def spend_parts(self) -> PartSum:
        """What is spent a month today: the whole of it, or what is known of it.

        Units: $ a month of 730 h. Source: docs/formulas/spend.md, Spend today.
        """
        return self.known_parts if self.spend is None else PartSum(self.spend)

    @property
    def paid_parts(self) -> PartSum:
        """What contracts are paid, $ a month of 730 h: of a cluster where one has no rate the others are known."""
        return part_sum(
            (row.inputs.contract.part_name, row.figures.get("paid_per_month"))
            for row in self.contracts
            if row.paid_gpu_hours
        )

    @property
    def whole_spend(self) -> tuple[PartSum, PartSum]:
        """What contracts are paid and what overflowed, $ a month of 730 h; whole ones where all is known.

        What is paid is rounded as the total of the clusters' table; overflow to that of its two neighbours with which
        both come to the rounded spend.
        """
        paid = self.paid_parts
        overflow = part_sum((row.cluster, row.overflow_per_month) for row in self.clusters)
        if paid.missing or overflow.missing or self.spend is None:
            return paid, overflow
        left, near = round(self.spend) - round(paid.known), (floor(overflow.known), ceil(overflow.known))
        return PartSum(round(paid.known)), PartSum(min(near, key=lambda whole: abs(whole - left)))

    @property
    def contended_hours(self) -> int:
        """Hours in which a cluster was asked for more GPUs than it had, over all clusters.

        An hour of two clusters counts twice.
        """
        return sum(cluster.contention_hours for cluster in self.contention.values())

    @property
    def interference_hours(self) -> int:
        """Contended hours in which training and inference both ran on the cluster, over all clusters."""
        return sum(cluster.beside_inference_hours for cluster in self.contention.values())

    @property
    def classifications(self) -> tuple[Classification, ...]:
        """What each workload was taken for.

        In the order of the project's workloads.
        """
        return tuple(row.classification for row in self.workloads)
