"""A file's mapping in an import: changed column by column, proposed, remembered by its header, and forgotten."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

from gpuplanner.app.settings import Settings
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.job_logs.mapping import ColumnMapping, mapping_text, parse_mapping
from gpuplanner.files.log_choice import NONE_GIVEN, LogChoice
from gpuplanner.files.table_preview import parse_table_mapping, table_mapping_text
from gpuplanner.ui.import_state import MAPPABLE, ChosenFile, likely_unit

NOTHING_MAPPED = ColumnMapping({}, {})


def with_column(
    mapping: ColumnMapping, field: str, heading: str, kind: str, samples: Sequence[str]
) -> ColumnMapping:
    """A field read from another column, or with an empty heading from none; its unit is what the column suggests."""
    columns = {name: column for name, column in mapping.columns.items() if name != field}
    units = {name: unit for name, unit in mapping.units.items() if name != field}
    if heading:
        columns[field] = heading
        if kind == "jobs" and (unit := likely_unit(field, heading, samples)):
            units[field] = unit
    return ColumnMapping(columns, units)


def with_unit(mapping: ColumnMapping, field: str, unit: str) -> ColumnMapping:
    """A field in another unit; empty: as its reader takes it."""
    units = {name: known for name, known in mapping.units.items() if name != field}
    return ColumnMapping(mapping.columns, {**units, field: unit} if unit else units)


def adopted(file: ChosenFile, preview: Any, settings: Settings | None) -> ChosenFile:
    """The file with the mapping that is remembered for it, else with the one proposed; itself where it needs none."""
    if not file.kind and not file.is_known and file.choice == NONE_GIVEN:
        for kind in MAPPABLE:
            known = _remembered(settings, kind, file.header)
            if known is not None:
                return replace(file, kind=kind, choice=LogChoice(mapping=known), is_remembered=True)
    elif file.needs_mapping and preview.is_mapped and file.choice.mapping is None:
        known = _remembered(settings, file.kind, file.header)
        mapping = known or preview.mapping or NOTHING_MAPPED
        choice = replace(file.choice, mapping=mapping, format=None)
        return replace(file, choice=choice, is_remembered=known is not None)
    return file


def remember(settings: Settings, files: Iterable[ChosenFile], accepted: Collection[str]) -> None:
    """Keep the mappings of the files that gave something. accepted: their paths."""
    for file in files:
        mapping = file.choice.mapping
        if mapping is not None and file.header and file.path in accepted:
            text = mapping_text(mapping) if file.kind == "jobs" else table_mapping_text(mapping)
            settings.remember_mapping(_key(file.kind, file.header), text)


def forget(settings: Settings, file: ChosenFile) -> None:
    """Let tables with the file's header be new again."""
    settings.forget_mapping(_key(file.kind, file.header))


def _remembered(settings: Settings | None, kind: str, header: str) -> ColumnMapping | None:
    text = settings.mapping(_key(kind, header)) if settings is not None and header else None
    try:
        if not text:
            return None
        return parse_mapping(text) if kind == "jobs" else parse_table_mapping(text, kind)
    except PlannerError:
        return None  # written by another version, or by hand


def _key(kind: str, header: str) -> str:
    return kind + header
