"""What is behind a tab is hidden: it draws nothing and asks for nothing, until it comes to the front."""

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.frame import panel_docks
from gpuplanner.ui.window.main_window import MainWindow


@pytest.fixture
def window(window_of_panels: MainWindow) -> MainWindow:
    return window_of_panels


def seen(window: MainWindow) -> set[QWidget]:
    return {panel for panel in window.docks.all_panels() if panel.isVisible()}


def test_only_the_panels_in_front_are_shown(window: MainWindow, qtbot: QtBot) -> None:
    docks = window.docks
    qtbot.waitUntil(lambda: seen(window) == {docks.duration, docks.contracts})
    docks.raise_panel("cost")
    assert docks.cost.isVisible()
    qtbot.waitUntil(lambda: seen(window) == {docks.cost, docks.contracts})
    docks.raise_panel("duration")
    qtbot.waitUntil(lambda: seen(window) == {docks.duration, docks.contracts})


def test_a_tab_that_is_chosen_shows_its_panel(window: MainWindow, qtbot: QtBot) -> None:
    docks = window.docks
    qtbot.waitUntil(lambda: not docks.demand.isVisible())
    bar, at = next(
        (bar, at)
        for bar in window.findChildren(QTabBar)
        for at in range(bar.count())
        if bar.tabText(at) == "Demand" and bar.isVisible() and not docks.is_behind(bar)
    )
    place = bar.tabRect(at).center()
    QTest.mouseClick(bar, Qt.MouseButton.RightButton, pos=place)  # asks for a menu alone
    QApplication.processEvents()
    assert docks.duration.isVisible() and not docks.demand.isVisible()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=place)
    qtbot.waitUntil(lambda: docks.demand.isVisible() and not docks.duration.isVisible())


def test_what_nobody_sees_asks_for_nothing_at_a_drop_and_is_up_to_date_once_it_is_seen(
    window: MainWindow, qtbot: QtBot
) -> None:
    docks = window.docks
    qtbot.waitUntil(lambda: not docks.backtest.isVisible())
    walks: list[bool] = []
    docks.backtest.walk_asked.connect(walks.append)
    card = next(card for card in window.session.evaluation.figures.cards if card.pool is not Pool.BURST)
    window.session.gestures.move((card.key,), Pool.BURST)
    QApplication.processEvents()
    assert walks == []
    docks.raise_panel("backtest")
    assert len(walks) == 1


@pytest.mark.long
def test_docks_are_as_large_whichever_is_in_front(window: MainWindow, qtbot: QtBot) -> None:
    docks, sizes = window.docks, []
    qtbot.waitUntil(lambda: not docks.prices.isVisible())
    opened = [about.name for about, opener in docks.openers_by_kind() if opener.isChecked()]
    for name in opened * 2:  # each is drawn once first
        docks.raise_panel(name)
        QApplication.processEvents()
        sizes.append((docks.duration.parentWidget().height(), docks.contracts.parentWidget().height()))
    assert len(sizes) > 10
    in_front = {max(upper, lower) for upper, lower in sizes[len(sizes) // 2 :]}
    assert len(in_front) == 1


def test_a_wordy_language_widens_the_panels_only_where_the_board_has_room(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dock = window.docks.duration.parentWidget()
    window.resize(1280, 800)
    wide = {}
    for heading, column in (
        ("short", 150),
        (100 * "wordy ", 150),
        (100 * "wordy ", 206),
        (100 * "wordy ", 300),
    ):
        monkeypatch.setattr(panel_docks, "tr", lambda _, heading=heading: heading)
        monkeypatch.setattr(panel_docks, "least_width", lambda _, column=column: column)
        window.docks.fit_width()
        QApplication.processEvents()
        wide[heading[:5], column] = dock.width() if dock else 0
    assert wide["short", 150] == wide["wordy", 300] < wide["wordy", 206] < wide["wordy", 150]
    assert wide["wordy", 206] + 4 * 206 < 1280


def test_panels_come_back_with_a_plan(window: MainWindow, qtbot: QtBot) -> None:
    docks = window.docks
    qtbot.waitUntil(lambda: seen(window) == {docks.duration, docks.contracts})
    window.choose_scenario(TODAY)
    qtbot.waitUntil(lambda: not seen(window))
    window.choose_scenario(window.session.document.project.scenarios[0].name)
    qtbot.waitUntil(lambda: seen(window) == {docks.duration, docks.contracts})


def test_headings_do_not_pile_up_as_panels_come_and_go(window: MainWindow, qtbot: QtBot) -> None:
    plan = window.session.project.scenarios[0].name

    def turn() -> int:
        for name in (TODAY, plan):
            window.choose_scenario(name)
            QApplication.processEvents()
            QTest.qWait(20)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        return sum(len(dock.findChildren(QWidget)) for dock in window.findChildren(QDockWidget))

    turn()
    assert turn() == turn()


def test_closing_a_panel_brings_back_the_one_that_was_before_it(window: MainWindow, qtbot: QtBot) -> None:
    docks = window.docks
    qtbot.waitUntil(lambda: seen(window) == {docks.duration, docks.contracts})
    openers = {about.name: opener for about, opener in docks.openers_by_kind()}
    for before in ("contracts", "checks"):
        docks.raise_panel(before)
        in_front = {docks.duration, getattr(docks, before)}
        qtbot.waitUntil(lambda in_front=in_front: seen(window) == in_front)
        openers["history"].trigger()
        qtbot.waitUntil(lambda: seen(window) == {docks.duration, docks.history})
        window.actions_by_id["close_panel"].trigger()
        in_front = {docks.duration, getattr(docks, before)}
        qtbot.waitUntil(lambda in_front=in_front: seen(window) == in_front)
    openers["history"].trigger()
    docks.raise_panel("contracts")
    qtbot.waitUntil(lambda: seen(window) == {docks.duration, docks.contracts})
    docks.close_panel("history")  # it is behind: what is in front stays there
    qtbot.wait(50)
    assert seen(window) == {docks.duration, docks.contracts}
