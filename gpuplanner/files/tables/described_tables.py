"""Small files that are described and not used yet: every row read as text, what is wrong with it, and what adds up."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

from gpuplanner.domain.model.log.intake import Facts, FileIntake, Issue, RejectedRow
from gpuplanner.domain.model.worded import Worded, worded
from gpuplanner.files.sources.decoding import NOT_UTF_8
from gpuplanner.files.sources.issue_texts import issue_message
from gpuplanner.files.sources.raw_table import RawTable
from gpuplanner.files.sources.row_widths import LONG, SHORT, long_words, named_width, ragged_code
from gpuplanner.files.sources.source import PARQUET, TEXT, Source
from gpuplanner.files.system.engine import Engine
from gpuplanner.files.tables.headers import header_columns
from gpuplanner.files.tables.small_table import REJECTED_ROWS_KEPT

Texts = Mapping[str, str]
"""Text by column, in lower case and without blanks around it."""


@dataclass(slots=True)
class RowNotes:
    """What is said about rows while they are read: rows that cannot be taken, and issues of those that can."""

    rejected: list[RejectedRow] = field(default_factory=list)
    read: int = 0
    refused: int = 0
    _issues: dict[str, tuple[int, int]] = field(default_factory=dict)

    def note(self, code: str, row: int, count: int = 1) -> None:
        """An issue of rows that are taken all the same: how many more, and the first of them."""
        known, first = self._issues.get(code, (0, row))
        self._issues[code] = (known + count, first)

    def reject(self, code: str, row: int, what: Worded, text: str) -> None:
        """A row that cannot be taken. The first of them are kept."""
        self.refused += 1
        self.note(code, row)
        if len(self.rejected) < REJECTED_ROWS_KEPT:
            self.rejected.append(
                RejectedRow(row, code, worded("{what}: {message}", what=what, message=_message(code)), text)
            )

    def note_short(self, engine: Engine, raw: RawTable, judged: str) -> None:
        """Say which records of too few cells were taken. judged: a table of the engine with line and fault."""
        if raw.ragged.short:
            engine.keep("short_lines", {"line": raw.ragged.short.tolist()}, {"line": "bigint"})
            count, first = engine.one(
                f"select count(*), min(line) from {judged} join short_lines using (line) where fault is null"
            )
            if count:
                self.note(SHORT, first, count)

    def reject_unseen(self, code: str, row: int, count: int) -> None:
        """More rows that cannot be taken and are not kept."""
        self.refused += count
        self.note(code, row, count)

    def intake(self, source: Source, kind: str, format_name: str, facts: Facts) -> FileIntake:
        """The file as it was read."""
        if source.encoding == NOT_UTF_8:
            self.note("encoding", 1)
        issues = tuple(
            Issue(code, count, first, _message(code)) for code, (count, first) in sorted(self._issues.items())
        )
        accepted = self.read - self.refused
        return FileIntake(
            source.path,
            kind,
            format_name,
            self.read,
            accepted,
            self.refused,
            0,
            0,
            issues,
            tuple(self.rejected),
            source.sha256,
            facts,
        )


def fault_of_long(engine: Engine, raw: RawTable) -> str:
    """SQL of a case: the fault of records with too many cells, empty where there are none."""
    if not raw.ragged.long:
        return ""
    engine.keep("long_lines", {"line": raw.ragged.long.tolist()}, {"line": "bigint"})
    return f"when line in (select line from long_lines) then '{LONG}'"


@contextmanager
def table_rows(source: Source, notes: RowNotes) -> Iterator[Iterator[tuple[int, Texts]]]:
    """Every row below the header as (line, texts); none of a Parquet file.

    notes: rows are counted there, and those that have more cells than the header are rejected there.
    """
    delimiter, columns = header_columns(source.head)
    if source.kind == PARQUET:
        yield iter(())
        return
    least = named_width(columns) if source.kind == TEXT else 0

    def judged(rows: Iterator[tuple[int, list[str]]]) -> Iterator[tuple[int, Texts]]:
        next(rows, None)
        for line, cells in rows:
            notes.read += 1
            refused, code = notes.refused, ragged_code(cells, len(columns), least)
            if code == LONG:
                notes.reject(code, line, long_words(cells, len(columns)), delimiter.join(cells))
                continue
            padded = (cell.strip() for cell in (*cells, *[""] * (len(columns) - len(cells))))
            yield line, dict(zip(columns, padded, strict=False))
            if code and notes.refused == refused:  # it was taken
                notes.note(code, line)

    with source.rows(delimiter) as rows:
        yield judged(rows)


_OF_TABLES: Final = {
    "bad_number": worded("a number cannot be read, so the row is left out; write it as 8 or 0.5"),
    "before_1980": worded(
        "times that count from the beginning of a trace were read as seconds since 1970-01-01 UTC; nothing to do"
    ),
}
"""What is so and what to do of tables without jobs, where it is not what is said of jobs."""


def _message(code: str) -> Worded:
    return _OF_TABLES.get(code) or issue_message(code)
