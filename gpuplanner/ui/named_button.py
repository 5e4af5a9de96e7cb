"""A button that is called what it says, and is pressed by Enter only while it has the keyboard."""

from PySide6.QtWidgets import QPushButton

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.ui.said import spoken


def named_button(name: str, tip: str) -> QPushButton:
    """The button with its tool tip."""
    button = QPushButton(spoken(name))
    button.setAccessibleName(spoken(name))
    set_tip(button, spoken(tip))
    button.setAutoDefault(False)
    return button
