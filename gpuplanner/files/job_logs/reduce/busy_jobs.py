"""Busy jobs as columns of numbers: demand at instants, peaks, and stretches in which none began."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.model.cube import Cube, IdleGap, IdleGaps, RunningJobs, empty_cube
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.system.engine import Engine, uncountable
from gpuplanner.lazy_dataclass import dataclass

# --- Busy jobs: those with GPU time in a window as a few columns of numbers, and their demand added up in memory

MILLI_GPU_SECONDS_AT_MOST: Final = 9e18
"""Of a whole log: a million GPUs for two centuries and more; what is added up is whole numbers of 64 bits."""

_HELD_AT_MOST: Final = 2**24  # jobs whose numbers are kept in memory; of more they are read again each time
_ROWS_AT_ONCE: Final = 2**15  # few, so that they stay near, and nobody waits long for the interpreter's lock
_CELLS_AT_ONCE: Final = 2**23  # hours of workloads that are added up together
_CELLS_PER_JOB: Final = 8  # of more, sorted steps are faster than a table that is all but empty
_CELLS_PER_STEP: Final = 64  # the same of a table that is made at once
_SORTED_AT_MOST: Final = 2**20  # jobs; of more, the engine adds up their steps, on disk
_PAIRS_AT_MOST: Final = 2**26
_INT: Final = 2**31 - 1

_COLUMNS: Final = ("workload", "gpu_model", "milli_gpus", "from_s", "to_s", "length_s")


@dataclass(frozen=True, slots=True, eq=False)
class BusyJobs:
    """count jobs with GPU time. held: their columns, or None where there are too many; then they are read by `sql`."""

    engine: Engine
    sql: str
    count: int
    held: tuple[Any, ...] | None

    def batches(self) -> Iterator[tuple[Any, ...]]:
        """workload, gpu_model (-1: unknown), milli_gpus, from_s, to_s (of the window) and, if asked, length_s."""
        if self.held is None:
            yield from self.engine.batches(self.sql)
            return
        for begin in range(0, self.count, _ROWS_AT_ONCE):
            self.engine.check()
            yield tuple(column[begin : begin + _ROWS_AT_ONCE] for column in self.held)


def read_busy_jobs(
    engine: Engine, jobs: str, window: Window, *, at_most: int, most_milli_gpus: int, longest_s: int | None
) -> BusyJobs:
    """The busy ones of a view or query of the engine with the columns of `expression.clipped_jobs`.

    at_most: how many there may be; most_milli_gpus, longest_s: of a job, None where nobody asks for lengths. Numbers
    that fit take half of the room.
    """
    seconds = window.hours * HOUR_S
    most = {"milli_gpus": most_milli_gpus, "from_s": seconds, "to_s": seconds, "length_s": longest_s}
    wanted = _COLUMNS if longest_s is not None else _COLUMNS[:-1]
    kinds = {name: "bigint" if (most.get(name) or 0) > _INT else "int" for name in wanted}
    columns = ", ".join(f"cast({name} as {kind}) as {name}" for name, kind in kinds.items())
    sql = f"select {columns} from (select *, stop_s - start_s as length_s from {jobs} where has_demand)"
    if at_most > _HELD_AT_MOST:
        (count,) = engine.one(f"select count(*) from {jobs} where has_demand")
        return BusyJobs(engine, sql, count, None)
    held = tuple(
        np.empty(at_most, dtype=np.int64 if kind == "bigint" else np.int32) for kind in kinds.values()
    )
    count = 0
    for batch in engine.batches(sql, at_most):
        for column, found in zip(held, batch, strict=True):
            column[count : count + len(found)] = found
        count += len(batch[0])
    return BusyJobs(engine, sql, count, tuple(column[:count] for column in held))


def cube_of_jobs(
    jobs: BusyJobs, hours: int, gpu_models: tuple[str, ...], numbers: Sequence[int] | Ints | None = None
) -> Cube | None:
    """The sums of `expression.hourly_steps` and `reduce.cube_of_steps` at once, in tables of workloads by hours.

    numbers: of the cube's workloads, ascending; None: those that occur. None where such tables would be all but empty
    or the sums too high to be sure of: then it is for `cube_of_steps`. Errors: PlannerError bad_number, as there.
    """
    if not jobs.count:
        return empty_cube(hours)
    models, width = len(gpu_models) + 1, hours + 1
    used, gpus = _pairs(jobs, models)
    if used is None or gpus * HOUR_S > MILLI_GPU_SECONDS_AT_MOST:
        return None
    cells, rows_at_once = len(used) * width, max(1, _CELLS_AT_ONCE // width)
    at_most = min(_CELLS_AT_ONCE + _CELLS_PER_JOB * jobs.count, _CELLS_PER_STEP * jobs.count)
    if cells > at_most or (jobs.held is None and cells > 2 * _CELLS_AT_ONCE):
        return None
    row_of = np.full(int(used[-1]) + 1, -1, dtype=np.int64)
    row_of[used] = np.arange(len(used))
    parts = [
        _filled(_added_up(jobs, models, row_of, first, min(first + rows_at_once, len(used)), width))
        for first in range(0, len(used), rows_at_once)
    ]
    lengths, hour, amounts = parts[0] if len(parts) == 1 else map(np.concatenate, zip(*parts, strict=True))
    if amounts.sum(dtype=np.float64) > MILLI_GPU_SECONDS_AT_MOST:
        raise uncountable()
    workload, model = np.divmod(used, models)
    owners = np.unique(workload) if numbers is None else np.asarray(numbers)
    return Cube(
        hours=hours,
        gpu_models=gpu_models,
        workload_index=np.searchsorted(owners, workload).astype(np.int64),
        model_index=model - 1,
        offsets=np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        hour=hour,
        milli_gpu_seconds=amounts,
    )


def steps_of(jobs: BusyJobs) -> dict[str, Ints]:
    """The columns of `expression.hourly_steps`, two of each job, not added up, at the second instead of the hour.

    Empty where the jobs are many, or the sums too high to be sure of: then they are for the engine.
    """
    held, many = jobs.held, MILLI_GPU_SECONDS_AT_MOST / HOUR_S
    if held is None or jobs.count > _SORTED_AT_MOST or held[_MILLI_GPUS].sum(dtype=np.float64) > many:
        return {}
    workload, model, milli_gpus, from_s, to_s = held[:5]
    at_s, gpus = np.concatenate((from_s, to_s)), milli_gpus.astype(np.int64)
    rate = np.concatenate((gpus, -gpus))
    steps = {"workload": np.tile(workload, 2), "gpu_model": np.tile(model, 2), "at_s": at_s, "rate": rate}
    return {**steps, "amount": -rate * (at_s % HOUR_S)}


def _pairs(jobs: BusyJobs, models: int) -> tuple[Ints | None, float]:
    """Which workloads have jobs on which models (workload * models + model + 1, ascending); their milli-GPUs in all."""
    is_used = np.zeros(0, dtype=bool)
    gpus = 0.0
    for workload, model, milli_gpus, *_ in jobs.batches():
        pair = workload.astype(np.int64) * models + model + 1
        most = int(pair.max(initial=0))
        if most > _PAIRS_AT_MOST:
            return None, 0.0
        if most >= len(is_used):
            is_used = np.concatenate((is_used, np.zeros(most + 1, dtype=bool)))
        is_used[pair] = True
        gpus += float(milli_gpus.sum(dtype=np.float64))
    return np.flatnonzero(is_used), gpus


def _added_up(jobs: BusyJobs, models: int, row_of: Ints, first: int, last: int, width: int) -> Ints:
    """Milli-GPU-seconds by row (first..last) and hour; shape (rows, width), the last column is nothing."""
    change = np.zeros((last - first) * width + 1, dtype=np.int64)  # of an hour's amount beside the one before
    is_part = first > 0 or last < int(row_of.max()) + 1
    for workload, model, *numbers in jobs.batches():
        row = row_of[workload.astype(np.int64) * models + model + 1]
        if is_part:
            mine = np.flatnonzero((row >= first) & (row < last))
            row, chosen = row[mine], [column[mine] for column in numbers]
        else:
            chosen = numbers
        milli_gpus, from_s, to_s, *_ = chosen
        begins, gpus = (row - first) * width, milli_gpus.astype(np.int64)
        for at_s, rate in ((from_s, gpus), (to_s, -gpus)):
            hour = at_s // HOUR_S
            cell, late = begins + hour, rate * (at_s - hour * HOUR_S)
            np.add.at(change, cell, rate * HOUR_S - late)
            np.add.at(change, cell + 1, late)  # the rest of a full hour's
    table = change[:-1].reshape(-1, width)
    np.cumsum(table, axis=1, out=table)
    return table


def _filled(table: Ints) -> tuple[Ints, Ints, Ints]:
    """How many hours of each row hold something; those hours row by row, and what they hold."""
    lengths = np.count_nonzero(table, axis=1)
    width, count = table.shape[1], int(lengths.sum())
    hour, amounts = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64)
    rows_at_once, place = max(1, _ROWS_AT_ONCE // width), 0
    for first in range(0, len(table), rows_at_once):
        part = table[first : first + rows_at_once].reshape(-1)
        at = np.flatnonzero(part)
        found = slice(place, place + len(at))
        hour[found], amounts[found] = at % width, part[at]
        place += len(at)
    return lengths, hour, amounts


# --- Peaks: the most GPUs in use at one instant, lengths and sizes of jobs, by sorting one whole number for each

_NUMBERS_AT_MOST: Final = 2**62
_LEVELS_AT_ONCE: Final = 2**20
_MILLI_GPUS: Final = 2  # columns of a batch of busy jobs
_LENGTH: Final = -1


def peaks(jobs: BusyJobs, view: str, seconds: int, workloads: Ints) -> tuple[int, Ints]:
    """Thousandths of a GPU: the most in use at once by all jobs together, and by each workload; exact, not hourly.

    view: the engine's, that the jobs are of; seconds: of the window; workloads: the numbers of those with such jobs,
    ascending.
    """
    engine = jobs.engine
    if not jobs.count:
        return 0, np.zeros(len(workloads), dtype=np.int64)
    rates = np.unique(
        np.concatenate([np.unique(milli_gpus) for _, _, milli_gpus, *_ in jobs.batches()])
    ).astype(np.int64)
    instants, codes = seconds + 1, 2 * len(rates)
    if (int(workloads[-1]) + 1) * instants * codes > _NUMBERS_AT_MOST:
        return _peaks_by_engine(engine, view, workloads)
    edges = np.empty(2 * jobs.count, dtype=np.int64)
    place = 0
    for workload, _, milli_gpus, from_s, to_s, _ in jobs.batches():
        first, code = workload.astype(np.int64) * instants, np.searchsorted(rates, milli_gpus)
        count = len(first)  # at one instant what ends comes before what starts
        edges[place : place + count] = (first + to_s) * codes + code
        edges[place + count : place + 2 * count] = (first + from_s) * codes + code + len(rates)
        place += 2 * count
    changes = np.concatenate((-rates, rates))
    edges.sort()
    firsts = np.searchsorted(edges, workloads * (instants * codes))
    by_workload = _highest(edges, firsts, changes, engine)
    edges %= instants * codes
    edges.sort()
    (overall,) = _highest(edges, np.zeros(1, dtype=np.int64), changes, engine)
    return int(overall), by_workload


def _highest(edges: Ints, firsts: Ints, changes: Ints, engine: Engine) -> Ints:
    """The highest running sum of what sorted edges change, in each part; parts begin at firsts, with nothing."""
    highest = np.zeros(len(firsts), dtype=np.int64)
    level = 0
    for begin in range(0, len(edges), _LEVELS_AT_ONCE):
        engine.check()
        levels = np.cumsum(changes[edges[begin : begin + _LEVELS_AT_ONCE] % len(changes)])
        levels += level
        level = int(levels[-1])
        first, last = np.searchsorted(firsts, (begin, begin + len(levels)), side="left")
        starts = firsts[first:last] - begin
        if first and (not len(starts) or starts[0] > 0):  # a part that began before
            first, starts = first - 1, np.concatenate(([0], starts))
        if len(starts):
            highest[first:last] = np.maximum(highest[first:last], np.maximum.reduceat(levels, starts))
    return highest


def _peaks_by_engine(engine: Engine, jobs: str, workloads: Ints) -> tuple[int, Ints]:
    """The same where no number of 64 bits holds all of an edge."""
    (overall,) = engine.one(f"select max(level) from ({_levels(jobs, '')})")
    found = engine.all(
        f"select workload, max(level) from ({_levels(jobs, 'workload')}) group by workload order by workload"
    )
    assert [number for number, _ in found] == workloads.tolist()
    return int(overall), np.array([int(peak) for _, peak in found], dtype=np.int64)


def _levels(jobs: str, group: str) -> str:
    """SQL of GPUs in use after each change, in thousandths: ends and starts of one instant count together."""
    columns = f"{group}, " if group else ""
    partition = f"partition by {group} " if group else ""
    return f"""select {columns}sum(change) over ({partition}order by at_s rows unbounded preceding) as level from (
        select {columns}at_s, sum(change) as change from (
            select {columns}from_s as at_s, milli_gpus as change from {jobs} where has_demand
            union all select {columns}to_s, -milli_gpus from {jobs} where has_demand
        ) group by {columns}at_s)"""


def middles(jobs: BusyJobs, workloads: Ints) -> tuple[Ints, Ints, Ints]:
    """By workload: seconds of its longest job, and of the one in the middle (the lower of two) seconds and GPUs.

    Jobs are whole, not clipped; seconds and GPUs are ordered apart.

    workloads: the numbers of all, ascending.
    """
    if not jobs.count:
        return workloads[:0], workloads[:0], workloads[:0]
    longest_s, median_s = _last_and_middle(jobs, workloads, _LENGTH)
    _, median_milli_gpus = _last_and_middle(jobs, workloads, _MILLI_GPUS)
    return longest_s, median_s, median_milli_gpus


def _last_and_middle(jobs: BusyJobs, workloads: Ints, column: int) -> tuple[Ints, Ints]:
    """The highest and the middle value of a column of the batches, of each workload."""
    each = 1 + max(int(batch[column].max()) for batch in jobs.batches())
    found = np.empty(jobs.count, dtype=np.int64)
    place = 0
    for batch in jobs.batches():
        found[place : place + len(batch[0])] = batch[0].astype(np.int64) * each + batch[column]
        place += len(batch[0])
    found.sort()
    firsts = np.searchsorted(found, workloads * each)
    ends = np.append(firsts[1:], len(found))
    return found[ends - 1] % each, found[(firsts + ends - 1) // 2] % each


# --- Idle gaps: the stretches of a cluster in which no job began, found by marking the seconds at which one does

_RUNNING_AT_MOST: Final = 100_000
"""Entries of all idle gaps that a project keeps."""
_RUNNING: Final = partial(tuple.__new__, RunningJobs)  # from a row, in three quarters of the time
_LONGER_THAN_S: Final = (0, 300, 1800)
"""Which idle gaps are kept: all of them, or where those are too many, only longer ones (docs/formulas/leaks.md)."""


def find_idle_gaps(
    jobs: BusyJobs, seconds: int, workloads: Sequence[int], clusters: Sequence[str], gpu_models: Sequence[str]
) -> IdleGaps | None:
    """Idle gaps of every cluster, down to the shortest of which there are not too many; None where there always are.

    seconds: of the window; workloads: the engine's numbers, ascending; clusters: the cluster of each; gpu_models: what
    the models of the jobs point into.
    """
    if jobs.held is None:
        return None
    for longer_than_s in _LONGER_THAN_S:
        # of more jobs there are too many, and it takes long
        if longer_than_s or jobs.count <= _RUNNING_AT_MOST:
            found = _idle_gaps(jobs, seconds, workloads, clusters, gpu_models, longer_than_s)
            if found is not None:
                return IdleGaps(longer_than_s, found)
    return None


def _idle_gaps(
    jobs: BusyJobs,
    seconds: int,
    workloads: Sequence[int],
    clusters: Sequence[str],
    gpu_models: Sequence[str],
    longer_than_s: int,
) -> tuple[IdleGap, ...] | None:
    """Those longer than this; None where too much runs in them."""
    if not jobs.count:
        return ()
    names = sorted(set(clusters))
    spellings = np.array((*gpu_models, None), dtype=object)  # place -1 is the unknown model
    numbers = np.array(workloads, dtype=np.int64)
    place_of = np.zeros(workloads[-1] + 1, dtype=np.int64)
    place_of[numbers] = np.arange(len(numbers))
    cluster_of = np.zeros(workloads[-1] + 1, dtype=np.int64)
    cluster_of[numbers] = np.searchsorted(names, clusters)
    found: list[IdleGap] = []
    entries = 0
    for number, columns in _by_cluster(jobs, cluster_of, len(names)):
        running = _running_in_idle_gaps(columns, seconds, longer_than_s, _RUNNING_AT_MOST - entries)
        if running is None:
            return None
        ends_s, idle_gap, workload, model, milli_gpus, until_s = running
        entries += len(idle_gap)
        parts = (place_of[workload], spellings[model], milli_gpus, until_s)
        each = tuple(map(_RUNNING, zip(*(part.tolist() for part in parts), strict=True)))
        edges = np.searchsorted(idle_gap, np.arange(len(ends_s) + 1)).tolist()
        found += [
            IdleGap(names[number], end_s, each[first:last])
            for end_s, first, last in zip(ends_s.tolist(), edges[:-1], edges[1:], strict=True)
        ]
    return tuple(found)


def _by_cluster(jobs: BusyJobs, cluster_of: Ints, clusters: int) -> Iterator[tuple[int, tuple[Ints, ...]]]:
    """workload, gpu_model, milli_gpus, from_s and to_s of the jobs of each cluster that has some."""
    assert jobs.held is not None
    columns = jobs.held[:5]
    if clusters == 1:
        yield 0, columns
        return
    cluster = cluster_of[columns[0]].astype(np.int32)
    order = np.argsort(cluster, kind="stable")
    edges = np.searchsorted(cluster[order], np.arange(clusters + 1))
    for number in range(clusters):
        jobs.engine.check()
        chosen = order[edges[number] : edges[number + 1]]
        if len(chosen):
            yield number, tuple(column[chosen] for column in columns)


def _running_in_idle_gaps(
    columns: tuple[Ints, ...], seconds: int, longer_than_s: int, at_most: int
) -> tuple[Ints, ...] | None:
    """Ends of idle gaps; and idle gap, workload, model, milli-GPUs, end of what ran in them, sorted, alike added up."""
    workload, model, milli_gpus, from_s, to_s = columns
    is_start = np.zeros(seconds + 1, dtype=np.bool_)
    is_start[from_s] = True
    starts = np.flatnonzero(is_start)
    nexts = np.append(starts[1:], seconds)
    is_long = nexts - starts > longer_than_s
    starts, nexts = starts[is_long], nexts[is_long]
    if not len(starts):
        return (nexts,) + (nexts,) * 5
    before = np.searchsorted(starts, to_s) - 1  # the last long stretch that began before the job's end
    ends_in_it = before[(before >= 0) & (nexts[before] - to_s > longer_than_s)]
    idle_gaps = np.unique(ends_in_it)
    starts, nexts = starts[idle_gaps], nexts[idle_gaps]
    first, last = np.searchsorted(starts, from_s), np.searchsorted(starts, to_s)
    count = np.maximum(last - first, 0)
    if int(count.sum()) > 10 * at_most:
        return None
    job = np.repeat(np.arange(len(count)), count)
    idle_gap = np.repeat(first, count) + np.arange(len(job)) - np.repeat(np.cumsum(count) - count, count)
    until_s = np.minimum(to_s[job], nexts[idle_gap]).astype(np.int64)
    keys = np.stack((idle_gap, workload[job].astype(np.int64), model[job].astype(np.int64), until_s))
    order = np.lexsort(keys[::-1])
    keys = keys[:, order]
    is_new = np.ones(len(order), dtype=np.bool_)
    is_new[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    groups = np.flatnonzero(is_new)
    if len(groups) > at_most:
        return None
    gpus = np.add.reduceat(milli_gpus[job].astype(np.int64)[order], groups) if len(groups) else groups
    idle_gap, workload, model, until_s = keys[:, groups]
    return nexts, idle_gap, workload, model, gpus, until_s
