"""Lists of what is one though it has two names: CSV with the columns kind, theirs, ours."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.intake import FileIntake
from gpuplanner.domain.model.same import SameKind, StatedSame
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.row_ends import TableRead
from gpuplanner.files.tables.small_table import Row, RowError
from gpuplanner.files.tables.table_files import read_files
from gpuplanner.files.tables.table_kind import TableKind, one_value

KIND: Final = "same"


@dataclass(frozen=True, slots=True)
class SameRead:
    """Decisions in the order of files and rows, and the intake of the files."""

    said: tuple[StatedSame, ...] = ()
    intake: tuple[FileIntake, ...] = ()


def import_same(paths: Sequence[str]) -> SameRead:
    """Read lists. Errors: PlannerError file_missing, file_unreadable, missing_column, usage (a row of no use)."""
    read = read_files(paths, lambda _, source: _read_list(source), repr, SAME.refused, refusing=())
    return SameRead(read.values, read.intake)


def _read_list(source: Source) -> TableRead[StatedSame]:
    """What is one decides every figure: all of a list is taken, or nothing."""
    read = SAME.read(source)
    if read.intake.rejected:
        row = read.intake.rejected[0]
        where = f"--same {source.path}:{row.row}"
        raise PlannerError(where, "usage", row.message, worded("mend the row, or leave it out"))
    at = (f"{source.path}:{line}" for line in read.rows)
    said = tuple(replace(one, where=where) for one, where in zip(read.values, at, strict=True))
    return replace(read, values=said)


def _read_row(row: Row) -> StatedSame:
    """A row as a stated equality of two names; only a cluster may have no name on their side."""
    kind = (row.text("kind") or "").lower()
    if kind and kind not in set(SameKind):
        what = worded("kind is {kind}, not one of {names}", kind=repr(kind), names=", ".join(SameKind))
        raise RowError("unknown_value", what)
    theirs = row.text("theirs") or ""
    if not theirs and kind != SameKind.CLUSTER:
        row.required("theirs")
    return StatedSame(SameKind(kind) if kind else None, theirs, row.required("ours"))


SAME: Final = TableKind(
    KIND,
    KIND,
    ("kind", "theirs", "ours"),
    (("theirs",), ("ours",)),
    one_value(_read_row),
    repr,
)
