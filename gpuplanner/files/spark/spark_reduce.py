"""Reducing on Spark: logs too large for a laptop, read where they lie, by the expression that the laptop uses too."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.message import joined
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import FileIntake, Issue, JobFacts
from gpuplanner.domain.model.log.workload import Workload
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.importing.import_jobs import JobsRead
from gpuplanner.files.job_logs.judging.expression import accepted_jobs, clipped_jobs, hourly_steps
from gpuplanner.files.job_logs.reduce.reduction import cube_of_steps
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.spark.spark_counts import NOT_ALIKE_SQL, intake_of_views
from gpuplanner.files.spark.spark_judging import judged, named, together
from gpuplanner.files.spark.spark_session import open_spark
from gpuplanner.files.spark.spark_texts import layout_of, read_all_as_text, without_steps
from gpuplanner.files.tables.column_mapping import ColumnMapping, parse_mapping
from gpuplanner.files.values.times import check_timezone
from gpuplanner.files.values.window_request import LogSpan, WindowRequest, choose_window

if TYPE_CHECKING:
    from ibis.expr.types import Table
    from pyspark.sql import DataFrame


def reduce_on_spark(
    paths: Sequence[str],
    *,
    mapping: ColumnMapping | str | None = None,
    timezone: str | None = None,
    cluster: str | None = None,
    window_request: WindowRequest | None = None,
    drop_alike: bool = False,
) -> JobsRead:
    """CSV or Parquet logs, in our own columns or through a mapping, to demand; the workloads are named, no more.

    A path may be anything Spark reads: a file, a folder, a pattern, an address in object storage. Rows have no line
    numbers there, so issues name no first row. drop_alike: see import_jobs. Errors: PlannerError missing_part,
    missing_column, file_unreadable.
    """
    check_timezone(timezone)
    chosen = parse_mapping(mapping) if isinstance(mapping, str) else mapping
    with open_spark() as session:
        import ibis
        from pyspark import StorageLevel

        tables = ibis.pyspark.connect(session)
        files: list[tuple[str, str]] = []
        frames: list[DataFrame] = []
        refused: dict[int, PlannerError] = {}
        steps: dict[int, int] = {}
        for number, path in enumerate(map(str, paths)):
            raw = read_all_as_text(session, path)
            try:
                layout = layout_of(path, raw.columns[:-1], chosen)
            except PlannerError as fault:
                if fault.code != "missing_column":
                    raise
                refused[number] = fault
                files.append((path, ""))
                continue
            raw, steps[number] = without_steps(raw, layout)
            frames.append(judged(session, tables, raw, layout, timezone, number))
            files.append((path, layout.format))
        if not frames:
            intake = tuple(FileIntake(path, "jobs", "", 0, 0, 0, 0, 0) for path, _ in files)
            return _with_refused(JobsRead(None, None, (), JobFacts(), intake), refused)
        together(frames, cluster).createOrReplaceTempView("jobs")
        once = accepted_jobs(tables.table("jobs").filter(lambda table: table.fate == "accepted"))
        once_each = session.sql(tables.compile(once))
        if drop_alike:
            once_each.createOrReplaceTempView("accepted_jobs")
            once_each = session.sql(NOT_ALIKE_SQL).drop("place")
        once_each.persist(StorageLevel.DISK_ONLY).createOrReplaceTempView("accepted_once")
        kept = session.sql("select file, count(*) from accepted_once group by file").collect()
        intake = intake_of_views(
            session, files, dict(tuple(row) for row in kept), steps, timezone is not None
        )
        (span,) = session.sql(_SPAN_SQL).collect()
        window = choose_window(
            window_request or WindowRequest(whole_log=True), LogSpan(*span), timezone or "UTC"
        )
        if window is None:
            return _with_refused(JobsRead(None, None, (), JobFacts(), intake), refused)
        workloads, gpu_models, merged = named(session)
        intake = tuple(
            _with_issue(file, merged[number]) if number in merged else file
            for number, file in enumerate(intake)
        )
        numbered = tables.table("numbered_rows")
        return _with_refused(_reduced(tables, numbered, window, gpu_models, workloads, intake), refused)


def _with_refused(read: JobsRead, refused: Mapping[int, PlannerError]) -> JobsRead:
    """What was read, with the files that were left out and why; refused: by the number of the file."""
    intake = [*read.intake]
    for number, fault in refused.items():
        intake[number] = replace(
            intake[number],
            issues=(Issue(fault.code, 1, None, joined((fault.what, fault.remedy), "; ")),),
        )
    return replace(read, intake=tuple(intake), refused=tuple(refused.values()))


_SPAN_SQL: Final = (
    "select min(start_s), max(start_s), max(end_s), max(end_s) filter (where not is_running) "
    "from accepted_once"
)


def _reduced(
    tables: Any,
    jobs: "Table",
    window: Window,
    gpu_models: tuple[str, ...],
    workloads: Sequence[Workload],
    intake: tuple[FileIntake, ...],
) -> JobsRead:
    """Workloads, demand and facts of jobs on Spark; only sums come back to this machine."""
    clipped = clipped_jobs(jobs, window).cache()
    demand = clipped.filter(clipped.has_demand)
    cube = cube_of_steps(
        window.hours, gpu_models, range(len(workloads)), _columns(tables, hourly_steps(demand))
    )
    totals = np.zeros(len(workloads), dtype=np.int64)
    np.add.at(totals, cube.workload_index, cube.row_totals)
    busy = np.flatnonzero(totals)
    is_cut = (demand.start_s < window.start_s) | ((demand.stop_s > window.end_s) & ~demand.is_running)
    facts = _columns(
        tables,
        clipped.aggregate(
            count=clipped.count(),
            gpu_jobs=clipped.has_demand.sum(),
            first=clipped.from_s.min(where=clipped.has_demand),
            last=clipped.to_s.max(where=clipped.has_demand),
            first_any=clipped.from_s.min(),
            last_any=clipped.to_s.max(),
        ),
    )
    by_file, cut_by_file = _by_file(tables, clipped), _by_file(tables, demand.filter(is_cut))
    gpu_jobs = int(facts["gpu_jobs"][0] or 0)
    first, last = ("first", "last") if gpu_jobs else ("first_any", "last_any")
    is_idle = not int(facts["count"][0])
    return JobsRead(
        window,
        replace(cube, workload_index=np.searchsorted(busy, cube.workload_index).astype(np.int64)),
        tuple(replace(workloads[number], milli_gpu_seconds=int(totals[number])) for number in busy.tolist()),
        JobFacts(
            count=int(facts["count"][0]),
            gpu_jobs=gpu_jobs,
            milli_gpu_seconds=cube.total,
            peak_milli_gpus=_peak(tables, demand),
            first_start_s=None if is_idle else window.start_s + int(facts[first][0]),
            last_end_s=None if is_idle else window.start_s + int(facts[last][0]),
            clipped=sum(cut_by_file.values()),
        ),
        tuple(
            replace(_with_clipped(file, cut_by_file.get(number, 0)), jobs_in_window=by_file.get(number, 0))
            for number, file in enumerate(intake)
        ),
        accepted=sum(file.rows_accepted for file in intake),
    )


def _by_file(tables: Any, jobs: "Table") -> dict[int, int]:
    """How many of some jobs each file has, by its number; a file without any is not there."""
    found = _columns(tables, jobs.group_by("file").agg(count=lambda table: table.count()))
    return dict(zip(found["file"].tolist(), found["count"].tolist(), strict=True))


def _with_clipped(file: FileIntake, count: int) -> FileIntake:
    """The file with the issue of how many jobs the window cuts, if it cuts any."""
    return _with_issue(file, Issue("clipped", count, None, issue_message("clipped"))) if count else file


def _with_issue(file: FileIntake, issue: Issue) -> FileIntake:
    """The file with one more issue, sorted by code."""
    return replace(file, issues=tuple(sorted((*file.issues, issue), key=lambda one: one.code)))


def _peak(tables: Any, demand: "Table") -> int:
    """The exact concurrent maximum: running sums within each hour on the engine, over the hours here."""
    import ibis

    begun = demand.select(at_s=demand.from_s, change=demand.milli_gpus)
    ended = demand.select(at_s=demand.to_s, change=-demand.milli_gpus)
    events = ibis.union(begun, ended).group_by("at_s").aggregate(change=lambda table: table.change.sum())
    hourly = events.mutate(hour=events.at_s // HOUR_S)
    in_hour = ibis.window(group_by="hour", order_by="at_s", preceding=None, following=0)
    levels = hourly.mutate(level=hourly.change.sum().over(in_hour))
    found = _columns(
        tables,
        levels.group_by("hour")
        .aggregate(highest=lambda table: table.level.max(), net=lambda table: table.change.sum())
        .order_by("hour"),
    )
    if not len(found["hour"]):
        return 0
    before = np.cumsum(found["net"]) - found["net"]
    return max(0, int((before + found["highest"]).max()))


def _columns(tables: Any, table: "Table") -> dict[str, Any]:
    """A table's columns as numpy arrays."""
    found = tables.to_pyarrow(table)
    return {name: found.column(name).to_numpy() for name in found.column_names}
