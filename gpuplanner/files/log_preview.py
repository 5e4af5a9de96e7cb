"""Preview: what a job log was recognised as, which column is which field, and how its rows would end."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gpuplanner.domain.model.intake import Issue, RejectedRow
from gpuplanner.files.engine import Progress
from gpuplanner.files.job_logs.mapping import ColumnMapping


@dataclass(frozen=True, slots=True)
class ColumnSample:
    """One column of a file. heading: as in the file, `column 3` where it has no header; samples: first texts."""

    heading: str
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FieldReading:
    """One of our fields and where it comes from.

    field: as --map takes it; column: a heading, None where the file has none for it; unit: one of `units`, empty
    where none applies; first_text: as the first row has it; read_as: what that means; confidence 0..1; why: words;
    note: a warning, or empty.
    """

    field: str
    is_required: bool
    column: str | None
    unit: str
    units: tuple[str, ...]
    first_text: str
    read_as: str
    confidence: float
    why: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class LogPreview:
    """What a log would give.

    is_mapped: read through `mapping`, which may be changed; else the dialect knows its columns. missing: why it
    cannot be read yet, in words. rows: the first raw records with their numbers. counts: rows read, accepted,
    rejected, duplicate, ignored; of the first rows alone where is_sample. naive_sample: a time of the file without a
    zone and the UTC instant it means.
    """

    path: str
    kind: str
    format: str
    title: str
    why: str
    details: tuple[str, ...]
    is_mapped: bool
    columns: tuple[ColumnSample, ...]
    fields: tuple[FieldReading, ...]
    mapping: ColumnMapping | None
    missing: tuple[str, ...]
    rows: tuple[tuple[int, tuple[str, ...]], ...]
    counts: tuple[int, int, int, int, int]
    is_sample: bool
    issues: tuple[Issue, ...]
    rejected: tuple[RejectedRow, ...]
    naive_sample: tuple[str, str] | None


def preview_log(
    path: str,
    *,
    format: str | None = None,
    mapping: ColumnMapping | str | None = None,
    timezone: str | None = None,
    rows_at_most: int | None = 20_000,
    on_progress: Progress | None = None,
    is_cancelled: Callable[[], bool] | None = None,
) -> LogPreview:
    """What a job log is, how its columns are read, and how its rows end; of the first rows, or of all (None).

    Errors: PlannerError file_missing, file_unreadable, truncated_file, usage; Cancelled.
    """
    raise NotImplementedError


def header_key(columns: Sequence[str]) -> str:
    """A stable text of a table's headings, under which its mapping is remembered."""
    return "\x1f".join(column.strip().casefold() for column in columns)
