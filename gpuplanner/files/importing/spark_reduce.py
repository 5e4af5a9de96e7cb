"""Reducing on Spark: its session, logs as texts where they lie, how their rows ended, and the cube."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import reduce
from operator import or_
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
from gpuplanner.files.importing.windowed_jobs import JobsRead
from gpuplanner.files.job_logs import recognisers
from gpuplanner.files.job_logs.dialects.sacct_layout import has_steps
from gpuplanner.files.job_logs.judging.expression import accepted_jobs, clipped_jobs, hourly_steps
from gpuplanner.files.job_logs.judging.row_validation import conditions_of_issues
from gpuplanner.files.job_logs.judging.text_typing import (
    Units,
    distinct_texts,
    judged_rows,
    read_texts,
    staged_texts,
)
from gpuplanner.files.job_logs.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapped_log import ROWS_LOOKED_AT, STEP, gpu_reader
from gpuplanner.files.job_logs.recognisers import NO_TIME, STRAY_ROW
from gpuplanner.files.job_logs.reduce.job_rows import WorkloadName, renamed
from gpuplanner.files.job_logs.reduce.names import fold_name, names_merged_issue, workload_key
from gpuplanner.files.job_logs.reduce.reduction import cube_of_steps
from gpuplanner.files.sources.issue_texts import LONG, SHORT, issue_message, named_width
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.tables.column_mapping import (
    MAPPED_FIELDS,
    ColumnMapping,
    check_units,
    parse_mapping,
    with_own_names,
)
from gpuplanner.files.tables.delimited import best_header
from gpuplanner.files.tables.fields import DURATION
from gpuplanner.files.values.gpu_names import GpuReading, read_gpu_count
from gpuplanner.files.values.scheduler_words import KNOWN_STATES
from gpuplanner.files.values.times import LogSpan, WindowRequest, check_timezone, choose_window
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

if TYPE_CHECKING:
    from ibis.expr.types import Table
    from pyspark.sql import Column, DataFrame, SparkSession

# --- Logs as Spark reads them: every column as text under its heading, and which column is which field


@dataclass(frozen=True, slots=True)
class Layout:
    """Which column of a file is which field, and what its numbers mean."""

    format: str
    column_of: Mapping[str, str]
    units: Units
    read_gpus: Callable[[str], GpuReading]


RAGGED: Final = "_gpuplanner_ragged"
"""The column with the code of rows that have too few or too many cells, empty for others."""


def read_all_as_text(session: "SparkSession", path: str) -> "DataFrame":
    """Every column as text under its own heading, and RAGGED. Errors: PlannerError file_missing, file_unreadable."""
    if "://" not in path and not any(letter in path for letter in "*?[") and not Path(path).exists():
        raise PlannerError(path, "file_missing", worded("there is no such file"), worded("check the path"))
    try:
        if _is_parquet(path):
            return _as_texts(session.read.parquet(path))
        (first,) = session.read.text(path).head(1)
        delimiter, _ = best_header(first[0], recognisers.COLUMN_OF.values())
        return _csv_as_texts(session, path, delimiter)
    except (PlannerError, KeyboardInterrupt):
        raise
    except Exception as fault:  # whatever the storage has to say
        what = joined((str(fault).splitlines()[0][:200],)) if str(fault) else worded("it is empty")
        raise unreadable(path, what, worded("check that Spark may read it")) from fault


def _csv_as_texts(session: "SparkSession", path: str, delimiter: str) -> "DataFrame":
    """Every record of a CSV: of one that is not as wide as the header Spark keeps the text, by which it is judged."""
    from pyspark.sql import functions as sql
    from pyspark.sql.types import StringType, StructField, StructType

    def read(schema: StructType | None) -> "DataFrame":
        """Reads the CSV with Spark; with a schema, rows that do not fit it keep their whole text."""
        return session.read.csv(
            path,
            schema=schema,
            header=True,
            sep=delimiter,
            quote='"',
            escape='"',
            multiLine=not is_record_a_line,
            columnNameOfCorruptRecord=RAGGED,
        )

    is_record_a_line = _is_record_a_line(session, path)
    columns = read(None).columns
    frame = read(StructType([StructField(name, StringType()) for name in (*columns, RAGGED)]))
    least = named_width(["" if name == f"_c{place}" else name for place, name in enumerate(columns)])
    text = sql.col(f"`{RAGGED}`")
    bare = sql.regexp_replace(
        sql.regexp_replace(text, '"[^"]+"', "q"), '"', ""
    )  # no delimiter within quotes is one
    cells = sql.split(bare, re.escape(delimiter))
    beyond = sql.slice(cells, len(columns) + 1, sql.greatest(sql.size(cells), sql.lit(1)))
    code = (
        sql.when(text.isNull(), "")
        .when(sql.exists(beyond, lambda cell: sql.trim(cell) != ""), LONG)
        .when(sql.size(cells) < least, SHORT)
        .otherwise("")
    )
    is_blank = text.isNotNull() & (sql.trim(sql.regexp_replace(text, r"\s", "")) == "")
    return frame.filter(~is_blank).withColumn(RAGGED, code)


def _is_record_a_line(session: "SparkSession", path: str) -> bool:
    """Whether no record of a CSV spans lines: then a file is read in parts, by all who work on it, not by one.

    Where no line has an odd number of quotes, none ends within them.
    """
    odd = session.read.text(path, lineSep="\n").filter(
        "contains(value, '\"') and length(value) % 2 <> length(replace(value, '\"', '')) % 2 "
        "or instr(value, '\r') between 1 and length(value) - 1"
    )
    return not odd.head(1)


def _is_parquet(path: str) -> bool:
    """Whether a path is Parquet: a folder by its files, a file by its first bytes, an address by its name."""
    if "://" in path or any(letter in path for letter in "*?["):
        return ".parquet" in path.lower()
    given = Path(path)
    if given.is_dir():
        return any(given.glob("*.parquet"))
    with given.open("rb") as file:
        return file.read(4) == b"PAR1"


def _as_texts(frame: "DataFrame") -> "DataFrame":
    """A time that knows its zone keeps it as Z."""
    from pyspark.sql import functions as sql

    texts = frame.select(
        *(
            sql.concat(sql.date_format(sql.col(f"`{name}`"), "yyyy-MM-dd HH:mm:ss"), sql.lit("Z")).alias(name)
            if kind == "timestamp"
            else sql.col(f"`{name}`").cast("string").alias(name)
            for name, kind in frame.dtypes
        )
    )
    return texts.withColumn(RAGGED, sql.lit(""))


def layout_of(path: str, columns: Sequence[str], mapping: ColumnMapping | None) -> Layout:
    """Where the fields of a job stand. Errors: PlannerError missing_column, usage for a unit of --map."""
    there = {name.strip().lstrip("\ufeff").casefold(): name for name in columns}
    if mapping is None:
        wanted, units = dict(recognisers.COLUMN_OF), Units()
        read_gpus: Callable[[str], GpuReading] = read_gpu_count
        missing = [name for name in recognisers.REQUIRED if name not in there]
        wanted = {field: heading for field, heading in wanted.items() if heading in there}
    else:
        mapping = with_own_names(mapping, tuple(there))
        _check_units(path, mapping)
        wanted = {MAPPED_FIELDS[field]: name for field, name in mapping.columns.items()}
        missing = [name for name in wanted.values() if name.strip().casefold() not in there]
        start, end, elapsed = (mapping.unit(field) for field in ("start", "end", DURATION))
        units = Units(
            None if start == "iso" else start,
            None if end == "iso" else end,
            elapsed,
            end_is_elapsed="end" not in wanted,
        )
        read_gpus = gpu_reader(mapping.unit("gpus"))
    if missing:
        if mapping is not None:
            check_units(mapping, missing)
        what = worded("there is no column {names}", names=", ".join(missing))
        remedy = worded("Spark reads CSV and Parquet: map to one of ") + ", ".join(columns)
        raise PlannerError(path, "missing_column", what, remedy)
    column_of = {field: there[name.strip().casefold()] for field, name in wanted.items()}
    return Layout(recognisers.OWN_CSV_FORMAT if mapping is None else MAPPED, column_of, units, read_gpus)


def _check_units(path: str, mapping: ColumnMapping) -> None:
    """Errors: PlannerError usage for a unit that only the embedded engine reads."""
    for field in mapping.columns:
        unit = mapping.unit(field)
        if unit and unit not in _UNITS_OF.get(field, (unit,)):
            known = ", ".join(_UNITS_OF[field])
            raise PlannerError(
                path,
                "usage",
                worded("Spark does not read {field} in {unit}", field=field, unit=unit),
                worded("use {known}, or leave --engine out", known=known),
            )


_UNITS_OF: Final = {
    "start": ("iso", "epoch_s", "epoch_ms"),
    "end": ("iso", "epoch_s", "epoch_ms"),
    DURATION: ("s", "min", "h"),
    "gpu_activity_percent": ("percent",),
}


def without_steps(raw: "DataFrame", layout: Layout) -> "tuple[DataFrame, int]":
    """The rows that are jobs, and how many are none: totals, comments, Slurm's steps where the first ids have any."""
    from pyspark.sql import functions as sql

    def texts(column: str) -> "Column":
        """The texts of a column, empty for null."""
        return sql.coalesce(raw[f"`{column}`"], sql.lit(""))

    may_say = [raw.columns[0], *(layout.column_of[name] for name in ("job_id",) if name in layout.column_of)]
    is_none = texts(layout.column_of["start"]).rlike(NO_TIME) & reduce(
        or_, (texts(column).rlike(STRAY_ROW) for column in may_say)
    )
    if layout.format == MAPPED and "job_id" in layout.column_of:
        job_id = texts(layout.column_of["job_id"])
        if has_steps(layout.column_of["job_id"], [row[0] for row in raw.select(job_id).head(ROWS_LOOKED_AT)]):
            is_none |= job_id.rlike(STEP)
    return raw.filter(~is_none), raw.filter(is_none).count()


# --- The rows of logs on Spark: judged as the laptop judges them, put together, and named by workload

_ROWS_OF_A_PARTITION: Final = 2**26
"""Row numbers only settle which of two equal rows comes first, and are kept within what the expression expects."""


def judged(
    session: "SparkSession", tables: Any, raw: "DataFrame", layout: Layout, timezone: str | None, file: int
) -> "DataFrame":
    """The rows of one file with their validation. tables: the session as ibis sees it; file: its number."""
    from pyspark.sql import functions as sql

    view = f"raw_{file}"
    row = sql.monotonically_increasing_id()  # the partition above 33 bits, the row in it below
    line = sql.shiftright(row, 33) * _ROWS_OF_A_PARTITION + row % 2**33
    raw.withColumn("line", line).createOrReplaceTempView(view)
    texts = staged_texts(tables.table(view), layout.column_of, layout.units, RAGGED)
    session.sql(tables.compile(texts)).createOrReplaceTempView(f"texts_{file}")
    texts = tables.table(f"texts_{file}")

    def make_table(name: str, types: Mapping[str, str], rows: Sequence[tuple[Any, ...]]) -> "Table":
        """Hands rows to Spark as a view of this file's own name."""
        kinds = ", ".join(f"{column} {_SPARK_TYPES[kind]}" for column, kind in types.items())
        session.createDataFrame(list(rows), kinds).createOrReplaceTempView(f"{name}_{file}")
        return tables.table(f"{name}_{file}")

    told = session.sql(tables.compile(distinct_texts(texts))).toLocalIterator()
    readings = read_texts(map(tuple, told), layout.units, layout.read_gpus, timezone, make_table)
    return session.sql(tables.compile(judged_rows(texts, readings, layout.units, file)))


_SPARK_TYPES: Final = {"string": "string", "int64": "long"}


def together(frames: Sequence["DataFrame"], cluster: str | None) -> "DataFrame":
    """The rows of all files, of a cluster that was said where they name none."""
    from pyspark import StorageLevel
    from pyspark.sql import functions as sql

    rows = frames[0]
    for frame in frames[1:]:
        rows = rows.unionByName(frame)
    if cluster:
        rows = rows.withColumn(
            "cluster", sql.when(sql.col("cluster") == "", cluster).otherwise(sql.col("cluster"))
        )
    return rows.persist(StorageLevel.DISK_ONLY)  # read once, judged once, asked several times


def named(session: "SparkSession") -> tuple[list[Workload], tuple[str, ...], dict[int, Issue]]:
    """The view numbered_rows, with the numbers of workload and GPU model; both lists by number, sorted.

    And by file which names were merged (names.py).
    """
    names = [row[0] for row in session.sql("select distinct name from accepted_once").collect()]
    session.createDataFrame(
        [(name, fold_name(name)) for name in names], "name string, folded string"
    ).createOrReplaceTempView("folded_names")
    as_read = [
        WorkloadName(workload_key(cluster, owner, folded, label or None), folded, cluster, owner, label)
        for cluster, owner, folded, label in session.sql(_OWNERS_SQL).collect()
    ]
    found = renamed(as_read)
    now = [(was, found.names.get(was, was)) for was in as_read]
    by_key = {one.key: one for _, one in now}
    number_of = {key: number for number, key in enumerate(sorted(by_key))}
    session.createDataFrame(
        [
            (was.cluster, was.owner, was.name, was.label, number_of[one.key], was.name != one.name)
            for was, one in now
        ],
        "cluster string, owner string, folded string, its_label string, workload long, is_merged boolean",
    ).createOrReplaceTempView("workload_names")
    models = sorted(row[0] for row in session.sql(_MODELS_SQL).collect())
    session.createDataFrame([*enumerate(models)], "number long, name string").createOrReplaceTempView(
        "model_names"
    )
    session.sql(_NUMBERED_SQL).createOrReplaceTempView("numbered_rows")
    workloads = [
        Workload(one.key, one.name, one.cluster, one.owner, Pool(one.label) if one.label else None)
        for _, one in sorted(by_key.items())
    ]
    counts = session.sql(_MERGED_SQL).collect() if found.merged else []
    issues = {file: names_merged_issue(found.merged, count, None) for file, count in counts}
    return workloads, tuple(models), issues


_MODELS_SQL: Final = (
    "select distinct gpu_model from accepted_once where gpu_model is not null and milli_gpus > 0"
)
_OWNERS_SQL: Final = """select distinct cluster, coalesce(account, user, '') as owner, folded, coalesce(label, '')
    from accepted_once join folded_names using (name)"""
_NUMBERED_SQL: Final = """select a.file, a.start_s, a.end_s, a.is_running, a.milli_gpus, n.workload,
        coalesce(m.number, -1) as gpu_model, n.is_merged
    from accepted_once a
    join folded_names f on f.name = a.name
    join workload_names n on n.cluster = a.cluster and n.folded = f.folded
        and n.owner = coalesce(a.account, a.user, '') and n.its_label = coalesce(a.label, '')
    left join model_names m on m.name = a.gpu_model"""
_MERGED_SQL: Final = "select file, count(*) from numbered_rows where is_merged group by file"


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
            intake[number], issues=(Issue(fault.code, 1, None, joined((fault.what, fault.remedy), "; ")),)
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
