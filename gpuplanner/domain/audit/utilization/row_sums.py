"""Row sums: the cube's rows weighted by hour, in blocks that fit the processor's cache."""

from collections.abc import Iterator, Sequence
from typing import Final, TypeVar

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.model.cube import Cube
from gpuplanner.lazy_dataclass import dataclass

Amounts = TypeVar("Amounts", npt.NDArray[np.int64], npt.NDArray[np.float64])
ENTRIES_IN_A_BLOCK: Final = 1 << 16
"""Entries for temporary arrays of half a megabyte; one pass over a large cube would wait for memory."""
LONG_ROWS_IN_A_BLOCK: Final = 64
"""Rows of over a thousand hours are faster one by one."""


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Adjacent rows and their entries: slices of the cube's arrays. offsets: of the rows within the block."""

    rows: slice
    entries: slice
    offsets: Ints

    def spread(self, of_row: Amounts) -> Amounts:
        """Repeat a value per row for every entry of the block; shapes (rows,) -> (entries,)."""
        spread: Amounts = np.repeat(of_row[self.rows], np.diff(self.offsets))
        return spread


def row_blocks(cube: Cube) -> Iterator[RowBlock]:
    """Yield all rows of the cube in order, in blocks of about ENTRIES_IN_A_BLOCK entries and at least one row.

    Law: blocks cover every row and every entry once.
    """
    offsets, first, count = cube.offsets, 0, len(cube.workload_index)
    while first < count:
        last = int(np.searchsorted(offsets, offsets[first] + ENTRIES_IN_A_BLOCK, side="right")) - 1
        last = min(max(last, first + 1), count)
        span = offsets[first : last + 1]
        yield RowBlock(slice(first, last), slice(int(span[0]), int(span[-1])), span - span[0])
        first = last


def weighted_row_sums(cube: Cube, group_of_row: Ints, weights: Floats) -> Floats:
    """Return the sum of each row's milli-GPU-seconds times the hourly weight of its group; shape (kinds, rows).

    Shapes: group_of_row (rows,), indexes into the groups of weights (kinds, groups, hours).
    """
    kinds, groups, hours = weights.shape
    sums = np.zeros((kinds, len(cube.workload_index)))
    flat, row_start = weights.reshape(kinds, groups * hours), group_of_row * hours
    for block in row_blocks(cube):
        if block.rows.stop - block.rows.start <= LONG_ROWS_IN_A_BLOCK:
            for row in range(block.rows.start, block.rows.stop):
                sums[:, row] = _long_row(cube, row, weights[:, group_of_row[row]])
            continue
        slots = block.spread(row_start)
        slots += cube.hour[block.entries]
        amounts = cube.milli_gpu_seconds[block.entries].astype(np.float64)
        for kind, of_kind in enumerate(flat):
            sums[kind, block.rows] = np.add.reduceat(of_kind[slots] * amounts, block.offsets[:-1])
    return sums


def weighted_sums(cube: Cube, group_of_row: Ints, weights: Floats, workloads: int) -> Floats:
    """Return `weighted_row_sums` added up by workload; shape (kinds, workloads). workloads: their number.

    Weights of one kind may have the shape (groups, hours); the result is (workloads,) then.
    """
    by_row = weighted_row_sums(cube, group_of_row, weights if weights.ndim == 3 else weights[None])
    sums = np.array(
        [np.bincount(cube.workload_index, kind_sums, minlength=workloads) for kind_sums in by_row]
    )
    return sums.reshape(*weights.shape[:-2], workloads)


def _long_row(cube: Cube, row: int, weights: Floats) -> Sequence[float]:
    """Return the weighted sum of a row with many hours by kind; weights (kinds, hours) of consecutive hours are read as
    one slice.
    """
    span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
    hours, amounts = cube.hour[span], cube.milli_gpu_seconds[span].astype(np.float64)
    if not len(hours):
        return [0.0] * len(weights)
    first, last = int(hours[0]), int(hours[-1])
    here = slice(first, last + 1) if last - first + 1 == len(hours) else hours
    return [float(of_kind[here] @ amounts) for of_kind in weights]
