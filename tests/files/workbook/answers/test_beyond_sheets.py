"""What no formula of the book repeats is said in it; a plan without that says nothing of it."""

import pytest

from gpuplanner.files.workbook.answers.beyond_sheets import beyond_sheets
from gpuplanner.files.workbook.answers.cover_sheet import KEEPS_TO_A_BUDGET
from gpuplanner.files.workbook.inputs.sheet_inputs import inputs_of
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.evaluations import evaluation_of
from tests.files.workbook.recalculate import cells_of
from tests.oracle.projects import Case


def case_with(setting):
    budget = {"budget_usd_per_month": 730.0} if setting == "budget" else {}
    case = Case(96, sigma=0.0, **budget)
    case.workload("alpha", "chat", "inference", 3)
    case.offer("od", 0, 5, max_gpus=2 if setting == "most" else None)
    case.offer("c1", 1, 1, **({"term_days": 14} if setting == "days" else {}))
    return case


@pytest.mark.parametrize(
    ("setting", "words"), [("budget", "a budget"), ("most", "offers paid by use"), ("days", "terms in days")]
)
def test_it_is_named(setting, words):
    said = beyond_sheets(inputs_of(evaluation_of(case_with(setting))))
    assert words in said and said.startswith(" This plan counts with")


def test_a_plan_that_the_sheets_count_whole_says_nothing():
    assert beyond_sheets(inputs_of(evaluation_of(case_with("")))) == ""


def test_the_cover_says_why_checks_of_a_plan_with_a_budget_are_red(tmp_path):
    write_workbook(evaluation_of(case_with("budget")), tmp_path / "plan.xlsx", 0)
    assert str(KEEPS_TO_A_BUDGET) in cells_of(tmp_path / "plan.xlsx")["Cover"].values()
