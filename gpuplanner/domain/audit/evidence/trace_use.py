"""Traces of use: GPU-hours used, paid and idle, utilization, activity, hours without training; down to workloads."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.audit.evidence.audit_evidence import Evidence, scope_words
from gpuplanner.domain.audit.evidence.explained import Inputs, explained, quantity_of
from gpuplanner.domain.audit.evidence.trace import (
    JOBS,
    Adds,
    Amount,
    Counts,
    Divides,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
)
from gpuplanner.domain.audit.money.cluster_inputs import cluster_inputs
from gpuplanner.domain.audit.use.utilization import run_seconds_by_hour
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.clusters import ALLOCATION, CLUSTER
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.quantity import Number
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.window import WINDOW
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S

ASKED = TraceColumn(worded("Its jobs\nGPU-h"), "milli_gpu_seconds")
OVERFLOW = TraceColumn("Overflow\nGPU-h", "gpu_hours")
USED = TraceColumn("Used\nGPU-h", "gpu_hours")
PAID = TraceColumn("Paid\nGPU-h", "gpu_hours")
ALL_CLUSTERS = worded("all clusters")


def gpu_hours(milli_gpu_seconds: int) -> float:
    """Whole milli-GPU-seconds as GPU-hours."""
    return milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR


def of_scope(words: Message) -> Text:
    """ " in hours without training", with its space; "" for all hours."""
    return joined((" ", words)) if words else ""


def used(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """GPU-hours that contracts of a cluster served, by workload."""
    shares = evidence.shares(scope, cluster)
    row = cluster_row(evidence, scope, cluster)
    value = number_of("used_gpu_hours", row)
    asked = sum(share.asked for share in shares)
    rows = tuple(
        TraceRow(
            evidence.names[evidence.project.workloads[share.place].key],
            (
                share.asked,
                gpu_hours(share.asked) - share.served_gpu_hours,
                share.served_gpu_hours,
            ),
            figure(JOBS, evidence.project.workloads[share.place].key, scope),
        )
        for share in shares
    )
    return Trace(
        figure("used", cluster, scope),
        worded("Used on {cluster}{scope}", cluster=cluster, scope=of_scope(scope_words(scope))),
        value,
        "gpu_hours",
        worded("GPU-h in the window"),
        worded("Used = GPU-hours of the jobs \u2212 GPU-hours that no contract had room for"),
        (
            Amount(asked, "milli_gpu_seconds"),
            " \u2212 ",
            Amount(number_of("overflow_gpu_hours", row), "gpu_hours"),
            " = ",
            Amount(value, "gpu_hours"),
        ),
        (ASKED, OVERFLOW, USED),
        rows,
        Adds(2),
        worded("Where an hour had more demand than GPUs, its overflow is shared by GPU time."),
    )


def paid(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """GPU-hours that a cluster's contracts offered, by contract."""
    hours, inside = evidence.hours(cluster), evidence.inside(scope, cluster)
    each = hours.capacity[:, inside].sum(axis=1).tolist()
    rows = tuple(
        TraceRow(
            contract.contract_id,
            (contract.gpus, _run_hours(evidence, contract, inside), gpu_hours(amount)),
        )
        for contract, amount in zip(hours.contracts, each, strict=True)
    )
    value = number_of("paid_gpu_hours", cluster_row(evidence, scope, cluster))
    return Trace(
        figure("paid_hours", cluster, scope),
        worded("Paid on {cluster}{scope}", cluster=cluster, scope=of_scope(scope_words(scope))),
        value,
        "gpu_hours",
        worded("GPU-h in the window"),
        worded("Paid GPU-hours = \u03a3 over contracts of GPUs \u00d7 hours they ran"),
        plus([Amount(gpu_hours(amount), "gpu_hours") for amount in each], Amount(value, "gpu_hours")),
        (TraceColumn("GPUs", "gpus"), TraceColumn(worded("Hours"), "hours"), PAID),
        rows,
        Adds(2),
        worded("A contract counts for the hours of the window in which it ran."),
    )


def _run_hours(evidence: Evidence, contract: Contract, inside: Bools) -> float:
    """Hours that a contract ran in some hours of the window."""
    return int(run_seconds_by_hour(contract, evidence.project.window)[inside].sum()) / HOUR_S


def cluster_row(evidence: Evidence, scope: str, cluster: str) -> Inputs:
    """What went into the figures of a cluster in a scope's hours."""
    given = evidence.cluster(cluster).inputs
    if scope:
        given = cluster_inputs(
            evidence.hours(cluster),
            evidence.inside(scope, cluster),
            given.months,
            None,
            None,
            None,
            is_use_known=given.used is not None,
        )
    return Inputs(given.exact, cluster, scope=scope, scope_words=of_scope(scope_words(scope)))


def number_of(key: str, row: Inputs) -> float | None:
    """A figure of a cluster."""
    return quantity_of(CLUSTER, key, row).number


def utilization(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """Used over paid: of one cluster, or of all of them, in some hours."""
    if cluster:
        return explained(CLUSTER, "utilization", cluster_row(evidence, scope, cluster))
    rows = []
    sums: dict[str, list[Number | None]] = {"used_gpu_hours": [], "paid_gpu_hours": []}
    for hours in evidence.past.clusters:
        row = cluster_row(evidence, scope, hours.cluster)
        for key, values in sums.items():
            values.append(row.values[key])
        found = tuple(number_of(key, row) for key in (*sums, "utilization"))
        rows.append(TraceRow(hours.cluster, found, figure("utilization", hours.cluster, scope)))
    whole = Inputs(
        {key: _exact_sum(values) for key, values in sums.items()},
        "",
        ALL_CLUSTERS,
        scope,
        of_scope(scope_words(scope)),
    )
    return replace(
        explained(WINDOW, "effective_utilization", whole),
        columns=(USED, PAID, TraceColumn(CLUSTER["utilization"].title, "share")),
        rows=tuple(rows),
        arrival=Divides(0, 1),
        note=worded(
            "{allocation} What overflowed ran on GPUs that no contract pays, and is not counted as used.",
            allocation=ALLOCATION,
        ),
    )


def activity(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What GPUs did while allocated: the mean of workloads by GPU time."""
    mine = [
        workload
        for workload in evidence.project.workloads
        if workload.cluster == cluster and workload.milli_gpu_seconds
    ]
    mine.sort(key=lambda workload: -workload.milli_gpu_seconds)
    rows = tuple(
        TraceRow(
            evidence.names[workload.key],
            (
                workload.gpu_hours,
                workload.activity,
                None if workload.activity is None else workload.gpu_hours * workload.activity,
            ),
            figure(JOBS, workload.key),
        )
        for workload in mine
    )
    value = evidence.cluster(cluster).activity
    return Trace(
        figure("activity", cluster),
        worded("Activity on {cluster}", cluster=cluster),
        value,
        "share",
        "",
        worded("Activity = \u03a3 of GPU-hours \u00d7 activity \u00f7 \u03a3 of GPU-hours"),
        (Amount(value, "share"),),
        (
            TraceColumn("GPU-h", "gpu_hours"),
            TraceColumn(titles.ACTIVITY, "share"),
            TraceColumn(worded("GPU-h \u00d7\nactivity"), "gpu_hours"),
        ),
        rows,
        Divides(2, 0),
        worded("Known only where every GPU job of the cluster has it."),
    )


def idle_hours(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """Hours of the window in which a cluster ran no job classed training, by day."""
    window, trains = evidence.project.window, evidence.hours(cluster).training_hours
    day = (window.start_s + HOUR_S * np.arange(window.hours)) // DAY_S
    days, first = np.unique(day, return_index=True)
    with_training = np.add.reduceat(trains.astype(np.int64), first).tolist()
    lengths = np.diff(np.append(first, window.hours)).tolist()
    rows = tuple(
        TraceRow(f"{datetime.fromtimestamp(at * DAY_S, UTC):%Y-%m-%d}", (length, busy, length - busy))
        for at, length, busy in zip(days.tolist(), lengths, with_training, strict=True)
    )
    row = evidence.cluster(cluster)
    return Trace(
        figure("idle_hours", cluster),
        worded("Hours without training on {cluster}", cluster=cluster),
        row.non_training_hours,
        "hours",
        worded("h in the window"),
        worded(
            "Hours without training = hours of the window \u2212 hours in which a job classed training ran"
        ),
        (
            Amount(window.hours, "hours"),
            " \u2212 ",
            Amount(row.training_hours, "hours"),
            " = ",
            Amount(row.non_training_hours, "hours"),
        ),
        (
            TraceColumn(worded("Hours"), "hours"),
            TraceColumn("With\ntraining", "hours"),
            TraceColumn("Without\ntraining", "hours"),
        ),
        rows,
        Adds(2),
        worded("By day, UTC. A class is what a workload is: moving a card does not change the past."),
        more=((worded("Workloads counted as training"), figure("training_workloads", cluster)),),
    )


def training_workloads(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """Which workloads of a cluster are classed training."""
    places = evidence.past.members(cluster, Pool.TRAINING)
    return Trace(
        figure("training_workloads", cluster),
        worded("Workloads counted as training on {cluster}", cluster=cluster),
        len(places),
        "count",
        "",
        worded("An hour has training when one of these ran in it"),
        (Amount(len(places), "count"), worded(" workloads")),
        (TraceColumn(titles.HOURS_IT_RAN, "hours"), ASKED),
        tuple(
            TraceRow(
                evidence.names[evidence.project.workloads[place].key],
                (
                    len(evidence.project.cube.hours_of(place)[0]),
                    evidence.project.workloads[place].milli_gpu_seconds,
                ),
                figure(JOBS, evidence.project.workloads[place].key),
            )
            for place in places
        ),
        Counts(),
        worded("Hours of workloads overlap, so they do not add up to the hours with training."),
    )


def gpus(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """GPUs under contract in the window, of one cluster or of all."""
    window = evidence.project.window
    contracts = [
        one
        for one in evidence.project.contracts
        if cluster in ("", one.cluster) and one.overlaps(window.start_s, window.end_s)
    ]
    value = sum(contract.milli_gpus for contract in contracts) / 1000
    return Trace(
        figure("gpus", cluster),
        worded("GPUs of {cluster}", cluster=cluster) if cluster else "GPUs",
        value,
        "gpus",
        worded("under contract"),
        worded("GPUs = \u03a3 over contracts in the window of their GPUs"),
        plus([Amount(contract.gpus, "gpus") for contract in contracts], Amount(value, "gpus")),
        (TraceColumn(worded("GPU model"), "text"), TraceColumn("GPUs", "gpus")),
        tuple(
            TraceRow(contract.contract_id, (contract.gpu_model or "unknown", contract.gpus))
            for contract in contracts
        ),
        Adds(1),
        worded("From the contracts as they were imported."),
    )


def _exact_sum(values: Iterable[Number | None]) -> Number | None:
    """The sum, without rounding; None where one is unknown."""
    total: Number = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def plus(parts: Iterable[Amount], total: Amount) -> tuple[Text | Amount, ...]:
    """a + b + c = total; with many parts only how many there are."""
    each = list(parts)
    if not each or len(each) > 4:
        return (worded("\u03a3 of {each} rows = ", each=whole(len(each))), total)
    said: list[str | Amount] = [each[0]]
    for part in each[1:]:
        said += [" + ", part]
    return (*said, " = ", total)
