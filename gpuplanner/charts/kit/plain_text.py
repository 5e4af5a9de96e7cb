"""Names from data on the screen: labels, tool tips and buttons show them as plain text, never as markup.

Qt renders text that resembles HTML, loads the pictures in it, and underlines the letter after an ampersand. Names
come from logs, so every label and tool tip is made here: plain unless it is `Markup`.
"""

import re
from collections.abc import Callable
from html import escape
from typing import Final

from PySide6.QtCore import QEvent, QPoint, QSize, Qt
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtGui import Qt as TextQt
from PySide6.QtWidgets import QLabel, QMenu, QToolTip, QWidget

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.message import NO_WORDS, Message, Text
from gpuplanner.lazy_re import lazy_re

AS_WRITTEN: Final = "white-space:pre-wrap"
LONGEST_ON_BUTTON: Final = 120
_MARKED: Final = lazy_re("&(.)", re.DOTALL)


class Markup(str):
    """HTML from our own code; parts from data are escaped first (`escaped`)."""

    __slots__ = ()


class PlainLabel(QLabel):
    """A label that shows its text without markup; a `Message` follows the currency."""

    def __init__(self, text: Text = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: Message = NO_WORDS
        self.setTextFormat(Qt.TextFormat.PlainText)
        if text:
            self.setText(text)

    def setText(self, text: Text) -> None:
        self._words = text if isinstance(text, Message) else NO_WORDS
        super().setText(spoken(text))

    def show_text(self, text: Text) -> None:
        """Show a text; an empty text hides the label."""
        self.setText(text)
        self.setVisible(bool(spoken(text)))

    def changeEvent(self, event: QEvent) -> None:
        """Rewrite the text when the currency changes."""
        if event.type() == QEvent.Type.LanguageChange and self._words:
            self.setText(self._words)
        super().changeEvent(event)

    def minimumSizeHint(self) -> QSize:
        """Return a size that shows all wrapped lines; Qt's own hint cuts long texts."""
        least = super().minimumSizeHint()
        lines_px = self.heightForWidth(self.width()) if self.wordWrap() and self.isVisible() else 0
        return QSize(least.width(), max(least.height(), lines_px))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.wordWrap() and event.size().width() != event.oldSize().width():
            self.updateGeometry()


class MarkupLabel(PlainLabel):
    """A label that also renders `Markup`, for links and bold words; any other text is plain."""

    def setText(self, text: Text) -> None:
        """Set the text; only `Markup` is rendered as HTML."""
        self.setTextFormat(Qt.TextFormat.RichText if isinstance(text, Markup) else Qt.TextFormat.PlainText)
        super().setText(text)


def escaped(text: str) -> str:
    """Escape a text for `Markup`, also within quotes; line ends become <br>.

    >>> escaped("<b>A & B")
    '&lt;b&gt;A &amp; B'
    """
    return escape(text).replace("\n", "<br>")


def tip_text(text: str) -> str:
    """Return a tool tip that Qt shows literally; `Markup` is unchanged. For a model's tool tip role.

    >>> tip_text("one-gpu"), tip_text("<b>x")
    ('one-gpu', "<p style='white-space:pre-wrap'>&lt;b&gt;x</p>")
    """
    if isinstance(text, Markup) or not TextQt.mightBeRichText(text):
        return text
    return Markup(f"<p style='{AS_WRITTEN}'>{escaped(text)}</p>")


def set_tip(of: QWidget | QAction, text: str) -> None:
    """Set the tool tip of a widget or an action.

    text: plain unless it is `Markup`; empty removes the tool tip.
    """
    of.setToolTip(tip_text(text))


def show_tip_at(place: QPoint, text: str, over: QWidget, tip: str = "") -> None:
    """Show a tool tip now at a screen position.

    place: screen pixels. text: as for `set_tip`. tip: a finished tool tip to show below.
    """
    QToolTip.showText(place, "<br>".join(filter(None, (tip_text(text), tip))), over)


def on_button(name: str) -> str:
    r"""Return a name for a button or a menu: one line of at most 120 characters, with visible ampersands.

    Qt reads a single ampersand as a mnemonic and a tab as the start of a shortcut.

    >>> on_button("R&D\tx")
    'R&&D x'
    """
    line = "".join(letter if letter.isprintable() else " " for letter in name)
    shown = line if len(line) <= LONGEST_ON_BUTTON else f"{line[:LONGEST_ON_BUTTON]}\u2026"
    return shown.replace("&", "&&")


def off_button(text: str) -> str:
    """Return the visible words of a button or a menu entry: the reverse of `on_button`.

    >>> off_button("&Open R&&D")
    'Open R&D'
    """
    return _MARKED.sub(r"\1", text)


def add_named(menu: QMenu, name: str, does: Callable[..., object] | None = None) -> QAction:
    """Add a menu entry with a name from data, and return it.

    does: callback without arguments.
    """
    action = menu.addAction(on_button(name))
    set_tip(action, name)
    if does is not None:
        action.triggered.connect(lambda _=False: does())
    return action
