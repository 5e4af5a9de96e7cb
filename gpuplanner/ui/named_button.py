"""A button that is called what it says, and is pressed by Enter only while it has the keyboard."""

from PySide6.QtWidgets import QPushButton

from gpuplanner.ui.said import spoken


def named_button(name: str, tip: str) -> QPushButton:
    """The button with its tool tip."""
    button = QPushButton(spoken(name))
    button.setAccessibleName(spoken(name))
    button.setToolTip(spoken(tip))
    button.setAutoDefault(False)
    return button
