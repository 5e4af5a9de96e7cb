"""Audit: the window by cluster, overflow, the bridge to stranded spend, GPU models, teams, hours of the week."""

from typing import Any, Final

from gpuplanner.domain.audit.use_by import DAYS, HOURS
from gpuplanner.domain.commitment.result import EnergyOfPool
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.figure import priced
from gpuplanner.domain.figures.window import TEAM, USE
from gpuplanner.domain.model.book.only import Row
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import LONG_DAYS
from gpuplanner.domain.reports.clusters import BRIDGE
from gpuplanner.domain.reports.mix import OF_PAST
from gpuplanner.domain.reports.report import Medium, Report
from gpuplanner.domain.reports.series import MONTHS
from gpuplanner.domain.reports.use import ENERGY_OF_CONTRACTS, ENERGY_OF_PLAN, ENERGY_OF_TEAMS
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, cluster_words, model_words, pool_words
from gpuplanner.files.workbook.inputs.workloads_sheet import Workloads, teams_of
from gpuplanner.files.workbook.kit import figure_cells
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import reference
from gpuplanner.files.workbook.kit.expressions import (
    DASH,
    Expr,
    Range,
    added,
    call,
    formula,
    known_sum_where,
    sum_where,
)
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import AUDIT
from gpuplanner.lazy_dataclass import dataclass, replace

WEIGHTED = "From the app: weighted by GPU time."

CLUSTER_FIELDS = figure_cells.fields_of(
    "audit.cluster",
    figure_cells.flag_field(CLUSTER["below_40_percent"]),
    figure_cells.figure_field(CLUSTER["activity"], 10, WEIGHTED),
    of=CLUSTER,
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
GPU_TIME = ("paid_gpu_hours", "used_gpu_hours", "non_training_paid_gpu_hours", "non_training_used_gpu_hours")
MONEY = {
    "paid_in_window": "paid_in_window",
    "allocated_in_window": "allocated_in_window",
    "unallocated_in_window": "unused_in_window",
    "non_training_unallocated_in_window": "non_training_unallocated_in_window",
}
"""Columns of clusters that are sums over their contracts: of which column there."""

OVERFLOW_FIELDS = figure_cells.fields_of("audit.overflow")


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
    ("paid", "Paid, all contracts", "$ in the lookback period", "usd"),
    ("overflow", CLUSTER["eligible_overflow_in_window"].title, "$ in the lookback period", "usd"),
    ("unused_in_window", "Paid and not allocated", "$ in the lookback period", "usd"),
    ("existing", "Existing contracts, first month", "$ per month", "usd"),
    ("existing_lock", "Existing contracts, $ x months left", "$ x months", "usd"),
    ("nothing", "All contracts that run through the first month", "$ per month", "usd"),
    ("open", "Demand above contracts, on demand", "$ per month", "usd"),
)


def write_audit(prices: Prices, contracts: Table, hours: HourSheet) -> AuditCells:
    """Write the sheet. contracts: the table of the Contracts sheet, complete."""
    book, inputs = hours.book, hours.inputs
    row = book.title(
        AUDIT,
        "Utilization is the share of paid GPU-hours with a job. Activity is the work of the GPUs. Stranded cost has "
        "two figures: metered and audit estimate (Method and checks).",
        title="Audit of the lookback period",
    )
    count, title = len(inputs.clusters), "Clusters"
    watch = Watch(title=title, values=True)
    clusters = Table(
        book=book, sheet=AUDIT, row=row, size=count, fields=CLUSTER_FIELDS, watch=watch, section=title
    )
    clusters.widen()
    book.sheets[AUDIT].freeze_panes(0, 1)
    activities = {row.cluster: row.activity for row in inputs.audit.clusters}
    unknown = {row.cluster for row in inputs.audit.clusters if row.used_gpu_hours is None}
    for place, cluster in enumerate(inputs.clusters):
        _cluster(clusters, place, cluster, activities.get(cluster), contracts, hours)
        if cluster in unknown:  # nobody has said yet which of its jobs its contracts serve
            for key in ("utilization", "below_40_percent", "non_training_utilization", "stranded_audit"):
                clusters.put(key, place, DASH)
    streams = list(inputs.today)
    watch, title = Watch(title="Demand not served", values=True), "Overflow: demand that no contract served"
    row = clusters.end_row + 1
    overflow = Table(
        book=book, sheet=AUDIT, row=row, size=len(streams), fields=OVERFLOW_FIELDS, watch=watch, section=title
    )
    for place, stream in enumerate(streams):
        _overflow(overflow, place, stream, prices, hours)
    fields = (
        Field(key="title", heading="Sum"),
        Field(key="blank", heading=""),
        Field(key="value", heading="Value", style="usd"),
        Field(key="unit", heading="Unit"),
    )
    sums = Table(
        book=book, sheet=AUDIT, row=overflow.end_row + 1, size=len(_SUMS), fields=fields, section="Sums"
    )
    return AuditCells(clusters, overflow, sums)


def write_sums(inputs: Inputs, audit: AuditCells, contracts: Table, open_usd: Range) -> None:
    """The sums that the Summary reads; open_usd: $ a month of what contracts leave over, by pool and model."""
    is_apart, is_demand_known = contracts.has("later_h"), not inputs.audit.asked_contracts
    amounts = {
        "capacity": contracts.range("paid_gpu_hours").sum(),
        "used": contracts.range("used_gpu_hours").sum() if not inputs.audit.unknown_contracts else DASH,
        "paid": contracts.range("paid_in_window").known_sum(),
        "overflow": audit.overflow.range("usd").known_sum() if is_demand_known else DASH,
        "unused_in_window": contracts.range("unused_in_window").known_sum(),
        "existing": contracts.range("held0" if is_apart else "month0").known_sum(),
        "existing_lock": contracts.range("held_lock" if is_apart else "lock").known_sum(),
        "nothing": contracts.range("nothing").known_sum() if is_demand_known else DASH,
        "open": open_usd.known_sum(),
    }
    for place, (key, title, unit, style) in enumerate(_SUMS):
        audit.sums.fill(place, title=title, unit=unit)
        audit.sums.put("value", place, amounts[key], style)


def _cluster(
    table: Table, place: int, cluster: str, activity: float | None, contracts: Table, hours: HourSheet
) -> None:
    """Writes a cluster's row: its GPU-hours and money summed over its contracts, its hours over Demand."""
    number = table.put("number", place, place + 1)
    table.put("cluster", place, cluster_words(cluster))
    mine = (contracts.range("cluster_no"), number)
    row: figure_cells.Cells = {
        key: table.put(key, place, sum_where(contracts.range(key), mine)) for key in GPU_TIME
    }
    row |= {
        key: figure_cells.maybe(table.put(key, place, known_sum_where(contracts.range(column), mine)))
        for key, column in MONEY.items()
    }
    trained = table.put("training_hours", place, hours.column(("training", cluster)).range.sum())
    row |= {
        "training_hours": figure_cells.Cell(trained),
        "non_training_hours": figure_cells.Cell(
            table.put("non_training_hours", place, hours.named.window_hours - trained)
        ),
    }
    row |= {
        "activity": figure_cells.maybe(table.put("activity", place, activity)),
        "months": hours.named.window_months,
    }
    figure_cells.write_figures(table, place, CLUSTER, row, FORMULAS)
    figure_cells.put_flag(table, place, CLUSTER["below_40_percent"], row)


def _overflow(
    table: Table, place: int, key: tuple[str, str | None, Pool], prices: Prices, hours: HourSheet
) -> None:
    """Writes what overflowed of one cluster, model and class, at the rate by use that it would cost."""
    cluster, model, pool = key
    column, lost = hours.column(("today", *key)), hours.find(("lost", cluster, model))
    table.fill(place, cluster=cluster_words(cluster), gpu_model=model_words(model))
    table.fill(place, pool=pool_words(pool), number=hours.inputs.clusters.index(cluster) + 1)
    table.put("model_no", place, hours.inputs.models.index(model) + 1)
    demand = table.put("demand", place, column.range.sum())
    amount = demand if lost is None else call("SUMPRODUCT", column.range, lost.range)
    overflow = table.put("overflow", place, amount)
    need = prices.today[Row(pool, hours.inputs.model_counted(cluster, model))]
    rate = table.put("rate", place, prices.on_demand(need))
    table.put("usd", place, priced(figure_cells.Cell(overflow), figure_cells.maybe(rate)).live)


BRIDGE_FIELDS: Final = (
    Field(key="cluster", heading="Cluster"),
    *(figure_cells.figure_field(CLUSTER[key]) for key, _ in BRIDGE),
)
STEPS: Final = ("allocated_per_month", "idle_while_training", "scaled_to_all_hours")
"""Of the bridge, what follows from the columns of clusters."""
CONTENTION_FIELDS: Final = figure_cells.fields_of("audit.contention")
MODEL_FIELDS: Final = (
    *figure_cells.fields_of("audit.model", figure_cells.flag_field(USE["below_40_percent"]), of=USE),
    figure_cells.figure_field(USE["activity"], note=WEIGHTED),
)
TEAM_FIELDS: Final = (
    *figure_cells.fields_of("audit.team", of=TEAM),
    figure_cells.figure_field(TEAM["activity"], note=WEIGHTED),
)
WEEK_FIELDS: Final = (
    Field(key="day", heading="UTC"),
    *(Field(key=f"h{hour:02d}", heading=f"{hour:02d}", style="ratio") for hour in range(HOURS)),
    Field(key="mean", heading="Mean", style="ratio"),
    Field(key="first", heading="Its first hour of the week", style="count"),
)
HEAT_LOW, HEAT_HIGH = "#F4F0E1", "#5DB5BA"
"""The ends of a colour scale on which dark text is read."""


def write_window_use(contracts: Table, hours: HourSheet, audit: AuditCells, workloads: Workloads) -> None:
    """Write the tables below the sums. contracts: the table of the Contracts sheet, complete."""
    book, inputs, named = hours.book, hours.inputs, hours.named
    row = _bridge(book, inputs, named, audit, audit.sums.end_row + 1)
    row = _contention(book, inputs, hours, row)
    row = _models(book, inputs, named, contracts, audit, row)
    row = _teams(book, inputs, named, workloads, row)
    write_energy(book, inputs, _week(book, hours, row))


def _bridge(book: Book, inputs: Inputs, named: Named, audit: AuditCells, row: int) -> int:
    """Writes the steps from the bill to stranded spend by cluster, and their sum.

    The answer is the row below.
    """
    count, clusters, title = len(inputs.clusters), audit.clusters, "From the bill to stranded spend"
    table = Table(book=book, sheet=AUDIT, row=row, size=count + 1, fields=BRIDGE_FIELDS, section=title)
    for place, cluster in enumerate(inputs.clusters):
        table.put("cluster", place, cluster_words(cluster))
        cells: figure_cells.Cells = {"months": named.window_months}
        for key in ("allocated_in_window", "unallocated_per_month"):
            cells[key] = figure_cells.maybe(clusters.cell(key, place))
        for key in ("cost_per_month", "stranded_metered", "stranded_audit"):
            cells[key] = figure_cells.maybe(clusters.cell(key, place))
            table.put(key, place, clusters.cell(key, place))
        figure_cells.write_figures(table, place, CLUSTER, cells, STEPS)
    table.put("cluster", count, "All clusters", "strong")
    for field in BRIDGE_FIELDS[1:]:
        total = table.range(field.key, 0, count).known_sum() if count else 0
        table.put(field.key, count, total, "usd.total")
    return table.end_row + 1


def _contention(book: Book, inputs: Inputs, hours: HourSheet, row: int) -> int:
    """Writes the contended hours of each cluster; the answer is the row below."""
    note = "Contended hours: more GPUs of a model ran than its contracts had"
    table = Table(
        book=book, sheet=AUDIT, row=row, size=len(inputs.clusters), fields=CONTENTION_FIELDS, section=note
    )
    for place, cluster in enumerate(inputs.clusters):
        contended = hours.column(("contended", cluster))
        table.fill(place, cluster=cluster_words(cluster), hours=contended.range.sum())
        parts = [column.range.sum() for key, column in hours.columns.items() if _is_beyond(key, cluster)]
        table.put("beyond", place, added(parts))
        training, inference = hours.column(("training", cluster)), hours.column(("inference", cluster))
        table.put("beside", place, call("SUMPRODUCT", contended.range, training.range, inference.range))
    return table.end_row + 1


def _is_beyond(key: object, cluster: str) -> bool:
    """Whether a column is what a cluster was asked for beyond its GPUs."""
    return isinstance(key, tuple) and key[:2] == ("beyond", cluster)


def _models(book: Book, inputs: Inputs, named: Named, contracts: Table, audit: AuditCells, row: int) -> int:
    """Writes paid, used and overflowed GPU-hours of each GPU model; the answer is the row below."""
    title = "GPU models"
    watch = Watch(title=title, values=True)
    table = Table(
        book=book,
        sheet=AUDIT,
        row=row,
        size=len(inputs.models),
        fields=MODEL_FIELDS,
        watch=watch,
        section=title,
    )
    use = inputs.audit.use
    activity = {} if use is None else {each.name: each.activity for each in use.gpu_models}
    unknown = () if use is None else [each.name for each in use.gpu_models if each.used_gpu_hours is None]
    for place, model in enumerate(inputs.models):
        table.put("gpu_model", place, model_words(model))
        number = table.put("number", place, place + 1)
        mine = (contracts.range("model_no"), number)
        lost = (audit.overflow.range("model_no"), number)
        cells: figure_cells.Cells = {
            key: table.put(key, place, sum_where(column, where))
            for key, column, where in (
                ("paid_gpu_hours", contracts.range("paid_gpu_hours"), mine),
                ("used_gpu_hours", contracts.range("used_gpu_hours"), mine),
                ("overflow_gpu_hours", audit.overflow.range("overflow"), lost),
            )
        }
        figure_cells.put_flag(table, place, USE["below_40_percent"], cells)
        cells["paid_in_window"] = figure_cells.maybe(known_sum_where(contracts.range("paid_in_window"), mine))
        cells["months"] = named.window_months
        figure_cells.write_figures(table, place, USE, cells, ("gpu_hours", "utilization", "cost_per_month"))
        if model in unknown:
            table.fill(place, utilization=DASH, below_40_percent=DASH)
        table.put("activity", place, activity.get(model))
    return table.end_row + 1


def _teams(book: Book, inputs: Inputs, named: Named, workloads: Workloads, row: int) -> int:
    """Writes GPU-hours, share and cost of each team; the answer is the row below."""
    teams, watch = teams_of(inputs), Watch(title="Teams", values=True)
    title = "Teams: the account of their jobs, else the user"
    table = Table(
        book=book, sheet=AUDIT, row=row, size=len(teams), fields=TEAM_FIELDS, watch=watch, section=title
    )
    use = inputs.audit.use
    activity = {} if use is None else {each.name: each.activity for each in use.teams}
    rows = workloads.table
    for place, team in enumerate(teams):
        table.put("team", place, team or "not stated")
        of_team = (rows.range("team_no"), table.put("number", place, place + 1))
        cells = {
            "gpu_hours": table.put("gpu_hours", place, sum_where(rows.range("logged"), of_team)),
            "all_gpu_hours": rows.range("logged").sum(),
            "hours": named.window_hours,
        }
        figure_cells.write_figures(table, place, TEAM, cells, ("share", "mean_gpus"))
        table.put("cost_per_month", place, known_sum_where(rows.range("today"), of_team))
        table.put("activity", place, activity.get(team))
    return table.end_row + 1


def _utilization(used: Expr, paid: Expr) -> Expr:
    return figure_cells.live(USE, "utilization", {"used_gpu_hours": used, "paid_gpu_hours": paid})


def _week(book: Book, hours: HourSheet, row: int) -> int:
    """Writes utilization by weekday and hour as a grid of 7 by 24, and the mean of each day.

    The answer is the row below.
    """
    title = "Utilization by weekday and hour, all clusters"
    table = Table(book=book, sheet=AUDIT, row=row, size=DAYS, fields=WEEK_FIELDS, section=title)
    week, paid, used = (hours.column((key,)).range for key in ("week", "paid", "used"))
    for day, name in enumerate(LONG_DAYS):
        table.put("day", day, name)
        first = table.put("first", day, day * HOURS)
        for hour in range(HOURS):
            key = f"h{hour:02d}"
            heading = reference(AUDIT, table.first_row - 1, table.column_of(key))
            here = (week, first + call("VALUE", Expr(heading, f"{hour:02d}")))
            table.put(key, day, _utilization(sum_where(used, here), sum_where(paid, here)))
        of_day = 'SUMIFS({each},{week},">="&{first},{week},"<"&{first}+{hours})'
        sums = [formula(of_day, each=each, week=week, first=first, hours=HOURS) for each in (used, paid)]
        table.put("mean", day, _utilization(*sums))
    scale = {"type": "2_color_scale", "min_color": HEAT_LOW, "max_color": HEAT_HIGH}
    book.sheets[AUDIT].conditional_format(*table.area("h00", f"h{HOURS - 1:02d}"), scale)
    return table.end_row + 1


LOOKS: Final = dict.fromkeys(("kwh_per_month", "kg_co2_per_month"), figure_cells.Look(14, style="hours"))
PEAK: Final = Field(key="peak_kw", heading="Largest hour, kW", style="mean")


def write_energy(book: Book, inputs: Inputs, row: int) -> None:
    """Write the blocks from a row on, and what is held at night and costs most for what it does."""
    row = _block(book, ENERGY_OF_CONTRACTS, inputs.audit, inputs.audit.energy.peak_kw, row)
    plan = inputs.advice.energy
    row = _block(book, ENERGY_OF_PLAN, plan, plan.peak_kw, row)
    # of whole workloads, as the log has them
    past = inputs.evaluation.past
    blocks = [(ENERGY_OF_TEAMS, inputs.audit), *((one, past) for one in OF_PAST.values())]
    if inputs.evaluation.months:
        blocks.append((MONTHS, inputs.evaluation))
    for report, about in blocks:
        rows = report.rows_in(Medium.WORKBOOK, about)
        listed = replace(report, rows=list)
        table = figure_cells.write_report(book, AUDIT, row, listed, rows, 14, LOOKS, heading=report.title)
        row = table.end_row + 1


def _block(book: Book, report: Report, about: Any, peak_kw: float | None, row: int) -> int:
    """A report's rows as values, what they add up to, and the largest hour; the answer is the row below.

    Under them why a sum is unknown, where one is.
    """
    title = f"{report.title}: counted by the app, hour by hour"
    fields = (*figure_cells.report_fields(report, 14, LOOKS), PEAK)
    rows = report.rows_in(Medium.WORKBOOK, about)
    count = len(rows)
    table = Table(book=book, sheet=AUDIT, row=row, size=count + 1, fields=fields, section=title)
    figure_cells.put_rows(table, report, rows)
    for place, one in enumerate(rows):
        peak = one.peak_kw if isinstance(one, EnergyOfPool) and one.pool is not None else ""
        table.put(PEAK.key, place, peak)
    table.put("name", count, str(titles.ALL_OF_IT), "strong")
    whys = []
    for column in report.columns_in(Medium.WORKBOOK):
        if column.figure is not None:
            total = table.range(column.name, 0, count).known_sum() if count else 0
            table.put(column.name, count, total, "hours.total")
            if isinstance(total, Expr) and not total.is_known:
                whys.append(f"{DASH} {column.figure.title}: {column.figure.unknown}")
    table.put(PEAK.key, count, peak_kw)
    for place, why in enumerate(whys):
        book.write(AUDIT, table.end_row + place, 0, why, "note")
    return table.end_row + len(whys) + 1
