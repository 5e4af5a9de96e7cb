"""Traces of the data-quality card: what share of the log says what a plan stands on."""

from typing import Final

from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, TraceRow, figure
from gpuplanner.domain.audit.evidence.trace_forms import read, summed
from gpuplanner.domain.commitment.evidence.plan_evidence import PlanEvidence
from gpuplanner.domain.figures.quality import QUALITY
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.log.data_quality import GAP_RULE, DataQuality, LogGap
from gpuplanner.domain.model.window import iso_utc

WHOLE_LOG: Final = worded("the whole log")


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
    return _share(_quality(evidence), "time_coverage", "")


def quality_gaps(evidence: PlanEvidence, scope: str, subject: str) -> Trace:
    """Hours that lie in gaps of the log."""
    quality = _quality(evidence)
    rows = [TraceRow(_gap(gap), (gap.hours,)) for gap in quality.gaps]
    if quality.shorter_gap_hours:
        rows.append(TraceRow(worded("Shorter gaps"), (quality.shorter_gap_hours,)))
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
    """A share of the jobs, or of their GPU time, by its key."""
    return _share(_quality(evidence), field, field)


def _share(quality: DataQuality, key: str, name: str) -> Trace:
    """A share of the log from what was counted of it. name: of the row in ids."""
    row = Inputs(quality.inputs, name, title=WHOLE_LOG, opens={"jobs": figure("quality_jobs")})
    if key in row.values:  # nobody kept what it was worked out from
        one = QUALITY[key]
        source = worded("the project: what was counted was not kept when its log was read")
        value = quality.shares[key]
        return read(row.figure_id(one), one.title, value, one.unit.key, source, said_as=one.unit.per)
    return explained(QUALITY, key, row)
