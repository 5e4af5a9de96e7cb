"""A chart and its table twin in one place: Ctrl+T or the button beside the title shows the other one."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QStackedLayout, QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.ui.kit.card_frame import CardFrame
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.words.commands import TABLE
from gpuplanner.ui.words.translation import tr


class Twins(QWidget):
    """Told the two once both are made; the chart comes first."""

    def __init__(self, frame: CardFrame, least_height: int) -> None:
        super().__init__()
        self.button = QToolButton()
        self.button.setAccessibleName(tr("{title}: table or chart", title=frame.title))
        set_tip(self.button, tr("Show as table or as chart ({keys})", keys=TABLE))
        self.button.setIconSize(QSize(14, 14))
        self.button.setFixedSize(22, 18)  # no higher than the title beside it
        self.button.clicked.connect(self.turn)
        frame.head.addWidget(self.button)
        self._layout = QStackedLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self.setMinimumHeight(least_height)

    def put(self, chart: QWidget, table: QWidget) -> None:
        """Show these two, the chart first."""
        self._layout.addWidget(chart)
        self._layout.addWidget(table)

    @property
    def shows_table(self) -> bool:
        """Whether the table is in sight."""
        return self._layout.currentIndex() == 1

    def turn(self) -> None:
        """Show the other one, and give it the keyboard."""
        self._layout.setCurrentIndex(1 - self._layout.currentIndex())
        if (seen := self._layout.currentWidget()) is not None:
            seen.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_both(self, is_known: bool) -> None:
        """Nothing to show as either where nothing is known."""
        self.setVisible(is_known)
        self.button.setVisible(is_known)

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.button.setIcon(icon("group", palette.muted))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+T shows the other of chart and table."""
        if event.key() == Qt.Key.Key_T and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.turn()
        else:
            super().keyPressEvent(event)
