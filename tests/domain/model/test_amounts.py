"""Tests of amounts."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.amounts import (
    NOTHING_KNOWN,
    PartSum,
    grouped,
    in_all,
    known_sum,
    known_sums,
    lacking_sentences,
    largest_remainder,
    missing_sentence,
    missing_words,
    part_sum,
    remedy,
    summed,
    unexchanged,
)

# --- test amounts --------------------------------------------------------------------------------


def test_one_unknown_makes_the_sum_unknown_and_nothing_is_nought() -> None:
    assert known_sum([1.5, 2.0]) == 3.5
    assert known_sum([1.5, None, 2.0]) is None
    assert known_sum(iter(())) == 0.0


# --- A sum with unknown parts: what is known of it is kept, what is not is named -----------------

AMOUNTS = st.lists(st.tuples(st.sampled_from("abcdef"), st.none() | st.floats(0, 1e6)))


@given(AMOUNTS)
def test_the_total_is_that_of_known_sum(amounts) -> None:
    found, total = part_sum(amounts), known_sum(usd for _, usd in amounts)
    assert found.total == (None if total is None else pytest.approx(total))
    assert found.known == pytest.approx(sum(usd for _, usd in amounts if usd is not None))


@given(AMOUNTS)
def test_every_unknown_name_is_missing_once(amounts) -> None:
    found = part_sum(amounts)
    assert sorted(found.missing) == sorted({name for name, usd in amounts if usd is None})
    assert found.parts == len({name for name, _ in amounts})
    assert found.is_at_least == (found.total is None and found.known > 0)


def test_nothing_known_is_no_sum() -> None:
    found = part_sum([("H100", None), ("A100", 0.0)])
    assert (found.written, found.total) == (None, None)
    assert re.fullmatch(r"Unknown: H100 \D+\(1 \w+ 2 \w+\)", str(missing_sentence(found)))


def test_what_is_known_is_said_with_what_is_not() -> None:
    found = part_sum([("a", 5.0), *((name, None) for name in "bcdefg")])
    assert found.written == 5.0
    assert str(missing_words(found)).startswith("6 of 7 ")
    assert re.search(r": b, c, d, e\D+2 .+\(6 \w+ 7 \w+\)", str(missing_sentence(found)))
    assert not missing_sentence(part_sum([("a", 5.0)]))


@given(st.lists(AMOUNTS, max_size=4))
def test_sums_together_know_what_each_knows_and_lack_what_any_lacks(several) -> None:
    sums = [part_sum(amounts) for amounts in several]
    found = in_all(sums)
    assert found.known == pytest.approx(sum(one.known for one in sums))
    assert set(found.missing) == {name for one in sums for name in one.missing}
    assert found.parts >= max((one.parts for one in sums), default=0)
    assert found.parts >= len(found.missing)


def test_the_remedy_is_where_that_rate_is_typed() -> None:
    """A contract's in Contracts, its rate of exchange in Currency, what is bought or paid by use in Prices."""
    contract, bought, abroad = (
        ("vela-1", None),
        (worded("training H100"), None),
        (unexchanged("vela-2"), None),
    )
    told = [
        str(remedy(part_sum(of))) for of in ([contract], [bought], [bought, contract], [abroad], [("a", 1.0)])
    ]
    places = [re.findall(r"(?:in|>) (Contracts|Prices|Currency)\.", text) for text in told]
    assert places == [["Contracts"], ["Prices"], ["Contracts", "Prices"], ["Currency"], []]
    assert not remedy(NOTHING_KNOWN)
    assert not lacking_sentences(NOTHING_KNOWN)


def test_what_is_cut_off_goes_to_the_largest_remainders() -> None:
    """1.5, 2.6 and 0.9 are 5: floors are 3, two more go to 0.9 and 2.6."""
    assert largest_remainder([1.5, 2.6, 0.9]) == [1, 3, 1]
    assert largest_remainder([0.5, 0.5, None]) == [1, 0, None]
    assert largest_remainder([1.2, 1.2], 3.0) == [2, 1] and largest_remainder([]) == []
    assert largest_remainder([-0.6, 1.6]) == [-1, 2]
    assert largest_remainder([1.2, 1.4]) == [1, 2] and largest_remainder([1.2, 1.2]) == [1, 1]
    assert grouped([("a", 1), ("b", 2), ("a", 3)]) == {"a": [1, 3], "b": [2]}
    assert summed([("a", 1), ("a", 3)]) == {"a": 4}
    assert known_sums([("a", 1.0), ("a", None), ("b", 2.0)]) == {"a": None, "b": 2.0}


def test_names_beyond_four_are_counted() -> None:
    missing = tuple("bcdefg")
    text = str(missing_sentence(PartSum(5.0, 7, missing)))
    assert (
        " 2 " in text
        and "\u22122" not in text
        and "-2" not in text
        and "f" not in text.partition("(")[2].split(",")
    )
    four = str(missing_sentence(PartSum(5.0, 7, missing[:4])))
    assert "b, c, d, e " in four
