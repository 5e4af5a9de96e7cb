"""Pages: every sheet prints at a size that can be read, charts whole, with its headings on every page of a list."""

import re
import zipfile

import openpyxl
import pytest
from openpyxl.utils import range_boundaries

from gpuplanner.cli.self_test import demo_days, write_demo_folder
from gpuplanner.files.workbook.answers.checks_sheet import FAILS_AT_MOST
from gpuplanner.files.workbook.kit.book import NOT_PRINTED, PAPER
from gpuplanner.files.workbook.kit.looks import SHEETS
from gpuplanner.files.workbook.kit.print_pages import FIRST_ROWS, PAPERS, Unit, place_row_breaks
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluation_of, two_clusters_book
from tests.files.workbook.recalculate import Recalculator
from tests.oracle.projects import random_case
from tests.some_of import some_of

PIXELS_PER_CHARACTER = 7
NOW_S = 1_793_000_000
LAST_ROW = 1_048_576


@pytest.fixture(scope="module", params=some_of(["two clusters", "seed 3"], quick=1))
def book(request, tmp_path_factory):
    if request.param == "two clusters":
        return openpyxl.load_workbook(two_clusters_book())
    path = tmp_path_factory.mktemp("pages") / "plan.xlsx"
    write_workbook(evaluation_of(random_case(3)), path, 0)
    return openpyxl.load_workbook(path)


def _printed(sheet):
    """The last row and column of the print area."""
    area = str(sheet.print_area).partition("!")[2].replace("$", "")
    _, _, last_column, last_row = range_boundaries(area)
    return last_row, last_column


def test_every_sheet_fits_its_pages_across_at_a_size_that_can_be_read(book):
    for sheet in SHEETS:
        page = book[sheet.name]
        row, last = _printed(page) if sheet.name != "Cover" else (0, 0)
        if sheet.name == "Cover" or row == LAST_ROW:  # which is not printed
            assert sheet.name in ("Cover", "Demand", "Check list") or page.max_row <= FIRST_ROWS, sheet.name
            continue
        pixels = sum(
            page.column_dimensions[letters].width * PIXELS_PER_CHARACTER + 5
            for letters, one in page.column_dimensions.items()
            for _ in range(max(0, min(one.max, last) - one.min + 1))
        )
        is_landscape = page.page_setup.orientation == "landscape"
        [paper] = [one for one in PAPERS if one.is_landscape == is_landscape]
        across = page.page_setup.fitToWidth or 1
        assert page.sheet_properties.pageSetUpPr.fitToPage
        assert across * paper.across / pixels > 0.55, sheet.name


def test_no_break_divides_a_chart(book):
    charts = 0
    for page in book.worksheets:
        breaks = [one.id for one in page.row_breaks.brk]
        for chart in page._charts:
            charts += 1
            ends = chart.anchor.to
            top, bottom = chart.anchor._from.row, ends.row - (ends.rowOff == 0)
            assert not [row for row in breaks if top < row <= bottom], page.title
            assert bottom < _printed(page)[0], f"{page.title}: printed whole"
    assert charts >= 4


def test_no_two_charts_cover_each_other(book):
    beside = 0
    for page in book.worksheets:
        areas = [(*_corner(one.anchor._from), *_corner(one.anchor.to)) for one in page._charts]
        for place, (left, top, right, bottom) in enumerate(areas):
            for other_left, other_top, other_right, other_bottom in areas[:place]:
                is_beside = left >= other_right or other_left >= right
                beside += is_beside
                assert is_beside or top >= other_bottom or other_top >= bottom, page.title
    assert beside


def _corner(at):
    """Column and row of a chart's corner, with how far into them it is."""
    return (at.col, at.colOff), (at.row, at.rowOff)


def test_a_long_list_has_its_headings_on_every_page():
    """The law of breaks: what is longer than a page goes on by itself, and what follows begins a page of its own."""
    assert place_row_breaks([10.0] * 400, 1000, [Unit(2, 350), Unit(352, 360)]) == [352]
    assert place_row_breaks([10.0] * 400, 1000, [Unit(2, 50), Unit(98, 390)]) == [98]
    assert place_row_breaks([10.0] * 110, 1000, [Unit(90, 105, is_whole=True)]) == [90]


def test_a_book_is_printed_on_one_paper_and_its_workings_are_not(book):
    assert {page.page_setup.paperSize for page in book.worksheets} == {PAPER}
    for page in book.worksheets[1:]:  # the cover has one page
        row = _printed(page)[0]
        is_silent = row > 100_000 and not [cell for cell in page[row] if cell.value is not None]
        says_so = any(str(page.cell(at, 1).value).endswith(NOT_PRINTED) for at in (2, 3))
        assert is_silent == says_so, page.title
        assert is_silent or page.title not in ("Calc demand", "Check list")
    last, _ = _printed(book["Check list"])
    words = [book["Check list"].cell(row, 1).value for row in range(1, last + 2)]
    assert "All checks" in words and str(words[last - FAILS_AT_MOST - 1]).startswith("What fails")
    assert words[last] is None, "the list of all checks begins below"


@pytest.mark.long
def test_every_chart_says_what_it_draws(book, tmp_path):
    path = tmp_path / "again.xlsx"
    write_workbook(evaluation_of(random_case(3)), path, 0)
    with zipfile.ZipFile(path) as parts:
        drawn = [parts.read(name).decode() for name in parts.namelist() if "/drawings/drawing" in name]
    told = [
        re.search(r'descr="([^"]+)"', frame)
        for one in drawn
        for frame in re.findall("<xdr:cNvPr [^>]+>", one)
    ]
    assert len(told) >= 4 and all(told)
    assert any(one[1].count("Plan as advised") and one[1].count("Do nothing") for one in told)


@pytest.mark.long
def test_the_demo_goes_on_forty_pages(need_tool, tmp_path):
    write_demo_folder(tmp_path / "demo", demo_days(None, NOW_S), NOW_S)
    calc = Recalculator(need_tool("soffice"), tmp_path / "soffice")
    [paper] = calc.converted("pdf", tmp_path / "demo" / "demo.xlsx")
    text = paper.read_bytes()
    sizes = {tuple(sorted(map(float, one.split()))) for one in re.findall(rb"/MediaBox\[([^]]+)\]", text)}
    assert len(re.findall(rb"/Type\s*/Page\b", text)) <= 40
    assert len({size for size in sizes if size[2] != size[3]}) == 1, (
        "a square is no page: it stands for all of them"
    )
