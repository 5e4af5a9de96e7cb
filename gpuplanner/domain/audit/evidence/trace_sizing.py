"""Traces of inference sizing: memory, replicas, GPUs, first token, GPU-hours and dollars of one sized row."""

from collections.abc import Callable
from typing import Final

from gpuplanner.domain.audit.evidence.trace import (
    Amount,
    Reached,
    Trace,
    TraceColumn,
    TraceRow,
    figure,
    parts_of,
)
from gpuplanner.domain.audit.evidence.trace_forms import over, product, summed
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.typed import decimals, percent, significant, whole
from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.message import Message, lowered, worded, worded_count
from gpuplanner.domain.model.window import HOURS_PER_MONTH

FLAT, SCALED, LEAK, BY_HOUR = "flat", "scaled", "leak", "by_hour"
"""Held for the peak; what a perfect autoscaler holds; the difference; autoscaled at the on-demand rate."""
HELD_NAMES: Final = {
    FLAT: worded("Held flat for the peak"),
    SCALED: worded("Needed, followed hour by hour"),
    LEAK: worded("Peak-provisioning leak"),
    BY_HOUR: worded("Autoscaled, on demand"),
}
GB = (TraceColumn("GB", "decimal"),)
MS = (TraceColumn("ms", "decimal"),)


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
    asked = worded(
        "KV cache: at least {concurrency} requests of {tokens_per_request} tokens, or the longest of "
        "{longest_tokens}",
        concurrency=whole(sizing.terms.concurrency),
        tokens_per_request=whole(load.tokens_per_request),
        longest_tokens=whole(load.longest_tokens),
    )
    rows = (
        TraceRow(
            worded(
                "Weights: {parameters} billion parameters",
                parameters=decimals(sizing.model.parameters / 1000000000.0),
            ),
            (row.weights_gb,),
        ),
        TraceRow(asked, (row.cache_gb,)),
    )
    words = worded("Memory of a replica = weights + KV cache of the requests that it must hold at once")
    usable = (
        worded("not known")
        if row.usable_gb is None
        else worded("{usable_gb} GB", usable_gb=decimals(row.usable_gb))
    )
    note = worded(
        "Usable on its GPUs: {usable}, {usable_memory} of what they have.",
        usable=usable,
        usable_memory=percent(sizing.terms.usable_memory),
    )
    title, of = worded("Memory, {cost}", cost=_name(cost)), figure("size_memory", subject)
    return summed(of, title, row.memory_gb, "decimal", words, rows, said_as="GB", columns=GB, note=note)


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


def gpus(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """GPUs of all replicas at the peak."""
    cost = _cost(sizing, subject)
    row = cost.row
    return product(
        figure("size_gpus", subject),
        worded("GPUs, {cost}", cost=_name(cost)),
        row.gpus_peak,
        "count",
        worded("GPUs = replicas at the peak \u00d7 GPUs of a replica"),
        (
            (titles.REPLICAS, row.replicas_peak, "count"),
            (worded("GPUs of a replica"), row.tensor_parallel, "count"),
        ),
        more=(
            (titles.REPLICAS, figure("size_replicas", subject)),
            (titles.MEMORY, figure("size_memory", subject)),
        ),
    )


def first_token(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """ms until the first token at the peak."""
    cost = _cost(sizing, subject)
    row = cost.row
    rows = (
        TraceRow(worded("Round trip of the network, an assumption"), (sizing.terms.round_trip_ms,)),
        TraceRow(
            worded(
                "Wait in the queue, {busy_at_peak} busy at the peak",
                busy_at_peak=percent(row.busy_at_peak or 0, 1),
            ),
            (row.wait_ms,),
        ),
        TraceRow(worded("Prefill of the tokens that are read"), (row.prefill_ms,)),
    )
    words = worded("First token = round trip + mean wait (M/M/c at the peak) + prefill")
    of, title = figure("size_ttft", subject), worded("First token, {cost}", cost=_name(cost))
    return summed(of, title, row.ttft_ms, "decimal", words, rows, said_as="ms", columns=MS)


def hours(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """GPU-hours a month: held flat, needed hour by hour, or the difference."""
    cost = _cost(sizing, subject)
    of, title = (
        figure("size_hours", subject, scope),
        worded("{held_names}, {cost}", held_names=HELD_NAMES[scope], cost=_name(cost)),
    )
    row = cost.row
    if scope == FLAT:
        factors: tuple[tuple[Message, float | int | None, WrittenAs], ...] = (
            (worded("GPUs at the peak"), row.gpus_peak, "count"),
            (titles.HOURS_IN_A_MONTH, HOURS_PER_MONTH, "hours"),
        )
        more = ((worded("GPUs at the peak"), figure("size_gpus", subject)),)
        words, value = worded("GPU-h = GPUs of the peak \u00d7 730 h"), row.gpu_hours_per_month_flat
        return product(of, title, value, "gpu_hours", words, factors, said_as=worded("per month"), more=more)
    if scope == LEAK:
        flat, scaled = row.gpu_hours_per_month_flat, row.gpu_hours_per_month_autoscaled
        rows = (
            TraceRow(HELD_NAMES[FLAT], (flat,), figure("size_hours", subject, FLAT)),
            TraceRow(
                worded("Less: {held_names}", held_names=lowered(HELD_NAMES[SCALED])),
                (None if scaled is None else -scaled,),
                figure("size_hours", subject, SCALED),
            ),
        )
        value = row.peak_provisioning_gpu_hours
        words = worded("Leak = held flat \u2212 needed, followed hour by hour")
        return summed(of, title, value, "gpu_hours", words, rows, said_as=worded("per month"))
    return _scaled(sizing, cost, of, title)


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


def usd(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """$ a month of GPU-hours at the rate of the offer that counts."""
    cost = _cost(sizing, subject)
    row = cost.row
    offer = cost.on_demand if scope == BY_HOUR else cost.offer
    rate = None if offer is None else offer.rate
    amounts = {
        FLAT: (row.gpu_hours_per_month_flat, cost.usd_per_month),
        SCALED: (row.gpu_hours_per_month_autoscaled, _times(row.gpu_hours_per_month_autoscaled, rate)),
        LEAK: (row.peak_provisioning_gpu_hours, cost.peak_provisioning_usd_per_month),
        BY_HOUR: (row.gpu_hours_per_month_autoscaled, cost.usd_per_month_autoscaled),
    }
    held, value = amounts[scope]
    source = worded("no offer") if offer is None else worded("offer {offer_id}", offer_id=offer.offer_id)
    return product(
        figure("size_usd", subject, scope),
        worded("{held_names}, {cost}", held_names=HELD_NAMES[scope], cost=_name(cost)),
        value,
        "usd",
        worded(
            "Cost = GPU-hours a month \u00d7 $ per GPU-hour of the cheapest offer that fits and is not taken back"
        ),
        (
            (worded("GPU-hours a month"), held, "gpu_hours"),
            (worded("$ per GPU-hour, {source}", source=source), rate, "rate"),
        ),
        said_as=worded("per month"),
        more=((titles.GPU_HOURS, figure("size_hours", subject, SCALED if scope == BY_HOUR else scope)),),
    )


def per_million(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """$ per million tokens, read and generated."""
    cost = _cost(sizing, subject)
    return over(
        figure("size_million", subject),
        worded("$ per million tokens, {cost}", cost=_name(cost)),
        cost.usd_per_million_tokens,
        "rate",
        worded("$ per million tokens = $ a month \u00f7 millions of tokens of the month, read and generated"),
        (worded("$ per month, held flat"), cost.usd_per_month),
        (worded("Millions of tokens a month"), cost.tokens_per_month / 1e6 or None),
        ("usd", "exact"),
    )


def _times(amount: float | None, rate: float | None) -> float | None:
    """A product; None where a side is unknown."""
    return None if amount is None or rate is None else amount * rate


Answer = Callable[[EndpointSizing, str, str], Trace]
ANSWERS: Final[dict[str, Answer]] = {
    "size_memory": memory,
    "size_replicas": replicas,
    "size_gpus": gpus,
    "size_ttft": first_token,
    "size_hours": hours,
    "size_usd": usd,
    "size_million": per_million,
}
"""Kind of figure -> what answers for it; as the table of the audit's answers."""


def answer(sizing: EndpointSizing, figure_id: str) -> Trace:
    """Why a sized figure is what it is. Errors: KeyError for a kind or row that there is not."""
    kind, scope, subject = parts_of(figure_id)
    return ANSWERS[kind](sizing, scope, subject)
