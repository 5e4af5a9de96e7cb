"""Reducing on Spark: logs too large for a laptop, read where they lie, by the expression that the laptop uses too."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.model.workload import Workload
from gpuplanner.files.import_jobs import JobsRead
from gpuplanner.files.issue_texts import issue_message
from gpuplanner.files.job_logs import own_csv
from gpuplanner.files.job_logs.durations import read_duration, read_seconds
from gpuplanner.files.job_logs.expression import accepted_jobs, clipped_jobs, hourly_steps
from gpuplanner.files.job_logs.gpu_counts import GpuReading, read_gpu_count
from gpuplanner.files.job_logs.mapped import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapping import DURATION, MAPPED_FIELDS, ColumnMapping, parse_mapping
from gpuplanner.files.job_logs.names import fold_name, workload_key
from gpuplanner.files.job_logs.row_counts import ACCEPTED_WITH
from gpuplanner.files.job_logs.states import finality, read_state
from gpuplanner.files.job_logs.text_typing import Readings, Units, judged_rows, staged_texts
from gpuplanner.files.job_logs.times import LocalTime, check_timezone, clock_spans, read_time, read_zone
from gpuplanner.files.job_logs.times import ClockSpan
from gpuplanner.files.spark_session import open_spark
from gpuplanner.files.window_request import LogSpan, WindowRequest, choose_window

if TYPE_CHECKING:
    from ibis.expr.types import Table
    from pyspark.sql import DataFrame, SparkSession

_HOUR_S: Final = 3600


@dataclass(frozen=True, slots=True)
class _Layout:
    """Which column of a file is which field, and what its numbers mean."""

    format: str
    column_of: Mapping[str, str]
    units: Units
    read_gpus: Callable[[str], GpuReading]


def reduce_on_spark(
    paths: Sequence[str],
    *,
    mapping: ColumnMapping | str | None = None,
    timezone: str | None = None,
    cluster: str | None = None,
    window_request: WindowRequest | None = None,
) -> JobsRead:
    """CSV or Parquet logs, in our own columns or through a mapping, to demand; the workloads are named, no more.

    A path may be anything Spark reads: a file, a folder, a pattern, an address in object storage. Rows have no line
    numbers there, so issues name no first row. Errors: PlannerError missing_part, missing_column, file_unreadable.
    """
    check_timezone(timezone)
    chosen = parse_mapping(mapping) if isinstance(mapping, str) else mapping
    with open_spark() as session:
        import ibis

        tables = ibis.pyspark.connect(session)
        files: list[tuple[str, str]] = []
        frames: list[DataFrame] = []
        for number, path in enumerate(map(str, paths)):
            raw = _read_texts(session, path)
            layout = _layout(path, raw.columns, chosen)
            frames.append(_judged(session, tables, raw, layout, timezone, number))
            files.append((path, layout.format))
        rows = _together(frames, cluster)
        rows.createOrReplaceTempView("jobs")
        named, workloads = _named(session, rows)
        named.createOrReplaceTempView("accepted_rows")
        jobs = accepted_jobs(tables.table("accepted_rows"))
        intake = _intake(session, files, tables.to_pandas(jobs.group_by("file").agg(kept=jobs.count())), timezone)
        span = LogSpan(*_one(session.sql(_SPAN_SQL)))
        window = choose_window(window_request or WindowRequest(whole_log=True), span, timezone or "UTC")
        accepted = sum(file.rows_accepted for file in intake)
        if window is None:
            return JobsRead(None, None, (), JobFacts(), intake, accepted=accepted)
        return _reduced(tables, jobs, window, workloads, intake, accepted)


_SPAN_SQL: Final = (
    "select min(start_s), max(start_s), max(end_s), max(end_s) filter (where not is_running) "
    "from jobs where fate = 'accepted'"
)


# --- Reading -----------------------------------------------------------------------------------


def _read_texts(session: "SparkSession", path: str) -> "DataFrame":
    """Every column as text under its own heading. Errors: PlannerError file_missing, file_unreadable."""
    if "://" not in path and not any(letter in path for letter in "*?[") and not Path(path).exists():
        raise PlannerError(path, "file_missing", "there is no such file", "check the path")
    try:
        if _is_parquet(path):
            return _as_texts(session.read.parquet(path))
        (first,) = session.read.text(path).head(1)
        delimiter, _ = own_csv.header_of(first[0], frozenset(own_csv.COLUMN_OF.values()))
        return session.read.csv(path, header=True, sep=delimiter, quote='"', escape='"', multiLine=True)
    except (PlannerError, KeyboardInterrupt):
        raise
    except Exception as fault:  # whatever the storage has to say
        what = str(fault).splitlines()[0][:200] if str(fault) else "it is empty"
        raise PlannerError(path, "file_unreadable", what, "check that Spark may read it") from fault


def _is_parquet(path: str) -> bool:
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

    return frame.select(
        *(
            sql.concat(sql.date_format(sql.col(f"`{name}`"), "yyyy-MM-dd HH:mm:ss"), sql.lit("Z")).alias(name)
            if kind == "timestamp"
            else sql.col(f"`{name}`").cast("string").alias(name)
            for name, kind in frame.dtypes
        )
    )


def _layout(path: str, columns: Sequence[str], mapping: ColumnMapping | None) -> _Layout:
    """Errors: PlannerError missing_column."""
    there = {name.strip().lstrip("\ufeff").casefold(): name for name in columns}
    if mapping is None:
        wanted, units, gpu_unit = dict(own_csv.COLUMN_OF), Units(), "gpu"
        missing = [name for name in own_csv.REQUIRED if name not in there]
        wanted = {field: heading for field, heading in wanted.items() if heading in there}
    else:
        wanted = {MAPPED_FIELDS[field]: name for field, name in mapping.columns.items()}
        missing = [name for name in wanted.values() if name.strip().casefold() not in there]
        units = Units(
            mapping.units.get("start"),
            mapping.units.get("end"),
            mapping.units.get(DURATION, "s"),
            end_is_elapsed="end" not in wanted,
        )
        gpu_unit = mapping.units.get("gpus", "gpu")
    if missing:
        what = f"there is no column {', '.join(missing)}"
        remedy = "Spark reads CSV and Parquet: map to one of " + ", ".join(columns)
        raise PlannerError(path, "missing_column", what, remedy)
    column_of = {field: there[name.strip().casefold()] for field, name in wanted.items()}
    return _Layout(
        own_csv.FORMAT if mapping is None else MAPPED, column_of, units, partial(read_gpu_count, unit=gpu_unit)
    )


# --- Judging -----------------------------------------------------------------------------------


def _judged(
    session: "SparkSession", tables: Any, raw: "DataFrame", layout: _Layout, timezone: str | None, file: int
) -> "DataFrame":
    from pyspark.sql import functions as sql

    view = f"raw_{file}"
    raw.withColumn("line", sql.monotonically_increasing_id()).createOrReplaceTempView(view)
    texts = staged_texts(tables.table(view), layout.column_of, layout.units)
    staged = tables.compile(texts)
    session.sql(staged).createOrReplaceTempView(f"texts_{file}")
    readings = _readings(session, tables, f"texts_{file}", layout, timezone, file)
    judged = judged_rows(tables.table(f"texts_{file}"), readings, layout.units, file)
    return session.sql(tables.compile(judged))


def _readings(
    session: "SparkSession", tables: Any, view: str, layout: _Layout, timezone: str | None, file: int
) -> Readings:
    def distinct(column: str, where: str) -> list[str]:
        found = session.sql(f"select distinct `{column}` from {view} where `{column}` is not null and {where}")
        return [row[0] for row in found.collect()]

    def kept(name: str, columns: str, rows: Iterable[tuple[Any, ...]]) -> "Table":
        session.createDataFrame(list(rows), columns).createOrReplaceTempView(f"{name}_{file}")
        return tables.table(f"{name}_{file}")

    odd: dict[str, LocalTime] = {}
    for column, unit in (("start", layout.units.start), ("end", layout.units.end)):
        for text in distinct(column, f"{column}_clock_s is null"):
            read = _read_odd_time(text, unit)
            if read is not None:
                odd[text] = read
    clocks: dict[str, tuple[int, int]] = {}
    seen = [
        row
        for column in ("start", "end")
        for row in session.sql(
            f"select {column}_rest, min({column}_clock_s), max({column}_clock_s) from {view} "
            f"where {column}_clock_s is not null group by {column}_rest"
        ).collect()
    ]
    for rest, first_s, last_s in (*seen, *((at.zone_text, at.clock_s, at.clock_s) for at in odd.values())):
        low, high = clocks.get(rest, (first_s, last_s))
        clocks[rest] = (min(low, first_s), max(high, last_s))
    zones = {text: read_zone(text) for text in clocks}
    durations = [(text, read_duration(text, layout.units.elapsed)) for text in distinct("elapsed", "elapsed_quick_s is null")]
    gpus = [(text, layout.read_gpus(text)) for text in distinct("gpus", "true")]
    states = [(text, read_state(text)) for text in distinct("state", "true")]
    return Readings(
        kept("odd_times", "text string, clock_s long, rest string", ((t, at.clock_s, at.zone_text) for t, at in odd.items())),
        kept("odd_durations", "text string, seconds long", durations),
        kept(
            "gpus",
            "text string, milli_gpus long, gpu_fault string, its_model string",
            ((text, read.milli_gpus, read.fault, read.gpu_model) for text, read in gpus),
        ),
        kept("states", "text string, state string, finality long", ((t, s, finality(s)) for t, s in states)),
        {text: _spans(zone, clocks[text], timezone) for text, zone in zones.items() if not zone.fault},
        [text for text, zone in zones.items() if zone.fault == "unknown_timezone"],
        [text for text, zone in zones.items() if zone.is_naive],
        any(not zone.is_naive for zone in zones.values()),
    )


def _spans(zone: Any, clocks: tuple[int, int], timezone: str | None) -> Sequence[ClockSpan]:
    name = zone.name or (timezone if zone.is_naive else None)
    if name is not None:
        return clock_spans(name, *clocks)
    return (ClockSpan(-(2**62), zone.offset_s or 0, zone.offset_s or 0),)


def _read_odd_time(text: str, unit: str | None) -> LocalTime | None:
    if unit is None:
        return read_time(text)
    seconds = read_seconds(text, unit)
    return None if seconds is None else LocalTime(seconds, "Z")


def _together(frames: Sequence["DataFrame"], cluster: str | None) -> "DataFrame":
    from pyspark import StorageLevel
    from pyspark.sql import functions as sql

    rows = frames[0]
    for frame in frames[1:]:
        rows = rows.unionByName(frame)
    if cluster:
        rows = rows.withColumn("cluster", sql.when(sql.col("cluster") == "", cluster).otherwise(sql.col("cluster")))
    return rows.persist(StorageLevel.DISK_ONLY)  # read once, judged once, asked several times


def _named(session: "SparkSession", rows: "DataFrame") -> "tuple[DataFrame, list[Workload]]":
    """Accepted rows with the number of their workload and GPU model, and the workloads by number, sorted by key."""
    found = session.sql(
        "select distinct cluster, coalesce(account, `user`, '') as owner, name, coalesce(label, '') as label "
        "from jobs where fate = 'accepted'"
    ).collect()
    keyed = [(*row, workload_key(row[0], row[1], fold_name(row[2]), row[3] or None)) for row in found]
    by_key = {row[4]: row for row in keyed}
    number_of = {key: number for number, key in enumerate(sorted(by_key))}
    names = session.createDataFrame(
        [(*row[:4], number_of[row[4]]) for row in keyed],
        "cluster string, owner string, name string, label_text string, workload long",
    )
    models = sorted(row[0] for row in session.sql("select distinct gpu_model from jobs where gpu_model is not null").collect())
    numbers = session.createDataFrame([*enumerate(models)], "model_number long, gpu_model string")
    names.createOrReplaceTempView("workload_names")
    numbers.createOrReplaceTempView("model_numbers")
    named = session.sql(
        """select j.file, j.line, j.cluster, j.job_id, j.start_s, j.end_s, j.is_running, j.finality, j.milli_gpus,
            n.workload, coalesce(m.model_number, -1) as gpu_model
        from jobs j
        join workload_names n on n.cluster = j.cluster and n.name = j.name
            and n.owner = coalesce(j.account, j.`user`, '') and n.label_text = coalesce(j.label, '')
        left join model_numbers m on m.gpu_model = j.gpu_model
        where j.fate = 'accepted'"""
    )
    workloads = [
        Workload(key=key, name=fold_name(by_key[key][2]), cluster=by_key[key][0], owner=by_key[key][1],
                 label=Pool(by_key[key][3]) if by_key[key][3] else None)
        for key in sorted(by_key)
    ]
    return named, workloads
