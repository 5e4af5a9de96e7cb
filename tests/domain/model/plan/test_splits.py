"""Splits leave something to both parts; words and keys of parts."""

from typing import Any

import pytest

from gpuplanner.domain.model.plan.planned_work import ALWAYS
from gpuplanner.domain.model.plan.splits import (
    FIRST,
    SECOND,
    ShareSplit,
    TimeSplit,
    WeekSplit,
    bare_key,
    check_split,
    divided_key,
    leaf_keys,
    part_words,
    week_words,
    whole_key,
)
from tests.domain.model.refusals import is_right


@pytest.mark.parametrize(
    ("split", "right"),
    [
        (ShareSplit(1), True),
        (ShareSplit(999), True),
        (ShareSplit(0), False),
        (ShareSplit(1000), False),
        (TimeSplit(7200), True),
        (TimeSplit(7201), False),
        (WeekSplit((0,)), True),
        (WeekSplit(()), False),
        (WeekSplit(tuple(range(168))), False),
        (WeekSplit(tuple(range(167))), True),
        (WeekSplit((3, 1)), False),
        (WeekSplit((1, 1)), False),
        (WeekSplit((-1, 3)), False),
        (WeekSplit((3, 168)), False),
        (WeekSplit((0, 167)), True),
    ],
)
def test_a_split_leaves_something_to_both_parts(split: Any, *, right: bool) -> None:
    assert is_right(check_split, split) is right


def test_parts_are_called_by_what_they_have() -> None:
    share, week = ShareSplit(255), WeekSplit((8, 9))
    assert (part_words(share, SECOND), part_words(share, FIRST)) == ("25.5%", "74.5%")
    assert str(part_words(TimeSplit(7200), SECOND)).endswith("1 Jan 1970 02:00")
    assert part_words(TimeSplit(7200), SECOND) != part_words(TimeSplit(7200), FIRST)
    assert str(part_words(week, SECOND)) == "Mon 08\u201310" != str(part_words(week, FIRST))


@pytest.mark.parametrize(
    ("hours", "words"),
    [
        (tuple(range(24)), "Mon"),
        (ALWAYS, "Mon\u2013Sun"),
        ((24, 25), "Tue 00\u201302"),
        ((8, 9, 32, 33), "Mon\u2013Tue 08\u201310"),
        ((8, 10), "2"),  # not one after the other
        ((8, 56), "2"),  # Monday and Wednesday
        ((8, 33), "2"),
    ],
)
def test_hours_of_the_week_are_a_block_or_counted(hours: tuple[int, ...], words: str) -> None:
    text = str(week_words(hours))
    assert text == words or (len(words) == 1 and text.startswith(f"{words} "))


def test_keys_of_parts_lead_back_to_what_was_divided() -> None:
    splits = {"a": ShareSplit(300), "a#2": ShareSplit(500)}
    assert [whole_key(key, splits) for key in ("a", "a#1", "a#2#2", "b#1", "a#3")] == [
        "a",
        "a",
        "a",
        "b#1",
        "a#3",
    ]
    assert divided_key("a#2#1", splits) == "a#2" and divided_key("a#1#1", splits) is None
    assert leaf_keys("a", splits) == ("a#1", "a#2#1", "a#2#2") and leaf_keys("b", splits) == ("b",)
    assert [bare_key(key) for key in ("a#1#2", "a#3", "a")] == ["a", "a#3", "a"]
