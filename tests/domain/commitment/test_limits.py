"""Limits are limits: fewest GPUs, units of sale, the longest term, the share of one provider."""

from dataclasses import replace

import pytest

from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.commitment.advice import advise
from gpuplanner.domain.commitment.orders import usd_in
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.model.pool import Pool, PricingCategory

HOURS = 192
QUIET = {"lambda_": 0.0, "delta": 0.0, "sigma": 0.0, "wacc": 0.0, "horizon_months": 12}


@pytest.fixture
def planned(make_case, make_load, make_audit):  # type: ignore[no-untyped-def]
    def of(offers, gpus=4.0, contracts=(), **values) -> Advice:  # type: ignore[no-untyped-def]
        made = make_case([make_load(Pool.TRAINING, [gpus] * HOURS)], contracts, offers, **(QUIET | values))
        audit: Audit = make_audit()
        return advise(made.project, made.project.scenarios[0], made.pools, audit)

    return of


def signed(advice: Advice) -> dict[str | None, float]:
    (plan,) = advice.pools
    return {layer.offer_id: layer.gpus for layer in plan.layers if layer.term_months}


@pytest.mark.parametrize(("least", "expected"), [(4, {"c3": 4.0}), (5, {"c1": 4.0})])
def test_an_offer_that_is_sold_from_so_many_on_is_closed_below(planned, make_offer, least, expected) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0), make_offer("c1", 1, 4.0), make_offer("c3", 3, 2.0, min_gpus=least)]
    advice = planned(offers)
    assert signed(advice) == expected
    months = {order.month for order in advice.orders if order.offer_id == "c3"}
    assert (0 in months) == (least == 4)
    assert 1 in months or 3 in months  # in month 0 alone it is closed


def test_minima_are_closed_one_by_one_in_the_order_of_their_names(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [
        make_offer("od", 0, 5.0),
        make_offer("a", 3, 2.0, min_gpus=9),
        make_offer("b", 3, 2.1, min_gpus=9),
        make_offer("c", 3, 2.2, min_gpus=4),
    ]
    assert signed(planned(offers)) == {"c": 4.0}


def test_nodes_are_signed_whole(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0), make_offer("c3", 3, 2.0, unit_gpus=8)]
    advice = planned(offers, 12.0)
    assert signed(advice) == {"c3": 16.0}
    assert {order.offer_gpus for order in advice.orders} == {16.0}
    assert signed(planned(offers, 12.0, unit=1)) == {"c3": 12.0}
    assert signed(planned(offers, 12.0, unit=4)) == {"c3": 12.0}
    assert signed(planned(offers, 5.0, unit=3)) == {"c3": 6.0}


def test_where_slices_are_finer_than_a_node_whole_nodes_are_paid_for(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0), make_offer("c3", 3, 2.0, unit_gpus=8)]
    advice = planned(offers, 12.0, block=1)
    (layer,) = advice.pools[0].layers
    assert (layer.gpus, layer.offer_gpus, layer.usd_per_month) == (12.0, 16.0, pytest.approx(730 * 16 * 2.0))
    for row in advice.comparison:
        ordered = sum(usd_in(order, row.month) or 0.0 for order in advice.orders)
        assert ordered == pytest.approx(row.orders_usd) == pytest.approx(730 * 16 * 2.0)


def test_terms_over_the_longest_are_closed(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0), make_offer("c3", 3, 2.0), make_offer("c12", 12, 1.0)]
    assert signed(planned(offers)) == {"c12": 4.0}
    advice = planned(offers, max_term_months=3)
    assert signed(advice) == {"c3": 4.0}
    assert [one.term_months for one in advice.pools[0].break_even] == [3]
    assert max(order.term_months for order in advice.orders) == 3


def shared_out(make_offer, make_contract):  # type: ignore[no-untyped-def]
    offers = [
        make_offer("od", 0, 5.0),
        make_offer("one", 3, 2.0, provider="one"),
        make_offer("two", 3, 3.0, provider="two"),
    ]
    return offers, [make_contract("k", 2, 2.0, None, HOURS, provider="one")]


def test_one_provider_gets_no_more_than_its_share(planned, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    offers, contracts = shared_out(make_offer, make_contract)
    assert signed(planned(offers, 10.0, contracts)) == {"one": 8.0}
    # half of 20 x 730 $: 4 are the contract's, so that three GPUs at 2 fit, then three at 3; the rest is used
    advice = planned(offers, 10.0, contracts, max_provider_share=0.5)
    assert signed(advice) == {"one": 3.0, "two": 3.0}
    assert not [check for check in advice.checks if check.code == "over_provider_share"]
    both = planned(offers, 10.0, contracts, max_provider_share=1.0)
    assert signed(both) == {"one": 8.0}


def test_contracts_that_are_over_the_share_by_themselves_are_said(planned, make_offer, make_contract) -> None:  # type: ignore[no-untyped-def]
    offers, contracts = shared_out(make_offer, make_contract)
    advice = planned(offers, 10.0, contracts, max_provider_share=0.15)
    (check,) = [check for check in advice.checks if check.code == "over_provider_share"]
    assert (check.severity, check.subject) == ("amber", "one")
    assert "one" not in signed(advice)


def test_use_counts_for_no_provider(planned, make_offer) -> None:  # type: ignore[no-untyped-def]
    offers = [make_offer("od", 0, 5.0, provider="one", pricing_category=PricingCategory.STANDARD)]
    offers.append(replace(make_offer("c3", 3, 2.0), provider="one"))
    assert signed(planned(offers, max_provider_share=0.5)) == {"c3": 2.0}
