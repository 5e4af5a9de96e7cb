"""Which workload runs how much on which planned model: the rows of the Workloads sheet."""

from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.workload import Workload
from gpuplanner.files.workbook.demand_plan import has_split
from gpuplanner.files.workbook.demand_sheet import HourSheet
from gpuplanner.files.workbook.expressions import Floats
from gpuplanner.files.workbook.inputs import Inputs, PairKey, model_order


@dataclass(frozen=True, slots=True)
class WorkloadRow:
    """One workload on one planned model; is_first: the first of its rows. gpu_hours in the window."""

    index: int
    workload: Workload
    pair: PairKey
    gpu_hours: float
    is_first: bool


def workload_rows(inputs: Inputs, hours: HourSheet) -> list[WorkloadRow]:
    """A row for each workload and model it is planned on, in the order of Project.workloads.

    Untyped demand counts with its cluster's model; where several models serve it, each hour of a workload is
    split as its pool's untyped demand is. Law: the rows of a pool and model add up to its demand.
    """
    project = inputs.project
    cube = project.cube
    amounts: dict[int, dict[str | None, float]] = {}
    shares: dict[tuple[str, str], dict[str | None, Floats]] = {}
    for row, (index, number) in enumerate(zip(cube.workload_index.tolist(), cube.model_index.tolist(), strict=True)):
        of_models = amounts.setdefault(index, {})
        span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
        milli = cube.milli_gpu_seconds[span]
        cluster, pool = project.workloads[index].cluster, inputs.pools[index]
        if number >= 0 or not has_split(inputs, cluster):
            model = inputs.usual_model(cluster) if number < 0 else cube.gpu_models[number]
            of_models[model] = of_models.get(model, 0.0) + int(milli.sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR
            continue
        if (cluster, pool) not in shares:
            shares[cluster, pool] = _split_shares(inputs, hours, cluster, index)
        for model, share in shares[cluster, pool].items():
            part = float((milli * share[cube.hour[span]]).sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR
            if part > 0:
                of_models[model] = of_models.get(model, 0.0) + part
    rows = []
    for index, workload in enumerate(project.workloads):
        found = sorted(amounts.get(index, {}).items(), key=lambda item: model_order(item[0]))
        for place, (model, gpu_hours) in enumerate(found):
            rows.append(WorkloadRow(index, workload, (inputs.pools[index], model), gpu_hours, place == 0))
    return rows


def _split_shares(inputs: Inputs, hours: HourSheet, cluster: str, index: int) -> dict[str | None, Floats]:
    """How a pool's untyped demand is split among models, hour by hour; shape (hours,) each, 0..1."""
    pool = inputs.pools[index]
    untyped = hours.column(("plan", cluster, None, pool)).values
    shares = {}
    for model in inputs.models:
        column = hours.find(("split", cluster, model, pool))
        if column is not None:
            shares[model] = np.divide(column.values, untyped, out=np.zeros(inputs.hours), where=untyped > 0)
    return shares
