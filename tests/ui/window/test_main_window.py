"""The main window: scenarios, headline, panels, palettes, names for those who do not see it."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QTimer, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QHeaderView,
    QLineEdit,
    QWidget,
)
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.audit.result import Check
from gpuplanner.domain.commitment.plan.comparison import Horizon
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.plan.scenario import TODAY, HandLayer
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board.column_heading import LEAST_WIDTH
from gpuplanner.ui.frame.headline import FigureButton
from gpuplanner.ui.kit.palettes import DARK, PALETTES
from gpuplanner.ui.state.headline_figures import figures_of
from gpuplanner.ui.window.help_dialogs import DocumentDialog
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.window.window_actions import doer_of
from gpuplanner.ui.words.commands import (
    COMMAND,
    COPY_OFFER,
    COPY_PICTURE,
    COPY_TABLE,
    EXPORT_PICTURE,
    TABLE,
    plan_keys,
)
from gpuplanner.ui.words.lanes import Lane
from tests.some_of import one_in, some_of
from tests.ui.plans_world import plans_project, settle
from tests.ui.visible_texts import visible_texts

PROJECT = plans_project()


def test_a_panel_that_is_opened_comes_to_the_front(qtbot: QtBot, window: MainWindow) -> None:
    opener = next(action for about, action in window.docks.openers_by_kind() if about.name == "inference")
    assert not opener.isChecked()
    opener.trigger()
    qtbot.waitUntil(lambda: window.docks.inference in window.docks.visible_panels())
    assert opener.isChecked()
    window.docks.close_panel("inference")
    assert not opener.isChecked()
    assert window.docks.inference not in window.docks.visible_panels()


def test_a_click_on_the_wait_opens_waiting_and_one_beside_it_why(window: MainWindow, qtbot: QtBot) -> None:
    window.show_waits(dict.fromkeys(Horizon, ("P90 wait 12.0 \u2192 3.2 h",)))
    (button,) = (one for one in window.headline.buttons if one.figure and one.figure.links)
    with qtbot.waitSignal(window.headline.waits_asked):
        qtbot.mouseClick(button.link, Qt.MouseButton.LeftButton)
    assert window.docks.waiting.isVisible()
    with qtbot.assertNotEmitted(window.headline.waits_asked):  # that asks for its menu
        qtbot.mouseClick(button.link, Qt.MouseButton.RightButton)
    with qtbot.waitSignal(window.headline.why_asked):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(24, 30))
    window.show_waits({})
    assert not button.link.isVisible()
    with qtbot.waitSignal(window.headline.why_asked):
        qtbot.mouseClick(button, Qt.MouseButton.LeftButton, pos=QPoint(24, 60))


def test_the_wait_has_its_way_by_keyboard_and_its_name(window: MainWindow, qtbot: QtBot) -> None:
    """Tab went from figure to figure past it, and Enter asked why of the figure that it stands in."""
    window.show_waits(dict.fromkeys(Horizon, ("P90 wait 12.0 \u2192 3.2 h",)))
    (button,) = (one for one in window.headline.buttons if one.figure and one.figure.links)
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Tab)
    assert button.link.hasFocus() and button.link.accessibleName() == "P90 wait 12.0 \u2192 3.2 h"
    with qtbot.waitSignal(window.headline.waits_asked), qtbot.assertNotEmitted(window.headline.why_asked):
        qtbot.keyClick(button.link, Qt.Key.Key_Return)
    window.show_waits({})
    button.setFocus()
    qtbot.keyClick(button, Qt.Key.Key_Tab)
    assert not button.link.hasFocus() and not button.hasFocus()


def test_the_headline_says_now_and_plan(window: MainWindow) -> None:
    figures = [button.figure for button in window.headline.buttons]
    assert [figure.title for figure in figures] == [
        "Spend",
        "Savings",
        "Idle cost",
        "Effective utilization",
        "Average term left",
    ]
    assert (figures[0].now, figures[0].plan) == ("$612,032", "$278,018")
    assert figures[1].plan == "$3,743,784" and figures[1].is_good
    assert figures[1].unit == "$ in 12 months" and "stranded" not in figures[2].tip.lower()


def test_savings_are_shown_with_an_assumption_at_every_length(window: MainWindow) -> None:
    assert all("attrition" in text for text in window.headline.buttons[1].figure.second)


def test_savings_are_against_doing_nothing_first_and_against_today_beside(window: MainWindow) -> None:
    window.choose_horizon(Horizon.NEXT_MONTH)
    figure = window.headline.buttons[1].figure
    window.choose_horizon(Horizon.TWELVE_MONTHS)
    assert figure.aside[0].endswith("below doing nothing")
    assert figure.second[0].startswith("$334,014 below today")


def test_today_shows_the_audit(window: MainWindow) -> None:
    window.choose_scenario("Today")
    titles = [button.figure.title for button in window.headline.buttons]
    assert titles[:3] == ["Spend", "Idle cost", "Savings found"]
    assert titles[3:] == ["Utilization", "Under 40%", "GPU-hours by class"]
    assert [button.isVisible() for button in window.headline.buttons] == [True] * 3 + [False] * 3
    window.headline.more.click()
    assert all(button.isVisible() for button in window.headline.buttons)
    window.headline.more.click()
    QApplication.processEvents()  # the page takes the room that the panels leave
    rows = [window.audit.clusters.table.row_at(at) for at in range(4)]
    assert [row.cells[0].text for row in rows] == ["atlas", "borealis", "cedar", "3 clusters"]
    assert rows[1].cells[4].icon == "triangle"  # 39.0%: flagged
    assert rows[2].cells[6].text == "\u2014" and rows[2].cells[6].tip  # activity unknown, and why
    assert rows[3].is_total


def test_no_key_leaves_the_welcome_page_for_an_audit_of_nothing(window: MainWindow, qtbot: QtBot) -> None:
    keys = [*window.menus["Plan/Go to"].actions(), *window.menus["Panels"].actions()]
    assert keys and all(action.isEnabled() for action in keys)
    window.show_welcome()
    assert not any(action.isEnabled() for action in keys)
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert not window.session.has_workspace
    window.show_project(window.session.document.project)
    assert all(action.isEnabled() for action in keys)


@pytest.mark.long
def test_every_figure_answers_why(window: MainWindow, qtbot: QtBot) -> None:
    window.headline.more.click()
    plan = window.session.view_state.advice
    for scenario in (window.session.scenario, "Today"):
        window.choose_scenario(scenario)
        # Today says what the first plan saves once that is worked out
        window.session.view_state = replace(window.session.view_state, before=plan)
        for button in window.headline.buttons:
            button.click()
            qtbot.waitUntil(window.why.isVisible)
            text = window.why.why.as_text()
            assert "Inputs" in text and window.why.why.formula in text
            window.why.hide()
    window.headline.more.click()


def test_copy_as_text_puts_the_answer_on_the_clipboard(window: MainWindow) -> None:
    window.headline.buttons[0].click()
    window.why.copy.click()
    copied = QApplication.clipboard().text()
    assert "Spend, mean of 12 months: $278,018" in copied


def test_a_new_plan_is_shown_and_is_one_step(window: MainWindow) -> None:
    window.actions_by_id["new_plan"].trigger()
    names = [scenario.name for scenario in window.session.document.project.scenarios]
    assert window.session.scenario == names[-1] and len(names) == 3
    window.actions_by_id["undo"].trigger()
    assert window.session.scenario == names[0]


def test_deleting_a_plan_shows_another(window: MainWindow) -> None:
    gone = window.session.scenario
    window.actions_by_id["delete_plan"].trigger()
    assert window.session.scenario != gone


def test_levels_set_in_the_table_become_hand_layers(window: MainWindow) -> None:
    panel = window.docks.duration
    panel.choose(Pool.INFERENCE, "H100")
    spin = panel.table.spins[12]
    spin.setValue(10)
    plan = window.session.document.project.scenario(window.session.scenario)
    layers = plan.hand_layers[Pool.INFERENCE, "H100"]
    assert HandLayer(12, 10) in layers
    assert window.session.document.undo_stack.undoText() == "Set 12-month level to 10 GPUs"
    assert panel.table.spins[12] is spin and spin.value() == 10  # the same box stays under the cursor


def test_use_advice_lets_the_levels_go(window: MainWindow) -> None:
    window.docks.duration.choose(Pool.INFERENCE, "H100")  # of the sample, whose levels are set by hand
    window.docks.duration.table.spins[12].setValue(10)
    window.docks.duration.use_advice.click()
    assert not window.session.document.project.scenario(window.session.scenario).hand_layers


def test_the_table_of_layers_adds_up(window: MainWindow) -> None:
    table = window.docks.duration.table
    amounts = [int(table.row_at(at).cells[5].text.replace(",", "")) for at in range(table.model().rowCount())]
    assert sum(amounts[:-1]) == amounts[-1]


def test_the_page_says_what_else_to_do(window: MainWindow) -> None:
    window.show_decisions()
    rows = window.page.list.rows
    window.choose_plan_view("board")
    assert any(row.title == "Decide 12 in review." and "agent-rollouts" in row.note for row in rows)


def test_a_better_size_stands_before_what_is_to_be_signed_and_leads_to_waiting(
    window_of_panels: MainWindow,
) -> None:
    window, docks = window_of_panels, window_of_panels.docks
    check = Check(
        code="better_size",
        severity="amber",
        subject="H100",
        message=worded("16 GPUs cost less and wait less."),
    )
    assert window.session.evaluation is not None
    window.show_replayed(replace(window.session.evaluation, waits=(check,)))
    window.show_decisions()
    heading, row = window.page.list.rows[:2]
    window.choose_plan_view("board")
    assert heading.is_heading and row.title == "A cheaper size with shorter waits: H100"
    assert row.note == "16 GPUs cost less and wait less."
    evaluation = window.session.evaluation
    assert evaluation is not None
    window.show_evaluation(replace(evaluation, waits=()))  # what was found stays until the next replay
    docks.raise_panel("checks")
    docks.show_waiting()
    (opens,) = [each for each in docks.checks.list.rows if each.title == row.title]
    assert (opens.kind, opens.note, opens.tip) == ("waiting", row.note, "Opens Waiting")
    docks.checks.list.row_opened.emit(row.kind, row.key)
    assert docks.waiting.isVisible()
    window.show_replayed(replace(window.session.evaluation, waits=()))
    docks.raise_panel("checks")
    docks.show_waiting()
    assert row.title not in [each.title for each in docks.checks.list.rows]


def test_checks_are_grouped_red_before_amber(window: MainWindow) -> None:
    window.docks.raise_panel("checks")
    headings = [row.title for row in window.docks.checks.list.rows if row.is_heading]
    assert headings == ["Errors 1", "Warnings 5", "Info 1"]


def test_a_check_about_a_workload_opens_its_card(window: MainWindow) -> None:
    window.docks.checks.workload_asked.emit("atlas/ml/reward-model-train")
    assert window.board.selected_keys() == ("atlas/ml/reward-model-train",)


def test_files_dropped_on_the_window_are_announced(window: MainWindow, qtbot: QtBot) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/jobs.csv"), QUrl("https://example.org/x.csv")])
    buttons, modifiers = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    with qtbot.waitSignal(window.session.asks.files_dropped) as seen:
        window.dropEvent(QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, modifiers))
    assert seen.args == [["/tmp/jobs.csv"]]


def test_the_welcome_page_stands_alone(window: MainWindow) -> None:
    window.show_welcome()
    assert not window.headline.isVisible() and not window.scenario_bar.isVisible()
    assert not window.actions_by_id["save"].isEnabled()
    assert not window.docks.visible_panels()


@pytest.mark.long
@pytest.mark.parametrize("name", some_of(PALETTES, quick=1))
def test_palettes_change_live(window: MainWindow, qtbot: QtBot, name: str) -> None:
    window.repaint()  # what waits for its first paint while updates are off is never painted again
    with qtbot.waitSignal(window.session.asks.palette_chosen) as seen:
        window.choose_palette(name)
    assert seen.args == [name]
    qtbot.waitUntil(window.updatesEnabled)
    picture = window.grab().toImage()
    ground = picture.pixelColor(2, window.height() - 40).name().upper()  # left of the columns
    assert ground == PALETTES[name].window


def test_no_white_is_left_in_the_dark(window: MainWindow, qtbot: QtBot) -> None:
    window.repaint()  # what waits for its first paint while updates are off is never painted again
    window.show_palette(DARK)
    qtbot.waitUntil(window.updatesEnabled)  # it is painted once, when all of it is in its colours
    picture = window.grab().toImage()
    sampled = {
        picture.pixelColor(x, y).name()
        for x in range(0, picture.width(), 7)
        for y in range(0, picture.height(), 7)
    }
    assert "#ffffff" not in sampled


def test_every_widget_that_takes_the_keyboard_has_a_name(window: MainWindow, qtbot: QtBot) -> None:
    def unnamed(root: QWidget) -> list[str]:
        kinds = (QAbstractButton, QAbstractItemView, QComboBox, QLineEdit)
        return [
            f"{type(child).__name__} {child.objectName()}"
            for child in root.findChildren(QWidget)
            if isinstance(child, kinds)
            and not child.accessibleName()
            and not child.objectName().startswith("qt_")
            and not isinstance(child.parent(), (QComboBox, QLineEdit))
            and "QComboBox" not in type(child.parent()).__name__
            and "Private" not in type(child.parent()).__name__
            and not isinstance(child, QHeaderView)
            and type(child).__name__ not in ("QTabBar", "QTableCornerButton")
            and type(child.parent()).__name__
            not in ("QTabBar", "QTableView", "FigureTable", "LayersTable", "QToolBar", "QMenuBar")
        ]

    assert unnamed(window) == []
    window.show_welcome()
    assert unnamed(window.welcome) == []


def test_every_button_says_what_it_does(window: MainWindow) -> None:
    buttons = [
        button
        for button in window.findChildren(QAbstractButton)
        if button.isVisible() and button.accessibleName() and not isinstance(button, FigureButton)
    ]
    assert buttons
    assert [button.accessibleName() for button in buttons if not button.toolTip()] == []


def test_every_command_is_in_a_menu_says_its_shortcut_and_has_somebody_who_does_it(
    window: MainWindow,
) -> None:
    commands = [command for command in COMMAND.values() if command.name]
    assert {command.command_id for command in commands} == set(window.actions_by_id)
    for command in commands:
        action = window.actions_by_id[command.command_id]
        assert command.shortcut in action.toolTip()
        assert action.shortcut().toString() == command.shortcut
        assert callable(doer_of(window, command))
    keys = [command.shortcut for command in commands if command.shortcut]
    keys += [opener.shortcut().toString() for opener in window.docks.openers()]
    keys += [plan_keys(number) for number in range(1, 10)]
    keys += [
        TABLE,
        COPY_TABLE,
        COPY_PICTURE,
        EXPORT_PICTURE,
        COPY_OFFER,
    ]  # of a view, while its window has its own
    assert len(keys) == len(set(keys))


@pytest.mark.long
@pytest.mark.parametrize("size", one_in(2, [(case,) for case in [(960, 540), (1280, 800), (1920, 1080)]]))
def test_it_fits_every_screen(window: MainWindow, size: tuple[int, int], qapp: QApplication) -> None:
    window.resize(*size)
    for _ in range(5):
        qapp.processEvents()
    assert (window.width(), window.height()) == size
    assert window.docks.duration.width() >= 380
    assert all(column.width() >= LEAST_WIDTH for column in window.board.columns.values())


def test_an_error_is_told_with_where_what_and_remedy(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    from gpuplanner.domain.model.errors import PlannerError
    from gpuplanner.ui.kit import small_dialogs

    said: list[Callable[[], str]] = []
    monkeypatch.setattr(small_dialogs.Question, "exec", lambda self: said.append(self.windowTitle))
    window.show_failure(PlannerError("contracts.csv:7", "bad_number", "gpus is 0", "enter 1 or more"))
    assert said[0]() == "contracts.csv:7"


def test_a_plan_on_a_green_field_is_one_step_that_undo_takes_back(window: MainWindow) -> None:
    action = window.actions_by_id["greenfield"]
    assert not action.isChecked()
    action.trigger()
    assert window.session.document.project.scenario(window.session.scenario).greenfield
    assert window.session.document.undo_stack.undoText() == action.text()
    window.session.document.undo_stack.undo()
    assert (
        not window.session.document.project.scenario(window.session.scenario).greenfield
        and not action.isChecked()
    )


def test_a_plan_is_calculating_until_its_outlook_and_keeps_its_figures_muted_after_an_edit(
    window: MainWindow,
) -> None:
    evaluator, plans = window.session.evaluator, window.session.document.project.scenarios
    evaluator.steps = 2  # the outlook is held back
    window.choose_scenario(plans[1].name)
    spend, savings, *_ = (button.figure for button in window.headline.buttons)
    assert (spend.plan, savings.plan) == ("Calculating…", "Calculating…")
    assert window.strip.isVisible() and window.strip.nothing.text() == "Calculating…"
    assert not window.strip.views[0].isVisible()
    bar = window.year_bar
    assert bar.isVisible() and not bar.slider.isEnabled() and bar.month.text() == "12 months: calculating…"
    window.show_decisions()
    assert not window.page.list.rows
    window.choose_plan_view("board")
    evaluator.steps = 3
    evaluator.evaluate_soon(window.session.document.project, plans[1].name)
    settled = [button.figure.plan for button in window.headline.buttons]
    assert "Calculating…" not in settled and bar.slider.isEnabled()
    assert "calculating" not in bar.month.text()
    evaluator.steps = 1  # the worker is held back
    cards = window.session.view_state.cards
    window.board.workloads_moved.emit(
        (next(card.key for card in cards if card.pool is Pool.TRAINING),), Pool.BURST
    )
    window._show_around()
    figures = [button.figure for button in window.headline.buttons]
    assert [figure.plan for figure in figures] == settled and all(figure.is_settling for figure in figures)
    assert bar.isVisible() and window.strip.isVisible()


def test_a_range_of_before_is_under_no_figure_of_after(window: MainWindow) -> None:
    shown = window.session.view_state
    assert shown is not None and shown.outlook is not None
    first = shown.outlook.uncertainty
    assert f"{first.p10_usd_per_month:,.0f}" in spoken(figures_of(shown)[0].second[0])
    settling = replace(shown, is_outlook_settling=True)
    assert figures_of(settling)[0].second[0] == "P10–P90: calculating"
    outside = replace(first, p90_usd_per_month=shown.advice.totals.plan - 2)
    beside = replace(shown, outlook=replace(shown.outlook, uncertainty=outside))
    said = spoken(figures_of(beside)[0].second[0])
    assert said != spoken(figures_of(shown)[0].second[0]) and f"{outside.p90_usd_per_month:,.0f}" not in said


@pytest.mark.long
def test_another_project_shows_nothing_of_the_one_before_while_it_is_worked_out(window: MainWindow) -> None:
    window.choose_scenario(TODAY)
    before = window.session.evaluation
    window.headline.show_waiting()
    window.board.show_waiting()
    window.audit.show_waiting()
    assert not window.headline.buttons
    assert window.audit.working.isVisible() and not window.audit.bridge.frame.isVisible()
    window.show_evaluation(before)
    assert window.audit.bridge.frame.isVisible() and not window.audit.working.isVisible()
    window.choose_scenario(window.session.document.project.scenarios[0].name)
    window.board.show_waiting()
    assert all(not pool.model.rows for pool in window.board.columns.values())
    said = [text for pool in window.board.columns.values() for _, text in visible_texts(pool)]
    assert sum("Calculating" in text for text in said) == len(window.board.columns)
    again = window.session.evaluation
    window.show_evaluation(again)
    assert any(pool.model.rows for pool in window.board.columns.values())


def test_no_figure_of_one_plan_stands_under_the_name_of_another(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window.session.evaluator, "evaluate_soon", lambda *_: None)
    assert window.headline.buttons
    window.choose_scenario(window.session.scenario)
    assert window.headline.buttons
    window.choose_scenario(TODAY)
    assert not window.headline.buttons


# --- The guide, from where it is asked for -----------------------------------------------------


def opened_by(window: MainWindow, qtbot: QtBot) -> tuple[str, str]:
    """The page that is opened, and the first line that is in sight of it."""
    found: list[tuple[str, str]] = []

    def look() -> None:
        dialog = QApplication.activeModalWidget()
        qtbot.wait(50)
        if isinstance(dialog, DocumentDialog):
            first = dialog.page.cursorForPosition(QPoint(5, 5)).block().text()
            found.append((dialog.place, first))
        if dialog is not None:
            dialog.close()

    QTimer.singleShot(0, look)
    window.dialogs.show_guide()
    return found[0]


@pytest.mark.long
def test_the_guide_opens_at_the_panel_in_hand(window: MainWindow, qtbot: QtBot) -> None:
    window.docks.raise_panel("backtest")
    qtbot.wait(50)
    assert opened_by(window, qtbot) == ("window/backtest", "Backtest")
    window.docks.raise_panel("checks")
    qtbot.wait(50)
    assert opened_by(window, qtbot)[0] == "window/checks"
    window.activateWindow()
    window.board.columns[Lane.TRAINING].cards.setFocus()
    qtbot.wait(50)
    assert opened_by(window, qtbot) == ("window/board", "Board")


def test_the_guide_of_a_dialog_is_about_it_and_has_its_key_there(window: MainWindow, qtbot: QtBot) -> None:
    found: list[object] = []

    def ask() -> None:
        over = QApplication.activeModalWidget()
        assert over is not None
        try:
            qtbot.waitUntil(lambda: window.actions_by_id["guide"] in over.actions())
            found.append(opened_by(window, qtbot))
        finally:
            over.close()

    QTimer.singleShot(0, ask)
    window.dialogs.open_assumptions()
    assert found == [("window/assumptions", "Assumptions")]


def test_links_of_the_guide_lead_to_its_other_pages(qtbot: QtBot, window: MainWindow) -> None:
    dialog = DocumentDialog("Guide", "window/award", window)
    dialog.show()
    dialog.page.anchorClicked.emit(QUrl("../how-to/read-stranded-cost.md#formulas"))
    qtbot.wait(50)
    assert dialog.place == "how-to/read-stranded-cost"
    assert dialog.page.cursorForPosition(QPoint(5, 5)).block().text() == "Formulas"
    dialog.page.anchorClicked.emit(QUrl("not-there.md"))
    assert dialog.place == "how-to/read-stranded-cost"
    dialog.page.anchorClicked.emit(QUrl("find-idle-gpus.md"))  # of the same folder
    assert dialog.place == "how-to/find-idle-gpus"
    dialog.page.anchorClicked.emit(QUrl("../README.md"))
    assert dialog.page.document().begin().text() == "All pages"
    for place in ("how-to/find-idle-gpus", "how-to/read-stranded-cost", "window/award"):
        assert dialog.back.isEnabled()
        dialog.back.click()
        assert dialog.place == place
    assert not dialog.back.isEnabled()
    dialog.close()


def test_every_page_of_the_guide_leads_to_the_list_of_all(window: MainWindow) -> None:
    dialog = DocumentDialog("Guide", "window/award", window)
    assert "[All pages](../README.md)" in dialog.page.toMarkdown()
    dialog.open_place("glossary")
    assert "[All pages](README.md)" in dialog.page.toMarkdown()
    dialog.close()


def amounts(window: MainWindow) -> list[tuple[str, str]]:
    return [(one.now, one.plan) for one in (button.figure for button in window.headline.buttons) if one]


def test_a_plan_shows_nothing_of_the_one_that_was_edited_a_moment_before(
    planner: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = (plan.name for plan in planner.session.document.project.scenarios)
    of = list[str]()
    told = planner.headline.show_figures
    monkeypatch.setattr(planner.headline, "show_figures", lambda figures: (of.append(first), told(figures)))
    planner.session.gestures.move((planner.session.document.project.workloads[0].key,), Pool.BURST)
    assert not of  # the card is painted first
    planner.session.gestures.scenario = second  # another is chosen, and not worked out yet
    QTest.qWait(30)
    assert not of
    planner.session.gestures.scenario = first
    settle(planner)
    assert of


def test_what_comes_back_from_the_welcome_page_is_shown_with_its_figures(planner: MainWindow) -> None:
    shown, document = amounts(planner), planner.session.document
    planner.show_welcome()
    assert not planner.session.has_workspace
    planner.show_project(document.project)
    assert planner.session.has_workspace and amounts(planner) == shown
