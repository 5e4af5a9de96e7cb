"""Traces of the layers of a plan: GPUs, how well they are used, their rates, break-evens and dollars."""

from gpuplanner.domain.audit.evidence.trace import Amount, Divides, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import over, product, read, summed
from gpuplanner.domain.commitment.evidence.plan_evidence import (
    ALL,
    PlanEvidence,
    layers_in,
    part_of,
    row_subject,
)
from gpuplanner.domain.commitment.result import Layer, PoolPlan
from gpuplanner.domain.commitment.uncertainty.screening import ScreenedTerm, screening_of
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.domain.model.worded import worded

COLUMNS = (
    TraceColumn("GPUs", "gpus"),
    TraceColumn(worded("$ per\nGPU-h"), "rate"),
    TraceColumn(worded("$ per\nmonth"), "usd"),
)
HOURS = (
    TraceColumn(worded("Used GPU-h\nper month"), "gpu_hours"),
    TraceColumn(worded("Paid GPU-h\nper month"), "gpu_hours"),
    TraceColumn(worded("Used"), "share"),
)
BY_USE_WORDS = {
    "use-standard": worded("on demand"),
    "use-dynamic": worded("spot"),
    "use-mixed": worded("on demand and spot"),
}
BY_USE_MEAN = worded("GPUs of what is paid by use are a mean over the window's hours.")


def row_name(plan: PoolPlan, part: str) -> str:
    """A row of layers: Inference H100, 36 months; Training A100, on demand."""
    row = worded("all layers") if part == ALL else _words(part)
    return worded(
        "{pool} {gpu_model}, {row}",
        pool=worded(plan.pool.capitalize()),
        gpu_model=plan.gpu_model or worded("unknown model"),
        row=row,
    )


def _words(part: str) -> str:
    if part.isdecimal():
        return worded("1 month") if part == "1" else worded("{part} months", part=part)
    return BY_USE_WORDS.get(part.lower(), part)


def _rows(plan: PoolPlan, layers: tuple[Layer, ...], part: str) -> tuple[TraceRow, ...]:
    return tuple(
        TraceRow(
            _words(part_of(layer))
            + (worded(", {offer_id}", offer_id=layer.offer_id) if layer.offer_id else ""),
            (layer.mean_gpus, layer.rate_usd_per_gpu_hour, layer.usd_per_month),
            figure("layer_usd", row_subject(plan, part_of(layer))) if part == ALL else "",
        )
        for layer in layers
    )


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
        note=BY_USE_MEAN,
    )


def layer_used(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Share of the paid GPU-hours that demand fills."""
    plan, part = evidence.plan(subject)
    title = worded("Used: {plan}", plan=row_name(plan, part))
    if part == ALL:
        gpus = sum(layer.mean_gpus for layer in plan.layers)
        value = min(1.0, plan.mean_gpus / gpus) if gpus else None
        return over(
            figure("layer_used", subject),
            title,
            value,
            "share",
            worded("Used = mean GPUs of the demand \u00f7 GPUs paid for"),
            (worded("Mean GPUs of the demand"), plan.mean_gpus if value != 1.0 else gpus),
            (worded("GPUs paid for"), gpus),
            ("gpus", "gpus"),
        )
    layers = layers_in(plan, part)
    used = [layer.gpus * (layer.utilization or 0.0) * HOURS_PER_MONTH for layer in layers]
    paid = [layer.gpus * HOURS_PER_MONTH for layer in layers]
    value = sum(used) / sum(paid) if sum(paid) else None
    rows = tuple(
        TraceRow(
            _words(part_of(layer))
            + (worded(", {offer_id}", offer_id=layer.offer_id) if layer.offer_id else ""),
            (top, low, top / low),
        )
        for layer, top, low in zip(layers, used, paid, strict=True)
        if low
    )
    return Trace(
        figure("layer_used", subject),
        title,
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
        rate = next((layer.rate_usd_per_gpu_hour for layer in layers), None)
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
    usd = known_sum(layer.usd_per_month for layer in layers)
    hours = HOURS_PER_MONTH * sum(layer.mean_gpus for layer in layers)
    return over(
        figure("layer_rate", subject),
        title,
        usd / hours if usd is not None and hours else None,
        "rate",
        worded("Mean rate = $ per month \u00f7 (GPUs \u00d7 730 h)"),
        (worded("$ per month"), usd),
        (worded("GPU-hours per month"), hours),
        ("usd", "gpu_hours"),
    )


def layer_usd(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """$ a month of a row."""
    plan, part = evidence.plan(subject)
    layers = layers_in(plan, part)
    value = known_sum(layer.usd_per_month for layer in layers) if layers else 0.0
    return summed(
        figure("layer_usd", subject),
        worded("Cost: {plan}", plan=row_name(plan, part)),
        value,
        "usd",
        worded("Cost = \u03a3 over layers of GPUs \u00d7 rate \u00d7 730 h"),
        _rows(plan, layers, part),
        columns=COLUMNS,
        column=2,
        said_as=worded("per month"),
    )


def _term(evidence: PlanEvidence, subject: str) -> tuple[float, ScreenedTerm]:
    plan, part = evidence.plan(subject)
    screening = screening_of(plan)
    assert screening is not None
    return screening.by_use_usd, next(term for term in screening.terms if str(term.term_months) == part)


def break_even(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """From which share of busy hours a term is cheaper than paying by use."""
    plan, part = evidence.plan(subject)
    by_use, term = _term(evidence, subject)
    return over(
        figure("term_break_even", subject),
        worded("Break-even: {plan}", plan=row_name(plan, part)),
        term.break_even,
        "share",
        worded(
            "Break-even = $ a month of one GPU for the term, with the churn and price fall it bears \u00f7 "
            "$ a month of one that is paid by use and busy all the time"
        ),
        (worded("One GPU for the term, as it is compared"), term.level_usd),
        (worded("One GPU by use, busy all the time"), by_use),
        ("usd", "usd"),
        note=worded(
            "A rule of thumb. The advice itself looks at every month of the horizon, slice by slice."
        ),
    )


def compared(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """$ a month of one GPU for a term, as it is compared with paying by use."""
    by_use, term = _term(evidence, subject)
    return product(
        figure("compared", subject),
        worded("One GPU as it is compared"),
        term.level_usd,
        "usd",
        worded("As compared = $ a month of one GPU paid by use \u00d7 break-even of the term"),
        (
            (worded("One GPU by use, busy all the time"), by_use, "usd"),
            ("Break-even", term.break_even, "share"),
        ),
        said_as=worded("per month"),
        note=worded(
            "It stands above 730 h \u00d7 rate by what churn and the fall of prices cost over the term."
        ),
    )


def one_gpu(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """$ a month of one GPU for a term."""
    _, term = _term(evidence, subject)
    return product(
        figure("one_gpu", subject),
        worded("One GPU, {offer_id}", offer_id=term.offer_id),
        term.rate_usd_per_gpu_hour * HOURS_PER_MONTH,
        "usd",
        worded("One GPU = rate \u00d7 730 h"),
        (
            (worded("$ per GPU-hour"), term.rate_usd_per_gpu_hour, "rate"),
            (worded("Hours in a month"), HOURS_PER_MONTH, "hours"),
        ),
        said_as=worded("per month"),
    )


def value(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """What a layer saves beside paying its GPU-hours on demand. scope: on_demand, layer or value."""
    plan, part = evidence.plan(subject)
    layers = [layer for layer in plan.layers if layer.value_usd_per_month is not None]
    mine = [layer for layer in layers if part == ALL or str(plan.layers.index(layer)) == part]
    rows = tuple(
        TraceRow(_words(part_of(layer)), (_on_demand(layer), layer.usd_per_month, layer.value_usd_per_month))
        for layer in mine
    )
    columns = (
        TraceColumn(worded("On demand\n$ per month"), "usd"),
        TraceColumn(worded("Layer\n$ per month"), "usd"),
        TraceColumn(worded("Value\n$ per month"), "usd"),
    )
    at = ("on_demand", "layer", "value").index(scope)
    total = known_sum(_part(layer, scope) for layer in mine)
    words = {
        "on_demand": worded("On demand = the layer's GPU-hours \u00d7 on-demand rate"),
        "layer": worded("Layer = GPUs \u00d7 rate \u00d7 730 h"),
        "value": worded("Value = its GPU-hours on demand \u2212 what the layer costs"),
    }[scope]
    title = {"on_demand": worded("On demand"), "layer": worded("Cost"), "value": worded("Value")}[scope]
    name = worded("all layers") if part == ALL else _words(part_of(mine[0])) if mine else part
    return summed(
        figure("value", subject, scope),
        worded("{title}: {name}", title=title, name=name),
        total,
        "usd",
        words,
        rows,
        columns=columns,
        column=at,
        said_as=worded("per month"),
    )


def _part(layer: Layer, scope: str) -> float | None:
    """$ a month of a layer, of its GPU-hours on demand, or of the difference."""
    known = {"on_demand": _on_demand(layer), "layer": layer.usd_per_month, "value": layer.value_usd_per_month}
    return known[scope]


def _on_demand(layer: Layer) -> float:
    return (layer.usd_per_month or 0.0) + (layer.value_usd_per_month or 0.0)
