"""Answers that people filled in as people do: read rightly, or asked about with the address of the cell."""

import datetime
from collections.abc import Callable
from pathlib import Path
from typing import Any

import openpyxl
import pytest
from openpyxl.comments import Comment
from openpyxl.styles import Font

from gpuplanner.files.importing.import_tables import PricesRead, import_prices
from gpuplanner.files.request.answered_table import cell_marks
from tests.files.request.answered_files import HEADING, TITLE, asked, read_row, sheet_of, write_xlsx
from tests.some_of import some_of

COLUMN = {key: place for place, key in enumerate(HEADING, 1)}


def changed(folder: Path, change: Callable[[Any, int], object]) -> PricesRead:
    """A sound answer of three rows, changed. change: is told the sheet and the row of the first."""
    rows = [asked(f"R{number}", rate=1.9 + number / 10) for number in (1, 2, 3)]
    path = write_xlsx(folder / "answer.xlsx", {TITLE: sheet_of(rows)})
    book = openpyxl.load_workbook(path)
    sheet = book.worksheets[0]
    first = next(cells[0].row for cells in sheet.iter_rows() if cells[0].value == "R1")
    change(sheet, first)
    book.save(path)
    return import_prices([str(path)])


def said(read: PricesRead) -> str:
    return "\n".join(str(issue.message) for issue in read.intake[0].issues)


def names(read: PricesRead) -> list[str]:
    return [offer.offer_id.split()[-1] for offer in read.offers]


def test_a_rate_merged_over_rows_is_the_answer_to_each(tmp_path: Path) -> None:
    def merge(sheet: Any, first: int) -> None:
        column = COLUMN["rate"]
        sheet.merge_cells(start_row=first, end_row=first + 2, start_column=column, end_column=column)

    read = changed(tmp_path, merge)
    assert [(offer.offer_id.split()[-1], offer.bare_rate) for offer in read.offers] == [
        ("R1", 2.0),
        ("R2", 2.0),
        ("R3", 2.0),
    ]


def test_a_note_on_a_cell_is_said_and_one_that_changes_the_rate_is_asked_about(tmp_path: Path) -> None:
    def note(text: str, key: str) -> PricesRead:
        def put(sheet: Any, first: int) -> None:
            sheet.cell(first, COLUMN[key]).comment = Comment(text, "V")

        return changed(tmp_path, put)

    per_node = note("price per\n8-GPU node", "rate")
    assert names(per_node) == ["R2", "R3"] and "“price per 8-GPU node”" in said(per_node)
    told = note("two sites", "lead")
    assert names(told) == ["R1", "R2", "R3"] and "“two sites”" in said(told)


@pytest.mark.parametrize(
    "heading", ["Rate per GPU-hour per node", "Rate per GPU-hour incl. VAT", "Rate per node-hour"]
)
def test_a_heading_that_says_another_unit_is_no_heading_of_ours(tmp_path: Path, heading: str) -> None:
    def head(sheet: Any, first: int) -> None:
        cell = next(cell for cell in sheet[first - 1] if cell.value == HEADING["rate"])
        cell.value = heading

    read = changed(tmp_path, head)
    assert not read.offers and read.intake[0].rows_rejected == 3
    assert "Rate per GPU-hour" in said(read)


@pytest.mark.parametrize("upfront", some_of([10, "25", 100], quick=1))
def test_a_small_upfront_amount_may_be_a_percentage(tmp_path: Path, upfront: object) -> None:
    read = read_row(tmp_path, rate=2.1, upfront=upfront)  # type: ignore[arg-type]
    (offer,) = read.offers
    assert str(offer.upfront_usd) == str(upfront) and "percentage" in said(read) and "!R14" in said(read)
    assert "percentage" not in said(read_row(tmp_path, rate=2.1, upfront=1250))


def test_a_start_before_the_request_has_a_wrong_year(tmp_path: Path) -> None:
    read = read_row(tmp_path, rate=2.1, earliest=datetime.datetime(2026, 3, 4))
    assert not read.offers and "2026-09-30" in said(read)
    assert read_row(tmp_path, rate=2.1, earliest=datetime.datetime(2026, 9, 4)).offers  # it is there already


def test_marks_of_an_open_document(tmp_path: Path) -> None:
    path = tmp_path / "a.ods"
    office, table, text = (
        "urn:oasis:names:tc:opendocument:xmlns:" + name + ":1.0" for name in ("office", "table", "text")
    )
    content = (
        f'<o:c xmlns:o="{office}" xmlns:t="{table}" xmlns:x="{text}"><t:table t:name="A">'
        '<t:table-row t:number-rows-repeated="3"><t:table-cell/></t:table-row>'
        '<t:table-row><t:table-cell t:number-columns-repeated="2"/><t:table-cell t:number-rows-spanned="2">'
        "<o:annotation><x:p>per</x:p><x:p>node</x:p></o:annotation></t:table-cell></t:table-row>"
        "</t:table></o:c>"
    )
    import zipfile

    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("content.xml", content)
    marks = cell_marks(path)
    assert marks.notes == {("A", 4, 3): "per node"}


def test_a_format_far_below_makes_no_cells(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    sheet = book.worksheets[0]
    sheet["Z2"].comment = Comment("a note", "V")
    sheet["A1048576"].font = Font(bold=True)
    path = tmp_path / "far.xlsx"
    book.save(path)
    assert cell_marks(path).notes == {
        (sheet.title, 2, 26): "a note"
    }  # minutes and gigabytes with every cell made
