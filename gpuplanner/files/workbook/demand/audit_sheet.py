"""Audit: the window by cluster, and what overflowed by cluster, model and class; formulas over Demand and Contracts."""

from dataclasses import dataclass

from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.operations import priced
from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, cluster_words, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, Range, call, known_sum_where, sum_where
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import (
    figure_field,
    flag_field,
    maybe,
    put_flag,
    surely,
    write_figures,
)
from gpuplanner.files.workbook.kit.watch import Watch

SHEET = "Audit"
WEIGHTED = "From the app: weighted by GPU time."

CLUSTER_FIELDS = (
    Field("cluster", "Cluster", width=20),
    Field("number", "Cluster no.", "count", 10),
    figure_field(CLUSTER["paid_gpu_hours"], 14),
    figure_field(CLUSTER["used_gpu_hours"], 14),
    figure_field(CLUSTER["utilization"], 12),
    flag_field(CLUSTER["below_40_percent"]),
    figure_field(CLUSTER["training_hours"], 12, style="hours"),
    figure_field(CLUSTER["non_training_hours"], 12, style="hours"),
    figure_field(CLUSTER["non_training_paid_gpu_hours"], 14),
    figure_field(CLUSTER["non_training_used_gpu_hours"], 14),
    figure_field(CLUSTER["non_training_utilization"], 12),
    figure_field(CLUSTER["paid_in_window"], 14),
    figure_field(CLUSTER["allocated_in_window"], 14),
    figure_field(
        CLUSTER["useful_in_window"], 14, "Allocated x activity, where every GPU job has its activity."
    ),
    figure_field(CLUSTER["allocated_idle_in_window"], 14),
    figure_field(CLUSTER["unallocated_in_window"], 14),
    figure_field(CLUSTER["non_training_unallocated_in_window"], 14),
    figure_field(CLUSTER["activity"], 10, WEIGHTED),
    figure_field(CLUSTER["cost_per_month"], 14),
    figure_field(CLUSTER["stranded_audit"], 14),
    figure_field(CLUSTER["stranded_metered"], 14),
    figure_field(CLUSTER["unallocated_per_month"], 14),
)
FORMULAS = (
    "utilization",
    "non_training_utilization",
    "useful_in_window",
    "allocated_idle_in_window",
    "cost_per_month",
    "stranded_audit",
    "stranded_metered",
    "unallocated_per_month",
)
"""Columns of clusters that follow from the others."""
GPU_TIME = (
    "paid_gpu_hours",
    "used_gpu_hours",
    "non_training_paid_gpu_hours",
    "non_training_used_gpu_hours",
)
MONEY = {
    "paid_in_window": "paid_in_window",
    "allocated_in_window": "allocated_in_window",
    "unallocated_in_window": "unused_in_window",
    "non_training_unallocated_in_window": "non_training_unallocated_in_window",
}
"""Columns of clusters that are sums over their contracts: of which column there."""

OVERFLOW_FIELDS = (
    Field("cluster", "Cluster"),
    Field("gpu_model", "GPU model"),
    Field("pool", "Class"),
    Field("demand", "Demand, GPU-h", "hours"),
    Field("overflow", "Overflow, GPU-h", "hours"),
    Field("rate", "Cheapest on demand, $ per GPU-h", "rate"),
    Field("usd", "Overflow, $ in the window", "usd"),
    Field("number", "Cluster no.", "count"),
    Field("model_no", "Model no.", "count"),
)


@dataclass(frozen=True, slots=True)
class AuditCells:
    """The sheet's tables."""

    clusters: Table
    overflow: Table
    sums: Table

    def total(self, key: str) -> Expr:
        """One of the sums over all clusters and contracts."""
        return self.sums.cell("value", [each[0] for each in _SUMS].index(key))


_SUMS = (
    ("capacity", "Capacity of all clusters", "GPU-h", "hours"),
    ("used", "Used on all clusters", "GPU-h", "hours"),
    ("paid", "Paid, all contracts", "$ in the window", "usd"),
    ("overflow", CLUSTER["eligible_overflow_in_window"].title, "$ in the window", "usd"),
    ("unused_in_window", "Paid and not allocated", "$ in the window", "usd"),
    ("existing", "Existing contracts, month 0", "$ per month", "usd"),
    ("existing_lock", "Existing contracts, $ x months left", "$ x months", "usd"),
    ("nothing", "All contracts that run through month 0", "$ per month", "usd"),
    ("open", "What they leave over, on demand", "$ per month", "usd"),
)


def write_audit(
    book: Book, inputs: Inputs, named: Named, prices: Prices, contracts: Table, hours: HourSheet
) -> AuditCells:
    """Write the sheet. contracts: the table of the Contracts sheet, complete."""
    row = book.title(
        SHEET,
        "Audit of the window",
        (
            "Utilization is allocation; activity is what the GPUs did. Stranded spend has two readings, "
            "each with its name (see Method)."
        ),
    )
    book.write(SHEET, row, 0, "Clusters", "section")
    clusters = Table(
        book, SHEET, row + 1, len(inputs.clusters), CLUSTER_FIELDS, watch=Watch("Clusters", values=True)
    )
    clusters.widen()
    book.sheets[SHEET].freeze_panes(0, 1)
    activities = {row.cluster: row.activity for row in inputs.audit.clusters}
    unknown = {row.cluster for row in inputs.audit.clusters if row.used_gpu_hours is None}
    for place, cluster in enumerate(inputs.clusters):
        _cluster(clusters, place, cluster, activities.get(cluster), named, contracts, hours)
        if cluster in unknown:  # nobody has said yet which of its jobs its contracts serve
            for key in ("utilization", "below_40_percent", "non_training_utilization", "stranded_audit"):
                clusters.put(key, place, DASH)
    streams = list(inputs.today)
    book.write(SHEET, clusters.end_row + 1, 0, "Overflow: demand that no contract served", "section")
    overflow = Table(
        book,
        SHEET,
        clusters.end_row + 2,
        len(streams),
        OVERFLOW_FIELDS,
        watch=Watch("Demand not served", values=True),
    )
    for place, stream in enumerate(streams):
        _overflow(overflow, place, stream, inputs, prices, hours)
    book.write(SHEET, overflow.end_row + 1, 0, "Sums", "section")
    fields = (
        Field("title", "Sum"),
        Field("blank", ""),
        Field("value", "Value", "usd"),
        Field("unit", "Unit"),
    )
    return AuditCells(clusters, overflow, Table(book, SHEET, overflow.end_row + 2, len(_SUMS), fields))


def write_sums(audit: AuditCells, contracts: Table, open_usd: Range, *, is_use_known: bool = True) -> None:
    """The sums that the Summary reads; open_usd: $ a month of what contracts leave over, by pool and model."""
    amounts = {
        "capacity": contracts.range("paid_gpu_hours").sum(),
        "used": contracts.range("used_gpu_hours").sum() if is_use_known else DASH,
        "paid": contracts.range("paid_in_window").known_sum(),
        "overflow": audit.overflow.range("usd").known_sum() if is_use_known else DASH,
        "unused_in_window": contracts.range("unused_in_window").known_sum(),
        "existing": contracts.range("month0").known_sum(),
        "existing_lock": contracts.range("lock").known_sum(),
        "nothing": contracts.range("nothing").known_sum() if is_use_known else DASH,
        "open": open_usd.known_sum(),
    }
    for place, (key, title, unit, style) in enumerate(_SUMS):
        audit.sums.put("title", place, title)
        audit.sums.put("unit", place, unit)
        audit.sums.put("value", place, amounts[key], style)


def _cluster(
    table: Table,
    place: int,
    cluster: str,
    activity: float | None,
    named: Named,
    contracts: Table,
    hours: HourSheet,
) -> None:
    """Writes a cluster's row: its GPU-hours and money summed over its contracts, its hours over Demand."""
    number = table.put("number", place, place + 1)
    table.put("cluster", place, cluster_words(cluster))
    mine = (contracts.range("cluster_no"), number)
    row = {key: surely(table.put(key, place, sum_where(contracts.range(key), mine))) for key in GPU_TIME}
    row |= {
        key: maybe(table.put(key, place, known_sum_where(contracts.range(column), mine)))
        for key, column in MONEY.items()
    }
    training = hours.column(("training", cluster))
    trained = table.put("training_hours", place, training.range.sum())
    table.put("non_training_hours", place, named.window_hours - trained)
    row |= {
        "activity": maybe(table.put("activity", place, activity)),
        "months": surely(named.window_months),
    }
    write_figures(table, place, CLUSTER, row, FORMULAS)
    put_flag(table, place, CLUSTER["below_40_percent"], row)


def _overflow(
    table: Table,
    place: int,
    key: tuple[str, str | None, Pool],
    inputs: Inputs,
    prices: Prices,
    hours: HourSheet,
) -> None:
    """Writes what overflowed of one cluster, model and class, at the rate by use that it would cost."""
    cluster, model, pool = key
    column, lost = hours.column(("today", *key)), hours.find(("lost", cluster, model))
    table.put("cluster", place, cluster_words(cluster))
    table.put("gpu_model", place, model_words(model))
    table.put("pool", place, pool_words(pool))
    table.put("number", place, inputs.clusters.index(cluster) + 1)
    table.put("model_no", place, inputs.models.index(model) + 1)
    demand = table.put("demand", place, column.range.sum())
    if lost is None:
        amount = demand
    else:
        amount = call("SUMPRODUCT", float((column.values * lost.values).sum()), column.range, lost.range)
    overflow = table.put("overflow", place, amount)
    need = prices.today[pool, inputs.model_counted(cluster, model)]
    rate = table.put("rate", place, prices.on_demand(need))
    table.put("usd", place, priced(surely(overflow), maybe(rate)).live)
