"""The tables of a request that came back, found by headings, hidden keys and marks of its cells."""

import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from gpuplanner.files.request import request_form
from gpuplanner.files.sources.source import TEXT, XLSX, Source
from gpuplanner.files.sources.spreadsheet import (
    CONTENT,
    ShownNumber,
    cell_text,
    is_open_document,
    sheet_values,
)
from gpuplanner.files.tables.delimited import DELIMITERS, bare
from gpuplanner.files.tables.own_workbook import own_workbook
from gpuplanner.files.values.amounts import currency_of
from gpuplanner.lazy_dataclass import dataclass, field, replace
from gpuplanner.lazy_re import lazy_re

# --- What a workbook has beside the values of its cells: cells that are one over several rows, and notes on cells

Place = tuple[str, int, int]
"""Name of a sheet, row and column of a cell, both from 1."""

_MOST_MARKUP_BYTES: Final = 8_000_000
"""A request is small: of larger files no marks are read."""
_MOST_ROWS: Final = 1_000
_OFFICE: Final = "{urn:oasis:names:tc:opendocument:xmlns:office:1.0}"
_TABLE: Final = "{urn:oasis:names:tc:opendocument:xmlns:table:1.0}"
_TEXT: Final = "{urn:oasis:names:tc:opendocument:xmlns:text:1.0}"
_CELLS: Final = (f"{_TABLE}table-cell", f"{_TABLE}covered-table-cell")


@dataclass(frozen=True, slots=True)
class CellMarks:
    """notes: the texts of notes."""

    notes: Mapping[Place, str] = field(default_factory=dict)


def cell_marks(path: Path) -> CellMarks:
    """The marks of a workbook (XLSX or ODS). Errors: as its parsers fail on a damaged file."""
    if path.stat().st_size > _MOST_MARKUP_BYTES:
        return CellMarks()
    with zipfile.ZipFile(path) as archive:
        if is_open_document(archive):
            with archive.open(CONTENT) as content:
                return _of_open_document(content)
    return _of_xlsx(path)


def _of_xlsx(path: Path) -> CellMarks:
    """Those of an XLSX."""
    from openpyxl import load_workbook

    notes: dict[Place, str] = {}
    with path.open("rb") as file:  # by path, one that is damaged would stay open
        sheets = load_workbook(file, data_only=True).worksheets
    for sheet in sheets:
        notes |= {
            (sheet.title, row, column): _plain(str(cell.comment.text))
            for (row, column), cell in sorted(_cells_there(sheet).items())
            if getattr(cell, "comment", None) is not None
        }
    return CellMarks(notes)


def _cells_there(sheet: Any) -> Mapping[tuple[int, int], Any]:
    """The cells that a sheet has, by row and column: `iter_rows` would make all above a stray format far below."""
    found: Mapping[tuple[int, int], Any] = sheet._cells
    return found


def _of_open_document(content: Any) -> CellMarks:
    """Those of an OpenDocument spreadsheet."""
    from defusedxml.ElementTree import parse

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
                for note in cell.iter(f"{_OFFICE}annotation"):
                    lines = ("".join(line.itertext()) for line in note.iter(f"{_TEXT}p"))
                    notes[title, row, column] = _plain(" ".join(lines))
                column += int(cell.get(f"{_TABLE}number-columns-repeated", "1")) - 1
            row += int(cells.get(f"{_TABLE}number-rows-repeated", "1")) - 1
    return CellMarks(notes)


def _plain(text: str) -> str:
    """A text on one line."""
    return " ".join(text.split())


# --- The tables of a request that came back, found by headings and hidden keys: on any tab, in any order and format

_HEADINGS: Final = {
    bare(text): column.key
    for column in request_form.COLUMNS
    for text in (column.before, column.heading)
    if text
}
_OLD_HEADINGS: Final = frozenset(bare(column.before) for column in request_form.COLUMNS if column.before)
_LABELS: Final = {
    bare(text): line.key for line in request_form.HEAD for text in (line.before, line.label) if text
}
_MONEY: Final = tuple(
    (bare(text), column.key)
    for column in request_form.COLUMNS
    for text in (column.heading or column.before,)
    if column.kind in ("rate", "money")
)
_OTHERS: Final = lazy_re(
    r"node|server|machine|instance|system|month|year|week|day|minute|second|pod|rack|gpu|[hd]gx|incl|gross|brutto|cent|\d"
)
"""Behind a heading of money: its amounts are for something else, or of another size."""
_TOLD_BY: Final = ("bid", "rate")
_HEADINGS_AT_LEAST: Final = 4
_MARKS: Final = (
    request_form.make_key("", "").split()[0].lower(),
    next(column.heading for column in request_form.COLUMNS if column.key == "rate").lower(),
)
"""A file without either of them in it is no answer."""

_PARTS: Final = lazy_re(rf"(?i)xl/sharedstrings\.xml|xl/worksheets/[^/]+\.xml|{re.escape(CONTENT)}")
_MOST_BYTES: Final = 64 * 2**20
"""A request is small: a workbook with more text is none."""

_NO_MARKS: Final = CellMarks()
_NO_FEE: Final = lazy_re(
    r"(?i)\W*(?:no|none|nil|n/?a|without|waived|included|free|keine?|(?:usd\W*)?0[.,0]*)?(?:[\s\w-]*(?:fees?|charges?))?\W*"
)
"""An answer that nothing is charged besides."""
_NUMBERED: Final = lazy_re(r"(?i)([OR][1-9]\d{0,5})(?:\s*,\s*option)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """at: its address (Sheet!C7; line:column of a text file); is_typed: the program keeps it as a number or a day.

    unit: the sign or code of a currency, or the %, with which it shows a number. note: the text of a note on it.
    """

    text: str = ""
    at: str = ""
    is_typed: bool = False
    unit: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredRow:
    """One row of a request. cells: by the key of its column; line: where it stands, over all tabs one below the other.

    reference, name: what the key says, without one the number alone; key: the hidden cell itself; says: what it says
    was asked for, nothing where it is an old one or gone. alternative: A1 … of a row that the vendor wrote all of, as
    an alternative to the one that it names; else empty. more: what stands
    under headings that are none of ours. text: its filled cells.
    """

    line: int
    reference: str
    name: str
    key: str
    cells: Mapping[str, Cell]
    more: Mapping[str, Cell]
    text: str
    says: Mapping[str, str] = field(default_factory=dict)
    alternative: str = ""

    def asked(self, key: str) -> str:
        """What was asked for in a column: as the key says, else as the cell came back."""
        return self.says.get(key, self.cell(key).text)

    def cell(self, key: str) -> Cell:
        """The cell of a column; an empty one where the table has no such column."""
        return self.cells.get(key, Cell())


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredTable:
    """One tab with rows of a request.

    head: the values of the lines around the table, by their key; an empty one has the address of its label.

    strangers: rows below the headings that answer no row of the request. lacking: keys of the vendor's columns that it
    has not. currency_of: what headings name, by the key of their column. is_text: a text file, whose numbers and days
    are as a program wrote them. has_keys: whether the hidden keys are there. lines: sentences of the
    vendor's own, and its set-up fees. sla: the question about availability and its answer; empty without.
    """

    title: str
    head: Mapping[str, Cell]
    rows: tuple[AnsweredRow, ...]
    strangers: tuple[AnsweredRow, ...]
    lacking: tuple[str, ...]
    currency_of: Mapping[str, str]
    is_text: bool
    has_keys: bool
    lines: tuple[str, ...] = ()
    sla: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Answer:
    """A file as it came back. unread: names of tabs that hold something, and neither rows nor lines of a request.

    answers: what was asked besides, each with what the vendor wrote.
    """

    tables: tuple[AnsweredTable, ...]
    unread: tuple[str, ...]
    answers: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Tab:
    """One sheet, or all of a text file: its rows that are not blank, by number. line: what comes before it."""

    title: str
    rows: tuple[tuple[int, Sequence[object]], ...]
    line: int
    is_text: bool
    marks: CellMarks = _NO_MARKS

    def cell(self, number: int, cells: Sequence[object], place: int) -> Cell:
        """A cell with its address."""
        value = cells[place] if place < len(cells) else None
        is_typed = not self.is_text and value is not None and not isinstance(value, str | bool)
        unit = value.unit if isinstance(value, ShownNumber) else ""
        here = (self.title, number, place + 1)
        note = self.marks.notes.get(here, "")
        return Cell(
            text=cell_text(value).strip(),
            at=self._address(number, place),
            is_typed=is_typed,
            unit=unit,
            note=note,
        )

    def _address(self, number: int, place: int) -> str:
        """As a spreadsheet program goes to it: Sheet!C7, 'Our quote'!C7; line and column of a text file, 7:3."""
        from openpyxl.utils import get_column_letter

        if self.is_text:
            return f"{number}:{place + 1}"
        title = self.title if self.title.isalnum() else "'{}'".format(self.title.replace("'", "''"))
        return f"{title}!{get_column_letter(place + 1)}{number}"


def is_answer(source: Source) -> bool:
    """Whether a file is a request that came back, filled in or not; cheap where it is none."""
    if source.kind == TEXT:
        return any(mark in source.head.lower() for mark in _MARKS) and bool(answer_of(source).tables)
    if source.kind != XLSX or own_workbook(source) is not None:
        return False
    try:
        return _has_mark(Path(source.at)) and bool(answer_of(source).tables)
    except Exception:  # a damaged file fails in many ways; whoever reads its rows says so
        return False


def answer_of(source: Source) -> Answer:
    """The tabs that have rows of a request, in order. A line above a table counts for all tabs that lack it.

    Errors: PlannerError file_unreadable.
    """
    tabs = _tabs(source)
    has_keys = any(_key_of(cells) is not None for tab in tabs for _, cells in tab.rows)
    heads = [_head(tab) for tab in tabs]
    found, unread = [], []
    questions = [asked for tab in tabs for asked in _questions(tab).values()]
    answers = [(asked, reply) for asked, reply in questions if reply]
    of_sla = (pair for pair in questions if pair[0].startswith(request_form.SLA_QUESTION.split("?")[0]))
    sla = next(of_sla, ("", ""))
    charged = [
        reply for asked, reply in answers if asked == request_form.FEES and not _NO_FEE.fullmatch(reply)
    ]
    for tab, own in zip(tabs, heads, strict=True):
        head: dict[str, Cell] = {}
        for each in (own, *heads):
            for key, cell in each.items():
                head[key] = head[key] if key in head and (head[key].text or not cell.text) else cell
        table = _table(tab, head, has_keys=has_keys)
        if table is not None:
            lines = (*table.lines, *(f"{request_form.FEES} {reply}" for reply in charged))
            found.append(replace(table, lines=lines, sla=sla))
        elif tab.rows and not own and not _questions(tab):
            unread.append(tab.title)
    return Answer(tuple(found), tuple(unread), tuple(answers))


def _questions(tab: _Tab) -> dict[int, tuple[str, str]]:
    """Question and answer of the rows below the heading of the questions, by number, up to a blank row."""
    pairs: dict[int, tuple[str, str]] = {}
    is_numbered, is_within, before = False, False, 0
    for number, cells in tab.rows:
        texts = [text for value in cells if (text := cell_text(value).strip())]
        if tuple(texts) in (request_form.QUESTION_HEADINGS, request_form.OLD_QUESTION_HEADINGS):
            is_numbered, is_within = tuple(texts) == request_form.QUESTION_HEADINGS, True
            pairs = {number: ("", "")}
        elif is_within and texts and number == before + 1:
            asked = 1 if is_numbered and len(texts) > 1 else 0
            pairs[number] = texts[asked], " ".join(texts[3:] if is_numbered else texts[1:])
        else:
            is_within = False
        before = number
    return pairs


def _has_mark(path: Path) -> bool:
    """Whether the texts of a workbook hold what every request has."""
    with zipfile.ZipFile(path) as archive:
        parts = [part for part in archive.infolist() if _PARTS.fullmatch(part.filename)]
        if sum(part.file_size for part in parts) > _MOST_BYTES:
            return False
        return any(mark.encode() in archive.read(part).lower() for part in parts for mark in _MARKS)


def _tabs(source: Source) -> tuple[_Tab, ...]:
    """All sheets of a workbook, or a text file by the sign between fields under which it has most keys or headings."""
    if source.kind == XLSX:
        found: list[_Tab] = []
        marks = _marks_of(Path(source.at))
        with sheet_values(Path(source.at), source.path) as sheets:
            for title, numbered in sheets:
                rows = tuple(numbered)
                before = found[-1].line + (found[-1].rows[-1][0] if found[-1].rows else 0) if found else 0
                found.append(_Tab(title=title, rows=rows, line=before, is_text=False, marks=marks))
        return tuple(found)
    tabs = []
    for sign in DELIMITERS:
        with source.rows(sign) as opened:
            tabs.append(_Tab(title="", rows=tuple(opened), line=0, is_text=True))

    def told(tab: _Tab) -> int:
        """How many rows have a key or headings of ours."""
        return sum(
            _key_of(cells) is not None or len(_places(cells)) >= _HEADINGS_AT_LEAST for _, cells in tab.rows
        )

    return (max(tabs, key=told),)


def _marks_of(path: Path) -> CellMarks:
    """What a workbook has beside its values; nothing where that cannot be read: its values may be sound."""
    try:
        return cell_marks(path)
    except Exception:  # a damaged file fails in many ways
        return _NO_MARKS


def _table(tab: _Tab, head: Mapping[str, Cell], *, has_keys: bool) -> AnsweredTable | None:
    """The table of a tab; None where it has no headings, or no row of a request."""
    headed = max(tab.rows, key=lambda row: len(_places(row[1])), default=None)
    if (
        headed is None
        or len(places := _places(headed[1])) < _HEADINGS_AT_LEAST
        or not set(_TOLD_BY) & set(places)
    ):
        return None
    number_of_headings, headings = headed
    others = {
        cell_text(value).strip(): place
        for place, value in enumerate(headings)
        if place not in places.values() and value is not None and cell_text(value).strip()
    }
    rows: list[AnsweredRow] = []
    lines: list[str] = []
    strangers: list[AnsweredRow] = []
    questions = _questions(tab)
    for number, cells in tab.rows:
        if number in questions or number == number_of_headings or len(_places(cells)) >= _HEADINGS_AT_LEAST:
            continue
        key = _key_of(cells)
        by_column = {column: tab.cell(number, cells, place) for column, place in places.items()}
        named = _NUMBERED.fullmatch(by_column.get("request", Cell()).text)
        name = "" if named is None else named[1]
        is_known = key is not None or (not has_keys and named is not None)
        if not is_known and (
            number < number_of_headings or _is_line(cells) or sum(map(_is_filled, cells)) < 2
        ):
            said = " ".join(cell_text(value).strip() for value in cells if _is_filled(value))
            if said and not _is_line(cells) and not _is_ours(said):
                lines.append(said)
            continue
        if not is_known and _is_ours(next(cell_text(value).strip() for value in cells if _is_filled(value))):
            continue
        of_key = None if key is None else request_form.read_key(key)
        reference, row_name = of_key or (head.get("reference", Cell()).text.upper(), name.upper())
        alternative = row_name if row_name.startswith("A") else ""
        if alternative and not any(cell.text for cell in by_column.values() if cell.text != key):
            continue
        row = AnsweredRow(
            line=tab.line + number,
            reference=reference,
            name=name.upper() if alternative else row_name,
            key=key or "",
            cells=by_column,
            more={
                title: cell
                for title, place in others.items()
                if (cell := tab.cell(number, cells, place)).text
            },
            text=", ".join(text for value in cells if (text := cell_text(value).strip()) and text != key),
            says=request_form.asked_by(key or ""),
            alternative=alternative,
        )
        (rows if is_known else strangers).append(row)
    if not rows:
        return None
    lines += [row.text for row in strangers if not any(row.cell(key).text for key in _TOLD_BY)]
    currencies = {
        key: code
        for _, key in _MONEY
        if key in places and (code := currency_of(cell_text(headings[places[key]]))) is not None
    }
    is_old = any(isinstance(value, str) and bare(value) in _OLD_HEADINGS for value in headings)
    lacking = tuple(
        column.key
        for column in request_form.COLUMNS
        if column.who == "vendor"
        and column.key not in places
        and (column.key != "setup" if is_old else column.heading)
    )
    return AnsweredTable(
        title=tab.title,
        head=head,
        rows=tuple(rows),
        strangers=tuple(strangers),
        lacking=lacking,
        currency_of=currencies,
        is_text=tab.is_text,
        has_keys=has_keys,
        lines=tuple(lines),
    )


def _is_ours(text: str) -> bool:
    """Whether a text beside the table is one that a request has."""
    return text in request_form.WORDS_OF_QUOTE or text.startswith(request_form.OURS)


def _places(cells: Sequence[object]) -> dict[str, int]:
    """Where each of our columns stands in a row of headings; a heading of money may have a currency behind it, but
    nothing that makes its amounts others."""
    found: dict[str, int] = {}
    for place, value in enumerate(cells):
        name = bare(value) if isinstance(value, str) else ""
        key = _HEADINGS.get(name) or next(
            (
                key
                for begin, key in _MONEY
                if name.startswith(begin) and not _OTHERS.search(name[len(begin) :])
            ),
            None,
        )
        if key is not None:
            found.setdefault(key, place)
    return found


def _key_of(cells: Sequence[object]) -> str | None:
    """The hidden key of a row, wherever it stands; None where it has none."""
    return next(
        (cell for cell in cells if isinstance(cell, str) and request_form.read_key(cell) is not None), None
    )


def _head(tab: _Tab) -> dict[str, Cell]:
    """The lines of a tab: the cell behind each label, empty where nothing is filled in before the next label."""
    found: dict[str, Cell] = {}
    for number, cells in tab.rows:
        if len(_places(cells)) >= _HEADINGS_AT_LEAST or _key_of(cells) is not None:
            continue
        for place, label in _labels(cells):
            beside = replace(tab.cell(number, cells, place), text="")
            if not found.get(label, Cell()).text:
                found[label] = next(_behind(tab, number, cells, place), beside)
    return found


def _behind(tab: _Tab, number: int, cells: Sequence[object], place: int) -> Iterator[Cell]:
    """The filled cells behind a place of a row, up to the next label."""
    labels = {at for at, _ in _labels(cells)}
    for at in range(place + 1, len(cells)):
        if at in labels:
            return
        if _is_filled(cells[at]):
            yield tab.cell(number, cells, at)


def _labels(cells: Sequence[object]) -> list[tuple[int, str]]:
    """Where labels of ours stand in a row, and which."""
    return [
        (place, label)
        for place, value in enumerate(cells)
        if isinstance(value, str) and (label := _LABELS.get(bare(value))) is not None
    ]


def _is_line(cells: Sequence[object]) -> bool:
    """Whether a row is one of the lines around the table."""
    return bool(_labels(cells))


def _is_filled(value: object) -> bool:
    """Whether a cell holds anything."""
    return value is not None and bool(cell_text(value).strip())
