"""Long tables pass through as rows: the same cells as written one by one, in a part of the memory, in order only."""

import io
import tracemalloc

import openpyxl
import pytest
import xlsxwriter

from gpuplanner.files.workbook.kit.book import Book, Table
from gpuplanner.files.workbook.kit.cells import (
    LATE,
    ROW,
    NumberedRows,
    References,
    RowStream,
    formula_cell,
    number_cell,
    text_cell,
)
from gpuplanner.files.workbook.kit.expressions import Expr
from gpuplanner.files.workbook.kit.looks import Field
from gpuplanner.files.workbook.kit.sheets import Group, Sheet
from gpuplanner.files.workbook.write import CheckedFile

FIELDS = (
    Field(key="name", heading="Name", width=20, note="A note"),
    Field(key="gpus", heading="GPUs", style="gpus", width=10),
    Field(key="usd", heading="$ per month", style="usd", width=10),
    Field(key="late", heading="Later", style="usd", width=10),
)
TEXTS = (
    "plain",
    " spaces ",
    "=1+1",
    "<r><t>x</t></r>",
    "a & b < c > d",
    "_x0041_",
    "",
    "x" * 40_000,
    "naïve · 東京",
)

LONG = Sheet(key="long", name="Long", group=Group.PEOPLE, is_printed=False, is_protected=False, holds="")


def written(kept, rows):
    """A book with one table, its cells as openpyxl reads them; kept None: cell by cell."""
    target = io.BytesIO()
    workbook = xlsxwriter.Workbook(target, {"strings_to_formulas": False, "nan_inf_to_errors": False})
    book = Book(workbook, lambda: None)
    book.add_sheet(LONG)
    row = book.title("Long", "A long table", "Said under it")
    table = Table(book=book, sheet="Long", row=row, size=rows, fields=FIELDS, kept=kept, name="LongList")
    for place in range(rows):
        gpus = table.put("gpus", place, place * 0.1 if place % 5 else None)
        table.put("name", place, TEXTS[place % len(TEXTS)])
        table.leave("late", place)
        table.put(
            "usd", place, gpus * 2 if gpus.is_known else float("nan"), "usd.strong" if place == 3 else None
        )
    table.finish()
    for place in range(rows):
        table.put_late("late", place, Expr(f"{place}+1", place + 1.0))
    total = table.range("late").sum()
    book.write("Long", table.end_row + 1, 0, total, "usd.total")
    workbook.close()
    book.close()
    target.seek(0)
    return target


def cells_of(target, values):
    sheet = openpyxl.load_workbook(target, data_only=values)["Long"]
    return {
        cell.coordinate: (cell.value, cell.number_format, cell.font.b)
        for row in sheet.iter_rows()
        for cell in row
    }


@pytest.mark.parametrize("values", [True, False])
def test_a_long_table_has_the_cells_of_a_short_one(values):
    long, short = (cells_of(written(kept, 40), values) for kept in (("late",), None))
    assert long.keys() == short.keys()
    apart = {at: (long[at], short[at]) for at in long if long[at] != short[at]}
    spelled = {
        at for at, (one, _) in apart.items() if one[0] == "_x005F_x0041_"
    }  # read raw where it stands inline
    assert apart.keys() <= spelled


def test_a_long_table_takes_its_rows_in_order_only():
    workbook = xlsxwriter.Workbook(io.BytesIO(), {"in_memory": True})
    book = Book(workbook, lambda: None)
    book.add_sheet(LONG)
    table = Table(book=book, sheet="Long", row=0, size=5, fields=FIELDS, kept=())
    table.put("gpus", 0, 1)
    table.put("gpus", 1, 1)
    with pytest.raises(ValueError, match="row 0 after row 1"):
        table.put("gpus", 0, 2)
    with pytest.raises(ValueError, match="row 4 after row 1"):
        table.put("gpus", 4, 2)
    book.close()


def test_a_long_table_holds_no_cell():
    def peak(kept):
        tracemalloc.start()
        try:
            written(kept, 600)
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    assert peak(("late",)) < 0.5 * peak(None)


def test_rows_come_once_with_their_late_cells():
    stream = RowStream(4)
    for number in range(3):
        stream.add(f"<c>{number}</c>{LATE}")
    for number in range(3):
        stream.add_late(f"<d>{number}</d>")
    rows = [f'<row r="{5 + n}"><c>{n}</c><d>{n}</d></row>' for n in range(3)]
    assert "".join(stream.rows()) == "".join(rows)
    stream.close()


def test_cells_spell_what_they_hold():
    assert number_cell("A1", 3, 0.1) == '<c r="A1" s="3"><v>0.1</v></c>'
    assert formula_cell("A1", 3, 'IF(A2<1,"a&b",1)', "—") == (
        '<c r="A1" s="3" t="str"><f>IF(A2&lt;1,"a&amp;b",1)</f><v>—</v></c>'
    )
    assert "<is><t>_x005F_x0041_ _x</t></is>" in text_cell("A1", 3, "_x0041_ _x")


def test_a_checked_file_refuses_once():
    answers = iter([None, KeyError("stop"), KeyError("again")])

    def check():
        answer = next(answers, None)
        if answer is not None:
            raise answer

    target = io.BytesIO()
    file = CheckedFile(target, check)
    assert (file.write(b"one"), file.tell()) == (3, 3)
    with pytest.raises(KeyError, match="stop"):
        file.write(b"two")
    assert (file.write(b"three"), file.seek(0), file.tell()) == (5, 0, 0)
    file.flush()
    assert target.getvalue() == b"one"


def test_a_formula_that_is_spelt_once_for_a_column_is_written_in_each_row_as_by_itself() -> None:
    """Also where a cell of another row, an area or another sheet has the number of the row."""
    references = References()
    references.add("Offer inputs", NumberedRows(3, 40, frozenset("BC"), "C"))
    shapes = (
        "Long!$B${row}*Long!$C${row}", "Long!$B${row}+Long!$B$7", "SUM(Long!$B$2:$B${row})",
        "SUM(Long!$B${row}:$D${row})", "Prices!$B$7/Long!$B${row}", "Prices!$B${row}-1", "{row}+7",
        "IF(Long!$B${row}>7,Other!$A${row},Long!$C${row}7)",
    )  # fmt: skip
    once = 0
    for shape in shapes:
        for first in (7, 12, 77, 123):
            spelt = references.spelt(shape.replace("{row}", str(first)), "Long", first)
            for row in (7, 12, 71, 77, 123, 777):
                text = shape.replace("{row}", str(row))
                if spelt is not None and spelt[0].replace(ROW, str(row)) == text:
                    once += row != first
                    assert spelt[1].replace(ROW, str(row)) == references.written(text, "Long", row)
    assert once > len(shapes)
