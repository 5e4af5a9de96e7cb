"""Busy jobs: those with GPU time in a window as a few columns of numbers, and their demand added up in memory."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.model.log.cube import Cube, empty_cube
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.system.engine import Engine, uncountable

MILLI_GPU_SECONDS_AT_MOST: Final = 9e18
"""Of a whole log: a million GPUs for two centuries and more; what is added up is whole numbers of 64 bits."""

_HELD_AT_MOST: Final = 2**24  # jobs whose numbers are kept in memory; of more they are read again each time
_ROWS_AT_ONCE: Final = 2**15  # few, so that they stay near, and nobody waits long for the interpreter's lock
_CELLS_AT_ONCE: Final = 2**23  # hours of workloads that are added up together
_CELLS_PER_JOB: Final = 8  # of more, the engine's groups are faster than a table that is all but empty
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
    for batch in engine.batches(sql):
        for column, found in zip(held, batch, strict=True):
            column[count : count + len(found)] = found
        count += len(batch[0])
    return BusyJobs(engine, sql, count, tuple(column[:count] for column in held))


def cube_of_jobs(
    jobs: BusyJobs, hours: int, gpu_models: tuple[str, ...], numbers: Sequence[int] | Ints | None = None
) -> Cube | None:
    """The sums of `expression.hourly_steps` and `reduce.cube_of_steps` at once, in tables of workloads by hours.

    numbers: of the cube's workloads, ascending; None: those that occur. None where such tables would be too large or
    the sums too high to be sure of: then it is for the engine. Errors: PlannerError bad_number, as `cube_of_steps`.
    """
    if not jobs.count:
        return empty_cube(hours)
    models, width = len(gpu_models) + 1, hours + 1
    used, gpus = _pairs(jobs, models)
    if used is None or gpus * HOUR_S > MILLI_GPU_SECONDS_AT_MOST:
        return None
    cells, rows_at_once = len(used) * width, max(1, _CELLS_AT_ONCE // width)
    if cells > _CELLS_AT_ONCE + _CELLS_PER_JOB * jobs.count or (
        jobs.held is None and cells > 2 * _CELLS_AT_ONCE
    ):
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
        hours,
        gpu_models,
        np.searchsorted(owners, workload).astype(np.int64),
        model - 1,
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        hour,
        amounts,
    )


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
