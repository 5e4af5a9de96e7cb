"""Audit: the window by cluster, and what overflowed by cluster, model and class; formulas over Demand and Contracts."""

from dataclasses import dataclass

from gpuplanner.domain.model.pool import Pool
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.prices_sheet import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, cluster_words, model_words, pool_words
from gpuplanner.files.workbook.kit.book import Book, Field, Table
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    Range,
    call,
    known,
    known_sum_where,
    sum_where,
    when,
)

SHEET = "Audit"

CLUSTER_FIELDS = (
    Field("cluster", "Cluster", width=20),
    Field("number", "Cluster no.", "count", 10),
    Field("capacity", "Capacity, GPU-h", "hours", 14),
    Field("used", "Used, GPU-h", "hours", 14),
    Field("utilization", "Utilization", "ratio", 12),
    Field("flag", "Under 40%", width=12),
    Field("training_hours", "Hours with training", "hours", 12),
    Field("idle_hours", "Non-training hours", "hours", 12),
    Field("idle_capacity", "Capacity in them, GPU-h", "hours", 14),
    Field("idle_used", "Used in them, GPU-h", "hours", 14),
    Field("idle_utilization", "Utilization in them", "ratio", 12),
    Field("paid", "Paid, $ in the window", "usd", 14),
    Field("allocated", "Allocated, $ in the window", "usd", 14),
    Field(
        "useful",
        "Useful, $ in the window",
        "usd",
        14,
        "Allocated x activity, where every GPU job has its activity.",
    ),
    Field("allocated_idle", "Allocated but idle, $ in the window", "usd", 14),
    Field("unallocated", "Unallocated, $ in the window", "usd", 14),
    Field("metered_window", "Idle in non-training hours, $ in the window", "usd", 14),
    Field("activity", "Activity", "ratio", 10, "From the app: weighted by GPU time."),
    Field("cost", "Cost, $ per month", "usd", 14),
    Field("audit", "Stranded (audit), $ per month", "usd", 14),
    Field("metered", "Stranded (metered), $ per month", "usd", 14),
    Field("unused", "Unused, $ per month", "usd", 14),
)

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
    ("overflow", "Overflow at on-demand rates", "$ in the window", "usd"),
    ("unused", "Paid and not allocated", "$ in the window", "usd"),
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
    clusters = Table(book, SHEET, row + 1, len(inputs.clusters), CLUSTER_FIELDS)
    clusters.widen()
    book.sheets[SHEET].freeze_panes(0, 1)
    activities = {row.cluster: row.activity for row in inputs.audit.clusters}
    unknown = {row.cluster for row in inputs.audit.clusters if row.used_gpu_hours is None}
    for place, cluster in enumerate(inputs.clusters):
        _cluster(clusters, place, cluster, activities.get(cluster), named, contracts, hours)
        if cluster in unknown:  # nobody has said yet which of its jobs its contracts serve
            for field in ("utilization", "flag", "idle_utilization", "audit"):
                clusters.put(field, place, DASH)
    streams = list(inputs.today)
    book.write(SHEET, clusters.end_row + 1, 0, "Overflow: demand that no contract served", "section")
    overflow = Table(book, SHEET, clusters.end_row + 2, len(streams), OVERFLOW_FIELDS)
    for place, key in enumerate(streams):
        _overflow(overflow, place, key, inputs, prices, hours)
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
        "unused": contracts.range("unused_in_window").known_sum(),
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
    number = table.put("number", place, place + 1)
    table.put("cluster", place, cluster_words(cluster))
    mine = (contracts.range("cluster_no"), number)
    capacity = table.put("capacity", place, sum_where(contracts.range("paid_gpu_hours"), mine))
    used = table.put("used", place, sum_where(contracts.range("used_gpu_hours"), mine))
    table.put("utilization", place, when(capacity > 0, used / capacity, DASH))
    table.put("flag", place, flag(used, capacity))
    training = hours.column(("training", cluster))
    trained = table.put("training_hours", place, training.range.sum())
    table.put("idle_hours", place, named.window_hours - trained)
    idle_capacity = table.put("idle_capacity", place, sum_where(contracts.range("idle_capacity"), mine))
    idle_used = table.put("idle_used", place, sum_where(contracts.range("idle_used"), mine))
    table.put("idle_utilization", place, when(idle_capacity > 0, idle_used / idle_capacity, DASH))
    paid = table.put("paid", place, known_sum_where(contracts.range("paid_in_window"), mine))
    unallocated = table.put("unallocated", place, known_sum_where(contracts.range("unused_in_window"), mine))
    allocated = table.put("allocated", place, known_sum_where(contracts.range("allocated_in_window"), mine))
    share = table.put("activity", place, activity)
    useful = table.put("useful", place, known([allocated, share], allocated * share))
    table.put("allocated_idle", place, known([allocated, useful], allocated - useful))
    cost = table.put("cost", place, known([paid], paid / named.window_months))
    stranded = (idle_capacity - idle_used) / idle_capacity * cost
    table.put("audit", place, when(idle_capacity > 0, known([cost], stranded), DASH))
    metered = table.put("metered_window", place, known_sum_where(contracts.range("metered"), mine))
    table.put("metered", place, known([metered], metered / named.window_months))
    table.put("unused", place, known([unallocated], unallocated / named.window_months))


def flag(used: Expr, capacity: Expr) -> Expr:
    """Whether used GPU-hours are strictly under 40% of those paid for; exactly 40% is not."""
    gap = used * 100 - capacity * 40
    rounded = call("ROUND", round(gap.number, 6), gap, 6)
    return when(rounded < 0, "under 40%", "no")


def _overflow(
    table: Table,
    place: int,
    key: tuple[str, str | None, Pool],
    inputs: Inputs,
    prices: Prices,
    hours: HourSheet,
) -> None:
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
    table.put("usd", place, when(overflow < 1e-7, 0, known([rate], overflow * rate)))
