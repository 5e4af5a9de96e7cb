"""Next month, month 12 and all twelve on the Summary: the app's to the cent, alone and beside the plan before."""

import re
from dataclasses import replace

import pytest

from gpuplanner.domain.commitment.plan.comparison import Horizon, horizons_of
from gpuplanner.domain.commitment.words.horizons import HORIZON_NAMES
from gpuplanner.domain.figures.plan import AHEAD, PLAN
from gpuplanner.domain.reports.plan_layers import at_least_entry
from gpuplanner.files.workbook.answers.summary_sheet import SUMMARY_FIGURES
from gpuplanner.files.workbook.write import write_workbook
from tests.files.workbook.book_cells import SheetCells
from tests.files.workbook.evaluations import (
    evaluated,
    evaluation_of,
    two_clusters_book,
    two_clusters_evaluated,
    two_clusters_with_layers,
)
from tests.files.workbook.recalculate import Recalculator, cells_of, changed_copy, names_of
from tests.files.workbook.test_recalculated import light_of
from tests.files.workbook.what_if import cheapest_on_demand, offer_rate
from tests.oracle.projects import Case

ALONE = ("do_nothing", "plan", "saved")
ASKED = (*ALONE, "before", "changed")


def horizons(path, keys):
    """Figures of each horizon by key, as the Summary has them; None for the dash."""
    summary = SheetCells(cells_of(path)["Calc months"])
    names, top = summary.column("Horizon")
    columns = {key: summary.column(AHEAD[key].heading(", "), top)[0] for key in keys}
    rows = {name: summary.rows(**{names: name})[-1] for name in HORIZON_NAMES.values()}
    found = {
        name: {key: summary.cells[f"{letters}{row}"] for key, letters in columns.items()}
        for name, row in rows.items()
    }
    return {
        name: {key: None if cell == "—" else cell for key, cell in row.items()} for name, row in found.items()
    }


def of_app(evaluation, keys):
    rows = horizons_of(evaluation.advice, evaluation.before)
    return {
        HORIZON_NAMES[row.horizon]: {
            key: None if getattr(row, key) is None else pytest.approx(getattr(row, key), abs=0.01)
            for key in keys
        }
        for row in rows
    }


def test_the_summary_has_each_horizon():
    assert horizons(two_clusters_book(), ALONE) == of_app(two_clusters_evaluated(), ALONE)


@pytest.mark.parametrize("rate", [2.0, pytest.param(None, marks=pytest.mark.long)])
def test_a_book_of_contracts_alone_is_green_and_knows_what_they_cost(rate, request, tmp_path):
    case, path = Case(48), tmp_path / "plan.xlsx"
    case.contract("k", "alpha", 2, rate)
    case.offers_of("H100", 6.0, {12: 2.0})
    write_workbook(evaluation_of(case), path, 0)
    assert light_of(path) == "green"
    if rate is None:
        typed = changed_copy(path, tmp_path / "typed.xlsx", {("Contract inputs", "H6"): 2.0})
        need_tool = request.getfixturevalue("need_tool")
        [path] = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(typed)
    summary = SheetCells(cells_of(path)["Calc months"])
    title = next(one.title for one in SUMMARY_FIGURES if one.key == "current_usd_per_month")
    assert summary.cells[summary.under("Value", A=title)] == pytest.approx(2 * 2.0 * 730)


def test_a_plan_that_asks_nothing_has_no_column_of_a_plan_before():
    assert str(AHEAD["changed"].heading(", ")) not in cells_of(two_clusters_book())["Calc months"].values()


def question(**assumptions):
    """The small case in which it is asked what other assumptions would do."""
    before, case = two_clusters_evaluated(), two_clusters_with_layers()
    changed = replace(before.project, assumptions=before.project.assumptions.with_values(assumptions))
    return replace(evaluated(changed, case.classifications), before=before.advice)


@pytest.mark.long
def test_a_question_stands_beside_the_plan_that_it_is_asked_of(need_tool, tmp_path):
    """As written and as another program works it out; also where the answer leaves demand to nobody."""
    calc = Recalculator(need_tool("soffice"), tmp_path / "soffice")
    for name, assumptions in (
        ("term", {"max_term_months": 3}),
        ("budget", {"budget_usd_per_month": 30_000.0}),
    ):
        evaluation, path = question(**assumptions), tmp_path / f"{name}.xlsx"
        write_workbook(evaluation, path, 0)
        assert horizons(path, ASKED) == of_app(evaluation, ASKED)
        [again] = calc.recalculated(path)
        assert horizons(again, ASKED) == of_app(evaluation, ASKED)
        assert light_of(again) == "green"


@pytest.mark.long
def test_a_typed_rate_moves_the_horizons_and_not_the_plan_before(need_tool, tmp_path):
    evaluation, path = question(max_term_months=3), tmp_path / "book.xlsx"
    write_workbook(evaluation, path, 0)
    offer = cheapest_on_demand(evaluation.project)[0]
    change = offer_rate(evaluation, cells_of(path), offer)
    typed = changed_copy(path, tmp_path / "typed.xlsx", change.cells)
    [again] = Recalculator(need_tool("soffice"), tmp_path / "soffice").recalculated(typed)
    before, after = horizons(path, ASKED), horizons(again, ASKED)
    for name in HORIZON_NAMES.values():
        dearer = after[name]["do_nothing"] - before[name]["do_nothing"]
        assert dearer > 0 and after[name]["before"] == pytest.approx(before[name]["before"])
        moved = after[name]["plan"] - before[name]["plan"]
        assert after[name]["changed"] - before[name]["changed"] == pytest.approx(moved, abs=0.01)
        assert after[name]["saved"] - before[name]["saved"] == pytest.approx(dearer - moved, abs=0.01)
    assert light_of(again) == "changed"


@pytest.mark.long
def test_a_total_that_lacks_a_rate_says_what_it_is_at_least(tmp_path):
    case = two_clusters_with_layers()
    case.contracts = [
        replace(one, rate_usd_per_gpu_hour=None) if one.contract_id == "a-free" else one
        for one in case.contracts
    ]
    evaluation, path = evaluation_of(case), tmp_path / "plan.xlsx"
    write_workbook(evaluation, path, 0)
    summary = SheetCells(cells_of(path)["Calc months"])
    least = at_least_entry(evaluation.advice)
    for figure in ("current_usd_per_month", "plan_usd_per_month"):
        title = next(one.title for one in SUMMARY_FIGURES if one.key == figure)
        assert summary.cells[summary.under("Value", A=title)] == "—"
        said = summary.cells[summary.under("Description", A=title)]
        assert f"${least[figure]:,.0f}" in said and "a-free" in said
    saved = {row.horizon: row.saved for row in horizons_of(evaluation.advice, None)}
    assert None not in saved.values()  # a-free costs the same in both ways
    title = PLAN["savings_vs_do_nothing"].title
    assert summary.cells[summary.under("Value", A=title)] == pytest.approx(saved[Horizon.NEXT_MONTH])
    cells = SheetCells(cells_of(path)["Calc months"])
    for horizon, usd in saved.items():
        cell = cells.under("Savings against doing nothing, $", A=str(HORIZON_NAMES[horizon]))
        assert cells.cells[cell] == pytest.approx(usd)
    sheet, cell = names_of(path)["all_checks"]
    assert re.search(r"\d+ of \d+", cells_of(path)[sheet][cell])
    checks = SheetCells(cells_of(path)["Check list"])
    unknown = {checks.under(heading, B="Plan") for heading in ("In the app", "In this book", "Difference")}
    assert {checks.cells[cell] for cell in unknown} == {"—"}
    assert checks.cells[checks.under("Status", B="Plan")] == "not known"
