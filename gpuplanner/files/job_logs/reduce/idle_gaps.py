"""Idle gaps: the stretches of a cluster in which no job began, found by marking the seconds at which one does."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.model.log.idle_gap import IdleGap, IdleGaps, RunningJobs
from gpuplanner.files.job_logs.reduce.busy_jobs import BusyJobs

_RUNNING_AT_MOST: Final = 100_000
"""Entries of all idle gaps that a project keeps."""
_LONGER_THAN_S: Final = (0, 300, 1800)
"""Which idle gaps are kept: all of them, or where those are too many, only longer ones (docs/formulas.md, Leaks)."""


def find_idle_gaps(
    jobs: BusyJobs,
    seconds: int,
    workloads: Sequence[int],
    clusters: Sequence[str],
    gpu_models: Sequence[str],
) -> IdleGaps | None:
    """Idle gaps of every cluster, down to the shortest of which there are not too many; None where there always are.

    seconds: of the window; workloads: the engine's numbers, ascending; clusters: the cluster of each; gpu_models: what
    the models of the jobs point into.
    """
    if jobs.held is None:
        return None
    for longer_than_s in _LONGER_THAN_S:
        if (
            longer_than_s or jobs.count <= _RUNNING_AT_MOST
        ):  # of more jobs there are too many, and it takes long
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
    spellings = (*gpu_models, None)  # place -1 is the unknown model
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
        each = [
            RunningJobs(place, spellings[number_of_model], gpus, end_s)
            for place, number_of_model, gpus, end_s in zip(
                place_of[workload].tolist(),
                model.tolist(),
                milli_gpus.tolist(),
                until_s.tolist(),
                strict=True,
            )
        ]
        edges = np.searchsorted(idle_gap, np.arange(len(ends_s) + 1)).tolist()
        found += [
            IdleGap(names[number], end_s, tuple(each[first:last]))
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
