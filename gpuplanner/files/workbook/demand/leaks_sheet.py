"""Leaks: a row for each, and under them the workloads and contracts behind it; the total counts each GPU-hour once."""

from dataclasses import dataclass

from gpuplanner.domain.audit.leaks.leak_list import COUNTED_ONCE
from gpuplanner.domain.audit.leaks.leak_words import LEAK_KINDS
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.model.scenario.plan_inputs import LeakDecision
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, cluster_words
from gpuplanner.files.workbook.kit.book import Book, Field, Table, written_date
from gpuplanner.files.workbook.kit.expressions import (
    Expr,
    known,
    known_sum_where,
    lift,
    lowest,
    sum_where,
    when,
)

SHEET = "Leaks"

LEAK_FIELDS = (
    Field("title", "Leak", width=28),
    Field("where", "Where", width=40),
    Field("gpu_hours", "GPU-h in the window", "hours", 12),
    Field("usd", "$ per month", "usd", 12),
    Field("counted", "Counted in the total, GPU-h", "hours", 13),
    Field("counted_usd", "Counted in the total, $ per month", "usd", 13),
    Field("decision", "Decided", width=22),
    Field("why", "Why, or who does it", width=34),
    Field("action", "What to do", width=78),
    Field("number", "Leak no.", "count", 8),
)

PART_FIELDS = (
    Field("name", "Behind it"),
    Field("id", "Key or contract"),
    Field("gpu_hours", "GPU-h in the window", "hours"),
    Field("usd", "$ per month", "usd"),
    Field("counted", "Counted in the total, GPU-h", "hours"),
    Field("counted_usd", "Counted in the total, $ per month", "usd"),
    Field("kind", "What it is"),
    Field("leak", "Of leak"),
    Field("where", "Where"),
    Field("number", "Leak no.", "count"),
    Field("rate", "$ per GPU-h", "rate", 11),
    Field("left", "Still not counted, GPU-h", "hours", 13),
)

KEPT = ("number", "gpu_hours", "usd", "counted", "counted_usd")
"""What the sums of each leak read."""


@dataclass(frozen=True, slots=True)
class LeakCells:
    """The sheet's tables, and the two totals."""

    leaks: Table
    parts: Table
    total_gpu_hours: Expr
    total_usd: Expr


def write_leaks(book: Book, inputs: Inputs, named: Named, contracts: Table) -> LeakCells:
    """Write the sheet. contracts: the table of the Contracts sheet with what was used, complete.

    GPU-hours of parts come from the app (they are read hour by hour), but for contracts that hardly anyone used; rates
    of contracts, all sums, and what counts once are formulas.
    """
    leaks = inputs.audit.leaks
    row = book.title(
        SHEET, "Leaks", COUNTED_ONCE, "A part's $ are its GPU-h x its rate / months of the window."
    )
    table = Table(book, SHEET, row, len(leaks), LEAK_FIELDS)
    table.widen()
    book.sheets[SHEET].freeze_panes(table.first_row, 1)
    total_row = table.end_row
    book.write(SHEET, total_row + 2, 0, "What is behind them", "section")
    count = sum(len(leak.parts) for leak in leaks)
    parts = Table(book, SHEET, total_row + 3, count, PART_FIELDS, kept=KEPT)
    for key in ("rate", "left"):
        column = parts.column_of(key)
        book.sheets[SHEET].set_column(column, column, 12)
    _parts(parts, inputs, named, contracts)
    for place, leak in enumerate(leaks):
        _leak(table, parts, place, leak, inputs.scenario.decision_on(leak.leak_id))
    book.write(SHEET, total_row, 0, "Total, each GPU-h once", "strong")
    total = book.write(
        SHEET, total_row, table.column_of("counted"), table.range("counted").sum(), "hours.strong"
    )
    usd = book.write(
        SHEET, total_row, table.column_of("counted_usd"), table.range("counted_usd").known_sum(), "usd.strong"
    )
    return LeakCells(table, parts, total, usd)


def _leak(table: Table, parts: Table, place: int, leak: Leak, decision: LeakDecision | None) -> None:
    number = table.put("number", place, place + 1)
    mine = (parts.range("number"), number)
    table.put("title", place, LEAK_KINDS[leak.code].title)
    table.put("where", place, leak.subject.removeprefix(": "))
    table.put("gpu_hours", place, sum_where(parts.range("gpu_hours"), mine))
    table.put("usd", place, known_sum_where(parts.range("usd"), mine))
    table.put("counted", place, sum_where(parts.range("counted"), mine))
    table.put("counted_usd", place, known_sum_where(parts.range("counted_usd"), mine))
    table.put("action", place, leak.action)
    if decision is not None:
        table.put("decision", place, f"{decision.status}, {written_date(decision.at_s)}")
        table.put("why", place, decision.reason or decision.owner)


def _parts(parts: Table, inputs: Inputs, named: Named, contracts: Table) -> None:
    names = {workload.key: workload.name for workload in inputs.evaluation.project.workloads}
    ran = {workload.key: workload.gpu_hours for workload in inputs.evaluation.project.workloads}
    place_of = {contract.contract_id: place for place, contract in enumerate(inputs.contracts)}
    left: dict[tuple[str, str], Expr] = {}
    rows = [(number, leak, part) for number, leak in enumerate(inputs.audit.leaks, 1) for part in leak.parts]
    for place, (number, leak, part) in enumerate(rows):
        parts.put("number", place, number)
        parts.put("name", place, names.get(part.id, part.id))
        parts.put("id", place, part.id)
        parts.put("kind", place, part.kind)
        parts.put("leak", place, LEAK_KINDS[leak.code].title)
        parts.put("where", place, cluster_words(leak.cluster))
        contract = place_of[part.id] if part.kind == "contract" else None
        idle = (
            None
            if contract is None
            else contracts.cell("paid_gpu_hours", contract) - contracts.cell("used_gpu_hours", contract)
        )
        rate = parts.put(
            "rate",
            place,
            _rate(part, inputs) if contract is None else _copy(contracts.cell("rate", contract)),
        )
        hours = parts.put(
            "gpu_hours", place, idle if idle is not None and leak.code == "unmaterialised" else part.gpu_hours
        )
        parts.put("usd", place, known([rate], hours * rate / named.window_months))
        of = (part.kind, part.id)
        before = left.get(of) or (lift(ran[part.id]) if idle is None else idle)
        counted = parts.put("counted", place, lowest(hours, before))
        left[of] = parts.put("left", place, before - counted)
        counted_usd = known([rate], counted * rate / named.window_months)
        parts.put("counted_usd", place, when(counted > 0, counted_usd, 0))
    parts.finish()


def _copy(cell: Expr) -> Expr:
    """A cell shown again: text stays text."""
    return Expr(cell.text, cell.value, True)


def _rate(part: LeakPart, inputs: Inputs) -> float | None:
    """$ per GPU-hour of what a workload ran, as the app has it."""
    if part.usd_per_month is None:
        return None
    return part.usd_per_month * inputs.project.window.months / part.gpu_hours
