"""Traces of classes: workloads, jobs, GPU-hours, share and cost of a class; down to workloads and their jobs."""

from collections.abc import Mapping

from gpuplanner.domain.audit.evidence.audit_evidence import Evidence
from gpuplanner.domain.audit.evidence.trace import (
    JOBS,
    Adds,
    Amount,
    Counts,
    Quotient,
    Trace,
    TraceColumn,
    TraceRow,
    Value,
    figure,
)
from gpuplanner.domain.audit.result import WorkloadToday
from gpuplanner.domain.figures.units import WrittenAs
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.worded import worded, worded_count

NOTE = worded("What the planner says wins over a label in the log, then rules, then a score.")
COLUMNS = (
    TraceColumn(worded("Confidence"), "share"),
    TraceColumn(worded("Jobs"), "count"),
    TraceColumn("GPU-h", "milli_gpu_seconds"),
    TraceColumn(worded("\n$ per month"), "usd"),
)
JOBS_AT, GPU_HOURS_AT, DOLLARS_AT = 1, 2, 3


def _members(evidence: Evidence, pool: str) -> list[tuple[Workload, WorkloadToday]]:
    both = zip(evidence.project.workloads, evidence.audit.workloads, strict=True)
    found = [(workload, today) for workload, today in both if today.classification.pool == pool]
    return sorted(found, key=lambda pair: (-pair[0].milli_gpu_seconds, pair[0].key))


def _rows(evidence: Evidence, pool: str, opens: str) -> tuple[TraceRow, ...]:
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


def _of_class(
    evidence: Evidence,
    kind: str,
    pool: str,
    what: str,
    value: float | int | None,
    unit: WrittenAs,
    said_as: str,
    words: str,
    column: int | None,
    opens: str = JOBS,
) -> Trace:
    rows = _rows(evidence, pool, opens)
    return Trace(
        figure(kind, pool),
        worded("{words}: {what}", words=worded(Pool(pool).capitalize()), what=what),
        value,
        unit,
        said_as,
        words,
        (worded("{rows} workloads: ", rows=len(rows)), Amount(value, unit)),
        COLUMNS,
        rows,
        Counts() if column is None else Adds(column),
        NOTE,
    )


def workloads(evidence: Evidence, scope: str, pool: str) -> Trace:
    """How many workloads are of a class."""
    count = evidence.audit.classes[Pool(pool)].workloads
    words = worded("Workloads whose class is this, by what the planner said, a label, a rule or a score")
    return _of_class(evidence, "class_workloads", pool, "workloads", count, "count", "", words, None)


def jobs(evidence: Evidence, scope: str, pool: str) -> Trace:
    """How many jobs a class has."""
    count = evidence.audit.classes[Pool(pool)].jobs
    words = worded("Jobs = \u03a3 over its workloads of jobs in the window")
    return _of_class(evidence, "class_jobs", pool, "jobs", count, "count", "", words, JOBS_AT)


def gpu_hours(evidence: Evidence, scope: str, pool: str) -> Trace:
    """GPU time of a class in the window, exact."""
    spent = sum(workload.milli_gpu_seconds for workload, _ in _members(evidence, pool))
    words = worded("GPU-hours = \u03a3 over its workloads of GPUs \u00d7 hours of their jobs in the window")
    return _of_class(
        evidence,
        "class_gpu_hours",
        pool,
        "GPU-hours",
        spent,
        "milli_gpu_seconds",
        worded("GPU-h in the window"),
        words,
        GPU_HOURS_AT,
    )


def cost(evidence: Evidence, scope: str, pool: str) -> Trace:
    """What the workloads of a class cost a month."""
    usd = known_sum(today.usd_per_month for _, today in _members(evidence, pool))
    words = worded(
        "Cost = \u03a3 over its workloads of their share of what their clusters' served hours and overflow cost"
    )
    return _of_class(
        evidence,
        "class_cost",
        pool,
        "cost",
        usd,
        "usd",
        worded("per month"),
        words,
        DOLLARS_AT,
        "workload_cost",
    )


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
            below=f"{below:.0%}",
        ),
        (
            worded_count(
                len(rows), "\u03a3 of {rows} workload = ", "\u03a3 of {rows} workloads = ", rows=len(rows)
            ),
            Amount(usd, "usd"),
        ),
        (TraceColumn(worded("Confidence"), "share"), TraceColumn(worded("\n$ per month"), "usd")),
        rows,
        Adds(1),
        NOTE,
    )


def cost_of_all(evidence: Evidence, scope: str, subject: str) -> Trace:
    """What all workloads cost a month: class by class."""
    usd = {pool: known_sum(today.usd_per_month for _, today in _members(evidence, pool)) for pool in POOLS}
    total = known_sum(usd.values())
    return Trace(
        figure("workloads_cost"),
        worded("Cost of all workloads"),
        total,
        "usd",
        worded("per month"),
        worded("Cost of workloads = what was allocated to jobs + overflow; idle GPUs are nobody's"),
        (Amount(total, "usd"),),
        (TraceColumn(worded("\n$ per month"), "usd"),),
        tuple(
            TraceRow(worded(pool.capitalize()), (usd[pool],), figure("class_cost", pool)) for pool in POOLS
        ),
        Adds(0),
    )


def share(evidence: Evidence, scope: str, pool: str) -> Trace:
    """GPU time of a class over that of all."""
    mine = sum(workload.milli_gpu_seconds for workload, _ in _members(evidence, pool))
    every = sum(workload.milli_gpu_seconds for workload in evidence.project.workloads)
    value = evidence.audit.classes[Pool(pool)].share
    return Trace(
        figure("class_share", pool),
        worded("{pool}: share of GPU-hours", pool=worded(Pool(pool).capitalize())),
        value,
        "share",
        "",
        worded("Share = GPU-hours of the class \u00f7 all GPU-hours in the window"),
        (
            Amount(mine, "milli_gpu_seconds"),
            " \u00f7 ",
            Amount(every, "milli_gpu_seconds"),
            " = ",
            Amount(value, "share"),
        ),
        (TraceColumn("GPU-h", "milli_gpu_seconds"),),
        (
            TraceRow(worded(Pool(pool).capitalize()), (mine,), figure("class_gpu_hours", pool)),
            TraceRow(worded("All classes"), (every,), figure("classes")),
        ),
        Quotient(0),
        worded("A class is what a workload is; moving a card changes where it runs, not what it is."),
    )


def classes(evidence: Evidence, scope: str, subject: str) -> Trace:
    """All GPU time of the window, class by class."""
    spent = {pool: sum(one.milli_gpu_seconds for one, _ in _members(evidence, pool)) for pool in POOLS}
    total = sum(spent.values())
    rows = tuple(
        TraceRow(
            worded(pool.capitalize()),
            (
                evidence.audit.classes[pool].workloads,
                evidence.audit.classes[pool].jobs,
                spent[pool],
                evidence.audit.classes[pool].share,
            ),
            figure("class_gpu_hours", pool),
        )
        for pool in POOLS
    )
    return Trace(
        figure("classes"),
        worded("GPU-hours by class"),
        total,
        "milli_gpu_seconds",
        worded("GPU-h in the window"),
        worded("Share = GPU-hours of the class \u00f7 all GPU-hours in the window"),
        (Amount(total, "milli_gpu_seconds"), worded(" GPU-h of all jobs")),
        (
            TraceColumn(worded("Workloads"), "count"),
            TraceColumn(worded("Jobs"), "count"),
            TraceColumn("GPU-h", "milli_gpu_seconds"),
            TraceColumn(worded("Share"), "share"),
        ),
        rows,
        Adds(2),
        worded(
            "A class is what a workload is; moving a card changes where it runs, not what it is. {note}",
            note=NOTE,
        ),
    )


def jobs_of_all(evidence: Evidence, scope: str, subject: str) -> Trace:
    """All jobs of the window, class by class."""
    return _counts_of_all("jobs", worded("Jobs"), {pool: evidence.audit.classes[pool].jobs for pool in POOLS})


def workloads_of_all(evidence: Evidence, scope: str, subject: str) -> Trace:
    """All workloads, class by class."""
    return _counts_of_all(
        "workloads", worded("Workloads"), {pool: evidence.audit.classes[pool].workloads for pool in POOLS}
    )


def _counts_of_all(what: str, title: str, counts: Mapping[Pool, int]) -> Trace:
    total = sum(counts.values())
    return Trace(
        figure(f"{what}_of_all"),
        title,
        total,
        "count",
        "",
        worded("{title} = \u03a3 over classes", title=title),
        (Amount(total, "count"),),
        (TraceColumn(title, "count"),),
        tuple(
            TraceRow(worded(pool.capitalize()), (counts[pool],), figure(f"class_{what}", pool))
            for pool in POOLS
        ),
        Adds(0),
    )
