"""The jobs of a log in a window: workloads, demand, and what of each file the window leaves out."""

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.cube import Cube, Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import Same
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts
from gpuplanner.domain.model.window import Window
from gpuplanner.files.activity.activity_intake import KIND as ACTIVITY
from gpuplanner.files.job_logs.judging import tres_names
from gpuplanner.files.job_logs.reduce.kept_logs import KeptLogs
from gpuplanner.files.job_logs.reduce.merged_names import NAMES_MERGED, Merged
from gpuplanner.files.sources import issue_texts
from gpuplanner.files.system.engine import Engine, Progress, open_engine
from gpuplanner.files.values.lookback_period import WindowRequest, choose_window
from gpuplanner.lazy_dataclass import dataclass, replace

if TYPE_CHECKING:
    from gpuplanner.domain.queue.logged import QueueLog
    from gpuplanner.files.job_logs.reduce.reduction import FileJobs

import numpy as np

from gpuplanner.domain.figures.typed import day, significant
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.spelling import name_of_jobs
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.job_logs.reduce import job_rows
from gpuplanner.files.system.resources import gpu_families
from gpuplanner.files.tables.small_table import worded_message

RUNS_ON: Final = "runs_on"
BEFORE_WINDOW: Final = "before_window"
LISTED: Final = "listed_since"
"""The issues of jobs that ran on behind a window that nobody asked for, and of those before it."""

LOG_KINDS: Final = ("jobs", ACTIVITY, tres_names.KIND)
"""Kinds of files that are read together, and numbered in the order in which they were given."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JobsRead:
    """What job logs hold. window and cube are None where no job was accepted and no bounds were given.

    refused: files that are readable but no job log; each is in intake too, with its issue. jobs.rows_sha256 names
    the kept rows where a folder for them was given; accepted: jobs of all files, in or out of the window.
    same: what is one, as it was settled for these logs. unnamed: paths of logs of which some jobs name no cluster.
    """

    window: Window | None
    cube: Cube | None
    workloads: tuple[Workload, ...]
    jobs: JobFacts
    intake: tuple[FileIntake, ...]
    refused: tuple[PlannerError, ...] = ()
    accepted: int = 0
    same: tuple[Same, ...] = ()
    unnamed: tuple[str, ...] = ()


def sorted_issues(issues: Sequence[Issue]) -> tuple[Issue, ...]:
    """Issues in the order in which they are told."""
    return tuple(sorted(issues, key=lambda issue: (issue.code, issue.first_row or 0)))


def rewindow(
    rows_dir: Path,
    jobs: JobFacts,
    intake: Sequence[FileIntake],
    window_request: WindowRequest,
    *,
    timezone: str = "UTC",
    same: Sequence[Same] = (),
    number: int | None = None,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> JobsRead:
    """The same jobs in another window, from the rows kept when they were imported.

    jobs, intake, same: of the project; files of other kinds are left out of the answer. number: of one of LOG_KINDS,
    whose jobs alone are counted. Errors: PlannerError
    file_missing where the rows are gone; usage; Cancelled.
    """
    path = kept_rows(rows_dir, jobs)
    with open_engine(
        size_bytes=path.stat().st_size, on_progress=on_progress, is_cancelled=is_cancelled
    ) as engine:
        merged = job_rows.open_rows(engine, path, same, number)
        files = [file for file in intake if file.kind in LOG_KINDS]  # as their rows were numbered
        read = reduce_in(engine, window_request, timezone, files, merged)
    facts = replace(read.jobs, rows_sha256=jobs.rows_sha256, quality=jobs.quality)
    return replace(read, jobs=facts, same=tuple(same))


def kept_rows(rows_dir: Path, jobs: JobFacts) -> Path:
    """Where the job rows of a project are kept. Errors: PlannerError file_missing where they are gone."""
    path = job_rows.rows_path(rows_dir, jobs.rows_sha256)
    if not jobs.rows_sha256 or not path.exists():
        raise PlannerError(
            str(path) if jobs.rows_sha256 else worded("the project"),
            "file_missing",
            worded("the job rows are not stored here"),
            worded("import the job log again"),
        )
    return path


def kept_logs(
    rows_dir: Path, project: Project, read_anew: Collection[str], clusters: Mapping[str, str] | None = None
) -> KeptLogs:
    """The loaded logs of a project by their kept job rows, to read other logs beside them.

    read_anew: paths of loaded logs that are read again instead. clusters: by path, of logs whose rows name none.
    Errors: PlannerError file_missing where the rows are gone.
    """
    logs = tuple(file for file in project.intake if file.kind in LOG_KINDS)  # as their rows were numbered
    left_out = frozenset(number for number, file in enumerate(logs) if file.path in read_anew)
    return KeptLogs(kept_rows(rows_dir, project.jobs), logs, left_out, clusters or {})


def reduce_in(
    engine: Engine,
    request: WindowRequest,
    timezone: str,
    files: Sequence[FileIntake],
    merged: Sequence[Merged],
    accepted_jobs: str = job_rows.ROWS_AS_READ,
) -> JobsRead:
    """JOB_ROWS of the engine in the window asked for. accepted_jobs: as for `log_span`.

    The issue `clipped` is of the window and `names_merged` of what the planner said, so they are set here.
    """
    from gpuplanner.files.job_logs.reduce.reduction import (
        FileJobs,
        listed_since,
        log_span,
        ran_before,
        reduce_jobs,
        run_on,
    )

    span = log_span(engine, accepted_jobs)
    window = choose_window(request, span, timezone)
    accepted = sum(file.rows_accepted for file in files if file.kind == "jobs")
    said_here = ("clipped", RUNS_ON, BEFORE_WINDOW, LISTED, NAMES_MERGED)
    files = [
        replace(file, issues=tuple(issue for issue in file.issues if issue.code not in said_here))
        for file in files
    ]
    for number, issue in job_rows.merged_issues(engine, merged).items():
        files[number] = replace(files[number], issues=sorted_issues((*files[number].issues, issue)))
    if window is None:
        return JobsRead(
            window=None, cube=None, workloads=(), jobs=JobFacts(), intake=tuple(files), accepted=accepted
        )
    found = reduce_jobs(engine, window)
    left_out = []
    if request.end_s is None and (span.last_end_s or 0) > window.end_s:
        until_s = (span.last_end_s or 0) - 1
        left_out.append((RUNS_ON, "{gpu_hours} GPU-h until {day}", until_s, run_on(engine, window.end_s)))
    first_s = span.first_start_s if request.start_s is None and request.days is None else None
    if first_s is not None and first_s < window.start_s:
        left_out.append(
            (BEFORE_WINDOW, "{gpu_hours} GPU-h from {day} on", first_s, ran_before(engine, window.start_s))
        )
    for code, text, at_s, by_file in left_out:
        for number, part in by_file.items():
            gpu_hours = significant(round(part.gpu_hours, 1) or part.gpu_hours)
            words = worded(text, gpu_hours=gpu_hours, day=day(at_s))
            issue = Issue(code, part.jobs, part.first_line, worded_message(code, (words,)))
            files[number] = replace(files[number], issues=sorted_issues((*files[number].issues, issue)))
    listed = listed_since(engine) if first_s is not None else None
    if listed is not None and listed.day_s > window.start_s:
        words = worded("none before {day}", day=day(listed.day_s))
        issue, file = Issue(LISTED, 1, None, worded_message(LISTED, (words,))), files[listed.file]
        files[listed.file] = replace(file, issues=sorted_issues((*file.issues, issue)))
    for number, file in enumerate(files):
        if file.kind == "jobs":
            files[number] = in_window(file, found.by_file.get(number, FileJobs(0, 0, None)))
    return JobsRead(
        window=window,
        cube=found.cube,
        workloads=found.workloads,
        jobs=found.jobs,
        intake=tuple(files),
        accepted=accepted,
    )


def in_window(file: FileIntake, jobs: "FileJobs") -> FileIntake:
    """A job log with how many of its jobs are in the window, and how many the window cuts, if it cuts any."""
    cut = Issue("clipped", jobs.clipped, jobs.first_clipped, issue_texts.issue_message("clipped"))
    issues = sorted_issues((*file.issues, cut)) if jobs.clipped else file.issues
    return replace(file, issues=issues, jobs_in_window=jobs.jobs)


# --- The GPU jobs of a project's log as they stood in the queue, from the rows that its import kept

_KIND = ("workload_key", "cluster", "owner", "gpu_model", "label", '"user"', "account", "queue", "qos")
_TEXTS = [f"coalesce({name}::varchar, '')" for name in _KIND]
_RUN_BEFORE = """coalesce(case when job_id is not null then
    lag({end}) over (partition by cluster, job_id order by start_s, file, line) end, 0)"""


def read_queue(
    rows_dir: Path,
    project: Project,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> "QueueLog":
    """All GPU jobs of the log, also those outside the window. Errors: PlannerError file_missing where rows are gone.

    A later run of the same job is eligible no earlier than the end of the run before; nothing is after its start.
    """
    from gpuplanner.domain.queue.logged import JobKind, QueueLog

    path = kept_rows(rows_dir, project.jobs)
    with open_engine(
        size_bytes=path.stat().st_size, on_progress=on_progress, is_cancelled=is_cancelled
    ) as engine:
        engine.progress(worded("Reading the queue"), 0.0)
        job_rows.open_rows(engine, path, project.same)
        end = f"coalesce(end_s, greatest({project.window.end_s}, start_s))"
        gpu_jobs = f"from {job_rows.JOB_ROWS} where milli_gpus > 0"
        runs, jobs = engine.one(
            f"select count(*), count(distinct hash(cluster, job_id)) {gpu_jobs} and job_id is not null"
        )
        before = _RUN_BEFORE.format(end=end) if runs > jobs else "0"  # it takes as long as all the rest
        rows = engine.columns(
            f"""select hash({", ".join(_TEXTS)}) as kind, milli_gpus::bigint as milli_gpus,
                coalesce(nodes, 0)::bigint as nodes, at_s::bigint as at_s, start_s::bigint as start_s,
                stop_s::bigint as stop_s, coalesce(submit_s, eligible_s) is not null as is_known, id,
                greatest(coalesce(time_limit_s, 0), stop_s - start_s)::bigint as planned_s,
                time_limit_s is not null as has_limit
            from (select *, coalesce(job_id, '') as id, {end} as stop_s,
                    least(start_s, greatest(coalesce(eligible_s, submit_s, start_s), {before})) as at_s {gpu_jobs})
            where stop_s > start_s order by id, file, line"""
        )
        kinds = engine.all(
            f"""select hash({", ".join(_KIND)}), * from (
                select distinct {", ".join(map("{} as {}".format, _TEXTS, _KIND))} {gpu_jobs})
            order by {", ".join(_KIND)}"""
        )
    hashes = np.array([one for one, *_ in kinds], dtype=np.uint64)
    by_hash = np.argsort(hashes)
    name_of = name_of_jobs(project, gpu_families())
    place_of = {workload.key: at for at, workload in enumerate(project.workloads)}

    def kind_of(row: Sequence[object]) -> JobKind:
        key, cluster, owner, model, label, user, account, partition, qos = map(str, row)
        return JobKind(
            place=place_of.get(key),
            cluster=cluster,
            team=owner,
            gpu_model=name_of(cluster, model) if model else None,
            label=Pool(label) if label else None,
            user=user,
            account=account,
            partition=partition,
            qos=qos,
        )

    def whole(name: str) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
        return np.asarray(rows[name], dtype=np.int64)

    return QueueLog(
        kinds=tuple(kind_of(row) for _, *row in kinds),
        kind=by_hash[np.searchsorted(hashes, rows["kind"], sorter=by_hash)],
        milli_gpus=whole("milli_gpus"),
        nodes=whole("nodes"),
        eligible_s=whole("at_s"),
        start_s=whole("start_s"),
        end_s=whole("stop_s"),
        planned_s=whole("planned_s"),
        job_ids=[*map(str, rows["id"])],
        is_known=np.asarray(rows["is_known"], dtype=np.bool_),
        limit_known=float(np.count_nonzero(rows["has_limit"])) / max(1, len(rows["kind"])),
    )
