"""A book of demand with a cycle of a month: hours count by whole weeks or by whole months, each pool as its own."""

import openpyxl
import pytest

from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluation_of
from tests.files.workbook.recalculate import Recalculator
from tests.files.workbook.test_recalculated import apart, light_of, summary_of, totals
from tests.oracle.crafted import cycle_of_a_month

FIRST_HOUR = 14
"""Row of the sheet Demand."""
TITLES = ("Weight", "Weight, demand with a cycle of a month")


@pytest.fixture(scope="module")
def calc(need_tool, tmp_path_factory):
    return Recalculator(need_tool("soffice"), tmp_path_factory.mktemp("soffice"))


@pytest.mark.long
def test_a_book_of_demand_with_a_cycle_of_a_month_agrees_with_its_plan_when_recalculated(
    calc, tmp_path
) -> None:
    evaluation = evaluation_of(cycle_of_a_month())
    book = tmp_path / "cycle.xlsx"
    write_workbook(evaluation, book, 0)
    [again] = calc.recalculated(book)
    assert apart(summary_of(again), totals(evaluation)) == {}
    assert light_of(again) == light_of(book)


@pytest.mark.long
def test_hours_count_by_whole_weeks_and_by_whole_months(tmp_path) -> None:
    """1,700 hours back from the newest: weeks of age 0, 1, ... and months of age 0, 1, 2, at a half-life of 7 days."""
    evaluation = evaluation_of(cycle_of_a_month())
    book = tmp_path / "cycle.xlsx"
    write_workbook(evaluation, book, 0)
    assert apart(summary_of(book), totals(evaluation)) == {}
    sheet = openpyxl.load_workbook(book, data_only=True)["Demand"]
    columns = {column[5]: column for column in sheet.iter_cols(values_only=True)}
    for title, step_h in zip(TITLES, (168, 730), strict=True):
        weights = columns[title][FIRST_HOUR - 1 : FIRST_HOUR + 1699]
        assert weights == pytest.approx(
            [2 ** (-((1699 - hour) // step_h) * step_h / 168) for hour in range(1700)]
        )
