"""The market of a GPU family: newest months, kinds of providers alike, and what is far from it."""

from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.book.market_rates import (
    FAR_FACTOR,
    NEAR_FACTOR,
    ListedRate,
    is_far,
    likely_readings,
    market_rate,
    market_rates,
)
from gpuplanner.domain.model.book.price_history import PriceMonth
from gpuplanner.domain.model.pool import PricingCategory

RATES = st.floats(0.01, 1000.0)


def _month(kind: str, month: str, rate: float, category: str = "STANDARD", term: int = 0) -> PriceMonth:
    return PriceMonth("H100", kind, category, term, month, rate, rate, rate, 1, 0.0, 0.0, "a page")


def test_the_newest_month_counts_and_each_kind_of_provider_once() -> None:
    months = [
        _month("neocloud", "2026-03", 9.0),
        _month("neocloud", "2026-09", 3.0),
        _month("marketplace", "2026-09", 2.0),
    ]
    listed = [
        ListedRate("H100", name, "STANDARD", rate)
        for name, rate in (("AWS", 7.0), ("Azure", 12.0), ("Google Cloud", 11.0))
    ]
    assert market_rates(months, listed) == {("H100", "STANDARD"): 3.0}  # of 2, 3 and 11


def test_a_commitment_without_a_market_is_held_against_on_demand_and_spot_is_not() -> None:
    rates = {("B300", "STANDARD"): 9.0}
    assert market_rate(rates, ["B300"], PricingCategory.COMMITTED) == (9.0, 9.0)
    assert market_rate(rates, ["B300"], None) == (9.0, 9.0)
    assert market_rate(rates, ["B300"], PricingCategory.DYNAMIC) == (0.0, 0.0)
    assert market_rate(rates, [], PricingCategory.STANDARD) == (0.0, 0.0)


@given(RATES, RATES)
def test_far_is_over_four_times_or_under_a_quarter_and_nothing_else(rate: float, market: float) -> None:
    near = market / FAR_FACTOR <= rate <= market * FAR_FACTOR
    assert is_far(rate, (market, market)) is not near


@given(RATES, RATES)
def test_a_likely_reading_is_near_the_market(rate: float, market: float) -> None:
    for _, each in likely_readings(rate, (market, market)):
        assert market / NEAR_FACTOR <= each <= market * NEAR_FACTOR


def test_a_contract_s_price_may_be_of_all_its_gpus() -> None:
    assert ("all its GPUs an hour", 2.5) in [
        (str(w), each) for w, each in likely_readings(160, (4.0, 4.0), 64)
    ]


def test_a_month_of_a_gpu_is_seen() -> None:
    (words, each), *_ = likely_readings(1980, (3.9, 3.9))
    assert (str(words), round(each, 2)) == ("a GPU per month", 2.71)
