"""The frame of a card on a page: title, unit, note and contents; and its empty state."""

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QFrame, QWidget

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.layout import STRETCH, add, column, named, row
from gpuplanner.ui.kit.page_parts import ElidedLabel, heading_label, label, muted_label, named_button

UNIT_LETTERS: Final = 14


class CardFrame(QFrame):
    """A card with a title; `body` arranges its contents from top to bottom."""

    def __init__(self, title: Text, muted: Text = "") -> None:
        super().__init__()
        named(self, spoken(title), look="card")
        self.title = title
        self._head = heading_label(title)
        self.muted, self._note = (ElidedLabel(role="muted", step="small") for _ in range(2))
        self.say(muted)
        self.head = row(spacing=8)
        self.head.addStrut(18)  # titles of neighbors are at the same height
        add(self.head, self._head, self.muted, STRETCH, self._note)
        self.body = column(self.head, on=self, margins=(14, 8, 14, 8), spacing=2)

    def rename(self, title: str) -> None:
        """Change the title, also for screen readers."""
        self.title = title
        self.setAccessibleName(spoken(title))
        self._head.setText(spoken(title))

    def say(self, muted: Text) -> None:
        """Set the text after the title, a unit or a period. A unit is never cut: the note is."""
        self.muted.setText(muted)
        is_unit = len(self.muted.whole) <= UNIT_LETTERS
        self.muted.setMinimumWidth(max(24, self.muted.sizeHint().width() if is_unit else 0))

    def note(self, text: Text) -> None:
        """Set the note at the right, an explanation of the figures."""
        self._note.setText(text)


class EmptyState(QWidget):
    """A missing item in one sentence, with a button to fix it."""

    def __init__(self, title: Text, sentence: str, button: str, do: Callable[[], None]) -> None:
        super().__init__()
        head, words = label(spoken(title), step="strong"), muted_label(spoken(sentence))
        self.button = named_button(button, does=lambda _=False: do(), takes_enter=True)
        parts = (head, words, 4, row(self.button, STRETCH), STRETCH)
        column(*parts, on=self, margins=(0, 12, 0, 12), spacing=4)
