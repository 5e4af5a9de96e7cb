"""Sheets with values of the app alone: no formula, and a sentence on where to change them."""

import pytest

from tests.files.workbook.recalculate import Recalculator, cells_of, formulas_of, names_of
from tests.files.workbook.test_recalculated import differences, light_of
from tests.files.workbook.watched_cells import watched_book, without_rule


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "words"),
    [("headroom", "Studies"), ("step_seconds_ethernet", "Calc workloads"), ("egress_usd_per_gb", "Studies")],
)
def test_what_only_these_sheets_followed_is_grey_and_locked(sized, name, words):
    sheet, at = names_of(sized[1])[f"assume_{name}"]
    grey = {cell.coordinate: cell for cell in watched_book(sized[1]).fixed[sheet]}
    assert grey[at].protection.locked
    assert f"on {words}: " in cells_of(sized[1])[sheet][f"E{at[1:]}"]


@pytest.fixture(params=["sized", "placed"])
def book_of(request):
    """The sheet of studies and a book in which it has much."""
    return "Studies", request.getfixturevalue(request.param)[1]


@pytest.mark.long
def test_the_sheet_has_values_alone_and_says_where_to_change_them(book_of):
    sheet, book = book_of
    assert len(cells_of(book)[sheet]) > 50
    assert not formulas_of(book)[sheet]
    assert sheet not in watched_book(book).inputs
    said = " ".join(str(cells_of(book)[sheet].get(f"A{row}")) for row in (2, 3))
    assert "in the panel" in said and "export again" in said


@pytest.mark.long
def test_every_yellow_input_says_what_it_takes(book_of):
    assert without_rule(book_of[1]) == []


@pytest.mark.long
def test_the_book_recalculates_to_the_same(fitted, sized, placed, need_tool, tmp_path):
    books = [made[1] for made in (fitted, sized, placed)]
    for book, again in zip(
        books, Recalculator(need_tool("soffice"), tmp_path).recalculated(*books), strict=True
    ):
        assert differences(cells_of(book), cells_of(again)) == []
        assert light_of(again) == "green"
