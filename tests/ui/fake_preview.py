"""A previewer's stand-in for one table, read by whatever mapping is asked for; other files are really previewed."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from gpuplanner.app.importing.file_previews import preview_of
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.first_row import FieldReading, NaiveTime
from gpuplanner.files.importing.log_choices import LogChoice
from gpuplanner.files.importing.log_preview import ColumnSample, LogPreview
from gpuplanner.files.tables.column_mapping import ColumnMapping

HEADINGS = ("task", "cards", "begun", "took")
ROWS = ((2, ("a", "8", "2026-07-01T00:00:00", "3600")), (3, ("b", "x", "2026-07-01T02:00:00", "60")))
PROPOSED = ColumnMapping({"start": "begun", "job_id": "task"}, {})
REQUIRED = ("gpus", "start", "end")


def reading(field: str, mapping: ColumnMapping, zone: str | None) -> FieldReading:
    column = mapping.columns.get(field)
    first = ROWS[0][1][HEADINGS.index(column)] if column in HEADINGS else ""
    units = {"start": ("iso", "epoch_s"), "gpus": ("gpu", "milli"), "duration": ("s", "min")}.get(field, ())
    unit = mapping.units.get(field, units[0] if units and column else "")
    return FieldReading(
        field=field,
        is_required=field in REQUIRED[:2],
        column=column,
        unit=unit,
        units=units,
        first_text=first,
        read_as=f"{first} {unit}".strip(),
        confidence=0.8,
        why="named so",
    )


def previewed(path: str, choice: LogChoice) -> LogPreview:
    """What the reader would say of the table."""
    if choice.format not in (None, "mapped"):
        raise PlannerError(path, "missing_column", "no column JobID", "map the columns")
    mapping = choice.mapping or PROPOSED
    missing = tuple(f"{name} is not mapped" for name in mapping.lacking)
    fields = ("job_id", "gpus", "start", "end", "duration", "name")
    counts = (0, 0, 0, 0, 0) if missing else (2, 1, 1, 0, 0)
    return LogPreview(
        path=path,
        kind="jobs",
        format="mapped",
        title="table of jobs",
        why="its columns were matched by name",
        details=("comma separated", "UTF-8"),
        is_mapped=True,
        columns=tuple(
            ColumnSample(name, tuple(cells[at] for _, cells in ROWS)) for at, name in enumerate(HEADINGS)
        ),
        fields=tuple(reading(field, mapping, choice.timezone) for field in fields),
        mapping=mapping,
        missing=missing,
        rows=ROWS,
        counts=counts,
        is_sample=True,
        issues=(),
        rejected=(),
        naive_sample=NaiveTime(text="2026-07-01T00:00:00", unit="iso"),
    )


class FakePreview:
    """Counts what it was asked for; `gate` may hold an answer back."""

    def __init__(self, gate: Callable[[], None] | None = None) -> None:
        self.asked: list[tuple[str, LogChoice]] = []
        self._gate = gate

    def __call__(
        self, path: str, kind: str, choice: LogChoice, on_progress: Any, is_cancelled: Any
    ) -> LogPreview:
        self.asked.append((path, choice))
        if self._gate is not None:
            self._gate()
        if Path(path).read_bytes().startswith(b"task,"):
            return previewed(path, choice)
        return preview_of(path, kind, choice, on_progress, is_cancelled)
