"""A plan that serves less than doing nothing would: no sheet says what it saves, and each says why.

Its book has what a budget leaves unserved as values in rows of their own, and is green.
"""

from dataclasses import replace

import pytest

from gpuplanner.domain.model.window import iso_utc
from gpuplanner.files.workbook.answers.summary_sheet import OF_SAVINGS
from gpuplanner.files.workbook.inputs.sheet_inputs import SERVES_LESS
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.comparison_months import app_months, assert_same_months, months_of
from tests.files.workbook.evaluations import evaluated, evaluation_of, two_clusters_with_layers
from tests.files.workbook.recalculate import Recalculator, cells_of
from tests.files.workbook.test_recalculated import apart, light_of, summary_of, totals
from tests.oracle.crafted import daily
from tests.oracle.projects import Case
from tests.some_of import some_of


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """A budget that a third of the demand has to be given up for."""
    case = two_clusters_with_layers()
    project = evaluation_of(case).project
    assumptions = project.assumptions.with_values({"budget_usd_per_month": 30_000.0})
    evaluation = evaluated(replace(project, assumptions=assumptions), case.classifications)
    totals = evaluation.advice.totals
    assert totals.savings_vs_do_nothing is None and totals.plan < totals.do_nothing
    path = tmp_path_factory.mktemp("less") / "plan.xlsx"
    write_workbook(evaluation, path, 0)
    return path


def test_what_a_budget_gives_up_stands_in_the_book_and_no_check_is_red(tmp_path):
    """Three GPUs by the hour, a budget for one: two are in cells, and all figures are the app's."""
    case = Case(96, sigma=0.0, budget_usd_per_month=3650.0)
    case.workload("alpha", "chat", "inference", 3)
    case.offer("od", 0, 5)
    evaluation = evaluation_of(case)
    write_workbook(evaluation, tmp_path / "plan.xlsx", 0)
    assert light_of(tmp_path / "plan.xlsx") == "green"
    cells = SheetCells(cells_of(tmp_path / "plan.xlsx")["Calc orders"])
    _, head = cells.column("GPUs, peak")
    busy, cost = (cells.column(heading, head)[0] for heading in ("Mean GPUs in use", "Cost, $ per month"))
    for layer, gpus, usd in (("Paid on demand, above", 1, 3650), ("Unserved", 2, 0)):
        [row] = cells.rows(C=layer)
        found = cells.cells[f"{busy}{row}"], cells.cells[f"{cost}{row}"]
        assert found == pytest.approx((gpus, usd))
    lost = sum(one.gpu_hours for one in evaluation.advice.unserved)
    assert lost == pytest.approx(2 * 730 * 12)


@pytest.mark.long
def test_a_block_and_nothing_by_use_leave_no_check_red(tmp_path):
    """Three GPUs, a contract of one, a block of ten days: nobody serves the rest, in the plan and with nothing signed.

    730 h of $2 are $1,460; two GPUs for 240 h at $4 are $1,920.
    """
    case = Case(96, sigma=0.0)
    case.workload("alpha", "chat", "inference", 3)
    case.contract("k", "alpha", 1, 2.0)
    starts, ends = (iso_utc(case.window.end_s + days * 86400) for days in (0, 10))
    case.offer("blk", 1, 4.0, term_days=10, starts=starts, ends=ends)
    evaluation = evaluation_of(case)
    write_workbook(evaluation, tmp_path / "plan.xlsx", 0)
    assert light_of(tmp_path / "plan.xlsx") == "green"
    assert months_of(tmp_path / "plan.xlsx")[0] == pytest.approx((1460, 1460 + 1920))


def limited(**most):
    """Three to nine GPUs of inference and up to five of burst; on demand has few, and may be followed by another."""
    case = Case(96, sigma=0.0, delta=0.01, growth=0.0, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(96, 3, 9))
    if "shared" in most:
        case.workload("alpha", "sweep", "burst", daily(96, 0, 5))
    case.offer("od", 0, 5, max_gpus=4)
    if "next" in most:
        case.offer("od-next", 0, 6, max_gpus=most["next"])
    case.offer("c01", 1, 3.0)
    return evaluation_of(case)


LIMITS = {"alone": {}, "the next has some": {"next": 3}, "the next has all": {"next": None}}
LIMITS["shared"] = {"next": None, "shared": True}


@pytest.mark.long
@pytest.mark.parametrize("most", some_of(reversed(LIMITS.values()), quick=1), ids=[*reversed(LIMITS)])
def test_offers_by_use_with_few_gpus_are_counted_as_in_the_app(tmp_path, most):
    evaluation, path = limited(**most), tmp_path / "plan.xlsx"
    write_workbook(evaluation, path, 0)
    assert light_of(path) == "green"
    assert apart(summary_of(path), totals(evaluation)) == {}
    assert_same_months(months_of(path), app_months(evaluation))


@pytest.mark.long
def test_a_month_offer_beside_two_gpus_on_demand_leaves_nothing_red(tmp_path):
    """Doing nothing rents two of three GPUs: 2 x 730 h x $5, and one is served by nobody."""
    case = Case(96, sigma=0.0)
    case.workload("alpha", "chat", "inference", 3)
    case.offer("od", 0, 5, max_gpus=2)
    case.offer("m1", 1, 1)
    evaluation = evaluation_of(case)
    write_workbook(evaluation, tmp_path / "plan.xlsx", 0)
    assert light_of(tmp_path / "plan.xlsx") == "green"
    assert months_of(tmp_path / "plan.xlsx")[0][0] == pytest.approx(7300)


def assert_no_savings(path):
    assert {key: summary_of(path)[key] for key in OF_SAVINGS} == dict.fromkeys(OF_SAVINGS)
    cells = cells_of(path)
    saved = SheetCells(cells["Calc months"])
    letters, row = saved.column("Saved against doing nothing, $")
    assert {saved.cells.get(f"{letters}{row + at}") for at in (2,)} == {"—"}
    for sheet in ("Savings", "Calc months"):
        assert any(SERVES_LESS in str(text) for text in cells[sheet].values()), sheet


@pytest.mark.long
def test_savings_are_a_dash_with_the_reason_beside_it(book):
    assert_no_savings(book)


@pytest.mark.long
def test_another_program_finds_the_dash_too(need_tool, book, tmp_path):
    [again] = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(book)
    assert_no_savings(again)
    assert light_of(again) == "green"
