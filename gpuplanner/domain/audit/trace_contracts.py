"""Traces of contracts: used, paid and idle GPU-hours, the 40% line, break-even, and what is paid unused."""

from gpuplanner.domain.audit.trace import (
    JOBS,
    Adds,
    Divides,
    Multiplies,
    Quantity,
    Quotient,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
)
from gpuplanner.domain.audit.trace_money import (
    A_MONTH,
    DOLLARS,
    GPU_HOURS,
    RATE,
    priced_per_month,
    quantity_of,
)
from gpuplanner.domain.audit.trace_use import ASKED, gpu_hours, of_scope, ratio
from gpuplanner.domain.audit.trail import Trail, scope_words
from gpuplanner.domain.audit.utilization import FLAG_PERCENT
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.worded import worded


def below_40(trail: Trail, scope: str, subject: str) -> Trace:
    """How many contracts are used less than 40%."""
    rows = tuple(
        TraceRow(
            row.contract_id,
            (
                row.used_gpu_hours,
                row.committed_gpu_hours,
                row.utilization,
                row.break_even_utilization,
                int(row.below_40_percent or False),
            ),
            figure("contract_utilization", row.contract_id),
        )
        for row in trail.audit.contracts
    )
    count = sum(bool(row.below_40_percent) for row in trail.audit.contracts)
    return Trace(
        figure("below_40"),
        worded("Under 40%"),
        count,
        "count",
        worded("of {rows}", rows=len(rows)),
        worded(
            "Flag when 100 \u00d7 used GPU-h < {flag_percent} \u00d7 paid GPU-h", flag_percent=FLAG_PERCENT
        ),
        (Quantity(count, "count"), worded(" of {rows} contracts", rows=len(rows))),
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


def unused_of_all(trail: Trail, scope: str, subject: str) -> Trace:
    """What contracts are paid for GPUs that no job was allocated."""
    rows = tuple(
        TraceRow(
            row.contract_id,
            (
                None if row.used_gpu_hours is None else row.committed_gpu_hours - row.used_gpu_hours,
                row.unused_usd_per_month,
            ),
            figure("contract_unused", row.contract_id),
        )
        for row in trail.audit.contracts
    )
    total = known_sum(row.unused_usd_per_month for row in trail.audit.contracts)
    return Trace(
        figure("contracts_unused"),
        worded("Unused of all contracts"),
        total,
        "usd",
        worded("per month"),
        worded("Unused = \u03a3 over contracts of (paid \u2212 used GPU-hours) \u00d7 rate"),
        (Quantity(total, "usd"),),
        (GPU_HOURS, DOLLARS),
        rows,
        Adds(1),
        A_MONTH,
    )


def used(trail: Trail, scope: str, contract_id: str) -> Trace:
    """GPU-hours that one contract served, by workload."""
    hours, place, _, _ = trail.contract(contract_id)
    inside = trail.inside(scope, hours.cluster)
    value = gpu_hours(int(hours.served[place, inside].sum()))
    shares = trail.shares(scope, hours.cluster, place)
    return Trace(
        figure("contract_used", contract_id, scope),
        worded("Used of {contract_id}{scope}", contract_id=contract_id, scope=of_scope(scope_words(scope))),
        value,
        "gpu_hours",
        worded("GPU-h in the window"),
        worded("Used = \u03a3 over workloads of what this contract served of their GPU-hours"),
        (Quantity(value, "gpu_hours"), worded(" GPU-h, {shares} workloads", shares=len(shares))),
        (ASKED, TraceColumn(worded("Served by it\nGPU-h"), "gpu_hours")),
        tuple(
            TraceRow(
                trail.names[trail.project.workloads[share.place].key],
                (share.asked, share.served_gpu_hours),
                figure(JOBS, trail.project.workloads[share.place].key, scope),
            )
            for share in shares
        ),
        Adds(1),
        worded(
            "Hour by hour: contracts serve in merit order, committed first, then the lower rate; workloads of a GPU "
            "model share what it was served by their GPU time. The rest of a workload's jobs ran on other contracts."
        ),
    )


def utilization(trail: Trail, scope: str, contract_id: str) -> Trace:
    """Used over paid of one contract."""
    hours, place, _, row = trail.contract(contract_id)
    inside = trail.inside(scope, hours.cluster)
    top, bottom = (int(amount[place, inside].sum()) for amount in (hours.served, hours.capacity))
    flag = 100 * top < 40 * bottom
    return Trace(
        figure("contract_utilization", contract_id, scope),
        worded("Utilization of {contract_id}", contract_id=contract_id),
        row.utilization if not scope else top / bottom if bottom else None,
        "share",
        "",
        worded("Utilization = GPU-hours allocated to jobs \u00f7 GPU-hours paid for"),
        ratio(gpu_hours(top), gpu_hours(bottom)),
        (TraceColumn("GPU-h", "gpu_hours"),),
        (
            TraceRow(worded("Used by jobs"), (gpu_hours(top),), figure("contract_used", contract_id, scope)),
            TraceRow(worded("Paid for"), (gpu_hours(bottom),)),
        ),
        Quotient(0),
        (
            worded("Flagged when 100 \u00d7 used < 40 \u00d7 paid; exactly 40% is not. It is flagged.")
            if flag
            else worded(
                "Flagged when 100 \u00d7 used < 40 \u00d7 paid; exactly 40% is not. It is not flagged."
            )
        ),
    )


def gpus(trail: Trail, scope: str, contract_id: str) -> Trace:
    """GPUs of one contract: an input."""
    _, _, contract, _ = trail.contract(contract_id)
    return Trace(
        figure("contract_gpus", contract_id),
        worded("GPUs of {contract_id}", contract_id=contract_id),
        contract.gpus,
        "gpus",
        worded("under contract"),
        worded("GPUs as the contract states them"),
        (Quantity(contract.gpus, "gpus"),),
        (TraceColumn(worded("GPU model"), "text"), TraceColumn("GPUs", "gpus")),
        (TraceRow(contract_id, (contract.gpu_model or "unknown", contract.gpus)),),
        Adds(1),
        worded("From the contracts as they were imported."),
    )


def paid_hours(trail: Trail, scope: str, contract_id: str) -> Trace:
    """GPU-hours that one contract was paid for: its GPUs times the hours it ran."""
    hours, place, contract, _ = trail.contract(contract_id)
    offered = int(hours.capacity[place, trail.inside(scope, hours.cluster)].sum())
    ran = gpu_hours(offered) / contract.gpus
    return Trace(
        figure("contract_paid_hours", contract_id, scope),
        worded(
            "Paid GPU-hours of {contract_id}{scope}",
            contract_id=contract_id,
            scope=of_scope(scope_words(scope)),
        ),
        gpu_hours(offered),
        "gpu_hours",
        worded("GPU-h in the window"),
        worded("Paid GPU-hours = GPUs \u00d7 hours it ran"),
        (Quantity(contract.gpus, "gpus"), " \u00d7 ", Quantity(ran, "hours"), " = ", quantity_of(offered)),
        (TraceColumn(worded("Value"), "gpus"),),
        (
            TraceRow("GPUs", (Quantity(contract.gpus, "gpus"),)),
            TraceRow(worded("Hours"), (Quantity(ran, "hours"),)),
        ),
        Multiplies(0),
        worded("GPUs and dates are those of the contract, as it was imported."),
    )


def idle_hours(trail: Trail, scope: str, contract_id: str) -> Trace:
    """GPU-hours that one contract was paid for and did not serve, in some hours."""
    hours, place, _, _ = trail.contract(contract_id)
    inside = trail.inside(scope, hours.cluster)
    offered, taken = (int(amount[place, inside].sum()) for amount in (hours.capacity, hours.served))
    return Trace(
        figure("contract_idle_hours", contract_id, scope),
        worded(
            "Idle GPU-hours of {contract_id}{scope}",
            contract_id=contract_id,
            scope=of_scope(scope_words(scope)),
        ),
        gpu_hours(offered - taken),
        "gpu_hours",
        worded("GPU-h in the window"),
        worded("Idle GPU-hours = paid \u2212 used"),
        (quantity_of(offered), " \u2212 ", quantity_of(taken), " = ", quantity_of(offered - taken)),
        (GPU_HOURS,),
        (
            TraceRow(
                worded("Paid for"), (gpu_hours(offered),), figure("contract_paid_hours", contract_id, scope)
            ),
            TraceRow(
                worded("Used by jobs"), (-gpu_hours(taken),), figure("contract_used", contract_id, scope)
            ),
        ),
        Adds(0),
    )


def unused(trail: Trail, scope: str, contract_id: str) -> Trace:
    """What a contract is paid for GPUs that no job was allocated, a month."""
    hours, place, contract, row = trail.contract(contract_id)
    offered, taken = (int(amount[place].sum()) for amount in (hours.capacity, hours.served))
    dollars = [
        priced_per_month(gpu_hours(amount), contract.rate, trail.months) for amount in (offered, -taken)
    ]
    return Trace(
        figure("contract_unused", contract_id),
        worded("Unused of {contract_id}", contract_id=contract_id),
        row.unused_usd_per_month,
        "usd",
        worded("per month"),
        worded("Unused = (paid \u2212 used GPU-hours) \u00d7 rate"),
        (
            Quantity(gpu_hours(offered - taken), "gpu_hours"),
            worded(" GPU-h \u00d7 "),
            Quantity(contract.rate, "rate"),
            worded(" \u00f7 {months} months = ", months=f"{trail.months:.4g}"),
            Quantity(row.unused_usd_per_month, "usd"),
        ),
        (GPU_HOURS, RATE, DOLLARS),
        (
            TraceRow(
                worded("Paid for"),
                (gpu_hours(offered), contract.rate, dollars[0]),
                figure("contract_paid_hours", contract_id),
            ),
            TraceRow(
                worded("Used by jobs"),
                (-gpu_hours(taken), contract.rate, dollars[1]),
                figure("contract_used", contract_id),
            ),
        ),
        Adds(2),
        A_MONTH,
    )


def break_even(trail: Trail, scope: str, contract_id: str) -> Trace:
    """The rate of a contract over the cheapest on-demand rate that its pool may use."""
    _, _, contract, row = trail.contract(contract_id)
    rate, share = contract.rate, row.break_even_utilization
    on_demand = None if share is None or rate is None else rate / share
    offer = next(
        (one.offer_id for one in trail.project.offers if one.rate is not None and one.rate == on_demand), ""
    )
    return Trace(
        figure("break_even", contract_id),
        worded("Break-even of {contract_id}", contract_id=contract_id),
        share,
        "share",
        "",
        worded("Break-even utilization = rate paid \u00f7 cheapest on-demand rate that fits"),
        (
            Quantity(rate, "rate"),
            " \u00f7 ",
            Quantity(on_demand, "rate"),
            " = ",
            Quantity(share, "share"),
        ),
        (TraceColumn(worded("$ per GPU-h"), "rate"),),
        (
            TraceRow(worded("Rate of {contract_id}", contract_id=contract_id), (rate,)),
            TraceRow(worded("On demand{offer}", offer=": " + offer if offer else ""), (on_demand,)),
        ),
        Quotient(0),
        worded(
            "Used less than this, the GPUs would be cheaper by the hour. Both rates are inputs: contracts and prices."
        ),
    )


def cluster_break_even(trail: Trail, scope: str, cluster: str) -> Trace:
    """What the contracts of a cluster cost over what their GPU-hours would cost on demand."""
    rows = []
    for row in trail.audit.contracts:
        contract = trail.contract(row.contract_id)[2]
        if row.cluster != cluster or not row.committed_gpu_hours:
            continue
        rate, share, months = contract.rate, row.break_even_utilization, trail.months
        on_demand = None if share is None or rate is None else rate / share
        rows.append(
            TraceRow(
                row.contract_id,
                (
                    row.committed_gpu_hours,
                    None if rate is None else rate * row.committed_gpu_hours / months,
                    None if on_demand is None else on_demand * row.committed_gpu_hours / months,
                    share,
                ),
                figure("break_even", row.contract_id),
            )
        )
    use = trail.audit.use
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
        (Quantity(share, "share"), worded(" of {cluster}", cluster=cluster)),
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
