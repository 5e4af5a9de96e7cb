"""Comparison: twelve months that follow the inputs as the app's do."""

from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from gpuplanner.files.workbook.plan.comparison_sheet import NO_RATE
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.comparison_months import app_months, assert_same_months, column_of, months_of
from tests.files.workbook.evaluations import evaluated, evaluation_of
from tests.files.workbook.people import Deed, carried_out
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, names_of
from tests.files.workbook.test_recalculated import light_of
from tests.files.workbook.what_if import assumption, by_hand, what_ifs
from tests.oracle.crafted import daily
from tests.oracle.projects import Case, random_case
from tests.some_of import some_of


@pytest.fixture(scope="module")
def calc(need_tool, tmp_path_factory):
    return Recalculator(need_tool("soffice"), tmp_path_factory.mktemp("soffice"))


@pytest.mark.long
@pytest.mark.parametrize("seed", some_of(range(12, 20), quick=1))
def test_the_months_are_the_apps(seed, tmp_path):
    case = random_case(seed)
    evaluation = evaluation_of(case)
    if seed % 4 == 0:
        scenario = replace(evaluation.project.scenarios[0], greenfield=True)
        project = replace(evaluation.project, scenarios=(scenario,))
        evaluation = evaluated(project, case.classifications)
    write_workbook(evaluation, tmp_path / "plan.xlsx", 0)
    assert_same_months(months_of(tmp_path / "plan.xlsx"), app_months(evaluation))


def free_and_served():
    """Training grows by itself; inference has a contract that ends in month 5."""
    case = Case(168, sigma=0.0, delta=0.02, growth=0.0, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(168, 2, 6))
    case.workload("beta", "pretrain", "training", daily(168, 1, 4), model="A100")
    case.contract("a", "alpha", 3, 2.5, ends=5.4, term_months=12)
    case.offers_of("H100", 6.88, {3: 4.2, 12: 2.75})
    case.offers_of("A100", 3.5, {3: 2.4, 12: 1.6})
    return evaluation_of(case)


@pytest.mark.long
def test_changes_in_the_book_come_to_the_apps_months(calc, tmp_path):
    """Growth and notice here; what changes of the book's other inputs come to is in test_recalculated."""
    free, book = by_hand(free_and_served()), tmp_path / "free.xlsx"
    write_workbook(free, book, 0)
    assert_months_follow(
        calc, book, [assumption(free, book, "growth_training", 0.04), assumption(free, book, "delta", 0.05)]
    )


@pytest.mark.long
def test_more_changes_in_the_book_come_to_the_apps_months(calc, tmp_path):
    free, book = by_hand(free_and_served()), tmp_path / "free.xlsx"
    write_workbook(free, book, 0)
    assert_months_follow(calc, book, what_ifs(free, cells_of(book)))


def assert_months_follow(calc, book, changes):
    copies = [
        changed_copy(book, book.with_name(f"{number}.xlsx"), change.cells)
        for number, change in enumerate(changes)
    ]
    exported = months_of(book)
    for change, again in zip(changes, calc.recalculated(*copies), strict=True):
        here = months_of(again)
        assert_same_months(here, app_months(change.app), change.name)
        assert here != exported, f"{change.name} changes nothing"


@pytest.mark.long
def test_a_contracts_end_moved_past_a_month_asks_for_the_app(calc, tmp_path):
    book = tmp_path / "free.xlsx"
    write_workbook(free_and_served(), book, 0)
    cells = cells_of(book)
    end = SheetCells(cells["Contract inputs"]).under("End, exclusive (UTC)", A="a")
    earlier = cells["Contract inputs"][end] - timedelta(days=61)
    days = (earlier - datetime(1899, 12, 30)) / timedelta(days=1)
    changed = changed_copy(book, tmp_path / "ends.xlsx", {("Contract inputs", end): days})
    [again] = calc.recalculated(changed)
    months = months_of(again)
    assert months[0] == pytest.approx(months_of(book)[0])
    assert months[3] == (None, None)
    assert light_of(again) == "changed"


@pytest.mark.long
@pytest.mark.parametrize("sheet", ["Contract inputs", "Offer inputs"])
def test_a_rate_that_is_taken_out_says_why_beside_every_dash(need_tool, tmp_path, sheet):
    """In a program as installed, which works out what the deed touches alone."""
    book = tmp_path / "free.xlsx"
    write_workbook(free_and_served(), book, 0)
    cells = SheetCells(cells_of(book)[sheet])
    given = {"A": "a"} if sheet == "Contract inputs" else {"C": "H100", "E": 0}
    rate = cells.under("Rate, $ per GPU-h", **given)
    deed = Deed("clear", sheet, (rate,))
    [again] = carried_out(need_tool("soffice"), book, tmp_path / "made", [deed], is_as_opened=True)
    pairs, why = months_of(again), column_of(again, "Why a dash")
    assert any(None in pair for pair in pairs)
    for (nothing, plan), words in zip(pairs, why, strict=True):
        assert (words == NO_RATE) == (None in (nothing, plan))
    sheet, cell = names_of(again)["advice_is_of"]
    assert cells_of(again)[sheet][cell].endswith(f"Dashes of months: {NO_RATE}")
