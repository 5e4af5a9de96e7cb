"""Calc workloads has the terms and the mix of the app, as values."""

import pytest

from gpuplanner.domain.model.book.contract import term_words
from gpuplanner.domain.reports.plan_layers import MIX, TERM_MATCH
from gpuplanner.files.workbook.kit.expressions import DASH
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.recalculate import cells_of


def test_terms_and_the_mix_are_those_of_the_app_on_a_sheet_of_their_own(fitted):
    evaluation, book = fitted
    sheet = SheetCells(cells_of(book)["Calc workloads"])
    letters, head = sheet.column("Matching term")
    for row in TERM_MATCH.rows(evaluation):
        at = next(at for at in sheet.rows(A=row.name) if at > head)
        months = row.matching_term_months
        term = DASH if months is None else term_words(months) if months else "On demand"
        assert sheet.cells[f"{letters}{at}"] == str(term)
    _, head = sheet.column("Paid as")
    today, _ = sheet.column("Today, $ per month", head)
    found = [sheet.cells[f"{today}{at}"] for at in sheet.rows(A="Training") if at > head]
    assert found == [pytest.approx(row.usd_now) for row in MIX.rows(evaluation) if row.pool == "training"]
