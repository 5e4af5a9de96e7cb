"""Exported: what every input was at the export and whether it still is, and in words what was changed."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gpuplanner.files.workbook.answers.exported_blocks import (
    CHANGED,
    FIRST_COPY,
    FIRST_ROW,
    HEADINGS,
    LINE,
    NUMBER,
    SHEET,
    WIDTHS,
    WRONG,
    RowWriter,
    Span,
    block_of,
    lines_of,
    lone_blocks,
    spans_of,
    title_of,
    too_long,
    worked_out_again,
)
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import area, column_letters, reference
from gpuplanner.files.workbook.kit.checks import (
    UNSOUND,
    columns_left,
    open_sheets,
    take_nothing,
    take_numbers,
)
from gpuplanner.files.workbook.kit.expressions import Expr, Range, of_the_book

LONE_AT_ONCE: Final = 100
"""Cells that one formula counts: its length is limited."""
ENDLESS: Final = 100_000_000
"""What stands for no end, or no rate, is this or more: a sum with it would tell nothing of the rest."""
LISTED: Final = 10
"""Changes that the Summary names; of more it says how many."""

NAMED_AT_MOST: Final = 200
"""Rows that a formula names: its length is limited."""


@dataclass(frozen=True, slots=True)
class Exported:
    """What the sheet says: checks is (title, how many cells of it were changed), one for each table that is watched.

    numbers, lines: the columns of how many rows were changed so far, and in which words. wrong: the column of where
    something stands that is no number, or none that it can be. columns: (sheet, how many, the same live) of each that
    is not protected. again: how many formulas of a table come to something else than where they are worked out again.
    """

    checks: tuple[tuple[str, Expr], ...]
    numbers: str
    lines: str
    total: str
    wrong: str = ""
    columns: tuple[tuple[str, float, Expr], ...] = ()
    again: tuple[tuple[str, Expr], ...] = ()

    def line(self, number: int) -> str:
        """The words of a change, counted from 1. Counts so far only rise: how many are no less tells where it stands,
        without a look-up, which some programs keep from before an edit."""
        return f'INDEX({self.lines},ROWS({self.numbers})-COUNTIF({self.numbers},">={number}")+1)'


def write_exported(book: Book) -> Exported:
    """Write the sheet, once every other one that has inputs is there."""
    book.title(
        SHEET,
        "Exported",
        "What every input, and what else the app wrote as a value, was at the export. The columns at the left say "
        "what of it was changed since.",
        "Rows are found by their number where they have one, wherever they were sorted to."
        + too_long(book.tables),
    )
    for column, (heading, width) in enumerate(zip(HEADINGS, WIDTHS, strict=True)):
        book.write(SHEET, FIRST_ROW - 2, column, heading, "heading")
        book.sheets[SHEET].set_column(column, column, width)
    book.sheets[SHEET].set_column(FIRST_COPY, FIRST_COPY + 40, 14)
    book.sheets[SHEET].freeze_panes(FIRST_ROW - 1, 1)
    book.sheets[SHEET].print_nothing()
    tables = [table for table in book.tables if not table.is_long and table.size and table.watched()]
    for table in tables:
        take_nothing(table, *table.fixed_columns())
        take_numbers(table, *table.unlimited())
    growing = [table for table in tables if table.is_numbered]
    unprotected = open_sheets(growing)
    moved = {
        sheet: f"${column_letters(CHANGED)}${FIRST_ROW + 1 + at}" for at, sheet in enumerate(unprotected)
    }
    blocks = [
        *(replace(block_of(table), columns_moved=moved.get(table.sheet, "")) for table in tables),
        *lone_blocks(book),
    ]
    long = [table for table in book.tables if table.is_long and table.totals]
    for table in long:
        take_nothing(table, *table.fixed_columns())
    repeated = [(table, found) for table in book.tables if (found := worked_out_again(table))]
    for table, columns in repeated:
        walled = table.fixed_columns()
        open_keys = (one.key for one in columns if one.key not in walled)
        take_nothing(table, *(key for key in open_keys if not table.has_input(key)))
    size = (
        sum(len(block.rows) + 2 for block in blocks)
        + sum(lines_of(table) for table in long)
        + len(growing)
        + 2 * len(unprotected)
        + sum(table.size + 1 for table, _ in repeated)
    )
    width = max((len(block.headings) for block in blocks), default=1)
    width = FIRST_COPY + max((width, *(len(columns) for _, columns in repeated)))
    if not size:
        return Exported((), "", "", "0")
    last = FIRST_ROW + size - 1
    writer = RowWriter(book, book.stream(SHEET, FIRST_ROW, last, 0, width - 1), FIRST_ROW)
    of_columns = [(f"{sheet}: columns", writer.columns(sheet, lists)) for sheet, lists in unprotected.items()]
    of_blocks = [(block.title, writer.block(block)) for block in blocks]
    of_long = [(title_of(table), writer.long(table)) for table in long]
    of_growing = [
        (f"{title_of(table)}: rows added", writer.added(table, moved.get(table.sheet, "0")))
        for table in growing
    ]
    of_open = [
        (f"{sheet}: cells outside its lists", writer.outside(book, sheet, lists, moved[sheet]))
        for sheet, lists in unprotected.items()
    ]
    of_repeated = [(title_of(table), writer.again(table, columns)) for table, columns in repeated]
    book.sheets[SHEET].autofilter(FIRST_ROW - 2, 0, last, LINE)
    return Exported(
        (*of_columns, *of_blocks, *of_long, *of_growing, *of_open),
        area(SHEET, NUMBER, FIRST_ROW, last),
        area(SHEET, LINE, FIRST_ROW, last),
        reference(SHEET, last, NUMBER),
        area(SHEET, WRONG, FIRST_ROW, last),
        tuple((sheet, *columns_left(lists)) for sheet, lists in unprotected.items()),
        tuple(of_repeated),
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
        keys = {} if table.sheet == SHEET else table.worked_out()
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
    columns: dict[frozenset[int], list[int]] = {}
    for key in table.worked_out():
        columns.setdefault(table.formula_places(key), []).append(table.column_of(key))
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
        spans = _spans(table, some)
        texts += [f"SUMPRODUCT({rows}*NOT(_xlfn.ISFORMULA({span.area})))" for span in spans]
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


def changes_in_words(
    exported: Exported, is_whole: Range, moved: str, usd: Sequence[Range], no_rate: str
) -> Expr:
    """The line of the Summary: whether the advice is of what stands in the book, and what was changed if not.

    is_whole: of each month 1, or 0 where it is a dash because a contract moved; usd: amounts of the months, of which
    those that were known are dashes too where a rate is gone.
    """
    unchanged = "as exported: the advice is of the inputs in this book"
    if not exported.numbers:
        return of_the_book(f'"{unchanged}"', unchanged)

    def line(number: int) -> str:
        """The words of one change, "" where there are fewer."""
        between = "" if number == 1 else '"; "&'
        return f'IF({exported.total}>={number},{between}{exported.line(number)},"")'

    named = "&".join(line(number) for number in range(1, LISTED + 1))
    more = f'IF({exported.total}>{LISTED}," and "&({exported.total}-{LISTED})&" more","")'
    text = f'IF({exported.total}=0,"{unchanged}","advice is of the exported inputs: "&{named}&{more})'
    known = sum(len(one.numbers()) - one.unknown for one in usd)
    gone = f'IF(COUNT({",".join(one.text for one in usd)})<{known},". Dashes of months: {no_rate}","")'
    dashes = f'IF(COUNTIF({is_whole.text},0)>0,". Dashes of months: {moved}",{gone})'
    unsound = f'IF({UNSOUND.text}>0,". Totals are dashes until that is a number",{dashes})'
    return of_the_book(f"{text}&{unsound}", unchanged)
