"""Rows of a spreadsheet somebody sent us: as text, within limits, without trusting its XML."""

import datetime
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from gpuplanner.domain.model.errors import PlannerError

_PARTS_AT_MOST: Final = 10_000
_UNPACKED_BYTES_AT_MOST: Final = 2 * 2**30
_PART_BYTES_AT_MOST: Final = 2**30
_SHARED_TEXT_BYTES_AT_MOST: Final = 256 * 2**20  # sheets are read row by row, but this part is held in memory
_SUSPICIOUS_ABOVE_BYTES: Final = 20 * 2**20
_RATIO_AT_MOST: Final = 200
_COLUMNS_AT_MOST: Final = 1024
_EXPORT_AGAIN: Final = "open it in the spreadsheet program and save it again as XLSX or CSV"


@contextmanager
def sheet_rows(path: Path, where: str, sheet: str = "") -> Iterator[Iterator[tuple[int, list[str]]]]:
    """Every row that is not blank of a sheet, or of the first that has any, as (row number from 1, cells as text).

    Errors: PlannerError truncated_file where the end is missing, file_unreadable where it is no workbook or
    unpacks to more than it should.
    """
    with _opened(path, where) as workbook:
        yield _rows([one for one in workbook.worksheets if sheet in ("", one.title)], where)


def sheet_names(path: Path, where: str) -> tuple[str, ...]:
    """The names of a workbook's sheets. Errors: as sheet_rows."""
    with _opened(path, where) as workbook:
        return tuple(sheet.title for sheet in workbook.worksheets)


@contextmanager
def _opened(path: Path, where: str) -> Iterator[Any]:
    check_archive(path, where)
    import openpyxl

    with path.open("rb") as file:  # ours to close: openpyxl leaves it open where it fails
        try:
            workbook = openpyxl.load_workbook(file, read_only=True, data_only=True, keep_links=False)
        except Exception as fault:  # a hostile file may fail in any way; the planner needs one sentence
            what = f"it is no sound workbook ({_short(fault)})"
            raise PlannerError(where, "file_unreadable", what, _EXPORT_AGAIN) from fault
        try:
            yield workbook
        finally:
            workbook.close()


def _rows(sheets: Iterable[Any], where: str) -> Iterator[tuple[int, list[str]]]:
    try:
        for sheet in sheets:
            sheet.reset_dimensions()  # what the file claims about its size is not to be trusted
            is_empty = True
            for number, cells in enumerate(sheet.iter_rows(values_only=True), 1):
                texts = [_text(cell) for cell in cells[:_COLUMNS_AT_MOST]]
                if any(texts):
                    is_empty = False
                    yield number, texts
            if not is_empty:
                return
    except Exception as fault:
        what = f"a sheet cannot be read ({_short(fault)})"
        raise PlannerError(where, "file_unreadable", what, _EXPORT_AGAIN) from fault


def check_archive(path: Path, where: str) -> None:
    """Errors: PlannerError where the archive is cut off, no workbook, or packed suspiciously tight."""
    try:
        with zipfile.ZipFile(path) as archive:
            parts = archive.infolist()
    except (zipfile.BadZipFile, EOFError, ValueError, NotImplementedError) as fault:
        raise PlannerError(
            where,
            "truncated_file",
            "its end is missing, so nothing in it can be read",
            "copy or download it again",
        ) from fault
    if not any(part.filename.lower().endswith("workbook.xml") for part in parts):
        raise PlannerError(
            where,
            "file_unreadable",
            "it is an archive, not a workbook",
            "unpack it and give the files inside",
        )
    unpacked = sum(part.file_size for part in parts)
    is_bomb = (
        len(parts) > _PARTS_AT_MOST
        or unpacked > _UNPACKED_BYTES_AT_MOST
        or any(
            part.file_size > _PART_BYTES_AT_MOST
            or (
                part.filename.lower().endswith("sharedstrings.xml")
                and part.file_size > _SHARED_TEXT_BYTES_AT_MOST
            )
            or (
                part.file_size > _SUSPICIOUS_ABOVE_BYTES
                and part.file_size > _RATIO_AT_MOST * max(1, part.compress_size)
            )
            for part in parts
        )
    )
    if is_bomb:
        raise PlannerError(
            where,
            "file_unreadable",
            f"it would unpack to {unpacked / 2**20:,.0f} MB, far more than a table of this size holds",
            "save the table as CSV if you trust where it comes from",
        )


def _text(cell: object) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, float):
        return str(int(cell)) if cell.is_integer() and abs(cell) < 1e15 else repr(cell)
    if isinstance(cell, datetime.datetime):
        return cell.isoformat(timespec="seconds")
    if isinstance(cell, datetime.date | datetime.time):
        return cell.isoformat()
    if isinstance(cell, datetime.timedelta):
        return str(int(cell.total_seconds()))
    return str(cell)


def _short(fault: Exception) -> str:
    return (str(fault).splitlines() or [""])[0][:120] or type(fault).__name__
