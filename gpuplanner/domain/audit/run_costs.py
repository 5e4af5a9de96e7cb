"""Training runs: the stretches of a training workload without a long gap, and what each of them cost."""

from collections.abc import Iterator

import numpy as np

from gpuplanner.domain.audit.cost_result import RunCost
from gpuplanner.domain.audit.costed_hours import CostedHours
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S


def run_costs(project: Project, block: CostedHours) -> Iterator[RunCost]:
    """The runs of a block's workloads, in their order, then by time. block.value: $.

    A run ends where the workload has no GPU time for more hours than the assumption says; it begins and ends
    with the whole hours of its GPU time. Source: docs/formulas.md, Cost of single things.
    """
    if not len(block.hour):
        return
    idle = np.diff(block.hour, prepend=0) - 1
    is_new = idle > project.assumptions.run_gap_hours
    is_new[block.starts] = True
    starts = np.flatnonzero(is_new)
    workload = block.workload[np.searchsorted(block.starts, starts, side="right") - 1]
    spent = np.add.reduceat(block.milli_gpu_seconds, starts)
    usd = np.add.reduceat(block.value, starts)
    last = np.append(starts[1:], len(block.hour)) - 1
    for place, first_hour, last_hour, amount, dollars in zip(
        workload.tolist(),
        block.hour[starts].tolist(),
        block.hour[last].tolist(),
        spent.tolist(),
        usd.tolist(),
        strict=True,
    ):
        of = project.workloads[place]
        gpu_hours = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
        yield RunCost(
            key=of.key,
            name=of.name,
            cluster=of.cluster,
            owner=of.owner,
            start_s=project.window.start_s + first_hour * HOUR_S,
            end_s=project.window.start_s + (last_hour + 1) * HOUR_S,
            gpu_hours=gpu_hours,
            mean_gpus=gpu_hours / (last_hour + 1 - first_hour),
            usd=None if np.isnan(dollars) else dollars,
        )
