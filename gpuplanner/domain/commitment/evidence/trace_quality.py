"""Traces of the data-quality card: what share of the log says what a plan stands on."""

from typing import Final

from gpuplanner.domain.audit.evidence.trace import Adds, Amount, Trace, TraceColumn, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import over, read, summed
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.model.log.data_quality import GAP_RULE, DataQuality, LogGap
from gpuplanner.domain.model.window import iso_utc
from gpuplanner.domain.model.worded import Message, worded

OF_JOBS: Final = {
    "id_coverage": (
        worded("Jobs with an id"),
        worded("jobs that have an id"),
        worded("Jobs that have an id"),
    ),
    "name_coverage": (
        worded("Jobs with a name"),
        worded("jobs that have a name"),
        worded("Jobs that have a name"),
    ),
    "user_coverage": (
        worded("Jobs with a user"),
        worded("jobs that have an account or user"),
        worded("Jobs that have an account or user"),
    ),
    "naive_time_share": (
        worded("Times without a zone"),
        worded("jobs whose times name no zone"),
        worded("Jobs whose times name no zone"),
    ),
    "zero_length_share": (
        worded("Jobs of no length"),
        worded("jobs that end when they start"),
        worded("Jobs that end when they start"),
    ),
}
OF_GPU_TIME: Final = {
    "gpu_model_coverage": (worded("GPU-hours with a model"), worded("jobs that name their GPU model")),
    "activity_coverage": (worded("GPU-hours with activity"), worded("jobs whose activity was read")),
}


def _quality(evidence: PlanEvidence) -> DataQuality:
    """Errors: KeyError where no log is loaded."""
    quality = evidence.project.jobs.quality
    if quality is None:
        raise KeyError("no log is loaded")
    return quality


def quality_jobs(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Accepted jobs of all logs."""
    source = worded("the logs: accepted rows of all of them, jobs without GPUs too")
    return read(
        figure("quality_jobs"), worded("Jobs of the whole log"), _quality(evidence).jobs, "count", source
    )


def quality_hours(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """The share of hours in which a job ran."""
    quality = _quality(evidence)
    return over(
        figure("quality_hours"),
        worded("Hours with jobs"),
        quality.time_coverage,
        "share",
        worded(
            "Share = hours in which a job ran, began or ended \u00f7 hours from the first to the last event"
        ),
        (worded("Hours with a job"), quality.busy_hours),
        (worded("Hours from the first to the last event"), quality.hours),
        ("count", "count"),
    )


def quality_gaps(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Hours that lie in gaps of the log."""
    quality = _quality(evidence)
    rows = [TraceRow(_gap(gap), (gap.hours,)) for gap in quality.gaps]
    left = quality.gap_hours - sum(gap.hours for gap in quality.gaps)
    if left:
        rows.append(TraceRow(worded("Shorter gaps"), (left,)))
    words = worded("Hours = \u03a3 over gaps of their length")
    return summed(
        figure("quality_gaps"),
        worded("In gaps"),
        quality.gap_hours,
        "hours",
        words,
        rows,
        note=worded("A gap is: {gap_rule}.", gap_rule=GAP_RULE),
    )


def _gap(gap: LogGap) -> Message:
    return worded("{start_s} to {end_s}", start_s=iso_utc(gap.start_s), end_s=iso_utc(gap.end_s))


def quality_share(evidence: PlanEvidence, scope: str, field: str) -> Trace:
    """A share of the jobs, or of their GPU time, by the name of its field."""
    quality = _quality(evidence)
    share: float | None = getattr(quality, field) if field in OF_JOBS or field in OF_GPU_TIME else None
    if field in OF_JOBS:
        title, words, counted = OF_JOBS[field]
        return over(
            figure("quality_share", field),
            title,
            share,
            "share",
            worded("Share = {words} \u00f7 accepted jobs of all logs", words=words),
            (counted, None if share is None else round(share * quality.jobs)),
            (worded("Accepted jobs"), quality.jobs),
            ("count", "count"),
        )
    title, words = OF_GPU_TIME[field]
    rest = None if share is None else share - 1
    return Trace(
        figure("quality_share", field),
        title,
        share,
        "share",
        worded("of the GPU time"),
        worded("Share = GPU-hours of {words} \u00f7 GPU-hours of all accepted jobs", words=words),
        ("1 \u2212 ", Amount(None if rest is None else -rest, "share"), " = ", Amount(share, "share")),
        (TraceColumn(worded("Share of the\nGPU time"), "share"),),
        (TraceRow(worded("All accepted jobs"), (1.0,)), TraceRow(worded("Less: jobs without it"), (rest,))),
        Adds(0),
    )
