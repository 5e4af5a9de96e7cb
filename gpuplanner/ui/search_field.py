"""A search field: Esc clears it first, and only then goes to whoever else listens."""

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit


class SearchField(QLineEdit):
    """One line of text to look for."""

    def event(self, event: QEvent) -> bool:
        """Ctrl+E exports from here too: a field takes it for the end of the line on X11."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.ShortcutOverride:
            is_control = event.modifiers() == Qt.KeyboardModifier.ControlModifier
            if is_control and event.key() == Qt.Key.Key_E:
                event.ignore()
                return False
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
            event.accept()
            return
        super().keyPressEvent(event)
