"""How prices moved: like with like, from the table that is shipped and from rows by hand."""

from dataclasses import replace
from decimal import Decimal
from itertools import permutations
from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, Assumptions
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import (
    BOOK,
    FAR_FACTOR,
    NEAR_FACTOR,
    UNKNOWN_MARKET,
    ListedRate,
    MarketRange,
    PriceMonth,
    choose_current_offer,
    fall_per_month,
    histories,
    is_dated,
    is_far,
    joined,
    likely_readings,
    market_rate,
    market_rates,
    months_of,
    moved_words,
    newest,
    offers_to_keep,
    own_rates,
    proposed_fall,
    proposed_falls,
    provider_kind,
    public_rates,
    rate_change_words,
    replaced,
    with_earlier,
)
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.system.resources import read_price_history

# --- How prices moved: like with like, from the table that is shipped and from rows by hand ------

NEW = ("A100 40GB", "A100 80GB", "H100", "H200", "B200", "B300", "GH200", "MI300X", "L40S")


def month(name, rate, log_change, series_months):
    return PriceMonth(
        gpu_model="H100",
        provider_kind="neocloud",
        pricing_category="STANDARD",
        term_months=0,
        month=name,
        rate_usd_per_gpu_hour=rate,
        rate_low=rate,
        rate_high=rate,
        series=1,
        log_change=log_change,
        series_months=series_months,
        source="x",
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
    return Offer(
        offer_id=offer_id,
        gpu_model=model,
        pricing_category=PricingCategory(category),
        term_months=term,
        rate_usd_per_gpu_hour=Decimal(rate),
        as_of=as_of,
        **facts,
    )


def test_the_planners_own_rates_propose_a_fall_when_they_are_a_year():
    now = dated("a", "2.00", "2026-07-01", provider="Acme")
    earlier = (
        dated("a", "2.40", "2025-07-01", provider="Acme"),
        dated("a", "2.20", "2026-01-01", provider="Acme"),
    )
    (fall,) = proposed_falls([now], earlier, ())
    assert (fall.gpu_model, fall.provider_kind, fall.first, fall.last) == ("H100", BOOK, "2025-07", "2026-07")
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
        (-0.0004, "prices stayed the same", "no change"),
    ],
)
def test_a_fall_and_a_rise_are_words_and_no_sign(fall: float, moved: str, change: str) -> None:
    assert (str(moved_words(fall)), str(rate_change_words(fall))) == (moved, change)


def test_dated_rates_of_an_offer_are_rows_with_the_change_since_the_one_before():
    """From 1 March to 1 May are 61 days of 365 / 12 a month; from $2 to $1 is the logarithm of a half."""
    rows = own_rates([dated("a", "2.00", "2026-03-01", source="x"), dated("a", "1.00", "2026-05-01")])
    assert [(row.month, row.rate_low, row.rate_usd_per_gpu_hour, row.rate_high) for row in rows] == [
        ("2026-03", 2.0, 2.0, 2.0),
        ("2026-05", 1.0, 1.0, 1.0),
    ]
    assert [(row.log_change, row.series_months) for row in rows] == [
        (0.0, 0.0),
        (pytest.approx(-log(2)), pytest.approx(61 / (365.25 / 12), rel=1e-3)),
    ]
    assert {(row.provider_kind, row.pricing_category, row.term_months, row.series) for row in rows} == {
        (BOOK, "COMMITTED", 12, 1)
    }
    assert [row.source for row in rows] == ["x", ""] and own_rates([]) == ()


def of_months(*rows):
    """A fall of a tenth in logarithms per month, by month and months of series followed."""
    return [month(name, 2.0, -0.1 * followed, followed) for name, followed in rows]


@pytest.mark.parametrize(
    ("rows", "is_a_year"),
    [
        ((("2025-01", 0), ("2026-01", 12)), True),
        ((("2025-02", 0), ("2026-01", 12)), False),  # eleven months from the first to the last
        ((("2025-01", 0), ("2026-01", 11.9)), False),  # less than a year of series
        ((("2025-01", 0), ("2025-07", 6), ("2026-01", 6)), True),
        ((("2025-01", 0), ("2026-01", 0)), False),
        ((), False),
    ],
)
def test_a_fall_is_proposed_of_a_year(rows, is_a_year):
    fall = proposed_fall(of_months(*rows))
    assert (fall is not None) is is_a_year
    if fall is not None:
        assert fall.low == pytest.approx(fall.per_month) == pytest.approx(fall.high)
        assert (fall.first, fall.last) == ("2025-01", "2026-01")


def test_the_range_of_a_fall_is_of_years_with_half_a_year_of_series():
    """5% a month in the first year, 20% in the second; the third has five months at 50%, which is too short."""
    rows = [
        month("2024-12", 2.0, 12 * log(0.95), 12),
        month("2025-12", 2.0, 6 * log(0.8), 6),
        month("2026-05", 2.0, 5 * log(0.5), 5),
    ]
    fall = proposed_fall(rows[::-1])
    assert (fall.first, fall.last) == ("2024-12", "2026-05")
    assert fall.low == pytest.approx(0.05)
    assert fall.high == pytest.approx(max(0.2, fall.per_month))
    assert months_of("2025-11", "2026-02") == ["2025-11", "2025-12", "2026-01", "2026-02"]


# --- Dated rates of offers: the newer counts, the older is kept, whatever the order in which they come

DAYS = ("2025-01-01", "2025-07-01", "2026-01-01", "2026-07-01")


def offer(offer_id: str, rate: str | None, as_of: str | None, **facts: object) -> Offer:
    known: dict[str, object] = {"provider": "Acme", "region": None} | facts
    price = None if rate is None else Decimal(rate)
    return Offer(
        offer_id=offer_id,
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=price,
        as_of=as_of,
        **known,
    )  # type: ignore[arg-type]


offers = st.lists(
    st.builds(
        offer,
        st.sampled_from("abc"),
        st.sampled_from(("1.00", "2.00", "3.00", None)),
        st.sampled_from((*DAYS, None, "last May")),
        provider=st.sampled_from(("Acme", "Bolt", None)),
    ),
    max_size=8,
)


def dates(found: tuple[Offer, ...]) -> set[tuple[str, str | None]]:
    return {(one.offer_id, one.as_of) for one in found if is_dated(one)}


@given(offers, offers)
def test_every_day_of_which_there_was_a_rate_is_kept(book: list[Offer], coming: list[Offer]) -> None:
    now, gone = joined(newest(book)[0], coming)
    assert dates((*now, *gone)) >= dates((*newest(book)[0], *coming))
    assert [one.offer_id for one in now] == sorted({one.offer_id for one in now})
    assert all(is_dated(one) for one in gone)


@given(offers)
def test_without_a_day_the_later_counts_and_with_days_the_newest(found: list[Offer]) -> None:
    now, _ = newest(found)
    for one in now:
        alike = [other for other in found if other.offer_id == one.offer_id]
        if all(map(is_dated, alike)):
            assert one.as_of == max(other.as_of or "" for other in alike)
        else:
            assert one in alike


@pytest.mark.parametrize(
    ("held", "coming", "counts", "kept"),
    [
        ("2026-01-01", "2026-07-01", "coming", True),
        ("2026-07-01", "2026-01-01", "held", True),
        ("2026-01-01", "2026-01-01", "coming", False),  # a mistake that was corrected
        ("2026-01-01", None, "coming", True),
        ("2026-01-01", "last May", "coming", True),
        (None, "2026-01-01", "coming", False),
        ("last May", "2026-01-01", "coming", False),
    ],
)
def test_of_two_of_one_offer_one_counts(
    held: str | None, coming: str | None, counts: str, kept: bool
) -> None:
    pair = {"held": offer("a", "2.00", held), "coming": offer("a", "1.00", coming)}
    other = pair["held" if counts == "coming" else "coming"]
    assert choose_current_offer(**pair) is pair[counts]
    assert offers_to_keep(**pair) == ([other] if kept else [])


def test_the_newest_counts_in_whatever_order_lists_are_given() -> None:
    lists = [[offer("a", rate, day)] for rate, day in (("3", DAYS[0]), ("2", DAYS[2]), ("2.5", DAYS[1]))]
    for order in permutations(lists):
        book: tuple[Offer, ...] = ()
        earlier: tuple[Offer, ...] = ()
        for coming in order:
            book, gone = joined(book, coming)
            earlier = with_earlier(earlier, gone, book)
        (now,) = book
        assert (now.rate, now.as_of) == (2.0, DAYS[2])
        assert [one.as_of for one in histories(book, earlier)[now.offer_id]] == [DAYS[0], DAYS[1], DAYS[2]]


def test_one_product_under_two_ids_is_one_offer() -> None:
    old, new = offer("q1", "3", DAYS[0]), offer("q2", "2", DAYS[1])
    assert joined([old], [new]) == ((new,), (old,))
    assert joined([new], [old]) == ((new,), (old,))
    assert histories([new], [old])[new.offer_id] == (old, new)


@pytest.mark.parametrize(
    "other",
    [
        offer("q2", "2", DAYS[1], region="eu"),
        offer("q2", "2", DAYS[1], provider="Bolt"),
        offer("q2", "2", DAYS[1], provider=None),
        offer("q2", "2", DAYS[0]),
        offer("q2", "2", None),
        replace(offer("q2", "2", DAYS[1]), term_months=6),
    ],
)
def test_what_is_not_surely_the_same_stays_beside_it(other: Offer) -> None:
    old = offer("q1", "3", DAYS[0])
    assert joined([old], [other]) == ((old, other), ())


def test_two_offers_of_one_product_are_not_taken_for_a_third() -> None:
    twins = [offer("q1", "3", DAYS[0]), offer("q2", "3.5", DAYS[0])]
    new = offer("q3", "2", DAYS[1])
    assert joined(twins, [new])[0] == (*twins, new)


def test_a_list_in_place_of_the_book_counts_and_the_rates_of_its_offers_are_kept() -> None:
    book = [offer("a", "3", DAYS[1]), offer("b", "5", DAYS[1]), offer("c", "4", DAYS[1], provider="Bolt")]
    fresh = [offer("a", "2", DAYS[2]), offer("d", "3.5", DAYS[2], provider="Bolt")]
    now, gone = replaced(book, fresh)
    assert now == tuple(fresh)
    assert {one.offer_id for one in gone} == {"a", "c"}


def test_a_history_is_of_one_term() -> None:
    now = offer("a", "2", DAYS[2])
    earlier = (offer("a", "3", DAYS[0]), replace(offer("a", "9", DAYS[1]), term_months=36))
    assert [one.rate for one in histories([now], earlier)[now.offer_id]] == [3.0, 2.0]


def test_a_quote_takes_no_lists_place() -> None:
    """It is of the same vendor, model and term, and newer; yet it is for one row of a request alone."""
    listed = offer("list", "3.00", "2026-01-01")
    quotes = [
        offer(f"quote {row}", "2.00", "2026-07-01", source=f"Quote RFQ-20260701-AAAA {row}")
        for row in ("R1", "R2")
    ]
    for coming in (quotes[:1], quotes):
        assert joined([listed], coming) == ((listed, *coming), ())
    assert joined([listed, quotes[0]], quotes[1:])[0] == (listed, *quotes)


# --- The market of a GPU family: newest months, kinds of providers alike, and what is far from it

RATES = st.floats(0.01, 1000.0)


def _month(kind: str, month: str, rate: float, category: str = "STANDARD", term: int = 0) -> PriceMonth:
    return PriceMonth(
        gpu_model="H100",
        provider_kind=kind,
        pricing_category=category,
        term_months=term,
        month=month,
        rate_usd_per_gpu_hour=rate,
        rate_low=rate,
        rate_high=rate,
        series=1,
        log_change=0.0,
        series_months=0.0,
        source="a page",
    )


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
    assert is_far(rate, MarketRange(low=market, high=market)) is not near


@given(RATES, RATES)
def test_a_likely_reading_is_near_the_market(rate: float, market: float) -> None:
    for _, each in likely_readings(rate, (market, market)):
        assert market / NEAR_FACTOR <= each <= market * NEAR_FACTOR


def test_a_contract_s_price_may_be_of_all_its_gpus() -> None:
    (words,) = [words for words, each in likely_readings(160, (4.0, 4.0), 64) if each == 2.5]
    assert "all its GPUs" in str(words)


def test_a_month_of_a_gpu_is_seen() -> None:
    (words, each), *_ = likely_readings(1980, (3.9, 3.9))
    assert (str(words), round(each, 2)) == ("a GPU per month", 2.71)


@pytest.mark.parametrize(("rate", "far"), [(12.0, False), (12.1, True), (0.5, False), (0.49, True)])
def test_four_times_the_market_and_a_quarter_of_it_are_not_yet_far(rate: float, far: bool) -> None:
    """The market is $2 to $3."""
    assert is_far(rate, MarketRange(low=2.0, high=3.0)) is far
    assert is_far(rate, UNKNOWN_MARKET) is False


@pytest.mark.parametrize(
    ("rate", "gpus", "readings"),
    [
        (16.0, 1, [2.0]),  # a node of 8
        (1460.0, 1, [2.0]),  # a month of a GPU
        (48.0, 1, [2.0]),
        (20.0, 10, [2.0, 2.5]),
        (4.0, 2, [2.0]),  # both its GPUs an hour
        (14_600.0, 10, [2.0, 14_600 / 8760]),
        (1e9, 1, []),
    ],
)
def test_a_rate_far_from_the_market_may_be_of_something_else(
    rate: float, gpus: int, readings: list[float]
) -> None:
    """The market is $1.99 to $2.01: the nearest reading first."""
    result = [each for _, each in likely_readings(rate, (1.99, 2.01), gpus)]
    assert result[:1] == pytest.approx(readings[:1]) and len(result) <= 2
    assert all(any(each == pytest.approx(reading) for each in result) for reading in readings)
