"""The book being written: cells, tables of named columns, named cells; values go in beside every formula."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, lru_cache
from math import ceil
from typing import Any, Final

from xlsxwriter.worksheet import Worksheet

from gpuplanner.files.workbook.expressions import DASH, Expr, Range, Value
from gpuplanner.files.workbook.looks import NUMBER_FORMATS, style_properties
from gpuplanner.files.workbook.safe_text import safe_text

EPOCH_SERIAL: Final = 25_569
"""The spreadsheet's day number of 1 January 1970."""

EXCEL_TABLE_ROWS: Final = 20_000
"""A longer one gets a filter instead: tables take memory in the program that opens them."""

HEADER_CHARACTERS: Final = 100
"""A page header takes 255, with its marks."""

Content = Expr | Value | int | None
"""What a cell takes: a formula with its value, a number, text; None is the dash."""


def day_number(at_s: int) -> float:
    """The spreadsheet's day number of an instant given in epoch seconds (UTC)."""
    return EPOCH_SERIAL + at_s / 86_400


def written_date(at_s: int) -> str:
    """An instant in words, as `3 Jul 2026` (UTC)."""
    at = datetime.fromtimestamp(at_s, UTC)
    return f"{at.day} {at:%b %Y}"


@lru_cache(maxsize=20_000)
def column_letters(column: int) -> str:
    """A zero-based column's letters: 0 is A, 26 is AA."""
    letters = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


def reference(sheet: str, row: int, column: int) -> str:
    """The absolute reference of a cell (zero-based row and column) from any sheet."""
    return f"{sheet_reference(sheet)}!${column_letters(column)}${row + 1}"


@cache
def sheet_reference(sheet: str) -> str:
    """A sheet's name as formulas write it.

    >>> sheet_reference("Demand"), sheet_reference("Request for quote")
    ('Demand', "'Request for quote'")
    """
    return sheet if sheet.isalnum() else f"'{sheet}'"


class PlainSheet(Worksheet):  # type: ignore[misc] # XlsxWriter ships no types
    """A worksheet whose formulas use no function later than 2019 but those spelled with their prefix.

    XlsxWriter looks for forty of them in every formula, which takes most of the time of a long column.
    """

    def _prepare_formula(self, formula: str, expand_future_functions: bool = False) -> str:
        return formula.removeprefix("=")


class Book:
    """An XlsxWriter workbook with this product's styles. Rows and columns are zero-based here."""

    def __init__(self, workbook: Any, check: Callable[[], None], header: str = "") -> None:
        """`check` raises where the planner has asked to stop; it is called while long columns are written.

        header: what stands at the head of every printed page.
        """
        kept = safe_text(header)[:HEADER_CHARACTERS].replace("&", "&&")
        self._header = f"&L{kept}" if kept else ""
        self.workbook = workbook
        self.check = check
        self.sheets: dict[str, Any] = {}
        self._formats: dict[str, Any] = {}

    def add_sheet(self, name: str, tab_color: str) -> None:
        """A new sheet at the end of the tabs, ready to print: landscape, one page wide, named at the foot."""
        sheet = self.workbook.add_worksheet(name, PlainSheet)
        sheet.set_landscape()
        sheet.set_paper(9)
        sheet.fit_to_pages(1, 0)
        sheet.set_margins(left=0.4, right=0.4, top=0.5, bottom=0.6)
        sheet.set_header(self._header)
        sheet.set_footer("&L&A&C&F&RPage &P of &N")
        sheet.set_tab_color(tab_color)
        sheet.hide_gridlines(2)
        self.sheets[name] = sheet

    def style(self, name: str) -> Any:
        """The format of a style (see looks.style_properties), made once."""
        if name not in self._formats:
            self._formats[name] = self.workbook.add_format(style_properties(name))
        return self._formats[name]

    def write(self, sheet: str, row: int, column: int, content: Content, style: str = "text") -> Expr:
        """Put a formula, a number or text in a cell; the cell as an expression for other formulas."""
        target, look = self.sheets[sheet], self.style(style)
        value: Value
        if isinstance(content, Expr):
            value = _finite(content.value)
            target.write_formula(row, column, f"={content.text}", look, value)
        elif content == "":
            value = 0.0
            target.write_blank(row, column, None, look)
        elif content is None or isinstance(content, str):
            value = DASH if content is None else safe_text(content)
            target.write_string(row, column, value, look)
        else:
            value = _finite(float(content))
            if isinstance(value, str):
                target.write_string(row, column, value, look)
            else:
                target.write_number(row, column, value, look)
        return Expr(reference(sheet, row, column), value, is_atom=True)

    def group_workings(self, table: "Table", first: str) -> None:
        """The table's columns from `first` on are workings: grouped at the right, and not printed."""
        sheet, begin = self.sheets[table.sheet], table.column_of(first)
        for field in table.fields:
            column = table.column_of(field.key)
            if column >= begin:
                sheet.set_column(column, column, field.width, None, {"level": 1})
        sheet.print_area(0, 0, table.end_row + 100, begin - 1)
        sheet.repeat_rows(table.first_row - 1)

    def name(self, name: str, cell: Expr) -> Expr:
        """Give a cell a name; the name as an expression of the same value."""
        self.workbook.define_name(name, f"={cell.text}")
        return Expr(name, cell.value, is_atom=True)

    def title(self, sheet: str, title: str, *notes: str) -> int:
        """A sheet's title and the lines under it; the first free row, one blank row below."""
        self.sheets[sheet].set_row(0, 28)
        self.write(sheet, 0, 0, title, "title")
        for place, note in enumerate(notes, start=1):
            self.write(sheet, place, 0, note, "note")
        return len(notes) + 2


def _finite(value: Value) -> Value:
    """A number that is none (NaN, infinity) is unknown: the dash."""
    return value if isinstance(value, str) or math.isfinite(value) else DASH


@dataclass(frozen=True, slots=True)
class Field:
    """One column of a table. style: see looks; width in characters; note: what a comment on the heading says."""

    key: str
    heading: str
    style: str = "text"
    width: float = 12
    note: str = ""


class Table:
    """Rows under named columns at a fixed place, so that formulas may point at cells not yet written.

    `size` rows, at least one: a table without entries keeps one blank row, so that its ranges exist.
    """

    def __init__(
        self, book: Book, sheet: str, row: int, size: int, fields: Sequence[Field], column: int = 0
    ) -> None:
        self.book, self.sheet, self.fields = book, sheet, tuple(fields)
        self.size, self.rows = size, max(1, size)
        self.first_row = row + 1
        self._column = {field.key: column + place for place, field in enumerate(self.fields)}
        self._style: dict[str, str] = {}
        self._heading: dict[str, str] = {}
        self._values: dict[str, list[Value]] = {field.key: [0.0] * self.rows for field in self.fields}
        for field in self.fields:
            is_number = any(word in NUMBER_FORMATS for word in field.style.split("."))
            is_beside = field is not self.fields[0] and not is_number
            heading = "heading_right" if is_number else "heading.indent" if is_beside else "heading"
            self._heading[field.key] = heading
            self._style[field.key] = f"{field.style}.indent" if is_beside else field.style
            book.write(sheet, row, self._column[field.key], field.heading, heading)
            if field.note:
                book.sheets[sheet].write_comment(row, self._column[field.key], field.note)

        lines = max(ceil(1.15 * len(field.heading) / field.width) for field in self.fields)
        book.sheets[sheet].set_row(row, max(16, 13.5 * lines + 3))

    @property
    def end_row(self) -> int:
        """The first row below the table."""
        return self.first_row + self.rows

    def column_of(self, key: str) -> int:
        """The zero-based sheet column of a field."""
        return self._column[key]

    def make_excel_table(self, name: str, first: int = 0, count: int | None = None) -> None:
        """Make the columns first..first+count-1 an Excel table, so that a reader's formulas may say Name[Column].

        Where it is too long for that, or two headings are alike, it gets a filter.
        """
        fields = self.fields[first:] if count is None else self.fields[first : first + count]
        left = self._column[fields[0].key]
        area = (self.first_row - 1, left, self.end_row - 1, left + len(fields) - 1)
        headings = [field.heading.lower() for field in fields]
        if self.rows > EXCEL_TABLE_ROWS or len(set(headings)) < len(headings) or "" in headings:
            self.book.sheets[self.sheet].autofilter(*area)
            return
        columns = [
            {"header": field.heading, "header_format": self.book.style(self._heading[field.key])}
            for field in fields
        ]
        options = {"name": name, "style": None, "columns": columns}
        self.book.sheets[self.sheet].add_table(*area, options)

    def widen(self) -> None:
        """Set the widths of the sheet's columns to those of this table."""
        for field in self.fields:
            column = self._column[field.key]
            self.book.sheets[self.sheet].set_column(column, column, field.width)

    def put(self, key: str, place: int, content: Content, style: str | None = None) -> Expr:
        """Write a cell of row `place`; the cell as an expression."""
        cell = self.book.write(
            self.sheet, self.first_row + place, self._column[key], content, style or self._style[key]
        )
        self._values[key][place] = cell.value
        return cell

    def cell(self, key: str, place: int) -> Expr:
        """A cell that was put, as an expression."""
        text = reference(self.sheet, self.first_row + place, self._column[key])
        return Expr(text, self._values[key][place], is_atom=True)

    def range(self, key: str, first: int = 0, last: int | None = None) -> Range:
        """Cells first..last-1 of a column (all of them by default), as a range."""
        last = self.rows if last is None else last
        letters = column_letters(self._column[key])
        top, bottom = self.first_row + first + 1, self.first_row + last
        return Range(
            f"{sheet_reference(self.sheet)}!${letters}${top}:${letters}${bottom}",
            tuple(self._values[key][first:last]),
        )
