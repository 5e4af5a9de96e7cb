"""The widest pair of offers, and providers that are compared in each way that both sell."""

from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_pairs import price_pairs, share_below, widest_alike, widest_pair
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain.model.book.stated_offers import HOUR, OFFER, YEAR

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


def test_the_widest_pair_is_furthest_apart() -> None:
    """Of $2, $2.50 and $4 the first is half below the last."""
    cheap = replace(YEAR, offer_id="a", rate_usd_per_gpu_hour=Decimal(2))
    pair = widest_pair((YEAR, HOUR, cheap))
    assert pair is not None and (pair.lower, pair.higher, pair.below) == (cheap, HOUR, 0.5)
    alike = widest_alike((YEAR, HOUR, cheap))
    assert alike is not None and (alike.lower, alike.higher, alike.below) == (cheap, YEAR, pytest.approx(0.2))
    assert widest_pair((YEAR,)) is widest_pair(()) is widest_alike((YEAR, HOUR)) is None
    assert share_below(cheap, HOUR) == 0.5 and share_below(HOUR, cheap) == -1.0
    unpriced = replace(YEAR, rate_usd_per_gpu_hour=None)
    assert share_below(unpriced, HOUR) is None and widest_pair((unpriced, HOUR)) is None
    twin = replace(HOUR, offer_id="g")
    tied = widest_pair((HOUR, twin, cheap))
    assert tied is not None and tied.higher is twin


def test_providers_are_compared_in_each_way_that_both_sell() -> None:
    """Ada's year at $2.50 is 37.5% below Bo's hour at $4, and 37.5% below Eve's year at $4."""
    eve = replace(YEAR, offer_id="e", provider="Eve", rate_usd_per_gpu_hour=Decimal(4))
    pairs = {
        (pair.provider, pair.against, pair.like_for_like): pair.percent_below
        for pair in price_pairs((YEAR, HOUR, eve))
    }
    assert pairs == {("Ada", "Bo", False): 37.5, ("Ada", "Eve", True): 37.5}
    dear = replace(YEAR, offer_id="z", rate_usd_per_gpu_hour=Decimal(9))
    assert {pair.usd_per_gpu_hour for pair in price_pairs((dear, YEAR, HOUR))} == {2.5}
    assert (
        price_pairs((YEAR, replace(HOUR, gpu_model="A100")))
        == price_pairs((YEAR, replace(HOUR, provider=None)))
        == ()
    )
    both_hour = replace(HOUR, offer_id="i", provider="Eve", rate_usd_per_gpu_hour=Decimal(3))
    assert [pair.percent_below for pair in price_pairs((HOUR, both_hour))] == [25.0]
    owned = replace(YEAR, pricing_category=PricingCategory.OWNED)
    assert price_pairs((owned, HOUR)) == ()
