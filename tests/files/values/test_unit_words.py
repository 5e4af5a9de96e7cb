"""Words of units: in each use a word means one unit, and what reads numbers takes every word of its own."""

from collections.abc import Callable, Iterable

import pytest

from gpuplanner.files.values.durations import read_duration
from gpuplanner.files.values.terms import read_term
from gpuplanner.files.values.unit_words import TIME_WORDS, UNIT_OF_WORD, number_words, price_words, term_words

SECONDS = {"second": 1, "minute": 60, "hour": 3600, "day": 86_400}


@pytest.mark.parametrize("words_of", [number_words, term_words, price_words])
def test_in_one_use_a_word_means_one_unit(words_of: Callable[[str], Iterable[str]]) -> None:
    every = [word for unit in TIME_WORDS for word in words_of(unit)]
    assert len(every) == len(set(every))


@pytest.mark.parametrize(("unit", "seconds"), SECONDS.items())
def test_a_length_is_read_with_every_word_of_its_unit(unit: str, seconds: int) -> None:
    assert {read_duration(f"3 {word}") for word in number_words(unit)} == {3 * seconds}
    assert {read_duration(f"3{word.upper()}") for word in number_words(unit)} == {3 * seconds}


@pytest.mark.parametrize(("unit", "months"), [("year", 12), ("month", 1)])
def test_a_term_is_read_with_every_word_of_its_unit(unit: str, months: int) -> None:
    assert {read_term(f"3 {word}") for word in term_words(unit)} == {3 * months}


def test_five_m_are_minutes_of_a_job_and_months_of_a_contract() -> None:
    assert (read_duration("5m"), read_term("5 m"), UNIT_OF_WORD["m"]) == (300, 5, "min")
