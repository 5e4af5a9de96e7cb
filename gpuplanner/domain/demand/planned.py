"""Planned work: a project with work that no log has beside its own, laid on the log's hours by hour of the week."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.demand.classes import Classification
from gpuplanner.domain.demand.parts import Parted, parted
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.log.cube import Cube
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.scenario.dated import ALWAYS, PlannedWork
from gpuplanner.domain.model.scenario.plan_inputs import Scenario
from gpuplanner.domain.model.window import HOUR_S, Window, week_hour_of

NOT_LOGGED: Final = -1
"""Place in the project of a workload that is not in it."""
FOR_GOOD_S: Final = 365 * 24 * HOUR_S
"""How long a job of work counts that has no length: no spot is held so long."""


def stands_on_board(project: Project, plan: Scenario) -> Parted | None:
    """What a plan plans for: parts in place of what it divides, planned work beside; None: the project's own.

    Work whose key a workload of the log has is left out: it runs already.
    """
    parts = parted(project, plan.splits)
    logged = {workload.key for workload in (parts.workloads if parts else project.workloads)}
    works = [work for work in plan.planned if work.key not in logged]
    if not works:
        return parts
    if parts is None:
        parts = Parted(project.workloads, project.cube, tuple(range(len(project.workloads))))
    return _beside(parts, works, project.window)


def planned_class(pool: Pool) -> Classification:
    """The class of planned work is the pool that it was planned for.

    Its confidence is 1: it is never in review.
    """
    return Classification(pool, worded("planned"), 1.0, (worded("planned: no log has it"),), None, "planned")


def planned_amounts(work: PlannedWork, window: Window) -> Ints:
    """Milli-GPU-seconds in each hour of a window, by hour of the week; shape (hours,).

    GPUs of the work in its hours of the week, 0 in all others; whole numbers, so that sums stay exact.
    """
    chosen = np.zeros(len(ALWAYS), dtype=np.bool_)
    chosen[list(work.hours)] = True
    first = week_hour_of(window.start_s)
    amount = round(work.gpus * MILLI_GPU_SECONDS_PER_GPU_HOUR)
    return np.where(chosen[(first + np.arange(window.hours)) % len(ALWAYS)], amount, 0).astype(np.int64)


def _beside(parts: Parted, works: Sequence[PlannedWork], window: Window) -> Parted:
    """Parts and planned work in one list, sorted by key, with a cube in that order."""
    amounts = [planned_amounts(work, window) for work in works]
    listed = [
        *((workload.key, place, workload) for place, workload in enumerate(parts.workloads)),
        *(
            (work.key, NOT_LOGGED - number, _workload(work, mine))
            for number, (work, mine) in enumerate(zip(works, amounts, strict=True))
        ),
    ]
    listed.sort(key=lambda entry: entry[0])
    place_of = {place: at for at, (_, place, _) in enumerate(listed)}
    whole = tuple(NOT_LOGGED if place < 0 else parts.whole[place] for _, place, _ in listed)
    moved = np.array([place_of[place] for place in range(len(parts.workloads))], dtype=np.int64)
    cube = _with_rows(
        parts.cube, moved, [place_of[NOT_LOGGED - n] for n in range(len(works))], works, amounts
    )
    return Parted(tuple(workload for _, _, workload in listed), cube, whole)


def _with_rows(
    cube: Cube, moved: Ints, places: Sequence[int], works: Sequence[PlannedWork], amounts: Sequence[Ints]
) -> Cube:
    """The cube with its workloads at new places and a row for each planned work."""
    models = list(cube.gpu_models)
    known = {name.casefold(): number for number, name in enumerate(models)}
    model_index = []
    for work in works:
        number = known.setdefault(work.gpu_model.casefold(), len(models))
        if number == len(models):
            models.append(work.gpu_model)
        model_index.append(number)
    hours = [np.flatnonzero(mine) for mine in amounts]
    lengths = np.concatenate((np.diff(cube.offsets), [len(mine) for mine in hours])).astype(np.int64)
    workload = np.concatenate((moved[cube.workload_index], places)).astype(np.int64)
    model = np.concatenate((cube.model_index, model_index)).astype(np.int64)
    hour = np.concatenate((cube.hour, *hours)).astype(np.int64)
    amount = np.concatenate(
        (cube.milli_gpu_seconds, *(mine[at] for mine, at in zip(amounts, hours, strict=True)))
    ).astype(np.int64)
    begins = np.concatenate(([0], np.cumsum(lengths)))[:-1]
    order = np.lexsort((model, workload))
    offsets = np.concatenate(([0], np.cumsum(lengths[order]))).astype(np.int64)
    entries = np.repeat(begins[order] - offsets[:-1], lengths[order]) + np.arange(offsets[-1])
    return Cube(
        cube.hours, tuple(models), workload[order], model[order], offsets, hour[entries], amount[entries]
    )


def _workload(work: PlannedWork, amounts: Ints) -> Workload:
    """The facts of it: one job, as long as the work."""
    longest_s = FOR_GOOD_S if work.length_hours is None else HOUR_S * work.length_hours
    return Workload(
        work.key,
        work.name,
        work.cluster,
        work.team,
        label=work.pool,
        milli_gpu_seconds=int(amounts.sum()),
        peak_milli_gpus=round(1000 * work.gpus),
        max_milli_gpus=round(1000 * work.gpus),
        longest_job_s=longest_s,
        median_job_s=longest_s,
    )
