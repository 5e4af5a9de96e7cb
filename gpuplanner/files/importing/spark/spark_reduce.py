"""Reducing on Spark: every run once over all parts, workloads named, and what they add up to."""

from collections.abc import Mapping, Sequence
from functools import partial, reduce
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.importing.import_jobs import with_counts
from gpuplanner.files.importing.log_choices import LogChoice
from gpuplanner.files.importing.spark.spark_log import OpenedLog, open_log
from gpuplanner.files.importing.spark.spark_part import KINDS, SettledLog, judged_part
from gpuplanner.files.importing.spark.spark_session import open_spark
from gpuplanner.files.importing.windowed_jobs import JobsRead, in_window, sorted_issues
from gpuplanner.files.job_logs.judging import expression, row_validation
from gpuplanner.files.job_logs.reduce import job_rows, reduction
from gpuplanner.files.job_logs.reduce.merged_names import names_merged_issue
from gpuplanner.files.sources.issue_texts import issue_message, unreadable_file
from gpuplanner.files.tables.column_mapping import ColumnMapping, parse_mapping
from gpuplanner.files.values.lookback_period import LogSpan, WindowRequest, choose_window
from gpuplanner.files.values.times import check_timezone
from gpuplanner.lazy_dataclass import replace

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def reduce_on_spark(
    paths: Sequence[str],
    *,
    mapping: ColumnMapping | str | None = None,
    timezone: str | None = None,
    cluster: str | None = None,
    clusters: Mapping[str, str] | None = None,
    window_request: WindowRequest | None = None,
    drop_alike: bool = False,
) -> JobsRead:
    """CSV or Parquet logs, in our own columns or through a mapping, to demand; the workloads are named, no more.

    A path may be anything Spark reads: a file, a folder, a pattern, an address in object storage. Rows have no line
    numbers there, so issues name no first row. drop_alike: see import_jobs. clusters: by path, else cluster.
    Errors: PlannerError missing_part, missing_column, file_unreadable.
    """
    check_timezone(timezone)
    choice = LogChoice(
        mapping=parse_mapping(mapping) if isinstance(mapping, str) else mapping, timezone=timezone
    )
    opened: list[OpenedLog] = []
    files: dict[int, FileIntake] = {}
    refused: list[PlannerError] = []
    read = JobsRead(window=None, cube=None, workloads=(), jobs=JobFacts(), intake=())
    with open_spark() as session:
        for number, path in enumerate(map(str, paths)):
            try:
                opened.append(
                    open_log(
                        session,
                        SettledLog(
                            path=path,
                            number=number,
                            choice=choice,
                            cluster=(clusters or {}).get(path) or cluster or "",
                        ),
                    )
                )
            except PlannerError as fault:
                if fault.code != "missing_column":
                    raise
                refused.append(fault)
                files[number] = replace(unreadable_file(fault), path=path)
        if opened:
            _view_once_each(session, opened, drop_alike=drop_alike)
            files |= _intake(session, opened)
            (span,) = session.sql(reduction.SPAN_SQL.format(jobs="accepted_once")).collect()
            request = window_request or WindowRequest(whole_log=True)
            window = choose_window(request, LogSpan(*span), timezone or "UTC")
            if window is not None:
                read = _reduced(session, window, files)
    accepted = sum(file.rows_accepted for file in files.values())
    intake = tuple(files[number] for number in sorted(files))
    return replace(read, intake=intake, refused=tuple(refused), accepted=accepted)


_ALIKE: Final = expression.later_rows(
    "(select * from {rows} where job_id is null)",
    "cluster, name, account, user, queue, gpu_model, milli_gpus, nodes, start_s, end_s, is_running, state, "
    "activity_milli_percent, label, model",
    "file, line",
)


def _view_once_each(session: "SparkSession", opened: Sequence[OpenedLog], *, drop_alike: bool) -> None:
    """The views judged_rows, what `judged_part` makes of all parts of all logs, and accepted_once, each run once."""
    from pyspark import StorageLevel

    schema = ", ".join((*(f"`{name}` {kind}" for name, kind in KINDS.items()), "issues array<string>"))
    judged = (each.parts.mapInArrow(partial(judged_part, each.log), schema) for each in opened)
    rows = reduce(lambda before, after: before.union(after), judged)
    rows.persist(StorageLevel.DISK_ONLY).createOrReplaceTempView("judged_rows")  # read and judged once
    accepted, lost = (
        "(select * from judged_rows where fate = 'accepted')",
        "left anti join ({}) using (file, line)",
    )
    once = f"select * from {accepted} {lost.format(expression.repeated_rows(accepted))}"
    if drop_alike:
        once = f"select * from ({once}) {lost.format(_ALIKE.format(rows=f'({once})'))}"
    session.sql(once).persist(StorageLevel.DISK_ONLY).createOrReplaceTempView("accepted_once")


_ISSUES_SQL: Final = f"""
    select file, code, sum(row_count) from (
        select file, explode(issues) as code, row_count from judged_rows where fate <> 'accepted'
        union all select file, explode(issues), row_count from accepted_once
        union all select file, 'possible_duplicate', 1 from ({_ALIKE.format(rows="accepted_once")}))
    group by file, code"""


def _intake(session: "SparkSession", opened: Sequence[OpenedLog]) -> dict[int, FileIntake]:
    """How the rows of each log ended, by its number; what is wrong with some is counted and not located."""
    fates: dict[int, dict[str, int]] = {each.log.number: {} for each in opened}
    issues: dict[int, dict[str, int]] = {each.log.number: {} for each in opened}
    zoned = set()
    for file, fate, count, has_zoned in session.sql(
        "select file, fate, sum(row_count), max(has_zoned) from judged_rows group by file, fate"
    ).collect():
        fates[file][fate] = count
        zoned |= {file} if has_zoned else set()
    kept = dict(map(tuple, session.sql("select file, count(*) from accepted_once group by file").collect()))
    for file, counts in fates.items():
        if lost := counts.get("accepted", 0) - kept.get(file, 0):
            counts |= {"accepted": kept.get(file, 0), "duplicate": counts.get("duplicate", 0) + lost}
    for file, code, count in session.sql(_ISSUES_SQL).collect():
        issues[file][code] = count
    files = {}
    for each in opened:
        log, codes = each.log, issues[each.log.number]
        codes.pop(row_validation.MIXED_ZONES, None)  # a part knows its own times alone
        if row_validation.NAIVE in codes and log.number in zoned:
            codes[row_validation.MIXED_ZONES] = codes[row_validation.NAIVE]
        if log.choice.timezone:
            codes.pop(row_validation.NAIVE, None)
        counted = [Issue(code, count, None, issue_message(code)) for code, count in codes.items()]
        file = FileIntake(
            path=log.path,
            kind="jobs",
            format=log.dialect.format,
            rows_read=0,
            rows_accepted=0,
            rows_rejected=0,
            rows_duplicate=0,
            rows_ignored=0,
            issues=each.issues,
        )
        files[log.number] = with_counts(file, fates[log.number], counted)
    return files


_NAMES: Final = "cluster, owner, workload_name, label"


def _view_workloads(session: "SparkSession", files: dict[int, FileIntake]) -> list[job_rows.WorkloadName]:
    """The view numbered_jobs: accepted_once with the number of each workload; returns these by number, by key.

    files: those with names that were merged (names.py) say so from now on.
    """
    rows = session.sql(
        f"select file, {_NAMES}, count(*) from accepted_once group by file, {_NAMES}"
    ).collect()
    names = [
        job_rows.WorkloadName(key="", name=name, cluster=cluster, owner=owner, label=label).called(
            cluster, name
        )
        for _, cluster, owner, name, label, _ in rows
    ]
    renames = job_rows.renamed(set(names))
    now = {name: renames.names.get(name, name) for name in names}
    merged: dict[int, int] = {}
    for (file, *_, count), name in zip(rows, names, strict=True):
        if now[name].name != name.name:
            merged[file] = merged.get(file, 0) + count
    for file, count in merged.items():
        issue = names_merged_issue(renames.merged, count, None)
        files[file] = replace(files[file], issues=sorted_issues((*files[file].issues, issue)))
    by_key = {name.key: name for name in now.values()}
    places = {key: place for place, key in enumerate(sorted(by_key))}
    numbered = [(*name[2:4], name.name, name.label, places[later.key]) for name, later in now.items()]
    kinds = ", ".join(f"{column} string" for column in _NAMES.split(", "))
    session.createDataFrame(numbered, f"{kinds}, workload long").createOrReplaceTempView("workload_names")
    columns = "file, start_s, end_s, is_running, milli_gpus, gpu_model, workload"
    jobs = session.sql(f"select {columns} from accepted_once join workload_names using ({_NAMES})")
    jobs.createOrReplaceTempView("numbered_jobs")
    return [by_key[key] for key in places]


_PEAK_SQL: Final = f"""
    select hour, max(level) as highest, sum(change) as net from (
        select hour, change, sum(change) over (partition by hour order by at_s) as level from (
            select at_s, at_s div {HOUR_S} as hour, sum(change) as change from (
                select from_s as at_s, milli_gpus as change from clipped_jobs where has_demand
                union all select to_s, -milli_gpus from clipped_jobs where has_demand) group by at_s))
    group by hour order by hour"""
"""GPUs in use at once: running sums within each hour, to be added up over the hours."""


def _reduced(session: "SparkSession", window: Window, files: dict[int, FileIntake]) -> JobsRead:
    """Workloads, demand and facts of jobs on Spark; only sums come back to this machine.

    files: by number; they grow by what the window leaves out.
    """
    names = _view_workloads(session, files)
    session.sql(expression.clipped_jobs("numbered_jobs", window)).cache().createOrReplaceTempView(
        "clipped_jobs"
    )
    steps = _columns(session, expression.hourly_steps("clipped_jobs"))
    gpu_models = sorted(set(steps["gpu_model"]) - {None})
    places = {model: place for place, model in enumerate(gpu_models)}
    steps["gpu_model"] = np.array([places.get(model, -1) for model in steps["gpu_model"]], dtype=np.int64)
    cube = reduction.cube_of_steps(window.hours, tuple(gpu_models), range(len(names)), steps)
    totals = reduction.totals_of(cube, len(names))
    busy = np.flatnonzero(totals)
    is_cut = f"has_demand and (start_s < {window.start_s} or stop_s > {window.end_s} and not is_running)"
    facts, by_file = reduction.facts_by_file(
        session.sql(
            f"""select file, count(*), count(*) filter (where has_demand), min(from_s) filter (where has_demand),
                max(to_s) filter (where has_demand), min(from_s), max(to_s), count(*) filter (where {is_cut}), null
            from clipped_jobs group by file"""
        ).collect(),
        window,
    )
    for number, file in files.items():
        files[number] = in_window(file, by_file.get(number, reduction.FileJobs(0, 0, None)))
    hours = _columns(session, _PEAK_SQL)
    peak = (np.cumsum(hours["net"]) - hours["net"] + hours["highest"]).max(initial=0)
    return JobsRead(
        window=window,
        cube=replace(cube, workload_index=np.searchsorted(busy, cube.workload_index).astype(np.int64)),
        workloads=tuple(_workload(names[number], int(totals[number])) for number in busy.tolist()),
        jobs=replace(facts, milli_gpu_seconds=cube.total, peak_milli_gpus=int(peak)),
        intake=(),
    )


def _workload(name: job_rows.WorkloadName, milli_gpu_seconds: int) -> Workload:
    """A workload with its GPU time; more is not known of it."""
    label = Pool(name.label) if name.label else None
    return Workload(
        key=name.key,
        name=name.name,
        cluster=name.cluster,
        owner=name.owner,
        label=label,
        milli_gpu_seconds=milli_gpu_seconds,
    )


def _columns(session: "SparkSession", query: str) -> dict[str, Any]:
    """The columns of a query as numpy arrays."""
    table = session.sql(query).toArrow()
    return {name: table.column(name).to_numpy() for name in table.column_names}
