"""What people do to a book, done by LibreOffice itself (sort, insert, delete, type, paste), or as Excel sorts."""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from unittest.mock import patch

import openpyxl
from openpyxl.formula.translate import Translator

from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import column_letters
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.recalculate import profile

MACRO = Path(__file__).with_name("people.bas").read_text(encoding="utf-8")
_MODULE = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument '
    '1.0//EN" "module.dtd">\n<script:module xmlns:script="http://openoffice.org/2000/script" script:name="People" '
    'script:language="StarBasic">{}</script:module>'
)
_LIBRARY = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE library:library PUBLIC "-//OpenOffice.org//DTD OfficeDocument '
    '1.0//EN" "library.dtd">\n<library:library xmlns:library="http://openoffice.org/2000/library" '
    'library:name="Standard" library:readonly="false" library:passwordprotected="false">'
    '<library:element library:name="People"/></library:library>'
)


@dataclass(frozen=True, kw_only=True)
class Area:
    """A table of a book: zero-based, the first and last row below its headings and its first and last column."""

    title: str
    sheet: str
    first: int
    last: int
    left: int
    right: int

    @property
    def cells(self) -> str:
        """As A1:B2."""
        return f"{column_letters(self.left)}{self.first + 1}:{column_letters(self.right)}{self.last + 1}"


@dataclass(frozen=True)
class Deed:
    """One thing that somebody does to a book. what: a case of the macro; given: what it is told of it."""

    what: str
    sheet: str
    given: tuple[str, ...]


def book_with_tables(evaluation, path: Path) -> list[Area]:
    """Write a book; its tables that have rows, in the order of its writing."""
    found: list[Table] = []
    close = Book.close

    def closed(book: Book) -> None:
        found.extend(book.tables)
        close(book)

    with patch.object(Book, "close", closed):
        write_workbook(evaluation, path, 0)
    return [_area(table) for table in found if table.size]


def _area(table: Table) -> Area:
    columns = [table.column_of(field.key) for field in table.fields]
    title = table.watch.title or f"{table.sheet}: {table.fields[0].heading}"
    last = table.first_row + table.size - 1
    return Area(
        title=title,
        sheet=table.sheet,
        first=table.first_row,
        last=last,
        left=min(columns),
        right=max(columns),
    )


def sorted_by(area: Area, column: int, *, up: bool) -> Deed:
    """All of a table's rows by one column of the sheet."""
    return Deed("sort", area.sheet, (area.cells, str(column - area.left), "up" if up else "down"))


def inserted(area: Area) -> Deed:
    """A row in the middle of a table."""
    return Deed("insert", area.sheet, (str((area.first + area.last + 1) // 2),))


def deleted(area: Area, row: int) -> Deed:
    """A row of the sheet, zero-based."""
    return Deed("delete", area.sheet, (str(row),))


def typed(sheet: str, cells: Sequence[tuple[str, object]]) -> Deed:
    """Something into cells."""
    return Deed("type", sheet, tuple(str(part) for pair in cells for part in pair))


def written_in(sheet: str, cell: str, text: str) -> Deed:
    """A text into a cell, also where it looks like a number."""
    return Deed("write", sheet, (cell, text))


def copied_in(area: Area, row: int, before: int) -> Deed:
    """A row of the sheet inserted once more before another one; both zero-based."""
    return Deed("copy in", area.sheet, (str(row), str(before)))


def copied_to(area: Area, row: int, to: int) -> Deed:
    """A row of a table pasted over another row of the sheet; both zero-based."""
    cells = f"{column_letters(area.left)}{row + 1}:{column_letters(area.right)}{row + 1}"
    return Deed("copy", area.sheet, (cells, f"{column_letters(area.left)}{to + 1}"))


def moved_to(area: Area, row: int, to: int) -> Deed:
    """A row of a table cut out and put into another row of the sheet; both zero-based."""
    return replace(copied_to(area, row, to), what="move")


def carried_out(
    soffice: str, book: Path, folder: Path, deeds: Sequence[Deed], *, is_as_opened: bool = False
) -> list[Path]:
    """A copy of the book for each deed, as LibreOffice saved it after that; one start of the program for all.

    is_as_opened: in a program as it is installed, which works out what the deed touches and nothing else."""
    folder.mkdir(parents=True, exist_ok=True)
    targets = [folder / f"deed{number}.xlsx" for number in range(len(deeds))]
    lines = [
        "\t".join((str(book), str(target), deed.what, deed.sheet, *deed.given))
        for deed, target in zip(deeds, targets, strict=True)
    ]
    (folder / "deeds.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    kept = _with_macro(soffice, is_as_installed=is_as_opened)
    command = [soffice, f"-env:UserInstallation={kept.as_uri()}", "--headless", "--norestore"]
    command.append(f'macro:///Standard.People.Carry("{folder / "deeds.txt"}")')
    said = {**os.environ, "AS_OPENED": "yes"} if is_as_opened else None
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, env=said)
    missing = [deed for deed, target in zip(deeds, targets, strict=True) if not target.exists()]
    assert not missing, f"not carried out: {missing}: {(folder / 'deeds.txt.said').read_text()} {done.stderr}"
    return targets


def tried(
    soffice: str, book: Path, folder: Path, edits: Sequence[tuple[str, str, object]]
) -> list[list[str]]:
    """One edit after the other in one book, each taken back, in a program as it is installed, which works out what an
    edit touches and nothing else. edits: sheet, cell, what is typed. Of each: the cell, the line on inputs,
    and the areas that are errors then, "" where none is."""
    folder.mkdir(parents=True, exist_ok=True)
    told = [str(part) for edit in edits for part in edit]
    (folder / "edits.txt").write_text("\t".join((str(book), "-", "try", "-", *told)) + "\n", encoding="utf-8")
    kept = _with_macro(soffice, is_as_installed=True)
    command = [soffice, f"-env:UserInstallation={kept.as_uri()}", "--headless", "--norestore"]
    command.append(f'macro:///Standard.People.Carry("{folder / "edits.txt"}")')
    subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
    said = (folder / "edits.txt.said").read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in said if line]


@cache
def _with_macro(soffice: str, *, is_as_installed: bool) -> Path:
    """A profile that knows the macro; the program makes a profile its own at the first start."""
    kept = profile(is_as_installed=is_as_installed)
    subprocess.run(
        [
            soffice,
            f"-env:UserInstallation={kept.as_uri()}",
            "--headless",
            "--norestore",
            "--terminate_after_init",
        ],
        capture_output=True,
        timeout=300,
        check=False,
    )
    library = kept / "user" / "basic" / "Standard"
    library.mkdir(parents=True, exist_ok=True)
    escaped = MACRO.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    (library / "People.xba").write_text(_MODULE.format(escaped), encoding="utf-8")
    (library / "script.xlb").write_text(_LIBRARY, encoding="utf-8")
    return kept


def sorted_as_excel_does(book: Path, target: Path, area: Area, column: int, *, up: bool) -> Path:
    """A copy with a table's rows in another order: what is relative in a formula goes with it, all else stays."""
    values = openpyxl.load_workbook(book, data_only=True)[area.sheet]
    workbook = openpyxl.load_workbook(book)
    sheet = workbook[area.sheet]
    rows = range(area.first + 1, area.last + 2)
    order = sorted(rows, key=lambda row: _sort_key(values.cell(row, column + 1).value), reverse=not up)
    columns = range(area.left + 1, area.right + 2)
    kept = {(row, each): sheet.cell(row, each).value for row in rows for each in columns}
    for to, source in zip(rows, order, strict=True):
        for each in columns:
            value, at = kept[source, each], f"{column_letters(each - 1)}"
            if isinstance(value, str) and value.startswith("="):
                value = Translator(value, f"{at}{source}").translate_formula(f"{at}{to}")
            sheet.cell(to, each).value = value
    workbook.save(target)
    return target


def _sort_key(value: object) -> tuple[int, float, str]:
    """Numbers before text, empty cells last."""
    if value is None:
        return 2, 0.0, ""
    if isinstance(value, int | float):
        return 0, float(value), ""
    return 1, 0.0, str(value).lower()
