"""Screening curve of a row: its lines cross at the break-evens."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from gpuplanner.domain.commitment.result import Flex, PoolPlan
from gpuplanner.domain.commitment.uncertainty.screening import screening_of
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain.commitment.four_offers import plan_with_four_offers


@pytest.fixture(scope="module")
def plan() -> PoolPlan:
    return plan_with_four_offers()


def test_the_lines_of_the_screening_curve_cross_at_the_break_evens(plan: PoolPlan) -> None:
    screening = screening_of(plan)
    assert screening is not None and screening.by_use_usd == pytest.approx(730 * 7.0)
    assert [term.term_months for term in screening.terms] == [36, 12, 3]
    bound = {one.term_months: one.break_even for one in plan.break_even}
    for term in screening.terms:
        assert term.break_even == bound[term.term_months]
        assert term.compared_per_month == pytest.approx(screening.by_use_usd * term.break_even)
        assert term.compared_per_month >= 730 * term.rate - 1e-9  # a term is never flattered
    (best,) = [term for term in screening.terms if screening.is_cheapest(term)]
    assert best.compared_per_month == min(term.compared_per_month for term in screening.terms)


def test_nothing_by_use_no_screening_curve(plan: PoolPlan) -> None:
    assert screening_of(replace(plan, flex=replace(plan.flex, rate=None))) is None


STANDARD = PricingCategory.STANDARD


def test_a_screening_curve_has_the_terms_whose_figures_are_known() -> None:
    def term(months: int, **more: Any) -> Any:
        figures = {"rate": 1.0, "one_gpu_per_month": 730.0, "compared_per_month": 800.0, "break_even": 0.5}
        return SimpleNamespace(term_months=months, **(figures | more))

    known = [term(3), term(36, break_even=0.3), term(12)]
    lacking = [
        term(6, **{name: None}) for name in ("rate", "one_gpu_per_month", "compared_per_month", "break_even")
    ]
    plan: Any = SimpleNamespace(
        flex=Flex(rate=2.0, category=STANDARD, offer_id="od", spot_share=0.0), break_even=(*known, *lacking)
    )
    screening = screening_of(plan)
    assert screening is not None and screening.by_use_usd == 1460.0
    assert [each.term_months for each in screening.terms] == [36, 12, 3]
    assert [screening.is_cheapest(each) for each in screening.terms] == [True, False, False]
    for rate in (None, 0.0):
        plan.flex = Flex(rate=rate, category=STANDARD, offer_id="od", spot_share=0.0)
        assert screening_of(plan) is None
