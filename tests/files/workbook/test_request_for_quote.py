"""Quotes: filled by vendors, compared in the book by formulas, and back as offers."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from gpuplanner.files.importing.check import check_file
from gpuplanner.files.importing.import_tables import import_prices
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.importing.table_preview import preview_table
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluation_of, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of

SHEET = "Request for quote"
QUOTED_ON = (date(2026, 7, 3) - date(1899, 12, 30)).days


@pytest.fixture(scope="module")
def evaluation():
    return evaluation_of(two_clusters_with_layers())


@pytest.fixture(scope="module")
def book(evaluation, tmp_path_factory):
    path = tmp_path_factory.mktemp("request") / "plan.xlsx"
    write_workbook(evaluation, path, 0)
    return path


def cell_under(book, heading, request):
    return SHEET, SheetCells(cells_of(book)[SHEET]).under(heading, A=request)


def above(book, heading, label):
    """The cell over a vendor's first column, in the row of a label."""
    cells = SheetCells(cells_of(book)[SHEET])
    letters, _ = cells.column(heading)
    return SHEET, f"{letters}{cells.rows(A=label)[0]}"


def filled(book, target):
    """Two vendors: the first quotes R1 and half of R2, the second is cheaper for R1, and has too few GPUs for R3."""
    first, second = "Vendor 1: Rate, $ per GPU-h", "Vendor 2: Rate, $ per GPU-h"
    changes = {
        above(book, first, "Vendor"): "Northlight",
        above(book, first, "Quoted on"): QUOTED_ON,
        above(book, second, "Vendor"): "Mossgate",
        above(book, second, "Quoted on"): QUOTED_ON + 1,
        cell_under(book, first, "R1"): 1.75,
        cell_under(book, "Vendor 1: Lead time, hours", "R1"): 48,
        cell_under(book, "Vendor 1: Egress, $ per GB", "R1"): 0.02,
        cell_under(book, "Vendor 1: GPUs, at most", "R2"): 64,
        cell_under(book, second, "R1"): 1.5,
        cell_under(book, second, "R3"): 2.0,
        cell_under(book, "Vendor 2: GPUs, at most", "R3"): 2,
        cell_under(book, "Vendor 2: SLA offered, %", "R3"): 99.95,
        cell_under(book, "Memory, GB per GPU", "R1"): 80,
        cell_under(book, "Region", "R1"): "eu-north",
        cell_under(book, "Bare metal", "R1"): "yes",
        cell_under(book, "Interconnect", "R1"): "infiniband",
    }
    return changed_copy(book, target, changes)


def test_one_row_for_each_layer_to_buy(book, evaluation):
    cells = SheetCells(cells_of(book)[SHEET])
    letters, head = cells.column("GPUs")
    count = len(evaluation.advice.orders)
    gpus = [cells.cells[f"{letters}{row}"] for row in range(head + 1, head + 1 + count)]
    assert sorted(gpus) == sorted(order.gpus for order in evaluation.advice.orders)
    assert [cells.cells[f"A{row}"] for row in range(head + 1, head + 1 + count)] == [
        f"R{number}" for number in range(1, count + 1)
    ]
    now = [order for order in evaluation.advice.orders if order.reason == "now"]
    assert sum(cell.startswith(letters) for cell in formulas_of(book)[SHEET]) == len(now) > 0


def test_quotes_come_back_as_offers(book, tmp_path):
    path = filled(book, tmp_path / "filled.xlsx")
    assert (recognise(str(path)).kind, recognise(str(path)).format) == ("prices", "workbook")
    read = import_prices([str(path)])
    by_vendor = {(offer.provider, offer.offer_id.split()[2]): offer for offer in read.offers}
    assert sorted(by_vendor) == [
        ("Mossgate", "R1"),
        ("Mossgate", "R3"),
        ("Northlight", "R1"),
        ("Northlight", "R2"),
    ]
    best = by_vendor["Northlight", "R1"]
    assert best.rate_usd_per_gpu_hour == Decimal("1.75")
    assert (best.gpu_model, best.term_months, best.lead_time_hours) == ("A100", 12, 48.0)
    assert (best.as_of, best.region, best.interconnect) == ("2026-07-03", "eu-north", "infiniband")
    assert (best.gpu_memory_gb, best.bare_metal, best.egress_usd_per_gb) == (80.0, True, Decimal("0.02"))
    assert best.source == "Quote of Northlight for R1"
    half = by_vendor["Northlight", "R2"]
    assert (half.rate, half.max_gpus, half.gpu_model) == (None, 64, "H100")
    assert by_vendor["Mossgate", "R3"].source == "Quote of Mossgate for R3, SLA 99.95%"
    (file,) = read.intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected, file.rows_ignored) == (5, 4, 0, 1)
    issues = {issue.code: issue for issue in file.issues}
    assert set(issues) == {"quote_needed", "no_quote"}
    assert "R2 of Northlight" in str(issues["quote_needed"].message)


def test_a_quote_of_nobody_is_rejected_with_its_row(book, tmp_path):
    cell = cell_under(book, "Vendor 3: Rate, $ per GPU-h", "R2")
    path = changed_copy(book, tmp_path / "nobody.xlsx", {cell: 2.5})
    (file,) = import_prices([str(path)]).intake
    assert (file.rows_read, file.rows_accepted, file.rows_rejected) == (4, 0, 1)
    assert "R2: the vendor's name above its columns is empty" in str(file.rejected[0].message)
    assert file.rejected[0].row == int("".join(filter(str.isdigit, cell[1])))


def test_a_book_that_nobody_filled_has_no_offers(book):
    read = import_prices([str(book)])
    assert read.offers == ()
    assert read.intake[0].rows_ignored == read.intake[0].rows_read == 4
    assert check_file(str(book))[0].format == "workbook"
    assert preview_table(str(book), "prices", None).counts == (4, 0, 0, 0, 4)


@pytest.mark.long
def test_the_book_compares_the_quotes_and_comes_back_from_another_program(
    need_tool, book, evaluation, tmp_path
):
    calc = Recalculator(need_tool("soffice"), tmp_path / "soffice")
    [again] = calc.recalculated(filled(book, tmp_path / "filled.xlsx"))
    cells = SheetCells(cells_of(again)["Quotes"])

    def of(heading, request):
        return cells.cells[cells.under(heading, A=request)]

    assert (of("Cheapest, $ per GPU-h", "R1"), of("From", "R1")) == (1.5, "Mossgate")
    assert (of("Cheapest, $ per GPU-h", "R2"), of("From", "R2")) == ("—", "quote needed")
    assert of("From", "R3") == "quote needed"
    gpus = of("GPUs", "R1")
    assert of("Against the plan, $ per month", "R1") == pytest.approx(730 * gpus * (1.5 - 1.6))
    total = cells.rows(A="Rows with a quote")[0]
    assert cells.cells[f"M{total}"] == "1 of 4 quoted"
    offers = {offer.offer_id: offer for offer in import_prices([str(again)]).offers}
    assert offers == {
        offer.offer_id: offer for offer in import_prices([str(filled(book, tmp_path / "again.xlsx"))]).offers
    }
    project = evaluation.project
    merged = replace(
        project, offers=tuple(sorted((*project.offers, *offers.values()), key=lambda one: one.offer_id))
    )
    assert len(merged.offers) == len(project.offers) + 4
