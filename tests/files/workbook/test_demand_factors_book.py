"""A plan for more than was logged, recalculated: the book's demand is the log times its factors, as in the app."""

from dataclasses import replace

import openpyxl
import pytest

from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluated, two_clusters_evaluated
from tests.files.workbook.recalculate import Recalculator
from tests.files.workbook.test_recalculated import apart, light_of, summary_of, totals


@pytest.fixture(scope="module")
def calc(need_tool, tmp_path_factory):
    return Recalculator(need_tool("soffice"), tmp_path_factory.mktemp("soffice"))


@pytest.mark.long
def test_a_book_of_a_plan_for_more_demand_agrees_with_it(calc, tmp_path) -> None:
    once = two_clusters_evaluated()
    scenario = replace(once.project.scenarios[0], assumptions={"demand": 2.0, "demand_inference": 1.25})
    project = replace(once.project, scenarios=(scenario,))
    fuller = evaluated(project, tuple(one.classification for one in once.audit.workloads))
    assert fuller.advice.totals.plan > once.advice.totals.plan
    book = tmp_path / "fuller.xlsx"
    write_workbook(fuller, book, 0)
    [again] = calc.recalculated(book)
    assert apart(summary_of(again), totals(fuller)) == {}
    assert light_of(again) == light_of(book)
    first_hour = next(
        openpyxl.load_workbook(book)["Demand"].iter_rows(min_row=14, max_row=14, values_only=True)
    )
    assert any("assume_demand*assume_demand_inference" in str(cell) for cell in first_hour)
