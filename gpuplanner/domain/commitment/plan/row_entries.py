"""Whose GPU time the demand of a row is, hour by hour: what is lost in an hour is theirs who were there in it."""

from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.demand.flows import schedules_of
from gpuplanner.domain.commitment.demand.residual import ModelDemand
from gpuplanner.domain.commitment.demand.users import Row
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.book.only import gpu_model_of, limited_name, only_of

_NOT_THERE = -1


@dataclass(frozen=True, slots=True, eq=False)
class RowEntries:
    """GPU time of a row's workloads, sparse. Shapes: all (entries,); gpus: mean GPUs of a workload in an hour.

    workload: place in Project.workloads; group: of `Outlined.schedules`.
    """

    workload: Ints
    group: Ints
    hour: Ints
    gpus: Floats


def row_entries(ground: Ground, row: Row) -> RowEntries:
    """What the workloads of a row have logged or are planned with, demand of unknown model by its share of the hour.

    Law: over the workloads of a group, the demand of its streams in the row.
    """
    project, (pool, name) = ground.project, row
    model = next(one for one in ground.plan.models if row in one.rows)
    cube, workloads = project.cube, project.workloads
    groups = _groups(ground)
    planned = np.array([one.is_planned for one in ground.outlined.schedules], dtype=np.bool_)
    times = np.where(planned, 1.0, ground.assumptions.demand_of(pool)) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    in_pool = np.array([one is pool for one in ground.pools], dtype=np.bool_) & (groups != _NOT_THERE)
    number = {known: place for place, known in enumerate(cube.gpu_models)}
    entry_workload = cube.workload_index[cube.entry_row]
    amounts = cube.milli_gpu_seconds * times[groups[entry_workload]]
    stated = _NOT_THERE - 1 if gpu_model_of(name) is None else number.get(name or "", _NOT_THERE - 1)
    is_of = cube.model_index[cube.entry_row] == stated
    unknown = limited_name(None, only_of(name))
    place = _NOT_THERE if unknown is None else number.get(unknown, _NOT_THERE - 1)
    is_known, is_unknown = (
        in_pool[entry_workload] & which for which in (is_of, cube.model_index[cube.entry_row] == place)
    )
    clusters = np.array([workload.cluster for workload in workloads], dtype=object)[entry_workload]
    for cluster in sorted(set(clusters[is_unknown].tolist())):
        for group in range(len(ground.outlined.schedules)):
            here = is_unknown & (clusters == cluster) & (groups[entry_workload] == group)
            if not here.any():
                continue
            whole = np.bincount(cube.hour[here], weights=amounts[here], minlength=cube.hours)
            known = is_known & (clusters == cluster) & (groups[entry_workload] == group)
            own = np.bincount(cube.hour[known], weights=amounts[known], minlength=cube.hours)
            part = np.maximum(_streams(model, cluster, row, group, cube.hours) - own, 0.0)
            share = np.divide(part, whole, out=np.zeros(cube.hours), where=whole > 0)
            amounts[here] *= share[cube.hour[here]]
    kept = (is_known | is_unknown) & (amounts > 0)
    return RowEntries(entry_workload[kept], groups[entry_workload][kept], cube.hour[kept], amounts[kept])


def _groups(ground: Ground) -> Ints:
    """The group of each workload, (workloads,); -1 for who is over before the plan begins."""
    schedules = schedules_of(ground.project.workloads, ground.scenario, ground.window.end_s)
    number = {schedule: place for place, schedule in enumerate(ground.outlined.schedules)}
    return np.array([number.get(schedule, _NOT_THERE) for schedule in schedules], dtype=np.int64)


def _streams(model: ModelDemand, cluster: str, row: Row, group: int, hours: int) -> Floats:
    """Demand of a row and group on a cluster, mean GPUs, (hours,)."""
    total, place = np.zeros(hours), model.rows.index(row)
    for site in model.sites:
        for stream in site.streams:
            if (site.cluster, stream.row, stream.group) == (cluster, place, group):
                total += stream.demand
    return total / MILLI_GPU_SECONDS_PER_GPU_HOUR
