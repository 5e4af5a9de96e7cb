"""No input of a book escapes the light: what is yellow, grey or unlocked is watched, and all that is watched counts."""

import re

import openpyxl
import pytest

from gpuplanner.files.workbook.answers import exported_sheet
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.looks import STYLES
from gpuplanner.files.workbook.kit.sheets import METHOD_AND_CHECKS, SHEETS
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import (
    evaluation_of,
    two_clusters_book,
    two_clusters_evaluated,
    two_clusters_with_layers,
)
from tests.files.workbook.recalculate import cells_of, formulas_of, names_of
from tests.files.workbook.test_structure import hostile, no_prices, nothing
from tests.files.workbook.watched_cells import fill_of, watched_book
from tests.oracle.projects import random_case
from tests.some_of import some_of

CASES = {
    "two clusters": two_clusters_with_layers,
    "hostile names": hostile,
    "no workloads": nothing,
    "no prices": no_prices,
    "seed 7": lambda: random_case(7),
}


@pytest.fixture(scope="module", params=some_of(CASES, quick=1))
def written(request, tmp_path_factory):
    if request.param == "two clusters":
        return two_clusters_book(), watched_book(two_clusters_book())
    path = tmp_path_factory.mktemp("watched") / "plan.xlsx"
    write_workbook(evaluation_of(CASES[request.param]()), path, 0)
    return path, watched_book(path)


def test_every_input_is_watched(written):
    path, book = written
    assert book.inputs["Assumptions"]
    blue = f"FF{STYLES['own']['bg_color'][1:]}"
    of_reader = {
        (sheet, c.coordinate) for sheet, own in book.inputs.items() for c in own if fill_of(c) == blue
    }
    assert set(book.unwatched(book.inputs)) <= of_reader
    assert {sheet for sheet, _ in of_reader} <= {sheet.name for sheet in SHEETS if sheet.is_printed}
    legends = _keys_of(path, "Input: ")
    assert _cells(book.yellow) - _cells(book.inputs) == legends


def test_every_grey_cell_is_watched_and_locked(written):
    path, book = written
    legends = _keys_of(path, "Input of the app")
    assert set(book.unwatched(book.fixed)) == legends
    assert not _cells(book.fixed) & _cells(book.inputs)


def test_all_that_is_watched_counts_in_the_light(written):
    path, book = written
    assert book.rows.keys() == book.counted
    sheet, cell = names_of(path)["all_checks"]
    light = formulas_of(path)[sheet][cell]
    found = re.search(r'COUNTIF\(\$G\$(\d+):\$G\$(\d+),"changed"\)', light)
    first, last = map(int, found.groups())
    assert book.lights <= set(range(first, last + 1))


@pytest.mark.long
def test_nothing_is_changed_at_the_export(written):
    path, _ = written
    cells = cells_of(path)
    sheet, cell = names_of(path)["advice_is_of"]
    assert cells[sheet][cell] == exported_sheet.UNCHANGED
    assert cells[METHOD_AND_CHECKS]["B4"] == "Green"
    assert not any(cells["Check list"].get(f"C{row}") for row in watched_book(path).rows)


@pytest.mark.long
def test_an_input_that_is_written_past_the_book_is_found(tmp_path, monkeypatch):
    """The law itself: a yellow cell that nobody watches."""
    titled = Book.title

    def with_a_yellow_cell(self, sheet, *words, **titles):
        if sheet == "Sources":
            self.put_cell(sheet, 40, 20, 1.0, "rate.input")
        return titled(self, sheet, *words, **titles)

    monkeypatch.setattr(Book, "title", with_a_yellow_cell)
    write_workbook(two_clusters_evaluated(), tmp_path / "plan.xlsx", 0)
    book = watched_book(tmp_path / "plan.xlsx")
    assert ("Sources", "U41") in book.unwatched(book.inputs)


@pytest.mark.long
def test_an_assumption_is_yellow_only_where_a_formula_follows_it(written):
    path, book = written
    texts = {text for sheet in formulas_of(path).values() for text in sheet.values()}
    formulas = " ".join(text for text in texts if not text.startswith("=assume_"))  # Summary shows some again
    read = set(re.findall(r"\bassume_(\w+)", formulas))
    book = openpyxl.load_workbook(path)
    for name, (sheet, cell) in names_of(path).items():
        if name.startswith("assume_") and not book[sheet][cell].protection.locked:
            assert name.removeprefix("assume_") in read, name


@pytest.mark.long
def test_all_but_tables_that_people_add_rows_to_are_protected_without_a_password(written):
    path, book = written
    sheets = openpyxl.load_workbook(path)
    guarded = {sheet.title for sheet in sheets.worksheets if sheet.protection.sheet}
    assert guarded == {sheet.name for sheet in SHEETS if sheet.is_protected} & set(sheets.sheetnames)
    assert all(sheets[name].protection.password is None for name in guarded)
    assert {sheet.title for sheet in sheets.worksheets} - guarded == {"Contract inputs", "Offer inputs"}
    for name in guarded:
        said = sheets[name].protection
        assert not (said.autoFilter or said.sort or said.formatColumns), (
            "False is allowed, in the words of the format"
        )
        assert said.insertRows and said.deleteRows and said.formatCells is False
    for name in book.fixed.keys() - guarded:
        rules = sheets[name].data_validations.dataValidation
        walls = [rule.sqref for rule in rules if rule.type == "custom" and rule.errorStyle in (None, "stop")]
        for cell in book.fixed[name]:
            assert any(cell.coordinate in wall for wall in walls), (name, cell.coordinate)


def _keys_of(path, words):
    """The sample cells of the key of colors next to words."""
    cells = cells_of(path)[METHOD_AND_CHECKS]
    return {(METHOD_AND_CHECKS, f"A{at[1:]}") for at, text in cells.items() if str(text).startswith(words)}


def _cells(by_sheet):
    return {(sheet, cell.coordinate) for sheet, cells in by_sheet.items() for cell in cells}


@pytest.mark.long
def test_formulas_that_are_not_worked_out_again_are_named(tmp_path, monkeypatch):
    """Where a table is too long for them the sheet says which; else it says nothing of it."""

    def line(path):
        write_workbook(evaluation_of(two_clusters_with_layers()), path, 0)
        cells = cells_of(path)["Check list"]
        head = next(int(at[1:]) for at, text in cells.items() if text == "Inputs as exported")
        return cells[f"A{head + 1}"]

    assert "Offers (" not in line(tmp_path / "all.xlsx")
    monkeypatch.setattr(exported_sheet, "LOOKS_AT_MOST", 1)
    assert "Offers (" in line(tmp_path / "few.xlsx")
