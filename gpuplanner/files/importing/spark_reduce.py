"""Reducing on Spark: its session, the logs read where they lie, how their rows ended, and the cube."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.importing.import_jobs import JobsRead
from gpuplanner.files.importing.spark_texts import (
    judged,
    layout_of,
    named,
    read_all_as_text,
    together,
    without_steps,
)
from gpuplanner.files.job_logs.judging.expression import accepted_jobs, clipped_jobs, hourly_steps
from gpuplanner.files.job_logs.judging.row_counts import conditions_of_issues
from gpuplanner.files.job_logs.reduce.reduction import cube_of_steps
from gpuplanner.files.sources.issue_texts import SHORT, issue_message
from gpuplanner.files.tables.column_mapping import ColumnMapping, parse_mapping
from gpuplanner.files.values.scheduler_words import KNOWN_STATES
from gpuplanner.files.values.times import LogSpan, WindowRequest, check_timezone, choose_window

if TYPE_CHECKING:
    from ibis.expr.types import Table
    from pyspark.sql import DataFrame, SparkSession


# --- The other engine: a Spark session, for logs that outgrow a laptop. An extra, which needs Java

# What Spark's processes say on standard error: errors are passed on, warnings and greetings are left out.
_STANDARD_ERROR: Final = 2
_LEVEL: Final = re.compile(rb"^\d\d(?:\d\d)?[/-]\d\d[/-]\d\d[ T][\d:.,]+ (\w+)\b")
_GREETINGS: Final = (
    b"WARNING: Using incubator modules",
    b"Using Spark's default log4j profile",
    b"Setting default log level to",
    b"To adjust logging level use",
)
_QUIET: Final = (b"WARN", b"INFO", b"DEBUG", b"TRACE")


def is_worth_saying(line: bytes) -> bool:
    """Whether a line is neither a warning nor less of Spark's log, nor how it says hello.

    >>> is_worth_saying(b"26/11/20 15:52:35 WARN Utils: Your hostname"), is_worth_saying(b"java.io.IOException: full")
    (False, True)
    """
    found = _LEVEL.match(line)
    return not line.startswith(_GREETINGS) and not (found and found[1] in _QUIET)


@contextmanager
def errors_only() -> Iterator[None]:
    """Processes that are started within, and live on after it, say no more than errors on standard error."""
    try:
        kept = os.dup(_STANDARD_ERROR)
    except OSError:  # there is none
        yield
        return
    from_processes, to_processes = os.pipe()
    os.dup2(to_processes, _STANDARD_ERROR)
    os.close(to_processes)
    Thread(target=_pass_on, args=(from_processes, kept), daemon=True).start()
    try:
        yield
    finally:
        os.dup2(kept, _STANDARD_ERROR)


def _pass_on(source: int, target: int) -> None:
    """Copies what Java writes to the terminal, line by line, and leaves out what is not worth it.

    Runs in a thread.
    """
    with os.fdopen(source, "rb") as lines, suppress(OSError):
        for line in lines:
            if is_worth_saying(line):
                os.write(target, line)


OLDEST_JAVA: Final = 17

_SETTINGS: Final = {
    "spark.app.name": "gpuplanner",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.ansi.enabled": "true",  # a sum that does not fit is an error, never another number
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}
"""What the figures need to be the same everywhere; where to run and with how much is the site's to say."""

_JAVA_ANSWERS_WITHIN_S: Final = 30


@contextmanager
def open_spark() -> Iterator["SparkSession"]:
    """A session where Spark's own settings point (PYSPARK_SUBMIT_ARGS, SPARK_CONF_DIR); without any, on this machine.

    Errors: PlannerError missing_part where the extra or Java is not there; file_unreadable where no session comes up.
    """
    check_parts(os.environ)
    from pyspark.sql import SparkSession

    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder
    for name, value in _SETTINGS.items():
        builder = builder.config(name, value)
    try:
        with errors_only():
            session = builder.getOrCreate()
    except Exception as fault:  # whatever the cluster has to say
        what = worded("no session: {value}", value=str(fault).splitlines()[0][:200])
        raise PlannerError(
            "--engine spark", "file_unreadable", what, worded("check where PYSPARK_SUBMIT_ARGS points")
        ) from fault
    session.sparkContext.setLogLevel("ERROR")
    if str(session.sparkContext.master).startswith(
        "local"
    ):  # Spark's own defaults are made for many machines
        session.conf.set("spark.sql.shuffle.partitions", str(2 * session.sparkContext.defaultParallelism))
        session.conf.set("spark.sql.inMemoryColumnarStorage.compressed", "false")  # rows kept for minutes
    try:
        yield session
    finally:
        session.stop()


def check_parts(environment: Mapping[str, str]) -> None:
    """Errors: PlannerError missing_part, which says what to install."""
    if importlib.util.find_spec("pyspark") is None:
        raise _missing(
            worded("Spark is not installed"), worded("install it with: pip install 'gpuplanner[spark]'")
        )
    java = _java(environment)
    remedy = worded(
        "install Java {oldest_java} (on Debian: apt install openjdk-{oldest_java}-jre-headless), or set "
        "JAVA_HOME",
        oldest_java=str(OLDEST_JAVA),
    )
    if java is None:
        raise _missing(worded("Spark needs Java, and there is none"), remedy)
    version = _java_version(java)
    if version is not None and version < OLDEST_JAVA:
        raise _missing(
            worded(
                "Spark needs Java {oldest_java}, and {java} is Java {version}",
                oldest_java=str(OLDEST_JAVA),
                java=java,
                version=str(version),
            ),
            remedy,
        )


def _missing(what: Message, remedy: Message) -> PlannerError:
    """The error `missing_part` for what Spark lacks here."""
    return PlannerError("--engine spark", "missing_part", what, remedy)


def _java(environment: Mapping[str, str]) -> str | None:
    """Where Java is: in JAVA_HOME if that is set, else on the path; None if it is not there."""
    home = environment.get("JAVA_HOME")
    path = str(Path(home) / "bin") if home else environment.get("PATH")
    return shutil.which("java", path=path)


def _java_version(java: str) -> int | None:
    """Java's major version, 8 also for 1.8; None if it does not answer."""
    try:
        said = subprocess.run(
            [java, "-version"], check=False, capture_output=True, text=True, timeout=_JAVA_ANSWERS_WITHIN_S
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', said.stderr + said.stdout)
    return int(found[1]) if found else None


# --- How the rows of each log on Spark ended, and what is to be said of them ---------------------


def intake_of_views(
    session: "SparkSession",
    files: Sequence[tuple[str, str]],
    kept: Mapping[int, int],
    steps: Mapping[int, int],
    is_timezone_given: bool,
) -> tuple[FileIntake, ...]:
    """How the rows of each file ended. kept: accepted rows of each that are no repeats; steps: rows that are no job."""
    counts: dict[tuple[int, str], int] = {
        (file, fate): count
        for file, fate, count in session.sql(
            "select file, fate, count(*) from jobs group by file, fate"
        ).collect()
    }
    issues: dict[int, dict[str, int]] = {}
    for file, code, count in session.sql(
        "select file, code, count(*) from jobs where code is not null group by file, code"
    ).collect():
        issues.setdefault(file, {})[code] = count
    known = ", ".join(f"'{state}'" for state in sorted(KNOWN_STATES))
    conditions = [
        *conditions_of_issues(is_timezone_given=is_timezone_given),
        ("unknown_state", f"state <> '' and state not in ({known})"),
        (SHORT, "is_short"),
    ]
    figures = ", ".join(f"count(*) filter (where {condition})" for _, condition in conditions)
    for file, *found in session.sql(
        f"select file, {figures} from (select *, gpu_model as model_id from accepted_once) group by file"
    ).collect():
        for (code, _), count in zip(conditions, found, strict=True):
            if count:
                of_file = issues.setdefault(file, {})
                of_file[code] = of_file.get(code, 0) + count
    for file, count in session.sql(_ALIKE_SQL).collect():
        issues.setdefault(file, {})["possible_duplicate"] = count
    answer = []
    for number, (path, format_name) in enumerate(files):
        rejected, ignored = (counts.get((number, fate), 0) for fate in ("rejected", "ignored"))
        ignored += steps.get(number, 0)
        told = counts.get((number, "accepted"), 0)
        accepted = kept.get(number, 0)
        told_of = tuple(
            Issue(code, count, None, issue_message(code))
            for code, count in sorted(issues.get(number, {}).items())
        )
        answer.append(
            FileIntake(
                path,
                "jobs",
                format_name,
                told + rejected + ignored,
                accepted,
                rejected,
                told - accepted,
                ignored,
                told_of,
            )
        )
    return tuple(answer)


_ALIKE: Final = (
    "cluster, name, account, user, queue, gpu_model, milli_gpus, nodes, start_s, end_s, is_running, state, "
    "activity_milli_percent, label, model"
)
_ALIKE_SQL: Final = f"""select file, count(*) from (
    select file, row_number() over (partition by {_ALIKE} order by file, line) as place
    from accepted_once where job_id is null) where place > 1 group by file"""
NOT_ALIKE_SQL: Final = f"""select * from (
    select *, row_number() over (partition by {_ALIKE} order by file, line) as place from accepted_jobs)
    where job_id is not null or place = 1"""
"""The accepted jobs without those that have no id and repeat an earlier one in every field."""


# --- Reducing on Spark: logs too large for a laptop, read where they lie, by the expression that the laptop uses too


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
