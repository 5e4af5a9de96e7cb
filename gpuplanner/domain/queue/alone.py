"""The replay on one set that stays as it is and sends out without a limit: the rules of `replay`, made for speed.

Source: docs/formulas/waits.md.
"""

from bisect import bisect_left, insort
from collections.abc import Callable, Sequence
from heapq import heappop, heappush
from math import gcd
from operator import add
from typing import NamedTuple

from gpuplanner.domain.queue.parts import LAST_BITS, LOOK_AFTER, NOBODY, PLACE_BITS, Line, Part, Replay
from gpuplanner.domain.queue.sets import HERE, NEVER, NOWHERE, GpuSet, Laid, holds, pieces_of
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Freely:
    """A part on one set so large that nobody waits. laid: where each job lies, by its place; reach: machines up to the
    highest of each, or thousandths in use, as they come; last: the place of the smaller machine, which is none of them,
    on_last: who lies on it.
    """

    laid: Sequence[Laid]
    reach: Sequence[int]
    last: int = NOBODY
    on_last: Sequence[int] = ()


IsCut = Callable[[Sequence[int]], bool]
"""Whether the rest is for nobody, by the starts so far."""
Pieces = tuple[int, ...]
"""Units on each machine, the larger first."""
Machines = tuple[list[Pieces], list[int], list[int], Callable[[Pieces], Laid], Callable[[Laid, int], None]]


def machines_of(part: Part, gpu_set: GpuSet) -> Machines:
    """Machines, or GPUs alone, on which nothing runs yet, in units of which all pieces are whole numbers.

    Pieces of jobs of each size; units free on each machine; machines with so many free, as bits; where pieces would lie
    if there are as many GPUs, each on the fullest that holds it, then the lowest; and what notes that so many more
    units of machines are used, or fewer where the sign is -1.
    """
    free, node = gpu_set.changes[0][1], gpu_set.node_milli_gpus or 0
    whole, rest = divmod(free, node) if node else (free, 0)
    all_pieces = [pieces_of(milli, nodes if node else 1) for milli, nodes in part.sizes[0]]
    unit = gcd(node, free, *(piece for pieces in all_pieces for piece in pieces))
    open_units = [node // unit] * whole + [rest // unit] * (rest > 0) if node else []
    on_level = [0] * (node // unit + 1)
    for at, level in enumerate(open_units):
        on_level[level] |= 1 << at
    # those that some machine has, as bits
    levels = sum(1 << level for level, machines in enumerate(on_level) if machines)

    def laid_now(pieces: Pieces) -> Laid:
        if not node:
            return HERE
        if len(pieces) == 1:
            piece = pieces[0]
            if above := levels >> piece:
                machines = on_level[piece + (above & -above).bit_length() - 1]
                return (((machines & -machines).bit_length() - 1, piece),)
            return NOWHERE
        where, taken = [], 0
        for piece in pieces:
            level = piece
            while above := levels >> level:
                level += (above & -above).bit_length() - 1
                if machines := on_level[level] & ~taken:
                    break
                level += 1
            else:
                return NOWHERE
            lowest = machines & -machines
            taken |= lowest
            where.append((lowest.bit_length() - 1, piece))
        return tuple(where)

    def use(where: Laid, sign: int) -> None:
        nonlocal levels
        for at, piece in where:
            level, bit = open_units[at], 1 << at
            on_level[level] = machines = on_level[level] ^ bit
            if not machines:
                levels ^= 1 << level
            open_units[at] = level = level - sign * piece
            machines = on_level[level]
            if not machines:
                levels |= 1 << level
            on_level[level] = machines | bit

    units = [tuple(piece // unit for piece in pieces) for pieces in all_pieces]
    return units, open_units, on_level, laid_now, use


def freely_on(part: Part, in_use: Sequence[int], gpu_set: GpuSet) -> Freely:
    """A part on a set with as many machines as its jobs ever need at once, and a smaller one or none.

    in_use: thousandths as each job has come, of GPUs alone.
    """
    laid = [HERE] * len(part.jobs)
    if gpu_set.node_milli_gpus is None:
        return Freely(laid, in_use)
    all_pieces, _, _, laid_now, use = machines_of(part, gpu_set)
    _, eligible_s, length_s, *_ = part.columns
    until_s = [*map(add, eligible_s, length_s)]
    running = sorted(part.arrivals, key=until_s.__getitem__, reverse=True)  # or to come
    for at in part.arrivals:
        while until_s[running[-1]] <= eligible_s[at]:
            use(laid[running.pop()], -1)
        laid[at] = where = laid_now(all_pieces[part.sizes[1][at]])
        use(where, 1)
    last, rest = divmod(gpu_set.changes[0][1], gpu_set.node_milli_gpus)
    last = last if rest else NOBODY
    reach = [1 + max([node for node, _ in laid[at] if node != last], default=-1) for at in part.arrivals]
    return Freely(laid, reach, last, [at for at, lies in enumerate(laid) if rest and max(lies)[0] == last])


class Size(NamedTuple):
    """Jobs as large. line: who of them waits; is_stuck: they fit on no set as this."""

    line: Line
    milli_gpus: int
    pieces: Pieces
    is_stuck: bool


def replay_alone(  # noqa: PLR0912, PLR0915 - its state is in variables: in attributes it takes a quarter longer
    part: Part, place: int, gpu_set: GpuSet, freely: Freely | None, is_cut: IsCut
) -> Replay:
    """The replay of a part on its one set, by places in the part.

    place: of the set; freely: how the jobs lie if nobody has to wait, on as large a smaller machine. Machines and
    pieces are in units of which all pieces are whole numbers.
    Law: the same as the general walk to the bit; fragments that follow one another may be cut elsewhere.
    """
    jobs, arrivals, comes = part.jobs, part.arrivals, part.comes
    _, eligible_s, length_s, planned_s, milli_gpus, _, outlets, patience_s, *_ = part.columns
    start_s, outlet = [NOBODY] * len(jobs), [NOBODY] * len(jobs)
    laid = [NOWHERE] * len(jobs)
    fragments: list[tuple[int, int, int, int]] = []

    free, node = gpu_set.changes[0][1], gpu_set.node_milli_gpus
    whole = free // node if node else free
    all_pieces, open_units, on_level, laid_now, use = machines_of(part, gpu_set)

    # --- Who waits, by size

    of_size, size_of = part.sizes
    sizes = [
        Size(Line(places, jobs), milli, pieces, milli > free or not laid_now(pieces))
        for ((milli, _), places), pieces in zip(of_size.items(), all_pieces, strict=True)
    ]
    waiting, stuck = sizes[:0], sizes[:0]  # those in which somebody waits
    least, floor = NEVER, (NEVER,)  # thousandths of the smallest of them; the least piece of any
    ends, tempers = [NEVER << PLACE_BITS], [NEVER << PLACE_BITS]
    late = list[int]()  # whose patience is over
    is_filled = False  # a machine was, in the last walk: whom it passed over might be laid elsewhere now

    def measure() -> None:
        nonlocal least, floor
        least = min([size.milli_gpus for size in waiting], default=NEVER)
        floor = (min([size.pieces[-1] for size in waiting], default=NEVER),)

    def stand(at: int) -> bool:
        """A job that came stands in its line; whether it could start sometime."""
        size = sizes[size_of[at]]
        if size.line.first >= NEVER:
            (stuck if size.is_stuck else waiting).append(size)
            measure()
        size.line.add(at)
        return not size.is_stuck

    def be_patient(at: int) -> None:
        """From now on a job that has not started waits until its patience is over."""
        if start_s[at] == NOBODY and outlets[at] and (patience := patience_s[at]):
            heappush(tempers, eligible_s[at] + patience << PLACE_BITS | at)

    # --- The reservation of the head, the first that waits and could start sometime

    head = reserved_s = NOBODY  # from when on; NOBODY: to be worked out once somebody could start beside it
    spare = able = 0  # what is free beside it then, and machines that hold its least piece
    then, wanted = list[int](), Pieces()  # units that each machine has free then; its pieces
    planned: list[int] | None = None  # ends of who runs, in order; None: not asked for since somebody waits

    def reserve() -> None:
        """The earliest time at which the head fits if all that runs lasts as planned."""
        nonlocal reserved_s, spare, able, then, wanted, planned
        if planned is None:
            running = [key & LAST_BITS for key in ends if key < NEVER << PLACE_BITS]
            here = [at for at in running if outlet[at] == NOBODY]
            planned = sorted([start_s[at] + planned_s[at] << PLACE_BITS | at for at in here])
        _, milli, wanted, _ = sizes[size_of[head]]
        reserved_s, spare, then, piece = NEVER, free - milli, [*open_units], wanted[-1]
        able = sum([machines.bit_count() for machines in on_level[piece:]]) if node else len(wanted)
        for key in planned:
            if key >> PLACE_BITS > reserved_s:
                break
            spare += milli_gpus[key & LAST_BITS]
            if node:
                for on, more in laid[key & LAST_BITS]:
                    level = then[on]
                    then[on] = level + more
                    able += level < piece <= level + more
            if reserved_s == NEVER and spare >= 0 and is_held():
                reserved_s = key >> PLACE_BITS

    def is_held() -> bool:
        """Whether the machines have room for the head at that time."""
        return able >= len(wanted) and (wanted[0] == wanted[-1] or holds(then, wanted))

    def take(where: Laid, sign: int) -> None:
        """So many more units of these machines are used at that time; sign -1: fewer."""
        nonlocal able
        if node:
            for on, piece in where:
                level, least = then[on], wanted[-1]
                then[on] = left = level - sign * piece
                able += (left >= least) - (level >= least)

    def is_left(milli: int, where: Laid) -> bool:
        """Whether the head still fits at its time beside what would stay till then."""
        if spare < milli or not node:
            return spare >= milli
        if wanted[0] == (piece := wanted[-1]):
            short = [1 for on, taken in where if then[on] >= piece > then[on] - taken]
            return able - len(short) >= len(wanted)
        take(where, 1)
        is_kept = is_held()
        take(where, -1)
        return is_kept

    # --- Ends and starts

    over, odd = list[int](), set[int]()  # odd: who runs otherwise than freely
    freely_laid: list[Laid] = []
    if freely is not None:
        freely_laid = [*freely.laid]
        for at in freely.on_last:  # the smaller machine stands behind so many whole ones
            moved = ((whole if on == freely.last else on, piece) for on, piece in freely_laid[at])
            freely_laid[at] = tuple(moved)
        over = [at for at, reach in enumerate(freely.reach) if reach > whole] + [len(jobs)]

    def end(upto: int) -> None:
        """Who ends before gives back what it held."""
        nonlocal free, reserved_s, spare
        while ends[0] < upto:
            at = heappop(ends) & LAST_BITS
            if odd:
                odd.discard(at)
            if outlet[at] == NOBODY:
                free += milli_gpus[at]
                if planned is not None:
                    del planned[bisect_left(planned, start_s[at] + planned_s[at] << PLACE_BITS | at)]
                if node:
                    use(laid[at], -1)
                if planned_s[at] > length_s[at] and reserved_s != NOBODY:
                    if start_s[at] + planned_s[at] > reserved_s:
                        spare += milli_gpus[at]
                        take(laid[at], -1)
                    # where its machine is too small for the head even then, the head fits no sooner
                    if not node or len(laid[at]) > 1 or then[laid[at][0][0]] >= wanted[-1]:
                        reserved_s = NOBODY

    def start(at: int, now: int, where: Laid) -> None:
        """A job starts there."""
        nonlocal free, reserved_s, spare
        start_s[at], laid[at] = now, where
        free -= milli_gpus[at]
        if node:
            use(where, 1)
        if planned is not None:
            end_s = now + planned_s[at]
            insort(planned, end_s << PLACE_BITS | at)
            if end_s > reserved_s and head == NOBODY:  # of who had it before
                reserved_s = NOBODY
            elif end_s > reserved_s:
                spare -= milli_gpus[at]
                take(where, 1)
        if freely_laid and (now > eligible_s[at] or where != freely_laid[at]):
            odd.add(at)
        heappush(ends, now + length_s[at] << PLACE_BITS | at)

    def goes(at: int, now: int, where: Laid = NOWHERE) -> bool:
        """Whether a job starts: it fits now and leaves the reservation in place; as it does where that is known."""
        if not where:
            _, milli, pieces, _ = sizes[size_of[at]]
            if milli > free or not (where := laid_now(pieces)):
                return False
            if head != NOBODY:
                if reserved_s == NOBODY:
                    reserve()
                if now + planned_s[at] > reserved_s and not is_left(milli, where):
                    return False
        start(at, now, where)
        return True

    def goes_out(at: int, now: int) -> None:
        """It is sent to its first outlet, since none has a limit."""
        start_s[at], outlet[at] = now, outlets[at][0]
        odd.add(at)
        heappush(ends, now + length_s[at] << PLACE_BITS | at)

    def leap(arrived: int) -> int:
        """On to the next arrival that has no room where it would lie freely: all before it lie as they would."""
        stop = over[bisect_left(over, arrived)]
        if stop > arrived:
            upto = comes[stop - 1] + 1 << PLACE_BITS
            end(upto)
            for at in arrivals[arrived:stop]:
                start_s[at] = come = eligible_s[at]
                if come + length_s[at] << PLACE_BITS >= upto:
                    start(at, come, freely_laid[at])
        return stop

    def unhindered(arrived: int) -> int:
        """Ends and starts while nobody waits; the first arrival that does not start."""
        nonlocal planned, reserved_s
        planned, reserved_s = None, NOBODY
        for _ in range(LOOK_AFTER):
            if freely_laid and not odd:
                arrived = leap(arrived)
            now = comes[arrived]
            if now >= NEVER:
                break
            if ends[0] < now + 1 << PLACE_BITS:
                end(now + 1 << PLACE_BITS)
            if not goes(arrivals[arrived], now):
                break
            arrived += 1
        return arrived

    # --- One walk, in order

    def first_beside(behind: int, now: int) -> tuple[int, Laid]:
        """The first behind a place that may start beside the reservation, and where; before there is one the first at
        all. NEVER without one.
        """
        best, best_laid = NEVER, NOWHERE
        for line, milli, pieces, _ in waiting:
            if line.first >= best:
                continue
            if head == NOBODY:
                best = line.first
            elif milli <= free and (where := laid_now(pieces)):
                if reserved_s == NOBODY:
                    reserve()
                place = line.first_behind(behind, NEVER if is_left(milli, where) else reserved_s - now)
                if NOBODY < place < best:
                    best, best_laid = place, where
        return best, best_laid

    def walk(came: Sequence[int], now: int, behind: int) -> None:
        """Once through who waits behind a place, in order, skipping those for whom nothing can be done."""
        nonlocal head, reserved_s, is_filled
        for at in came:
            stand(at)
            if patience_s[at] == 0 and outlets[at]:
                late.append(at)
        late.sort()
        before = head
        if behind == NOBODY:
            head = NOBODY
        while late or (free >= least and laid_now(floor)) or head == NOBODY:
            best, where = first_beside(behind, now)
            is_late = late != [] and late[0] <= best
            if best >= NEVER and not is_late:
                break
            behind, where = (late.pop(0), NOWHERE) if is_late else (best, where)
            if free >= least and goes(behind, now, where):
                is_filled = bool(node)
            elif is_late:
                goes_out(behind, now)
            else:
                head = behind
                if head != before:
                    reserved_s = NOBODY
                continue
            size = sizes[size_of[behind]]
            size.line.remove(behind)
            if size.line.first >= NEVER:
                (stuck if size.is_stuck else waiting).remove(size)
                measure()
        for at in came:
            be_patient(at)

    def come(came: Sequence[int], now: int) -> None:
        """Jobs come, and nothing else is new: who waits already starts no sooner."""
        nonlocal head, reserved_s, is_filled
        for number, at in enumerate(came):
            if goes(at, now):
                if waiting:
                    walk(came[number + 1 :], now, at)
                    is_filled = bool(node)
                    break
            elif patience_s[at] == 0 and outlets[at]:
                goes_out(at, now)
            else:
                be_patient(at)
                if stand(at) and head == NOBODY:
                    head, reserved_s = at, NOBODY

    def broken() -> int:
        """What is of no use to the first in the queue, though there is enough of it: else it would have started."""
        first = head if waiting else NEVER
        if stuck:
            first = min(first, *(size.line.first for size in stuck))
        return free if milli_gpus[first] <= free else 0

    # --- Instant by instant: ends and arrivals first, then who waits

    arrived = instants = since = last_s = lost = 0  # lost: thousandths of no use since then
    while True:
        first = arrived
        if not waiting and not stuck:
            arrived = unhindered(arrived)
        instants += arrived - first + 1
        if instants >= LOOK_AFTER:
            if is_cut(start_s):
                break
            instants = 0
        now = comes[arrived]
        if waiting or stuck:
            if (end_s := ends[0] >> PLACE_BITS) < now:
                now = end_s
            while (temper_s := tempers[0] >> PLACE_BITS) < now:
                if start_s[tempers[0] & LAST_BITS] == NOBODY:
                    now = temper_s
                else:
                    heappop(tempers)  # it has started: nothing is new
        if now >= NEVER:
            break
        last_s, upto = now, now + 1 << PLACE_BITS
        is_new, is_filled = is_filled or ends[0] < upto, False
        if ends[0] < upto:
            end(upto)
        while tempers[0] < upto:
            at = heappop(tempers) & LAST_BITS
            if start_s[at] == NOBODY:
                late.append(at)
        first = arrived
        while comes[arrived] <= now:
            arrived += 1
        came = arrivals[first:arrived]
        if late or (came and came[0] < head):
            walk(came, now, NOBODY)
        elif is_new and waiting and free >= least and laid_now(floor):
            _, milli, pieces, _ = sizes[size_of[head]]
            walk(came, now, NOBODY if free >= milli and laid_now(pieces) else head)
        elif came:
            come(came, now)
        if not waiting:
            head = NOBODY
        is_filled &= free >= least
        was, lost = lost, broken() if node and free and (waiting or stuck) else 0
        if was != lost:
            if was:
                fragments.append((place, since, now, was))
            since = now
    if lost and since < last_s:
        fragments.append((place, since, last_s, lost))
    on = [place if start >= 0 > out else NOBODY for start, out in zip(start_s, outlet, strict=True)]
    return Replay(start_s, on, outlet, fragments)
