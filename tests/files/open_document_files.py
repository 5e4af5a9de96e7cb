"""OpenDocument spreadsheets written by hand, for tests: cells as LibreOffice writes them."""

import datetime
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

Value = str | int | float | bool | datetime.date | None
MIME = "application/vnd.oasis.opendocument.spreadsheet"
HEAD = (
    '<?xml version="1.0" encoding="UTF-8"?><office:document-content office:version="1.3"'
    ' xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    ' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0"'
    ' xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:spreadsheet>'
)
TAIL = "</office:spreadsheet></office:body></office:document-content>"


def write_ods(path: Path, sheets: Mapping[str, Sequence[Sequence[Value]]], names: Sequence[str] = ()) -> Path:
    """A file of these sheets, each its rows. names: of cells."""
    tables = (
        f"<table:table table:name={quoteattr(title)}>{''.join(map(_row, rows))}</table:table>"
        for title, rows in sheets.items()
    )
    ranges = (
        f'<table:named-range table:name={quoteattr(name)} table:cell-range-address="$A.$A$1"/>'
        for name in names
    )
    named = f"<table:named-expressions>{''.join(ranges)}</table:named-expressions>" if names else ""
    return write_content(path, HEAD + "".join(tables) + named + TAIL)


def write_content(path: Path, content: str) -> Path:
    """A file with this content.xml."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", MIME, zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
    return path


def _row(cells: Sequence[Value]) -> str:
    return f"<table:table-row>{''.join(map(_cell, cells))}</table:table-row>"


def _cell(value: Value) -> str:
    if value is None:
        return "<table:table-cell/>"
    if isinstance(value, bool):
        kind = f'office:value-type="boolean" office:boolean-value="{str(value).lower()}"'
    elif isinstance(value, int | float):
        kind = f'office:value-type="float" office:value="{value!r}"'
    elif isinstance(value, datetime.date):
        kind = f'office:value-type="date" office:date-value="{value.isoformat()}"'
    else:
        kind = 'office:value-type="string"'
    return f"<table:table-cell {kind}><text:p>{escape(str(value))}</text:p></table:table-cell>"
