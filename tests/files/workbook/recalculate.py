"""Recalculate a workbook in LibreOffice, from scratch and without a window, and read what it says."""

import atexit
import re
import subprocess
import zipfile
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TypeAlias

import openpyxl

_RECALCULATE_ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""


@cache
def profile(*, is_as_installed: bool = False) -> Path:
    """A profile in which every formula is recalculated on load, whatever the cached values say; or one as installed, in
    which what an edit touches is worked out and nothing else.

    One for the process: the first start in a new profile takes longer than a recalculation does.
    """
    kept = TemporaryDirectory(prefix="gpuplanner-soffice-", ignore_cleanup_errors=True)
    atexit.register(kept.cleanup)
    user = Path(kept.name) / "user"
    user.mkdir()
    if not is_as_installed:
        (user / "registrymodifications.xcu").write_text(_RECALCULATE_ALWAYS, encoding="utf-8")
    return Path(kept.name)


@dataclass(frozen=True)
class Recalculator:
    """LibreOffice, which writes what it recalculated to a folder."""

    soffice: str
    folder: Path

    def recalculated(self, *books: Path) -> list[Path]:
        """The books, opened, recalculated and saved again elsewhere; one start of the program for all of them."""
        return self.converted("xlsx", *books)

    def converted(self, kind: str, *books: Path) -> list[Path]:
        """The books in another format, after a recalculation. kind: its ending, with the program's filter behind it."""
        target = self.folder / "recalculated"
        target.mkdir(parents=True, exist_ok=True)
        command = [self.soffice, f"-env:UserInstallation={profile().as_uri()}", "--headless"]
        command += ["--norestore", "--convert-to", kind, "--outdir", str(target), *map(str, books)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
        answers = [target / f"{book.stem}.{kind.partition(':')[0]}" for book in books]
        missing = [str(answer) for answer in answers if not answer.exists()]
        assert not missing, f"LibreOffice wrote no {missing}: {done.stdout} {done.stderr}"
        return answers


Cells: TypeAlias = "MappingProxyType[str, MappingProxyType[str, object]]"


@dataclass(frozen=True)
class _Read:
    """A book as it was read once: what its cells say by sheet, and where its named cells are."""

    cells: Cells
    names: MappingProxyType[str, tuple[str, str]]


def cells_of(book: Path) -> Cells:
    """What each sheet's cells say, by sheet and coordinate; empty cells left out."""
    return _read(book).cells


def names_of(book: Path) -> MappingProxyType[str, tuple[str, str]]:
    """Named cells: (sheet, coordinate) by name."""
    return _read(book).names


def _read(book: Path) -> _Read:
    state = book.stat()
    return _read_once(book, state.st_ino, state.st_size, state.st_mtime_ns)


@lru_cache(
    maxsize=8
)  # a book is asked for its cells, names and lights in turn, and reading is what takes long
def _read_once(book: Path, *_state: int) -> _Read:
    workbook = openpyxl.load_workbook(book, data_only=True, read_only=True)
    try:
        cells = {
            sheet.title: MappingProxyType(
                {
                    cell.coordinate: cell.value
                    for row in sheet.iter_rows()
                    for cell in row
                    if cell.value is not None
                }
            )
            for sheet in workbook.worksheets
        }
        names = {}
        for name, defined in workbook.defined_names.items():
            sheet, _, cell = defined.attr_text.partition("!")
            names[name] = (sheet.strip("'"), cell.replace("$", ""))
        return _Read(MappingProxyType(cells), MappingProxyType(names))
    finally:
        workbook.close()


def formulas_of(book: Path) -> Cells:
    """The formulas of each sheet, by coordinate."""
    state = book.stat()
    return _formulas_read_once(book, state.st_ino, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=4)
def _formulas_read_once(book: Path, *_state: int) -> Cells:
    workbook = openpyxl.load_workbook(book, read_only=True)
    try:
        return MappingProxyType(
            {
                sheet.title: MappingProxyType(
                    {
                        cell.coordinate: str(cell.value)
                        for row in sheet.iter_rows()
                        for cell in row
                        if cell.data_type == "f"
                    }
                )
                for sheet in workbook.worksheets
            }
        )
    finally:
        workbook.close()


def changed_copy(book: Path, target: Path, changes: dict[tuple[str, str], float | str]) -> Path:
    """A copy with other values in some cells, by (sheet, coordinate); everything else is kept to the byte."""
    with zipfile.ZipFile(book) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        names = re.findall(r'<sheet name="([^"]+)"', source.read("xl/workbook.xml").decode())
        parts = {f"xl/worksheets/sheet{number}.xml": name for number, name in enumerate(names, start=1)}
        for part in source.namelist():
            text = source.read(part)
            for (sheet, cell), value in changes.items():
                if parts.get(part) == sheet:
                    text = _with_cell(text.decode(), cell, value).encode()
            copy.writestr(part, text)
    return target


def _with_cell(sheet_xml: str, cell: str, value: float | str) -> str:
    style = re.search(rf'<c r="{cell}"( s="\d+")?', sheet_xml)
    assert style, f"no cell {cell}"
    new = f'<c r="{cell}"{style[1] or ""}><v>{value!r}</v></c>'
    if isinstance(value, str):
        new = f'<c r="{cell}"{style[1] or ""} t="inlineStr"><is><t>{value}</t></is></c>'
    changed, count = re.subn(rf'<c r="{cell}"[^>]*?(/>|>.*?</c>)', lambda _: new, sheet_xml, count=1)
    assert count == 1
    return changed
