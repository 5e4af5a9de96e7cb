"""Traces of what a plan signs, of contracts, and of the parts of its spend."""

from dataclasses import replace

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import less, quoted_words, read, summed
from gpuplanner.domain.commitment.evidence.plan_evidence import (
    PlanEvidence,
    order_subject,
    part_of,
    row_subject,
)
from gpuplanner.domain.commitment.evidence.trace_layers import layer_inputs, row_name
from gpuplanner.domain.commitment.plan.orders import ORDER_INPUTS
from gpuplanner.domain.commitment.result import Order
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.layer import LAYER
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.typed import amount, whole
from gpuplanner.domain.figures.use import CONTRACT_MONTH
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.term_words import term_words

NOT_THERE = worded("Nothing of it is in the plan.")
SIGNED = (TraceColumn("GPUs", "gpus"), TraceColumn(worded("$ per\nmonth"), "usd"))
BOUND = (TraceColumn("GPUs", "gpus"), TraceColumn(worded("$ over\nthe term"), "usd"))


def _order(evidence: PlanEvidence, subject: str) -> Order:
    """Errors: StopIteration where the plan has no such order."""
    orders = evidence.advice.orders if evidence.advice is not None else ()
    return next(order for order in orders if order_subject(order) == subject)


def _name(order: Order) -> Message:
    return worded(
        "{gpus} {gpu_model} for {months}, {value}",
        gpus=whole(order.gpus),
        gpu_model=order.gpu_model or "GPUs",
        months=term_words(order.term_months, order.term_days),
        value=order.pool.value,
    )


def order_usd(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What an order costs a month."""
    order = _order(evidence, subject)
    note: Text = ""
    if order.upfront_per_gpu:
        note = worded(
            "${upfront} a GPU are paid upfront: spread over the term they are in the rate.",
            upfront=whole(order.upfront_per_gpu),
        )
    if order.is_bought:
        note = worded(
            "{usd} is due when they are bought: over their life it is in the rate, less what is left of it then.",
            usd=amount(order.due_at_once),
        )
    rate = worded("$ per GPU-hour, offer {offer_id}", offer_id=order.offer_id)
    values = {key: getattr(order, key) for key in ORDER_INPUTS}
    found = explained(
        ORDER, "cost_per_month", Inputs(values, subject, _name(order), labels={"rate": rate}), note
    )
    return replace(found, more=((worded("All to sign now"), figure("orders_usd")),))


def order_gpus(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """GPUs of an order: whole blocks of the layer, for as long as the advice keeps them."""
    order = _order(evidence, subject)
    source = worded(
        "the advice: layer of {term}, {value}",
        term=term_words(order.term_months, order.term_days),
        value=order.pool.value,
    )
    return read(
        figure("order_gpus", subject),
        _name(order),
        order.gpus,
        "gpus",
        source,
        note=worded("Offer {offer_id}.", offer_id=order.offer_id),
    )


def orders_usd(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What is due to be signed and begins in the plan's first month costs a month."""
    due = [order for order in evidence.due if order.is_in_first_month]
    rows = [
        TraceRow(_name(order), (order.gpus, order.cost_per_month), figure("order_usd", order_subject(order)))
        for order in due
    ]
    found = summed(
        figure("orders_usd"),
        worded("To sign now"),
        known_sum(order.cost_per_month for order in due),
        "usd",
        worded(
            "To sign now = \u03a3 over orders that are due and begin in the first month of GPUs \u00d7 rate \u00d7 "
            "hours of a month"
        ),
        rows,
        columns=SIGNED,
        column=1,
        said_as=worded("per month"),
    )
    return replace(found, more=((worded("What signing now binds"), figure("orders_bind")),))


def orders_bind(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What is due to be signed costs over its whole terms, and of GPUs that are bought over their life."""
    due = [order for order in evidence.due if order.is_certain]
    rows = [TraceRow(_name(order), (order.gpus, order.liability)) for order in due]
    at_once = known_sum(order.due_at_once for order in due)
    note = worded(
        "Of it {usd} is due on the day that it is signed or bought; the rest is paid month by month.",
        usd=amount(at_once or 0.0),
    )
    return summed(
        figure("orders_bind"),
        worded("What signing now binds"),
        known_sum(order.liability for order in due),
        "usd",
        worded(
            "What it binds = \u03a3 over orders that are due of GPUs \u00d7 (hours of the term \u00d7 rate + upfront)"
        ),
        rows,
        columns=BOUND,
        column=1,
        said_as=worded("over whole terms"),
        note=note if at_once is not None else "",
    )


def _contract(evidence: PlanEvidence, contract_id: str) -> Contract:
    return next(row for row in evidence.project.contracts if row.contract_id == contract_id)


def contract_usd(evidence: PlanEvidence, scope: str, contract_id: str) -> Trace:
    """What a contract costs a month; scope "ends": what the plan then pays less."""
    row = _contract(evidence, contract_id)
    note = quoted_words(row, evidence.project.currency)
    if not note and row.rate is None:
        note = worded("The contract has no rate: ask for a quote. It is not free.")
    key = "no_more_per_month" if scope == "ends" else "cost_per_month"
    inputs = Inputs(row.figure_inputs, contract_id, opens={"gpus": figure("contract_count", contract_id)})
    return explained(CONTRACT_MONTH, key, inputs, note)


def contract_count(evidence: PlanEvidence, scope: str, contract_id: str) -> Trace:
    """GPUs under a contract."""
    row = _contract(evidence, contract_id)
    return read(
        figure("contract_count", contract_id),
        worded("GPUs of {contract_id}", contract_id=contract_id),
        row.gpus,
        "gpus",
        worded("the contracts' file"),
    )


def contracts_usd(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What all contracts cost a month."""
    rows = [
        TraceRow(row.contract_id, (row.gpus, row.cost_per_month), figure("contract_usd", row.contract_id))
        for row in evidence.project.contracts
    ]
    total = known_sum(row.cost_per_month for row in evidence.project.contracts)
    return summed(
        figure("contracts_usd"),
        worded("All contracts"),
        total,
        "usd",
        worded("All contracts = \u03a3 of GPUs \u00d7 rate \u00d7 730 h"),
        rows,
        columns=SIGNED,
        column=1,
        said_as=worded("per month"),
        note=worded(
            "Those that ended or begin later are listed too; the audit counts each for the hours in which it ran."
        ),
    )


# The parts of the plan's spend


def _layer_rows(evidence: PlanEvidence, kind: str) -> list[TraceRow]:
    """Layers of one kind: existing, signed or by_use."""
    rows = []
    for plan in evidence.advice.pools if evidence.advice is not None else ():
        for layer in plan.layers:
            own = "existing" if layer.existing else "signed" if layer.term_months else "by_use"
            if kind in ("all", own):
                part = part_of(layer)
                name = row_name(plan, part)
                opens = figure("layer_usd", row_subject(plan, part))
                rows.append(TraceRow(name, (layer.cost_per_month,), opens))
    return rows


def _idle_rows(evidence: PlanEvidence) -> list[TraceRow]:
    """Existing GPUs that stand idle, $ a month by model; none before the advice is there."""
    return [
        TraceRow(
            worded("Existing and idle, {gpu_model}", gpu_model=idle.gpu_model or worded("unknown model")),
            (idle.cost_per_month,),
        )
        for idle in (evidence.advice.idle_existing if evidence.advice is not None else ())
    ]


def _total(rows: list[TraceRow]) -> float | None:
    """$ of rows; None where one is unknown."""
    return known_sum(row.values[0] for row in rows)  # type: ignore[misc]


def plan_usd(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """The plan's spend: every layer, and existing GPUs that stand idle."""
    rows = [*_layer_rows(evidence, "all"), *_idle_rows(evidence)]
    totals = evidence.advice.totals if evidence.advice is not None else None
    return summed(
        figure("plan_usd"),
        worded("Spend in the plan"),
        totals.plan if totals else None,
        "usd",
        worded("Plan = \u03a3 over layers of GPUs \u00d7 rate \u00d7 730 h + existing GPUs that stand idle"),
        rows,
        said_as=worded("per month"),
    )


def plan_contracts(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan pays of today's contracts, less what they cost now."""
    now = [
        TraceRow(
            worded("Today, {cluster}", cluster=row.cluster),
            (None if row.cost_per_month is None else -row.cost_per_month,),
        )
        for row in evidence.audit.clusters
    ]
    rows = [*_layer_rows(evidence, "existing"), *_idle_rows(evidence), *now]
    return summed(
        figure("plan_contracts"),
        worded("Contracts that end"),
        _total(rows),
        "usd",
        worded("Change = existing contracts in the plan, used and idle \u2212 what contracts cost today"),
        rows,
        said_as=worded("per month"),
    )


def plan_overflow(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What ran beyond the contracts: in the plan it runs in the layers."""
    rows = [
        TraceRow(
            worded("Less: {cluster}", cluster=row.cluster or worded("no cluster")),
            (less(row.overflow_per_month),),
            figure("overflow", row.cluster),
        )
        for row in evidence.audit.clusters
    ]
    return summed(
        figure("plan_overflow"),
        titles.OVERFLOW,
        _total(rows),
        "usd",
        worded("Overflow no more = \u2212 \u03a3 over clusters of overflow at on-demand rates"),
        rows,
        said_as=worded("per month"),
    )


def plan_signed(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """New commitments of the plan."""
    words = worded("Newly signed = \u03a3 over new commitments of GPUs \u00d7 rate \u00d7 730 h")
    return _new_layers(evidence, "signed", worded("Newly signed"), words)


def plan_by_use(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What the plan pays by use."""
    words = worded("Paid by use = \u03a3 of mean GPUs above the layers \u00d7 rate \u00d7 730 h")
    return _new_layers(evidence, "by_use", worded("Paid by use"), words)


def _new_layers(evidence: PlanEvidence, kind: str, title: Message, words: Message) -> Trace:
    """A sum over new layers of a kind; a note where there are none."""
    rows = _layer_rows(evidence, kind)
    return summed(
        figure(f"plan_{kind}"),
        title,
        _total(rows),
        "usd",
        words,
        rows,
        said_as=worded("per month"),
        note="" if rows else NOT_THERE,
    )


def spot_instead(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What spot changes in the spend of a row beside all of it on demand; below zero where it saves."""
    plan, part = evidence.plan(subject)
    (layer,) = [one for one in plan.layers if part_of(one) == part]
    return explained(LAYER, "beside_on_demand", layer_inputs(plan, layer))


def spot_saves(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What writing checkpoints at their best intervals saves on spot; a change of spend, so below zero."""
    worth = [one for one in evidence.spot if (one.saves_usd_per_month or 0.0) > 0]
    rows = [TraceRow(one.key, (-(one.saves_usd_per_month or 0.0),)) for one in worth]
    words = worded("Change = \u2212 \u03a3 over workloads of what their best interval saves")
    return summed(
        figure("spot_saves"),
        worded("Checkpoints on spot"),
        _total(rows),
        "usd",
        words,
        rows,
        said_as=worded("per month"),
    )
