"""What no formula of the book repeats is said in it; a plan without that says nothing of it."""

import pytest

from gpuplanner.files.workbook.inputs.sheet_inputs import beyond_sheets, inputs_of
from tests.files.workbook.evaluations import evaluation_of
from tests.oracle.projects import Case


def case_with(setting):
    case = Case(96, sigma=0.0)
    case.workload("alpha", "chat", "inference", 3)
    case.offer("od", 0, 5, max_gpus=2 if setting == "most" else None)
    case.offer("c1", 1, 1)
    return case


@pytest.mark.parametrize(("setting", "words"), [("most", "offers paid by use")])
def test_it_is_named(setting, words):
    said = beyond_sheets(inputs_of(evaluation_of(case_with(setting))))
    assert words in said and said.startswith(" This plan counts with")


def test_a_plan_that_the_sheets_count_whole_says_nothing():
    assert beyond_sheets(inputs_of(evaluation_of(case_with("")))) == ""
