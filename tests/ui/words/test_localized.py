"""Sentences of the model in the planner's locale, and numbers as the planner types them."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale

from gpuplanner.ui.window.number_format import LOCALES, locale_of
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.localized import localized, plain_number


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = QLocale()
    yield
    numbers.use_locale(before)


SENTENCES = (
    ("it costs $1,234.50 a month", "it costs $1.234,50 a month", "it costs $1\u202f234,50 a month"),
    (
        "12,345,678 GPU-hours at 2.5%",
        "12.345.678 GPU-hours at 2,5%",
        "12\u202f345\u202f678 GPU-hours at 2,5%",
    ),
    ("80.5 GB, then 1,000.", "80,5 GB, then 1.000.", "80,5 GB, then 1\u202f000."),
    ("(-1.5 to 2.5)", "(-1,5 to 2,5)", "(-1,5 to 2,5)"),
)
LEFT_ALONE = (
    "llama-3.1-70b on 2026-07-01 at 10:30, jobs.1.5.csv",
    "\u201c1,234.5\u201d is not a time",
    "version 1.2.3, Qwen2.5, 64 GPUs",
    "today's plan and tomorrow's",
)


@pytest.mark.parametrize(("english", "german", "french"), SENTENCES)
def test_numbers_of_a_sentence_are_rewritten_and_come_to_the_same_again(
    english: str, german: str, french: str
) -> None:
    for name, expected in (("english", english), ("german", german), ("french", french)):
        numbers.use_locale(locale_of(name))
        assert localized(english) == expected


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_names_dates_versions_and_quotes_stay(text: str) -> None:
    numbers.use_locale(locale_of("german"))
    assert localized(text) == text


@given(st.floats(-1e12, 1e12, allow_nan=False), st.sampled_from(sorted(LOCALES)))
def test_what_is_shown_is_read_back(value: float, name: str) -> None:
    numbers.use_locale(locale_of(name))
    assert float(plain_number(numbers.significant(value))) == pytest.approx(value, rel=1e-8, abs=1e-9)


@given(st.integers(0, 10**9), st.integers(0, 99), st.sampled_from(sorted(LOCALES)))
def test_the_model_and_the_window_write_the_same_figure(whole: int, part: int, name: str) -> None:
    numbers.use_locale(locale_of(name))
    assert localized(f"{whole:,}.{part:02d}") == numbers.locale().toString(whole + part / 100, "f", 2)


@pytest.mark.parametrize("text", ["", "x", "vela-h100", "yes", "2026-07-01"])
def test_what_is_no_number_is_read_as_it_is(text: str) -> None:
    numbers.use_locale(locale_of("german"))
    assert plain_number(text) == text


def test_a_german_types_a_german_number() -> None:
    numbers.use_locale(locale_of("german"))
    assert [plain_number(text) for text in ("2,75", "1.500", "1.500,5 %", "$2,5", "1.5")] == [
        "2.75",
        "1500",
        "1500.5 %",
        "$2.5",
        "1.5",
    ]
