"""Screening curve of a row: its lines cross at the break-evens."""

from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.levels import screening_of
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
