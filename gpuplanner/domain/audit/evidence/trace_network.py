"""Traces of a run on two networks: its hours, GPU-hours and dollars on each, from the seconds of a step."""

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.trace import Trace, figure
from gpuplanner.domain.audit.evidence.trace_forms import product, read
from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.fit.network import FAST, NETWORK_WORDS, SLOW, NetworkCost, OnNetwork
from gpuplanner.domain.message import Message, worded

SOURCE = worded("an article on training and inference infrastructure (2026)")
Factor = tuple[Message, float | int | None, WrittenAs]


def network_subject(key: str, network: str) -> str:
    """A workload on one of the two networks."""
    return f"{network}\t{key}"


def on_network(evidence: Evidence, scope: str, subject: str) -> Trace:
    """A line of the two networks. scope: step, hours, gpu_hours, usd (of the longest run), month_hours, month_usd.

    Errors: StopIteration for a workload that there is not, KeyError where nothing can be told of its network.
    """
    network, key = subject.split("\t", 1)
    found = next(fit for fit in evidence.fit if fit.key == key).network
    on = None if found is None else (found.infiniband if network == FAST else found.ethernet)
    if found is None or on is None or found.has is None:
        raise KeyError(subject)
    name, figure_id = NETWORK_WORDS[network], figure("on_network", subject, scope)
    if scope == "step":
        source = worded("an assumption, from {source}", source=SOURCE)
        return read(
            figure_id,
            worded("One training step on {name}", name=name),
            on.step_s,
            "exact",
            source,
            said_as="seconds",
        )
    title, value, unit, words, factors = _line(found, on, scope)
    of_name = evidence.names[key]
    return product(
        figure_id,
        worded("{title} on {name}, {of_name}", title=title, name=name, of_name=of_name),
        value,
        unit,
        words,
        factors,
        said_as=worded("per month") if scope.startswith("month") else "",
        note=worded(
            "The seconds of a step scale the whole step: a bound for work that waits for the network."
        ),
        more=((worded("Seconds of a step on {name}", name=name), figure("on_network", subject, "step")),),
    )


def _line(
    found: NetworkCost, on: OnNetwork, scope: str
) -> tuple[Message, float | None, WrittenAs, Message, tuple[Factor, ...]]:
    """Title, value, unit, words and factors of a line; each line is scaled by the seconds of a step."""
    own = found.infiniband if found.has == FAST else found.ethernet
    assert own is not None and found.has in (FAST, SLOW)
    scaled: Factor = (
        worded("Seconds of a step here \u00f7 on the network it has"),
        on.step_s / own.step_s,
        "exact",
    )
    hours: Factor = (worded("Longest run, h"), on.run_hours, "exact")
    gpus: Factor = (worded("GPUs of its largest job"), found.run_gpus, "gpus")
    rate: Factor = (worded("$ per GPU-hour that it paid on average"), found.usd_per_gpu_hour, "exact")
    lines: dict[str, tuple[Message, float | None, WrittenAs, Message, tuple[Factor, ...]]] = {
        "hours": (
            worded("Longest run"),
            on.run_hours,
            "decimal",
            worded("Hours = hours in the log \u00d7 seconds of a step here \u00f7 on the network it has"),
            ((worded("Longest run in the log, h"), found.run_hours, "exact"), scaled),
        ),
        "gpu_hours": (
            worded("Longest run, GPU-h"),
            on.run_gpu_hours,
            "gpu_hours",
            worded("GPU-h = hours \u00d7 GPUs"),
            (hours, gpus),
        ),
        "usd": (
            worded("Longest run, $"),
            on.run_usd,
            "usd",
            worded("$ = hours \u00d7 GPUs \u00d7 rate"),
            (hours, gpus, rate),
        ),
        "month_hours": (
            worded("GPU-h per month"),
            on.gpu_hours_per_month,
            "gpu_hours",
            worded("GPU-h = those of the log \u00d7 seconds of a step here \u00f7 on the network it has"),
            ((worded("GPU-h per month in the log"), own.gpu_hours_per_month, "gpu_hours"), scaled),
        ),
        "month_usd": (
            worded("$ per month"),
            on.usd_per_month,
            "usd",
            worded("$ = what it costs today \u00d7 seconds of a step here \u00f7 on the network it has"),
            ((worded("$ per month today"), own.usd_per_month, "usd"), scaled),
        ),
    }
    return lines[scope]
