"""Leaks of the sheet Audit: a row for each leak and its parts; each GPU-hour counts once; and what was decided."""

from dataclasses import replace

import numpy as np
import pytest

from gpuplanner.domain import edits
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluation_of, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of

DECIDED_S = 1_790_812_800


@pytest.fixture(scope="module")
def evaluation():
    """Three clusters with leaks, one of them dismissed; on the third, training ends halfway."""
    case = two_clusters_with_layers()
    case.workload("gamma", "sft", "training", np.repeat([6.0, 0.0], 96))
    case.workload("gamma", "api", "inference", np.full(192, 2.0))
    case.contract("g-held", "gamma", 8, 2.0)
    found = evaluation_of(case)
    leak = found.audit.leaks[0]
    project = edits.plans.dismiss_leak(found.project, found.scenario, leak, "=known until May", DECIDED_S)
    return replace(found, project=project)


@pytest.fixture(scope="module")
def book(evaluation, tmp_path_factory):
    path = tmp_path_factory.mktemp("leaks") / "leaks.xlsx"
    write_workbook(evaluation, path, 0)
    return path


def part_of_a_contract(evaluation):
    return next(leak for leak in evaluation.audit.leaks if leak.parts[0].kind == "contract").parts[0]


@pytest.fixture(scope="module")
def recalculated(need_tool, evaluation, book, tmp_path_factory):
    """The book, and the book with twice the rate of a contract that leaks, both recalculated."""
    contracts = SheetCells(cells_of(book)["Contract inputs"])
    row = contracts.rows(A=part_of_a_contract(evaluation).id)[0]
    letters, _ = contracts.column("Rate, $ per GPU-h")
    twice = 2 * contracts.cells[f"{letters}{row}"]
    folder = tmp_path_factory.mktemp("soffice")
    changed = changed_copy(book, folder / "rate.xlsx", {("Contract inputs", f"{letters}{row}"): twice})
    return Recalculator(need_tool("soffice"), folder).recalculated(book, changed)


def by_column(sheet, rows, headings, head):
    letters = [sheet.column(heading, head)[0] for heading in headings]
    return [[sheet.cells.get(f"{one}{row}") for one in letters] for row in rows]


HEADINGS = (
    "Leaked, GPU-h in the lookback period",
    "Leaked, $ per month",
    "Counted, GPU-h in the lookback period",
    "Counted, $ per month",
)


def values(amounts):
    return [pytest.approx(amount, abs=0.005) if amount is not None else "—" for amount in amounts]


@pytest.mark.long
def test_leaks_and_parts_are_those_of_the_app_after_recalculation(recalculated, evaluation):
    again, _ = recalculated
    sheet = SheetCells(cells_of(again)["Audit"])
    leaks = evaluation.audit.leaks
    assert len(leaks) >= 4
    _, head = sheet.column("Leak")
    rows = by_column(sheet, range(head + 1, head + 1 + len(leaks)), HEADINGS, head)
    for row, leak in zip(rows, leaks, strict=True):
        assert row == values(
            (leak.gpu_hours, leak.leaked_per_month, leak.counted_gpu_hours, leak.counted_per_month)
        )
    _, head = sheet.column("Behind it")
    parts = [part for leak in leaks for part in leak.parts]
    rows = by_column(sheet, range(head + 1, head + 1 + len(parts)), HEADINGS, head)
    for row, part in zip(rows, parts, strict=True):
        assert row == values(
            (part.gpu_hours, part.leaked_per_month, part.counted_gpu_hours, part.counted_per_month)
        )


def test_sums_and_what_counts_once_are_formulas(evaluation, book):
    sheet, formulas = SheetCells(cells_of(book)["Audit"]), formulas_of(book)["Audit"]
    for heading, where in (("Leak", HEADINGS), ("Behind it", HEADINGS[1:])):
        _, head = sheet.column(heading)
        for title in where:
            assert f"{sheet.column(title, head)[0]}{head + 1}" in formulas, (heading, title)


def test_a_decision_stands_beside_its_leak_as_text(evaluation, book):
    sheet = SheetCells(cells_of(book)["Audit"])
    _, head = sheet.column("Leak")
    decided, why = (sheet.column(heading)[0] for heading in ("Decided", "Why, or who does it"))
    assert sheet.cells[f"{decided}{head + 1}"] == "dismissed, 1 Oct 2026"
    assert "known until May" in sheet.cells[f"{why}{head + 1}"]
    assert f"{why}{head + 1}" not in formulas_of(book)["Audit"]
    assert not sheet.cells.get(f"{decided}{head + 2}")


@pytest.mark.long
def test_the_leak_of_a_contract_follows_its_rate(recalculated, evaluation):
    part = part_of_a_contract(evaluation)
    _, again = recalculated
    sheet = SheetCells(cells_of(again)["Audit"])
    _, head = sheet.column("Behind it")
    parts = [one for each in evaluation.audit.leaks for one in each.parts]
    cell = f"{sheet.column('Leaked, $ per month', head)[0]}{head + 1 + parts.index(part)}"
    assert sheet.cells[cell] == pytest.approx(2 * part.leaked_per_month, abs=0.005)
    light = SheetCells(cells_of(again)["Check list"]).cells
    assert any(str(value).startswith("changed: inputs changed") for value in light.values())
