"""Two columns: beside each other where there is room, and alone where one shows nothing."""

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtWidgets import QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.ui.kit.layout import box, column
from gpuplanner.ui.kit.page_parts import label, retell, scrolled, tool_button
from gpuplanner.ui.kit.tabs import AFTER, BEFORE, TabEdges
from gpuplanner.ui.kit.two_columns import BESIDE_FROM_PX, TwoColumns

# --- Labels and buttons by their words -----------------------------------------------------------


def test_words_are_told_anew_in_another_role(qtbot: QtBot) -> None:
    words = label("All is read", role="muted")
    qtbot.addWidget(words)
    retell(words, "Nothing read", "red")
    assert (words.text(), words.property("role")) == ("Nothing read", "red")


def test_a_tool_button_is_called_as_its_name_says_and_does_it(qtbot: QtBot) -> None:
    pressed: list[bool] = []
    button = tool_button("Remove: H100", "One undo step", lambda: pressed.append(True))
    qtbot.addWidget(button)
    button.click()
    assert (button.accessibleName(), button.toolTip(), pressed) == ("Remove: H100", "One undo step", [True])


# --- Two columns: beside each other where there is room, and alone where one shows nothing -------


@pytest.fixture
def columns(qtbot: QtBot) -> TwoColumns:
    made = TwoColumns(6)
    for part in (made.first, made.second):
        part.addWidget(QWidget(), 1)
    qtbot.addWidget(made)
    made.resize(BESIDE_FROM_PX, 400)
    made.show()
    QApplication.processEvents()
    return made


def parts(columns: TwoColumns) -> tuple[QWidget, QWidget]:
    first, second = (column.itemAt(0).widget() for column in (columns.first, columns.second))
    assert first is not None and second is not None
    return first, second


def test_they_stand_beside_each_other_where_there_is_room(columns: TwoColumns) -> None:
    first, second = parts(columns)
    assert first.width() == second.width() and first.y() == second.y() and first.x() < second.x()
    columns.resize(BESIDE_FROM_PX - 1, 400)
    QApplication.processEvents()
    assert first.width() == second.width() == columns.width() and first.y() < second.y()


def test_one_that_shows_nothing_leaves_the_other_its_room(columns: TwoColumns) -> None:
    first, second = parts(columns)
    second.hide()
    QApplication.processEvents()
    assert first.width() > 0.95 * columns.width()
    second.show()
    QApplication.processEvents()
    assert first.width() == second.width()


def test_they_share_the_height_as_they_are_told(columns: TwoColumns) -> None:
    first, second = parts(columns)
    columns.resize(BESIDE_FROM_PX - 1, 506)
    columns.share(1, 4)
    QApplication.processEvents()
    assert (first.height(), second.height()) == (100, 400)


# --- More tabs than room: those that are seen are whole, and an ellipsis at the end leads to all of them

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


def test_a_line_that_is_cut_at_the_lower_edge_is_painted_over(qtbot: QtBot) -> None:
    lines = [PlainLabel("GPUs in use") for _ in range(12)]
    for line in lines:
        line.setFixedHeight(20)
    area = scrolled(box("panel", column(*lines, spacing=0), QWidget()))
    qtbot.addWidget(area)
    area.resize(200, 110)
    area.show()
    QApplication.processEvents()

    def inked(line: QWidget) -> bool:
        """Whether anything is to be seen of a line, as far as it lies in the area."""
        place = QRect(line.mapTo(area, QPoint()), line.size()) & area.viewport().geometry()
        image = area.grab(place).toImage()
        return len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}) > 1

    assert inked(lines[4]) and not inked(lines[5])  # 10 of its 20 pixels
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    QApplication.processEvents()
    assert inked(lines[11])
    area.resize(200, 260)
    QApplication.processEvents()
    assert all(map(inked, lines))


def test_text_in_the_middle_of_a_higher_place_ends_in_whole_lines_too(qtbot: QtBot) -> None:
    left = label("GPUs\nin use\nin all", is_wrapped=True)
    left.setFixedHeight(3 * left.fontMetrics().lineSpacing() + 10)
    area = scrolled(box("panel", column(left, QWidget(), spacing=0), QWidget()))
    qtbot.addWidget(area)
    line = left.fontMetrics().lineSpacing()
    area.resize(200, 40)
    area.show()
    QApplication.processEvents()
    place = area.viewport().geometry()
    place.setHeight(left.mapTo(area, QPoint()).y() + 5 + line + line // 2)
    area.setFixedHeight(place.height())
    QApplication.processEvents()
    image = area.grab(QRect(left.mapTo(area, QPoint()), left.size()) & area.viewport().geometry()).toImage()
    last = range(image.height() - line // 2, image.height())
    assert len({image.pixel(x, y) for x in range(image.width()) for y in last}) == 1, "half of a line is seen"
    first = range(5, 5 + line)
    assert len({image.pixel(x, y) for x in range(image.width()) for y in first}) > 1
