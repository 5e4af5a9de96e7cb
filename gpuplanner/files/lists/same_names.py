"""Lists of two names for one object: CSV with the columns kind, theirs, ours."""

from collections.abc import Sequence
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.gpu_family import SameKind, StatedSame
from gpuplanner.domain.model.intake import FileIntake
from gpuplanner.files.sources.source import Source
from gpuplanner.files.tables.small_table import (
    Row,
    RowError,
    TableKind,
    TableRead,
    not_one_of,
    one_value,
    read_files,
)
from gpuplanner.lazy_dataclass import dataclass, replace

SAME_KIND: Final = "same"


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
        raise PlannerError(where, "usage", row.message, worded("correct the row, or remove it"))
    at = (f"{source.path}:{line}" for line in read.rows)
    placed = tuple(replace(value, where=where) for value, where in zip(read.values, at, strict=True))
    return replace(read, values=placed)


def _read_stated_same(row: Row) -> StatedSame:
    """A row as a stated equality of two names; only a cluster may have no name on their side."""
    kind = (row.text("kind") or "").lower()
    if kind and kind not in set(SameKind):
        raise RowError("unknown_value", not_one_of("kind", kind, SameKind))
    theirs = row.text("theirs") or ""
    if not theirs and kind != SameKind.CLUSTER:
        row.required("theirs")
    return StatedSame(SameKind(kind) if kind else None, theirs, row.required("ours"))


SAME: Final = TableKind(
    kind=SAME_KIND,
    format=SAME_KIND,
    columns=("kind", "theirs", "ours"),
    needed=(("theirs",), ("ours",)),
    reader=one_value(_read_stated_same),
    key=repr,
)
