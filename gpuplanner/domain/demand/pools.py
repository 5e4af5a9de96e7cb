"""Pools of a plan: divided and planned workloads, where each stands, hourly sums and newsvendor levels."""

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.plan.planned_work import ALWAYS, PlannedWork
from gpuplanner.domain.model.plan.scenario import AS_TODAY, TODAY, Scenario
from gpuplanner.domain.model.plan.splits import (
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
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_OF_WEEK, Window, week_hour_of
from gpuplanner.lazy_dataclass import dataclass, replace

# --- Parts: a project with the workloads that a plan divides standing as their parts, exact to the milli-
# GPU-second


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
    part = next(leaf for leaf in _leaves(project, _whole(project, place), splits) if leaf.workload.key == key)
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
        yield from _leaves(project, _Part(_part_workload(part.workload, split, number, rows), rows), splits)


def _part_workload(whole: Workload, split: Split, number: int, rows: tuple[_Row, ...]) -> Workload:
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
        hours=cube.hours,
        gpu_models=cube.gpu_models,
        workload_index=joined(workload),
        model_index=joined(model),
        offsets=np.concatenate(([0], np.cumsum(joined(lengths)))).astype(np.int64),
        hour=joined(hours),
        milli_gpu_seconds=joined(amounts),
    )


# --- Planned work: a project with work that no log has beside its own, laid on the log's hours by hour of the week

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
    return Classification(
        pool=pool,
        subtype=worded("planned"),
        confidence=1.0,
        reasons=(worded("planned: in no log"),),
        runner_up=None,
        source="planned",
    )


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
            (work.key, NOT_LOGGED - number, make_planned_workload(work, amount))
            for number, (work, amount) in enumerate(zip(works, amounts, strict=True))
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
    hours = [np.flatnonzero(amount) for amount in amounts]
    lengths = np.concatenate((np.diff(cube.offsets), [len(part) for part in hours])).astype(np.int64)
    workload = np.concatenate((moved[cube.workload_index], places)).astype(np.int64)
    model = np.concatenate((cube.model_index, model_index)).astype(np.int64)
    hour = np.concatenate((cube.hour, *hours)).astype(np.int64)
    amount = np.concatenate(
        (cube.milli_gpu_seconds, *(amount[at] for amount, at in zip(amounts, hours, strict=True)))
    ).astype(np.int64)
    begins = np.concatenate(([0], np.cumsum(lengths)))[:-1]
    order = np.lexsort((model, workload))
    offsets = np.concatenate(([0], np.cumsum(lengths[order]))).astype(np.int64)
    entries = np.repeat(begins[order] - offsets[:-1], lengths[order]) + np.arange(offsets[-1])
    return Cube(
        hours=cube.hours,
        gpu_models=tuple(models),
        workload_index=workload[order],
        model_index=model[order],
        offsets=offsets,
        hour=hour[entries],
        milli_gpu_seconds=amount[entries],
    )


def make_planned_workload(work: PlannedWork, amounts: Ints) -> Workload:
    """The facts of it: one job, as long as the work."""
    longest_s = FOR_GOOD_S if work.length_hours is None else HOUR_S * work.length_hours
    return Workload(
        key=work.key,
        name=work.name,
        cluster=work.cluster,
        owner=work.team,
        label=work.pool,
        milli_gpu_seconds=int(amounts.sum()),
        peak_milli_gpus=round(1000 * work.gpus),
        max_milli_gpus=round(1000 * work.gpus),
        longest_job_s=longest_s,
        median_job_s=longest_s,
    )


# --- Pools: where each workload stands today and in a plan, and the exact hourly sums of every pool


def cluster_classes(project: Project, classifications: Sequence[Classification]) -> dict[str, Pool]:
    """The class with most GPU time of each cluster that has jobs (ties: the order of POOLS).

    Planned work does not count: it does not run yet. Errors: ValueError where there are not as many classes
    as workloads.
    """
    spent: dict[str, dict[Pool, int]] = {}
    for workload, classification in zip(project.workloads, classifications, strict=True):
        if classification.source == "planned":
            continue  # it does not run yet
        of_cluster = spent.setdefault(workload.cluster, dict.fromkeys(POOLS, 0))
        of_cluster[classification.pool] += workload.milli_gpu_seconds
    return {cluster: max(POOLS, key=of_pool.__getitem__) for cluster, of_pool in spent.items()}


def cluster_pools(project: Project, classifications: Sequence[Classification]) -> dict[str, Pool]:
    """The pool that each cluster runs: its contract's `pool` (of several, the one with most GPUs), else its class.

    Contracts count whenever they run, by their GPUs.
    """
    pinned: dict[str, dict[Pool, int]] = {}
    for contract in project.contracts:
        if contract.pool is not None:
            gpus = pinned.setdefault(contract.cluster, dict.fromkeys(POOLS, 0))
            gpus[contract.pool] += contract.milli_gpus
    by_contract = {cluster: max(POOLS, key=gpus.__getitem__) for cluster, gpus in pinned.items()}
    return {**cluster_classes(project, classifications), **by_contract}


def pools_today(project: Project, classifications: Sequence[Classification]) -> tuple[Pool, ...]:
    """The pool in which each workload runs today, its cluster's; in the order of Project.workloads.

    Planned work stands in the pool that it is planned for. Errors: ValueError where there are not as many
    classes as workloads.
    """
    of_cluster = cluster_pools(project, classifications)
    return tuple(
        classification.pool if classification.source == "planned" else of_cluster[workload.cluster]
        for workload, classification in zip(project.workloads, classifications, strict=True)
    )


def pools_in(
    project: Project, scenario: Scenario, classifications: Sequence[Classification]
) -> tuple[Pool, ...]:
    """The pool of each workload in a scenario: where the planner put it, else where the scenario starts.

    A workload in review counts in the pool of its best class. The read-only scenario Today is `pools_today`.
    """
    if scenario.name == TODAY or scenario.start == AS_TODAY:
        begin: Sequence[Pool] = pools_today(project, classifications)
    else:
        begin = [classification.pool for classification in classifications]
    if scenario.name == TODAY or not scenario.pools:
        return tuple(begin)
    placed = scenario.pools
    return tuple(
        placed.get(workload.key, pool) for workload, pool in zip(project.workloads, begin, strict=True)
    )


def is_in_review(key: str, classification: Classification, scenario: Scenario, review_below: float) -> bool:
    """Whether a card waits for the planner: not sure enough, not said by anyone, and not placed in this plan.

    review_below: the assumption, a confidence 0..1; exactly as sure as that is sure enough.
    """
    return (
        classification.confidence < review_below
        and not classification.is_settled
        and key not in scenario.pools
    )


def moved_keys(before: Scenario, after: Scenario) -> frozenset[str]:
    """The workloads whose stated pool differs between two states of one scenario: all that a drop can change.

    Also those that one of the two puts nowhere; empty where both are alike.
    """
    if before.pools is after.pools:
        return frozenset()
    return frozenset(key for key, _ in before.pools.items() ^ after.pools.items())


def pool_hours(cube: Cube, pools: Sequence[Pool | None]) -> dict[Pool, Ints]:
    """Milli-GPU-seconds of each pool in each hour; int64, shape (hours,) each. pools: of each workload, None: of none.

    Law: their sum over pools and hours is the total of what has a pool, exactly.
    """
    number = {pool: place for place, pool in enumerate((*POOLS, None))}
    of_workload = np.array([number[pool] for pool in pools], dtype=np.int64)
    sums = np.zeros((len(POOLS) + 1) * cube.hours, dtype=np.int64)
    row_start = of_workload[cube.workload_index] * cube.hours
    np.add.at(sums, np.repeat(row_start, np.diff(cube.offsets)) + cube.hour, cube.milli_gpu_seconds)
    return dict(zip(POOLS, sums.reshape(len(POOLS) + 1, cube.hours)[:-1], strict=True))


def move_hours(
    hours: Mapping[Pool, Ints], cube: Cube, workload_index: int, source: Pool, target: Pool
) -> dict[Pool, Ints]:
    """The same sums with one workload in another pool: its hours subtracted there and added here.

    Only the two pools' arrays are new. Laws: equal to `pool_hours` afresh, to the bit; moving back undoes it.
    """
    moved = dict(hours)
    if source is target:
        return moved
    first, last = np.searchsorted(cube.workload_index, [workload_index, workload_index + 1])
    span = slice(int(cube.offsets[first]), int(cube.offsets[last]))
    for pool, change in ((source, np.subtract), (target, np.add)):
        after = hours[pool].copy()
        change.at(after, cube.hour[span], cube.milli_gpu_seconds[span])
        moved[pool] = after
    return moved


# --- The newsvendor level: how many units of demand it pays to commit to, at one term and with no change over time

ROUNDING: Final = 1e-9
"""Units: a sum of hours that is a rounding over a whole unit does not need another."""


def newsvendor_units(demand_units: Floats, ratio: float, hours: int | None = None) -> int:
    """How many whole units are busy more than `ratio` (committed rate / usage rate) of the hours.

    Shapes: demand_units (hours in which there is demand,), in units (a GPU, or a block of them); hours: of all, where
    the others are left out. The least whole level of the lowest cost. Source: docs/formulas/backtest.md, Backtest.
    """
    busy_hours = ratio * (len(demand_units) if hours is None else hours)
    low, high = 0, max(0, ceil(float(demand_units.max(initial=0.0)) - ROUNDING))
    while low < high:  # a higher unit is busy no longer than one below it
        unit = (low + high) // 2
        if np.clip(demand_units - unit, 0.0, 1.0).sum() > busy_hours:
            low = unit + 1
        else:
            high = unit
    return low
