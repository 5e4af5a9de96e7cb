"""Advice: what the limits of the planner cost, each beside the plan without it; nothing where none is set."""

from itertools import chain
from typing import Final

from gpuplanner.domain.figures.plan import LIMIT
from gpuplanner.domain.reports.plan.limits import LIMITS, binds_words
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.figure_cells import figure_field, maybe, write_figures
from gpuplanner.files.workbook.kit.watch import Watch

WIDTH: Final = 16
OPERANDS: Final = {
    "limit_cost": ("plan", "plan_without_limit"),
    "limit_cost_in_year": ("plan_in_year", "without_limit_in_year"),
}
"""What each cost is worked out from: the app's figures."""


def write_limits(book: Book, sheet: str, inputs: Inputs, first_width: float, row: int) -> int:
    """Write the block from a row on; the answer is the next free row."""
    outlook = inputs.evaluation.outlook
    rows = () if outlook is None else outlook.limits
    if not rows:
        return row
    fields = [Field("limit", "Limit", width=first_width)]
    for cost, operands in OPERANDS.items():
        fields += [figure_field(LIMIT[key], WIDTH, style="usd.fixed") for key in operands]
        fields.append(figure_field(LIMIT[cost], WIDTH, style="change"))
    fields.append(Field("why", "What it does", "muted"))
    book.write(sheet, row, 0, str(LIMITS.title), "section")
    table = Table(book, sheet, row + 1, len(rows), tuple(fields), watch=Watch("Limits"))
    for place, one in enumerate(rows):
        table.put("limit", place, one.limit.words)
        keys = chain.from_iterable(OPERANDS.values())
        cells = {key: maybe(table.put(key, place, one.inputs[key])) for key in keys}
        write_figures(table, place, LIMIT, cells, OPERANDS)
        table.put("why", place, binds_words(one))
    return table.end_row + 1
