"""A figure outside of a table that answers 'Why this number?'."""

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit import type_scale


class FigureButton(QtWidgets.QToolButton):
    """Told its text, what it is the figure of, and its id; without an id it is words alone."""

    figure_asked = QtCore.Signal(str)  # figure id

    def __init__(self, step: str = "strong") -> None:
        super().__init__()
        self.figure_id = ""
        self.setObjectName("figure")
        self.setFont(type_scale.font(step))
        self.clicked.connect(self.ask_why)
        self.show_figure("", "", "")

    def show_figure(self, text: str, of_what: Text, figure_id: str) -> None:
        """Another figure."""
        self.figure_id = figure_id
        self.setText(text)
        self.setAccessibleName(f"{of_what}: {text}")
        set_tip(self, tr("Why this number? Enter or F1") if figure_id else "")
        self.setFocusPolicy(QtCore.Qt.FocusPolicy.TabFocus if figure_id else QtCore.Qt.FocusPolicy.NoFocus)
        shape = QtCore.Qt.CursorShape.PointingHandCursor if figure_id else QtCore.Qt.CursorShape.ArrowCursor
        self.setCursor(shape)

    def ask_why(self) -> None:
        """Ask about it."""
        if self.figure_id:
            self.figure_asked.emit(self.figure_id)

    def keyPressEvent(self, event: QtGui.QKeyEvent) -> None:
        """Return and F1 ask why."""
        if event.key() in (QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter, QtCore.Qt.Key.Key_F1):
            self.ask_why()
        else:
            super().keyPressEvent(event)
