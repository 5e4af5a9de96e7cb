"""A chart and its table twin in one place; Ctrl+T changes between them."""

from collections.abc import Callable
from typing import Any, Generic

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedLayout, QWidget

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.layout import column
from gpuplanner.ui.kit.page_parts import tool_button
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.tables.chart_palette import Plot, recolour_plot
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words.commands import TABLE


class Twins(QWidget):
    """Told the two once both are made; the chart comes first."""

    def __init__(self, frame: CardFrame, least_height: int) -> None:
        super().__init__()
        tip = tr("Show as table or as chart ({keys})", keys=TABLE)
        called = tr("{title}: table or chart", title=frame.title)
        self.button = tool_button(called, tip, self.turn, 14, drawing="group")
        self.button.setFixedSize(22, 18)  # no higher than the title beside it
        frame.head.addWidget(self.button)
        self._layout = QStackedLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self.setMinimumHeight(least_height)

    def put(self, chart: QWidget, table: QWidget) -> None:
        """Show these two, the chart first."""
        self._layout.addWidget(chart)
        self._layout.addWidget(table)

    def turn(self) -> None:
        """Show the other one, and give it the keyboard."""
        self._layout.setCurrentIndex(1 - self._layout.currentIndex())
        if (seen := self._layout.currentWidget()) is not None:
            seen.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_both(self, is_known: bool) -> None:
        """Nothing to show as either where nothing is known."""
        self.setVisible(is_known)
        self.button.setVisible(is_known)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+T shows the other of chart and table."""
        if event.key() == Qt.Key.Key_T and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.turn()
        else:
            super().keyPressEvent(event)


class ChartCard(Generic[Plot]):
    """A frame with the two of them; whoever makes the card stands `twins` in the frame.

    new, sheet: as of SeenChart. put: connects the chart, where there is something to connect.
    """

    def __init__(
        self,
        title: Text,
        muted: Text,
        least_height: int,
        new: Callable[[Palette], Plot],
        put: Callable[[Plot], object] = lambda _: None,
        sheet: Callable[[], Any] | None = None,
        recolour: Callable[[Plot, Palette], object] = recolour_plot,
    ) -> None:
        self.frame, self._connect = CardFrame(title, muted), put
        self.table = FigureTable(tr("{title}, as a table", title=title))
        self.twins = Twins(self.frame, least_height)
        self._holder = QWidget()
        self._place = column(on=self._holder)
        self.twins.put(self._holder, self.table)
        self.seen = SeenChart(
            new=new, put=self._put, sheet=sheet, head=self.frame.head, turn=self.twins.turn, recolour=recolour
        )

    @property
    def chart(self) -> Plot:
        """The chart, made now where nobody has seen it."""
        return self.seen.ready()

    def _put(self, plot: Plot) -> None:
        self._place.addWidget(plot)
        self._holder.setFocusProxy(plot)
        self._connect(plot)

    def as_text(self) -> Text:
        """Its figures as text."""
        return self.table.as_text()
