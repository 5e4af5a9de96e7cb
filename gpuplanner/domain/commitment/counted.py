"""What a workload of the log counts in a plan: some hours repeat, and what has ended counts nothing.

Source: docs/formulas.md, Who is there when.
"""

from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Ints
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.slicing import gaps_of
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.cube import DAY_HOURS, WEEK_HOURS, Cube
from gpuplanner.domain.model.plan_inputs import NO_SPELL, Scenario, Spell, whole_key
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace

ENDED_HOURS: Final = 28 * DAY_HOURS
"""What has not run for so long, and never paused so long before, has ended."""
SERVICE_HOURS: Final = 2 * DAY_HOURS
"""A service that began has run over so many hours: a single job is none."""


def counted(
    project: Project,
    scenario: Scenario,
    pools: tuple[Pool, ...],
    classes: tuple[Classification, ...],
    cache: AdviceCache,
) -> tuple[Project, Scenario, Ints]:
    """The project with what its workloads count in a scenario, the scenario with the end of those that have ended, and
    of each workload the first hour that the log has of it, where earlier hours repeat it, else 0; (workloads,).

    pools: those of the workloads, which stand for classes where nobody said any.
    """
    stated = tuple(scenario.spells.items()), tuple(scenario.splits.items()), scenario.planned
    key = (*stated, project.plan_from_s, () if classes else pools)
    make = partial(_counted, project, scenario, tuple(c.pool for c in classes) or pools)
    cube, log_from, ends = cache.recall("counted", key, (project.cube, project.workloads, classes), make)
    if cube is not project.cube:
        jobs = replace(project.jobs, gaps=gaps_of(project, scenario))  # what repeats fills no gap of the log
        project = replace(project, cube=cube, jobs=jobs)
    return project, replace(scenario, spells={**scenario.spells, **ends}) if ends else scenario, log_from


def _counted(
    project: Project, scenario: Scenario, classes: tuple[Pool, ...]
) -> tuple[Cube, Ints, Mapping[str, Spell]]:
    """The cube, the first hours, and the end of every workload that has ended, by key. What is divided is one."""
    cube, workloads, hours = project.cube, project.workloads, project.window.hours
    keys = [whole_key(workload.key, scenario.splits) for workload in workloads]
    number = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    whole = np.array([number[key] for key in keys], dtype=np.int64)
    of_row = whole[cube.workload_index]
    first, last = np.full(len(number), hours), np.full(len(number), -1)
    np.minimum.at(first, of_row, cube.hour[cube.offsets[:-1]])
    np.maximum.at(last, of_row, cube.hour[cube.offsets[1:] - 1])
    planned = [number[work.key] for work in scenario.planned if work.key in number]
    first[planned], last[planned] = hours, -1
    began = [(w.owner, w.name, w.cluster, int(first[of])) for w, of in zip(workloads, whole, strict=True)]
    log_from, sources = np.zeros(len(workloads), dtype=np.int64), dict[int, Ints]()
    ends, hour = dict[str, Spell](), np.arange(hours)
    for place, (owner, name, cluster, begin) in enumerate(began):
        spell, of = scenario.spells.get(keys[place], NO_SPELL), whole[place]
        end = int(last[of]) + 1
        if not end:
            continue
        if spell.begins_s is not None:
            length = _newest(end - begin)
            sources[place] = end - length + (hour - (end - length)) % length
        elif spell == NO_SPELL and hours - end >= ENDED_HOURS and _has_ended(cube, of_row == of):
            ends[keys[place]] = Spell(ends_s=project.plan_window.end_s)
        elif classes[place] is Pool.INFERENCE and begin > 0 and end - begin >= SERVICE_HOURS:
            if any(o[:2] == (owner, name) and o[2] != cluster and o[3] < begin for o in began):
                continue  # it moved here from another cluster
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


def _has_ended(cube: Cube, rows: Bools) -> bool:
    """Whether some rows together have been idle for 28 days at the window's end and never so long before."""
    ran = np.unique(cube.hour[np.repeat(rows, np.diff(cube.offsets))])
    pauses = np.diff(np.append(ran, cube.hours)) > ENDED_HOURS
    return bool(pauses[-1] and not pauses[:-1].any())


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
