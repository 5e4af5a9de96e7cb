"""What is watched of a book, as rows of the sheet Exported: tables in memory, and inputs that stand alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from gpuplanner.files.workbook.answers.exported.layout import FIRST_COPY
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import column_letters
from gpuplanner.files.workbook.kit.cell_names import sheet_reference as spelled
from gpuplanner.files.workbook.kit.expressions import Expr, Value
from gpuplanner.files.workbook.kit.looks import is_yellow
from gpuplanner.files.workbook.kit.watch import Limits


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
    limits: "Sequence[Limits | None]"


@dataclass(frozen=True, slots=True)
class Own:
    """Of a cell that is compared with itself, whatever its formula comes to; value: when the book was written."""

    value: Value


@dataclass(frozen=True, slots=True)
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
        title_of(table),
        table.sheet,
        headings,
        columns,
        first - 1,
        rows,
        spans_of(table.sheet, columns, first, last),
        table.range(table.watch.number).area if table.is_numbered else "",
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
    return () if is_yellow(field.style) else (field.key,)


def _words(table: Table, key: str, place: int) -> str:
    """What a cell says of its row; nothing where it is empty."""
    was = table.exported(key, place)
    value = was.value if isinstance(was, Expr) else was
    return "" if value is None else value if isinstance(value, str) else f"{value:g}"


def lone_blocks(book: Book) -> Iterator[Block]:
    """Inputs outside tables, each a block of its own."""
    for one in book.lone_inputs:
        spans = spans_of(one.sheet, [one.column], one.row, one.row)
        title = f"{one.sheet}, {column_letters(one.column)}{one.row + 1}"
        row = Row("", [one.was], [book.lone_limits.get((one.sheet, one.row, one.column))])
        yield Block(title, one.sheet, [""], [one.column], one.row, [row], spans)


def spans_of(sheet: str, columns: Sequence[int], first: int, last: int) -> list[Span]:
    """Columns as runs of neighbours. first, last: zero-based rows."""
    breaks = [
        0,
        *(place for place, (left, right) in enumerate(pairwise(columns), 1) if right != left + 1),
        len(columns),
    ]
    return [
        Span(
            f"{spelled(sheet)}!${column_letters(columns[begin])}${first + 1}"
            f":${column_letters(columns[end - 1])}${last + 1}",
            end - begin,
            FIRST_COPY + begin,
        )
        for begin, end in pairwise(breaks)
    ]


def lines_of(table: Table) -> int:
    """Rows of a long table: one for each column of numbers that is watched, one for all words."""
    return sum(not table.is_text(key) for key in table.totals) + any(
        table.is_text(key) for key in table.totals
    )
