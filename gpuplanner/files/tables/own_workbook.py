"""The workbook of a plan read back: its lists of contracts and offers, as tables with our own columns."""

import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from html import unescape
from itertools import islice
from pathlib import Path
from posixpath import basename, dirname, join, normpath
from typing import Any, Final

from gpuplanner.domain.model.book.exchange import USD, in_money
from gpuplanner.files.sources.source import XLSX, Source, as_csv
from gpuplanner.files.sources.spreadsheet import CONTENT, is_open_document, sheet_rows
from gpuplanner.files.system.resources import rows_as
from gpuplanner.files.tables.fields import DOLLARS
from gpuplanner.files.tables.layout import SAMPLE_ROWS
from gpuplanner.files.values.amounts import CODES
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """A row of resources/own_workbook.csv: by what a workbook of ours and its lists are known, in any layout so far.

    mark: name (a named cell that every workbook has), table or sheet (of the list of a kind, the first that is there),
    heading (of a column, with the field that it holds), unknown (a text that stands for an empty cell, of a field or of
    any). kind: contracts or prices; empty for both.
    """

    kind: str
    mark: str
    text: str
    field: str


_MARKS: Final = rows_as(_Mark, "own_workbook.csv")
KINDS: Final = tuple(dict.fromkeys(mark.kind for mark in _MARKS if mark.kind))
"""The kinds of lists that a workbook has."""

AT_EXPORT, SIGNED = "end_at_export", "end_signed"
"""The end of a contract that the plan counted with, and the one that it states: that counts while nobody changed it."""
PART_OF, MODELS = "part_of", "models_of_dollars"
"""The commitment in dollars of which a row is a part, and its GPU models."""
BESIDE: Final = (AT_EXPORT, SIGNED, PART_OF, MODELS)
"""Columns that change what others hold, and are no fields themselves."""

_HEADINGS_AT_LEAST: Final = 5
_HEADING_ROWS: Final = 60
_CHUNK_BYTES: Final = 2**20
_LONGEST_TAG_BYTES: Final = 2**12
_OPEN_SHEET: Final = lazy_re(rb'<table:table\s[^<>]*?table:name="([^"]*)"')
_OPEN_NAME: Final = lazy_re(rb'<table:named-range\s[^<>]*?table:name="([^"]*)"')
_MAIN: Final = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_OF_DOCUMENT: Final = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_RELATIONSHIP: Final = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"


@dataclass(frozen=True, slots=True)
class OwnWorkbook:
    """sheets: the names of all, in order; lists: kind and sheet of each list that is there."""

    sheets: tuple[str, ...]
    lists: tuple[tuple[str, str], ...]

    def kind_of(self, sheet: str) -> str | None:
        """The kind of the list on a sheet, of the first list without a sheet; None where it has none."""
        return next((kind for kind, name in self.lists if sheet in ("", name)), None)


def own_workbook(source: Source) -> OwnWorkbook | None:
    """What a file is as a workbook that we wrote, whoever saved it since; None where it is none.

    Its named cells tell, never its name or what its sheets hold.
    """
    if source.kind != XLSX:
        return None
    try:
        stat = Path(source.at).stat()
        return _own_workbook(source.at, stat.st_size, stat.st_mtime_ns)
    except Exception:  # a damaged file fails in many ways; whoever reads its rows says so
        return None


@lru_cache(maxsize=16)
def _own_workbook(path: str, size: int, changed_ns: int) -> OwnWorkbook | None:
    """As `own_workbook`; size and changed_ns say which state of the file it is."""
    with zipfile.ZipFile(path) as archive:
        outline = _of_open_document(archive) if is_open_document(archive) else _of_xlsx(archive)
    if not outline.names.issuperset(mark.text for mark in _MARKS if mark.mark == "name"):
        return None
    lists = {
        kind: next((sheet for mark in _MARKS if (sheet := _sheet_of(mark, kind, outline))), "")
        for kind in KINDS
    }
    return OwnWorkbook(outline.sheets, tuple((kind, sheet) for kind, sheet in lists.items() if sheet))


@dataclass(frozen=True, slots=True)
class _Outline:
    """What a workbook names: its sheets in order, its named cells, and the sheets of its tables by their names."""

    sheets: tuple[str, ...]
    names: frozenset[str]
    tables: Mapping[str, str]


def _of_xlsx(archive: zipfile.ZipFile) -> _Outline:
    """The outline of an XLSX. Errors: as its parts are damaged."""
    main = next(name for name in archive.namelist() if name.lower().endswith("workbook.xml"))
    root, targets = _parsed(archive, main), dict(_targets(archive, main))
    parts = {
        sheet.get("name", ""): targets[sheet.get(f"{_OF_DOCUMENT}id")] for sheet in root.iter(f"{_MAIN}sheet")
    }
    return _Outline(
        sheets=tuple(parts),
        names=frozenset(name.get("name", "") for name in root.iter(f"{_MAIN}definedName")),
        tables={table: name for name, part in parts.items() for table in _tables_of(archive, part)},
    )


def _of_open_document(archive: zipfile.ZipFile) -> _Outline:
    """The outline of an ODS, whose tables have no names of their own. Errors: as its content is damaged."""
    sheets, names, tail = dict[str, None](), set[str](), b""
    with archive.open(CONTENT) as content:
        while chunk := content.read(_CHUNK_BYTES):
            text = tail + chunk
            sheets |= dict.fromkeys(unescape(name.decode()) for name in _OPEN_SHEET.findall(text))
            names.update(unescape(name.decode()) for name in _OPEN_NAME.findall(text))
            tail = text[-_LONGEST_TAG_BYTES:]
    return _Outline(tuple(sheets), frozenset(names), {})


def _sheet_of(mark: _Mark, kind: str, outline: _Outline) -> str:
    """The sheet that a mark finds for a kind; empty where it finds none."""
    if mark.kind != kind:
        return ""
    if mark.mark == "table":
        return outline.tables.get(mark.text, "")
    return mark.text if mark.mark == "sheet" and mark.text in outline.sheets else ""


def _tables_of(archive: zipfile.ZipFile, sheet: str) -> Iterator[str]:
    """The names of the tables on a sheet, told by its part."""
    for _, part in _targets(archive, sheet):
        if "/tables/" in part:
            yield _parsed(archive, part).get("displayName", "")


def _targets(archive: zipfile.ZipFile, part: str) -> Iterator[tuple[str, str]]:
    """The parts that a part refers to inside the archive, by their ids."""
    listed = f"{dirname(part)}/_rels/{basename(part)}.rels"
    if listed not in archive.namelist():
        return
    for relation in _parsed(archive, listed).iter(_RELATIONSHIP):
        if relation.get("TargetMode") != "External":
            target = relation.get("Target", "")
            yield relation.get("Id", ""), normpath(join("/", dirname(part), target)).lstrip("/")


def _parsed(archive: zipfile.ZipFile, part: str) -> Any:
    """The root of a part, without trusting its XML."""
    from defusedxml.ElementTree import fromstring

    return fromstring(archive.read(part))


def own_list(source: Source, kind: str) -> Source | None:
    """The list of a kind in a workbook of ours as a table with our own columns; None where a file has none.

    The rows keep their numbers. A sheet that the path names counts only where it is that list; without headings of ours
    the table has no rows and no fields. Errors: PlannerError file_unreadable.
    """
    book = own_workbook(source) if source.opened is None else None
    sheet = dict(book.lists).get(kind) if book is not None else None
    return _own_list(source, kind, sheet) if sheet is not None and source.sheet in ("", sheet) else None


@lru_cache(maxsize=8)
def _own_list(source: Source, kind: str, sheet: str) -> Source:
    """As `own_list`, of a sheet that is there; kept, for it is asked more than once."""
    with sheet_rows(Path(source.at), source.path, sheet) as rows:
        table = _translated(rows, kind)
    head = as_csv(cells for _, cells in table[: SAMPLE_ROWS // 10])
    return replace(source, sheet=sheet, head=head, opened=partial(_opened, table), lines=table[-1][0])


@contextmanager
def _opened(table: Sequence[tuple[int, list[str]]]) -> Iterator[Iterator[tuple[int, list[str]]]]:
    """The rows with their numbers."""
    yield iter(table)


def _translated(rows: Iterator[tuple[int, list[str]]], kind: str) -> list[tuple[int, list[str]]]:
    """The list below its headings, which are our columns then, to the first row that is blank.

    Free rows, which wait for entries, are left out.
    """
    headed = ((number, *_places(cells, kind)) for number, cells in islice(rows, _HEADING_ROWS))
    lists = (heading for heading in headed if len(heading[2]) >= _HEADINGS_AT_LEAST)
    number, currency, places = next(lists, (1, USD, dict[int, str]()))
    empty = dict.fromkeys(places.values(), "")
    fields = [field for field in empty if field not in BESIDE]
    table = [(number, [*fields, "currency"])]
    unknown = {
        (mark.text, mark.field) for mark in _MARKS if mark.mark == "unknown" and mark.kind in ("", kind)
    }
    commitments: set[str] = set()
    for below, (line, cells) in enumerate(rows, number + 1):
        if line != below:
            break
        texts = {**empty}
        for place, field in places.items():
            text = cells[place].strip() if place < len(cells) else ""
            is_unknown = not unknown.isdisjoint(((text, ""), (text, field)))
            texts[field] = texts[field] or ("" if is_unknown else text)
        entry = _entry(texts, commitments)
        if any(entry.values()):
            table.append((line, [*(entry[field] for field in fields), currency]))
    return table


def _entry(texts: dict[str, str], commitments: set[str]) -> dict[str, str]:
    """The texts of a row by field as its contract or offer states them; none for what is no contract.

    A part of a commitment in dollars stands for the whole, once; a part of an order of the plan for nothing.
    commitments: the names of those that came before; the row's is added.
    """
    if AT_EXPORT in texts and texts.get("end") == texts[AT_EXPORT]:
        texts["end"] = texts.get(SIGNED, "")
    commitment = texts.get(PART_OF, "")
    if not commitment:
        return texts
    if commitment in commitments or not texts.get(DOLLARS):
        return {}
    commitments.add(commitment)
    models = texts.get(MODELS, "")
    of_part = dict.fromkeys(("cluster", "gpus", "rate_usd_per_gpu_hour"), "")
    return {**texts, **of_part, "contract_id": commitment, "gpu_model": models}


def _places(headings: Sequence[str], kind: str) -> tuple[str, dict[int, str]]:
    """The currency that headings name, and the field of each column that holds one."""
    fields = {mark.text: mark.field for mark in _MARKS if (mark.kind, mark.mark) == (kind, "heading")}
    best: tuple[str, dict[int, str]] = (USD, {})
    for code in CODES:
        named = {in_money(heading, code): field for heading, field in fields.items()}
        places = {place: named[text] for place, text in enumerate(headings) if text in named}
        if len(places) > len(best[1]):
            best = code, places
    return best
