"""A log as it stands: every record as text for the engine, beside the number of its line."""

import csv
import glob
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Ints
from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.files.sources.issue_texts import RaggedLines, named_width
from gpuplanner.files.sources.source import PARQUET, TEXT, Source, unsound_parquet
from gpuplanner.files.sources.spreadsheet import COLUMNS_AT_MOST
from gpuplanner.files.system.engine import Engine, sql_text
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.files.system.own_folder import discard
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.lazy_re import lazy_re

_ROWS_BETWEEN_CHECKS: Final = 20_000
_RECORD_BYTES_AT_MOST: Final = 32 * 2**20
_NEWLINES: Final = lazy_re(r"\r\n?")
PutTogether = Callable[[list[str]], list[str]]
"""What a delimiter inside a field took apart, in one piece again; the same fields where that cannot be told."""

_PICKED_AT_MOST: Final = 0.1  # of all lines; to find more one by one takes longer than to read them all


@dataclass(frozen=True, slots=True)
class _Regular:
    """A file that the engine reads by itself, again each time. read: SQL that does, without the numbers of lines.

    path and skip stand in it as {path} and {skip}; header_lines: lines before the first record; carefully: takes the
    file in another way, where it turns out not to be regular.
    """

    source: Source
    read: str
    header_lines: int
    carefully: Callable[[], None]

    def records(self, path: str, skip: int) -> str:
        """SQL for the records of a file like this one."""
        return self.read.format(path=sql_text(glob.escape(path)), skip=skip)


def check_columns(columns: Sequence[str], path: str) -> None:
    """Whether a table is narrow enough to be read. Errors: PlannerError file_unreadable beyond the limit."""
    if len(columns) > COLUMNS_AT_MOST:
        many, most = whole(len(columns)), whole(COLUMNS_AT_MOST)
        problem = worded("{many} columns; at most {most} are read", many=many, most=most)
        raise unreadable(path, problem, worded("save only the columns you need"))


@dataclass(frozen=True, slots=True, kw_only=True)
class RawTable:
    """name: a table or view of the engine with `line` (BIGINT) and c0, c1, ... (VARCHAR); columns: their headings.

    The view of a large file is for a look at its first records: it leaves out what is broken, and numbers lines as
    if nothing were. Every record once, with its line, is for `read_records`; then it is known, too, which are ragged.
    """

    name: str
    columns: tuple[str, ...]
    delimiter: str
    path: str = ""
    ragged: RaggedLines = field(default_factory=RaggedLines, repr=False, compare=False)
    regular: _Regular | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Errors: PlannerError file_unreadable beyond the limit: the engine would say that memory is short."""
        check_columns(self.columns, self.path)

    def column(self, heading: str) -> str | None:
        """The engine's name of the column with that heading, ignoring case; None without one.

        Columns are c0, c1, ... in the order of the file.
        """
        wanted = heading.strip().casefold()
        for index, name in enumerate(self.columns):
            if name.strip().casefold() == wanted:
                return f"c{index}"
        return None

    def text(self, heading: str) -> str:
        """SQL: the text of the column with that heading; empty where there is none."""
        return f"coalesce({self.column(heading) or 'null'}, '')"

    @property
    def row_cells(self) -> str:
        """SQL: a record as a list of its texts."""
        return "[" + ", ".join(f"coalesce(c{i}, '')" for i in range(len(self.columns))) + "]"

    @property
    def row_text(self) -> str:
        """SQL: a record as one text, as a planner would look for it.

        With the delimiter of the file between the cells, without its quotes.
        """
        return (
            f"concat_ws({sql_text(self.delimiter)}, "
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
    put_together: PutTogether | None = None,
    is_whole: bool = False,
) -> RawTable:
    """Every record of a file, none lost. columns: the headings, for a file without a header as given.

    ends_with_delimiter: every record has one more, after its last field.
    put_together: the fields of a record that has too many, where a delimiter stood in one of them.
    is_whole: the table has every record from now on, also of a file that turns out to need care, for a reader that
    asks it himself.
    A regular file is read by the engine, in parallel; anything else, line by line, first.
    """
    table = RawTable(name=name, columns=tuple(columns), delimiter=delimiter, path=source.path)

    def carefully() -> None:
        """Loads the same file record by record in Python."""
        _load_carefully(engine, source, table, is_quoted, has_header, ends_with_delimiter, put_together)

    if source.kind == PARQUET:
        _load_parquet(engine, source, table)
    elif regular := _regular(source, table, is_quoted, has_header, carefully):
        table = replace(table, regular=regular)
        try:
            engine.run(
                f'create or replace {engine.once} "{name}" as select row_number() over () + {regular.header_lines} '
                f"as line, * from ({regular.records(source.at, regular.header_lines)[:-1]}, ignore_errors=true))"
            )
        except _irregular():
            return _taken_with_care(engine, table, regular)
        if engine.once == "table":  # few records are read from their file once
            return replace(whole_table(engine, table), regular=None)
    else:
        carefully()
    return whole_table(engine, table) if is_whole else table


def whole_table(engine: Engine, table: RawTable) -> RawTable:
    """The same with every record in it, also where its file turns out to need care.

    Fewer records than lines are the sign: a quoted line break, or lines that the fast reader left out.
    """
    regular = table.regular
    if regular is None:
        return table
    (count,) = engine.one(f'select count(*) from "{table.name}"')
    if count == regular.source.lines - regular.header_lines:
        return table
    return _taken_with_care(engine, table, regular)


def _taken_with_care(engine: Engine, table: RawTable, regular: _Regular) -> RawTable:
    """The table loaded anew by the careful reader, after the fast one met something irregular."""
    drop(engine, table.name)
    regular.carefully()
    return replace(table, regular=None)


def _irregular() -> tuple[type[Exception], ...]:
    """The engine's faults of a file that needs care."""
    import duckdb

    too_long = duckdb.NotImplementedException  # of a record longer than what it reads at once
    return duckdb.InvalidInputException, duckdb.IOException, duckdb.ConversionException, too_long


def _types(table: RawTable, *, line: bool = False) -> str:
    """The columns of a table as SQL of their types, all text."""
    names = (["line"] if line else []) + [f"c{index}" for index in range(len(table.columns))]
    return "{" + ", ".join(f"'{name}': 'VARCHAR'" for name in names) + "}"


def drop(engine: Engine, name: str) -> None:
    """Forget a table or view, if there is one of that name."""
    import duckdb

    try:
        engine.run(f'drop view if exists "{name}"')
    except duckdb.CatalogException:
        engine.run(f'drop table "{name}"')


def _regular(
    source: Source, table: RawTable, is_quoted: bool, has_header: bool, carefully: Callable[[], None]
) -> _Regular | None:
    """The fast way, where it may be taken: if every line is one record of the right width, which is seen later."""
    if source.kind != TEXT or not source.is_regular or len(table.columns) < 2 or len(table.delimiter) > 1:
        return None
    if not source.head.partition("\n")[0].strip():  # its header is not its first line
        return None
    newline = "\\r\\n" if source.newline == "\r\n" else "\\n"
    quoting = "quote='\"', escape='\"'" if is_quoted else "quote='', escape=''"
    types = _types(table).replace("{", "{{").replace("}", "}}")
    delimiter = sql_text(table.delimiter).replace("{", "{{").replace("}", "}}")
    read = (
        "select * from read_csv({path}, auto_detect=false, hive_partitioning=false, header=false, skip={skip}, "
        f"delim={delimiter}, {quoting}, new_line='{newline}', columns={types})"
    )
    return _Regular(source, read, int(has_header), carefully)


def read_records(
    engine: Engine, table: RawTable, name: str, columns: str, *, upto: float | None = None
) -> RawTable:
    """The view `name`: the line of every record, in the order of the file, and SQL columns over it.

    upto: see Engine.run. Returns where else the records are to be had: as given, or, where the file turned out to need
    care, another way.
    """
    import duckdb

    regular = table.regular
    if regular is not None:
        records = regular.records(regular.source.at, regular.header_lines)
        try:
            count = _write_columns(engine, name, f"select {columns} from ({records})", upto)
        except _irregular() as fault:
            if _is_of_writing(engine, name, fault):
                raise
            count = -1
        if count == regular.source.lines - regular.header_lines:
            first = 1 + regular.header_lines
            _view_columns(
                engine, name, f"file_row_number + {first} as line, * exclude (file_row_number)", "true"
            )
            return table
        table = _taken_with_care(engine, table, regular)
    rows = f'select line, {columns} from "{table.name}"'
    try:
        if engine.once == "table":
            engine.run(f'create or replace table "{name}" as {rows}', upto=upto)
            return table
        _write_columns(engine, name, rows, upto)
    except (duckdb.InvalidInputException, duckdb.IOException) as fault:
        if _is_of_writing(engine, name, fault):
            raise
        raise unsound_parquet(table.path) from fault
    _view_columns(engine, name, "*", "false")
    return table


def forget_records(engine: Engine, name: str) -> None:
    """Drop what `read_records` made."""
    drop(engine, name)
    discard(_columns_path(engine, name))


def _columns_path(engine: Engine, name: str) -> Path:
    """Where the columns of a table are kept within the engine's own folder."""
    return engine.folder / f"{name}.parquet"


def _write_columns(engine: Engine, name: str, rows: str, upto: float | None) -> int:
    """Rows in their order to a file, and how many: in memory they would crowd out what is made of them."""
    path = sql_text(str(_columns_path(engine, name)))
    how = "format parquet, compression uncompressed, dictionary_size_limit 1"  # nothing that takes thought
    return engine.run(f"copy ({rows}) to {path} ({how})", upto=upto)


def _is_of_writing(engine: Engine, name: str, fault: Exception) -> bool:
    """Whether it is our own file that cannot be written, as on a full disk: no fault of the log's."""
    return any(str(ours) in str(fault) for ours in (_columns_path(engine, name), engine.folder / "spill"))


def _view_columns(engine: Engine, name: str, columns: str, is_numbered: str) -> None:
    """A view of the kept columns under the table's name."""
    path = sql_text(glob.escape(str(_columns_path(engine, name))))
    engine.run(
        f'create or replace view "{name}" as select {columns} '
        f"from read_parquet({path}, file_row_number={is_numbered}, hive_partitioning=false)"
    )


def records_at(engine: Engine, table: RawTable, name: str, lines: Ints) -> None:
    """The table `name`: the records at those lines (ascending), with `line` and c0, c1, ...

    lines: int64, shape (n,). Only those lines of the file are read again where it is regular.
    """
    engine.keep_numbers("wanted_lines", {"line": lines, "place": np.arange(len(lines))})
    regular = table.regular
    if regular is None or len(lines) > _PICKED_AT_MOST * regular.source.lines:
        engine.run(
            f'create or replace table "{name}" as select * from "{table.name}" '
            "where line in (select line from wanted_lines)"
        )
        return
    picked = engine.folder / "picked.csv"
    with picked.open("wb") as out:
        for count, text in enumerate(regular.source.lines_at(lines)):
            if count % _ROWS_BETWEEN_CHECKS == 0:
                engine.check()
            out.write(text)
            out.write(regular.source.newline.encode())
    engine.run(f'create or replace table "{name}_rows" as {regular.records(str(picked), 0)}')
    engine.run(
        f'create or replace table "{name}" as select w.line, r.* from "{name}_rows" r '
        "join wanted_lines w on w.place = r.rowid"
    )
    engine.run(f'drop table "{name}_rows"')
    discard(picked)


def _load_carefully(
    engine: Engine,
    source: Source,
    table: RawTable,
    is_quoted: bool,
    has_header: bool,
    ends_with_delimiter: bool,
    put_together: PutTogether | None,
) -> None:
    """Loads records of any width: each is brought to the width of the heading, and misfits are counted."""
    width, least = len(table.columns), _least_cells(source, table.columns)

    def of_width(rows: Iterable[tuple[int, list[str]]]) -> Iterator[tuple[int, list[str]]]:
        """Each record below the header, put together and brought to the width of the table."""
        for count, (line, fields) in enumerate(rows):
            if ends_with_delimiter and fields[-1] == "":
                fields.pop()
            if count or not has_header:
                whole = fields if put_together is None else put_together(fields)
                yield line, table.ragged.fit(line, whole, width, least)

    with source.rows(table.delimiter, is_quoted=is_quoted) as rows:
        _load_written(engine, source, table, of_width(rows))


def _least_cells(source: Source, columns: Sequence[str]) -> int:
    """How many cells a row has to have: up to the last that somebody named. A sheet keeps no empty ones at its end."""
    named = ["" if name == f"column {place}" else name for place, name in enumerate(columns, 1)]
    return named_width(named if any(named) else columns) if source.kind == TEXT else 0


def fitted_rows(
    source: Source, columns: Sequence[str], rows: Iterable[tuple[int, list[str]]], ragged: RaggedLines
) -> Iterator[tuple[int, list[str]]]:
    """Rows as wide as their table; `ragged` grows by those that were not.

    source: of a text file, cells of columns without a heading may lack.
    """
    width, least = len(columns), _least_cells(source, columns)
    return ((line, ragged.fit(line, cells, width, least)) for line, cells in rows)


def load_records(
    engine: Engine,
    source: Source,
    name: str,
    columns: Sequence[str],
    records: Iterable[tuple[int, Sequence[str]]],
    *,
    delimiter: str = ",",
    ragged: RaggedLines | None = None,
) -> RawTable:
    """Records that a dialect takes apart by itself (JSON, key=value, fixed width), as (row number, texts by column).

    delimiter: between the texts of a record when a planner is shown it. ragged: what the records were fitted by.
    """
    table = RawTable(
        name=name,
        columns=tuple(columns),
        delimiter=delimiter,
        path=source.path,
        ragged=ragged or RaggedLines(),
    )
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
            f"select cast(line as bigint) as line, * exclude (line) from read_csv({sql_text(glob.escape(str(clean)))}, "
            "auto_detect=false, hive_partitioning=false, "
            f"header=false, delim=',', quote='\"', escape='\"', new_line='\\n', columns={_types(table, line=True)}, "
            f"max_line_size={_RECORD_BYTES_AT_MOST}, buffer_size={2 * _RECORD_BYTES_AT_MOST})"
        )
    except duckdb.InvalidInputException as fault:
        problem = worded("a record is over {value} MB", value=whole(_RECORD_BYTES_AT_MOST / 2**20))
        raise unreadable(source.path, problem, worded("export it again")) from fault
    discard(clean)


def _load_parquet(engine: Engine, source: Source, table: RawTable) -> None:
    """A view of a Parquet file as texts beside row numbers from 1; nothing is copied."""
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
            f'create or replace view "{table.name}" as select file_row_number + 1 as line, {quoted} '
            f"from read_parquet({sql_text(glob.escape(source.at))}, file_row_number=true, hive_partitioning=false)"
        )
    except (duckdb.InvalidInputException, duckdb.IOException, duckdb.BinderException) as fault:
        raise unsound_parquet(source.path) from fault
