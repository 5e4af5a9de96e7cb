"""Used hours: what contracts served of each workload in a part of the window."""

import numpy as np

from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.audit.costed_hours import Floats, costed_hours
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.money import cluster_of_row
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR


def used_gpu_hours(past: Past, period: Period) -> Floats:
    """GPU-hours of each workload that contracts served in a period; shape (workloads,).

    Its share, by GPU time, of what its cluster's contracts served in each hour. Law: they add up to what was served.
    """
    share = np.zeros((len(past.clusters), past.project.cube.hours))
    for place, hours in enumerate(past.clusters):
        demand = hours.demand.sum(axis=(0, 1))
        np.divide(hours.served.sum(axis=0), demand, out=share[place], where=demand > 0)
    share[:, : period.first] = 0.0
    share[:, period.last :] = 0.0
    of_workload = np.zeros(len(past.project.workloads))
    everyone = np.ones(len(past.project.workloads), dtype=np.bool_)
    of_row = cluster_of_row(past.project, past.clusters)
    for block in costed_hours(past.project.cube, of_row, share, everyone):
        starts = np.flatnonzero(np.diff(block.workload, prepend=-1))
        of_workload[block.workload[starts]] = np.add.reduceat(block.value, starts)
    return of_workload / MILLI_GPU_SECONDS_PER_GPU_HOUR
