"""What a workload of the log counts in a plan: some hours repeat, and what has ended counts nothing.

Source: docs/formulas/demand.md, Start and end dates.
"""

from array import array
from collections.abc import Mapping
from functools import partial
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Ints
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.slicing import gaps_of
from gpuplanner.domain.demand.classification import Classification
from gpuplanner.domain.model.cube import DAY_HOURS, WEEK_HOURS, Cube
from gpuplanner.domain.model.plan.scenario import Scenario
from gpuplanner.domain.model.plan.spells import NO_SPELL, Spell
from gpuplanner.domain.model.plan.splits import whole_key
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.lazy_dataclass import replace

ENDED_HOURS: Final = 28 * DAY_HOURS
"""What has not run for so long, and never paused so long before, has ended."""
SERVICE_HOURS: Final = 2 * DAY_HOURS
"""A service that began has run over so many hours: a single job is none."""


def counted(
    project: Project, scenario: Scenario, classes: tuple[Classification, ...], cache: AdviceCache
) -> tuple[Project, Scenario, Ints]:
    """The project with what its workloads count in a scenario, the scenario with the end of those that have ended, and
    of each workload the first hour that the log has of it, where earlier hours repeat it, else 0; (workloads,).

    classes: of the workloads; where there are none, none is known to be a service.
    """
    stated = tuple(scenario.spells.items()), tuple(scenario.splits.items()), scenario.planned
    key = (*stated, project.plan_from_s)
    make = partial(_counted, project, scenario, tuple(c.pool for c in classes))
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
    began = dict[tuple[str, str], dict[str, int]]()
    for workload, begin in zip(workloads, first[whole].tolist(), strict=True):
        clusters = began.setdefault((workload.owner, workload.name), {})
        clusters[workload.cluster] = min(begin, clusters.get(workload.cluster, begin))
    log_from, ends = np.zeros(len(workloads), dtype=np.int64), dict[str, Spell]()
    sources = dict[int, tuple[int, int, int]]()
    has_ended = _have_ended(cube, of_row, hours - last > ENDED_HOURS)
    for place, (workload, of) in enumerate(zip(workloads, whole.tolist(), strict=True)):
        spell, begin, end = scenario.spells.get(keys[place], NO_SPELL), int(first[of]), int(last[of]) + 1
        if not end:
            continue
        if spell.begins_s is not None:
            length = _newest(end - begin)
            sources[place] = end - length, length, hours
        elif spell == NO_SPELL and has_ended[of]:
            ends[keys[place]] = Spell(ends_s=project.plan_window.end_s)
        elif classes and classes[place] is Pool.INFERENCE and begin > 0 and end - begin >= SERVICE_HOURS:
            clusters = began[workload.owner, workload.name]
            if any(cluster != workload.cluster and clusters[cluster] < begin for cluster in clusters):
                continue  # it moved here from another cluster
            log_from[place] = begin
            sources[place] = begin, _newest(hours - begin), begin
    return (_repeated(cube, sources) if sources else cube), log_from, ends


def _newest(hours: int) -> int:
    """The whole weeks in so many hours, or the whole days, one at least; in hours.

    >>> _newest(400), _newest(100), _newest(3)
    (336, 96, 24)
    """
    unit = WEEK_HOURS if hours >= WEEK_HOURS else DAY_HOURS
    return max(hours // unit, 1) * unit


def _have_ended(cube: Cube, of_row: Ints, is_idle: Bools) -> Bools:
    """Which workloads of those that have been idle for 28 days at the window's end never were so long before.

    Shapes: of_row (rows of the cube,), the place of a workload; is_idle, the answer: (workloads,).
    """
    rows = is_idle[of_row]
    cells = np.repeat(rows, np.diff(cube.offsets))
    ran = np.unique(np.repeat(of_row, np.diff(cube.offsets))[cells] * cube.hours + cube.hour[cells])
    of, hour = np.divmod(ran, cube.hours)
    paused = (np.diff(of) == 0) & (np.diff(hour) > ENDED_HOURS)
    answer = is_idle.copy()
    answer[of[1:][paused]] = False
    return answer


def _repeated(cube: Cube, sources: Mapping[int, tuple[int, int, int]]) -> Cube:
    """The cube with workloads, by place, of which some hours repeat from a first one on, all before a last one.

    sources: first hour, how many repeat, last hour. Arrays grow in place: two copies of a log would not fit as well.
    """
    places, offsets, counts = cube.workload_index.tolist(), cube.offsets.tolist(), np.diff(cube.offsets)
    hours, amounts, hour, copied = array("q"), array("q"), np.arange(cube.hours), 0
    for row in (row for row, place in enumerate(places) if place in sources):
        before, span = slice(copied, offsets[row]), slice(offsets[row], offsets[row + 1])
        dense = np.zeros(cube.hours, dtype=np.int64)
        dense[cube.hour[span]] = cube.milli_gpu_seconds[span]
        first, length, last = sources[places[row]]
        dense, copied = dense[np.where(hour < last, first + (hour - first) % length, hour)], span.stop
        ran = np.flatnonzero(dense)
        counts[row] = len(ran)
        _append(hours, cube.hour[before], ran)
        _append(amounts, cube.milli_gpu_seconds[before], dense[ran])
    _append(hours, cube.hour[copied:])
    _append(amounts, cube.milli_gpu_seconds[copied:])
    rows = counts > 0
    return replace(
        cube,
        workload_index=cube.workload_index[rows],
        model_index=cube.model_index[rows],
        offsets=np.concatenate(([0], np.cumsum(counts[rows]))),
        hour=np.frombuffer(hours, dtype=np.int64),
        milli_gpu_seconds=np.frombuffer(amounts, dtype=np.int64),
    )


def _append(to: "array[int]", *parts: Ints) -> None:
    for part in parts:
        to.frombytes(np.ascontiguousarray(part).view(np.uint8).data)
