"""Workloads: who they are, what they may pay by use, and their share of the plan."""

from dataclasses import dataclass
from math import sqrt
from typing import Final

from gpuplanner.domain.commitment.recursion.spot import Barrier, barrier_of, class_at, is_large_and_long
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.scenario.parting import whole_key
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.dates_sheet import Dates
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import (
    Inputs,
    PairKey,
    cluster_words,
    model_words,
    pair_order,
    pool_words,
)
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import day_number
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, Value, call, found_in, if_error, known, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.watch import Watch


# Which workload runs how much on which planned model: the rows of the Workloads sheet.
@dataclass(frozen=True, slots=True)
class WorkloadRow:
    """One workload on one planned model (pair None: it is over when the plan begins); is_first: the first of its rows.

    gpu_hours in the window, at the demand that is planned; logged: as the log has them; now: those of month 0.
    """

    index: int
    workload: Workload
    pair: PairKey | None
    gpu_hours: float
    logged_gpu_hours: float
    is_first: bool
    now_gpu_hours: float


def workload_rows(inputs: Inputs) -> list[WorkloadRow]:
    """A row for each workload and model it is planned on, in the order of Project.workloads.

    Demand of unknown model counts with the model that the plan gives it. Law: the rows of a pool and model add
    up to its demand; a workload without GPU time in the window has no row, one that is over has one without a model.
    """
    users, now = inputs.ground.plan.users, inputs.ground.plan.now
    pairs = sorted(users, key=pair_order)
    planned = {work.key for work in inputs.scenario.planned}
    is_logged = {workload.key for workload in inputs.evaluation.project.workloads}
    rows = []
    for index, workload in enumerate(inputs.project.workloads):
        found = [(pair, float(users[pair][index])) for pair in pairs if users[pair][index] > 0]
        is_planned = workload.key in planned and workload.key not in is_logged
        for place, (pair, amount) in enumerate(found):
            gpu_hours = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
            logged = 0.0 if is_planned else gpu_hours / inputs.assumptions.demand_of(pair[0])
            in_month_0 = float(now[pair][index]) / MILLI_GPU_SECONDS_PER_GPU_HOUR if pair in now else 0.0
            rows.append(WorkloadRow(index, workload, pair, gpu_hours, logged, place == 0, in_month_0))
        if not found and workload.milli_gpu_seconds and not is_planned:
            logged = workload.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR
            rows.append(WorkloadRow(index, workload, None, 0.0, logged, True, 0.0))
    return rows


SHEET = "Workloads"
OVER: Final = "over before the plan"

FIELDS = (
    Field("name", "Workload", width=32),
    Field("key", "Key", "muted", 34),
    Field("cluster", "Cluster", width=14),
    Field("class", "Class", width=11),
    Field("confidence", "Confidence", "ratio", 11),
    Field("pool", "Pool", width=11),
    Field("gpu_model", "Planned on", width=13),
    Field("gpu_hours", "GPU-h in the window", "hours", 11),
    Field(
        "today",
        "Today, $ per month",
        "usd",
        12,
        "From the app: its share, hour by hour, of what its GPU model cost on its cluster. On its first row.",
    ),
    Field("plan", "Plan, $ per month", "usd", 12, "Its share, by GPU time, of its pool and model."),
    Field("notes", "Notes", width=40),
    Field("jobs", "Jobs", "hours", 9),
    Field("nodes", "Nodes, at most", "count", 9),
    Field("longest", "Longest job, h", "mean", 10),
    Field(
        "spot_allowed",
        "May use spot",
        "count",
        9,
        "Inference and development never; long jobs on 8 GPUs with checkpoints; training by its longest job.",
    ),
    Field("lost", "Lost on spot, share of work", "ratio", 10),
    Field(
        "best_h",
        "Best time between checkpoints, h",
        "mean",
        11,
        "Where under half of the longest job, else none.",
    ),
    Field("best_lost", "Lost on spot at its best", "ratio", 10),
    Field("on_demand", "On demand, $ per GPU-h", "rate", 10),
    Field("spot", "Spot, effective, $ per GPU-h", "rate", 10),
    Field("rate", "Usage rate, $ per GPU-h", "rate", 10),
    Field("usage", "All by use, $ in the window", "usd", 13),
    Field("on_spot", "On spot, GPU-h", "hours", 11),
    Field("pool_row", "Pools row", "count", 8),
    Field("joint_row", "Model row", "count", 8),
    Field("rates_row", "Rates row", "count", 8, "Of the cheapest eligible rates, on Prices."),
    Field("team_no", "Team no.", "count", 8, "Teams are listed on the Audit sheet."),
    Field("number", "No.", "count", 7),
    Field("logged", "GPU-h as logged", "hours", 11, "What is planned for counts them times the demand set."),
)

STATED: Final = (
    Field("origin", "Known from", width=9, note="The log, or planned: no log has it."),
    Field("begins", "Begins (UTC)", "moment", 15),
    Field("ends", "Ends (UTC)", "moment", 15),
    Field(
        "group", "Group of Dates", "count", 8, "Who comes, goes and steps together; -1: over before the plan."
    ),
)
NOW: Final = Field(
    "now", "GPU-h, month 0", "hours", 11, "Those of the window, as far as they are there in month 0."
)
"""Only in a plan with dates."""

WATCHED: Final = frozenset(
    (
        "name",
        "key",
        "cluster",
        "class",
        "confidence",
        "pool",
        "gpu_model",
        "today",
        "notes",
        "jobs",
        "nodes",
        "longest",
        "pool_row",
        "joint_row",
        "rates_row",
        "team_no",
        "number",
        "logged",
        "origin",
        "begins",
        "ends",
        "group",
    )
)
"""What the app says of a workload; the rest is worked out from it."""
KEPT = ("now", "gpu_hours", "logged", "today", "plan", "usage", "on_spot", "pool_row", "joint_row", "team_no")
"""What sums on other sheets read."""


@dataclass(frozen=True, slots=True)
class Workloads:
    """The sheet's table and what each row stands for."""

    table: Table
    rows: tuple[WorkloadRow, ...]


def _watch(inputs: Inputs) -> Watch:
    """What is watched: GPU-hours too, where they are values, which they are as long as no demand is set."""
    are_values = not any(inputs.demand_factor(pool) for pool in POOLS)
    return Watch(columns=WATCHED | {"gpu_hours"} if are_values else WATCHED, number="number")


def write_workloads(
    book: Book, inputs: Inputs, named: Named, prices: Prices, dates: Dates | None = None
) -> Workloads:
    """Write the rows and their usage rates; `write_shares` adds the plan's money. dates: of a plan that has any."""
    rows = workload_rows(inputs)
    fields = FIELDS if dates is None else (*FIELDS, *STATED, NOW)
    kept = tuple(key for key in KEPT if key in {field.key for field in fields})
    row = book.title(
        SHEET,
        "Workloads",
        (
            f"Where each workload stands in {inputs.scenario.name}. Moving one to another pool needs the "
            "app: its hours move with it."
        ),
        (
            "A workload without GPU time in the window has no row. The usage rate is on demand, or spot "
            "where that is allowed and cheaper."
        ),
    )
    table = Table(book, SHEET, row, len(rows), fields, kept=kept, name="WorkloadList", watch=_watch(inputs))
    table.widen()
    book.group_workings(table, "jobs")
    book.sheets[SHEET].freeze_panes(table.first_row, 1)
    joint, teams = list(inputs.joint_needs), {team: number for number, team in enumerate(teams_of(inputs), 1)}
    for place, entry in enumerate(rows):
        _facts(table, place, entry, inputs)
        table.leave("plan", place)
        pair = entry.pair
        table.put("pool_row", place, 0 if pair is None else inputs.pairs.index(pair) + 1)
        table.put("joint_row", place, 0 if pair is None else joint.index(pair[1]) + 1)
        table.put("rates_row", place, 0 if pair is None else prices.plan[pair] + 1)
        table.put("team_no", place, teams.get(entry.workload.owner, 0))
        table.put("number", place, place + 1)
        if pair is None:
            for key in ("usage", "on_spot"):
                table.put(key, place, 0)
        else:
            _rates(table, place, entry, pair, inputs, named, prices)
        if dates is not None:
            _group(table, place, entry, dates)
    table.finish()
    return Workloads(table, tuple(rows))


def teams_of(inputs: Inputs) -> list[str]:
    """The teams (owners) with GPU time in the window, by name."""
    logged = inputs.evaluation.project.workloads
    return sorted({workload.owner for workload in logged if workload.milli_gpu_seconds})


def _group(table: Table, place: int, entry: WorkloadRow, dates: Dates) -> None:
    """Writes when a workload is there, with whom it comes and goes, and its GPU-hours of month 0."""
    group, schedule = dates.group_of[entry.index], dates.schedules[entry.index]
    table.put("origin", place, "planned" if schedule.is_planned else "log")
    for key, at_s in (("begins", schedule.spell.begins_s), ("ends", schedule.spell.ends_s)):
        table.put(key, place, None if at_s is None else day_number(at_s))
    table.put("group", place, group)
    hours = table.cell("gpu_hours", place)
    is_there = group >= 0 and entry.pair is not None
    there = Expr(f"{hours.text}*{dates.month_0[group].text}", entry.now_gpu_hours)
    table.put("now", place, there if is_there else 0)


def _facts(table: Table, place: int, entry: WorkloadRow, inputs: Inputs) -> None:
    """Writes who a workload is and its GPU-hours; what the audit says of it stands on its first row alone."""
    today = inputs.audit.workloads[entry.index]
    workload = entry.workload
    table.put("name", place, workload.name)
    table.put("key", place, workload.key)
    table.put("cluster", place, cluster_words(workload.cluster))
    table.put("class", place, pool_words(today.classification.pool))
    table.put("confidence", place, today.classification.confidence)
    if entry.pair is not None:
        table.put("pool", place, pool_words(entry.pair[0]), f"tint_{entry.pair[0]}.indent")
    table.put("gpu_model", place, OVER if entry.pair is None else model_words(entry.pair[1]))
    logged = table.put("logged", place, entry.logged_gpu_hours)
    factor = "" if entry.pair is None else inputs.demand_factor(entry.pair[0])
    planned = Expr(f"{logged.text}*{factor}", entry.gpu_hours)
    table.put("gpu_hours", place, planned if factor else entry.gpu_hours)
    if entry.is_first:
        table.put("today", place, today.usd_per_month)
        table.put("jobs", place, workload.jobs)
        note = inputs.project.notes.get(whole_key(workload.key, inputs.scenario.splits))
        if note:
            table.put("notes", place, note)
    table.put("nodes", place, workload.max_nodes or 1)
    table.put("longest", place, workload.longest_job_s / 3600)


def _rates(
    table: Table,
    place: int,
    entry: WorkloadRow,
    pair: PairKey,
    inputs: Inputs,
    named: Named,
    prices: Prices,
) -> None:
    """Writes what a workload may pay by use: on demand, or spot with the work lost to interruptions."""
    need, row = prices.plan[pair], table.cell("rates_row", place)
    allowed = table.put(
        "spot_allowed", place, _spot_allowed(table.cell("longest", place), entry, pair[0], inputs, named)
    )
    lost = table.put("lost", place, _lost(table.cell("longest", place), table.cell("nodes", place), named))
    _best(table, place, named)
    found, spot_price = (prices.usage_found(key, row, need) for key in ("on_demand", "spot"))
    on_demand = table.put("on_demand", place, if_error(found, DASH))
    feasible = allowed.number == 1 and lost.number < 1
    condition = Expr(f"AND({allowed.text}=1,{lost.text}<1)", float(feasible), True)
    effective = if_error(spot_price / (Expr("1", 1.0, True) - lost), DASH)
    spot = table.put("spot", place, when(condition, effective, DASH))
    rates = [cell.number for cell in (on_demand, spot) if cell.is_known]
    cheapest: Value = min(rates) if rates else DASH
    either = call("COUNT", float(len(rates)), on_demand, spot)
    rate = table.put("rate", place, when(either > 0, call("MIN", cheapest, on_demand, spot), DASH))
    gpu_hours = table.cell("gpu_hours", place)
    table.put("usage", place, known([rate], gpu_hours * rate))
    is_on_spot = spot.is_known and (not on_demand.is_known or spot.number < on_demand.number)
    test = f"IF(ISNUMBER({spot.text}),IF(ISNUMBER({on_demand.text}),{spot.text}<{on_demand.text},TRUE),FALSE)"
    table.put("on_spot", place, when(Expr(test, float(is_on_spot), True), gpu_hours, 0))


def _spot_allowed(longest_h: Expr, entry: WorkloadRow, pool: Pool, inputs: Inputs, named: Named) -> Expr:
    """1 or 0, as `barrier_of` has it: class, subtype and median job are the app's, the assumptions the sheet's."""
    found = class_at(inputs.advice.classes, entry.index)
    barrier = barrier_of(inputs.assumptions, entry.workload, pool, found)
    if barrier in (Barrier.NOT_WANTED, Barrier.REQUESTS, Barrier.DEVELOPMENT):
        return Expr("0", 0.0, True)
    checkpoints, long_runs = (
        named.assumptions["training_checkpoints"],
        named.assumptions["spot_long_training"],
    )
    needed = []
    if is_large_and_long(entry.workload):
        needed.append(f"{checkpoints.text}=1")
    if pool is Pool.TRAINING:
        short_h, checkpointed_h = (
            named.fixed[name].text for name in ("short_training_h", "checkpointed_training_h")
        )
        needed.append(
            f"OR({longest_h.text}<={short_h},AND({longest_h.text}<={checkpointed_h},{checkpoints.text}=1),"
            f"{long_runs.text}=1)"
        )
    if not needed:
        return Expr("1", 1.0, True)
    condition = needed[0] if len(needed) == 1 else f"AND({','.join(needed)})"
    return Expr(f"IF({condition},1,0)", float(barrier is None), True)


def _lost(longest_h: Expr, nodes: Expr, named: Named) -> Expr:
    """w = d/tau + (tau/2 + R)/M, M = M_node/nodes; without checkpoints (L/2 + R)/M (docs/formulas.md, Spot)."""
    values = named.assumptions
    write_h = values["spot_checkpoint_minutes"] / 60
    interval_h = values["spot_interval_hours"]
    restart_h = values["spot_restart_minutes"] / 60
    between_h = values["spot_node_mtbf_hours"] / nodes
    without = (longest_h / 2 + restart_h) / between_h
    return when(
        longest_h < interval_h, without, write_h / interval_h + (interval_h / 2 + restart_h) / between_h
    )


def _best(table: Table, place: int, named: Named) -> None:
    """tau* = sqrt(2 d M), and what is lost at it; without checkpoints where those lose more."""
    values, longest_h = named.assumptions, table.cell("longest", place)
    write_h, restart_h = values["spot_checkpoint_minutes"] / 60, values["spot_restart_minutes"] / 60
    between_h = values["spot_node_mtbf_hours"] / table.cell("nodes", place)
    interval = call("SQRT", sqrt(2 * write_h.number * between_h.number), write_h * between_h * 2)
    best = table.put("best_h", place, when(interval < longest_h / 2, interval, DASH))
    half = longest_h / 2
    waits = call("MIN", min(half.number, interval.number), half, best)
    table.put("best_lost", place, (waits + restart_h) / between_h)


def write_shares(workloads: Workloads, pools: Table) -> None:
    """Each row's plan money: its share of its pool and model, by GPU time. pools: the table of the Pools sheet."""
    table = workloads.table
    is_dated = any(field.key == NOW.key for field in table.fields)
    totals, amounts = pools.range("gpu_hours"), pools.range("usd")
    for place in range(len(workloads.rows)):
        row = table.cell("pool_row", place)
        if row.number < 1:
            table.put_late("plan", place, 0)
            continue
        total, usd = (found_in(column, row, int(row.number) - 1) for column in (totals, amounts))
        if is_dated:  # nobody of it may be there in month 0
            share = table.cell("now", place) / total * usd
            table.put_late("plan", place, known([usd], when(total > 0, share, 0)))
        else:
            table.put_late("plan", place, if_error(table.cell("gpu_hours", place) / total * usd, DASH))
