"""How prices moved: like with like, from the table that is shipped and from rows by hand."""

from decimal import Decimal
from math import log

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import (
    BOOK,
    PriceMonth,
    fall_per_month,
    moved_words,
    proposed_falls,
    provider_kind,
    public_rates,
    rate_change_words,
)
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.scenario.assumptions import SPEC_BY_NAME, Assumptions
from gpuplanner.files.system.resources import read_price_history

NEW = ("A100 40GB", "A100 80GB", "H100", "H200", "B200", "B300", "GH200", "MI300X", "L40S")


def month(name, rate, log_change, series_months):
    return PriceMonth(
        "H100", "neocloud", "STANDARD", 0, name, rate, rate, rate, 1, log_change, series_months, "x"
    )


def test_a_series_that_halves_over_two_months_falls_by_its_root():
    rows = [month("2026-01", 4.0, 0.0, 0), month("2026-03", 2.0, log(0.5), 2)]
    assert fall_per_month(rows) == pytest.approx(1 - 0.5**0.5)


def test_a_cheaper_series_that_comes_in_moves_nothing():
    assert fall_per_month([month("2026-01", 4.0, 0.0, 0), month("2026-02", 3.0, 0.0, 1)]) == 0


def test_nothing_seen_twice_is_unknown():
    assert fall_per_month([month("2026-01", 4.0, 0.0, 0)]) is None
    assert fall_per_month([]) is None


def of_kind(kind, begin, end):
    return [
        row
        for row in read_price_history()
        if (row.provider_kind, row.pricing_category) == (kind, "STANDARD")
        and row.gpu_model in NEW
        and begin <= row.month <= end
    ]


def test_hyperscaler_lists_fell_by_0_4_percent_a_month():
    fall = fall_per_month(of_kind("hyperscaler", "2023-01", "2026-12"))
    assert fall == pytest.approx(0.004, abs=0.0005)
    assert Assumptions().delta == pytest.approx(fall, abs=0.0005)
    assert SPEC_BY_NAME["delta"].default == Assumptions().delta


def test_neocloud_lists_fell_until_2025_and_rise_in_2026():
    assert fall_per_month(of_kind("neocloud", "2023-01", "2025-12")) == pytest.approx(0.012, abs=0.002)
    assert fall_per_month(of_kind("neocloud", "2026-01", "2026-12")) < -0.005


def test_committed_lists_stay_as_they_are_in_term():
    committed = [
        row
        for row in read_price_history()
        if (row.provider_kind, row.pricing_category) == ("hyperscaler", "COMMITTED")
    ]
    assert {row.term_months for row in committed} == {12, 36}
    assert fall_per_month(committed) == pytest.approx(0, abs=1e-4)


def test_every_row_is_sound_and_names_its_source():
    rows = read_price_history()
    assert len(rows) > 500
    for row in rows:
        assert 0 < row.rate_low <= row.rate_usd_per_gpu_hour <= row.rate_high
        assert row.source and row.series >= 1 and row.series_months >= 0
        assert (row.term_months > 0) is (row.pricing_category == "COMMITTED")


def dated(offer_id, rate, as_of, model="H100", category="COMMITTED", **facts):
    term = 12 if category == "COMMITTED" else 0
    return Offer(offer_id, model, PricingCategory(category), term, Decimal(rate), as_of=as_of, **facts)


def test_the_planners_own_rates_propose_a_fall_when_they_are_a_year():
    now = dated("a", "2.00", "2026-07-01", provider="Acme")
    earlier = (
        dated("a", "2.40", "2025-07-01", provider="Acme"),
        dated("a", "2.20", "2026-01-01", provider="Acme"),
    )
    (fall,) = proposed_falls([now], earlier, ())
    assert (fall.gpu_model, fall.provider_kind, fall.first, fall.last) == (
        "H100",
        BOOK,
        "2025-07",
        "2026-07",
    )
    assert fall.per_month == pytest.approx(1 - (2.0 / 2.4) ** (1 / 12), abs=1e-4)
    assert fall.low <= fall.per_month <= fall.high
    assert proposed_falls([now], earlier[1:], ()) == ()  # half a year says too little


def test_public_rates_propose_where_the_book_has_no_year_by_kind_of_provider():
    offers = [
        dated("a", "2.00", "2026-07-01", provider="AWS"),
        dated("b", "2.00", "2026-07-01", provider="Vela Metal", category="STANDARD"),
        dated("c", "2.00", "2026-07-01", provider="AWS", category="DYNAMIC", model="T4"),
        dated("d", "2.00", "2026-07-01", provider="AWS", model="Z1"),
    ]
    public = read_price_history()
    falls = proposed_falls(offers, (), public)
    assert [(one.gpu_model, one.provider_kind) for one in falls] == [
        ("H100", "hyperscaler"),
        ("H100", "neocloud"),
    ]
    for one in falls:
        rows = [
            row
            for row in public
            if (row.gpu_model, row.provider_kind) == ("H100", one.provider_kind)
            and row.pricing_category != "DYNAMIC"
        ]
        assert one.per_month == fall_per_month(rows)
        assert one.low <= one.per_month <= one.high


def test_a_name_without_a_size_is_of_the_size_that_the_offer_says():
    offer = dated("a", "2.00", "2026-07-01", provider="AWS", model="A100", gpu_memory_gb=80.0)
    assert {row.gpu_model for row in public_rates(read_price_history(), offer)} == {"A100 80GB"}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("Google Cloud", "hyperscaler"),
        ("Microsoft Azure", "hyperscaler"),
        ("Vast.ai", "marketplace"),
        ("Vela Metal", "neocloud"),
        (None, "neocloud"),
    ],
)
def test_kinds_of_providers(name, kind):
    assert provider_kind(name) == kind


@pytest.mark.parametrize(
    ("fall", "moved", "change"),
    [
        (0.003, "prices fell 0.3% per month", "a fall of 0.3%"),
        (-0.002, "prices rose 0.2% per month", "a rise of 0.2%"),
        (-0.0004, "prices stayed as they were", "no change"),
    ],
)
def test_a_fall_and_a_rise_are_words_and_no_sign(fall: float, moved: str, change: str) -> None:
    assert (str(moved_words(fall)), str(rate_change_words(fall))) == (moved, change)
