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
from gpuplanner.domain.audit.evidence.trace import JOBS, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import Number, over, product, read, summed
from gpuplanner.domain.model.weekdays import LONG_DAYS
from gpuplanner.domain.model.window import HOUR_S
from gpuplanner.domain.model.worded import worded

LOG: Final = worded("the job log")


@dataclass(frozen=True, slots=True, eq=False)
class CostEvidence:
    """What the panel Cost stands on. months: of 730 h, of the whole window."""

    unit: UnitCosts
    variance: Variance
    months: float


def run_subject(run: RunCost) -> str:
    """What tells one run from all others: the workload and its first hour."""
    return f"{run.key}\t{run.start_s}"


def _run(evidence: CostEvidence, subject: str) -> RunCost:
    return next(run for run in evidence.unit.runs if run_subject(run) == subject)


def run_gpus(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """Mean GPUs of a run over its hours."""
    run = _run(evidence, subject)
    hours = run.gpu_hours / run.mean_gpus if run.mean_gpus else (run.end_s - run.start_s) / HOUR_S
    return over(
        figure("run_gpus", subject),
        worded("Mean GPUs of {name}", name=run.name),
        run.mean_gpus,
        "gpus",
        worded("Mean GPUs = GPU-hours of the run \u00f7 hours in which it ran"),
        (worded("GPU-hours of the run"), run.gpu_hours),
        (worded("Hours of the run"), hours),
        ("gpu_hours", "hours"),
    )


def run_hours(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of a run."""
    run = _run(evidence, subject)
    jobs = figure(JOBS, run.key)
    title = worded("GPU-hours of {name}", name=run.name)
    return read(figure("run_hours", subject), title, run.gpu_hours, "gpu_hours", LOG, opens=jobs)


def run_usd(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """$ of a whole run."""
    run = _run(evidence, subject)
    rate = None if run.usd is None or not run.gpu_hours else run.usd / run.gpu_hours
    return product(
        figure("run_usd", subject),
        worded("Cost of {name}", name=run.name),
        run.usd,
        "usd",
        worded("Cost = GPU-hours \u00d7 mean rate of what served them, idle GPUs of the cluster shared in"),
        (
            (worded("GPU-hours of the run"), run.gpu_hours, "gpu_hours"),
            (worded("$ per GPU-hour"), rate, "rate"),
        ),
        said_as=worded("for the whole run"),
    )


def model_subject(model: ModelCost) -> str:
    """What tells one model from all others."""
    return f"{model.source}\t{model.model or ''}"


def _model(evidence: CostEvidence, subject: str) -> ModelCost:
    return next(row for row in evidence.unit.models if model_subject(row) == subject)


def _of_model(
    evidence: CostEvidence, subject: str, kind: str, what: str, value: Callable[[ModelCost], Number]
) -> Trace:
    model = _model(evidence, subject)
    rows = tuple(
        TraceRow(
            part.key, (1, part.gpu_hours, part.usd_per_month), figure("part_usd", f"{subject}\t{part.key}")
        )
        for part in model.parts
    )
    columns = (
        TraceColumn(worded("Workloads"), "count"),
        TraceColumn(worded("GPU-h in\nthe window"), "gpu_hours"),
        TraceColumn(worded("$ per\nmonth"), "usd"),
    )
    unit, column = {
        "model_workloads": ("count", 0),
        "model_hours": ("gpu_hours", 1),
        "model_usd": ("usd", 2),
    }[kind]
    return summed(
        figure(kind, subject),
        worded("{what} of {model}", what=what, model=model.model or worded("unknown model")),
        value(model),
        unit,  # type: ignore[arg-type]
        worded("{what} = \u03a3 over the workloads of this model", what=what),
        rows,
        columns=columns,
        column=column,
        said_as=worded("per month") if unit == "usd" else "",
    )


def model_workloads(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """How many workloads ran a model."""
    return _of_model(
        evidence, subject, "model_workloads", worded("Workloads"), lambda model: len(model.parts)
    )


def model_hours(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of a model."""
    return _of_model(evidence, subject, "model_hours", "GPU-hours", lambda model: model.gpu_hours)


def model_usd(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """$ a month of a model."""
    return _of_model(evidence, subject, "model_usd", worded("Cost"), lambda model: model.usd_per_month)


def _part(evidence: CostEvidence, subject: str) -> tuple[str, float, float | None]:
    source, model, key = subject.split("\t", 2)
    part = next(part for part in _model(evidence, f"{source}\t{model}").parts if part.key == key)
    return part.key, part.gpu_hours, part.usd_per_month


def part_hours(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """GPU-hours of a workload."""
    key, gpu_hours, _ = _part(evidence, subject)
    jobs = figure(JOBS, key)
    return read(
        figure("part_hours", subject),
        worded("GPU-hours of {key}", key=key),
        gpu_hours,
        "gpu_hours",
        LOG,
        opens=jobs,
    )


def part_usd(evidence: CostEvidence, scope: str, subject: str) -> Trace:
    """$ a month of a workload: its GPU-hours at their mean rate, and its share of what stood idle."""
    key, gpu_hours, usd = _part(evidence, subject)
    rate = None if usd is None or not gpu_hours else usd / gpu_hours
    return product(
        figure("part_usd", subject),
        worded("Cost of {key}", key=key),
        usd,
        "usd",
        worded("Cost = GPU-hours in the window \u00d7 $ per month for each of them"),
        (
            (worded("GPU-hours in the window"), gpu_hours, "gpu_hours"),
            (worded("$ per month for each"), rate, "rate"),
        ),
        said_as=worded("per month"),
    )


def _endpoint(evidence: CostEvidence, key: str) -> EndpointCost:
    return next(row for row in evidence.unit.endpoints if row.key == key)


def endpoint_usd(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ a month of an endpoint, by day of the week."""
    row = _endpoint(evidence, key)
    rows = [
        TraceRow(day, (None if None in week else sum(usd for usd in week if usd is not None),))
        for day, week in zip(LONG_DAYS, row.by_weekday_usd_per_month, strict=True)
    ]
    return summed(
        figure("endpoint_usd", key),
        worded("Cost of {name}", name=row.name),
        row.usd_per_month,
        "usd",
        worded("Cost = \u03a3 over the hours of the week of GPU-hours \u00d7 rate"),
        rows,
        said_as=worded("per month"),
    )


def endpoint_idle(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ a month of an endpoint while it had nothing to do."""
    row = _endpoint(evidence, key)
    less = None if row.busy_usd_per_month is None else -row.busy_usd_per_month
    return summed(
        figure("endpoint_idle", key),
        worded("Inactive cost of {name}", name=row.name),
        row.idle_usd_per_month,
        "usd",
        worded("Inactive = cost \u2212 cost \u00d7 activity"),
        (
            TraceRow(worded("Cost of the endpoint"), (row.usd_per_month,), figure("endpoint_usd", key)),
            TraceRow(worded("Less: active, by its activity"), (less,)),
        ),
        said_as=worded("per month"),
        note=""
        if row.idle_usd_per_month is not None
        else worded("The log has no activity of it: active and inactive are unknown."),
    )


def endpoint_tokens(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ for a million tokens, in the time that traffic and window share."""
    row = _endpoint(evidence, key)
    tokens = row.tokens
    return over(
        figure("endpoint_tokens", key),
        worded("$ per 1M tokens of {name}", name=row.name),
        None if tokens is None else tokens.usd_per_million_tokens,
        "rate",
        worded(
            "$ per 1M tokens = cost in the time that traffic and window share \u00f7 millions of tokens in it"
        ),
        (worded("Cost in that time"), None if tokens is None else tokens.usd),
        (worded("Millions of tokens, read and generated"), None if tokens is None else tokens.tokens / 1e6),
        ("usd", "rate"),
        note="" if tokens is not None else worded("No traffic of the window is known. Read it from a file."),
    )


def endpoint_premium(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ a month above the cheapest offer that fits, at equal terms."""
    row = _endpoint(evidence, key)
    premium, usd = row.premium, row.premium.usd_per_month
    paid = _at(premium.usd_per_gpu_hour, premium.utilization)
    asks = _at(premium.offer_usd_per_gpu_hour, premium.offer_utilization)
    hours = None if usd is None else row.gpu_hours / evidence.months
    less = None if hours is None or asks is None else -hours * asks
    rows = (
        TraceRow(
            worded("Paid for what served it"),
            (
                hours,
                premium.usd_per_gpu_hour,
                premium.utilization,
                None if less is None or usd is None else usd - less,
            ),
        ),
        TraceRow(
            worded("Less: {offer_id}", offer_id=premium.offer_id or worded("no offer")),
            (hours, premium.offer_usd_per_gpu_hour, premium.offer_utilization, less),
        ),
    )
    return summed(
        figure("endpoint_premium", key),
        worded("Premium of {name}", name=row.name),
        usd,
        "usd",
        worded(
            "Premium = GPU-hours a month \u00d7 (rate paid \u00f7 its utilization \u2212 rate of the cheapest offer "
            "that fits, of the same or a shorter term and a lead that has passed \u00f7 the utilization it would have)"
        ),
        rows,
        columns=(
            TraceColumn(worded("GPU-h\nper month"), "gpu_hours"),
            TraceColumn(worded("$ per\nGPU-h"), "rate"),
            TraceColumn(worded("Utilization"), "share"),
            TraceColumn(worded("$ per\nmonth"), "usd"),
        ),
        column=3,
        said_as=worded("per month"),
        note=worded(
            "Per GPU-hour that was used: paid {paid}, at the offer {asks}. Of what is paid by use nothing stands idle.",
            paid=_usd(paid),
            asks=_usd(asks),
        ),
    )


def _at(rate: float | None, utilization: float | None) -> float | None:
    """What a used GPU-hour costs at a rate and utilization."""
    return None if rate is None or not utilization else rate / utilization


def _usd(value: float | None) -> str:
    return worded("an unknown rate") if value is None else f"${value:,.4f}"


def _experiment(evidence: CostEvidence, key: str) -> ExperimentCost:
    return next(row for row in evidence.unit.experiments if row.key == key)


def experiment_jobs(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """How many jobs an experiment had."""
    row = _experiment(evidence, key)
    return read(
        figure("experiment_jobs", key),
        worded("Jobs of {name}", name=row.name),
        row.jobs,
        "count",
        LOG,
        opens=figure(JOBS, key),
    )


def experiment_job_usd(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ for one job of an experiment."""
    row = _experiment(evidence, key)
    return over(
        figure("experiment_job_usd", key),
        worded("$ per job of {name}", name=row.name),
        row.usd_per_job,
        "rate",
        worded("$ per job = cost of the experiment in the window \u00f7 its jobs with GPU time"),
        (worded("Cost in the window"), row.usd),
        (worded("Jobs"), row.jobs),
        ("usd", "count"),
    )


def experiment_usd(evidence: CostEvidence, scope: str, key: str) -> Trace:
    """$ a month of an experiment."""
    row = _experiment(evidence, key)
    return over(
        figure("experiment_usd", key),
        worded("Cost of {name}", name=row.name),
        row.usd_per_month,
        "usd",
        worded("Cost per month = cost in the window \u00f7 months of 730 h in it"),
        (worded("Cost in the window"), row.usd),
        (worded("Months of the window"), evidence.months),
        ("usd", "rate"),
        said_as=worded("per month"),
    )
