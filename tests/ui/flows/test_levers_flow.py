"""A team that stops and the limits of a plan, in the window: one step of Undo each, and what they cost beside them."""

from collections.abc import Iterator
from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication, QDialog

from gpuplanner.domain.audit.evidence.trace import parts_of
from gpuplanner.domain.edits import stop_team, stop_workloads, teams_of
from gpuplanner.domain.evaluation import advise_plan, evaluate_figures
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.only import Only
from gpuplanner.domain.model.scenario.plan_inputs import TODAY
from gpuplanner.ui.cards.details import details_of
from gpuplanner.ui.cards.facets import CardFacts
from gpuplanner.ui.plans.dates_dialog import DatesDialog
from gpuplanner.ui.plans.limits_dialog import LimitsDialog
from gpuplanner.ui.plans.stop_effect import stop_values
from gpuplanner.ui.plans.team_dialog import TeamDialog
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.plans_world import KEYS, opened_again, plans_project, settle, shared_window

SMALL = plans_project()
PROJECT = replace(SMALL, offers=tuple(replace(one, provider=f"p-{one.offer_id}") for one in SMALL.offers))
PLAN = PROJECT.scenarios[0].name
TEAMS = teams_of(PROJECT, PROJECT.scenarios[0])
TEAM = next(team for team, keys in TEAMS.items() if KEYS[3] in keys)


@pytest.fixture(scope="module")
def shared(qapp: QApplication) -> Iterator[MainWindow]:
    yield from shared_window(PROJECT)


@pytest.fixture
def planner(shared: MainWindow, qapp: QApplication) -> MainWindow:
    return opened_again(shared, PROJECT)


def opened(window: MainWindow, kind: type[QDialog]) -> QDialog:
    return next(one for one in window.findChildren(kind) if one.isVisible())


def texts(dialog: TeamDialog | LimitsDialog | DatesDialog) -> list[list[str]]:
    table = dialog.table if isinstance(dialog, LimitsDialog) else dialog.effect.table  # type: ignore[union-attr]
    return [[str(cell.text) for cell in table.row_at(at).cells] for at in range(table.model().rowCount())]


def test_what_a_stop_would_save_is_what_the_plan_then_costs_less(planner, qtbot) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.actions_by_id["stop_team"].trigger()
    dialog = opened(planner, TeamDialog)
    before = planner.session.evaluator.evaluation
    assert isinstance(dialog, TeamDialog) and before is not None and before.advice is not None
    with qtbot.waitSignal(planner.levers.trying.answered, timeout=20_000):
        dialog.team.setCurrentIndex(dialog.team.findData(TEAM))
    after = stop_team(PROJECT, PLAN, TEAM)
    advice = advise_plan(after, evaluate_figures(after, PLAN, before.audit))
    values = stop_values(before.advice, advice)
    assert texts(dialog)[-1][1:] == [f"{values[key]:,.0f}" for key in ("stop_saves", "stop_saves_in_year")]
    for cell in dialog.effect.table.row_at(2).cells[1:]:
        assert dialog.trace(cell.figure_id).value == values[parts_of(cell.figure_id)[0]]
    assert "under contract" in dialog.effect.freed.text()
    dialog.do.click()
    stack = planner.session.document.undo_stack
    assert planner.session.document.project.scenario(PLAN).spells == after.scenario(PLAN).spells
    assert stack.undoText() == f"Stop team {TEAM}"
    stack.undo()
    assert planner.session.document.project is PROJECT


def test_a_single_stop_says_what_it_would_save_and_an_end_does_not(planner, qtbot) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    with qtbot.waitSignal(planner.levers.trying.answered, timeout=20_000):
        planner.dated.ask_dates("stop", (KEYS[3],))
    dialog = opened(planner, DatesDialog)
    assert isinstance(dialog, DatesDialog)
    before = planner.session.evaluator.evaluation
    assert before is not None and before.advice is not None
    after = stop_workloads(PROJECT, PLAN, (KEYS[3],), dialog.moment_s)
    advice = advise_plan(after, evaluate_figures(after, PLAN, before.audit))
    values = stop_values(before.advice, advice)
    assert texts(dialog)[-1][1:] == [f"{values[key]:,.0f}" for key in ("stop_saves", "stop_saves_in_year")]
    dialog.reject()
    planner.dated.ask_dates("end", (KEYS[3],))
    dialog = opened(planner, DatesDialog)
    assert isinstance(dialog, DatesDialog) and dialog.effect is None
    dialog.reject()


def test_the_team_of_the_selected_card_is_asked_about_and_each_is_found_by_name(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.board.show_workload(KEYS[3])
    planner.board.ask_team_stop()
    dialog = opened(planner, TeamDialog)
    assert isinstance(dialog, TeamDialog) and dialog.team.currentData() == TEAM
    dialog.reject()
    entry = next(one for one in planner.commands() if one.title == f"Stop team {TEAM}")
    entry.run()
    opened(planner, TeamDialog).reject()
    planner.choose_scenario(TODAY)
    planner.levers.ask_team()
    assert not [one for one in planner.findChildren(TeamDialog) if one.isVisible()]


def test_the_largest_team_is_offered_first(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    workloads = tuple(replace(one, owner="a" if one.key == KEYS[0] else "z") for one in PROJECT.workloads)
    opened_again(planner, replace(PROJECT, workloads=workloads))
    settle(planner)
    planner.levers.ask_team()
    dialog = opened(planner, TeamDialog)
    assert isinstance(dialog, TeamDialog)
    assert [dialog.team.itemData(at) for at in range(dialog.team.count())] == ["z", "a"]
    dialog.reject()


def test_a_limit_is_a_step_and_says_what_it_costs(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.actions_by_id["limits"].trigger()
    dialog = opened(planner, LimitsDialog)
    assert isinstance(dialog, LimitsDialog) and dialog.costs.text() == "No limit is set."
    assert dialog.table.isHidden()  # headings over nothing
    field = dialog.fields["max_term_months"]
    field.setText("0")
    field.setModified(True)
    field.editingFinished.emit()
    assert "out of range" in dialog.said.text() and field.text() == ""
    field.setText("1")
    field.setModified(True)
    field.editingFinished.emit()
    settle(planner)
    project = planner.session.document.project
    assert project.scenario(PLAN).assumptions == {"max_term_months": 1}
    evaluation = planner.session.evaluator.evaluation
    assert evaluation is not None and evaluation.outlook is not None
    (one,) = evaluation.outlook.limits
    assert one.limit_cost is not None
    assert [row[0] for row in texts(dialog)] == ["No term over 1 month"] and dialog.table.isVisible()
    (figure_id,) = {
        cell.figure_id for cell in dialog.table.row_at(0).cells if "limit_cost:" in cell.figure_id
    }
    assert figure_id == "limit_cost::No term over 1 month"
    dialog.accept()
    planner.session.document.undo_stack.undo()
    assert planner.session.document.project is PROJECT


def test_a_limit_that_is_asked_in_what_if_is_shown_where_it_is_asked(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.actions_by_id["what_if"].trigger()
    planner.levers.ask_limits()
    dialog = opened(planner, LimitsDialog)
    assert isinstance(dialog, LimitsDialog) and dialog.title.text() == f"Limits of {PLAN}"
    field = dialog.fields["max_term_months"]
    field.setText("12")
    field.setModified(True)
    field.editingFinished.emit()
    settle(planner)
    asked = planner.session.scenario
    assert asked != PLAN and planner.session.document.project.scenario(PLAN).assumptions == {}
    assert field.text() == "12" and dialog.title.text() == f"Limits of {asked}"
    assert [row[0] for row in texts(dialog)] == ["No term over 12 months"]
    planner.session.document.undo_stack.undo()
    assert field.text() == "" and dialog.title.text() == f"Limits of {PLAN}"
    dialog.accept()
    planner.actions_by_id["what_if"].trigger()


def test_limits_that_are_asked_stand_in_their_fields_and_a_budget_is_taken_as_it_is_said(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.actions_by_id["what_if"].trigger()
    planner.levers.ask_limits()
    dialog = opened(planner, LimitsDialog)
    assert isinstance(dialog, LimitsDialog) and dialog.title.text() == f"Limits of {PLAN}"
    for name, typed in (("max_term_months", "1"), ("budget_usd_per_month", "$400k")):
        dialog.fields[name].setText(typed)
        dialog.fields[name].setModified(True)
        dialog.fields[name].editingFinished.emit()
    asked = planner.session.document.project.scenario(planner.session.scenario)
    assert asked.name != PLAN and asked.assumptions == {"max_term_months": 1, "budget_usd_per_month": 400_000}
    assert dialog.title.text() == f"Limits of {asked.name}"
    assert [field.text() for field in dialog.fields.values()] == ["1", "", "400,000", ""]
    dialog.accept()
    planner.plans.question.discard()
    planner.actions_by_id["what_if"].trigger()


def test_a_team_is_limited_as_one_and_let_go(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.levers.ask_limits()
    dialog = opened(planner, LimitsDialog)
    assert isinstance(dialog, LimitsDialog)
    dialog.whose.setCurrentIndex(dialog.whose.findText(f"team {TEAM}"))
    dialog.who.setCurrentIndex(1)
    dialog.pin.click()
    only = dialog.who.currentData()
    project = planner.session.document.project
    assert project.scenario(PLAN).only == dict.fromkeys(TEAMS[TEAM], only) and only != Only()
    assert planner.session.document.undo_stack.undoText() == f"Only {only} for team {TEAM}"
    dialog.whose.setCurrentIndex(0)
    dialog.whose.setCurrentIndex(dialog.whose.findText(f"team {TEAM}"))
    assert dialog.who.currentData() == only  # it shows what holds
    dialog.who.setCurrentIndex(0)
    dialog.pin.click()
    assert planner.session.document.project.scenario(PLAN).only == {}
    dialog.accept()


def test_a_share_of_one_who_is_named_is_a_step_and_a_fault_is_said(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.levers.ask_limits()
    dialog = opened(planner, LimitsDialog)
    assert isinstance(dialog, LimitsDialog)
    who = dialog.of.currentData()
    for typed, words in (("150%", "is no share"), ("40", f"No more than 40% with {who}")):
        dialog.share.setText(typed)
        dialog.share.returnPressed.emit()
        assert words in dialog.said.text()
    project, stack = planner.session.document.project, planner.session.document.undo_stack
    assert project.scenario(PLAN).shares == {who: 0.4} and dialog.share.text() == "40%"
    assert stack.undoText() == f"No more than 40% with {who}"
    settle(planner)
    assert [row[0] for row in texts(dialog)] == [f"No more than 40% with {who}"]
    dialog.share.setText("")
    dialog.keep.click()
    assert planner.session.document.project.scenario(PLAN).shares == {}
    assert stack.undoText() == f"No limit on the share of {who}"
    dialog.accept()


def test_the_energy_of_the_plan_stands_beside_that_of_today_and_moves_with_the_plan(planner, qtbot) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    planner.docks.raise_panel("cost")
    panel = planner.docks.cost
    qtbot.waitUntil(lambda: panel.costs is not None)
    panel.show_view("energy_of_plan")

    def shown() -> tuple[str, str]:
        *_, total = (panel.table.row_at(at) for at in range(panel.table.model().rowCount()))
        return str(total.cells[1].text), panel.caption.text()

    evaluation = planner.session.evaluator.evaluation
    assert evaluation is not None and evaluation.advice is not None
    energy, today = evaluation.advice.energy, evaluation.audit.energy
    assert shown()[0] == f"{energy.kwh_per_month:,.0f}"
    assert f"today {today.kwh_per_month:,.0f} kWh" in shown()[1]
    planner.session.gestures.edit(worded("Stop"), lambda project: stop_workloads(project, PLAN, KEYS[:3]))
    settle(planner)
    after = planner.session.evaluator.evaluation
    assert after is not None and after.advice is not None
    wanted = f"{after.advice.energy.kwh_per_month:,.0f}"
    assert wanted != f"{energy.kwh_per_month:,.0f}"
    qtbot.waitUntil(lambda: shown()[0] == wanted)  # panels are drawn one by one, after the board
    assert f"today {today.kwh_per_month:,.0f} kWh" in shown()[1]


def test_a_card_says_what_its_jobs_took(planner) -> None:  # type: ignore[no-untyped-def]
    settle(planner)
    shown = planner.session.view_state
    assert shown is not None
    (card,) = [card for card in shown.cards if card.key == KEYS[3]]
    details = details_of((card,), shown, CardFacts())
    (row,) = [row for row in shown.evaluation.audit.energy.workloads if row.name == KEYS[3]]
    assert details is not None
    (line,) = [line for section in details.sections for line in section.lines if "Energy" in str(line.text)]
    assert line.figure == f"{row.kwh_per_month:,.0f}" and line.figure_id == f"energy_kwh::workload\t{KEYS[3]}"
