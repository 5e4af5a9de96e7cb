"""Terms of real contracts in the workbook: take-or-pay, a ramp, prepaid, set-up; months and sums as in the app."""

from datetime import datetime
from decimal import Decimal

import pytest

from gpuplanner.domain.model.book.renewal import notice_by_s
from gpuplanner.domain.model.window import MONTH_S, day_of
from gpuplanner.files.workbook.kit.expressions import DASH
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.comparison_months import app_months, assert_same_months, months_of
from tests.files.workbook.evaluations import evaluation_of
from tests.files.workbook.recalculate import Recalculator, cells_of, names_of
from tests.oracle.crafted import daily
from tests.oracle.projects import Case
from tests.some_of import some_of

PREPAID = Decimal(40_000)


def case_of(*ramp, **more):
    """Inference that half of its contract serves, growing; a prepaid contract; an offer with set-up to sign."""
    hours = 192
    case = Case(hours, sigma=0.0, delta=0.0, slices_lived=False, growth=0.05, **{"lambda": 0.0})
    case.workload("alpha", "chat", "inference", daily(hours, 6, 14))
    case.workload("beta", "pretrain", "training", daily(hours, 6, 9))
    held = {"term_months": 24, "take_or_pay_percent": 60.0, "ends": 6.3, **more}
    for place, gpus in enumerate(ramp or (16,)):
        case.contract(f"take{place}", "alpha", gpus, 2.5, ramp_of="take" if ramp else None, **held)
    case.contract("paid", "beta", 2, None, ends=4.4, prepaid_usd=PREPAID, support_percent=10.0)
    case.offers_of("H100", 6.88, {3: 4.2, 12: 2.75}, setup_usd=Decimal(500))
    return case


@pytest.mark.long
@pytest.mark.parametrize("ramp", some_of([((4, 12),), ((),), ((8, 4, 4),)], quick=1))
def test_the_book_has_the_months_and_what_is_due_at_once_of_the_app(tmp_path, ramp):
    evaluation, book = evaluation_of(case_of(*ramp)), tmp_path / "terms.xlsx"
    write_workbook(evaluation, book, 0)
    assert_same_months(months_of(book), app_months(evaluation))
    sheet, cell = names_of(book)["all_checks"]
    assert str(cells_of(book)[sheet][cell]).startswith("green")
    assert any(order.setup_per_gpu for order in evaluation.advice.orders)


@pytest.mark.long
@pytest.mark.parametrize("given", [(), ("take0",)])
def test_todays_lock_in_of_the_book_holds_what_has_renewed_also_where_notice_was_given(tmp_path, given):
    """The plan ends it sooner where notice was given; today it binds for its renewal, as in the app."""
    case = case_of(notice_days=240, renews_months=6).under(notice_given=given)
    evaluation, book = evaluation_of(case), tmp_path / "renewed.xlsx"
    write_workbook(evaluation, book, 0)
    sheet, cell = names_of(book)["all_checks"]
    assert str(cells_of(book)[sheet][cell]).startswith("green")
    held = next(one for one in evaluation.advice.contracts if one.contract_id == "take0")
    filed_s = next(one.end_s for one in case.project.contracts if one.contract_id == "take0")
    assert held.end_s == (filed_s if given else None), "it runs on where it is not given up"


@pytest.mark.long
def test_todays_lock_in_of_what_has_no_end_is_its_notice_also_where_its_provider_stops(tmp_path):
    """The plan ends it with its provider, which does not bind today: the book counted to that day, and was red."""
    case = case_of(notice_days=60, ends=None, provider="Vela")
    case = case.under(provider_ends={"Vela": case.project.plan_window.end_s + 4 * MONTH_S})
    book = tmp_path / "stopped.xlsx"
    write_workbook(evaluation_of(case), book, 0)
    sheet, cell = names_of(book)["all_checks"]
    assert str(cells_of(book)[sheet][cell]).startswith("green")


@pytest.mark.long
@pytest.mark.parametrize(
    ("renews", "verdict"), [({"renews_months": 6, "notice_days": 30}, "renew"), ({}, "shorten")]
)
def test_what_the_plan_decides_is_the_advice_beside_its_contract(tmp_path, renews, verdict):
    """The book told to let it end, where brief and window told to renew."""
    evaluation, book = evaluation_of(case_of(**renews)), tmp_path / "renew.xlsx"
    write_workbook(evaluation, book, 0)
    (decided,) = (one for one in evaluation.advice.verdicts if one.contract_id == "take0")
    cells = SheetCells(cells_of(book)["Contract inputs"])
    decisions = evaluation.outlook.next_decisions
    (decision,) = (one for one in decisions if one.contract_id == "take0")
    assert decided.verdict == decision.kind == verdict
    assert cells.cells[cells.under("Advice", A="take0")] == str(decision.numbered_shortly)


@pytest.mark.long
def test_the_last_day_for_notice_stands_beside_each_contract_that_has_one(tmp_path):
    evaluation, book = evaluation_of(case_of(notice_days=30)), tmp_path / "notice.xlsx"
    write_workbook(evaluation, book, 0)
    cells = SheetCells(cells_of(book)["Contract inputs"])
    for one in evaluation.project.contracts:
        shown, ends = (
            cells.cells[cells.under(heading, A=one.contract_id)]
            for heading in ("Give notice by", "End, exclusive (UTC)")
        )
        last_s = notice_by_s(one, one.end_s)
        if last_s is None:
            assert shown == DASH
        else:
            day, end = (int((at - datetime(1970, 1, 1)).total_seconds()) for at in (shown, ends))
            assert (day, end) == (day_of(last_s), one.end_s), "30 days are left after it"
    assert {one.notice for one in evaluation.project.contracts} == {0, 30}


@pytest.mark.long
def test_a_notice_that_nobody_can_read_stands_in_the_words_of_its_file(tmp_path):
    evaluation, book = evaluation_of(case_of(notice_written="see MSA")), tmp_path / "unknown.xlsx"
    write_workbook(evaluation, book, 0)
    cells = SheetCells(cells_of(book)["Contract inputs"])
    assert cells.cells[cells.under("Notice, days", A="take0")] == "see MSA"
    assert cells.cells[cells.under("Give notice by", A="take0")] == DASH
    sheet, cell = names_of(book)["all_checks"]
    assert str(cells_of(book)[sheet][cell]).startswith("green")


def test_a_ramp_that_is_over_is_the_contract_in_one_piece(tmp_path):
    whole, parts = (evaluation_of(case_of(*ramp)) for ramp in ((), (8, 4, 4)))
    assert_same_months(app_months(parts), app_months(whole))
    assert parts.advice.totals.plan == pytest.approx(whole.advice.totals.plan)


@pytest.mark.long
def test_the_book_says_the_same_in_a_spreadsheet_program(need_tool, tmp_path):
    calc, book = Recalculator(need_tool("soffice"), tmp_path), tmp_path / "terms.xlsx"
    evaluation = evaluation_of(case_of(4, 12))
    write_workbook(evaluation, book, 0)
    (there,) = calc.recalculated(book)
    assert_same_months(months_of(there), app_months(evaluation))
