"""The demand cube: GPU time by workload, GPU model and hour, sparse and in whole milli-GPU-seconds."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Cube:
    """Rows are (workload, GPU model) pairs; row r holds hours[offsets[r]:offsets[r+1]] and the amounts beside them.

    Shapes: workload_index, model_index (rows,); offsets (rows + 1,); hour, milli_gpu_seconds (entries,).
    Units: hour counts from the start of the window; amounts in thousandths of a GPU-second, int64, > 0.
    model_index points into gpu_models; -1 is an unknown model. workload_index points into Project.workloads.
    Laws: rows sorted by (workload_index, model_index), no pair twice; hours ascending within a row.
    """

    hours: int
    gpu_models: tuple[str, ...]
    workload_index: Ints
    model_index: Ints
    offsets: Ints
    hour: Ints
    milli_gpu_seconds: Ints

    @property
    def row_totals(self) -> Ints:
        """Milli-GPU-seconds of each row; shape (rows,).

        Law: they add up to `total`, exactly.
        """
        sums = np.concatenate(([0], np.cumsum(self.milli_gpu_seconds)))
        return np.asarray(sums[self.offsets[1:]] - sums[self.offsets[:-1]], dtype=np.int64)

    def of_workloads(self, chosen: npt.NDArray[np.bool_]) -> "Cube":
        """The rows of some workloads alone, at their places; itself where it has no others. chosen: (workloads,).

        Places of workloads stay, so that the cube still goes with the same list of them.
        """
        rows = chosen[self.workload_index]
        if rows.all():
            return self
        entries = np.repeat(rows, np.diff(self.offsets))
        offsets = np.concatenate(([0], np.cumsum(np.diff(self.offsets)[rows]))).astype(np.int64)
        return Cube(
            self.hours,
            self.gpu_models,
            self.workload_index[rows],
            self.model_index[rows],
            offsets,
            self.hour[entries],
            self.milli_gpu_seconds[entries],
        )

    def hourly_of(self, workload: int) -> Ints:
        """Milli-GPU-seconds of one workload in each hour, over its GPU models; shape (hours,).

        0 in an hour without it, and throughout for a workload without GPU time.
        """
        first, last = np.searchsorted(self.workload_index, (workload, workload + 1)).tolist()
        span = slice(int(self.offsets[first]), int(self.offsets[last]))
        hourly = np.zeros(self.hours, dtype=np.int64)
        np.add.at(hourly, self.hour[span], self.milli_gpu_seconds[span])
        return hourly

    def hours_of(self, workload: int) -> tuple[Ints, Ints]:
        """Hours (ascending) in which a workload ran, and its milli-GPU-seconds in them, all GPU models together.

        Shapes: both (n,), hours counted from the window's start; empty for a workload without GPU time.
        """
        first, last = np.searchsorted(self.workload_index, (workload, workload + 1)).tolist()
        span = slice(int(self.offsets[first]), int(self.offsets[last]))
        if last - first == 1:
            return self.hour[span], self.milli_gpu_seconds[span]
        hours, at = np.unique(self.hour[span], return_inverse=True)
        amount = np.zeros(len(hours), dtype=np.int64)
        np.add.at(amount, at, self.milli_gpu_seconds[span])
        return hours, amount

    def by_model_of(self, workload: int) -> Iterator[tuple[str | None, Ints, Ints]]:
        """A workload's GPU models (None: unknown), each with its hours (ascending) and milli-GPU-seconds in them.

        In the order of the rows, unknown first. Arrays are views: not to be written to.
        """
        first, last = np.searchsorted(self.workload_index, (workload, workload + 1)).tolist()
        for row in range(first, last):
            model = int(self.model_index[row])
            span = slice(int(self.offsets[row]), int(self.offsets[row + 1]))
            yield None if model < 0 else self.gpu_models[model], self.hour[span], self.milli_gpu_seconds[span]

    @property
    def total(self) -> int:
        """Milli-GPU-seconds of the whole cube."""
        return int(self.milli_gpu_seconds.sum())

    @property
    def entry_row(self) -> Ints:
        """The row that each entry belongs to; shape (entries,)."""
        return np.repeat(np.arange(len(self.workload_index)), np.diff(self.offsets))


def empty_cube(hours: int) -> Cube:
    """A cube with no demand in it.

    hours: of its window.

    >>> empty_cube(24).total
    0
    """
    none = np.zeros(0, dtype=np.int64)
    return Cube(hours, (), none, none, np.zeros(1, dtype=np.int64), none, none)


def cube_from_entries(
    hours: int,
    gpu_models: tuple[str, ...],
    workload_index: Ints,
    model_index: Ints,
    hour: Ints,
    milli_gpu_seconds: Ints,
) -> Cube:
    """A cube from one entry per (workload, model, hour), in any order; entries that share all three are added.

    Shapes: all (entries,). Errors: ValueError where an hour is outside the window or an amount is negative.
    """
    keep = milli_gpu_seconds != 0
    workload_index, model_index = workload_index[keep], model_index[keep]
    hour, amount = hour[keep], milli_gpu_seconds[keep]
    if len(hour) and (hour.min() < 0 or hour.max() >= hours or amount.min() < 0):
        raise ValueError("cube: an entry outside the window, or a negative amount; clip the jobs first")
    order = np.lexsort((hour, model_index, workload_index))
    keys = np.stack((workload_index, model_index, hour))[:, order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    starts = np.flatnonzero(first)
    summed = np.add.reduceat(amount[order], starts) if len(starts) else amount
    keys = keys[:, starts]
    new_row = np.ones(len(starts), dtype=bool)
    new_row[1:] = (keys[:2, 1:] != keys[:2, :-1]).any(axis=0)
    rows = np.flatnonzero(new_row)
    offsets = np.append(rows, len(starts)).astype(np.int64)
    return Cube(hours, gpu_models, keys[0][rows], keys[1][rows], offsets, keys[2], summed.astype(np.int64))


def with_models(cube: Cube, gpu_models: tuple[str, ...], model_index: Ints) -> Cube:
    """The cube with other GPU models; rows of a workload that become of one model are added hour by hour.

    model_index: of each row, into gpu_models; -1 is an unknown model. Law: `cube_from_entries` of the same entries,
    at the cost of the rows that are added.
    """
    if not len(model_index):
        return replace(cube, gpu_models=gpu_models)
    order = np.lexsort((model_index, cube.workload_index))
    keys = np.stack((cube.workload_index, model_index))[:, order]
    first = np.flatnonzero(np.append(True, (keys[:, 1:] != keys[:, :-1]).any(axis=0)))
    hours, amounts = [], []
    for begin, end in pairwise((*first.tolist(), len(order))):
        spans = [slice(*cube.offsets[row : row + 2].tolist()) for row in order[begin:end].tolist()]
        hour, amount = cube.hour[spans[0]], cube.milli_gpu_seconds[spans[0]]
        if len(spans) > 1:
            total = np.zeros(cube.hours, dtype=np.int64)
            for span in spans:
                total[cube.hour[span]] += cube.milli_gpu_seconds[span]  # an hour is once in a row
            hour = np.flatnonzero(total)
            amount = total[hour]
        hours.append(hour)
        amounts.append(amount)
    offsets = np.concatenate(([0], np.cumsum([len(hour) for hour in hours]))).astype(np.int64)
    return Cube(
        cube.hours,
        gpu_models,
        keys[0][first],
        keys[1][first],
        offsets,
        np.concatenate(hours).astype(np.int64),
        np.concatenate(amounts).astype(np.int64),
    )
