"""Which workload runs how much on which planned model: the rows of the Workloads sheet."""

from dataclasses import dataclass

from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.workload import Workload
from gpuplanner.files.workbook.inputs import Inputs, PairKey, pair_order


@dataclass(frozen=True, slots=True)
class WorkloadRow:
    """One workload on one planned model; is_first: the first of its rows.

    gpu_hours in the window, at the demand that is planned; logged: as the log has them.
    """

    index: int
    workload: Workload
    pair: PairKey
    gpu_hours: float
    logged_gpu_hours: float
    is_first: bool


def workload_rows(inputs: Inputs) -> list[WorkloadRow]:
    """A row for each workload and model it is planned on, in the order of Project.workloads.

    Demand of unknown model counts with the model that the plan gives it. Law: the rows of a pool and model add
    up to its demand; a workload without GPU time in the window has no row.
    """
    users = inputs.ground.plan.users
    pairs = sorted(users, key=pair_order)
    rows = []
    for index, workload in enumerate(inputs.project.workloads):
        found = [(pair, float(users[pair][index])) for pair in pairs if users[pair][index] > 0]
        for place, (pair, amount) in enumerate(found):
            gpu_hours = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
            logged = gpu_hours / inputs.assumptions.demand_of(pair[0])
            rows.append(WorkloadRow(index, workload, pair, gpu_hours, logged, place == 0))
    return rows
