"""The clusters, contracts and classes of a window: used, paid, unused."""

from collections.abc import Iterable
from functools import partial
from operator import attrgetter
from typing import Any, Final, cast

from gpuplanner.domain.audit.result import Audit, ClassShare, ClusterAudit, ContractAudit
from gpuplanner.domain.audit.utilization.paid_contracts import paid_contracts
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.figure import is_few
from gpuplanner.domain.figures.typed import Written, decimals, whole
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.figures.window import CLASS
from gpuplanner.domain.figures.writing import MONEY_PER_MONTH
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import NO_PARTS, PartSum, known_sum, part_sum
from gpuplanner.domain.model.book.contract import in_force
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOL_TITLES, POOLS
from gpuplanner.domain.reports.report import (
    BRIEF,
    DOCUMENT_ALONE,
    EVERYWHERE,
    SHEET,
    TERMINAL,
    WINDOW,
    Column,
    Medium,
    Report,
    Unknown,
    named,
    of_part,
    of_subject,
    text,
)
from gpuplanner.lazy_dataclass import dataclass

# --- The clusters of a window: how much of each was used, what it costs, and how what is stranded follows from that

LISTED: Final = frozenset((Medium.TERMINAL, Medium.DOCUMENT, Medium.BRIEF))
READ: Final = BRIEF | {Medium.TERMINAL}
CLUSTER_UNDER_40: Final = CLUSTER["below_40_percent"]


def few_hours_words(clusters: Iterable[ClusterAudit]) -> Text:
    """The clusters whose audit estimate is unknown for want of hours without training, and how many they have."""
    parts = []
    for row in clusters:
        few = row.non_training_hours
        if few and row.paid_gpu_hours and is_few(few, row.training_hours):
            of = whole(row.training_hours + few)
            hours_said = worded("{few} of {all} hours without training", few=whole(few), all=of)
            parts.append(joined(filter(None, (row.cluster, hours_said)), " "))
    return joined(parts, ", ")


def in_force_now(audit: Audit, project: Project) -> float | None:
    """$ a month of contracts in force as plans begin; None where the window's cost the same, it is unknown,
    or bills are in it."""
    held = in_force(paid_contracts(project), project.plan_window.end_s)
    now = known_sum(row.cost_per_month for row in held)
    paid = known_sum(row.cost_per_month for row in audit.clusters)
    is_alike = now is None or paid is None or round(now) == round(paid)
    return None if is_alike or project.jobs.billed else now


MONEY: Final = ("cost_per_month", "stranded_audit", "stranded_metered")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClustersTotal:
    """All clusters in one row; money is the whole sum, or what is known of it. None is unknown.

    Units: GPU-hours of the window, mean GPUs, a ratio 0..1, $ a month.
    """

    cluster: Text
    used_gpu_hours: float | None
    paid_gpu_hours: float | None
    mean_paid_gpus: float | None
    utilization: float | None
    cost_per_month: PartSum | None
    stranded_audit: PartSum | None
    stranded_metered: PartSum | None


def clusters_total(audit: Audit) -> ClustersTotal | None:
    """The row under several clusters; one needs none.

    What is paid is unknown where no cluster has a contract: that is not 0.
    """
    rows = audit.clusters
    if len(rows) < 2:
        return None
    used = [row.used_gpu_hours for row in rows]
    ran = audit.effective_utilization is not None
    paid = any(row.paid_gpu_hours for row in rows)
    return ClustersTotal(
        cluster=worded("Total"),
        used_gpu_hours=sum(amount or 0.0 for amount in used) if ran and None not in used else None,
        paid_gpu_hours=sum(row.paid_gpu_hours or 0.0 for row in rows) if paid else None,
        mean_paid_gpus=sum(row.mean_paid_gpus or 0.0 for row in rows) if paid else None,
        utilization=audit.effective_utilization,
        **(money_sums(audit) if paid else dict.fromkeys(MONEY)),
    )


def money_sums(audit: Audit) -> dict[str, PartSum]:
    """MONEY of all clusters together; of a cluster where one contract has no rate the others are paid for all the
    same."""
    sums = {key: part_sum((row.cluster, getattr(row, key)) for row in audit.clusters) for key in MONEY}
    return sums | {"cost_per_month": audit.paid_parts}


def _if_paid(key: str) -> Any:
    """A figure of a row; unknown where nobody said what is paid: that is not 0."""
    return lambda row: getattr(row, key) if row.paid_gpu_hours else None


def _at_least(row: ClusterAudit | ClustersTotal) -> Unknown:
    """What the contracts that have a rate are paid, where one has none."""
    known = row.inputs.paid_parts if isinstance(row, ClusterAudit) else NO_PARTS
    return Unknown(CLUSTER["cost_per_month"].unknown, known=known)


def _document(key: str, name: str) -> Column:
    """A figure that documents alone have, by another name."""
    return Column(figure=CLUSTER[key], key=name, media=DOCUMENT_ALONE)


def _most_expensive(row: ClusterAudit) -> tuple[float, str]:
    """Key for sorting: most $ first, an unknown cost as 0, then by name."""
    return -(row.cost_per_month or 0.0), row.cluster


def _terminal(key: str) -> Column:
    """A figure that the terminal alone lists, unknown where nobody said what is paid."""
    return Column(figure=CLUSTER[key], media=TERMINAL, value=_if_paid(key))


BRIDGE: Final = (
    ("cost_per_month", "paid_usd_per_month"),
    ("allocated_per_month", "served_usd_per_month"),
    ("idle_while_training", "idle_while_training_usd_per_month"),
    ("stranded_metered", "metered_usd_per_month"),
    ("scaled_to_all_hours", "scaled_usd_per_month"),
    ("stranded_audit", "audit_usd_per_month"),
)
"""From the bill to stranded spend: figures in their order, and what documents call them there."""

CLUSTERS: Final = Report(
    title=worded("Clusters"),
    rows=attrgetter("clusters"),
    key=attrgetter("cluster"),
    order={Medium.DOCUMENT: attrgetter("cluster"), Medium.BRIEF: _most_expensive},
    note=worded("Utilization is allocation; activity is measured use."),
    total=clusters_total,
    unit_once=MONEY_PER_MONTH,
    adds_up=True,
).with_columns(
    text("cluster", worded("Cluster")),
    text("paid_to", worded("Paid to"), media=WINDOW, form="aside"),
    text("gpus", "GPUs", media=WINDOW),
    Column(figure=CLUSTER["utilization"], media=WINDOW, form="bar"),
    Column(figure=CLUSTER["utilization"], media=WINDOW),
    Column(figure=CONTRACT["break_even_utilization"], media=WINDOW),
    *of_subject(CLUSTER, "activity", "non_training_hours", media=WINDOW),
    *of_subject(CLUSTER, "non_training_utilization", *MONEY, media=WINDOW),
    *of_subject(CLUSTER, "paid_gpu_hours", "used_gpu_hours"),
    _terminal("used_gpu_hours"),
    _terminal("paid_gpu_hours"),
    Column(figure=CLUSTER["mean_paid_gpus"], media=BRIEF, value=_if_paid("mean_paid_gpus"), adds_up=True),
    Column(figure=CLUSTER["utilization"], media=LISTED, flag=CLUSTER_UNDER_40),
    *of_subject(CLUSTER, "activity", "training_hours", "non_training_hours"),
    *of_subject(CLUSTER, "non_training_used_gpu_hours", "non_training_paid_gpu_hours"),
    Column(figure=CLUSTER["non_training_utilization"], media=LISTED),
    Column(figure=CLUSTER["activity"], media=BRIEF),
    *of_subject(CLUSTER, "cost_per_month", "overflow_gpu_hours", "overflow_in_window", "below_40_percent"),
    *of_subject(CLUSTER, "paid_in_window", "useful_in_window", "allocated_idle_in_window"),
    *of_subject(CLUSTER, "allocated_in_window", "unallocated_in_window"),
    Column(figure=CLUSTER[MONEY[0]], media=READ, value=_if_paid(MONEY[0]), unknown=_at_least),
    *(Column(figure=CLUSTER[key], media=READ, value=_if_paid(key)) for key in MONEY[1:]),
    _document("stranded_audit", "stranded.audit_usd_per_month"),
    _document("stranded_metered", "stranded.metered_usd_per_month"),
    *(_document(key, f"bridge.{name}") for key, name in BRIDGE),
)


LOGGED_CLUSTERS: Final = Report(
    title=worded("Clusters"),
    rows=attrgetter("clusters"),
    key=attrgetter("cluster"),
    media=TERMINAL,
    note=worded("Demand of all jobs; without contracts, paid GPUs are unknown."),
    adds_up=True,
).with_columns(
    text("cluster", worded("Cluster")),
    Column(figure=CLASS["gpu_hours"], value="overflow_gpu_hours", adds_up=True),
    *of_subject(CLUSTER, "training_hours", "non_training_hours", media=TERMINAL),
)
"""The clusters of a log without contracts: all of their demand is overflow."""


# --- The contracts of a window: how much of each was used, where it breaks even, and what of it is paid unused

WITH_CLUSTER: Final = frozenset((Medium.TERMINAL, Medium.BRIEF, Medium.DOCUMENT))
CONTRACT_UNDER_40: Final = CONTRACT["below_40_percent"]


def _by_id(row: ContractAudit) -> str:
    return row.contract_id


def _where(row: ContractAudit) -> str:
    """Contract, provider and cluster, as far as they are known."""
    return " \u00b7 ".join(filter(None, (row.contract_id, row.provider, row.cluster)))


def _most_unused(row: ContractAudit) -> tuple[float, str]:
    """Key for sorting: most unused $ first, unknown as 0, then by id."""
    return -(row.unused_per_month or 0.0), row.contract_id


def _unused(row: ContractAudit) -> float | None:
    """What of it was paid and idle; unknown to a reader where it did not run in the window, as its utilization is."""
    return row.unused_per_month if row.paid_gpu_hours else None


def _of_sla(places: int, row: ContractAudit) -> Written | None:
    """Hours of a month that its SLA leaves open, in two places; without places their $."""
    contract = row.inputs.contract
    amount = contract.sla_hours_per_month if places else contract.sla_usd_per_month
    return None if amount is None else decimals(amount, places)


def _of_gpus(name: str, row: ContractAudit) -> float | None:
    """GPUs or GPU-hours; of a commitment in dollars only the GPU-hours that it covers are known."""
    if not row.inputs.contract.is_dollars:
        return cast("float | None", getattr(row, name))
    return row.inputs.covered_gpu_hours if name == "used_gpu_hours" else None


def _flagged_first(row: ContractAudit) -> tuple[bool, float, str]:
    """Key for sorting: those under 40% before all others."""
    return not row.below_40_percent, *_most_unused(row)


CONTRACTS: Final = Report(
    title=worded("Contracts"),
    rows=attrgetter("contracts"),
    key=_by_id,
    order={
        Medium.DOCUMENT: _by_id,
        Medium.WINDOW: _flagged_first,
        Medium.TERMINAL: _flagged_first,
        Medium.BRIEF: _most_unused,
    },
    note=worded("Break-even: above it, the contract beats on demand."),
    adds_up=True,
).with_columns(
    text("contract_id", worded("Contract"), form="name", tip=_where),
    text("cluster", worded("Cluster"), media=WITH_CLUSTER),
    named("provider"),
    text(
        "purchase_order",
        worded("Purchase order"),
        "inputs.contract.purchase_order",
        EVERYWHERE - SHEET - BRIEF,
        is_rare=True,
    ),
    Column(figure=CONTRACT["gpus"], media=EVERYWHERE - SHEET, value=partial(_of_gpus, "gpus")),
    *(
        Column(figure=CONTRACT[key], media=DOCUMENT_ALONE | SHEET, value=partial(_of_gpus, key))
        for key in ("paid_gpu_hours", "used_gpu_hours")
    ),
    Column(
        figure=CONTRACT["utilization"],
        media=WINDOW,
        form="bar",
        flag=CONTRACT_UNDER_40,
        mark=CONTRACT["break_even_utilization"],
    ),
    Column(figure=CONTRACT["utilization"], flag=CONTRACT_UNDER_40),
    named(CONTRACT_UNDER_40),
    Column(figure=CONTRACT["break_even_utilization"]),
    Column(figure=CONTRACT_UNDER_40, media=BRIEF, form="flag"),
    named(CONTRACT["unused_per_month"]),
    *of_part("inputs.contract", "sla_hours_per_month", "sla_usd_per_month"),
    text("", worded("SLA leaves open, h a month"), partial(_of_sla, 2), TERMINAL, is_rare=True),
    text("", worded("$ of those hours"), partial(_of_sla, 0), TERMINAL, is_rare=True),
    Column(figure=CONTRACT["unused_per_month"], media=EVERYWHERE - SHEET - DOCUMENT_ALONE, value=_unused),
    *of_subject(CONTRACT, "paid_in_window", "unused_in_window", "allocated_in_window", media=SHEET),
    named("commitment_usd_per_hour", lambda row: row.inputs.contract.usd_per_hour),
    *of_part("inputs", "coverage"),
)


# --- The classes of a window: how many workloads are of each, what they asked for, and what that cost

CLASSES_READ: Final = frozenset((Medium.WINDOW, Medium.TERMINAL))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassesTotal:
    """All classes in one row; cost_per_month in $, None where a part of it is unknown."""

    pool: Text
    workloads: int
    jobs: int
    gpu_hours: float
    cost_per_month: float | None


def classes_total(audit: Audit) -> ClassesTotal:
    """The row under all classes.

    GPU-hours are of the window, $ a month.
    """
    rows = _classes_with_workloads(audit)
    return ClassesTotal(
        pool=worded("All classes"),
        workloads=sum(row.workloads for row in rows),
        jobs=sum(row.jobs for row in rows),
        gpu_hours=sum(row.gpu_hours for row in rows),
        cost_per_month=known_sum(row.cost_per_month for row in rows),
    )


def _classes_with_workloads(audit: Audit) -> list[ClassShare]:
    """Classes that have workloads, in the order of POOLS."""
    return [audit.classes[pool] for pool in POOLS if pool in audit.classes]


def _exact(row: ClassShare) -> Message:
    """GPU-hours to a tenth, behind a share."""
    return worded("{gpu_hours} GPU-h", gpu_hours=decimals(row.gpu_hours))


CLASSES: Final = Report(
    title=worded("Classes"),
    rows=_classes_with_workloads,
    key=attrgetter("pool.value"),
    total=classes_total,
    total_media=WINDOW,
    total_why={
        "workloads": "workloads_of_all",
        "jobs": "jobs_of_all",
        "gpu_hours": "classes",
        "cost_per_month": "workloads_cost",
    },
    media=EVERYWHERE - {Medium.BRIEF},
    adds_up=True,
).with_columns(
    text("pool", worded("Class"), lambda row: POOL_TITLES[row.pool], media=CLASSES_READ, form="name"),
    *of_subject(CLASS, "workloads", "jobs", media=EVERYWHERE),
    Column(figure=CLASS["gpu_hours"], media=WINDOW, adds_up=True, is_in_full=True, tip=_exact),
    Column(figure=CLASS["gpu_hours"], media=EVERYWHERE - WINDOW),
    Column(figure=CLASS["share"], media=WINDOW, form="part"),
    Column(figure=CLASS["share"], adds_up=True),
    Column(figure=CLASS["cost_per_month"], media=WINDOW),
)
