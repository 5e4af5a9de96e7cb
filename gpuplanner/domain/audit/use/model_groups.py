"""Groups: the GPU models of each cluster, which is where workloads share what served them, hour by hour."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.use.utilization import ClusterHours
from gpuplanner.domain.model.project import Project


def group_of_row(project: Project, clusters: Sequence[ClusterHours]) -> Ints:
    """The group of each row of the cube: its GPU model on its cluster, cluster after cluster; shape (rows,)."""
    groups = ((hours.cluster, model) for hours in clusters for model in hours.models)
    number = {group: place for place, group in enumerate(groups)}
    models: tuple[str | None, ...] = (*project.cube.gpu_models, None)  # index -1 is the unknown model
    rows = zip(project.cube.workload_index.tolist(), project.cube.model_index.tolist(), strict=True)
    return np.array(
        [number[project.workloads[at].cluster, models[model]] for at, model in rows], dtype=np.int64
    )


def per_unit_of_demand(
    clusters: Sequence[ClusterHours],
    amount_of: Callable[[ClusterHours], npt.NDArray[np.floating | np.integer]],
) -> Floats:
    """An amount of each group and hour over its demand in milli-GPU-seconds, 0 where there is none; (groups, hours).

    amount_of: of one cluster, shape (models, hours).
    """
    if not clusters:
        return np.zeros((0, 0))
    amount = np.concatenate([amount_of(hours) for hours in clusters])
    demand = np.concatenate([hours.demand.sum(axis=1) for hours in clusters])
    return np.asarray(np.divide(amount, demand, out=np.zeros(demand.shape), where=demand > 0))


def served_share(clusters: Sequence[ClusterHours]) -> Floats:
    """The part of each group's demand that contracts served in each hour, 0 to 1; shape (groups, hours)."""
    return per_unit_of_demand(clusters, lambda hours: hours.served_demand)
