"""Answers about inference sizing: memory, replicas, GPUs, first token, GPU-hours and dollars of one sized row."""

from typing import Final

from gpuplanner.domain.evidence import trace
from gpuplanner.domain.evidence.answering import Answers, Inputs, explained
from gpuplanner.domain.figures import titles, writing
from gpuplanner.domain.figures.serving import BY_HOUR, FLAT, LEAK, NEEDED, SIZING
from gpuplanner.domain.figures.typed import decimals, percent, significant, whole, worded_whole
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing, ServingCost
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.lazy_dataclass import replace

ANSWERS: Final = Answers[EndpointSizing]()
answer = ANSWERS.answer
HELD_NAMES: Final = {
    FLAT: worded("Held flat for the peak"),
    NEEDED: SIZING["needed_per_month"].title,
    LEAK: worded("Peak-provisioning leak"),
    BY_HOUR: worded("Autoscaled, on demand"),
}
HELD: Final = {(one.why, one.why_scope): one.key for one in SIZING.figures if one.why_scope}
"""Kind and scope of an answer -> key of its figure."""


def _cost(sizing: EndpointSizing, subject: str) -> ServingCost:
    """A sized row with its $. Errors: KeyError where there is none."""
    cost = sizing.of_key(subject)
    if cost is None:
        raise KeyError(subject)
    return cost


def _title(what: Text, cost: ServingCost) -> Message:
    """What is asked, and of which row: GPUs, 2 x H100, fp8."""
    return worded("{what}, {cost}", what=what, cost=cost.row.shape)


@ANSWERS.gives("size_memory")
def memory(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """GB that a replica needs."""
    cost = _cost(sizing, subject)
    row, load = cost.row, sizing.load
    usable = (
        worded("not known")
        if row.usable_gb is None
        else worded("{usable_gb} GB", usable_gb=decimals(row.usable_gb))
    )
    note = worded(
        "Weights of {parameters} billion parameters; KV cache of at least {concurrency} requests of "
        "{tokens_per_request} tokens, or the longest of {longest_tokens}. Usable on its GPUs: {usable}, "
        "{usable_memory} of what they have.",
        parameters=decimals((0 if sizing.model is None else sizing.model.parameters) / 1000000000.0),
        concurrency=whole(sizing.terms.concurrency),
        tokens_per_request=whole(load.tokens_per_request),
        longest_tokens=whole(load.longest_tokens),
        usable=usable,
        usable_memory=percent(sizing.terms.usable_memory),
    )
    given = {"weights_gb": row.weights_gb, "cache_gb": row.cache_gb}
    found = explained(SIZING, "memory_gb", Inputs(given, subject, note=note))
    return replace(found, title=_title(SIZING["memory_gb"].title, cost))


@ANSWERS.gives("size_replicas")
def replicas(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """Replicas that the peak asks for."""
    cost = _cost(sizing, subject)
    row, headroom = cost.row, sizing.terms.headroom
    peak, mu = sizing.load.peak_requests_per_s, row.requests_per_s
    by = (
        ""
        if mu is None
        else worded(
            " \u00f7 ({headroom} \u00d7 {mu} requests/s of a replica)",
            headroom=percent(headroom),
            mu=significant(mu, 4),
        )
    )
    asked = worded("Peak of {peak} requests/s{by}", peak=significant(peak, 4), by=by)
    rows = (
        trace.TraceRow(asked, (row.replicas_asked,)),
        trace.TraceRow(
            worded(
                "In whole replicas, at least one with any traffic; {spare} of them spare",
                spare=whole(row.replicas_spare),
            ),
            (row.replicas_peak,),
        ),
    )
    source = sizing.load.source or worded("traffic")
    note = worded("Requests: {source}.", source=source)
    if row.why:
        note = worded("Requests: {source}; {why}.", source=source, why=row.why)
    return trace.listed(
        _title(titles.REPLICAS, cost),
        row.replicas_peak,
        writing.COUNT,
        worded(
            "Replicas = peak requests/s \u00f7 (headroom \u00d7 requests/s of a replica), rounded up, and spare ones"
        ),
        rows,
        (trace.TraceColumn(titles.REPLICAS, "exact"),),
        trace.Reached(),
        symbols=(
            trace.Amount(row.replicas_asked, "exact"),
            worded(", rounded up, with spare ones = "),
            trace.Amount(row.replicas_peak, "count"),
        ),
        note=note,
    )


def _explained(cost: ServingCost, key: str, subject: str, what: Text) -> trace.Trace:
    """A figure of a row by its formula; the rates are those of the offers. what: the figure, as the title says it."""
    offers = {"rate": cost.offer, "on_demand_rate": cost.on_demand}
    labels = {
        name: worded("$ per GPU-hour, no offer")
        if offer is None
        else worded("$ per GPU-hour, offer {offer_id}", offer_id=offer.offer_id)
        for name, offer in offers.items()
    }
    found = explained(SIZING, key, Inputs(cost.inputs, subject, labels=labels))
    return replace(found, title=_title(what, cost))


@ANSWERS.gives("size_gpus")
def gpus(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """GPUs of all replicas at the peak."""
    found = _explained(_cost(sizing, subject), "gpus_peak", subject, "GPUs")
    return replace(found, more=((titles.MEMORY, trace.figure("size_memory", subject)),))


@ANSWERS.gives("size_ttft")
def first_token(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """ms until the first token at the peak."""
    cost = _cost(sizing, subject)
    row, way_ms = cost.row, sizing.terms.way_ms
    given = {"way_ms": way_ms, "wait_ms": row.wait_ms, "prefill_ms": row.prefill_ms}
    note = worded(
        "No GPU shortens the way, {way_share} of it; {busy_at_peak} of the replicas are busy at the peak.",
        way_share=percent(row.way_share or 0),
        busy_at_peak=percent(row.busy_at_peak or 0, 1),
    )
    found = explained(SIZING, "ttft_ms", Inputs(given, subject, note=note))
    return replace(found, title=_title(SIZING["ttft_ms"].title, cost))


@ANSWERS.gives("size_tpot")
def per_token(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """ms between two tokens of a request, by the formula that is fitted on published measurements."""
    cost = _cost(sizing, subject)
    row, one = cost.row, SIZING["tpot_ms"]
    source = worded(
        "A step of {concurrency} requests at once, and the prompts that are read meanwhile: by the formula fitted on "
        "published measurements, of which eight in ten had {low} to {high} of its speed",
        concurrency=whole(row.concurrency or 0),
        low=significant(row.low or 0.0, 2),
        high=significant(row.high or 0.0, 2),
    )
    return trace.read(_title(one.title, cost), row.tpot_ms, one.unit.key, source)


@ANSWERS.gives("size_ratio")
def ratio(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """Another GPU model for the same work: its ratio and band, how many take the place of today's, and their $."""
    one = next((one for one in sizing.ratios if one.gpu_model == subject), None)
    if one is None:
        raise KeyError(subject)
    source = worded(
        "Tokens a second of one {gpu_model} over those of one {against}, each in its best shape in {precision} at "
        "{ms} ms a token: {ratio}, P10 {low}, P90 {high}; {source}. In place of {gpus} {against} at the rows' rate",
        gpu_model=one.gpu_model,
        against=one.against,
        precision=one.precision,
        ms=decimals(one.tpot_ms),
        ratio=significant(one.ratio, 3),
        low=significant(one.low, 3),
        high=significant(one.high, 3),
        source=one.source,
        gpus=decimals(one.gpus),
    )
    title = worded("{gpu_model} for the work of {against}", gpu_model=one.gpu_model, against=one.against)
    value = one.instead[1] if scope == "instead" else getattr(one, scope)
    return trace.read(title, value, "usd" if scope == "usd_per_month" else "exact", source)


@ANSWERS.gives_each({kind: kind for kind in ("size_hours", "size_usd")})
def held(kind: str, sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """GPU-hours or $ a month: held flat, needed hour by hour, or the difference; what an autoscaler holds by hour."""
    cost = _cost(sizing, subject)
    key, what = HELD[kind, scope], HELD_NAMES[scope]
    if SIZING[key].formula is not None:
        return _explained(cost, key, subject, what)
    row, load = cost.row, sizing.load
    hours: dict[int, float] = {}
    for hour, count in zip(load.hours, sizing.replicas_by_hour(cost) or (), strict=False):
        there = min(count, row.replicas_peak or 0)
        hours[there] = hours.get(there, 0.0) + hour.seconds * load.month_per_second
    rows = [
        trace.TraceRow(
            worded_whole(count, "{count} replica", "{count} replicas"),
            (time, count * time * row.tensor_parallel),
        )
        for count, time in sorted(hours.items(), reverse=True)
    ]
    return trace.summed(
        _title(what, cost),
        row.gpu_hours_per_month_autoscaled,
        "gpu_hours",
        worded(
            "GPU-h = \u03a3 over hours of the replicas that each asks for \u00d7 GPUs of a replica, made a month"
        ),
        rows,
        (trace.TraceColumn(worded("Hours of\na month"), "decimal"), trace.TraceColumn("GPU-h", "gpu_hours")),
        1,
        said_as=writing.A_MONTH,
    )


@ANSWERS.gives("size_million")
def per_million(sizing: EndpointSizing, scope: str, subject: str) -> trace.Trace:
    """$ per million tokens, read and generated."""
    key = "cost_per_million_tokens"
    return _explained(_cost(sizing, subject), key, subject, SIZING[key].title)
