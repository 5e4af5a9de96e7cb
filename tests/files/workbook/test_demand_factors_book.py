"""A plan for more than was logged, recalculated: the book's demand is the log times its factors, as exported."""

from dataclasses import replace

import openpyxl
import pytest

from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluated, two_clusters_evaluated
from tests.files.workbook.recalculate import Recalculator
from tests.files.workbook.test_recalculated import apart, light_of, summary_of, totals

FIRST_HOUR = 14
"""Row of the sheet Demand."""


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
    columns = openpyxl.load_workbook(book, data_only=True)["Calc demand"].iter_cols(
        max_row=FIRST_HOUR, values_only=True
    )
    first_hour = {column[3:6]: column[-1] for column in columns if column[3] == "alpha"}
    for pool, factor in (("training", 2.0), ("inference", 2.5)):
        logged = first_hour["alpha", "H100", f"{pool} jobs"]
        assert logged and first_hour["alpha", "H100", f"{pool} pool"] == pytest.approx(factor * logged)
