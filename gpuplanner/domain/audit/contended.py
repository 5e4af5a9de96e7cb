"""Contention that training met: GPU-hours it ran beside inference while its cluster had too few GPUs."""

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.utilization import ClusterHours
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.pool import POOLS, Pool


def contended_hours(hours: ClusterHours) -> npt.NDArray[np.bool_]:
    """Hours in which training and inference ran and a model had more demand than GPUs (and had some); (hours,)."""
    beyond = np.zeros(hours.demand.shape[2], dtype=np.bool_)
    for model, lost in zip(hours.models, hours.overflow, strict=True):
        own = [place for place, contract in enumerate(hours.contracts) if model in (None, contract.gpu_model)]
        beyond |= (lost > 0) & (hours.capacity[own].sum(axis=0) > 0)
    by_class = hours.demand.sum(axis=0)
    both = (by_class[POOLS.index(Pool.TRAINING)] > 0) & (by_class[POOLS.index(Pool.INFERENCE)] > 0)
    return np.asarray(beyond & both)


def contended_gpu_hours(past: Past) -> tuple[float, ...]:
    """GPU-hours that each training workload ran in contended hours, 0 for other classes; in order of the workloads.

    Only rows of training on clusters with such hours are looked at: a year of thousands of workloads is long.
    """
    workloads, cube = past.project.workloads, past.project.cube
    found = {hours.cluster: contended_hours(hours) for hours in past.clusters}
    met = {cluster: number for number, (cluster, busy) in enumerate(found.items()) if busy.any()}
    table = np.zeros((len(found), cube.hours), dtype=np.bool_)
    lost = np.zeros(len(workloads), dtype=np.int64)
    for cluster, number in met.items():
        table[number] = found[cluster]
    number_of = np.array(
        [
            met.get(workload.cluster, -1) if one.pool is Pool.TRAINING else -1
            for workload, one in zip(workloads, past.classifications, strict=True)
        ],
        dtype=np.int64,
    )
    rows = np.flatnonzero(number_of[cube.workload_index] >= 0) if met else np.zeros(0, dtype=np.int64)
    for row in rows.tolist():
        span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
        place = int(cube.workload_index[row])
        lost[place] += cube.milli_gpu_seconds[span][table[number_of[place]][cube.hour[span]]].sum()
    return tuple((lost / MILLI_GPU_SECONDS_PER_GPU_HOUR).tolist())
