"""Price book: any allowed value, then the old one, gives the old offer; what cannot be is refused with a remedy."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gpuplanner.domain.model.book.offer import (
    PRICE_CASES,
    Offer,
    PriceCase,
    offer_in_case,
    offers_in_case,
    without_own_rate,
)
from gpuplanner.domain.model.book.price_book import (
    OFFER_FIELDS,
    all_in,
    check_offer,
    is_stale,
    oldest_fresh_date,
    parse_offer_value,
    price_pairs,
    widest_alike,
    widest_pair,
    with_value,
)
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, Window, instant_s

OFFER = Offer(
    offer_id="bm-12",
    gpu_model="H100",
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    rate_usd_per_gpu_hour=Decimal("2.75"),
    provider="Vela",
    rate_low=Decimal("2.00"),
    rate_high=Decimal("3.50"),
    max_gpus=64,
    lead_time_hours=48.0,
    min_term_months=1,
    gpu_memory_gb=80.0,
    bare_metal=True,
    interconnect="infiniband",
    egress_usd_per_gb=Decimal("0.09"),
    region="us-east",
    source="quote of May",
    as_of="2026-05-01",
)
FOLLOWED = ("pricing_category", "term_days")
"""Fields that another follows: the term."""
VALUES = {
    "text": st.text("abc =-1", min_size=1, max_size=9).filter(lambda text: text == text.strip()),
    "money": st.decimals(Decimal("0.01"), 1000, places=4),
    "integer": st.integers(1, 120),
    "flag": st.booleans(),
    "interconnect": st.sampled_from(("ethernet", "roce", "nvlink")),
    "date": st.dates().map(lambda day: day.isoformat()),
    "instant": st.sampled_from(("2026-10-01", "2026-10-01T11:30:00Z")),
}


@given(st.data())
def test_a_value_and_the_old_one_again_give_the_old_offer(data: st.DataObject) -> None:
    spec = data.draw(st.sampled_from([spec for spec in OFFER_FIELDS if spec.name not in FOLLOWED]))
    value = data.draw(
        st.floats(spec.low or 0, min(spec.high, 100)) if spec.kind == "number" else VALUES[spec.kind]
    )
    try:
        changed = with_value(OFFER, spec.name, value)
    except PlannerError as fault:
        assume(not str(fault.what).startswith("low / mid / high"))
        raise
    assert getattr(changed, spec.name) == value
    assert with_value(changed, spec.name, getattr(OFFER, spec.name)) == OFFER
    assert check_offer(OFFER) is OFFER


def test_what_a_planner_types_is_what_the_offer_gets() -> None:
    typed = {
        "rate_usd_per_gpu_hour": ("$2.80", Decimal("2.80")),
        "max_gpus": ("1,024", 1024),
        "lead_time_hours": ("36.5", 36.5),
        "bare_metal": ("Yes", True),
        "interconnect": ("RoCE 400", "roce_400"),
        "as_of": (" 2026-10-01 ", "2026-10-01"),
        "starts": ("2026-10-01T11:30Z", "2026-10-01T11:30Z"),
        "upfront_usd": ("1,500", Decimal("1500")),
        "provider": ("", None),
        "pricing_category": ("on demand", "STANDARD"),
        "term_months": ("0", 0),
    }
    for name, (text, value) in typed.items():
        assert parse_offer_value(name, text) == value


@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("rate_usd_per_gpu_hour", Decimal("-1"), "is not allowed"),
        ("rate_usd_per_gpu_hour", Decimal("nan"), "is not allowed"),
        ("rate_usd_per_gpu_hour", Decimal("3.51"), "low / mid / high would be 2.00 / 3.51 / 3.50"),
        ("rate_low", Decimal("2.76"), "low / mid / high would be 2.76 / 2.75 / 3.50"),
        ("max_gpus", 0, "is not allowed"),
        ("max_gpus", 1.5, "is not allowed"),
        ("term_months", 0, "a commitment has no term"),
        ("gpu_model", None, "it is empty"),
        ("as_of", "2026-02-30", "is not allowed"),
        ("as_of", "1.10.2026", "is not allowed"),
        ("starts", "soon", "is not allowed"),
        ("unit_gpus", 0, "is not allowed"),
        ("interconnect", "string", "is not allowed"),
        ("pricing_category", "MIXED", "is not allowed"),
        ("source", "x" * 301, "too long"),
        ("nothing", 1, "no such field"),
    ],
)
def test_what_an_offer_cannot_be_is_refused_with_a_remedy(name: str, value: object, what: str) -> None:
    with pytest.raises(PlannerError) as fault:
        with_value(OFFER, name, value)  # type: ignore[arg-type]
    assert what in str(fault.value.what)
    assert fault.value.remedy
    if name != "nothing":
        assert fault.value.where.startswith("bm-12, ")


@pytest.mark.parametrize(
    ("name", "value", "remedy"),
    [
        ("max_gpus", 0, "1 to 10,000,000"),
        ("rate_usd_per_gpu_hour", Decimal(-1), "0 to 10,000"),
        ("as_of", "soon", "2026-10-01"),
        ("starts", "soon", "T11:30:00Z"),
        ("pricing_category", "MIXED", "spot"),
    ],
)
def test_a_refused_value_is_told_what_may_be_entered(name: str, value: object, remedy: str) -> None:
    with pytest.raises(PlannerError) as fault:
        with_value(OFFER, name, value)  # type: ignore[arg-type]
    assert remedy in str(fault.value.remedy)


@pytest.mark.parametrize("text", ["2,75", "two", "1e9", "-1", "2.75 EUR"])
def test_a_number_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(PlannerError, match="not a number"):
        parse_offer_value("rate_usd_per_gpu_hour", text)


def test_a_rate_of_zero_is_a_quote_to_ask_for() -> None:
    assert with_value(OFFER, "rate_usd_per_gpu_hour", Decimal(0)).rate_usd_per_gpu_hour is None
    assert with_value(OFFER, "rate_low", Decimal("0.00")).rate_low is None


def test_only_a_commitment_has_a_term() -> None:
    on_demand = with_value(OFFER, "pricing_category", "STANDARD")
    assert on_demand.term_months == 0
    assert with_value(replace(on_demand, min_term_months=6), "pricing_category", "COMMITTED").term_months == 6
    with pytest.raises(PlannerError, match="no term"):
        with_value(on_demand, "term_months", 12)


def test_a_term_in_days_sets_its_months_and_the_other_way_round() -> None:
    days = with_value(OFFER, "term_days", 40)
    assert (days.term_days, days.term_months, days.term_hours) == (40, 2, 960.0)
    months = with_value(days, "term_months", 6)
    assert (months.term_days, months.term_months, months.term_hours) == (None, 6, 4380.0)
    assert with_value(days, "pricing_category", "STANDARD").term_days is None


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


def test_stale_is_more_than_ninety_days_before_the_windows_last_day() -> None:
    window = Window(20_000 * DAY_S, 24)  # ends on 2024-10-05
    assert oldest_fresh_date(window) == "2024-07-07"
    assert is_stale(replace(OFFER, as_of="2024-07-06"), window)
    assert not is_stale(replace(OFFER, as_of="2024-07-07"), window)
    assert not is_stale(replace(OFFER, as_of=None), window)
    assert not is_stale(replace(OFFER, as_of="2024-07-06", rate_usd_per_gpu_hour=None), window)


def test_all_in_is_the_rate_with_egress_where_somebody_said_how_much() -> None:
    assert all_in(OFFER).total == 2.75
    found = all_in(replace(OFFER, sent_gb=5.0))
    assert (found.rate, found.extras, found.total) == (2.75, {"egress": 0.09 * 5}, 2.75 + 0.09 * 5)
    unknown = all_in(replace(OFFER, egress_usd_per_gb=None, sent_gb=5.0))
    assert (unknown.rate, unknown.extras, unknown.total) == (2.75, {"egress": None}, None)
    assert all_in(replace(OFFER, rate_usd_per_gpu_hour=None, sent_gb=5.0)).total is None


PRICED = st.lists(st.tuples(st.integers(0, 400), st.sampled_from((0, 1, 12))), max_size=6)


def listed(rows: list[tuple[int, int]]) -> list[Offer]:
    kind = {0: PricingCategory.STANDARD}
    return [
        replace(
            OFFER,
            offer_id=f"o{at}",
            rate_usd_per_gpu_hour=Decimal(cents) / 100,
            term_months=term,
            pricing_category=kind.get(term, PricingCategory.COMMITTED),
        )
        for at, (cents, term) in enumerate(rows)
    ]


def every_below(offers: list[Offer]) -> list[float]:
    rates = [offer.rate for offer in offers if offer.rate]
    return [1 - one / other for one in rates for other in rates if one < other]


@given(PRICED)
def test_the_widest_pair_is_the_widest_of_all_pairs(rows: list[tuple[int, int]]) -> None:
    offers = listed(rows)
    pair = widest_pair(offers)
    assert (pair.below if pair else None) == max(every_below(offers), default=None)
    if pair is not None:
        assert pair.lower.rate and pair.higher.rate
        assert pair.below == 1 - pair.lower.rate / pair.higher.rate
    alike = widest_alike(offers)
    of_terms = [[offer for offer in offers if offer.term_months == term] for term in (0, 1, 12)]
    assert (alike.below if alike else None) == max(
        (b for group in of_terms for b in every_below(group)), default=None
    )
    if alike is not None:
        assert alike.lower.term_months == alike.higher.term_months


def test_pairs_of_providers_say_how_far_below_and_whether_alike() -> None:
    def of(name: str, provider: str, term: int, rate: str, model: str = "H100") -> Offer:
        category = PricingCategory.COMMITTED if term else PricingCategory.STANDARD
        return Offer(
            offer_id=name,
            gpu_model=model,
            pricing_category=category,
            term_months=term,
            rate_usd_per_gpu_hour=Decimal(rate),
            provider=provider,
        )

    offers = (
        of("v12", "Vela", 12, "2.25"),
        of("v", "Vela", 0, "7.20"),
        of("az", "Azure", 0, "12.29"),
        of("other", "Azure", 0, "1.00", "A100"),
    )
    found = [
        (one.provider, one.against, round(one.percent_below, 1), one.like_for_like)
        for one in price_pairs(offers)
    ]
    assert found == [("Vela", "Azure", 81.7, False), ("Vela", "Azure", 41.4, True)]
