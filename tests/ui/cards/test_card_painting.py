"""A column draws its own rows: every pixel is as where Qt asks the delegate for one row after the other."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QEvent, QPointF
from PySide6.QtGui import QHoverEvent, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QApplication, QListView
from pytestqt.qtbot import QtBot

from gpuplanner.ui.cards.card_list import CardView
from gpuplanner.ui.kit.palettes import PALETTES
from gpuplanner.ui.window.main_window import MainWindow
from gpuplanner.ui.words.lanes import Lane
from tests.some_of import some_of

Change = Callable[[MainWindow, CardView], object]


def hover(view: CardView, row: int) -> None:
    place = view.visualRect(view.model().index(row)).center()
    at = QPointF(place), QPointF(view.viewport().mapToGlobal(place)), QPointF()
    QApplication.sendEvent(view.viewport(), QHoverEvent(QEvent.Type.HoverMove, *at))


def leave(view: CardView) -> None:
    away = QPointF(-1, -1)
    QApplication.sendEvent(view.viewport(), QHoverEvent(QEvent.Type.HoverLeave, away, away, away))


def select(window: MainWindow, view: CardView) -> None:
    keys = [card.key for card in view.model().cards[1:4]]
    view.setFocus()
    view.select_keys(keys, keys[1])


CHANGES: dict[str, Change] = {
    "plain": lambda window, view: None,
    "selected, one with the keyboard": select,
    "under the mouse": lambda window, view: hover(view, 0),
    "selected and under the mouse": lambda window, view: hover(view, 2),
    "the keyboard is elsewhere": lambda window, view: window.board.search.setFocus(),
    "the mouse is elsewhere": lambda window, view: leave(view),
    "taken away": lambda window, view: view.model().show_moving(frozenset(view.selected_keys()[:1])),
    "scrolled": lambda window, view: view.verticalScrollBar().setValue(23),
    "no longer taken away": lambda window, view: view.model().show_moving(frozenset()),
    "in groups": lambda window, view: window.board.group_by("team"),
    "a heading with the keyboard": lambda window, view: view.setCurrentIndex(view.model().index(0)),
    "a search that finds nothing": lambda window, view: window.board.search.setText("no such card"),
}
"""One after the other: each adds to what was before."""


def as_qt_draws(view: CardView, event: QPaintEvent) -> None:
    painter = QPainter(view.viewport())
    painter.fillRect(event.rect(), view.ground)
    painter.end()
    QListView.paintEvent(view, event)


def grabbed(view: CardView) -> QImage:
    return view.viewport().grab().toImage()


@pytest.fixture(params=some_of(PALETTES, quick=1))
def coloured(window: MainWindow, request: pytest.FixtureRequest) -> MainWindow:
    """The window in each palette."""
    window.show_palette(PALETTES[request.param])
    return window


@pytest.mark.long
def test_rows_look_as_where_qt_draws_them(
    coloured: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    view, seen = coloured.board.columns[Lane.TRAINING].cards, []
    assert len(view.model().cards) > 4
    for title, change in CHANGES.items():
        change(coloured, view)
        QApplication.processEvents()
        ours = grabbed(view)
        with monkeypatch.context() as other:
            other.setattr(CardView, "paintEvent", as_qt_draws)
            assert ours == grabbed(view), title
        seen.append(ours)
    looks = [one for number, one in enumerate(seen) if one not in seen[:number]]
    assert len(looks) >= len(CHANGES) - 2
