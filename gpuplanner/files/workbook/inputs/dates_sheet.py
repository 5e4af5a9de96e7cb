"""Dates: what begins, ends and steps, work that no log has, and how much of whom is there in each part of a month."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.commitment.demand.flows import Schedule, schedules_of, spans_of_months
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.scenario.dated import Step, factor_in
from gpuplanner.domain.model.window import MONTH_S
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, pool_words
from gpuplanner.files.workbook.kit.book import AsWritten, Book, Content, Table
from gpuplanner.files.workbook.kit.cell_names import day_number
from gpuplanner.files.workbook.kit.expressions import Expr, call
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.input_rules import take_numbers
from gpuplanner.files.workbook.kit.sheets import DATES
from gpuplanner.files.workbook.kit.watch import Watch

NAMED_AT_MOST: Final = 3
AT_ONCE, EVENLY = "at once", "evenly up to it"

WIDTHS: Final = (36, 18, 18, 14, 14, 12, 12, 14, 14)
SPELL_FIELDS: Final = (
    Field("key", "Workload", "text.fixed"),
    Field("begins", "Begins (UTC)", "moment.fixed"),
    Field("ends", "Ends (UTC)", "moment.fixed"),
)
PLANNED_FIELDS: Final = (
    Field("name", "Planned work", "text.fixed"),
    Field("begins", "Begins (UTC)", "moment.fixed"),
    Field("ends", "Ends (UTC)", "moment.fixed"),
    Field("pool", "Pool", "text.fixed"),
    Field("gpu_model", "GPU model", "text.fixed"),
    Field("gpus", "GPUs", "gpus.fixed"),
    Field("hours", "Hours a week", "count.fixed"),
    Field("cluster", "Cluster", "text.fixed"),
    Field("team", "Team", "text.fixed"),
)
ONLY_FIELDS: Final = (
    Field("key", "Workload", "text.fixed"),
    Field("provider", "Served by", "text.fixed"),
    Field("region", "In region", "text.fixed"),
)
STEP_FIELDS: Final = (
    Field("of", "Demand of", "text.fixed"),
    Field("from", "From (UTC)", "moment.fixed"),
    Field("by", "How", "text.fixed"),
    Field("factor", "Times", "amount.input"),
    Field("months", "Months to get there", "count.fixed"),
)
GROUP_FIELDS: Final = (
    Field("what", "Workloads that come and go together"),
    Field("number", "Group", "count"),
    Field("workloads", "Workloads", "count"),
    Field("grows", "Grows", "text"),
    Field("month_0", "There in month 0, share", "ratio"),
)


@dataclass(frozen=True, slots=True)
class Dates:
    """The sheet's cells. shares: of a month that a part is, by month and part; there: how many times its logged demand
    a group has in a part, by group, month and part; formulas: the same as the cells have it ("0" and "1" are numbers).
    month_0: over all of month 0, by group; group_of, schedules: of each workload of the plan, the group of what is over
    before it is -1.
    """

    shares: Mapping[tuple[int, int], Expr]
    there: Mapping[tuple[int, int, int], Expr]
    formulas: Mapping[tuple[int, int, int], str]
    month_0: tuple[Expr, ...]
    group_of: tuple[int, ...]
    schedules: tuple[Schedule, ...]


def write_dates(book: Book, inputs: Inputs) -> Dates:
    """Write the sheet. Days are the app's, for orders hang on them; factors of steps are inputs."""
    row = book.title(
        DATES,
        "Dates",
        "What the planner stated of time. Yellow factors move the demand of each month; days, planned work and who may "
        "serve are changed in the app, which orders by them.",
    )
    for column, width in enumerate(WIDTHS):
        book.sheets[DATES].set_column(column, column, width)
    row = _spells(book, inputs, row)
    row = _planned(book, inputs, row)
    row = _only(book, inputs, row)
    steps, row = _steps(book, inputs, row)
    dates = _parts(book, inputs, steps, row)
    return dates


def _spells(book: Book, inputs: Inputs, row: int) -> int:
    """Workloads with days of their own; the row below."""
    spells = sorted(inputs.scenario.spells.items())
    if not spells:
        return row
    watch = Watch("Days of workloads", named_by=("key",), values=True)
    book.write(DATES, row, 0, "Workloads that begin or end", "section")
    table = Table(book, DATES, row + 1, len(spells), SPELL_FIELDS, watch=watch)
    for place, (key, spell) in enumerate(spells):
        table.put("key", place, key)
        table.put("begins", place, _moment(spell.begins_s))
        table.put("ends", place, _moment(spell.ends_s))
    return table.end_row + 1


def _moment(at_s: int | None) -> Content:
    """A day and hour as the spreadsheet counts them; empty where there is none."""
    return "" if at_s is None else day_number(at_s)


def _planned(book: Book, inputs: Inputs, row: int) -> int:
    """Work that no log has; the row below."""
    works = inputs.scenario.planned
    if not works:
        return row
    book.write(DATES, row, 0, "Work that no log has", "section")
    watch = Watch("Planned work", named_by=("name",), values=True)
    table = Table(book, DATES, row + 1, len(works), PLANNED_FIELDS, watch=watch)
    begins_s = inputs.project.plan_window.end_s
    for place, work in enumerate(works):
        spell = work.spell(begins_s)
        cells: dict[str, Content] = {
            "name": work.name,
            "begins": _moment(spell.begins_s),
            "ends": _moment(spell.ends_s),
            "pool": pool_words(work.pool),
            "gpu_model": work.gpu_model,
            "gpus": work.gpus,
            "hours": len(work.hours),
            "cluster": work.cluster,
            "team": work.team,
        }
        for key, content in cells.items():
            table.put(key, place, content)
    return table.end_row + 1


def _only(book: Book, inputs: Inputs, row: int) -> int:
    """Who alone may serve a workload; the row below."""
    limits = sorted(inputs.scenario.only.items())
    if not limits:
        return row
    book.write(DATES, row, 0, "Workloads that only some may serve", "section")
    watch = Watch("Who alone may serve", named_by=("key",), values=True)
    table = Table(book, DATES, row + 1, len(limits), ONLY_FIELDS, watch=watch)
    for place, (key, only) in enumerate(limits):
        table.put("key", place, key)
        table.put("provider", place, AsWritten(_provider_words(only)))
        table.put("region", place, AsWritten(only.region or "any"))
    return table.end_row + 1


def _provider_words(only: Only) -> str:
    """Who may serve: one, any, or any but one."""
    return f"any but {only.not_provider}" if only.not_provider else only.provider or "any"


_Steps = Mapping[Step, tuple[Expr, Expr]]
"""The factor of a step, and in how many months it gets there."""


def _steps(book: Book, inputs: Inputs, row: int) -> tuple[_Steps, int]:
    """Steps of demand in the order of time, and the row below."""
    found = _in_time(inputs)
    if not found:
        return {}, row
    book.write(DATES, row, 0, "Steps of demand", "section")
    watch = Watch("Steps of demand", named_by=("of",), values=True)
    table = Table(book, DATES, row + 1, len(found), STEP_FIELDS, watch=watch)
    begins_s = inputs.project.plan_window.end_s
    cells: dict[Step, tuple[Expr, Expr]] = {}
    for place, (step, of) in enumerate(found.items()):
        table.put("of", place, ", ".join(of))
        table.put("from", place, day_number(step.from_s))
        table.put("by", place, EVENLY if step.by else AT_ONCE)
        factor = table.put("factor", place, step.factor)
        months = max(0, -((begins_s - step.from_s) // MONTH_S)) if step.by else 0
        cells[step] = factor, table.put("months", place, months)
    take_numbers(table, "factor", words="Enter what demand is multiplied with from that day on, 0 or more.")
    return cells, table.end_row + 1


def _in_time(inputs: Inputs) -> dict[Step, list[str]]:
    """Every step in the order of time, with what it is of; several that are alike are one."""
    found: dict[Step, list[str]] = {}
    for change in sorted(inputs.scenario.changes, key=lambda change: change.from_s):
        found.setdefault(Step(change.factor, change.from_s, change.by), []).append(change.of)
    return found


def _parts(book: Book, inputs: Inputs, steps: _Steps, row: int) -> Dates:
    """The groups of workloads, and below them every part of a month with what of each group is there."""
    schedules, window = inputs.ground.outlined.schedules, inputs.project.plan_window
    number = {schedule: group for group, schedule in enumerate(schedules)}
    own = schedules_of(inputs.project.workloads, inputs.scenario, window.end_s)
    group_of = tuple(number.get(schedule, -1) for schedule in own)
    spans = spans_of_months(schedules, window, COMPARED_MONTHS)
    places = [(month, part) for month, of_month in enumerate(spans) for part in range(len(of_month))]
    book.write(DATES, row, 0, "Groups of workloads", "section")
    groups = Table(
        book, DATES, row + 1, len(schedules), GROUP_FIELDS, watch=Watch("Groups of workloads", values=True)
    )
    book.write(
        DATES, groups.end_row + 1, 0, "What of each group is there, times its logged demand", "section"
    )
    fields = (
        Field("words", "Part of a month"),
        Field("from", "From (UTC)", "moment"),
        Field("to", "To (UTC)", "moment"),
        Field("month", "Month", "count"),
        Field("share", "Share of the month", "amount"),
        *(Field(f"g{group}", f"Group {group}", "amount") for group in range(len(schedules))),
    )
    watch = Watch("Parts of months", named_by=("words",), values=True)
    table = Table(book, DATES, groups.end_row + 2, len(places), fields, watch=watch)
    shares: dict[tuple[int, int], Expr] = {}
    there: dict[tuple[int, int, int], Expr] = {}
    formulas: dict[tuple[int, int, int], str] = {}
    for place, (month, part) in enumerate(places):
        from_s, to_s = spans[month][part]
        words = f"Month {month}" if len(spans[month]) == 1 else f"Month {month}, part {part + 1}"
        table.put("words", place, words)
        begin, end = (
            table.put("from", place, day_number(from_s)),
            table.put("to", place, day_number(to_s)),
        )
        table.put("month", place, month)
        text = f"ROUND(({end.text}-{begin.text})*86400,0)/3600/hours_per_month"
        shares[month, part] = table.put("share", place, Expr(text, (to_s - from_s) / MONTH_S))
        for group, schedule in enumerate(schedules):
            factor = schedule.factor_at(from_s, month, window.end_s)
            text = _factor(schedule, steps, from_s, month, window.end_s)
            content = Expr(text, factor) if not text.isdigit() else factor
            formulas[group, month, part] = text
            there[group, month, part] = table.put(f"g{group}", place, content)
    month_0 = []
    for group, schedule in enumerate(schedules):
        members = [
            workload.name
            for workload, mine in zip(inputs.project.workloads, group_of, strict=True)
            if mine == group
        ]
        groups.put("what", group, _named(members) if group else "All others")
        groups.put("number", group, group)
        groups.put("workloads", group, len(members))
        groups.put("grows", group, "yes" if schedule.grows else "no: planned")
        parts = range(len(spans[0]))
        amount = sum(shares[0, part].number * there[group, 0, part].number for part in parts)
        first = (table.range("share", 0, len(parts)), table.range(f"g{group}", 0, len(parts)))
        month_0.append(groups.put("month_0", group, call("SUMPRODUCT", amount, *first)))
    return Dates(shares, there, formulas, tuple(month_0), group_of, own)


def _named(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    more = len(names) - NAMED_AT_MOST
    return ", ".join(names[:NAMED_AT_MOST]) + (f" and {more} more" if more > 0 else "")


def _factor(schedule: Schedule, steps: _Steps, at_s: int, month: int, begins_s: int) -> str:
    """What of a group is there at a moment of a month: the steps that it has taken, "0" while it is not there."""
    begins, ends = schedule.spell.begins_s, schedule.spell.ends_s
    if (begins is not None and at_s < begins) or (ends is not None and at_s >= ends):
        return "0"
    parts = []
    for step in schedule.steps:
        factor, months = steps[step]
        if step.by and factor_in([step], at_s, month, begins_s) != step.factor:
            parts.append(f"(1+({factor.text}-1)*{month}/{months.text})")
        elif step.by or step.from_s <= at_s:
            parts.append(factor.text)
    return "*".join(parts) or "1"
