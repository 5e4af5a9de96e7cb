"""Requests of one sheet, as they were written before there were three, as vendors send them back: built by hand, for
tests of how answers are read. A round trip has those of today."""

import csv
import datetime
from collections.abc import Mapping, Sequence
from pathlib import Path

import openpyxl

from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.request.request_form import COLUMNS, HEAD, make_key
from tests.files.open_document_files import Value

REFERENCE = "RFQ-20260930-7C1E"
TITLE = "Request for quote"
_ORDER = (
    *("request", "key", "need", "gpu_model", "gpus", "term", "start", "until", "delivery", "interconnect"),
    *("memory", "bare_metal", "bid", "rate", "most", "least", "lead", "upfront", "sla", "valid_until"),
    *("earliest", "egress", "remark", "reply_by", "hold", "order"),
)
LABEL = {line.key: line.before or line.label for line in HEAD}
_HEADINGS = {column.key: column.before or column.heading for column in COLUMNS}
HEADING = {key: _HEADINGS[key] for key in _ORDER}
_OURS = ("buyer", "reference", "issued", "reply_by", "questions", "delivery", "payment", "validity", "sla")
_THEIRS = ("vendor", "quoted_on", "valid_until", "currency")
DAY = datetime.datetime
HEAD_VALUES: Mapping[str, Value] = {
    "buyer": "ACME",
    "reference": REFERENCE,
    "issued": DAY(2026, 9, 30),
    "reply_by": DAY(2026, 10, 14),
    "questions": "ACME",
    "delivery": "As each row says",
    "payment": "Monthly",
    "validity": "30 days from the reply-by day",
    "sla": "99.9% a month",
    "vendor": "Northlight",
    "quoted_on": DAY(2026, 10, 5),
    "valid_until": DAY(2026, 11, 30),
    "currency": "USD",
}
ASKED: Mapping[str, Value] = {
    "need": "firm",
    "gpu_model": "H100",
    "gpus": 64,
    "term": "12 months",
    "start": DAY(2026, 12, 1),
    "delivery": "any",
    "interconnect": "InfiniBand",
    "memory": "80 GB",
    "bare_metal": "yes",
}


def asked(name: str, reference: str = REFERENCE, **cells: Value) -> dict[str, Value]:
    """One row as it was asked, with what a vendor wrote, by the key of its column."""
    row: dict[str, Value] = {**ASKED, **{key: cells[key] for key in ASKED if key in cells}}
    texts = [str(row[key]) for key in ("gpu_model", "gpus", "term")]
    return {"request": name, "key": make_key(reference, name, texts), **row, **cells}


def sheet_of(
    rows: Sequence[Mapping[str, Value]],
    columns: Sequence[str] = tuple(HEADING),
    head: Mapping[str, Value] = HEAD_VALUES,
) -> list[list[Value]]:
    """The cells of a sheet: a title, the buyer's lines and the vendor's beside them, headings, rows."""
    ours, theirs = ([key for key in keys if key in head] for keys in (_OURS, _THEIRS))
    lines: list[list[Value]] = []
    for at in range(max(len(ours), len(theirs))):
        line: list[Value] = [None] * 8
        for keys, place in ((ours, 0), (theirs, 4)):
            if at < len(keys):
                line[place], line[place + 2] = LABEL[keys[at]], head[keys[at]]
        lines.append(line)
    table = [[row.get(key) for key in columns] for row in rows]
    return [[TITLE], [None], *lines, [None], [HEADING.get(key, key) for key in columns], *table]


def write_xlsx(path: Path, sheets: Mapping[str, Sequence[Sequence[Value]]]) -> Path:
    """A workbook of these sheets."""
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(list(row))
    book.save(path)
    return path


def write_text(path: Path, rows: Sequence[Sequence[Value]], delimiter: str = ",") -> Path:
    """A text file as a spreadsheet program writes it: days as ISO, with a decimal comma where ; parts the fields."""

    def text(value: Value) -> str:
        if isinstance(value, datetime.datetime):
            return value.date().isoformat()
        plain = "" if value is None else str(value)
        return plain.replace(".", ",") if delimiter == ";" and isinstance(value, float) else plain

    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=delimiter).writerows([[text(value) for value in row] for row in rows])
    return path


def read_row(tmp_path: Path, head: Mapping[str, Value] = HEAD_VALUES, **cells: Value) -> PricesRead:
    """What becomes of a workbook whose one row has these cells beside those that were asked."""
    rows = sheet_of([asked("R1", **cells)], head=head)
    return import_prices([str(write_xlsx(tmp_path / "answer.xlsx", {TITLE: rows}))])
