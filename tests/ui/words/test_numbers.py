"""Figures as they are shown."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from gpuplanner.domain.model.amounts import largest_remainder
from gpuplanner.ui.words import numbers


@pytest.fixture(autouse=True)
def english() -> object:
    before = QLocale()
    numbers.use_locale(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield None
    numbers.use_locale(before)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (numbers.dollars(612_032.4), "$612,032"),
        (numbers.dollars(-2303), "\u2212$2,303"),
        (numbers.whole(44_834.2), "44,834"),
        (numbers.change(128_480), "+128,480"),
        (numbers.change(-241_075.4), "\u2212241,075"),
        (numbers.change(0.2), "\u00b10"),
        (numbers.dollar_change(-2302.6), "\u2212$2,303"),
        (numbers.rate(2.75), "2.75"),
        (numbers.rate(2), "2.00"),
        (numbers.percent(0.39), "39.0%"),
        (numbers.percent(0.3997, 2), "39.97%"),
        (numbers.percent(-0.0001), "0.0%"),
        (numbers.gpus(64.0), "64"),
        (numbers.gpus(4.6), "4.6"),
        (numbers.one_decimal(9.12), "9.1"),
        (numbers.short_dollars(612_032), "$612k"),
        (numbers.short_dollars(7_344_384), "$7.3M"),
        (numbers.date(1_795_910_400), "29 Nov 2026"),
        (numbers.span(1_783_036_800, 1_790_812_800), "3 Jul \u2013 30 Sep 2026"),
        (numbers.counted(1, "job"), "1 job"),
        (numbers.counted(181_640, "job"), "181,640 jobs"),
    ],
)
def test_shown(shown: str, expected: str) -> None:
    assert shown == expected


@pytest.mark.parametrize(
    "say",
    [numbers.dollars, numbers.whole, numbers.change, numbers.percent, numbers.gpus, numbers.one_decimal],
)
def test_unknown_is_never_a_number(say: object) -> None:
    assert say(None) == "\u2014"  # type: ignore[operator]


def test_a_missing_rate_asks_for_a_quote() -> None:
    assert numbers.rate(None) == "quote needed"


def test_a_locale_without_a_language_groups_digits_all_the_same() -> None:
    numbers.use_locale(QLocale.c())
    assert numbers.whole(612_032) == "612,032"


def test_the_planners_locale_is_followed() -> None:
    numbers.use_locale(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    assert numbers.whole(612_032) == "612.032"
    assert numbers.rate(2.75) == "2,75"


@given(st.lists(st.floats(0, 1e9), max_size=30))
def test_shares_add_up_to_the_rounded_total_and_are_off_by_less_than_one(values: list[float]) -> None:
    shares = largest_remainder(values)
    assert sum(share for share in shares if share is not None) == Decimal(sum(values)).quantize(
        1, ROUND_HALF_UP
    )
    assert all(abs(share - value) < 1 + 1e-6 for share, value in zip(shares, values, strict=True))  # type: ignore[operator]


def test_what_is_unknown_stays_unknown_among_shares() -> None:
    assert largest_remainder([1.5, None, 1.5]) == [2, None, 1]
    assert largest_remainder([1642.5]) == [1643]  # a half is rounded as everywhere: up


def test_a_day_of_a_file_is_written_as_days_are() -> None:
    assert numbers.iso_date("2026-11-29") == "29 Nov 2026"
    assert numbers.iso_date("\u2014") == "\u2014"
