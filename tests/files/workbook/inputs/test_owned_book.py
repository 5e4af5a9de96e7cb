"""Owned GPUs in the workbook: their rate is a live formula of what owning costs."""

from dataclasses import replace

import pytest

from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.workbook.write import write_workbook
from tests.domain.model.book.test_offer import NODE
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import evaluated, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, formulas_of
from tests.files.workbook.test_recalculated import apart, differences, light_of, summary_of, totals


def with_owned():  # type: ignore[no-untyped-def]
    """Two clusters; the plan has another cost of capital than the project."""
    made = two_clusters_with_layers()
    scenario = replace(made.scenario, pools=dict(made.pools), assumptions={"wacc": 0.05})
    model = next(
        one.gpu_model for one in made.project.offers if one.pricing_category is PricingCategory.COMMITTED
    )
    node = replace(
        NODE, gpu_model=model, gpu_memory_gb=80.0, bare_metal=True, interconnect="infiniband", pue=None
    )
    bare = replace(NODE, offer_id="own-bare", gpu_model=model, capex_usd_per_gpu=None)
    offers = tuple(sorted((*made.project.offers, node, bare), key=lambda offer: offer.offer_id))
    project = replace(made.project, scenarios=(scenario,), offers=offers, title="Owned")
    return evaluated(project, made.classifications)


@pytest.mark.long
def test_the_rate_is_a_formula_that_comes_to_the_plans(tmp_path):  # type: ignore[no-untyped-def]
    evaluation, book = with_owned(), tmp_path / "owned.xlsx"
    write_workbook(evaluation, book, 0)
    cells, formulas = cells_of(book)["Offer inputs"], formulas_of(book)["Offer inputs"]
    offers = SheetCells(cells)
    rate, bare = (offers.under("Rate, $ per GPU-h", A=name) for name in ("own", "own-bare"))
    (offer,) = [
        one for one in evaluation.project.offers_in(evaluation.project.scenarios[0]) if one.offer_id == "own"
    ]
    assert cells[rate] == pytest.approx(offer.rate)
    assert cells[bare] == "\u2014"
    assert "assume_wacc" in formulas[offers.under("Capital, $ per month", A="own")]
    assert formulas[offers.under("PUE", A="own")] == "=MAX(N(assume_pue),1e-06)"


@pytest.mark.long
def test_the_book_recalculates_to_the_apps_totals(need_tool, tmp_path):  # type: ignore[no-untyped-def]
    evaluation, book = with_owned(), tmp_path / "owned.xlsx"
    write_workbook(evaluation, book, 0)
    [again] = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(book)
    assert differences(cells_of(book), cells_of(again)) == []
    assert light_of(again) == "green"
    assert apart(summary_of(again), totals(evaluation)) == {}
