"""Advice, beside its savings: what they would buy, and what separate pools cost and avoid."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.commitment.comparison.savings_buy import savings_buy
from gpuplanner.domain.commitment.words.sentences import npv_sentence
from gpuplanner.domain.figures.plan import SAVINGS_BUY
from gpuplanner.domain.reports.plan.savings import SEPARATION_LINES, separation_rows
from gpuplanner.files.workbook.inputs.assumptions_sheet import Named
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.checks import CENT, Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, copy_of, known, when
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, surely, write_figures
from gpuplanner.files.workbook.kit.watch import Watch
from gpuplanner.files.workbook.plan.commitment_sheet import Commitment

WIDTH: Final = 15
BUY_TITLE: Final = "What the savings would buy"
GIVEN: Final = ("savings_vs_do_nothing", "by_use_per_month", "by_use_gpu_hours_per_month")
BOUGHT: Final = ("marginal_rate", "bought_gpu_hours_per_month", "bought_gpus")
MONEY_LINES: Final = {"cost": "cost_of_separation_usd_per_month"}
"""Lines of separation whose $ the Summary works out, with its name there."""


def write_buy(
    book: Book,
    sheet: str,
    inputs: Inputs,
    named: Named,
    commitment: Commitment,
    figures: Mapping[str, Expr],
    row: int,
) -> tuple[int, list[Check]]:
    """What the savings would buy by use, by formulas; what signing is worth today. The next free row, and checks.

    figures: cells of the Summary by their names.
    """
    buy = savings_buy(inputs.advice)
    book.write(sheet, row, 0, BUY_TITLE, "section")
    fields = (
        Field("what", "Against doing nothing"),
        *(figure_field(SAVINGS_BUY[key], WIDTH) for key in (*GIVEN, *BOUGHT)),
        Field("why", "What it is", "muted"),
    )
    table = Table(book, sheet, row + 1, 1, fields)
    saved = figures["savings_vs_do_nothing_usd_per_month"]
    busy = commitment.total("usage_busy")
    given = (
        known([saved], when(saved > 0, saved, DASH)),
        copy_of(commitment.total("usage_usd")),
        busy * named.hours_per_month,
    )
    table.put("what", 0, BUY_TITLE)
    cells = {key: maybe(table.put(key, 0, cell)) for key, cell in zip(GIVEN, given, strict=True)}
    cells["month_hours"] = surely(named.hours_per_month)
    write_figures(table, 0, SAVINGS_BUY, cells, BOUGHT)
    table.put("why", 0, buy.unknown or "At what the plan pays by use for one GPU-hour more")
    app = DASH if buy.bought_gpu_hours_per_month is None else buy.bought_gpu_hours_per_month
    here = table.cell("bought_gpu_hours_per_month", 0)
    check = Check("Total as in the app", f"{BUY_TITLE}, GPU-h per month", app, here, CENT, "total")
    outlook, months = inputs.evaluation.outlook, inputs.assumptions.horizon_months
    if outlook is None:
        return table.end_row + 1, [check]
    book.write(sheet, table.end_row, 0, f"Worth today of signing as advised, over {months} months, $")
    book.write(sheet, table.end_row, 1, outlook.npv_usd, "change.fixed")
    book.write(sheet, table.end_row, len(fields) - 1, npv_sentence(outlook.npv_usd, months), "muted")
    return table.end_row + 2, [check]


def write_separation(book: Book, sheet: str, inputs: Inputs, figures: Mapping[str, Expr], row: int) -> int:
    """What separate pools cost in the plan, beside what of the log they avoid; the next free row."""
    lines = separation_rows(inputs.evaluation.outlook, inputs.evaluation.audit)
    book.write(sheet, row, 0, str(SEPARATION_LINES.title), "section")
    money, hours, source = map(SEPARATION_LINES.column, ("separation_per_month", "hours", "source"))
    assert money.figure is not None and hours.figure is not None
    fields = (
        Field("called", SEPARATION_LINES.column("called").title),
        figure_field(money.figure, WIDTH, style="change.fixed"),
        figure_field(hours.figure, WIDTH, style="hours.fixed"),
        Field("source", source.title, "muted"),
    )
    table = Table(book, sheet, row + 1, len(lines), fields, watch=Watch(str(SEPARATION_LINES.title)))
    for place, line in enumerate(lines):
        table.put("called", place, line.called)
        live = MONEY_LINES.get(line.key)
        if line.is_of_hours:
            table.put(hours.name, place, line.hours)
        elif live is None:
            table.put(money.name, place, line.separation_per_month)
        else:
            table.put(money.name, place, copy_of(figures[live]), "change")
        table.put("source", place, source.of(line))
    book.write(sheet, table.end_row, 0, SEPARATION_LINES.note, "note")
    return table.end_row + 2
