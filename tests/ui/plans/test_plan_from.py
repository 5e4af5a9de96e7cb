"""Plan from: the day is chosen in a dialog, is one step of Undo, and is shown where plans are told what they assume."""

import pytest
from PySide6.QtWidgets import QApplication

from gpuplanner.domain import edits
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.plans import plan_from_dialog
from gpuplanner.ui.plans.assumptions_dialog import AssumptionsDialog
from gpuplanner.ui.plans.plan_from_dialog import PlanFromDialog
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.dated_words import plan_from_words
from tests.ui.plans_world import opened_again, plans_project, settle

PROJECT = plans_project()
END_S = PROJECT.window.end_s
TODAY_S = END_S + 200 * DAY_S + 7_200


@pytest.fixture
def planner(shared: MainWindow, qapp: QApplication) -> MainWindow:
    opened_again(shared, PROJECT)
    return shared


def test_each_choice_is_a_moment(qapp: QApplication) -> None:
    dialog = PlanFromDialog(PROJECT, TODAY_S)
    assert dialog.at_end.isChecked() and dialog.wanted_s is None and not dialog.day.isEnabled()
    dialog.today.setChecked(True)
    assert dialog.wanted_s == TODAY_S // DAY_S * DAY_S
    dialog.other.setChecked(True)
    dialog.day.show_day(END_S - 40 * DAY_S)  # inside the log: the field keeps to its range
    assert dialog.day.isEnabled() and dialog.wanted_s is not None and dialog.wanted_s >= END_S
    assert not PlanFromDialog(PROJECT, END_S - DAY_S).today.isEnabled()


def test_the_day_that_holds_is_the_one_shown(qapp: QApplication) -> None:
    today_s = TODAY_S // DAY_S * DAY_S
    assert PlanFromDialog(edits.plans.set_plan_from(PROJECT, today_s), TODAY_S).today.isChecked()
    other = PlanFromDialog(edits.plans.set_plan_from(PROJECT, today_s + 9 * DAY_S), TODAY_S)
    assert other.other.isChecked() and other.wanted_s == today_s + 9 * DAY_S
    passed_s = today_s - 160 * DAY_S
    past = PlanFromDialog(edits.plans.set_plan_from(PROJECT, passed_s), TODAY_S)
    assert past.other.isChecked() and past.wanted_s == passed_s


@pytest.mark.long
def test_a_day_is_one_step_that_moves_the_plan_and_is_shown(
    planner: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen_s = END_S + 40 * DAY_S

    def choose(dialog: PlanFromDialog) -> int:
        dialog.other.setChecked(True)
        dialog.day.show_day(chosen_s)
        dialog.choose.click()
        return 1

    monkeypatch.setattr(plan_from_dialog.PlanFromDialog, "exec", choose)
    if not planner.actions_by_id["what_if"].isChecked():
        planner.actions_by_id["what_if"].trigger()
    settle(planner)
    first = planner.session.evaluation
    planner.actions_by_id["plan_from"].trigger()
    settle(planner)
    assert planner.session.document.project.plan_from_s == chosen_s // DAY_S * DAY_S
    after = planner.session.evaluation
    assert first is not None and after is not None and first.advice is not None and after.advice is not None
    assert after.advice.comparison[0].start_s == planner.session.document.project.plan_from_s
    assert planner.plans.what_if.strip.plan_from.text() == numbers.date(chosen_s)
    assert planner.session.document.undo_stack.undoText().startswith("Plan from ")
    planner.session.document.undo_stack.undo()
    settle(planner)
    assert planner.session.document.project is PROJECT
    assert planner.plans.what_if.strip.plan_from.text() == plan_from_words(PROJECT)
    assert plan_from_words(PROJECT) != numbers.date(chosen_s)


def test_assumptions_say_the_day_and_ask_for_another(qapp: QApplication) -> None:
    later = edits.plans.set_plan_from(PROJECT, END_S + 30 * DAY_S)
    dialog = AssumptionsDialog(later, None)
    assert numbers.date(later.plan_window.end_s) in dialog.plan_from.text()
    asked: list[bool] = []
    dialog.plan_from_asked.connect(lambda: asked.append(True))
    dialog.plan_from_button.click()
    dialog.show_project(PROJECT)
    assert asked == [True] and plan_from_words(PROJECT) in dialog.plan_from.text()
    assert numbers.date(later.plan_window.end_s) not in dialog.plan_from.text()
