"""Spend beside figures of the business: the last block of the sheet Advice, where the project has any."""

from typing import Final

from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.costs.business import BUSINESS
from gpuplanner.domain.reports.business import BUSINESS_COSTS, business_of
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, surely, write_figures
from gpuplanner.files.workbook.kit.watch import Watch

INPUTS: Final = ("value", "counted_share", "business_cost")
FORMULAS: Final = ("counted_value", "cost_each")
FIELDS: Final = (
    Field("name", "Of"),
    Field("month", "Month"),
    figure_field(BUSINESS["value"], style="count.fixed"),
    figure_field(BUSINESS["counted_share"], style="ratio.fixed"),
    figure_field(BUSINESS["business_cost"], style="usd.fixed"),
    *(figure_field(BUSINESS[key]) for key in FORMULAS),
    Field("why", "What it is", "muted"),
)


def write_business(book: Book, sheet: str, evaluation: Evaluation, row: int) -> None:
    """Write the block from a row on; nothing without figures. Counts and spend are the app's, the rest is live."""
    found = business_of(evaluation)
    if not found:
        return
    book.write(sheet, row, 0, BUSINESS_COSTS.title, "section")
    table = Table(book, sheet, row + 1, len(found), FIELDS, watch=Watch("Business figures"))
    for place, one in enumerate(found):
        table.put("name", place, one.name)
        table.put("month", place, one.month)
        cells = {key: table.put(key, place, getattr(one, key)) for key in INPUTS}
        operands = {
            key: maybe(cell) if key == "business_cost" else surely(cell) for key, cell in cells.items()
        }
        write_figures(table, place, BUSINESS, operands, FORMULAS)
        of_plan = f"month 12 of the plan, at the count of {one.held_from}" if one.is_planned else ""
        table.put("why", place, one.unknown or of_plan)
