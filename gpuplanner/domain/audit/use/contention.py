"""Contention: the hours in which a cluster was asked for more than it had, and the training caught beside inference."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.audit.use.utilization import ClusterHours
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project


@dataclass(frozen=True, slots=True, eq=False)
class Contention:
    """The contended hours of one cluster.

    Shapes: hours, beside_inference (hours,) masks over the window; the second is the part of the first in which
    training and inference both ran. overflow_gpu_hours: demand beyond the GPUs in those hours.
    shared_training: keys of the training workloads that ran in beside_inference, in the order of the project.
    """

    hours: Bools
    beside_inference: Bools
    overflow_gpu_hours: float
    shared_training: tuple[str, ...]

    @property
    def contention_hours(self) -> int:
        """How many hours asked for more GPUs than there were."""
        return int(self.hours.sum())

    @property
    def beside_inference_hours(self) -> int:
        """In how many of them training shared the cluster with inference."""
        return int(self.beside_inference.sum())


def contention_by_cluster(
    project: Project, classes: Sequence[Pool], clusters: Sequence[ClusterHours]
) -> dict[str, Contention]:
    """Contention of every cluster, by name. classes: of each workload, in the order of Project.workloads.

    An hour counts where demand of a GPU model is above what its contracts have in it, and they have some: demand
    of a model without any GPUs is not contended for, it overflows (docs/formulas.md, Leaks).
    """
    training, inference = POOLS.index(Pool.TRAINING), POOLS.index(Pool.INFERENCE)
    masks = {}
    for hours in clusters:
        overflow = hours.contended.sum(axis=0)
        ran = hours.demand.sum(axis=0) > 0
        beside = (overflow > 0) & ran[training] & ran[inference]
        masks[hours.cluster] = (overflow > 0, beside, int(overflow.sum()))
    shared = _training_within(project, classes, {name: beside for name, (_, beside, _) in masks.items()})
    return {
        name: Contention(mask, beside, lost / MILLI_GPU_SECONDS_PER_GPU_HOUR, shared[name])
        for name, (mask, beside, lost) in masks.items()
    }


def _training_within(
    project: Project, classes: Sequence[Pool], masks: dict[str, Bools]
) -> dict[str, tuple[str, ...]]:
    """Keys of training workloads that ran in any hour of their cluster's mask, by cluster."""
    found: dict[str, list[str]] = {name: [] for name in masks}
    cube, last = project.cube, -1
    with_hours = {name for name, mask in masks.items() if mask.any()}
    for row, place in enumerate(cube.workload_index.tolist()):
        workload = project.workloads[place]
        if place == last or classes[place] is not Pool.TRAINING or workload.cluster not in with_hours:
            continue
        if masks[workload.cluster][cube.hour[cube.offsets[row] : cube.offsets[row + 1]]].any():
            found[workload.cluster].append(workload.key)
            last = place  # rows of other GPU models say nothing new
    return {name: tuple(keys) for name, keys in found.items()}


# Contention that training met: GPU-hours it ran beside inference while its cluster had too few GPUs.
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
