"""A line to type in whose Escape takes back what was typed; whose Undo is whose, own_undo.py decides for all fields."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit


class TypedField(QLineEdit):
    """Told what holds; says what was typed instead when it is entered."""

    entered = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""
        self.returnPressed.connect(self._enter)

    @property
    def is_typed(self) -> bool:
        """Whether it says something else than what holds."""
        return self.text() != self._shown

    def show_value(self, words: str) -> None:
        """What holds now; what is being typed stays."""
        is_kept = self.hasFocus() and self.is_typed
        self._shown = words
        if not is_kept:
            self.setText(words)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape takes back what was typed."""
        if event.matches(QKeySequence.StandardKey.Cancel) and self.is_typed:
            self.setText(self._shown)
        else:
            super().keyPressEvent(event)

    def _enter(self) -> None:
        """Says what was typed."""
        if self.is_typed:
            self.entered.emit(self.text())


class ValueField(TypedField):
    """The value of something: said when it is left, too, and back to what holds until that holds."""

    def __init__(self) -> None:
        super().__init__()
        self.editingFinished.connect(self._enter)

    def _enter(self) -> None:
        if self.is_typed:
            text = self.text()
            self.setText(self._shown)
            self.entered.emit(text)
