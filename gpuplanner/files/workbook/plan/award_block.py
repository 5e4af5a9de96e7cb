"""Quotes, its end: who gets what of the orders, once quotes came back; and what that costs beside the plan's rates."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.award.award import Awarded, award_of
from gpuplanner.domain.award.qualifying import Conditions
from gpuplanner.domain.commitment.plan.ground import sold_in_units
from gpuplanner.domain.commitment.requests.asked_rows import AskedRow
from gpuplanner.domain.figures.award import AWARD
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.reports.award import ROWS, open_words, provider_words, rows_of
from gpuplanner.files.workbook.inputs.rates_found import UPFRONT, Prices
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs, model_words
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.checks import CENT, Check
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, call, copy_of
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, surely, write_figures
from gpuplanner.files.workbook.kit.watch import Watch

GIVEN: Final = ("gpus", "bought_gpus", "term_hours")
"""The app's, which divides the nodes."""
FORMULAS: Final = ("liability", "prepaid", "at_plan_rate", "saves_beside_plan")
FIELDS: Final = (
    Field("row", "Request"),
    Field("model", "GPU model"),
    Field("vendor", "Vendor"),
    *(
        figure_field(AWARD[key], style="hours.fixed" if key == "term_hours" else "gpus.fixed")
        for key in GIVEN
    ),
    *(figure_field(AWARD[key]) for key in ("rate", "upfront_per_gpu", "plan_rate", *FORMULAS[:-1])),
    figure_field(AWARD[FORMULAS[-1]], style="change"),
    Field("offer_id", "Offer", "muted"),
)


def write_award(
    book: Book,
    inputs: Inputs,
    prices: Prices,
    asked: Table,
    rows: Sequence[AskedRow],
    conditions: Conditions,
    row: int,
) -> list[Check]:
    """Write it from a row on; what is checked of it. asked: the table of all rows that are asked for, in order."""
    book.write(asked.sheet, row, 0, ROWS.title, "section")
    offers = sold_in_units(inputs.project, inputs.ground.assumptions.unit).offers
    try:
        award = award_of(rows, offers, conditions)
    except PlannerError as error:
        book.write(asked.sheet, row + 1, 0, str(error), "note")
        return []
    assert award is not None  # nobody cancels it
    lines = rows_of(award)
    table = Table(book, asked.sheet, row + 1, len(lines), FIELDS, watch=Watch("Award"))
    for place, line in enumerate(lines):
        table.put("row", place, line.row.name)
        table.put("model", place, model_words(line.row.gpu_model))
        if line.given is not None:
            _given(table, place, line.given, prices, asked.cell("plan_rate", rows.index(line.row)))
        elif line.left is not None:
            table.put("vendor", place, open_words(line.left))
            table.put("gpus", place, line.left.gpus)
    saved = [one.saves_beside_plan for one in award.awarded]
    app = {
        "liability": award.liability,
        "prepaid": award.prepaid,
        "saves_beside_plan": None if None in saved else sum(one or 0.0 for one in saved),
    }
    book.write(asked.sheet, table.end_row, 0, "Sum", "strong.total")
    checks = []
    for key, value in app.items():
        style = "change.strong.total" if key == "saves_beside_plan" else "usd.strong.total"
        here = book.write(
            asked.sheet, table.end_row, table.column_of(key), table.range(key).known_sum(), style
        )
        said = DASH if value is None else value
        checks.append(Check("Award as in the app", f"{AWARD[key].title}, $", said, here, CENT, "total"))
    return checks


def _given(table: Table, place: int, given: Awarded, prices: Prices, plan_rate: Expr) -> None:
    """What one offer is given of a row: GPUs are the app's, rates and payments upfront those of Prices."""
    at = next(at for at, one in enumerate(prices.listed) if one.offer_id == given.offer.offer_id)
    cells = {key: surely(table.put(key, place, getattr(given, key))) for key in GIVEN}
    rate = table.put("rate", place, copy_of(prices.offers.cell("rate", at)))
    upfront = (
        call("N", given.upfront_per_gpu, prices.offers.cell(UPFRONT.key, at)) if prices.has_upfront else 0
    )
    cells["rate"] = maybe(rate)
    cells["upfront_per_gpu"] = surely(table.put("upfront_per_gpu", place, upfront))
    cells["plan_rate"] = maybe(table.put("plan_rate", place, copy_of(plan_rate)))
    write_figures(table, place, AWARD, cells, FORMULAS)
    table.put("vendor", place, provider_words(given.offer))
    table.put("offer_id", place, given.offer.offer_id)
