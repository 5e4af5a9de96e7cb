"""The twelve months of the sheet Comparison: what the book says of them, and what the app does."""

import pytest

from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.recalculate import cells_of


def months_of(book):
    """(do nothing, plan) of each month, None for the dash."""
    cells = SheetCells(cells_of(book)["Comparison"])
    columns = [cells.column(heading) for heading in ("Do nothing, $", "Plan, $")]
    rows = range(columns[0][1] + 1, columns[0][1] + 13)
    return [
        tuple(
            None if cells.cells[f"{letters}{row}"] == "—" else cells.cells[f"{letters}{row}"]
            for letters, _ in columns
        )
        for row in rows
    ]


def app_months(evaluation):
    return [(row.do_nothing_usd, row.plan_usd) for row in evaluation.advice.comparison]


def assert_same_months(here, there, what=""):
    for month, (pair, said) in enumerate(zip(here, there, strict=True)):
        for left, right in zip(pair, said, strict=True):
            assert (left is None) == (right is None), (what, month, pair, said)
            assert left is None or left == pytest.approx(right, abs=0.01), (what, month, pair, said)
