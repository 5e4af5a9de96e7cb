"""Fields to type in: a number without trailing zeros, and a line whose Escape restores it."""

from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit

from gpuplanner.ui.words import numbers

# --- A field for a number that shows no zeros after it: 64 as 64, 12.5 as 12.5 -------------------


class PlainNumber(QDoubleSpinBox):
    """Written as every number of the window is."""

    def textFromValue(self, value: float) -> str:
        """The number in as few digits as it needs."""
        return numbers.significant(value)


# --- A line to type in whose Escape takes back what was typed -------------------------------------


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
