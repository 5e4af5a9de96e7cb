"""What changed between two periods: clusters, and behind them their workloads and contracts."""

from typing import Any, Final

from gpuplanner.domain.audit.cost_result import ClusterVariance
from gpuplanner.domain.figures.changes import CHANGE, CONTRACT_CHANGE, PERIOD, WORKLOAD_CHANGE
from gpuplanner.domain.message import worded
from gpuplanner.domain.reports.report import DOCUMENT_ALONE, Column, Report, entries


def _by_cluster(row: ClusterVariance) -> str:
    return row.cluster


PERIODS: Final = Report(
    title=worded("Period"),
    one="period",
    many="periods",
    rows=lambda cost: (cost,),
    key=lambda cost: "",
    columns=tuple(
        Column(PERIOD[key])
        for key in (
            "used_gpu_hours",
            "paid_gpu_hours",
            "inefficiency",
            "rate",
            "paid_cost",
            "cost_per_month",
            "overflow_cost",
        )
    ),
    media=DOCUMENT_ALONE,
)
WORKLOAD_PARTS: Final = Report(
    title=worded("Behind the volume"),
    one="workload",
    many="workloads",
    rows=lambda row: row.workloads,
    key=lambda part: part.key,
    columns=(
        Column(key="key"),
        Column(WORKLOAD_CHANGE["gpu_hours_per_month"]),
        Column(WORKLOAD_CHANGE["volume_per_month"]),
    ),
    media=DOCUMENT_ALONE,
)
CONTRACT_PARTS: Final = Report(
    title=worded("Contracts"),
    one="contract",
    many="contracts",
    rows=lambda row: row.contracts,
    key=lambda part: part.contract_id,
    columns=(
        Column(key="contract_id"),
        Column(CONTRACT_CHANGE["paid_gpu_hours_per_month"]),
        Column(CONTRACT_CHANGE["idle_gpu_hours_per_month"]),
        Column(CONTRACT_CHANGE["price_per_month"]),
        Column(CONTRACT_CHANGE["efficiency_per_month"]),
    ),
    media=DOCUMENT_ALONE,
)


def _of_period(name: str) -> Column:
    """A column that holds the whole cost of one of the two periods, as a field of fields."""

    def cost(row: ClusterVariance) -> dict[str, Any]:
        return entries(PERIODS, getattr(row, name))[0]

    return Column(key=name, value=cost)


CHANGES: Final = Report(
    title=worded("What changed"),
    one="cluster",
    many="clusters",
    rows=lambda variance: variance.clusters,
    key=_by_cluster,
    columns=(
        Column(key="cluster"),
        _of_period("before"),
        _of_period("after"),
        Column(CHANGE["change_per_month"]),
        Column(CHANGE["volume_per_month"]),
        Column(CHANGE["efficiency_per_month"]),
        Column(CHANGE["price_per_month"]),
        Column(key="workloads", value=lambda row: entries(WORKLOAD_PARTS, row)),
        Column(key="contracts", value=lambda row: entries(CONTRACT_PARTS, row)),
        Column(key="note"),
    ),
    media=DOCUMENT_ALONE,
)
TOTALS: Final = Report(
    title=worded("Total"),
    one="total",
    many="totals",
    rows=lambda variance: (variance,),
    key=lambda variance: "",
    columns=tuple(
        Column(CHANGE[key])
        for key in (
            "cost_before",
            "cost_after",
            "change_per_month",
            "volume_per_month",
            "efficiency_per_month",
            "price_per_month",
            "mix_per_month",
        )
    ),
    media=DOCUMENT_ALONE,
)
