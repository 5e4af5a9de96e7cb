"""Which cards a mark is drawn on: those that stand out among their peers, not what a whole pool is like.

A finding of few cards of a column is drawn on all of them. One of many says something of the pool: its head counts
them, and only those are marked that cost most, where to act is worth something. What a card says of itself in its tip
and its details is the same in either case.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

FEW_SHARE: Final = 0.10
FEW_AT_LEAST: Final = 3
"""A finding of at most a tenth of a column's cards, or of three, is an exception."""
DOLLAR_SHARE: Final = 0.05
"""Of a finding that is no exception, a card is marked from this share of its column's $ per month on."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What several cards of a column have in common: how many, and on how many of them its mark is drawn."""

    icon: str
    role: str
    cards: int
    marked: int

    @property
    def is_of_the_pool(self) -> bool:
        """Whether more cards have it than are marked, so that the head of the column says how many."""
        return self.marked < self.cards


def most_few(peers: int) -> int:
    """How many of so many cards are few."""
    return max(FEW_AT_LEAST, math.ceil(FEW_SHARE * peers))


def standing_out(found: Sequence[str], weights: Mapping[str, float]) -> frozenset[str]:
    """Of the cards with a finding those that are marked. weights: $ per month of every card of the column, by key.

    >>> sorted(standing_out("abcd", {"a": 50.0, "b": 30.0, "c": 19.5, "d": 0.5, "e": 0.0}))
    ['a', 'b', 'c']
    >>> sorted(standing_out("de", {"a": 50.0, "b": 30.0, "c": 19.5, "d": 0.5, "e": 0.0}))
    ['d', 'e']
    """
    few = most_few(len(weights))
    if len(found) <= few:
        return frozenset(found)
    least = DOLLAR_SHARE * sum(weights.values())
    heaviest = sorted(found, key=lambda key: (-weights[key], key))[:few]
    return frozenset(key for key in heaviest if weights[key] > 0 and weights[key] >= least)
