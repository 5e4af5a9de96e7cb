"""A line below the cells of a row: the row is higher by it, and it is drawn across all columns."""

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gpuplanner.ui.tables.cell_painting import NOTE_PX
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable

COLUMNS = (Column(title="Term", is_figure=False, width=60), Column(title="GPUs"), Column(title="$"))
LONG = 8 * "LF-004 "


def rows(*notes: str) -> list[Row]:
    return [Row((Cell(text="a"), Cell(text="1"), Cell(text="2")), note=note) for note in notes]


def made(qtbot: QtBot, *notes: str) -> FigureTable:
    table = FigureTable("Layers")
    qtbot.addWidget(table)
    table.resize(360, 200)
    table.show_whole(COLUMNS, rows(*notes))
    table.show()
    return table


def drawn(table: QWidget) -> QImage:
    image = QImage(table.size(), QImage.Format.Format_RGB32)
    image.fill(0)
    table.render(image)
    return image


def test_a_row_with_a_note_is_higher_and_the_table_with_it(qtbot: QtBot) -> None:
    table = made(qtbot, "", LONG, "")
    plain = table.rowHeight(0)
    assert [table.rowHeight(at) for at in range(3)] == [plain, plain + NOTE_PX, plain]
    high = table.height()
    table.show_whole(COLUMNS, rows("", "", LONG))  # without a reset: the same shape
    assert [table.rowHeight(at) for at in range(3)] == [plain, plain, plain + NOTE_PX]
    assert table.height() == high
    table.show_whole(COLUMNS, rows("", "", ""))
    assert table.height() == high - NOTE_PX and table.rowHeight(2) == plain


def test_a_note_goes_across_all_columns(qtbot: QtBot) -> None:
    with_note, without = made(qtbot, LONG, ""), made(qtbot, "\u00a0", "")
    view = with_note.viewport()
    top = view.mapTo(with_note, with_note.visualRect(with_note.model().index(0, 0)).topLeft())
    below = top.y() + with_note.rowHeight(0) - NOTE_PX
    seen, bare = drawn(with_note), drawn(without)
    for column in range(2):
        left = with_note.columnViewportPosition(column)
        band = QRect(left, below, with_note.columnWidth(column) - 10, NOTE_PX - 2)
        assert seen.copy(band) != bare.copy(band), COLUMNS[column].title
    above = QRect(0, 0, with_note.width(), below)
    assert seen.copy(above) == bare.copy(above), "cells stand where they stood"


def test_who_listens_hears_the_note_with_the_name(qtbot: QtBot) -> None:
    table, role = made(qtbot, LONG), Qt.ItemDataRole.AccessibleDescriptionRole
    assert [table.model().data(table.model().index(0, at), role) for at in (0, 1)] == [LONG, None]
