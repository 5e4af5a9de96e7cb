"""Mapping of a file in an import: changed by column, proposed, remembered by its header, and forgotten."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from gpuplanner.app.settings import Settings
from gpuplanner.domain.message import NO_WORDS, Message
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.table_preview import parse_mapping_of
from gpuplanner.files.tables import column_mapping, known_shapes
from gpuplanner.files.tables.recipe import Recipe, TableStep
from gpuplanner.files.tables.recipe_file import recipe_json, recipe_of
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.importing import import_state
from gpuplanner.ui.importing.format_page import MAPPED

NOTHING_MAPPED = column_mapping.ColumnMapping({}, {})


def with_column(
    mapping: column_mapping.ColumnMapping, field: str, heading: str, kind: str, samples: Sequence[str]
) -> column_mapping.ColumnMapping:
    """A field read from another column, or with an empty heading from none; its unit is what the column suggests."""
    columns = {name: column for name, column in mapping.columns.items() if name != field}
    units = {name: unit for name, unit in mapping.units.items() if name != field}
    if heading:
        columns[field] = heading
        if kind == "jobs" and (unit := import_state.likely_unit(field, heading, samples)):
            units[field] = unit
    left = tuple(name for name in mapping.not_needed if name.casefold() != heading.casefold())
    return column_mapping.ColumnMapping(columns, units, left)


def with_field(
    mapping: column_mapping.ColumnMapping, heading: str, field: str, kind: str, samples: Sequence[str]
) -> column_mapping.ColumnMapping:
    """A column read as another field; empty: not read; NOT_NEEDED: nobody needs it.

    >>> with_field(column_mapping.ColumnMapping({"gpus": "n"}), "n", "name", "prices", ()).columns
    {'name': 'n'}
    """
    columns = {
        name: column for name, column in mapping.columns.items() if column.casefold() != heading.casefold()
    }
    units = {name: unit for name, unit in mapping.units.items() if name in columns}
    left = tuple(name for name in mapping.not_needed if name.casefold() != heading.casefold())
    others = column_mapping.ColumnMapping(columns, units, left)
    if field == column_mapping.NOT_NEEDED:
        return replace(others, not_needed=(*left, heading))
    return with_column(others, field, heading, kind, samples) if field else others


def with_unit(mapping: column_mapping.ColumnMapping, field: str, unit: str) -> column_mapping.ColumnMapping:
    """A field in another unit; empty: as its reader takes it."""
    units = {name: known for name, known in mapping.units.items() if name != field}
    return replace(mapping, units={**units, field: unit} if unit else units)


def adopted(
    file: import_state.ChosenFile, preview: Any, settings: Settings | None
) -> import_state.ChosenFile:
    """The file with the mapping that is remembered for it, else with the one proposed; itself where it needs none.

    What is proposed and not sure waits until the planner agrees.
    """
    if (
        file.choice.mapping is not None
        or file.choice.steps
        or (file.choice.format is not None and not file.needs_mapping)
    ):
        return file
    kinds: tuple[str, ...]
    if file.kind:
        kinds = (file.kind,)
    elif file.is_known:
        kinds = ()
    else:
        kinds = import_state.MAPPABLE
    for kind in kinds if file.is_mappable else ():
        if (known := _remembered(settings, kind, file.header)) is not None:
            table, differs = known
            choice = replace(file.choice, mapping=table.mapping, steps=table.steps, format=None)
            return replace(file, kind=kind, choice=choice, is_remembered=True, differs=differs)
    if file.needs_mapping and preview.is_mapped and not preview.doubts:
        choice = replace(file.choice, mapping=preview.mapping or NOTHING_MAPPED, format=None)
        return replace(file, choice=choice, is_remembered=False, differs=NO_WORDS)
    return file


def remember(
    settings: Settings,
    files: Iterable[import_state.ChosenFile],
    accepted: Collection[str],
    previews: Mapping[str, Any],
) -> None:
    """Keep the mappings of the files that gave something. accepted: their paths; previews: by path, for those whose
    mapping nobody had to give."""
    for file in files:
        mapping = mapping_in_force(file, previews.get(file.path))
        if mapping is not None and file.header and file.path in accepted:
            words = column_mapping.mapping_text(mapping)
            recipe = Recipe(kind=file.kind, steps=file.choice.steps).with_words(words)
            text = json.dumps(recipe_json(recipe)) if file.choice.steps else words
            settings.remember_mapping(_key(file.kind, file.header), text)


def mapping_in_force(file: import_state.ChosenFile, preview: Any) -> column_mapping.ColumnMapping | None:
    """By which a file is read: as chosen, or where nothing was as its content told; None of a format that is known."""
    if file.choice.mapping is not None or preview is None or not preview.is_mapped:
        return file.choice.mapping
    is_told = preview.format == MAPPED and not preview.doubts and not preview.missing
    return preview.mapping if is_told and file.kind in import_state.MAPPABLE else None


def forget(settings: Settings, file: import_state.ChosenFile) -> None:
    """Let tables with the file's header be new again."""
    shape = known_shapes.find_shape(file.header, _known(settings, file.kind))
    settings.forget_mapping(_key(file.kind, shape.header if shape is not None else file.header))


class KnownTable(NamedTuple):
    """How a table was read: its mapping, and the steps before it."""

    mapping: column_mapping.ColumnMapping
    steps: tuple[TableStep, ...] = ()


def _remembered(settings: Settings | None, kind: str, header: str) -> tuple[KnownTable, Message] | None:
    """How a table of this shape was read, and in words what is otherwise now."""
    if settings is None or not header:
        return None
    if (exact := _mapping_of(settings, kind, header)) is not None:
        return exact, NO_WORDS
    shape = known_shapes.find_shape(header, _known(settings, kind))
    found = None if shape is None else _mapping_of(settings, kind, shape.header)
    return None if found is None or shape is None else (found, shape.differs)


def _known(settings: Settings, kind: str) -> dict[str, tuple[str, ...]]:
    """The columns that are read of each table whose mapping is remembered, by its header."""
    headers = [header.removeprefix(kind) for header in settings.mapped_headers if header.startswith(kind)]
    found = {header: _mapping_of(settings, kind, header) for header in headers}
    return {
        header: tuple(table.mapping.columns.values())
        for header, table in found.items()
        if table is not None and not table.steps  # whose headings are of the table after them
    }


def _mapping_of(settings: Settings, kind: str, header: str) -> KnownTable | None:
    """The remembered mapping of a header; None if there is none that can be read."""
    text = settings.mapping(_key(kind, header)) or ""
    try:
        if not text.startswith("{"):
            return KnownTable(parse_mapping_of(kind, text)) if text else None
        recipe = recipe_of(json.loads(text), header)
        return KnownTable(
            parse_mapping_of(kind, recipe.words.removeprefix(column_mapping.DIFFERS)), recipe.table_steps
        )
    except (PlannerError, ValueError):
        return None  # written by another version, or by hand


def _key(kind: str, header: str) -> str:
    """What a mapping is remembered under: kind and header."""
    return kind + header
