"""Which sheet of a workbook holds the table: the first that reads like one of contracts or prices."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from gpuplanner.files.contracts import contract_tables
from gpuplanner.files.prices import price_tables
from gpuplanner.files.sources.source import XLSX, Source, as_csv
from gpuplanner.files.sources.spreadsheet import has_several_sheets, sheet_heads

SHEETS_LOOKED_AT: Final = 50
LIKELY: Final = 0.5
"""From this confidence on a sheet, or a file, is taken for what it seems to be."""

_HEAD_ROWS: Final = 200
_SNIFFS: Final[Mapping[str, Callable[[str], float]]] = {
    "contracts": contract_tables.sniff,
    "prices": price_tables.sniff,
}


def of_best_sheet(source: Source, kind: str) -> Source:
    """The file with the first sheet that seems to be of a kind; as it is where none does, or the first one does.

    Errors: PlannerError file_unreadable.
    """
    sniff = _SNIFFS[kind]
    if source.kind != XLSX or source.sheet or sniff(source.head) >= LIKELY:
        return source
    for name, rows in sheet_heads(Path(source.at), source.path, SHEETS_LOOKED_AT, _HEAD_ROWS):
        head = as_csv(rows)
        if sniff(head) >= LIKELY:
            return replace(source, sheet=name, head=head)
    return source


def sheets_of(source: Source) -> tuple[str, tuple[str, ...]]:
    """The sheet of a workbook that is read, and the others. Errors: PlannerError file_unreadable."""
    if not has_several_sheets(Path(source.at), source.path):
        return source.sheet, ()
    names, taken = [], source.sheet
    for name, rows in sheet_heads(Path(source.at), source.path, SHEETS_LOOKED_AT, 1):
        names.append(name)
        taken = taken or (name if rows else "")
    return taken, tuple(name for name in names if name != taken)
