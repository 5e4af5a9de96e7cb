"""Sets of GPUs as a replay holds them, whole machines among them: what is free, what will be, the reservation."""

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from operator import ge
from typing import Final, NamedTuple

from gpuplanner.lazy_dataclass import dataclass, field


class QueuedJob(NamedTuple):
    """One job that holds GPUs. Seconds and thousandths of a GPU, whole.

    pool: its place among the pools, in whose order jobs are asked. eligible_s: when it may start. length_s: as it ran;
    planned_s: as long as it was allowed to, at least that. sets: places in the list of sets that it may use, its
    pool's own first. patience_s: after so long it goes out to `outlets` (places in their list, cheapest first); None:
    it waits for ever. nodes: over so many machines it lies, where its sets are made of whole ones. account, limits:
    places in the lists of the rules that it is asked by.
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
    account: int = 0
    limits: tuple[int, ...] = ()

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


Laid = tuple[tuple[int, int], ...]
"""Machines, with thousandths of a GPU on each."""
HERE: Final[Laid] = ((0, 0),)
"""On a set of GPUs alone."""
NOWHERE: Final[Laid] = ()
"""It has no room."""
Moment = tuple[int, int, list[int] | None]
"""When a job fits, what is free beside it then, and what each machine has free for it; as of a Reservation."""


@dataclass(slots=True)
class Reservation:
    """Of the first job that cannot start: from when on, and what is free beside it then.

    then: what each machine has free for it then, where none come or go.
    """

    job: int
    at_s: int
    spare: int
    then: list[int] | None = None


@dataclass(slots=True, kw_only=True)
class Held:
    """A set as it is held.

    free: now; below 0 where it shrank under what runs. to_come: changes of its size that are still to come, in order
    (time, more or fewer). planned, ends: (end as planned, or as it will be; thousandths) of what runs, in order.
    reservation: of this walk; kept: that of the walk before, while it still holds; head: whose it is. too_large: jobs
    of so many thousandths on so many machines that never fit, as it stays now; fitting: that sometime do. least:
    thousandths of the smallest of its jobs.
    """

    free: int
    to_come: list[tuple[int, int]]
    planned: list[tuple[int, int]] = field(default_factory=list)
    ends: list[tuple[int, int]] = field(default_factory=list)
    reservation: Reservation | None = None
    kept: Reservation | None = None
    head: QueuedJob | None = None
    too_large: set[tuple[int, int]] = field(default_factory=set)
    fitting: set[tuple[int, int]] = field(default_factory=set)
    least: int = 0

    def starts(self, place: int, milli: int, nodes: int, now: int, end_s: int, planned: int) -> bool:
        """Whether a job starts: it fits now, to its true end, and leaves the reservation of this walk in place.

        end_s, planned: its end as it will be, and as planned.
        """
        if self.free < milli:
            return False
        kept = self._worked_out()
        if (
            kept is not None
            and planned > kept.at_s
            and kept.spare < milli
            and not ((head := self._is_cut(kept)) and self._least_beside(head, kept.at_s, planned) >= milli)
        ):
            return False
        if self.to_come:
            if least_free(self.free, self.ends, self.to_come, now, end_s) < milli:
                return False
            insort(self.ends, (end_s, milli))
        self.free -= milli
        insort(self.planned, (planned, milli))
        self.promise(planned, milli)
        return True

    def has_room(self, job: QueuedJob) -> bool:
        """Whether there is room for it now, whatever is reserved."""
        return self.free >= job.milli_gpus

    def promise(self, planned: int, milli: int) -> None:
        """What who starts, planned to that end, takes of what is free beside the reservation."""
        kept = self.reservation or self.kept
        if kept is not None and planned > kept.at_s:
            if kept is self.reservation:
                kept.spare -= milli
            else:
                self.kept = None

    def _is_cut(self, kept: Reservation) -> QueuedJob | None:
        """Who has the reservation, where GPUs come or go while it would run: what is beside it is then not the same."""
        head = self.head
        return head if head and any(0 < at - kept.at_s < head.length_s for at, _ in self.to_come) else None

    def _least_beside(self, head: QueuedJob, at_s: int, until_s: int) -> int:
        """What is free beside a job that runs from a time on, until then or its end, if all else lasts as planned."""
        until_s = min(until_s, at_s + head.length_s)
        return least_free(self.free, self.planned, self.to_come, at_s, until_s) - head.milli_gpus

    def reserve(self, place: int, job: QueuedJob) -> None:
        """The earliest time at which the job fits if all that runs lasts as planned; none where it never does."""
        self.head = job
        if self.kept is not None and self.kept.job == place and self.kept.at_s < NEVER:
            self.reservation = self.kept
        elif (self.free < self.least or (job.milli_gpus, job.nodes) in self.fitting) and not self.to_come:
            self.reservation = Reservation(place, NEVER, 0)  # worked out once somebody could start beside it
        else:
            moment = self._last_time(job) if self.to_come else self._first_time(job)
            self.reservation = None if moment is None else Reservation(place, *moment)
            if not self.to_come:
                (self.too_large if moment is None else self.fitting).add((job.milli_gpus, job.nodes))

    def _worked_out(self) -> Reservation | None:
        """The reservation, now that somebody could start beside it."""
        kept = self.reservation
        if kept is not None and kept.at_s == NEVER and self.head and (moment := self._first_time(self.head)):
            kept.at_s, kept.spare, kept.then = moment
        return kept

    def _last_time(self, job: QueuedJob) -> Moment | None:
        """Where GPUs come or go."""
        for at_s in sorted({*(at for at, _ in self.planned), *(at for at, _ in self.to_come)}):
            if (spare := self._least_beside(job, at_s, NEVER)) >= 0:
                return at_s, spare, None
        return None

    def _first_time(self, job: QueuedJob) -> Moment | None:
        """Where none do."""
        free = self.free
        for at, (at_s, milli_gpus) in enumerate(self.planned):
            free += milli_gpus
            is_last = at + 1 == len(self.planned) or self.planned[at + 1][0] > at_s
            if is_last and free >= job.milli_gpus:
                return at_s, free - job.milli_gpus, None
        return None

    def longest(self, milli_gpus: int, nodes: int, now: int) -> int:
        """How long a job of so many, no more than are free, on so many machines, may be planned for beside the
        reservation; 0: it has no room. It may still not fit, where GPUs come or go before it ends.
        """
        kept = self._worked_out()
        if kept is None:
            return NEVER
        return NEVER if kept.spare >= milli_gpus or self._is_cut(kept) else kept.at_s - now

    def give_back(self, place: int, job: QueuedJob, start_s: int) -> None:
        """The job ends."""
        self.free += job.milli_gpus
        del self.planned[bisect_left(self.planned, (start_s + job.planned_s, job.milli_gpus))]
        if self.ends:
            own = (start_s + job.length_s, job.milli_gpus)
            at = bisect_left(self.ends, own)
            if at < len(self.ends) and self.ends[at] == own:
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


# --- Sets of whole machines: a job lies on so many of them, each the fullest that holds its piece

MANY_LEVELS: Final = 32


def held_of(gpu_set: GpuSet) -> Held:
    """A set as nothing runs on it yet."""
    steps = steps_of(gpu_set.changes)
    if gpu_set.node_milli_gpus is None:
        return Held(free=0, to_come=steps)
    return HeldNodes(free=0, to_come=steps, node_milli_gpus=gpu_set.node_milli_gpus)


@dataclass(slots=True, kw_only=True)
class HeldNodes(Held):
    """A set of machines. size: thousandths of all of them now; open: free by machine, below 0 where it shrank; laid: of
    each job that runs, its ends as planned and as they will be, and its pieces by machine; runs: these in order.
    levels: machines with so many thousandths free, as bits; free_levels: those above 0, in order, also some that none
    has now. leaves: of jobs of so many thousandths on so many machines whether they fit now, and whether the first that
    waits still does then. broken: thousandths that are free while the first in the queue has enough of them, but not on
    machines as it needs them.
    """

    node_milli_gpus: int = 0
    size: int = 0
    open: list[int] = field(default_factory=list)
    laid: dict[int, tuple[int, int, Laid]] = field(default_factory=dict)
    runs: list[tuple[int, int, Laid]] = field(default_factory=list)
    levels: dict[int, int] = field(default_factory=dict)
    free_levels: list[int] = field(default_factory=list)
    leaves: dict[tuple[int, int], tuple[bool, bool]] = field(default_factory=dict)
    broken: int = 0

    def starts(self, place: int, milli: int, nodes: int, now: int, end_s: int, planned: int) -> bool:
        """As of any set; so many machines have its pieces now, and keep them."""
        if self.free < milli:
            return False
        if not self.to_come or self.to_come[0][0] >= end_s:
            laid = self.laid_now(milli, nodes)
        else:
            times = [now, *(when for when, _ in self.to_come if when < end_s)]
            laid = self._lasting(times, 1, pieces_of(milli, nodes), ())
        if laid is None:
            return False
        kept = self._worked_out()
        if kept is not None and planned > kept.at_s:
            if kept.spare < milli or self.head is None or not self._is_left(self.head, kept, laid):
                return False
            if kept.then is not None:
                for node, piece in laid:
                    kept.then[node] -= piece
        self.leaves.clear()
        self.laid[place] = run = (planned, end_s, laid)
        insort(self.runs, run)
        self.use(laid, 1)
        self.free -= milli
        self.promise(planned, milli)
        return True

    def has_room(self, job: QueuedJob) -> bool:
        """As of any set."""
        return self.free >= job.milli_gpus and self.laid_now(job.milli_gpus, job.nodes) is not None

    def note_broken(self, first: QueuedJob) -> None:
        """What is of no use to the first in the queue, though there is enough of it."""
        is_enough = self.free >= first.milli_gpus
        self.broken = self.free if is_enough and self.laid_now(first.milli_gpus, first.nodes) is None else 0

    def _is_left(self, head: QueuedJob, kept: Reservation, beside: Laid) -> bool:
        """Whether it still fits at its time beside what would stay till then."""
        if kept.then is None:
            return self._as_planned(head, kept.at_s, beside) is not None
        for node, milli in beside:
            kept.then[node] -= milli
        is_left = holds(kept.then, head.pieces)
        for node, milli in beside:
            kept.then[node] += milli
        return is_left

    def reserve(self, place: int, job: QueuedJob) -> None:
        """As of any set."""
        Held.reserve(self, place, job)
        if self.reservation is not self.kept:
            self.leaves.clear()

    def _last_time(self, job: QueuedJob) -> Moment | None:
        """When it fits and what is free beside it then, where machines come or go."""
        times = {end for end, _, _ in self.laid.values()} | {at_s for at_s, _ in self.to_come}
        for at_s in sorted(times):
            if self._as_planned(job, at_s, ()) is not None:
                used = sum(milli for end, _, laid in self.laid.values() if end > at_s for _, milli in laid)
                return at_s, self._size_at(at_s) - used - job.milli_gpus, None
        return None

    def _first_time(self, job: QueuedJob) -> Moment | None:
        """When it fits, what is free beside it and on each machine then, where no machines come or go."""
        free, in_all, pieces = [*self.open], self.free, job.pieces
        ends = self.runs
        for at, (end, _, laid) in enumerate(ends):
            for node, milli in laid:
                free[node] += milli
                in_all += milli
            is_last = at + 1 == len(ends) or ends[at + 1][0] > end
            if is_last and in_all >= job.milli_gpus and holds(free, pieces):
                return end, in_all - job.milli_gpus, free
        return None

    def longest(self, milli_gpus: int, nodes: int, now: int) -> int:
        """As of any set; machines must hold its pieces now, and the first that waits at its time beside them."""
        piece = (milli_gpus, nodes)
        if piece not in self.leaves:
            laid = self.laid_now(milli_gpus, nodes)
            kept = None if laid is None else self._worked_out()
            is_left = kept is not None and kept.spare >= milli_gpus
            if is_left and kept and laid and self.head and not self.to_come:
                is_left = self._is_left(self.head, kept, laid)
            self.leaves[piece] = (laid is not None, is_left)
        fits, is_left = self.leaves[piece]
        if not fits:
            return 0
        return NEVER if is_left or self.reservation is None else self.reservation.at_s - now

    def give_back(self, place: int, job: QueuedJob, start_s: int) -> None:
        """The job ends."""
        self.leaves.clear()
        run = self.laid.pop(place)
        del self.runs[bisect_left(self.runs, run)]
        self.use(run[2], -1)
        self.free += job.milli_gpus
        if job.planned_s > job.length_s:
            self.kept = None

    def change(self) -> None:
        """Machines come or go, from the last."""
        used = [self._node_size(node, self.size) - free for node, free in enumerate(self.open)]
        self.size += self.to_come[0][1]
        used += [0] * (-(-self.size // self.node_milli_gpus) - len(used))
        self.open = [self._node_size(node, self.size) - held for node, held in enumerate(used)]
        self.levels, self.free_levels = {}, []
        self.leaves.clear()
        for node, free in enumerate(self.open):
            self._lift(node, free)
        Held.change(self)

    def use(self, laid: Laid, sign: int) -> None:
        """So many more of these machines are used; sign -1: fewer."""
        for node, milli in laid:
            levels, free, bit = self.levels, self.open[node], 1 << node
            levels[free] ^= bit
            self.open[node] = free = free - sign * milli
            if free in levels:
                levels[free] |= bit
            else:
                self._lift(node, free)

    def _lift(self, node: int, free: int) -> None:
        """A machine has so many free, as perhaps none had; levels that none has any more go once they are many."""
        if len(self.free_levels) > MANY_LEVELS:
            self.levels = {level: nodes for level, nodes in self.levels.items() if nodes}
            self.free_levels = sorted(level for level in self.levels if level > 0)
        if free > 0 and free not in self.levels:
            insort(self.free_levels, free)
        self.levels[free] = self.levels.get(free, 0) | 1 << node

    def laid_now(self, milli_gpus: int, nodes: int) -> Laid | None:
        """Where its pieces fit now: each on the fullest machine that holds it, then the lowest."""
        if nodes == 1:
            for level in self.free_levels:
                if level >= milli_gpus and (open_nodes := self.levels[level]):
                    return (((open_nodes & -open_nodes).bit_length() - 1, milli_gpus),)
            return None
        laid, taken = [], 0
        for piece in pieces_of(milli_gpus, nodes):
            for level in self.free_levels[bisect_left(self.free_levels, piece) :]:
                open_nodes = self.levels[level] & ~taken
                if open_nodes:
                    lowest = open_nodes & -open_nodes
                    laid.append((lowest.bit_length() - 1, piece))
                    taken |= lowest
                    break
            else:
                return None
        return tuple(laid)

    def _size_at(self, at_s: int) -> int:
        return self.size + sum(milli for when, milli in self.to_come if when <= at_s)

    def _node_size(self, node: int, size: int) -> int:
        return max(0, min(self.node_milli_gpus, size - node * self.node_milli_gpus))

    def _as_planned(self, job: QueuedJob, at_s: int, beside: Sequence[tuple[int, int]]) -> Laid | None:
        """Where it would be laid at a time if all that runs lasts as planned, and beside what stays till then."""
        changes = [when for when, _ in self.to_come if at_s < when < at_s + job.length_s]
        return self._lasting([at_s, *changes], 0, job.pieces, beside)

    def _lasting(
        self, times: Sequence[int], which: int, pieces: Sequence[int], beside: Sequence[tuple[int, int]]
    ) -> Laid | None:
        """Where the pieces fit at all of these times. which: of the ends as planned (0) or as they will be (1)."""
        least: list[int] = []
        for at_s in times:
            size = self._size_at(at_s)
            count = max(len(self.open), -(-size // self.node_milli_gpus))
            free = [self._node_size(node, size) for node in range(count)]
            for planned, end, laid in self.laid.values():
                if (end if which else planned) > at_s:
                    for node, milli in laid:
                        free[node] -= milli
            for node, milli in beside:
                free[node] -= milli
            least = free if not least else [min(low, other) for low, other in zip(least, free, strict=False)]
        return _laid(least, pieces)


def holds(free: Sequence[int], pieces: Sequence[int]) -> bool:
    """Whether each piece fits on a machine of its own; the first ones are the larger, by a thousandth."""
    if len(pieces) == 1:
        return max(free) >= pieces[0]
    most = sorted(free, reverse=True)[: len(pieces)]
    return len(most) == len(pieces) and all(map(ge, most, pieces))


def _laid(free: Sequence[int], pieces: Iterable[int]) -> Laid | None:
    """Each piece on the fullest machine that holds it, then the lowest; each on one of its own."""
    open_nodes = sorted((milli, node) for node, milli in enumerate(free) if milli > 0)
    laid = []
    for piece in pieces:
        at = next((at for at, (milli, _) in enumerate(open_nodes) if milli >= piece), None)
        if at is None:
            return None
        laid.append((open_nodes.pop(at)[1], piece))
    return tuple(laid)
