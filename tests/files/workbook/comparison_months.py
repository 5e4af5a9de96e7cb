"""The twelve months of the sheet Comparison: what the book says of them, and what the app does."""

import pytest

from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.recalculate import cells_of

NOTHING, ADVISED = "Do nothing, $", "Plan as advised, $"


def column_of(book, heading, sign="$"):
    """A column of the twelve months, None for the dash. sign: of the money that the book is in."""
    cells = SheetCells(cells_of(book)["Calc months"])
    letters, head = cells.column(heading.replace("$", sign))
    values = [cells.cells.get(f"{letters}{row}", "") for row in range(head + 1, head + 13)]
    return [None if value == "—" else value for value in values]


def months_of(book, sign="$"):
    """(do nothing, plan as advised) of each month."""
    return list(zip(column_of(book, NOTHING, sign), column_of(book, ADVISED, sign), strict=True))


def app_months(evaluation):
    return [(row.do_nothing_usd, row.plan_usd) for row in evaluation.advice.comparison]


def assert_same_months(here, there, what=""):
    for month, (pair, said) in enumerate(zip(here, there, strict=True)):
        for left, right in zip(pair, said, strict=True):
            assert (left is None) == (right is None), (what, month, pair, said)
            assert left is None or left == pytest.approx(right, abs=0.01), (what, month, pair, said)
