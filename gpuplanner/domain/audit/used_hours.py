"""Used hours: what contracts served of each workload in a part of the window."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.audit.cost_result import Period
from gpuplanner.domain.audit.costed_hours import Floats, costed_hours
from gpuplanner.domain.audit.leak_claims import Past
from gpuplanner.domain.audit.money import cluster_of_row
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR


def used_gpu_hours(past: Past, periods: Sequence[Period]) -> Floats:
    """GPU-hours of each workload that contracts served in each period; shape (periods, workloads).

    Its share, by GPU time, of what its cluster's contracts served in each hour. Law: they add up to what was served.
    """
    cube = past.project.cube
    share = np.zeros((len(past.clusters), cube.hours))
    for place, hours in enumerate(past.clusters):
        demand = hours.demand.sum(axis=(0, 1))
        np.divide(hours.served.sum(axis=0), demand, out=share[place], where=demand > 0)
    used = np.zeros((len(periods), len(past.project.workloads)))
    everyone = np.ones(len(past.project.workloads), dtype=np.bool_)
    of_row = cluster_of_row(past.project, past.clusters)
    for block in costed_hours(cube, of_row, share, everyone):
        sums = np.concatenate(([0.0], np.cumsum(block.value)))
        ends = np.append(block.starts[1:], len(block.hour))
        # hours ascend within a workload, so those of a period lie together
        lines = np.arange(len(block.starts)) * cube.hours
        slots = np.repeat(lines, ends - block.starts) + block.hour
        for number, period in enumerate(periods):
            first, last = (np.searchsorted(slots, lines + hour) for hour in (period.first, period.last))
            used[number, block.workload] = sums[last] - sums[first]
    return used / MILLI_GPU_SECONDS_PER_GPU_HOUR
