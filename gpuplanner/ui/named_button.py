"""A button that is called what it says, and is pressed by Enter only while it has the keyboard."""

from PySide6.QtWidgets import QPushButton


def named_button(name: str, tip: str) -> QPushButton:
    """The button with its tool tip."""
    button = QPushButton(name)
    button.setAccessibleName(name)
    button.setToolTip(tip)
    button.setAutoDefault(False)
    return button
