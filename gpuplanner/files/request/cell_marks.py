"""What a workbook has beside the values of its cells: cells that are one over several rows, and notes on cells."""

import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from gpuplanner.files.sources.open_document import CONTENT, is_open_document

Place = tuple[str, int, int]
"""Name of a sheet, row and column of a cell, both from 1."""

_MOST_BYTES: Final = 8_000_000
"""A request is small: of larger files no marks are read."""
_MOST_ROWS: Final = 1_000
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CELLS: Final = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")


@dataclass(frozen=True, slots=True)
class CellMarks:
    """below: cells that are one with a cell further above, each with that cell; notes: the texts of notes."""

    below: Mapping[Place, Place] = field(default_factory=dict)
    notes: Mapping[Place, str] = field(default_factory=dict)


def cell_marks(path: Path) -> CellMarks:
    """The marks of a workbook (XLSX or ODS). Errors: as its parsers fail on a damaged file."""
    if path.stat().st_size > _MOST_BYTES:
        return CellMarks()
    with zipfile.ZipFile(path) as archive:
        if is_open_document(archive):
            with archive.open(CONTENT) as content:
                return _of_open_document(content)
    return _of_xlsx(path)


def _of_xlsx(path: Path) -> CellMarks:
    """Those of an XLSX."""
    from openpyxl import load_workbook

    below: dict[Place, Place] = {}
    notes: dict[Place, str] = {}
    for sheet in load_workbook(path, data_only=True).worksheets:
        for area in sheet.merged_cells.ranges:
            _cover(below, sheet.title, area.min_row, area.min_col, area.max_row, area.max_col)
        notes |= {
            (sheet.title, row, column): _plain(str(cell.comment.text))
            for (row, column), cell in sorted(_cells_there(sheet).items())
            if getattr(cell, "comment", None) is not None
        }
    return CellMarks(below, notes)


def _cells_there(sheet: Any) -> Mapping[tuple[int, int], Any]:
    """The cells that a sheet has, by row and column: `iter_rows` would make all above a stray format far below."""
    found: Mapping[tuple[int, int], Any] = sheet._cells
    return found


def _of_open_document(content: Any) -> CellMarks:
    """Those of an OpenDocument spreadsheet."""
    from defusedxml.ElementTree import parse

    below: dict[Place, Place] = {}
    notes: dict[Place, str] = {}
    root: Any = parse(content).getroot()
    for table in root.iter(f"{_TABLE}table"):
        title, row = table.get(f"{_TABLE}name", ""), 0
        for cells in table.iter(f"{_TABLE}table-row"):
            row, column = row + 1, 0
            for cell in cells:
                if cell.tag not in _CELLS:
                    continue
                column += 1
                tall, wide = (
                    int(cell.get(f"{_TABLE}number-{what}-spanned", "1")) for what in ("rows", "columns")
                )
                _cover(below, title, row, column, row + tall - 1, column + wide - 1)
                for note in cell.iter(f"{_OFFICE}annotation"):
                    lines = ("".join(line.itertext()) for line in note.iter(f"{_TEXT}p"))
                    notes[title, row, column] = _plain(" ".join(lines))
                column += int(cell.get(f"{_TABLE}number-columns-repeated", "1")) - 1
            row += int(cells.get(f"{_TABLE}number-rows-repeated", "1")) - 1
    return CellMarks(below, notes)


def _cover(below: dict[Place, Place], title: str, top: int, left: int, bottom: int, right: int) -> None:
    """Adds the cells of an area that are below its first row."""
    for row in range(top + 1, min(bottom, top + _MOST_ROWS) + 1):
        for column in range(left, min(right, left + _MOST_ROWS) + 1):
            below[title, row, column] = title, top, left


def _plain(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())
