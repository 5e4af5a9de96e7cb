from collections.abc import Callable
from decimal import Decimal

import numpy as np
import pytest

from gpuplanner.domain.commitment.recursion.calendar import Calendar
from gpuplanner.domain.commitment.recursion.price_levels import Prices, falling
from gpuplanner.domain.commitment.recursion.rates import (
    blend,
    break_evens,
    committed_offers,
    term_rates,
    usage_price,
)
from gpuplanner.domain.commitment.recursion.spot import SpotFacts
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import Pool, PricingCategory
from gpuplanner.domain.model.window import DAY_S, MONTH_S, instant_s, iso_day

SPOT = PricingCategory.DYNAMIC


def facts(*lost: float) -> SpotFacts:
    every, none = np.ones(len(lost), dtype=np.bool_), np.zeros(len(lost), dtype=np.bool_)
    return SpotFacts(np.array(lost), {Pool.BURST: every, Pool.TRAINING: every, Pool.INFERENCE: none})


def test_the_cheapest_offer_whose_lead_time_fits_and_the_lowest_id_of_equals(
    make_offer: Callable[..., Offer],
) -> None:
    offers = committed_offers(
        [
            make_offer("b", 12, 3.0),
            make_offer("a", 12, 3.0, lead_time_hours=731),
            make_offer("c", 12, 2.0, lead_time_hours=730 * 3),
            make_offer("d", 6, 4.0, min_term_months=7),
            make_offer("e", 6, None),
            make_offer("f", 1, 5.0, lead_time_hours=730, min_term_months=1),
            make_offer("g", 0, 6.0),
        ]
    )
    free = Calendar(free_leads=True)
    rates = term_rates(offers, 5, calendar=free)
    assert rates.terms == (1, 12)
    assert [offers[place].offer_id for place in rates.offer[:, 1]] == ["b", "b", "a", "c", "c"]
    assert rates.rate[:, 0].tolist() == [5.0] * 5
    closed = term_rates(offers, 5, frozenset({"a", "b"}), free)
    assert closed.offer[:, 1].tolist() == [-1, -1, -1, 0, 0]
    assert np.isnan(closed.rate[:3, 1]).all()


def test_a_lead_that_ends_inside_a_month_opens_it_for_the_rest(make_offer: Callable[..., Offer]) -> None:
    offers = committed_offers(
        [
            make_offer("a", 12, 3.0, lead_time_hours=73),
            make_offer("b", 12, 2.0, lead_time_hours=730 * 2),
            make_offer("c", 12, 1.5, lead_time_hours=730 * 2.5),
        ]
    )
    rates = term_rates(offers, 5)
    assert [offers[place].offer_id for place in rates.offer[:, 0]] == ["a", "b", "c", "c", "c"]
    assert rates.late[:, 0] == pytest.approx([0.1, 1.0, 0.5, 0.0, 0.0])
    assert not rates.early.any()


def test_what_is_paid_upfront_counts_in_the_choice_of_an_offer(make_offer: Callable[..., Offer]) -> None:
    offers = committed_offers(
        [make_offer("plain", 12, 3.0), make_offer("deposit", 12, 2.5, upfront_usd=Decimal(5000))]
    )
    assert [offer.offer_id for offer in offers] == ["plain", "deposit"]  # 2.50 + 5,000 / 8,760 h = 3.07
    fair = committed_offers(
        [make_offer("plain", 12, 3.0), make_offer("deposit", 12, 2.5, upfront_usd=Decimal(4000))]
    )
    rates = term_rates(fair, 1)
    assert (fair[0].offer_id, rates.rate[0, 0], rates.upfront[0, 0]) == ("deposit", 2.5, 4000.0)


@pytest.mark.parametrize(("month", "cheapest"), [(3, "quote"), (8, "list")])
def test_a_quote_beside_a_list_that_falls_goes_by_what_is_signed_then(
    make_offer: Callable[..., Offer], month: int, cheapest: str
) -> None:
    """Prices fall by 7% a month: 2.00 is 1.61 in month 3 and 1.12 in month 8; the quote is 1.50 as it was, two parts of
    three upfront."""
    begin_s = instant_s("2026-10-01")
    quote = make_offer(
        "quote",
        12,
        0.5,
        upfront_usd=Decimal(12 * 730),
        starts=iso_day(begin_s + month * MONTH_S + 10 * DAY_S),
        valid_until="2027-12-01",
        source="Quote RFQ-20261001-7C1E R1",
    )
    offers = committed_offers([make_offer("list", 12, 2.0), quote])
    falls = Prices(falling(0.07, 12))
    rates = term_rates(offers, 12, calendar=Calendar(begin_s), prices=falls)
    assert offers[rates.offer[month, 0]].offer_id == cheapest
    assert {offers[at].offer_id for at in np.delete(rates.offer[:, 0], month)} == {"list"}


def test_a_short_window_leaves_terms_of_one_month(make_offer: Callable[..., Offer]) -> None:
    assert [
        o.term_months for o in committed_offers([make_offer("a", 1, 5.0), make_offer("b", 3, 4.0)], 1)
    ] == [1]


def test_spot_where_allowed_feasible_and_cheaper(make_offer: Callable[..., Offer]) -> None:
    offers = [make_offer("od", 0, 6.0), make_offer("spot", 0, 3.0, pricing_category=SPOT)]
    price = usage_price(offers, Pool.BURST, facts(0.0, 0.25, 0.5, 0.6, 1.0))
    assert price.rate.tolist() == [3.0, 4.0, 6.0, 6.0, 6.0]
    assert price.on_spot.tolist() == [True, True, False, False, False]
    assert price.spot_infeasible.tolist() == [False] * 4 + [True]
    assert not usage_price(offers, Pool.INFERENCE, facts(0.0, 2.0)).on_spot.any()
    alone = usage_price(offers[1:], Pool.BURST, facts(0.5, 1.5))
    assert alone.rate[0] == 6.0 and np.isnan(alone.rate[1])


def test_the_blend_is_weighted_by_gpu_time(make_offer: Callable[..., Offer]) -> None:
    offers = [make_offer("od", 0, 6.88), make_offer("spot", 0, 3.0, pricing_category=SPOT)]
    price = usage_price(offers, Pool.BURST, facts(0.0, 0.9))
    mixed = blend([(price, np.array([1.0, 3.0]))])
    assert mixed.rate == pytest.approx((3.0 + 3 * 6.88) / 4)
    assert (mixed.category, mixed.offer_id, mixed.spot_share) == (PricingCategory.MIXED, None, 0.25)
    assert mixed.blended == ("od", "spot")
    alone = blend([(price, np.array([0.0, 7.1]))])
    assert (alone.rate, alone.category, alone.offer_id, alone.spot_share) == (
        6.88,
        PricingCategory.STANDARD,
        "od",
        0.0,
    )
    spot = blend([(price, np.array([7.1, 0.0]))])
    assert (spot.rate, spot.category, spot.offer_id, spot.spot_share) == (
        pytest.approx(3.0),
        SPOT,
        "spot",
        1.0,
    )


def test_a_workload_without_a_price_leaves_the_blend_unknown(make_offer: Callable[..., Offer]) -> None:
    price = usage_price([make_offer("spot", 0, 3.0, pricing_category=SPOT)], Pool.BURST, facts(0.1, 1.5))
    assert blend([(price, np.array([1.0, 1.0]))]).rate is None
    assert blend([(price, np.array([1.0, 0.0]))]).rate == pytest.approx(3 / 0.9)


def test_a_layer_that_is_only_partly_spot_is_mixed_also_where_the_rest_has_no_price(
    make_offer: Callable[..., Offer],
) -> None:
    price = usage_price([make_offer("s", 0, 3.0, pricing_category=SPOT)], Pool.BURST, facts(0.1, 1.5))
    partly = blend([(price, np.array([1.0, 1.0]))])
    assert (partly.category, partly.offer_id, partly.spot_share) == (PricingCategory.MIXED, None, 0.5)
    assert partly.blended == ()  # who serves the rest is unknown
    wholly = blend([(price, np.array([1.0, 0.0]))])
    assert (wholly.category, wholly.offer_id, wholly.spot_share) == (SPOT, "s", 1.0)


def test_break_even_of_a_term(make_offer: Callable[..., Offer]) -> None:
    offers = committed_offers([make_offer("a", 2, 2.75), make_offer("b", 2, 3.0)])
    assert break_evens(offers, 6.88, 0.0, 0.0)[0].break_even == pytest.approx(0.3997, abs=1e-4)
    (answer,) = break_evens(offers, 6.88, 0.01, 0.02)
    assert (answer.term_months, answer.offer_id) == (2, "a")
    assert answer.break_even == pytest.approx(2.75 / (6.88 * (1 + 0.99 * 0.98) / 2))
    assert break_evens(offers, None, 0.01, 0.02)[0].break_even is None
