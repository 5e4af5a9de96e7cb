"""Spreadsheets made to fill the memory: refused in words, in a process whose memory is watched; wide ones are read."""

import os
import subprocess
import sys
import warnings
import zipfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import openpyxl
import pytest
import xlsxwriter
from openpyxl.worksheet._reader import WorkSheetParser

from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.import_tables import import_contracts
from gpuplanner.files.importing.recognise import recognise
from gpuplanner.files.sources.spreadsheet import sheet_rows
from tests.files.flips import flipped

MEMORY_AT_MOST_MB = 600
READ_AND_MEASURE = """
import sys
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.importing.check import check_file
from tests.files.peak_memory import peak_mb
for path in sys.argv[1:]:
    try:
        file = check_file(path)[0]
        print(f"read {file.rows_accepted} {[issue.message for issue in file.issues]}")
    except PlannerError as error:
        print(f"refused {error.code} {error.what}; {error.remedy}")
    print(peak_mb())
"""
"""Two lines a file: what became of it, and the most memory so far."""
SHEET = "xl/worksheets/sheet1.xml"
HEAD = (
    '<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>'
    + '<row r="1"><c r="A1" t="inlineStr"><is><t>contract_id</t></is></c><c r="B1" t="inlineStr"><is><t>gpus</t></is>'
    + '</c><c r="C1" t="inlineStr"><is><t>start</t></is></c></row>'
    + '<row r="2"><c r="A2" t="inlineStr"><is><t>k</t></is></c><c r="B2"><v>8</v></c>'
    + '<c r="C2" t="inlineStr"><is><t>2026-01-01</t></is></c></row>'
).encode()
TAIL = b"</sheetData></worksheet>"


def _noise() -> bytes:
    """A megabyte that packs to about a half."""
    state, found = 1, bytearray()
    while len(found) < 2**20:
        state = state * 6364136223846793005 + 1442695040888963407 & 2**64 - 1
        found += f"{state:016x}".encode()
    return bytes(found[: 2**20])


def _pieces(begin: bytes, piece: bytes, times: int, end: bytes) -> Iterator[bytes]:
    yield begin
    for _ in range(times):
        yield piece
    yield end


def _book_with(path: Path, part: str, pieces: Iterator[bytes]) -> None:
    """A workbook of which one part is made of these pieces."""
    plain = path.with_suffix(".plain")
    with xlsxwriter.Workbook(plain) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["contract_id", "gpus", "start"])
        sheet.write_row(1, 0, ["k", 8, "2026-01-01"])
    packed = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1)
    with zipfile.ZipFile(plain) as source, packed as target:
        for name in source.namelist():
            with target.open(name, "w", force_zip64=True) as content:
                for piece in pieces if name == part else [source.read(name)]:
                    content.write(piece)
    plain.unlink()


def _far_away(path: Path) -> None:
    row = b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'
    _book_with(path, SHEET, _pieces(HEAD, row, 1, TAIL))


def _beyond_every_sheet(path: Path) -> None:
    row = b'<row r="999999999999"><c r="A999999999999"><v>1</v></c></row>'
    _book_with(path, SHEET, _pieces(HEAD, row, 1, TAIL))


def _two_gigabytes_of_blanks(path: Path) -> None:
    _book_with(path, SHEET, _pieces(HEAD, b" " * 2**22, 520, TAIL))


def _one_long_cell(path: Path) -> None:
    begin = HEAD + b'<row r="3"><c r="A3" t="inlineStr"><is><t>'
    _book_with(path, SHEET, _pieces(begin, _noise(), 60, b"</t></is></c></row>" + TAIL))


def _one_long_row(path: Path) -> None:
    cells = b"".join(b'<c r="A3"><v>%d</v></c>' % (number * 7919 % 99991) for number in range(20_000))
    _book_with(path, SHEET, _pieces(HEAD + b'<row r="3">', cells, 20, b"</row>" + TAIL))


def _many_texts(path: Path) -> None:
    texts = b"".join(b"<si><t>%d</t></si>" % (number * 7919 % 99991) for number in range(50_000))
    begin = b'<?xml version="1.0"?><sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">'
    _book_with(path, "xl/sharedStrings.xml", _pieces(begin, texts, 80, b"</sst>"))


def _many_styles(path: Path) -> None:
    xf = b'<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' * 1000
    begin = b'<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><cellXfs>'
    _book_with(path, "xl/styles.xml", _pieces(begin, xf, 150, b"</cellXfs></styleSheet>"))


BOMBS: dict[str, tuple[Callable[[Path], None], str]] = {
    "a cell at XFD1048576": (_far_away, "row 1,048,576 has a value in column 16,384"),
    "a row past the last": (_beyond_every_sheet, "too many rows in a sheet"),
    "2 GB of blanks": (_two_gigabytes_of_blanks, "would unpack to 2,0"),
    "one long cell": (_one_long_cell, "a cell has more text than allowed"),
    "one long row": (_one_long_row, "a row has more cells than a sheet allows"),
    "many texts": (_many_texts, "sharedStrings.xml"),
    "many styles": (_many_styles, "styles.xml"),
}


LARGE = "2 GB of blanks"


@pytest.mark.parametrize(
    "names", [tuple(name for name in BOMBS if name != LARGE), pytest.param((LARGE,), marks=pytest.mark.long)]
)
def test_bombs_are_refused_in_words_and_memory_stays_small(tmp_path: Path, names: tuple[str, ...]) -> None:
    """One process reads them all: its peak is that of the worst."""
    paths = [tmp_path / f"book {number}.xlsx" for number in range(len(names))]
    for name, path in zip(names, paths, strict=True):
        BOMBS[name][0](path)
    command = [sys.executable, "-c", READ_AND_MEASURE, *map(str, paths)]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    lines = subprocess.check_output(command, text=True, env=environment).splitlines()
    for name, said, memory_mb in zip(names, lines[::2], lines[1::2], strict=True):
        assert said.startswith("refused file_unreadable"), name
        assert BOMBS[name][1] in said, name
        assert int(memory_mb) < MEMORY_AT_MOST_MB, name


def test_three_hundred_columns_are_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append([*(f"extra {number}" for number in range(297)), "contract_id", "gpus", "start"])
    book.active.append([*["x"] * 297, "k", 8, "2026-01-01"])
    book.save(tmp_path / "wide.xlsx")
    (contract,) = import_contracts([str(tmp_path / "wide.xlsx")]).contracts
    assert (contract.contract_id, contract.gpus) == ("k", 8.0)


@pytest.mark.long
def test_a_table_on_a_late_sheet_is_found(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for number in range(40):
        book.create_sheet(f"notes {number}").append(["nothing here"])
    sheet = book.create_sheet("GPUs", 30)
    sheet.append(["Vendor", "GPU type", "Qty", "Rate", "Start"])
    sheet.append(["A", "H100", 8, 2.5, "2026-01-01"])
    book.save(tmp_path / "many.xlsx")
    assert recognise(str(tmp_path / "many.xlsx")).kind == "contracts"
    read = import_contracts([str(tmp_path / "many.xlsx")])
    assert [contract.rate for contract in read.contracts] == [2.5]
    (issue,) = [issue for issue in read.intake[0].issues if issue.code == "other_sheets"]
    assert issue.count == 41  # the first sheet is empty, and is one of them
    assert "“GPUs” was read" in str(issue.message)


JOBS = "job_id,gpus,start,end\n1,8,2026-01-01T00:00:00Z,2026-01-01T10:00:00Z\n"


def _formatted(path: Path, rows: int) -> None:
    """A log of one job, its cells coloured down to a row far behind it."""
    book = xlsxwriter.Workbook(path)
    sheet, yellow = book.add_worksheet(), book.add_format({"bg_color": "yellow"})
    sheet.data_validation("A1", {"validate": "list", "source": ["formula"]})
    for row, line in enumerate(JOBS.splitlines()):
        sheet.write_row(row, 0, line.split(","))
    for row in range(2, rows):
        sheet.write_blank(row, 0, None, yellow)
    book.close()


def test_rows_that_are_merely_formatted_cost_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[object] = []
    parse_row = WorkSheetParser.parse_row
    monkeypatch.setattr(
        WorkSheetParser, "parse_row", lambda self, row: parsed.append(row) or parse_row(self, row)
    )
    _formatted(tmp_path / "a.xlsx", 5_000)
    with sheet_rows(tmp_path / "a.xlsx", "a.xlsx") as rows:
        assert [number for number, _ in rows] == [1, 2]
    assert len(parsed) <= 3


@pytest.mark.long
def test_what_a_library_warns_of_stays_off_the_terminal(tmp_path: Path) -> None:
    path, warns = tmp_path / "a.xlsx", tmp_path / "b.xlsx"
    _formatted(path, 2)
    with zipfile.ZipFile(path) as given, zipfile.ZipFile(warns, "w") as out:
        for name in given.namelist():
            text = given.read(name)
            if name.endswith("sheet1.xml"):  # what Excel writes of a list on another sheet
                known = b'<extLst><ext uri="{CCE6A557-97BC-4b89-ADB6-D9C93CAAB3DF}"/></extLst></worksheet>'
                text = text.replace(b"</worksheet>", known)
            out.writestr(name, text)
    said = subprocess.run(
        [sys.executable, "-m", "gpuplanner", "check", warns], capture_output=True, check=True, timeout=120
    )
    assert b"Warning" not in said.stderr


def _rows_of(path: Path) -> list[tuple[int, list[str]]]:
    with sheet_rows(path, "a.xlsx") as rows:
        return list(rows)


@pytest.mark.parametrize("flips", [60, pytest.param(2_000, marks=pytest.mark.long)])
def test_no_flipped_bit_of_a_sheet_gives_other_cells(tmp_path: Path, flips: int) -> None:
    """What vendors answered, price lists and contracts come as sheets."""
    path = tmp_path / "a.xlsx"
    _formatted(path, 2_000)
    given, whole = _rows_of(path), path.read_bytes()
    for number, content in enumerate(flipped(whole, flips)):
        path = tmp_path / f"{number % 2}.xlsx"
        path.write_bytes(content)
        with suppress(PlannerError), warnings.catch_warnings(action="ignore"):
            assert _rows_of(path) == given
