"""The narrow last column: contracts that are paid and serve no workload."""

from collections.abc import Mapping
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.message import worded
from gpuplanner.ui.kit import drawing, palettes, type_scale
from gpuplanner.ui.kit.layout import STRETCH, column
from gpuplanner.ui.kit.page_parts import label, soon
from gpuplanner.ui.state.view_state import LaneSums, ViewState, idle_rows
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane

LEAST_WIDTH: Final = 94
BESIDE_TITLE: Final = 9
"""Pixels beside the title."""
BELOW_TABLE: Final = 6
"""Pixels from the last row to the end of the column."""
IDLE_TIP: Final = worded("Paid, but without a workload. With it, columns add up to Spend.")


def idle_width() -> int:
    """Return the width of the column: its title is whole in every language."""
    title = type_scale.text_width(tr("Idle contracts"), type_scale.base_font("small_strong"))
    return type_scale.text_px(max(LEAST_WIDTH, title + BESIDE_TITLE))


class IdleColumn(QtWidgets.QFrame):
    """Told what is shown, and the sums of the columns beside it."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Idle contracts"))
        self.setFixedWidth(idle_width())
        self.usd = label(step="title")
        self.table = FigureTable(tr("Idle contracts"))
        self._whole: int | None = None
        self._usd_by_model: list[tuple[str | None, int | None]] = []
        self._words = soon(self, self._say, 1)  # with the headline, once the frame of a drop is painted
        # lines that wrap would make the board as tall as all its cards
        title, unit = (
            label(tr("Idle contracts"), step="small_strong"),
            label(tr("$ per month"), role="muted", step="small"),
        )
        column(title, self.usd, unit, 6, self.table, STRETCH, on=self, margins=(7, 9, 2, 6), spacing=1)

    def show_sums(self, shown: ViewState, sums: Mapping[Lane, LaneSums]) -> None:
        """Show what is idle in all, and by GPU model."""
        self._whole, self._usd_by_model = idle_rows(shown, sums)
        if numbers.whole(self._whole) != self.usd.text():
            self._words.start()

    def _say(self) -> None:
        self.usd.setText(numbers.whole(self._whole))
        why = figure("column_idle")  # an amount stands under its model: beside it is no room for both
        cells = (
            (Cell(text=of or tr("unknown"), role="muted"), Cell(text=numbers.whole(usd), figure_id=why))
            for of, usd in self._usd_by_model
        )
        self.table.show_whole(
            (Column(title="", is_figure=False),), [Row((cell,)) for both in cells for cell in both]
        )
        set_tip(self, tr(IDLE_TIP))

    def paintEvent(self, event: QtGui.QPaintEvent) -> None:
        """A column on its ground, with a grey edge on top."""
        painter, palette = QtGui.QPainter(self), palettes.in_use()
        box = QtCore.QRect(self.rect())
        box.setBottom(min(box.bottom(), self.table.geometry().bottom() + BELOW_TABLE))
        drawing.draw_box(painter, box, palette.surface, palette.line, 4, 1)
        painter.fillRect(QtCore.QRect(0, 0, self.width(), 3), palette.colour("muted"))
