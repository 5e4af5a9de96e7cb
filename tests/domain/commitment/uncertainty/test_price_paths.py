"""What signing short, as advised and long costs where prices fall, are cut, stay or rise; what the terms hang on."""

from dataclasses import replace
from decimal import Decimal
from itertools import product
from typing import Any

import numpy as np
import pytest

from gpuplanner.domain.audit.audit import audit as audit_project
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.history import history_of
from gpuplanner.domain.commitment.outlook_result import Outlook, PathCost
from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.plan.ground import ground_of
from gpuplanner.domain.commitment.plan.row_plans import Planned, plan_of
from gpuplanner.domain.commitment.recursion.rates import named_paths
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.uncertainty.flips import (
    SignedTerm,
    is_another_mix,
    price_paths,
    price_sensitivity,
)
from gpuplanner.domain.commitment.uncertainty.outlook import outlook
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.book.offer import PRICE_CASES, PriceCase, own_rate
from gpuplanner.domain.model.plan.scenario import HandLayer, Scenario
from gpuplanner.domain.model.tables import Pool
from tests.domain.commitment.conftest import Case, Load, audit, case, contract, offer
from tests.some_of import some_of

# --- What signing short, as advised and long costs where prices fall, are cut, stay or rise; what the
# terms hang on

RANDOM = np.random.default_rng(11)
GPUS = [*(6.0 + hour % 12 + 5 * (RANDOM.random() < 0.5) for hour in range(700))]
OFFERS = [
    offer("od", 0, 7.0),
    offer("m1", 1, 5.4),
    offer("q1", 3, 4.6),
    offer("y1", 12, 3.9),
    offer("y2", 24, 3.3),
    offer("y3", 36, 2.9),
]
LIMITS = {"most", "use_most", "least", "share", "budget"}


def made(
    *, contracts: Any = (), offers: Any = OFFERS, scenario: Scenario | None = None, **values: Any
) -> Case:
    return case(
        [Load(pool=Pool.INFERENCE, gpus=GPUS), Load(pool=Pool.TRAINING, gpus=GPUS)],
        contracts,
        offers,
        scenario,
        **values,
    )


def planned_of(of: Case, scenario: Scenario | None = None) -> tuple[Planned, Any]:
    cache = AdviceCache()
    ground = ground_of(of.project, scenario or of.project.scenarios[0], of.pools, cache)
    return plan_of(ground, cache), ground


def paths_of(of: Case, scenario: Scenario | None = None) -> dict[str, PathCost]:
    planned, ground = planned_of(of, scenario)
    return {one.path: one for one in price_paths(ground, planned, AdviceCache())}


def outlook_of(of: Case) -> Outlook:
    plan = of.project.scenarios[0]
    return outlook(of.project, plan, of.pools, advise(of.project, plan, of.pools, audit()))


@pytest.mark.parametrize("delta", some_of([-0.03, 0.0, 0.004, 0.03], quick=2))
@pytest.mark.parametrize("sigma", [0.0, 0.15])
def test_no_way_of_signing_beats_the_policy_that_knows_the_path(delta: float, sigma: float) -> None:
    for one in paths_of(made(delta=delta, sigma=sigma)).values():
        assert None not in (one.shorter_only_usd, one.advice_usd, one.longer_only_usd, one.regret_usd)
        best = (one.advice_usd or 0.0) - (one.regret_usd or 0.0)
        slack = 1e-9 * best
        assert (one.regret_usd or 0.0) >= -slack
        assert (one.shorter_only_usd or 0.0) >= best - slack and (one.longer_only_usd or 0.0) >= best - slack


@pytest.mark.parametrize(("delta", "path"), [(0.0, "flat"), (0.012, "fall")])
def test_on_the_plans_own_path_the_advice_has_no_regret_and_costs_its_value(delta: float, path: str) -> None:
    of = made(delta=delta, sigma=0.1)
    planned, _ = planned_of(of)
    one = paths_of(of)[path]
    assert one.delta == delta and one.regret_usd == pytest.approx(0.0, abs=1e-6)
    assert one.advice_usd == pytest.approx(sum(float(row.signed.value_usd.sum()) for row in planned.rows))


def test_prices_that_rise_cost_more_than_prices_that_stay_than_prices_that_fall() -> None:
    found = paths_of(made(delta=0.004))
    for way in ("shorter_only_usd", "advice_usd", "longer_only_usd"):
        fall, flat, rise = (getattr(found[path], way) for path in ("fall", "flat", "rise"))
        assert fall <= flat <= rise and getattr(found["cut"], way) <= flat
    assert [found[path].delta for path in ("fall", "cut", "flat", "rise")] == [0.012, None, 0.0, None]


def test_contracts_and_pools_add_up_to_what_each_way_costs() -> None:
    for one in paths_of(made(contracts=[contract("k1", 4, 2.0, 30, len(GPUS))], delta=0.02)).values():
        assert [row.pool for row in one.rows] == [Pool.INFERENCE, Pool.TRAINING]
        for way in ("shorter_only_usd", "advice_usd", "longer_only_usd"):
            parts = [one.contracts_usd, *(getattr(row, way) for row in one.rows)]
            assert sum(parts) == pytest.approx(getattr(one, way))


def test_a_contract_is_paid_whatever_is_signed() -> None:
    held = [contract("k1", 4, 2.0, 30, len(GPUS))]
    of = made(contracts=held, wacc=0.0, delta=0.0)
    with_it = paths_of(of)
    planned, _ = planned_of(of)
    value = sum(float(row.signed.value_usd.sum()) for row in planned.rows)
    assert (with_it["flat"].advice_usd or 0.0) - value == pytest.approx(30 * 730 * 4 * 2.0)


def test_without_terms_over_a_year_shorter_only_is_the_advice() -> None:
    for one in paths_of(made(offers=OFFERS[:4])).values():
        assert one.shorter_only_usd == pytest.approx(one.advice_usd)


def test_what_nobody_knows_the_price_of_is_unknown() -> None:
    for one in paths_of(made(contracts=[contract("k1", 4, None, 30, len(GPUS))])).values():
        assert one.shorter_only_usd is one.advice_usd is one.longer_only_usd is None
        assert (one.regret_usd or 0.0) >= -1e-6
    limited = [offer("od", 0, 7.0, max_gpus=3), *OFFERS[1:]]
    assert {one.regret_usd for one in paths_of(made(offers=limited)).values()} == {None}


def test_layers_set_by_hand_are_what_is_signed_now() -> None:
    key = (Pool.INFERENCE, "H100")
    hand = Scenario(name="Plan A", hand_layers={key: (HandLayer(36, 20),)})
    free, held = paths_of(made(delta=0.06)), paths_of(made(delta=0.06, scenario=hand), hand)
    for path in free:
        assert (held[path].regret_usd or 0.0) >= (free[path].regret_usd or 0.0) - 1e-6
        assert (held[path].regret_usd or 0.0) > 1.0 or path == "rise"


@pytest.mark.parametrize("path", ["fall", "cut", "flat", "rise"])
def test_one_slice_against_every_way_to_cover_its_months(path: str) -> None:
    """One GPU, sixteen months, two terms, no chance: every sequence of actions is tried at the path's prices."""
    horizon, terms, flex = 16, {3: 5.0, 12: 4.1}, 6.0
    of = case(
        [Load(pool=Pool.INFERENCE, gpus=[1.0] * 300 + [0.0] * 100)],
        offers=[offer("od", 0, flex), *(offer(f"t{term}", term, rate) for term, rate in terms.items())],
        sigma=0.0, lambda_=0.0, wacc=0.1, delta=0.03, horizon_months=horizon,
    )  # fmt: skip
    planned, _ = planned_of(of)
    first = int(planned.rows[0].term_now[0])
    busy, beta = 0.75, 1.1 ** (-1 / 12)

    def cheapest(month: int, prices: tuple[float, ...], only: int | None = None) -> float:
        if month >= horizon:
            return 0.0
        usd = 730 * prices[month]
        ways = {0: usd * flex * busy + beta * cheapest(month + 1, prices)}
        for term, rate in terms.items():
            paid = sum(beta**n for n in range(min(term, horizon - month)))
            ways[term] = usd * rate * paid + beta**term * cheapest(month + term, prices)
        return min(ways.values()) if only is None else ways[only]

    prices = named_paths(horizon)[path]
    found = paths_of(of)[path]
    assert found.advice_usd == pytest.approx(cheapest(0, prices, only=first))
    assert found.regret_usd == pytest.approx(cheapest(0, prices, only=first) - cheapest(0, prices), abs=1e-6)
    if first:
        assert found.longer_only_usd == pytest.approx(cheapest(0, prices, only=12))


def test_a_mix_is_another_one_past_a_quarter_of_the_larger_sum() -> None:
    here = {(12, None): SignedTerm(1.0, 100.0)}
    assert not is_another_mix(here, {(12, None): SignedTerm(1.0, 75.0), (3, None): SignedTerm(1.0, 25.0)})
    assert is_another_mix(here, {(12, None): SignedTerm(1.0, 74.0), (3, None): SignedTerm(1.0, 26.0)})
    assert not is_another_mix({}, {}) and is_another_mix(here, {})
    assert not is_another_mix(here, {(12, None): SignedTerm(1.0, 160.0)})
    for one, other in product((here, {(3, None): SignedTerm(1.0, 60.0)}), repeat=2):
        assert is_another_mix(one, other) == is_another_mix(other, one)


def test_the_check_says_where_other_terms_would_be_signed() -> None:
    long_and_short = [offer("od", 0, 7.0), offer("m1", 1, 4.0), offer("y3", 36, 3.4)]
    near = made(offers=long_and_short, delta=0.008, lambda_=0.0, sigma=0.0)
    found = {one.code: one for one in outlook_of(near).checks}
    check = found["terms_hang_on_prices"]
    assert check.severity == "amber" and "36 months" in str(check.message) and "1 month" in str(check.message)
    far = made(offers=[*long_and_short[:2], offer("y3", 36, 1.0)], delta=0.004, lambda_=0.0, sigma=0.0)
    assert "terms_hang_on_prices" not in {one.code for one in outlook_of(far).checks}


# --- Price sensitivity: each case is the plan that its rates alone would give, and what differs from mid
# is all there

PRICE_SENSITIVITY_GPUS = [float(4 + hour % 6) for hour in range(600)]
PRICE_SENSITIVITY_OFFERS = [
    replace(offer("od", 0, 7.0), rate_low=Decimal("3.1"), rate_high=Decimal("9")),
    offer("m1", 1, 3.5),
    replace(offer("y1", 12, 3.0), rate_low=Decimal("2.9"), rate_high=Decimal("6.5")),
]


@pytest.fixture
def made_of_price_sensitivity() -> Any:
    return case([Load(pool=Pool.INFERENCE, gpus=PRICE_SENSITIVITY_GPUS)], (), PRICE_SENSITIVITY_OFFERS)


def audited(made_of_price_sensitivity: Any) -> Any:
    found = tuple(
        Classification(pool=pool, subtype="", confidence=1.0, reasons=(), runner_up=None, source="label")
        for pool in made_of_price_sensitivity.pools
    )
    return audit_project(made_of_price_sensitivity.project, found)


def new_layers(advice: Advice) -> dict[tuple[Pool, str | None, int], float]:
    return {
        (plan.pool, plan.gpu_model, layer.term_months): layer.gpus
        for plan in advice.pools
        for layer in plan.layers
        if layer.term_months and not layer.existing
    }


def test_a_case_is_the_plan_of_a_price_list_with_its_rates_alone(made_of_price_sensitivity: Any) -> None:
    past = audited(made_of_price_sensitivity)
    plans, by_case = made_of_price_sensitivity.project.scenarios[0], {}
    for case_ in PRICE_CASES:
        listed = tuple(
            replace(one, rate_usd_per_gpu_hour=own_rate(one, case_) or one.rate_usd_per_gpu_hour)
            for one in made_of_price_sensitivity.project.offers
        )
        by_case[case_] = advise(
            replace(made_of_price_sensitivity.project, offers=listed),
            plans,
            made_of_price_sensitivity.pools,
            past,
        )
    assert len({advice.totals.plan for advice in by_case.values()}) == 3
    cases = price_sensitivity(made_of_price_sensitivity.project, plans, made_of_price_sensitivity.pools, past)
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


def test_a_cache_that_saw_another_case_answers_the_same(made_of_price_sensitivity: Any) -> None:
    past, cache, plan = (
        audited(made_of_price_sensitivity),
        AdviceCache(),
        made_of_price_sensitivity.project.scenarios[0],
    )
    for case_ in (*PRICE_CASES, *PRICE_CASES):
        scenario = replace(plan, price_case=case_)
        assert (
            advise(
                made_of_price_sensitivity.project, scenario, made_of_price_sensitivity.pools, past, cache
            ).totals
            == advise(
                made_of_price_sensitivity.project, scenario, made_of_price_sensitivity.pools, past
            ).totals
        )


def test_at_mid_nothing_is_priced_anew_and_a_backtest_takes_the_rates_of_its_plan(
    made_of_price_sensitivity: Any,
) -> None:
    plan = made_of_price_sensitivity.project.scenarios[0]
    assert made_of_price_sensitivity.project.priced_in(plan) is made_of_price_sensitivity.project
    high = history_of(
        made_of_price_sensitivity.project,
        replace(plan, price_case=PriceCase.HIGH),
        made_of_price_sensitivity.pools,
    )
    assert [one.rate for one in high.project.offers] == [3.5, 9.0, 6.5]


def test_a_cancelled_question_has_no_answer(made_of_price_sensitivity: Any) -> None:
    plan = made_of_price_sensitivity.project.scenarios[0]
    assert (
        price_sensitivity(
            made_of_price_sensitivity.project,
            plan,
            made_of_price_sensitivity.pools,
            audited(made_of_price_sensitivity),
            None,
            lambda: True,
        )
        == ()
    )
