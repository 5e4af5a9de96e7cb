"""Logs on Spark: every column as text under its heading, judged as the laptop judges, and named."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.cube import Workload
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.tables import Pool
from gpuplanner.files.job_logs import recognisers
from gpuplanner.files.job_logs.dialects.sacct_layout import has_steps
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
from gpuplanner.files.sources.issue_texts import LONG, SHORT, named_width
from gpuplanner.files.tables.column_mapping import MAPPED_FIELDS, ColumnMapping, check_units, with_own_names
from gpuplanner.files.tables.delimited import best_header
from gpuplanner.files.tables.fields import DURATION
from gpuplanner.files.values.gpu_names import GpuReading, read_gpu_count

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
        raise PlannerError(path, "file_unreadable", what, worded("check that Spark may read it")) from fault


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
