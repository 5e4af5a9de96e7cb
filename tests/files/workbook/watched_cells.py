"""The watched cells of a book, read from the formulas of its list of inputs as exported."""

import re
from dataclasses import dataclass

import openpyxl
from openpyxl.cell.cell import MergedCell
from openpyxl.utils import get_column_letter, range_boundaries

YELLOW = "FFFFF4B8"
GREY = "FFE4E7EC"
_OWN_COUNTS = re.compile(r"(?<![!\w$])\$C\$(\d+):\$C\$(\d+)")
_AREA = re.compile(r"('[^']+'|\w+)!(\$?[A-Z]+\$?\d+(?::\$?[A-Z]+\$?\d+)?)")


@dataclass(frozen=True, kw_only=True)
class WatchedBook:
    """inputs, fixed: unlocked and grey cells by sheet. watched: areas (left, top, right, bottom) by sheet.

    rows: of the list that can change, with the areas that each reads; counted: of these, those that checks add up.
    """

    inputs: dict
    yellow: dict
    fixed: dict
    watched: dict
    rows: dict
    counted: set
    lights: set

    def unwatched(self, cells):
        """Those of some cells (by sheet) that no area holds."""
        return [
            (sheet, cell.coordinate)
            for sheet, own in cells.items()
            for cell in own
            if not self._holds(sheet, cell)
        ]

    def _holds(self, sheet, cell):
        return any(
            left <= cell.column <= right and top <= cell.row <= bottom
            for left, top, right, bottom in self.watched.get(sheet, ())
        )


def fill_of(cell):
    """The color that a cell is filled with; None without one."""
    return cell.fill.fgColor.rgb if cell.fill.fill_type == "solid" else None


def watched_book(path):
    """The book at a path."""
    book = openpyxl.load_workbook(path)
    inputs, yellow, fixed = {}, {}, {}
    for sheet in book.worksheets:
        for row in sheet.iter_rows():
            for cell in row:
                if not cell.has_style or isinstance(cell, MergedCell):
                    continue
                if not cell.protection.locked:
                    inputs.setdefault(sheet.title, []).append(cell)
                fill = fill_of(cell)
                if fill in (YELLOW, GREY):
                    (yellow if fill == YELLOW else fixed).setdefault(sheet.title, []).append(cell)
    checks = book["Check list"]
    begin = next(cell.row for (cell,) in checks.iter_rows(max_col=1) if cell.value == "Inputs as exported")
    watched, rows = {}, {}
    for row in range(begin, checks.max_row + 1):
        text = checks.cell(row, 3).value
        if not (isinstance(text, str) and text.startswith("=")):
            continue
        rows[row] = _areas(text)
        for sheet, area in rows[row]:
            watched.setdefault(sheet, set()).add(area)
    counted, lights = set(), set()
    for row in range(1, begin):
        for top, bottom in _OWN_COUNTS.findall(str(checks.cell(row, 4).value)):
            counted |= set(range(int(top), int(bottom) + 1))
            lights.add(row)
    return WatchedBook(
        inputs=inputs, yellow=yellow, fixed=fixed, watched=watched, rows=rows, counted=counted, lights=lights
    )


def without_rule(path):
    """Yellow cells of a book, as (sheet, coordinate), of which nothing says what they take."""
    found = []
    for sheet in openpyxl.load_workbook(path).worksheets:
        held = {cell for rule in sheet.data_validations.dataValidation for cell in _cells(rule.sqref)}
        found += [
            (sheet.title, cell.coordinate)
            for row in sheet.iter_rows()
            for cell in row
            if cell.fill.fill_type == "solid"
            and cell.fill.fgColor.rgb == YELLOW
            and not cell.protection.locked
            and cell.coordinate not in held
        ]
    return found


def _cells(places):
    for area in places.ranges:
        for row in range(area.min_row, area.max_row + 1):
            for column in range(area.min_col, area.max_col + 1):
                yield f"{get_column_letter(column)}{row}"


def _areas(formula):
    return [
        (sheet.strip("'"), range_boundaries(area.replace("$", ""))) for sheet, area in _AREA.findall(formula)
    ]
