"""A line of jobs alike: the first behind a place that is short enough, in time by the logarithm of its length."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.queue.sets import QueuedJob

NOBODY: Final = -1
_GONE: Final = 2**62  # longer than any gap


class Line:
    """Jobs that may use the same GPUs and are as large, by their places in the order of all; who waits is in it.

    A tree of least planned lengths over these places. first: the lowest that waits, beyond any where nobody does.
    """

    __slots__ = ("_jobs", "_places", "_tree", "_width", "first")

    def __init__(self, places: Sequence[int], jobs: Sequence[QueuedJob]) -> None:
        """places: ascending; jobs: of all places."""
        self._places, self._jobs = places, jobs
        self._width = 1
        self._tree = [_GONE, _GONE]  # it grows with the first that waits
        self.first = _GONE

    @property
    def shortest(self) -> int:
        """Planned seconds of the shortest who waits; beyond any where nobody does."""
        return self._tree[1]

    def add(self, place: int) -> None:
        """The job of this place waits."""
        if self._width < len(self._places):
            self._width = 1 << (len(self._places) - 1).bit_length()
            self._tree = [_GONE] * (2 * self._width)
        self._set(bisect_left(self._places, place), self._jobs[place].planned_s)
        self.first = min(self.first, place)

    def remove(self, place: int) -> None:
        """It waits no longer."""
        self._set(bisect_left(self._places, place), _GONE)
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
        at = bisect_right(self._places, place)
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
