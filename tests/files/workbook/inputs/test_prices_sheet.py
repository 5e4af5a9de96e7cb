"""The workbook of a plan in which one GPU model serves another: the app's totals, by formulas, in whole GPUs."""

import re
from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.brief.approval import approval_on
from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.book.only import ModelMapping
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.export.focus import focus_cells, proposed_commitments
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.comparison_months import column_of
from tests.files.workbook.evaluations import evaluated, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy
from tests.files.workbook.test_recalculated import apart, differences, light_of, summary_of, totals

RATIO = 1.6
ORDERS, BY_HOUR = "As advised: orders, $", "As advised: on demand, $"


def mapped(case=PriceCase.MID, hand=False, ratio=RATIO):
    """H200 at the H100's rates, so that 1.6 of its work costs less than one of the H100's own."""
    made = two_clusters_with_layers()
    layers = {(Pool.TRAINING, "H100"): (HandLayer(12, 3),)} if hand else dict(made.scenario.hand_layers)
    scenario = replace(made.scenario, pools=dict(made.pools), price_case=case, hand_layers=layers)
    newer = tuple(
        replace(
            offer,
            offer_id=f"{offer.offer_id}-h200",
            gpu_model="H200",
            gpu_memory_gb=141.0,
            rate_low=offer.rate_usd_per_gpu_hour * Decimal("0.7"),
        )
        for offer in made.project.offers
        if offer.gpu_model == "H100"
    )
    project = replace(
        made.project,
        scenarios=(scenario,),
        offers=tuple(sorted((*made.project.offers, *newer), key=lambda offer: offer.offer_id)),
        mappings=(ModelMapping("H100", "H200", ratio),),
        title="Small case",
    )
    return evaluated(project, made.classifications)


def bought(evaluation):
    """Layers of H200 that serve demand for H100."""
    layers = (layer for pool in evaluation.advice.pools for layer in pool.layers)
    return [layer for layer in layers if layer.offer_gpu_model == "H200"]


@pytest.mark.long
def test_the_books_recalculate_to_the_apps_totals(need_tool, tmp_path):
    """Other rates and their column are in test_price_case_book."""
    cases = {"mid": mapped(), "hand": mapped(hand=True)}
    check_books(cases, need_tool, tmp_path)


@pytest.mark.long
def test_the_book_of_low_rates_recalculates_to_the_apps_totals(need_tool, tmp_path):
    check_books({"low": mapped(PriceCase.LOW)}, need_tool, tmp_path)


def check_books(cases, need_tool, tmp_path):
    """Each book, and the first once more with another ratio, says what the app does."""
    books = [tmp_path / f"{name}.xlsx" for name in cases]
    for evaluation, book in zip(cases.values(), books, strict=True):
        assert all(
            layer.offer_gpus == int(layer.offer_gpus) for layer in bought(evaluation) if layer.term_months
        )
        assert any(layer.term_months for layer in bought(evaluation))
        write_workbook(evaluation, book, 0)
    first = next(iter(cases.values()))
    changed = with_another_ratio(books[0], tmp_path / "ratio.xlsx")
    again = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(*books, changed)
    for evaluation, book, there in zip(cases.values(), books, again[:-1], strict=True):
        assert differences(cells_of(book), cells_of(there)) == []
        assert light_of(there) == "green"
        assert apart(summary_of(there), totals(evaluation)) == {}
    assert light_of(again[-1]) == "changed"
    for heading, moves in (
        (ORDERS, False),
        (BY_HOUR, True),
    ):  # the same GPUs do less work, and the rest is rented
        pairs = zip(column_of(again[-1], heading), column_of(books[0], heading), strict=True)
        assert all((here > there) is moves for here, there in pairs), heading
    assert first.advice.orders


def with_another_ratio(book, target):
    """The ratio changed in the book."""
    cells = SheetCells(cells_of(book)["Offer inputs"])
    head = cells.column("May be served by")[1]
    (row,) = [row for row in cells.rows(A="H100", B="H200") if row > head]
    letters, _ = cells.column("Ratio", head)
    return changed_copy(book, target, {("Offer inputs", f"{letters}{row}"): 1.3})


@pytest.mark.long
def test_what_is_ordered_is_in_whole_gpus_of_the_offers_model(tmp_path):
    evaluation, book = mapped(), tmp_path / "mapped.xlsx"
    write_workbook(evaluation, book, 0)
    orders = evaluation.advice.orders
    assert {order.offer_gpu_model for order in orders if order.gpu_model == "H100"} == {"H200"}
    notes = " ".join(str(value) for value in cells_of(book)["Method and checks"].values())
    assert re.search(r"1 H200 [a-z ]+ 1\.6 H100", notes)
    rows = SheetCells(cells_of(book)["Calc orders"])
    asked = [rows.cells[f"D{row}"] for row in rows.rows(C="H200") if row > rows.column("Request")[1]]
    assert sum(asked) == pytest.approx(sum(one.offer_gpus for one in orders if one.offer_gpu_model == "H200"))
    for one in proposed_commitments(approval_on(evaluation.advice, evaluation.project), evaluation.project):
        told = focus_cells(one)
        assert told["x_Gpus"] == one.order.offer_gpus == int(one.order.offer_gpus)
        assert told["x_GpuModel"] == one.offer.gpu_model
        assert told["ContractCommitmentCost"] == pytest.approx(one.hours * told["x_Gpus"] * one.offer.rate)
