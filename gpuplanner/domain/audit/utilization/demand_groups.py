"""Groups of demand: the GPU models of each cluster, whose workloads share served capacity by hour."""

from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours, part_of
from gpuplanner.domain.model.project import Project


def group_of_row(project: Project, clusters: Sequence[ClusterHours]) -> Ints:
    """Return the group of each row of the cube: its GPU model on its cluster, in cluster order; shape (rows,)."""
    groups = ((hours.cluster, model) for hours in clusters for model in hours.models)
    number = {group: place for place, group in enumerate(groups)}
    rows = ((project.workloads[workload].cluster, model) for workload, model in project.cube.pairs)
    return np.array([number[row] for row in rows], dtype=np.int64)


def per_unit_of_demand(
    clusters: Sequence[ClusterHours],
    amount_of: Callable[[ClusterHours], npt.NDArray[np.floating | np.integer]],
) -> Floats:
    """Return an amount of each group and hour divided by its demand in milli-GPU-seconds, 0 without demand; (groups,
    hours).

    amount_of: return the amounts of a cluster, shape (models, hours).
    """
    if not clusters:
        return np.zeros((0, 0))
    amount = np.concatenate([amount_of(hours) for hours in clusters])
    demand = np.concatenate([hours.demand.sum(axis=1) for hours in clusters])
    return part_of(amount, demand)


def served_share(clusters: Sequence[ClusterHours]) -> Floats:
    """Return the share of each group's demand that contracts served in each hour, 0..1; shape (groups, hours)."""
    return per_unit_of_demand(clusters, lambda hours: hours.served_demand)
