"""Recalculate a workbook in LibreOffice, from scratch and without a window, and read what it says."""

import atexit
import contextlib
import os
import re
import signal
import subprocess
import time
import zipfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, TypeAlias

import openpyxl

_RECALCULATE_ALWAYS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"
 xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item>
</oor:items>
"""


def new_profile(*, is_as_installed: bool = False) -> Path:
    """A profile in which every formula is recalculated on load, whatever the cached values say; or one as installed, in
    which what an edit touches is worked out and nothing else.
    """
    kept = TemporaryDirectory(prefix="gpuplanner-soffice-", ignore_cleanup_errors=True)
    atexit.register(kept.cleanup)
    user = Path(kept.name) / "user"
    user.mkdir()
    if not is_as_installed:
        (user / "registrymodifications.xcu").write_text(_RECALCULATE_ALWAYS, encoding="utf-8")
    return Path(kept.name)


profile = cache(new_profile)
"""One for the process: the first start in a new profile takes longer than a recalculation does."""
PATIENCE_S = (60, 120, 600)
"""With a book, of one program after another."""
_UNTIL_LEFT = '("$@"; kill 0) & cat; kill 0'
"""Of a shell: a program, until it ends or whoever holds the shell's input does, however that one ends."""


@cache
def at_hand(soffice: str) -> tuple[Path, subprocess.Popen[bytes]]:
    """A program that stays, since it has a book open, and its profile: a call there is passed on to it, and takes as
    long as its work; a start of its own takes over a second of a processor.
    """
    kept = new_profile()
    book = kept / "open.xlsx"
    openpyxl.Workbook().save(book)
    command = ["sh", "-c", _UNTIL_LEFT, "sh", soffice, f"-env:UserInstallation={kept.as_uri()}"]
    command += ["--headless", "--norestore", str(book)]
    quiet = {"stdin": subprocess.PIPE, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    office = subprocess.Popen(command, cwd=kept, start_new_session=True, **quiet)
    for _ in range(3000):
        if (kept / f".~lock.{book.name}#").exists() or office.poll() is not None:
            break
        time.sleep(0.1)
    return kept, office


def _answered(
    soffice: str, asked: Sequence[str], patience_s: Sequence[float]
) -> subprocess.CompletedProcess[str]:
    """What the program at hand says to a call. One that does not answer is ended, and another is asked: it may have
    been called before it was ready, and it then waits for ever.
    """
    kept, office = at_hand(soffice)
    command = [soffice, f"-env:UserInstallation={kept.as_uri()}", "--headless", *asked]
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=patience_s[0], check=False)
    except subprocess.TimeoutExpired:
        at_hand.cache_clear()
        with office, contextlib.suppress(ProcessLookupError):
            os.killpg(office.pid, signal.SIGKILL)
        if len(patience_s) == 1:
            raise
    return _answered(soffice, asked, patience_s[1:])


@dataclass(frozen=True)
class Recalculator:
    """LibreOffice, which writes what it recalculated to a folder."""

    soffice: str
    folder: Path

    def recalculated(self, *books: Path) -> list[Path]:
        """The books, opened, recalculated and saved again elsewhere; one call of the program for all of them."""
        return self.converted("xlsx", *books)

    def converted(self, kind: str, *books: Path) -> list[Path]:
        """The books in another format, after a recalculation. kind: its ending, with the program's filter behind it."""
        target = self.folder / "recalculated"
        target.mkdir(parents=True, exist_ok=True)
        asked = ["--norestore", "--convert-to", kind, "--outdir", str(target), *map(str, books)]
        done = _answered(self.soffice, asked, [patience_s * len(books) for patience_s in PATIENCE_S])
        answers = [target / f"{book.stem}.{kind.partition(':')[0]}" for book in books]
        missing = [str(answer) for answer in answers if not answer.exists()]
        assert not missing, f"LibreOffice wrote no {missing}: {done.stdout} {done.stderr}"
        return answers


Cells: TypeAlias = Mapping[str, Mapping[str, object]]


class _Sheets(Mapping[str, Mapping[str, object]]):
    """What each sheet of a book has in its cells, read when it is first asked for: most ask for one of thirty."""

    def __init__(self, book: Path, value_of: Callable[[Any], object], *, data_only: bool) -> None:
        """value_of: what stands for a cell; None: it is left out."""
        self._workbook = openpyxl.load_workbook(
            BytesIO(book.read_bytes()), read_only=True, data_only=data_only
        )
        self._sheets = {sheet.title: sheet for sheet in self._workbook.worksheets}
        self._value_of = value_of
        self._read: dict[str, Mapping[str, object]] = {}

    def __getitem__(self, title: str) -> Mapping[str, object]:
        if title not in self._read:
            cells = (cell for row in self._sheets[title].iter_rows() for cell in row)
            values = ((cell, self._value_of(cell)) for cell in cells)
            self._read[title] = MappingProxyType(
                {cell.coordinate: value for cell, value in values if value is not None}
            )
        return self._read[title]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sheets)

    def __len__(self) -> int:
        return len(self._sheets)

    def names(self) -> dict[str, tuple[str, str]]:
        """Named cells: (sheet, coordinate) by name."""
        found = (
            (name, defined.attr_text.partition("!")) for name, defined in self._workbook.defined_names.items()
        )
        return {name: (sheet.strip("'"), cell.replace("$", "")) for name, (sheet, _, cell) in found}


def cells_of(book: Path) -> Cells:
    """What each sheet's cells say, by sheet and coordinate; empty cells left out."""
    return _read_once(book, True, *_state(book))


def names_of(book: Path) -> Mapping[str, tuple[str, str]]:
    """Named cells: (sheet, coordinate) by name."""
    return _read_once(book, True, *_state(book)).names()


def formulas_of(book: Path) -> Cells:
    """The formulas of each sheet, by coordinate."""
    return _read_once(book, False, *_state(book))


def _state(book: Path) -> tuple[int, int, int]:
    state = book.stat()
    return state.st_ino, state.st_size, state.st_mtime_ns


@lru_cache(maxsize=8)  # a book is asked for its cells, names and lights in turn
def _read_once(book: Path, of_values: bool, *_: int) -> _Sheets:
    return _Sheets(book, _value if of_values else _formula, data_only=of_values)


def _value(cell: Any) -> object:
    return cell.value


def _formula(cell: Any) -> str | None:
    return str(cell.value) if cell.data_type == "f" else None


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
