"""Which sheet of a workbook holds the table: the first that reads like contracts or prices."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.files.contracts import contract_tables
from gpuplanner.files.contracts.contract_forms import CONTRACT_FORMS
from gpuplanner.files.contracts.export_form import ExportForm
from gpuplanner.files.prices import price_tables
from gpuplanner.files.prices.price_forms import PRICE_FORMS
from gpuplanner.files.sources.source import XLSX, Source, as_csv
from gpuplanner.files.sources.spreadsheet import sheet_heads
from gpuplanner.files.tables.json_table import json_table, turned_table
from gpuplanner.files.tables.own_workbook import own_list
from gpuplanner.files.tables.sectioned_table import sectioned_table
from gpuplanner.files.tables.table_columns import LIKELY
from gpuplanner.lazy_dataclass import replace

SHEETS_LOOKED_AT: Final = 50
HEAD_ROWS: Final = 200
SNIFFS: Final[Mapping[str, Callable[[str], float]]] = {
    "contracts": contract_tables.sniff,
    "prices": price_tables.sniff,
}


def of_best_sheet(source: Source, kind: str) -> Source:
    """The file with the first sheet that seems to be of a kind, its sections as a column; see `_best_sheet`."""
    best = _best_sheet(source, kind)
    sectioned = sectioned_table(best, kind)
    is_table = sectioned is not None and SNIFFS[kind](sectioned.head) >= LIKELY
    return sectioned if sectioned is not None and is_table else best


def _best_sheet(source: Source, kind: str) -> Source:
    """The file with the first sheet that seems to be of a kind; as it is where none does, or the first one does.

    Of JSON with prices that is no known export its records as a table; a sheet that lies on its side is turned. Of the
    workbook of a plan its list of that kind, with our own columns. Errors: PlannerError file_unreadable.
    """
    if (own := own_list(source, kind)) is not None:
        return own
    is_export = any(form.sniff(source.head) >= LIKELY for form in EXPORT_FORMS)
    if not is_export and (table := json_table(source)) is not None:
        return table
    sniff = SNIFFS[kind]
    if sniff(source.head) >= LIKELY:
        return source
    is_open = source.kind == XLSX and not source.sheet
    sheets = sheet_heads(Path(source.at), source.path, SHEETS_LOOKED_AT, HEAD_ROWS) if is_open else ()
    for name, rows in sheets:
        head = as_csv(rows)
        if sniff(head) >= LIKELY:
            return replace(source, sheet=name, head=head)
    turned = turned_table(source)
    return turned if turned is not None and sniff(turned.head) >= LIKELY else source


EXPORT_FORMS: Final[tuple[ExportForm[Contract] | ExportForm[Offer], ...]] = (*CONTRACT_FORMS, *PRICE_FORMS)
"""Every form of export of contracts or prices."""
