"""The light under edits that a buyer makes: each is followed and said, or locked and, where it is forced, said."""

import re
import zipfile
from dataclasses import dataclass

import openpyxl
import pytest

from gpuplanner.files.workbook.answers.exported_sheet import CHANGED_WORDS, UNCHANGED
from gpuplanner.files.workbook.kit.cells import sheet_reference
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import two_clusters_book
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, names_of
from tests.files.workbook.test_recalculated import light_of

RATE = "Rate, $ per GPU-h"
PARTS = 3
"""Edits are tried in parts, so that one start of the spreadsheet program is not asked for too much."""
SIGNED = "c12-H100"
"""An offer that the plan signs."""


@dataclass(frozen=True, kw_only=True)
class Edit:
    """One cell with another value. words: how it is named where changed inputs are, but for the cell; moves: whether
    figures follow."""

    name: str
    sheet: str
    cell: str
    value: float | str
    words: str
    moves: bool = False


@pytest.fixture(scope="module")
def book():
    return two_clusters_book()


@pytest.fixture(scope="module")
def calc(need_tool, tmp_path_factory):
    return Recalculator(need_tool("soffice"), tmp_path_factory.mktemp("soffice"))


def edits_of(book):
    """What a buyer tries: assumptions, contracts, offers, layers, orders, FOCUS rows, workloads."""
    cells, names = cells_of(book), names_of(book)
    contracts, offers = SheetCells(cells["Contract inputs"]), SheetCells(cells["Offer inputs"])
    workloads, focus = SheetCells(cells["Calc workloads"]), SheetCells(cells["FOCUS"])

    def assumption(name, value, words, *, moves=False):
        sheet, cell = names[f"assume_{name}"]
        return Edit(name=name, sheet=sheet, cell=cell, value=value, words=words, moves=moves)

    def contract(heading, value, *, moves=False):
        return Edit(
            name=f"contract: {heading}",
            sheet="Contract inputs",
            cell=contracts.under(heading, A="a-free"),
            value=value,
            words=f"a-free: {heading}",
            moves=moves,
        )

    def offer(heading, value, *, moves=False):
        cell = offers.under(heading, A=SIGNED)
        return Edit(
            name=f"offer: {heading}",
            sheet="Offer inputs",
            cell=cell,
            value=value,
            words=f"{SIGNED}: {heading}",
            moves=moves,
        )

    def first_order(heading, value, *, moves=False):
        sheet = SheetCells(cells["Calc orders"])
        head = next(
            int(at[1:]) for at, text in cells["Calc orders"].items() if str(text).startswith("Orders of")
        )
        letters, row = sheet.column(heading, head)
        return Edit(
            name=f"order: {heading}",
            sheet="Calc orders",
            cell=f"{letters}{row + 1}",
            value=value,
            words=f": {heading}",
            moves=moves,
        )

    return [
        assumption("sigma", 0.3, "Volatility"),
        assumption("wacc", 0.2, "Cost of capital"),
        assumption("horizon_months", 24, "Planning horizon"),
        assumption("demand", 1.5, "Demand"),
        assumption("lambda", 0.05, "Attrition"),
        assumption("delta", 0.03, "Price decline"),
        assumption("recency_half_life_days", 2, "Recency half-life", moves=True),
        Edit(
            name="hours in a month",
            sheet=names["hours_per_month"][0],
            cell=names["hours_per_month"][1],
            value=720,
            words="Hours in a month",
            moves=True,
        ),
        contract("Pricing category", "STANDARD"),
        contract("GPU model", "A100"),
        contract("Cluster", "beta"),
        contract("Pinned to", "Training"),
        contract("Term, months", 36),
        contract("Notice, days", 900),
        contract("End, exclusive (UTC)", 60_000),
        contract(RATE, 9.75, moves=True),
        contract("GPUs", 7, moves=True),
        offer("GPU model", "A100"),
        offer("Pricing category", "DYNAMIC"),
        offer("At most, GPUs", 1),
        offer("Lead time, hours", 5_000),
        offer("Region", "eu"),
        offer(RATE, 2.60, moves=True),
        first_order("GPUs", 11, moves=True),
        first_order("Reason", "another"),
        first_order("Start", "1 Jan 2030"),
        Edit(
            name="FOCUS row",
            sheet="FOCUS",
            cell=_below(focus, "x_Reason"),
            value="another",
            words=": x_Reason",
        ),
        Edit(
            name="pool of a workload",
            sheet="Calc workloads",
            cell=_below(workloads, "Pool"),
            value="Burst",
            words="words of ",
        ),
        Edit(
            name="class of a workload",
            sheet="Calc workloads",
            cell=_below(workloads, "Class"),
            value="Burst",
            words="words of ",
        ),
        Edit(
            name="GPU-hours of a workload",
            sheet="Calc workloads",
            cell=_below(workloads, "GPU-h as logged"),
            value=1e6,
            words="Calc workloads: GPU-h as",
        ),
    ]


def _below(sheet, heading):
    letters, row = sheet.column(heading)
    return f"{letters}{row + 1}"


@pytest.mark.long
def test_what_a_reader_may_not_change_is_locked_or_walled(book):
    opened = openpyxl.load_workbook(book)
    for edit in edits_of(book):
        sheet = opened[edit.sheet]
        cell = sheet[edit.cell]
        if not cell.protection.locked:
            continue
        is_walled = any(
            rule.type == "custom" and cell.coordinate in rule.sqref
            for rule in sheet.data_validations.dataValidation
        )
        assert sheet.protection.sheet or is_walled, edit.name


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_no_edit_leaves_the_light_green(calc, book, tmp_path, part):
    edits = edits_of(book)[part::PARTS]
    copies = [
        changed_copy(book, tmp_path / f"{number}.xlsx", {(edit.sheet, edit.cell): edit.value})
        for number, edit in enumerate(edits)
    ]
    untouched, *again = calc.recalculated(changed_copy(book, tmp_path / "none.xlsx", {}), *copies)
    assert light_of(untouched) == "green"
    assert said_in(untouched) == UNCHANGED
    told = figures_of(untouched)
    for edit, changed in zip(edits, again, strict=True):
        assert light_of(changed) in ("changed", "red"), edit.name
        said = said_in(changed)
        assert said.startswith(CHANGED_WORDS), edit.name
        assert edit.words in said, (edit.name, said)
        assert f"({sheet_reference(edit.sheet)}!{edit.cell})" in said or edit.sheet == "Calc workloads", (
            edit.name,
            said,
        )
        if edit.moves:
            assert figures_of(changed) != told, f"{edit.name} moves nothing"


@pytest.mark.long
def test_many_changes_are_named_and_the_rest_counted(calc, book, tmp_path):
    names = names_of(book)
    assumed = [place for name, place in sorted(names.items()) if name.startswith("assume_")]
    [again] = calc.recalculated(changed_copy(book, tmp_path / "many.xlsx", dict.fromkeys(assumed, 0.123)))
    said = said_in(again)
    assert said.count("(Assumptions!") == 10
    assert said.endswith(f" and {len(assumed) - 10} more")


@pytest.mark.long
def test_two_changes_of_a_row_are_both_named(calc, book, tmp_path):
    contracts = SheetCells(cells_of(book)["Contract inputs"])
    of = {heading: contracts.under(heading, A="a-free") for heading in ("GPUs", RATE, "Term, months")}
    two = {("Contract inputs", of[heading]): 9 for heading in ("GPUs", RATE)}
    three = {("Contract inputs", cell): 9 for cell in of.values()}
    copies = [changed_copy(book, tmp_path / f"{len(one)}.xlsx", one) for one in (two, three)]
    both, all_three = map(said_in, calc.recalculated(*copies))
    assert sorted(re.findall(r"\('Contract inputs'!(\w+)\)", both)) == sorted(cell for _, cell in two)
    named = re.findall(r"\('Contract inputs'!(\w+)\)", all_three)
    assert len(set(named)) == 2 and set(named) < set(of.values()) and " 1 " in all_three


@pytest.mark.long
def test_rows_are_found_wherever_they_were_sorted_to(calc, book, tmp_path):
    """Two contracts that changed their places, with all that was exported of them, are as they were."""
    cells = SheetCells(cells_of(book)["Contract inputs"])
    rows = [cells.under("Contract", A=name).lstrip("A") for name in ("a-free", "b-over")]
    [again] = calc.recalculated(with_rows_exchanged(book, tmp_path / "sorted.xlsx", "Contract inputs", *rows))
    moved = cells_of(again)
    assert moved["Contract inputs"][f"A{rows[0]}"] == "b-over"
    watched = {
        moved["Check list"].get(f"A{row}"): row for row in range(1, 400) if f"B{row}" in moved["Check list"]
    }
    assert [moved["Check list"][f"B{watched[name]}"] for name in ("a-free", "b-over")] == [5, 1]
    assert [moved["Check list"][f"C{watched[name]}"] for name in ("a-free", "b-over")] == [0, 0]


def with_rows_exchanged(book, target, sheet, one, other):
    """A copy in which the cells of two rows stand in the other one, as a spreadsheet sorts them."""
    with zipfile.ZipFile(book) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        names = re.findall(r'<sheet name="([^"]+)"', source.read("xl/workbook.xml").decode())
        part = f"xl/worksheets/sheet{names.index(sheet) + 1}.xml"
        for name in source.namelist():
            text = source.read(name)
            if name == part:
                text = _exchanged(text.decode(), one, other).encode()
            copy.writestr(name, text)
    return target


def _exchanged(xml, one, other):
    """The cells of two rows as the sheet's XML, each with the other's content: formulas follow to its cells."""
    cell = re.compile(rf'<c r="([A-Z]+)({one}|{other})"([^>]*?(?:/>|>.*?</c>))')
    contents = {(letters, row): rest for letters, row, rest in cell.findall(xml)}

    def moved(match):
        letters, row, _ = match.groups()
        came_from = other if row == one else one
        in_row = rf"(?<![!$A-Z])(\$?[A-Z]{{1,3}}){came_from}\b"
        return f'<c r="{letters}{row}"' + re.sub(in_row, rf"\g<1>{row}", contents[letters, came_from])

    return cell.sub(moved, xml)


def said_in(book):
    """The line that says which inputs were changed."""
    sheet, cell = names_of(book)["advice_is_of"]
    return cells_of(book)[sheet][cell]


def figures_of(book):
    """Numbers of the sheets that work something out."""
    cells = cells_of(book)
    return {
        (sheet, at): round(value, 6)
        for sheet in ("Calc months", "Calc orders", "Calc pools")
        for at, value in cells[sheet].items()
        if isinstance(value, int | float)
    }
