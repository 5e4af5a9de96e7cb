"""The foot of a dialog that asks before it acts: a way back, and the one button that goes on, at the right."""

from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton

from gpuplanner.charts.shown_text import set_tip
from gpuplanner.ui.said import said, spoken


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
