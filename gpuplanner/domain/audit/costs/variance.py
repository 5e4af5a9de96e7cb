"""Variance: what changed between two periods, as volume + efficiency + price, by cluster, adding up exactly.

cost = used GPU-hours x inefficiency (paid / used) x price ($ per paid GPU-hour), so from period 0 to period 1
change = dV E0 P0 + V1 dE P0 + V1 E1 dP. Source: docs/formulas.md, Variance.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.audit.cost_result import (
    ClusterVariance,
    ContractPart,
    Period,
    PeriodCost,
    Variance,
    VolumePart,
)
from gpuplanner.domain.audit.costs.cost_order import most_expensive_first
from gpuplanner.domain.audit.costs.costed_hours import Floats, costed_hours
from gpuplanner.domain.audit.leaks.leak_claims import Past
from gpuplanner.domain.audit.money.spend import cluster_of_row, overflow_usd
from gpuplanner.domain.audit.use.utilization import ClusterHours
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.model.worded import worded


# Used hours: what contracts served of each workload in a part of the window.
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


NEW: Final = worded("nothing was paid for before: all of it is volume, at the rates of the second period")
ENDED: Final = worded("nothing is paid for after: all of it is volume, at the rates of the first period")
NEVER_USED: Final = worded("nothing was used in the period in which it was paid for: all of it is efficiency")
UNUSED_BEFORE: Final = worded(
    "nothing was used before, so paid over used is unknown: volume is the hours used now at the price before, "
    "efficiency the change in idle hours"
)
UNUSED_AFTER: Final = worded(
    "nothing is used after, so paid over used is unknown: volume is all that was used before"
)
NO_RATE: Final = worded("a contract has no rate: ask for a quote")
NOTHING_PAID: Final = worded("no contract runs in either period; overflow is beside")

NOTHING_GPU_HOURS: Final = 1e-6
"""Under this a workload's change is what floating point leaves over."""


@dataclass(frozen=True, slots=True)
class Effect:
    """How a change is told apart. volume_rate: $ per used GPU-hour; idle_scale: of the idle hours before; $ all."""

    volume: float
    efficiency: float
    price: float
    volume_rate: float
    efficiency_rate: float
    idle_scale: float
    note: str = ""


def variance(past: Past, before: Period, after: Period) -> Variance:
    """What each cluster was paid in two periods and why it differs; amounts per month, so lengths may differ.

    Laws: volume + efficiency + price = change, of each cluster and in total; a cluster's workloads add up to its
    volume, its contracts to its price and efficiency. Overflow is beside, as in the audit.
    """
    served = used_gpu_hours(past, (before, after))
    clusters = tuple(_cluster(past, hours, before, after, served) for hours in past.clusters)
    months = [period.hours / HOURS_PER_MONTH for period in (before, after)]
    volume = known_sum([row.volume_usd_per_month for row in clusters])
    return Variance(
        before=before,
        after=after,
        clusters=clusters,
        before_usd_per_month=known_sum([row.before.usd_per_month for row in clusters]),
        after_usd_per_month=known_sum([row.after.usd_per_month for row in clusters]),
        change_usd_per_month=known_sum([row.change_usd_per_month for row in clusters]),
        volume_usd_per_month=volume,
        efficiency_usd_per_month=known_sum([row.efficiency_usd_per_month for row in clusters]),
        price_usd_per_month=known_sum([row.price_usd_per_month for row in clusters]),
        mix_usd_per_month=_mix(clusters, volume, months),
    )


def effect(used: tuple[float, float], paid: tuple[float, float], usd: tuple[float, float]) -> Effect:
    """The parts of usd[1] - usd[0]; used and paid in GPU-hours, all of the same length of time.

    Law: volume + efficiency + price = usd[1] - usd[0], whatever is zero.
    """
    (used0, used1), (paid0, paid1), (usd0, usd1) = used, paid, usd
    if not paid0 and not paid1:
        return Effect(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, NOTHING_PAID)
    if not paid0:
        return (
            Effect(usd1, 0.0, 0.0, usd1 / used1, 0.0, 0.0, NEW)
            if used1
            else Effect(0.0, usd1, 0.0, 0.0, usd1 / paid1, 0.0, NEVER_USED)
        )
    if not paid1:
        return (
            Effect(-usd0, 0.0, 0.0, usd0 / used0, 0.0, 0.0, ENDED)
            if used0
            else Effect(0.0, -usd0, 0.0, 0.0, usd0 / paid0, 1.0, NEVER_USED)
        )
    price0 = usd0 / paid0
    price = usd1 - paid1 * price0
    if not used0:
        rest = (paid1 - paid0 - used1) * price0
        return Effect(used1 * price0, rest, price, price0, price0, 1.0, UNUSED_BEFORE)
    inefficiency0 = paid0 / used0
    return Effect(
        volume=(used1 - used0) * inefficiency0 * price0,
        efficiency=(paid1 - used1 * inefficiency0) * price0,
        price=price,
        volume_rate=inefficiency0 * price0,
        efficiency_rate=price0,
        idle_scale=used1 / used0,
        note="" if used1 else UNUSED_AFTER,
    )


def _cluster(
    past: Past, hours: ClusterHours, before: Period, after: Period, served: Floats
) -> ClusterVariance:
    costs = [_period_cost(past.project, hours, period) for period in (before, after)]
    monthly = [HOURS_PER_MONTH / period.hours for period in (before, after)]
    used, paid = (
        (getattr(costs[0], name) * monthly[0], getattr(costs[1], name) * monthly[1])
        for name in ("used_gpu_hours", "paid_gpu_hours")
    )
    usd = [cost.usd_per_month for cost in costs]
    found = None if usd[0] is None or usd[1] is None else effect(used, paid, (usd[0], usd[1]))
    workloads = [
        VolumePart(
            past.project.workloads[place].key, more, None if found is None else more * found.volume_rate
        )
        for place in past.members(hours.cluster)
        if abs(more := float(served[1, place] * monthly[1] - served[0, place] * monthly[0]))
        > NOTHING_GPU_HOURS
    ]
    return ClusterVariance(
        cluster=hours.cluster,
        before=costs[0],
        after=costs[1],
        change_usd_per_month=None if found is None else (usd[1] or 0.0) - (usd[0] or 0.0),
        volume_usd_per_month=None if found is None else found.volume,
        efficiency_usd_per_month=None if found is None else found.efficiency,
        price_usd_per_month=None if found is None else found.price,
        workloads=_by_size(workloads),
        contracts=_contracts(hours, before, after, paid, costs[0], found),
        note=NO_RATE if found is None else found.note,
    )


def _by_size(parts: Sequence[VolumePart]) -> tuple[VolumePart, ...]:
    return most_expensive_first(parts, lambda part: (abs(part.gpu_hours_per_month), part.key))


def _contracts(
    hours: ClusterHours,
    before: Period,
    after: Period,
    paid: tuple[float, float],
    cost: PeriodCost,
    found: Effect | None,
) -> tuple[ContractPart, ...]:
    """Each contract's part of price and efficiency.

    Price: how much its share of what is paid for grew, times its rate above the mean before. Efficiency: idle time.
    """
    capacity, idle = (
        [_per_month(amount, period) for period in (before, after)]
        for amount in (hours.capacity, hours.capacity - hours.served)
    )
    mean = cost.usd_per_gpu_hour
    parts = []
    for place, contract in enumerate(hours.contracts):
        then, now = float(capacity[0][place]), float(capacity[1][place])
        if not then and not now:
            continue
        price = efficiency = None
        if found is not None:
            grown = now - then * paid[1] / paid[0] if paid[0] else 0.0
            price = grown * ((contract.rate or 0.0) - (mean or 0.0)) if paid[1] else 0.0
            more_idle = idle[1][place] - idle[0][place] * found.idle_scale
            efficiency = float(more_idle) * found.efficiency_rate
        parts.append(
            ContractPart(
                contract_id=contract.contract_id,
                paid_gpu_hours_per_month=now - then,
                idle_gpu_hours_per_month=float(idle[1][place] - idle[0][place]),
                price_usd_per_month=price,
                efficiency_usd_per_month=efficiency,
            )
        )
    return most_expensive_first(
        parts,
        lambda part: (
            abs(part.price_usd_per_month or 0.0) + abs(part.efficiency_usd_per_month or 0.0),
            part.contract_id,
        ),
    )


def _per_month(amount: np.ndarray[tuple[int, ...], np.dtype[np.int64]], period: Period) -> Floats:
    """GPU-hours a month of each contract; shapes: amount (contracts, hours)."""
    sums = amount[:, period.first : period.last].sum(axis=1)
    return np.asarray(sums / MILLI_GPU_SECONDS_PER_GPU_HOUR * HOURS_PER_MONTH / period.hours)


def _period_cost(project: Project, hours: ClusterHours, period: Period) -> PeriodCost:
    span = slice(period.first, period.last)
    capacity = hours.capacity[:, span].sum(axis=1).tolist()
    used = int(hours.served[:, span].sum()) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    paid = sum(capacity) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    rates = [contract.rate for contract in hours.contracts]
    usd = known_sum(
        [
            None if rate is None else amount / MILLI_GPU_SECONDS_PER_GPU_HOUR * rate
            for amount, rate in zip(capacity, rates, strict=True)
            if amount
        ]
    )
    return PeriodCost(
        used_gpu_hours=used,
        paid_gpu_hours=paid,
        inefficiency=paid / used if used else None,
        usd_per_gpu_hour=usd / paid if usd is not None and paid else None,
        paid_usd=usd,
        usd_per_month=None if usd is None else usd * HOURS_PER_MONTH / period.hours,
        overflow_usd=overflow_usd(hours, project, span),
    )


def _mix(clusters: Sequence[ClusterVariance], volume: float | None, months: Sequence[float]) -> float | None:
    """Volume less what it would be had all clusters grown alike: used hours of all, at the mean cost before."""
    usd = known_sum([row.before.usd_per_month for row in clusters])
    used0 = sum(row.before.used_gpu_hours for row in clusters) / months[0]
    used1 = sum(row.after.used_gpu_hours for row in clusters) / months[1]
    if volume is None or usd is None or not used0:
        return None
    return volume - (used1 - used0) * usd / used0
