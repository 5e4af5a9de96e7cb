"""Advice: steps from today to the plan, price paths, range, what orders bind; the app's figures are locked."""

from dataclasses import replace
from datetime import UTC, datetime

import openpyxl
import pytest

from gpuplanner.domain.brief.approval import approval_of
from gpuplanner.domain.commitment.order_days import seen_on
from gpuplanner.domain.commitment.outlook_result import LimitCost, SizeBand, Uncertainty
from gpuplanner.domain.commitment.plan.comparison import STEPS, step_usd
from gpuplanner.domain.commitment.plan.orders import at_list, liability_usd, to_sign
from gpuplanner.domain.commitment.result import Unserved
from gpuplanner.domain.commitment.words.price_paths import PATH_NAMES
from gpuplanner.domain.commitment.words.savings import SAVING_STEPS, STEP_NAMES
from gpuplanner.domain.figures.typed import amount
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan.limits import Limit
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.domain.reports.award import PRICE_PAIRS
from gpuplanner.domain.reports.cash import READ_WITH_PLAN
from gpuplanner.domain.reports.savings import OFFERED, PROVIDERS_ALONE
from gpuplanner.files.workbook.answers import advice_sheet
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import two_clusters_evaluated
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, formulas_of
from tests.files.workbook.test_recalculated import differences, light_of
from tests.some_of import some_of

CHANGE, AFTER = "Change, $ per month", "After it, $ per month"


BAND = Uncertainty(
    p10_usd_per_month=100.0,
    p50_usd_per_month=120.0,
    p90_usd_per_month=150.0,
    regret_p50_usd_per_month=1.0,
    regret_p90_usd_per_month=7.0,
    year_p10_usd=1000.0,
    year_p90_usd=1600.0,
    coverage=0.75,
    coverage_folds=8,
    resamples=500,
    seed=0,
    sizes=(SizeBand("one_less", 90, 125, 160),),
)
NOBODY = Unserved(
    pool=Pool.BURST,
    gpu_model=None,
    key="beta/lab/sweep",
    gpu_hours=40.0,
    usd_per_month=None,
    reason=worded("no offer for its GPU model"),
)


@pytest.fixture(scope="module")
def evaluation():
    found = two_clusters_evaluated()
    outlook = replace(found.outlook, uncertainty=BAND)
    return replace(found, outlook=outlook, advice=replace(found.advice, unserved=(NOBODY,)))


@pytest.fixture(scope="module")
def path(evaluation, tmp_path_factory):
    written = tmp_path_factory.mktemp("advice") / "plan.xlsx"
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(
            advice_sheet, "trusted_band", lambda band, plan_usd, hours: band
        )  # however short the log is
        write_workbook(evaluation, written, 0)
    return written


@pytest.fixture(scope="module")
def cells(path):
    return SheetCells(cells_of(path)["Calc months"])


def under(cells, heading, first):
    return cells.cells[cells.under(heading, A=first)]


def test_steps_lead_from_today_to_the_plan(cells, evaluation):
    totals, steps = evaluation.advice.totals, evaluation.outlook.savings_steps
    assert under(cells, AFTER, "Spend today") == pytest.approx(totals.today)
    assert under(cells, AFTER, "Next month, without new commitments") == pytest.approx(totals.do_nothing)
    assert under(cells, AFTER, "The plan") == pytest.approx(totals.plan)
    for name in STEPS:
        assert under(cells, CHANGE, STEP_NAMES[name]) == pytest.approx(step_usd(steps, name))
    saved = under(cells, CHANGE, "Savings against doing nothing")
    assert saved == pytest.approx(-sum(step_usd(steps, name) for name in SAVING_STEPS))
    assert saved == pytest.approx(totals.savings_vs_do_nothing)
    sums = [str(value) for value in cells.cells.values() if str(value).count(" + ") == 2]
    assert any(str(STEP_NAMES["spot"]) in value for value in sums)


def test_price_paths_are_the_apps_and_what_being_wrong_costs_is_a_formula(path, cells, evaluation):
    formulas = formulas_of(path)["Calc months"]
    assert len(evaluation.outlook.price_paths) == 4
    for one in evaluation.outlook.price_paths:
        name = PATH_NAMES[one.path]
        assert under(cells, "The advice, $", name) == pytest.approx(one.advice_usd)
        assert under(cells, "Cost of being wrong, $", name) == pytest.approx(one.regret_usd, abs=1e-6)
        assert cells.under("Cost of being wrong, $", A=name) in formulas
        ways = {
            "Shorter only": one.shorter_only_usd,
            "The advice": one.advice_usd,
            "Longer only": one.longer_only_usd,
        }
        assert ways[under(cells, "Costs least", name)] == min(ways.values())


def test_what_orders_bind_is_the_apps(cells, evaluation):
    totals = evaluation.advice.totals
    assert totals.liability_now and totals.liability > totals.liability_now
    assert under(cells, "$", "Orders to sign now") == pytest.approx(totals.liability_now)
    later = under(cells, "$", "Orders later in the twelve months")
    assert later == pytest.approx(totals.liability - totals.liability_now)
    existing = under(cells, "$", "Existing contracts, for the months left")
    assert under(cells, "$", "In all") == pytest.approx(existing + totals.liability)
    begins_s, offers = evaluation.project.plan_window.end_s, evaluation.project.offers
    new = seen_on(begins_s, begins_s, offers).to_sign_later(evaluation.advice.orders)
    assert new
    expected, listed = "New orders later, at the prices expected then", "New orders later, at today's list"
    assert under(cells, "$", expected) == pytest.approx(liability_usd(new))
    assert under(cells, "$", listed) == pytest.approx(liability_usd(at_list(new, offers)))
    letters, head = cells.column("To sign now (1 yes)")
    flags = [value for at, value in cells.cells.items() if at.startswith(letters) and int(at[1:]) > head]
    certain = [one for one in evaluation.advice.orders if one.is_certain]
    assert sum(flags) == len(to_sign(certain, evaluation.project.plan_window.end_s))


@pytest.mark.long
@pytest.mark.parametrize("days", some_of([150, 500], quick=1))
def test_what_is_to_be_signed_now_is_as_of_the_day_of_writing(evaluation, tmp_path, days):
    """The brief's sums: what is due by then is in, and what is over is not."""
    project, advice = evaluation.project, evaluation.advice
    begins_s = project.plan_window.end_s
    asked = approval_of(advice, seen_on(begins_s + days * DAY_S, begins_s, project.offers))
    assert asked.usd != advice.totals.liability_now or asked.over
    written = tmp_path / "late.xlsx"
    write_workbook(evaluation, written, begins_s + days * DAY_S)
    late = SheetCells(cells_of(written)["Calc months"])
    assert under(late, "$", "Orders to sign now") == pytest.approx(asked.usd)
    later = under(late, "$", "Orders later in the twelve months")
    assert later == pytest.approx(asked.in_all_usd - asked.usd)
    assert any(" are over, $" in str(value) for value in late.cells.values()) is (len(asked.over) > 1)
    assert light_of(written) == "green"


def test_the_range_stands_beside_what_the_plan_says(cells, evaluation):
    assert under(cells, "P10", "Next month, $") == 100
    assert under(cells, "From P10 to P90", "Next month, $") == 50
    assert under(cells, "From P10 to P90", "Twelve months, $") == 600
    assert under(cells, "Middle (P50)", "Next month, shortest term: a unit less, $") == 125
    assert under(cells, "As planned", "Next month, $") == pytest.approx(evaluation.advice.totals.plan)
    year = sum(month.plan_usd for month in evaluation.advice.comparison)
    assert under(cells, "As planned", "Twelve months, $") == pytest.approx(year)
    assert any(str(text).startswith("6 of 8 months") for text in cells.cells.values())


@pytest.mark.long
def test_a_range_that_is_not_to_be_shown_stands_in_no_cell(evaluation, tmp_path):
    written = tmp_path / "short.xlsx"
    write_workbook(evaluation, written, 0)
    short = SheetCells(cells_of(written)["Calc months"])
    assert under(short, "P10", "Next month, $") == under(short, "P10", "Twelve months, $") == "\u2014"
    assert light_of(written) == "green"


def test_calendar_months_add_up_to_the_twelve(cells, evaluation):
    """By hand: each day of a month of 730 hours pays the same share of it."""
    begins = evaluation.project.plan_window.end_s
    months = evaluation.advice.comparison
    letters, head = cells.column("Calendar month")
    rows = [
        row for row in range(head + 1, head + 14) if isinstance(cells.cells.get(f"{letters}{row}"), datetime)
    ]
    paid = dict.fromkeys(rows, 0.0)
    for number, month in enumerate(months):
        for hour in range(730):
            day = datetime.fromtimestamp(begins + 3600 * (730 * number + hour), UTC)
            [row] = [at for at in rows if _is_same_month(cells.cells[f"{letters}{at}"], day)]
            paid[row] += month.plan_usd / 730
    for row, usd in paid.items():
        assert cells.cells[f"D{row}"] == pytest.approx(usd), row
        assert cells.cells[f"E{row}"] == pytest.approx(cells.cells[f"C{row}"] - cells.cells[f"D{row}"])
    assert cells.cells[f"D{rows[-1] + 1}"] == pytest.approx(sum(month.plan_usd for month in months))


def _is_same_month(one, other):
    return (one.year, one.month) == (other.year, other.month)


@pytest.mark.long
def test_every_number_that_is_no_formula_is_grey_and_locked(path):
    """Reports of the app are values on white, as the key of colors has it, and locked too."""
    sheet, formulas = openpyxl.load_workbook(path)["Calc months"], formulas_of(path)["Calc months"]
    assert sheet.protection.sheet
    reports = (OFFERED, PROVIDERS_ALONE, PRICE_PAIRS, *READ_WITH_PLAN.values())
    values = {str(of.title) for of in reports}
    of_sections = {cell.style_id for (cell,) in sheet.iter_rows(max_col=1) if cell.value in values}
    section, grey = "", 0
    begin = next(
        cell.row for (cell,) in sheet.iter_rows(max_col=1) if cell.value == "Savings, price paths and range"
    )
    for row in sheet.iter_rows(min_row=begin):
        section = row[0].value if row[0].style_id in of_sections else section
        for cell in row:
            if isinstance(cell.value, int | float) and cell.coordinate not in formulas:
                assert cell.fill.fgColor.rgb == "FFE4E7EC" or section in values, cell.coordinate
                assert cell.protection.locked
                grey += section not in values
    assert grey > 40


def test_both_charts_are_native(path):
    charts = openpyxl.load_workbook(path)["Calc months"]._charts
    assert sorted(type(chart).__name__ for chart in charts) == ["BarChart"] * 3


@pytest.mark.long
def test_a_rate_moves_what_orders_bind_and_the_light_says_so(path, cells, evaluation, need_tool, tmp_path):
    order = next(one for one in evaluation.advice.orders if one.is_certain and one.rate)
    offers = SheetCells(cells_of(path)["Offer inputs"])
    cell = offers.under("Rate, $ per GPU-h", A=order.offer_id)
    changed = changed_copy(path, tmp_path / "rate.xlsx", {("Offer inputs", cell): 2 * offers.cells[cell]})
    calc = Recalculator(need_tool("soffice"), tmp_path)
    same, again = calc.recalculated(changed_copy(path, tmp_path / "same.xlsx", {}), changed)
    assert differences(cells_of(path), cells_of(same)) == []
    before, after = (
        under(SheetCells(cells_of(book)["Calc months"]), "$", "In all") for book in (same, again)
    )
    at_offer = sum(
        one.liability for one in evaluation.advice.orders if one.is_certain and one.offer_id == order.offer_id
    )
    assert after - before == pytest.approx(at_offer)
    assert light_of(again) == "changed"


def test_what_nobody_serves_is_listed_with_the_reason(cells):
    assert under(cells, "GPU-h of twelve months", "beta/lab/sweep") == 40
    assert under(cells, "It would cost, $ per month", "beta/lab/sweep") == "—"
    assert "no offer" in under(cells, "Reason", "beta/lab/sweep")


def test_what_separate_pools_cost_is_told_of_twelve_months_too(cells, evaluation):
    """Window, brief and terminal had them; the book had the first month alone, which can be 0."""
    apart = evaluation.outlook.separation
    named = f"Costs: unshared peaks, {amount(apart.cost_usd(12))} in 12 months"
    assert under(cells, "In money, $ per month", named) == pytest.approx(apart.cost_usd())


@pytest.mark.long
def test_what_a_limit_costs_is_a_formula_over_the_two_plans(evaluation, tmp_path):
    inputs = {
        "plan": 1_250.0,
        "plan_without_limit": 1_000.0,
        "plan_in_year": 14_000.0,
        "without_limit_in_year": 12_500.0,
    }
    limit = LimitCost(
        limit=Limit("max_term_months", 6.0),
        inputs=inputs,
        limit_cost=250.0,
        limit_cost_in_year=1_500.0,
        unserved_gpu_hours=0.0,
        why=worded("longer ones"),
    )
    outlook = replace(evaluation.outlook, limits=(limit,))
    write_workbook(replace(evaluation, outlook=outlook), tmp_path / "limits.xlsx", 0)
    cells = SheetCells(cells_of(tmp_path / "limits.xlsx")["Calc months"])
    name = "No term over 6 months"
    assert under(cells, "The limit costs, $ per month", name) == 250.0
    assert under(cells, "The limit costs in 12 months, $ in all", name) == 1_500.0
    assert under(cells, "What it changes", name) == "longer ones"
    formula = formulas_of(tmp_path / "limits.xlsx")["Calc months"][
        cells.under("The limit costs, $ per month", A=name)
    ]
    assert "-" in formula
