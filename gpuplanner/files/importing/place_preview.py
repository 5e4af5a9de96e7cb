"""Preview of a table of users, sites or network times: which column is which field, and how its rows end."""

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from gpuplanner.domain.figures.typed import significant, worded_whole
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.first_row import ROWS_READ, FieldReading
from gpuplanner.files.importing.log_preview import ROWS_SHOWN, ColumnSample, LogPreview
from gpuplanner.files.importing.table_preview import with_counts
from gpuplanner.files.lists.place_tables import PLACE_KINDS, read_places
from gpuplanner.files.sources.issue_texts import kind_words
from gpuplanner.files.sources.source import PARQUET, Source, sources_of
from gpuplanner.files.tables import column_mapping
from gpuplanner.files.tables.delimited import header_columns, headings_written
from gpuplanner.files.tables.recipe import Recipe, TableStep
from gpuplanner.files.tables.recipe_file import with_recipe
from gpuplanner.files.tables.small_table import TableKind
from gpuplanner.lazy_dataclass import replace

KINDS: Final[Mapping[str, TableKind[Any]]] = {kind.kind: kind for kind in PLACE_KINDS}
_SAMPLES: Final = 5


def preview_places(
    path: str,
    kind: str,
    mapping: column_mapping.ColumnMapping | None = None,
    steps: tuple[TableStep, ...] = (),
) -> LogPreview:
    """How a file of a kind of places is read, and what comes of all its rows. kind: of KINDS.

    mapping: what is read otherwise than by the names of columns; steps: of its recipe, before it. Errors: PlannerError
    file_missing, file_unreadable, missing_column.
    """
    with sources_of(path) as sources:
        source = with_recipe(sources[0], Recipe(kind=kind, steps=steps)).source
        return _preview(source, KINDS[kind], mapping)


def _preview(
    source: Source, kind: TableKind[Any], mapping: column_mapping.ColumnMapping | None
) -> LogPreview:
    """Reads the whole table, then its first rows beside the fields. A lacking column is told, not raised."""
    own = mapping or column_mapping.ColumnMapping({})
    is_said = bool(own.columns or own.not_needed)
    shown = LogPreview(
        path=source.path,
        kind=kind.kind,
        format=kind.format,
        title=kind_words(kind.kind),
        why=worded("columns are mapped") if is_said else worded("its columns were matched by name"),
    )
    values: Mapping[int, Any] = {}
    try:
        read = read_places(source, kind, column_mapping.mapping_text(own) if is_said else None)
        values = dict(zip(reversed(read.rows), reversed(read.values), strict=False))
        shown = replace(with_counts(shown, read.intake), line=_line(kind, read.values))
    except PlannerError as fault:
        if fault.code not in ("missing_column", "usage"):
            raise
        shown = replace(shown, missing=(fault.what,))
    if source.kind == PARQUET or kind.told_by is not None:
        return shown
    try:
        names = kind.names_in(source, own)
    except PlannerError:
        names = tuple(kind.names_of(header_columns(source.head).columns))
    headings = headings_written(source.head)
    with source.rows(header_columns(source.head).delimiter) as opened:
        filled = ((line, tuple(cells)) for line, cells in opened if any(map(str.strip, cells)))
        rows = tuple(islice(filled, 1, ROWS_SHOWN + 1))
    column_of = {name: heading for name, heading in zip(names, headings, strict=False) if name in kind.fields}
    column_of |= {
        name: column for name, column in own.columns.items() if column_mapping.constant_of(column) is not None
    }
    return replace(
        shown,
        is_mapped=True,
        columns=tuple(_sample(heading, place, rows) for place, heading in enumerate(headings)),
        rows=rows,
        fields=tuple(_reading(field, kind, column_of, headings, rows, values) for field in kind.fields),
        mapping=column_mapping.ColumnMapping(column_of, {}, own.not_needed),
    )


def _sample(heading: str, place: int, rows: Sequence[tuple[int, Sequence[str]]]) -> ColumnSample:
    """A column by its heading and its first texts."""
    texts = (cells[place] for _, cells in rows if place < len(cells) and cells[place].strip())
    return ColumnSample(heading or f"column {place + 1}", tuple(dict.fromkeys(texts))[:_SAMPLES])


def _reading(
    field: str,
    kind: TableKind[Any],
    column_of: Mapping[str, str],
    headings: Sequence[str],
    rows: Sequence[tuple[int, Sequence[str]]],
    values: Mapping[int, Any],
) -> FieldReading:
    """What one field is in the first rows. values: by line."""
    column = column_of.get(field)
    group = next((group for group in kind.needed if field in group), ())
    is_needed = bool(group) and group[0] == field and column_of.keys().isdisjoint(group)
    place = headings.index(column) if column in headings else None
    texts = [
        cells[place] if place is not None and place < len(cells) else "" for _, cells in rows[:ROWS_READ]
    ]
    read: list[Text] = [
        _read_as(field, text, values.get(line)) for (line, _), text in zip(rows, texts, strict=False)
    ]
    return FieldReading(
        field=field,
        is_required=is_needed or (field in group and column is not None),
        column=column,
        unit="",
        units=(),
        first_text=texts[0] if texts else "",
        read_as=read[0] if read and column is not None else "",
        confidence=1.0 if column is not None else 0.0,
        why=worded("it was chosen") if column is not None else worded("no column matches"),
        below=tuple(read[1:]),
    )


def _read_as(field: str, text: str, value: Any) -> Text:
    """What the text of a row became; the text itself where the value does not keep the field."""
    if value is None or not text.strip():
        return ""
    kept = getattr(value, field, text)
    return "" if kept is None else str(kept)


_COUNTED: Final[Mapping[str, Callable[[int], Message]]] = {
    "users": lambda count: worded_whole(count, "{count} city", "{count} cities"),
    "sites": lambda count: worded_whole(count, "{count} site", "{count} sites"),
    "measured": lambda count: worded_whole(count, "{count} measurement", "{count} measurements"),
    "residency": lambda count: worded_whole(count, "{count} country", "{count} countries"),
}


def _line(kind: TableKind[Any], values: Sequence[Any]) -> Message:
    """What the file holds, in a line."""
    parts = [_COUNTED[kind.kind](len(values))]
    if kind.kind == "users":
        users = sum(city.users for city in values)
        parts.append(worded("{users} users", users=significant(users, 9)))
    return joined(parts, ", ")
