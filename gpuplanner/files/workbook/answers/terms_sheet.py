"""Terms: the mix of each class, and the term that matches each workload."""

from typing import Final

from gpuplanner.domain.reports.plan_layers import HOW_BOUGHT
from gpuplanner.files.workbook.answers.values_note import VALUES
from gpuplanner.files.workbook.inputs.sheet_inputs import Inputs
from gpuplanner.files.workbook.kit.book import Book
from gpuplanner.files.workbook.kit.figure_cells import Look, write_report

TERMS: Final = "Terms"


def write_terms(book: Book, inputs: Inputs) -> None:
    """Write the sheet: the mix of each class, then the term that matches each workload."""
    notes = (str(of.note) for of in HOW_BOUGHT.values())
    row = book.title(
        TERMS, f"{VALUES}Change the plan in the app, and export again.", *notes, title="Terms and mix"
    )
    looks = dict.fromkeys(("name", "pool"), Look(32, style="strong"))
    for of in reversed(HOW_BOUGHT.values()):  # the longer one last
        table = write_report(
            book, TERMS, row, of, inputs.evaluation, 14, looks, heading=of.title, is_long=True
        )
        row = table.end_row + 1
    table.widen()
