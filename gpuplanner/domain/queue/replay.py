"""The replay: jobs in their order on sets of GPUs, with backfill behind one reservation a set; exact, event by event.

Source: docs/formulas/waits.md.
"""

from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from itertools import count
from math import expm1, inf, log
from typing import Final

from gpuplanner.domain.queue.alone import Freely, IsCut, replay_alone
from gpuplanner.domain.queue.parts import (
    LAST_BITS,
    LOOK_AFTER,
    NO_RULES,
    NOBODY,
    PLACE_BITS,
    Line,
    Part,
    Replay,
    Rules,
    parts_of,
)
from gpuplanner.domain.queue.sets import NEVER, GpuSet, Held, HeldNodes, QueuedJob, held_of

NO_GPUS: Final = GpuSet(())
ALIKE: Final = 1 + 1e-12
"""Uses of accounts that differ by less are equal: so far their sums are exact."""


def replay(
    jobs: Sequence[QueuedJob],
    sets: Sequence[GpuSet],
    outlets: Sequence[int | None] = (),
    is_cancelled: Callable[[], bool] = lambda: False,
    parts: Sequence[Part] | None = None,
    freely: Freely | None = None,
    rules: Rules = NO_RULES,
    is_enough: IsCut = lambda start_s: False,
) -> Replay:
    """Every job from its eligible time on. jobs: in the order in which they are asked (pool, eligible, id, row).

    outlets: thousandths of a GPU that each has, None without a limit. parts: of these jobs, where they are known;
    freely: how the one part of them lies on the one set if nobody has to wait, which makes it faster. rules: of parts
    that are not given. is_enough: whether nobody asks for the rest, by the starts of a part so far.
    Law: no job starts before it is eligible, no set ever holds more than it has, a reservation is never put off.
    """
    parts, looks = parts_of(jobs, outlets, rules) if parts is None else parts, count(1)

    def is_cut(start_s: Sequence[int]) -> bool:
        return is_cancelled() or (next(looks) % 4 == 0 and is_enough(start_s))

    if len(parts) == 1:
        return _run(parts[0], sets, outlets, is_cut, freely)
    nowhere = [NOBODY] * len(jobs)
    answer = Replay([*nowhere], [*nowhere], nowhere)
    for part in parts:
        own = _run(part, sets, outlets, is_cut, freely)
        answer.fragments.extend(own.fragments)
        for at, start_s, on, outlet in zip(part.places, own.start_s, own.on, own.outlet, strict=True):
            answer.start_s[at], answer.on[at], answer.outlet[at] = start_s, on, outlet
    return answer


def _run(
    part: Part, sets: Sequence[GpuSet], outlets: Sequence[int | None], is_cut: IsCut, freely: Freely | None
) -> Replay:
    """The replay of a part, by places in it."""
    place = max(part.used, default=NOBODY)
    if len(part.used) == 1 and place >= 0:
        (from_s, _), *changes = sets[place].changes or ((NEVER, 0),)
        if from_s <= part.comes[0] and not changes:
            return replay_alone(part, place, sets[place], freely, is_cut)
    run = _Run(part, sets, outlets)
    run.go(is_cut)
    return Replay(run.start_s, run.on, run.outlet, run.fragments)


_Open = tuple[QueuedJob, Line, list[Held], int, int]
"""Jobs alike but for times: the first of them, who waits of them, the sets that they may use, a number for all that are
as large on the same sets, and one for all of the same pool and account."""


class _Run:
    """One replay on its way."""

    def __init__(self, part: Part, sets: Sequence[GpuSet], outlets: Sequence[int | None]) -> None:
        self.jobs, self._arrivals, self._comes = part.jobs, part.arrivals, part.comes
        kinds, self._kind_of = part.kinds
        self.start_s, self.on, self.outlet = ([NOBODY] * len(part.jobs) for _ in range(3))
        self._sets = [held_of(gpu_set if at in part.used else NO_GPUS) for at, gpu_set in enumerate(sets)]
        self._used = [self._sets[at] for at in sorted(part.used) if at >= 0]
        self._room: list[float] = [inf if room is None else room for room in outlets]
        self._lines, alike = list[_Open](), dict[tuple[object, ...], int]()
        number_of = dict[tuple[int, int], int]()
        for kind, places in kinds:
            as_large = alike.setdefault((kind.sets, kind.milli_gpus, kind.nodes), len(alike))
            sets_of = [self._sets[at] for at in kind.sets]
            number = number_of.setdefault((kind.pool, kind.account), len(number_of))
            self._lines.append((kind, Line(places, part.jobs), sets_of, as_large, number))
        self._alike = len(alike)
        for at, held in enumerate(self._sets):
            held.least = min((kind.milli_gpus for kind, _ in kinds if at in kind.sets), default=NEVER)
        self.fragments: list[tuple[int, int, int, int]] = []
        noded = enumerate(self._sets)
        self._noded = [(place, held) for place, held in noded if isinstance(held, HeldNodes)]
        self._open = self._lines[:0]  # those of them in which somebody waits who may start
        self._over = dict[
            int, list[_Open]
        ]()  # others, by a limit that they would bring over what may be held
        self._ends, self._tempers = [NEVER << PLACE_BITS], [NEVER << PLACE_BITS]
        self._is_late = False  # perhaps the patience of somebody who waits is over
        self._is_filled = False  # a machine was, in it: whom it passed over might be laid elsewhere now
        self._rules, self._used_by = part.rules, [0] * len(part.rules.limits)
        # of each account: GPU-seconds so far, each less by its age; up to when; thousandths in use
        self._use = [(0.0, 0, 0)] * len(part.rules.shares)
        self._life_s = part.rules.half_life_s / log(2)
        self._pools, self._ranks = [*number_of], [0] * len(number_of)  # in this walk, each with its account

    def go(self, is_cut: IsCut) -> None:
        """Instant by instant: ends, changes and arrivals first, then one walk."""
        ends, arrivals, comes, tempers = self._ends, self._arrivals, self._comes, self._tempers
        changes = sorted((at_s, place) for place, held in enumerate(self._sets) for at_s, _ in held.to_come)
        changes.append((NEVER, 0))
        arrived = changed = instants = before = 0
        while True:
            change_s, first = changes[changed][0], arrived
            if not (self._open or self._over):
                arrived = self._unhindered(arrived, change_s)
            elif self._is_full():  # so that no machine was filled for anybody
                arrived = self._queued(arrived, change_s)
            instants += arrived - first + 1
            if instants >= LOOK_AFTER:
                if is_cut(self.start_s):
                    return
                instants = 0
            now = self._next_temper(min(comes[arrived], ends[0] >> PLACE_BITS, change_s))
            if now >= NEVER or (comes[arrived] >= NEVER and not (self._open or self._over)):
                return
            for place, held in self._noded:
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
                is_same &= not self._has_lost_patience(heappop(tempers) & LAST_BITS)
            came = []
            while comes[arrived] <= now:
                came.append(at := arrivals[arrived])
                self._stand(at)
                arrived += 1
            behind = self._behind(came) if is_same else NOBODY
            if (self._open or self._over) and (behind == NOBODY or (came and not self._is_full())):
                self._walk(now, behind)
            self._note_broken()
            for at in came:
                self._be_patient(at, now)

    def _stand(self, at: int) -> None:
        """A job that came stands in its line."""
        line = self._lines[self._kind_of[at]]
        if line[1].first >= NEVER:
            self._open.append(line)
        self._is_late |= line[0].patience_s == 0
        line[1].add(at)

    def _be_patient(self, at: int, now: int) -> None:
        """From now on a job that has not started waits until its patience is over."""
        _, _, _, _, _, _, outlets, patience_s, *_ = self.jobs[at]
        if patience_s and outlets and self.start_s[at] == NOBODY:
            heappush(self._tempers, now + patience_s << PLACE_BITS | at)

    def _has_lost_patience(self, at: int) -> bool:
        """Whether a job still waits whose patience is over: it may go out, whatever its limits are."""
        if still := self.start_s[at] == NOBODY:
            self._is_late = True
            for limit in self.jobs[at].limits:
                self._open += self._over.pop(limit, ())
        return still

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

    def _behind(self, came: Sequence[int]) -> int:
        """The place behind which alone a walk has to look, as who came is the only news; NOBODY: it looks at all.

        Who has a reservation stands before all of these, and nobody who waits would be laid elsewhere now.
        """
        kept = [held.kept.job for held in self._used if held.kept is not None] if came else []
        if self._rules.shares or any(at >= came[0] or self._is_over(self.jobs[at]) for at in kept):
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
            if self.start_s[tempers[0] & LAST_BITS] == NOBODY:
                return tempers[0] >> PLACE_BITS
            heappop(tempers)  # it has started: no instant of its own
        return by_s

    def _end(self, at: int) -> None:
        """A job gives back what it held."""
        job, place = self.jobs[at], self.on[at]
        if place != NOBODY:
            self._sets[place].give_back(at, job, self.start_s[at])
            if job.limits or self._use:
                self._hold(job, self.start_s[at] + job.length_s, -job.milli_gpus)
        else:
            self._room[self.outlet[at]] += job.milli_gpus

    def _goes(self, at: int, now: int) -> bool:
        """Whether a job starts: on the first of its sets where it can, or out once its patience is over."""
        job = self.jobs[at]
        _, eligible_s, length_s, planned_s, milli_gpus, own, outlets, patience_s, nodes, _, limits = job
        end_s, planned = now + length_s, now + planned_s
        for place in () if limits and self._is_over(job) else own:
            if self._sets[place].starts(at, milli_gpus, nodes, now, end_s, planned):
                self.on[at] = place
                if limits or self._use:
                    self._hold(job, now, milli_gpus)
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
        heappush(self._ends, end_s << PLACE_BITS | at)
        return True

    def _is_over(self, job: QueuedJob) -> bool:
        """Whether a job would bring one of its limits over what may be held."""
        return self._limit_over(job) != NOBODY

    def _limit_over(self, job: QueuedJob) -> int:
        """The first limit that a job would bring over what may be held; NOBODY: none."""
        used, most = self._used_by, self._rules.limits
        return next((at for at in job.limits if used[at] + job.milli_gpus > most[at]), NOBODY)

    def _hold(self, job: QueuedJob, at_s: int, milli_gpus: int) -> None:
        """From a time on the jobs of its limits and its account hold so many more."""
        for limit in job.limits:
            self._used_by[limit] += milli_gpus
            if milli_gpus < 0:
                self._open += self._over.pop(limit, ())
        if self._use:
            held = self._use[job.account][2] + milli_gpus
            self._use[job.account] = (self._use_at(job.account, at_s), at_s, held)

    def _use_at(self, account: int, at_s: int) -> float:
        """What an account has used up to a time, no earlier than the last that was asked for."""
        (used, from_s, held), life_s = self._use[account], self._life_s
        faded = expm1((from_s - at_s) / life_s)
        return used + used * faded - held * faded * life_s

    def _rank(self, now: int) -> None:
        """Who is asked before whom: by pool, then who has used least for its share; those alike have one rank."""
        ranks, life_s, numbers = self._ranks, self._life_s, {number for _, _, _, _, number in self._open}
        if len(numbers) == 1:  # nobody is before it
            return
        used = [  # as `_use_at`
            (was + was * (faded := expm1((from_s - now) / life_s)) - held * faded * life_s) / share
            for (was, from_s, held), share in zip(self._use, self._rules.shares, strict=True)
        ]
        rank, before, least = 0, NOBODY, 0.0
        for pool, own, number in sorted(
            [(pool, used[of], at) for at in numbers for pool, of in (self._pools[at],)]
        ):
            rank += pool > before or own > least * ALIKE
            ranks[number], before, least = rank, pool, own
        self._open.sort(key=lambda each: ranks[each[4]])

    def _walk(self, now: int, behind: int) -> None:
        """Once through who waits behind a place, in order, skipping those for whom nothing can be done.

        behind: NOBODY for all; else who stands before it would not start, and has the reservations that are kept, and
        who is behind it has only these news: who came.
        """
        for held in self._used:
            held.reservation = None if behind == NOBODY else held.kept
        self._is_filled = False
        is_asked = not self._is_full()
        if self._rules.shares and is_asked:  # behind nobody: ranks change with time
            sizes = {alike: (kind, sets) for kind, _, sets, alike, _ in self._open}.values()
            enough = {held.free >= kind.milli_gpus for kind, sets in sizes for held in sets}
            is_asked = True in enough and any(held.has_room(kind) for kind, sets in sizes for held in sets)
            is_asked |= self._is_late
            if is_asked or (self._noded and len(enough) > 1):  # else whoever is first finds as much of use
                self._rank(now)
        while is_asked and self._open and not self._is_full():
            best, line = self._next(behind, now)
            if line is None:
                break
            behind = best
            if self._goes(best, now):
                self._is_filled = bool(self._noded)
                line.remove(best)
                if line.first >= NEVER:
                    self._open = [open_line for open_line in self._open if open_line[1] is not line]
                continue
            job = self.jobs[best]
            for place in job.sets:
                held = self._sets[place]
                if held.reservation is None:
                    held.reserve(best, job)
        self._is_late = self._is_late and min(self._room, default=inf) < inf  # else they went out
        self._is_filled &= not self._is_full()
        for held in self._used:
            held.kept, held.reservation = held.reservation, None

    def _note_broken(self) -> None:
        """What the first in the queue of each set of machines cannot use for want of whole ones."""
        for place, held in self._noded:
            held.broken = 0
            if self._open and held.free >= held.least:
                best_rank = first = NEVER
                for of, line, _, _, number in self._open:
                    if self._ranks[number] > best_rank:  # lines are in order of rank
                        break
                    if line.first < first and place in of.sets and not (of.limits and self._is_over(of)):
                        best_rank, first = self._ranks[number], line.first
                if first < NEVER:
                    held.note_broken(self.jobs[first])

    def _next(self, behind: int, now: int) -> tuple[int, Line | None]:
        """The first behind a place that might start, go out, or be given the reservation of one of its sets."""
        best, next_line, ranks, best_rank = NEVER, None, self._ranks, NEVER if self._use else 0
        passed = ranks[self._lines[self._kind_of[behind]][4]] if best_rank and behind >= 0 else 0
        parked: list[tuple[int, _Open]] = []  # an alias called takes as long as a line
        planned = [NOBODY] * self._alike  # the longest that jobs as large may be
        for each in self._open:
            kind, line, sets, alike, number = each
            rank, first = ranks[number], line.first
            if rank > best_rank:  # lines are in order of rank
                break
            if rank < passed or (first >= best and rank == best_rank):  # not before the best so far
                continue
            if (longest := planned[alike]) == NOBODY:
                longest = planned[alike] = self._longest(kind.milli_gpus, kind.nodes, sets, now)
            place, patience_s = NOBODY, kind.patience_s
            if not longest and patience_s is None:
                continue
            after = behind if rank == passed else NOBODY
            if longest and kind.limits and (over := self._limit_over(kind)) != NOBODY:
                longest = 0
                if patience_s is None or self.jobs[first].eligible_s + patience_s > now:
                    parked.append((over, each))
                    continue
            if longest:
                place = first if longest >= NEVER and first > after else line.first_behind(after, longest)
            # jobs of a line are in order of time
            if patience_s is not None and longest < NEVER and self.jobs[first].eligible_s + patience_s <= now:
                out = self._first_out(kind, line, after, now)
                if out != NOBODY and (place == NOBODY or out < place):
                    place = out
            if place != NOBODY and (rank < best_rank or place < best):
                best, next_line, best_rank = place, line, rank
        for limit, each in parked:
            self._open.remove(each)
            self._over.setdefault(limit, []).append(each)
        return best, next_line

    def _longest(self, milli_gpus: int, nodes: int, sets: Sequence[Held], now: int) -> int:
        """What one of jobs alike may be planned for to be looked at; 0: none of them."""
        longest = 0
        for held in sets:
            if held.reservation is None:
                if not (held.too_large and (milli_gpus, nodes) in held.too_large):
                    return NEVER
            elif held.free >= milli_gpus:
                longest = max(longest, held.longest(milli_gpus, nodes, now))
        return longest

    def _first_out(self, kind: QueuedJob, line: Line, behind: int, now: int) -> int:
        """The first whose patience is over while an outlet has room."""
        if not any(self._room[outlet] >= kind.milli_gpus for outlet in kind.outlets):
            return NOBODY
        place = line.first if line.first > behind else line.first_behind(behind, NEVER)
        is_out = NOBODY < place < NEVER and self.jobs[place].eligible_s + (kind.patience_s or 0) <= now
        return place if is_out else NOBODY
