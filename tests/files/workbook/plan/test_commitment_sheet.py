"""The terms that each pool may sign, on Commitment: the app's break-evens, as formulas over rates and assumptions."""

import pytest

from gpuplanner.domain.figures.layer import TERM
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import two_clusters_book, two_clusters_evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of
from tests.files.workbook.test_recalculated import light_of
from tests.files.workbook.what_if import RATE


def ladder(path):
    """Break-evens by pool, GPU model and offer, with the coordinates of their cells."""
    sheet = SheetCells(cells_of(path)["Calc orders"])
    ratio, head = sheet.column(TERM["break_even"].heading(", "))
    rows = range(head + 1, head + 1 + len(terms()))
    return {
        (*(sheet.cells[f"{letters}{row}"] for letters in "ABC"), sheet.cells[f"D{row}"]): f"{ratio}{row}"
        for row in rows
    }


def terms():
    return {
        (str(plan.pool).capitalize(), plan.gpu_model, term.offer_id, term.term_months): term.break_even
        for plan in two_clusters_evaluated().advice.pools
        for term in plan.break_even
    }


def test_each_term_has_the_apps_break_even_as_a_formula():
    book, found = two_clusters_book(), ladder(two_clusters_book())
    values, formulas = cells_of(book)["Calc orders"], formulas_of(book)["Calc orders"]
    assert {key: values[at] for key, at in found.items()} == {
        key: pytest.approx(value) for key, value in terms().items()
    }
    assert set(found.values()) <= set(formulas)


@pytest.mark.long
def test_a_term_at_twice_its_rate_breaks_even_at_twice_the_use(need_tool, tmp_path):
    book = two_clusters_book()
    at = SheetCells(cells_of(book)["Offer inputs"]).under(RATE, A="c03-H100")
    twice = {("Offer inputs", at): 2 * cells_of(book)["Offer inputs"][at]}
    typed = changed_copy(book, tmp_path / "typed.xlsx", twice)
    [again] = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(typed)
    before, after = cells_of(book)["Calc orders"], cells_of(again)["Calc orders"]
    for (*_, offer, _months), cell in ladder(book).items():
        assert after[cell] == pytest.approx((2 if offer == "c03-H100" else 1) * before[cell])
    assert light_of(again) == "changed"
