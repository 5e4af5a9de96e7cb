"""The book being written: cells, tables of named columns, named cells; values go in beside every formula."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from math import ceil, isfinite
from typing import Any, Final

from gpuplanner.domain.message import Message, Text
from gpuplanner.domain.model.book.exchange import before_amount, english_in, in_money
from gpuplanner.files.workbook.kit import cells, looks
from gpuplanner.files.workbook.kit.expressions import DASH, NA, Empty, Expr, Range, Value
from gpuplanner.files.workbook.kit.sheets import Sheet
from gpuplanner.files.workbook.kit.text_lines import count_lines
from gpuplanner.lazy_dataclass import dataclass, replace

ROWS_AT_ONCE: Final = 64
"""Of a long table, which become text together, column by column; then it is asked whether to stop."""

NOTE_LETTER_PIXELS: Final = 6.4
"""Of a letter of a note, in the widest of the fonts that stand in for ours."""
NOTE_LINE: Final = 14.0
"""Points."""


class AsWritten(str):
    """A text of a file, in which a sign of money is what it says."""

    __slots__ = ()


MAY_STILL: Final = ("autofilter", "sort", "format_columns", "format_rows", "format_cells")
"""What a reader may do on a protected sheet, besides changing its yellow cells."""

Content = Expr | Value | Message | int | None
"""What a cell takes: a formula with its value, a number, text; None is the dash."""


class Book:
    """An XlsxWriter workbook with this product's styles. Rows and columns are zero-based here."""

    def __init__(
        self, workbook: Any, check: Callable[[], None], currency: str = "USD", is_told: bool = False
    ) -> None:
        """`check` raises where the planner has asked to stop; it is called while long columns are written.

        currency: what `$` of our words stands for; is_told: whether what its cells say is kept, for a document.
        """
        self.workbook, self.currency = workbook, currency
        self.check = check
        self.sheets: dict[str, Any] = {}
        self.open_sheets: set[str] = set()
        """Those that are not protected."""
        self._formats: dict[str, Any] = {}
        self._style_numbers: dict[str, int] = {}
        self._streams: list[cells.RowStream] = []
        self.references = cells.References()
        self.tables: list[Table] = []
        """Every table, in the order in which they were begun; what of them is watched they know themselves."""
        self.lone_inputs: list[LoneInput] = []
        """Inputs that stand in no table."""
        self.lone_formulas: dict[str, list[str]] = {}
        self.told: cells.Cells = {}
        """What each cell says, of a book that is told as a document too."""
        self.is_told = is_told

    def add_sheet(self, sheet: Sheet) -> None:
        """Add a sheet at the end of the tabs, with its color and protection."""
        worksheet = self.workbook.add_worksheet(sheet.name, cells.PlainSheet)
        if not sheet.is_printed:
            worksheet.print_nothing()
        worksheet.set_tab_color(sheet.color)
        worksheet.hide_gridlines(2)
        worksheet.check = self.check
        if sheet.is_protected:
            worksheet.protect("", dict.fromkeys(MAY_STILL, True))
        else:
            self.open_sheets.add(sheet.name)
        self.sheets[sheet.name] = worksheet

    def style(self, name: str) -> Any:
        """The format of a style (see looks.style_properties), made once."""
        if name not in self._formats:
            properties = looks.style_properties(name)
            if looks.MONEY_SIGN in properties.get("num_format", ""):
                properties["num_format"] = properties["num_format"].replace("$", before_amount(self.currency))
            self._formats[name] = self.workbook.add_format(properties)
        return self._formats[name]

    def style_number(self, name: str) -> int:
        """The number by which cells written as XML name a style."""
        number = self._style_numbers.get(name)
        if number is None:
            number = self._style_numbers[name] = int(self.style(name)._get_xf_index())
        return number

    def stream(self, sheet: str, first: int, last: int, left: int, right: int) -> cells.RowStream:
        """Rows first..last and columns left..right of a sheet, to be added from the top down as XML."""
        stream = cells.RowStream(first)
        self._streams.append(stream)
        self.sheets[sheet].add_block(first, last, left, right, stream.rows)
        return stream

    def close(self) -> None:
        """Let go of what streams keep on disk."""
        for stream in self._streams:
            stream.close()

    def write(self, sheet: str, row: int, column: int, content: Content, style: str = "text") -> Expr:
        """Put a formula, a number or text in a cell; the cell as an expression for other formulas.

        An input is watched from here on: the Check list says what it was, the light that it is another.
        """
        cell = self.put_cell(sheet, row, column, content, style)
        if looks.is_watched(style):
            self.lone_inputs.append(LoneInput(sheet, row, column, _kept(content, cell.value)))
        elif isinstance(content, Expr):
            self.lone_formulas.setdefault(sheet, []).append(cell.text)
        return cell

    def put_cell(self, sheet: str, row: int, column: int, content: Content, style: str) -> Expr:
        """As `write`, of a table's cell, which the table itself watches."""
        target, look = self.sheets[sheet], self.style(style)
        value: Value
        if isinstance(content, Expr):
            value = _finite(content.value)
            formula = self.references.written(content.text, cells.sheet_reference(sheet), row + 1)
            target.write_formula(row, column, f"={formula}", look, value)
        elif isinstance(content, Message | str) and not content:
            value = Empty()
            target.write_blank(row, column, None, look)
        elif content is None or isinstance(content, Message | str):
            value = DASH if content is None else looks.safe_text(self.in_currency(content))
            target.write_string(row, column, value, look)
        else:
            value = _finite(float(content))
            if isinstance(value, str):
                target.write_string(row, column, value, look)
            else:
                target.write_number(row, column, value, look)
        self.keep(sheet, row, column, value, style)
        return Expr(cells.reference(sheet, row, column), value)

    def keep(self, sheet: str, row: int, column: int, value: Value, style: str) -> None:
        """Keep what a cell says, where the book is told as a document too."""
        if self.is_told and sheet not in cells.NOT_TOLD:
            self.told.setdefault(sheet, {})[row, column] = cells.plain(value, style)

    def in_currency(self, text: Text) -> str:
        """Words of ours with the sign of the book's currency; what a file wrote, and names in them, stay."""
        if isinstance(text, AsWritten):
            return text
        return english_in(text, self.currency) if isinstance(text, Message) else in_money(text, self.currency)

    def group_workings(self, table: "Table", first: str) -> None:
        """Group the table's columns from `first` on, which are calculations between inputs and results."""
        sheet, begin = self.sheets[table.sheet], table.column_of(first)
        for field in table.fields:
            column = table.column_of(field.key)
            if column >= begin:
                sheet.set_column(column, column, field.width, None, {"level": 1})

    def name(self, name: str, cell: Expr) -> Expr:
        """Give a cell a name; the name as an expression of the same value."""
        self.workbook.define_name(name, f"={cell.text}")
        return cell.named(name)

    def title(self, sheet: str, *notes: Text, title: str = "") -> int:
        """Write a title, the sheet's name if empty, with notes under it; on a sheet in use, below what is there.

        Returns the row of the first table, one blank row below the notes.
        """
        top: int = self.sheets[sheet].free_row
        self.sheets[sheet].set_row(top, 28)
        self.write(sheet, top, 0, title or sheet, "title")
        for row, note in enumerate(notes, start=top + 1):
            self.write(sheet, row, 0, note, "note")
        return top + len(notes) + 2

    def write_across(self, sheet: str, row: int, last_column: int, text: Text) -> None:
        """A sentence from the first column to another, as many lines high as it needs."""
        target = self.sheets[sheet]
        width = sum(target._size_col(column) for column in range(last_column + 1))
        target.merge_range(row, 0, row, last_column, "", self.style("note.wrapped"))
        self.write(sheet, row, 0, text, "note.wrapped")
        target.set_row(row, NOTE_LINE * ceil(NOTE_LETTER_PIXELS * len(str(text)) / width) + 1)


@dataclass(frozen=True, slots=True)
class LoneInput:
    """An input outside tables, with what it was: a formula, a value, or None for an empty cell."""

    sheet: str
    row: int
    column: int
    was: Expr | Value | None


def _kept(content: Content, value: Value) -> Expr | Value | None:
    """What an input's cell held: its formula with the value, the value, or None where it is empty."""
    if isinstance(content, Expr):
        return Expr(content.text, value)
    return None if isinstance(content, Message | str) and not content else value


_NO_CELL: Final = object()
_WORDS: Final = (str, Message)


def _held(content: Any) -> Value:
    """What a cell of some content comes to."""
    if isinstance(content, Expr):
        return _finite(content.value)
    if type(content) is float:
        return _finite(content)
    if isinstance(content, _WORDS):
        return looks.safe_text(content) or Empty()
    return DASH if content is None else _finite(float(content))


def _style_of_heading(style: str, is_number: bool, is_beside: bool) -> str:
    """Return the style of the heading of a column. style: of its cells; is_beside: of texts, and not the first
    column."""
    words = style.split(".")
    if "front" in words:
        own = ".front_own_heading" if "own" in words else ""
        place = ".indent" if is_beside else ""
        return f"front.front_heading{own}{'.right' if is_number and 'left' not in words else place}"
    if is_number:
        return "heading_right"
    return "heading.indent" if is_beside else "heading"


def _finite(value: Value) -> Value:
    """A number that is none (NaN, infinity, an error) is unknown: the dash."""
    is_there = value != NA if isinstance(value, str) else isfinite(value)
    return value if is_there else DASH


class Table:
    """Rows under named columns at a fixed place, so that formulas may point at cells not yet written.

    `size` rows, at least one: a table without entries keeps one blank row, so that its ranges exist.
    """

    def __init__(
        self,
        book: Book,
        sheet: str,
        row: int,
        size: int,
        fields: Sequence[looks.Field],
        column: int = 0,
        kept: Collection[str] | None = None,
        name: str = "",
        watch: looks.Watch | None = None,
        section: Text = "",
    ) -> None:
        """section: a heading over it, in the row. kept: of a long table, the columns whose values ranges will ask for.

        A long table is written from the top down, row by row, and holds no cell. name: of the Excel table that they
        are, so that formulas and readers say Name[Column]. watch: which of its columns are watched besides inputs, and
        how its rows are told.
        """
        if section:
            book.write(sheet, row, 0, section, "section")
            row += 1
        self.watch = watch or looks.Watch()
        if kept is not None and any(map(self._is_watched_by_totals, fields)):
            fields = (*fields, looks.SEAL)
        fields = tuple(
            replace(one, heading=book.in_currency(one.heading), note=book.in_currency(one.note))
            for one in fields
        )
        self.book, self.sheet, self.fields = book, sheet, fields
        self.size, self.rows = size, max(1, size)
        self.first_row = row + 1
        self._column = {field.key: column + place for place, field in enumerate(self.fields)}
        self._style: dict[str, str] = {}
        self._heading: dict[str, str] = {}
        self._texts: set[str] = set()
        self._ranges: dict[str, Range] = {}
        self._name = name
        self._named = self.fields if name and looks.is_excel_table(size, fields) else ()
        keys = self._column if kept is None else kept
        self._values: dict[str, list[Value]] = {key: [0.0] * self.rows for key in keys}
        for field in self.fields:
            is_number = any(word in looks.NUMBER_FORMATS for word in field.style.split("."))
            is_beside = field is not self.fields[0] and (not is_number or "left" in field.style.split("."))
            if not is_number:
                self._texts.add(field.key)
            heading = _style_of_heading(field.style, is_number, is_beside)
            self._heading[field.key] = heading
            self._style[field.key] = f"{field.style}.indent" if is_beside else field.style
            book.write(sheet, row, self._column[field.key], field.heading, heading)
            if field.note:
                book.sheets[sheet].write_comment(row, self._column[field.key], field.note)

        book.sheets[sheet].set_row(row, max(16, 13.5 * self._heading_lines() + 3))
        self._stream: cells.RowStream | None = None
        if kept is not None and size:
            right = column + len(self.fields) - 1
            self._stream = book.stream(sheet, self.first_row, self.end_row - 1, column, right)
        if name and size:
            self._make_excel_table()
        self._letters = {key: cells.column_letters(place) for key, place in self._column.items()}
        self._sheet_name = cells.sheet_reference(sheet)
        self._prefix = {key: f"{self._sheet_name}!${letters}$" for key, letters in self._letters.items()}
        if self.is_numbered:
            numbered = cells.NumberedRows(
                self.first_row + 1,
                self.end_row,
                frozenset(self._letters.values()),
                self._letters[self.watch.number],
            )
            book.references.add(self._sheet_name, numbered)
        self._place, self._written_rows, self._late = 0, 0, ""
        self._block: list[dict[str, Content]] = [{}]
        self._block_styles: dict[str, dict[int, str]] = {}
        self._origins: dict[str, bytearray] = {}
        self._yellow: set[str] = set()
        self._limits: dict[tuple[str, int], looks.Limits] = {}
        self._input_formulas: dict[tuple[str, int], str] = {}
        self._open_formulas: dict[tuple[str, int], str] = {}
        self._long_formulas: Counter[str] = Counter()
        self._spelt: dict[tuple[str, int, int], tuple[str, str] | None] = {}
        self.totals: dict[str, looks.ColumnTotals] = {}
        if self._stream is not None:
            self.totals = {
                field.key: looks.ColumnTotals() for field in self.fields if self._is_watched_by_totals(field)
            }
        else:
            self._origins = {field.key: bytearray(self.rows) for field in self.fields}
        book.tables.append(self)

    def _heading_lines(self) -> int:
        """Return how many lines the longest heading takes in its column."""
        headings = [(str(field.heading), field.width) for field in self.fields]
        if "front" in self._heading[self.fields[0].key]:
            return max(count_lines(words, width, points=9.0, is_bold=True) for words, width in headings)
        return max(ceil(1.15 * len(words) / width) for words, width in headings)

    def _is_watched_by_totals(self, field: looks.Field) -> bool:
        """Whether a column of a long table is an input, or one that `watch` names."""
        return looks.is_watched(field.style) or field.key in self.watch.columns

    @property
    def is_long(self) -> bool:
        """Whether its rows passed through, so that only totals of its columns are there."""
        return self._stream is not None

    def has(self, key: str) -> bool:
        """Whether it has a column."""
        return key in self._column

    def is_formula(self, key: str, place: int) -> bool:
        """Whether a cell of a table in memory was worked out, and is no input."""
        return self._origins[key][place] == looks.Origin.FORMULA

    def limit(self, key: str, places: Iterable[int], limits: looks.Limits) -> None:
        """State what the numbers of inputs may be, in some rows of a table in memory."""
        self._limits |= {(key, place): limits for place in places}

    def limits(self, key: str, place: int) -> looks.Limits | None:
        """What the number of an input may be; None of what is no input, or a word."""
        limit = self._limits.get((key, place))
        if limit is None or self.is_long or self._origins[key][place] not in looks.INPUTS:
            return None
        has_words = any(isinstance(value, str) for value in self._values[key])
        return replace(limit, or_unknown=True) if has_words else limit

    def unlimited(self) -> tuple[str, ...]:
        """The yellow columns of numbers of which nobody said yet what they may be."""
        said = {key for key, _ in self._limits}
        return tuple(
            field.key
            for field in self.fields
            if field.key in self._yellow and field.key not in said and not self.is_text(field.key)
        )

    def is_text(self, key: str) -> bool:
        """Whether a column holds words."""
        return key in self._texts

    def fixed_columns(self) -> tuple[str, ...]:
        """Those of the watched columns in which nothing is for the reader to change, by the order of the sheet."""
        if self.is_long:
            return tuple(field.key for field in self.fields if field.key in self.watch.columns)
        return tuple(key for key in self.watched() if key not in self._yellow)

    def watched(self) -> tuple[str, ...]:
        """The columns of a table in memory whose cells are watched, by the order of the sheet.

        Those with an input in them; with `watch.values` all others too that hold a value.
        """
        found = []
        for key, origins in self._origins.items():
            is_value = self.watch.values and looks.Origin.VALUE in origins
            if is_value or self.has_input(key):
                found.append(key)
        return tuple(found)

    @property
    def is_changed(self) -> bool:
        """Whether anything of it is for the reader to change."""
        return bool(self._yellow)

    def worked_out(self) -> Mapping[str, int]:
        """The columns that hold formulas and no input, with how many formulas."""
        if self.is_long:
            return +self._long_formulas
        return {
            key: origins.count(looks.Origin.FORMULA)
            for key, origins in self._origins.items()
            if looks.Origin.FORMULA in origins and not self.has_input(key)
        }

    def open_formulas(self) -> Mapping[str, Mapping[int, str]]:
        """Of a table whose sheet is not protected: the formulas of its cells that are no inputs, by column and place,
        also those that stand among inputs, as the rate of what is owned does."""
        formulas: dict[str, dict[int, str]] = {}
        for (key, place), text in self._open_formulas.items():
            if self.is_formula(key, place):
                formulas.setdefault(key, {})[place] = text
        return formulas

    def formula_places(self, key: str) -> frozenset[int]:
        """In which rows a column of a table in memory holds formulas that are no inputs."""
        return frozenset(place for place in range(self.size) if self.is_formula(key, place))

    def has_input(self, key: str) -> bool:
        """Whether a column of a table in memory holds an input, of the reader or of the app."""
        return any(origin in looks.INPUTS for origin in self._origins[key])

    def exported(self, key: str, place: int) -> Expr | Value | None:
        """What a cell of a table in memory held, to be compared with what it holds: the formula of an input that is
        one, the cell itself for other formulas, a value, or None where it is empty."""
        origin, value = self._origins[key][place], self._values[key][place]
        if origin in (looks.Origin.EMPTY, looks.Origin.EMPTY_INPUT):
            return None
        if origin == looks.Origin.INPUT_FORMULA:
            return Expr(self._input_formulas[key, place], value)
        return self.cell(key, place) if origin == looks.Origin.FORMULA else value

    @property
    def is_numbered(self) -> bool:
        """Whether formulas find its rows by their numbers, wherever they stand; long tables are summed up alone."""
        return bool(self.watch.number) and self._stream is None and self.size > 0

    @property
    def end_row(self) -> int:
        """The first row below the table."""
        return self.first_row + self.rows

    @property
    def free_row(self) -> int:
        """The first row below the table in which something else may stand: spare rows and an empty one come first."""
        return self.end_row + (cells.SPARE_ROWS + 1 if self.is_numbered else 0)

    def column_of(self, key: str) -> int:
        """The zero-based sheet column of a field."""
        return self._column[key]

    def area(self, first: str, last: str) -> tuple[int, int, int, int]:
        """First row and column, last row and column of the cells from one column to another, zero-based."""
        return self.first_row, self._column[first], self.end_row - 1, self._column[last]

    def _make_excel_table(self) -> None:
        """The Excel table over the named columns; a filter where it cannot be one."""
        fields = self._named or self.fields
        top, *rest = self.area(fields[0].key, fields[-1].key)
        area = (top - 1, *rest)
        if not self._named:
            self.book.sheets[self.sheet].autofilter(*area)
            return
        columns = [
            {"header": str(field.heading), "header_format": self.book.style(self._heading[field.key])}
            for field in fields
        ]
        options = {"name": self._name, "style": None, "columns": columns}
        self.book.sheets[self.sheet].add_table(*area, options)
        self.book.sheets[self.sheet].table_cells.clear()  # each cell, to refuse tables that overlap

    def widen(self) -> None:
        """Set the widths of the sheet's columns to those of this table."""
        for field in self.fields:
            column = self._column[field.key]
            self.book.sheets[self.sheet].set_column(column, column, field.width)

    def put(self, key: str, place: int, content: Content, style: str | None = None) -> Expr:
        """Write a cell of row `place`; the cell as an expression. A long table takes its rows in order."""
        if self._stream is None:
            self._write(key, place, content, style or self._style[key])
        else:
            self._row(place)[key] = content
            if style:
                self._block_styles.setdefault(key, {})[place] = style
        return self.cell(key, place)

    def _write(self, key: str, place: int, content: Content, style: str) -> None:
        """As `put` in a table in memory, for who does not ask for the cell."""
        row, column = self.first_row + place, self._column[key]
        cell = self.book.put_cell(self.sheet, row, column, content, style)
        if looks.is_yellow(style):
            self._yellow.add(key)
        self._origins[key][place] = self._origin(key, place, content, looks.is_watched(style))
        self._values[key][place] = cell.value
        self._ranges.pop(key, None)

    def fill(self, place: int, **cells: Content) -> None:
        """Write several cells of a row, by their keys, each in the style of its column."""
        if self._stream is not None:
            self._row(place).update(cells)
            return
        for key, content in cells.items():
            self._write(key, place, content, self._style[key])

    def put_below(self, key: str, content: Content, style: str, row: int = 0) -> Expr:
        """Write a cell under a column, in one of the rows below the table."""
        return self.book.write(self.sheet, self.end_row + row, self._column[key], content, style)

    def line_below(self, words: Text, last: str, style: str = "total", row: int = 0) -> None:
        """Words under the first column, and the style of their line up to a column."""
        for field in self.fields[: self._column[last] + 1]:
            self.put_below(field.key, "" if field.key != self.fields[0].key else words, style, row)

    def _origin(self, key: str, place: int, content: Content, is_input: bool) -> looks.Origin:
        """What a cell was made of; the formula of an input is kept."""
        if isinstance(content, Expr):
            if is_input:
                self._input_formulas[key, place] = content.text
            elif self.sheet in self.book.open_sheets:
                self._open_formulas[key, place] = content.text
            return looks.Origin.INPUT_FORMULA if is_input else looks.Origin.FORMULA
        is_empty = isinstance(content, Message | str) and not content
        if is_input:
            return looks.Origin.EMPTY_INPUT if is_empty else looks.Origin.INPUT
        return looks.Origin.EMPTY if is_empty else looks.Origin.VALUE

    def put_late(self, key: str, place: int, content: Content) -> None:
        """Write a cell that `leave` kept room for; again from the top down."""
        if self._stream is None:
            self.put(key, place, content)
            return
        ((cell,), (value,)) = self._cells(key, place, [content])
        self._stream.add_late(cell)
        if key in self._values:
            self._values[key][place] = value
            self._ranges.pop(key, None)

    def leave(self, key: str, place: int) -> None:
        """Keep room in row `place` for a cell that needs what comes later; one column of a table, in every row."""
        if self._stream is not None:
            self._row(place)
            self._late = key

    def finish(self) -> None:
        """The last row of a long table is there."""
        if self._stream is not None and any(self._block):
            self._row(self.size)

    def _row(self, place: int) -> dict[str, Content]:
        """The row at hand or the next one, by key; ValueError out of order, as rows are streamed."""
        if place != self._place:
            if place != self._place + 1:
                raise ValueError(f"{self.sheet}: row {place} after row {self._place}")
            self._place = place
            if len(self._block) == ROWS_AT_ONCE or place == self.size:
                self._write_block()
            self._block.append({})
        return self._block[-1]

    def _write_block(self) -> None:
        """Hand on the rows that are there. Of a table that is watched the words of a row stand in one cell too, and its
        numbers in totals."""
        assert self._stream is not None
        first, size, columns = self._written_rows, len(self._block), dict[str, list[str]]()
        held: dict[str, list[Value]] = {}
        for key in self._column:
            contents = [row.get(key, _NO_CELL) for row in self._block]
            if key == looks.SEAL.key and self.totals:
                words = [held[each] for each in self.totals if each in self._texts]
                rows = zip(*words, strict=True) if words else [()] * size
                contents = [
                    looks.sealed(["" if value == 0.0 else str(value) for value in row]) for row in rows
                ]
            columns[key], values = self._cells(key, first, contents)
            held[key] = values
            if key in self._values:
                self._values[key][first : first + size] = [0.0 if value == "" else value for value in values]
        for key, totals in self.totals.items():
            if key not in self._texts:
                for place, value in enumerate(held[key], first):
                    totals.add(place, value)
        if self._late:
            columns[self._late] = [cells.LATE] * size
        for row in zip(*columns.values(), strict=True):
            self._stream.add("".join(row))
        self._written_rows += size
        self._block.clear()
        self._block_styles.clear()
        self._ranges.clear()
        self.book.check()

    def _cells(
        self, key: str, first: int, contents: Sequence[Content | object]
    ) -> tuple[list[str], list[Value]]:
        """Cells of a column below one another as Book.write has them, and what they hold; "" where there is none."""
        styles, letters = self._block_styles.get(key, {}), self._letters[key]
        style, xml, values = self._style[key], list[str](), list[Value]()
        usual, is_told, formulas = self.book.style_number(style), self.book.is_told, 0
        for place, content in enumerate(contents, first):
            if content is _NO_CELL:
                xml.append("")
                values.append("")
                continue
            look, row, value = usual, self.first_row + place + 1, _held(content)
            if styles:
                style = styles.get(place, self._style[key])
                look = self.book.style_number(style)
            at = f"{letters}{row}"
            if isinstance(content, Expr):
                formulas += not looks.is_watched(style)
                cell = cells.formula_cell(at, look, self._written(key, content.text, row), value)
            elif isinstance(value, str):
                cell = cells.text_cell(at, look, value)
            elif isinstance(value, Empty):
                cell = cells.blank_cell(at, look)
            else:
                cell = cells.number_cell(at, look, value)
            xml.append(cell)
            values.append(value)
            if is_told:
                self.book.keep(self.sheet, row - 1, self._column[key], value, style)
        if formulas:
            self._long_formulas[key] += formulas
        return xml, values

    def _written(self, key: str, text: str, row: int) -> str:
        """A formula as it stands in a row, spelt once for the rows of a column that differ by their number alone."""
        number, alike = str(row), (key, len(text), len(str(row)))
        spelt = self._spelt.get(alike)
        if spelt is None or spelt[0].replace(cells.ROW, number) != text:
            spelt = self._spelt[alike] = self.book.references.spelt(text, self._sheet_name, row)
        if spelt is None:
            return self.book.references.written(text, self._sheet_name, row)
        return spelt[1].replace(cells.ROW, number)

    def cell(self, key: str, place: int) -> Expr:
        """A cell that was put, as an expression; of a long table, one of its last row or of a column kept."""
        at = place - self._written_rows
        is_to_come = self._stream is not None and at >= 0
        value = _held(self._block[at][key]) if is_to_come else self._values[key][place]
        return Expr(f"{self._prefix[key]}{self.first_row + place + 1}", value)

    def range(self, key: str, first: int = 0, last: int | None = None) -> Range:
        """Cells first..last-1 of a column (all of them by default), as a range."""
        is_whole = first == 0 and last is None
        if is_whole and key in self._ranges:
            return self._ranges[key]
        last = self.rows if last is None else last
        top = self.first_row
        area = cells.area(self.sheet, self._column[key], top + first, top + last - 1)
        heading = next((field.heading for field in self._named if field.key == key), "") if is_whole else ""
        text = f"{self._name}[{looks.column_specifier(heading)}]" if heading else area
        found = Range(text, tuple(self._values[key][first:last]), area)
        if is_whole:
            self._ranges[key] = found
        return found
