"""Words of strangers on the screen: labels, tool tips and buttons show them as they stand, as markup never.

Qt takes a text that looks like HTML for HTML, loads the pictures that it names, and underlines what stands after an
ampersand. Names come from logs, so every label and every tool tip is made here: plain, unless it is told `Markup`.
"""

import re
from collections.abc import Callable
from html import escape
from typing import Final

from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAction
from PySide6.QtGui import Qt as TextQt  # its functions for text stand there
from PySide6.QtWidgets import QLabel, QMenu, QToolTip, QWidget

from gpuplanner.charts.kit.translation import spoken
from gpuplanner.domain.message import NO_WORDS, Message, Text

AS_WRITTEN: Final = "white-space:pre-wrap"
LONGEST_ON_BUTTON: Final = 120
_MARKED: Final = re.compile("&(.)", re.DOTALL)


class Markup(str):
    """HTML of ours: whatever in it is not ours is escaped by whoever makes it (`escaped`)."""

    __slots__ = ()


class PlainLabel(QLabel):
    """A label whose text is no markup, whatever stands in it; words of ours (`Message`) follow the currency."""

    def __init__(self, text: Text = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._words: Message = NO_WORDS
        self.setTextFormat(Qt.TextFormat.PlainText)
        if text:
            self.setText(text)

    def setText(self, text: Text) -> None:
        self._words = text if isinstance(text, Message) else NO_WORDS
        super().setText(spoken(text))

    def changeEvent(self, event: QEvent) -> None:
        """Money is written in another currency from now on."""
        if event.type() == QEvent.Type.LanguageChange and self._words:
            self.setText(self._words)
        super().changeEvent(event)


class MarkupLabel(PlainLabel):
    """A label that can be told `Markup`, for links and bold words; any other text is plain here too."""

    def setText(self, text: Text) -> None:
        """text: HTML only where it is `Markup`."""
        is_markup = isinstance(text, Markup)
        self.setTextFormat(Qt.TextFormat.RichText if is_markup else Qt.TextFormat.PlainText)
        super().setText(text)


def escaped(text: str) -> str:
    """Words as a part of `Markup`, also between quotes; line ends stay line ends.

    >>> escaped("<b>A & B")
    '&lt;b&gt;A &amp; B'
    """
    return escape(text).replace("\n", "<br>")


def tip_text(text: str) -> str:
    """A tool tip that Qt shows letter by letter, unless it is `Markup`: what a model answers for its role.

    >>> tip_text("one-gpu"), tip_text("<b>x")
    ('one-gpu', "<p style='white-space:pre-wrap'>&lt;b&gt;x</p>")
    """
    if isinstance(text, Markup) or not TextQt.mightBeRichText(text):
        return text
    return Markup(f"<p style='{AS_WRITTEN}'>{escaped(text)}</p>")


def set_tip(of: QWidget | QAction, text: str) -> None:
    """The tool tip of a widget or an action.

    text: plain unless it is `Markup`; empty takes it away.
    """
    of.setToolTip(tip_text(text))


def show_tip_at(place: QPoint, text: str, over: QWidget) -> None:
    """Show a tool tip now, at a place of the screen.

    place: in pixels of the screen; text as in `set_tip`.
    """
    QToolTip.showText(place, tip_text(text), over)


def on_button(name: str) -> str:
    r"""A name as it stands on a button or in a menu: in one line, of a length to be read, its ampersands to be seen.

    Qt takes a single ampersand for a sign to underline the next letter, and a tab for the beginning of a shortcut.

    >>> on_button("R&D\tx")
    'R&&D x'
    """
    line = "".join(letter if letter.isprintable() else " " for letter in name)
    return (line if len(line) <= LONGEST_ON_BUTTON else f"{line[:LONGEST_ON_BUTTON]}\u2026").replace(
        "&", "&&"
    )


def off_button(text: str) -> str:
    """The words that are read on a button or in a menu: what `on_button` made, or with a letter underlined.

    >>> off_button("&Open R&&D")
    'Open R&D'
    """
    return _MARKED.sub(r"\1", text)


def add_named(menu: QMenu, name: str, does: Callable[..., object] | None = None) -> QAction:
    """An entry of a menu that is called as something in the data is.

    does: called without arguments when it is chosen. Returns the entry.
    """
    action = menu.addAction(on_button(name))
    set_tip(action, name)
    if does is not None:
        action.triggered.connect(lambda _=False: does())
    return action
