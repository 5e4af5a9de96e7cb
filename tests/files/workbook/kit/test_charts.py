"""Charts and pages: no chart covers another, each says what it draws, and only front sheets print."""

import re
import zipfile

import openpyxl
import pytest
from openpyxl.utils import range_boundaries

from gpuplanner.files.workbook.kit.sheets import SHEETS
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluation_of, two_clusters_book
from tests.oracle.projects import random_case
from tests.some_of import some_of


@pytest.fixture(scope="module", params=some_of(["two clusters", "seed 3"], quick=1))
def book(request, tmp_path_factory):
    if request.param == "two clusters":
        return openpyxl.load_workbook(two_clusters_book())
    path = tmp_path_factory.mktemp("pages") / "plan.xlsx"
    write_workbook(evaluation_of(random_case(3)), path, 0)
    return openpyxl.load_workbook(path)


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


def test_only_front_sheets_print(book):
    for sheet in SHEETS:
        if sheet.name not in book.sheetnames or sheet.is_printed:
            continue
        page = book[sheet.name]
        area = str(page.print_area).partition("!")[2].replace("$", "")
        _, first, _, last = range_boundaries(area)
        assert first == last > page.max_row, sheet.name


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
