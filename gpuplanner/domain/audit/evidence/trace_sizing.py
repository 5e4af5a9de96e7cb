"""Traces of inference sizing: memory, replicas, GPUs, first token, GPU-hours and dollars of one sized row."""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import (
    Amount,
    Reached,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
    parts_of,
)
from gpuplanner.domain.audit.evidence.trace_forms import summed
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.serving import BY_HOUR, FLAT, LEAK, NEEDED, SIZING
from gpuplanner.domain.figures.typed import decimals, percent, significant, whole
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.message import Message, Text, worded, worded_count

HELD_NAMES: Final = {
    FLAT: worded("Held flat for the peak"),
    NEEDED: SIZING["needed_per_month"].title,
    LEAK: worded("Peak-provisioning leak"),
    BY_HOUR: worded("Autoscaled, on demand"),
}
HELD: Final = {(one.why, one.why_scope): one.key for one in SIZING.figures if one.why_scope}
"""Kind and scope of an answer -> key of its figure."""


def size_subject(cost: ServingCost) -> str:
    """What tells one sized row from all others."""
    return "\t".join((cost.row.gpu_model, cost.row.precision, str(cost.row.tensor_parallel)))


def _cost(sizing: EndpointSizing, subject: str) -> ServingCost:
    """A sized row with its $. Errors: KeyError where there is none."""
    gpu_model, precision, parallel = subject.split("\t")
    cost = sizing.row(gpu_model, precision, int(parallel))
    if cost is None:
        raise KeyError(subject)
    return cost


def _name(cost: ServingCost) -> Message:
    row = cost.row
    return worded(
        "{tensor_parallel} \u00d7 {gpu_model}, {precision}",
        tensor_parallel=whole(row.tensor_parallel),
        gpu_model=row.gpu_model,
        precision=row.precision,
    )


def memory(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
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
        parameters=decimals(sizing.model.parameters / 1000000000.0),
        concurrency=whole(sizing.terms.concurrency),
        tokens_per_request=whole(load.tokens_per_request),
        longest_tokens=whole(load.longest_tokens),
        usable=usable,
        usable_memory=percent(sizing.terms.usable_memory),
    )
    given = {"weights_gb": row.weights_gb, "cache_gb": row.cache_gb}
    found = explained(SIZING, "memory_gb", Inputs(given, subject), note)
    return replace(found, title=_title(SIZING["memory_gb"].title, cost))


def replicas(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
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
    rows = (
        TraceRow(
            worded("Peak of {peak} requests/s{by}", peak=significant(peak, 4), by=by), (row.replicas_asked,)
        ),
        TraceRow(worded("In whole replicas, at least one with any traffic"), (row.replicas_peak,)),
    )
    words = worded("Replicas = peak requests/s \u00f7 (headroom \u00d7 requests/s of a replica), rounded up")
    columns = (TraceColumn(titles.REPLICAS, "exact"),)
    of, title = figure("size_replicas", subject), worded("Replicas, {cost}", cost=_name(cost))
    source = sizing.load.source or worded("traffic")
    note = worded("Requests: {source}.", source=source)
    if row.why:
        note = worded("Requests: {source}; {why}.", source=source, why=row.why)
    symbols = (
        Amount(row.replicas_asked, "exact"),
        worded(", rounded up = "),
        Amount(row.replicas_peak, "count"),
    )
    value = row.replicas_peak
    return Trace(of, title, value, "count", "", words, symbols, columns, rows, Reached(), note)


def _title(what: Text, cost: ServingCost) -> Message:
    return worded("{what}, {cost}", what=what, cost=_name(cost))


def _explained(cost: ServingCost, key: str, subject: str, what: Text) -> Trace:
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


def gpus(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """GPUs of all replicas at the peak."""
    found = _explained(_cost(sizing, subject), "gpus_peak", subject, "GPUs")
    return replace(found, more=((titles.MEMORY, figure("size_memory", subject)),))


def first_token(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """ms until the first token at the peak."""
    cost = _cost(sizing, subject)
    row = cost.row
    given = {
        "network_ms": sizing.terms.round_trip_ms,
        "wait_ms": row.wait_ms,
        "prefill_ms": row.prefill_ms,
    }
    note = worded(
        "The round trip is an assumption; {busy_at_peak} of the replicas are busy at the peak.",
        busy_at_peak=percent(row.busy_at_peak or 0, 1),
    )
    found = explained(SIZING, "ttft_ms", Inputs(given, subject), note)
    return replace(found, title=_title(SIZING["ttft_ms"].title, cost))


def held(kind: str) -> "Answer":
    """What explains GPU-hours or $ a month: held flat, needed hour by hour, or the difference."""

    def answer(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
        """By the formula of the figure; what an autoscaler holds hour by hour."""
        cost = _cost(sizing, subject)
        key, what = HELD[kind, scope], HELD_NAMES[scope]
        if SIZING[key].formula is None:
            return _scaled(sizing, cost, figure(kind, subject, scope), _title(what, cost))
        return _explained(cost, key, subject, what)

    return answer


def _scaled(sizing: EndpointSizing, cost: ServingCost, of: str, title: Message) -> Trace:
    """By how many replicas are held: hours of the month, and their GPU-hours."""
    row, load = cost.row, sizing.load
    held: dict[int, float] = {}
    for hour, count in zip(load.hours, sizing.replicas_by_hour(cost) or (), strict=False):
        there = min(count, row.replicas_peak or 0)
        held[there] = held.get(there, 0.0) + hour.seconds * load.month_per_second
    rows = [
        TraceRow(
            worded_count(count, "{count} replica", "{count} replicas", count=whole(count)),
            (time, count * time * row.tensor_parallel),
        )
        for count, time in sorted(held.items(), reverse=True)
    ]
    columns = (TraceColumn(worded("Hours of\na month"), "decimal"), TraceColumn("GPU-h", "gpu_hours"))
    words = worded(
        "GPU-h = \u03a3 over hours of the replicas that each asks for \u00d7 GPUs of a replica, made a month"
    )
    value = row.gpu_hours_per_month_autoscaled
    return summed(
        of, title, value, "gpu_hours", words, rows, said_as=worded("per month"), columns=columns, column=1
    )


def per_million(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """$ per million tokens, read and generated."""
    key = "cost_per_million_tokens"
    return _explained(_cost(sizing, subject), key, subject, SIZING[key].title)


Answer = Callable[[EndpointSizing, str, str], Trace]
ANSWERS: Final[dict[str, Answer]] = {
    "size_memory": memory,
    "size_replicas": replicas,
    "size_gpus": gpus,
    "size_ttft": first_token,
    "size_hours": held("size_hours"),
    "size_usd": held("size_usd"),
    "size_million": per_million,
}
"""Kind of figure -> what answers for it; as the table of the audit's answers."""


def answer(sizing: EndpointSizing, figure_id: str) -> Trace:
    """Why a sized figure is what it is. Errors: KeyError for a kind or row that there is not."""
    kind, scope, subject = parts_of(figure_id)
    return ANSWERS[kind](sizing, scope, subject)
