"""Traces of classes: workloads, jobs, GPU-hours, share and cost of a class; down to workloads and their jobs."""

from collections.abc import Callable
from typing import Final

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.explained import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import (
    JOBS,
    Adds,
    Amount,
    Counts,
    Trace,
    TraceColumn,
    TraceRow,
    Value,
    figure,
)
from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.figures.typed import percent, whole
from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.figures.use_rows import CLASS
from gpuplanner.domain.message import Message, lowered, worded, worded_count
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import POOL_TITLES, Pool

NOTE = worded("What the planner says wins over a label in the log, then rules, then a score.")
COLUMNS = (
    TraceColumn(worded("Confidence"), "share"),
    TraceColumn(worded("Jobs"), "count"),
    TraceColumn("GPU-h", "milli_gpu_seconds"),
    TraceColumn(worded("\n$ per month"), "usd"),
)
JOBS_AT, GPU_HOURS_AT, DOLLARS_AT = 1, 2, 3


def _members(evidence: Evidence, pool: str) -> list[tuple[Workload, WorkloadToday]]:
    """Workloads of a class, those of most GPU time first."""
    both = zip(evidence.project.workloads, evidence.audit.workloads, strict=True)
    found = [(workload, today) for workload, today in both if today.classification.pool == pool]
    return sorted(found, key=lambda pair: (-pair[0].milli_gpu_seconds, pair[0].key))


def _rows(evidence: Evidence, pool: str, opens: str) -> tuple[TraceRow, ...]:
    """A row for each workload of a class. opens: kind of the figure that explains it further."""
    rows = []
    for workload, today in _members(evidence, pool):
        values: tuple[Value, ...] = (
            today.classification.confidence,
            workload.jobs,
            workload.milli_gpu_seconds,
            today.usd_per_month,
        )
        rows.append(TraceRow(evidence.names[workload.key], values, figure(opens, workload.key)))
    return tuple(rows)


WORDS: Final = {
    "workloads": worded(
        "Workloads whose class is this, by what the planner said, a label, a rule or a score"
    ),
    "jobs": worded("Jobs = \u03a3 over its workloads of jobs in the window"),
    "gpu_hours": worded(
        "GPU-hours = \u03a3 over its workloads of GPUs \u00d7 hours of their jobs in the window"
    ),
    "cost_per_month": worded(
        "Cost = \u03a3 over its workloads of their share of what their clusters' served hours and overflow cost"
    ),
}
ADDED: Final = {"jobs": JOBS_AT, "gpu_hours": GPU_HOURS_AT, "cost_per_month": DOLLARS_AT}
"""The column that adds up to a figure; workloads are counted."""


def of_class(key: str) -> Callable[[Evidence, str, str], Trace]:
    """What explains a figure of one class by listing its workloads; GPU time is exact."""
    one = CLASS[key]

    def answer(evidence: Evidence, scope: str, pool: str) -> Trace:
        row = evidence.audit.classes[Pool(pool)]
        unit: WrittenAs = "milli_gpu_seconds" if key == "gpu_hours" else one.unit.key
        value = row.milli_gpu_seconds if key == "gpu_hours" else getattr(row, key)
        rows = _rows(evidence, pool, "workload_cost" if key == "cost_per_month" else JOBS)
        return Trace(
            figure(one.why, pool),
            worded("{words}: {what}", words=_called(pool), what=lowered(one.title)),
            value,
            unit,
            one.unit.per,
            WORDS[key],
            (worded("{rows} workloads: ", rows=whole(len(rows))), Amount(value, unit)),
            COLUMNS,
            rows,
            Adds(ADDED[key]) if key in ADDED else Counts(),
            NOTE,
        )

    return answer


def _called(pool: str) -> Message:
    return POOL_TITLES[Pool(pool)]


def review(evidence: Evidence, scope: str, subject: str) -> Trace:
    """What the workloads cost that wait for a decision: classed with too little confidence, and not settled."""
    below = evidence.project.assumptions.review_below
    both = zip(evidence.project.workloads, evidence.audit.workloads, strict=True)
    waiting = [
        (workload, today)
        for workload, today in both
        if today.classification.confidence < below
        and not today.classification.is_settled
        and workload.gpu_jobs
    ]
    waiting.sort(key=lambda pair: (-(pair[1].usd_per_month or 0.0), pair[0].key))
    usd = known_sum(today.usd_per_month for _, today in waiting)
    rows = tuple(
        TraceRow(
            evidence.names[workload.key],
            (today.classification.confidence, today.usd_per_month),
            figure("workload_cost", workload.key),
        )
        for workload, today in waiting
    )
    return Trace(
        figure("review"),
        worded("Workloads in review"),
        usd,
        "usd",
        worded("per month"),
        worded(
            "Cost of the workloads whose class has a confidence under {below} and that nobody decided",
            below=percent(below),
        ),
        (
            worded_count(
                len(rows),
                "\u03a3 of {rows} workload = ",
                "\u03a3 of {rows} workloads = ",
                rows=whole(len(rows)),
            ),
            Amount(usd, "usd"),
        ),
        (TraceColumn(worded("Confidence"), "share"), TraceColumn(worded("\n$ per month"), "usd")),
        rows,
        Adds(1),
        NOTE,
    )


def share(evidence: Evidence, scope: str, pool: str) -> Trace:
    """GPU time of a class over that of all."""
    row = evidence.audit.classes[Pool(pool)]
    return explained(
        CLASS,
        "share",
        Inputs(row.exact, pool, title=_called(pool), opens={"all_gpu_hours": figure("classes")}),
    )


def classes(evidence: Evidence, scope: str, subject: str) -> Trace:
    """All GPU time of the window, class by class."""
    found = evidence.audit.classes
    total = sum(row.milli_gpu_seconds for row in found.values())
    return Trace(
        figure("classes"),
        worded("GPU-hours by class"),
        total,
        "milli_gpu_seconds",
        CLASS["gpu_hours"].unit.per,
        worded("Share = GPU-hours of the class \u00f7 all GPU-hours in the window"),
        (Amount(total, "milli_gpu_seconds"), worded(" GPU-h of all jobs")),
        (
            TraceColumn(CLASS["workloads"].title, "count"),
            TraceColumn(CLASS["jobs"].title, "count"),
            TraceColumn("GPU-h", "milli_gpu_seconds"),
            TraceColumn(CLASS["share"].heading("", is_short=True), "share"),
        ),
        tuple(
            TraceRow(
                _called(pool),
                (row.workloads, row.jobs, row.milli_gpu_seconds, row.share),
                figure(CLASS["gpu_hours"].why, pool),
            )
            for pool, row in found.items()
        ),
        Adds(2),
        worded("{share} {note}", share=CLASS["share"].note, note=NOTE),
    )


OF_ALL: Final = {
    "workloads": ("workloads_of_all", worded("Workloads = \u03a3 over classes")),
    "jobs": ("jobs_of_all", worded("Jobs = \u03a3 over classes")),
    "cost_per_month": (
        "workloads_cost",
        worded("Cost of workloads = what was allocated to jobs + overflow; idle GPUs are nobody's"),
    ),
}
"""Figures of all classes together: the kind of their id, and what they are in words, by key."""


def of_all(key: str) -> Callable[[Evidence, str, str], Trace]:
    """What explains a figure of all classes together: class by class."""
    one, (kind, words) = CLASS[key], OF_ALL[key]

    def answer(evidence: Evidence, scope: str, subject: str) -> Trace:
        found = {pool: getattr(row, key) for pool, row in evidence.audit.classes.items()}
        value = known_sum(found.values()) if one.unit.key == "usd" else sum(found.values())
        return Trace(
            figure(kind),
            worded("{figure} of all workloads", figure=one.title) if one.unit.key == "usd" else one.title,
            value,
            one.unit.key,
            one.unit.per,
            words,
            (Amount(value, one.unit.key),),
            (TraceColumn(one.heading("\n"), one.unit.key),),
            tuple(
                TraceRow(_called(pool), (amount,), figure(one.why, pool)) for pool, amount in found.items()
            ),
            Adds(0),
        )

    return answer
