"""The popover "Why this number?": whatever answer follows another, nothing of it overlaps or leaves the screen."""

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.why.answer import Why
from gpuplanner.ui.why.popover import WhyPopover
from tests.some_of import one_in

INPUTS = tuple((f"{number} files", "jobs.csv") for number in range(4))


def answer_of(rows: int, title: str) -> Why:
    columns = (
        Column(title="", is_figure=False),
        *(Column(title="GPU-h\nin the lookback period") for _ in range(4)),
    )
    named = [
        Row((Cell(text="aurora"), *(Cell(text="1,234") for _ in range(4))), key=f"row {at}")
        for at in range(rows)
    ]
    total = Row((Cell(text="Total"), *(Cell(text="9") for _ in range(4))), is_total=True)
    return Why(
        title=title,
        formula="A formula",
        note="with numbers",
        columns=columns,
        rows=(*named, total),
        remark="A remark.",
        inputs=INPUTS,
    )


@pytest.mark.parametrize("left", [600, 2400])
def test_of_a_figure_that_is_scrolled_out_of_sight_the_answer_is_in_sight(
    qtbot: QtBot, qapp: QApplication, left: int
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(700, 500)
    origin = QWidget(window)
    origin.setGeometry(left, 2900, 60, 20)
    window.show()
    popover = WhyPopover(window)
    popover.show_why(answer_of(3, "Far below"), origin)
    qapp.processEvents()
    assert qapp.primaryScreen().availableGeometry().contains(popover.geometry())
    popover.close()


@pytest.mark.parametrize(("first", "second"), one_in(2, [(3, 12), (12, 3), (5, 60)]))
def test_an_answer_that_follows_another_is_measured_with_all_it_shows(
    qtbot: QtBot, qapp: QApplication, first: int, second: int
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(700, 500)
    origin = QWidget(window)
    origin.setGeometry(600, 400, 60, 20)
    window.show()
    popover = WhyPopover(window)
    screen = qapp.primaryScreen().availableGeometry()

    def check() -> None:
        for _ in range(3):
            qapp.processEvents()
        assert popover.height() >= popover.minimumSizeHint().height()
        assert screen.contains(popover.geometry()), popover.geometry()
        assert popover.table.geometry().bottom() < popover.remark_label.geometry().top()
        assert popover.copy.mapTo(popover, QPoint(0, popover.copy.height())).y() <= popover.height()

    popover.show_why(answer_of(first, "Short"), origin)
    check()
    popover.show_next(answer_of(second, "A title that is so long that it is written on two lines, " * 2))
    check()
    popover.go_back()
    check()
    popover.close()


def test_where_rows_scroll_none_of_them_is_cut(qtbot: QtBot, qapp: QApplication) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(700, 500)
    origin = QWidget(window)
    origin.setGeometry(60, 40, 60, 20)
    window.show()
    popover = WhyPopover(window)
    popover.show_why(answer_of(60, "Many"), origin)
    qapp.processEvents()
    table = popover.table
    assert table.height() < 61 * table.row_height
    assert table.viewport().height() % table.row_height in (0, 1, 2)  # the frame of the table
    popover.close()


def test_it_stands_beside_a_sheet_that_is_outside_of_the_window(qtbot: QtBot, qapp: QApplication) -> None:
    window, sheet = QWidget(), QWidget()
    for one in (window, sheet):
        qtbot.addWidget(one)
    window.setGeometry(0, 0, 100, 100)
    sheet.setGeometry(60, 90, 700, 300)
    origin = QWidget(sheet)
    origin.setGeometry(100, 20, 60, 20)
    window.show()
    sheet.show()
    popover = WhyPopover(window)
    popover.show_why(answer_of(2, "Of the sheet"), origin)
    qapp.processEvents()
    assert qapp.primaryScreen().availableGeometry().contains(popover.geometry())
    assert popover.geometry().left() >= sheet.geometry().left()
    origin.deleteLater()
    QApplication.sendPostedEvents(origin, QEvent.Type.DeferredDelete)
    popover.close()  # what it was asked of is drawn anew meanwhile: it has no keyboard to give back
