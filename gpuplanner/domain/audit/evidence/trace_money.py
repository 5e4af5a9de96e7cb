"""Traces of money: what is paid, served, idle and stranded, and the spend of today; down to contracts and rates."""

from collections.abc import Iterable

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.trace import (
    JOBS,
    Adds,
    Amount,
    Multiplies,
    Trace,
    TraceColumn,
    TraceRow,
    Value,
    figure,
)
from gpuplanner.domain.audit.evidence.trace_use import gpu_hours, plus
from gpuplanner.domain.audit.money.rates import model_of_cluster
from gpuplanner.domain.audit.money.spend import overflow_at_eligible_rates
from gpuplanner.domain.audit.use.stranded import why_metered_is_more
from gpuplanner.domain.audit.use.utilization import ClusterHours
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR, Ints
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.window import DAY_S, HOUR_S
from gpuplanner.domain.model.worded import worded

GPU_HOURS = TraceColumn("GPU-h", "gpu_hours")
RATE = TraceColumn(worded("Rate\n$ per GPU-h"), "rate")
DOLLARS = TraceColumn(worded("\n$ per month"), "usd")
A_MONTH = worded("A month is 730 h: window amounts \u00d7 730 \u00f7 hours of the window.")


_OF_CONTRACT = {
    "cost": "contract_paid_hours",
    "served": "contract_used",
    "idle": "contract_idle_hours",
}
"""What answers for the GPU-hours of one contract."""


def cost(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What a cluster's contracts cost a month, or all clusters'."""
    value = None if not cluster else evidence.cluster(cluster).cost_usd_per_month
    return _by_contract(
        evidence,
        "cost",
        "",
        cluster,
        worded("Paid for"),
        value,
        worded("Cost = \u03a3 over contracts of paid GPU-hours \u00d7 rate"),
        worded("Paid, used or not. ") + A_MONTH,
    )


def served(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What was served to jobs, at the rates of the contracts that served them."""
    return _by_contract(
        evidence,
        "served",
        scope,
        cluster,
        worded("Allocated to jobs on"),
        None,
        worded("Allocated = \u03a3 over contracts of GPU-hours that served jobs \u00d7 rate"),
        A_MONTH,
    )


def idle(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What is paid and served nobody, in some hours: metered, while training ran, or in all."""
    names = {
        "idle": worded("Stranded, metered, on"),
        "busy": worded("Idle while training ran on"),
        "": worded("Unused on"),
    }
    words = {
        "idle": worded(
            "Stranded, metered = \u03a3 over contracts of idle GPU-hours in hours without training \u00d7 rate"
        ),
        "busy": worded(
            "Idle while training ran = \u03a3 over contracts of idle GPU-hours in hours with training \u00d7 rate"
        ),
        "": worded("Unused = \u03a3 over contracts of idle GPU-hours \u00d7 rate"),
    }
    note = {
        "idle": worded(
            "It adds up to the invoice: with what was allocated and what idled while training ran. "
        ),
        "busy": worded("Not stranded: training may need the GPUs that are free beside it. "),
        "": "",
    }
    return _by_contract(
        evidence, "idle", scope, cluster, names[scope], None, words[scope], note[scope] + A_MONTH
    )


def _amounts(kind: str, hours: ClusterHours) -> Ints:
    if kind == "cost":
        return hours.capacity
    return hours.served if kind == "served" else hours.capacity - hours.served


def _by_contract(
    evidence: Evidence,
    kind: str,
    scope: str,
    cluster: str,
    name: str,
    value: float | None,
    words: str,
    note: str,
) -> Trace:
    """Contracts of one cluster, or a row a cluster; the dollars are the rows' where none is given."""
    if not cluster:
        return _by_cluster(evidence, kind, scope, name, words, note)
    hours, inside = evidence.hours(cluster), evidence.inside(scope, cluster)
    each = _amounts(kind, hours)[:, inside].sum(axis=1).tolist()
    rows = []
    for contract, amount in zip(hours.contracts, each, strict=True):
        usd = priced_per_month(gpu_hours(amount), contract.rate, evidence.months)
        rows.append(
            TraceRow(
                contract.contract_id,
                (gpu_hours(amount), contract.rate, usd),
                figure(_OF_CONTRACT[kind], contract.contract_id, scope),
            )
        )
    total = _known(row.values[2] for row in rows)
    shown = total if value is None else value
    return Trace(
        figure(kind, cluster, scope),
        f"{name} {cluster}",
        shown,
        "usd",
        worded("per month"),
        words,
        plus([_quantity(row.values[2]) for row in rows], Amount(shown, "usd")),
        (GPU_HOURS, RATE, DOLLARS),
        tuple(rows),
        Adds(2),
        note,
    )


def _by_cluster(evidence: Evidence, kind: str, scope: str, name: str, words: str, note: str) -> Trace:
    rows = []
    for hours in evidence.past.clusters:
        inside = evidence.inside(scope, hours.cluster)
        each = _amounts(kind, hours)[:, inside].sum(axis=1).tolist()
        usd = _known(
            priced_per_month(gpu_hours(amount), contract.rate, evidence.months)
            for contract, amount in zip(hours.contracts, each, strict=True)
        )
        rows.append(TraceRow(hours.cluster, (gpu_hours(sum(each)), usd), figure(kind, hours.cluster, scope)))
    total = _known(row.values[1] for row in rows)
    return Trace(
        figure(kind, "", scope),
        name.removesuffix(" on"),
        total,
        "usd",
        worded("per month"),
        words.replace("over contracts", "over clusters and contracts"),
        plus([_quantity(row.values[1]) for row in rows], Amount(total, "usd")),
        (GPU_HOURS, DOLLARS),
        tuple(rows),
        Adds(1),
        note,
    )


def stranded_audit(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """(1 - U) x cost of a cluster, or the sum over clusters."""
    words = worded("Stranded, audit = (1 \u2212 used share in hours without training) \u00d7 cost")
    if cluster:
        row = evidence.cluster(cluster)
        share = row.non_training_utilization
        left = None if share is None else 1 - share
        return Trace(
            figure("stranded_audit", cluster),
            worded("Stranded, audit, on {cluster}", cluster=cluster),
            row.stranded_audit_usd_per_month,
            "usd",
            worded("per month"),
            words,
            (
                "(1 \u2212 ",
                Amount(share, "share"),
                ") \u00d7 ",
                Amount(row.cost_usd_per_month, "usd"),
                " = ",
                Amount(row.stranded_audit_usd_per_month, "usd"),
            ),
            (TraceColumn(worded("Value"), "usd"),),
            (
                TraceRow(
                    worded("Share not used in hours without training"),
                    (Amount(left, "share"),),
                    figure("utilization", cluster, "idle"),
                ),
                TraceRow(worded("Cost, $ per month"), (row.cost_usd_per_month,), figure("cost", cluster)),
            ),
            Multiplies(0),
            why_metered_is_more(row.stranded_metered_usd_per_month, row.stranded_audit_usd_per_month)
            or worded("It takes every hour for one without training. Metered counts those hours only."),
        )
    rows = tuple(
        TraceRow(
            row.cluster,
            (
                row.non_training_hours,
                row.non_training_used_gpu_hours,
                row.non_training_capacity_gpu_hours,
                row.non_training_utilization,
                row.cost_usd_per_month,
                row.stranded_audit_usd_per_month,
            ),
            figure("stranded_audit", row.cluster),
        )
        for row in evidence.audit.clusters
    )
    total = _known(row.values[5] for row in rows)
    literal = known_sum(
        None
        if row.non_training_utilization is None or row.cost_usd_per_month is None
        else row.non_training_utilization * row.cost_usd_per_month
        for row in evidence.audit.clusters
    )
    metered = known_sum(row.stranded_metered_usd_per_month for row in evidence.audit.clusters)
    return Trace(
        figure("stranded_audit"),
        worded("Stranded, audit"),
        total,
        "usd",
        worded("per month"),
        worded("Stranded, audit = \u03a3 over clusters of (1 \u2212 U) \u00d7 cost per month"),
        plus([_quantity(row.values[5]) for row in rows], Amount(total, "usd")),
        (
            TraceColumn(worded("Hours without\ntraining"), "hours"),
            TraceColumn("Used\nGPU-h", "gpu_hours"),
            TraceColumn("Paid\nGPU-h", "gpu_hours"),
            TraceColumn("U", "share"),
            TraceColumn(worded("Cost\n$ per month"), "usd"),
            TraceColumn(worded("Stranded, audit\n$ per month"), "usd"),
        ),
        rows,
        Adds(5),
        worded(
            "U = used \u00f7 paid GPU-hours, in hours in which the cluster ran no training. "
            "GPU-hours are of the window."
        ),
        (
            (worded("Metered: idle in those hours only"), Amount(metered, "usd")),
            (worded("Literal: U \u00d7 cost"), Amount(literal, "usd")),
        ),
        (
            (worded("Metered, by contract"), figure("idle", "", "idle")),
            (worded("Bill to stranded"), figure("scaled")),
        ),
    )


def scaled(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What the audit's reading adds to metered, of a cluster or of all."""
    chosen = [row for row in evidence.audit.clusters if cluster in ("", row.cluster)]
    rows: list[TraceRow] = []
    for row in chosen:
        metered = row.stranded_metered_usd_per_month
        rows += [
            TraceRow(
                worded("{cluster}: stranded, audit", cluster=row.cluster),
                (row.stranded_audit_usd_per_month,),
                figure("stranded_audit", row.cluster),
            ),
            TraceRow(
                worded("{cluster}: stranded, metered", cluster=row.cluster),
                (None if metered is None else -metered,),
                figure("idle", row.cluster, "idle"),
            ),
        ]
    total = _known(row.values[0] for row in rows)
    return Trace(
        figure("scaled", cluster),
        worded("Scaled to all hours{cluster}", cluster=", " + cluster if cluster else ""),
        total,
        "usd",
        worded("per month"),
        worded("Scaled to all hours = stranded, audit \u2212 stranded, metered"),
        plus([_quantity(row.values[0]) for row in rows], Amount(total, "usd")),
        (DOLLARS,),
        tuple(rows),
        Adds(0),
        worded("Audit reads the idle share of hours without training as if every hour were one of them."),
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
                    pool=worded(pool.capitalize()),
                    model=model or worded("unknown model"),
                )
                rows.append(TraceRow(name, (amount, rate, priced_per_month(amount, rate, evidence.months))))
    usd = overflow_at_eligible_rates(hours, evidence.past.rates)
    value = None if usd is None else usd / evidence.months
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
        worded("Priced beside what is paid, never inside it. ") + A_MONTH,
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
                (row.capacity_gpu_hours / evidence.months, row.cost_usd_per_month),
                figure("cost", hours.cluster),
            )
        )
        if row.overflow_gpu_hours:
            usd = overflow_at_eligible_rates(hours, evidence.past.rates)
            rows.append(
                TraceRow(
                    worded("{cluster}: overflow", cluster=hours.cluster),
                    (
                        row.overflow_gpu_hours / evidence.months,
                        None if usd is None else usd / evidence.months,
                    ),
                    figure("overflow", hours.cluster),
                )
            )
    value = evidence.audit.current_usd_per_month
    return Trace(
        figure("spend"),
        worded("Spend"),
        value,
        "usd",
        worded("per month"),
        worded(
            "Spend = 730 \u00f7 window hours \u00d7 (paid for contracts in the window + overflow at on-demand rates)"
        ),
        plus([_quantity(row.values[1]) for row in rows], Amount(value, "usd")),
        (TraceColumn(worded("GPU-h\nper month"), "gpu_hours"), DOLLARS),
        tuple(rows),
        Adds(1),
        worded(
            "Overflow is demand that no contract had room for, at the cheapest on-demand rate that it may run on. "
            "Contracts that ended inside the window count for the hours they ran."
        ),
    )


def workload_cost(evidence: Evidence, scope: str, key: str) -> Trace:
    """What a workload cost a month, week by week: its share, by GPU time in each hour, of its cluster's cost."""
    place = evidence.place_of[key]
    workload, window = evidence.project.workloads[place], evidence.project.window
    value = evidence.audit.workloads[place].usd_per_month
    spent = workload.gpu_hours
    mean = None if value is None or not spent else value * evidence.months / spent
    first_day = window.start_s // DAY_S
    at, amount = evidence.project.cube.hours_of(place)
    week = ((window.start_s + at * HOUR_S) // DAY_S - first_day) // 7
    rows = []
    for number in sorted(set(week.tolist())):
        hours = gpu_hours(int(amount[week == number].sum()))
        rows.append(
            TraceRow(
                worded("Week {number}", number=number + 1),
                (hours, mean, priced_per_month(hours, mean, evidence.months)),
            )
        )
    return Trace(
        figure("workload_cost", key),
        worded("Cost of {names}", names=evidence.names[workload.key]),
        value,
        "usd",
        worded("per month"),
        worded("Cost = its GPU-hours \u00d7 what they cost on average"),
        (
            Amount(workload.milli_gpu_seconds, "milli_gpu_seconds"),
            worded(" GPU-h \u00d7 "),
            Amount(mean, "rate"),
            worded(" \u00f7 {months} months = ", months=f"{evidence.months:.4g}"),
            Amount(value, "usd"),
        ),
        (GPU_HOURS, TraceColumn(worded("On average\n$ per GPU-h"), "rate"), DOLLARS),
        tuple(rows),
        Adds(2),
        worded(
            "An hour's cost is what was served, at its contracts' rates, and its overflow on "
            "demand; workloads share it by "
            "GPU time. Idle GPUs are nobody's."
        ),
        more=((worded("Its jobs"), figure(JOBS, key)),),
    )


def priced_per_month(hours: float, rate: float | None, months: float) -> float | None:
    """$ a month of GPU-hours of the window; None where GPU time has no rate."""
    if rate is None:
        return None if hours else 0.0
    return hours * rate / months


def _known(values: Iterable[Value]) -> float | None:
    return known_sum(value if isinstance(value, int | float) else None for value in values)


def quantity_of(milli_gpu_seconds: int) -> Amount:
    """GPU time inside a formula."""
    return Amount(milli_gpu_seconds, "milli_gpu_seconds")


def _quantity(value: Value) -> Amount:
    return Amount(value if isinstance(value, int | float) else None, "usd")
