"""Tables for thousands of offers, and choosers that keep their choice."""

from collections.abc import Sequence
from typing import Final

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.message import Message, Text
from gpuplanner.ui.kit.page_parts import choice_of
from gpuplanner.ui.tables.figure_table import FigureTable

ROWS_MEASURED: Final = 60
"""Hidden rows used to fit a column's width, because price lists have thousands."""


def price_table(name: str) -> FigureTable:
    """Return a table whose column widths do not depend on every offer."""
    table = FigureTable(spoken(name))
    table.asks_by_click = False
    table.horizontalHeader().setResizeContentsPrecision(ROWS_MEASURED)
    return table


def select(table: FigureTable, row: int) -> None:
    """Select a row and scroll to it, without a signal."""
    with QtCore.QSignalBlocker(table.selectionModel()):
        table.selectRow(row)
    table.scrollTo(table.model().index(row, 0))
    table.viewport().update()


def chooser(name: str, options: list[Message]) -> QtWidgets.QComboBox:
    """Return a drop-down field that may be narrower than its texts."""
    choice = choice_of(name, name, ((option, None) for option in options))
    choice.setMinimumWidth(60)
    choice.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return choice


def fill(choice: QtWidgets.QComboBox, options: Sequence[Text]) -> None:
    """Replace the options and keep the choice if it is still available."""
    texts = [spoken(option) for option in options]
    if [choice.itemText(at) for at in range(choice.count())] == texts:
        return
    before = choice.currentText()
    with QtCore.QSignalBlocker(choice):
        choice.clear()
        choice.addItems(texts)
        choice.setCurrentIndex(max(0, choice.findText(before)))
