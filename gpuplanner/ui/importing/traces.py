"""Why counts of an import are what they are: how the rows of a file ended, and what is taken in."""

from collections import Counter
from typing import Any, Final

from gpuplanner.domain.audit.evidence.trace import Trace, TraceRow, figure, parts_of
from gpuplanner.domain.audit.evidence.trace_forms import read as as_read
from gpuplanner.domain.audit.evidence.trace_forms import summed
from gpuplanner.domain.model.log.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.worded import worded
from gpuplanner.ui.importing.issue_words import issue_words, title_of
from gpuplanner.ui.words.localized import sentence
from gpuplanner.ui.words.translation import said

FATE, ISSUE, TAKEN = "row_fate", "row_issue", "taken_in"
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


def fate_figure(field: str) -> str:
    """A count of the rows of a file, by its field."""
    return figure(FATE, field)


def report_trace(file: FileIntake, figure_id: str) -> Trace:
    """Why a count of the report is what it is. Errors: KeyError, StopIteration where it is none of it."""
    kind, _, subject = parts_of(figure_id)
    source = file.path.replace("\\", "/").rsplit("/", 1)[-1] or said("all files")
    if kind == ISSUE:
        issue = next(one for one in file.issues if one.code == subject)
        words = said("Rows of the file in which it was found")
        told = sentence(issue_words(subject, issue.message))
        return as_read(figure_id, title_of(subject), issue.count, "count", source, words=words, note=told)
    if kind != FATE:
        raise KeyError(figure_id)
    if subject == "rows_read":
        rows = [
            TraceRow(name, (getattr(file, field),), fate_figure(field)) for field, (name, _) in _WORDS.items()
        ]
        words = said("Rows read = accepted + rejected + duplicate + ignored: each row ends in one of them")
        return summed(figure_id, said("Rows read"), file.rows_read, "count", words, rows)
    name, words = _WORDS[subject]
    if subject != "rows_accepted":
        return as_read(figure_id, name, getattr(file, subject), "count", source, words=words)
    less = [(other, _WORDS[other][0]) for other in _WORDS if other != subject]
    rows = [TraceRow(said("Rows read"), (file.rows_read,), fate_figure("rows_read"))]
    rows += [
        TraceRow(said("Less: {title}", title=title.lower()), (-getattr(file, other),), fate_figure(other))
        for other, title in less
    ]
    return summed(figure_id, name, file.rows_accepted, "count", words, rows)


def taken_trace(read: Any, figure_id: str) -> Trace:
    """Why a count of what is taken in is what it is. Errors: KeyError where it is none of it."""
    kind, _, subject = parts_of(figure_id)
    if kind != TAKEN:
        raise KeyError(figure_id)
    accepted, inside = read.accepted_jobs, read.jobs.count
    if subject == "accepted":
        words = said("Accepted rows of all job logs, each job once")
        return as_read(figure_id, said("Jobs accepted"), accepted, "count", said("the job logs"), words=words)
    if subject == "inside":
        rows = [
            TraceRow(said("Accepted"), (accepted,), figure(TAKEN, "accepted")),
            TraceRow(
                said("Less: before or after the window"), (inside - accepted,), figure(TAKEN, "outside")
            ),
        ]
        words = said("Jobs in the window = accepted \u2212 those that ended before it or began after it")
        return summed(figure_id, said("Jobs in the window"), inside, "count", words, rows)
    if subject == "outside":
        words = said("Jobs that ended before the window or began after it")
        return as_read(figure_id, "Left out", accepted - inside, "count", said("the job logs"), words=words)
    if subject == "gpu_jobs":
        words = said("Jobs in the window that held a GPU")
        return as_read(
            figure_id, said("GPU jobs"), read.jobs.gpu_jobs, "count", said("the job logs"), words=words
        )
    if subject == "gpu_hours":
        rows = [
            TraceRow(one.name, (one.milli_gpu_seconds / MILLI_GPU_SECONDS_PER_GPU_HOUR,))
            for one in read.workloads
        ]
        words = said(
            "GPU-hours = \u03a3 over workloads of GPUs \u00d7 hours of their jobs, clipped to the window"
        )
        return summed(
            figure_id, said("GPU-hours in the window"), read.jobs.gpu_hours, "gpu_hours", words, rows
        )
    if subject != "workloads":
        raise KeyError(figure_id)
    of = Counter(one.cluster or said("no cluster") for one in read.workloads)
    rows = [TraceRow(cluster, (count,)) for cluster, count in sorted(of.items())]
    words = said("A workload is what runs under one name of one owner on one cluster")
    return summed(figure_id, said("Workloads"), len(read.workloads), "count", words, rows)
