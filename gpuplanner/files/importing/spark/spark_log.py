"""What holds for a whole log: settled on its head and on one look at all of its lines."""

import codecs
from collections.abc import Sequence
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Final

from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.importing.spark.spark_part import SettledLog
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.sources.source import NOT_UTF_8, PARQUET, errors_of, survey
from gpuplanner.files.system.engine import open_engine
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.system.own_folder import own_folder
from gpuplanner.lazy_dataclass import dataclass, replace

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


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
class OpenedLog:
    """A log before its parts are read. parts: its lines or rows; issues: of the log as a whole."""

    log: SettledLog
    issues: tuple[Issue, ...]
    parts: "DataFrame"


def open_log(session: "SparkSession", log: SettledLog) -> OpenedLog:
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
                return OpenedLog(*settled(log, at, ()), rows)
            at.write_bytes(b"\n".join(lines))
            spans, is_utf_8 = text.selectExpr(_SPANS_SQL, "min(is_valid_utf8(value))").first()
            spans = spans or lines[0].startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
            settled_log = settled(log, at, lines, is_utf_8=is_utf_8, spans_lines=spans)
            return OpenedLog(*settled_log, _lines(text, is_whole=spans))
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
