"""Owned GPUs: the known answer, what is missing, and whose cost of capital counts."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuplanner.domain.figures.order import OWNED
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.offer import (
    PRICE_CASES,
    Offer,
    PriceCase,
    offer_in_case,
    offers_in_case,
    owned_at,
    owned_inputs,
    unstated,
    without_own_rate,
)
from gpuplanner.domain.model.book.offer_fields import check_offer, with_value
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import instant_s
from tests.domain.model.book.stated_offers import HOUR, OFFER, YEAR, changed
from tests.some_of import examples

NODE = Offer(
    offer_id="own",
    gpu_model="H100",
    pricing_category=PricingCategory.OWNED,
    term_months=0,
    rate_usd_per_gpu_hour=Decimal(9),  # of the list: it does not count
    capex_usd_per_gpu=Decimal(38_000),
    life_months=48,
    residual_share=0.15,
    kw_per_gpu=1.275,
    pue=1.3,
    usd_per_kwh=Decimal("0.08"),
    space_usd_per_kw_month=Decimal(150),
    staff_usd_per_gpu_month=Decimal(40),
)


def figures(offer: Offer, wacc: float = 0.1, pue: float = 2.0, used: float | None = None):  # type: ignore[no-untyped-def]
    return OWNED.row({**owned_inputs(offer, wacc, pue), "used_share": used})


def test_the_known_answer() -> None:
    found = figures(NODE, used=0.6)
    assert found["owned_per_month"] == pytest.approx(1186.04, abs=0.005)
    assert found["rate"] == pytest.approx(1.6247, abs=5e-5)
    assert found["rate_in_use"] == pytest.approx(2.7079, abs=5e-5)
    (at,) = owned_at((NODE,), 0.1, 2.0)
    assert (at.rate, at.term_months, at.spread_rate) == (found["rate"], 48, found["rate"])


def test_without_a_cost_of_capital_the_price_is_paid_in_equal_parts() -> None:
    assert figures(NODE, wacc=0.0)["capital_per_month"] == pytest.approx(38_000 * 0.85 / 48)


@settings(max_examples=examples(20))
@given(st.floats(1e-9, 1e-5), st.integers(1, 120), st.floats(0, 1))
def test_a_small_cost_of_capital_tends_to_that(wacc: float, life: int, left: float) -> None:
    offer = replace(NODE, life_months=life, residual_share=left)
    plain = 38_000 * (1 - left) / life
    assert figures(offer, wacc=wacc)["capital_per_month"] == pytest.approx(plain, abs=1.0)


@pytest.mark.parametrize("missing", [{"capex_usd_per_gpu": None}, {"life_months": None}])
def test_without_price_or_life_a_quote_is_needed(missing) -> None:  # type: ignore[no-untyped-def]
    (at,) = owned_at((replace(NODE, **missing),), 0.1, 1.3)
    assert at.rate is None
    assert at.term_months == (missing.get("life_months", 48) or 0)


def test_what_is_empty_counts_as_nothing_and_is_named_and_pue_is_assumed() -> None:
    bare = replace(NODE, residual_share=None, kw_per_gpu=None, space_usd_per_kw_month=None, pue=None)
    assert unstated(bare) == ("residual_share", "kw_per_gpu", "space_usd_per_kw_month")
    assert figures(bare, wacc=0.0)["owned_per_month"] == pytest.approx(38_000 / 48 + 40)
    powered = replace(NODE, pue=None)
    assert figures(powered, pue=1.3) == figures(NODE)
    assert figures(powered, pue=2.0)["power_per_month"] == pytest.approx(1.275 * 2.0 * 730 * 0.08)


def test_offers_that_are_not_owned_are_the_very_same() -> None:
    offers = (replace(NODE, pricing_category=PricingCategory.COMMITTED, term_months=12),)
    assert owned_at(offers, 0.1, 1.3) is offers
    once = owned_at((NODE,), 0.1, 1.3)
    assert owned_at(once, 0.1, 1.3) is once


def test_money_of_another_currency_is_that_of_its_price() -> None:
    euro = replace(NODE, currency="EUR", exchange=Decimal("1.5"))
    (at,) = owned_at((euro,), 0.1, 1.3)
    assert at.rate == pytest.approx(1.5 * (figures(NODE)["rate"] or 0))
    inputs = owned_inputs(euro, 0.1, 1.3, euro.exchange)
    assert OWNED.row(inputs, ["rate"])["rate"] == pytest.approx(at.rate)
    assert OWNED.row(owned_inputs(euro, 0.1, 1.3, None), ["rate"])["rate"] is None


def test_defaults() -> None:
    assert (Assumptions().wacc, Assumptions().pue) == (0.1, 1.3)


def test_terms_follow_the_category_and_days() -> None:
    by_use = with_value(replace(YEAR, term_days=45), "pricing_category", "STANDARD")
    assert (by_use.term_months, by_use.term_days) == (0, None)
    again = with_value(by_use, "pricing_category", "COMMITTED")
    assert again.term_months == 1
    assert with_value(replace(by_use, min_term_months=3), "pricing_category", "COMMITTED").term_months == 3
    days = with_value(YEAR, "term_days", 45)  # 1,080 h are more than one month of 730
    assert (days.term_days, days.term_months) == (45, 2)
    assert with_value(days, "term_months", 6).term_days is None
    assert with_value(days, "term_months", days.term_months).term_days == 45
    assert changed(HOUR, "term_months", 3) == "usage"
    named = replace(YEAR, gpu_model_written="NVIDIA H100")
    assert with_value(named, "gpu_model", "A100").gpu_model_written is None
    assert with_value(named, "provider", "x").gpu_model_written == "NVIDIA H100"


def test_owned_gpus_have_the_term_of_their_life_and_no_rates_of_vendors() -> None:
    owned = with_value(
        replace(YEAR, upfront_usd=Decimal(5), rate_low=Decimal(1)), "pricing_category", "OWNED"
    )
    assert (owned.term_months, owned.upfront_usd, owned.rate_low) == (0, None, None)
    aged = with_value(owned, "life_months", 36)
    assert aged.term_months == 36
    for name, value in (
        ("term_months", 12),
        ("upfront_usd", Decimal(1)),
        ("rate_usd_per_gpu_hour", Decimal(1)),
    ):
        assert changed(aged, name, value) == "usage"
    assert changed(aged, "provider", "x") == "x"
    assert check_offer(YEAR) is YEAR
    with pytest.raises(PlannerError):
        check_offer(replace(YEAR, max_gpus=0))


def test_an_upfront_payment_is_spread_over_the_term() -> None:
    paid = with_value(OFFER, "upfront_usd", Decimal("876"))
    assert paid.spread_rate == pytest.approx(2.75 + 876 / (12 * 730))
    assert with_value(paid, "upfront_usd", Decimal(0)) == OFFER


def test_a_quote_that_is_good_until_a_day_is_good_to_the_end_of_it() -> None:
    assert with_value(OFFER, "valid_until", "2026-10-01").last_order_s == instant_s("2026-10-02") - 1
    timed = with_value(OFFER, "valid_until", "2026-10-01T12:00+02:00")
    assert timed.valid_until == "2026-10-01T10:00:00Z"
    assert timed.last_order_s == instant_s("2026-10-01T10:00:00Z")


def test_each_case_counts_the_offers_own_rate_and_else_the_mid_one() -> None:
    bare = replace(OFFER, offer_id="bare", rate_low=None, rate_high=Decimal(0))
    quote = replace(OFFER, offer_id="quote", rate_usd_per_gpu_hour=None)
    assert [offer_in_case(OFFER, case).rate for case in PRICE_CASES] == [2.0, 2.75, 3.5]
    assert [offer_in_case(bare, case) for case in PRICE_CASES] == [bare] * 3
    assert [offer_in_case(quote, case).rate for case in PRICE_CASES] == [None] * 3
    every = (OFFER, bare, quote)
    assert offers_in_case(every, PriceCase.MID) is every
    assert without_own_rate(every, PriceCase.LOW) == (bare,) == without_own_rate(every, PriceCase.HIGH)
    assert without_own_rate(every, PriceCase.MID) == ()
