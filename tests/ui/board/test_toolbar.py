"""Above the columns: no button is cut at any width, and the search is never narrower than it can be read."""

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from gpuplanner.ui.board.toolbar import SEARCH_NARROW, BoardToolbar
from gpuplanner.ui.cards.board_view import BoardView
from gpuplanner.ui.cards.card_order import SORTS
from gpuplanner.ui.kit.palettes import LIGHT
from gpuplanner.ui.kit.style_sheet import apply_palette


@pytest.fixture
def toolbar(qapp: QApplication, qtbot: QtBot) -> BoardToolbar:
    apply_palette(qapp, LIGHT)  # widths are those of our own type and buttons
    bar = BoardToolbar()
    qtbot.addWidget(bar)
    bar.show_view(BoardView())
    bar.resize(1400, 38)
    bar.show()
    return bar


@pytest.mark.parametrize("is_today", [False, True])
def test_no_button_is_cut_whatever_the_width(toolbar: BoardToolbar, is_today: bool) -> None:
    toolbar.show_for(is_today=is_today)
    for width in range(1400, 380, -20):
        toolbar.resize(width, 38)
        for button in toolbar.findChildren(QPushButton):
            if button.isVisibleTo(toolbar):
                assert button.width() >= button.sizeHint().width(), (width, button.text())
        assert toolbar.search.width() >= SEARCH_NARROW


def test_other_words_have_their_room_in_the_same_frame(toolbar: BoardToolbar) -> None:
    for sort in (*SORTS, *SORTS):
        toolbar.show_view(BoardView(sort=sort))
        assert toolbar.sort_button.width() >= toolbar.sort_button.sizeHint().width()
