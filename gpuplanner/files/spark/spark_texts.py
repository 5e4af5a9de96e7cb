"""Logs as Spark reads them: every column as text under its heading, and which column is which field."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.dialects import own_csv
from gpuplanner.files.job_logs.judging.stray_rows import NO_TIME, STRAY_ROW
from gpuplanner.files.job_logs.judging.text_typing import Units
from gpuplanner.files.job_logs.mapping.any_table import ROWS_LOOKED_AT
from gpuplanner.files.job_logs.mapping.mapped_log import FORMAT as MAPPED
from gpuplanner.files.job_logs.mapping.mapped_log import STEP, gpu_reader
from gpuplanner.files.job_logs.slurm.sacct_layout import has_steps
from gpuplanner.files.sources.row_widths import LONG, SHORT, named_width
from gpuplanner.files.tables.column_mapping import MAPPED_FIELDS, ColumnMapping, check_units, with_own_names
from gpuplanner.files.tables.fields import DURATION
from gpuplanner.files.tables.headers import best_header
from gpuplanner.files.values.gpu_counts import GpuReading, read_gpu_count

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame, SparkSession


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
        delimiter, _ = best_header(first[0], own_csv.COLUMN_OF.values())
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
        wanted, units = dict(own_csv.COLUMN_OF), Units()
        read_gpus: Callable[[str], GpuReading] = read_gpu_count
        missing = [name for name in own_csv.REQUIRED if name not in there]
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
    return Layout(own_csv.FORMAT if mapping is None else MAPPED, column_of, units, read_gpus)


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
