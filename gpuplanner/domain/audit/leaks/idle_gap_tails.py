"""Tails of a cluster whose idle gaps are known: when training stopped, the next job began, and what idled between."""

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.audit.leaks.tails import Tail, paid_between
from gpuplanner.domain.audit.use.utilization import ClusterHours
from gpuplanner.domain.dispatch import dispatch
from gpuplanner.domain.model.log.idle_gap import IdleGap, RunningJobs
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import HOUR_S


def tails_of_idle_gaps(past: Past, hours: ClusterHours, longer_than_s: float) -> list[Tail] | None:
    """Waits longer than this in which something stood idle, to the second, by their beginning.

    None where the log's idle gaps are not known, or this is shorter than those that are kept: then `tails_of` tells.
    """
    of_clusters = past.idle_gaps_longer_than(longer_than_s)
    if of_clusters is None:
        return None
    found = []
    for idle_gap in of_clusters.get(hours.cluster, ()):
        trained = [
            jobs.until_s
            for jobs in idle_gap.running
            if past.classifications[jobs.workload].pool is Pool.TRAINING
        ]
        stop_s = max(trained, default=idle_gap.end_s)
        if idle_gap.end_s - stop_s > longer_than_s:
            idle = _idle(past, hours, idle_gap, stop_s)
            if idle.any():
                found.append(Tail(stop_s, idle_gap.end_s, idle))
    return found


def _idle(past: Past, hours: ClusterHours, idle_gap: IdleGap, begin_s: int) -> Floats:
    """Milli-GPU-seconds by contract from an instant of an idle gap to its end: whole hours as they were served."""
    first, last = -(-begin_s // HOUR_S), idle_gap.end_s // HOUR_S
    if first > last:  # both inside one hour
        return _idle_within(past, hours, idle_gap.running, begin_s, idle_gap.end_s)
    whole = slice(first, last)
    idle: Floats = (hours.capacity[:, whole] - hours.served[:, whole]).sum(axis=1).astype(np.float64)
    for piece_begin_s, piece_end_s in ((begin_s, first * HOUR_S), (last * HOUR_S, idle_gap.end_s)):
        if piece_end_s > piece_begin_s:
            idle += _idle_within(past, hours, idle_gap.running, piece_begin_s, piece_end_s)
    return idle


def _idle_within(
    past: Past, hours: ClusterHours, running: tuple[RunningJobs, ...], begin_s: int, end_s: int
) -> Floats:
    """The same of a part of an hour; what runs in it is served as in an hour, by how much of it there is."""
    place_of = {_folded(model): place for place, model in enumerate(hours.models)}
    demand = np.zeros(len(hours.models))
    for jobs in running:
        ran_s = min(jobs.until_s, end_s) - begin_s
        if ran_s > 0:
            demand[place_of[_folded(jobs.gpu_model)]] += jobs.milli_gpus * ran_s
    left = np.zeros((len(hours.contracts), 1))
    left[:, 0] = [
        paid_between(contract, begin_s, end_s, past.project.window.start_s) for contract in hours.contracts
    ]
    for number, model in enumerate(hours.models):
        open_to = hours.open_to(model)
        left[open_to] -= dispatch(demand[number : number + 1], left[open_to])
    return np.asarray(left[:, 0])


def _folded(gpu_model: str | None) -> str | None:
    """A model's name as it is compared; None stays unknown."""
    return None if gpu_model is None else gpu_model.casefold()
