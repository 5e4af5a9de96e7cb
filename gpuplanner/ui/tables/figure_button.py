"""A figure outside of a table that answers "Why this number?": by a click, or by Tab and Enter."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QToolButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import tr


class FigureButton(QToolButton):
    """Told its text, what it is the figure of, and its id; without an id it is words alone."""

    figure_asked = Signal(str)  # figure id

    def __init__(self, step: str = "strong", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.figure_id = ""
        self.setObjectName("figure")
        self.setFont(font(step))
        self.clicked.connect(self.ask_why)
        self.show_figure("", "", "")

    def show_figure(self, text: str, of_what: Text, figure_id: str) -> None:
        """Another figure."""
        self.figure_id = figure_id
        self.setText(text)
        self.setAccessibleName(f"{of_what}: {text}")
        set_tip(self, tr("Why this number? Enter or F1") if figure_id else "")
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus if figure_id else Qt.FocusPolicy.NoFocus)
        shape = Qt.CursorShape.PointingHandCursor if figure_id else Qt.CursorShape.ArrowCursor
        self.setCursor(shape)

    def ask_why(self) -> None:
        """Ask about it."""
        if self.figure_id:
            self.figure_asked.emit(self.figure_id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return and F1 ask why."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F1):
            self.ask_why()
        else:
            super().keyPressEvent(event)
