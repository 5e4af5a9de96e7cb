"""What the book is held to: checks and their light, rules of inputs, rows that count, what stands outside of tables."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from gpuplanner.domain.message import Text
from gpuplanner.domain.model.amounts import grouped
from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import SPARE_ROWS, area, column_letters, sheet_reference
from gpuplanner.files.workbook.kit.expressions import DASH, Expr, Operands, Value, formula, lift, of_the_book
from gpuplanner.files.workbook.kit.looks import AMBER, GREEN, RED, Field, Limits
from gpuplanner.files.workbook.kit.sheets import SHEETS
from gpuplanner.lazy_dataclass import dataclass

CENT: Final = 0.01
"""$ by which totals of the book and of the app may differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One row: two amounts that agree. kind: must (red where they differ), input (changed), total (red or
    changed)."""

    group: str
    what: Text
    app: Expr | Value
    here: Expr
    tolerance: float
    kind: str = "must"


TOTAL: Final = "Total as in the app"


def as_in_app(
    message: Text, app: float | None, here: Expr, group: str = TOTAL, tolerance: float = CENT
) -> Check:
    """A figure of the app, the dash where it is unknown, beside what it comes to here."""
    return Check(
        group=group,
        what=message,
        app=DASH if app is None else app,
        here=here,
        tolerance=tolerance,
        kind="total",
    )


UNSOUND: Final = of_the_book("inputs_not_sound", 0.0)
"""The named cell that counts inputs that are no number, or none that they can be: what stands on them is unknown."""
CHANGES: Final = "advice_is_of"
"""The named cell that names the changed inputs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Light:
    """The status of the book. checks, changes: the named cells over all checks and with the changed inputs in words.

    changed_words: the formula of the second. number, failed, changed: cells with the numbers of all checks, of failed
    checks and of changed inputs. parts: by group
    of checks, its number of checks and how many of them are not red, a formula. changed_cells: of the first changed
    inputs, each in words, as exported and now; formulas.
    """

    checks: Expr
    changes: Expr
    changed_words: Expr
    number: Expr
    failed: Expr
    changed: Expr
    parts: Mapping[str, tuple[int, Expr]]
    changed_cells: Sequence[tuple[Expr, Expr, Expr]]

    @property
    def word(self) -> Expr:
        """Green, Changed or Red."""
        given = {"failed": self.failed, "changed": self.changed}
        return formula('IF({failed}>0,"Red",IF({changed}>0,"Changed","Green"))', **given)


def add_light_colors(book: Book, sheet: str, *area: int) -> None:
    """Colour words that begin with red, changed or green; the word says it without the colour too. area: first row and
    column, last row and column."""
    for word, color in (("red", RED), ("changed", AMBER), ("green", GREEN)):
        look = book.workbook.add_format({"font_color": color, "bold": True})
        rule = {"type": "text", "criteria": "begins with", "value": word, "format": look}
        book.sheets[sheet].conditional_format(*area, rule)


def add_light_fills(book: Book, sheet: str, *area: int) -> None:
    """Fill a cell with the color of the status that it names. area: first row and column, last row and column."""
    for word, color in (("Green", GREEN), ("Changed", AMBER), ("Red", RED)):
        look = book.workbook.add_format({"bg_color": color})
        rule = {"type": "text", "criteria": "begins with", "value": word, "format": look}
        book.sheets[sheet].conditional_format(*area, rule)


FIRST_DAY, LAST_DAY = 25_569, 109_575
"""1 January 1970 and 2200, as the spreadsheet counts days."""
TITLE: Final = "This input"


def take_numbers(
    table: Table,
    *keys: str,
    words: str = "Enter a number, 0 or more.",
    or_unknown: bool = False,
    place: int | None = None,
    but: Collection[int] = (),
) -> None:
    """Numbers from 0 up, in every row of some columns or in one; a warning, not a wall. but: rows that take nothing."""
    rule = {"validate": "decimal", "criteria": ">=", "value": 0}
    for key in keys:
        _take(table, key, rule, words, Limits(or_unknown=or_unknown), place, but)


def take_dates(table: Table, key: str, *, or_unknown: bool = False) -> None:
    """Days (UTC) between 1970 and 2200; an end may be a dash."""
    between = {"validate": "date", "criteria": "between", "minimum": FIRST_DAY, "maximum": LAST_DAY}
    words = "Enter a date (UTC); leave the dash where a contract has no end."
    _take(table, key, between, words, Limits(FIRST_DAY, LAST_DAY, or_unknown))


def take_between(
    table: Table,
    key: str,
    place: int | None,
    low: float,
    high: float,
    *,
    is_whole: bool = False,
    is_share: bool = False,
    or_unknown: bool = False,
    but: Collection[int] = (),
) -> None:
    """A number between two, in one row or in all. but: rows that take nothing."""
    kind, words = "integer" if is_whole else "decimal", f"Enter a number from {low:,.10g} to {high:,.10g}."
    if is_share:
        words = f"Enter a share between {low * 100:.10g}% and {high * 100:.10g}%."
    rule = {"validate": kind, "criteria": "between", "minimum": low, "maximum": high}
    _take(table, key, rule, words, Limits(low, high, or_unknown), place, but)


def take_nothing(table: Table, *keys: str) -> None:
    """Nothing else than what stands there: a wall, for sheets whose tables grow and so cannot be protected.

    keys: in the order of the sheet; one rule holds for neighbours.
    """
    columns = [table.column_of(key) for key in keys]
    firsts = [column for column in columns if column - 1 not in columns]
    lasts = [column for column in columns if column + 1 not in columns]
    for first, last in zip(firsts, lasts, strict=True):
        _wall(table, table.first_row, first, table.end_row - 1, last)


def _wall(table: Table, *area: int) -> None:
    """Lets nothing be typed into an area: first row and column, last row and column."""
    table.book.sheets[table.sheet].data_validation(
        *area,
        {
            "validate": "custom",
            "value": "=FALSE",
            "ignore_blank": True,
            "error_type": "stop",
            "error_title": TITLE,
            "error_message": "The orders depend on this cell. Change it in the app and export again.",
        },
    )


def _take(
    table: Table,
    key: str,
    rule: dict[str, Any],
    words: str,
    limits: Limits,
    place: int | None = None,
    but: Collection[int] = (),
) -> None:
    """Sets a rule and limits in one row of a table, or in all; whoever breaks it is warned and may go on. Rows of `but`
    take nothing."""
    said = {"ignore_blank": True, "error_type": "warning", "error_title": TITLE}
    rule = rule | said | {"error_message": table.book.in_currency(words)}
    places = range(table.size) if place is None else range(place, place + 1)
    column, top = table.column_of(key), table.first_row
    runs = [(are_fixed, list(run)) for are_fixed, run in groupby(places, key=but.__contains__)]
    for are_fixed, rows in sorted(runs, key=lambda run: not run[0]):
        area = top + rows[0], column, top + rows[-1], column
        if are_fixed:
            _wall(table, *area)
        else:
            table.book.sheets[table.sheet].data_validation(*area, rule)
            table.limit(key, rows, limits)


YES: Final = "yes"
NOT_COUNTED: Final = "not counted: import in the app"
FREE: Final = "free"
TWICE: Final = "copied, not counted: import in the app"
COUNTED_FLAG: Final = Field(key="is_counted", heading="Counted", width=13).noted(
    "Rows of the app are counted, wherever they are sorted to. A row that is added or copied here is not: "
    "import it in the app, and export again."
)
LOOKED_AT: Final = 8
"""Columns of a row, from the left, in which something has to stand for it to be one."""


def put_flags(book: Book, table: Table) -> None:
    """Write the column of flags, also under the table, where rows may be appended."""
    numbers = _with_spare_rows(table, table.watch.number)
    for place in range(table.size):
        number = table.cell(table.watch.number, place).text
        is_first = f"MATCH({number},{numbers},0)=ROW({number})-ROW(INDEX({numbers},1))+1"
        is_copy = f"COUNTIF({numbers},{number})>0"
        said = f'IF(IFERROR({is_first},FALSE),"{YES}",IF({is_copy},"{TWICE}","{NOT_COUNTED}"))'
        table.put(COUNTED_FLAG.key, place, of_the_book(said, YES))
    column = table.column_of(COUNTED_FLAG.key)
    first, last = (table.column_of(table.fields[at].key) for at in (0, LOOKED_AT - 1))
    for row in range(table.end_row, table.end_row + SPARE_ROWS if table.is_numbered else table.end_row):
        filled = f"COUNTA({area(table.sheet, first, row, row, last)})"
        book.write(
            table.sheet, row, column, of_the_book(f'IF({filled}>0,"{NOT_COUNTED}","{FREE}")', FREE), "muted"
        )


def where_counted(table: Table, place: int, then: Expr, otherwise: float = 0) -> Expr:
    """`then` in a row of the app; otherwise in a copy of one: its amounts are in no sum, as its GPUs serve nothing."""
    if then.text == lift(otherwise).text:
        return then
    given: Operands = {
        "flag": table.cell(COUNTED_FLAG.key, place),
        "yes": YES,
        "then": then,
        "otherwise": otherwise,
    }
    return formula("IF({flag}={yes},{then},{otherwise})", **given)


def added_rows(table: Table) -> tuple[str, str]:
    """How many rows somebody added to a table or copied in it, and the sheet's row of the last one of them."""
    numbers = _with_spare_rows(table, table.watch.number)
    texts = (_with_spare_rows(table, field.key) for field in table.fields[:LOOKED_AT])
    added = f'({"&".join(texts)}<>"")*NOT(ISNUMBER({numbers}))'
    copied = f"COUNT({numbers})-SUMPRODUCT(--(FREQUENCY({numbers},{numbers})>0))"
    last = f"SUMPRODUCT(MAX({added}*ROW({numbers})))"
    if table.has(COUNTED_FLAG.key):
        flags = _with_spare_rows(table, COUNTED_FLAG.key)
        last = f'MAX({last},SUMPRODUCT(MAX(({flags}="{TWICE}")*ROW({flags}))))'
    return f"SUMPRODUCT({added})+{copied}", last


def _with_spare_rows(table: Table, key: str) -> str:
    """A column of a table with the spare rows."""
    return area(table.sheet, table.column_of(key), table.first_row, table.end_row + SPARE_ROWS - 1)


ROWS_LOOKED_AT: Final = 2_000
"""Below the last row in which something stands: in them a row that was typed is named; all of them are counted."""
OPEN: Final = frozenset(sheet.name for sheet in SHEETS if not sheet.is_protected)


def open_sheets(tables: Sequence[Table]) -> dict[str, list[Table]]:
    """The sheets that are not protected, each with those of its tables that may grow."""
    return grouped((table.sheet, table) for table in tables if table.sheet in OPEN and table.is_numbered)


def columns_more(growing: Sequence[Table]) -> str:
    """How many more columns than at the export stand where the growing tables do; less than 0: how many are gone."""
    last = _last(growing)
    return f"COLUMNS({sheet_reference(growing[0].sheet)}!$A:${column_letters(last)})-{last + 1}"


def columns_left(growing: Sequence[Table]) -> tuple[float, Expr]:
    """How many columns there were, and how many of them are left."""
    count = _last(growing) + 1.0
    return count, of_the_book(f"{count:.0f}+MIN(0,{columns_more(growing)})", count)


def _last(growing: Sequence[Table]) -> int:
    """The rightmost column of some tables, zero-based."""
    return max(table.column_of(field.key) for table in growing for field in table.fields)


def cells_outside(book: Book, sheet: str, growing: Sequence[Table]) -> str:
    """How many more cells than at the export stand outside of the growing tables and their spare rows; less than 0:
    how many are gone. Counted down whole columns, so that no row of the sheet is beyond them."""
    last = _last(growing)
    inside = 0
    text = f"COUNTA({sheet_reference(sheet)}!$A:${column_letters(last)})"
    filled = _filled(book, sheet, last)
    for table in growing:
        columns = [table.column_of(field.key) for field in table.fields]
        rows = range(table.first_row, table.end_row + SPARE_ROWS)
        inside += sum(
            min(columns) <= column <= max(columns) for row in rows for column in filled.get(row, ())
        )
        text += f"-COUNTA({area(sheet, min(columns), rows.start, rows.stop - 1, max(columns))})"
    return f"{text}-{sum(map(len, filled.values())) - inside}"


def typed_below(book: Book, sheet: str, growing: Sequence[Table]) -> str:
    """The sheet's row of the lowest of those that stand where none did below the first growing table; 0: of none."""
    filled = _filled(book, sheet, _last(growing))
    taken = {row for table in growing for row in range(table.first_row, table.end_row + SPARE_ROWS)}
    empty = (
        row
        for row in range(growing[0].first_row, max(*filled, *taken) + ROWS_LOOKED_AT)
        if row not in filled and row not in taken
    )
    found = []
    for _, run in groupby(enumerate(empty), lambda pair: pair[1] - pair[0]):
        rows = [row for _, row in run]
        columns = [area(sheet, column, rows[0], rows[-1]) for column in range(LOOKED_AT)]
        found.append(f'IFERROR(SUMPRODUCT(MAX(({"&".join(columns)}<>"")*ROW({columns[0]}))),0)')
    return f"MAX({','.join(found)})"


def _filled(book: Book, sheet: str, last: int) -> dict[int, list[int]]:
    """The columns up to one in which something stands, by row; both zero-based. A look alone is nothing."""
    found = {
        row: [column for column, cell in cells.items() if column <= last and type(cell).__name__ != "Blank"]
        for row, cells in book.sheets[sheet].table.items()
    }
    return {row: columns for row, columns in found.items() if columns}
