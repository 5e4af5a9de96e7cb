"""What stands in the book stands in the document of its export: no number is in the book alone."""

from collections import Counter
from datetime import datetime

import openpyxl
import pytest

from gpuplanner.files.workbook.kit.cells import NOT_TOLD
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluation_of, two_clusters_evaluated
from tests.oracle.projects import random_case
from tests.some_of import some_of


def told_values(document, sheet):
    """Numbers and days of a sheet as the document has them, with how often."""
    values = (
        value for entry in document if entry["sheet"] == sheet for row in entry["rows"] for value in row
    )
    return Counter(one for one in map(comparable, values) if one is not None)


def comparable(value):
    """A number to nine digits, a day as ISO 8601; None for words and empty cells."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%dT%H:%M}"
    if isinstance(value, str):
        return value[:16] if value.endswith("Z") and value[4:5] == "-" and value[10:11] == "T" else None
    return None if value is None else f"{float(value):.9g}"


@pytest.mark.long
@pytest.mark.parametrize(
    "of", some_of([two_clusters_evaluated, lambda: evaluation_of(random_case(2))], quick=1)
)
def test_every_number_and_day_of_the_book_is_in_the_document(of, tmp_path):
    path = tmp_path / "book.xlsx"
    document = write_workbook(of(), path, 0, is_told=True)
    with_tables = {entry["sheet"] for entry in document if entry["columns"]}
    assert with_tables >= {
        "Calc months",
        "Contract inputs",
        "Offer inputs",
        "Calc workloads",
        "Calc pools",
        "Calc orders",
    }
    for sheet in openpyxl.load_workbook(path, data_only=True):
        cells = (comparable(cell.value) for row in sheet.iter_rows() for cell in row)
        found, told = Counter(one for one in cells if one is not None), told_values(document, sheet.title)
        assert sheet.title in NOT_TOLD or found - told == Counter(), sheet.title
    for entry in document:
        assert all(len(row) == len(entry["columns"] or row) for row in entry["rows"]), entry["sheet"]


@pytest.mark.long
def test_a_book_that_is_written_alone_tells_nothing(tmp_path):
    assert write_workbook(two_clusters_evaluated(), tmp_path / "book.xlsx", 0) == []
