"""Check list, inputs as exported: each input, whether it was changed, and the changes in words."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from gpuplanner.domain.model.amounts import grouped
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.workbook.kit import checks, looks
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import (
    RowStream,
    area,
    blank_cell,
    column_letters,
    formula_cell,
    number_cell,
    reference,
    text_cell,
)
from gpuplanner.files.workbook.kit.cells import sheet_reference as spelled
from gpuplanner.files.workbook.kit.expressions import Expr, Range, Value, of_the_book
from gpuplanner.files.workbook.kit.sheets import CHECK_LIST
from gpuplanner.lazy_dataclass import dataclass, replace

# --- What is watched of a book, as blocks of Exported, formulas worked out once more, and its rows as XML

LOOKS_AT_MOST: Final = 1_000_000
"""Formulas that look at all rows are worked out again up to here: so many rows are looked at in a column."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """A column whose formulas are worked out again, by place. is_by_number: each row has a formula of its own, which
    goes with it wherever it is sorted to; else all have the same, which says the same of whatever is sorted there."""

    key: str
    formulas: Mapping[int, str]
    is_by_number: bool


def worked_out_again(table: Table) -> list[Repeated]:
    """The columns of formulas of a table on a sheet that is not protected, in the order of the sheet."""
    found = []
    for key, texts in sorted(table.open_formulas().items(), key=lambda formula: table.column_of(formula[0])):
        alike = {_for_any_row(text, table, place) for place, text in texts.items()}
        is_by_number = table.is_numbered and (len(alike) > 1 or len(texts) < table.size)
        is_of_all = is_by_number or ":" in "".join(alike)
        if table.size * len(texts) <= LOOKS_AT_MOST or not is_of_all:
            found.append(Repeated(key, texts, is_by_number))
    return found


def too_long(tables: Sequence[Table]) -> str:
    """Which columns of formulas nobody works out again, for their table is too long; "" where there are none."""
    left = []
    for table in tables:
        headings = {field.key: str(field.heading) for field in table.fields}
        again = {one.key for one in worked_out_again(table)}
        names = [headings[key] for key in table.open_formulas() if key not in again]
        left += [f"{title_of(table)} ({', '.join(names)})"] if names else []
    if not left:
        return ""
    return (
        f" Formulas over all rows are not checked one by one in {'; '.join(left)}, which have too many rows. Only the "
        "totals of the checks find a formula that was typed over there."
    )


def _for_any_row(text: str, table: Table, place: int) -> str:
    """A formula with its own row left out of its references."""
    own = rf"{re.escape(spelled(table.sheet))}!\$([A-Z]+)\${table.first_row + place + 1}(?![0-9:])"
    return re.sub(own, r"\1", text)


WHAT, STANDS_AT, CHANGED, NUMBER, LINE, COLUMN, WRONG, FIRST, WAS, NOW, FIRST_COPY = range(11)
"""The sheet's columns; COLUMN, FIRST: the last and the first cell that changed; WRONG: where a row has what is no
number that it can be; WAS, NOW: the changed cell as exported and now; from FIRST_COPY on what its cells were."""
HEADINGS: Final = tuple(plain_table("exported_heading").values())
WIDTHS: Final = (34, 11, 13, 14, 60, 10, 12, 10, 14, 14)
HEAD_ROWS: Final = 5
"""From the title of the list to its first row."""


@dataclass(frozen=True, slots=True)
class Span:
    """Neighbouring columns of the sheet: their cells in a table, first to last, and the copy's first column."""

    area: str
    columns: int
    copy_column: int


@dataclass(frozen=True, slots=True)
class Row:
    """A row that is watched: its name and what its cells were."""

    name: str
    was: "Sequence[Expr | Value | Own | None]"
    limits: "Sequence[looks.Limits | None]"


@dataclass(frozen=True, slots=True)
class Own:
    """Of a cell that is compared with itself, whatever its formula comes to; value: when the book was written."""

    value: Value


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """Rows of one table, with the headings and columns of their cells.

    heading_row: a row of the sheet that stays when rows are deleted. numbers: the area of what tells a row wherever it
    is sorted to. columns_moved: how many columns of its sheet are gone or new; "" where that cannot be.
    """

    title: str
    sheet: str
    headings: Sequence[str]
    columns: Sequence[int]
    heading_row: int
    rows: Sequence[Row]
    spans: Sequence[Span]
    numbers: str = ""
    columns_moved: str = ""


def title_of(table: Table) -> str:
    return table.watch.title or table.sheet


def block_of(table: Table) -> Block:
    """A table in memory, with the columns of it that are watched."""
    keys = table.watched()
    columns = [table.column_of(key) for key in keys]
    headings = [str(field.heading) for field in table.fields if field.key in keys]
    first, last = table.first_row, table.first_row + table.size - 1
    rows = [
        Row(
            name_of(table, place),
            [was_of(table, key, place) for key in keys],
            [table.limits(key, place) for key in keys],
        )
        for place in range(table.size)
    ]
    return Block(
        title=title_of(table),
        sheet=table.sheet,
        headings=headings,
        columns=columns,
        heading_row=first - 1,
        rows=rows,
        spans=spans_of(table.sheet, columns, first, last),
        numbers=table.range(table.watch.number).area if table.is_numbered else "",
    )


def name_of(table: Table, place: int) -> str:
    """What a row is called."""
    by = table.watch.named_by or _first(table)
    return ", ".join(text for key in by if (text := _words(table, key, place)))


def was_of(table: Table, key: str, place: int) -> Expr | Value | Own | None:
    """What a cell held; of a row that goes wherever it is sorted to, a formula is held to itself."""
    if table.is_numbered and table.is_formula(key, place):
        return Own(table.cell(key, place).value)
    return table.exported(key, place)


def _first(table: Table) -> tuple[str, ...]:
    """The first column, which names a row unless it is one of the inputs."""
    field = table.fields[0]
    return () if looks.is_yellow(field.style) else (field.key,)


def _words(table: Table, key: str, place: int) -> str:
    """What a cell says of its row; nothing where it is empty."""
    was = table.exported(key, place)
    value = was.value if isinstance(was, Expr) else was
    if value is None:
        return ""
    return value if isinstance(value, str) else f"{value:g}"


def lone_blocks(book: Book) -> Iterator[Block]:
    """Inputs outside tables, each a block of its own."""
    for one in book.lone_inputs:
        spans = spans_of(one.sheet, [one.column], one.row, one.row)
        title = f"{one.sheet}, {column_letters(one.column)}{one.row + 1}"
        yield Block(
            title=title,
            sheet=one.sheet,
            headings=[""],
            columns=[one.column],
            heading_row=one.row,
            rows=[Row("", [one.was], [None])],
            spans=spans,
        )


def spans_of(sheet: str, columns: Sequence[int], first: int, last: int) -> list[Span]:
    """Columns as runs of neighbours. first, last: zero-based rows."""
    breaks = [
        0,
        *(place for place, (left, right) in enumerate(pairwise(columns), 1) if right != left + 1),
        len(columns),
    ]
    return [
        Span(area(sheet, columns[begin], first, last, columns[end - 1]), end - begin, FIRST_COPY + begin)
        for begin, end in pairwise(breaks)
    ]


def lines_of(table: Table) -> int:
    """Rows of a long table: one for each column of numbers that is watched, one for all words."""
    return sum(not table.is_text(key) for key in table.totals) + any(
        table.is_text(key) for key in table.totals
    )


class RowWriter:
    """Writes rows from the top down, as XML."""

    def __init__(self, book: Book, stream: RowStream, row: int) -> None:
        """row: zero-based, the first."""
        self._stream, self._row, self._first_row = stream, row, row
        self._book, self._check = book, book.check
        self._look = {
            name: book.style_number(name) for name in ("muted", "text", "count", "strong", "number", "amount")
        }

    def block(self, block: Block) -> Expr:
        """The headings of a block and its rows; how many of its cells were changed."""
        self._headings(block)
        first = self._row
        for place, row in enumerate(block.rows):
            self._watched(block, row, place, first - 1)
        return self._sum(first)

    def long(self, table: Table) -> Expr:
        """A row for each total of a long table; how many of them are others."""
        first, sheet = self._row, spelled(table.sheet)

        def cells(key: str) -> str:
            """A column of the table."""
            return area(table.sheet, table.column_of(key), table.first_row, table.end_row - 1)

        number = table.watch.number
        for key, totals in table.totals.items():
            if table.is_text(key):
                continue
            column = cells(key)
            weight = cells(number) if number else f"(ROW({column})-MIN(ROW({column}))+1)"
            amount = f"SUMPRODUCT({weight},{column})"
            tolerance = repr(1e-9 + 1e-12 * abs(totals.amount))
            same = (
                f"ABS({amount}-{totals.amount!r})<={tolerance},"
                f"SUMPRODUCT({weight}*ISNUMBER({column}))={totals.numbers!r},"
                f"SUMPRODUCT({weight}*ISTEXT({column})*LEN({column}))={totals.letters!r}"
            )
            heading = str(next(field.heading for field in table.fields if field.key == key))
            letters = column_letters(table.column_of(key))
            name = f"{title_of(table)}: {heading} ({sheet}!{letters}:{letters})"
            self._line(name, f"IFERROR(IF(AND({same}),0,1),1)", self._at(WHAT))
        words = [key for key in table.totals if table.is_text(key)]
        if words:
            joined = f'&"{looks.SEAL_BETWEEN}"&'.join(
                f"LEFT({cells(key)},{looks.SEAL_CHARACTERS})" for key in words
            )
            differ = f"NOT(EXACT({joined},{cells(looks.SEAL.key)}))"
            names = cells(words[0])
            row = f"SUMPRODUCT(MAX({differ}*ROW({names})))"
            at = self._at(COLUMN)
            self._line(
                f"{title_of(table)}: words of its rows",
                f"IFERROR(SUMPRODUCT(--{differ}),1)",
                f'"words of "&INDEX({names},{at}-ROW(INDEX({names},1))+1)&" ({table.sheet}, row "&{at}&")"',
                row,
            )
        return self._sum(first)

    def columns(self, sheet: str, growing: Sequence[Table]) -> Expr:
        """A row for columns that are gone from a sheet or new between those of its tables; how many."""
        first, more = self._row, checks.columns_more(growing)
        words = f'IF(IFERROR({more},-1)<0,"columns of {sheet} are gone","columns are new in {sheet}")'
        words += '&": undo this to see other changes there"'
        self._line(f"{sheet}: columns", f"IFERROR(ABS({more}),1)", words)
        return self._sum(first)

    def added(self, table: Table, columns_moved: str) -> Expr:
        """A row for what somebody added to a table; how many rows that are."""
        first, title = self._row, title_of(table)
        count, row = checks.added_rows(table)
        rows = f'{self._at(CHANGED)}&IF({self._at(CHANGED)}=1," row"," rows")'
        where = f'IF({self._at(COLUMN)}>0," (row "&{self._at(COLUMN)}&")","")'
        words = f'{rows}&" added to {title}"&{where}&", not counted: import in the app"'
        self._line(f"{title}: rows added", f"IF({columns_moved}>0,0,IFERROR({count},1))", words, row)
        return self._sum(first)

    def outside(self, book: Book, sheet: str, growing: Sequence[Table], columns_moved: str) -> Expr:
        """A row for what was typed on a sheet outside of its growing tables, or is gone there; how many cells."""
        first, count = self._row, checks.cells_outside(book, sheet, growing)
        changed, row = self._at(CHANGED), self._at(COLUMN)
        where = f'IF({row}>0,"row "&{row},"something")'
        typed = f'{where}&" of {sheet} is outside of the lists, not counted: import it in the app"'
        gone = f'{changed}&" cells of {sheet} are gone"'
        name, words = f"{sheet}: cells outside its lists", f"IF({count}>0,{typed},{gone})"
        is_changed = f"IF({columns_moved}>0,0,IFERROR(ABS({count}),1))"
        self._line(name, is_changed, words, checks.typed_below(book, sheet, growing))
        return self._sum(first)

    def again(self, table: Table, columns: Sequence[Repeated]) -> Expr:
        """Formulas of a table worked out once more; how many cells come to something else."""
        headings = {field.key: looks.safe_text(field.heading) for field in table.fields}
        titles = [self._text(FIRST_COPY + at, headings[one.key], "muted") for at, one in enumerate(columns)]
        self._end([self._text(WHAT, f"{title_of(table)}: formulas worked out again", "strong"), *titles], 0)
        heads, first = self._cells(self._row - 1, len(columns)), self._row
        for place in range(table.size):
            cells = [
                self._formula(FIRST_COPY + at, self._differs_from(table, one, place), 0.0, "count")
                for at, one in enumerate(columns)
                if place in one.formulas
            ]
            across = self._cells(self._row, len(columns), row_mark="")
            of_row = name_of(table, place) if table.is_numbered else ""
            name = self._text(WHAT, of_row or f"row {table.first_row + place + 1}", "text")
            changed = self._at(CHANGED)
            column = f"SUMPRODUCT(MAX(({across}<>0)*(COLUMN({across})-{FIRST_COPY})))"
            words = f'IF({changed}=0,"",IFERROR({self._typed_over(table, columns, place, heads)},{self._at(WHAT)}))'
            self._end(
                [
                    name,
                    self._formula(CHANGED, f"IFERROR(SUM({across}),1)", 0.0, "count"),
                    self._formula(LINE, words, "", "text"),
                    self._formula(COLUMN, f"IF({changed}=0,0,IFERROR({column},0))", 0.0, "count"),
                    *cells,
                ],
                1,
            )
        return self._sum(first)

    def _typed_over(self, table: Table, columns: Sequence[Repeated], place: int, heads: str) -> str:
        """Return the cell of a row that differs from its formula, and its present place. heads: of the columns."""
        column, sheet = self._at(COLUMN), spelled(table.sheet)
        numbered = ",".join(str(int(one.is_by_number)) for one in columns)
        letters = ",".join(str(table.column_of(one.key) + 1) for one in columns)
        here = table.first_row + place + 1
        who, row = f'"{title_of(table)}, row {here}"', str(here)
        if table.is_numbered:
            at = f"MATCH({place + 1},{table.range(table.watch.number).area},0)+{table.first_row}"
            who = f"IF(INDEX({{{numbered}}},{column})=1,{self._at(WHAT)},{who})"
            row = f"IF(INDEX({{{numbered}}},{column})=1,{at},{here})"
        address = f"ADDRESS({row},INDEX({{{letters}}},{column}),4)"
        message = " does not agree with its formula any more"
        return f'{who}&": "&INDEX({heads},{column})&"{message} ({sheet}!"&{address}&")"'

    def _differs_from(self, table: Table, column: Repeated, place: int) -> str:
        """1 where a cell comes to something else than its formula does here; 0 where the row is gone."""
        text, row = column.formulas[place], table.first_row + place + 1
        cell = table.cell(column.key, place).text
        is_there = f"ISREF({cell})"
        if column.is_by_number:
            is_there = f"ISNUMBER(MATCH({place + 1},{table.range(table.watch.number).area},0))"
            cell, text = (
                self._book.references.written(expression, CHECK_LIST, 0) for expression in (cell, text)
            )
        else:
            text = self._book.references.elsewhere(text, spelled(table.sheet), row)
        return f"IF({is_there},IF(ISERROR({cell}),1,IFERROR(IF(({text})<>{cell},1,0),0)),0)"

    def _sum(self, first: int) -> Expr:
        return of_the_book(f"SUM({area(CHECK_LIST, CHANGED, first, self._row - 1)})", 0.0)

    def _headings(self, block: Block) -> None:
        """Two rows: what the columns are called, and where they stand now."""
        titles = [
            self._text(FIRST_COPY + place, looks.safe_text(heading), "muted")
            for place, heading in enumerate(block.headings)
        ]
        self._end([self._text(WHAT, block.title, "strong"), *titles], 0)
        cells = []
        for place, column in enumerate(block.columns):
            cell = f"{spelled(block.sheet)}!{column_letters(column)}${block.heading_row + 1}"
            stands = f"IFERROR(COLUMN({cell}),{column + 1})"
            cells.append(self._formula(FIRST_COPY + place, stands, float(column + 1), "muted"))
        self._end([self._text(WHAT, "in column", "muted"), *cells], 0)

    def _watched(self, block: Block, row: Row, place: int, columns_row: int) -> None:
        """One row: where it stands, how many of its cells are others, and the last of these in words."""
        name, at, changed = (self._at(column) for column in (WHAT, STANDS_AT, CHANGED))
        stands = str(place + 1)
        if block.numbers:
            stands = f"IFERROR(MATCH({place + 1},{block.numbers},0),0)"
        differs = [self._differs(span, at) for span in block.spans]
        count = "+".join(f"SUMPRODUCT(--({one}))" for one in differs)
        width = len(block.headings)
        places = [
            (differ, f"(COLUMN({self._copy(span)})-{FIRST_COPY})")
            for differ, span in zip(differs, block.spans, strict=True)
        ]
        copies = ",".join(f"SUMPRODUCT(MAX(({differ})*{at_copy}))" for differ, at_copy in places)
        back = ",".join(f"SUMPRODUCT(MAX(({differ})*({width + 1}-{at_copy})))" for differ, at_copy in places)
        column, first = self._at(COLUMN), self._at(FIRST)
        titles = self._cells(columns_row - 1, width)
        stand = self._cells(columns_row, width)
        who = name if row.name else f'"{block.title}"'
        last = f'{who}&": "&INDEX({titles},{column})' if width > 1 else who

        def address(of: str) -> str:
            """Where the cell of a column stands, in brackets."""
            place = f"ADDRESS(ROW(INDEX({block.spans[0].area},{at},1)),INDEX({stand},{of}),4)"
            return f'" ({spelled(block.sheet)}!"&{place}&")"'

        gone = f'{name}&" is not in {block.title} any more"'
        named = f"(1+({first}<>{column}))"
        also = f'IF({first}={column},"",", "&INDEX({titles},{first})&{address(first)})'
        more = f'{also}&IF({changed}>{named}," and "&({changed}-{named})&" more of it","")'
        wrong, is_number = self._wrong(block, row, at)
        how = (
            f'IF({self._at(WRONG)}>0,IF({is_number}," is out of range"," is not a number"),"")&'
            if wrong
            else ""
        )
        words = f"{last}&{how}{address(column)}" + (f"&{more}" if width > 1 else "")
        here = f"MAX({copies})"
        copies_here = self._cells(self._row, width, row_mark="")
        if wrong:
            here = f"IF({self._at(WRONG)}>0,{self._at(WRONG)},{here})"
        is_moved = f"{block.columns_moved}>0," if block.columns_moved else ""
        differ = f"IF({at}=0,1,IFERROR({count},1))"
        self._end(
            [
                self._text(WHAT, row.name, "text"),
                self._formula(STANDS_AT, stands, float(place + 1), "count"),
                self._formula(CHANGED, f"IF({is_moved}0,{differ})" if is_moved else differ, 0.0, "count"),
                None,
                self._formula(
                    LINE, f'IF({changed}=0,"",IF({at}=0,{gone},IFERROR({words},{who})))', "", "text"
                ),
                self._formula(COLUMN, f"IF(OR({changed}=0,{at}=0),0,IFERROR({here},1))", 0.0, "count"),
                self._formula(WRONG, f"IF(OR({changed}=0,{at}=0),0,IFERROR({wrong},0))", 0.0, "count")
                if wrong
                else None,
                self._formula(
                    FIRST, f"IF({changed}<2,{column},IFERROR({width + 1}-MAX({back}),{column}))", 0.0, "count"
                )
                if width > 1
                else None,
                self._formula(WAS, self._value(f"INDEX({copies_here},{column})"), "", "amount"),
                self._formula(NOW, self._value(self._now(block, at, column)), "", "amount"),
                *(
                    self._copied(FIRST_COPY + number, one, block.spans, at)
                    for number, one in enumerate(row.was)
                ),
            ],
            1,
        )

    def _value(self, cell: str) -> str:
        """The value of a changed cell; empty if nothing was changed or the row is gone."""
        return f'IF({self._at(COLUMN)}=0,"",IFERROR(IF(ISBLANK({cell}),"",{cell}),""))'

    def _now(self, block: Block, row_place: str, column: str) -> str:
        """The cell in a column of a block, by the present place of its row."""
        *before, last = block.spans
        text = f"INDEX({last.area},{row_place},{column}-{last.copy_column - FIRST_COPY})"
        for span in reversed(before):
            begin = span.copy_column - FIRST_COPY
            text = (
                f"IF({column}<={begin + span.columns},INDEX({span.area},{row_place},{column}-{begin}),{text})"
            )
        return text

    def _differs(self, span: Span, at: str) -> str:
        """1 for each cell of a row that is another: as text with its capitals, and whether it is a number.

        EXACT of numbers themselves is not the same everywhere; of their text it is. A formula that is an error because
        another cell was damaged is as it was; it is no cell that somebody changed.
        """
        now, copy = f"INDEX({span.area},{at},0)", self._copy(span)
        same = f'EXACT({copy}&"",{now}&"")*(ISNUMBER({copy})=ISNUMBER({now}))'
        return f"(1-ISNUMBER(1/({same})))*(1-ISERROR({copy})*ISERROR({now}))"

    def _wrong(self, block: Block, row: Row, at: str) -> tuple[str, str]:
        """The last cell of a row that is no number that it can be, and whether it is a number at all; "" where none has
        to be one. Roots tell what is out of range, for a comparison would take text as large and stop at an error."""
        lasts, is_number = list[str](), "FALSE"
        for span in block.spans:
            begin = span.copy_column - FIRST_COPY
            limits = row.limits[begin : begin + span.columns]
            if not any(limits):
                continue
            each = [limit or looks.Limits(-looks.NO_LIMIT) for limit in limits]
            now = f"INDEX({span.area},{at},0)"
            low, high = (_array([getattr(one, side) for one in each]) for side in ("low", "high"))
            sound = f"ISNUMBER({now})*ISNUMBER(SQRT({now}-{low}))*ISNUMBER(SQRT({high}-{now}))"
            empty = _array([one.or_unknown or one.low <= 0 for one in each])  # which counts as 0
            must = f"{_array([one is not None for one in limits])}*(1-{sound})*(1-{empty}*ISBLANK({now}))"
            if any(one.or_unknown for one in each):
                words = ",".join(f'"{word}"' for word in looks.UNKNOWN_WORDS)
                may_be_unknown = _array([one.or_unknown for one in each])
                must += f"*(1-{may_be_unknown}*ISNUMBER(MATCH({now},{{{words}}},0)))"
            wrong = f"{must}*({self._differs(span, at)})"
            lasts.append(f"SUMPRODUCT(MAX({wrong}*(COLUMN({self._copy(span)})-{FIRST_COPY})))")
            found = f"ISNUMBER(INDEX({span.area},{at},{self._at(WRONG)}-{begin}))"
            is_number = found if len(lasts) == 1 else f"IF({self._at(WRONG)}>{begin},{found},{is_number})"
        return (f"MAX({','.join(lasts)})", is_number) if lasts else ("", "")

    def _line(self, name: str, changed: str, words: str, row: str = "0") -> None:
        """A row for a total of a long table. row: the sheet's row of the last change, where it can be told."""
        is_changed = f"{self._at(CHANGED)}=0"
        self._end(
            [
                self._text(WHAT, name, "text"),
                None,
                self._formula(CHANGED, changed, 0.0, "count"),
                None,
                self._formula(LINE, f'IF({is_changed},"",IFERROR({words},{self._at(WHAT)}))', "", "text"),
                self._formula(COLUMN, f"IF({is_changed},0,IFERROR({row},0))", 0.0, "count"),
            ],
            1,
        )

    def _end(self, cells: Sequence[str | None], counts: int) -> None:
        """Ends a row; counts: 1 for one that can change, 0 for headings, which repeat the number above."""
        above = reference(CHECK_LIST, self._row - 1, NUMBER).partition("!")[2]
        before = "0" if self._row == self._first_row else above
        number = f"{before}+IF({self._at(CHANGED)}>0,1,0)" if counts else before
        found = [cell for cell in cells if cell]
        found.append(self._formula(NUMBER, number, 0.0, "count"))
        found.sort(key=_place_of)
        self._stream.add("".join(found))
        self._row += 1
        if not self._row % 256:
            self._check()

    def _copied(self, column: int, was: Expr | Value | Own | None, spans: Sequence[Span], at: str) -> str:
        """What a cell was. at: where its row stands now."""
        if isinstance(was, Own):
            span = next(one for one in spans if column < one.copy_column + one.columns)
            now = f"INDEX({span.area},MAX(1,{at}),{column - span.copy_column + 1})"
            return self._formula(column, now, was.value, "amount")
        if was is None:
            return blank_cell(self._reference(column), self._look["text"])
        if isinstance(was, Expr):
            return self._formula(column, was.text, was.value, "amount")
        if isinstance(was, str):
            return self._text(column, was, "text")
        return number_cell(self._reference(column), self._look["number"], was)

    def _text(self, column: int, text: str, look: str) -> str:
        if not text:
            return blank_cell(self._reference(column), self._look[look])
        return text_cell(self._reference(column), self._look[look], text)

    def _formula(self, column: int, formula: str, value: Value, look: str) -> str:
        return formula_cell(self._reference(column), self._look[look], formula, value)

    def _reference(self, column: int) -> str:
        return f"{column_letters(column)}{self._row + 1}"

    def _at(self, column: int) -> str:
        """A cell of the row at hand, for its formulas."""
        return f"${column_letters(column)}{self._row + 1}"

    def _copy(self, span: Span) -> str:
        """What the cells of a span were, in the row at hand."""
        return self._cells(self._row, span.columns, span.copy_column, "")

    def _cells(self, row: int, width: int, column: int = FIRST_COPY, row_mark: str = "$") -> str:
        """Neighbouring cells of a row, of the copies where no column is said. row_mark: "" of the row at hand."""
        left, right = column_letters(column), column_letters(column + width - 1)
        return f"${left}{row_mark}{row + 1}:${right}{row_mark}{row + 1}"


def _array(values: Sequence[float]) -> str:
    """Numbers of neighbouring columns as a constant of a formula."""
    return f"{{{','.join(f'{value:.15G}' for value in values)}}}"


def _place_of(cell: str) -> tuple[int, str]:
    """Sort key of a cell's XML: its column."""
    letters = cell[6 : cell.index('"', 6)].rstrip("0123456789")
    return len(letters), letters


LONE_AT_ONCE: Final = 100
"""Cells that one formula counts: its length is limited."""
ENDLESS: Final = 100_000_000
"""What stands for no end, or no rate, is this or more: a sum with it would tell nothing of the rest."""
UNCHANGED: Final = "No input was changed since the export."
CHANGED_WORDS: Final = "Changed inputs: "
LISTED: Final = 10
"""Changes that Method and checks names; of more it says how many."""

NAMED_AT_MOST: Final = 200
"""Rows that a formula names: its length is limited."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exported:
    """What the sheet says: checks is (title, how many cells of it were changed), one for each table that is watched.

    numbers, lines: the columns of how many rows were changed so far, and in which words. wrong: the column of where
    something stands that is no number, or none that it can be. values: the columns of the changed cells as exported and
    now. columns: (sheet, how many, the same live) of each that
    is not protected. again: how many formulas of a table come to something else than where they are worked out again.
    """

    checks: tuple[tuple[str, Expr], ...]
    numbers: str
    lines: str
    total: str
    wrong: str = ""
    values: tuple[str, str] = ("", "")
    columns: tuple[tuple[str, float, Expr], ...] = ()
    again: tuple[tuple[str, Expr], ...] = ()

    def line(self, number: int) -> str:
        """The words of a change, counted from 1. Counts so far only rise: how many are no less tells where it stands,
        without a look-up, which some programs keep from before an edit."""
        return self._at_change(self.lines, number)

    def values_of(self, number: int) -> tuple[str, str]:
        """The cell of a change, counted from 1, as exported and now."""
        was, now = self.values
        return self._at_change(was, number), self._at_change(now, number)

    def _at_change(self, column: str, number: int) -> str:
        return f'INDEX({column},ROWS({self.numbers})-COUNTIF({self.numbers},">={number}")+1)'


@dataclass(frozen=True, slots=True, kw_only=True)
class Watched:
    """The tables of the book that are watched, once all inputs are written."""

    tables: Sequence[Table]
    growing: Sequence[Table]
    unprotected: Mapping[str, list[Table]]
    lone: Sequence[Block]
    long: Sequence[Table]
    repeated: Sequence[tuple[Table, list[Repeated]]]

    @property
    def size(self) -> int:
        """The rows of the list of inputs as exported."""
        return (
            sum(table.size + 2 for table in self.tables)
            + sum(len(block.rows) + 2 for block in self.lone)
            + sum(lines_of(table) for table in self.long)
            + len(self.growing)
            + 2 * len(self.unprotected)
            + sum(table.size + 1 for table, _ in self.repeated)
        )

    @property
    def checks(self) -> int:
        """The number of checks that the list of inputs as exported has."""
        of_tables = len(self.tables) + len(self.lone) + len(self.long) + len(self.growing)
        return of_tables + 3 * len(self.unprotected) + len(self.repeated) + (1 if self.size else 0)


def watch(book: Book) -> Watched:
    """Return what is watched; locks the cells that only the app may change."""
    tables = [table for table in book.tables if not table.is_long and table.size and table.watched()]
    for table in tables:
        checks.take_nothing(table, *table.fixed_columns())
        checks.take_numbers(table, *table.unlimited())
    growing = [table for table in tables if table.is_numbered]
    long = [table for table in book.tables if table.is_long and table.totals]
    for table in long:
        checks.take_nothing(table, *table.fixed_columns())
    repeated = [(table, found) for table in book.tables if (found := worked_out_again(table))]
    for table, columns in repeated:
        walled = table.fixed_columns()
        open_keys = (column.key for column in columns if column.key not in walled)
        checks.take_nothing(table, *(key for key in open_keys if not table.has_input(key)))
    return Watched(
        tables=tables,
        growing=growing,
        unprotected=checks.open_sheets(growing),
        lone=list(lone_blocks(book)),
        long=long,
        repeated=repeated,
    )


def write_exported(book: Book, watched: Watched, row: int) -> Exported:
    """Write the list from a row on, once every input of the book is there."""
    book.write(CHECK_LIST, row, 0, "Inputs as exported", "section")
    note = "Each input and each value of the app at the export, and the changes since." + too_long(
        book.tables
    )
    book.write(CHECK_LIST, row + 1, 0, note, "note")
    first = row + HEAD_ROWS
    for column, (heading, width) in enumerate(zip(HEADINGS, WIDTHS, strict=True)):
        book.write(CHECK_LIST, first - 2, column, heading, "heading")
        book.sheets[CHECK_LIST].set_column(column, column, width)
    book.sheets[CHECK_LIST].set_column(FIRST_COPY, FIRST_COPY + 40, 14)
    moved = {
        sheet: f"${column_letters(CHANGED)}${first + 1 + place}"
        for place, sheet in enumerate(watched.unprotected)
    }
    blocks = [
        *(replace(block_of(table), columns_moved=moved.get(table.sheet, "")) for table in watched.tables),
        *watched.lone,
    ]
    width = max((len(block.headings) for block in blocks), default=1)
    width = FIRST_COPY + max((width, *(len(columns) for _, columns in watched.repeated)))
    if not watched.size:
        return Exported(checks=(), numbers="", lines="", total="0")
    last = first + watched.size - 1
    writer = RowWriter(book, book.stream(CHECK_LIST, first, last, 0, width - 1), first)
    of_columns = [
        (f"{sheet}: columns", writer.columns(sheet, lists)) for sheet, lists in watched.unprotected.items()
    ]
    of_blocks = [(block.title, writer.block(block)) for block in blocks]
    of_long = [(title_of(table), writer.long(table)) for table in watched.long]
    of_growing = [
        (f"{title_of(table)}: rows added", writer.added(table, moved.get(table.sheet, "0")))
        for table in watched.growing
    ]
    of_open = [
        (f"{sheet}: cells outside its lists", writer.outside(book, sheet, lists, moved[sheet]))
        for sheet, lists in watched.unprotected.items()
    ]
    of_repeated = [(title_of(table), writer.again(table, columns)) for table, columns in watched.repeated]
    return Exported(
        checks=(*of_columns, *of_blocks, *of_long, *of_growing, *of_open),
        numbers=area(CHECK_LIST, NUMBER, first, last),
        lines=area(CHECK_LIST, LINE, first, last),
        total=reference(CHECK_LIST, last, NUMBER),
        wrong=area(CHECK_LIST, WRONG, first, last),
        values=(area(CHECK_LIST, WAS, first, last), area(CHECK_LIST, NOW, first, last)),
        columns=tuple((sheet, *checks.columns_left(lists)) for sheet, lists in watched.unprotected.items()),
        again=tuple(of_repeated),
    )


def calculated(book: Book) -> Iterator[tuple[str, float, Expr]]:
    """Of each table, and of the lone cells of each sheet so far: its title, how many cells are calculated, and how many
    of them are formulas. What follows from the light is written later: to check it would be a circle."""
    for sheet, cells in book.lone_formulas.items():
        for begin in range(0, len(cells), LONE_AT_ONCE):
            some = cells[begin : begin + LONE_AT_ONCE]
            text = "+".join(f"--_xlfn.ISFORMULA({cell})" for cell in some)
            yield f"{sheet}: cells outside tables", float(len(some)), of_the_book(text, float(len(some)))
    for table in book.tables:
        keys = table.worked_out()
        if keys:
            count = float(sum(keys.values()))
            none = _none_by_number(table) if table.is_numbered else ""
            if none:  # rows may be deleted, and others put between
                yield f"{title_of(table)}: cells that are none", 0.0, of_the_book(none, 0.0)
                continue
            spans = _spans(table, map(table.column_of, keys))
            text = "+".join(f"SUMPRODUCT(--_xlfn.ISFORMULA({span.area}))" for span in spans)
            yield title_of(table), count, of_the_book(text, count)


def _none_by_number(table: Table) -> str:
    """How many calculated cells of a table are none, in those of its rows that are left; "" where a column has too many
    rows with a formula and too many without one for a formula that names the fewer."""
    columns = grouped((table.formula_places(key), table.column_of(key)) for key in table.worked_out())
    number = table.range(table.watch.number).area
    texts = []
    for places, some in columns.items():
        without = set(range(table.size)) - places
        fewer = min(without, places, key=len)
        if len(fewer) > NAMED_AT_MOST:
            return ""
        named = ";".join(str(place + 1) for place in sorted(fewer))
        found = f"MATCH({number},{{{named}}},0)"
        rows = f"ISNUMBER({number})" if not fewer else f"ISNUMBER({number})*ISNA({found})"
        if fewer is places:
            rows = f"ISNUMBER({found})"
        texts += [f"SUMPRODUCT({rows}*NOT(_xlfn.ISFORMULA({span.area})))" for span in _spans(table, some)]
    return "+".join(texts)


def _spans(table: Table, columns: Iterable[int]) -> list[Span]:
    """Some columns of all rows of a table."""
    return spans_of(table.sheet, sorted(columns), table.first_row, table.first_row + table.size - 1)


def figures(book: Book) -> Iterator[tuple[str, float, Expr]]:
    """Of each table in memory: its title, what its calculated numbers come to together, and the same live.

    A formula that was typed over with another one is found by it, as long as no input was changed.
    """
    for table in book.tables:
        keys = () if table.is_long else tuple(table.worked_out())
        if keys:
            numbers = np.concatenate([table.range(key).numbers() for key in keys])
            total = float(numbers[numbers < ENDLESS].sum())
            spans = _spans(table, map(table.column_of, keys))
            text = "+".join(f'SUMIF({span.area},"<{ENDLESS}")' for span in spans)
            yield title_of(table), total, of_the_book(text, total)


def first_changes(exported: Exported) -> list[tuple[Expr, Expr, Expr]]:
    """Return the first changed inputs as formulas: in words, as exported and now; empty text if there are fewer."""
    if not exported.numbers:
        return []
    return [
        (
            _of_change(exported, number, exported.line(number)),
            _of_change(exported, number, was),
            _of_change(exported, number, now),
        )
        for number in range(1, LISTED + 1)
        for was, now in (exported.values_of(number),)
    ]


def _of_change(exported: Exported, number: int, text: str) -> Expr:
    """Return a formula on a change, empty if there are fewer changes."""
    return of_the_book(f'IF({exported.total}>={number},{text},"")', "")


def changes_in_words(
    exported: Exported, is_whole: Range, moved: str, usd: Sequence[Range], no_rate: str
) -> Expr:
    """The line on changed inputs: whether the advice is of what stands in the book, and what was changed if not.

    is_whole: of each month 1, or 0 where it is a dash because a contract moved; usd: amounts of the months, of which
    those that were known are dashes too where a rate is gone.
    """
    unchanged = UNCHANGED
    if not exported.numbers:
        return of_the_book(f'"{unchanged}"', unchanged)

    def line(number: int) -> str:
        """The words of one change, "" where there are fewer."""
        between = "" if number == 1 else '"; "&'
        return f'IF({exported.total}>={number},{between}{exported.line(number)},"")'

    named = "&".join(line(number) for number in range(1, LISTED + 1))
    more = f'IF({exported.total}>{LISTED}," and "&({exported.total}-{LISTED})&" more","")'
    text = f'IF({exported.total}=0,"{unchanged}","{CHANGED_WORDS}"&{named}&{more})'
    known = sum(len(one.numbers()) - one.unknown for one in usd)
    gone = f'IF(COUNT({",".join(one.text for one in usd)})<{known},". Dashes of months: {no_rate}","")'
    dashes = f'IF(COUNTIF({is_whole.text},0)>0,". Dashes of months: {moved}",{gone})'
    unsound = f'IF({checks.UNSOUND.text}>0,". Totals are dashes until that is a number",{dashes})'
    return of_the_book(f"{text}&{unsound}", unchanged)
