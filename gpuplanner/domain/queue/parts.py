"""What a replay takes and gives: jobs that share sets as parts, lines of those that wait, and the answer.

Source: docs/formulas/waits.md.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from functools import cached_property
from operator import itemgetter
from typing import Any, Final

from gpuplanner.domain.model.amounts import grouped
from gpuplanner.domain.queue.sets import NEVER, QueuedJob
from gpuplanner.lazy_dataclass import dataclass, field

# --- A line of jobs alike: the first behind a place that is short enough, by the logarithm of its length


NOBODY: Final = -1
_GONE: Final = NEVER + 1  # longer than any gap
MANY: Final = 64
"""That wait in a line, from which on a tree finds the first sooner."""


class Line:
    """Jobs that may use the same GPUs and are as large, by their places in the order of all; who waits is in it.

    A few that wait stand in a list, more in a tree of least planned lengths over these places. first: the lowest that
    waits, beyond any where nobody does.
    """

    __slots__ = ("_jobs", "_places", "_tree", "_waits", "_width", "first")

    def __init__(self, places: Sequence[int], jobs: Sequence[QueuedJob]) -> None:
        """places: ascending; jobs: of all places."""
        self._places, self._jobs = places, jobs
        self._waits, self._tree, self._width = list[int](), list[int](), 1
        self.first = _GONE

    def add(self, place: int) -> None:
        """The job of this place waits."""
        self.first = min(self.first, place)
        if not self._tree:
            insort(self._waits, place)
            if len(self._waits) <= MANY:
                return
            self._width = 1 << (len(self._places) - 1).bit_length()
            self._tree = [_GONE] * (2 * self._width)
        for each in self._waits or (place,):
            tree, planned_s = self._tree, self._jobs[each].planned_s
            at = bisect_left(self._places, each) + self._width
            while at and tree[at] > planned_s:
                tree[at] = planned_s
                at >>= 1
        self._waits.clear()

    def remove(self, place: int) -> None:
        """It waits no longer."""
        if not self._tree:
            del self._waits[bisect_left(self._waits, place)]
            self.first = self._waits[0] if self._waits else _GONE
            return
        tree, at = self._tree, bisect_left(self._places, place) + self._width
        gone_s, tree[at] = tree[at], _GONE
        while at > 1 and tree[at >> 1] == gone_s != tree[at ^ 1]:  # else another is as short
            left, right = tree[at], tree[at ^ 1]
            at >>= 1
            tree[at] = left if left < right else right
        if tree[1] == _GONE:
            self._tree, self.first = [], _GONE
        elif place == self.first:
            self.first = self.first_behind(place, NEVER)

    def first_behind(self, place: int, longest_s: int) -> int:
        """The first place behind this one whose job waits and is planned for no longer; NOBODY without one."""
        tree = self._tree
        if not tree:
            for each in self._waits[bisect_right(self._waits, place) :]:
                if longest_s >= NEVER or self._jobs[each].planned_s <= longest_s:
                    return each
            return NOBODY
        if tree[1] > longest_s:
            return NOBODY
        at = bisect_right(self._places, place)
        if at >= len(self._places):
            return NOBODY
        at += self._width
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


LOOK_AFTER: Final = 4096
"""Instants between two looks at whether the answer is still wanted."""
PLACE_BITS: Final = 32
"""Ends stand in their heap as one number: the time, then the job in so many bits."""
LAST_BITS: Final = (1 << PLACE_BITS) - 1


@dataclass(frozen=True, slots=True)
class Rules:
    """By what a scheduler asks jobs. limits: thousandths of a GPU that the jobs of each may hold together.

    shares: of each account, empty without fair share; half_life_s: of the use that fair share counts, seconds;
    by default longer than any log.
    """

    limits: tuple[int, ...] = ()
    shares: tuple[float, ...] = ()
    half_life_s: float = 1e15


NO_RULES: Final = Rules()


@dataclass(frozen=True, eq=False)
class Part:
    """Jobs that have sets in common, by their places in the order of all. What is known of them is worked out once."""

    used: set[int]
    places: Sequence[int]
    jobs: Sequence[QueuedJob]
    rules: Rules = NO_RULES

    @cached_property
    def columns(self) -> tuple[tuple[Any, ...], ...]:
        """The fields of `QueuedJob`, each of all jobs."""
        return tuple(tuple(map(itemgetter(at), self.jobs)) for at in range(len(QueuedJob._fields)))

    @cached_property
    def arrivals(self) -> list[int]:
        """Places in the part as they become eligible."""
        return sorted(range(len(self.jobs)), key=self.columns[1].__getitem__)

    @cached_property
    def comes(self) -> list[int]:
        """When they do, and never twice more."""
        return [*sorted(self.columns[1]), NEVER, NEVER]

    @cached_property
    def kinds(self) -> tuple[list[tuple[QueuedJob, list[int]]], list[int]]:
        """The first of jobs alike but for times, with places in the part; and the kind of each."""
        alike, kind_of = _alike([(pool, *others) for pool, _, _, _, *others in self.jobs])
        return [(self.jobs[members[0]], members) for members in alike.values()], kind_of

    @cached_property
    def sizes(self) -> tuple[dict[tuple[int, int], list[int]], list[int]]:
        """Places in the part of jobs of so many thousandths on so many machines; and the place of each one's size."""
        return _alike([*zip(self.columns[4], self.columns[8], strict=True)])


def _alike(keys: Sequence[Any]) -> tuple[dict[Any, list[int]], list[int]]:
    """Places by key, as it first comes, and for each place which of these keys it has."""
    members = grouped((key, place) for place, key in enumerate(keys))
    number_of = {key: number for number, key in enumerate(members)}
    return members, [number_of[key] for key in keys]


@dataclass(frozen=True, slots=True)
class Replay:
    """start_s: of each job, NOBODY: it never started. on: the set that it ran on; outlet: where it was sent instead.

    fragments: set, from when to when, thousandths that stood free while the first in its queue fitted by number and not
    by node.
    """

    start_s: list[int]
    on: list[int]
    outlet: list[int]
    fragments: list[tuple[int, int, int, int]] = field(default_factory=list)


def parts_of(jobs: Sequence[QueuedJob], outlets: Sequence[int | None], rules: Rules = NO_RULES) -> list[Part]:
    """Sets that no job has in common with others, and their jobs: each is a queue of its own.

    An outlet with a limit is had in common, too, and so is a limit of jobs; accounts have all sets in common.
    """
    known = grouped(((job.sets, job.outlets, job.limits), at) for at, job in enumerate(jobs))
    parts: list[tuple[set[int], list[int]]] = []
    first = -1 - len(outlets)
    for (sets, sent, limits), members in known.items():
        used, places = {*sets, *(-1 - outlet for outlet in sent if outlets[outlet] is not None)}, members
        used |= {first - limit for limit in limits} | ({first - len(rules.limits)} if rules.shares else set())
        apart = []
        for others, theirs in parts:
            if used & others:
                used |= others
                places = places + theirs
            else:
                apart.append((others, theirs))
        parts = [*apart, (used, places)]
    return [Part(used, (at := sorted(places)), [*map(jobs.__getitem__, at)], rules) for used, places in parts]
