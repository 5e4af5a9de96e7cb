"""Labels and buttons by their words: quiet words, headings, always plain text, since names come from logs."""

from PySide6.QtWidgets import QLabel, QPushButton

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken


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
