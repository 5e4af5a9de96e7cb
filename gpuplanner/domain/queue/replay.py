"""The replay: jobs in their order on sets of GPUs, with backfill behind one reservation a set; exact, event by event.

Source: docs/formulas.md, Waiting.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf
from typing import Final

from gpuplanner.domain.queue.line import NOBODY, Line

NEVER: Final = 2**62
"""Later than any job."""
LOOK_AFTER: Final = 4096
"""Instants between two looks at whether the answer is still wanted."""


@dataclass(frozen=True, slots=True)
class QueuedJob:
    """One job that holds GPUs. Seconds and thousandths of a GPU, whole.

    pool: its place among the pools, in whose order jobs are asked. eligible_s: when it may start. length_s: as it ran;
    planned_s: as long as it was allowed to, at least that. sets: places in the list of sets that it may use, its
    pool's own first. patience_s: after so long it goes out to `outlets` (places in their list, cheapest first); None:
    it waits for ever.
    """

    pool: int
    eligible_s: int
    length_s: int
    planned_s: int
    milli_gpus: int
    sets: tuple[int, ...]
    outlets: tuple[int, ...] = ()
    patience_s: int | None = None


@dataclass(frozen=True, slots=True)
class GpuSet:
    """GPUs that the same pools may use. changes: from when on it has so many thousandths, in order of time; before
    the first it has none.
    """

    changes: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Replay:
    """start_s: of each job, None: it never started. on: the set that it ran on; outlet: where it was sent instead."""

    start_s: tuple[int | None, ...]
    on: tuple[int | None, ...]
    outlet: tuple[int | None, ...]


def replay(
    jobs: Sequence[QueuedJob],
    sets: Sequence[GpuSet],
    outlets: Sequence[int | None] = (),
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Replay:
    """Every job from its eligible time on. jobs: in the order in which they are asked (pool, eligible, id, row).

    outlets: thousandths of a GPU that each has, None without a limit.
    Law: no job starts before it is eligible, no set ever holds more than it has, a reservation is never put off.
    """
    run = _Run(jobs, sets, outlets)
    run.go(is_cancelled)
    return Replay(tuple(run.start_s), tuple(run.on), tuple(run.outlet))


@dataclass(slots=True)
class _Reservation:
    """Of the first job that cannot start: from when on, and what is free beside it then."""

    job: int
    at_s: int
    spare: int


@dataclass(slots=True)
class _Held:
    """A set as it is held.

    free: now; below 0 where it shrank under what runs. to_come: changes of its size that are still to come, in order
    (time, more or fewer). planned, ends: (end as planned, or as it will be; thousandths) of what runs, in order.
    reservation: of this walk; kept: that of the walk before, while it still holds.
    """

    free: int
    to_come: list[tuple[int, int]]
    planned: list[tuple[int, int]] = field(default_factory=list)
    ends: list[tuple[int, int]] = field(default_factory=list)
    reservation: _Reservation | None = None
    kept: _Reservation | None = None

    def fits(self, job: QueuedJob, now: int) -> bool:
        """Whether it has the GPUs now, and keeps them to the job's true end."""
        if self.free < job.milli_gpus:
            return False
        if not self.to_come or self.to_come[0][0] >= now + job.length_s:
            return True
        return _least_free(self.free, self.ends, self.to_come, now, now + job.length_s) >= job.milli_gpus

    def reserve(self, place: int, job: QueuedJob, now: int) -> None:
        """The earliest time at which the job fits if all that runs lasts as planned; none where it never does."""
        if self.kept is not None and self.kept.job == place:
            self.reservation = self.kept
            return
        free = self.free
        if not self.to_come:
            for at_s, milli_gpus in self.planned:
                free += milli_gpus
                if free >= job.milli_gpus:
                    last = bisect_left(self.planned, (at_s + 1, 0))
                    first = bisect_left(self.planned, (at_s, 0))
                    free = self.free + sum(milli for _, milli in self.planned[:last])
                    assert first < last
                    self.reservation = _Reservation(place, at_s, free - job.milli_gpus)
                    return
            return
        for at_s in sorted({*(at for at, _ in self.planned), *(at for at, _ in self.to_come)}):
            least = _least_free(self.free, self.planned, self.to_come, at_s, at_s + job.length_s)
            if least >= job.milli_gpus:
                self.reservation = _Reservation(place, at_s, least - job.milli_gpus)
                return

    def take(self, job: QueuedJob, now: int) -> None:
        """The job starts."""
        self.free -= job.milli_gpus
        insort(self.planned, (now + job.planned_s, job.milli_gpus))
        if self.to_come:
            insort(self.ends, (now + job.length_s, job.milli_gpus))
        kept = self.reservation or self.kept
        if kept is not None and now + job.planned_s > kept.at_s:
            if kept is self.reservation:
                kept.spare -= job.milli_gpus
            else:
                self.kept = None

    def give_back(self, job: QueuedJob, start_s: int) -> None:
        """The job ends."""
        self.free += job.milli_gpus
        del self.planned[bisect_left(self.planned, (start_s + job.planned_s, job.milli_gpus))]
        mine = (start_s + job.length_s, job.milli_gpus)
        at = bisect_left(self.ends, mine)
        if at < len(self.ends) and self.ends[at] == mine:
            del self.ends[at]
        if job.planned_s > job.length_s:
            self.kept = None

    def change(self) -> None:
        """GPUs come or go."""
        self.free += self.to_come.pop(0)[1]
        self.kept = None


def _least_free(
    free: int, ends: Sequence[tuple[int, int]], changes: Sequence[tuple[int, int]], start_s: int, end_s: int
) -> int:
    """The fewest thousandths that are free from a start to an end, with what ends and what changes by then."""
    steps = sorted([*ends, *changes])
    least, at = None, 0
    while at < len(steps) and steps[at][0] <= start_s:
        free += steps[at][1]
        at += 1
    least = free
    while at < len(steps) and steps[at][0] < end_s:
        now = steps[at][0]
        while at < len(steps) and steps[at][0] == now:
            free += steps[at][1]
            at += 1
        least = min(least, free)
    return least


@dataclass(frozen=True, slots=True)
class _Kind:
    """Jobs of one pool that may use the same sets and outlets, are as large and as patient: one line."""

    pool: int
    milli_gpus: int
    sets: tuple[int, ...]
    outlets: tuple[int, ...]
    patience_s: int | None


class _Run:
    """One replay on its way."""

    def __init__(
        self, jobs: Sequence[QueuedJob], sets: Sequence[GpuSet], outlets: Sequence[int | None]
    ) -> None:
        self.jobs = jobs
        self.start_s: list[int | None] = [None] * len(jobs)
        self.on: list[int | None] = [None] * len(jobs)
        self.outlet: list[int | None] = [None] * len(jobs)
        self._sets = [_Held(0, _steps(one.changes)) for one in sets]
        self._room: list[float] = [inf if room is None else room for room in outlets]
        by_kind: dict[_Kind, list[int]] = {}
        for place, job in enumerate(jobs):
            kind = _Kind(job.pool, job.milli_gpus, job.sets, job.outlets, job.patience_s)
            by_kind.setdefault(kind, []).append(place)
        self._lines = [
            (kind, Line(places, [jobs[at].planned_s for at in places])) for kind, places in by_kind.items()
        ]
        self._line_of: dict[int, Line] = {
            place: line
            for (_, line), places in zip(self._lines, by_kind.values(), strict=True)
            for place in places
        }
        self._waiting = 0
        self._ends: list[tuple[int, int]] = []

    def go(self, is_cancelled: Callable[[], bool]) -> None:
        """Instant by instant: ends, changes and arrivals first, then one walk."""
        jobs, ends = self.jobs, self._ends
        arrivals = sorted(range(len(jobs)), key=lambda at: (jobs[at].eligible_s, at))
        changes = sorted((at_s, place) for place, one in enumerate(self._sets) for at_s, _ in one.to_come)
        tempers: list[int] = []
        arrived = changed = instants = 0
        while True:
            next_arrival = jobs[arrivals[arrived]].eligible_s if arrived < len(arrivals) else NEVER
            now = min(
                next_arrival,
                ends[0][0] if ends else NEVER,
                changes[changed][0] if changed < len(changes) else NEVER,
                tempers[0] if tempers else NEVER,
            )
            if now >= NEVER or (next_arrival >= NEVER and not self._waiting):
                return
            instants += 1
            if instants % LOOK_AFTER == 0 and is_cancelled():
                return
            while ends and ends[0][0] <= now:
                self._end(heappop(ends)[1])
            while changed < len(changes) and changes[changed][0] <= now:
                self._sets[changes[changed][1]].change()
                changed += 1
            while tempers and tempers[0] <= now:
                heappop(tempers)
            came = []
            while arrived < len(arrivals) and jobs[arrivals[arrived]].eligible_s <= now:
                came.append(arrivals[arrived])
                arrived += 1
            if not self._waiting and len(came) == 1 and self._goes(came[0], now):
                continue
            for at in came:
                self._line_of[at].add(at)
            self._waiting += len(came)
            if self._waiting:
                self._walk(now)
            for at in came:
                if self.start_s[at] is None and jobs[at].patience_s and jobs[at].outlets:
                    heappush(tempers, now + (jobs[at].patience_s or 0))

    def _end(self, at: int) -> None:
        """A job gives back what it held."""
        job, place, start_s = self.jobs[at], self.on[at], self.start_s[at]
        assert start_s is not None  # as it ends
        if place is not None:
            self._sets[place].give_back(job, start_s)
            return
        outlet = self.outlet[at]
        assert outlet is not None  # it ran somewhere
        self._room[outlet] += job.milli_gpus

    def _goes(self, at: int, now: int) -> bool:
        """Whether a job starts: on the first of its sets where it can, or out once its patience is over."""
        job = self.jobs[at]
        for place in job.sets:
            held = self._sets[place]
            if not held.fits(job, now):
                continue
            kept = held.reservation
            if kept is not None and now + job.planned_s > kept.at_s and kept.spare < job.milli_gpus:
                continue
            held.take(job, now)
            self.on[at] = place
            self._begun(at, now)
            return True
        if job.patience_s is None or job.eligible_s + job.patience_s > now:
            return False
        for outlet in job.outlets:
            if self._room[outlet] >= job.milli_gpus:
                self._room[outlet] -= job.milli_gpus
                self.outlet[at] = outlet
                self._begun(at, now)
                return True
        return False

    def _begun(self, at: int, now: int) -> None:
        self.start_s[at] = now
        heappush(self._ends, (now + self.jobs[at].length_s, at))

    def _walk(self, now: int) -> None:
        """Once through who waits, in order, skipping those for whom nothing can be done."""
        for held in self._sets:
            held.reservation = None
        behind = NOBODY
        while self._waiting:
            best, line = self._next(behind, now)
            if line is None:
                break
            behind = best
            if self._goes(best, now):
                line.remove(best)
                self._waiting -= 1
                continue
            job = self.jobs[best]
            for place in job.sets:
                held = self._sets[place]
                if held.reservation is None:
                    held.reserve(best, job, now)
        for held in self._sets:
            held.kept = held.reservation
            held.reservation = None

    def _next(self, behind: int, now: int) -> tuple[int, Line | None]:
        """The first behind a place that might start, go out, or be given the reservation of one of its sets."""
        best, found = NEVER, None
        for kind, line in self._lines:
            if line.is_empty:
                continue
            longest = self._longest(kind, now)
            place = line.first_behind(behind, longest) if longest > 0 else NOBODY
            if kind.patience_s is not None and longest < NEVER:
                first = self._first_out_of_patience(kind, line, behind, now)
                if first != NOBODY and (place == NOBODY or first < place):
                    place = first
            if place != NOBODY and place < best:
                best, found = place, line
        return best, found

    def _longest(self, kind: _Kind, now: int) -> int:
        """The longest that a job of this kind may be planned for to be looked at; 0: none is."""
        longest = 0
        for place in kind.sets:
            held = self._sets[place]
            kept = held.reservation
            if kept is None:
                return NEVER
            if held.free >= kind.milli_gpus:
                if kept.spare >= kind.milli_gpus:
                    return NEVER
                longest = max(longest, kept.at_s - now)
        return longest

    def _first_out_of_patience(self, kind: _Kind, line: Line, behind: int, now: int) -> int:
        """The first whose patience is over while an outlet has room; jobs of a line are in order of time."""
        if not any(self._room[outlet] >= kind.milli_gpus for outlet in kind.outlets):
            return NOBODY
        place = line.first_behind(behind, NEVER)
        if place == NOBODY or self.jobs[place].eligible_s + (kind.patience_s or 0) > now:
            return NOBODY
        return place


def _steps(changes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """How many more or fewer there are at each change."""
    before, steps = 0, []
    for at_s, milli_gpus in changes:
        steps.append((at_s, milli_gpus - before))
        before = milli_gpus
    return steps
