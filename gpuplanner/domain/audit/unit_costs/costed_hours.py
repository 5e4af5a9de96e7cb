"""Costed hours: what workloads' GPU time cost in each hour, in blocks that fit the processor's caches."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.model.cube import Cube
from gpuplanner.lazy_dataclass import dataclass

ENTRIES_AT_ONCE = 500_000
"""A block ends with the workload that reaches it."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CostedHours:
    """Entries of whole workloads, by workload, then hour; one for each GPU model.

    Shapes: workload (workloads,), and starts, the place of its first entry; the others (entries,).
    value: the milli-GPU-seconds times what one is worth in its group and hour.
    """

    workload: Ints
    starts: Ints
    hour: Ints
    milli_gpu_seconds: Ints
    value: Floats


def costed_hours(
    cube: Cube, group_of_row: Ints, worth: Floats, chosen: npt.NDArray[np.bool_]
) -> Iterator[CostedHours]:
    """The entries of the chosen workloads. Shapes: group_of_row (rows,), worth (groups, hours), chosen (workloads,).

    Laws: every entry of a chosen workload comes once; a workload is never in two blocks.
    """
    rows = np.flatnonzero(chosen[cube.workload_index])
    sizes = (cube.offsets[1:] - cube.offsets[:-1])[rows]
    flat = worth.ravel()
    for block in _blocks(cube.workload_index[rows], sizes):
        block_rows, count = rows[block], sizes[block]
        begins = np.cumsum(count) - count
        entries: slice | Ints = slice(int(cube.offsets[block_rows[0]]), int(cube.offsets[block_rows[-1] + 1]))
        if block_rows[-1] - block_rows[0] >= len(block_rows):  # rows of others lie between
            entries = np.arange(int(count.sum())) + np.repeat(cube.offsets[block_rows] - begins, count)
        hour, amount = cube.hour[entries], cube.milli_gpu_seconds[entries]
        value = np.take(flat, np.repeat(group_of_row[block_rows] * cube.hours, count) + hour)
        value *= amount
        workload, first = np.unique(cube.workload_index[block_rows], return_index=True)
        if len(workload) < len(block_rows):  # several GPU models: their hours run side by side
            order = np.argsort(
                np.repeat(cube.workload_index[block_rows] * cube.hours, count) + hour, kind="stable"
            )
            hour, amount, value = hour[order], amount[order], value[order]
        yield CostedHours(
            workload=workload, starts=begins[first], hour=hour, milli_gpu_seconds=amount, value=value
        )


def _blocks(workload: Ints, sizes: Ints) -> Iterator[slice]:
    """Slices of rows that hold whole workloads and not many more than ENTRIES_AT_ONCE entries."""
    begin, ends = 0, np.cumsum(sizes)
    while begin < len(sizes):
        before = int(ends[begin - 1]) if begin else 0
        last = min(int(np.searchsorted(ends, before + ENTRIES_AT_ONCE)), len(sizes) - 1)
        stop = int(np.searchsorted(workload, workload[last], side="right"))
        yield slice(begin, stop)
        begin = stop
