"""Leaks of GPU time that ran: held without work, failed, contended for, or on hardware and terms it does not need."""

from functools import cache, partial
from typing import Final

import numpy as np

from gpuplanner.domain.audit.leak_claims import Floats, LeakClaim, Part, Past, listed
from gpuplanner.domain.audit.rates import model_of_cluster, on_demand_rate_of_model
from gpuplanner.domain.audit.utilization import ClusterHours
from gpuplanner.domain.model.contract import Contract
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR, Ints
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.window import HOUR_S, HOURS_PER_MONTH

DEV_SUBTYPES: Final = ("notebook", "development")
IDLE_ACTIVITY: Final = 0.10
HELD_HOURS: Final = 24
HELD_HOURS_WITHOUT_ACTIVITY: Final = 72
FLAT: Final = 0.95
"""Mean² / mean of squares of the hours held: from here on a service counts as held flat."""


def persistent_dev(past: Past) -> list[LeakClaim]:
    """Development held over 24 h with activity under 10% (not measured: over 72 h): the stretches of that length."""
    claims = []
    for hours in past.clusters:
        parts, places = [], []
        for place in past.members(hours.cluster, Pool.BURST):
            workload = past.project.workloads[place]
            limit = HELD_HOURS_WITHOUT_ACTIVITY if workload.activity is None else HELD_HOURS
            is_idle = workload.activity is None or workload.activity < IDLE_ACTIVITY
            is_dev = past.classifications[place].subtype in DEV_SUBTYPES
            if is_dev and is_idle and workload.longest_job_s > limit * HOUR_S:
                held = _in_long_stretches(*past.hours_of(place), limit)
                parts.append(past.used(place, held / MILLI_GPU_SECONDS_PER_GPU_HOUR))
                places.append(place)
        claims += _claim(
            "persistent_dev", past, hours, places, parts, "End sessions after 2 h without activity."
        )
    return claims


def _in_long_stretches(hours: Ints, amount: Ints, limit: int) -> int:
    """Milli-GPU-seconds in runs of consecutive hours longer than the limit."""
    starts = np.flatnonzero(np.diff(hours, prepend=-2) > 1)
    lengths = np.diff(np.append(starts, len(hours)))
    return int(np.add.reduceat(amount, starts)[lengths > limit].sum()) if len(hours) else 0


def peak_provisioned(past: Past) -> list[LeakClaim]:
    """Inference held flat while its load is not: held - ceil(held x activity / target), hour by hour."""
    claims = []
    target = past.project.assumptions.target_activity
    for hours in past.clusters:
        parts, places = [], []
        for place in past.members(hours.cluster, Pool.INFERENCE):
            activity = past.project.workloads[place].activity
            if activity is None or activity >= target:
                continue
            held = past.hours_of(place)[1] / MILLI_GPU_SECONDS_PER_GPU_HOUR
            if held.mean() ** 2 >= FLAT * (held**2).mean():
                needed = np.ceil(held * activity / target - 1e-9)
                parts.append(past.used(place, float(np.maximum(held - needed, 0.0).sum())))
                places.append(place)
        claims += _claim("peak_provisioned", past, hours, places, parts, "Scale replicas with the load.")
    return claims


def failed_work(past: Past) -> list[LeakClaim]:
    """GPU-hours that ended in FAILED, NODE_FAIL, OUT_OF_MEMORY or TIMEOUT."""
    claims = []
    for hours in past.clusters:
        failed = {
            place: past.project.workloads[place].failed_milli_gpu_seconds
            for place in past.members(hours.cluster)
        }
        places = sorted((place for place in failed if failed[place]), key=lambda place: -failed[place])
        parts = [past.used(place, failed[place] / MILLI_GPU_SECONDS_PER_GPU_HOUR) for place in places]
        action = "Checkpoint more often; look at the workload that fails most first."
        claims += _claim("failed_work", past, hours, places, parts, action)
    return claims


def contention(past: Past) -> list[LeakClaim]:
    """Demand beyond the GPUs of its model, in hours in which there were any; training that shared with inference.

    Each workload's part is its share, by GPU time, of the hour's overflow; $ are the overflow's, on demand.
    """
    claims = []
    training, inference = POOLS.index(Pool.TRAINING), POOLS.index(Pool.INFERENCE)
    contended = {hours.cluster: _contended_share(hours) for hours in past.clusters}
    beside = {
        hours.cluster: (
            (contended[hours.cluster] > 0)
            & (hours.demand[:, training].sum(axis=0) > 0)
            & (hours.demand[:, inference].sum(axis=0) > 0)
        ).astype(np.float64)
        for hours in past.clusters
    }
    lost, ran_beside = past.shared_gpu_hours(contended), past.shared_gpu_hours(beside)
    for hours in past.clusters:
        busy_hours, beside_hours = int((contended[hours.cluster] > 0).sum()), int(beside[hours.cluster].sum())
        if not busy_hours:
            continue
        rate = on_demand_rate_of_model(past.project.offers, _main_model(hours))
        parts = [
            Part(("workload", past.project.workloads[place].key), lost[place], rate)
            for place in past.members(hours.cluster)
            if lost[place]
        ]
        trained = [place for place in past.members(hours.cluster, Pool.TRAINING) if ran_beside[place]]
        also = f", {beside_hours} h of training beside inference" if trained else ""
        subject = past.named(hours.cluster, trained) if trained else hours.cluster
        action = f"Give inference its own GPUs: {busy_hours} h with more demand than GPUs{also}."
        claims.append(LeakClaim("contention", hours.cluster, subject, tuple(parts), action))
    return claims


def _contended_share(hours: ClusterHours) -> Floats:
    """Share of the cluster's demand that overflowed in each hour, where its model has GPUs at all; shape (hours,)."""
    overflow = np.zeros(hours.demand.shape[2])
    for model, lost in zip(hours.models, hours.overflow, strict=True):
        own = [place for place, contract in enumerate(hours.contracts) if model in (None, contract.gpu_model)]
        overflow += np.where(hours.capacity[own].sum(axis=0) > 0, lost, 0)
    return _of_demand(hours, overflow)


def _main_model(hours: ClusterHours) -> str | None:
    """The model with most overflow on a cluster; untyped overflow counts with the model of its contracts."""
    model = hours.models[int(np.argmax(hours.overflow.sum(axis=1)))]
    return model_of_cluster(hours.contracts) if model is None else model


def consolidation_premium(past: Past) -> list[LeakClaim]:
    """Inference GPU-hours x (rate paid - rate of the cheapest offer that fits inference; never spot)."""
    claims = []
    cheapest = cache(partial(past.rates.cheapest_steady, Pool.INFERENCE))
    for hours in past.clusters:
        parts, places, offers = [], [], []
        for place in past.members(hours.cluster, Pool.INFERENCE):
            paid = past.usd_per_gpu_hour(place)
            offer = cheapest(past.model_of(place))
            if paid is not None and offer is not None and offer.rate is not None:
                parts.append(past.used(place, past.project.workloads[place].gpu_hours, paid - offer.rate))
                places.append(place)
                offers.append(offer.offer_id)
        if sum(part.gpu_hours * (part.usd_per_gpu_hour or 0.0) for part in parts) > 0:
            action = f"Serve it on what it needs: {listed(offers)}."
            claims += _claim("consolidation_premium", past, hours, places, parts, action)
    return claims


def permanent_burst(past: Past) -> list[LeakClaim]:
    """Burst work on contracts whose term is longer than the hours in which it was active: what they served of it."""
    claims = []
    served = past.shared_gpu_hours(
        {hours.cluster: 1.0 - _of_demand(hours, hours.overflow.sum(axis=0)) for hours in past.clusters}
    )
    for hours in past.clusters:
        parts, places = [], []
        for place in past.members(hours.cluster, Pool.BURST):
            active = past.hours_of(place)[0]
            serving = [
                one for number, one in enumerate(hours.contracts) if hours.served[number][active].any()
            ]
            if any(_term_hours(contract) > len(active) for contract in serving):
                parts.append(past.used(place, served[place]))
                places.append(place)
        action = "Rent it for as long as it runs: spot, or by the hour."
        claims += _claim("permanent_burst", past, hours, places, parts, action)
    return claims


def _of_demand(hours: ClusterHours, part: Floats | Ints) -> Floats:
    """A part of the cluster's demand as a share of it in each hour; 0 where there is none."""
    demand = hours.demand.sum(axis=(0, 1))
    return np.asarray(np.divide(part, demand, out=np.zeros(len(demand)), where=demand > 0))


def _term_hours(contract: Contract) -> float:
    """How long a contract binds: its term, else from start to end, else for good."""
    if contract.term_months:
        return contract.term_months * HOURS_PER_MONTH
    return float("inf") if contract.end_s is None else (contract.end_s - contract.start_s) / HOUR_S


def _claim(
    code: str, past: Past, hours: ClusterHours, places: list[int], parts: list[Part], action: str
) -> list[LeakClaim]:
    """One claim of a cluster, or none where nothing leaks."""
    if not any(part.gpu_hours for part in parts):
        return []
    return [LeakClaim(code, hours.cluster, past.named(hours.cluster, places), tuple(parts), action)]
