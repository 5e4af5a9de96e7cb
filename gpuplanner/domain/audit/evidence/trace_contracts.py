"""Traces of contracts: used, paid and idle GPU-hours, the 40% line, break-even, and what is paid unused."""

from collections.abc import Callable
from dataclasses import replace

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence, scope_words
from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import (
    JOBS,
    Adds,
    Amount,
    Divides,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
)
from gpuplanner.domain.audit.evidence.trace_money import DOLLARS, GPU_HOURS
from gpuplanner.domain.audit.evidence.trace_use import ASKED, gpu_hours, of_scope
from gpuplanner.domain.audit.use.utilization import run_seconds_by_hour
from gpuplanner.domain.figures.use import A_MONTH_IS, CONTRACT, FLAG_PERCENT
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.worded import worded


def below_40(evidence: Evidence, scope: str, subject: str) -> Trace:
    """How many contracts are used less than 40%."""
    rows = tuple(
        TraceRow(
            row.contract_id,
            (
                row.used_gpu_hours,
                row.paid_gpu_hours,
                row.utilization,
                row.break_even_utilization,
                int(row.below_40_percent or False),
            ),
            figure("contract_utilization", row.contract_id),
        )
        for row in evidence.audit.contracts
    )
    count = sum(bool(row.below_40_percent) for row in evidence.audit.contracts)
    return Trace(
        figure("below_40"),
        worded("Under 40%"),
        count,
        "count",
        worded("of {rows}", rows=len(rows)),
        worded(
            "Flag when 100 \u00d7 used GPU-h < {flag_percent} \u00d7 paid GPU-h", flag_percent=FLAG_PERCENT
        ),
        (Amount(count, "count"), worded(" of {rows} contracts", rows=len(rows))),
        (
            TraceColumn("Used\nGPU-h", "gpu_hours"),
            TraceColumn("Paid\nGPU-h", "gpu_hours"),
            TraceColumn(worded("Utilization"), "share"),
            TraceColumn("Break-even", "share"),
            TraceColumn(worded("Flagged"), "count"),
        ),
        rows,
        Adds(4),
        worded("Exactly 40% is not flagged. Break-even is the rate paid \u00f7 the cheapest on-demand rate."),
    )


def unused_of_all(evidence: Evidence, scope: str, subject: str) -> Trace:
    """What contracts are paid for GPUs that no job was allocated."""
    rows = tuple(
        TraceRow(
            row.contract_id,
            (
                None if row.used_gpu_hours is None else row.paid_gpu_hours - row.used_gpu_hours,
                row.unused_per_month,
            ),
            figure("contract_unused", row.contract_id),
        )
        for row in evidence.audit.contracts
    )
    total = known_sum(row.unused_per_month for row in evidence.audit.contracts)
    return Trace(
        figure("contracts_unused"),
        worded("Unused of all contracts"),
        total,
        "usd",
        worded("per month"),
        worded("Unused = \u03a3 over contracts of (paid \u2212 used GPU-hours) \u00d7 rate"),
        (Amount(total, "usd"),),
        (GPU_HOURS, DOLLARS),
        rows,
        Adds(1),
        A_MONTH_IS,
    )


def used(evidence: Evidence, scope: str, contract_id: str) -> Trace:
    """GPU-hours that one contract served, by workload."""
    hours, place, _, _ = evidence.contract(contract_id)
    inside = evidence.inside(scope, hours.cluster)
    value = gpu_hours(int(hours.served[place, inside].sum()))
    shares = evidence.shares(scope, hours.cluster, place)
    return Trace(
        figure("contract_used", contract_id, scope),
        worded("Used of {contract_id}{scope}", contract_id=contract_id, scope=of_scope(scope_words(scope))),
        value,
        "gpu_hours",
        worded("GPU-h in the window"),
        worded("Used = \u03a3 over workloads of what this contract served of their GPU-hours"),
        (Amount(value, "gpu_hours"), worded(" GPU-h, {shares} workloads", shares=len(shares))),
        (ASKED, TraceColumn(worded("Served by it\nGPU-h"), "gpu_hours")),
        tuple(
            TraceRow(
                evidence.names[evidence.project.workloads[share.place].key],
                (share.asked, share.served_gpu_hours),
                figure(JOBS, evidence.project.workloads[share.place].key, scope),
            )
            for share in shares
        ),
        Adds(1),
        worded(
            "Hour by hour: contracts serve in merit order, committed first, then the lower rate; workloads of a GPU "
            "model share what it was served by their GPU time. The rest of a workload's jobs ran on other contracts."
        ),
    )


def of_contract(key: str) -> Callable[[Evidence, str, str], Trace]:
    """What explains a figure of one contract: its formula, called with what went into it."""

    def answer(evidence: Evidence, scope: str, contract_id: str) -> Trace:
        return explained(CONTRACT, key, _inputs(evidence, scope, contract_id))

    return answer


def _inputs(evidence: Evidence, scope: str, contract_id: str) -> Inputs:
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
    labels = {}
    if given.on_demand is not None:
        offer = given.on_demand.offer_id
        labels["on_demand_rate"] = worded("cheapest on-demand rate that fits: {offer}", offer=offer)
    return Inputs(
        given.exact,
        contract_id,
        scope=scope,
        scope_words=of_scope(scope_words(scope)),
        labels=labels,
    )


def gpus(evidence: Evidence, scope: str, contract_id: str) -> Trace:
    """GPUs of one contract: an input."""
    _, _, contract, _ = evidence.contract(contract_id)
    return Trace(
        figure("contract_gpus", contract_id),
        worded("GPUs of {contract_id}", contract_id=contract_id),
        contract.gpus,
        "gpus",
        worded("under contract"),
        worded("GPUs as the contract states them"),
        (Amount(contract.gpus, "gpus"),),
        (TraceColumn(worded("GPU model"), "text"), TraceColumn("GPUs", "gpus")),
        (TraceRow(contract_id, (contract.gpu_model or "unknown", contract.gpus)),),
        Adds(1),
        worded("From the contracts as they were imported."),
    )


def cluster_break_even(evidence: Evidence, scope: str, cluster: str) -> Trace:
    """What the contracts of a cluster cost over what their GPU-hours would cost on demand."""
    rows = []
    for row in evidence.audit.contracts:
        contract = evidence.contract(row.contract_id)[2]
        if row.cluster != cluster or not row.paid_gpu_hours:
            continue
        rate, share, months = contract.rate, row.break_even_utilization, evidence.months
        on_demand = None if share is None else row.inputs.on_demand_rate
        rows.append(
            TraceRow(
                row.contract_id,
                (
                    row.paid_gpu_hours,
                    None if rate is None else rate * row.paid_gpu_hours / months,
                    None if on_demand is None else on_demand * row.paid_gpu_hours / months,
                    share,
                ),
                figure("break_even", row.contract_id),
            )
        )
    use = evidence.audit.use
    found = None if use is None else next((one for one in use.clusters if one.name == cluster), None)
    share = None if found is None else found.break_even_utilization
    return Trace(
        figure("cluster_break_even", cluster),
        worded("Break-even of {cluster}", cluster=cluster),
        share,
        "share",
        "",
        worded(
            "Break-even utilization = what its contracts cost \u00f7 what their GPU-h would cost on demand"
        ),
        (Amount(share, "share"), worded(" of {cluster}", cluster=cluster)),
        (
            TraceColumn("Paid\nGPU-h", "gpu_hours"),
            TraceColumn(worded("Paid\n$ per month"), "usd"),
            TraceColumn(worded("On demand\n$ per month"), "usd"),
            TraceColumn("Break-even", "share"),
        ),
        tuple(rows),
        Divides(1, 2),
        worded("Used less than this, the GPUs would be cheaper by the hour."),
    )
