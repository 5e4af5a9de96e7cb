"""A line to type in that keeps nothing of the keyboard which is not its own: Escape and Undo are of what is typed."""

from PySide6.QtCore import QEvent, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

OF_EDITING = (QKeySequence.StandardKey.Undo, QKeySequence.StandardKey.Redo)


class TypedField(QLineEdit):
    """Told what holds; says what was typed instead when it is entered. Where nothing is typed, Undo is the window's."""

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

    def event(self, event: QEvent) -> bool:
        """Leaves Undo and Redo to the window where nothing is typed."""
        if (
            isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.ShortcutOverride
            and not self.is_typed
            and any(event.matches(key) for key in OF_EDITING)
        ):
            event.ignore()
            return False
        return super().event(event)

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
