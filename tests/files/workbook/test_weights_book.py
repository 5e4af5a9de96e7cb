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
    """1,700 hours to 12 March 2026, 20:00: weeks of age 0, 1, ... and months of age 0 and 1, of 28 and 31 days."""
    evaluation = evaluation_of(cycle_of_a_month())
    book = tmp_path / "cycle.xlsx"
    write_workbook(evaluation, book, 0)
    assert apart(summary_of(book), totals(evaluation)) == {}
    sheet = openpyxl.load_workbook(book, data_only=True)["Calc demand"]
    columns = {column[5]: column for column in sheet.iter_cols(values_only=True)}
    by_weeks, by_months = (columns[title][FIRST_HOUR - 1 : FIRST_HOUR + 1699] for title in TITLES)
    assert by_weeks == pytest.approx([2 ** -((1699 - hour) // 168) for hour in range(1700)])
    older, begins_h = 2 ** (-730 / 168), 1700 - 28 * 24 - 31 * 24
    middle = [250 / 192 if 11 <= day <= 18 else 1.0 for day in range(1, 29)]
    january = [older * (250 / 264 if 12 <= day <= 21 else 1.0) for day in range(13, 32)]
    assert by_months[:begins_h] == pytest.approx([0.0] * begins_h)
    assert by_months[begins_h + 4 :: 24][:19] == pytest.approx(january)  # 13 January on, 0:00 of each day
    assert by_months[begins_h + 4 + 19 * 24 :: 24][:10] == pytest.approx([older] * 10)
    assert by_months[-28 * 24 + 4 :: 24] == pytest.approx([*middle[12:], *[1.0] * 10, 250 / 192, 250 / 192])
