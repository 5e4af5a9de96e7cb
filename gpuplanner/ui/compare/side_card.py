"""The two cards of one plan in a comparison: what it buys, and how today's spend becomes it."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.twins import Twins
from gpuplanner.ui.tables.cells import Cell, Column, Row
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.translation import tr

CHART_HEIGHT = 176


class TableCard:
    """A card with one table that stands as high as its rows."""

    def __init__(self, title: str, palette: Palette) -> None:
        self.frame = CardFrame(title)
        self.table = FigureTable(title, palette)
        self.frame.body.addWidget(self.table)
        self.frame.body.addStretch(1)

    def show_title(self, title: str, muted: str = "") -> None:
        """Another title, for screen readers too."""
        self.frame.rename(title)
        self.table.setAccessibleName(title)
        self.frame.say(muted)

    def show_rows(self, columns: tuple[Column, ...], rows: list[Row]) -> None:
        """Show these rows."""
        self.table.show_rows(columns, rows)
        self.table.fit_height()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.table.show_palette(palette)


class ChartCard(QObject):
    """A card with a chart and its table twin; the chart is made when it is shown first, and with other colours."""

    made = Signal(object)  # the chart

    def __init__(self, title: str, muted: Text, palette: Palette, make: Callable[[Palette], QWidget]) -> None:
        super().__init__()
        self.frame = CardFrame(title, muted)
        self.table = FigureTable(tr("{title}, as a table", title=title), palette)
        self.twins = Twins(self.frame, CHART_HEIGHT)
        self.frame.body.addWidget(self.twins, 1)
        self._palette, self._make = palette, make
        self._chart: Any = None
        holder = QWidget()  # charts are told their colours when they are made: another palette, another chart
        self._place = QVBoxLayout(holder)
        self._place.setContentsMargins(0, 0, 0, 0)
        self.twins.put(holder, self.table)
        self.twins.show_palette(palette)

    @property
    def chart(self) -> Any:
        """The chart."""
        if self._chart is None:
            self._chart = self._make(self._palette)
            self._chart.setAccessibleName(self.frame.title)
            self._place.addWidget(self._chart)
            self.made.emit(self._chart)
        return self._chart

    @property
    def made_chart(self) -> Any:
        """The chart, if it has been made."""
        return self._chart

    def show_title(self, title: str) -> None:
        """Another title, for screen readers too."""
        self.frame.rename(title)
        self.table.setAccessibleName(tr("{title}, as a table", title=title))
        self.chart.setAccessibleName(title)

    def show_twin(self, headings: tuple[Text, ...], rows: list[tuple[Cell, ...]]) -> None:
        """The same figures as a table."""
        columns = tuple(Column(heading, at > 0) for at, heading in enumerate(headings))
        self.table.show_rows(columns, [Row(cells) for cells in rows])

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self.twins.show_palette(palette)
        self.table.show_palette(palette)
        if self._chart is not None:
            self._place.removeWidget(self._chart)
            self._chart.hide()
            self._chart.deleteLater()
            self._chart = None
