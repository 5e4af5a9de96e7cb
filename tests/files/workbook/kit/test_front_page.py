"""Front pages: their width, how high rows are, and how they print."""

from io import BytesIO

import pytest
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.front_page import INTERNAL, PAPERS, WIDEST, FrontPage, PageForm
from gpuplanner.files.workbook.kit.sheets import SHEETS
from gpuplanner.files.workbook.kit.text_lines import count_lines

FORM = PageForm(paper="letter", project="R&D · Plan A", written="Written 1 Dec 2026", written_day=46_357.0)


@pytest.fixture
def book():
    made = Book(xlsxwriter.Workbook(BytesIO(), {"in_memory": True}), lambda: None)
    made.add_sheet(SHEETS[0])
    yield made
    made.close()


def page_of(book, *widths, second=0):
    return FrontPage(book, FORM, SHEETS[0].name, widths, second=second)


def test_a_page_that_is_wider_than_its_paper_is_refused(book):
    page_of(book, WIDEST)
    with pytest.raises(AssertionError):
        page_of(book, WIDEST, 1.0)
    repeated = (10.0, 10.0, 10.0)
    page_of(book, *repeated, 126.0, 126.0, second=4)
    with pytest.raises(AssertionError):
        page_of(book, *repeated, 126.0, 127.0, second=4)


def test_a_page_has_paper_header_footer_and_area_and_is_one_page_wide(book):
    page = page_of(book, 20.0, 30.0)
    page.title("Approve", "A sentence.")
    page.finish(9, repeated_row=3)
    sheet = book.sheets[SHEETS[0].name]
    assert (sheet.paper_size, sheet.orientation) == (PAPERS["letter"], 0)
    assert (sheet.fit_width, sheet.fit_height) == (1, 1)
    assert INTERNAL in sheet.header and "R&&D" in sheet.header
    assert FORM.written in sheet.footer and "&P of &N" in sheet.footer
    assert "$A$1:$B$10" in sheet.print_area_range.replace("'", "")
    for row in range(10, 90):
        page.fit(row, [("a", 20.0, False)])
    page.finish(89)
    assert (sheet.fit_width, sheet.fit_height) == (1, 0)


def test_a_title_that_is_longer_than_the_page_is_wide_takes_more_lines(book):
    page = page_of(book, 60.0)
    page.title("Approve", "")
    low = book.sheets[SHEETS[0].name].row_info[0].height
    page.title("Approve a commitment " * 5, "")
    assert book.sheets[SHEETS[0].name].row_info[0].height > 1.5 * low


@pytest.mark.parametrize(
    ("words", "width", "lines"),
    [("Order 8 H100", 20.0, 1), ("Order 8 H100 for 12 months", 20.0, 2), ("", 20.0, 1), ("W" * 30, 20.0, 4)],
)
def test_lines_of_a_text_by_hand(words, width, lines):
    """Room is 20 × 5.25 − 11 = 94 points; a W has 9.44 points, so that 30 take 283."""
    assert count_lines(words, width) == lines


@given(st.text("iW 0", max_size=60), st.floats(5.0, 80.0), st.floats(1.0, 40.0))
def test_a_wider_cell_and_a_smaller_font_never_take_more_lines(words, width, more):
    lines = count_lines(words, width)
    assert count_lines(words, width + more) <= lines
    assert count_lines(words, width, points=7.0) <= lines <= count_lines(words, width, is_bold=True)
