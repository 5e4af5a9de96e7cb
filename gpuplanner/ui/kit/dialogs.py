"""What dialogs share: a size within the screen, a title with a note, a way back, and the one button that goes on."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QDialog, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken, tr

FRAME_PX: Final = 36
"""What a window manager may put above a dialog's content."""
LOWEST_PX: Final = 420
"""A dialog of rows that is lower than this shows too few of them."""


def resize_within_screen(dialog: QWidget, width: int, height: int) -> None:
    """Give a dialog this size, or what the screen of its parent has room for."""
    parent = dialog.parentWidget()
    room = (parent or dialog).screen().availableGeometry()
    dialog.resize(min(width, room.width()), min(height, room.height() - FRAME_PX))


def stand_below(dialog: QWidget, widget: QWidget) -> None:
    """Stand under a widget of the parent, lower if need be; in the middle where there is no room for that."""
    window = widget.window()
    room = widget.screen().availableGeometry()
    top = widget.mapToGlobal(QPoint(0, widget.height())).y()
    height = min(window.geometry().bottom(), room.bottom()) - top - FRAME_PX
    if height >= LOWEST_PX:
        dialog.resize(dialog.width(), min(dialog.height(), height))
        middle = window.geometry().center().x() - dialog.width() // 2
        dialog.move(max(room.left(), middle), top)


def title_and_note(title: str, note: str) -> tuple[PlainLabel, PlainLabel]:
    """What a dialog is about, and under it, muted, what it does."""
    heading, under = PlainLabel(title), PlainLabel(note)
    heading.setFont(font("title"))
    under.setProperty("role", "muted")
    under.setWordWrap(True)
    return heading, under


def dialog_column(dialog: QDialog, *widgets: QWidget) -> QVBoxLayout:
    """What a dialog holds, from the top down, with the margins of all of them; these widgets are the first."""
    column = QVBoxLayout(dialog)
    column.setContentsMargins(20, 18, 20, 16)
    column.setSpacing(8)
    for widget in widgets:
        column.addWidget(widget)
    return column


def tell_whether(
    note: PlainLabel, button: QPushButton, why: str, words: str, tip: str, first: str = ""
) -> None:
    """Say what the fields of a dialog mean, or in red why that cannot be; then the button waits, with the same tip.

    first: what is to be entered before anything is called wrong, said in place of why; empty where something is.
    """
    is_wrong = bool(why) and not first
    note.setText((first or why) if why else words)
    note.setProperty("role", "red" if is_wrong else "muted")
    note.style().polish(note)
    button.setEnabled(not why)
    set_tip(button, why or tip)


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
    button = QPushButton(tr("Cancel"))
    button.setAccessibleName(tr("Cancel"))
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
