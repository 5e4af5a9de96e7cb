"""Files of one kind of table, one after the other: a file of no use is refused and the others go on; no value twice."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.tables.row_ends import TableRead

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
