"""Offers, currencies and sources field by field: what can be written, at which edges, and what follows from it."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from gpuplanner.domain.model.amounts import unexchanged
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import (
    DOLLARS,
    ExchangeRate,
    as_quoted,
    check_code,
    check_rate,
    counted_rows,
    currency_from,
    exchange_between,
    in_money,
    lacking_rate,
    unstated_exchange,
)
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_book import (
    LONGEST_TEXT,
    OFFER_FIELD_BY_NAME,
    all_in,
    answered_row,
    check_offer,
    is_stale,
    noted_source,
    oldest_fresh_date,
    parse_offer_value,
    price_pairs,
    quote_source,
    quoted_start,
    remark_on,
    share_below,
    widest_alike,
    widest_pair,
    with_value,
)
from gpuplanner.domain.model.book.price_history import likely_readings
from gpuplanner.domain.model.book.remark import is_on_line_of, taken_as_quoted, undecided, waits
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.domain.model.window import DAY_S, Window

YEAR = Offer(
    offer_id="y",
    gpu_model="H100",
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    rate_usd_per_gpu_hour=Decimal("2.5"),
    provider="Ada",
)
HOUR = Offer(
    offer_id="h",
    gpu_model="H100",
    pricing_category=PricingCategory.STANDARD,
    term_months=0,
    rate_usd_per_gpu_hour=Decimal(4),
    provider="Bo",
)


def changed(offer: Offer, name: str, value: Any) -> Any:
    """The field as it is then, or the error's code."""
    try:
        return getattr(with_value(offer, name, value), name)
    except PlannerError as error:
        return error.code


@pytest.mark.parametrize(
    ("name", "value", "result"),
    [
        ("rate_usd_per_gpu_hour", Decimal(3), Decimal(3)),
        ("rate_usd_per_gpu_hour", Decimal(0), None),
        ("rate_usd_per_gpu_hour", Decimal(10_000), Decimal(10_000)),
        ("rate_usd_per_gpu_hour", Decimal(10_001), "usage"),
        ("rate_usd_per_gpu_hour", Decimal(-1), "usage"),
        ("rate_usd_per_gpu_hour", 3.0, "usage"),
        ("rate_usd_per_gpu_hour", Decimal("NaN"), "usage"),
        ("max_gpus", 1, 1),
        ("max_gpus", 0, "usage"),
        ("max_gpus", 1.5, "usage"),
        ("max_gpus", None, None),
        ("max_gpus", True, "usage"),
        ("sla_percent", 100, 100.0),
        ("sla_percent", 100.5, "usage"),
        ("lead_time_hours", None, "usage"),
        ("lead_time_hours", 5, 5.0),
        ("offer_id", "", "usage"),
        ("offer_id", "z", "z"),
        ("provider", "", None),
        ("provider", "x" * LONGEST_TEXT, "x" * LONGEST_TEXT),
        ("provider", "x" * (LONGEST_TEXT + 1), "usage"),
        ("provider", 5, "usage"),
        ("bare_metal", True, True),
        ("bare_metal", 1, "usage"),
        ("interconnect", "roce", "roce"),
        ("interconnect", "wifi", "usage"),
        ("as_of", "2026-02-28", "2026-02-28"),
        ("as_of", "2026-02-30", "usage"),
        ("as_of", "", None),
        ("valid_until", "2026-02-28T00:00:00Z", "2026-02-28"),
        ("valid_until", "soon", "usage"),
        ("valid_until", "", None),
        ("pricing_category", "MIXED", "usage"),
        ("pricing_category", None, "usage"),
        ("term_months", 0, "usage"),
        ("term_months", 120, 120),
        ("term_months", 121, "usage"),
        ("nothing", 1, "usage"),
        ("rate_low", Decimal("2.5"), Decimal("2.5")),
        ("rate_low", Decimal("2.6"), "usage"),
        ("rate_high", Decimal("2.5"), Decimal("2.5")),
        ("rate_high", Decimal("2.4"), "usage"),
    ],
)
def test_a_field_of_an_offer_has_a_value_of_its_kind(name: str, value: Any, result: Any) -> None:
    assert changed(YEAR, name, value) == result


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


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("rate_usd_per_gpu_hour", "$2.75", Decimal("2.75")),
        ("rate_usd_per_gpu_hour", " 1,234.5 ", Decimal("1234.5")),
        ("rate_usd_per_gpu_hour", "quote needed", None),
        ("rate_usd_per_gpu_hour", "x", "usage"),
        ("max_gpus", "64", 64),
        ("sla_percent", "99.95", 99.95),
        ("sla_percent", "99.0", 99),
        ("bare_metal", "Yes", True),
        ("bare_metal", "no", False),
        ("bare_metal", "perhaps", "perhaps"),
        ("pricing_category", "on demand", "STANDARD"),
        ("pricing_category", "committed", "COMMITTED"),
        ("interconnect", "RoCE 400", "roce_400"),
        ("provider", "  Ada  Metal ", "Ada Metal"),
        ("provider", "", None),
        ("as_of", "", None),
        ("max_gpus", "unknown", None),
    ],
)
def test_a_field_is_typed(name: str, text: str, value: Any) -> None:
    try:
        result: Any = parse_offer_value(name, text)
    except PlannerError as error:
        result = error.code
    assert result == value


def test_a_value_is_written_by_its_kind() -> None:
    words = {
        name: str(OFFER_FIELD_BY_NAME[name].value_words(value))
        for name, value in (
            ("rate_usd_per_gpu_hour", Decimal("2.75")), ("max_gpus", 8), ("provider", "Ada"), ("term_months", 12)
        )
    }  # fmt: skip
    assert words["rate_usd_per_gpu_hour"].startswith("$2.75") and words["max_gpus"].startswith("8 ")
    assert words["provider"] == "Ada" and words["term_months"].startswith("12 ")
    rate, flag = OFFER_FIELD_BY_NAME["rate_usd_per_gpu_hour"], OFFER_FIELD_BY_NAME["bare_metal"]
    assert rate.value_words(None) != OFFER_FIELD_BY_NAME["max_gpus"].value_words(None)
    assert flag.value_words(True) != flag.value_words(False)
    assert "CHF" in str(rate.value_words(Decimal(1), "CHF"))
    category = OFFER_FIELD_BY_NAME["pricing_category"]
    kinds = {
        kind: str(category.value_words(kind)) for kind in PricingCategory if kind is not PricingCategory.MIXED
    }
    assert len(set(kinds.values())) == 4 and kinds[PricingCategory.OWNED] == "owned"
    assert {
        str(OFFER_FIELD_BY_NAME[name].value_words(None)) for name in ("max_gpus", "bare_metal", "region")
    } == {"unknown"}
    assert str(OFFER_FIELD_BY_NAME["sla_percent"].value_words(99.123456789)).startswith("99.12345679 ")


# --- What it costs


def test_a_price_is_stale_after_so_many_days() -> None:
    """Days of UTC; without a date or a rate it is none."""
    window = Window(0, 24 * 1000)
    day = oldest_fresh_date(window)
    assert not is_stale(replace(YEAR, as_of=day), window)
    before = Window(0, 24 * 999)
    assert is_stale(replace(YEAR, as_of=oldest_fresh_date(before)), window)
    assert oldest_fresh_date(Window(0, 24 * 999 + 1)) == oldest_fresh_date(before)
    assert not is_stale(YEAR, window)
    assert not is_stale(replace(YEAR, rate_usd_per_gpu_hour=None, as_of="1970-01-01"), window)


def test_all_in_is_the_rate_with_upfront_and_extras() -> None:
    """$730 over 8,760 h are 8.33 cents."""
    upfront = replace(YEAR, upfront_usd=Decimal(730))
    both = all_in(upfront)
    assert (both.rate, both.total) == (2.5, pytest.approx(2.5 + 730 / 8760))
    assert both.upfront == pytest.approx(730 / 8760)
    plain = all_in(YEAR)
    assert (plain.upfront, plain.total) == (0.0, 2.5)
    unpriced = all_in(replace(YEAR, rate_usd_per_gpu_hour=None))
    assert (unpriced.upfront, unpriced.total) == (0.0, None)


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


# --- Currencies

EUR, CHF = (
    ExchangeRate("EUR", Decimal("1.2"), "2026-01-01"),
    ExchangeRate("CHF", Decimal("0.6"), "2026-01-01"),
)


def test_a_rate_of_exchange_is_that_of_one_over_the_other() -> None:
    rates = (EUR, CHF)
    assert exchange_between("EUR", "USD", rates) == Decimal("1.2")
    assert exchange_between("EUR", "CHF", rates) == 2 and exchange_between("CHF", "EUR", rates) == Decimal(
        "0.5"
    )
    assert exchange_between("EUR", "EUR", ()) == 1
    assert exchange_between("EUR", "GBP", rates) is exchange_between("GBP", "EUR", rates) is None
    assert currency_from("USD", rates) is DOLLARS and currency_from("GBP", rates).usd_rate is None
    assert currency_from("EUR", (EUR, replace(EUR, usd_rate=Decimal(2)))).usd_rate == 2
    assert unstated_exchange("USD") == 1 and unstated_exchange("EUR") is None


def test_rows_count_at_their_rate_or_wait_for_it() -> None:
    quoted = replace(YEAR, currency="EUR", exchange=None)
    (counted,) = counted_rows((quoted,), "USD", (EUR,))
    assert counted.exchange == Decimal("1.2")
    assert counted_rows((counted,), "USD", (EUR,))[0] is counted
    assert lacking_rate(quoted, "USD", ()) == "EUR" and lacking_rate(quoted, "USD", (EUR,)) == ""
    assert lacking_rate(quoted, "CHF", (EUR,)) == "CHF"
    assert lacking_rate(counted, "USD", ()) == ""
    assert lacking_rate(replace(quoted, rate_usd_per_gpu_hour=None), "USD", ()) == ""
    assert str(as_quoted(quoted)) == "2.5 EUR" and as_quoted(counted) == ""
    assert as_quoted(replace(quoted, rate_usd_per_gpu_hour=None)) == ""


@pytest.mark.parametrize(
    ("changes", "is_right"),
    [
        ({}, True),
        ({"code": "USD"}, False),
        ({"code": "EURO"}, False),
        ({"usd_rate": Decimal(0)}, False),
        ({"usd_rate": Decimal(10**6)}, True),
        ({"usd_rate": Decimal(10**6 + 1)}, False),
        ({"usd_rate": Decimal("NaN")}, False),
        ({"as_of": "2026-13-01"}, False),
    ],
)
def test_a_rate_is_stated_of_a_day(changes: dict[str, Any], *, is_right: bool) -> None:
    rate = replace(EUR, **changes)
    try:
        assert check_rate(rate) is rate and is_right
    except PlannerError:
        assert not is_right
    assert check_code(" chf ") == "CHF"
    assert in_money("$ per GPU-h", "USD") == "$ per GPU-h" and in_money("no money", "EUR") == "no money"


# --- Sources and remarks


def quote(source: str | None, **changes: Any) -> Offer:
    return replace(YEAR, source=source, **changes)


def test_a_source_says_what_was_asked_for() -> None:
    source = quote_source("RFQ-20260930-7C1E", "R2", "two sites", "2026-12-01", 99.95, is_option=True)
    row = answered_row(quote(source))
    assert row is not None
    assert (row.reference, row.row, row.asked_for, row.issued) == (
        "RFQ-20260930-7C1E",
        "R2",
        "2026-12-01",
        "2026-09-30",
    )
    assert (row.sla_percent, row.remark, row.is_taken, row.is_option) == (99.95, "two sites", False, True)
    plain = answered_row(quote(quote_source("RFQ-1", "R1")))
    assert plain is not None
    assert (plain.asked_for, plain.issued, plain.sla_percent, plain.remark, plain.is_option) == (
        None,
        None,
        99.9,
        "",
        False,
    )
    assert answered_row(quote(None)) is answered_row(quote("a.csv")) is None
    start = answered_row(quote("Quote RFQ-1 R1 for 2026-02-30"))
    assert start is not None and start.asked_for is None


@pytest.mark.parametrize("longer", [0, 1])
def test_a_remark_longer_than_is_kept_is_cut(longer: int) -> None:
    named = quote_source("RFQ-1", "R1")
    remark = "x" * (LONGEST_TEXT - len(named) - 2 + longer)
    for text in (quote_source("RFQ-1", "R1", remark), noted_source(named, remark)):
        assert len(text) == LONGEST_TEXT and text.endswith("\u2026" if longer else "x")


def test_a_start_is_that_asked_for_or_the_vendors_later_one() -> None:
    source = "Quote RFQ-20260930-7C1E R2 for 2026-12-01"
    asked = quoted_start(quote(source))
    assert asked is not None and (asked.offered_s, asked.is_at_once) == (asked.asked_s, False)
    later = quoted_start(quote(source, starts="2026-12-05T12:00:00Z"))
    assert later is not None and later.offered_s - later.asked_s == 4 * DAY_S
    sooner = quoted_start(quote(source, starts="2026-11-05"))
    assert sooner is not None and sooner.offered_s == sooner.asked_s
    at_once = quoted_start(quote("Quote RFQ-20260930-7C1E R2 for 2026-09-30"))
    assert at_once is not None and at_once.is_at_once
    assert quoted_start(quote("Quote RFQ-1 R2")) is quoted_start(YEAR) is None
    own = quoted_start(quote("Quote RFQ-1 R2", starts="2026-12-05"))
    assert own is not None and own.asked_s == own.offered_s


@pytest.mark.parametrize(
    ("remark", "waiting"),
    [
        ("", False),
        ("two sites", False),
        ("RTX 4090", True),
        ("H100", False),
        ("H100 SXM 80 GB", False),
        ("H100 40GB", True),  # less memory than the offer states
        ("plus VAT", True),
        ("excl. VAT", False),
        ("valid until 3 May", True),
        ("if needed", False),
        ("thank you in advance", False),
        ("x\u2026", True),
    ],
)
def test_a_remark_waits_where_it_changes_the_offer(remark: str, *, waiting: bool) -> None:
    offer = quote(quote_source("RFQ-1", "R1", remark), gpu_memory_gb=80.0)
    assert (undecided(offer) is not None) is waiting and (waits(offer) is not None) is waiting
    taken = taken_as_quoted(offer)
    assert (taken is not offer) is waiting and undecided(taken) is None
    assert remark_on(taken) == (remark, waiting)
    by_use = replace(offer, pricing_category=PricingCategory.STANDARD, term_months=0)
    assert waits(by_use) is None
    listed = quote(noted_source("a.csv", remark))
    assert remark_on(listed) == (remark, False)


def test_a_remark_is_quoted_as_written_or_where_a_letter_becomes_two_in_small_letters() -> None:
    for remark, words in (("Two sites, PLUS VAT", "PLUS VAT"), ("\u0130zmir, PLUS VAT", "plus vat")):
        message = undecided(quote(quote_source("RFQ-1", "R1", remark)))
        assert message is not None and message.values["words"] in words


def test_quotes_a_term_apart_renew_one_line() -> None:
    """A year from 1 December 2026 and the next from 1 December 2027: 8,760 h apart."""
    first = quote("Quote RFQ-1 R1 for 2026-12-01", starts="2026-12-01")
    second = replace(first, offer_id="z", source="Quote RFQ-1 R2 for 2027-12-01", starts="2027-12-01")
    assert is_on_line_of(first, second) and is_on_line_of(second, first) and is_on_line_of(first, first)
    half = replace(second, source="Quote RFQ-1 R2 for 2027-06-01", starts="2027-06-01")
    same_day = replace(second, source="Quote RFQ-1 R2 for 2026-12-01", starts="2026-12-01")
    for other in (
        half, same_day, replace(second, max_gpus=5), replace(second, source="Quote RFQ-2 R2 for 2027-12-01"),
        replace(second, source="Quote RFQ-1 R2 for 2027-12-01; x"), replace(second, source=None),
    ):  # fmt: skip
        assert not is_on_line_of(first, other)
    day_off = replace(second, source="Quote RFQ-1 R2 for 2027-12-02", starts="2027-12-02")
    two_off = replace(second, source="Quote RFQ-1 R2 for 2027-12-03", starts="2027-12-03")
    assert is_on_line_of(first, day_off) and not is_on_line_of(first, two_off)


def test_an_offer_is_open_through_its_last_day_or_instant() -> None:
    """10 January 1970 is the ninth day after the first."""
    by_day, by_time = (
        replace(YEAR, valid_until="1970-01-10"),
        replace(YEAR, valid_until="1970-01-10T12:00:00Z"),
    )
    assert (by_day.last_order_s, by_time.last_order_s) == (10 * DAY_S - 1, 9 * DAY_S + DAY_S // 2)
    assert by_day.is_open_on(10 * DAY_S - 1) and not by_day.is_open_on(10 * DAY_S)
    assert by_time.is_open_on(10 * DAY_S - 1) and not by_time.is_open_on(10 * DAY_S)
    assert YEAR.last_order_s is None and YEAR.is_open_on(10**10)


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


def test_a_contract_that_waits_for_an_exchange_has_a_name_of_its_own() -> None:
    held = Contract(
        contract_id="k",
        cluster="c",
        gpu_model="H100",
        milli_gpus=1000,
        rate_usd_per_gpu_hour=Decimal(2),
        start_s=0,
    )
    assert held.part_name == "k" and replace(held, rate_usd_per_gpu_hour=None, exchange=None).part_name == "k"
    assert replace(held, exchange=None).part_name == unexchanged("k")
