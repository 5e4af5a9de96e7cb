"""How numbers are written: edges of places, signs, limits and units, each worked out by hand."""

from dataclasses import replace
from decimal import Decimal
from math import inf

import pytest

from gpuplanner.domain.figures import typed
from gpuplanner.domain.figures.writing import (
    ENGLISH,
    GPU_HOURS,
    LONGEST_MS,
    MONEY,
    MONEY_PER_MONTH,
    NO,
    QUOTE_NEEDED,
    RATE,
    SHARE,
    UNKNOWN,
    YES,
    day,
    half_up,
    spelled,
)

MINUS = "\u2212"


@pytest.mark.parametrize(
    ("value", "places", "written"),
    [
        (None, 0, UNKNOWN),
        (0.0, 0, "0"),
        (-0.4, 0, "0"),
        (-0.5, 0, f"{MINUS}1"),
        (0.5, 0, "1"),
        (1.5, 0, "2"),
        (2.5, 0, "3"),
        (-1234.56, 1, f"{MINUS}1,234.6"),
        (0.125, 2, "0.13"),
        (2.0**53 + 2, 0, "9,007,199,254,740,994"),
        (3e9 + 0.5, 0, "3,000,000,001"),
    ],
)
def test_a_number_is_rounded_half_up_behind_its_sign(value: float | None, places: int, written: str) -> None:
    assert ENGLISH.number(value, places) == written
    assert str(typed.decimals(value, places)) == written


@pytest.mark.parametrize("value", [inf, -inf])
def test_what_is_no_number_stays_so(value: float) -> None:
    assert half_up(value, 2) == value


def test_money_stands_behind_its_minus() -> None:
    assert (ENGLISH.amount(-3.0), ENGLISH.amount(2.756, 2), ENGLISH.amount(None)) == (
        f"{MINUS}$3",
        "$2.76",
        UNKNOWN,
    )
    assert [str(typed.amount(usd)) for usd in (1234.5, -0.2, None)] == ["$1,235", "$0", UNKNOWN]
    assert str(typed.amount(2.756, 1)) == "$2.8"
    euros = replace(ENGLISH, money=lambda: "EUR ")
    assert euros.amount(2.0) == "EUR 2" and typed.amount(2.0).by(euros) == "EUR 2"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (None, UNKNOWN),
        (12.4, "+12"),
        (0.5, "+1"),
        (0.4, "~0"),
        (0.0, "~0"),
        (-0.4, "~0"),
        (-0.5, f"{MINUS}1"),
        (1.0, "+1"),
        (-1.0, f"{MINUS}1"),
        (-1234.0, f"{MINUS}1,234"),
    ],
)
def test_a_change_has_a_sign_but_for_nothing(value: float | None, written: str) -> None:
    assert replace(ENGLISH, no_change="~").change(value) == written
    assert ENGLISH.change(value) == written.replace("~", "")
    assert str(typed.change(value)) == written.replace("~", "")


def test_a_change_of_money_has_its_sign_before_the_currency() -> None:
    assert [ENGLISH.change(usd, "$") for usd in (2.0, -2.0)] == ["+$2", f"{MINUS}$2"]


def test_a_share_is_written_in_percent() -> None:
    assert [ENGLISH.percent(share) for share in (0.1234, -0.1, 2.0, None)] == [
        "12.3%",
        f"{MINUS}10.0%",
        "200.0%",
        UNKNOWN,
    ]
    assert [str(typed.percent(0.1256)), str(typed.percent(0.1256, 1)), str(typed.percent(None))] == [
        "13%",
        "12.6%",
        UNKNOWN,
    ]


@pytest.mark.parametrize(
    ("ms", "written"),
    [
        (None, UNKNOWN),
        (12.34, "12.3"),
        (79.96, "80.0"),
        (80.0, "80.0"),
        (80.06, "80.1"),
        (80.04, "80.04"),
        (80.001, "80.001"),
        (80.000000004, "80.000000004"),
        (80 + 2.0**-40, "80.000000000000909"),  # 2^-40 is 9.09e-13
        (160.0, "160.0"),
    ],
)
def test_a_way_is_never_written_on_the_other_side_of_its_limit(ms: float | None, written: str) -> None:
    assert LONGEST_MS == 80
    assert ENGLISH.way_ms(ms) == written == str(typed.way_ms(ms))


@pytest.mark.parametrize(
    ("gpus", "written"),
    [
        (None, UNKNOWN),
        (64.0, "64"),
        (0.0, "0"),
        (0.5, "0.5"),
        (0.25, "0.25"),
        (0.125, "0.1"),
        (4.5678, "4.6"),
        (64 + 9e-10, "64"),
        (64 + 1.5e-9, "64.0"),
        (-2.0, f"{MINUS}2"),
    ],
)
def test_gpus_are_whole_in_hundredths_or_a_mean(gpus: float | None, written: str) -> None:
    assert ENGLISH.gpus(gpus) == written == str(typed.gpus(gpus))


def test_a_missing_rate_is_a_quote_to_ask_for() -> None:
    assert (ENGLISH.rate(2.754), ENGLISH.rate(None)) == ("2.75", str(QUOTE_NEEDED))
    assert typed.of_unit(None, "rate") is QUOTE_NEEDED
    assert str(typed.of_unit(2.754, "rate")) == "2.75"
    assert str(typed.of_unit(None, "share")) == UNKNOWN


@pytest.mark.parametrize(
    ("value", "digits", "written"),
    [
        (1234.5, 10, "1,234.5"),
        (1234.5, 3, "1,234"),
        (1235.5, 4, "1,236"),
        (0.123456, 2, "0.12"),
        (0.00123456, 3, "0.00123"),
        (1200.0, 10, "1,200"),
        (100.0, 3, "100"),
        (99.96, 3, "100"),
        (5.0, 1, "5"),
        (0.0, 3, "0"),
        (-0.25, 1, f"{MINUS}0.2"),
        (-1.5, 6, f"{MINUS}1.5"),
    ],
)
def test_so_many_digits_say_something(value: float, digits: int, written: str) -> None:
    assert ENGLISH.significant(value, digits) == written == str(typed.significant(value, digits))


def test_a_number_of_ten_digits_is_exact_and_one_without_an_end_is_told_so() -> None:
    assert ENGLISH.exact(0.12345678901) == ENGLISH.significant(0.12345678901) == "0.123456789"
    assert (ENGLISH.exact(None), ENGLISH.exact(2.5), ENGLISH.exact(0.0)) == (UNKNOWN, "2.5", "0")
    assert ENGLISH.significant(inf) == "inf"
    assert str(typed.significant(1 / 3)) == "0.333333" and str(typed.significant(None)) == UNKNOWN


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("1200.50", "1,200.50"),
        ("1E+3", "1,000"),
        ("0.00", "0.00"),
        ("123456789012.345", "123,456,789,012.345"),  # fifteen digits
        ("1234567890123.4560", "1,234,567,890,123.46"),  # of more, fifteen
        ("Infinity", "inf"),
    ],
)
def test_what_was_given_has_the_places_that_it_was_given_with(value: str, written: str) -> None:
    assert str(typed.exact(Decimal(value))) == written


@pytest.mark.parametrize(
    ("usd", "written"),
    [
        (None, UNKNOWN),
        (0.0, "0.00"),
        (12.3456, "12.35"),
        (1.0, "1.00"),
        (0.999, "1.00"),
        (0.5, "0.50"),
        (0.1234, "0.12"),
        (0.1, "0.10"),
        (0.0999, "0.0999"),
        (0.0123456, "0.0123"),
        (0.00123456, "0.00123"),
        (-0.0123456, f"{MINUS}0.0123"),
        (-12.3456, f"{MINUS}12.35"),
    ],
)
def test_cents_have_three_digits_below_a_dime(usd: float | None, written: str) -> None:
    assert ENGLISH.each(usd) == written == str(typed.of_unit(usd, "each"))


def test_a_flag_is_yes_or_no() -> None:
    assert [ENGLISH.flag(value) for value in (1.0, 0.0, None)] == [str(YES), str(NO), UNKNOWN]
    shouted = replace(ENGLISH, say=lambda text: str(text).upper())
    assert (shouted.flag(1.0), shouted.rate(None)) == (str(YES).upper(), str(QUOTE_NEEDED).upper())


def test_days_and_moments_are_in_utc() -> None:
    assert (day(None), day(0), day(31 * 86_400)) == (UNKNOWN, "1 Jan 1970", "1 Feb 1970")
    assert ENGLISH.moment(61_259) == "1 Jan 1970 17:00"
    assert ENGLISH.moment(86_400 + 5 * 3600 + 7 * 60) == "2 Jan 1970 05:07"
    assert ENGLISH.moment(86_400 - 1) == "1 Jan 1970 23:59"
    assert [str(typed.plan_month(at)) for at in (0, 1, 11)] == ["first month", "month 2", "month 12"]
    assert str(typed.moment(3600)) == "1 Jan 1970 01:00" and str(typed.day(None)) == UNKNOWN


@pytest.mark.parametrize(
    ("unit", "written"),
    [
        ("usd", "1,235"),
        ("gpu_hours", "1,235"),
        ("rate", "1,234.57"),
        ("share", "123,456.8%"),
        ("gpus", "1,234.6"),
        ("hours", "1,234.6"),
        ("decimal", "1,234.6"),
        ("ms", "1,234.6"),
        ("exact", "1,234.5678"),
        ("each", "1,234.57"),
    ],
)
def test_a_value_is_written_as_its_unit_is(unit: object, written: str) -> None:
    assert ENGLISH.of_unit(1234.5678, unit) == written  # type: ignore[arg-type]
    assert str(typed.of_unit(1234.5678, unit)) == written  # type: ignore[arg-type]


def test_whole_numbers_and_their_words() -> None:
    assert (ENGLISH.whole(1234.5), ENGLISH.one_decimal(1234.56)) == ("1,235", "1,234.6")
    assert str(typed.whole(1234.5)) == "1,235" and str(typed.decimals(2.0)) == "2.0"
    assert [str(typed.worded_whole(n, "{count} GPU", "{count} GPUs")) for n in (0, 1, 2000)] == [
        "0 GPUs",
        "1 GPU",
        "2,000 GPUs",
    ]


def test_a_dimension_is_spelled_in_signs() -> None:
    assert [spelled(unit.dimension) for unit in (MONEY, MONEY_PER_MONTH, RATE, GPU_HOURS, SHARE)] == [
        "$",
        "$ month^-1",
        "$ GPU^-1 h^-1",
        "GPU h",
        "1",
    ]


def test_dollars_of_one_thing_that_are_no_number_are_written_as_such() -> None:
    assert ENGLISH.each(float("nan")) == "nan"
