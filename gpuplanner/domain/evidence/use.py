"""Answers about use: GPU-hours used, paid and idle, utilization, activity and break-even, of clusters and contracts."""

from collections.abc import Iterable
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.audit import result, use_by
from gpuplanner.domain.audit.spend.cluster_inputs import cluster_inputs
from gpuplanner.domain.audit.utilization.dispatch import run_seconds_by_hour
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained, quantity_of
from gpuplanner.domain.evidence.audit_evidence import Evidence, scope_words
from gpuplanner.domain.evidence.trace import Amount, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.clusters import ALLOCATION, CLUSTER
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR, Number
from gpuplanner.domain.figures.typed import day as typed_day
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.use import CONTRACT, FLAG_PERCENT, IDLE_IS_PAID
from gpuplanner.domain.figures.window import USE, WINDOW
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import Contract, mean_gpus
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S, HOUR_S
from gpuplanner.lazy_dataclass import replace

WHY: Final = Answers[Evidence]()
ASKED = TraceColumn(worded("Its jobs\nGPU-h"), "milli_gpu_seconds")
OVERFLOW = TraceColumn("Overflow\nGPU-h", "gpu_hours")
USED = TraceColumn(worded("Used GPU-h\nin the lookback period"), "gpu_hours")
PAID = TraceColumn(worded("Paid GPU-h\nin the lookback period"), "gpu_hours")
GPU_HOURS = TraceColumn(worded("GPU-h\nin the lookback period"), "gpu_hours")
DOLLARS = TraceColumn(worded("\n$ per month"), "usd")
OF_CONTRACTS = (TraceColumn(worded("GPU model"), "text"), trace.GPUS)
AS_IMPORTED = worded("From the imported contracts.")
OF_BREAK_EVEN: Final = (
    "paid_gpu_hours",
    "committed_per_month",
    "on_demand_per_month",
    "break_even_utilization",
)
"""What is listed of the contracts behind a break-even."""


def gpu_hours(milli_gpu_seconds: int) -> float:
    """Whole milli-GPU-seconds as GPU-hours."""
    return milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR


def of_scope(words: Message) -> Text:
    """ " in hours without training", with its space; "" for all hours."""
    return joined((" ", words)) if words else ""


def _in(name: str, scope: str) -> Message:
    """A cluster or contract, in the hours of a scope."""
    return joined((name, of_scope(scope_words(scope))))


# Clusters


@WHY.lists(
    worded("Used on {name}"),
    writing.GPU_HOURS,
    worded("Used = job GPU-hours − overflow"),
    (ASKED, OVERFLOW, USED),
    trace.Adds(2),
    note=worded("In hours over capacity, overflow is shared by GPU time."),
)
def used(evidence: Evidence, scope: str, cluster: str) -> Listed:
    """GPU-hours that contracts of a cluster served, by workload."""
    shares, row = evidence.shares(scope, cluster), cluster_row(evidence, scope, cluster)
    value = number_of("used_gpu_hours", row)
    asked = sum(share.asked for share in shares)
    rows = []
    for share in shares:
        key = evidence.project.workloads[share.place].key
        values = (share.asked, gpu_hours(share.asked) - share.served_gpu_hours, share.served_gpu_hours)
        rows.append(TraceRow(evidence.names[key], values, figure(trace.JOBS, key, scope)))
    overflow = Amount(number_of("overflow_gpu_hours", row), "gpu_hours")
    symbols = (Amount(asked, "milli_gpu_seconds"), " \u2212 ", overflow, " = ", Amount(value, "gpu_hours"))
    return Listed(value=value, rows=rows, name=_in(cluster, scope), symbols=symbols)


@WHY.lists(
    worded("Paid on {name}"),
    writing.GPU_HOURS,
    worded("Paid GPU-hours = Σ over contracts (GPUs × hours they ran)"),
    (trace.GPUS, TraceColumn(worded("Hours"), "hours"), PAID),
    trace.Adds(2),
    note=worded("Contracts count for the hours they ran."),
    kind="paid_hours",
)
def paid(evidence: Evidence, scope: str, cluster: str) -> Listed:
    """GPU-hours that a cluster's contracts offered, by contract."""
    hours, inside = evidence.hours(cluster), evidence.inside(scope, cluster)
    each = [gpu_hours(amount) for amount in hours.capacity[:, inside].sum(axis=1).tolist()]
    rows = [
        TraceRow(contract.contract_id, (contract.gpus, _run_hours(evidence, contract, inside), amount))
        for contract, amount in zip(hours.contracts, each, strict=True)
    ]
    value = number_of("paid_gpu_hours", cluster_row(evidence, scope, cluster))
    return Listed(
        value=value, rows=rows, name=_in(cluster, scope), symbols=trace.plus(each, Amount(value, "gpu_hours"))
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
            is_demand_known=given.overflow is not None,
        )
    return Inputs(values=given.exact, name=cluster, scope=scope, scope_words=of_scope(scope_words(scope)))


def number_of(key: str, row: Inputs) -> float | None:
    """A figure of a cluster."""
    return quantity_of(CLUSTER, key, row).number


@WHY.gives("utilization")
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
        numbers = tuple(number_of(key, row) for key in (*sums, "utilization"))
        rows.append(TraceRow(hours.cluster, numbers, figure("utilization", hours.cluster, scope)))
    exact = {key: _exact_sum(values) for key, values in sums.items()}
    of_all = Inputs(
        values=exact,
        name="",
        title=worded("all clusters"),
        scope=scope,
        scope_words=of_scope(scope_words(scope)),
    )
    return replace(
        explained(WINDOW, "effective_utilization", of_all),
        columns=(USED, PAID, TraceColumn(CLUSTER["utilization"].title, "share")),
        rows=tuple(rows),
        arrival=trace.Divides(0, 1),
        note=worded("{allocation} Overflow ran outside contracts and is not used.", allocation=ALLOCATION),
    )


def _exact_sum(values: Iterable[Number | None]) -> Number | None:
    """The sum, without rounding; None where one is unknown."""
    total: Number = 0
    for value in values:
        if value is None:
            return None
        total += value
    return total


@WHY.lists(
    worded("Activity on {name}"),
    writing.SHARE,
    worded("Activity = Σ (GPU-hours × activity) ÷ Σ GPU-hours"),
    (
        GPU_HOURS,
        TraceColumn(titles.ACTIVITY, "share"),
        TraceColumn(worded("GPU-h \u00d7\nactivity"), "gpu_hours"),
    ),
    trace.Divides(2, 0),
    note=worded("Unknown unless all GPU jobs of the cluster have it."),
)
def activity(evidence: Evidence, scope: str, cluster: str) -> Listed:
    """What GPUs did while allocated: the mean of workloads by GPU time."""
    workloads = [
        row for row in evidence.project.workloads if row.cluster == cluster and row.milli_gpu_seconds
    ]
    rows = []
    for work in sorted(workloads, key=lambda workload: -workload.milli_gpu_seconds):
        busy = None if work.activity is None else work.gpu_hours * work.activity
        rows.append(
            TraceRow(
                evidence.names[work.key], (work.gpu_hours, work.activity, busy), figure(trace.JOBS, work.key)
            )
        )
    value = evidence.cluster(cluster).activity
    return Listed(value=value, rows=rows, name=cluster, symbols=(Amount(value, "share"),))


@WHY.lists(
    worded("Hours without training on {name}"),
    "hours",
    worded("Hours without training = all hours − hours with a training job"),
    (
        TraceColumn(worded("Hours"), "hours"),
        TraceColumn("With\ntraining", "hours"),
        TraceColumn("Without\ntraining", "hours"),
    ),
    trace.Adds(2),
    said_as=worded("h in the lookback period"),
    note=worded("By day, UTC. Moving a card does not change the past."),
)
def idle_hours(evidence: Evidence, scope: str, cluster: str) -> Listed:
    """Hours of the window in which a cluster ran no job classed training, by day."""
    window, trains = evidence.project.window, evidence.hours(cluster).training_hours
    day = (window.start_s + HOUR_S * np.arange(window.hours)) // DAY_S
    days, first = np.unique(day, return_index=True)
    with_training = np.add.reduceat(trains.astype(np.int64), first).tolist()
    lengths = np.diff(np.append(first, window.hours)).tolist()
    rows = [
        TraceRow(joined((typed_day(at * DAY_S),)), (length, busy, length - busy))
        for at, length, busy in zip(days.tolist(), lengths, with_training, strict=True)
    ]
    row = evidence.cluster(cluster)
    every, busy, left = (
        Amount(hours, "hours") for hours in (window.hours, row.training_hours, row.non_training_hours)
    )
    more = ((worded("Workloads counted as training"), figure("training_workloads", cluster)),)
    return Listed(
        value=left.value, rows=rows, name=cluster, symbols=(every, " \u2212 ", busy, " = ", left), more=more
    )


@WHY.lists(
    worded("Workloads counted as training on {name}"),
    writing.COUNT,
    worded("An hour is training if one of these ran in it"),
    (TraceColumn(titles.HOURS_IT_RAN, "hours"), ASKED),
    trace.Counts(),
    note=worded("Workload hours overlap: their sum exceeds hours with training."),
)
def training_workloads(evidence: Evidence, scope: str, cluster: str) -> Listed:
    """Which workloads of a cluster are classed training."""
    rows = []
    for place in evidence.past.members(cluster, Pool.TRAINING):
        work = evidence.project.workloads[place]
        values = (len(evidence.project.cube.hours_of(place)[0]), work.milli_gpu_seconds)
        rows.append(TraceRow(evidence.names[work.key], values, figure(trace.JOBS, work.key)))
    symbols = (Amount(len(rows), "count"), worded(" workloads"))
    return Listed(value=len(rows), rows=rows, name=cluster, symbols=symbols)


@WHY.lists(
    "",
    writing.GPUS,
    worded("GPUs = Σ over contracts (GPUs × lookback share)"),
    OF_CONTRACTS,
    trace.Adds(1),
    said_as=worded("under contract"),
    note=AS_IMPORTED,
)
def gpus(evidence: Evidence, scope: str, cluster: str) -> Listed:
    """GPUs under contract in the window on average, of one cluster or of all."""
    window = evidence.project.window
    contracts = [
        contract
        for contract in evidence.project.contracts
        if cluster in ("", contract.cluster) and contract.overlaps(window.start_s, window.end_s)
    ]
    held = [mean_gpus(contract, window) for contract in contracts]
    rows = [
        TraceRow(contract.contract_id, (contract.gpu_model or "unknown", many))
        for contract, many in zip(contracts, held, strict=True)
    ]
    name = worded("GPUs of {name}", name=cluster) if cluster else "GPUs"
    return Listed(value=sum(held), rows=rows, name=name, symbols=trace.plus(held, Amount(sum(held), "gpus")))


# Contracts


@WHY.gives("below_40")
def below_40(evidence: Evidence, scope: str, subject: str) -> Trace:
    """How many contracts are used less than 40%."""
    contracts = evidence.audit.contracts
    rows = []
    for row in contracts:
        shares, opens = (
            (row.utilization, row.break_even_utilization),
            figure("contract_utilization", row.contract_id),
        )
        values = (row.used_gpu_hours, row.paid_gpu_hours, *shares, int(row.below_40_percent or False))
        rows.append(TraceRow(row.contract_id, values, opens))
    count = sum(bool(row.below_40_percent) for row in contracts)
    return Trace(
        title=titles.UNDER_40,
        value=count,
        unit="count",
        said_as=worded("of {rows}", rows=whole(len(rows))),
        words=worded("Flag when 100 \u00d7 used GPU-h < {flag} \u00d7 paid GPU-h", flag=whole(FLAG_PERCENT)),
        symbols=(Amount(count, "count"), worded(" of {rows} contracts", rows=whole(len(rows)))),
        columns=(
            USED,
            PAID,
            TraceColumn(titles.UTILIZATION, "share"),
            TraceColumn(titles.BREAK_EVEN, "share"),
            TraceColumn(worded("Flagged"), "count"),
        ),
        rows=tuple(rows),
        arrival=trace.Adds(4),
        note=worded("Exactly 40% is not flagged. Break-even = paid rate ÷ cheapest on-demand rate."),
    )


@WHY.lists(
    worded("Idle cost of all contracts"),
    writing.MONEY_PER_MONTH,
    worded("Idle cost = Σ over contracts ((paid − used GPU-hours) × rate)"),
    (GPU_HOURS, DOLLARS),
    trace.Adds(1),
    note=IDLE_IS_PAID,
)
def contracts_unused(evidence: Evidence, scope: str, subject: str) -> Listed:
    """What contracts are paid for GPUs that no job was allocated."""
    rows = []
    for row in evidence.audit.contracts:
        left = None if row.used_gpu_hours is None else row.paid_gpu_hours - row.used_gpu_hours
        opens = figure("contract_unused", row.contract_id)
        rows.append(TraceRow(row.contract_id, (left, row.unused_per_month), opens))
    total = evidence.audit.unused_per_month
    return Listed(value=total, rows=rows, symbols=(Amount(total, "usd"),))


@WHY.lists(
    worded("Used of {name}"),
    writing.GPU_HOURS,
    worded("Used = Σ over workloads (GPU-hours served by this contract)"),
    (ASKED, TraceColumn(worded("Served by it\nGPU-h"), "gpu_hours")),
    trace.Adds(1),
    note=worded(
        "Hourly, committed contracts serve first, then the cheapest; workloads of a GPU model share them by "
        "GPU time. Other jobs ran elsewhere."
    ),
)
def contract_used(evidence: Evidence, scope: str, contract_id: str) -> Listed:
    """GPU-hours that one contract served, by workload."""
    hours, place, _, _ = evidence.contract(contract_id)
    value = gpu_hours(int(hours.served[place, evidence.inside(scope, hours.cluster)].sum()))
    rows = []
    for share in evidence.shares(scope, hours.cluster, place):
        key = evidence.project.workloads[share.place].key
        values = (share.asked, share.served_gpu_hours)
        rows.append(TraceRow(evidence.names[key], values, figure(trace.JOBS, key, scope)))
    symbols = (Amount(value, "gpu_hours"), worded(" GPU-h, {shares} workloads", shares=whole(len(rows))))
    return Listed(value=value, rows=rows, name=_in(contract_id, scope), symbols=symbols)


@WHY.explains(
    CONTRACT, "paid_gpu_hours", "idle_gpu_hours", "utilization", "unused_per_month", "break_even_utilization"
)
def contract_row(evidence: Evidence, scope: str, contract_id: str) -> Inputs:
    """What went into a contract's figures, over the window or some of its hours, with the offer it is
    measured against named.
    """
    hours, place, contract, row = evidence.contract(contract_id)
    given = row.inputs
    if scope:
        inside = evidence.inside(scope, hours.cluster)
        given = replace(
            given,
            run_s=int(run_seconds_by_hour(contract, evidence.project.window)[inside].sum()),
            paid=int(hours.capacity[place, inside].sum()),
            used=None if given.used is None else int(hours.served[place, inside].sum()),
        )
    labels: dict[str, Text] = {}
    if quoted := trace.quoted_words(contract, evidence.project.currency):
        keys = (*contract.rates, "committed_rate")
        labels = {key: joined((CONTRACT[key].name, " (", quoted, ")")) for key in keys}
    if given.on_demand is not None:
        offer = given.on_demand.offer_id
        labels["on_demand_rate"] = worded("cheapest fitting on-demand rate: {offer}", offer=offer)
    words = of_scope(scope_words(scope))
    return Inputs(values=given.exact, name=contract_id, scope=scope, scope_words=words, labels=labels)


@WHY.lists(
    worded("GPUs of {name}"),
    writing.GPUS,
    worded("GPUs stated in the contract"),
    OF_CONTRACTS,
    trace.Adds(1),
    said_as=worded("under contract"),
    note=AS_IMPORTED,
)
def contract_gpus(evidence: Evidence, scope: str, contract_id: str) -> Listed:
    """GPUs of one contract: an input."""
    _, _, contract, _ = evidence.contract(contract_id)
    rows = [TraceRow(contract_id, (contract.gpu_model or "unknown", contract.gpus))]
    return Listed(value=contract.gpus, rows=rows, name=contract_id, symbols=(Amount(contract.gpus, "gpus"),))


@WHY.gives("cluster_break_even")
def cluster_break_even(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What the contracts of a cluster cost over what their GPU-hours would cost on demand."""
    use = evidence.audit.use
    assert use is not None, "without use there is no break-even of a cluster"
    row = use.row(use_by.CLUSTERS, cluster)
    return break_even_of(evidence.audit, row, Inputs(values=row.inputs.exact, name=cluster))


def break_even_of(audit: result.Audit, row: use_by.Use, inputs: Inputs) -> Trace:
    """The break-even of a row of use, from the contracts that its rates are means of."""
    answer = explained(USE, "break_even_utilization", inputs)
    held = {contract.contract_id for contract in row.inputs.held}
    if len(held) < 2:
        alone = ((worded("Of contract {name}", name=name), figure("break_even", name)) for name in held)
        return replace(answer, more=tuple(alone))
    rows = []
    for contract in audit.contracts:
        if contract.contract_id in held and contract.paid_gpu_hours:
            given = Inputs(values=contract.inputs.exact, name=contract.contract_id)
            values = tuple(quantity_of(CONTRACT, key, given).number for key in OF_BREAK_EVEN)
            rows.append(TraceRow(contract.contract_id, values, figure("break_even", contract.contract_id)))
    columns = tuple(trace.column_of(CONTRACT[key], is_short=False) for key in OF_BREAK_EVEN)
    return replace(answer, columns=columns, rows=tuple(rows), arrival=trace.Divides(1, 2))
