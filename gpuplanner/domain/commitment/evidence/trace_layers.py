"""Traces of the layers of a plan: GPUs, how well they are used, their rates, break-evens and dollars."""

from collections.abc import Callable
from dataclasses import replace

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Amount, Divides, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import read, summed
from gpuplanner.domain.commitment.evidence.plan_evidence import (
    ALL,
    PlanEvidence,
    layers_in,
    part_of,
    row_subject,
)
from gpuplanner.domain.commitment.layer_figures import INPUTS, TERM_INPUTS, mean_paid_gpus, together, used_of
from gpuplanner.domain.commitment.result import BreakEven, Layer, PoolPlan
from gpuplanner.domain.commitment.words.term_names import term_name
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.layer import LAYER, TERM
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.term_words import term_words
from gpuplanner.domain.model.pool import POOL_TITLES
from gpuplanner.domain.model.window import HOURS_PER_MONTH

Answer = Callable[[PlanEvidence, str, str], Trace]

COLUMNS = (
    TraceColumn("GPUs", "gpus"),
    TraceColumn(worded("$ per\nGPU-h"), "rate"),
    TraceColumn(worded("$ per\nmonth"), "usd"),
)
HOURS = (
    TraceColumn(worded("Used GPU-h\nper month"), "gpu_hours"),
    TraceColumn(worded("Paid GPU-h\nper month"), "gpu_hours"),
    TraceColumn(titles.USED, "share"),
)
PAID = (
    TraceColumn("GPUs", "gpus"),
    TraceColumn(titles.HOURS_PAID, "hours"),
    TraceColumn(worded("Paid GPU-h\nper month"), "gpu_hours"),
)
VALUES = {"on_demand": "on_demand_per_month", "layer": "cost_per_month", "value": "value_per_month"}
"""What of a layer's value is asked about -> the figure."""
VALUE_COLUMNS = (
    TraceColumn(worded("On demand\n$ per month"), "usd"),
    TraceColumn(worded("Layer\n$ per month"), "usd"),
    TraceColumn(worded("Value\n$ per month"), "usd"),
)
BY_USE_WORDS = {
    "use-standard": worded("on demand"),
    "use-dynamic": worded("spot"),
    "use-mixed": worded("on demand and spot"),
}


def row_name(plan: PoolPlan, part: str) -> Message:
    """A row of layers: Inference H100, 36 months; Training A100, on demand."""
    return _in_row(plan, worded("all layers") if part == ALL else _words(plan, part))


def _in_row(plan: PoolPlan, row: Text) -> Message:
    return worded(
        "{pool} {gpu_model}, {row}",
        pool=POOL_TITLES[plan.pool],
        gpu_model=plan.gpu_model or worded("unknown model"),
        row=row,
    )


def _words(plan: PoolPlan, part: str) -> Text:
    if part.isdecimal():
        return term_name(plan, int(part))
    return BY_USE_WORDS.get(part.lower(), part)


def _layer_name(layer: Layer) -> Text:
    """A layer by itself: existing, its own term, or how it is paid by use."""
    if not layer.existing and layer.term_months:
        return term_words(layer.term_months, layer.term_days)
    part = part_of(layer)
    return BY_USE_WORDS.get(part.lower(), part)


def _name(layer: Layer) -> Text:
    """A layer among others of its row: its term, and its offer where it has one."""
    name = _layer_name(layer)
    return name if layer.offer_id is None else name + worded(", {offer_id}", offer_id=layer.offer_id)


def _rows(plan: PoolPlan, layers: tuple[Layer, ...], part: str) -> tuple[TraceRow, ...]:
    """Layers as rows of mean GPUs, rate and $; those of a whole row open their own."""
    return tuple(
        TraceRow(
            _name(layer),
            (layer.mean_gpus, layer.rate, layer.cost_per_month),
            figure("layer_usd", row_subject(plan, part_of(layer))) if part == ALL else "",
        )
        for layer in layers
    )


def _inputs(plan: PoolPlan, part: str, values: dict[str, float | None]) -> Inputs:
    """What went into the figures of a row; month_hours is the same for all."""
    return Inputs({**values, "month_hours": HOURS_PER_MONTH}, row_subject(plan, part), row_name(plan, part))


def layer_inputs(plan: PoolPlan, layer: Layer) -> Inputs:
    """What went into the figures of one layer."""
    return _inputs(plan, part_of(layer), {key: getattr(layer, key) for key in INPUTS})


def term_inputs(plan: PoolPlan, term: BreakEven) -> Inputs:
    """What went into the break-even of a term."""
    values = {key: getattr(term, key) for key in TERM_INPUTS}
    found = replace(
        _inputs(plan, str(term.term_months), values),
        title=_in_row(plan, term_words(term.term_months, term.term_days)),
    )
    is_quoted = term.spread_rate == term.rate  # nothing is paid upfront
    return replace(found, opens={"spread_rate": figure("offer_rate", term.offer_id)} if is_quoted else {})


def layer_gpus(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """GPUs of a row: bought, or the mean of those paid by use."""
    plan, part = evidence.plan(subject)
    layers = layers_in(plan, part)
    value = sum(layer.mean_gpus for layer in layers)
    words = worded(
        "GPUs = \u03a3 over layers; of those paid by use GPUs \u00d7 share of the hours that they are busy"
    )
    return summed(
        figure("layer_gpus", subject),
        worded("GPUs: {plan}", plan=row_name(plan, part)),
        value,
        "gpus",
        words,
        _rows(plan, layers, part),
        columns=COLUMNS,
        note=LAYER["mean_gpus"].note,
    )


def layer_paid(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours that layers pay for a month, used or not."""
    plan, part = evidence.plan(subject)
    layers = layers_in(plan, part)
    one = LAYER["paid_gpu_hours_per_month"]
    return summed(
        figure("layer_paid", subject),
        worded("{paid} of {plan}", paid=one.title, plan=row_name(plan, part)),
        together(layers)[one.key],
        one.unit.key,
        worded("Paid GPU-h = \u03a3 over layers of GPUs \u00d7 hours of a month that are paid"),
        tuple(
            TraceRow(_name(layer), (layer.mean_gpus, layer.paid_hours, layer.paid_gpu_hours_per_month))
            for layer in layers
        ),
        columns=PAID,
        column=2,
        said_as=worded("per month"),
    )


def layer_used(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Share of the paid GPU-hours that demand fills."""
    plan, part = evidence.plan(subject)
    layers = layers_in(plan, part)
    if part == ALL:
        gpus = mean_paid_gpus(layers)
        row = _inputs(plan, part, {"busy_gpus": min(plan.mean_gpus, gpus), "gpus": gpus})
        labels = {
            "busy_gpus": worded("mean GPUs of the demand, at most those paid for"),
            "gpus": LAYER["mean_gpus"].name,
        }
        is_of_months = all(layer.paid_hours == HOURS_PER_MONTH for layer in layers)
        opens = {"gpus": figure("layer_gpus", subject)} if is_of_months else {}  # of days: no sum of GPUs
        return explained(LAYER, "utilization", replace(row, labels=labels, opens=opens))
    if len(layers) == 1:
        return explained(LAYER, "utilization", layer_inputs(plan, layers[0]))
    used = [layer.busy_gpus * layer.paid_hours for layer in layers]
    paid = [layer.gpus * layer.paid_hours for layer in layers]
    value = used_of(layers)
    rows = tuple(
        TraceRow(_name(layer), (top, low, layer.utilization))
        for layer, top, low in zip(layers, used, paid, strict=True)
        if low
    )
    return Trace(
        figure("layer_used", subject),
        worded("{used} of {plan}", used=LAYER["utilization"].title, plan=row_name(plan, part)),
        value,
        "share",
        "",
        worded(
            "Used = GPU-hours that demand fills \u00f7 GPU-hours paid for; a layer serves what those under it leave"
        ),
        (
            Amount(sum(used), "gpu_hours"),
            " \u00f7 ",
            Amount(sum(paid), "gpu_hours"),
            " = ",
            Amount(value, "share"),
        ),
        HOURS,
        rows,
        Divides(0, 1),
    )


def layer_rate(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """$ per GPU-hour: of an offer, or the mean of several layers."""
    plan, part = evidence.plan(subject)
    layers = layers_in(plan, part)
    title = worded("$ per GPU-h: {plan}", plan=row_name(plan, part))
    bought = [layer for layer in layers if layer.mean_gpus]
    if len(bought) <= 1 and part != ALL:
        offer_id = next((layer.offer_id for layer in layers if layer.offer_id), None) or next(
            (one.offer_id for one in plan.break_even if str(one.term_months) == part), None
        )
        rate = next((layer.rate for layer in layers), None)
        if rate is None and offer_id is not None:
            rate = next((offer.rate for offer in plan.offers if offer.offer_id == offer_id), None)
        source = (
            worded("offer {offer_id}", offer_id=offer_id)
            if offer_id
            else worded("the contracts that serve it, by GPU time")
        )
        opens = figure("offer_rate", offer_id) if offer_id and layers and not layers[0].spot_share else ""
        known = opens if any(offer.offer_id == offer_id for offer in evidence.offers) else ""
        note = worded("Lost work of spot is in it.") if layers and layers[0].spot_share else ""
        return read(figure("layer_rate", subject), title, rate, "rate", source, opens=known, note=note)
    found = explained(LAYER, "mean_rate", _inputs(plan, part, together(layers)))
    return replace(found, figure_id=figure("layer_rate", subject))


def layer_usd(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """$ a month of a row."""
    plan, part = evidence.plan(subject)
    layers = layers_in(plan, part)
    if len(layers) == 1 and part != ALL:
        return explained(LAYER, "cost_per_month", layer_inputs(plan, layers[0]))
    return summed(
        figure("layer_usd", subject),
        worded("{cost} of {plan}", cost=LAYER["cost_per_month"].title, plan=row_name(plan, part)),
        known_sum(layer.cost_per_month for layer in layers) if layers else 0.0,
        "usd",
        worded("Cost = \u03a3 over layers of GPUs \u00d7 rate \u00d7 730 h"),
        _rows(plan, layers, part),
        columns=COLUMNS,
        column=2,
        said_as=worded("per month"),
    )


def of_term(key: str) -> Answer:
    """The answer about a figure of one GPU of a term. key: of TERM."""

    def answer(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
        plan, part = evidence.plan(subject)
        term = next(one for one in plan.break_even if str(one.term_months) == part)
        return explained(TERM, key, term_inputs(plan, term))

    return answer


def value(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What a layer saves beside paying its GPU-hours on demand. scope: on_demand, layer or value."""
    plan, part = evidence.plan(subject)
    layers = [layer for layer in plan.layers if layer.value_per_month is not None]
    mine = [layer for layer in layers if part == ALL or str(plan.layers.index(layer)) == part]
    key = VALUES[scope]
    if len(mine) == 1 and part != ALL:
        row = layer_inputs(plan, mine[0])
        return replace(explained(LAYER, key, row), figure_id=figure("value", subject, scope))
    rows = tuple(
        TraceRow(_layer_name(layer), (layer.on_demand_per_month, layer.cost_per_month, layer.value_per_month))
        for layer in mine
    )
    name = worded("all layers") if part == ALL else part
    return summed(
        figure("value", subject, scope),
        worded("{title}: {name}", title=LAYER[key].title, name=name),
        known_sum(getattr(layer, key) for layer in mine),
        "usd",
        worded("{title} = \u03a3 over layers", title=LAYER[key].title),
        rows,
        columns=VALUE_COLUMNS,
        column=list(VALUES).index(scope),
        said_as=worded("per month"),
    )
