"""The docked panels: their width, their tabs, and that what is behind a tab draws nothing and asks for nothing."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDockWidget, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.frame import panel_docks
from gpuplanner.ui.frame.panel_docks import LookOfTabs
from gpuplanner.ui.window.main_window import MainWindow
from tests.ui.conftest import shown_window


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


@pytest.mark.parametrize(
    ("window_px", "board_px", "wordiness", "wide"),
    [
        (1280, 800, 1.0, 397),  # 31%
        (1600, 800, 1.0, 568),  # half way to 40%
        (1920, 800, 1.0, 768),
        (2560, 800, 1.0, 1024),
        (1920, 1400, 1.0, 520),  # the columns stay whole
        (1280, 1000, 1.0, 396),  # and the panels, too
        (1280, 700, 1.1, 436),  # a wordy language has more where there is room
        (1280, 850, 1.1, 430),
        (1280, 1000, 1.1, 396),
        (900, 100, 1.0, 378),  # a small window: the board keeps the larger part
    ],
)
def test_the_panels_take_what_the_columns_leave(
    window_px: int, board_px: int, wordiness: float, wide: int
) -> None:
    assert panel_docks.panels_px(window_px, board_px, wordiness) == wide


def test_tabs_have_short_titles_and_stand_closer_only_where_the_full_ones_have_no_room() -> None:
    full, short = ["Duration && commitment", "Hardware fit 12"], ["Duration", "Hardware 12"]
    look, looks = panel_docks.look_of_tabs, []
    for room_px in range(400, 40, -1):
        if (found := look(full, short, room_px)) not in looks:
            looks.append(found)
    assert looks == [LookOfTabs(), LookOfTabs(is_short=True), LookOfTabs(is_short=True, is_tight=True)]


def test_the_panels_follow_the_window_until_somebody_sets_their_width(
    window: MainWindow, qtbot: QtBot
) -> None:
    docks, dock = window.docks, window.docks.docks["duration"]
    qtbot.waitUntil(lambda: seen(window) == {docks.duration, docks.contracts})
    docks.fit_width()
    QApplication.processEvents()
    before = dock.width()
    window.resize(1920, 900)
    qtbot.waitUntil(lambda: dock.width() == 768)
    assert before < 768
    window.resizeDocks([dock], [600], Qt.Orientation.Horizontal)
    QApplication.processEvents()
    window.resize(1700, 900)
    qtbot.wait(50)
    assert dock.width() == 600
    window.resizeDocks([dock], [before], Qt.Orientation.Horizontal)


def test_a_window_that_grew_on_today_has_the_panels_of_its_width_at_a_plan(
    window: MainWindow, qtbot: QtBot
) -> None:
    docks, dock, plan = window.docks, window.docks.docks["duration"], window.session.scenario
    window.resize(1440, 900)
    QApplication.processEvents()
    docks.fit_width()
    qtbot.waitUntil(lambda: dock.width() == 479)
    window.choose_scenario(TODAY)
    qtbot.waitUntil(lambda: not seen(window))
    window.resize(1920, 900)
    QApplication.processEvents()
    window.choose_scenario(plan)
    qtbot.waitUntil(lambda: dock.width() == 768)
    window.resize(1440, 900)


@pytest.fixture
def new_window(qapp: QApplication) -> Iterator[MainWindow]:
    """One whose panels nobody has moved yet."""
    yield from shown_window(qapp)


@pytest.mark.long
def test_in_a_window_of_1280_no_tab_beside_the_layers_and_no_column_is_cut(
    new_window: MainWindow, qtbot: QtBot
) -> None:
    window = new_window
    docks = window.docks
    window.choose_plan_view("board")
    qtbot.waitUntil(lambda: seen(window) == {docks.duration, docks.contracts})
    window.resize(1280, 800)
    QApplication.processEvents()
    docks.fit_width()

    def places() -> list[int]:
        bars = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        shown = (bar for bar in bars if bar.isVisible() and bar.tabText(0) == "Duration")
        return [bar.tabRect(bar.count() - 1).right() - bar.width() for bar in shown]

    qtbot.waitUntil(lambda: bool(places()) and max(places()) < 0)
    idle, ground = window.board.idle, window.board.idle.parentWidget()
    assert ground is not None
    qtbot.waitUntil(lambda: idle.geometry().right() < ground.parentWidget().width())
    window.resize(1920, 900)
    docks.fit_width()
    qtbot.waitUntil(lambda: docks.docks["duration"].windowTitle() == "Duration && commitment")


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
