"""A book under what people do to its tables: sorted, inserted into, appended to, deleted from; none silently wrong."""

from typing import Final

import openpyxl
import pytest

from gpuplanner.cli.self_test import demo_days, write_demo_folder
from gpuplanner.files.workbook.answers.exported_sheet import CHANGED_WORDS, UNCHANGED
from gpuplanner.files.workbook.kit.looks import INPUT_FILL
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import two_clusters_evaluated
from tests.files.workbook.people import (
    Deed,
    book_with_tables,
    carried_out,
    copied_in,
    copied_to,
    deleted,
    inserted,
    moved_to,
    sorted_as_excel_does,
    sorted_by,
    tried,
    typed,
    written_in,
)
from tests.files.workbook.recalculate import Recalculator, cells_of, names_of
from tests.files.workbook.test_recalculated import light_of, summary_of
from tests.files.workbook.test_the_light import PARTS, said_in

NOW_S = 1_793_000_000
ERRORS = ("#REF!", "#VALUE!", "#N/A", "#NAME?", "#DIV/0!", "#NUM!")
TABLES = {"Contracts": "H", "Offers": "F", "Cheapest eligible rates": "C"}
"""Those on sheets that are not protected, whose rows formulas of other sheets read; by what they are sorted."""


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A book, and where its tables are."""
    path = tmp_path_factory.mktemp("people") / "plan.xlsx"
    areas = book_with_tables(two_clusters_evaluated(), path)
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
        assert said_in(again).startswith(UNCHANGED)
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
    assert said_in(appended).startswith(f"{CHANGED_WORDS}1 row ") and f" {title} (row {row})" in said_in(
        appended
    )
    assert light_of(appended) == "changed"
    if title != "Cheapest eligible rates":  # which nobody fills in
        assert said_in(appended).rpartition(", ")[2] in cells_of(appended)[area.sheet].values()
    for again in without:
        assert said_in(again).startswith(CHANGED_WORDS)
        named, _, of_months = said_in(again).partition(". Dashes of months: ")
        assert named.endswith(f" is not in {title} any more")
        assert not of_months or (title == "Cheapest eligible rates" and "a rate is missing" in of_months)
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


BESIDE: Final = "not counted: import in the app"


def edits_of(areas, names):
    """What a buyer does: (words, deed, the word of the light, what is said). The light names what is damaged."""
    contracts, offers, layers = areas["Contracts"], areas["Offers"], areas["Layers"]
    first, offer = contracts.first + 1, offers.first + 2
    figure = f"B{areas['Calc months: Figure'].first + 1}"
    size = f"G{areas['Orders'].first + 1}"  # GPUs of the first order of the list

    def contract(cell, text):
        return written_in("Contract inputs", f"{cell}{first}", text)

    def below(area, by):
        row = area.last + 1 + by
        return typed(area.sheet, [(f"A{row}", "another"), (f"F{row}", 5), (f"G{row}", 50)])

    price_fall = names["assume_delta"][1]
    gone, no_number = "columns of {} are gone", "is not a number"
    return (
        ("rows below the spare ones", below(contracts, 7), "changed", f"row {contracts.last + 8} of Contract inputs"),
        ("rows far below", below(contracts, 60), "changed", f"row {contracts.last + 61} of Contract inputs"),
        ("offers below the spare rows", below(offers, 7), "changed", f"row {offers.last + 8} of Offer inputs"),
        ("a row above the first", copied_in(contracts, contracts.first + 1, contracts.first), "changed",
         "of Contract inputs is outside of the lists"),
        ("a contract copied", copied_in(contracts, contracts.first, contracts.first + 2), "changed",
         f"1 row added to Contracts (row {contracts.first + 3}), {BESIDE}"),
        ("a contract pasted below", copied_to(contracts, contracts.first, contracts.last + 1), "changed",
         f"1 row added to Contracts (row {contracts.last + 2}), {BESIDE}"),
        ("an offer copied", copied_in(offers, offers.first, offers.first + 2), "changed", "1 row added to Offers"),
        ("a contract cut out", moved_to(contracts, contracts.first, contracts.last + 30), "changed",
         "a-free is not in Contracts any more"),
        ("an end in words", contract("J", "31 March 2027"), "red", f"{no_number} ('Contract inputs'!J{first})"),
        ("a month 13", contract("I", "2027-13-01"), "red", f"Start (UTC) {no_number} ('Contract inputs'!I{first})"),
        ("no start", Deed("clear", "Contract inputs", (f"I{first}",)), "red",
         f"{no_number} ('Contract inputs'!I{first})"),
        ("GPUs with their unit", contract("G", "64 GPUs"), "red", f"GPUs {no_number} ('Contract inputs'!G{first})"),
        ("a rate with its currency", contract("H", "$2.50"), "red", f"{no_number} ('Contract inputs'!H{first})"),
        ("an offer with its currency", written_in("Offer inputs", f"F{offer}", "2.50 USD"), "red",
         f"{no_number} ('Offer inputs'!F{offer})"),
        ("a size in words", written_in("Calc orders", size, "twelve"), "red", f"{no_number} ('Calc orders'!{size})"),
        ("no size", Deed("clear", "Calc orders", (size,)), "changed", f"('Calc orders'!{size})"),
        ("a negative size", typed("Calc orders", [(size, -5)]), "red", f"is out of range ('Calc orders'!{size})"),
        ("negative GPUs", typed("Contract inputs", [(f"G{first}", -5)]), "red",
         f"is out of range ('Contract inputs'!G{first})"),
        ("a day of another century", typed("Contract inputs", [(f"I{first}", 200_000)]), "red",
         f"is out of range ('Contract inputs'!I{first})"),
        ("30 for 30%", typed("Assumptions", [(price_fall, 30)]), "red", f"is out of range (Assumptions!{price_fall})"),
        ("rates filled down", Deed("fill", "Contract inputs", (f"H{first}:H{contracts.last + 1}",)), "changed",
         "a-held: Rate"),
        ("a block pasted over inputs", Deed("copy", "Contract inputs", (f"A{first}:C{first + 2}", f"G{first}")), "red",
         f"{no_number} ('Contract inputs'!I{first})"),
        ("a column of words deleted", Deed("delete column", "Contract inputs", ("1",)), "red",
         gone.format("Contract inputs")),
        ("the rates deleted", Deed("delete column", "Contract inputs", ("7",)), "red", gone.format("Contract inputs")),
        ("the numbers deleted", Deed("delete column", "Contract inputs", ("27",)), "red",
         gone.format("Contract inputs")),
        ("offered rates deleted", Deed("delete column", "Offer inputs", ("5",)), "red", gone.format("Offer inputs")),
        ("a column inserted", Deed("insert column", "Contract inputs", ("7",)), "changed",
         "columns are new in Contract inputs"),
        ("a layer deleted", Deed("unprotect and delete", "Calc orders", (str(layers.first + 1),)), "red",
         CHANGED_WORDS),
        ("a figure typed over", Deed("unprotect and write", "Calc months", (figure, "1")), "red", ""),
        ("a sheet deleted", Deed("delete sheet", "Audit", ()), "red", ""),
        ("the contracts deleted", Deed("delete sheet", "Contract inputs", ()), "red", gone.format("Contract inputs")),
        ("a sheet renamed", Deed("rename", "Contract inputs", ("Our contracts",)), "green", UNCHANGED),
        ("a row hidden", Deed("hide", "Contract inputs", (str(contracts.first),)), "green", UNCHANGED),
    )  # fmt: skip


NOT_MOVED: Final = {
    *("rows below the spare ones", "rows far below", "offers below the spare rows", "a row above the first"),
    *("a contract copied", "a contract pasted below", "an offer copied"),
    *("a column inserted", "a sheet renamed", "a row hidden", "a column of words deleted"),
}
"""What is not counted, or no input, changes no figure."""


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_a_buyer_does_is_followed_or_said(calc, written, tmp_path, part):
    book, areas = written
    edits = edits_of(areas, names_of(book))[part::PARTS]
    [untouched] = calc.recalculated(book)
    told = summary_of(untouched)
    books = carried_out(calc.soffice, book, tmp_path / "made", [edit[1] for edit in edits])
    otherwise = []
    for (name, _, word, said), again in zip(edits, books, strict=True):
        sheet, cell = names_of(again)["all_checks"]
        light, line = cells_of(again)[sheet][cell], said_in(again)
        names_it = "is not a number" in said or "is out of range" in said
        is_so = light.startswith(word) and said in (light if names_it else line)
        is_so &= ", first: " in light or "(" in light if word == "red" else not errors_in(again)
        if not is_so or (name in NOT_MOVED and summary_of(again) != told):
            otherwise.append((name, light, line, errors_in(again)[:5]))
    assert otherwise == []


@pytest.mark.long
def test_what_is_no_number_is_named(calc, written, tmp_path):
    """Of the edits above those that were silent, or named another cell."""
    book, areas = written
    wanted = ("rows below the spare ones", "a contract copied", "a size in words")
    edits = [edit for edit in edits_of(areas, names_of(book)) if edit[0] in wanted]
    books = carried_out(calc.soffice, book, tmp_path / "made", [edit[1] for edit in edits])
    for (name, _, word, said), again in zip(edits, books, strict=True):
        assert light_of(again) == word, name
        assert said in said_in(again), (name, said_in(again))


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


@pytest.mark.long
@pytest.mark.parametrize(
    ("sheet", "heading", "formula"),
    [
        ("Contract inputs", "Rate in force, $ per GPU-h", "{}*0.9"),
        ("Contract inputs", "Used, GPU-h in the lookback period", "{}+1"),
    ],
)
def test_a_formula_typed_over_with_another_after_a_legal_edit_is_red(
    calc, written, tmp_path, sheet, heading, formula
):
    """A changed rate alone explains other totals, and must not hide what else was done on a sheet that is open."""
    book, _ = written
    cells = SheetCells(cells_of(book)[sheet])
    workbook = openpyxl.load_workbook(book)
    page, at = workbook[sheet], cells.under(heading, A="a-free")
    page[cells.under("Rate, $ per GPU-h", A="a-free")] = 3.5
    workbook.save(tmp_path / "edited.xlsx")
    page[at] = formula.format(f"=({page[at].value.removeprefix('=')})")
    workbook.save(tmp_path / "damaged.xlsx")
    edited, damaged = calc.recalculated(tmp_path / "edited.xlsx", tmp_path / "damaged.xlsx")
    assert light_of(edited) == "changed"
    assert light_of(damaged) == "red"


@pytest.mark.long
def test_what_is_typed_into_any_yellow_cell_is_named_and_breaks_nothing_else(need_tool, tmp_path):
    """In the demo's book, in a program that works out what an edit touches alone: a word, and then another number."""
    write_demo_folder(tmp_path / "demo", demo_days(None, NOW_S), NOW_S)
    book, soffice = tmp_path / "demo" / "demo.xlsx", need_tool("soffice")
    yellow = [
        (sheet.title, cell.coordinate, cell.value)
        for sheet in openpyxl.load_workbook(book)
        for row in sheet.iter_rows()
        for cell in row
        if not cell.protection.locked and cell.fill.fgColor.rgb == f"FF{INPUT_FILL.removeprefix('#')}"
    ]
    assert len(yellow) > 150
    numbers = [edit for edit in yellow if isinstance(edit[2], int | float)][::3]
    for edits in (
        [(sheet, cell, "abc") for sheet, cell, _ in yellow],
        [(sheet, cell, 1.5 * value + 0.25) for sheet, cell, value in numbers],
    ):
        said = tried(soffice, book, tmp_path / "tried", edits)
        assert len(said) == len(edits) >= 30
        for (sheet, cell, _), (at, line, errors) in zip(edits, said, strict=True):
            named = f"'{sheet}'!{cell}" if " " in sheet else at
            assert at == f"{sheet}!{cell}" and named in line, (at, line)
            assert not errors, (at, errors)
