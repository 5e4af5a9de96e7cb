"""What the views of the panel Prices are made of: choosers that keep their choice, tables for thousands of offers."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtWidgets import QComboBox

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.message import Message, Text
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.translation import spoken

ROWS_MEASURED: Final = 60
"""Rows out of sight that the width of a column looks at: price lists have thousands."""


def price_table(name: str, palette: Palette) -> FigureTable:
    """A table whose widths do not look at every offer."""
    table = FigureTable(spoken(name), palette)
    table.asks_by_click = False
    table.horizontalHeader().setResizeContentsPrecision(ROWS_MEASURED)
    return table


def select(table: FigureTable, row: int) -> None:
    """Choose a row and bring it into view, without telling of it."""
    model = table.selectionModel()
    model.blockSignals(True)
    table.selectRow(row)
    model.blockSignals(False)
    table.scrollTo(table.model().index(row, 0))
    table.viewport().update()


def chooser(name: str, options: list[Message]) -> QComboBox:
    """A list to choose from that may be narrower than its words."""
    choice = QComboBox()
    choice.addItems([spoken(one) for one in options])
    choice.setAccessibleName(spoken(name))
    choice.view().setAccessibleName(spoken(name))
    set_tip(choice, spoken(name))
    choice.setMinimumWidth(60)
    choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return choice


def fill(choice: QComboBox, options: Sequence[Text]) -> None:
    """Other options; what was chosen stays where it is still there."""
    texts = [spoken(one) for one in options]
    if [choice.itemText(at) for at in range(choice.count())] == texts:
        return
    before = choice.currentText()
    choice.blockSignals(True)
    choice.clear()
    choice.addItems(texts)
    choice.setCurrentIndex(max(0, choice.findText(before)))
    choice.blockSignals(False)
