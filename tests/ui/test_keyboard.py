"""The keyboard: every tab stop shows that it has focus, Enter presses buttons, and nothing moves unasked."""

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.ui.kit.small_dialogs import Question
from gpuplanner.ui.panels.duration.layers_table import LevelSpin
from gpuplanner.ui.window.main_window import MainWindow


def tab_stops(window: QWidget) -> list[QWidget]:
    """What Tab goes through, from where the focus is back to it."""
    stops: list[QWidget] = []
    for _ in range(80):
        focused = QApplication.focusWidget()
        if focused is None or focused in stops:
            break
        stops.append(focused)
        window.focusNextChild()
        QApplication.processEvents()
    return stops


def name_of(widget: QWidget) -> str:
    """What a failure is to say."""
    return f"{type(widget).__name__} {widget.accessibleName() or widget.objectName()}"


def shows_focus(window: QWidget, stop: QWidget) -> bool:
    """Whether the window looks different with the focus there; the cursor in a text does not count."""
    stop.setFocus(Qt.FocusReason.TabFocusReason)
    QApplication.processEvents()
    corner = stop.mapTo(window, stop.rect().topLeft())
    place = stop.rect().translated(corner).adjusted(-4, -4, 4, 4)
    focused = window.grab(place).toImage()
    stop.clearFocus()
    QApplication.processEvents()
    return focused != window.grab(place).toImage()


def with_keyboard(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window that has the keyboard where it is easily told."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    window.scenario_bar.new_plan.setFocus()
    return window


@pytest.fixture
def active(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The window, with the keyboard."""
    return with_keyboard(window, qtbot)


@pytest.mark.long
def test_every_tab_stop_of_the_main_window_shows_its_focus(new_window: MainWindow, qtbot: QtBot) -> None:
    """A new window: where the keyboard was before shows in lists of cards."""
    active = with_keyboard(new_window, qtbot)
    stops = tab_stops(active)
    assert len(stops) > 20
    assert [name_of(stop) for stop in stops if not shows_focus(active, stop)] == []


@pytest.mark.long
def test_every_tab_stop_of_the_welcome_page_shows_its_focus(active: MainWindow) -> None:
    active.show_welcome()
    active.welcome.show_recent([("a.gpuplan", "a", "3 clusters", "today")])
    active.welcome.demo.setFocus()
    stops = tab_stops(active)
    assert len(stops) >= 6
    assert [name_of(stop) for stop in stops if not shows_focus(active, stop)] == []


@pytest.mark.long
def test_the_sizes_come_right_after_the_pool_and_the_model(active: MainWindow) -> None:
    duration = active.docks.duration
    duration.pool.setFocus()
    stops = tab_stops(active)
    spins = [stop for stop in stops if isinstance(stop, LevelSpin)]
    assert spins and stops[:2] == [duration.pool, duration.model]
    after = [stop for stop in stops[2:] if not isinstance(stop, QPushButton)]
    edges, table = list(duration.chart.handles.values()), duration.table
    holds_and_sizes = [stop for term in table.spins for stop in (table.locks[term], table.spins[term])]
    edge, size = edges[0].mapTo(active, QPoint()), table.mapTo(active, QPoint())
    upper, lower = (holds_and_sizes, edges) if size.y() < edge.y() else (edges, holds_and_sizes)
    at_once = [*upper, table, *lower] if upper is holds_and_sizes else [*upper, *lower]
    assert after[: len(at_once)] == at_once, "from top to bottom, or from left to right"


def test_enter_presses_the_button_that_has_the_keyboard(active: MainWindow, qtbot: QtBot) -> None:
    active.show_welcome()
    active.welcome.demo.setFocus()
    with qtbot.waitSignal(active.session.asks.demo_asked):
        QTest.keyClick(active.welcome.demo, Qt.Key.Key_Return)
    active.welcome.open.setFocus()
    with qtbot.waitSignal(active.session.asks.open_asked):
        QTest.keyClick(active.welcome.open, Qt.Key.Key_Enter)


def test_enter_adds_a_plan_on_its_tool_button(active: MainWindow) -> None:
    before = len(active.session.document.project.scenarios)
    QTest.keyClick(active.scenario_bar.new_plan, Qt.Key.Key_Return)
    assert len(active.session.document.project.scenarios) == before + 1


def test_no_card_can_be_moved_before_one_is_chosen(active: MainWindow) -> None:
    active.show_welcome()
    active.show_project(active.session.document.project)
    assert active.board.selected_keys() == ()
    assert active.board.search.hasFocus()


def test_enter_copies_and_closes_in_the_popover(active: MainWindow, qtbot: QtBot) -> None:
    active.headline.buttons[0].click()
    qtbot.waitUntil(active.why.isVisible)
    QApplication.clipboard().clear()
    QTest.keyClick(active.why.copy, Qt.Key.Key_Return)
    assert "Spend" in QApplication.clipboard().text()
    active.why.close_button.setFocus()
    QTest.keyClick(active.why.close_button, Qt.Key.Key_Return)
    assert not active.why.isVisible()


def test_a_question_gives_the_keyboard_to_the_answer_that_loses_nothing(qtbot: QtBot) -> None:
    dialog = Question(None, "Unsaved work was found", "It was not saved.", ("Discard it", "Recover it"))
    qtbot.addWidget(dialog)
    dialog.show()
    focused = dialog.focusWidget()
    assert isinstance(focused, QPushButton) and focused.text() == "Recover it"
