"""Savings that are cuts of demand: right-sized and autoscaled inference, and idle development that is ended."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.plan.scenario import AUTOSCALE, IDLE_ENDED, RIGHT_SIZE
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.lazy_dataclass import replace

# --- What a workload holds and does not need: the rules of the leaks, which the cuts take out

DEV_SUBTYPES: Final = ("notebook", "development")
IDLE_ACTIVITY: Final = 0.10
HELD_HOURS: Final = 24
HELD_HOURS_WITHOUT_ACTIVITY: Final = 72
FLAT: Final = 0.95
"""Mean² / mean of squares of the hours held: from here on a service counts as held flat."""


def is_idle_dev(workload: Workload, classification: Classification) -> bool:
    """Whether it is development held over 24 h with activity under 10% (not measured: over 72 h)."""
    is_idle = workload.activity is None or workload.activity < IDLE_ACTIVITY
    is_dev = classification.pool is Pool.BURST and str(classification.subtype) in DEV_SUBTYPES
    return is_dev and is_idle and workload.longest_job_s > _held_limit(workload) * HOUR_S


def _held_limit(workload: Workload) -> int:
    return HELD_HOURS_WITHOUT_ACTIVITY if workload.activity is None else HELD_HOURS


def idle_hours(workload: Workload, hours: Ints, window_hours: int) -> Bools:
    """Of its hours, ascending, those in runs of consecutive ones longer than idle development may be held; without such
    a run, those in runs that the window cuts."""
    starts = np.flatnonzero(np.diff(hours, prepend=-2) > 1)
    ends = np.append(starts[1:], len(hours))
    is_long = ends - starts > _held_limit(workload)
    if not is_long.any():
        is_long = (hours[starts] == 0) | (hours[ends - 1] == window_hours - 1)
    return np.repeat(is_long, ends - starts)


def is_flat(hours: Ints, held: Floats) -> bool:
    """Whether a service holds about as many GPUs in every hour; hours in which it came or went say nothing about it."""
    inner = np.flatnonzero((np.diff(hours, prepend=-2) == 1) & (np.diff(hours, append=hours[-1:] + 2) == 1))
    looked_at = held[inner] if len(inner) else held
    return bool(looked_at.mean() ** 2 >= FLAT * (looked_at**2).mean())


def needed_gpus(held: Floats, activity: float, target: float) -> Floats:
    """ceil(held x activity / target), never more than is held: GPUs of each hour. Source: docs/formulas/leaks.md."""
    return np.minimum(held, np.ceil(held * activity / target - 1e-9))


# --- The cuts themselves: each takes its hours out of the log that a plan is made from


def with_demand_cut(
    project: Project, classes: Sequence[Classification], steps: Collection[str], target: float
) -> Project:
    """The project without what some savings take out; itself where they take out nothing. target: of activity.

    classes: of project.workloads, in order. Work that no log has is never cut: it is as it was planned.
    Law: right-sizing and autoscaling together take the GPU-hours of the leak `peak_provisioned`, ending idle work those
    of `persistent_dev`. Source: docs/formulas/savings.md.
    """
    cube = project.cube
    shares = np.ones(len(cube.hour))
    for place, hours, held in _held(project, classes):
        workload, classification = project.workloads[place], classes[place]
        kept = held
        if classification.pool is Pool.INFERENCE and workload.activity is not None and is_flat(hours, held):
            need = needed_gpus(held, workload.activity, target)
            if AUTOSCALE in steps:
                kept = need
            elif RIGHT_SIZE in steps:
                kept = np.minimum(held, need.max())
            else:
                kept = held
        elif IDLE_ENDED in steps and is_idle_dev(workload, classification):
            kept = np.where(idle_hours(workload, hours, cube.hours), 0.0, held)
        if (kept < held).any():
            first, last = np.searchsorted(cube.workload_index, (place, place + 1)).tolist()
            span = slice(int(cube.offsets[first]), int(cube.offsets[last]))
            shares[span] = (kept / held)[np.searchsorted(hours, cube.hour[span])]
    return project if (shares == 1).all() else replace(project, cube=_times(cube, shares))


def flat_activities(project: Project, classes: Sequence[Classification]) -> list[float | None]:
    """Activity of each service that is held flat, a ratio; None where nobody measured what it needs."""
    return [
        project.workloads[place].activity
        for place, hours, held in _held(project, classes)
        if classes[place].pool is Pool.INFERENCE and is_flat(hours, held)
    ]


def _held(project: Project, classes: Sequence[Classification]) -> Iterator[tuple[int, Ints, Floats]]:
    """Places of inference and burst that a log has, with the hours in which it ran and the GPUs held in them."""
    for place, classification in enumerate(classes):
        if classification.source != "planned" and classification.pool is not Pool.TRAINING:
            hours, amount = project.cube.hours_of(place)
            if len(hours):
                yield place, hours, amount / MILLI_GPU_SECONDS_PER_GPU_HOUR


def _times(cube: Cube, shares: Floats) -> Cube:
    """The cube with so much of each entry, (entries,)."""
    row, amounts = cube.entry_row, np.rint(cube.milli_gpu_seconds * shares).astype(np.int64)
    left = amounts > 0
    counts = np.bincount(row[left], minlength=len(cube.workload_index))
    rows = counts > 0
    return Cube(
        hours=cube.hours,
        gpu_models=cube.gpu_models,
        workload_index=cube.workload_index[rows],
        model_index=cube.model_index[rows],
        offsets=np.concatenate(([0], np.cumsum(counts[rows]))).astype(np.int64),
        hour=cube.hour[left],
        milli_gpu_seconds=amounts[left],
    )
