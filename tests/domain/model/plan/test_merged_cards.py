"""Merged cards have a name and two cards or more."""

from typing import Any

import pytest

from gpuplanner.domain.model.plan.merged_cards import check_merges, merge_of, with_those_merged, without_cards
from tests.domain.model.refusals import is_right


@pytest.mark.parametrize(
    ("merges", "right"),
    [
        ({"m": ("a", "b")}, True),
        ({"m": ("a",)}, False),
        ({"m": ("b", "a")}, False),
        ({"m": ("a", "a")}, False),
        ({"": ("a", "b")}, False),
        ({" m": ("a", "b")}, False),
        ({"m" * 120: ("a", "b")}, True),
        ({"m" * 121: ("a", "b")}, False),
        ({"m\n": ("a", "b")}, False),
        ({"m": ("a", "b"), "n": ("b", "c")}, False),
        ({"m": ("a", "b"), "n": ("c", "d")}, True),
    ],
)
def test_merged_cards_have_a_name_and_two_cards_or_more(merges: Any, *, right: bool) -> None:
    assert is_right(check_merges, merges) is right


def test_what_is_merged_is_done_to_all() -> None:
    merges = {"m": ("a", "b"), "n": ("c", "d", "e")}
    assert (merge_of("b", merges), merge_of("x", merges)) == ("m", None)
    assert with_those_merged(("x", "b", "a"), merges) == ("x", "a", "b")
    assert with_those_merged(("x", "x"), {}) == ("x", "x")
    assert without_cards(merges, {"a", "c"}) == {"n": ("d", "e")}
