"""The clusters of a window: how much of each was used, what it costs, and how what is stranded follows from that."""

from dataclasses import dataclass
from typing import Any, Final

from gpuplanner.domain.audit.result import Audit, ClusterAudit
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.units import MONEY_PER_MONTH
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.part_sum import PartSum, part_sum
from gpuplanner.domain.reports.report import BRIEF, DOCUMENT_ALONE, TERMINAL, WINDOW, Column, Medium, Report

LISTED: Final = frozenset((Medium.TERMINAL, Medium.DOCUMENT, Medium.BRIEF))
READ: Final = BRIEF | {Medium.TERMINAL}
UNDER_40: Final = CLUSTER["below_40_percent"]
MONEY: Final = ("cost_per_month", "stranded_audit", "stranded_metered")


@dataclass(frozen=True, slots=True)
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
    sums = {
        key: part_sum((row.cluster, getattr(row, key)) for row in rows) if paid else None for key in MONEY
    }
    return ClustersTotal(
        worded("Total"),
        sum(amount or 0.0 for amount in used) if ran and None not in used else None,
        sum(row.paid_gpu_hours for row in rows) if paid else None,
        sum(row.mean_paid_gpus for row in rows) if paid else None,
        audit.effective_utilization,
        **sums,
    )


def _rows(audit: Audit) -> tuple[ClusterAudit, ...]:
    return audit.clusters


def _by_name(row: ClusterAudit) -> str:
    return row.cluster


def _if_paid(key: str) -> Any:
    """A figure of a row; unknown where nobody said what is paid: that is not 0."""
    return lambda row: getattr(row, key) if row.paid_gpu_hours else None


def _document(key: str, name: str = "") -> Column:
    """A figure that documents alone have. name: what they call it, where that is not its own."""
    return Column(CLUSTER[key], name, media=DOCUMENT_ALONE)


def _most_expensive(row: ClusterAudit) -> tuple[float, str]:
    """Key for sorting: most $ first, an unknown cost as 0, then by name."""
    return -(row.cost_per_month or 0.0), row.cluster


def _terminal(key: str) -> Column:
    """A figure that the terminal alone lists, unknown where nobody said what is paid."""
    return Column(CLUSTER[key], media=TERMINAL, value=_if_paid(key))


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
    one="cluster",
    many="clusters",
    rows=_rows,
    key=_by_name,
    columns=(
        Column(key="cluster", title=worded("Cluster")),
        Column(key="paid_to", title=worded("Paid to"), media=WINDOW, form="aside"),
        Column(key="gpus", title="GPUs", media=WINDOW),
        Column(CLUSTER["utilization"], media=WINDOW, form="bar"),
        Column(CLUSTER["utilization"], media=WINDOW),
        Column(CONTRACT["break_even_utilization"], media=WINDOW),
        *(
            Column(CLUSTER[key], media=WINDOW)
            for key in ("activity", "non_training_hours", "non_training_utilization", *MONEY)
        ),
        _document("paid_gpu_hours"),
        _document("used_gpu_hours"),
        _terminal("used_gpu_hours"),
        _terminal("paid_gpu_hours"),
        Column(CLUSTER["mean_paid_gpus"], media=BRIEF, value=_if_paid("mean_paid_gpus"), adds_up=True),
        Column(CLUSTER["utilization"], media=LISTED, flag=UNDER_40),
        _document("activity"),
        _document("training_hours"),
        _document("non_training_hours"),
        _document("non_training_used_gpu_hours"),
        _document("non_training_paid_gpu_hours"),
        Column(CLUSTER["non_training_utilization"], media=LISTED),
        Column(CLUSTER["activity"], media=BRIEF),
        _document("cost_per_month"),
        _document("overflow_gpu_hours"),
        _document("overflow_in_window"),
        _document("below_40_percent"),
        _document("paid_in_window"),
        _document("useful_in_window"),
        _document("allocated_idle_in_window"),
        _document("allocated_in_window"),
        _document("unallocated_in_window"),
        *(Column(CLUSTER[key], media=READ, value=_if_paid(key)) for key in MONEY),
        _document("stranded_audit", "stranded.audit_usd_per_month"),
        _document("stranded_metered", "stranded.metered_usd_per_month"),
        *(_document(key, f"bridge.{name}") for key, name in BRIDGE),
    ),
    order={Medium.DOCUMENT: _by_name, Medium.BRIEF: _most_expensive},
    note=worded("Utilization is allocation; activity is what the GPUs did, where it was measured."),
    total=clusters_total,
    unit_once=MONEY_PER_MONTH,
)
