"""A contract that runs on, one that ends and minima that are bought whole: the book has the months of the app."""

import pytest

from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.comparison_months import app_months, assert_same_months, months_of
from tests.files.workbook.evaluations import evaluation_of
from tests.files.workbook.recalculate import Recalculator, cells_of, names_of
from tests.oracle.crafted import daily
from tests.oracle.projects import Case

HOURS = 192


@pytest.fixture(scope="module")
def decided(tmp_path_factory):
    """Its evaluation and its book."""
    case = Case(HOURS, sigma=0.0, delta=0.004, slices_lived=False, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(HOURS, 12, 14))
    case.workload("beta", "embed", "inference", daily(HOURS, 8, 8), model="A100")
    held = {"term_months": 12, "notice_days": 30, "renews_months": 12}
    case.contract("runs", "alpha", 3, 1.2, ends=2.3, **held)
    case.contract("ends", "alpha", 3, 4.2, ends=1.6, **held)
    case.offer("od-H100", 0, 6.88, "H100")
    case.offer("m1", 1, 4.0, "H100", lead_time_hours=48)
    case.offer("min12", 12, 2.0, "H100", lead_time_hours=48, min_gpus=10)
    case.offer("od-A100", 0, 3.5, "A100")
    case.offer("a12", 12, 1.6, "A100", min_gpus=9, lead_time_hours=48)
    evaluation, book = evaluation_of(case), tmp_path_factory.mktemp("decided") / "decided.xlsx"
    write_workbook(evaluation, book, 0)
    return evaluation, book


def assert_agrees(evaluation, book):
    assert_same_months(months_of(book), app_months(evaluation))
    sheet, cell = names_of(book)["all_checks"]
    assert str(cells_of(book)[sheet][cell]).startswith("green")


def test_the_book_has_the_months_of_the_app(decided):
    evaluation, book = decided
    assert [name for name, _ in evaluation.plan.whole_decisions.ends] == ["ends"]
    assert {row.reason for row in evaluation.advice.orders} == {"minimum"}
    assert_agrees(evaluation, book)


@pytest.mark.long
def test_it_has_them_when_it_is_recalculated(decided, need_tool, tmp_path):
    (book,) = Recalculator(need_tool("soffice"), tmp_path).recalculated(decided[1])
    assert_agrees(decided[0], book)
