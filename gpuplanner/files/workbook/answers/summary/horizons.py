"""Summary, its horizons: next month, month 12 and all twelve, and what a question changes in each."""

from collections.abc import Mapping
from typing import Final

from gpuplanner.domain.commitment.comparison.horizons import (
    Horizon,
    HorizonRow,
    compares_with_nothing,
    horizons_of,
)
from gpuplanner.domain.commitment.words.horizon_words import HORIZON_MEANINGS, HORIZON_NAMES
from gpuplanner.domain.figures.plan import AHEAD
from gpuplanner.domain.reports.plan.horizons import HORIZONS, QUESTION
from gpuplanner.files.workbook.inputs.sheet_inputs import SERVES_LESS, Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.checks import CENT, Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, copy_of
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, write_figures
from gpuplanner.files.workbook.kit.watch import Watch
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison

WIDTH: Final = 18
NAME: Final = Field("name", "Horizon", width=34)
HOW: Final = Field("how", "What it is", "muted", 18)
ASKED: Final = (
    figure_field(
        AHEAD["before"],
        WIDTH,
        style="usd.fixed",
        note="Of the plan that the question is asked of: the app's.",
    ),
    figure_field(AHEAD["changed"], WIDTH, style="change"),
)
FIELDS: Final = tuple(
    figure_field(AHEAD[key], WIDTH, style=style)
    for key, style in (("do_nothing", "usd"), ("plan", "usd"), ("saved", "change"))
)
CHECKED: Final = ("do_nothing", "plan", "saved", "changed")


def write_horizons(
    book: Book, sheet: str, inputs: Inputs, figures: Mapping[str, Expr], comparison: Comparison, row: int
) -> tuple[int, list[Check]]:
    """The three horizons below a heading: the next free row, and what is checked against the app.

    figures: cells of the Summary by their names. What the plan was before a question is the app's; all else is live.
    """
    before = inputs.evaluation.before
    is_asked = before is not None
    book.write(sheet, row, 0, QUESTION.title if is_asked else HORIZONS.title, "section")
    fields = (NAME, *FIELDS, *(ASKED if is_asked else ()), HOW)
    rows = horizons_of(inputs.advice, before)
    table = Table(book, sheet, row + 1, len(rows), fields, watch=Watch("Horizons"))
    may_save, checks = compares_with_nothing(inputs.advice), list[Check]()
    for place, one in enumerate(rows):
        nothing, plan = _costs(one.horizon, figures, comparison)
        table.put("name", place, HORIZON_NAMES[one.horizon], "strong")
        cells = {"do_nothing": table.put("do_nothing", place, copy_of(nothing))}
        cells["plan"] = table.put("plan", place, copy_of(plan))
        if is_asked:
            cells["before"] = table.put("before", place, one.before)
        wanted = [key for key in ("saved", "changed") if table.has(key)]
        operands = {key: maybe(cell) for key, cell in cells.items() if may_save or key != "do_nothing"}
        for key in write_figures(table, place, AHEAD, operands, wanted):
            table.put(key, place, None)
        table.put("how", place, HORIZON_MEANINGS[one.horizon])
        checks += _checks(table, place, one)
    if not may_save:
        book.write(sheet, table.end_row, 0, SERVES_LESS, "note")
    return table.end_row + (1 if may_save else 2), checks


def _costs(horizon: Horizon, figures: Mapping[str, Expr], comparison: Comparison) -> tuple[Expr, Expr]:
    """Cells of what doing nothing and the plan cost in a horizon."""
    if horizon is Horizon.NEXT_MONTH:
        return figures["do_nothing_usd_per_month"], figures["plan_usd_per_month"]
    if horizon is Horizon.TWELVE_MONTHS:
        return comparison.sums["nothing"], comparison.sums["plan"]
    last = comparison.table.size - 1
    return comparison.table.cell("nothing", last), comparison.table.cell("plan", last)


def _checks(table: Table, place: int, app: HorizonRow) -> list[Check]:
    """Each live figure of a horizon as the app has it."""
    said = {key: getattr(app, key) for key in CHECKED if table.has(key)}
    return [
        Check(
            "Horizon as in the app",
            f"{HORIZON_NAMES[app.horizon]}: {AHEAD[key].title}, $",
            DASH if value is None else value,
            table.cell(key, place),
            CENT,
            "total",
        )
        for key, value in said.items()
    ]
