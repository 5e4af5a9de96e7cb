"""Traces of the data-quality card: what share of the log says what a plan stands on."""

from typing import Final

from gpuplanner.domain.audit.trace import Adds, Quantity, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.trace_forms import over, read, summed
from gpuplanner.domain.commitment.plan_trail import PlanTrail
from gpuplanner.domain.model.data_quality import GAP_RULE, DataQuality, LogGap
from gpuplanner.domain.model.window import iso_utc

OF_JOBS: Final = {
    "id_coverage": ("Jobs with an id", "jobs that have an id"),
    "name_coverage": ("Jobs with a name", "jobs that have a name"),
    "user_coverage": ("Jobs with a user", "jobs that have an account or user"),
    "naive_time_share": ("Times without a zone", "jobs whose times name no zone"),
    "zero_length_share": ("Jobs of no length", "jobs that end when they start"),
}
OF_GPU_TIME: Final = {
    "gpu_model_coverage": ("GPU-hours with a model", "jobs that name their GPU model"),
    "activity_coverage": ("GPU-hours with activity", "jobs whose activity was read"),
}


def _quality(trail: PlanTrail) -> DataQuality:
    quality = trail.project.jobs.quality
    if quality is None:
        raise KeyError("no log is loaded")
    return quality


def quality_jobs(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """Accepted jobs of all logs."""
    source = "the logs: accepted rows of all of them, jobs without GPUs too"
    return read(figure("quality_jobs"), "Jobs of the whole log", _quality(trail).jobs, "count", source)


def quality_hours(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """The share of hours in which a job ran."""
    quality = _quality(trail)
    return over(
        figure("quality_hours"),
        "Hours with jobs",
        quality.time_coverage,
        "share",
        "Share = hours in which a job ran, began or ended \u00f7 hours from the first to the last event",
        ("Hours with a job", quality.busy_hours),
        ("Hours from the first to the last event", quality.hours),
        ("count", "count"),
    )


def quality_gaps(trail: PlanTrail, scope: str, subject: str) -> Trace:
    """Hours that lie in gaps of the log."""
    quality = _quality(trail)
    rows = [TraceRow(_gap(gap), (gap.hours,)) for gap in quality.gaps]
    left = quality.gap_hours - sum(gap.hours for gap in quality.gaps)
    if left:
        rows.append(TraceRow("Shorter gaps", (left,)))
    words = "Hours = \u03a3 over gaps of their length"
    return summed(
        figure("quality_gaps"),
        "In gaps",
        quality.gap_hours,
        "hours",
        words,
        rows,
        note=f"A gap is: {GAP_RULE}.",
    )


def _gap(gap: LogGap) -> str:
    return f"{iso_utc(gap.start_s)} to {iso_utc(gap.end_s)}"


def quality_share(trail: PlanTrail, scope: str, field: str) -> Trace:
    """A share of the jobs, or of their GPU time, by the name of its field."""
    quality = _quality(trail)
    share: float | None = getattr(quality, field) if field in OF_JOBS or field in OF_GPU_TIME else None
    if field in OF_JOBS:
        title, words = OF_JOBS[field]
        return over(
            figure("quality_share", field),
            title,
            share,
            "share",
            f"Share = {words} \u00f7 accepted jobs of all logs",
            (f"{words.capitalize()}", None if share is None else round(share * quality.jobs)),
            ("Accepted jobs", quality.jobs),
            ("count", "count"),
        )
    title, words = OF_GPU_TIME[field]
    rest = None if share is None else share - 1
    return Trace(
        figure("quality_share", field),
        title,
        share,
        "share",
        "of the GPU time",
        f"Share = GPU-hours of {words} \u00f7 GPU-hours of all accepted jobs",
        ("1 \u2212 ", Quantity(None if rest is None else -rest, "share"), " = ", Quantity(share, "share")),
        (TraceColumn("Share of the\nGPU time", "share"),),
        (TraceRow("All accepted jobs", (1.0,)), TraceRow("Less: jobs without it", (rest,))),
        Adds(0),
    )
