"""Kinds of small tables, declared once, and files of one kind read one after the other."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Generic, TypeVar

from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.intake import Facts, FileIntake
from gpuplanner.files.sources.issue_texts import refused_file
from gpuplanner.files.sources.json_values import begins_json
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.tables.column_mapping import unknown_columns
from gpuplanner.files.tables.delimited import header_columns, no_column
from gpuplanner.files.tables.small_table import Row, TableRead, collect_rows, rows_below

# --- Files of one kind of table, one after the other: a file of no use is refused and the others go on; no value twice

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class TablesRead(Generic[Value]):
    """values: by file, those that no file before has; the intake of the files, and why some were refused."""

    by_file: tuple[tuple[Value, ...], ...] = ()
    intake: tuple[FileIntake, ...] = ()
    refused: tuple[PlannerError, ...] = ()

    @property
    def values(self) -> tuple[Value, ...]:
        """All of them in the order of files and rows."""
        return tuple(value for values in self.by_file for value in values)

    def or_refused(self) -> "TablesRead[Value]":
        """Itself. Errors: PlannerError of the first file that was refused."""
        if self.refused:
            raise self.refused[0]
        return self


def read_files(
    paths: Sequence[str],
    read: Callable[[str, Source], TableRead[Value]],
    key: Callable[[Value], object],
    refused_as: Callable[[Source, PlannerError], FileIntake],
    refusing: Collection[str] = ("missing_column",),
) -> TablesRead[Value]:
    """Every file, and each one that is packed in one. read: takes the path as given and a file of it.

    key: what makes a value one; of two, also in two files, the first is kept. refused_as: the intake of a file that
    is refused for a fault, which `refusing` names by code.
    Errors: PlannerError file_missing, file_unreadable, truncated_file, and any other fault.
    """
    reads: list[TableRead[Value]] = []
    refused: list[PlannerError] = []
    for path in paths:
        with sources_of(path) as sources:
            for source in sources:
                try:
                    reads.append(read(path, source))
                except PlannerError as fault:
                    if fault.code not in refusing:
                        raise
                    refused.append(fault)
                    reads.append(TableRead((), refused_as(source, fault)))
    found: dict[object, Value] = {}
    new = [_new_of(one, found, key) for one in reads]
    return TablesRead(tuple(values for values, _ in new), tuple(intake for _, intake in new), tuple(refused))


def _new_of(
    read: TableRead[Value], found: dict[object, Value], key: Callable[[Value], object]
) -> tuple[tuple[Value, ...], FileIntake]:
    """The values that were not found before; a row none of whose values is new is a duplicate."""
    ends: dict[int, bool] = {}
    new_values = []
    for at, value in enumerate(read.values):
        row = read.rows[at] if read.rows else at
        is_new = found.setdefault(key(value), value) is value
        ends[row] = ends.get(row, False) or is_new
        if is_new:
            new_values.append(value)
    again = sum(not has_new for has_new in ends.values())
    intake = replace(
        read.intake,
        rows_accepted=read.intake.rows_accepted - again,
        rows_duplicate=read.intake.rows_duplicate + again,
    )
    return tuple(new_values), intake


# --- Kinds of small tables, declared once: columns, which it needs, how a row becomes a value; one way to read them

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
