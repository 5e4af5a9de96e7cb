"""Labels and buttons by their words: quiet words, headings, always plain text, since names come from logs."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken


class ElidedLabel(PlainLabel):
    """One line that is cut to an ellipsis where it has no room; its tip then has all of it, or what it is told.

    Shorter words, where there are some, come before the cut.
    """

    def __init__(
        self,
        text: Text = "",
        *,
        role: str = "",
        step: str = "",
        cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
        shorter: Text = "",
    ) -> None:
        """role: of the style sheet; step: of the type scale; cut: where; shorter: words that need less room."""
        super().__init__()
        self.whole, self._cut, self._tip, self._shorter = "", cut, "", spoken(shorter)
        if role:
            self.setProperty("role", role)
        if step:
            self.setFont(font(step))
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def setText(self, text: Text) -> None:
        self.whole = spoken(text)
        self.setAccessibleName(self.whole)
        self.updateGeometry()
        self._fit()

    def show_tip(self, tip: Text) -> None:
        """A tip of its own, whether the words fit or not."""
        self._tip = spoken(tip)
        self._fit()

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self.whole) + 4, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """As much of the words as there is room for."""
        room = self.contentsRect().width()
        has_room = not self._shorter or self.fontMetrics().horizontalAdvance(self.whole) <= room
        fitted = self.fontMetrics().elidedText(self.whole if has_room else self._shorter, self._cut, room)
        if fitted != self.text():
            super().setText(fitted)
        set_tip(self, self._tip or (self.whole if fitted != self.whole else ""))


def named_button(name: Text, tip: Text) -> QPushButton:
    """A button that is called what it says, with its tip; Enter presses it only while it has the keyboard."""
    button = QPushButton(spoken(name))
    button.setAccessibleName(spoken(name))
    set_tip(button, spoken(tip))
    button.setAutoDefault(False)
    return button


def muted_label(text: Text = "", *, is_wrapped: bool = True) -> QLabel:
    """Small, quiet words, in as many lines as they need where they are wrapped."""
    label = PlainLabel(text)
    label.setProperty("role", "muted")
    label.setFont(font("small"))
    label.setWordWrap(is_wrapped)
    return label


def heading_label(text: Text) -> QLabel:
    """What a part of a panel is called."""
    label = PlainLabel(spoken(text))
    label.setFont(font("title"))
    return label
