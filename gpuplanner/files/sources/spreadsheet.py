"""Rows of a spreadsheet somebody sent us, XLSX or ODS: as text, within limits, without trusting its XML."""

import datetime
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import lru_cache
from itertools import groupby, islice
from pathlib import Path
from typing import IO, Any, Final

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import NO_WORDS, Message, joined, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.system.memory import is_want_of_memory, want_of_memory
from gpuplanner.files.system.output_file import unreadable
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- Sheets of an OpenDocument spreadsheet (.ods): its cells one row after another, without trusting its XML

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
_TIME: Final = lazy_re(r"(-?)PT(\d+)H(\d+)M(\d+)(?:[.,]\d+)?S")
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


_AMOUNT: Final = lazy_re(
    r"[$€£]? ?[-+]?\d[\d.,'\u00a0\u202f ]*(?:[$€£%]|[A-Z]{3})?(?: ?/.*)?"
    r"|\d{4}-\d\d?-\d\d?.*|\d{1,2}([./])\d{1,2}\1\d{2,4}"
)
"""A number, an amount or a day, as rows of data have them and headings do not."""


class _MergedCells:
    """Cells that are merged over several rows: what the first of these holds, all rows of data among them hold."""

    def __init__(self) -> None:
        self._held: dict[int, tuple[int, object]] = {}

    def begin(self, column: int, last_row: int, value: object) -> None:
        """A merged cell begins. column: from 0; last_row: from 1."""
        self._held[column] = (last_row, value)

    def filled(self, number: int, cells: tuple[object, ...]) -> tuple[object, ...]:
        """The cells of a row with those that are merged with one above. number: of the row, from 1."""
        if not self._held:
            return cells
        self._held = {column: held for column, held in self._held.items() if held[0] >= number}
        if not any(map(_is_of_data, cells)):
            return cells
        filled = [*cells, *[None] * (max(self._held, default=-1) + 1 - len(cells))]
        for column, (_, value) in self._held.items():
            filled[column] = value if filled[column] is None else filled[column]
        return tuple(filled)


def _is_of_data(value: object) -> bool:
    """Whether a value is a number, an amount or a day."""
    if isinstance(value, str):
        return _AMOUNT.fullmatch(value.strip()) is not None
    return value is not None and not isinstance(value, bool)


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
    for (_, title), rows in groupby(_document_rows(content, without_value), key=lambda row: row[:2]):
        yield title, ((number, cells) for _, _, number, cells in rows if number)


def _document_rows(
    content: IO[bytes], without_value: str
) -> Iterator[tuple[int, str, int, tuple[object, ...]]]:
    """Every row that holds anything: which sheet, its name, its number and cells; once of a sheet number 0, no row."""
    from defusedxml.ElementTree import iterparse

    path: list[Any] = []
    sheet, title, number, repeated = 0, "", 0, 0
    merged = _MergedCells()
    for event, element in iterparse(content, events=("start", "end")):
        if event == "start":
            path.append(element)
            if element.tag == f"{_TABLE}table":
                sheet, title, number = sheet + 1, element.get(f"{_TABLE}name", ""), 0
                merged = _MergedCells()
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
            yield sheet, title, number + at + 1, merged.filled(number + at + 1, cells)
        for column, rows in _spans_of(element):
            merged.begin(column, number + rows, cells[column] if column < len(cells) else None)
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


def _spans_of(row: Any) -> Iterator[tuple[int, int]]:
    """The columns of a row, from 0, whose cells are merged with those below, each with the rows that it takes."""
    column = 0
    for cell in row:
        if cell.tag not in _CELLS:
            continue
        rows = cell.get(f"{_TABLE}number-rows-spanned", "1")
        if rows.isascii() and rows.isdigit() and 1 < int(rows[:9]) <= _ROWS_AT_MOST:
            yield column, int(rows)
        column += _count(cell, "columns", _LONGEST_ROW)


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
        unit = None
        if kind == "percentage":
            unit = "%"
        elif kind == "currency":
            unit = cell.get(f"{_OFFICE}currency")
        return ShownNumber(number, unit) if unit else number
    if kind == "boolean":
        return said == "true"
    if kind == "date":
        return datetime.datetime.fromisoformat(said)
    if kind == "time" and (match := _TIME.fullmatch(said)):
        hours, minutes, seconds = int(match[2]), int(match[3]), int(match[4])
        length = datetime.timedelta(hours=hours, minutes=minutes, seconds=seconds)
        return -length if match[1] else length
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


# --- Rows of a spreadsheet somebody sent us: as text, within limits, without trusting its XML ----

_PARTS_AT_MOST: Final = 10_000
_UNPACKED_BYTES_AT_MOST: Final = 2 * 2**30
_PART_BYTES_AT_MOST: Final = 2**30
_LOOKED_INTO_ABOVE_BYTES: Final = 2**20  # a smaller part cannot do harm
_RUN_BYTES_AT_MOST: Final = 4 * 2**20  # between two tags; a cell holds 32,767 letters
_LONGEST_TAG_BYTES: Final = 64  # of a tag that begins a row, with its prefix
_CHUNK_BYTES: Final = 2**20
_WIDE_ROWS_AT_MOST: Final = 2_000
_SUSPICIOUS_ABOVE_BYTES: Final = 20 * 2**20
_RATIO_AT_MOST: Final = 200
COLUMNS_AT_MOST: Final = 1024
"""Of any table that is read."""

_EXPORT_AGAIN: Final = worded("save it again as XLSX or CSV in the spreadsheet program")
_IF_TRUSTED: Final = worded("if you trust the source, save as CSV")
_SHEET_PART: Final = lazy_re(r"worksheets/[^/]+\.xml$", re.IGNORECASE)
_END_OF_ROWS: Final = lazy_re(rb"</(?:\w+:)?sheetData>")
_CONTENT_SIGNS: Final = (b"v>", b"t>", b"<f", b":f")  # of a value, a text and a formula, in a row
_MERGED_CELL: Final = lazy_re(
    rb'<(?:\w{1,20}:)?mergeCell\s+ref="\$?([A-Z]{1,3})\$?(\d{1,7}):\$?[A-Z]{1,3}\$?(\d{1,7})"'
)
_MERGED_AT_MOST: Final = 100_000
_ROW_TAG: Final = lazy_re(rb'<(?:\w{1,20}:)?row(?:\s(?:[^<>]*?\s)?r="(\d{1,20})")?')
_LONGEST_ROW_TAG_BYTES: Final = 512
_FORMULA_WITHOUT_VALUE: Final = lazy_re(
    rb"(?:</(?:\w+:)?f>|<(?:\w+:)?f(?: [^<>]*)?/>)\s*(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
_LOCALE: Final = lazy_re(r"\[\$([^\]-]*)(?:-[^\]]*)?\]")
_NOT_SHOWN: Final = lazy_re(r"\[[^\]]*\]|[\"\\]|General|_.")
_UNIT: Final = lazy_re(r"[A-Z]{0,3}\s?[$€£¥₹₩]|%|[A-Z]{3}|kr")
"""Of a number's format: a currency with its language, what is not shown, a sign or code that is."""

WITHOUT_VALUE: Final = "formula without a value"
"""Stands where a program wrote a formula and did not work it out: unknown, and never empty."""


@contextmanager
def sheet_rows(path: Path, where: str, sheet: str = "") -> Iterator[Iterator[tuple[int, list[str]]]]:
    """Every row that is not blank of a sheet, or of the first that has any, as (row number from 1, cells as text).

    Errors: PlannerError truncated_file where the end is missing, file_unreadable where it is no workbook or
    unpacks to more than it should.
    """
    with _opened(path, where) as workbook:
        yield _rows((one for one in workbook if sheet in ("", one.title)), where)


@contextmanager
def sheet_values(
    path: Path, where: str
) -> Iterator[Iterator[tuple[str, Iterator[tuple[int, list[object]]]]]]:
    """The names of all sheets, each with its rows that are not blank, as (row number from 1, values as they are kept).

    A number that is shown as money or as a percentage is a ShownNumber. A sheet's rows are read before the next sheet.
    Errors: as sheet_rows.
    """
    with _opened(path, where, has_formats=True) as workbook:
        yield ((one.title, _values([one], where)) for one in workbook)


def has_several_sheets(path: Path, where: str) -> bool:
    """Whether a workbook lists more than one sheet; cheap. Errors: as sheet_rows."""
    check_archive(path, where)
    with _in_words(where), zipfile.ZipFile(path) as archive:
        listed = next((n for n in archive.namelist() if n.lower().endswith("workbook.xml")), None)
        return listed is None or len(re.findall(rb"<(?:\w+:)?sheet\s", archive.read(listed))) != 1


def sheet_heads(path: Path, where: str, sheets: int, rows: int) -> Iterator[tuple[str, list[list[str]]]]:
    """The names of a workbook's sheets in order, each with the first rows that are not blank; rows of the first
    sheets alone, as many as are wanted. Errors: as sheet_rows.
    """
    with _opened(path, where) as workbook:
        for at, sheet in enumerate(workbook):
            head = islice(_rows([sheet], where), rows if at < sheets else 0)
            yield sheet.title, [cells for _, cells in head]


@dataclass(frozen=True, slots=True)
class _Sheet:
    """One sheet and its rows, numbered from 1, with WITHOUT_VALUE for a formula that was saved without a value."""

    title: str
    rows: Iterable[NumberedCells]


@contextmanager
def _opened(path: Path, where: str, *, has_formats: bool = False) -> Iterator[Iterator[_Sheet]]:
    """The sheets of a workbook in order, closed at the end. A sheet is read before the next one.

    has_formats: with the unit that a number is shown in, where it is money or a percentage; takes longer.
    """
    check_archive(path, where)
    with ExitStack() as stack:
        with _in_words(where):
            archive = stack.enter_context(zipfile.ZipFile(path))
            is_open = is_open_document(archive)
        if is_open:
            content = stack.enter_context(archive.open(CONTENT))
            yield (_Sheet(*found) for found in open_document_sheets(content, WITHOUT_VALUE))
            return
        values = stack.enter_context(_workbook(path, where, data_only=True))
        is_without_values, parts = _look_at(path, where)
        if not is_without_values:
            yield (
                _Sheet(sheet.title, _with_merged(sheet, _cells(sheet, None, parts, has_formats), parts))
                for sheet in values.worksheets
            )
            return
        formulas = stack.enter_context(_workbook(path, where, data_only=False))
        pairs = zip(values.worksheets, formulas.worksheets, strict=True)
        yield (
            _Sheet(sheet.title, _with_merged(sheet, _cells(sheet, written, parts, has_formats), parts))
            for sheet, written in pairs
        )


@contextmanager
def _workbook(path: Path, where: str, *, data_only: bool) -> Iterator[Any]:
    """A workbook opened for reading row by row, without links to others; closed at the end."""
    import openpyxl

    with path.open("rb") as file:  # ours to close: openpyxl leaves it open where it fails
        with _in_words(where):
            workbook = openpyxl.load_workbook(file, read_only=True, data_only=data_only, keep_links=False)
        try:
            yield workbook
        finally:
            workbook.close()


def _no_workbook(reason: str) -> Message:
    """What is wrong with a file that cannot be opened."""
    return worded("damaged workbook ({reason})", reason=reason)


def _no_sheet(reason: str) -> Message:
    """What is wrong with a sheet that cannot be read to its end."""
    return worded("unreadable sheet ({reason})", reason=reason)


@contextmanager
def _in_words(where: str, words: Callable[[str], Message] = _no_workbook) -> Iterator[None]:
    """A hostile or damaged file may fail in any way, in any member that is read; the planner needs one sentence.

    words: that sentence, of what the library said.
    """
    try:
        yield
    except PlannerError:
        raise
    except Exception as fault:
        if is_want_of_memory(fault):
            raise want_of_memory(where) from fault
        raise unreadable(where, words(_short(fault)), _EXPORT_AGAIN) from fault


@dataclass(frozen=True, slots=True)
class _SheetPart:
    """What is known of the part of a sheet before its cells are read.

    last_row: the last that holds anything, None where its rows have no numbers. merged: by first row the columns, from
    0, of cells that are merged with some below, each with the last row.
    """

    last_row: int | None
    merged: Mapping[int, Sequence[tuple[int, int]]]


def _look_at(path: Path, where: str) -> tuple[bool, Mapping[str, _SheetPart]]:
    """As _seen_in; a file that has not changed is not looked at again. Errors: PlannerError."""
    with _in_words(where):
        stat = path.stat()
        return _seen_in(str(path), stat.st_size, stat.st_mtime_ns)


@lru_cache(maxsize=64)
def _seen_in(path: str, size: int, changed_ns: int) -> tuple[bool, Mapping[str, _SheetPart]]:
    """Whether a program wrote a formula without working it out (its cell looks empty and is not); each sheet's part."""
    is_open, parts = False, {}
    with zipfile.ZipFile(path) as archive:
        for name in filter(_SHEET_PART.search, archive.namelist()):
            with archive.open(name) as part:
                is_open, parts[name] = _seen_in_sheet(part, is_open)
    return is_open, parts


def _seen_in_sheet(part: IO[bytes], is_open: bool) -> tuple[bool, _SheetPart]:
    """The same of one sheet. is_open: whether such a formula was found before.

    What is merely formatted behind the last row, often down to the last that a sheet has, need not be read cell by
    cell.
    """
    merged: Mapping[int, Sequence[tuple[int, int]]] = {}
    last: int | None = 0
    row: int | None = 0
    tail = b""
    while chunk := part.read(_CHUNK_BYTES):
        text = tail + chunk
        end = _END_OF_ROWS.search(text)
        until = end.start() if end else len(text)
        at = max(text.rfind(sign, 0, until) for sign in _CONTENT_SIGNS)
        if at >= 0:
            is_open = is_open or _FORMULA_WITHOUT_VALUE.search(text) is not None
            of_content = row if (before := _row_before(text, at)) == 0 else before
            last = None if last is None or of_content is None else max(last, of_content)
        if end:
            merged = _merged_in(text[end.end() :], part)
            break
        row = row if (before := _row_before(text, until)) == 0 else before
        tail = text[-_LONGEST_ROW_TAG_BYTES:]
    return is_open, _SheetPart(last, merged)


def _merged_in(behind: bytes, part: IO[bytes]) -> Mapping[int, Sequence[tuple[int, int]]]:
    """The cells that are merged over several rows, as _SheetPart has them. behind: what was read behind the rows.

    Reads the part to its end, where its checksum is looked at.
    """
    merged: dict[int, list[tuple[int, int]]] = {}
    while behind:
        for match in _MERGED_CELL.finditer(behind):
            first, last = int(match[2]), int(match[3])
            if first < last and len(merged) < _MERGED_AT_MOST:
                merged.setdefault(first, []).append((_column_at(match[1]), last))
        chunk = part.read(_CHUNK_BYTES)
        behind = behind[-_LONGEST_TAG_BYTES:] + chunk if chunk else b""
    return merged


def _column_at(letters: bytes) -> int:
    """The column of a reference such as AB, from 0."""
    place = 0
    for letter in letters:
        place = 26 * place + letter - ord("A") + 1
    return place - 1


def _with_merged(
    sheet: Any, rows: Iterable[NumberedCells], parts: Mapping[str, _SheetPart]
) -> Iterator[NumberedCells]:
    """The rows of a sheet with what is merged over several of them in all of these."""
    part = parts.get(_part_of(sheet))
    if part is None or not part.merged:
        yield from rows
        return
    held = _MergedCells()
    for number, cells in rows:
        yield number, held.filled(number, cells)
        for column, last in part.merged.get(number, ()):
            held.begin(column, last, cells[column] if column < len(cells) else None)


def _part_of(sheet: Any) -> str:
    """The name of the part of a workbook that has a sheet."""
    return str(sheet._worksheet_path.lstrip("/"))


def _cells(
    sheet: Any, formulas: Any, parts: Mapping[str, _SheetPart], has_formats: bool
) -> Iterator[NumberedCells]:
    """The values of each row; in the place of a formula that has none, a text that is no value.

    formulas: the same sheet as its formulas, None where all of them have values. has_formats: see _opened.
    """
    sheet.reset_dimensions()  # what the file claims about its size is not to be trusted
    part = parts.get(_part_of(sheet))
    last = None if part is None else part.last_row
    if last == 0:
        return
    rows = sheet.iter_rows(max_row=last, values_only=not has_formats)
    if has_formats:
        rows = (tuple(map(_with_its_unit, cells)) for cells in rows)
    if formulas is None:
        yield from enumerate(rows, 1)
        return
    formulas.reset_dimensions()
    for number, (cells, written) in enumerate(
        zip(rows, formulas.iter_rows(max_row=last, values_only=True), strict=True), 1
    ):
        yield (
            number,
            tuple(
                WITHOUT_VALUE if value is None and formula is not None else value
                for value, formula in zip(cells, written, strict=True)
            ),
        )


def _row_before(text: bytes, at: int) -> int | None:
    """The number of the last row that begins before a place, 0 where none does; None for one without a number."""
    while (at := text.rfind(b"row", 0, at)) > 0:
        begin = text.rfind(b"<", 0, at)
        match = _ROW_TAG.match(text, begin) if begin >= 0 else None
        if match is not None and match.start() <= at < match.end():
            return int(match[1]) if match[1] else None
    return 0


def _rows(sheets: Iterable[_Sheet], where: str) -> Iterator[tuple[int, list[str]]]:
    """The rows of the first sheet that holds anything, as texts. PlannerError beyond the limits."""
    for number, cells in _values(sheets, where):
        yield number, list(map(cell_text, cells))


def _values(sheets: Iterable[_Sheet], where: str) -> Iterator[tuple[int, list[object]]]:
    """The rows of the first sheet that holds anything, numbered as in the sheet.

    PlannerError beyond the limits.
    """
    with _in_words(where, _no_sheet):
        for sheet in sheets:
            is_empty = True
            wide = 0
            for number, cells in sheet.rows:
                if len(cells) > COLUMNS_AT_MOST:
                    wide += 1
                    _check_width(cells, number, wide, where)
                if number > _ROWS_AT_MOST:
                    raise unreadable(where, worded("too many rows in a sheet"), _EXPORT_AGAIN)
                kept = list(cells[:COLUMNS_AT_MOST])
                if any(not isinstance(cell, str) or cell.strip() for cell in kept if cell is not None):
                    is_empty = False
                    yield number, kept
            if not is_empty:
                return


def _check_width(cells: Sequence[object], number: int, wide: int, where: str) -> None:
    """Errors: PlannerError where a row has something far to the right, or far too many rows are that wide."""
    last = next((at for at in range(len(cells), COLUMNS_AT_MOST, -1) if cells[at - 1] not in (None, "")), 0)
    if last:
        raise unreadable(
            where,
            worded(
                "row {number} has a value in column {last}; at most {columns_at_most} are read",
                number=whole(number),
                last=whole(last),
                columns_at_most=whole(COLUMNS_AT_MOST),
            ),
            worded("delete the cells far to the right"),
        )
    if wide > _WIDE_ROWS_AT_MOST:
        raise unreadable(
            where,
            worded("rows are formatted up to column {cells}, far beyond the table", cells=whole(len(cells))),
            worded("delete the empty columns on the right, or save as CSV"),
        )


def check_archive(path: Path, where: str) -> None:
    """Errors: PlannerError where the archive is cut off, no workbook, or made to fill the memory.

    where: the path as the planner gave it. A file that was looked at and has not changed is not looked at
    again.
    """
    try:
        stat = path.stat()
        archive_fault = find_archive_fault(str(path), stat.st_size, stat.st_mtime_ns)
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError) as fault:
        raise PlannerError(
            where, "truncated_file", worded("the file is cut off"), worded("copy or export it again")
        ) from fault
    except Exception as fault:  # RuntimeError: it has a password
        with _in_words(where):
            raise fault
    if archive_fault is not None:
        raise unreadable(where, *archive_fault)


def is_workbook(archive: zipfile.ZipFile) -> bool:
    """Whether an archive is a spreadsheet: an Excel workbook or an OpenDocument one."""
    return any(name.lower().endswith("workbook.xml") for name in archive.namelist()) or is_open_document(
        archive
    )


@lru_cache(maxsize=64)
def find_archive_fault(path: str, size: int, changed_ns: int) -> tuple[Message, Message] | None:
    """What is wrong with an archive and what to do; size and changed_ns say which state of the file it is."""
    with zipfile.ZipFile(path) as archive:
        parts = archive.infolist()
        if not is_workbook(archive):
            return worded("an archive, not a workbook"), worded("unpack it and choose the files inside")
        unpacked = sum(part.file_size for part in parts)
        is_bomb = (
            len(parts) > _PARTS_AT_MOST
            or unpacked > _UNPACKED_BYTES_AT_MOST
            or any(
                part.file_size > _PART_BYTES_AT_MOST
                or (
                    part.file_size > _SUSPICIOUS_ABOVE_BYTES
                    and part.file_size > _RATIO_AT_MOST * max(1, part.compress_size)
                )
                for part in parts
            )
        )
        if is_bomb:
            return (
                worded(
                    "would unpack to {megabytes} MB, too much for a table", megabytes=whole(unpacked / 2**20)
                ),
                _IF_TRUSTED,
            )
        for part in parts:
            limit = _limit_of(part.filename) if part.file_size > _LOOKED_INTO_ABOVE_BYTES else None
            # fails where its two names differ: styles that are not found by theirs would be left out unsaid
            with archive.open(part) as content:
                fault = _part_fault(content, part.file_size, limit) if limit else NO_WORDS
            if fault:
                return joined((part.filename, fault), " "), _IF_TRUSTED
    return None


@dataclass(frozen=True, slots=True)
class _PartLimit:
    """What one part of a workbook may be. unit: the tag that begins what is read as one; counts are of tags."""

    size: int
    unit: re.Pattern[bytes]
    units: int
    tags_in_unit: int


_SHEET: Final = _PartLimit(
    _PART_BYTES_AT_MOST, lazy_re(rb"<(?:\w+:)?(?:table-)?row[\s/>]"), _ROWS_AT_MOST, 200_000
)
SHARED_TEXT: Final = _PartLimit(
    64 * 2**20, lazy_re(rb"<(?:\w+:)?si[\s/>]"), 2_000_000, 100_000
)  # all of it is held in memory
_HELD_WHOLE: Final = _PartLimit(
    16 * 2**20, lazy_re(rb"<\?"), 100, 100_000
)  # as objects: styles, names, relations


def _limit_of(name: str) -> _PartLimit | None:
    """The limit of a part that is read at all."""
    plain = name.lower()
    if plain == CONTENT or ("/worksheets/" in plain and plain.endswith(".xml")):
        return _SHEET
    if plain.endswith("sharedstrings.xml"):
        return SHARED_TEXT
    held = ("styles.xml", "workbook.xml", ".rels", "[content_types].xml", "core.xml", "custom.xml", "app.xml")
    return _HELD_WHOLE if plain.endswith(held) or "/theme/" in plain else None


def _part_fault(content: IO[bytes], size: int, limit: _PartLimit) -> Message:
    """What makes a part too much to read, in words; empty where nothing does. Reads it once, a piece at a time."""
    if size > limit.size:
        return worded(
            "{megabytes} MB, over the limit of {most} MB",
            megabytes=whole(size / 2**20),
            most=whole(limit.size / 2**20),
        )
    units = tags = run = read = 0
    tail = b""
    while chunk := content.read(_CHUNK_BYTES):
        read += len(chunk)
        text = tail + chunk
        begins = [found.start() for found in limit.unit.finditer(text) if found.end() > len(tail)]
        units += len(begins)
        tags = text.count(b"<", begins[-1]) if begins else tags + chunk.count(b"<")
        run = run + len(chunk) if b"<" not in chunk else len(chunk) - chunk.rfind(b"<")
        tail = text[-_LONGEST_TAG_BYTES:]
        if units > limit.units:
            return worded("more than {units} rows or texts", units=whole(limit.units))
        if tags > limit.tags_in_unit:
            return worded("a row has more cells than a sheet allows")
        if run > _RUN_BYTES_AT_MOST or read > size:
            return worded("a cell has more text than allowed")
    return NO_WORDS


def _with_its_unit(cell: Any) -> object:
    """The value of a cell, with the unit that it is shown in where it is money or a percentage."""
    value = cell.value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    shown = _LOCALE.sub(r"\1", cell.number_format.partition(";")[0])
    unit = _UNIT.search(_NOT_SHOWN.sub("", shown))
    return value if unit is None else ShownNumber(value, unit[0])


def cell_text(cell: object) -> str:
    """A cell's value as text: times in ISO, durations as hours:minutes:seconds, whole numbers without point."""
    if cell is None:
        return ""
    if isinstance(cell, ShownNumber):
        return cell_text(cell.number)
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(timespec="seconds")
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    if isinstance(cell, datetime.timedelta):
        minutes, seconds = divmod(int(abs(cell.total_seconds())), 60)
        sign = "-" if cell.total_seconds() < 0 else ""
        return f"{sign}{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"
    return str(cell)


def _short(fault: Exception) -> str:
    """The first line of a fault, 120 letters at most."""
    return (str(fault).splitlines() or [""])[0][:120] or type(fault).__name__
