"""Answers about what a plan signs, about contracts, and about the parts of its spend."""

from typing import Final

from gpuplanner.domain.commitment.plan.layers import is_in_first_month
from gpuplanner.domain.commitment.plan.orders import ORDER_INPUTS, orders_by_row
from gpuplanner.domain.commitment.result import IF_IT_LASTS, Order
from gpuplanner.domain.commitment.words.spot import worth_saying
from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, Listed, explained
from gpuplanner.domain.evidence.plan.layers import PlanEvidence, idle_row, layer_row, order_subject
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.order import ORDER
from gpuplanner.domain.figures.typed import amount, day, whole
from gpuplanner.domain.figures.use import CONTRACT_MONTH
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract, in_force, term_words
from gpuplanner.domain.model.book.dollars import models_words
from gpuplanner.domain.reports.orders import REASONS

WHY: Final = Answers[PlanEvidence]()
NOT_THERE = worded("Not in the plan.")
SIGNED = (trace.GPUS, trace.MONEY)
SPENT = (trace.TraceColumn("GPUs", "decimal"), trace.MONEY)
"""Mean GPUs and $."""


def _order(evidence: PlanEvidence, subject: str) -> Order:
    """Errors: StopIteration where the plan has no such order."""
    orders = evidence.advice.orders if evidence.advice is not None else ()
    return next(order for order in orders if order_subject(order) == subject)


def order_name(order: Order) -> Message:
    """13 H100 for 12 months, inference; $100.00 per hour for 12 months, inference."""
    if order.usd_per_hour is not None:
        term = term_words(order.term_months, order.term_days)
        usd = amount(order.usd_per_hour, 2)
        return worded("{usd} per hour for {term}, {row}", usd=usd, term=term, row=order.pool.value)
    return worded(
        "{gpus} {model} for {months}, {value}",
        gpus=whole(order.gpus),
        model=order.gpu_model or "GPUs",
        months=term_words(order.term_months, order.term_days),
        value=order.pool.value,
    )


def order_row(order: Order, *values: trace.Number) -> trace.TraceRow:
    """An order, which opens what it costs."""
    return trace.TraceRow(order_name(order), values, trace.figure("order_usd", order_subject(order)))


WHY_NOW: Final = REASONS | {
    IF_IT_LASTS: worded("ordered only if demand lasts; only expected months include it")
}
"""Why an order starts when it does, as a sentence says it."""


def order_days(order: Order, evidence: PlanEvidence) -> Message:
    """From when to when it runs, by when to order it, why it starts then, and until when it is signed again."""
    advice = evidence.worked_out
    runs = worded(
        "Runs {start} to {end}, order by {order_by}: {reason}.",
        start=day(order.start_s),
        end=day(order.end_s - 1),
        order_by=day(order.last_day_s),
        reason=WHY_NOW.get(order.reason, order.reason),
    )
    row = next(row for row in orders_by_row(advice.orders) if row[0].row == order.row)
    if row[-1] is order:
        return runs
    again = worded("Ordered again until {day}.", day=day(row[-1].end_s - 1))
    return joined((runs, again), " ")


@WHY.explains(ORDER, "cost_per_month")
def order_usd(evidence: PlanEvidence, scope: str, subject: str) -> Inputs:
    """What an order costs a month."""
    order = _order(evidence, subject)
    note: Text = ""
    if order.upfront_per_gpu:
        note = worded(
            "The rate includes ${upfront} upfront per GPU, spread over the term.",
            upfront=whole(order.upfront_per_gpu),
        )
    if order.is_bought:
        note = worded(
            "{usd} is due at purchase; the rate spreads it over their life, less residual value.",
            usd=amount(order.due_at_once),
        )
    note = joined(filter(None, (order_days(order, evidence), note)), " ")
    rate = worded("$ per GPU-hour, offer {offer}", offer=order.offer_id)
    values, labels = {key: getattr(order, key) for key in ORDER_INPUTS}, {"rate": rate}
    if order.is_dollars:
        covers = worded(
            "Covers on-demand use of {models}, largest discount first; unused dollars are paid. Of the amounts "
            "tried, it makes the plan cheapest.",
            models=models_words(order.gpu_model or ""),
        )
        labels = {
            "bought_gpus": worded("commitment"),
            "rate": worded("$ per hour, offer {offer}", offer=order.offer_id),
        }
        note = joined((note, covers), " ")
    if order.rate is not None:
        values["rate"] = order.rate + order.extras_rate
    more = ((worded("All due now"), trace.figure("orders_usd")),)
    return Inputs(values=values, name=subject, title=order_name(order), labels=labels, note=note, more=more)


@WHY.gives("order_gpus")
def order_gpus(evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """GPUs of an order: whole blocks of the layer, for as long as the advice keeps them."""
    order = _order(evidence, subject)
    source = worded(
        "the advice: layer of {term}, {value}",
        term=term_words(order.term_months, order.term_days),
        value=order.pool.value,
    )
    note = joined((order_days(order, evidence), worded("Offer {offer}.", offer=order.offer_id)), " ")
    return trace.read(order_name(order), order.gpus, "gpus", source, note=note)


@WHY.sums(
    worded("Commit now"),
    writing.MONEY_PER_MONTH,
    worded("Order now = Σ over due first-month orders (GPUs × rate × month's hours)"),
    SIGNED,
    1,
)
def orders_usd(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """What is due to be signed and begins in the plan's first month costs a month."""
    due = [order for order in evidence.due if is_in_first_month(order, evidence.worked_out)]
    rows = [order_row(order, order.gpus, order.cost_per_month) for order in due]
    more = ((worded("Total commitment of orders due now"), trace.figure("orders_bind")),)
    return Listed(value=known_sum(order.cost_per_month for order in due), rows=rows, more=more)


@WHY.sums(
    worded("Total commitment of orders due now"),
    writing.MONEY,
    worded("Total commitment = Σ over due orders (GPUs × (term hours × rate + upfront))"),
    (trace.GPUS, trace.TraceColumn(worded("$ over\nthe term"), "usd")),
    1,
    said_as=worded("over whole terms"),
)
def orders_bind(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """What is due to be signed costs over its whole terms, and of GPUs that are bought over their life."""
    due = [order for order in evidence.due if order.is_certain]
    rows = [trace.TraceRow(order_name(order), (order.gpus, order.liability)) for order in due]
    at_once = known_sum(order.due_at_once for order in due)
    note = worded("{usd} is due at order, the rest monthly.", usd=amount(at_once or 0.0))
    return Listed(
        value=known_sum(order.liability for order in due), rows=rows, note=note if at_once is not None else ""
    )


# Contracts


def contract_row(contract: Contract, *values: trace.Number) -> trace.TraceRow:
    """A contract, which opens what it costs."""
    name = contract.contract_id
    return trace.TraceRow(name, values, trace.figure("contract_usd", name))


def _contract(evidence: PlanEvidence, contract_id: str) -> Contract:
    return next(row for row in evidence.project.contracts if row.contract_id == contract_id)


@WHY.gives("contract_usd")
def contract_usd(evidence: PlanEvidence, scope: str, contract_id: str) -> trace.Trace:
    """What a contract costs a month; scope "ends": what the plan then pays less."""
    row = _contract(evidence, contract_id)
    note = trace.quoted_words(row, evidence.project.currency)
    if not note and row.rate is None:
        note = worded("Contract without a rate, but not free: ask for a quote.")
    opens = {"gpus": trace.figure("contract_count", contract_id)}
    key = "no_more_per_month" if scope == "ends" else "cost_per_month"
    return explained(
        CONTRACT_MONTH, key, Inputs(values=row.figure_inputs, name=contract_id, opens=opens, note=note)
    )


@WHY.gives("contract_count")
def contract_count(evidence: PlanEvidence, scope: str, contract_id: str) -> trace.Trace:
    """GPUs under a contract."""
    title = worded("GPUs of {name}", name=contract_id)
    return trace.read(title, _contract(evidence, contract_id).gpus, "gpus", worded("the contracts' file"))


@WHY.sums(
    worded("All contracts"),
    writing.MONEY_PER_MONTH,
    worded("All contracts = Σ (GPUs × rate × 730 h)"),
    SIGNED,
    1,
    note=worded("Contracts in force at plan start; the audit counts hours run."),
)
def contracts_usd(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """What the contracts that run when plans begin cost a month."""
    contracts = in_force(evidence.project.contracts, evidence.project.plan_window.end_s)
    rows = [contract_row(row, row.gpus, row.cost_per_month) for row in contracts]
    return Listed(value=known_sum(row.cost_per_month for row in contracts), rows=rows)


# The parts of the plan's spend


def _layer_rows(evidence: PlanEvidence, kind: str) -> list[trace.TraceRow]:
    """Layers of one kind: existing, signed or by_use; none before the advice is there."""
    rows = []
    for plan, layer in evidence.layers if evidence.advice is not None else ():
        if layer.existing:
            own = "existing"
        elif layer.term_months:
            own = "signed"
        else:
            own = "by_use"
        if kind == own:
            rows.append(layer_row(plan, layer, layer.cost_per_month))
    return rows


def _idle_rows(evidence: PlanEvidence) -> list[trace.TraceRow]:
    """Existing GPUs that stand idle, $ a month by model; none before the advice is there."""
    existing = evidence.advice.idle_existing if evidence.advice is not None else ()
    return [idle_row(idle, idle.cost_per_month) for idle in existing]


OF_PLAN: Final = worded("Plan = Σ over layers (GPUs × rate × paid hours next month) + idle existing GPUs")


@WHY.sums(worded("Spend in the plan"), writing.MONEY_PER_MONTH, OF_PLAN, SPENT, 1)
def plan_usd(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """The plan's spend: every layer, and existing GPUs that stand idle."""
    value = evidence.advice.totals.plan if evidence.advice is not None else None
    return Listed(value=value, rows=spend_rows(evidence))


def spend_rows(evidence: PlanEvidence) -> list[trace.TraceRow]:
    """Layers, and existing GPUs that stand idle: mean GPUs and $ a month; none before the advice is there."""
    if evidence.advice is None:
        return []
    rows = [layer_row(plan, layer, layer.mean_gpus, layer.cost_per_month) for plan, layer in evidence.layers]
    return rows + [idle_row(idle, idle.gpus, idle.cost_per_month) for idle in evidence.advice.idle_existing]


@WHY.sums(
    worded("Contracts that end"),
    writing.MONEY_PER_MONTH,
    worded("Change = existing contracts in the plan, used and idle − contract cost today"),
)
def plan_contracts(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """What the plan pays of today's contracts, less what they cost now."""
    now = [
        trace.TraceRow(worded("Today, {cluster}", cluster=row.cluster), (trace.less(row.cost_per_month),))
        for row in evidence.audit.clusters
    ]
    rows = [*_layer_rows(evidence, "existing"), *_idle_rows(evidence), *now]
    return Listed(value=trace.sum_of(rows), rows=rows)


@WHY.sums(
    titles.OVERFLOW,
    writing.MONEY_PER_MONTH,
    worded("Overflow avoided = − Σ over clusters (overflow at on-demand rates)"),
)
def plan_overflow(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """What ran beyond the contracts: in the plan it runs in the layers."""
    rows = []
    for row in evidence.audit.clusters:
        name = trace.minus(row.cluster or worded("no cluster"))
        usd = trace.less(row.overflow_per_month)
        rows.append(trace.TraceRow(name, (usd,), trace.figure("overflow", row.cluster)))
    return Listed(value=trace.sum_of(rows), rows=rows)


NEW_LAYERS: Final = {
    "signed": (
        worded("Newly signed"),
        worded("New orders = Σ over new commitments (GPUs × rate × next month's hours from their start)"),
    ),
    "by_use": (worded("Paid on demand"), worded("On demand = Σ (mean GPUs above the layers × rate × 730 h)")),
}
"""New layers of a plan: what they are called, and what they cost in words."""


@WHY.gives_each({f"plan_{kind}": kind for kind in NEW_LAYERS})
def new_layers(kind: str, evidence: PlanEvidence, scope: str, subject: str) -> trace.Trace:
    """What a plan newly signs or pays by use; a note where there is none of it."""
    (title, words), rows = NEW_LAYERS[kind], _layer_rows(evidence, kind)
    note = "" if rows else NOT_THERE
    return trace.summed(title, trace.sum_of(rows), writing.MONEY_PER_MONTH, words, rows, note=note)


@WHY.sums(
    worded("Checkpoints on spot"),
    writing.MONEY_PER_MONTH,
    worded("Change = − Σ over workloads (savings at their best interval)"),
)
def spot_saves(evidence: PlanEvidence, scope: str, subject: str) -> Listed:
    """What writing checkpoints at their best intervals saves on spot; a change of spend, so below zero."""
    worth = worth_saying(evidence.outlook.spot)
    rows = [trace.TraceRow(saving.key, (-(saving.saves_usd_per_month or 0.0),)) for saving in worth]
    return Listed(value=trace.sum_of(rows), rows=rows)
