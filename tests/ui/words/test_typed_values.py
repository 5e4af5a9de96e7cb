"""Sentences of the model with their numbers and days as the planner's locale has them, and numbers as it types them."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from gpuplanner.charts.kit.translation import sentence, spoken, use_currency
from gpuplanner.domain.figures.typed import (
    Written,
    amount,
    day,
    decimals,
    gpus,
    moment,
    percent,
    significant,
    way_ms,
    whole,
)
from gpuplanner.domain.message import Message, joined, lowered, worded, worded_count
from gpuplanner.ui.window.language_choice import LOCALES, locale_of
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.numbers import plain_amount, plain_number


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = QLocale()
    yield
    numbers.use_locale(before)
    use_currency("USD")


SAID = (
    (worded("it costs {usd} per month", usd=amount(1234.5, 2)), "it costs $1.234,50 per month"),
    (worded("it costs ${usd} per month", usd=whole(1234.5)), "it costs $1.235 per month"),
    (
        worded("{hours} GPU-hours at {share}", hours=whole(12_345_678), share=percent(0.025, 1)),
        "12.345.678 GPU-hours at 2,5%",
    ),
    (worded_count(1, "{n} GPU", "{n} GPUs", n=gpus(1.0)), "1 GPU"),
    (worded_count(1500, "{n} GPU", "{n} GPUs", n=gpus(1500.0)), "1.500 GPUs"),
    (joined((decimals(-1.5), worded(" to "), significant(2.5))), f"{numbers.MINUS}1,5 to 2,5"),
    (worded("Say why: {what}", what=lowered(worded("Sell {n}", n=whole(1000)))), "Say why: sell 1.000"),
    (worded("{way} ms", way=way_ms(80.04)), "80,04 ms"),
    (worded("until {day}", day=day(1_796_083_200)), "until 1 Dez. 2026"),
    (worded("at {at}", at=moment(1_796_083_200 + 61_200)), "at 1 Dez. 2026 17:00"),
    (worded("{name} has {n}", name="x-1,024.5", n=whole(None)), "x-1,024.5 has \u2014"),
)


@pytest.mark.parametrize(("said", "german"), SAID, ids=lambda one: str(one))
def test_values_are_written_by_whoever_shows_them(said: Message, german: str) -> None:
    numbers.use_locale(locale_of("english"))
    assert spoken(said) == str(said)
    numbers.use_locale(locale_of("german"))
    assert spoken(said) == german


def test_amounts_are_in_the_money_that_the_project_reports_in() -> None:
    said = worded("saves {usd}", usd=amount(-5))
    use_currency("EUR")
    assert (spoken(said), str(said)) == (f"saves {numbers.MINUS}\u20ac5", f"saves {numbers.MINUS}$5")


@given(st.floats(-1e12, 1e12), st.sampled_from(["number", "amount", "percent", "gpus", "significant"]))
def test_a_sentence_and_a_table_write_the_same_figure(value: float, way: str) -> None:
    numbers.use_locale(locale_of("german"))
    of_table = {
        "number": lambda: numbers.whole(value),
        "amount": lambda: numbers.dollars(value),
        "percent": lambda: numbers.whole_percent(value),
        "gpus": lambda: numbers.gpus(value),
        "significant": lambda: numbers.significant(value, 0),
    }
    assert spoken(joined((Written(way, value),))) == of_table[way]()  # type: ignore[arg-type]


LEFT_ALONE = ("llama-3.1-70b, 1,234.5", "\u201c1,234.5\u201d is not a time", "today's plan and tomorrow's")


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_what_files_say_stays(text: str) -> None:
    numbers.use_locale(locale_of("german"))
    assert spoken(text) == text and sentence(joined((text,))) == numbers.capital(text)


@given(st.floats(-1e12, 1e12, allow_nan=False), st.sampled_from(sorted(LOCALES)))
def test_what_is_shown_is_read_back(value: float, name: str) -> None:
    numbers.use_locale(locale_of(name))
    assert float(plain_number(numbers.significant(value))) == pytest.approx(value, rel=1e-8, abs=1e-9)


@pytest.mark.parametrize("text", ["", "x", "vela-h100", "yes", "2026-07-01"])
def test_what_is_no_number_is_read_as_it_is(text: str) -> None:
    numbers.use_locale(locale_of("german"))
    assert plain_number(text) == text


def test_a_german_types_a_german_number() -> None:
    numbers.use_locale(locale_of("german"))
    assert [plain_number(text) for text in ("2,75", "1.500", "1.500,5 %", "$2,5", "1.5", "1,5T")] == [
        "2.75",
        "1500",
        "1500.5 %",
        "$2.5",
        "1.5",
        "1.5T",
    ]


@pytest.mark.parametrize(
    ("typed", "taken"),
    [
        ("$400k", "400000"),
        ("1.2M", "1200000"),
        ("$ 1,500", "1500"),
        ("400000", "400000"),
        ("team", "team"),
        ("k", "k"),
    ],
)
def test_an_amount_is_taken_as_people_say_it(typed: str, taken: str) -> None:
    assert plain_amount(typed) == taken
