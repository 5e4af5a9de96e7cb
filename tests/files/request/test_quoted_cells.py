"""Amounts as vendors write them: what was written is read back or asked about, and never misread by a power of ten."""

from contextlib import suppress
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.files.request.quoted_cells import (
    Money,
    RateRange,
    Told,
    UnclearError,
    is_of_another_unit,
    number_style,
    read_day,
    read_gpus,
    read_last_day,
    read_lead_hours,
    read_money,
    read_percent,
    read_rate,
)
from gpuplanner.files.values.amounts import COMMA, POINT

US = Told("USD")
READERS = (
    lambda text: read_rate(text, US),
    lambda text: read_money(text, US),
    read_gpus,
    read_lead_hours,
    read_percent,
    read_day,
)


@pytest.mark.parametrize(
    ("text", "rate", "currency"),
    [
        ("2.10", "2.10", "USD"),
        ("2,10", "2.10", "USD"),
        ("2.10 USD/h", "2.10", "USD"),
        ("€2.10", "2.10", "EUR"),
        ("$ 2,10 / GPU-h", "2.10", "USD"),
        ("2.10 per GPU-hour", "2.10", "USD"),
        ("US$ 2.10/GPU/hr", "2.10", "USD"),
        ("2.105 USD per hour", "2.105", "USD"),
        ("GBP 1.95 each GPU hour, excl. VAT", "1.95", "GBP"),
        ("1,760 per GPU-month", "2.410959", "USD"),
        ("1.760,00 EUR / GPU / month", "2.410959", "EUR"),
        ("17,520 per GPU per year", "2", "USD"),
        ("48 USD/GPU/day", "2", "USD"),
        ("$ 2.10 CAD", "2.10", "CAD"),
        ("2,10 €/GPU*h zzgl. MwSt", "2.10", "EUR"),
        ("$2.10/hr/GPU + VAT", "2.10", "USD"),
        ("0", "0", "USD"),
    ],
)
def test_rates_that_say_what_they_are(text: str, rate: str, currency: str) -> None:
    found = read_rate(text, US)
    assert isinstance(found, Money)
    assert (found.amount, found.currency) == (Decimal(rate), currency)


@pytest.mark.parametrize(
    "text",
    [
        "1,760 per month",
        "1,760",
        "2.105",
        "12.5k",
        "16.80 per node-hour",
        "2.10 per hour, billed monthly",
        "2.10 if paid upfront",
        "~2.10",
        "2.10*",
        "210 cents",
        "210¢",
        "2.10 (1.95 for 24 months)",
        "from 2.10",
        "2.10 incl. VAT",
        "2.10 + 0.20 for support",
        "2.10 plus setup",
        "-2.10",
        "$2.10 / €1.95",
        "2.10 kr",
        "1760 par an",
        "1760 per m",
        "2.1 m",
        "#REF!",
        "1760",
        "0.0021",
        "two dollars",
    ],
)
def test_rates_that_are_asked_about(text: str) -> None:
    with pytest.raises(UnclearError):
        read_rate(text, US)


def test_a_range_is_no_rate() -> None:
    found = read_rate("$2.1 – $2.4 per GPU-hour", US)
    assert isinstance(found, RateRange)
    assert (found.low.amount, found.high.amount) == (Decimal("2.1"), Decimal("2.4"))
    monthly = read_rate("1460-1752 per GPU-month", US)
    assert isinstance(monthly, RateRange) and monthly.high.amount == Decimal("2.4")


def test_whose_dollars_and_crowns_is_asked_where_others_are_asked_for() -> None:
    with pytest.raises(UnclearError):
        read_rate("$2.10", Told("CAD"))
    assert read_rate("C$2.10", Told("CAD")).currency == "CAD"  # type: ignore[union-attr]
    assert read_rate("20 kr", Told("NOK")).currency == "NOK"  # type: ignore[union-attr]
    with pytest.raises(UnclearError):
        read_rate("2.10", Told(""))


def test_a_program_s_numbers_are_read_as_it_writes_them() -> None:
    style = number_style(["64", "1,5", "2.10 USD"])
    assert style == COMMA
    assert read_rate("1,760", Told("USD", style)).amount == Decimal("1.760")  # type: ignore[union-attr]
    assert read_money("1,760", Told("USD", POINT)).amount == 1760
    assert read_rate("2.105", Told("USD", is_typed=True)).amount == Decimal("2.105")  # type: ignore[union-attr]
    with pytest.raises(UnclearError):
        read_rate("1,760", Told("USD", POINT))  # nobody asks so much an hour


@pytest.mark.parametrize(
    ("text", "hours"),
    [
        ("2 weeks", 336),
        ("14 days", 336),
        ("336 h", 336),
        ("14", 336),
        ("1,5 weeks", 252),
        ("immediate", 0),
        ("within 14 days", 336),
        ("3 mo", 2190),
        ("2-3 weeks", 504),
        ("10 to 14 days", 336),
        ("10–14 days", 336),
    ],
)
def test_lead_times(text: str, hours: float) -> None:
    assert read_lead_hours(text) == hours


@pytest.mark.parametrize(
    "text",
    ["soon", "3-2 weeks", "2-3 sprints", "10 working days", "<14", "Q1 2027", "2026-12-01", "-3", "14+", ""],
)
def test_lead_times_that_are_asked_about(text: str) -> None:
    with pytest.raises(UnclearError):
        read_lead_hours(text)


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("2026-12-01", "2026-12-01"),
        ("2026/12/1", "2026-12-01"),
        ("1 Dec 2026", "2026-12-01"),
        ("Dec 1, 2026", "2026-12-01"),
        ("1. Dezember 2026", "2026-12-01"),
        ("1.12.26", "2026-12-01"),
        ("12/25/2026", "2026-12-25"),
        ("46357", "2026-12-01"),
        ("as requested", None),
        ("ASAP", None),
    ],
)
def test_days(text: str, day: str | None) -> None:
    assert read_day(text) == day


@pytest.mark.parametrize(
    "text",
    [
        "01/12/2026",
        "26-12-01",
        "12/25/26",
        "Dec 2026",
        "Q4 2026",
        "2026-12",
        "2026-12-01 or later",
        "25/12/2026 tbc",
        "31 Feb 2026",
        "1 Dec 1926",
        "week 50",
        "20261201",
        "",
    ],
)
def test_days_that_are_asked_about(text: str) -> None:
    with pytest.raises(UnclearError):
        read_day(text)


@pytest.mark.parametrize("text", ["64", "64 GPUs", "64,0", "64.0"])
def test_gpus(text: str) -> None:
    assert read_gpus(text) == 64


@pytest.mark.parametrize("text", ["8 nodes", "64.5", "up to 64", "32-64", "-8", "many", ">64"])
def test_gpus_that_are_asked_about(text: str) -> None:
    with pytest.raises(UnclearError):
        read_gpus(text)


@pytest.mark.parametrize("text", ["high", "101", "9.9", "0.999%", ">99", "99.9 to 99.99", "three nines"])
def test_percentages_that_are_asked_about(text: str) -> None:
    with pytest.raises(UnclearError):
        read_percent(text)


AMOUNTS = st.decimals(min_value="0.01", max_value=10**7, places=2)
AROUND = st.sampled_from(
    [
        "{}",
        "${}",
        "USD {}",
        "{} EUR",
        "{}/GPU/h",
        "{} per GPU-hour",
        " {} ",
        "€ {} / GPU-h",
        "({})",
        "{} net",
        "{} (firm)",
    ]
)


def written(number: Decimal, style: str, gap: str) -> str:
    """A number with two decimals in a style; gap: its sign between thousands, which may be none."""
    text = f"{number:,.2f}"
    other = text if style == POINT else text.translate(str.maketrans(",.", ".,"))
    thousands = "," if style == POINT else "."
    return other.replace(thousands, gap if gap != "style" else thousands)


@given(AMOUNTS, AROUND, st.sampled_from([POINT, COMMA]), st.sampled_from(["style", "", " ", "'"]))
def test_an_amount_is_read_as_it_was_written_or_asked_about(
    number: Decimal, around: str, style: str, gap: str
) -> None:
    text = around.format(written(number, style, gap))
    for read in (read_rate, read_money):
        try:
            found = read(text, US)
        except UnclearError:
            is_hourly = "h" in around.lower()  # no upfront payment is
            is_refused = is_hourly if read is read_money else not Decimal("0.02") <= number <= 100
            assert "(" in text or is_refused
            continue
        assert isinstance(found, Money) and found.amount == number, text


@given(st.integers(1, 9999), st.integers(0, 999), AROUND, st.sampled_from(["", POINT, COMMA]))
def test_three_figures_behind_a_sign_are_never_misread_by_a_thousand(
    thousands: int, rest: int, around: str, style: str
) -> None:
    """Whoever writes commas between thousands means one number, whoever writes decimals another: one alone may be read
    only where the file or the unit tells."""
    for sign, of in ((",", COMMA), (".", POINT)):
        text = around.format(f"{thousands}{sign}{rest:03d}")
        as_decimals = Decimal(f"{thousands}.{rest:03d}")
        try:
            found = read_rate(text, Told("USD", style))
        except UnclearError:
            continue
        assert isinstance(found, Money)
        if found.amount == as_decimals:
            is_told = style == of or "h" in around.lower() or thousands > 999  # 1234,567 is no thousands
            assert is_told or not rest, text
        else:
            assert found.amount == 1000 * thousands + rest and style not in ("", of), text


@given(st.text(max_size=100))
def test_any_text_is_read_or_asked_about(text: str) -> None:
    for read in READERS:
        with suppress(UnclearError):
            read(text)


@given(st.text("0123456789.,-–/ €$kKMhGPUtobis%perdaymonth()'", max_size=24))
def test_any_text_like_an_amount_is_read_or_asked_about(text: str) -> None:
    test_any_text_is_read_or_asked_about.hypothesis.inner_test(text)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("remark", "is_other"),
    [
        ("Rate is per GPU-hour; invoiced monthly; cost per node on request", False),
        ("rate per GPU per hour, billed monthly, annual price review", False),
        ("USD/GPU/h; price per node on request", False),
        ("server price list attached", False),
        ("monthly price list attached, annual pricing review", False),
        ("price fixed, setup per node", False),
        ("Rate per node, price per GPU hour on request", True),
        ("Rate per node, not per GPU hour", True),
        ("node hourly rate", True),
        ("per-node pricing", True),
        ("16.80 is the node price", True),
        ("price per GPU-month", True),
    ],
)
def test_a_remark_says_what_a_rate_is_for(remark: str, is_other: bool) -> None:
    assert is_of_another_unit(remark) is is_other


@pytest.mark.parametrize("text", ["10-12", "10 – 12", "2 to 3"])
def test_a_lead_of_two_numbers_without_a_unit_is_asked_about(text: str) -> None:
    with pytest.raises(UnclearError, match="without a unit"):
        read_lead_hours(text)
    assert read_lead_hours(f"{text} days") > 0


@pytest.mark.parametrize(
    ("text", "quoted_on"),
    [
        ("30 days", "9999-12-31"),
        ("6 weeks", "9999-12-31"),
        ("2 months", "9999-12-31"),
        ("999 months", "2026-10-01"),
        ("999 months", "9990-10-01"),
    ],
)
def test_a_quote_that_holds_beyond_all_years_is_asked_about(text: str, quoted_on: str) -> None:
    with pytest.raises(UnclearError, match="not a plausible date"):
        read_last_day(text, quoted_on)
