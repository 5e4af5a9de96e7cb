"""Parts: a project with the workloads that a plan divides standing as their parts, exact to the milli-GPU-second."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.parting import (
    FIRST,
    SECOND,
    ShareSplit,
    Split,
    Splits,
    TimeSplit,
    part_key,
    part_words,
    whole_key,
)
from gpuplanner.domain.model.window import HOUR_S, HOURS_OF_WEEK, Window, week_hour_of


@dataclass(frozen=True, slots=True, eq=False)
class Parted:
    """Workloads and cube of a plan with parts. whole: for each workload, its place in the project's own.

    Laws: workloads are sorted by key; the cube's sums by hour, GPU model and whole workload are those of the
    project's cube, as integers.
    """

    workloads: tuple[Workload, ...]
    cube: Cube
    whole: tuple[int, ...]

    def put_in(self, project: Project) -> Project:
        """A project with these workloads and this cube in place of its own.

        Everything else of the project stays.
        """
        return replace(project, workloads=self.workloads, cube=self.cube)


@dataclass(frozen=True, slots=True, eq=False)
class _Row:
    """One row of a cube: a GPU model's hours and amounts, (entries,) each."""

    model: int
    hour: Ints
    amount: Ints


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A workload, or a part of one, with its rows of the cube."""

    workload: Workload
    rows: tuple[_Row, ...]


def parted(project: Project, splits: Splits) -> Parted | None:
    """The parts of a plan; None where it divides nothing that is there.

    splits: of the plan, by key; those of workloads that are not in the project are left out.
    """
    places = {
        workload.key: place for place, workload in enumerate(project.workloads) if workload.key in splits
    }
    if not places:
        return None
    parts = {place: tuple(_leaves(project, _whole(project, place), splits)) for place in places.values()}
    listed: list[tuple[str, int, _Part | None]] = []
    for place, workload in enumerate(project.workloads):
        if place in parts:
            listed += [(part.workload.key, place, part) for part in parts[place]]
        else:
            listed.append((workload.key, place, None))
    listed.sort(key=lambda entry: entry[0])
    workloads = tuple(
        project.workloads[place] if part is None else part.workload for _, place, part in listed
    )
    return Parted(workloads, _cube_of(project.cube, listed), tuple(place for _, place, _ in listed))


def second_part(split: Split, window: Window, hour: Ints, amount: Ints) -> Ints:
    """How much of each entry of a row the second part has; hour counts from the window's start. Shapes (entries,).

    A share is taken of the running sum, rounded down, so that a row loses less than one milli-GPU-second to it.
    """
    if isinstance(split, ShareSplit):
        running = np.cumsum(amount) * split.permille // 1000
        return np.diff(running, prepend=0).astype(np.int64)
    if isinstance(split, TimeSplit):
        is_second = hour >= -(-(split.at_s - window.start_s) // HOUR_S)
    else:
        first = week_hour_of(window.start_s)
        chosen: npt.NDArray[np.bool_] = np.zeros(HOURS_OF_WEEK, dtype=np.bool_)
        chosen[list(split.hours)] = True
        is_second = chosen[(first + hour) % HOURS_OF_WEEK]
    return np.where(is_second, amount, 0).astype(np.int64)


def part_amounts(project: Project, splits: Splits, key: str, split: Split) -> tuple[int, int]:
    """GPU time of the two parts that a card would have, in milli-GPU-seconds; nothing is copied but its own hours.

    Errors: KeyError where no card of the plan has the key.
    """
    whole = whole_key(key, splits)
    place = next((at for at, workload in enumerate(project.workloads) if workload.key == whole), None)
    if place is None:
        raise KeyError(key)
    part = next(one for one in _leaves(project, _whole(project, place), splits) if one.workload.key == key)
    second = sum(int(second_part(split, project.window, row.hour, row.amount).sum()) for row in part.rows)
    return part.workload.milli_gpu_seconds - second, second


def _whole(project: Project, place: int) -> _Part:
    """A workload with its rows, which are views of the cube."""
    cube = project.cube
    first, last = np.searchsorted(cube.workload_index, (place, place + 1)).tolist()
    rows = []
    for row in range(first, last):
        span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
        rows.append(_Row(int(cube.model_index[row]), cube.hour[span], cube.milli_gpu_seconds[span]))
    return _Part(project.workloads[place], tuple(rows))


def _leaves(project: Project, part: _Part, splits: Splits) -> Iterator[_Part]:
    """The part, or where it is divided its parts' leaves."""
    split = splits.get(part.workload.key)
    if split is None:
        yield part
        return
    second = [second_part(split, project.window, row.hour, row.amount) for row in part.rows]
    amounts = {
        FIRST: [row.amount - taken for row, taken in zip(part.rows, second, strict=True)],
        SECOND: second,
    }
    for number, of_part in amounts.items():
        rows = tuple(
            _Row(row.model, row.hour[taken > 0], taken[taken > 0])
            for row, taken in zip(part.rows, of_part, strict=True)
            if taken.any()
        )
        yield from _leaves(project, _Part(_workload(part.workload, split, number, rows), rows), splits)


def _workload(whole: Workload, split: Split, number: int, rows: tuple[_Row, ...]) -> Workload:
    """The facts of a part. Its jobs are those of the whole, and counted with the first part alone."""
    spent = sum(int(row.amount.sum()) for row in rows)
    is_first = number == FIRST
    peak = whole.peak_milli_gpus
    if isinstance(split, ShareSplit):
        permille = 1000 - split.permille if is_first else split.permille
        peak = -(-peak * permille // 1000)
    return replace(
        whole,
        key=part_key(whole.key, number),
        name=f"{whole.name}, {part_words(split, number)}",
        jobs=whole.jobs if is_first else 0,
        gpu_jobs=whole.gpu_jobs if is_first else 0,
        milli_gpu_seconds=spent,
        peak_milli_gpus=peak,
    )


def _cube_of(cube: Cube, listed: list[tuple[str, int, _Part | None]]) -> Cube:
    """The rows of every workload in a new order, those of parts in place of the whole's; copied in long runs."""
    workload, model, lengths, hours, amounts = [], [], [], [], []
    at = 0
    while at < len(listed):
        _, place, part = listed[at]
        if part is not None:
            for row in part.rows:
                workload.append(np.array([at]))
                model.append(np.array([row.model]))
                lengths.append(np.array([len(row.hour)]))
                hours.append(row.hour)
                amounts.append(row.amount)
            at += 1
            continue
        end = at + 1
        while end < len(listed) and listed[end][2] is None and listed[end][1] == place + end - at:
            end += 1
        first, last = np.searchsorted(cube.workload_index, (place, place + end - at)).tolist()
        span = slice(int(cube.offsets[first]), int(cube.offsets[last]))
        workload.append(cube.workload_index[first:last] - place + at)
        model.append(cube.model_index[first:last])
        lengths.append(np.diff(cube.offsets[first : last + 1]))
        hours.append(cube.hour[span])
        amounts.append(cube.milli_gpu_seconds[span])
        at = end

    def joined(parts: list[Ints]) -> Ints:
        return np.concatenate(parts).astype(np.int64, copy=False) if parts else np.zeros(0, dtype=np.int64)

    return Cube(
        cube.hours,
        cube.gpu_models,
        joined(workload),
        joined(model),
        np.concatenate(([0], np.cumsum(joined(lengths)))).astype(np.int64),
        joined(hours),
        joined(amounts),
    )
