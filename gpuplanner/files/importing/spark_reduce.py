"""Reducing on Spark: each part of a log is read by the laptop's reader, Spark counts every run once and adds up."""

import codecs
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial, reduce
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.files.importing.import_jobs import LogChoice, chosen_dialect, with_counts
from gpuplanner.files.importing.windowed_jobs import JobsRead, in_window, sorted_issues
from gpuplanner.files.job_logs import recognisers
from gpuplanner.files.job_logs.judging import expression, job_store, row_validation
from gpuplanner.files.job_logs.judging.dialect import Dialect
from gpuplanner.files.job_logs.reduce import job_rows, reduction
from gpuplanner.files.job_logs.reduce.merged_names import names_merged_issue
from gpuplanner.files.sources.issue_texts import SHORT, issue_message, unreadable_file
from gpuplanner.files.sources.source import NOT_UTF_8, PARQUET, Source, errors_of, records, survey
from gpuplanner.files.system.engine import Engine, open_engine
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.tables.column_mapping import ColumnMapping, parse_mapping
from gpuplanner.files.values.times import LogSpan, WindowRequest, check_timezone, choose_window
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession

# --- One part of a log, read where it lies: a file of its own for the laptop's reader, typed rows for Spark


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledLog:
    """What holds for every part of one log. It is sent to the machines that read the parts.

    number: of the file in the call; cluster: of jobs that name none, empty where the call names none. head: the first
    lines of the whole log, which decide on delimiter, columns, units and the order of day and month. header: the lines
    down to the headings, without their ends; every part gets them. encoding: of the whole log.
    """

    path: str
    number: int
    choice: LogChoice
    cluster: str = ""
    head: str = ""
    header: tuple[bytes, ...] = ()
    encoding: str = ""
    is_parquet: bool = False

    @property
    def dialect(self) -> Dialect:
        """How the log is read: by a mapping, else as our own table."""
        return chosen_dialect(self.choice) or recognisers.OWN_CSV

    def source(self, at: Path) -> Source:
        """A part in a file of its own, as a source with the head of the whole log."""
        part = survey(self.path, at=at)
        if self.is_parquet:
            return replace(part, head=self.head, opened=partial(_rows_of_head, self.head))
        is_regular = part.is_regular and part.encoding == self.encoding
        return replace(part, head=self.head, encoding=self.encoding, is_regular=is_regular)


@contextmanager
def _rows_of_head(head: str) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """The first rows of a whole Parquet log, whichever part of it is read: the names of its columns are row 0."""
    yield ((line - 1, cells) for line, cells in records(head.splitlines(keepends=True), ","))


KINDS: Final = {
    **dict.fromkeys(("file", "nodes", "activity_milli_percent"), "int"),
    **dict.fromkeys(("line", "row_count", "milli_gpus", "start_s", "end_s", "finality"), "bigint"),
    **dict.fromkeys(("is_running", "has_zoned"), "boolean"),
    **dict.fromkeys(("fate", "job_id", "cluster", "owner", "workload_name", "label", "name"), "string"),
    **dict.fromkeys(("account", "user", "queue", "gpu_model", "state", "model"), "string"),
}
"""Columns of `judged_part` and their types, in words that both engines know; besides them `issues`, a list of codes.

An accepted job is a row, with row_count 1 and an empty label where it has none. Of rows that ended otherwise there are
counts by issue; has_zoned: whether any time of the part states its zone.
"""

_IGNORED: Final = ", ".join(str(job_store.CODES.index(code) + 1) for code in job_store.IGNORED_CODES)
_CODES: Final = ", ".join(f"'{code}'" for code in job_store.CODES)


def _judged_sql(engine: Engine) -> str:
    """SQL: what became of the rows of a part, once duplicates within it are found and workloads are named."""
    conditions = [*row_validation.conditions_of_issues(engine), (SHORT, "is_short")]
    issues = ", ".join(f"case when {condition} then '{code}' end" for code, condition in conditions)
    fate = f"case when code in ({_IGNORED}) then 'ignored' else 'rejected' end as fate"
    return f"""
        select r.* replace (coalesce(label, '') as label), t.finality, issues, 'accepted' as fate, 1 as row_count
        from {job_rows.ROWS_AS_READ} r join (
            select file, line, state_id, list_distinct([{issues}]) as issues from {expression.ACCEPTED}
            left join (select file, line, true as is_short from {job_store.SHORT_LINES}) using (file, line)
        ) using (file, line) join {job_store.STATES} t on t.id = state_id
        union all by name
        select file, {fate}, [[{_CODES}][code]] as issues, count(*) as row_count
        from {job_store.JOBS} where code > 0 group by file, code
        union all by name
        select file, 'ignored' as fate, lines as row_count, has_zoned from {job_store.STEPS}
        union all by name
        select file, 'duplicate' as fate, count(*) as row_count from {expression.LOST} group by file"""


_ROWS_AT_ONCE: Final = 2**14
_LINES_OF_A_PART: Final = 2**32


def judged_part(
    log: SettledLog, batches: "Iterable[pa.RecordBatch]", part: int | None = None
) -> "Iterator[pa.RecordBatch]":
    """One part of a log, read as the laptop reads a file; the rows have the columns of KINDS.

    batches: of `_lines`, or of a Parquet file. part: its number among the parts, which puts its rows in their place;
    None: that of the task of Spark.
    """
    if part is None:
        from pyspark import TaskContext

        part = TaskContext.get().partitionId()
    columns = ", ".join(f'cast("{name}" as {kind}) as "{name}"' for name, kind in KINDS.items())
    with own_folder() as folder:
        at = folder / "part"
        if not (_write_rows(batches, at) if log.is_parquet else _write_lines(log, batches, at)):
            return
        source = log.source(at)
        with open_engine(size_bytes=source.size) as engine:
            engine.run("set threads = 1")  # Spark gives each part one core
            job_store.create_jobs(engine)
            row_validation.judge_rows(
                engine, log.dialect.rows(source, engine, "log"), log.number, log.choice.timezone
            )
            if log.cluster:
                job_store.name_cluster(engine, log.cluster)
            expression.find_duplicates(engine)
            job_rows.name_workloads(engine)
            in_place = (
                f"select * replace (line + {part * _LINES_OF_A_PART} as line) from ({_judged_sql(engine)})"
            )
            rows = engine.connection.execute(f"select {columns}, issues from ({in_place})")
            yield from rows.to_arrow_reader(_ROWS_AT_ONCE)


def _write_rows(batches: "Iterable[pa.RecordBatch]", at: Path) -> bool:
    """The rows of a part as a Parquet file; whether there are any."""
    import pyarrow.parquet as pq

    writer = None
    for batch in batches:
        writer = writer or pq.ParquetWriter(at, batch.schema)
        writer.write_batch(batch)
    if writer is not None:
        writer.close()
    return writer is not None


def _write_lines(log: SettledLog, batches: "Iterable[pa.RecordBatch]", at: Path) -> bool:
    """The header of the log and the lines of a part as a file; whether there are any lines.

    Where a file begins within the part its own header is left out, as far as it is that of the log.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    before, count, skipped = 0, 0, len(log.header)
    with at.open("wb") as out:
        out.write(b"\n".join(log.header))
        for batch in batches:
            lines, files = batch.columns
            numbers = files.fill_null(0).to_numpy()
            begins = np.flatnonzero((numbers != np.append(before, numbers[:-1])) & (numbers != 0)).tolist()
            before = numbers[-1] if len(numbers) else before
            for first, last in zip([0, *begins], [*begins, len(lines)], strict=True):
                chosen = lines[first:last]
                skipped = 0 if first in begins else skipped
                while skipped < len(log.header) and len(chosen):
                    is_header = chosen[0].as_py() == log.header[skipped]
                    skipped = skipped + 1 if is_header else len(log.header)
                    chosen = chosen[1:] if is_header else chosen
                if len(chosen):
                    out.write(b"\n" if count or log.header else b"")
                    listed = pa.ListArray.from_arrays(pa.array([0, len(chosen)], pa.int32()), chosen)
                    out.write(pc.binary_join(listed, b"\n")[0].as_buffer())
                    count += len(chosen)
    return count > 0


# --- What holds for a whole log: settled on its head and on one look at all of its lines

_LINES_OF_HEAD: Final = 5_000
_ROWS_OF_HEAD: Final = 200
_PARQUET: Final = b"PAR1"
_SPANS_SQL: Final = (
    "max(contains(value, '\"') and length(value) % 2 <> length(replace(value, '\"', '')) % 2 "
    "or instr(value, '\r') between 1 and length(value) - 1)"
)
"""Whether a record may span lines: without a line that has an odd number of quotes, none does."""


def settled(
    log: SettledLog, at: Path, lines: Sequence[bytes], *, is_utf_8: bool = True, spans_lines: bool = False
) -> tuple[SettledLog, tuple[Issue, ...]]:
    """The log with what its beginning decides, and issues of the whole log.

    at: a file with its beginning; lines: of that, without their ends. is_utf_8, spans_lines: whether all lines are
    UTF-8, and whether a record may span lines: then each file is one part, with its own header.
    Errors: PlannerError missing_column, usage: as the laptop's reader.
    """
    source = survey(log.path, at=at)
    log = replace(log, head=source.head, encoding=source.encoding, is_parquet=source.kind == PARQUET)
    if not is_utf_8 and source.encoding.startswith("utf-8"):
        head = source.head.encode(source.encoding).decode(NOT_UTF_8, errors_of(NOT_UTF_8))
        log = replace(log, head=head, encoding=NOT_UTF_8)
    with open_engine() as engine:
        table = log.dialect.rows(log.source(at), engine, "log")
        (first,) = engine.one(f'select min(line) from "{table.raw.name}"')
    issues = table.issues
    if log.encoding == NOT_UTF_8:
        issues = (*issues, Issue("encoding", 1, None, issue_message("encoding")))
    if not log.is_parquet and not spans_lines:
        log = replace(log, header=tuple(lines if first is None else lines[: first - 1]))
    return log, issues


@dataclass(frozen=True, slots=True)
class _Opened:
    """A log before its parts are read. parts: its lines or rows; issues: of the log as a whole."""

    log: SettledLog
    issues: tuple[Issue, ...]
    parts: "DataFrame"


def _open_log(session: "SparkSession", log: SettledLog) -> _Opened:
    """Errors: PlannerError file_missing, file_unreadable; as `settled`."""
    path = log.path
    if "://" not in path and not any(letter in path for letter in "*?[") and not Path(path).exists():
        raise PlannerError(path, "file_missing", worded("file not found"), worded("check the path"))
    try:
        with own_folder() as folder:
            at = folder / "head"
            text = session.read.text(path, lineSep="\n")
            lines = [bytes(row[0]) for row in text.selectExpr("cast(value as binary)").head(_LINES_OF_HEAD)]
            if lines[0].startswith(_PARQUET):
                import pyarrow.parquet as pq

                rows = session.read.parquet(path)
                pq.write_table(rows.limit(_ROWS_OF_HEAD).toArrow(), at)
                return _Opened(*settled(log, at, ()), rows)
            at.write_bytes(b"\n".join(lines))
            spans, is_utf_8 = text.selectExpr(_SPANS_SQL, "min(is_valid_utf8(value))").first()
            spans = spans or lines[0].startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
            settled_log = settled(log, at, lines, is_utf_8=is_utf_8, spans_lines=spans)
            return _Opened(*settled_log, _lines(text, is_whole=spans))
    except (PlannerError, KeyboardInterrupt):
        raise
    except Exception as fault:  # whatever the storage has to say
        message = joined((str(fault).splitlines()[0][:200],)) if str(fault) else worded("it is empty")
        raise unreadable(path, message, worded("allow Spark to read it")) from fault


def _lines(frame: "DataFrame", *, is_whole: bool) -> "DataFrame":
    """The lines of a log as bytes, those of the first part of each file with a number of that file.

    is_whole: records span lines, so that each file is one part.
    """
    columns = (
        "cast(value as binary) as line",
        "case when _metadata.file_block_start = 0 then hash(_metadata.file_path) end as file",
    )
    if not is_whole:
        return frame.selectExpr(*columns)
    files = sorted(row[0] for row in frame.selectExpr("_metadata.file_path").distinct().collect())
    each = (frame.filter(frame["_metadata.file_path"] == file).selectExpr(*columns) for file in files)
    return reduce(lambda before, after: before.union(after), (lines.coalesce(1) for lines in each))


# --- Reducing on Spark: every run once over all parts, workloads named, and what they add up to


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
    opened: list[_Opened] = []
    files: dict[int, FileIntake] = {}
    refused: list[PlannerError] = []
    read = JobsRead(window=None, cube=None, workloads=(), jobs=JobFacts(), intake=())
    with open_spark() as session:
        for number, path in enumerate(map(str, paths)):
            try:
                opened.append(
                    _open_log(
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


def _view_once_each(session: "SparkSession", opened: Sequence[_Opened], *, drop_alike: bool) -> None:
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


def _intake(session: "SparkSession", opened: Sequence[_Opened]) -> dict[int, FileIntake]:
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


# --- The other engine: a Spark session, for logs that outgrow a laptop. An extra, which needs Java

# What Spark's processes say on standard error: errors are passed on, warnings and greetings are left out.
_STANDARD_ERROR: Final = 2
_LEVEL: Final = lazy_re(rb"^\d\d(?:\d\d)?[/-]\d\d[/-]\d\d[ T][\d:.,]+ (\w+)\b")
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

_SETTINGS: Final = plain_table("spark_setting")
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
        raise unreadable("--engine spark", what, worded("check where PYSPARK_SUBMIT_ARGS points")) from fault
    session.sparkContext.setLogLevel("ERROR")
    # Spark's own defaults are made for many machines.
    if str(session.sparkContext.master).startswith("local"):
        session.conf.set("spark.sql.shuffle.partitions", str(2 * session.sparkContext.defaultParallelism))
        session.conf.set("spark.sql.inMemoryColumnarStorage.compressed", "false")  # rows kept for minutes
    try:
        yield session
    finally:
        with suppress(Exception):  # what has gone needs no end, and hides neither Ctrl-C nor what went wrong
            session.stop()


def check_parts(environment: Mapping[str, str]) -> None:
    """Errors: PlannerError missing_part, which says what to install."""
    if importlib.util.find_spec("pyspark") is None:
        raise _missing(
            worded("Spark is not installed"), worded("install it with: pip install 'gpuplanner[spark]'")
        )
    java = _java(environment)
    remedy = worded(
        "install Java {oldest_java} (Debian: openjdk-{oldest_java}-jre-headless), or set JAVA_HOME",
        oldest_java=str(OLDEST_JAVA),
    )
    if java is None:
        raise _missing(worded("Spark needs Java"), remedy)
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
