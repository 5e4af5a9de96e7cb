"""A log as it stands: every record as text in the engine, beside the number of its line."""

import csv
import glob
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.engine import Engine
from gpuplanner.files.source import PARQUET, TEXT, Source

_ROWS_BETWEEN_CHECKS: Final = 20_000
_RECORD_BYTES_AT_MOST: Final = 32 * 2**20
_NEWLINES: Final = re.compile(r"\r\n?")


@dataclass(frozen=True, slots=True)
class RawTable:
    """name: a table or view of the engine with `line` (BIGINT) and c0, c1, ... (VARCHAR); columns: their headings."""

    name: str
    columns: tuple[str, ...]
    delimiter: str

    def column(self, heading: str) -> str | None:
        """The engine's name of the column with that heading, ignoring case; None without one."""
        wanted = heading.strip().casefold()
        for index, name in enumerate(self.columns):
            if name.strip().casefold() == wanted:
                return f"c{index}"
        return None

    @property
    def row_text(self) -> str:
        """SQL: a record as one text, as a planner would look for it."""
        separator = self.delimiter.replace("'", "''")
        return (
            f"concat_ws('{separator}', "
            + ", ".join(f"coalesce(c{i}, '')" for i in range(len(self.columns)))
            + ")"
        )


def load_raw(
    engine: Engine,
    source: Source,
    name: str,
    columns: Sequence[str],
    *,
    delimiter: str = ",",
    is_quoted: bool = True,
    has_header: bool = True,
    ends_with_delimiter: bool = False,
    surplus_into: int | None = None,
) -> RawTable:
    """Every record of a file, none lost. columns: the headings, for a file without a header as given.

    ends_with_delimiter: every record has one more, after its last field.
    surplus_into: the column that holds free text, which takes what is too much where a delimiter stands in it.
    A regular file is read by the engine, in parallel; anything else, line by line, first.
    """
    table = RawTable(name, tuple(columns), delimiter)
    if source.kind == PARQUET:
        _load_parquet(engine, source, table)
    elif not (source.kind == TEXT and _load_regular(engine, source, table, is_quoted, has_header)):
        _load_carefully(engine, source, table, is_quoted, has_header, ends_with_delimiter, surplus_into)
    return table


def _types(table: RawTable, *, line: bool = False) -> str:
    names = (["line"] if line else []) + [f"c{index}" for index in range(len(table.columns))]
    return "{" + ", ".join(f"'{name}': 'VARCHAR'" for name in names) + "}"


def _load_regular(engine: Engine, source: Source, table: RawTable, is_quoted: bool, has_header: bool) -> bool:
    """Whether the fast way could be taken: then every line is one record of the right width."""
    import duckdb

    if not source.is_regular or len(table.columns) < 2 or len(table.delimiter) > 1:
        return False
    newline = "\\r\\n" if source.newline == "\r\n" else "\\n"
    quoting = "quote='\"', escape='\"'" if is_quoted else "quote='', escape=''"
    try:
        engine.run(
            f'create or replace table "{table.name}_records" as select * from read_csv(?, '
            "auto_detect=false, hive_partitioning=false, "
            f"header=false, skip={int(has_header)}, delim=?, {quoting}, new_line='{newline}', "
            f"columns={_types(table)})",
            [glob.escape(source.at), table.delimiter],
        )
    except (duckdb.InvalidInputException, duckdb.IOException, duckdb.ConversionException):
        return False
    (count,) = engine.one(f'select count(*) from "{table.name}_records"')
    if count != source.lines - has_header:
        return False
    engine.run(
        f'create or replace view "{table.name}" as '
        f'select rowid + {1 + has_header} as line, * from "{table.name}_records"'
    )
    return True


def _load_carefully(
    engine: Engine,
    source: Source,
    table: RawTable,
    is_quoted: bool,
    has_header: bool,
    ends_with_delimiter: bool,
    surplus_into: int | None,
) -> None:
    width = len(table.columns)

    def of_width(rows: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
        for count, (line, fields) in enumerate(rows):
            if ends_with_delimiter and fields[-1] == "":
                fields.pop()
            if count or not has_header:
                yield line, _to_width(fields, width, surplus_into, table.delimiter)

    with source.rows(table.delimiter, is_quoted=is_quoted) as rows:
        _load_written(engine, source, table, of_width(rows))


def load_records(
    engine: Engine,
    source: Source,
    name: str,
    columns: Sequence[str],
    records: Iterable[tuple[int, Sequence[str]]],
    *,
    delimiter: str = ",",
) -> RawTable:
    """Records that a dialect takes apart by itself (JSON, key=value, fixed width), as (row number, texts by column).

    delimiter: between the texts of a record when a planner is shown it.
    """
    table = RawTable(name, tuple(columns), delimiter)
    _load_written(engine, source, table, records)
    return table


def _load_written(
    engine: Engine, source: Source, table: RawTable, records: Iterable[tuple[int, Sequence[str]]]
) -> None:
    """By way of a clean file: the engine takes that in faster than rows from Python."""
    import duckdb

    clean = engine.folder / f"{table.name}.csv"
    with clean.open("w", encoding="utf-8", errors="replace", newline="") as out:
        writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
        for count, (line, cells) in enumerate(records):
            if count % _ROWS_BETWEEN_CHECKS == 0:
                engine.check()
            writer.writerow([line, *(_NEWLINES.sub("\n", text).replace("\0", "") for text in cells)])
    try:
        engine.run(
            f'create or replace table "{table.name}" as '
            "select cast(line as bigint) as line, * exclude (line) from read_csv(?, "
            "auto_detect=false, hive_partitioning=false, "
            f"header=false, delim=',', quote='\"', escape='\"', new_line='\\n', columns={_types(table, line=True)}, "
            f"max_line_size={_RECORD_BYTES_AT_MOST}, buffer_size={2 * _RECORD_BYTES_AT_MOST})",
            [glob.escape(str(clean))],
        )
    except duckdb.InvalidInputException as fault:
        what = f"a record is over {_RECORD_BYTES_AT_MOST / 2**20:.0f} MB long"
        raise PlannerError(source.path, "file_unreadable", what, "export the log again") from fault
    clean.unlink()


def _to_width(fields: list[str], width: int, surplus_into: int | None, delimiter: str) -> list[str]:
    surplus = len(fields) - width
    if surplus <= 0:
        return fields + [""] * -surplus
    if surplus_into is None:
        return fields[:width]
    end = surplus_into + surplus + 1
    return [*fields[:surplus_into], delimiter.join(fields[surplus_into:end]), *fields[end:]]


def _load_parquet(engine: Engine, source: Source, table: RawTable) -> None:
    import duckdb

    try:
        names = [
            row[0]
            for row in engine.all(
                "describe select * from read_parquet(?, hive_partitioning=false)", [glob.escape(source.at)]
            )
        ]
        quoted = ", ".join(
            'cast("{}" as varchar) as c{}'.format(name.replace('"', '""'), index)
            for index, name in enumerate(names)
        )
        engine.run(
            f'create or replace table "{table.name}" as select file_row_number + 1 as line, {quoted} '
            "from read_parquet(?, file_row_number=true, hive_partitioning=false)",
            [glob.escape(source.at)],
        )
    except (duckdb.InvalidInputException, duckdb.IOException, duckdb.BinderException) as fault:
        raise PlannerError(
            source.path, "file_unreadable", "it is no sound Parquet file", "write or download it again"
        ) from fault
