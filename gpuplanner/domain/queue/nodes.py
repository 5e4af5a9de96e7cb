"""Sets of whole machines: a job lies on so many of them, each the fullest that holds its piece."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gpuplanner.domain.queue.sets import GpuSet, Held, QueuedJob, Reservation, steps_of

Laid = tuple[tuple[int, int], ...]
"""Machines, with thousandths of a GPU on each."""


def held_of(one: GpuSet) -> Held:
    """A set as nothing runs on it yet."""
    steps = steps_of(one.changes)
    if one.node_milli_gpus is None:
        return Held(0, steps)
    return HeldNodes(0, steps, node_milli_gpus=one.node_milli_gpus)


@dataclass(slots=True)
class HeldNodes(Held):
    """A set of machines. size: thousandths of all of them now; laid: of each job that runs, its pieces by machine;
    used: by machine; until: its ends as planned and as they will be; head: who has the reservation. levels: machines
    with so many thousandths free, as bits; free_levels: those above 0 that any has, in order. broken: thousandths that
    are free while the first in the queue has enough of them, but not on machines as it needs them.
    """

    node_milli_gpus: int = 0
    size: int = 0
    used: list[int] = field(default_factory=list)
    laid: dict[int, Laid] = field(default_factory=dict)
    until: dict[int, tuple[int, int]] = field(default_factory=dict)
    head: QueuedJob | None = None
    levels: dict[int, int] = field(default_factory=dict)
    free_levels: list[int] = field(default_factory=list)
    broken: int = 0
    found: tuple[QueuedJob, Laid] | None = None

    def fits(self, job: QueuedJob, now: int) -> bool:
        """Whether so many machines have its pieces now, and keep them to its true end."""
        if self.free < job.milli_gpus:
            return False
        laid = self._place(job, now)
        self.found = None if laid is None else (job, laid)
        return laid is not None

    def note_broken(self, first: QueuedJob) -> None:
        """What is of no use to the first in the queue, though there is enough of it."""
        is_enough = self.free >= first.milli_gpus
        self.broken = self.free if is_enough and self._laid_now(first) is None else 0

    def allows(self, job: QueuedJob, now: int) -> bool:
        """Whether the first that waits still fits at its time, were this job laid where it would be."""
        kept = self.reservation
        if kept is None or now + job.planned_s <= kept.at_s:
            return True
        if kept.spare < job.milli_gpus or self.head is None:
            return False
        laid = self._fitting(job)
        return self._as_planned(self.head, kept.at_s, laid) is not None

    def reserve(self, place: int, job: QueuedJob, now: int) -> None:
        """The earliest time at which its machines are free if all that runs lasts as planned."""
        self.head = job
        if self.kept is not None and self.kept.job == place:
            self.reservation = self.kept
            return
        times = {at_s for at_s, _ in self.planned} | {at_s for at_s, _ in self.to_come}
        for at_s in sorted(times):
            if self._as_planned(job, at_s, ()) is not None:
                free = self._size_at(at_s) - sum(
                    sum(milli for _, milli in self.laid[at])
                    for at, (end, _) in self.until.items()
                    if end > at_s
                )
                self.reservation = Reservation(place, at_s, free - job.milli_gpus)
                return

    def take(self, place: int, job: QueuedJob, now: int) -> None:
        """The job starts where it is laid."""
        laid = self._fitting(job)
        self.laid[place] = laid
        self.until[place] = (now + job.planned_s, now + job.length_s)
        for node, milli in laid:
            self._use(node, milli)
        Held.take(self, place, job, now)

    def give_back(self, place: int, job: QueuedJob, start_s: int) -> None:
        """The job ends."""
        for node, milli in self.laid.pop(place):
            self._use(node, -milli)
        del self.until[place]
        Held.give_back(self, place, job, start_s)

    def change(self) -> None:
        """Machines come or go, from the last."""
        self.size += self.to_come[0][1]
        count = -(-self.size // self.node_milli_gpus)
        self.used += [0] * (count - len(self.used))
        self.levels, self.free_levels = {}, []
        for node in range(len(self.used)):
            self._lift(node, self._node_size(node, self.size) - self.used[node])
        Held.change(self)

    def _fitting(self, job: QueuedJob) -> Laid:
        """Where the job that was last found to fit would be laid."""
        assert self.found is not None
        assert self.found[0] is job
        return self.found[1]

    def _use(self, node: int, milli: int) -> None:
        """So many more of a machine are used."""
        free = self._node_size(node, self.size) - self.used[node]
        self.used[node] += milli
        left = self.levels[free] & ~(1 << node)
        if left:
            self.levels[free] = left
        else:
            del self.levels[free]
            if free > 0:
                del self.free_levels[bisect_left(self.free_levels, free)]
        self._lift(node, free - milli)

    def _lift(self, node: int, free: int) -> None:
        """A machine has so many free."""
        others = self.levels.get(free, 0)
        if not others and free > 0:
            insort(self.free_levels, free)
        self.levels[free] = others | 1 << node

    def _laid_now(self, job: QueuedJob) -> Laid | None:
        """Where its pieces fit now: each on the fullest machine that holds it, then the lowest."""
        found, taken = [], 0
        for piece in job.pieces:
            for level in self.free_levels[bisect_left(self.free_levels, piece) :]:
                open_nodes = self.levels[level] & ~taken
                if open_nodes:
                    lowest = open_nodes & -open_nodes
                    found.append((lowest.bit_length() - 1, piece))
                    taken |= lowest
                    break
            else:
                return None
        return tuple(found)

    def _size_at(self, at_s: int) -> int:
        return self.size + sum(milli for when, milli in self.to_come if when <= at_s)

    def _node_size(self, node: int, size: int) -> int:
        return max(0, min(self.node_milli_gpus, size - node * self.node_milli_gpus))

    def _place(self, job: QueuedJob, now: int) -> Laid | None:
        """Machines and pieces where it would be laid now; None where it does not fit."""
        end = now + job.length_s
        changes = [when for when, _ in self.to_come if when < end]
        if not changes:
            return self._laid_now(job)
        return self._lasting([now, *changes], 1, job, ())

    def _as_planned(self, job: QueuedJob, at_s: int, beside: Sequence[tuple[int, int]]) -> Laid | None:
        """Where it would be laid at a time if all that runs lasts as planned, and beside what stays till then."""
        changes = [when for when, _ in self.to_come if at_s < when < at_s + job.length_s]
        return self._lasting([at_s, *changes], 0, job, beside)

    def _lasting(
        self, times: Sequence[int], which: int, job: QueuedJob, beside: Sequence[tuple[int, int]]
    ) -> Laid | None:
        """Where the pieces fit at all of these times. which: of the ends as planned (0) or as they will be (1)."""
        least: list[int] = []
        for at_s in times:
            size = self._size_at(at_s)
            count = max(len(self.used), -(-size // self.node_milli_gpus))
            free = [self._node_size(node, size) for node in range(count)]
            for place, ends in self.until.items():
                if ends[which] > at_s:
                    for node, milli in self.laid[place]:
                        free[node] -= milli
            for node, milli in beside:
                free[node] -= milli
            least = free if not least else [min(one, other) for one, other in zip(least, free, strict=False)]
        return _laid(least, job.pieces)


def _laid(free: Sequence[int], pieces: Iterable[int]) -> Laid | None:
    """Each piece on the fullest machine that holds it, then the lowest; each on one of its own."""
    open_nodes = sorted((milli, node) for node, milli in enumerate(free) if milli > 0)
    found = []
    for piece in pieces:
        at = next((at for at, (milli, _) in enumerate(open_nodes) if milli >= piece), None)
        if at is None:
            return None
        found.append((open_nodes.pop(at)[1], piece))
    return tuple(found)
