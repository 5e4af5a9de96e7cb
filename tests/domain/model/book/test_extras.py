"""Extras: what a GPU-hour costs beside its rate, by hand."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.extras import (
    extras_in_all,
    extras_of,
    extras_over,
    extras_sum,
    mean_extras,
    sending,
)
from gpuplanner.domain.model.book.offer import Offer, is_owned
from gpuplanner.domain.model.book.only import at_ratio
from gpuplanner.domain.model.tables import PricingCategory

OFFER = Offer(
    offer_id="a",
    gpu_model="H100",
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    rate_usd_per_gpu_hour=Decimal(3),
    egress_usd_per_gb=Decimal("0.09"),
)
FULL = replace(
    OFFER,
    storage_usd_per_gpu_month=Decimal(73),
    network_usd_per_gpu_month=Decimal("36.5"),
    staff_usd_per_gpu_month=Decimal("14.6"),
    support_percent=10.0,
    setup_usd=Decimal(876),
    sent_gb=2.0,
)


def test_each_extra_by_the_gpu_hour() -> None:
    found = {"egress": 0.18, "storage": 0.1, "network": 0.05, "setup": 0.1, "staff": 0.02, "support": 0.3}
    assert dict(FULL.extras) == pytest.approx(found)
    assert FULL.rate == pytest.approx(3.75)
    assert FULL.bare_rate == 3.0


def test_without_extras_the_rate_is_the_quoted_one_to_the_last_digit() -> None:
    assert (OFFER.rate, dict(OFFER.extras)) == (3.0, {})


def test_support_is_of_what_is_paid_upfront_too() -> None:
    offer = replace(OFFER, upfront_usd=Decimal(8760), support_percent=10.0)
    assert offer.extras["support"] == pytest.approx(0.1 * (3.0 + 1.0))
    assert offer.spread_rate == pytest.approx(3.0 + 1.0 + 0.4)


def test_what_is_paid_by_use_has_no_set_up() -> None:
    offer = replace(FULL, pricing_category=PricingCategory.STANDARD, term_months=0)
    assert "setup" not in offer.extras


def test_staff_of_what_is_owned_is_in_its_rate() -> None:
    owned = replace(FULL, pricing_category=PricingCategory.OWNED)
    assert is_owned(owned) and "staff" not in owned.extras and "staff" in FULL.extras


def test_egress_of_unknown_price_is_unknown_and_counts_as_none() -> None:
    offer = replace(OFFER, egress_usd_per_gb=None, sent_gb=2.0)
    assert (offer.extras, offer.rate) == ({"egress": None}, 3.0)


def test_the_work_of_another_model_has_its_extras_at_the_ratio() -> None:
    of_work = at_ratio(FULL, 2.0)
    assert of_work.rate == pytest.approx((FULL.rate or 0.0) / 2)


def test_amounts_in_another_currency_count_at_its_exchange() -> None:
    assert replace(FULL, exchange=Decimal(2)).rate == pytest.approx(7.5)


def test_a_contract_has_its_extras_in_its_own_cost() -> None:
    contract = Contract(
        contract_id="c",
        cluster="",
        gpu_model="H100",
        milli_gpus=48_000,
        rate_usd_per_gpu_hour=Decimal(3),
        start_s=0,
        egress_usd_per_gb=Decimal("0.09"),
        support_percent=10.0,
    )
    (sent,) = sending((contract,), 2.0)
    assert contract.cost_per_month == pytest.approx(48 * 3.3 * 730)
    assert (sent.cost_per_month or 0) - (contract.cost_per_month or 0) == pytest.approx(6307.20)


def test_rows_that_send_as_much_already_are_the_very_same() -> None:
    rows = (OFFER,)
    assert sending(rows, None) is rows


def test_extras_of_several_rows_by_gpu_hour() -> None:
    parts = [({"egress": 0.2}, 30.0), ({"egress": 0.4, "support": 1.0}, 10.0)]
    assert mean_extras(parts) == (("egress", pytest.approx(0.25)), ("support", pytest.approx(0.25)))
    assert extras_in_all([({"egress": None}, 1.0), ({"egress": 0.1}, 1.0)]) == (("egress", None),)
    assert extras_in_all([({"egress": 9.0}, 0.0), ({"staff": 0.5}, 4.0)]) == (("staff", 2.0),)
    assert extras_over(parts, 0.0) == extras_over(parts, -1.0) == mean_extras([]) == ()
    assert extras_over(parts, 20.0) == (("egress", 0.5), ("support", 0.5))
    assert extras_sum({"egress": None, "staff": 0.5, "setup": 0.25}) == 0.75


def test_a_set_up_is_spread_over_the_hours_of_a_term_and_left_out_without_any() -> None:
    """$876 over 8,760 h are $0.10; of an unknown exchange it is unknown."""
    setup = Decimal(876)
    assert extras_of(OFFER, 3.0, setup, 8760.0) == {"setup": 0.1}
    assert extras_of(OFFER, 3.0, setup) == extras_of(OFFER, 3.0, setup, 0.0) == extras_of(OFFER, 3.0) == {}
    assert extras_of(replace(OFFER, exchange=None), 3.0, setup, 8760.0) == {"setup": None}
    assert extras_of(replace(OFFER, support_percent=0.0, sent_gb=0.0), 3.0) == {}
