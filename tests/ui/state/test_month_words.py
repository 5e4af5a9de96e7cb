"""With growth, the headline says that its spend is of the first month, and what the last month costs."""

from dataclasses import replace
from functools import cache

import pytest

from gpuplanner.domain import edits
from gpuplanner.domain.edits import set_assumption
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario.dated import PlannedWork
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.state.headline_figures import HeadlineFigure, figures_of
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.why.plan_answers import why
from gpuplanner.ui.words import numbers
from tests.ui.priced_world import plan, priced_project, today


@cache
def with_assumption(name: str, value: float) -> ViewState:
    project = priced_project()
    plan_name = project.scenarios[0].name
    return next_view_state(
        None, evaluate(set_assumption(project, plan_name, name, value), plan_name, read_tables())
    )


def spend(shown: ViewState) -> HeadlineFigure:
    return next(figure for figure in figures_of(shown) if figure.figure_id == "spend")


@pytest.mark.long
def test_growth_is_beside_the_spend_with_the_last_of_the_twelve_months() -> None:
    grown = with_assumption("growth", 0.05)
    assert grown.advice is not None
    last = grown.advice.comparison[-1]
    assert last.month == 11 and last.plan_usd is not None
    line = spend(grown).second[0]
    assert line == f"At today's demand \u00b7 month 12: {numbers.dollars(last.plan_usd)}"
    assert "longer terms pay" in spend(grown).tip and "P10\u2013P90: " in spend(grown).tip
    for figure_id in ("spend", "savings"):
        assert "first month, at the demand of the log" in why(figure_id, grown).remark


def test_another_assumption_of_the_plan_says_the_month_and_no_growth() -> None:
    cheaper = with_assumption("delta", 0.05)
    assert spend(cheaper).second[0].startswith("First month \u00b7 month 12: $")
    assert "Growth" not in why("spend", cheaper).remark and "first month" in why("spend", cheaper).remark


def test_a_plan_at_its_defaults_keeps_its_range_and_today_says_no_month() -> None:
    assert spend(plan()).second[0].startswith("Plan P10\u2013P90: ")
    assert "first month" not in why("spend", plan()).remark
    assert not any("month 12" in line for line in spend(today()).second)


def test_no_month_is_said_before_the_advice_is_there() -> None:
    grown = with_assumption("growth", 0.05)
    unknown = replace(grown, advice=None)
    assert not any("month 12" in line for line in spend(unknown).second)


def test_a_plan_that_says_what_comes_says_the_last_month_too() -> None:
    project = priced_project()
    name, key, begins_s = project.scenarios[0].name, project.workloads[0].key, project.plan_window.end_s
    later_s = begins_s + 90 * DAY_S
    work = PlannedWork("next", Pool.TRAINING, "H100", 16.0, "", "lab", begins_s=later_s)
    for edited in (
        edits.end_workloads(project, name, (key,), later_s),
        edits.plan_work(project, name, (work,)),
        edits.change_demand(project, name, (edits.demand_change(project, name, "all", 2.0, later_s, {}),)),
    ):
        shown = next_view_state(None, evaluate(edited, name, read_tables()))
        assert spend(shown).second[0].startswith("First month \u00b7 month 12: $")
