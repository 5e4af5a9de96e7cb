"""Hands: real keys do what they say wherever the keyboard is, and what was moved stays in hand."""

import pytest
from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.board import pool_column, toolbar
from gpuplanner.ui.kit import type_scale
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.window.application import first_size
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.window.own_undo import OwnUndo
from gpuplanner.ui.words.lanes import Lane
from tests.some_of import stride
from tests.ui.sample_world import key_of

SFT = key_of("llama3-8b-sft")
CTRL, ALT, SHIFT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
    Qt.KeyboardModifier.ShiftModifier,
)


def press(key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    """A key as a hand presses it: to whatever has the keyboard."""
    focused = QApplication.focusWidget()
    assert focused is not None
    QTest.keyClick(focused, key, modifiers)
    QApplication.processEvents()


def lane_of_key(window: MainWindow, key: str) -> Lane:
    return next(
        lane
        for lane, column in window.board.columns.items()
        if any(card.key == key for card in column.model.cards)
    )


@pytest.fixture
def hands(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """The window, with the keyboard."""
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


@pytest.mark.long
def test_undo_is_of_the_project_where_a_field_has_nothing_to_undo(hands: MainWindow) -> None:
    hands.session.gestures.move((SFT,), Pool.BURST)
    hands.find_cards()
    assert hands.board.search.hasFocus()
    press(Qt.Key.Key_Z, CTRL)
    assert lane_of_key(hands, SFT) is Lane.TRAINING
    press(Qt.Key.Key_Z, CTRL | SHIFT)
    assert lane_of_key(hands, SFT) is Lane.BURST
    QTest.keyClicks(hands.board.search, "llama")
    press(Qt.Key.Key_Z, CTRL)  # a letter of its own first
    assert hands.board.search.text() != "llama"
    assert lane_of_key(hands, SFT) is Lane.BURST
    hands.board.search.clear()  # a search that is over is no step
    press(Qt.Key.Key_Z, CTRL)
    assert (hands.board.search.text(), lane_of_key(hands, SFT)) == ("", Lane.TRAINING)


@pytest.mark.parametrize("key", [Qt.Key.Key_D, Qt.Key.Key_E, Qt.Key.Key_K])
def test_a_field_leaves_the_window_the_keys_that_x11_deletes_with(hands: MainWindow, key: Qt.Key) -> None:
    hands.find_cards()
    asked = QKeyEvent(QEvent.Type.ShortcutOverride, key, CTRL)
    asked.accept()  # as a field that takes the key for itself leaves it
    watching = hands.findChild(OwnUndo)
    assert watching is not None
    assert watching.eventFilter(hands.board.search, asked)
    assert not asked.isAccepted()


@pytest.mark.long
def test_what_was_moved_stays_selected_and_has_the_keyboard(hands: MainWindow) -> None:
    hands.board.show_workload(SFT)
    steps = hands.session.document.undo_stack.count()
    for key, lane in (
        (Qt.Key.Key_3, Lane.BURST),
        (Qt.Key.Key_2, Lane.INFERENCE),
        (Qt.Key.Key_1, Lane.TRAINING),
    ):
        press(key, ALT)
        assert lane_of_key(hands, SFT) is lane
        assert hands.board.selection.keys() == (SFT,)
        assert hands.board.columns[lane].cards.hasFocus()
    assert hands.session.document.undo_stack.count() == steps + 3
    press(Qt.Key.Key_Z, CTRL)
    assert hands.board.selection.keys() == (SFT,)
    hands.board.columns[Lane.BURST].cards.clearSelection()
    press(Qt.Key.Key_3, ALT)  # a card that has the keyboard and is not selected
    press(Qt.Key.Key_1, ALT)
    assert hands.session.document.project.scenarios[0].pools.keys() <= {SFT}


def test_the_keys_of_a_chart_work_where_its_menu_says(hands: MainWindow) -> None:
    hands.docks.raise_panel("duration")
    chart = hands.docks.duration.chart
    chart.setFocus()
    clipboard = QGuiApplication.clipboard()
    clipboard.clear()
    press(Qt.Key.Key_Y, CTRL | SHIFT)
    assert not clipboard.image().isNull()
    press(Qt.Key.Key_C, CTRL)
    assert "Duration" in clipboard.text() or "GPUs" in clipboard.text()
    press(Qt.Key.Key_T, CTRL)
    assert not chart.isVisible()
    hands.docks.duration.turn_chart()


@pytest.mark.long
def test_an_offer_is_duplicated_by_its_key_and_not_the_plan(hands: MainWindow, qtbot: QtBot) -> None:
    hands.docks.raise_panel("prices")
    table, plans = hands.docks.prices.table, hands.session.document.project.scenarios
    table.setFocus()
    table.selectRow(next(row for row in range(table.model().rowCount()) if table.row_at(row).key))
    with qtbot.waitSignal(hands.docks.prices.duplicate_asked):
        press(Qt.Key.Key_D, CTRL | ALT)
    assert [plan.name for plan in hands.session.document.project.scenarios] == [plan.name for plan in plans]
    hands.docks.raise_panel("contracts")


def in_front(window: MainWindow, name: str) -> bool:
    panel: QWidget = getattr(window.docks, name)
    return panel.isVisible() and not panel.visibleRegion().isEmpty()


@pytest.fixture
def hands_on_panels(window_of_panels: MainWindow, qtbot: QtBot) -> MainWindow:
    window_of_panels.activateWindow()
    qtbot.waitUntil(window_of_panels.isActiveWindow)
    return window_of_panels


def test_the_key_of_a_panel_brings_it_and_never_closes_it(hands_on_panels: MainWindow) -> None:
    window = hands_on_panels
    window.board.search.setFocus()
    assert not in_front(window, "checks")
    for _ in range(3):
        press(Qt.Key.Key_5, ALT | SHIFT)
        assert in_front(window, "checks")
        assert window.docks.checks.isAncestorOf(QApplication.focusWidget() or window)


def seen(window: MainWindow) -> set[str]:
    """The panels that are in sight."""
    return {about.name for about, _ in window.docks.openers_by_kind() if in_front(window, about.name)}


def test_a_double_click_gives_a_panel_the_room_of_all_and_esc_puts_it_back(
    hands_on_panels: MainWindow, qtbot: QtBot
) -> None:
    window = hands_on_panels
    window.docks.raise_panel("contracts")
    qtbot.waitUntil(lambda: seen(window) == {"duration", "contracts"})
    sizes = {name: getattr(window.docks, name).size() for name in seen(window)}
    bar = next(
        bar
        for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        if bar.isVisible() and bar.tabText(bar.currentIndex()).startswith("Contracts")
    )
    QTest.mouseDClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(bar.currentIndex()).center())
    qtbot.waitUntil(lambda: seen(window) == {"contracts"})
    assert not window.board.isVisible()
    qtbot.waitUntil(lambda: window.docks.contracts.width() >= window.width() - 8)
    assert window.docks.contracts.isAncestorOf(QApplication.focusWidget() or window) or (
        window.docks.contracts.hasFocus()
    )
    press(Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: seen(window) == {"duration", "contracts"})
    qtbot.waitUntil(lambda: {n: getattr(window.docks, n).size() for n in sizes} == sizes)
    assert window.board.isVisible()


def test_the_panel_whose_tab_was_clicked_is_the_one_in_hand(
    hands_on_panels: MainWindow, qtbot: QtBot
) -> None:
    """The keyboard stayed in the panel of the other group, and Ctrl+M gave that one the room of all."""
    window = hands_on_panels
    window.docks.raise_panel("contracts")
    window.docks.raise_panel("demand")
    window.docks.demand.setFocus()
    bar, at = next(
        (bar, at)
        for bar in window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        for at in range(bar.count())
        if bar.isVisible() and bar.tabText(at).startswith("Contracts")
    )
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.tabRect(at).center())
    assert window.docks.in_hand() == "contracts"
    press(Qt.Key.Key_M, CTRL)
    qtbot.waitUntil(lambda: seen(window) == {"contracts"})


@pytest.mark.long
def test_esc_leaves_from_every_control_of_a_panel(hands_on_panels: MainWindow, qtbot: QtBot) -> None:
    window = hands_on_panels
    stuck = []
    for name in ("duration", "contracts", "prices", "checks", "hardware_fit"):
        window.docks.raise_panel(name)
        panel: QWidget = getattr(window.docks, name)
        window.docks.turn_maximised(name)
        controls = [one for one in panel.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
        for child in [one for one in controls if one.isVisible() and one.isEnabled()][:: stride(3)]:
            child.setFocus()
            press(Qt.Key.Key_Escape)
            if window.docks.is_maximised:
                stuck.append(f"{name}: {type(child).__name__} {child.accessibleName()}")
            window.docks.leave_maximised()
            window.docks.turn_maximised(name)
        window.docks.leave_maximised()
        qtbot.wait(20)
    assert stuck == []


@pytest.mark.long
def test_a_panel_of_the_other_group_or_a_card_ends_it(hands_on_panels: MainWindow, qtbot: QtBot) -> None:
    window = hands_on_panels
    window.docks.raise_panel("checks")
    press(Qt.Key.Key_M, CTRL)
    assert window.docks.is_maximised
    press(Qt.Key.Key_2, ALT | SHIFT)
    assert not window.docks.is_maximised
    qtbot.waitUntil(lambda: seen(window) == {"demand", "checks"})
    window.docks.turn_maximised("checks")
    press(Qt.Key.Key_F, CTRL)
    assert window.board.search.hasFocus()
    window.docks.turn_maximised("checks")
    plan = window.session.scenario
    window.choose_scenario(TODAY)
    qtbot.waitUntil(lambda: not seen(window))
    window.choose_scenario(plan)
    qtbot.waitUntil(lambda: seen(window) == {"demand", "checks"})


def test_the_panel_in_hand_is_closed_by_its_key(hands_on_panels: MainWindow, qtbot: QtBot) -> None:
    window = hands_on_panels
    window.docks.raise_panel("checks")
    press(Qt.Key.Key_W, CTRL)
    assert window.docks.docks["checks"].isHidden()
    press(Qt.Key.Key_5, ALT | SHIFT)
    qtbot.waitUntil(lambda: in_front(window, "checks"))


@pytest.mark.parametrize(
    ("room", "size", "is_maximised"),
    [((2560, 1400), (1440, 900), False), ((1440, 900), (1440, 860), True), ((1280, 720), (1280, 680), True)],
)
def test_the_first_window_fits_the_screen_with_its_title_bar(
    room: tuple[int, int], size: tuple[int, int], is_maximised: bool
) -> None:
    assert first_size(QSize(*room)) == (QSize(*size), is_maximised)


@pytest.mark.parametrize(("room", "size"), [((2560, 1400), (1700, 1000)), ((1280, 720), (1280, 680))])
def test_on_another_screen_the_window_has_the_size_that_it_had_as_far_as_there_is_room(
    room: tuple[int, int], size: tuple[int, int]
) -> None:
    assert first_size(QSize(*room), QSize(1700, 1000)) == (QSize(*size), size != (1700, 1000))


def test_large_type_cuts_no_head_and_no_search(monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> None:
    monkeypatch.setattr(type_scale, "_SCALE", [1.5])
    column = pool_column.PoolColumn(Lane.INFERENCE)
    qtbot.addWidget(column)
    words = QFontMetrics(font("title"))
    assert column.minimumWidth() > words.horizontalAdvance("Inference") + words.horizontalAdvance("8,888,888")
    bar = toolbar.BoardToolbar()
    qtbot.addWidget(bar)
    bar.show()
    bar.search.setFont(font("body"))
    for width in range(700, 1500, 50):
        bar.resize(width, 38)
        word = QFontMetrics(bar.search.font()).horizontalAdvance(bar.search.placeholderText())
        if bar.hint.isVisible():
            assert 30 + word <= bar.hint.x()
