"""Traces of what single things cost: runs, models, endpoints, experiments, and what changed between two periods."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.cost_result import (
    EndpointCost,
    ExperimentCost,
    ModelCost,
    RunCost,
    UnitCosts,
    Variance,
)
from gpuplanner.domain.audit.trace import JOBS, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.trace_forms import Number, over, product, read, summed
from gpuplanner.domain.model.window import HOUR_S

LOG: Final = "the job log"

DAYS: Final = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


@dataclass(frozen=True, slots=True, eq=False)
class CostTrail:
    """What the panel Cost stands on. months: of 730 h, of the whole window."""

    unit: UnitCosts
    variance: Variance
    months: float


def run_subject(run: RunCost) -> str:
    """What tells one run from all others: the workload and its first hour."""
    return f"{run.key}\t{run.start_s}"


def _run(trail: CostTrail, subject: str) -> RunCost:
    return next(run for run in trail.unit.runs if run_subject(run) == subject)


def run_gpus(trail: CostTrail, scope: str, subject: str) -> Trace:
    """Mean GPUs of a run over its hours."""
    run = _run(trail, subject)
    hours = run.gpu_hours / run.mean_gpus if run.mean_gpus else (run.end_s - run.start_s) / HOUR_S
    return over(
        figure("run_gpus", subject),
        f"Mean GPUs of {run.name}",
        run.mean_gpus,
        "gpus",
        "Mean GPUs = GPU-hours of the run \u00f7 hours in which it ran",
        ("GPU-hours of the run", run.gpu_hours),
        ("Hours of the run", hours),
        ("gpu_hours", "hours"),
    )


def run_hours(trail: CostTrail, scope: str, subject: str) -> Trace:
    """GPU-hours of a run."""
    run = _run(trail, subject)
    jobs = figure(JOBS, run.key)
    title = f"GPU-hours of {run.name}"
    return read(figure("run_hours", subject), title, run.gpu_hours, "gpu_hours", LOG, opens=jobs)


def run_usd(trail: CostTrail, scope: str, subject: str) -> Trace:
    """$ of a whole run."""
    run = _run(trail, subject)
    rate = None if run.usd is None or not run.gpu_hours else run.usd / run.gpu_hours
    return product(
        figure("run_usd", subject),
        f"Cost of {run.name}",
        run.usd,
        "usd",
        "Cost = GPU-hours \u00d7 mean rate of what served them, idle GPUs of the cluster shared in",
        (("GPU-hours of the run", run.gpu_hours, "gpu_hours"), ("$ per GPU-hour", rate, "rate")),
        said_as="for the whole run",
    )


def model_subject(model: ModelCost) -> str:
    """What tells one model from all others."""
    return f"{model.source}\t{model.model or ''}"


def _model(trail: CostTrail, subject: str) -> ModelCost:
    return next(row for row in trail.unit.models if model_subject(row) == subject)


def _of_model(
    trail: CostTrail, subject: str, kind: str, what: str, value: Callable[[ModelCost], Number]
) -> Trace:
    model = _model(trail, subject)
    rows = tuple(
        TraceRow(
            part.key, (1, part.gpu_hours, part.usd_per_month), figure("part_usd", f"{subject}\t{part.key}")
        )
        for part in model.parts
    )
    columns = (
        TraceColumn("Workloads", "count"),
        TraceColumn("GPU-h in\nthe window", "gpu_hours"),
        TraceColumn("$ per\nmonth", "usd"),
    )
    unit, column = {
        "model_workloads": ("count", 0),
        "model_hours": ("gpu_hours", 1),
        "model_usd": ("usd", 2),
    }[kind]
    return summed(
        figure(kind, subject),
        f"{what} of {model.model or 'unknown model'}",
        value(model),
        unit,  # type: ignore[arg-type]
        f"{what} = \u03a3 over the workloads of this model",
        rows,
        columns=columns,
        column=column,
        said_as="per month" if unit == "usd" else "",
    )


def model_workloads(trail: CostTrail, scope: str, subject: str) -> Trace:
    """How many workloads ran a model."""
    return _of_model(trail, subject, "model_workloads", "Workloads", lambda model: len(model.parts))


def model_hours(trail: CostTrail, scope: str, subject: str) -> Trace:
    """GPU-hours of a model."""
    return _of_model(trail, subject, "model_hours", "GPU-hours", lambda model: model.gpu_hours)


def model_usd(trail: CostTrail, scope: str, subject: str) -> Trace:
    """$ a month of a model."""
    return _of_model(trail, subject, "model_usd", "Cost", lambda model: model.usd_per_month)


def _part(trail: CostTrail, subject: str) -> tuple[str, float, float | None]:
    source, model, key = subject.split("\t", 2)
    part = next(part for part in _model(trail, f"{source}\t{model}").parts if part.key == key)
    return part.key, part.gpu_hours, part.usd_per_month


def part_hours(trail: CostTrail, scope: str, subject: str) -> Trace:
    """GPU-hours of a workload."""
    key, gpu_hours, _ = _part(trail, subject)
    jobs = figure(JOBS, key)
    return read(figure("part_hours", subject), f"GPU-hours of {key}", gpu_hours, "gpu_hours", LOG, opens=jobs)


def part_usd(trail: CostTrail, scope: str, subject: str) -> Trace:
    """$ a month of a workload: its GPU-hours at their mean rate, and its share of what stood idle."""
    key, gpu_hours, usd = _part(trail, subject)
    rate = None if usd is None or not gpu_hours else usd / gpu_hours
    return product(
        figure("part_usd", subject),
        f"Cost of {key}",
        usd,
        "usd",
        "Cost = GPU-hours in the window \u00d7 $ per month for each of them",
        (("GPU-hours in the window", gpu_hours, "gpu_hours"), ("$ per month for each", rate, "rate")),
        said_as="per month",
    )


def _endpoint(trail: CostTrail, key: str) -> EndpointCost:
    return next(row for row in trail.unit.endpoints if row.key == key)


def endpoint_usd(trail: CostTrail, scope: str, key: str) -> Trace:
    """$ a month of an endpoint, by day of the week."""
    row = _endpoint(trail, key)
    rows = [
        TraceRow(day, (None if None in week else sum(usd for usd in week if usd is not None),))
        for day, week in zip(DAYS, row.by_weekday_usd_per_month, strict=True)
    ]
    return summed(
        figure("endpoint_usd", key),
        f"Cost of {row.name}",
        row.usd_per_month,
        "usd",
        "Cost = \u03a3 over the hours of the week of GPU-hours \u00d7 rate",
        rows,
        said_as="per month",
    )


def endpoint_idle(trail: CostTrail, scope: str, key: str) -> Trace:
    """$ a month of an endpoint while it had nothing to do."""
    row = _endpoint(trail, key)
    less = None if row.busy_usd_per_month is None else -row.busy_usd_per_month
    return summed(
        figure("endpoint_idle", key),
        f"Inactive cost of {row.name}",
        row.idle_usd_per_month,
        "usd",
        "Inactive = cost \u2212 cost \u00d7 activity",
        (
            TraceRow("Cost of the endpoint", (row.usd_per_month,), figure("endpoint_usd", key)),
            TraceRow("Less: active, by its activity", (less,)),
        ),
        said_as="per month",
        note=""
        if row.idle_usd_per_month is not None
        else "The log has no activity of it: active and inactive are unknown.",
    )


def endpoint_tokens(trail: CostTrail, scope: str, key: str) -> Trace:
    """$ for a million tokens, in the time that traffic and window share."""
    row = _endpoint(trail, key)
    tokens = row.tokens
    return over(
        figure("endpoint_tokens", key),
        f"$ per 1M tokens of {row.name}",
        None if tokens is None else tokens.usd_per_million_tokens,
        "rate",
        "$ per 1M tokens = cost in the time that traffic and window share \u00f7 millions of tokens in it",
        ("Cost in that time", None if tokens is None else tokens.usd),
        ("Millions of tokens, read and generated", None if tokens is None else tokens.tokens / 1e6),
        ("usd", "rate"),
        note="" if tokens is not None else "No traffic of the window is known. Read it from a file.",
    )


def endpoint_premium(trail: CostTrail, scope: str, key: str) -> Trace:
    """$ a month above the cheapest offer that fits."""
    row = _endpoint(trail, key)
    premium = row.premium
    paid, asks = premium.usd_per_gpu_hour, premium.offer_usd_per_gpu_hour
    above = None if paid is None or asks is None else paid - asks
    usd = premium.usd_per_month
    hours = None if usd is None else usd / above if above else 0.0
    return product(
        figure("endpoint_premium", key),
        f"Premium of {row.name}",
        usd,
        "usd",
        "Premium = GPU-hours a month \u00d7 (rate paid \u2212 rate of the cheapest offer that fits)",
        (
            ("GPU-hours a month that count", hours, "gpu_hours"),
            ("$ per GPU-hour above the offer", above, "rate"),
        ),
        said_as="per month",
        note=f"Paid {_usd(paid)} per GPU-hour; {premium.offer_id or 'no offer'} asks {_usd(asks)}.",
    )


def _usd(value: float | None) -> str:
    return "an unknown rate" if value is None else f"${value:,.4f}"


def _experiment(trail: CostTrail, key: str) -> ExperimentCost:
    return next(row for row in trail.unit.experiments if row.key == key)


def experiment_jobs(trail: CostTrail, scope: str, key: str) -> Trace:
    """How many jobs an experiment had."""
    row = _experiment(trail, key)
    return read(
        figure("experiment_jobs", key), f"Jobs of {row.name}", row.jobs, "count", LOG, opens=figure(JOBS, key)
    )


def experiment_job_usd(trail: CostTrail, scope: str, key: str) -> Trace:
    """$ for one job of an experiment."""
    row = _experiment(trail, key)
    return over(
        figure("experiment_job_usd", key),
        f"$ per job of {row.name}",
        row.usd_per_job,
        "rate",
        "$ per job = cost of the experiment in the window \u00f7 its jobs with GPU time",
        ("Cost in the window", row.usd),
        ("Jobs", row.jobs),
        ("usd", "count"),
    )


def experiment_usd(trail: CostTrail, scope: str, key: str) -> Trace:
    """$ a month of an experiment."""
    row = _experiment(trail, key)
    return over(
        figure("experiment_usd", key),
        f"Cost of {row.name}",
        row.usd_per_month,
        "usd",
        "Cost per month = cost in the window \u00f7 months of 730 h in it",
        ("Cost in the window", row.usd),
        ("Months of the window", trail.months),
        ("usd", "rate"),
        said_as="per month",
    )
