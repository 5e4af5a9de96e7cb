"""The result of the audit: the past, before planning."""

from collections.abc import Mapping
from functools import cached_property
from math import ceil, floor
from typing import Final, NamedTuple

from gpuplanner.domain.audit.cost_result import NO_PREMIUM, Premium
from gpuplanner.domain.audit.energy import UNKNOWN_ENERGY, WindowEnergy
from gpuplanner.domain.audit.spend.cluster_inputs import ClusterInputs
from gpuplanner.domain.audit.spend.contract_inputs import ContractInputs
from gpuplanner.domain.audit.spend.stranded import NOTHING_KNOWN, StrandedBridge
from gpuplanner.domain.audit.use_by import WindowUse
from gpuplanner.domain.audit.utilization.contention import Contention
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.figure import Number, exact_hours, floats, optional
from gpuplanner.domain.figures.leak import LEAK
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum, known_sum, part_sum
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassShare:
    """A class over the window; its figures are declared in figures/window.py. None is unknown.

    milli_gpu_seconds, all_milli_gpu_seconds: exact GPU time of the class and of all classes.
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
        """Exact inputs of the share by key, in GPU-hours."""
        return {
            "gpu_hours": exact_hours(self.milli_gpu_seconds),
            "all_gpu_hours": exact_hours(self.all_milli_gpu_seconds),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterAudit:
    """A cluster over the window; its figures are declared in figures/clusters.py. None is unknown.

    Figures are also unknown if they depend on names in log and contracts that may mean the same cluster (unmatched.py).
    inputs: of the figures (audit.py). figures: all figures by key, with and without a field.
    """

    cluster: str
    paid_gpu_hours: float | None
    used_gpu_hours: float | None
    utilization: float | None
    activity: float | None
    training_hours: int
    non_training_hours: int
    mean_paid_gpus: float | None
    non_training_used_gpu_hours: float | None
    non_training_paid_gpu_hours: float | None
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


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractAudit:
    """A contract over the window; its figures are declared in figures/use.py. None is unknown.

    inputs: of the figures (audit.py). figures: all figures by key, with and without a field.
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
    """A workload today: class, pool of its cluster, and cost per month (None: unknown).

    Source: docs/formulas/spend.md, Spend today.
    """

    key: str
    classification: Classification
    pool_today: Pool
    usd_per_month: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LeakPart:
    """A workload's or a contract's part of a leak; figures are declared in figures/leak.py. None is unknown.

    kind: workload (id is its key) or contract (id is its contract_id): its leaked or its idle GPU-hours. counted_*: its
    part of the list's total, which counts each GPU-hour once. rate, left_gpu_hours: further inputs of the figures: $
    per GPU-hour, and GPU-hours that no earlier leak counts.
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


@dataclass(frozen=True, kw_only=True)
class Leak:
    """A leak of money, with the action against it; its figures are sums over its parts. None is unknown.

    leak_id: code and cluster, or code and contract; stable between evaluations.
    """

    code: str
    subject: Text
    action: Text
    leak_id: str
    cluster: str
    parts: tuple[LeakPart, ...]

    @cached_property
    def gpu_hours(self) -> float:
        """Leaked GPU-hours in the window."""
        return sum(part.gpu_hours for part in self.parts)

    @cached_property
    def gpu_hours_per_month(self) -> float:
        """Leaked GPU-hours per month."""
        return sum(part.gpu_hours_per_month for part in self.parts)

    @cached_property
    def leaked_in_window(self) -> float | None:
        """Leaked $ in the window; None if a part's rate is unknown."""
        return known_sum(part.leaked_in_window for part in self.parts)

    @cached_property
    def leaked_per_month(self) -> float | None:
        """Leaked $ per month of 730 h; None if a part's rate is unknown."""
        return known_sum(part.leaked_per_month for part in self.parts)

    @cached_property
    def counted_gpu_hours(self) -> float:
        """GPU-hours of the window counted in the list's total; at most `gpu_hours`."""
        return sum(part.counted_gpu_hours for part in self.parts)

    @cached_property
    def counted_gpu_hours_per_month(self) -> float:
        """GPU-hours per month counted in the list's total."""
        return sum(part.counted_gpu_hours_per_month for part in self.parts)

    @cached_property
    def counted_per_month(self) -> float | None:
        """$ per month counted in the list's total; parts without counted GPU-hours cost 0, even at an unknown rate."""
        return known_sum(part.counted_per_month for part in self.parts)

    @cached_property
    def average_rate(self) -> float | None:
        """$ per leaked GPU-hour; None if the $ are unknown."""
        sums = {"leaked_in_window": floats([self.leaked_in_window]), "gpu_hours": floats([self.gpu_hours])}
        return optional(LEAK.value("average_rate", sums))[0]


@dataclass(frozen=True, slots=True)
class LeakTotal:
    """Sums over leaks, with each GPU-hour counted once; counted_per_month is None if a rate is unknown."""

    leaks: int
    counted_gpu_hours: float
    counted_gpu_hours_per_month: float
    counted_per_month: float | None


NOTHING_LEAKS: Final = LeakTotal(0, 0.0, 0.0, None)
"""The total before leaks are detected."""


OF_RENEWALS: Final = frozenset({"order_by_passed", "renewal_unknown"})
"""Checks whose $ refer to a whole renewal instead of a month."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """A finding to read before committing. severity: red, amber or info.

    keys: workloads whose facts the user can state to settle the check; usually empty. is_first: it comes before all
    others of its severity.
    """

    code: str
    severity: str
    subject: Text
    message: Text
    usd_per_month: float | None = None
    keys: tuple[str, ...] = ()
    is_first: bool = False


class WholeSpend(NamedTuple):
    """Cost of contracts and of overflow, $ per month."""

    contracts: PartSum
    overflow: PartSum


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """The audit of the past. workloads: in the order of Project.workloads.

    leaks_total: sums over the list, with each GPU-hour counted once.
    bridge: from paid to stranded spend, over all clusters. contention: by cluster.
    use: the window by cluster, contract, GPU model and team; None in an audit made by hand.
    premium: consolidation premium at equal terms, over all inference.
    unknown_contracts: ids of contracts whose GPU model or cluster may have another name in the log, or no log
    (unlogged); their usage is unknown. spend, unused_per_month, effective_utilization: figures of WINDOW. known_parts:
    known part of an unknown spend. node_gpus: GPUs of the usual node, by GPU model.
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
        """Unknown contracts that logged jobs may run on, so that overflow is unknown."""
        unlogged = {contract.contract_id for contract in self.contracts if contract.cluster in self.unlogged}
        return self.unknown_contracts - unlogged

    @property
    def spend_parts(self) -> PartSum:
        """Spend per month today, $ per month of 730 h, or its known part.

        Source: docs/formulas/spend.md, Spend today.
        """
        return self.known_parts if self.spend is None else PartSum(self.spend)

    @property
    def paid_parts(self) -> PartSum:
        """Cost of contracts and billed use, $ per month of 730 h; the known contracts count even if another of the
        cluster has no rate.
        """
        contracts = (
            (row.inputs.contract.part_name, row.figures.get("paid_per_month"))
            for row in self.contracts
            if row.paid_gpu_hours
        )
        return part_sum((*contracts, *(part for row in self.clusters for part in row.inputs.billed)))

    @property
    def whole_spend(self) -> WholeSpend:
        """Cost of contracts and of overflow, $ per month of 730 h; whole dollars if all parts are known.

        The contracts' cost is rounded as in the table of clusters; overflow so that both add up to the rounded spend.
        """
        paid = self.paid_parts
        overflow = part_sum((row.cluster, row.overflow_per_month) for row in self.clusters)
        if paid.missing or overflow.missing or self.spend is None:
            return WholeSpend(contracts=paid, overflow=overflow)
        left, near = round(self.spend) - round(paid.known), (floor(overflow.known), ceil(overflow.known))
        whole_overflow = min(near, key=lambda whole: abs(whole - left))
        return WholeSpend(contracts=PartSum(round(paid.known)), overflow=PartSum(whole_overflow))

    @property
    def contended_hours(self) -> int:
        """Hours with more demand than GPUs on a cluster, summed over clusters."""
        return sum(cluster.contention_hours for cluster in self.contention.values())

    @property
    def interference_hours(self) -> int:
        """Contended hours in which a cluster ran both training and inference, summed over clusters."""
        return sum(cluster.beside_inference_hours for cluster in self.contention.values())

    @property
    def classifications(self) -> tuple[Classification, ...]:
        """Class of each workload, in the order of the project's workloads."""
        return tuple(row.classification for row in self.workloads)
