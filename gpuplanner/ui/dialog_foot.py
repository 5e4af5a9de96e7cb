"""What dialogs that ask before they act share: a title with a note, a way back, and the one button that goes on."""

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.ui.said import said, spoken
from gpuplanner.ui.type_scale import font


def title_and_note(title: str, note: str) -> tuple[PlainLabel, PlainLabel]:
    """What a dialog is about, and under it, muted, what it does."""
    heading, under = PlainLabel(title), PlainLabel(note)
    heading.setFont(font("title"))
    under.setProperty("role", "muted")
    under.setWordWrap(True)
    return heading, under


def primary_button(text: str, pressed: Callable[[], object]) -> QPushButton:
    """The one that goes on, which Enter presses too."""
    button = QPushButton(text)
    button.setAccessibleName(text)
    button.setProperty("primary", True)
    button.setFont(font("strong"))
    button.setDefault(True)
    button.clicked.connect(pressed)
    return button


def cancel_button(dialog: QDialog, tip: str) -> QPushButton:
    """Leaves the dialog as Esc does; never the button that Enter presses. tip: what stays as it is."""
    button = QPushButton(said("Cancel"))
    button.setAccessibleName(said("Cancel"))
    set_tip(button, spoken(tip))
    button.setAutoDefault(False)
    button.clicked.connect(dialog.reject)
    return button


def foot(*buttons: QPushButton) -> QHBoxLayout:
    """The buttons side by side at the right."""
    row = QHBoxLayout()
    row.setSpacing(8)
    row.addStretch(1)
    for button in buttons:
        row.addWidget(button)
    return row
