"""Owned GPUs in a plan: a commitment of the term of their life, also beyond the horizon."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.commitment.plan.advice import advise
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.plan.changes import PriceChange
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.tables import Pool, PricingCategory
from tests.domain.model.book.test_offer import NODE, figures

HOURS = 2160
RATE = Decimal("1.624715263980223")
VALUES = {"delta": 0.0, "sigma": 0.1, "slices_lived": False, "lambda_": 0.01}


@pytest.fixture
def planned(make_case, make_load, make_audit):  # type: ignore[no-untyped-def]
    def of(offers, contracts=(), **values) -> Advice:  # type: ignore[no-untyped-def]
        loads = [make_load(Pool.TRAINING, [8.0 if hour % 24 < 12 else 3.0 for hour in range(HOURS)])]
        made = make_case(loads, contracts, offers, **(VALUES | values))
        return advise(made.project, made.project.scenarios[0], made.pools, make_audit())

    return of


def signed(offer: Offer) -> Offer:
    """The same rate over the same term, signed for."""
    return replace(
        offer,
        pricing_category=PricingCategory.COMMITTED,
        term_months=48,
        rate_usd_per_gpu_hour=Decimal("1.624715263980223"),
        staff_usd_per_gpu_month=None,
    )


@pytest.mark.parametrize("horizon", [12, 60])
def test_it_is_planned_as_a_commitment_of_its_rate_and_life(planned, make_offer, horizon) -> None:  # type: ignore[no-untyped-def]
    others = [make_offer("od", 0, 5.0), make_offer("c12", 12, 2.4)]
    owned = planned([*others, NODE], horizon_months=horizon)
    as_signed = planned([*others, signed(NODE)], horizon_months=horizon)
    assert replace(owned.totals, due_at_once_now=0.0) == as_signed.totals  # what is bought is due on the day
    assert owned.comparison == as_signed.comparison
    (plan,), (beside,) = owned.pools, as_signed.pools
    assert plan.break_even == beside.break_even
    bought = [layer for layer in plan.layers if layer.offer_id == "own"]
    assert [layer.pricing_category for layer in bought] == [PricingCategory.OWNED] and bought[
        0
    ].term_months == 48
    order = next(order for order in owned.orders if order.offer_id == "own")
    assert order.liability == pytest.approx(order.gpus * 730 * 48 * float(RATE))
    assert order.is_bought and order.due_at_once == pytest.approx(38_000 * order.gpus)
    assert not any(order.is_bought or order.due_at_once for order in as_signed.orders)


def test_the_longest_term_closes_it_by_its_life(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0), NODE]
    assert any(layer.offer_id == "own" for layer in planned(offers).pools[0].layers)
    closed = planned(offers, max_term_months=47).pools[0]
    assert not any(layer.offer_id == "own" for layer in closed.layers)
    assert any(layer.offer_id == "own" for layer in planned(offers, max_term_months=48).pools[0].layers)


def test_a_contract_that_is_owned_is_paid_whatever_we_do(planned, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0)]
    contract = make_contract("k", 4, 2.0, None, HOURS)
    owned = replace(contract, pricing_category=PricingCategory.OWNED)
    assert planned(offers, [owned]).totals == planned(offers, [contract]).totals


def test_a_plan_counts_with_its_own_cost_of_capital(make_case, make_load) -> None:  # type: ignore[no-untyped-def]
    project = make_case([make_load(Pool.TRAINING, [1.0] * 24)], (), [NODE]).project
    cheap = Scenario(name="cheap", assumptions={"wacc": 0.0})
    assert project.offers[0].rate == figures(NODE)["rate"]
    (there,) = project.offers_in(cheap)
    assert there.rate == figures(NODE, wacc=0.0)["rate"]
    priced = project.priced_in(cheap)
    assert priced.offers == (there,)
    assert replace(priced, title="x").offers == (there,)  # and stays so
    assert project.priced_in(Scenario(name="same")) is project
    again = replace(project, assumptions=replace(project.assumptions, wacc=0.0))
    assert again.offers == (there,)


def test_a_step_of_prices_that_has_been_moves_all_that_owning_costs(make_case, make_load, make_audit) -> None:  # type: ignore[no-untyped-def]
    others = [NODE, signed(NODE)]
    rates = []
    for offer in others:
        loads = [make_load(Pool.TRAINING, [8.0] * HOURS)]
        made = make_case(loads, (), [offer], **VALUES)
        begins_s = made.project.plan_window.end_s
        plan = replace(made.project.scenarios[0], price_changes=(PriceChange("H100", 0.5, begins_s - 3600),))
        advice = advise(replace(made.project, scenarios=(plan,)), plan, made.pools, make_audit())
        (layer,) = advice.pools[0].layers
        rates.append(layer.rate)
    assert rates == [pytest.approx(0.5 * float(RATE))] * 2
