"""The workbook of a plan that counts with low or high rates: the app's totals, by formulas, with the past at mid."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.model.book.offer import PriceCase
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.workbook.inputs.rates_found import COUNTED
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluated, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of
from tests.files.workbook.test_recalculated import apart, differences, light_of, summary_of, totals


def banded(offer):
    """Half of the offers state a low and a high rate."""
    if offer.pricing_category is PricingCategory.DYNAMIC or offer.gpu_model == "A100":
        return offer
    rate = offer.rate_usd_per_gpu_hour
    return replace(offer, rate_low=rate * Decimal("0.7"), rate_high=rate * Decimal("1.3"))


def in_case(case):
    made = two_clusters_with_layers()
    scenario = replace(made.scenario, pools=dict(made.pools), price_case=case)
    offers = tuple(banded(offer) for offer in made.project.offers)
    project = replace(made.project, scenarios=(scenario,), offers=offers, title="Small case")
    return evaluated(project, made.classifications)


@pytest.mark.long
@pytest.mark.parametrize("case", [PriceCase.LOW, PriceCase.HIGH])
def test_the_book_recalculates_to_the_apps_totals(need_tool, tmp_path, case):
    evaluation, book = in_case(case), tmp_path / "case.xlsx"
    write_workbook(evaluation, book, 0)
    [again] = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(book)
    assert differences(cells_of(book), cells_of(again)) == []
    assert light_of(again) == "green"
    assert apart(summary_of(again), totals(evaluation)) == {}
    mid = in_case(PriceCase.MID)
    assert totals(mid)["plan_usd_per_month"] != totals(evaluation)["plan_usd_per_month"]
    assert totals(mid)["current_usd_per_month"] == totals(evaluation)["current_usd_per_month"]


@pytest.mark.long
def test_only_a_plan_away_from_mid_has_the_column(tmp_path):
    for case, is_there in ((PriceCase.MID, False), (PriceCase.LOW, True)):
        book = tmp_path / f"{case}.xlsx"
        write_workbook(in_case(case), book, 0)
        said = [str(value) for value in cells_of(book)["Offer inputs"].values()]
        assert any(text == str(COUNTED.heading) for text in said) is is_there
        assert any(f"counts with {case} rates" in text for text in said) is is_there
