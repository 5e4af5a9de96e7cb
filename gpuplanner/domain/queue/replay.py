"""The replay: jobs in their order on sets of GPUs, with backfill behind one reservation a set; exact, event by event.

Source: docs/formulas.md, Waiting.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush
from math import inf
from typing import Final

from gpuplanner.domain.queue.sets import HERE, NEVER, GpuSet, HeldNodes, Laid, QueuedJob, held_of

# --- A line of jobs alike: the first behind a place that is short enough, by the logarithm of its length


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

    def add(self, place: int) -> None:
        """The job of this place waits."""
        if self._width < len(self._places):
            self._width = 1 << (len(self._places) - 1).bit_length()
            self._tree = [_GONE] * (2 * self._width)
        tree, planned_s = self._tree, self._jobs[place].planned_s
        at = bisect_left(self._places, place) + self._width
        while at and tree[at] > planned_s:
            tree[at] = planned_s
            at >>= 1
        self.first = min(self.first, place)

    def remove(self, place: int) -> None:
        """It waits no longer."""
        tree, at = self._tree, bisect_left(self._places, place) + self._width
        gone_s, tree[at] = tree[at], _GONE
        while at > 1 and tree[at >> 1] == gone_s != tree[at ^ 1]:  # else another is as short
            left, right = tree[at], tree[at ^ 1]
            at >>= 1
            tree[at] = left if left < right else right
        if place == self.first:
            at = bisect_right(self._places, place) + self._width
            while tree[1] < _GONE <= tree[at]:
                at += 1
            self.first = self._places[at - self._width] if tree[1] < _GONE else _GONE

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


# --- The replay itself ----------------------------------------------------------------------------

NO_GPUS: Final = GpuSet(())
LOOK_AFTER: Final = 4096
"""Instants between two looks at whether the answer is still wanted."""
PLACE_BITS: Final = 32
"""Ends stand in their heap as one number: the time, then the job in so many bits."""
LAST_BITS: Final = (1 << PLACE_BITS) - 1


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


def replay(
    jobs: Sequence[QueuedJob],
    sets: Sequence[GpuSet],
    outlets: Sequence[int | None] = (),
    is_cancelled: Callable[[], bool] = lambda: False,
    parts: "Sequence[Part] | None" = None,
    freely: "Freely | None" = None,
) -> Replay:
    """Every job from its eligible time on. jobs: in the order in which they are asked (pool, eligible, id, row).

    outlets: thousandths of a GPU that each has, None without a limit. parts: of these jobs, where they are known;
    freely: how the one part of them lies on the one set if nobody has to wait, which makes it faster.
    Law: no job starts before it is eligible, no set ever holds more than it has, a reservation is never put off.
    """
    nowhere = [NOBODY] * len(jobs)
    found = Replay([*nowhere], [*nowhere], nowhere)
    for part in parts_of(jobs, outlets) if parts is None else parts:
        run = _Run(part, sets, outlets, freely)
        run.go(is_cancelled)
        found.fragments.extend(run.fragments)
        for at, start_s, on, outlet in zip(part.places, run.start_s, run.on, run.outlet, strict=True):
            found.start_s[at], found.on[at], found.outlet[at] = start_s, on, outlet
    return found


@dataclass(frozen=True, slots=True)
class Freely:
    """A part on one set so large that nobody waits. laid: where each job lies, by its place; reach: machines up to the
    highest of each, or thousandths in use, as they come; last: the place of the smaller machine, which is none of them,
    on_last: who lies on it.
    """

    laid: Sequence[Laid]
    reach: Sequence[int]
    last: int
    on_last: Sequence[int] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """Jobs that have sets in common, by their places in the order of all. kinds: the first of jobs alike but for times,
    with places in the part; kind_of: of each job; arrivals: places in the part as they become eligible, comes: when.
    """

    used: set[int]
    places: Sequence[int]
    jobs: Sequence[QueuedJob]
    kinds: Sequence[tuple[QueuedJob, Sequence[int]]]
    kind_of: Sequence[int]
    arrivals: Sequence[int]
    comes: Sequence[int]


def freely_on(part: Part, in_use: Sequence[int], one: GpuSet) -> Freely:
    """A part on a set with as many machines as its jobs ever need at once, and a smaller one or none.

    in_use: thousandths as each job has come.
    """
    if one.node_milli_gpus is None:
        return Freely([HERE] * len(part.jobs), in_use, NOBODY)
    held = HeldNodes(0, [(0, one.changes[0][1])], node_milli_gpus=one.node_milli_gpus)
    laid, ends = [HERE] * len(part.jobs), [NEVER << PLACE_BITS]
    held.change()
    for at in part.arrivals:
        _, eligible_s, length_s, _, milli_gpus, _, _, _, nodes = part.jobs[at]
        while ends[0] < eligible_s + 1 << PLACE_BITS:
            held.use(laid[heappop(ends) & LAST_BITS], -1)
        laid[at] = held.laid_now(milli_gpus, nodes) or ()
        held.use(laid[at], 1)
        heappush(ends, eligible_s + length_s << PLACE_BITS | at)
    last, rest = divmod(one.changes[0][1], one.node_milli_gpus)
    last = last if rest else NOBODY
    reach = [1 + max([node for node, _ in laid[at] if node != last], default=-1) for at in part.arrivals]
    return Freely(laid, reach, last, [at for at, one in enumerate(laid) if rest and last in dict(one)])


def parts_of(jobs: Sequence[QueuedJob], outlets: Sequence[int | None]) -> list[Part]:
    """Sets that no job has in common with others, and their jobs: each is a queue of its own.

    An outlet with a limit is had in common, too.
    """
    known: dict[tuple[tuple[int, ...], tuple[int, ...]], list[int]] = {}
    for at, job in enumerate(jobs):
        known.setdefault((job.sets, job.outlets), []).append(at)
    parts: list[tuple[set[int], list[int]]] = []
    for (sets, sent), mine in known.items():
        used, places = {*sets, *(-1 - one for one in sent if outlets[one] is not None)}, mine
        apart = []
        for others, theirs in parts:
            if used & others:
                used |= others
                places = places + theirs
            else:
                apart.append((others, theirs))
        parts = [*apart, (used, places)]
    return [_part(used, sorted(places), jobs) for used, places in parts]


def _part(used: set[int], places: Sequence[int], all_jobs: Sequence[QueuedJob]) -> Part:
    """Some of all jobs as a part."""
    jobs = [all_jobs[at] for at in places]
    alike: dict[tuple[object, ...], list[int]] = {}
    for place, (pool, _, _, _, *others) in enumerate(jobs):
        alike.setdefault((pool, *others), []).append(place)
    kind_of = [0] * len(jobs)
    for number, mine in enumerate(alike.values()):
        for at in mine:
            kind_of[at] = number
    eligible = [job.eligible_s for job in jobs]
    kinds = [(jobs[mine[0]], mine) for mine in alike.values()]
    arrivals = sorted(range(len(jobs)), key=eligible.__getitem__)
    return Part(used, places, jobs, kinds, kind_of, arrivals, [*sorted(eligible), NEVER, NEVER])


class _Run:
    """One replay on its way."""

    def __init__(
        self, part: Part, sets: Sequence[GpuSet], outlets: Sequence[int | None], freely: Freely | None
    ) -> None:
        self.jobs, self._arrivals, self._comes = part.jobs, part.arrivals, part.comes
        self.start_s, self.on, self.outlet = ([NOBODY] * len(part.jobs) for _ in range(3))
        self._sets = [held_of(one if at in part.used else NO_GPUS) for at, one in enumerate(sets)]
        self._used = [self._sets[at] for at in sorted(part.used) if at >= 0]
        self._room: list[float] = [inf if room is None else room for room in outlets]
        self._lines = [
            (kind, Line(places, part.jobs), [self._sets[at] for at in kind.sets])
            for kind, places in part.kinds
        ]
        for at, held in enumerate(self._sets):
            held.least = min((kind.milli_gpus for kind, _ in part.kinds if at in kind.sets), default=NEVER)
        self._kind_of = part.kind_of
        self.fragments: list[tuple[int, int, int, int]] = []
        self._noded = [
            (place, held, [line for kind, line, _ in self._lines if place in kind.sets])
            for place, held in enumerate(self._sets)
            if isinstance(held, HeldNodes)
        ]
        self._open = self._lines[:0]  # those of them in which somebody waits
        self._ends, self._tempers = [NEVER << PLACE_BITS], [NEVER << PLACE_BITS]
        self._is_late = False  # perhaps the patience of somebody who waits is over
        self._is_filled = False  # a machine was, in it: whom it passed over might be laid elsewhere now
        self._freely: Sequence[Laid] = ()
        self._odd = set[int]()  # who runs otherwise than freely
        if freely is not None:
            node = sets[0].node_milli_gpus or 1
            whole = sets[0].changes[-1][1] // node
            self._freely = laid = [*freely.laid]
            for at in freely.on_last:  # the smaller machine stands behind so many whole ones
                laid[at] = tuple((whole if node == freely.last else node, milli) for node, milli in laid[at])
            self._over = [at for at, reach in enumerate(freely.reach) if reach > whole] + [len(part.jobs)]

    def go(self, is_cancelled: Callable[[], bool]) -> None:
        """Instant by instant: ends, changes and arrivals first, then one walk."""
        ends, arrivals, comes, tempers = self._ends, self._arrivals, self._comes, self._tempers
        changes = sorted((at_s, place) for place, one in enumerate(self._sets) for at_s, _ in one.to_come)
        changes.append((NEVER, 0))
        arrived = changed = instants = before = 0
        while True:
            change_s, first = changes[changed][0], arrived
            if not self._open:
                arrived = self._unhindered(arrived, change_s)
            elif not self._is_filled and self._is_full():
                arrived = self._queued(arrived, change_s)
            instants += arrived - first + 1
            if instants >= LOOK_AFTER:
                if is_cancelled():
                    return
                instants = 0
            now = self._next_temper(min(comes[arrived], ends[0] >> PLACE_BITS, change_s))
            if now >= NEVER or (comes[arrived] >= NEVER and not self._open):
                return
            for place, held, _ in self._noded:
                if held.broken:
                    self.fragments.append((place, before, now, held.broken))
            before = now
            is_same, upto = not self._is_filled, now + 1 << PLACE_BITS
            while ends[0] < upto:
                self._end(heappop(ends) & LAST_BITS)
                is_same = False
            while changes[changed][0] <= now:
                self._sets[changes[changed][1]].change()
                changed += 1
                is_same = False
            while tempers[0] < upto:
                at = heappop(tempers) & LAST_BITS
                self._is_late |= self.start_s[at] == NOBODY
                is_same &= self.start_s[at] != NOBODY
            came = []
            while comes[arrived] <= now:
                came.append(at := arrivals[arrived])
                self._stand(at)
                arrived += 1
            behind = self._behind(came) if is_same else NOBODY
            if self._open and (behind == NOBODY or (came and not self._is_full())):
                self._walk(now, behind)
            self._note_broken()
            for at in came:
                self._be_patient(at, now)

    def _stand(self, at: int) -> None:
        """A job that came stands in its line."""
        one = self._lines[self._kind_of[at]]
        if one[1].first >= NEVER:
            self._open.append(one)
        self._is_late |= one[0].patience_s == 0
        one[1].add(at)

    def _be_patient(self, at: int, now: int) -> None:
        """From now on a job that has not started waits until its patience is over."""
        _, _, _, _, _, _, outlets, patience_s, _ = self.jobs[at]
        if patience_s and outlets and self.start_s[at] == NOBODY:
            heappush(self._tempers, now + patience_s << PLACE_BITS | at)

    def _queued(self, arrived: int, change_s: int) -> int:
        """Arrivals while nobody can start: they stand behind the others; the first that is not one of them."""
        comes, tempers, until_s = self._comes, self._tempers, min(self._ends[0] >> PLACE_BITS, change_s)
        while (come := comes[arrived]) < until_s and come < tempers[0] >> PLACE_BITS:
            at = self._arrivals[arrived]
            if self.jobs[at].patience_s == 0:
                break
            self._stand(at)
            self._be_patient(at, come)
            arrived += 1
        return arrived

    def _unhindered(self, arrived: int, change_s: int) -> int:
        """Ends and starts while nobody waits and sets stay as they are; the first arrival that is not one of them."""
        ends, arrivals, comes = self._ends, self._arrivals, self._comes
        for _ in range(LOOK_AFTER):
            if self._freely and not self._odd and change_s >= NEVER:
                arrived = self._leap(arrived)
            come = comes[arrived]
            upto = min(come + 1, change_s) << PLACE_BITS
            if come >= NEVER:
                break
            while ends[0] < upto:
                self._end(heappop(ends) & LAST_BITS)
            if come >= change_s or comes[arrived + 1] == come or not self._goes(arrivals[arrived], come):
                break
            arrived += 1
        return arrived

    def _leap(self, arrived: int) -> int:
        """On to the next arrival that has no room where it would lie freely: all before it lie as they would."""
        ends, held, stop = self._ends, self._sets[0], self._over[bisect_left(self._over, arrived)]
        upto = self._comes[stop - 1] + 1 << PLACE_BITS
        while arrived < stop and ends[0] < upto:
            self._end(heappop(ends) & LAST_BITS)
        for at in self._arrivals[arrived:stop]:
            _, eligible_s, length_s, planned_s, milli_gpus, _, _, _, _ = self.jobs[at]
            self.start_s[at], self.on[at] = eligible_s, 0
            end_s = eligible_s + length_s
            if end_s << PLACE_BITS >= upto:
                held.lay(at, milli_gpus, end_s, eligible_s + planned_s, self._freely[at])
                heappush(ends, end_s << PLACE_BITS | at)
        return stop

    def _behind(self, came: Sequence[int]) -> int:
        """The place behind which alone a walk has to look, as who came is the only news; NOBODY: it looks at all.

        Who has a reservation stands before all of these, and nobody who waits would be laid elsewhere now.
        """
        if came and any(held.kept is not None and held.kept.job >= came[0] for held in self._used):
            return NOBODY
        return came[0] - 1 if came else 0

    def _is_full(self) -> bool:
        """Whether nobody can start or go out, whoever waits."""
        for held in self._used:
            if held.free >= held.least:
                return False
        return not self._is_late

    def _next_temper(self, by_s: int) -> int:
        """The first instant up to this one at which the patience of somebody who waits is over."""
        tempers = self._tempers
        while tempers[0] >> PLACE_BITS < by_s:
            if self._is_filled or self.start_s[tempers[0] & LAST_BITS] == NOBODY:
                return tempers[0] >> PLACE_BITS
            heappop(tempers)  # it has started: nothing is new
        return by_s

    def _end(self, at: int) -> None:
        """A job gives back what it held."""
        job, place = self.jobs[at], self.on[at]
        self._odd.discard(at)
        if place != NOBODY:
            self._sets[place].give_back(at, job, self.start_s[at])
        else:
            self._room[self.outlet[at]] += job.milli_gpus

    def _goes(self, at: int, now: int) -> bool:
        """Whether a job starts: on the first of its sets where it can, or out once its patience is over."""
        _, eligible_s, length_s, planned_s, milli_gpus, own, outlets, patience_s, nodes = self.jobs[at]
        end_s, planned = now + length_s, now + planned_s
        for place in own:
            if laid := self._sets[place].starts(at, milli_gpus, nodes, now, end_s, planned):
                self.on[at] = place
                break
        else:
            if patience_s is None or eligible_s + patience_s > now:
                return False
            for outlet in outlets:
                if self._room[outlet] >= milli_gpus:
                    self._room[outlet] -= milli_gpus
                    self.outlet[at] = outlet
                    break
            else:
                return False
        self.start_s[at] = now
        if self._freely and (now > eligible_s or laid != self._freely[at]):
            self._odd.add(at)
        heappush(self._ends, end_s << PLACE_BITS | at)
        return True

    def _walk(self, now: int, behind: int) -> None:
        """Once through who waits behind a place, in order, skipping those for whom nothing can be done.

        behind: NOBODY for all; else who stands before it would not start, and has the reservations that are kept, and
        who is behind it has only these news: who came.
        """
        for held in self._used:
            held.reservation = None if behind == NOBODY else held.kept
        self._is_filled = False
        while self._open and not self._is_full():
            best, line = self._next(behind, now)
            if line is None:
                break
            behind = best
            if self._goes(best, now):
                self._is_filled = bool(self._noded)
                line.remove(best)
                if line.first >= NEVER:
                    self._open = [one for one in self._open if one[1] is not line]
                continue
            job = self.jobs[best]
            for place in job.sets:
                held = self._sets[place]
                if held.reservation is None:
                    held.reserve(best, job)
        self._is_late &= min(self._room, default=inf) < inf  # else they went out
        self._is_filled &= not self._is_full()
        for held in self._used:
            held.kept, held.reservation = held.reservation, None

    def _note_broken(self) -> None:
        """What the first in the queue of each set of machines cannot use for want of whole ones."""
        for _, held, queue in self._noded:
            held.broken = 0
            if self._open and held.free >= held.least:
                first = min([line.first for line in queue], default=NEVER)
                if first < len(self.jobs):
                    held.note_broken(self.jobs[first])

    def _next(self, behind: int, now: int) -> tuple[int, Line | None]:
        """The first behind a place that might start, go out, or be given the reservation of one of its sets."""
        best, found = NEVER, None
        for kind, line, sets in self._open:
            first = line.first
            if first >= best:  # not before the best so far
                continue
            _, _, _, _, milli_gpus, _, _, patience_s, nodes = kind
            longest, place = 0, NOBODY  # that one of them may be planned for to be looked at
            for held in sets:
                if held.reservation is None:
                    if held.too_large and (milli_gpus, nodes) in held.too_large:
                        continue
                    longest = NEVER
                    break
                if held.free >= milli_gpus:
                    longest = max(longest, held.longest(milli_gpus, nodes, now))
            if longest:
                place = first if longest >= NEVER and first > behind else line.first_behind(behind, longest)
            # jobs of a line are in order of time
            if patience_s is not None and longest < NEVER and self.jobs[first].eligible_s + patience_s <= now:
                out = self._first_out(kind, line, behind, now)
                if out != NOBODY and (place == NOBODY or out < place):
                    place = out
            if place != NOBODY and place < best:
                best, found = place, line
        return best, found

    def _first_out(self, kind: QueuedJob, line: Line, behind: int, now: int) -> int:
        """The first whose patience is over while an outlet has room."""
        if not any(self._room[outlet] >= kind.milli_gpus for outlet in kind.outlets):
            return NOBODY
        place = line.first if line.first > behind else line.first_behind(behind, NEVER)
        is_out = NOBODY < place < NEVER and self.jobs[place].eligible_s + (kind.patience_s or 0) <= now
        return place if is_out else NOBODY
