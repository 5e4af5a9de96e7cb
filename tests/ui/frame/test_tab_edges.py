"""More tabs than room: those that are seen are whole, and an ellipsis at the end leads to all of them."""

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import QApplication, QTabBar
from pytestqt.qtbot import QtBot

from gpuplanner.ui.frame.tab_edges import AFTER, BEFORE, TabEdges

TITLES = (
    "Recommendations 26",
    "Contracts 7",
    "Checks 20",
    "Backtest",
    "Prices",
    "Today to plan",
    "Placement",
    "History",
    "Award",
)


@pytest.fixture
def bar(qtbot: QtBot) -> QTabBar:
    made = QTabBar()
    qtbot.addWidget(made)
    made.setElideMode(Qt.TextElideMode.ElideNone)
    made.setExpanding(False)
    for title in TITLES:
        made.addTab(title)
    made.resize(300, 30)
    made.show()
    TabEdges(made)
    return made


def settle(bar: QTabBar) -> None:
    for _ in range(3):
        bar.repaint()
        QApplication.processEvents()


def covered(bar: QTabBar) -> list[QRect]:
    edges = bar.findChild(TabEdges)
    assert edges is not None
    return [cover.geometry() for cover in edges.covers if not cover.isHidden()]


def test_every_tab_that_is_seen_is_whole_whichever_is_chosen(bar: QTabBar) -> None:
    some = 0
    for chosen in (*range(len(TITLES)), *reversed(range(len(TITLES)))):
        bar.setCurrentIndex(chosen)
        settle(bar)
        room = min(
            child.x() for child in bar.children() if getattr(child, "objectName", str)().startswith("Scroll")
        )  # type: ignore[attr-defined]
        covers = covered(bar)
        some += len(covers)
        for at in range(bar.count()):
            tab = bar.tabRect(at)
            seen = tab.intersected(QRect(0, 0, room, bar.height()))
            is_cut = seen.left() - tab.left() > BEFORE or tab.right() - seen.right() > AFTER
            if not seen.isEmpty() and at != chosen:
                assert any(cover.contains(seen) for cover in covers) is is_cut, (chosen, at)
        assert not any(cover.intersects(bar.tabRect(chosen)) for cover in covers)
    assert some


def test_the_ellipsis_leads_to_every_tab_and_goes_where_all_have_room(bar: QTabBar) -> None:
    bar.setCurrentIndex(len(TITLES) - 2)
    settle(bar)
    edges = bar.findChild(TabEdges)
    assert edges is not None and edges.more.isVisible() and edges.more.accessibleName()
    assert edges.more.geometry().right() == bar.rect().right()
    menu = edges.more.menu()
    menu.aboutToShow.emit()
    assert [action.text() for action in menu.actions()] == list(TITLES)
    assert [action.isChecked() for action in menu.actions()].index(True) == len(TITLES) - 2
    menu.actions()[0].trigger()
    assert bar.currentIndex() == 0
    bar.resize(1200, 30)
    settle(bar)
    assert covered(bar) == [] and edges.more.isHidden()
