"""Sheets of an OpenDocument spreadsheet (.ods): its cells one row after another, without trusting its XML."""

import datetime
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import IO, Any, Final

CONTENT: Final = "content.xml"
"""The part that has all sheets."""

_TYPES: Final = (
    b"application/vnd.oasis.opendocument.spreadsheet",
    b"application/vnd.oasis.opendocument.spreadsheet-template",
)
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CELLS: Final = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")
_REMARK: Final = f"{_OFFICE}annotation"
_TIME: Final = re.compile(r"(-?)PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S")
_LONGEST_ROW: Final = 16_384
_ROWS_AT_MOST: Final = 1_048_576
_REPEATED_CELLS_AT_MOST: Final = 2**24

NumberedCells = tuple[int, tuple[object, ...]]
"""A row's number, from 1, with its values: None where a cell is empty."""


@dataclass(frozen=True, slots=True)
class ShownNumber:
    """A number that is shown with a sign behind or before it. unit: a currency's sign or code, or %."""

    number: float
    unit: str


class TooManyCellsError(ValueError):
    """A few bytes say that they stand for more cells than a table has."""

    def __init__(self) -> None:
        super().__init__("cells are repeated beyond what a table holds")


def is_open_document(archive: zipfile.ZipFile) -> bool:
    """Whether an archive is a spreadsheet of this form: it says so itself in a part of its own."""
    if not {"mimetype", CONTENT} <= set(archive.namelist()):
        return False
    with archive.open("mimetype") as said:
        return said.read(100).strip() in _TYPES


def open_document_sheets(
    content: IO[bytes], without_value: str
) -> Iterator[tuple[str, Iterator[NumberedCells]]]:
    """The sheets in order: their names, each with its rows that hold anything. A sheet is read before the next one.

    without_value: what stands in the place of a formula that nobody has worked out.
    Errors: TooManyCellsError, and those of the parser.
    """
    for (_, title), rows in groupby(_rows(content, without_value), key=lambda found: found[:2]):
        yield title, ((number, cells) for _, _, number, cells in rows if number)


def _rows(content: IO[bytes], without_value: str) -> Iterator[tuple[int, str, int, tuple[object, ...]]]:
    """Every row that holds anything: which sheet, its name, its number and cells; once of a sheet number 0, no row."""
    from defusedxml.ElementTree import iterparse

    path: list[Any] = []
    sheet, title, number, repeated = 0, "", 0, 0
    for event, element in iterparse(content, events=("start", "end")):
        if event == "start":
            path.append(element)
            if element.tag == f"{_TABLE}table":
                sheet, title, number = sheet + 1, element.get(f"{_TABLE}name", ""), 0
                yield sheet, title, 0, ()
            continue
        path.pop()
        if element.tag != f"{_TABLE}table-row":
            continue
        times = _count(element, "rows", _ROWS_AT_MOST)
        cells = _cells_of(element, without_value)
        repeated += len(cells) * (times - 1)
        if repeated > _REPEATED_CELLS_AT_MOST:
            raise TooManyCellsError
        for at in range(times if cells else 0):
            yield sheet, title, number + at + 1, cells
        number += times
        path[-1].remove(element)  # what was read is let go


def _cells_of(row: Any, without_value: str) -> tuple[object, ...]:
    """The values of a row up to the last that is not empty."""
    cells: list[object] = []
    empty = 0
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        times, value = _count(cell, "columns", _LONGEST_ROW), _value(cell, without_value)
        if value is None or value == "":
            empty += times
            continue
        if len(cells) + empty + times > _LONGEST_ROW:
            raise TooManyCellsError
        cells += [*[None] * empty, *[value] * times]
        empty = 0
    return tuple(cells)


def _count(element: Any, what: str, most: int) -> int:
    """How many rows or columns an element stands for; one where it says nothing that can be meant."""
    text = element.get(f"{_TABLE}number-{what}-repeated", "1")
    return max(1, min(int(text), most)) if text.isascii() and text.isdigit() and len(text) < 9 else 1


def _value(cell: Any, without_value: str) -> object:
    """What a cell holds: a number, a day or time, true or false, else its text."""
    kind = cell.get(f"{_OFFICE}value-type")
    said = cell.get(f"{_OFFICE}{kind}-value")
    if kind in ("float", "percentage", "currency"):
        number = float(cell.get(f"{_OFFICE}value"))
        unit = "%" if kind == "percentage" else cell.get(f"{_OFFICE}currency") if kind == "currency" else None
        return ShownNumber(number, unit) if unit else number
    if kind == "boolean":
        return said == "true"
    if kind == "date":
        return datetime.datetime.fromisoformat(said)
    if kind == "time" and (found := _TIME.fullmatch(said)):
        hours, minutes, seconds = int(found[2]), int(found[3]), int(found[4])
        length = datetime.timedelta(hours=hours, minutes=minutes, seconds=seconds)
        return -length if found[1] else length
    if said is not None:
        return said
    text = "\n".join(_text(line) for line in cell if line.tag == f"{_TEXT}p")
    is_open = kind is None and cell.get(f"{_TABLE}formula") is not None and not text
    return without_value if is_open else text


def _text(element: Any) -> str:
    """The text of a paragraph, with its spaces, tabs and line ends; remarks on the cell are none of it."""
    parts = [element.text or ""]
    for child in element:
        if child.tag == f"{_TEXT}s":
            parts.append(" " * min(int(child.get(f"{_TEXT}c", "1")), _LONGEST_ROW))
        elif child.tag in (f"{_TEXT}tab", f"{_TEXT}line-break"):
            parts.append("\t" if child.tag == f"{_TEXT}tab" else "\n")
        elif child.tag != _REMARK:
            parts.append(_text(child))
        parts.append(child.tail or "")
    return "".join(parts)
