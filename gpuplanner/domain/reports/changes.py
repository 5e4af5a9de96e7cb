"""What changed between two periods: clusters, and behind them their workloads and contracts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.cost_result import ClusterVariance, ContractPart, Variance, VolumePart
from gpuplanner.domain.figures.costs.changes import CELLS, CHANGE, CONTRACT_CHANGE, PERIOD, WORKLOAD_CHANGE
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.reports.entries import entries, fields, inside, named
from gpuplanner.domain.reports.report import DOCUMENT_ALONE, TERMINAL, WINDOW, Column, Medium, Report

READ: Final = WINDOW | TERMINAL
PARTS_SHOWN: Final = 200


def _by_cluster(row: "ClusterVariance | AllClusters") -> str:
    """The name of a cluster; of all of them together none."""
    return row.cluster if isinstance(row, ClusterVariance) else ""


PERIOD_COST: Final = fields(
    *(
        PERIOD[key]
        for key in (
            "used_gpu_hours",
            "paid_gpu_hours",
            "inefficiency",
            "rate",
            "paid_cost",
            "cost_per_month",
            "overflow_cost",
        )
    )
)
"""Of one cluster in one of the two periods."""


def _volume(clusters: Sequence[ClusterVariance]) -> list[VolumePart]:
    return [part for row in clusters for part in row.workloads]


def _of_contracts(clusters: Sequence[ClusterVariance]) -> list[ContractPart]:
    return [part for row in clusters for part in row.contracts]


def _most_volume(part: VolumePart) -> tuple[float, float, str]:
    """Key for sorting: most $ either way first, then most GPU-hours."""
    return -abs(part.volume_per_month or 0.0), -abs(part.gpu_hours_per_month), part.key


def _key(part: VolumePart) -> str:
    return part.key


def _contract_id(part: ContractPart) -> str:
    return part.contract_id


WORKLOAD_PARTS: Final = Report(
    title=worded("Behind the volume"),
    one="workload",
    many="workloads",
    rows=_volume,
    key=_key,
    scope_of=lambda part: part.cluster,
    columns=(
        Column(key="key", title=worded("Behind the volume"), tip=_key),
        Column(WORKLOAD_CHANGE["gpu_hours_per_month"], form="change"),
        Column(WORKLOAD_CHANGE["volume_per_month"], form="change"),
    ),
    order={Medium.WINDOW: _most_volume},
    limits={Medium.WINDOW: PARTS_SHOWN},
    media=WINDOW | DOCUMENT_ALONE,
    adds_up=False,
)
"""About some clusters; rows are their workloads."""
CONTRACT_PARTS: Final = Report(
    title=worded("Contracts"),
    one="contract",
    many="contracts",
    rows=_of_contracts,
    key=_contract_id,
    columns=(
        Column(key="contract_id", title=worded("Contract"), tip=_contract_id),
        Column(CONTRACT_CHANGE["paid_gpu_hours_per_month"], media=DOCUMENT_ALONE),
        Column(CONTRACT_CHANGE["idle_gpu_hours_per_month"], form="change"),
        Column(CONTRACT_CHANGE["price_per_month"], media=DOCUMENT_ALONE),
        Column(CONTRACT_CHANGE["efficiency_per_month"], form="change"),
        Column(CONTRACT_CHANGE["price_per_month"], media=WINDOW, form="change"),
    ),
    media=WINDOW | DOCUMENT_ALONE,
    adds_up=False,
)
"""About some clusters; rows are their contracts."""


@dataclass(frozen=True, slots=True)
class AllClusters:
    """The row under all clusters, $ a month."""

    cost_before: float | None
    volume_per_month: float | None
    efficiency_per_month: float | None
    price_per_month: float | None
    cost_after: float | None
    cluster: Text = worded("Total")


def _all(variance: Variance) -> AllClusters:
    return AllClusters(*(getattr(variance, key) for key in CELLS))


CHANGES: Final = Report(
    title=worded("What changed"),
    one="cluster",
    many="clusters",
    rows=lambda variance: variance.clusters,
    key=_by_cluster,
    columns=(
        Column(key="cluster", title=worded("Cluster, $\nper month"), media=WINDOW),
        Column(key="cluster", title=worded("Cluster"), media=TERMINAL | DOCUMENT_ALONE),
        inside("before", PERIOD_COST),
        inside("after", PERIOD_COST),
        Column(CHANGE["change_per_month"], media=DOCUMENT_ALONE),
        Column(CHANGE["cost_before"], media=READ),
        Column(CHANGE["volume_per_month"], form="change"),
        Column(CHANGE["efficiency_per_month"], form="change"),
        Column(CHANGE["price_per_month"], form="change"),
        Column(CHANGE["cost_after"], media=READ),
        named("workloads", lambda row: entries(WORKLOAD_PARTS, (row,))),
        named("contracts", lambda row: entries(CONTRACT_PARTS, (row,))),
        named("note"),
    ),
    total=_all,
    media=READ | DOCUMENT_ALONE,
    adds_up=False,
)
TOTALS: Final = fields(
    *(
        CHANGE[key]
        for key in (
            "cost_before",
            "cost_after",
            "change_per_month",
            "volume_per_month",
            "efficiency_per_month",
            "price_per_month",
            "mix_per_month",
        )
    )
)
"""Of all clusters together."""
