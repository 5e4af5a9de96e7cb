"""Leaks: a row for each, and under them the workloads and contracts behind it; the total counts each GPU-hour once."""

from dataclasses import dataclass

from gpuplanner.domain.audit.leaks.leak_rules import LEAK_RULES
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.figures.leak import COUNTED_ONCE, LEAK
from gpuplanner.domain.model.scenario.plan_inputs import LeakDecision
from gpuplanner.domain.reports.leaks import LEAKS
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, cluster_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import written_date
from gpuplanner.files.workbook.kit.expressions import Expr, known_sum_where, sum_where
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import (
    figure_field,
    figure_fields,
    maybe,
    surely,
    text_field,
    write_figures,
)

SHEET = "Leaks"

OF_LEAK = figure_fields(LEAKS, 13)
SUMMED = tuple(field.key for field in OF_LEAK)
"""Figures of the parts that add up to those of their leak."""

LEAK_FIELDS = (
    text_field(LEAKS, "title", 28),
    text_field(LEAKS, "where", 40),
    *OF_LEAK,
    text_field(LEAKS, "decided", 22),
    Field("why", "Why, or who does it", width=34),
    text_field(LEAKS, "action", 78),
    Field("number", "Leak no.", "count", 8),
)

PART_FIELDS = (
    Field("name", "Behind it"),
    Field("id", "Key or contract"),
    *(figure_field(LEAK[key], 12) for key in SUMMED),
    Field("kind", "What it is"),
    Field("leak", "Of leak"),
    text_field(LEAKS, "where", 12),
    Field("number", "Leak no.", "count"),
    figure_field(LEAK["rate"], 11),
    figure_field(LEAK["left_gpu_hours"], 13),
    figure_field(LEAK["still_left_gpu_hours"], 13),
)

KEPT = ("number", *SUMMED)
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
    for key in ("rate", "left_gpu_hours", "still_left_gpu_hours"):
        column = parts.column_of(key)
        book.sheets[SHEET].set_column(column, column, 12)
    _parts(parts, inputs, named, contracts)
    for place, leak in enumerate(leaks):
        _leak(table, parts, place, leak, inputs.scenario.decision_on(leak.leak_id))
    book.write(SHEET, total_row, 0, "Total, each GPU-h once", "strong")
    total = book.write(
        SHEET,
        total_row,
        table.column_of("counted_gpu_hours"),
        table.range("counted_gpu_hours").sum(),
        "hours.strong",
    )
    usd = book.write(
        SHEET,
        total_row,
        table.column_of("counted_per_month"),
        table.range("counted_per_month").known_sum(),
        "usd.strong",
    )
    return LeakCells(table, parts, total, usd)


def _leak(table: Table, parts: Table, place: int, leak: Leak, decision: LeakDecision | None) -> None:
    """Writes a leak: its figures summed over its parts, what to do, and what was decided."""
    number = table.put("number", place, place + 1)
    mine = (parts.range("number"), number)
    table.put("title", place, LEAK_RULES[leak.code].title)
    table.put("where", place, str(leak.subject).removeprefix(": "))
    for key in SUMMED:
        add_up = known_sum_where if LEAK[key].unit.key == "usd" else sum_where
        table.put(key, place, add_up(parts.range(key), mine))
    table.put("action", place, leak.action)
    if decision is not None:
        table.put("decided", place, f"{decision.status}, {written_date(decision.at_s)}")
        table.put("why", place, decision.reason or decision.owner)


def _parts(parts: Table, inputs: Inputs, named: Named, contracts: Table) -> None:
    """Writes the workloads and contracts behind all leaks.

    A GPU-hour that an earlier leak counted counts no more.
    """
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
        parts.put("leak", place, LEAK_RULES[leak.code].title)
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
            part.rate if contract is None else _copy(contracts.cell("rate", contract)),
        )
        hours = parts.put(
            "gpu_hours", place, idle if idle is not None and leak.code == "unmaterialised" else part.gpu_hours
        )
        of = (part.kind, part.id)
        before = parts.put("left_gpu_hours", place, left.get(of) or (ran[part.id] if idle is None else idle))
        operands = {
            "gpu_hours": surely(hours),
            "rate": maybe(rate),
            "left_gpu_hours": surely(before),
            "months": surely(named.window_months),
        }
        write_figures(parts, place, LEAK, operands, (*SUMMED, "still_left_gpu_hours"))
        left[of] = parts.cell("still_left_gpu_hours", place)
    parts.finish()


def _copy(cell: Expr) -> Expr:
    """A cell shown again: text stays text."""
    return Expr(cell.text, cell.value, True)
