"""Costed hours: what some workloads' GPU time cost in each hour, in blocks that fit the processor's caches."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.model.cube import Cube, Ints

Floats = npt.NDArray[np.float64]

ENTRIES_AT_ONCE = 500_000
"""A block ends with the workload that reaches it."""


@dataclass(frozen=True, slots=True, eq=False)
class CostedHours:
    """Entries of whole workloads, by workload, then hour; one for each GPU model. Shapes: all (entries,).

    value: the milli-GPU-seconds times what one is worth in its cluster and hour.
    """

    workload: Ints
    hour: Ints
    milli_gpu_seconds: Ints
    value: Floats


def costed_hours(
    cube: Cube, cluster_of_row: Ints, worth: Floats, chosen: npt.NDArray[np.bool_]
) -> Iterator[CostedHours]:
    """The entries of the chosen workloads. Shapes: worth (clusters, hours), chosen (workloads,).

    Laws: every entry of a chosen workload comes once; a workload is never in two blocks.
    """
    rows = np.flatnonzero(chosen[cube.workload_index])
    sizes = (cube.offsets[1:] - cube.offsets[:-1])[rows]
    flat = worth.ravel()
    for block in _blocks(cube.workload_index[rows], sizes):
        of, count = rows[block], sizes[block]
        within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        at = np.repeat(cube.offsets[of], count) + within
        hour, amount = cube.hour[at], cube.milli_gpu_seconds[at]
        value = amount * flat[np.repeat(cluster_of_row[of] * cube.hours, count) + hour]
        workload = np.repeat(cube.workload_index[of], count)
        if len(np.unique(cube.workload_index[of])) < len(
            of
        ):  # several GPU models: their hours run side by side
            order = np.argsort(workload * cube.hours + hour, kind="stable")
            workload, hour, amount, value = workload[order], hour[order], amount[order], value[order]
        yield CostedHours(workload, hour, amount, value)


def _blocks(workload: Ints, sizes: Ints) -> Iterator[slice]:
    """Slices of rows that hold whole workloads and not many more than ENTRIES_AT_ONCE entries."""
    begin, ends = 0, np.cumsum(sizes)
    while begin < len(sizes):
        before = int(ends[begin - 1]) if begin else 0
        last = min(int(np.searchsorted(ends, before + ENTRIES_AT_ONCE)), len(sizes) - 1)
        stop = int(np.searchsorted(workload, workload[last], side="right"))
        yield slice(begin, stop)
        begin = stop
