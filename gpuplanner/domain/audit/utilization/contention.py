"""Contention: hours with more demand than GPUs, and training that shared them with inference."""

from collections.abc import Mapping, Sequence

import numpy as np

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Contention:
    """The contended hours of a cluster.

    hours: mask over the window, (hours,). beside_inference: its hours with both training and inference, (hours,).
    overflow_gpu_hours: demand beyond the GPUs in contended hours. shared_training: keys of the training workloads in
    `beside_inference`, in the order of the project.
    """

    hours: Bools
    beside_inference: Bools
    overflow_gpu_hours: float
    shared_training: tuple[str, ...]

    @property
    def contention_hours(self) -> int:
        """Number of hours with more demand than GPUs."""
        return int(self.hours.sum())

    @property
    def beside_inference_hours(self) -> int:
        """Number of contended hours in which training shared the cluster with inference."""
        return int(self.beside_inference.sum())


def contention_by_cluster(
    project: Project, classes: Sequence[Pool], clusters: Sequence[ClusterHours]
) -> dict[str, Contention]:
    """Return the contention of every cluster, by name. classes: of each workload, in the order of Project.workloads.

    An hour counts if demand for a GPU model exceeds its contracts, and they have GPUs in it. Demand for a model without
    GPUs is overflow, not contention (docs/formulas/leaks.md).
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
    """Return the keys of training workloads that ran in an hour of their cluster's mask, by cluster."""
    trained: dict[str, list[str]] = {name: [] for name in masks}
    cube, last = project.cube, -1
    with_hours = {name for name, mask in masks.items() if mask.any()}
    for row, place in enumerate(cube.workload_index.tolist()):
        workload = project.workloads[place]
        if place == last or classes[place] is not Pool.TRAINING or workload.cluster not in with_hours:
            continue
        if masks[workload.cluster][cube.hour[cube.offsets[row] : cube.offsets[row + 1]]].any():
            trained[workload.cluster].append(workload.key)
            last = place  # rows of other GPU models add no key
    return {name: tuple(keys) for name, keys in trained.items()}


def contended_gpu_hours(
    project: Project, classes: Sequence[Pool], contention: Mapping[str, Contention]
) -> tuple[float, ...]:
    """Return the GPU-hours of each training workload in contended hours with inference, 0 for others, in project order.

    classes: of each workload. Skips clusters without such hours, because a year of thousands of workloads is long.
    """
    cube = project.cube
    lost = np.zeros(len(project.workloads), dtype=np.int64)
    met = {cluster: c.beside_inference for cluster, c in contention.items() if c.beside_inference.any()}
    for row, place in enumerate(cube.workload_index.tolist() if met else ()):
        busy = met.get(project.workloads[place].cluster)
        if busy is not None and classes[place] is Pool.TRAINING:
            span = slice(int(cube.offsets[row]), int(cube.offsets[row + 1]))
            lost[place] += cube.milli_gpu_seconds[span][busy[cube.hour[span]]].sum()
    return tuple((lost / MILLI_GPU_SECONDS_PER_GPU_HOUR).tolist())
