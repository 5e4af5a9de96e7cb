"""Workloads and Dates: who they are, when they are there, what they may pay by use, their share of the plan."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from gpuplanner.domain.commitment.busy import Schedule
from gpuplanner.domain.commitment.recursion import rates
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.only import Row, where_words
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.intake import NodeTimes, node_times
from gpuplanner.domain.model.plan.changes import Step
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH, MONTH_S
from gpuplanner.domain.reports.plan_layers import TERM_MATCH
from gpuplanner.files.workbook.inputs import sheet_inputs, workload_facts
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.rates_found import Prices
from gpuplanner.files.workbook.kit.book import AsWritten, Book, Content, Table
from gpuplanner.files.workbook.kit.cells import day_number
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, formula, if_error, known, lift, when
from gpuplanner.files.workbook.kit.figure_cells import fields_of
from gpuplanner.files.workbook.kit.looks import Field, Watch
from gpuplanner.files.workbook.kit.sheets import CALC_POOLS, CALC_WORKLOADS
from gpuplanner.lazy_dataclass import dataclass, replace

NAMED_AT_MOST: Final = 3
AT_ONCE, EVENLY = "at once", "evenly up to it"

WIDTHS: Final = (36, 18, 18, 14, 14, 12, 12, 14, 14)
SPELL_FIELDS: Final = fields_of("workloads.spell")
PLANNED_FIELDS: Final = fields_of("workloads.planned")
ONLY_FIELDS: Final = fields_of("workloads.only")
STEP_FIELDS: Final = fields_of("workloads.step")
GROUP_FIELDS: Final = fields_of("workloads.group")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dates:
    """What the sheet has. hours: cells of how long each part of the twelve months is, edges: of its two ends in hours
    of the plan; there: how many times its logged demand a group has in a part, by group and part; group_of, schedules:
    of each workload of the plan, the group of what is over before it is -1.
    """

    hours: Sequence[Expr]
    edges: Sequence[tuple[Expr, Expr]]
    there: Mapping[tuple[int, int], float]
    group_of: tuple[int, ...]
    schedules: tuple[Schedule, ...]


def write_dates(book: Book, inputs: sheet_inputs.Inputs) -> Dates:
    """Write the sheet: all of it is the app's, for orders hang on it."""
    row = book.title(
        CALC_POOLS,
        "Dates stated in the app, the parts of each month between them, and the workloads present in each part. "
        "Change them in the app and export again.",
        title="Dates and parts of months",
    )
    for column, width in enumerate(WIDTHS):
        book.sheets[CALC_POOLS].set_column(column, column, width)
    for titles, fields, rows in TABLES:
        row = _listed(book, row, titles, fields, rows(inputs))
    return _parts(book, inputs, row)


def _listed(
    book: Book,
    row: int,
    titles: tuple[str, str],
    fields: tuple[Field, ...],
    rows: Iterable[Sequence[Content]],
) -> int:
    """What the planner stated, a row each, below a heading; the row below. titles: of the sheet and of what is
    watched; rows: cells in the order of the fields; none: nothing is written."""
    found = list(rows)
    if not found:
        return row
    watch = Watch(title=titles[1], named_by=(fields[0].key,), values=True)
    table = Table(
        book=book, sheet=CALC_POOLS, row=row, size=len(found), fields=fields, watch=watch, section=titles[0]
    )
    for place, cells in enumerate(found):
        for one, content in zip(fields, cells, strict=True):
            table.put(one.key, place, content)
    return table.end_row + 1


def _spells(inputs: sheet_inputs.Inputs) -> Iterator[Sequence[Content]]:
    """Workloads with days of their own."""
    for key, spell in sorted(inputs.scenario.spells.items()):
        yield key, _moment(spell.begins_s), _moment(spell.ends_s)


def _moment(at_s: int | None) -> Content:
    """A day and hour as the spreadsheet counts them; empty where there is none."""
    return "" if at_s is None else day_number(at_s)


def build_planned_rows(inputs: sheet_inputs.Inputs) -> Iterator[Sequence[Content]]:
    """Yield a row for each planned work, in the order of `PLANNED_FIELDS`."""
    for work in inputs.scenario.planned:
        spell, pool = work.spell(inputs.project.plan_window.end_s), sheet_inputs.pool_words(work.pool)
        a_week = len(work.hours) if work.length_hours is None else ""  # a run knows no hours of the week
        hours = (a_week, work.length_hours or "", work.every_hours or "")
        days = _moment(spell.begins_s), _moment(spell.ends_s)
        yield work.name, *days, pool, work.gpu_model, work.gpus, *hours, work.cluster, work.team


def _only(inputs: sheet_inputs.Inputs) -> Iterator[Sequence[Content]]:
    """Who alone may serve a workload: one, any, or any but one."""
    for key, only in sorted(inputs.scenario.only.items()):
        who = f"any but {only.not_provider}" if only.not_provider else only.provider or "any"
        yield key, AsWritten(who), AsWritten(where_words(only) or "any")


def _steps(inputs: sheet_inputs.Inputs) -> Iterator[Sequence[Content]]:
    """Steps of demand in the order of time."""
    begins_s = inputs.project.plan_window.end_s
    for step, of in _in_time(inputs).items():
        months = max(0, -((begins_s - step.from_s) // MONTH_S)) if step.by else 0
        yield ", ".join(of), day_number(step.from_s), EVENLY if step.by else AT_ONCE, step.factor, months


TABLES: Final = (
    (("Workloads that begin or end", "Days of workloads"), SPELL_FIELDS, _spells),
    (("Work not in the log", "Planned work"), PLANNED_FIELDS, build_planned_rows),
    (("Workloads that only some may serve", "Only provider allowed"), ONLY_FIELDS, _only),
    (("Steps of demand", "Steps of demand"), STEP_FIELDS, _steps),
)
"""The tables of what is stated of time: titles, columns and rows."""


def _in_time(inputs: sheet_inputs.Inputs) -> dict[Step, list[str]]:
    """Every step in the order of time, with what it is of; several that are alike are one."""
    changes = sorted(inputs.scenario.changes, key=lambda change: change.from_s)
    return grouped((Step(change.factor, change.from_s, change.by), change.target) for change in changes)


def _parts(book: Book, inputs: sheet_inputs.Inputs, row: int) -> Dates:
    """The groups of workloads, and below them every part of a month with what of each group is there."""
    schedules, window = inputs.ground.outlined.schedules, inputs.project.plan_window
    number = {schedule: group for group, schedule in enumerate(schedules)}
    group_of = tuple(number.get(schedule, -1) for schedule in inputs.ground.schedules)
    title = "Groups of workloads"
    watch = Watch(title=title, values=True)
    groups = Table(
        book=book,
        sheet=CALC_POOLS,
        row=row,
        size=len(schedules),
        fields=GROUP_FIELDS,
        watch=watch,
        section=title,
    )
    fields = (
        *fields_of("workloads.parts"),
        *(
            Field(key=f"g{group}", heading=f"Group {group}", style="amount")
            for group in range(len(schedules))
        ),
    )
    watch = Watch(title="Parts of months", named_by=("words",), values=True)
    row, title = groups.end_row + 1, "Share of each group in each part, times its logged demand"
    table = Table(
        book=book,
        sheet=CALC_POOLS,
        row=row,
        size=len(inputs.parts),
        fields=fields,
        watch=watch,
        section=title,
    )
    hours: list[Expr] = []
    edges: list[tuple[Expr, Expr]] = []
    there: dict[tuple[int, int], float] = {}
    for place, part in enumerate(inputs.parts):
        table.put("words", place, sheet_inputs.part_words(inputs, place))
        table.put("from", place, day_number(part.from_s))
        table.put("to", place, day_number(part.to_s))
        from_h, to_h = ((at_s - inputs.parts[0].from_s) / HOUR_S for at_s in (part.from_s, part.to_s))
        edges.append((table.put("from_h", place, from_h), table.put("to_h", place, to_h)))
        hours.append(table.put("hours", place, edges[-1][1] - edges[-1][0]))
        for group, schedule in enumerate(schedules):
            factor = there[group, place] = schedule.factor_at(part.from_s, part.month, window.end_s)
            table.put(f"g{group}", place, factor)
    for group, schedule in enumerate(schedules):
        members = [
            workload.name
            for workload, mine in zip(inputs.project.workloads, group_of, strict=True)
            if mine == group
        ]
        groups.fill(group, what=_named(members) if group else "All others", number=group)
        groups.fill(group, workloads=len(members), grows="yes" if schedule.grows else "no: planned")
        in_month_0 = inputs.parts_of(0)
        weighted = sum(inputs.parts[place].hours * there[group, place] for place in in_month_0)
        groups.put("month_0", group, weighted / HOURS_PER_MONTH)
    return Dates(hours=hours, edges=edges, there=there, group_of=group_of, schedules=inputs.ground.schedules)


def _named(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - NAMED_AT_MOST
    return ", ".join(names[:NAMED_AT_MOST]) + (f" and {more} more" if more > 0 else "")


# Which workload runs how much on which planned model: the rows of the Workloads sheet.
@dataclass(frozen=True, slots=True, kw_only=True)
class WorkloadRow:
    """One workload on one planned model (pair None: it is over when the plan begins); is_first: the first of its rows.

    gpu_hours in the window, at the demand that is planned; logged: as the log has them; now: those of month 0.
    """

    index: int
    workload: Workload
    pair: Row | None
    gpu_hours: float
    logged_gpu_hours: float
    is_first: bool
    now_gpu_hours: float


def workload_rows(inputs: sheet_inputs.Inputs) -> list[WorkloadRow]:
    """A row for each workload and model it is planned on, in the order of Project.workloads.

    Demand of unknown model counts with the model that the plan gives it; what accepted savings take out is logged all
    the same. Law: the rows of a pool and model add up to its demand; a workload without GPU time in the window has no
    row, one that is over has one without a model.
    """
    users, now = inputs.ground.plan.users, inputs.ground.plan.now
    # who signs nothing accepts nothing
    logs = inputs.ground.nothing.users if inputs.scenario.accepted else users
    none = [0.0] * len(inputs.project.workloads)
    pairs = sorted(users, key=sheet_inputs.pair_order)
    planned = {work.key for work in inputs.scenario.planned}
    own = {
        workload.key: float(workload.milli_gpu_seconds) for workload in inputs.evaluation.project.workloads
    }
    rows = []
    for index, workload in enumerate(inputs.project.workloads):
        amounts = [(pair, float(users[pair][index]), float(logs.get(pair, none)[index])) for pair in pairs]
        found = [each for each in amounts if max(each[1:]) > 0]
        is_planned = workload.key in planned and workload.key not in own
        logs_of = [log / inputs.assumptions.demand_of(pair.pool) for pair, _, log in found]
        whole = sum(logs_of)  # of what came back or was launched: as if it had been there all the time
        for place, (pair, amount, _) in enumerate(found):
            gpu_hours = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
            share = logs_of[place] / whole if whole and not is_planned else 0.0
            logged = own.get(workload.key, whole) * share / MILLI_GPU_SECONDS_PER_GPU_HOUR
            in_month_0 = float(now[pair][index]) / MILLI_GPU_SECONDS_PER_GPU_HOUR if pair in now else 0.0
            rows.append(
                WorkloadRow(
                    index=index,
                    workload=workload,
                    pair=pair,
                    gpu_hours=gpu_hours,
                    logged_gpu_hours=logged,
                    is_first=place == 0,
                    now_gpu_hours=in_month_0,
                )
            )
        if not found and workload.milli_gpu_seconds and not is_planned:
            logged = workload.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR
            rows.append(
                WorkloadRow(
                    index=index,
                    workload=workload,
                    pair=None,
                    gpu_hours=0.0,
                    logged_gpu_hours=logged,
                    is_first=True,
                    now_gpu_hours=0.0,
                )
            )
    return rows


OVER: Final = "over before the plan"
RUN: Final = "bought as a run"

_OWN: Final = fields_of("workloads")
_FIRST_WORKING: Final = next(place for place, field in enumerate(_OWN) if field.key == "jobs")
FIELDS = (*_OWN[:_FIRST_WORKING], *workload_facts.FIELDS, *_OWN[_FIRST_WORKING:])

BY_USE: Final = ("on_demand", "spot", "rate", "usage", "on_spot")
ON_SPOT: Final = ("spot_allowed", "lost", "best_h", "best_lost")
WATCHED: Final = frozenset(field.key for field in _OWN) - {"plan", *BY_USE, *ON_SPOT}
"""What the app says of a workload; the rest is worked out from it."""
KEPT = ("now", "gpu_hours", "logged", "today", "plan", "usage", "on_spot", "pool_row", "model_row", "team_no")
"""What sums on other sheets read."""


@dataclass(frozen=True, slots=True)
class Workloads:
    """The sheet's table and what each row stands for."""

    table: Table
    rows: tuple[WorkloadRow, ...]


class OnSpot(NamedTuple):
    """What is one for all rows: times between interruptions that were observed, the assumptions with a checkpoint's
    usual minutes, hours of a restart."""

    times: NodeTimes
    usual: Assumptions
    restart_h: Expr


def write_workloads(named: Named, prices: Prices, dates: Dates) -> Workloads:
    """Write the rows and their usage rates; `write_shares` adds the plan's money."""
    book, inputs = named.book, named.inputs
    rows = workload_rows(inputs)
    row = book.title(
        CALC_WORKLOADS,
        f"Each workload in {inputs.scenario.name}: pool, demand, cost, matching term and hardware fit. To move a "
        "workload to another pool, use the app.",
        "The usage rate is on demand, or spot if spot is allowed and cheaper. Hardware fit: red does not fit, amber is "
        "over-specified, a dash is unknown. Workloads without GPU time in the lookback period have no row.",
        str(TERM_MATCH.note),
    )
    watch = Watch(columns=WATCHED, number="number")
    table = Table(
        book=book,
        sheet=CALC_WORKLOADS,
        row=row,
        size=len(rows),
        fields=FIELDS,
        kept=KEPT,
        name="WorkloadList",
        watch=watch,
    )
    table.widen()
    book.group_workings(table, "jobs")
    workload_facts.color_lights(table)
    facts = workload_facts.facts_of(inputs)
    book.sheets[CALC_WORKLOADS].freeze_panes(table.first_row, 1)
    models, teams = inputs.planned_models, {team: number for number, team in enumerate(teams_of(inputs), 1)}
    usual = replace(inputs.assumptions, spot_checkpoint_minutes=rates.USUAL_CHECKPOINT_MINUTES)
    on_spot = OnSpot(node_times(inputs.project.intake), usual, named.assumptions["spot_restart_minutes"] / 60)
    for place, entry in enumerate(rows):
        _facts(table, place, entry, inputs)
        if entry.is_first:
            table.fill(place, **facts.get(whole_key(entry.workload.key, inputs.scenario.splits), {}))
        table.leave("plan", place)
        pair = entry.pair
        rows_of = (0, 0, 0)
        if pair is not None:
            rows_of = (inputs.pairs.index(pair) + 1, models.index(pair.name) + 1, prices.plan[pair] + 1)
        table.fill(place, **dict(zip(("pool_row", "model_row", "rates_row"), rows_of, strict=True)))
        table.fill(place, team_no=teams.get(entry.workload.owner, 0), number=place + 1)
        if pair is None:
            table.fill(place, usage=0, on_spot=0)
        else:
            _rates(table, place, entry, pair, named, prices, on_spot)
        _group(table, place, entry, dates)
    table.finish()
    workload_facts.write_below(book, inputs)
    return Workloads(table, tuple(rows))


def teams_of(inputs: sheet_inputs.Inputs) -> list[str]:
    """The teams (owners) with GPU time in the window, by name."""
    logged = inputs.evaluation.project.workloads
    return sorted({workload.owner for workload in logged if workload.milli_gpu_seconds})


def _group(table: Table, place: int, entry: WorkloadRow, dates: Dates) -> None:
    """Writes when a workload is there, with whom it comes and goes, and its GPU-hours of month 0."""
    group, schedule = dates.group_of[entry.index], dates.schedules[entry.index]
    spell = (schedule.spell.begins_s, schedule.spell.ends_s)
    begins, ends = (None if at_s is None else day_number(at_s) for at_s in spell)
    origin = "planned" if schedule.is_planned else "log"
    table.fill(place, origin=origin, begins=begins, ends=ends, group=group, now=entry.now_gpu_hours)


def _facts(table: Table, place: int, entry: WorkloadRow, inputs: sheet_inputs.Inputs) -> None:
    """Writes who a workload is and its GPU-hours; what the audit says of it stands on its first row alone."""
    today = inputs.audit.workloads[entry.index]
    workload = entry.workload
    cluster, words = sheet_inputs.cluster_words(workload.cluster), today.classification
    table.fill(place, name=workload.name, key=workload.key, cluster=cluster, confidence=words.confidence)
    table.fill(place, **{"class": sheet_inputs.pool_words(words.pool)})
    if entry.pair is not None:
        table.put("pool", place, sheet_inputs.pool_words(entry.pair.pool), f"tint_{entry.pair.pool}.indent")
    apart = RUN if inputs.ground.schedules[entry.index].is_run else OVER
    model = apart if entry.pair is None else sheet_inputs.model_words(entry.pair.name)
    table.fill(place, gpu_model=model, logged=entry.logged_gpu_hours, gpu_hours=entry.gpu_hours)
    if entry.is_first:
        table.fill(place, today=today.usd_per_month, jobs=workload.jobs)
        note = inputs.project.notes.get(whole_key(workload.key, inputs.scenario.splits))
        if note:
            table.put("notes", place, note)
    table.fill(place, nodes=workload.max_nodes or 1, longest=workload.longest_job_s / 3600)


def _rates(
    table: Table, place: int, entry: WorkloadRow, pair: Row, named: Named, prices: Prices, on_spot: OnSpot
) -> None:
    """Writes what a workload may pay by use: on demand, or spot with the work lost to interruptions."""
    inputs, times = named.inputs, on_spot.times
    row, longest_h = table.cell("rates_row", place), table.cell("longest", place)
    allowed = table.put("spot_allowed", place, _spot_allowed(longest_h, entry, pair.pool, named))
    on_demand_price, spot_price = prices.usage_found(row)
    node_h: Expr = named.assumptions["spot_node_mtbf_hours"]
    price = inputs.ground.prices.get(pair)
    spot_offer = None if price is None else price.spot_of(entry.index)
    if times and price is not None and spot_offer is not None:  # whose nodes, and their rate, are the app's
        own = rates.with_nodes_of(inputs.assumptions, spot_offer, times).spot_node_mtbf_hours
        node_h = node_h if own == inputs.assumptions.spot_node_mtbf_hours else lift(own)
        spot_price = spot_price if spot_offer is price.spots[0] else lift(spot_offer.rate or 0.0)
    between_h = node_h / table.cell("nodes", place)
    write_h = _write_h(entry, named, on_spot.usual)
    lost = table.put("lost", place, _lost(longest_h, between_h, write_h, named, on_spot.restart_h))
    _best(table, place, between_h, write_h, on_spot.restart_h)
    on_demand = table.put("on_demand", place, if_error(on_demand_price, DASH))
    is_feasible = formula("AND({allowed}=1,{lost}<1)", allowed=allowed, lost=lost)
    effective = if_error(spot_price / (lift(1) - lost), DASH)
    spot = table.put("spot", place, when(is_feasible, effective, DASH))
    either = call("COUNT", on_demand, spot)
    rate = table.put("rate", place, when(either > 0, call("MIN", on_demand, spot), DASH))
    gpu_hours = table.cell("gpu_hours", place)
    test = "IF(ISNUMBER({spot}),IF(ISNUMBER({on_demand}),{spot}<{on_demand},TRUE),FALSE)"
    is_on_spot = formula(test, spot=spot, on_demand=on_demand)
    table.fill(place, usage=known([rate], gpu_hours * rate), on_spot=when(is_on_spot, gpu_hours, 0))


def _spot_allowed(longest_h: Expr, entry: WorkloadRow, pool: Pool, named: Named) -> Expr:
    """1 or 0, as `barrier_of` has it: class, subtype and median job are the app's, the assumptions the sheet's."""
    found = rates.class_at(named.inputs.advice.classes, entry.index)
    barrier = rates.barrier_of(named.inputs.assumptions, entry.workload, pool, found)
    if barrier in (rates.Barrier.NOT_WANTED, rates.Barrier.REQUESTS, rates.Barrier.DEVELOPMENT):
        return lift(0)
    needed = []
    if rates.is_large_and_long(entry.workload):
        needed.append("{checkpoints}=1")
    if pool is Pool.TRAINING:
        needed.append("OR({longest}<={short},AND({longest}<={checkpointed},{checkpoints}=1),{long_runs}=1)")
    if not needed:
        return lift(1)
    condition = needed[0] if len(needed) == 1 else f"AND({','.join(needed)})"
    return formula(
        f"IF({condition},1,0)",
        longest=longest_h,
        short=named.fixed["short_training_h"],
        checkpointed=named.fixed["checkpointed_training_h"],
        checkpoints=named.assumptions["training_checkpoints"],
        long_runs=named.assumptions["spot_long_training"],
    )


def _write_h(entry: WorkloadRow, named: Named, usual: Assumptions) -> Expr:
    """Hours of a checkpoint: as assumed, or of the workload's model while nothing else is assumed."""
    inputs, minutes = named.inputs, named.assumptions["spot_checkpoint_minutes"]
    found = rates.class_at(inputs.advice.classes, entry.index)
    own = rates.with_checkpoint_of(usual, entry.workload, found, inputs.project.needs)
    if own is usual:
        return minutes / 60
    test = formula(f"{{minutes}}={rates.USUAL_CHECKPOINT_MINUTES}", minutes=minutes)
    return when(test, lift(own.spot_checkpoint_minutes / 60), minutes / 60)


def _lost(longest_h: Expr, between_h: Expr, write_h: Expr, named: Named, restart_h: Expr) -> Expr:
    """w = d/tau + (tau/2 + R)/M, M = M_node/nodes; without checkpoints (L/2 + R)/M (docs/formulas/spot.md)."""
    interval_h = named.assumptions["spot_interval_hours"]
    without = (longest_h / 2 + restart_h) / between_h
    return when(
        longest_h < interval_h, without, write_h / interval_h + (interval_h / 2 + restart_h) / between_h
    )


def _best(table: Table, place: int, between_h: Expr, write_h: Expr, restart_h: Expr) -> None:
    """tau* = sqrt(2 d M), and what is lost at it; without checkpoints where those lose more."""
    half, interval = table.cell("longest", place) / 2, call("SQRT", write_h * between_h * 2)
    best = table.put("best_h", place, when(interval < half, interval, DASH))
    waits = call("MIN", half, best)
    table.fill(place, best_lost=(waits + restart_h) / between_h)


def write_shares(workloads: Workloads, pools: Table, named: Named) -> None:
    """Each row's plan money: its share of its pool and model, by GPU time, but for what runs cost. pools: the table of
    the Pools sheet."""
    table = workloads.table
    columns = [pools.range(key) for key in ("gpu_hours", "usd", "runs_mean", "runs_usd")]
    has_runs = bool(columns[2].numbers().any())
    for place in range(len(workloads.rows)):
        row = table.cell("pool_row", place)
        if row.number < 1:
            table.put_late("plan", place, 0)
            continue
        total, usd, of_runs, runs_usd = (call("INDEX", column, row) for column in columns)
        rest = usd - runs_usd if has_runs else usd
        total = total - of_runs * named.window_hours if has_runs else total
        share = table.cell("now", place) / total * rest  # nobody of it may be there in month 0
        table.put_late("plan", place, known([usd], when(total > 0, share, 0)))
