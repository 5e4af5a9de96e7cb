"""A card that lands out of sight is brought into it, once it was painted; the others stay where they are."""

import pytest
from PySide6.QtCore import QEvent, QObject, QRect
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpuplanner.domain.model.tables import Pool
from gpuplanner.ui.cards.card_list import CardView
from gpuplanner.ui.cards.delegate import GAP
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.lanes import Lane


@pytest.fixture
def low(window: MainWindow, qtbot: QtBot) -> MainWindow:
    """A window in which a column has room for a few cards."""
    window.choose_plan_view("board")
    window.resize(1440, 540)
    qtbot.waitUntil(lambda: window.height() == 540)
    QApplication.processEvents()
    return window


def cheapest(window: MainWindow, lane: Lane) -> str:
    return str(window.board.columns[lane].model.cards[-1].key)


def place_of(view: CardView, key: str) -> QRect:
    row = view.model().row_of(key)
    assert row is not None
    return view.visualRect(view.model().index(row)).adjusted(0, 0, 0, -GAP)


@pytest.mark.long
def test_a_dropped_card_is_seen_and_ringed_after_it_was_painted(low: MainWindow, qtbot: QtBot) -> None:
    board, view = low.board, low.board.columns[Lane.INFERENCE].cards
    key = cheapest(low, Lane.BURST)
    scrolled_at_paint: list[int] = []

    class Watch(QObject):
        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint:
                scrolled_at_paint.append(view.verticalScrollBar().value())
            return False

    watch = Watch()
    QApplication.processEvents()
    view.viewport().installEventFilter(watch)
    board.workloads_moved.emit((key,), Pool.INFERENCE)
    assert not view.viewport().rect().contains(place_of(view, key))  # it lands below the last that is seen
    qtbot.waitUntil(lambda: view.viewport().rect().contains(place_of(view, key)))
    assert scrolled_at_paint[0] == 0  # the frame of the drop was painted before
    assert board.landed.ring.isVisible() and board.landed.ring.places == (place_of(view, key),)
    view.verticalScrollBar().setValue(view.verticalScrollBar().value() - 10)
    assert board.landed.ring.places == (place_of(view, key),)  # it goes with the card
    qtbot.waitUntil(lambda: not board.landed.ring.isVisible())
    view.viewport().removeEventFilter(watch)


@pytest.mark.long
def test_a_card_that_lands_in_sight_scrolls_nothing(low: MainWindow, qtbot: QtBot) -> None:
    low.resize(1440, 700)  # room for three cards
    qtbot.waitUntil(lambda: low.height() == 700)
    board = low.board
    key = board.columns[Lane.INFERENCE].model.cards[0].key
    view = board.columns[Lane.TRAINING].cards
    board.workloads_moved.emit((key,), Pool.TRAINING)
    qtbot.waitUntil(lambda: board.landed.ring.isVisible())
    assert view.verticalScrollBar().value() == 0
    board.workloads_moved.emit((key,), Pool.BURST)  # another move: the ring goes with it
    qtbot.waitUntil(lambda: board.landed.ring.parentWidget() is board.columns[Lane.BURST].cards)


@pytest.mark.long
def test_the_keyboard_goes_with_a_dropped_card(low: MainWindow, qtbot: QtBot) -> None:
    board = low.board
    source, target = board.columns[Lane.INFERENCE], board.columns[Lane.TRAINING]
    key = source.model.cards[0].key
    source.cards.setFocus()
    source.cards.select_keys((key,), key)
    board.workloads_moved.emit((key,), Pool.TRAINING)
    qtbot.waitUntil(target.cards.hasFocus)
    assert target.cards.currentIndex().row() == target.model.row_of(key)


@pytest.mark.long
def test_a_card_that_a_filter_leaves_out_is_not_looked_for(low: MainWindow, qtbot: QtBot) -> None:
    board = low.board
    key = cheapest(low, Lane.BURST)
    board.look(board.view.toggled("class", "Training"))
    board.workloads_moved.emit((key,), Pool.INFERENCE)
    qtbot.wait(60)
    assert not board.landed.ring.isVisible()


def test_the_keyboard_goes_with_a_card_that_lands_under_a_heading(low: MainWindow, qtbot: QtBot) -> None:
    board = low.board
    board.group_by("team")
    source, target = board.columns[Lane.BURST], board.columns[Lane.INFERENCE]
    key = max((card.key for card in source.model.cards), key=lambda key: source.model.row_of(key) or 0)
    told: list[str] = []
    board.landed.landed.connect(lambda landed, lane: told.append(landed))
    board.workloads_moved.emit((key,), Pool.INFERENCE)
    qtbot.waitUntil(lambda: bool(told))
    row = target.model.row_of(key)
    assert told == [key] and row is not None
    assert row != list(target.model.cards).index(target.model.card_at(row))  # headings stand above it
