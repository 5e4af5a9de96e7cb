"""A log of another time than its contracts, or than today: said above the actions and at the foot, mended there."""

from dataclasses import replace
from functools import cache

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.app.importing.import_request import ImportRequest
from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain import edits
from gpuplanner.domain.audit.utilization.contracts_apart import contracts_apart
from gpuplanner.domain.edits.plans import set_assumption
from gpuplanner.domain.evaluation import evaluate
from gpuplanner.domain.figures.typed import day
from gpuplanner.domain.model.plan.planned_work import PlannedWork
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import Pool
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import read_tables
from gpuplanner.ui.importing.import_state import apart_words
from gpuplanner.ui.panels.actions.checks import check_rows
from gpuplanner.ui.state.headline_figures import HeadlineFigure, figures_of
from gpuplanner.ui.state.month_words import month_sentence
from gpuplanner.ui.state.plan_notice import NONE_RAN, OLD_LOG_DAYS, plan_notice
from gpuplanner.ui.state.view_state import ViewState, next_view_state
from gpuplanner.ui.why.plan_answers import why
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.ui.plans_world import NOW_S, opened_again, plans_project, settle
from tests.ui.priced_world import plan, priced_project, today

# --- A log of another time than its contracts, or than today: said above the actions and at the foot,
# mended there

PROJECT = plans_project()
END_S = PROJECT.window.end_s
YEAR_S = 365 * DAY_S


def with_contracts(begin_s: int, end_s: int | None) -> Project:
    contracts = tuple(replace(one, start_s=begin_s, end_s=end_s) for one in PROJECT.contracts)
    return replace(PROJECT, contracts=contracts)


LATER = with_contracts(END_S + YEAR_S, END_S + 5 * YEAR_S)
EARLIER = with_contracts(PROJECT.window.start_s - YEAR_S, PROJECT.window.start_s)


@pytest.fixture
def planner(shared: MainWindow, qapp: QApplication) -> MainWindow:
    opened_again(shared, PROJECT)
    return shared


def shown_in(planner: MainWindow, project: Project) -> None:
    opened_again(planner, project)
    planner.docks.show_waiting()


def test_a_contract_that_touches_the_window_by_an_hour_is_not_apart() -> None:
    start_s = PROJECT.window.start_s
    for begin_s, end_s, is_apart in (
        (END_S, None, True),
        (END_S - 3600, None, False),
        (start_s - DAY_S, start_s, True),
        (start_s - DAY_S, start_s + 3600, False),
    ):
        project = with_contracts(begin_s, end_s)
        assert (contracts_apart(project.contracts, project.window) is not None) is is_apart
    assert contracts_apart((), PROJECT.window) is None


def test_the_day_to_plan_from_is_today_where_a_contract_runs_today_else_the_day_of_most_gpus() -> None:
    (one,) = LATER.contracts
    more = replace(one, contract_id="m", milli_gpus=9 * one.milli_gpus, start_s=one.start_s + 40 * DAY_S + 7)
    apart = contracts_apart((one, more), PROJECT.window)
    assert apart is not None
    today_s = END_S + 2 * YEAR_S + 5
    assert apart.day_to_plan_from_s(PROJECT.window, today_s) == today_s // DAY_S * DAY_S
    most_s = apart.day_to_plan_from_s(PROJECT.window, END_S)
    assert most_s is not None and most_s % DAY_S == 0 and 0 <= most_s - more.start_s < DAY_S
    over = contracts_apart(EARLIER.contracts, PROJECT.window)
    assert over is not None and over.day_to_plan_from_s(PROJECT.window, today_s) is None


@pytest.mark.long
def test_contracts_of_another_time_are_said_with_their_remedy_and_one_click_mends_it(
    planner: MainWindow,
) -> None:
    shown_in(planner, LATER)
    planner.show_decisions()
    bar = planner.page.notice
    assert bar.notice is not None and bar.notice.title == str(NONE_RAN) and not bar.isHidden()
    assert numbers.date(LATER.contracts[0].start_s) in bar.notice.sentence
    assert bar.plan.text() == "Plan from today" and not bar.bring.isHidden()
    assert not planner.status.apart.isHidden() and planner.status.apart.text().strip() == str(NONE_RAN)
    bar.plan.click()
    settle(planner)
    planner.docks.show_waiting()
    assert planner.session.document.project.plan_from_s == NOW_S // DAY_S * DAY_S
    assert planner.session.evaluation is not None and planner.session.evaluation.advice is not None
    assert any(layer.existing for pool in planner.session.evaluation.advice.pools for layer in pool.layers)
    assert bar.isHidden()  # the plan counts with them
    assert not planner.status.apart.isHidden()  # today's figures still do not


@pytest.mark.long
def test_contracts_that_are_over_have_no_day_that_mends_it(planner: MainWindow) -> None:
    shown_in(planner, EARLIER)
    planner.show_decisions()
    bar, asked = planner.page.notice, []
    assert bar.notice is not None and bar.plan.isHidden() and not bar.bring.isHidden()
    slots = [planner.session.asks.import_asked.connect(lambda: asked.append("import"))]
    planner.status.apart.click()
    bar.bring.click()
    for slot in slots:
        planner.session.asks.import_asked.disconnect(slot)
    assert asked == ["import", "import"]


def test_where_contracts_ran_nothing_is_said(planner: MainWindow) -> None:
    shown_in(planner, PROJECT)
    assert planner.status.apart.isHidden()
    assert planner.session.view_state is not None
    assert "contracts_outside_window" not in {check.code for check in planner.session.view_state.checks}


def test_nothing_is_unused_and_nothing_below_today_where_no_contract_ran(planner: MainWindow) -> None:
    shown_in(planner, LATER)
    assert planner.session.view_state is not None
    told = {figure.figure_id: figure for figure in figures_of(planner.session.view_state)}
    assert told["unused_per_month"].now == numbers.UNKNOWN and told["unused_per_month"].second[0] == NONE_RAN
    assert "all on demand" in told["savings"].second[0] and "today" not in told["savings"].second[0]
    assert "No contract overlaps the log" in told["spend"].tip


@pytest.mark.long
def test_the_check_names_both_spans_and_speaks_of_the_menu_in_the_window(planner: MainWindow) -> None:
    shown_in(planner, LATER)
    assert planner.session.view_state is not None
    (check,) = [one for one in planner.session.view_state.checks if one.code == "contracts_outside_window"]
    assert check.severity == "amber" and "--plan-from" in str(check.message)
    (row,) = [row for row in check_rows((check,), {}) if not row.is_heading]
    assert "--" not in row.note and "Plan from" in row.note
    assert row.title.startswith(str(NONE_RAN))
    planned = edits.plans.set_plan_from(LATER, END_S + 2 * YEAR_S)
    shown_in(planner, planned)
    (check,) = [one for one in planner.session.view_state.checks if one.code == "contracts_outside_window"]
    assert "--plan-from" not in str(check.message)
    assert str(day(END_S + 2 * YEAR_S)) in str(check.message)


def test_an_import_says_it_before_it_is_taken_in() -> None:
    from types import SimpleNamespace

    read = SimpleNamespace(window=LATER.window, contracts=LATER.contracts)
    empty = replace(PROJECT, workloads=(), contracts=())
    both = ImportRequest(job_paths=("j.csv",), contract_paths=("c.csv",))
    told = apart_words(both, read, empty, None)
    assert told.startswith(str(NONE_RAN)) and "Plan from" in told
    over = SimpleNamespace(window=EARLIER.window, contracts=EARLIER.contracts)
    assert "Plan from" not in apart_words(both, over, empty, None)
    later = SimpleNamespace(window=None, contracts=LATER.contracts)
    assert apart_words(ImportRequest(contract_paths=("c.csv",)), later, PROJECT, None)
    assert not apart_words(
        ImportRequest(contract_paths=("c.csv",)), later, PROJECT, PROJECT
    )  # they join those
    assert not apart_words(
        ImportRequest(price_paths=("p.csv",)), later, LATER, None
    )  # prices bring no news of it


@pytest.mark.long
def test_an_old_log_says_so_above_the_actions(planner: MainWindow) -> None:
    old = plan_notice(PROJECT, END_S + 51 * DAY_S)
    assert old is not None and "51 days ago" in old.title and not old.is_apart
    assert old.day == "Plan from today" and old.plan_from_s == (END_S + 51 * DAY_S) // DAY_S * DAY_S
    assert plan_notice(PROJECT, END_S + (OLD_LOG_DAYS - 1) * DAY_S) is None
    ancient = plan_notice(PROJECT, END_S + 3 * YEAR_S)
    assert ancient is not None and "3 years ago" in ancient.title
    begun = edits.plans.set_plan_from(PROJECT, END_S // DAY_S * DAY_S + 9 * DAY_S)
    assert plan_notice(begun, END_S + 51 * DAY_S) is None
    shown_in(planner, PROJECT)
    bar = planner.page.notice
    assert bar.notice is not None and bar.bring.isHidden()
    bar.plan.click()
    settle(planner)
    assert planner.session.document.project.plan_from_s == NOW_S // DAY_S * DAY_S


# --- With growth, the headline says that its spend is of the first month, and what the last month costs


@cache
def with_assumption(name: str, value: float) -> ViewState:
    project = priced_project()
    plan_name = project.scenarios[0].name
    return next_view_state(
        None, evaluate(set_assumption(project, plan_name, name, value), plan_name, read_tables())
    )


def spend(shown: ViewState) -> HeadlineFigure:
    return next(figure for figure in figures_of(shown) if figure.title == "Spend")


@pytest.mark.long
def test_growth_is_beside_the_spend_with_the_last_of_the_twelve_months() -> None:
    grown = with_assumption("growth", 0.05)
    assert grown.advice is not None
    last = grown.advice.comparison[-1]
    assert last.month == 11 and last.plan_usd is not None
    line = spend(grown).second[0]
    assert line.endswith(f"month 12: {numbers.dollars(last.plan_usd)}")
    assert month_sentence(grown) in spend(grown).tip and "P10\u2013P90: " in spend(grown).tip
    for figure_id in ("spend", "savings"):
        assert month_sentence(grown) in why(figure_id, grown).remark


@pytest.mark.long
def test_another_assumption_of_the_plan_says_the_month_and_no_growth() -> None:
    cheaper = with_assumption("delta", 0.05)
    assert spend(cheaper).second[0].startswith("First month \u00b7 month 12: $")
    last = numbers.dollars(cheaper.advice.comparison[-1].plan_usd)
    said = month_sentence(cheaper)
    assert last in said and said in why("spend", cheaper).remark


def test_a_plan_at_its_defaults_keeps_its_range_and_today_says_no_month() -> None:
    assert spend(plan()).second[0].startswith("Plan P10\u2013P90: ")
    assert not month_sentence(plan())
    assert not any("month 12" in line for line in spend(today()).second)


@pytest.mark.long
def test_no_month_is_said_before_the_advice_is_there() -> None:
    grown = with_assumption("growth", 0.05)
    unknown = replace(grown, advice=None)
    assert not any("month 12" in line for line in spend(unknown).second)


@pytest.mark.long
def test_a_plan_that_says_what_comes_says_the_last_month_too() -> None:
    project = priced_project()
    name, key, begins_s = project.scenarios[0].name, project.workloads[0].key, project.plan_window.end_s
    later_s = begins_s + 90 * DAY_S
    work = PlannedWork(
        name="next", pool=Pool.TRAINING, gpu_model="H100", gpus=16.0, cluster="", team="lab", begins_s=later_s
    )
    for edited in (
        edits.dates.end_workloads(project, name, (key,), later_s),
        edits.dates.plan_work(project, name, (work,)),
        edits.dates.change_demand(
            project, name, (edits.dates.demand_change(project, name, "all", 2.0, later_s, {}),)
        ),
    ):
        shown = next_view_state(None, evaluate(edited, name, read_tables()))
        assert spend(shown).second[0].startswith("First month \u00b7 month 12: $")


def test_how_long_jobs_wait_stands_under_what_is_unused(planner: MainWindow) -> None:
    shown_in(planner, PROJECT)
    assert planner.session.view_state is not None
    waits = ("P90 wait, Training: 12.0 \u2192 3.2 h", "P90 wait 12.0 \u2192 3.2 h")
    told = {figure.figure_id: figure for figure in figures_of(planner.session.view_state, waits)}
    second = tuple(map(spoken, told["unused_per_month"].second))
    (recent,) = map(spoken, figures_of(planner.session.view_state)[2].second)
    assert second == (*(form for one in waits for form in (f"{recent} \u00b7 {one}", one)), recent)
    assert "Recent hours" in recent


@pytest.mark.long
def test_that_recent_hours_weigh_more_is_not_said_where_all_weigh_alike() -> None:
    shown = with_assumption("recency_half_life_days", None)
    assert figures_of(shown)[2].second == ()
