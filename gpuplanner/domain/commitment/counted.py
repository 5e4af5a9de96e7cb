"""What a workload of the log counts in a plan: some hours repeat, and what has ended counts nothing.

Source: docs/formulas.md, Who is there when.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.slicing import gaps_of, missing_hours
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.cube import DAY_HOURS, WEEK_HOURS, Cube
from gpuplanner.domain.model.plan_inputs import NO_SPELL, Scenario, Spell, whole_key
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import dataclass, replace

ENDED_HOURS: Final = 28 * DAY_HOURS
"""What has not run for so long, and never paused so long before, has ended."""
SERVICE_HOURS: Final = 2 * DAY_HOURS
"""A service that began has run over so many hours: a single job is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """A project with what its workloads count, and the scenario with the end of those that have ended.

    log_from: of each workload the first hour that the log has of it, where earlier hours repeat it, else 0; shape
    (workloads,).
    """

    project: Project
    scenario: Scenario
    log_from: Ints


def counted(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    classes: tuple[Classification, ...],
    cache: AdviceCache,
) -> Counted:
    """What a project's workloads count in a scenario; the very same project where that is their log.

    pools: those of the workloads, which stand for classes where nobody said any.
    """
    key = (tuple(scenario.spells.items()), tuple(scenario.splits.items()), scenario.planned, scenario.is_gap_missing,
           project.plan_from_s, () if classes else pools)  # fmt: skip

    def make() -> tuple[Cube, Ints, Mapping[str, Spell]]:
        return _counted(project, scenario, tuple(c.pool for c in classes) or pools)

    made = (project.cube, project.workloads, classes, project.jobs)
    cube, log_from, ends = cache.recall("counted", key, made, make)
    if cube is not project.cube:
        jobs = replace(project.jobs, gaps=gaps_of(project, scenario))  # what repeats fills no gap of the log
        project = replace(project, cube=cube, jobs=jobs)
    scenario = replace(scenario, spells={**scenario.spells, **ends}) if ends else scenario
    return Counted(project, scenario, log_from)


def _counted(
    project: Project, scenario: Scenario, classes: tuple[Pool, ...]
) -> tuple[Cube, Ints, Mapping[str, Spell]]:
    """The cube, `log_from`, and the end of every workload that has ended, by key. What is divided is one workload."""
    cube, workloads, hours = project.cube, project.workloads, project.window.hours
    planned, missing = {work.key for work in scenario.planned}, missing_hours(project, scenario)
    keys = [whole_key(workload.key, scenario.splits) for workload in workloads]
    number = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    whole = np.array([number[key] for key in keys], dtype=np.int64)
    of_row = whole[cube.workload_index]
    first, last = np.full(len(number), hours), np.full(len(number), -1)
    np.minimum.at(first, of_row, cube.hour[cube.offsets[:-1]])
    np.maximum.at(last, of_row, cube.hour[cube.offsets[1:] - 1])
    logged = [workload.key not in planned for workload in workloads]

    def moved(place: int) -> bool:
        """Whether work of the same owner and name ran on another cluster before."""
        workload = workloads[place]
        name = (workload.owner, workload.name)
        alike = (at for at, other in enumerate(workloads) if (other.owner, other.name) == name and logged[at])
        return any(
            first[whole[at]] < first[whole[place]] and workloads[at].cluster != workload.cluster
            for at in alike
        )

    log_from, sources = np.zeros(len(workloads), dtype=np.int64), dict[int, Ints]()
    ends, hour = dict[str, Spell](), np.arange(hours)
    for place, of in enumerate(whole.tolist()):
        spell, begin, end = scenario.spells.get(keys[place], NO_SPELL), int(first[of]), int(last[of]) + 1
        if not logged[place] or not end:
            continue
        if spell.begins_s is not None:
            length = _newest(end - begin)
            sources[place] = end - length + (hour - (end - length)) % length
        elif spell == NO_SPELL and hours - end >= ENDED_HOURS and _has_ended(cube, of_row == of, missing):
            ends[keys[place]] = Spell(ends_s=project.plan_window.end_s)
        elif (
            classes[place] is Pool.INFERENCE
            and begin > 0
            and end - begin >= SERVICE_HOURS
            and not moved(place)
        ):
            log_from[place] = begin
            sources[place] = np.where(hour < begin, begin + (hour - begin) % _newest(hours - begin), hour)
    return (_repeated(cube, sources) if sources else cube), log_from, ends


def _newest(hours: int) -> int:
    """The whole weeks in so many hours, or the whole days, one at least; in hours.

    >>> _newest(400), _newest(100), _newest(3)
    (336, 96, 24)
    """
    unit = WEEK_HOURS if hours >= WEEK_HOURS else DAY_HOURS
    return max(hours // unit, 1) * unit


def _has_ended(cube: Cube, rows: Bools, missing: Bools | None) -> bool:
    """Whether some rows together have been idle for 28 days at the window's end and never so long before.

    Hours that the log lacks do not count.
    """
    ran = np.unique(cube.hour[np.repeat(rows, np.diff(cube.offsets))])
    known = np.ones(cube.hours) if missing is None else ~missing
    so_far: Floats = np.concatenate(([0.0], np.cumsum(known)))
    pauses = so_far[np.append(ran[1:], cube.hours)] - so_far[ran + 1]
    return bool(pauses[-1] >= ENDED_HOURS and (pauses[:-1] < ENDED_HOURS).all())


def _repeated(cube: Cube, sources: Mapping[int, Ints]) -> Cube:
    """The cube with workloads, by place, that have in each hour what the log has of them in another, (hours,)."""
    rows, hours, amounts = list[int](), list[Ints](), list[Ints]()
    for row, place in enumerate(cube.workload_index.tolist()):
        span = slice(*cube.offsets[row : row + 2].tolist())
        hour, amount = cube.hour[span], cube.milli_gpu_seconds[span]
        if place in sources:
            dense = np.zeros(cube.hours, dtype=np.int64)
            dense[hour] = amount
            hour = np.flatnonzero(dense[sources[place]])
            amount = dense[sources[place]][hour]
        if len(hour):
            rows.append(row)
            hours.append(hour)
            amounts.append(amount)
    offsets = np.concatenate(([0], np.cumsum([len(hour) for hour in hours]))).astype(np.int64)
    return replace(cube, workload_index=cube.workload_index[rows], model_index=cube.model_index[rows],
                   offsets=offsets, hour=np.concatenate(hours), milli_gpu_seconds=np.concatenate(amounts))  # fmt: skip
