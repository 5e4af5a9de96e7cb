"""Traces of inference sizing: memory, replicas, GPUs, first token, GPU-hours and dollars of one sized row."""

from collections.abc import Callable
from typing import Final

from gpuplanner.domain.audit.trace import Trace, TraceColumn, TraceRow, Unit, figure, parts_of
from gpuplanner.domain.audit.trace_forms import over, product, summed
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.model.window import HOURS_PER_MONTH

FLAT, SCALED, LEAK, BY_HOUR = "flat", "scaled", "leak", "by_hour"
"""Held for the peak; what a perfect autoscaler holds; the difference; autoscaled at the on-demand rate."""
HELD_NAMES: Final = {
    FLAT: "Held flat for the peak",
    SCALED: "Needed, followed hour by hour",
    LEAK: "Peak-provisioning leak",
    BY_HOUR: "Autoscaled, on demand",
}
GB = (TraceColumn("GB", "decimal"),)
MS = (TraceColumn("ms", "decimal"),)


def size_subject(cost: ServingCost) -> str:
    """What tells one sized row from all others."""
    return "\t".join((cost.row.gpu_model, cost.row.precision, str(cost.row.tensor_parallel)))


def _cost(sizing: EndpointSizing, subject: str) -> ServingCost:
    gpu_model, precision, parallel = subject.split("\t")
    cost = sizing.row(gpu_model, precision, int(parallel))
    if cost is None:
        raise KeyError(subject)
    return cost


def _name(cost: ServingCost) -> str:
    row = cost.row
    return f"{row.tensor_parallel} \u00d7 {row.gpu_model}, {row.precision}"


def memory(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """GB that a replica needs."""
    cost = _cost(sizing, subject)
    row, load = cost.row, sizing.load
    asked = (
        f"KV cache: at least {sizing.terms.concurrency} requests of {load.tokens_per_request:,.0f} tokens, "
        f"or the longest of {load.longest_tokens:,.0f}"
    )
    rows = (
        TraceRow(f"Weights: {sizing.model.parameters / 1e9:,.1f} billion parameters", (row.weights_gb,)),
        TraceRow(asked, (row.memory_gb - row.weights_gb,)),
    )
    words = "Memory of a replica = weights + KV cache of the requests that it must hold at once"
    usable = "not known" if row.usable_gb is None else f"{row.usable_gb:,.1f} GB"
    note = f"Usable on its GPUs: {usable}, {sizing.terms.usable_memory:.0%} of what they have."
    title, of = f"Memory, {_name(cost)}", figure("size_memory", subject)
    return summed(of, title, row.memory_gb, "decimal", words, rows, said_as="GB", columns=GB, note=note)


def replicas(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """Replicas that the peak asks for."""
    cost = _cost(sizing, subject)
    row, headroom = cost.row, sizing.terms.headroom
    peak, mu = sizing.load.peak_requests_per_s, row.requests_per_s
    asked = None if not mu else peak / (headroom * mu)
    up = None if asked is None or row.replicas_peak is None else row.replicas_peak - asked
    by = "" if mu is None else f" \u00f7 ({headroom:.0%} \u00d7 {mu:,.4g} requests/s of a replica)"
    rows = (
        TraceRow(f"Peak of {peak:,.4g} requests/s{by}", (asked,)),
        TraceRow("Rounded to whole replicas, at least one with any traffic", (up,)),
    )
    words = "Replicas = peak requests/s \u00f7 (headroom \u00d7 requests/s of a replica), rounded up"
    columns = (TraceColumn("Replicas", "exact"),)
    of, title = figure("size_replicas", subject), f"Replicas, {_name(cost)}"
    note = f"Requests: {sizing.load.source or 'traffic'}. {row.why.capitalize()}".strip()
    return summed(of, title, row.replicas_peak, "count", words, rows, columns=columns, note=note)


def gpus(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """GPUs of all replicas at the peak."""
    cost = _cost(sizing, subject)
    row = cost.row
    return product(
        figure("size_gpus", subject),
        f"GPUs, {_name(cost)}",
        row.gpus_peak,
        "count",
        "GPUs = replicas at the peak \u00d7 GPUs of a replica",
        (("Replicas", row.replicas_peak, "count"), ("GPUs of a replica", row.tensor_parallel, "count")),
        more=(("Replicas", figure("size_replicas", subject)), ("Memory", figure("size_memory", subject))),
    )


def first_token(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """ms until the first token at the peak."""
    cost = _cost(sizing, subject)
    row = cost.row
    rows = (
        TraceRow("Round trip of the network, an assumption", (sizing.terms.round_trip_ms,)),
        TraceRow(f"Wait in the queue, {row.busy_at_peak or 0:.1%} busy at the peak", (row.wait_ms,)),
        TraceRow("Prefill of the tokens that are read", (row.prefill_ms,)),
    )
    words = "First token = round trip + mean wait (M/M/c at the peak) + prefill"
    of, title = figure("size_ttft", subject), f"First token, {_name(cost)}"
    return summed(of, title, row.ttft_ms, "decimal", words, rows, said_as="ms", columns=MS)


def hours(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """GPU-hours a month: held flat, needed hour by hour, or the difference."""
    cost = _cost(sizing, subject)
    of, title = figure("size_hours", subject, scope), f"{HELD_NAMES[scope]}, {_name(cost)}"
    row = cost.row
    if scope == FLAT:
        factors: tuple[tuple[str, float | int | None, Unit], ...] = (
            ("GPUs at the peak", row.gpus_peak, "count"),
            ("Hours in a month", HOURS_PER_MONTH, "hours"),
        )
        more = (("GPUs at the peak", figure("size_gpus", subject)),)
        words, value = "GPU-h = GPUs of the peak \u00d7 730 h", row.gpu_hours_per_month_flat
        return product(of, title, value, "gpu_hours", words, factors, said_as="per month", more=more)
    if scope == LEAK:
        flat, scaled = row.gpu_hours_per_month_flat, row.gpu_hours_per_month_autoscaled
        rows = (
            TraceRow(HELD_NAMES[FLAT], (flat,), figure("size_hours", subject, FLAT)),
            TraceRow(
                f"Less: {HELD_NAMES[SCALED].lower()}",
                (None if scaled is None else -scaled,),
                figure("size_hours", subject, SCALED),
            ),
        )
        value = row.peak_provisioning_gpu_hours
        words = "Leak = held flat \u2212 needed, followed hour by hour"
        return summed(of, title, value, "gpu_hours", words, rows, said_as="per month")
    return _scaled(sizing, cost, of, title)


def _scaled(sizing: EndpointSizing, cost: ServingCost, of: str, title: str) -> Trace:
    """By how many replicas are held: hours of the month, and their GPU-hours."""
    row, load = cost.row, sizing.load
    held: dict[int, float] = {}
    for hour, count in zip(load.hours, sizing.replicas_by_hour(cost) or (), strict=False):
        there = min(count, row.replicas_peak or 0)
        held[there] = held.get(there, 0.0) + hour.seconds * load.month_per_second
    rows = [
        TraceRow(
            f"{count:,} {'replica' if count == 1 else 'replicas'}", (time, count * time * row.tensor_parallel)
        )
        for count, time in sorted(held.items(), reverse=True)
    ]
    columns = (TraceColumn("Hours of\na month", "decimal"), TraceColumn("GPU-h", "gpu_hours"))
    words = (
        "GPU-h = \u03a3 over hours of the replicas that each asks for \u00d7 GPUs of a replica, made a month"
    )
    value = row.gpu_hours_per_month_autoscaled
    return summed(of, title, value, "gpu_hours", words, rows, said_as="per month", columns=columns, column=1)


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
    source = "no offer" if offer is None else f"offer {offer.offer_id}"
    return product(
        figure("size_usd", subject, scope),
        f"{HELD_NAMES[scope]}, {_name(cost)}",
        value,
        "usd",
        "Cost = GPU-hours a month \u00d7 $ per GPU-hour of the cheapest offer that fits and is not taken back",
        (("GPU-hours a month", held, "gpu_hours"), (f"$ per GPU-hour, {source}", rate, "rate")),
        said_as="per month",
        more=(("GPU-hours", figure("size_hours", subject, SCALED if scope == BY_HOUR else scope)),),
    )


def per_million(sizing: EndpointSizing, scope: str, subject: str) -> Trace:
    """$ per million tokens, read and generated."""
    cost = _cost(sizing, subject)
    return over(
        figure("size_million", subject),
        f"$ per million tokens, {_name(cost)}",
        cost.usd_per_million_tokens,
        "rate",
        "$ per million tokens = $ a month \u00f7 millions of tokens of the month, read and generated",
        ("$ per month, held flat", cost.usd_per_month),
        ("Millions of tokens a month", cost.tokens_per_month / 1e6 or None),
        ("usd", "exact"),
    )


def _times(amount: float | None, rate: float | None) -> float | None:
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
