"""Two columns: beside each other where there is room, and alone where one shows nothing."""

import pytest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.ui.kit.two_columns import BESIDE_FROM_PX, TwoColumns


@pytest.fixture
def columns(qtbot: QtBot) -> TwoColumns:
    made = TwoColumns(6)
    for column in (made.first, made.second):
        column.addWidget(QWidget(), 1)
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
