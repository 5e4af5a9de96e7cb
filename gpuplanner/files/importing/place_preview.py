"""The preview of a table of users or sites: its columns, the fields that they are read as, and how its rows end."""

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import Cancelled, PlannerError
from gpuplanner.files.importing.first_row import FieldReading
from gpuplanner.files.importing.log_preview import ROWS_SHOWN, ColumnSample, LogPreview
from gpuplanner.files.importing.recognise import recognise_source
from gpuplanner.files.lists.place_tables import SITES, USERS, read_places
from gpuplanner.files.sources.source import Source, sources_of
from gpuplanner.files.tables.column_mapping import ColumnMapping, constant_of, mapping_text, unique_headings
from gpuplanner.files.tables.delimited import header_columns, headings_written
from gpuplanner.files.tables.small_table import TableKind
from gpuplanner.lazy_dataclass import replace

KINDS: Final = {kind.kind: kind for kind in (USERS, SITES)}
TITLES: Final = {"users": worded("table of users"), "sites": worded("table of sites")}
_SAMPLES: Final = 5


def preview_places(
    path: str,
    kind: str,
    mapping: ColumnMapping | None = None,
    *,
    is_cancelled: Callable[[], bool] | None = None,
) -> LogPreview:
    """Return how a file of users or sites is read. kind: users or sites. mapping: instead of as proposed.

    Errors: PlannerError file_missing, file_unreadable, truncated_file; Cancelled.
    """
    with sources_of(path) as sources:
        if is_cancelled is not None and is_cancelled():
            raise Cancelled
        source = next((source for source in sources if recognise_source(source).kind == kind), sources[0])
        return _preview(source, KINDS[kind], mapping)


def _preview(source: Source, kind: TableKind[Any], mapping: ColumnMapping | None) -> LogPreview:
    """Return the preview of one table; a lacking column is shown, not raised."""
    recognised = recognise_source(source)
    shown = LogPreview(
        path=source.path,
        kind=kind.kind,
        format=recognised.format,
        title=TITLES[kind.kind],
        why=recognised.why if mapping is None else worded("columns are mapped"),
        is_mapped=True,
    )
    try:
        file = read_places(source, kind, mapping_text(mapping) if mapping is not None else None).intake
        counts = (
            file.rows_read,
            file.rows_accepted,
            file.rows_rejected,
            file.rows_duplicate,
            file.rows_ignored,
        )
        shown = replace(shown, counts=counts, issues=file.issues, rejected=file.rejected)
    except PlannerError as fault:
        if fault.code not in ("missing_column", "usage"):
            raise
        shown = replace(shown, missing=(fault.what,))
    headings = unique_headings(headings_written(source.head))
    with source.rows(header_columns(source.head).delimiter) as opened:
        rows = [(line, tuple(cells)) for line, cells in islice(opened, 1, 1 + ROWS_SHOWN)]
    own = mapping or _proposed(source, kind, headings)
    texts = [cells for _, cells in rows]
    return replace(
        shown,
        columns=tuple(_sample(heading, place, texts) for place, heading in enumerate(headings)),
        rows=tuple(rows),
        fields=tuple(_reading(field, kind, own, headings, texts) for field in kind.fields),
        mapping=own,
    )


def _proposed(source: Source, kind: TableKind[Any], headings: Sequence[str]) -> ColumnMapping:
    """Return the mapping of a file by the names of its columns."""
    names = kind.names_in(source, ColumnMapping({}))
    fields = {name: heading for name, heading in zip(names, headings, strict=False) if name in kind.fields}
    return ColumnMapping(fields)


def _sample(heading: str, place: int, rows: Sequence[Sequence[str]]) -> ColumnSample:
    """Return a column with its first different texts."""
    texts = dict.fromkeys(cells[place] for cells in rows if place < len(cells) and cells[place].strip())
    return ColumnSample(heading, tuple(texts)[:_SAMPLES])


def _reading(
    field: str,
    kind: TableKind[Any],
    mapping: ColumnMapping,
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
) -> FieldReading:
    """Return the column of a field, and its first text."""
    column = mapping.columns.get(field)
    place = headings.index(column) if column in headings else len(headings)
    text = rows[0][place] if rows and place < len(rows[0]) else constant_of(column or "") or ""
    return FieldReading(
        field=field,
        is_required=(field,) in kind.needed,
        column=column,
        unit="",
        units=(),
        first_text=text,
        read_as=text,
        confidence=1.0 if column else 0.0,
        why=worded("no column matches") if column is None else worded("matching name"),
    )
