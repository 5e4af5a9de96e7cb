"""A log of another time than its contracts, or than today: said above the actions and at the foot, mended there."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.app.importing import ImportRequest
from gpuplanner.domain import edits
from gpuplanner.domain.model.book.contracts_apart import contracts_apart
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.importing.import_words import apart_words
from gpuplanner.ui.panels.actions.checks import check_rows
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.state.plan_notice import NONE_RAN, OLD_LOG_DAYS, plan_notice
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from tests.ui.plans_world import NOW_S, opened_again, plans_project, settle, shared_window

PROJECT = plans_project()
END_S = PROJECT.window.end_s
YEAR_S = 365 * DAY_S


def with_contracts(begin_s: int, end_s: int | None) -> Project:
    contracts = tuple(replace(one, start_s=begin_s, end_s=end_s) for one in PROJECT.contracts)
    return replace(PROJECT, contracts=contracts)


LATER = with_contracts(END_S + YEAR_S, END_S + 5 * YEAR_S)
EARLIER = with_contracts(PROJECT.window.start_s - YEAR_S, PROJECT.window.start_s)


@pytest.fixture(scope="module")
def shared(qapp: QApplication) -> Iterator[MainWindow]:
    yield from shared_window(PROJECT)


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


def test_contracts_of_another_time_are_said_with_their_remedy_and_one_click_mends_it(
    planner: MainWindow,
) -> None:
    shown_in(planner, LATER)
    bar = planner.docks.recommendations.notice
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


def test_contracts_that_are_over_have_no_day_that_mends_it(planner: MainWindow) -> None:
    shown_in(planner, EARLIER)
    bar, asked = planner.docks.recommendations.notice, []
    assert bar.notice is not None and bar.plan.isHidden() and not bar.bring.isHidden()
    slots = [
        planner.session.asks.import_asked.connect(lambda: asked.append("import")),
    ]
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
    assert "No contract ran" in told["spend"].tip


def test_the_check_names_both_spans_and_speaks_of_the_menu_in_the_window(planner: MainWindow) -> None:
    shown_in(planner, LATER)
    assert planner.session.view_state is not None
    (check,) = [one for one in planner.session.view_state.checks if one.code == "contracts_outside_window"]
    assert check.severity == "amber" and "--plan-from" in str(check.message)
    (row,) = [row for row in check_rows((check,), {}) if not row.is_heading]
    assert "--" not in row.note and "Plan from in the menu Scenario" in row.note
    assert row.title.startswith(str(NONE_RAN))
    planned = edits.set_plan_from(LATER, END_S + 2 * YEAR_S)
    shown_in(planner, planned)
    (check,) = [one for one in planner.session.view_state.checks if one.code == "contracts_outside_window"]
    assert "the plan begins" in str(check.message)


def test_an_import_says_it_before_it_is_taken_in() -> None:
    from types import SimpleNamespace

    read = SimpleNamespace(window=LATER.window, contracts=LATER.contracts)
    empty = replace(PROJECT, workloads=(), contracts=())
    both = ImportRequest(("j.csv",), ("c.csv",))
    told = apart_words(both, read, empty, None)
    assert told.startswith(str(NONE_RAN)) and "Plan from in the menu Scenario" in told
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


def test_an_old_log_says_so_above_the_actions(planner: MainWindow) -> None:
    old = plan_notice(PROJECT, END_S + 51 * DAY_S)
    assert old is not None and "51 days ago" in old.title and not old.is_apart
    assert old.day == "Plan from today" and old.plan_from_s == (END_S + 51 * DAY_S) // DAY_S * DAY_S
    assert plan_notice(PROJECT, END_S + (OLD_LOG_DAYS - 1) * DAY_S) is None
    ancient = plan_notice(PROJECT, END_S + 3 * YEAR_S)
    assert ancient is not None and "3 years ago" in ancient.title
    begun = edits.set_plan_from(PROJECT, END_S // DAY_S * DAY_S + 9 * DAY_S)
    assert plan_notice(begun, END_S + 51 * DAY_S) is None
    shown_in(planner, PROJECT)
    bar = planner.docks.recommendations.notice
    assert bar.notice is not None and bar.bring.isHidden()
    bar.plan.click()
    settle(planner)
    assert planner.session.document.project.plan_from_s == NOW_S // DAY_S * DAY_S
