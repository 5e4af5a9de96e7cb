"""Row sums: the cube's rows weighted hour by hour, in blocks that stay in the processor's cache."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.model.log.cube import Cube

ENTRIES_IN_A_BLOCK: Final = 1 << 16
"""Temporary arrays of half a megabyte: a pass over large cubes in one piece waits for memory instead of adding."""

LONG_ROWS_IN_A_BLOCK: Final = 64
"""Rows of over a thousand hours each are quicker one by one."""


@dataclass(frozen=True, slots=True)
class RowBlock:
    """Neighbouring rows and their entries: slices of the cube's arrays. offsets: of the rows within the block."""

    rows: slice
    entries: slice
    offsets: Ints

    def spread(self, of_row: Ints) -> Ints:
        """A value of each of the cube's rows, once for every entry of the block; shapes (rows,) -> (entries,)."""
        return np.repeat(of_row[self.rows], np.diff(self.offsets))


def row_blocks(cube: Cube) -> Iterator[RowBlock]:
    """All rows of the cube in order, so many at a time that they hold about ENTRIES_IN_A_BLOCK entries; at least one.

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
    """Each row's milli-GPU-seconds times the weight of its group in the hour, summed; shape (rows,).

    Shapes: group_of_row (rows,), indexes into weights (groups, hours).
    """
    sums = np.zeros(len(cube.workload_index))
    flat, row_start = weights.ravel(), group_of_row * cube.hours
    for block in row_blocks(cube):
        if block.rows.stop - block.rows.start <= LONG_ROWS_IN_A_BLOCK:
            for row in range(block.rows.start, block.rows.stop):
                sums[row] = _long_row(cube, row, weights[group_of_row[row]])
            continue
        slots = block.spread(row_start)
        slots += cube.hour[block.entries]
        weighted = flat[slots]
        weighted *= cube.milli_gpu_seconds[block.entries]
        sums[block.rows] = np.add.reduceat(weighted, block.offsets[:-1])
    return sums


def _long_row(cube: Cube, row: int, weights: Floats) -> float:
    """One row with many hours; where none is missing between them, its weights are read in one piece."""
    span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
    hours = cube.hour[span]
    if not len(hours):
        return 0.0
    first, last = int(hours[0]), int(hours[-1])
    mine = weights[first : last + 1] if last - first + 1 == len(hours) else weights[hours]
    return float(mine @ cube.milli_gpu_seconds[span])
