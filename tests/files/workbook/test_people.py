"""A book under what people do to its tables: sorted, inserted into, appended to, deleted from; none silently wrong."""

import pytest

from tests.files.workbook.evaluations import evaluation_of, two_clusters_with_layers
from tests.files.workbook.people import (
    book_with_tables,
    carried_out,
    deleted,
    inserted,
    sorted_as_excel_does,
    sorted_by,
    typed,
)
from tests.files.workbook.recalculate import Recalculator, cells_of
from tests.files.workbook.test_recalculated import light_of, summary_of
from tests.files.workbook.test_the_light import SAID, said_in

ERRORS = ("#REF!", "#VALUE!", "#N/A", "#NAME?", "#DIV/0!", "#NUM!")
TABLES = {"Contracts": "H", "Offers": "F", "Cheapest eligible rates": "C"}
"""Those on sheets that are not protected, whose rows formulas of other sheets read; by what they are sorted."""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A book, and where its tables are."""
    path = tmp_path_factory.mktemp("people") / "plan.xlsx"
    areas = book_with_tables(evaluation_of(two_clusters_with_layers()), path)
    return path, {area.title: area for area in areas}


@pytest.fixture(scope="module")
def calc(need_tool, tmp_path_factory):
    return Recalculator(need_tool("soffice"), tmp_path_factory.mktemp("soffice"))


@pytest.mark.long
@pytest.mark.parametrize("title", TABLES)
def test_sorted_and_inserted_rows_change_no_figure(calc, written, tmp_path, title):
    book, areas = written
    area = areas[title]
    middle = ord(TABLES[title]) - ord("A")
    deeds = [sorted_by(area, middle, up=True), sorted_by(area, middle, up=False), inserted(area)]
    by_excel = [
        sorted_as_excel_does(book, tmp_path / f"excel{up}.xlsx", area, middle, up=up) for up in (True, False)
    ]
    untouched, *sorted_there = calc.recalculated(book, *by_excel)
    moved = 0
    for again in (*carried_out(calc.soffice, book, tmp_path / "made", deeds), *sorted_there):
        assert summary_of(again) == pytest.approx(summary_of(untouched), rel=1e-9)
        assert light_of(again) == "green"
        assert said_in(again).startswith("as exported")
        assert errors_in(again) == []
        moved += first_column(again, area) != first_column(untouched, area)
    assert moved > 1  # the rows do stand elsewhere


@pytest.mark.long
@pytest.mark.parametrize("title", TABLES)
def test_what_is_appended_or_gone_is_said(calc, written, tmp_path, title):
    book, areas = written
    area = areas[title]
    new = typed(area.sheet, [(f"A{area.last + 2}", "another"), (f"G{area.last + 2}", 50)])
    appended, *without = carried_out(
        calc.soffice, book, tmp_path / "made", [new, deleted(area, area.first), deleted(area, area.last)]
    )
    [untouched] = calc.recalculated(book)
    assert summary_of(appended) == summary_of(untouched)
    row = area.last + 2
    assert said_in(appended) == f"{SAID}1 row added to {title} (row {row}), not counted: import in the app"
    assert light_of(appended) == "changed"
    if title != "Cheapest eligible rates":  # which nobody fills in
        assert "not counted: import in the app" in cells_of(appended)[area.sheet].values()
    for again in without:
        assert said_in(again).startswith(SAID)
        assert said_in(again).endswith(f" is not in {title} any more")
        assert light_of(again) == "changed"
        assert errors_in(again) == []


@pytest.mark.long
def test_a_contract_that_is_gone_has_no_gpus(calc, written, tmp_path):
    """Deleting a row is as typing 0 GPUs into it, but for the months, which say that they are not known."""
    book, areas = written
    area = areas["Contracts"]
    none = typed(area.sheet, [(f"G{area.first + 1}", 0)])
    without, empty = carried_out(calc.soffice, book, tmp_path / "made", [deleted(area, area.first), none])
    there, here = summary_of(empty), summary_of(without)
    same = {key: value for key, value in here.items() if value is not None}
    assert same == pytest.approx({key: there[key] for key in same}, rel=1e-9)
    assert len(same) > 8


def errors_in(book):
    return [
        (sheet, at, value)
        for sheet, cells in cells_of(book).items()
        for at, value in cells.items()
        if value in ERRORS
    ]


def first_column(book, area):
    cells = cells_of(book)[area.sheet]
    return [cells.get(f"A{row + 1}") for row in range(area.first, area.last + 1)]
