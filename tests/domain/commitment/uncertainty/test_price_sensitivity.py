"""Price sensitivity: each case is the plan that its rates alone would give, and what differs from mid is all there."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.audit.audit import audit
from gpuplanner.domain.commitment.backtest.history import history_of
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty.price_sensitivity import price_sensitivity
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.model.book.price_case import PRICE_CASES, PriceCase, own_rate
from gpuplanner.domain.model.pool import Pool
from tests.domain.commitment.conftest import Load, case, offer

GPUS = [float(4 + hour % 6) for hour in range(600)]
OFFERS = [
    replace(offer("od", 0, 7.0), rate_low=Decimal("3.1"), rate_high=Decimal("9")),
    offer("m1", 1, 3.5),
    replace(offer("y1", 12, 3.0), rate_low=Decimal("2.9"), rate_high=Decimal("6.5")),
]


@pytest.fixture
def made() -> Any:
    return case([Load(Pool.INFERENCE, GPUS)], (), OFFERS)


def audited(made: Any) -> Any:
    found = tuple(Classification(pool, "", 1.0, (), None, "label") for pool in made.pools)
    return audit(made.project, found)


def new_layers(advice: Advice) -> dict[tuple[Pool, str | None, int], float]:
    return {
        (plan.pool, plan.gpu_model, layer.term_months): layer.gpus
        for plan in advice.pools
        for layer in plan.layers
        if layer.term_months and not layer.existing
    }


def test_a_case_is_the_plan_of_a_price_list_with_its_rates_alone(made: Any) -> None:
    past = audited(made)
    plans, by_case = made.project.scenarios[0], {}
    for case_ in PRICE_CASES:
        listed = tuple(
            replace(one, rate_usd_per_gpu_hour=own_rate(one, case_) or one.rate_usd_per_gpu_hour)
            for one in made.project.offers
        )
        by_case[case_] = advise(replace(made.project, offers=listed), plans, made.pools, past)
    assert len({advice.totals.plan for advice in by_case.values()}) == 3
    cases = price_sensitivity(made.project, plans, made.pools, past)
    assert [one.case for one in cases] == list(PRICE_CASES)
    mid = new_layers(by_case[PriceCase.MID])
    for one in cases:
        advice = by_case[one.case]
        assert one.plan_usd_per_month == advice.totals.plan
        assert one.do_nothing_usd_per_month == advice.totals.do_nothing
        assert one.savings_vs_do_nothing_usd_per_month == advice.totals.savings_vs_do_nothing
        changed = {(row.pool, row.gpu_model, row.term_months): row.gpus for row in one.changed_layers}
        assert {**mid, **changed} == {**dict.fromkeys(mid, 0.0), **new_layers(advice)}
        assert all(row.gpus != row.gpus_mid for row in one.changed_layers)
    assert [(one.at_mid, one.priced_offers) for one in cases] == [(1, 3), (0, 3), (1, 3)]
    assert any(one.changed_layers for one in cases)


def test_a_cache_that_saw_another_case_answers_the_same(made: Any) -> None:
    past, cache, plan = audited(made), AdviceCache(), made.project.scenarios[0]
    for case_ in (*PRICE_CASES, *PRICE_CASES):
        scenario = replace(plan, price_case=case_)
        assert (
            advise(made.project, scenario, made.pools, past, cache).totals
            == advise(made.project, scenario, made.pools, past).totals
        )


def test_at_mid_nothing_is_priced_anew_and_a_backtest_takes_the_rates_of_its_plan(made: Any) -> None:
    plan = made.project.scenarios[0]
    assert made.project.priced_in(plan) is made.project
    high = history_of(made.project, replace(plan, price_case=PriceCase.HIGH), made.pools)
    assert [one.rate for one in high.project.offers] == [3.5, 9.0, 6.5]


def test_a_cancelled_question_has_no_answer(made: Any) -> None:
    plan = made.project.scenarios[0]
    assert price_sensitivity(made.project, plan, made.pools, audited(made), None, lambda: True) == ()
