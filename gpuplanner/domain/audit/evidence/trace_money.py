"""Traces of money: what is paid, served, idle and stranded, and the spend of today; down to contracts and rates."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.explained import explained
from gpuplanner.domain.audit.evidence.trace import (
    JOBS,
    Adds,
    Amount,
    Trace,
    TraceColumn,
    TraceRow,
    Value,
    figure,
)
from gpuplanner.domain.audit.evidence.trace_use import cluster_row, gpu_hours, number_of, plus
from gpuplanner.domain.audit.money.contract_inputs import contract_amounts
from gpuplanner.domain.audit.money.rates import model_of_cluster
from gpuplanner.domain.audit.money.spend import usd_per_unit, workload_usd_of
from gpuplanner.domain.audit.use.stranded import why_metered_is_more
from gpuplanner.domain.audit.use.utilization import ClusterHours
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR, optional
from gpuplanner.domain.figures.costs.unit_costs import RUN
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import POOL_TITLES, POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S

GPU_HOURS = TraceColumn("GPU-h", "gpu_hours")
RATE = TraceColumn(worded("Rate\n$ per GPU-h"), "rate")
DOLLARS = TraceColumn(worded("\n$ per month"), "usd")


@dataclass(frozen=True)
class _ByContract:
    """A sum over contracts: the figure of the cluster that it is called, what comes to it in the hours of its scope,
    and the figure of each contract; id of what answers for the GPU-hours of one contract; what is added up, in words,
    and whose time that is (milli-GPU-seconds by contract and hour)."""

    key: str
    sums: str
    of_contract: str
    opens: str
    words: Text
    amounts: Callable[[ClusterHours], Ints]


def _idle_hours(hours: ClusterHours) -> Ints:
    """Paid and not served, milli-GPU-seconds, (contracts, hours)."""
    return np.asarray(hours.capacity - hours.served)


def _of_idle(key: str, words: Message) -> _ByContract:
    return _ByContract(
        key, "unallocated_per_month", "unused_per_month", "contract_idle_hours", words, _idle_hours
    )


_COST: Final = _ByContract(
    "cost_per_month",
    "cost_per_month",
    "paid_per_month",
    "contract_paid_hours",
    worded("paid GPU-hours \u00d7 rate"),
    lambda hours: hours.capacity,
)
_SERVED: Final = _ByContract(
    "allocated_per_month",
    "allocated_per_month",
    "allocated_per_month",
    "contract_used",
    worded("GPU-hours that served jobs \u00d7 rate"),
    lambda hours: hours.served,
)
_IDLE: Final = {
    "idle": _of_idle("stranded_metered", worded("idle GPU-hours in hours without training \u00d7 rate")),
    "busy": _of_idle("idle_while_training", worded("idle GPU-hours in hours with training \u00d7 rate")),
    "": _of_idle("unallocated_per_month", worded("idle GPU-hours \u00d7 rate")),
}
"""By scope: metered, while training ran, or in all hours."""


def cost(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What a cluster's contracts cost a month, or all clusters'."""
    return _by_contract(evidence, _COST, "", cluster)


def served(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What was served to jobs, at the rates of the contracts that served them."""
    return _by_contract(evidence, _SERVED, scope, cluster)


def idle(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What is paid and served nobody, in some hours: metered, while training ran, or in all."""
    return _by_contract(evidence, _IDLE[scope], scope, cluster)


def _by_contract(evidence: Evidence, of: _ByContract, scope: str, cluster: str) -> Trace:
    """Contracts of one cluster, or a row a cluster."""
    if not cluster:
        return _by_cluster(evidence, of, scope)
    hours, inside = evidence.hours(cluster), evidence.inside(scope, cluster)
    each = of.amounts(hours)[:, inside].sum(axis=1).tolist()
    usd = contract_amounts(hours, inside, evidence.months)[of.of_contract]
    rows = tuple(
        TraceRow(
            contract.contract_id,
            (gpu_hours(amount), contract.rate, amount_usd),
            figure(of.opens, contract.contract_id, scope),
        )
        for contract, amount, amount_usd in zip(hours.contracts, each, usd, strict=True)
    )
    one = CLUSTER[of.key]
    value = number_of(of.sums, cluster_row(evidence, scope, cluster))
    return Trace(
        figure(one.why, cluster, scope),
        worded("{figure} of {name}", figure=one.title, name=cluster),
        value,
        "usd",
        worded("per month"),
        worded("{figure} = \u03a3 over contracts of {what}", figure=one.title, what=of.words),
        plus([_quantity(row.values[2]) for row in rows], Amount(value, "usd")),
        (GPU_HOURS, RATE, DOLLARS),
        rows,
        Adds(2),
        one.note,
    )


def _by_cluster(evidence: Evidence, of: _ByContract, scope: str) -> Trace:
    """A figure over all clusters, one row each, in some hours."""
    rows = []
    one = CLUSTER[of.key]
    for hours in evidence.past.clusters:
        inside = evidence.inside(scope, hours.cluster)
        spent = int(of.amounts(hours)[:, inside].sum())
        usd = number_of(of.sums, cluster_row(evidence, scope, hours.cluster))
        rows.append(TraceRow(hours.cluster, (gpu_hours(spent), usd), figure(one.why, hours.cluster, scope)))
    total = _known(row.values[1] for row in rows)
    return Trace(
        figure(one.why, "", scope),
        one.title,
        total,
        "usd",
        worded("per month"),
        worded("{figure} = \u03a3 over clusters and contracts of {what}", figure=one.title, what=of.words),
        plus([_quantity(row.values[1]) for row in rows], Amount(total, "usd")),
        (GPU_HOURS, DOLLARS),
        tuple(rows),
        Adds(1),
        one.note,
    )


def stranded_audit(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """(1 - U) x cost of a cluster, or the sum over clusters."""
    if cluster:
        row = evidence.cluster(cluster)
        above = why_metered_is_more(row.stranded_metered, row.stranded_audit)
        return explained(CLUSTER, "stranded_audit", cluster_row(evidence, "", cluster), above)
    rows = tuple(
        TraceRow(
            row.cluster,
            (
                row.non_training_hours,
                row.non_training_used_gpu_hours,
                row.non_training_paid_gpu_hours,
                row.non_training_utilization,
                row.cost_per_month,
                row.stranded_audit,
            ),
            figure("stranded_audit", row.cluster),
        )
        for row in evidence.audit.clusters
    )
    total = _known(row.values[5] for row in rows)
    literal = known_sum(
        number_of("literal_reading", cluster_row(evidence, "", row.cluster))
        for row in evidence.audit.clusters
    )
    metered = known_sum(row.stranded_metered for row in evidence.audit.clusters)
    return Trace(
        figure("stranded_audit"),
        CLUSTER["stranded_audit"].title,
        total,
        "usd",
        worded("per month"),
        worded(
            "{figure} = \u03a3 over clusters of (1 \u2212 U) \u00d7 cost per month",
            figure=CLUSTER["stranded_audit"].title,
        ),
        plus([_quantity(row.values[5]) for row in rows], Amount(total, "usd")),
        (
            TraceColumn(worded("Hours without\ntraining"), "hours"),
            TraceColumn("Used\nGPU-h", "gpu_hours"),
            TraceColumn("Paid\nGPU-h", "gpu_hours"),
            TraceColumn("U", "share"),
            TraceColumn(CLUSTER["cost_per_month"].heading("\n"), "usd"),
            TraceColumn(CLUSTER["stranded_audit"].heading("\n"), "usd"),
        ),
        rows,
        Adds(5),
        worded(
            "U = used \u00f7 paid GPU-hours, in hours in which the cluster ran no training. "
            "GPU-hours are of the window."
        ),
        (
            (worded("Metered: idle in those hours only"), Amount(metered, "usd")),
            (CLUSTER["literal_reading"].title, Amount(literal, "usd")),
        ),
        (
            (worded("Metered, by contract"), figure("idle", "", "idle")),
            (worded("Bill to stranded"), figure("scaled")),
        ),
    )


def scaled(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What the audit's reading adds to metered, of a cluster or of all."""
    if cluster:
        return explained(CLUSTER, "scaled_to_all_hours", cluster_row(evidence, "", cluster))
    one = CLUSTER["scaled_to_all_hours"]
    rows = tuple(
        TraceRow(row.cluster, (row.scaled_to_all_hours,), figure("scaled", row.cluster))
        for row in evidence.audit.clusters
    )
    total = _known(row.values[0] for row in rows)
    return Trace(
        figure("scaled"),
        one.title,
        total,
        "usd",
        one.unit.per,
        worded(
            "{figure} = \u03a3 over clusters of {audit} \u2212 {metered}",
            figure=one.title,
            audit=CLUSTER["stranded_audit"].name,
            metered=CLUSTER["stranded_metered"].name,
        ),
        plus([_quantity(row.values[0]) for row in rows], Amount(total, "usd")),
        (DOLLARS,),
        rows,
        Adds(0),
        one.note,
    )


def overflow(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What a cluster's overflow costs a month at the on-demand rates that its classes may use."""
    hours = evidence.hours(cluster)
    stand_in = model_of_cluster(hours.contracts)
    rows = []
    for model, lost, by_class in zip(hours.models, hours.overflow, hours.demand, strict=True):
        demand = by_class.sum(axis=0)
        part = [
            float((one[demand > 0] * (lost[demand > 0] / demand[demand > 0])).sum())
            / MILLI_GPU_SECONDS_PER_GPU_HOUR
            for one in by_class
        ]
        for pool, amount in zip(POOLS, part, strict=True):
            if amount > 0:
                rate = evidence.past.rates.on_demand(pool, stand_in if model is None else model)
                name = worded(
                    "{pool} on {model}",
                    pool=POOL_TITLES[Pool(pool)],
                    model=model or worded("unknown model"),
                )
                rows.append(TraceRow(name, (amount, rate, priced_per_month(amount, rate, evidence.months))))
    value = number_of("overflow_per_month", cluster_row(evidence, "", cluster))
    return Trace(
        figure("overflow", cluster),
        worded("Overflow of {cluster}", cluster=cluster),
        value,
        "usd",
        worded("per month"),
        worded(
            "Overflow = \u03a3 of GPU-hours beyond the contracts \u00d7 cheapest on-demand rate that fits"
        ),
        plus([_quantity(row.values[2]) for row in rows], Amount(value, "usd")),
        (GPU_HOURS, RATE, DOLLARS),
        tuple(rows),
        Adds(2),
        CLUSTER["overflow_per_month"].note,
        more=((worded("GPU-hours by workload"), figure("used", cluster)),),
    )


def spend(evidence: Evidence, scope: str, subject: str) -> Trace:
    """Today's spend: what is paid, and overflow."""
    rows = []
    for hours in evidence.past.clusters:
        row = evidence.cluster(hours.cluster)
        rows.append(
            TraceRow(
                worded("{cluster}: contracts", cluster=hours.cluster),
                (row.paid_gpu_hours, row.cost_per_month),
                figure("cost", hours.cluster),
            )
        )
        if row.overflow_gpu_hours:
            usd = number_of("overflow_per_month", cluster_row(evidence, "", hours.cluster))
            rows.append(
                TraceRow(
                    worded("{cluster}: overflow", cluster=hours.cluster),
                    (row.overflow_gpu_hours, usd),
                    figure("overflow", hours.cluster),
                )
            )
    value = evidence.audit.spend
    return Trace(
        figure("spend"),
        titles.SPEND,
        value,
        "usd",
        worded("per month"),
        worded(
            "Spend = 730 \u00f7 window hours \u00d7 (paid for contracts in the window + overflow at on-demand rates)"
        ),
        plus([_quantity(row.values[1]) for row in rows], Amount(value, "usd")),
        (GPU_HOURS, DOLLARS),
        tuple(rows),
        Adds(1),
        worded(
            "Overflow is demand that no contract had room for, at the cheapest on-demand rate that it may run on. "
            "Contracts that ended inside the window count for the hours they ran."
        ),
    )


def workload_cost(evidence: Evidence, scope: str, key: str) -> Trace:
    """What a workload cost a month, week by week: its share, by GPU time in each hour, of what its GPU model cost."""
    place = evidence.place_of[key]
    workload, window = evidence.project.workloads[place], evidence.project.window
    value = evidence.audit.workloads[place].usd_per_month
    first_day = window.start_s // DAY_S
    at, amount = evidence.project.cube.hours_of(place)
    week = ((window.start_s + at * HOUR_S) // DAY_S - first_day) // 7
    in_window = np.bincount(week, weights=_usd_by_hour(evidence, place, at)).astype(float)
    if value is None:  # also where nobody has said which jobs the contracts serve
        in_window = np.full(len(in_window), np.nan)
    per_month = workload_usd_of(in_window, window)
    rows = []
    for number in sorted(set(week.tolist())):
        hours, usd = gpu_hours(int(amount[week == number].sum())), optional(in_window[number : number + 1])[0]
        mean = RUN.row({"cost": usd, "gpu_hours": hours}, ["mean_rate"])["mean_rate"]
        rows.append(TraceRow(worded("Week {number}", number=number + 1), (hours, mean, per_month[number])))
    return Trace(
        figure("workload_cost", key),
        worded("Cost of {names}", names=evidence.names[workload.key]),
        value,
        "usd",
        worded("per month"),
        worded(
            "Cost = \u03a3 over hours of its share, by GPU time, of what its GPU model's hour cost on its cluster"
        ),
        plus([_quantity(row.values[2]) for row in rows], Amount(value, "usd")),
        (GPU_HOURS, TraceColumn(worded("On average\n$ per GPU-h"), "rate"), DOLLARS),
        tuple(rows),
        Adds(2),
        worded(
            "An hour's cost is what was served, at its contracts' rates, and its overflow on "
            "demand; workloads of a GPU model share it by "
            "GPU time. Idle GPUs are nobody's."
        ),
        more=((worded("Its jobs"), figure(JOBS, key)),),
    )


def _usd_by_hour(evidence: Evidence, place: int, at: Ints) -> Floats:
    """$ of a workload in each of its hours, all GPU models together; shapes (n,). at: the hours, ascending."""
    hours = evidence.hours(evidence.project.workloads[place].cluster)
    unit = usd_per_unit(evidence.project, (hours,))
    usd = np.zeros(len(at))
    for model, when, amount in evidence.project.cube.by_model_of(place):
        usd[np.searchsorted(at, when)] += amount * unit[hours.models.index(model), when]
    return usd


def priced_per_month(hours: float, rate: float | None, months: float) -> float | None:
    """$ a month of GPU-hours of the window; None where GPU time has no rate."""
    if rate is None:
        return None if hours else 0.0
    return hours * rate / months


def _known(values: Iterable[Value]) -> float | None:
    """The sum; None where one is unknown or words."""
    return known_sum(value if isinstance(value, int | float) else None for value in values)


def quantity_of(milli_gpu_seconds: int) -> Amount:
    """GPU time inside a formula."""
    return Amount(milli_gpu_seconds, "milli_gpu_seconds")


def _quantity(value: Value) -> Amount:
    return Amount(value if isinstance(value, int | float) else None, "usd")
