"""One thing that a job log leaves open, asked in a row: a sentence and a box with the likely answers."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget


class LogQuestion(QWidget):
    """Hidden until `ask`; `answer` is empty while hidden. Any text may be typed."""

    changed = Signal()

    def __init__(self, sentence: str, name: str, tip: str) -> None:
        super().__init__()
        self.box = QComboBox()
        self.box.setEditable(True)
        self.box.setAccessibleName(name)
        self.box.setToolTip(tip)
        self.box.setMinimumContentsLength(18)
        self.box.currentTextChanged.connect(lambda _: self.changed.emit())
        label = QLabel(sentence)
        label.setBuddy(self.box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(label)
        row.addWidget(self.box)
        row.addStretch(1)
        self.hide()

    @property
    def answer(self) -> str:
        """What is chosen or typed; empty where nothing was asked."""
        return self.box.currentText().strip() if self.isVisible() else ""

    def ask(self, choices: Sequence[str], chosen: str) -> None:
        """Show the question with its likely answers and one of them chosen; says nothing by itself."""
        self.box.blockSignals(True)
        if not self.box.count():
            self.box.addItems(choices)
        self.box.setCurrentText(chosen)
        self.box.blockSignals(False)
        self.show()
