"""Labels of panels: quiet words, and headings; always plain text, since names come from logs."""

from PySide6.QtWidgets import QLabel

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.ui.said import spoken
from gpuplanner.ui.type_scale import font


def muted_label(text: str = "", *, is_wrapped: bool = True) -> QLabel:
    """Small, quiet words, in as many lines as they need where they are wrapped."""
    label = PlainLabel(spoken(text))
    label.setProperty("role", "muted")
    label.setFont(font("small"))
    label.setWordWrap(is_wrapped)
    return label


def heading_label(text: str) -> QLabel:
    """What a part of a panel is called."""
    label = PlainLabel(spoken(text))
    label.setFont(font("title"))
    return label
