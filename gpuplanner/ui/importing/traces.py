"""Why counts of an import are what they are: how the rows of a file ended, and what is taken in."""

from collections import Counter
from typing import Any, Final

from gpuplanner.domain.audit.evidence.trace import Trace, TraceRow, figure, parts_of
from gpuplanner.domain.audit.evidence.trace_forms import read as as_read
from gpuplanner.domain.audit.evidence.trace_forms import summed
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.message import lowered, worded
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.ui.importing.issue_words import issue_words, title_of
from gpuplanner.ui.words.translation import sentence, tr

VALIDATION, ISSUE, TAKEN = "row_fate", "row_issue", "taken_in"
_WORDS: Final = {
    "rows_accepted": (
        worded("Accepted"),
        worded("Accepted = rows read \u2212 rejected \u2212 duplicate \u2212 ignored"),
    ),
    "rows_rejected": (
        worded("Rejected"),
        worded("Rows with a value that cannot be used; each is listed with its reason"),
    ),
    "rows_duplicate": (
        worded("Duplicate"),
        worded("Rows that tell again of a job that an earlier row told of"),
    ),
    "rows_ignored": (
        worded("Ignored"),
        worded("Rows that say nothing of a job that ran, as of one that still waits"),
    ),
}
"""Field of a file -> its name, and how it is counted."""


def validation_figure(field: str) -> str:
    """A count of the rows of a file, by its field."""
    return figure(VALIDATION, field)


def report_trace(file: FileIntake, figure_id: str) -> Trace:
    """Why a count of the report is what it is. Errors: KeyError, StopIteration where it is none of it."""
    kind, _, subject = parts_of(figure_id)
    source = file.path.replace("\\", "/").rsplit("/", 1)[-1] or tr("all files")
    if kind == ISSUE:
        issue = next(one for one in file.issues if one.code == subject)
        words = tr("Rows of the file in which it was found")
        told = sentence(issue_words(subject, issue.message))
        return as_read(figure_id, title_of(subject), issue.count, "count", source, words=words, note=told)
    if kind != VALIDATION:
        raise KeyError(figure_id)
    if subject == "rows_read":
        rows = [
            TraceRow(name, (getattr(file, field),), validation_figure(field))
            for field, (name, _) in _WORDS.items()
        ]
        words = tr("Rows read = accepted + rejected + duplicate + ignored: each row ends in one of them")
        return summed(figure_id, tr("Rows read"), file.rows_read, "count", words, rows)
    name, meaning = _WORDS[subject]
    if subject != "rows_accepted":
        return as_read(figure_id, name, getattr(file, subject), "count", source, words=meaning)
    less = [(other, _WORDS[other][0]) for other in _WORDS if other != subject]
    rows = [TraceRow(tr("Rows read"), (file.rows_read,), validation_figure("rows_read"))]
    rows += [
        TraceRow(
            tr("Less: {title}", title=lowered(title)), (-getattr(file, other),), validation_figure(other)
        )
        for other, title in less
    ]
    return summed(figure_id, name, file.rows_accepted, "count", meaning, rows)


def taken_trace(read: Any, figure_id: str) -> Trace:
    """Why a count of what is taken in is what it is. Errors: KeyError where it is none of it."""
    kind, _, subject = parts_of(figure_id)
    if kind != TAKEN:
        raise KeyError(figure_id)
    accepted, inside = read.accepted_jobs, read.jobs.count
    if subject == "accepted":
        words = tr("Accepted rows of all job logs, each job once")
        return as_read(figure_id, tr("Jobs accepted"), accepted, "count", tr("the job logs"), words=words)
    if subject == "inside":
        rows = [
            TraceRow(tr("Accepted"), (accepted,), figure(TAKEN, "accepted")),
            TraceRow(tr("Less: before or after the window"), (inside - accepted,), figure(TAKEN, "outside")),
        ]
        words = tr("Jobs in the window = accepted \u2212 those that ended before it or began after it")
        return summed(figure_id, tr("Jobs in the window"), inside, "count", words, rows)
    if subject == "outside":
        words = tr("Jobs that ended before the window or began after it")
        return as_read(figure_id, "Left out", accepted - inside, "count", tr("the job logs"), words=words)
    if subject == "gpu_jobs":
        words = tr("Jobs in the window that held a GPU")
        return as_read(
            figure_id, tr("GPU jobs"), read.jobs.gpu_jobs, "count", tr("the job logs"), words=words
        )
    if subject == "gpu_hours":
        rows = [
            TraceRow(one.name, (one.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR,))
            for one in read.workloads
        ]
        words = tr(
            "GPU-hours = \u03a3 over workloads of GPUs \u00d7 hours of their jobs, clipped to the window"
        )
        return summed(
            figure_id, tr(titles.GPU_HOURS_IN_THE_WINDOW), read.jobs.gpu_hours, "gpu_hours", words, rows
        )
    if subject != "workloads":
        raise KeyError(figure_id)
    of = Counter(one.cluster or tr("no cluster") for one in read.workloads)
    rows = [TraceRow(cluster, (count,)) for cluster, count in sorted(of.items())]
    words = tr("A workload is what runs under one name of one owner on one cluster")
    return summed(figure_id, tr("Workloads"), len(read.workloads), "count", words, rows)
