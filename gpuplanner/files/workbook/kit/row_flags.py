"""Whether a row of an input table is counted: those that the app wrote are; what is added has to be imported there."""

from typing import Final

from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cell_names import column_letters, sheet_reference
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.kit.fields import Field
from gpuplanner.files.workbook.kit.references import SPARE_ROWS

YES: Final = "yes"
NOT_COUNTED: Final = "not counted: import in the app"
FREE: Final = "free"
TWICE: Final = "copied, not counted: import in the app"
COUNTED_FLAG: Final = Field(
    "is_counted",
    "Counted",
    width=13,
    note="Rows of the app are counted, wherever they are sorted to. A row that is added or copied here is not: "
    "import it in the app, and export again.",
)
LOOKED_AT: Final = 8
"""Columns of a row, from the left, in which something has to stand for it to be one."""


def put_flags(book: Book, table: Table) -> None:
    """Write the column of flags, also under the table, where rows may be appended."""
    numbers = _numbers(table)
    for place in range(table.size):
        number = table.cell(table.watch.number, place).text
        is_first = f"MATCH({number},{numbers},0)=ROW({number})-ROW(INDEX({numbers},1))+1"
        is_copy = f"COUNTIF({numbers},{number})>0"
        said = f'IF(IFERROR({is_first},FALSE),"{YES}",IF({is_copy},"{TWICE}","{NOT_COUNTED}"))'
        table.put(COUNTED_FLAG.key, place, Expr(said, YES, True))
    column = table.column_of(COUNTED_FLAG.key)
    sheet, first = sheet_reference(table.sheet), column_letters(table.column_of(table.fields[0].key))
    last = column_letters(table.column_of(table.fields[LOOKED_AT - 1].key))
    for row in range(table.end_row, table.end_row + SPARE_ROWS if table.is_numbered else table.end_row):
        filled = f"COUNTA({sheet}!${first}${row + 1}:${last}${row + 1})"
        book.write(
            table.sheet, row, column, Expr(f'IF({filled}>0,"{NOT_COUNTED}","{FREE}")', FREE, True), "muted"
        )


def where_counted(table: Table, place: int, then: Expr, otherwise: str = "0") -> Expr:
    """`then` in a row of the app; otherwise in a copy of one: its amounts are in no sum, as its GPUs serve nothing."""
    if then.text == otherwise:
        return then
    flag = table.cell(COUNTED_FLAG.key, place).text
    return Expr(f'IF({flag}="{YES}",{then.text},{otherwise})', then.value, True)


def added_rows(table: Table) -> tuple[str, str]:
    """How many rows somebody added to a table or copied in it, and the sheet's row of the last one of them."""
    sheet, numbers = sheet_reference(table.sheet), _numbers(table)
    texts = []
    for field in table.fields[:LOOKED_AT]:
        letters = column_letters(table.column_of(field.key))
        texts.append(f"{sheet}!${letters}${table.first_row + 1}:${letters}${table.end_row + SPARE_ROWS}")
    added = f'({"&".join(texts)}<>"")*NOT(ISNUMBER({numbers}))'
    copied = f"COUNT({numbers})-SUMPRODUCT(--(FREQUENCY({numbers},{numbers})>0))"
    last = f"SUMPRODUCT(MAX({added}*ROW({numbers})))"
    if table.has(COUNTED_FLAG.key):
        flags = column_letters(table.column_of(COUNTED_FLAG.key))
        flags = f"{sheet}!${flags}${table.first_row + 1}:${flags}${table.end_row + SPARE_ROWS}"
        last = f'MAX({last},SUMPRODUCT(MAX(({flags}="{TWICE}")*ROW({flags}))))'
    return f"SUMPRODUCT({added})+{copied}", last


def _numbers(table: Table) -> str:
    """The column of numbers with the spare rows."""
    letters = column_letters(table.column_of(table.watch.number))
    sheet = sheet_reference(table.sheet)
    return f"{sheet}!${letters}${table.first_row + 1}:${letters}${table.end_row + SPARE_ROWS}"
