"""The workbook of a plan that begins after its log: the app's totals and months by formulas, and the day said."""

from dataclasses import replace

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.model.window import DAY_S, MONTH_S, iso_utc
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.comparison_months import app_months, assert_same_months, months_of
from tests.files.workbook.evaluations import evaluated, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of, names_of
from tests.files.workbook.test_recalculated import apart, differences, light_of, summary_of, totals


def begun(later_s):
    made = two_clusters_with_layers()
    scenario = replace(made.scenario, pools=dict(made.pools))
    project = replace(made.project, scenarios=(scenario,), title="Small case")
    at_s = project.window.end_s + later_s if later_s else None
    return evaluated(edits.plans.set_plan_from(project, at_s), made.classifications)


@pytest.mark.long
def test_the_book_recalculates_to_the_apps_totals(need_tool, tmp_path):
    evaluation, book = begun(2 * MONTH_S + 7 * 3600), tmp_path / "later.xlsx"
    write_workbook(evaluation, book, 0)
    [again] = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(book)
    assert differences(cells_of(book), cells_of(again)) == []
    assert light_of(again) == "green"
    assert apart(summary_of(again), totals(evaluation)) == {}
    assert_same_months(months_of(again), app_months(evaluation))
    assert totals(begun(0))["lock_in_months"] != totals(evaluation)["lock_in_months"]


@pytest.mark.long
def test_assumptions_and_sources_say_the_day_where_one_was_chosen(tmp_path):
    for later_s in (0, 40 * DAY_S):
        evaluation, book = begun(later_s), tmp_path / f"{later_s}.xlsx"
        write_workbook(evaluation, book, 0)
        cells, is_later = cells_of(book), later_s > 0
        said = {name: [str(value) for value in cells[name].values()] for name in ("Assumptions", "Sources")}
        assert all(("Plan begins" in words) is is_later for words in said.values())
        assert ("plan_begins" in names_of(book)) is is_later
        day = iso_utc(evaluation.project.plan_window.end_s)
        assert (day in said["Sources"]) is True  # without one it is the window's end
