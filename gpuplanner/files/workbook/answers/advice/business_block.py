"""Spend beside figures of the business: the last block of the sheet Advice, where the project has any."""

from typing import Final

from gpuplanner.domain.audit.costs.business import BusinessCost
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.costs.business import BUSINESS
from gpuplanner.domain.reports.business import BUSINESS_COSTS, business_of
from gpuplanner.files.workbook.kit.book import Book, Content, Table
from gpuplanner.files.workbook.kit.checks import Check
from gpuplanner.files.workbook.kit.expressions import DASH, copy_of
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, surely, write_figures
from gpuplanner.files.workbook.kit.watch import Watch
from gpuplanner.files.workbook.plan.comparison_sheet import Comparison

SPEND: Final = "business_cost"
INPUTS: Final = ("value", "counted_share", SPEND, "unserved")
MAYBE: Final = (SPEND, "unserved")
ROUNDING: Final = 1e-6
"""$ each, which may be a fraction of a cent."""
OF_THE_LOG: Final = "month of the log: nobody asked what went unserved in it"
FORMULAS: Final = ("counted_value", "cost_each")
FIELDS: Final = (
    Field("name", "Of"),
    Field("month", "Month"),
    figure_field(BUSINESS["value"], style="count.fixed"),
    figure_field(BUSINESS["counted_share"], style="ratio.fixed"),
    figure_field(BUSINESS[SPEND], style="usd.fixed"),
    figure_field(BUSINESS["unserved"], style="hours.fixed"),
    *(figure_field(BUSINESS[key]) for key in FORMULAS),
    Field("why", "What it is", "muted"),
)


def write_business(
    book: Book, sheet: str, evaluation: Evaluation, comparison: Comparison, row: int
) -> list[Check]:
    """Write the block from a row on; nothing without figures. What is checked of it against the app.

    Counts and the spend of months of the log are the app's; month 12 of the plan is that of Comparison, and the rest is
    live.
    """
    found = business_of(evaluation)
    if not found:
        return []
    book.write(sheet, row, 0, BUSINESS_COSTS.title, "section")
    table = Table(book, sheet, row + 1, len(found), FIELDS, watch=Watch("Business figures"))
    checks = []
    for place, one in enumerate(found):
        table.put("name", place, one.name)
        table.put("month", place, one.month)
        cells = {key: table.put(key, place, getattr(one, key)) for key in INPUTS if key != SPEND}
        of_plan = comparison.table.cell("plan", comparison.table.size - 1)
        spend: Content = copy_of(of_plan) if one.is_planned else one.business_cost
        cells[SPEND] = table.put(SPEND, place, spend, "usd" if one.is_planned else None)
        operands = {key: maybe(cell) if key in MAYBE else surely(cell) for key, cell in cells.items()}
        write_figures(table, place, BUSINESS, operands, FORMULAS)
        table.put("why", place, one.unknown or _of_plan(one))
        app = DASH if one.cost_each is None else one.cost_each
        title = f"{BUSINESS['cost_each'].title}: {one.name}, {one.month}, $"
        checks.append(
            Check("Total as in the app", title, app, table.cell("cost_each", place), ROUNDING, "total")
        )
    return checks


def _of_plan(one: BusinessCost) -> str:
    """Of which month a row is, and what its $ have not."""
    if not one.is_planned:
        return OF_THE_LOG
    less = "; demand that nobody serves is in no $ of it" if one.unserved else ""
    return f"month 12 of the plan, at the count of {one.held_from}{less}"
