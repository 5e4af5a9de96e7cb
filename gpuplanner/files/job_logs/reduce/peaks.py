"""Peaks: the most GPUs in use at one instant, lengths and sizes of jobs, by sorting one whole number for each."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.files.job_logs.reduce.busy_jobs import BusyJobs
from gpuplanner.files.system.engine import Engine

_NUMBERS_AT_MOST: Final = 2**62
_LEVELS_AT_ONCE: Final = 2**20
_MILLI_GPUS: Final = 2  # columns of a batch of busy jobs
_LENGTH: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Middles:
    """By workload: seconds of its longest job, and of the one in the middle (the lower of two) seconds and GPUs."""

    longest_s: Ints
    median_s: Ints
    median_milli_gpus: Ints


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


def middles(jobs: BusyJobs, workloads: Ints) -> Middles:
    """How long the jobs of each workload took, whole, not clipped, and how large they were; the two apart.

    workloads: the numbers of all, ascending.
    """
    if not jobs.count:
        return Middles(workloads[:0], workloads[:0], workloads[:0])
    longest_s, median_s = _last_and_middle(jobs, workloads, _LENGTH)
    _, median_milli_gpus = _last_and_middle(jobs, workloads, _MILLI_GPUS)
    return Middles(longest_s, median_s, median_milli_gpus)


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
