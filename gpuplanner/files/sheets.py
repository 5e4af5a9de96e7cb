"""Which sheet of a workbook holds the table: the first that reads like one of contracts or prices."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Final

from gpuplanner.files import contracts, prices
from gpuplanner.files.source import XLSX, Source, as_csv
from gpuplanner.files.spreadsheet import sheet_names, sheet_rows

SHEETS_LOOKED_AT: Final = 50
LIKELY: Final = 0.5
"""From this confidence on a sheet is taken for what it seems to be."""

_HEAD_ROWS: Final = 200
_SNIFFS: Final[Mapping[str, Callable[[str], float]]] = {"contracts": contracts.sniff, "prices": prices.sniff}


def of_best_sheet(source: Source, kind: str) -> Source:
    """The file with the first sheet that seems to be of a kind; as it is where none does, or the first one does.

    Errors: PlannerError file_unreadable.
    """
    sniff = _SNIFFS[kind]
    if source.kind != XLSX or source.sheet or sniff(source.head) >= LIKELY:
        return source
    path = Path(source.at)
    for name in sheet_names(path, source.path)[1:SHEETS_LOOKED_AT]:
        with sheet_rows(path, source.path, name) as rows:
            head = as_csv(cells for _, cells in islice(rows, _HEAD_ROWS))
        if sniff(head) >= LIKELY:
            return replace(source, sheet=name, head=head)
    return source


def first_sheet(path: Path, where: str) -> str:
    """The first sheet that has any row. Errors: PlannerError file_unreadable."""
    names = sheet_names(path, where)
    for name in names[:SHEETS_LOOKED_AT]:
        with sheet_rows(path, where, name) as rows:
            if next(rows, None) is not None:
                return name
    return names[0] if names else ""
