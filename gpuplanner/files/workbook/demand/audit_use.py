"""Audit, its second half: the bridge to stranded spend, contended hours, GPU models, teams, hours of the week."""

from typing import Final

from gpuplanner.domain.audit.use.hours_of_week import DAYS, HOURS
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.use_rows import TEAM, USE
from gpuplanner.domain.model.weekdays import LONG_DAYS
from gpuplanner.domain.reports.clusters import BRIDGE
from gpuplanner.files.workbook.demand.audit_sheet import SHEET, WEIGHTED, AuditCells
from gpuplanner.files.workbook.demand.energy_blocks import write_energy
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.demand_sheet import HourSheet
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, cluster_words, model_words
from gpuplanner.files.workbook.inputs.workloads_sheet import Workloads, teams_of
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import reference
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, copy_of, known_sum_where, sum_where
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import (
    Cell,
    figure_field,
    flag_field,
    maybe,
    put_flag,
    surely,
    write_figures,
)
from gpuplanner.files.workbook.kit.watch import Watch

BRIDGE_FIELDS: Final = (Field("cluster", "Cluster"), *(figure_field(CLUSTER[key]) for key, _ in BRIDGE))
STEPS: Final = ("allocated_per_month", "idle_while_training", "scaled_to_all_hours")
"""Of the bridge, what follows from the columns of clusters."""
CONTENTION_FIELDS: Final = (
    Field("cluster", "Cluster"),
    Field("hours", "Hours", "hours"),
    Field("beyond", "Asked for beyond its GPUs, GPU-h", "hours"),
    Field("beside", "Training beside inference, h", "hours"),
)
MODEL_FIELDS: Final = (
    Field("gpu_model", "GPU model"),
    Field("number", "Model no.", "count"),
    figure_field(USE["paid_gpu_hours"]),
    figure_field(USE["used_gpu_hours"]),
    figure_field(USE["utilization"]),
    flag_field(USE["below_40_percent"]),
    figure_field(USE["overflow_gpu_hours"]),
    figure_field(USE["gpu_hours"]),
    figure_field(USE["cost_per_month"]),
    figure_field(USE["activity"], note=WEIGHTED),
)
TEAM_FIELDS: Final = (
    Field("team", "Team"),
    Field("number", "Team no.", "count"),
    figure_field(TEAM["gpu_hours"]),
    figure_field(TEAM["share"]),
    figure_field(TEAM["mean_gpus"]),
    figure_field(TEAM["cost_per_month"]),
    figure_field(TEAM["activity"], note=WEIGHTED),
)
WEEK_FIELDS: Final = (
    Field("day", "UTC"),
    *(Field(f"h{hour:02d}", f"{hour:02d}", "ratio") for hour in range(HOURS)),
    Field("mean", "Mean", "ratio"),
    Field("first", "Its first hour of the week", "count"),
)
HEAT_LOW, HEAT_HIGH = "#F4F0E1", "#5DB5BA"
"""The ends of a colour scale on which dark text is read."""


def write_window_use(
    book: Book,
    inputs: Inputs,
    named: Named,
    contracts: Table,
    hours: HourSheet,
    audit: AuditCells,
    workloads: Workloads,
) -> None:
    """Write the tables below the sums. contracts: the table of the Contracts sheet, complete."""
    row = _bridge(book, inputs, named, audit, audit.sums.end_row + 1)
    row = _contention(book, inputs, hours, row)
    row = _models(book, inputs, named, contracts, audit, row)
    row = _teams(book, inputs, named, workloads, row)
    write_energy(book, inputs, _week(book, hours, row))


def _bridge(book: Book, inputs: Inputs, named: Named, audit: AuditCells, row: int) -> int:
    """Writes the steps from the bill to stranded spend by cluster, and their sum.

    The answer is the row below.
    """
    book.write(SHEET, row, 0, "From the bill to stranded spend", "section")
    count = len(inputs.clusters)
    table, clusters = Table(book, SHEET, row + 1, count + 1, BRIDGE_FIELDS), audit.clusters
    for place, cluster in enumerate(inputs.clusters):
        table.put("cluster", place, cluster_words(cluster))
        cells = {"months": surely(named.window_months)}
        for key in ("allocated_in_window", "unallocated_per_month"):
            cells[key] = maybe(clusters.cell(key, place))
        for key in ("cost_per_month", "stranded_metered", "stranded_audit"):
            cells[key] = maybe(clusters.cell(key, place))
            table.put(key, place, copy_of(clusters.cell(key, place)))
        write_figures(table, place, CLUSTER, cells, STEPS)
    table.put("cluster", count, "All clusters", "strong")
    for field in BRIDGE_FIELDS[1:]:
        total = table.range(field.key, 0, count).known_sum() if count else 0
        table.put(field.key, count, total, "usd.total")
    return table.end_row + 1


def _contention(book: Book, inputs: Inputs, hours: HourSheet, row: int) -> int:
    """Writes the contended hours of each cluster; the answer is the row below."""
    note = "Contended hours: a GPU model was asked for more than its contracts had"
    book.write(SHEET, row, 0, note, "section")
    table = Table(book, SHEET, row + 1, len(inputs.clusters), CONTENTION_FIELDS)
    for place, cluster in enumerate(inputs.clusters):
        contended = hours.column(("contended", cluster))
        table.put("cluster", place, cluster_words(cluster))
        table.put("hours", place, contended.range.sum())
        parts = [column.range.sum() for key, column in hours.columns.items() if _is_beyond(key, cluster)] or [
            Expr("0", 0.0, True)
        ]
        table.put("beyond", place, _added(parts))
        training, inference = hours.column(("training", cluster)), hours.column(("inference", cluster))
        both = float((contended.values * training.values * inference.values).sum())
        product = call("SUMPRODUCT", both, contended.range, training.range, inference.range)
        table.put("beside", place, product)
    return table.end_row + 1


def _is_beyond(key: object, cluster: str) -> bool:
    """Whether a column is what a cluster was asked for beyond its GPUs."""
    return isinstance(key, tuple) and key[:2] == ("beyond", cluster)


def _added(parts: list[Expr]) -> Expr:
    """All parts added up; there is at least one."""
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _models(book: Book, inputs: Inputs, named: Named, contracts: Table, audit: AuditCells, row: int) -> int:
    """Writes paid, used and overflowed GPU-hours of each GPU model; the answer is the row below."""
    book.write(SHEET, row, 0, "GPU models", "section")
    table = Table(
        book, SHEET, row + 1, len(inputs.models), MODEL_FIELDS, watch=Watch("GPU models", values=True)
    )
    use = inputs.audit.use
    activity = {} if use is None else {each.name: each.activity for each in use.gpu_models}
    unknown = () if use is None else [each.name for each in use.gpu_models if each.used_gpu_hours is None]
    for place, model in enumerate(inputs.models):
        table.put("gpu_model", place, model_words(model))
        number = table.put("number", place, place + 1)
        mine = (contracts.range("model_no"), number)
        lost = (audit.overflow.range("model_no"), number)
        cells = {
            key: surely(table.put(key, place, sum_where(column, where)))
            for key, column, where in (
                ("paid_gpu_hours", contracts.range("paid_gpu_hours"), mine),
                ("used_gpu_hours", contracts.range("used_gpu_hours"), mine),
                ("overflow_gpu_hours", audit.overflow.range("overflow"), lost),
            )
        }
        put_flag(table, place, USE["below_40_percent"], cells)
        cells["paid_in_window"] = maybe(known_sum_where(contracts.range("paid_in_window"), mine))
        cells["months"] = surely(named.window_months)
        write_figures(table, place, USE, cells, ("gpu_hours", "utilization", "cost_per_month"))
        if model in unknown:
            table.put("utilization", place, DASH)
            table.put("below_40_percent", place, DASH)
        table.put("activity", place, activity.get(model))
    return table.end_row + 1


def _teams(book: Book, inputs: Inputs, named: Named, workloads: Workloads, row: int) -> int:
    """Writes GPU-hours, share and cost of each team; the answer is the row below."""
    book.write(SHEET, row, 0, "Teams: the account of their jobs, else the user", "section")
    teams = teams_of(inputs)
    table = Table(book, SHEET, row + 1, len(teams), TEAM_FIELDS, watch=Watch("Teams", values=True))
    use = inputs.audit.use
    activity = {} if use is None else {each.name: each.activity for each in use.teams}
    rows = workloads.table
    for place, team in enumerate(teams):
        table.put("team", place, team or "not stated")
        number = table.put("number", place, place + 1)
        mine = (rows.range("team_no"), number)
        cells = {
            "gpu_hours": surely(table.put("gpu_hours", place, sum_where(rows.range("logged"), mine))),
            "all_gpu_hours": surely(rows.range("logged").sum()),
            "hours": surely(named.window_hours),
        }
        write_figures(table, place, TEAM, cells, ("share", "mean_gpus"))
        table.put("cost_per_month", place, known_sum_where(rows.range("today"), mine))
        table.put("activity", place, activity.get(team))
    return table.end_row + 1


def _utilization(used: Expr, paid: Expr) -> Expr:
    cell: Cell = USE.value("utilization", {"used_gpu_hours": surely(used), "paid_gpu_hours": surely(paid)})
    return cell.live


def _week(book: Book, hours: HourSheet, row: int) -> int:
    """Writes utilization by weekday and hour as a grid of 7 by 24, and the mean of each day.

    The answer is the row below.
    """
    book.write(SHEET, row, 0, "Utilization by weekday and hour, all clusters", "section")
    table = Table(book, SHEET, row + 1, DAYS, WEEK_FIELDS)
    week, paid, used = (hours.column((key,)).range for key in ("week", "paid", "used"))
    for day, name in enumerate(LONG_DAYS):
        table.put("day", day, name)
        first = table.put("first", day, day * HOURS)
        for hour in range(HOURS):
            key = f"h{hour:02d}"
            heading = Expr(
                f"VALUE({reference(SHEET, table.first_row - 1, table.column_of(key))})", hour, True
            )
            here = (week, first + heading)
            table.put(key, day, _utilization(sum_where(used, here), sum_where(paid, here)))
        inside = (week.numbers() >= first.number) & (week.numbers() < first.number + HOURS)
        ends = f'">="&{first.text}', f'"<"&{first.text}+{HOURS}'
        sums = [
            call("SUMIFS", float(each.numbers()[inside].sum()), each, week, ends[0], week, ends[1])
            for each in (used, paid)
        ]
        table.put("mean", day, _utilization(*sums))
    first_column, last_column = table.column_of("h00"), table.column_of(f"h{HOURS - 1:02d}")
    book.sheets[SHEET].conditional_format(
        table.first_row,
        first_column,
        table.end_row - 1,
        last_column,
        {"type": "2_color_scale", "min_color": HEAT_LOW, "max_color": HEAT_HIGH},
    )
    return table.end_row + 1
