"""Traces of contracts: used, paid and idle GPU-hours, the 40% line, break-even, and what is paid unused."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence, scope_words
from gpuplanner.domain.audit.evidence.explained import Inputs, explained, quantity_of
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
from gpuplanner.domain.audit.evidence.trace_forms import column_of, quoted_words
from gpuplanner.domain.audit.evidence.trace_money import DOLLARS, GPU_HOURS
from gpuplanner.domain.audit.evidence.trace_use import ASKED, gpu_hours, of_scope
from gpuplanner.domain.audit.result import Audit
from gpuplanner.domain.audit.use.use_by import CLUSTERS, Use
from gpuplanner.domain.audit.use.utilization import run_seconds_by_hour
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.figures.use import A_MONTH_IS, CONTRACT, FLAG_PERCENT
from gpuplanner.domain.figures.use_rows import USE
from gpuplanner.domain.message import Text, joined, worded

OF_BREAK_EVEN: Final = (
    "paid_gpu_hours",
    "committed_per_month",
    "on_demand_per_month",
    "break_even_utilization",
)
"""What is listed of the contracts behind a break-even."""


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
        titles.UNDER_40,
        count,
        "count",
        worded("of {rows}", rows=whole(len(rows))),
        worded(
            "Flag when 100 \u00d7 used GPU-h < {flag_percent} \u00d7 paid GPU-h",
            flag_percent=whole(FLAG_PERCENT),
        ),
        (Amount(count, "count"), worded(" of {rows} contracts", rows=whole(len(rows)))),
        (
            TraceColumn("Used\nGPU-h", "gpu_hours"),
            TraceColumn("Paid\nGPU-h", "gpu_hours"),
            TraceColumn(titles.UTILIZATION, "share"),
            TraceColumn(titles.BREAK_EVEN, "share"),
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
    total = evidence.audit.unused_per_month
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
        (Amount(value, "gpu_hours"), worded(" GPU-h, {shares} workloads", shares=whole(len(shares)))),
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
    if quoted := quoted_words(contract, evidence.project.currency):
        labels = {key: joined((CONTRACT[key].name, " (", quoted, ")")) for key in ("rate", "committed_rate")}
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
    use = evidence.audit.use
    assert use is not None, "without use there is no break-even of a cluster"
    row = use.row(CLUSTERS, cluster)
    found = break_even_of(evidence.audit, row, Inputs(row.inputs.exact, cluster))
    return replace(found, figure_id=figure("cluster_break_even", cluster))


def break_even_of(audit: Audit, row: Use, inputs: Inputs) -> Trace:
    """The break-even of a row of use, from the contracts that its rates are means of."""
    found = explained(USE, "break_even_utilization", inputs)
    held = {contract.contract_id for contract in row.inputs.held}
    if len(held) < 2:
        alone = ((worded("Of contract {name}", name=name), figure("break_even", name)) for name in held)
        return replace(found, more=tuple(alone))
    rows = []
    for contract in audit.contracts:
        if contract.contract_id in held and contract.paid_gpu_hours:
            given = Inputs(contract.inputs.exact, contract.contract_id)
            values = tuple(quantity_of(CONTRACT, key, given).number for key in OF_BREAK_EVEN)
            rows.append(TraceRow(contract.contract_id, values, figure("break_even", contract.contract_id)))
    return replace(
        found,
        columns=tuple(column_of(CONTRACT[key]) for key in OF_BREAK_EVEN),
        rows=tuple(rows),
        arrival=Divides(1, 2),
    )
