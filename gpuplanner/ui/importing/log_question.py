"""One thing that a job log leaves open, asked in a row: a sentence and a box with the likely answers."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken


class LogQuestion(QWidget):
    """Hidden until `ask`; `answer` is empty until then. Any text may be typed."""

    changed = Signal()

    def __init__(self, sentence: str, name: str, tip: str) -> None:
        super().__init__()
        self.box = QComboBox()
        self.box.setEditable(True)
        self.box.setAccessibleName(spoken(name))
        set_tip(self.box, spoken(tip))
        self.box.setMinimumContentsLength(18)
        completer = self.box.completer()  # Oslo finds Europe/Oslo
        assert completer is not None, "what is typed into has one"
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.box.currentTextChanged.connect(lambda _: self.changed.emit())
        self.label = PlainLabel(spoken(sentence))
        self.label.setBuddy(self.box)
        self._meaning = PlainLabel()
        self._meaning.setProperty("role", "muted")
        self._meaning.setFont(font("small"))
        self._meaning.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.label)
        row.addWidget(self.box)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self._meaning)
        self._meaning.hide()
        self._is_asked = False
        self.hide()

    @property
    def is_asked(self) -> bool:
        """Whether it stands there to be answered."""
        return self._is_asked

    @property
    def answer(self) -> str:
        """What is chosen or typed; empty where nothing was asked."""
        return self.box.currentText().strip() if self._is_asked else ""

    def show_meaning(self, text: str) -> None:
        """What the answer makes of a value of the log; empty: nothing."""
        self._meaning.setText(spoken(text))
        self._meaning.setVisible(bool(text))

    def ask(self, choices: Sequence[str], chosen: str) -> None:
        """Show the question with its likely answers and one of them chosen; says nothing by itself."""
        self.box.blockSignals(True)
        if not self.box.count():
            self.box.addItems(choices)
        self.box.setCurrentText(chosen)
        self.box.blockSignals(False)
        self._is_asked = True
        self.show()
