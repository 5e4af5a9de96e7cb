"""Contention that training met: GPU-hours it ran beside inference while its cluster had too few GPUs."""

from collections.abc import Mapping, Sequence

import numpy as np

from gpuplanner.domain.audit.contention import Contention
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.project import Project


def contended_gpu_hours(
    project: Project, classes: Sequence[Pool], contention: Mapping[str, Contention]
) -> tuple[float, ...]:
    """GPU-hours that each training workload ran in contended hours beside inference, 0 for others; in their order.

    classes: of each workload. Only training on clusters with such hours is looked at: a year of thousands is long.
    """
    cube = project.cube
    lost = np.zeros(len(project.workloads), dtype=np.int64)
    met = {cluster: one.beside_inference for cluster, one in contention.items() if one.beside_inference.any()}
    for row, place in enumerate(cube.workload_index.tolist() if met else ()):
        busy = met.get(project.workloads[place].cluster)
        if busy is not None and classes[place] is Pool.TRAINING:
            span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
            lost[place] += cube.milli_gpu_seconds[span][busy[cube.hour[span]]].sum()
    return tuple((lost / MILLI_GPU_SECONDS_PER_GPU_HOUR).tolist())
