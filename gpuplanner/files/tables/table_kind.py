"""Kinds of small tables, declared once: columns, which it needs, how a row becomes a value; one way to read them."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import Facts, FileIntake
from gpuplanner.files.sources.json_values import begins_json
from gpuplanner.files.sources.refused_file import refused_file
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.headers import header_columns, no_column
from gpuplanner.files.tables.row_ends import TableRead, collect_rows
from gpuplanner.files.tables.small_table import Row, rows_below
from gpuplanner.files.tables.table_files import TablesRead, read_files
from gpuplanner.files.tables.table_mapping import unknown_columns

Value = TypeVar("Value")

ReadRow = Callable[[Row], Sequence[Value]]
"""The values of a row, mostly one. Errors: RowError, RowLeftOutError, PlannerError: see `collect_rows`."""

Rows = Iterator[tuple[int, Row, str]]
"""Rows as (line, fields, raw text): see `collect_rows`."""


def one_value(read_row: Callable[[Row], Value]) -> Callable[[], ReadRow[Value]]:
    """The reader of a kind whose rows hold one value each and are read without regard to others."""
    return lambda: lambda row: (read_row(row),)


def by_its_names(columns: Sequence[str]) -> Sequence[str]:
    """Columns that are called as they stand."""
    return columns


NO_FACTS: Final[Facts] = ()


@dataclass(frozen=True, slots=True)
class TableKind(Generic[Value]):
    """One kind of table.

    kind, format: as the intake names them; columns: those that are documented; needed: groups of names of which one
    each must be there; reader: how a row is read, made anew for each file; key: what makes a row one, of two alike
    the first is kept; why: why a file is taken for one.
    names_of: our names of a header's columns; rows: the rows below a header under these names, of a time zone;
    tells: whether columns with all that is needed are surely of this kind; sureness: how sure it is then.
    told_by: how sure it is of a beginning, 0..1, where no header tells; then its rows are opened without one.
    facts: what the values of a file are, for `check`; tells_unread: whether columns that nobody knows are said.
    """

    kind: str
    format: str
    columns: tuple[str, ...]
    needed: tuple[tuple[str, ...], ...]
    reader: Callable[[], ReadRow[Value]]
    key: Callable[[Value], object]
    why: Message = NO_WORDS
    names_of: Callable[[Sequence[str]], Sequence[str]] = by_its_names
    rows: Callable[[Source, Sequence[str], str | None], Rows] = rows_below
    tells: Callable[[frozenset[str]], bool] = lambda names: True
    sureness: float = 0.97
    told_by: Callable[[str], float] | None = None
    facts: Callable[[Sequence[Value]], Facts] = lambda values: NO_FACTS
    tells_unread: bool = False

    def sniff(self, head: str) -> float:
        """How sure it is that a text begins such a table, 0..1.

        JSON is none unless the kind says by itself how it is told.
        """
        if self.told_by is not None:
            return self.told_by(head)
        if begins_json(head):
            return 0.0
        names = frozenset(self.names_of(header_columns(head)[1]))
        return self.sureness if not self.lacks(names) and self.tells(names) else 0.0

    def lacks(self, names: Sequence[str] | frozenset[str]) -> list[str]:
        """What is needed and not there.

        names: of columns, as this kind calls them. Each group of needed columns is met by any one of it.
        """
        return [" or ".join(group) for group in self.needed if set(group).isdisjoint(names)]

    def read(self, source: Source, timezone: str | None = None) -> TableRead[Value]:
        """The values of one file, in its order. timezone: of times without a zone (None: UTC).

        Errors: PlannerError missing_column, file_unreadable.
        """
        if self.told_by is not None:
            return self.collect(source, self.rows(source, (), timezone), self.reader())
        columns = header_columns(source.head)[1]
        names = self.names_of(columns)
        missing = self.lacks(names)
        if missing:
            raise no_column(
                source.path, missing, worded("write a header of {names}", names=",".join(self.columns))
            )
        read = self.collect(source, self.rows(source, names, timezone), self.reader())
        unread = [name for name in columns if name and name not in self.columns] if self.tells_unread else ()
        issues = unknown_columns(unread, read.intake.rows_read, _header_row(source.head))
        return read.with_issues(issues)

    def collect(self, source: Source, rows: Rows, read_row: ReadRow[Value]) -> TableRead[Value]:
        """Rows that were opened in another way, judged as of this kind, with its facts.

        A value whose key came before is a duplicate.
        """
        read = collect_rows(
            source, self.kind, self.format, rows, read_row, lambda value: repr(self.key(value))
        )
        return replace(read, intake=replace(read.intake, facts=self.facts(read.values)))

    def read_files(self, paths: Sequence[str], timezone: str | None = None) -> TablesRead[Value]:
        """The values of some files, one of each key. Errors: as `table_files.read_files`."""
        return read_files(paths, lambda _, source: self.read(source, timezone), self.key, self.refused)

    def describe(self, source: Source) -> FileIntake:
        """What `check` says of a file of this kind.

        A file that cannot be read is described too: as refused, with the reason.
        """
        try:
            return self.read(source).intake
        except PlannerError as fault:
            return self.refused(source, fault)

    def refused(self, source: Source, fault: PlannerError) -> FileIntake:
        """The intake of a file that cannot be read as this kind."""
        return refused_file(source, fault, self.kind, self.format)


def _header_row(head: str) -> int:
    """The line of the header, from 1: the first that is not blank."""
    return next((line for line, text in enumerate(head.splitlines(), 1) if text.strip()), 1)
