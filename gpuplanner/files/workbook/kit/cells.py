"""Cells as a file has them: names, XML, rows on their way, references that a sort takes along, values as told."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import chain, groupby
from math import ceil
from tempfile import TemporaryFile
from typing import Any, Final, Protocol

from xlsxwriter.utility import xl_col_to_name, xl_rowcol_to_cell_fast
from xlsxwriter.worksheet import Worksheet

from gpuplanner.domain.model.window import DAY_S, iso_utc
from gpuplanner.files.workbook.kit.expressions import DASH, Empty, Value
from gpuplanner.files.workbook.kit.sheets import CALC_DEMAND
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

EPOCH_SERIAL: Final = 25_569
"""The spreadsheet's day number of 1 January 1970."""


def day_number(at_s: int) -> float:
    """The spreadsheet's day number of an instant given in epoch seconds (UTC)."""
    return EPOCH_SERIAL + at_s / DAY_S


def written_date(at_s: int) -> str:
    """An instant in words, as `3 Jul 2026` (UTC)."""
    at = datetime.fromtimestamp(at_s, UTC)
    return f"{at.day} {at:%b %Y}"


@cache
def column_letters(column: int) -> str:
    """A zero-based column's letters: 0 is A, 26 is AA."""
    return str(xl_col_to_name(column))


def reference(sheet: str, row: int, column: int) -> str:
    """The absolute reference of a cell (zero-based row and column) from any sheet."""
    return f"{sheet_reference(sheet)}!${column_letters(column)}${row + 1}"


def area(sheet: str, column: int, first: int, last: int, right: int | None = None) -> str:
    """Cells first..last of a column (zero-based rows), or of all columns from it to another, from any sheet."""
    letters = column_letters(column if right is None else right)
    return f"{reference(sheet, first, column)}:${letters}${last + 1}"


@cache
def sheet_reference(sheet: str) -> str:
    """A sheet's name as formulas write it.

    >>> sheet_reference("Demand"), sheet_reference("Request for quote")
    ('Demand', "'Request for quote'")
    """
    return sheet if sheet.isalnum() else f"'{sheet}'"


_SPELLED_CHARACTER: Final = lazy_re("_(x[0-9a-fA-F]{4}_)")
"""What spreadsheets read as a character spelled by its number; its underscore is spelled itself."""


def formula_cell(reference: str, style: int, formula: str, value: Value) -> str:
    """A formula without its equals sign, and what it comes to. reference: as A1; style: the format's number."""
    text = escaped(formula)
    if isinstance(value, str):
        return f'<c r="{reference}" s="{style}" t="str"><f>{text}</f><v>{escaped(value)}</v></c>'
    return f'<c r="{reference}" s="{style}"><f>{text}</f><v>{value}</v></c>'


def number_cell(reference: str, style: int, value: float) -> str:
    """A number."""
    return f'<c r="{reference}" s="{style}"><v>{value:.16G}</v></c>'


def text_cell(reference: str, style: int, text: str) -> str:
    """Text (safe_text) as it is, its spaces kept."""
    spelled = _spelled if len(text) < SHORT else _spelled.__wrapped__
    return f'<c r="{reference}" s="{style}" t="inlineStr"><is>{spelled(text)}</is></c>'


SHORT: Final = 64
"""Characters of a text that may be kept: most are the same few in every row."""


@lru_cache(4096)
def _spelled(text: str) -> str:
    kept = escaped(text)
    if "_x" in kept:
        kept = _SPELLED_CHARACTER.sub(r"_x005F_\1", kept)
    space = ' xml:space="preserve"' if text[:1] == " " or text[-1:] == " " else ""
    return f"<t{space}>{kept}</t>"


def blank_cell(reference: str, style: int) -> str:
    """A cell with a look and nothing in it."""
    return f'<c r="{reference}" s="{style}"/>'


def escaped(text: str) -> str:
    """Text inside an element."""
    if "&" in text:
        text = text.replace("&", "&amp;")
    if "<" in text:
        text = text.replace("<", "&lt;")
    return text.replace(">", "&gt;") if ">" in text else text


LATE: Final = "\x00"
"""Stands in a row for a cell that is written later; no text of a cell can hold it (see safe_text)."""


CHARACTERS_AT_ONCE: Final = 2**16


class RowStream:
    """Rows below one another, each as the XML of its cells; in the order in which they stand."""

    def __init__(self, first_row: int) -> None:
        """first_row: zero-based, of the first row that is added."""
        self._row = first_row
        self._rows = TemporaryFile("w+", encoding="utf-8", newline="\n")  # noqa: SIM115 # closed with the sheet
        self._late = TemporaryFile("w+", encoding="utf-8", newline="\n")  # noqa: SIM115

    def add(self, cells: str) -> None:
        """The next row."""
        self._row += 1
        self._rows.write(f'<row r="{self._row}">{cells}</row>')

    def add_late(self, cell: str) -> None:
        """The cell for the mark LATE of the next row that has none yet."""
        self._late.write(f"{cell}\n")

    def rows(self) -> Iterator[str]:
        """All rows, many at a time; once, for the files go with it."""
        with self._rows, self._late:
            self._rows.seek(0)
            self._late.seek(0)
            while some := self._rows.read(CHARACTERS_AT_ONCE):
                first, *rest = some.split(LATE)
                late = (self._late.readline()[:-1] for _ in rest)
                yield "".join(chain((first,), *zip(late, rest, strict=True)))

    def close(self) -> None:
        """Let the files go."""
        self._rows.close()
        self._late.close()


@dataclass(frozen=True, slots=True)
class _Block:
    """Rows first..last (zero-based) whose XML another writes."""

    first: int
    last: int
    rows: Callable[[], Iterable[str]]


LEAST_ROW_PIXELS: Final = 20


class PlainSheet(Worksheet):  # type: ignore[misc] # XlsxWriter ships no types
    """A worksheet whose formulas use no function later than 2019 but those spelled with their prefix.

    XlsxWriter looks for forty of them in every formula, which takes most of the time of a long column. And it holds
    every cell as an object until the end; a block's rows pass through as text.
    """

    def __init__(self) -> None:
        super().__init__()
        self._blocks: list[_Block] = []
        self._widths: dict[int, float] = {}
        self.dim_rowmin: int | None
        self.dim_rowmax: int | None
        self.check: Callable[[], None] = lambda: None
        """Asked between rows."""
        self.begun: Callable[[], None] = lambda: None
        """Told when the sheet begins to be put together."""
        self._below_charts = 0

    @property
    def free_row(self) -> int:
        """The first row for a further part of the sheet: one empty row below all tables and charts."""
        filled = 0 if self.dim_rowmax is None else self.dim_rowmax + 2
        return max(filled, self._below_charts)

    def print_nothing(self) -> None:
        """Print no page of the sheet."""
        self.print_area(self.xls_rowmax - 1, 0, self.xls_rowmax - 1, 0)

    def set_column(self, first: int, last: int, width: float, *options: Any) -> Any:
        """Set the width of columns; a column that is wider for another part of the sheet stays so."""
        for column in range(first, last + 1):
            widest = max(width, self._widths.get(column, 0.0))
            self._widths[column] = widest
            super().set_column(column, column, widest, *options)
        return 0

    def insert_chart(self, row: int, column: int, chart: Any) -> None:
        """A chart, with its title and the names of what it draws for who does not see it."""
        names = ", ".join(one["name"] for one in chart.series if one["name"])
        words = f"Chart on {self.get_name()}: {chart.title.name}: {names}".replace(": : ", ": ").removesuffix(
            ": "
        )
        self._below_charts = max(self._below_charts, row + ceil(chart.height / LEAST_ROW_PIXELS) + 2)
        super().insert_chart(row, column, chart, {"description": words})

    def add_block(
        self, first: int, last: int, left: int, right: int, rows: Callable[[], Iterable[str]]
    ) -> None:
        """Rows first..last (zero-based, columns left..right) come from `rows`, as row elements.

        `rows` is asked when the sheet is put together; no cell may be written into these rows another way.
        """
        self._check_dimensions(first, left)
        self._check_dimensions(last, right)
        self._blocks.append(_Block(first, last, rows))

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        """The formula as it is: ours are already in the form that files have."""
        return formula.removeprefix("=")

    def _write_cell(self, row: int, column: int, cell: Any) -> None:
        """A cell; a formula that comes to no text says so, which XlsxWriter leaves out."""
        if type(cell).__name__ == "Formula" and cell.value == "":
            at = xl_rowcol_to_cell_fast(row, column)
            self.fh.write(formula_cell(at, cell.format._get_xf_index(), cell.formula, ""))
            return
        super()._write_cell(row, column, cell)

    def _write_rows(self) -> None:
        """The cells of the sheet and its blocks, from the top down."""
        self.begun()
        first, last = self.dim_rowmin or 0, self.dim_rowmax or 0
        for block in sorted(self._blocks, key=lambda each: each.first):
            self._write_cells(first, block.first - 1)
            for rows in block.rows():
                self.check()
                self.fh.write(rows)
            first = block.last + 1
        self._write_cells(first, last)

    def _write_cells(self, first: int, last: int) -> None:
        """Rows first..last of what was written cell by cell."""
        if last >= first:
            whole = (self.dim_rowmin, self.dim_rowmax)
            self.dim_rowmin, self.dim_rowmax = first, last
            super()._write_rows()
            self.dim_rowmin, self.dim_rowmax = whole


SPARE_ROWS: Final = 5
"""Free rows under a table of numbered rows: what is appended has room there, and is told that it is not counted."""

_AFTER_SHEET: Final = r"!\$([A-Z]{1,3})\$(\d+)(?::\$([A-Z]{1,3})\$(\d+))?"


@dataclass(frozen=True, slots=True)
class NumberedRows:
    """Rows of one table, counted as the sheet shows them, and the letters of its columns and of that of numbers."""

    first: int
    last: int
    letters: frozenset[str]
    number: str

    def holds(self, letters: str, row: int) -> bool:
        """Whether a cell of the sheet is one of these."""
        return self.first <= row <= self.last and letters in self.letters

    def found(self, sheet: str, letters: str, row: int) -> str:
        """A cell by the number of its row; an empty cell once the row is gone. sheet: with its mark, or nothing.

        The last row of the ranges is the one under the spare rows, in which nothing stands.
        """
        end = self.last + SPARE_ROWS + 1
        area, numbers = (f"{sheet}${one}${self.first}:${one}${end}" for one in (letters, self.number))
        at = f"IFERROR(MATCH({row - self.first + 1},{numbers},0),ROWS({numbers}))"
        return f"INDEX({area},{at})"


ROW: Final = "\x01"
"""Stands in a formula for the number of its row."""


class References:
    """What a book knows of its tables, to write references to their cells."""

    def __init__(self) -> None:
        self._numbered: dict[str, list[NumberedRows]] = {}

    def add(self, sheet: str, rows: NumberedRows) -> None:
        """A table whose rows are found by number from here on. sheet: as formulas spell it."""
        self._numbered.setdefault(sheet, []).append(rows)

    def written(self, text: str, sheet: str, row: int) -> str:
        """A formula as it stands in a cell of a sheet; row: as the sheet shows it.

        Every reference in `text` is absolute and names its sheet.
        """
        of_sheets = text.count("!")
        if of_sheets and (own := text.count(f"{sheet}!")):
            text, of_sheets = self._of_sheet(text, sheet, sheet, row), of_sheets - own
        for one in self._numbered if of_sheets else ():
            if one != sheet and f"{one}!" in text:
                text = self._of_sheet(text, one, sheet, row)
        return text

    def spelt(self, text: str, sheet: str, row: int) -> tuple[str, str] | None:
        """`text`, and how it is written in its row, with ROW for the number of the row: what the cells of a column
        have in common. None where it names other cells of its sheet, which another row may be."""
        own, here = f"{sheet}!$", str(row)

        def one(match: "re.Match[str]") -> str:
            return f"{own}{match[1]}${ROW}" if match[2] == here and not match[3] else match[0]

        asked = _pattern(sheet).sub(one, text)
        if asked.count(own) != asked.count(ROW):
            return None
        return asked, self.written(asked.replace(own, "$").replace(f"${ROW}", ROW), sheet, row)

    def elsewhere(self, text: str, sheet: str, row: int) -> str:
        """A formula of that cell as another sheet writes it: cells of its row stay where they are, whatever is sorted.

        The same for every row of a column with one formula, and so of whatever stands in the row.
        """
        for one in self._numbered:
            if f"{one}!" in text:
                text = self._of_sheet(text, one, sheet, row, is_elsewhere=True)
        return text

    def _of_sheet(self, text: str, target: str, sheet: str, row: int, *, is_elsewhere: bool = False) -> str:
        numbered: Sequence[NumberedRows] = self._numbered.get(target, ())
        mark = "" if target == sheet and not is_elsewhere else f"{target}!"

        here = str(row) if target == sheet else ""

        def one(match: "re.Match[str]") -> str:
            letters, at, right, bottom = match.groups()
            if right:
                if not mark and at == here == bottom and letters != right:
                    return f"${letters}{at}:${right}{at}"
                return f"{mark}${letters}${at}:${right}${bottom}"
            if at == here:
                return f"{mark}${letters}${at}" if is_elsewhere else f"${letters}{at}"
            table = next((each for each in numbered if each.holds(letters, int(at))), None)
            return f"{mark}${letters}${at}" if table is None else table.found(mark, letters, int(at))

        return _pattern(target).sub(one, text)


@cache
def _pattern(sheet: str) -> "re.Pattern[str]":
    """References to cells and areas of a sheet, which no other sheet's name ends with."""
    return lazy_re(rf"(?<![A-Za-z0-9_'.]){re.escape(sheet)}{_AFTER_SHEET}")


DAYS: Final = frozenset(("date", "month", "moment"))
"""Kinds of number that are days since the spreadsheet's day 0."""
NOT_TOLD: Final = frozenset((CALC_DEMAND,))
"""The hours of the cube, which `reduce` has."""

Cells = dict[str, dict[tuple[int, int], str | float | None]]
"""By sheet, then by zero-based row and column."""


def plain(value: Value, style: str) -> str | float | None:
    """A cell's value as documents have it: days in ISO 8601 UTC; None for the dash and for an empty cell."""
    if isinstance(value, Empty) or value == DASH:
        return None
    is_day = not isinstance(value, str) and not DAYS.isdisjoint(style.split("."))
    return iso_utc(round((float(value) - EPOCH_SERIAL) * DAY_S)) if is_day else value


class Listed(Protocol):
    """What a table of the book says of itself."""

    sheet: str
    size: int
    first_row: int
    fields: Any

    @property
    def end_row(self) -> int:
        """The row below its last."""

    def column_of(self, key: str) -> int:
        """Where a field is."""


def told(cells: Cells, tables: Sequence[Listed]) -> list[dict[str, object]]:
    """Every sheet but NOT_TOLD: each table with its columns, then the lines outside tables, from left to right.

    row: of the sheet, the first of a table, counted from 1. Money is in the book's currency, as its headings name it.
    """
    rest = {sheet: dict(found) for sheet, found in cells.items() if sheet not in NOT_TOLD}
    document: list[dict[str, object]] = []
    for table in tables:
        if table.sheet in rest:
            of, places = rest[table.sheet], [table.column_of(field.key) for field in table.fields]
            for place in places:
                of.pop((table.first_row - 1, place), None)
            rows = [
                [of.pop((row, place), None) for place in places]
                for row in range(table.first_row, table.end_row)
            ]
            headings = [str(field.heading) for field in table.fields]
            document.append(_entry(table.sheet, table.first_row + 1, headings, rows[: table.size]))
    for sheet, of in rest.items():
        for row, line in groupby(sorted(of.items()), lambda cell: cell[0][0]):
            if any(values := [value for _, value in line]):
                document.append(_entry(sheet, row + 1, None, [values]))
    return sorted(document, key=lambda one: (str(one["sheet"]), int(str(one["row"]))))


def _entry(sheet: str, row: int, columns: list[str] | None, rows: object) -> dict[str, object]:
    """One table, or one line outside tables (columns: None)."""
    return {"sheet": sheet, "row": row, "columns": columns, "rows": rows}
