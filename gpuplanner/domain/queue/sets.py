"""Sets of GPUs as a replay holds them: what is free, what will be, and the reservation of who waits first."""

from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple


class QueuedJob(NamedTuple):
    """One job that holds GPUs. Seconds and thousandths of a GPU, whole.

    pool: its place among the pools, in whose order jobs are asked. eligible_s: when it may start. length_s: as it ran;
    planned_s: as long as it was allowed to, at least that. sets: places in the list of sets that it may use, its
    pool's own first. patience_s: after so long it goes out to `outlets` (places in their list, cheapest first); None:
    it waits for ever. nodes: over so many machines it lies, where its sets are made of whole ones.
    """

    pool: int
    eligible_s: int
    length_s: int
    planned_s: int
    milli_gpus: int
    sets: tuple[int, ...]
    outlets: tuple[int, ...] = ()
    patience_s: int | None = None
    nodes: int = 1

    @property
    def pieces(self) -> tuple[int, ...]:
        """Thousandths of a GPU on each of its nodes; the first ones hold one more where it does not divide."""
        return pieces_of(self.milli_gpus, self.nodes)


def pieces_of(milli_gpus: int, nodes: int) -> tuple[int, ...]:
    """What lies on each of so many machines.

    >>> pieces_of(5000, 2), pieces_of(1000, 3)
    ((2500, 2500), (334, 333, 333))
    """
    if nodes == 1:
        return (milli_gpus,)
    each, more = divmod(milli_gpus, nodes)
    return (each + 1,) * more + (each,) * (nodes - more)


NEVER: Final = 2**62
"""Later than any job."""


@dataclass(frozen=True, slots=True)
class GpuSet:
    """GPUs that the same pools may use. changes: from when on it has so many thousandths, in order of time; before
    the first it has none. node_milli_gpus: of whole machines, the last of which may be smaller; None: GPUs alone count.
    """

    changes: tuple[tuple[int, int], ...]
    node_milli_gpus: int | None = None


@dataclass(slots=True)
class Reservation:
    """Of the first job that cannot start: from when on, and what is free beside it then."""

    job: int
    at_s: int
    spare: int


@dataclass(slots=True)
class Held:
    """A set as it is held.

    free: now; below 0 where it shrank under what runs. to_come: changes of its size that are still to come, in order
    (time, more or fewer). planned, ends: (end as planned, or as it will be; thousandths) of what runs, in order.
    reservation: of this walk; kept: that of the walk before, while it still holds.
    """

    free: int
    to_come: list[tuple[int, int]]
    planned: list[tuple[int, int]] = field(default_factory=list)
    ends: list[tuple[int, int]] = field(default_factory=list)
    reservation: Reservation | None = None
    kept: Reservation | None = None

    def fits(self, job: QueuedJob, now: int) -> bool:
        """Whether it has the GPUs now, and keeps them to the job's true end."""
        if self.free < job.milli_gpus:
            return False
        if not self.to_come or self.to_come[0][0] >= now + job.length_s:
            return True
        return least_free(self.free, self.ends, self.to_come, now, now + job.length_s) >= job.milli_gpus

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
                    free = self.free + sum(milli for _, milli in self.planned[:last])
                    self.reservation = Reservation(place, at_s, free - job.milli_gpus)
                    return
            return
        for at_s in sorted({*(at for at, _ in self.planned), *(at for at, _ in self.to_come)}):
            least = least_free(self.free, self.planned, self.to_come, at_s, at_s + job.length_s)
            if least >= job.milli_gpus:
                self.reservation = Reservation(place, at_s, least - job.milli_gpus)
                return

    def allows(self, job: QueuedJob, now: int) -> bool:
        """Whether a job that fits leaves the reservation of this walk in place."""
        kept = self.reservation
        return kept is None or now + job.planned_s <= kept.at_s or kept.spare >= job.milli_gpus

    def longest(self, milli_gpus: int, nodes: int, now: int) -> int:
        """How long a job of so many, on so many machines, may be planned for beside the reservation; 0: it has no room.

        It may still not fit, where GPUs come or go before it ends.
        """
        kept = self.reservation
        if kept is None:
            return NEVER
        if self.free < milli_gpus:
            return 0
        return NEVER if kept.spare >= milli_gpus else kept.at_s - now

    def take(self, place: int, job: QueuedJob, now: int) -> None:
        """The job starts."""
        self.free -= job.milli_gpus
        insort(self.planned, (now + job.planned_s, job.milli_gpus))
        if self.to_come:
            insort(self.ends, (now + job.length_s, job.milli_gpus))
        self.promise(job, now)

    def promise(self, job: QueuedJob, now: int) -> None:
        """What a job that starts takes of what is free beside the reservation."""
        kept = self.reservation or self.kept
        if kept is not None and now + job.planned_s > kept.at_s:
            if kept is self.reservation:
                kept.spare -= job.milli_gpus
            else:
                self.kept = None

    def give_back(self, place: int, job: QueuedJob, start_s: int) -> None:
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


def least_free(
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


def steps_of(changes: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """How many more or fewer there are at each change."""
    before, steps = 0, []
    for at_s, milli_gpus in changes:
        steps.append((at_s, milli_gpus - before))
        before = milli_gpus
    return steps
