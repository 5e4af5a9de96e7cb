"""A line of jobs alike: the first behind a place that is short enough, in time by the logarithm of its length."""

from collections.abc import Sequence
from typing import Final

NOBODY: Final = -1
_GONE: Final = 2**62  # longer than any gap


class Line:
    """Jobs that may use the same GPUs and are as large, by their places in the order of all; who waits is in it.

    A tree of least planned lengths over these places. first: the lowest that waits, beyond any where nobody does.
    """

    __slots__ = ("_leaf_of", "_places", "_planned", "_tree", "_width", "first")

    def __init__(self, places: Sequence[int], planned_s: Sequence[int]) -> None:
        self._places = list(places)
        self._planned = list(planned_s)
        self._leaf_of = {place: leaf for leaf, place in enumerate(self._places)}
        self._width = 1
        while self._width < len(self._places):
            self._width *= 2
        self._tree = [_GONE] * (2 * self._width)
        self.first = _GONE

    @property
    def shortest(self) -> int:
        """Planned seconds of the shortest who waits; beyond any where nobody does."""
        return self._tree[1]

    def add(self, place: int) -> None:
        """The job of this place waits."""
        leaf = self._leaf_of[place]
        self._set(leaf, self._planned[leaf])
        self.first = min(self.first, place)

    def remove(self, place: int) -> None:
        """It waits no longer."""
        self._set(self._leaf_of[place], _GONE)
        if place == self.first:
            behind = self.first_behind(place, _GONE)
            self.first = _GONE if behind == NOBODY else behind

    def _set(self, leaf: int, value: int) -> None:
        tree, at = self._tree, leaf + self._width
        tree[at] = value
        at >>= 1
        while at:
            left, right = tree[2 * at], tree[2 * at + 1]
            least = left if left < right else right
            if tree[at] == least:
                return
            tree[at] = least
            at >>= 1

    def first_behind(self, place: int, longest_s: int) -> int:
        """The first place behind this one whose job waits and is planned for no longer; NOBODY without one."""
        tree = self._tree
        if tree[1] > longest_s or tree[1] >= _GONE:
            return NOBODY
        at = self._leaf_behind(place)
        if at >= len(self._places):
            return NOBODY
        at += self._width
        longest_s = min(longest_s, _GONE - 1)
        while True:
            while not at & 1:
                at >>= 1
            if tree[at] <= longest_s:
                while at < self._width:
                    at *= 2
                    if tree[at] > longest_s:
                        at += 1
                return self._places[at - self._width]
            at += 1
            if at & (at - 1) == 0:
                return NOBODY

    def _leaf_behind(self, place: int) -> int:
        """The leaf of the first job behind a place."""
        if place < 0:
            return 0
        leaf = self._leaf_of.get(place)
        if leaf is not None:
            return leaf + 1
        low, high, places = 0, len(self._places), self._places
        while low < high:
            middle = (low + high) // 2
            if places[middle] > place:
                high = middle
            else:
                low = middle + 1
        return low
