"""Reducing on Spark: logs too large for a laptop, read where they lie, by the expression that the laptop uses too."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import FileIntake, Issue, JobFacts
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.model.workload import Workload
from gpuplanner.files.import_jobs import JobsRead
from gpuplanner.files.issue_texts import issue_message
from gpuplanner.files.job_logs import own_csv
from gpuplanner.files.job_logs.any_table import ROWS_LOOKED_AT
from gpuplanner.files.job_logs.expression import accepted_jobs, clipped_jobs, hourly_steps
from gpuplanner.files.job_logs.gpu_counts import GpuReading, read_gpu_count
from gpuplanner.files.job_logs.mapped import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapped import STEP, gpu_reader
from gpuplanner.files.job_logs.mapping import (
    DURATION,
    MAPPED_FIELDS,
    ColumnMapping,
    check_units,
    parse_mapping,
    with_own_names,
)
from gpuplanner.files.job_logs.names import fold_name, workload_key
from gpuplanner.files.job_logs.reduce import cube_of_steps
from gpuplanner.files.job_logs.row_counts import conditions_of_issues
from gpuplanner.files.job_logs.sacct_layout import has_steps
from gpuplanner.files.job_logs.states import KNOWN_STATES
from gpuplanner.files.job_logs.text_typing import Units, distinct_texts, judged_rows, read_texts, staged_texts
from gpuplanner.files.job_logs.times import check_timezone
from gpuplanner.files.spark_session import open_spark
from gpuplanner.files.window_request import LogSpan, WindowRequest, choose_window

if TYPE_CHECKING:
    from ibis.expr.types import Table
    from pyspark.sql import DataFrame, SparkSession

_ROWS_OF_A_PARTITION: Final = 2**26
"""Row numbers only settle which of two equal rows comes first, and are kept within what the expression expects."""


@dataclass(frozen=True, slots=True)
class Layout:
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
            raw = _read_texts(session, path)
            try:
                layout = layout_of(path, raw.columns, chosen)
            except PlannerError as fault:
                if fault.code != "missing_column":
                    raise
                refused[number] = fault
                files.append((path, ""))
                continue
            raw, steps[number] = _without_steps(raw, layout)
            frames.append(_judged(session, tables, raw, layout, timezone, number))
            files.append((path, layout.format))
        if not frames:
            intake = tuple(FileIntake(path, "jobs", "", 0, 0, 0, 0, 0) for path, _ in files)
            return _with_refused(JobsRead(None, None, (), JobFacts(), intake), refused)
        _together(frames, cluster).createOrReplaceTempView("jobs")
        once = accepted_jobs(tables.table("jobs").filter(lambda table: table.fate == "accepted"))
        once_each = session.sql(tables.compile(once))
        if drop_alike:
            once_each.createOrReplaceTempView("accepted_jobs")
            once_each = session.sql(_NOT_ALIKE_SQL).drop("place")
        once_each.persist(StorageLevel.DISK_ONLY).createOrReplaceTempView("accepted_once")
        kept = session.sql("select file, count(*) from accepted_once group by file").collect()
        intake = _intake(session, files, dict(tuple(row) for row in kept), steps, timezone is not None)
        (span,) = session.sql(_SPAN_SQL).collect()
        window = choose_window(
            window_request or WindowRequest(whole_log=True), LogSpan(*span), timezone or "UTC"
        )
        if window is None:
            return _with_refused(JobsRead(None, None, (), JobFacts(), intake), refused)
        workloads, gpu_models = _named(session)
        numbered = tables.table("numbered_rows")
        return _with_refused(_reduced(tables, numbered, window, gpu_models, workloads, intake), refused)


def _with_refused(read: JobsRead, refused: Mapping[int, PlannerError]) -> JobsRead:
    """What was read, with the files that were left out and why; refused: by the number of the file."""
    intake = [*read.intake]
    for number, fault in refused.items():
        intake[number] = replace(
            intake[number], issues=(Issue(fault.code, 1, None, f"{fault.what}; {fault.remedy}"),)
        )
    return replace(read, intake=tuple(intake), refused=tuple(refused.values()))


_SPAN_SQL: Final = (
    "select min(start_s), max(start_s), max(end_s), max(end_s) filter (where not is_running) "
    "from accepted_once"
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
        return session.read.csv(
            path,
            header=True,
            sep=delimiter,
            quote='"',
            escape='"',
            multiLine=not _is_record_a_line(session, path),
        )
    except (PlannerError, KeyboardInterrupt):
        raise
    except Exception as fault:  # whatever the storage has to say
        what = str(fault).splitlines()[0][:200] if str(fault) else "it is empty"
        raise PlannerError(path, "file_unreadable", what, "check that Spark may read it") from fault


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


def layout_of(path: str, columns: Sequence[str], mapping: ColumnMapping | None) -> Layout:
    """Where the fields of a job stand. Errors: PlannerError missing_column, usage for a unit of --map."""
    there = {name.strip().lstrip("\ufeff").casefold(): name for name in columns}
    if mapping is None:
        wanted, units = dict(own_csv.COLUMN_OF), Units()
        read_gpus: Callable[[str], GpuReading] = read_gpu_count
        missing = [name for name in own_csv.REQUIRED if name not in there]
        wanted = {field: heading for field, heading in wanted.items() if heading in there}
    else:
        mapping = with_own_names(mapping, columns)
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
        what = f"there is no column {', '.join(missing)}"
        remedy = "Spark reads CSV and Parquet: map to one of " + ", ".join(columns)
        raise PlannerError(path, "missing_column", what, remedy)
    column_of = {field: there[name.strip().casefold()] for field, name in wanted.items()}
    return Layout(own_csv.FORMAT if mapping is None else MAPPED, column_of, units, read_gpus)


def _check_units(path: str, mapping: ColumnMapping) -> None:
    """Errors: PlannerError usage for a unit that only the embedded engine reads."""
    for field in mapping.columns:
        unit = mapping.unit(field)
        if unit and unit not in _UNITS_OF.get(field, (unit,)):
            known = ", ".join(_UNITS_OF[field])
            raise PlannerError(
                path, "usage", f"Spark does not read {field} in {unit}", f"use {known}, or leave --engine out"
            )


_UNITS_OF: Final = {
    "start": ("iso", "epoch_s", "epoch_ms"),
    "end": ("iso", "epoch_s", "epoch_ms"),
    DURATION: ("s", "min", "h"),
    "gpu_activity_percent": ("percent",),
}


# --- Judging -----------------------------------------------------------------------------------


def _without_steps(raw: "DataFrame", layout: Layout) -> "tuple[DataFrame, int]":
    """The rows that are jobs, and how many are steps of Slurm: those are looked for where the first ids have any."""
    if layout.format != MAPPED or "job_id" not in layout.column_of:
        return raw, 0
    from pyspark.sql import functions as sql

    job_id = sql.coalesce(raw[f"`{layout.column_of['job_id']}`"], sql.lit(""))
    if not has_steps([row[0] for row in raw.select(job_id).head(ROWS_LOOKED_AT)]):
        return raw, 0
    is_step = job_id.rlike(STEP)
    return raw.filter(~is_step), raw.filter(is_step).count()


def _judged(
    session: "SparkSession", tables: Any, raw: "DataFrame", layout: Layout, timezone: str | None, file: int
) -> "DataFrame":
    from pyspark.sql import functions as sql

    view = f"raw_{file}"
    row = sql.monotonically_increasing_id()  # the partition above 33 bits, the row in it below
    line = sql.shiftright(row, 33) * _ROWS_OF_A_PARTITION + row % 2**33
    raw.withColumn("line", line).createOrReplaceTempView(view)
    texts = staged_texts(tables.table(view), layout.column_of, layout.units)
    session.sql(tables.compile(texts)).createOrReplaceTempView(f"texts_{file}")
    texts = tables.table(f"texts_{file}")

    def make_table(name: str, types: Mapping[str, str], rows: Sequence[tuple[Any, ...]]) -> "Table":
        kinds = ", ".join(f"{column} {_SPARK_TYPES[kind]}" for column, kind in types.items())
        session.createDataFrame(list(rows), kinds).createOrReplaceTempView(f"{name}_{file}")
        return tables.table(f"{name}_{file}")

    told = session.sql(tables.compile(distinct_texts(texts))).toLocalIterator()
    readings = read_texts(map(tuple, told), layout.units, layout.read_gpus, timezone, make_table)
    return session.sql(tables.compile(judged_rows(texts, readings, layout.units, file)))


_SPARK_TYPES: Final = {"string": "string", "int64": "long"}


def _together(frames: Sequence["DataFrame"], cluster: str | None) -> "DataFrame":
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


def _named(session: "SparkSession") -> tuple[list[Workload], tuple[str, ...]]:
    """The view numbered_rows, with the numbers of workload and GPU model; both lists by number, sorted."""
    names = [row[0] for row in session.sql("select distinct name from accepted_once").collect()]
    session.createDataFrame(
        [(name, fold_name(name)) for name in names], "name string, folded string"
    ).createOrReplaceTempView("folded_names")
    named = [
        (cluster, owner, folded, label, workload_key(cluster, owner, folded, label or None))
        for cluster, owner, folded, label in session.sql(_OWNERS_SQL).collect()
    ]
    by_key = {row[-1]: row for row in named}
    number_of = {key: number for number, key in enumerate(sorted(by_key))}
    session.createDataFrame(
        [(*row[:4], number_of[row[4]]) for row in named],
        "cluster string, owner string, folded string, its_label string, workload long",
    ).createOrReplaceTempView("workload_names")
    models = sorted(row[0] for row in session.sql(_MODELS_SQL).collect())
    session.createDataFrame([*enumerate(models)], "number long, name string").createOrReplaceTempView(
        "model_names"
    )
    session.sql(_NUMBERED_SQL).createOrReplaceTempView("numbered_rows")
    workloads = [
        Workload(key=key, name=folded, cluster=cluster, owner=owner, label=Pool(label) if label else None)
        for key, (cluster, owner, folded, label, _) in sorted(by_key.items())
    ]
    return workloads, tuple(models)


_MODELS_SQL: Final = (
    "select distinct gpu_model from accepted_once where gpu_model is not null and milli_gpus > 0"
)
_OWNERS_SQL: Final = """select distinct cluster, coalesce(account, user, '') as owner, folded, coalesce(label, '')
    from accepted_once join folded_names using (name)"""
_NUMBERED_SQL: Final = """select a.file, a.start_s, a.end_s, a.is_running, a.milli_gpus, n.workload,
        coalesce(m.number, -1) as gpu_model
    from accepted_once a
    join folded_names f on f.name = a.name
    join workload_names n on n.cluster = a.cluster and n.folded = f.folded
        and n.owner = coalesce(a.account, a.user, '') and n.its_label = coalesce(a.label, '')
    left join model_names m on m.name = a.gpu_model"""


# --- Figures -----------------------------------------------------------------------------------


def _intake(
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
_NOT_ALIKE_SQL: Final = f"""select * from (
    select *, row_number() over (partition by {_ALIKE} order by file, line) as place from accepted_jobs)
    where job_id is not null or place = 1"""


def _reduced(
    tables: Any,
    jobs: "Table",
    window: Window,
    gpu_models: tuple[str, ...],
    workloads: Sequence[Workload],
    intake: tuple[FileIntake, ...],
) -> JobsRead:
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
    cut = _columns(tables, demand.filter(is_cut).group_by("file").agg(count=lambda table: table.count()))
    cut_by_file = dict(zip(cut["file"].tolist(), cut["count"].tolist(), strict=True))
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
        tuple(_with_clipped(file, cut_by_file.get(number, 0)) for number, file in enumerate(intake)),
        accepted=sum(file.rows_accepted for file in intake),
    )


def _with_clipped(file: FileIntake, count: int) -> FileIntake:
    if not count:
        return file
    issues = (*file.issues, Issue("clipped", count, None, issue_message("clipped")))
    return replace(file, issues=tuple(sorted(issues, key=lambda issue: issue.code)))


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
