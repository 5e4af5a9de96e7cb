"""Slurm's sacct as text: `-P` and `-p` with a header or without, and fixed width; steps and arrays."""

import shlex
from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.figures.typed import significant
from gpuplanner.domain.message import worded, worded_both
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Issue
from gpuplanner.files.job_logs.dialects.slurm import sacct_layout, slurm_fields
from gpuplanner.files.job_logs.dialects.slurm.sacct_fixed_width import (
    columns_by_place,
    columns_of,
    columns_of_all,
    fixed_rows,
    has_heading,
)
from gpuplanner.files.job_logs.judging.dialect import Dialect, JobTable
from gpuplanner.files.job_logs.judging.tres_names import tres_in
from gpuplanner.files.sources.issue_texts import RaggedLines
from gpuplanner.files.sources.raw_table import RawTable, load_raw, load_records
from gpuplanner.files.sources.source import PARQUET, TEXT, Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.lazy_dataclass import dataclass, replace

FORMAT: Final = "sacct"

_NO_USE: Final = 0.6
"""How sure it is of a header of Slurm's words in which jobs lack times or GPUs: a trace may use them for its own."""


def sniff(head: str) -> float:
    """How sure it is that a text begins an export of sacct, 0..1."""
    if columns_of(head):
        return 0.95
    if (header := sacct_layout.find_header(head)) is not None:
        return _NO_USE if slurm_fields.missing_columns(header.columns) else 0.95
    layout = _layout(head)
    if layout is None:
        return 0.85 if columns_by_place(head) else 0.0
    return 0.9 if {"Start", "End"} <= set(layout) else 0.6


def rows(source: Source, engine: Engine, table: str) -> JobTable:
    """The records of an export and where each field stands. Steps are ignored.

    Errors: PlannerError missing_column where no time or GPU can be told, not_a_job_log where it is no such export.
    """
    if columns_of(source.head):
        return fixed_rows(source, engine, table)
    header = sacct_layout.find_header(source.head)
    if header is not None:
        return delimited_rows(source, engine, table, header.columns, header.delimiter, header.line)
    columns = _layout(source.head) or ()
    if not columns and (by_place := columns_of_all(source)):
        found = fixed_rows(source, engine, table, by_place)
        if has_heading(source.head):
            return found
        return replace(found, issues=(*found.issues, _guessed([column.name for column in by_place], "")))
    if not columns:
        raise PlannerError(source.path, "not_a_job_log", worded("not lines of sacct"), slurm_fields.ASK_SLURM)
    found = delimited_rows(source, engine, table, columns, sacct_layout.delimiter_of(source.head), 0)
    if tuple(filter(None, columns)) in sacct_layout.KNOWN_LAYOUTS:
        return found
    asked = _asked(source.head, columns)
    words = _mapping_words(columns, columns.index("AllocTRES") if "AllocTRES" in columns else None)
    return replace(found, issues=(*found.issues, _guessed(columns, words), *filter(None, (asked,))))


def _guessed(columns: Sequence[str], words: str) -> Issue:
    """What was told of columns by their values alone is said.

    words: of --map, which says the same to be changed; empty where none does.
    """
    taken = ", ".join(
        f"{place} as {name}" for place, name in enumerate(columns, 1) if name and " " not in name
    )
    what = f"it has no header: by their values columns were taken, {taken}"
    if not words:  # of columns by place, which no mapping reads
        return Issue("undecided", 1, None, worded("{problem}; if wrong, export its header", problem=what))
    message = worded_both(
        "{problem}; if wrong, export its header, or use --map {words}",
        "{problem}; if wrong, export its header, or map its columns",
        problem=what,
        words=shlex.quote(words),
    )
    return Issue("undecided", 1, None, message)


def _asked(head: str, columns: Sequence[str]) -> Issue | None:
    """The question which column has the GPUs, where two of them say otherwise; None where they agree."""
    sums = sacct_layout.other_gpu_columns(_records(head), columns)
    read = columns.index("AllocTRES") if "AllocTRES" in columns else None
    other = next((place for place in sums if place != read), None)
    if read is None or other is None:
        return None
    words = _mapping_words(columns, other)
    return Issue(
        "undecided",
        1,
        None,
        worded_both(
            "columns {read} and {other} both list GPUs, {here} and {there} in the first lines. Column {read} "
            "is read; for the other, use --map {words}",
            "columns {read} and {other} both list GPUs, {here} and {there} in the first lines. Column {read} "
            "is read; for the other, map gpus to column {other}",
            read=str(read + 1),
            other=str(other + 1),
            here=significant(sums.get(read, 0.0)),
            there=significant(sums[other]),
            words=shlex.quote(words),
        ),
    )


def _mapping_words(columns: Sequence[str], gpus: int | None) -> str:
    """The whole mapping of columns that were told by their values. gpus: the place of the column with the GPUs."""
    items = [f"{_FIELDS[name]}=column {place}" for place, name in enumerate(columns, 1) if name in _FIELDS]
    return ",".join([*items, *([] if gpus is None else [f"gpus=column {gpus + 1}:slurm"])])


_FIELDS: Final = {"JobID": "job_id", "JobName": "name", "State": "state", "Start": "start", "End": "end"}
"""Slurm's name of what is told of columns -> the field that --map takes."""


def delimited_rows(
    source: Source, engine: Engine, table: str, columns: Sequence[str], delimiter: str, header_line: int
) -> JobTable:
    """Records whose fields are parted by a delimiter. header_line: 0 where there is none. Errors: as rows."""
    ends_with_delimiter = columns[-1] == ""
    columns = tuple(columns[:-1] if ends_with_delimiter else columns)
    slurm_fields.check_columns(f"{source.path}:{header_line}" if header_line else source.path, columns)
    is_quoted = delimiter in (",", ";", "\t")
    look = _Look(has_strays=True, has_zero_times=None)
    if header_line <= 1:
        raw = load_raw(
            engine,
            source,
            table,
            columns,
            delimiter=delimiter,
            is_quoted=is_quoted,
            has_header=bool(header_line),
            ends_with_delimiter=ends_with_delimiter,
            put_together=sacct_layout.free_texts_together(columns, delimiter),
        )
        look = _look(engine, raw, source, header_line)
    is_bare = delimiter == "," and source.kind == TEXT and not source.has_quotes  # so its lists are cut apart
    if look.has_strays or is_bare:
        _drop(engine, table)
        ragged = RaggedLines()
        with source.rows(delimiter, is_quoted=is_quoted) as records:
            in_order = sacct_layout.ordered(
                records,
                columns,
                delimiter,
                ragged=ragged,
                header_line=header_line,
                ends_with_delimiter=ends_with_delimiter,
            )
            raw = load_records(engine, source, table, columns, in_order, delimiter=delimiter, ragged=ragged)
        look = _Look(has_strays=True, has_zero_times=None)
    found = slurm_fields.slurm_table(
        engine, raw, has_strays=look.has_strays, has_zero_times=look.has_zero_times, tres=tres_in(source.head)
    )
    comment = raw.column("AdminComment")
    if comment is None:
        return slurm_fields.with_batch_activity(engine, found)
    return slurm_fields.with_activity(engine, source, found, comment)


@dataclass(frozen=True, slots=True)
class _Look:
    """has_strays: there are lines that are no records, or records on several lines."""

    has_strays: bool
    has_zero_times: bool | None


def _look(engine: Engine, raw: RawTable, source: Source, header_line: int) -> _Look:
    """One look at all records: every id begins with a digit, and every line is one."""
    job_id = raw.column("JobID") or raw.column("JobIDRaw")
    count, strays, zero_times = engine.one(
        f"select count(*), count(*) filter (where {job_id} is null or {job_id} < '0' or {job_id} >= ':'), "
        f'count(*) filter (where {slurm_fields.zero_times_sql(slurm_fields.time_columns(raw))}) from "{raw.name}"'
    )
    is_uneven = source.kind == TEXT and count != source.lines - header_line
    return _Look(source.kind != PARQUET and (bool(strays) or is_uneven), bool(zero_times))


def _drop(engine: Engine, name: str) -> None:
    """Drops the table or view of this name and all whose names begin with it."""
    for kind, found in engine.all(
        "select case when table_type = 'VIEW' then 'view' else 'table' end, table_name from information_schema.tables "
        "where starts_with(table_name, ?) order by 1 desc",
        [name],
    ):
        engine.run(f'drop {kind} "{found}"')


def _layout(head: str) -> tuple[str, ...] | None:
    """The columns of an export without header, by what its first lines hold; None where that does not tell."""
    records = _records(head)
    return sacct_layout.guess_layout(records) if records else None


def _records(head: str) -> list[list[str]]:
    """The first lines of an export without a header, split."""
    delimiter = sacct_layout.delimiter_of(head)
    return [line.split(delimiter) for line in head.splitlines() if line.strip()]


DIALECT: Final = Dialect(format=FORMAT, title=worded("Slurm sacct export"), sniff=sniff, rows=rows)
