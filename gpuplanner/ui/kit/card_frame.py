"""The frame of a card on the audit page: title, unit beside it, a note at the right, and what it holds."""

from collections.abc import Callable

from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken


class CardFrame(QFrame):
    """Told its words; widgets stand below each other in it."""

    def __init__(self, title: Text, muted: Text = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName(spoken(title))
        self.title = title
        self._head = head = PlainLabel(spoken(title))
        head.setFont(font("title"))
        self._muted, self._note = (
            muted_label(muted, is_wrapped=False),
            muted_label("", is_wrapped=False),
        )
        self.head = QHBoxLayout()
        self.head.setSpacing(8)
        self.head.addStrut(18)  # titles of neighbours stand on one line, whatever is beside them
        self.head.addWidget(head)
        self.head.addWidget(self._muted)
        self.head.addStretch(1)
        self.head.addWidget(self._note)
        self.body = QVBoxLayout(self)
        self.body.setContentsMargins(14, 8, 14, 8)
        self.body.setSpacing(2)
        self.body.addLayout(self.head)

    def rename(self, title: str) -> None:
        """Another title, for screen readers too."""
        self.title = title
        self.setAccessibleName(spoken(title))
        self._head.setText(spoken(title))

    def say(self, muted: str) -> None:
        """What stands beside the title: a unit or a span of time."""
        self._muted.setText(muted)

    def note(self, text: Text) -> None:
        """What stands at the right: how the figures are to be read."""
        self._note.setText(spoken(text))
        set_tip(self._note, spoken(text))
        self._note.setMinimumWidth(0)


class EmptyState(QWidget):
    """What is missing in one sentence, and a button for what to do about it."""

    def __init__(self, title: Text, sentence: str, button: str, do: Callable[[], None]) -> None:
        super().__init__()
        head = PlainLabel(spoken(title))
        head.setFont(font("strong"))
        said = muted_label(spoken(sentence))
        self.button = QPushButton(spoken(button))
        self.button.setAccessibleName(spoken(button))
        self.button.setAutoDefault(True)
        self.button.clicked.connect(lambda _=False: do())
        row = QHBoxLayout()
        row.addWidget(self.button)
        row.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 12)
        layout.setSpacing(4)
        layout.addWidget(head)
        layout.addWidget(said)
        layout.addSpacing(4)
        layout.addLayout(row)
        layout.addStretch(1)
