"""Parts of all dialogs: size within the screen, title and note, cancel and primary buttons."""

from collections.abc import Callable
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit.layout import STRETCH, Part, column, named, row
from gpuplanner.ui.kit.page_parts import heading_label, label, named_button, retell
from gpuplanner.ui.kit.type_scale import text_px, text_scale

FRAME_PX: Final = 36
"""Height of a window manager's frame, and the part of the window that stays visible around a dialog."""
LOWEST_PX: Final = 420
"""Smaller dialogs show too few rows."""


def resize_within_screen(dialog: QtWidgets.QWidget, width: int, height: int) -> None:
    """Set a dialog's size in pixels, at most that of its parent's screen."""
    room = (dialog.parentWidget() or dialog).screen().availableGeometry()
    most = room.width() - FRAME_PX, room.height() - FRAME_PX
    dialog.resize(min(text_px(width), most[0]), min(text_px(height), most[1]))


def stand_below(dialog: QtWidgets.QWidget, widget: QtWidgets.QWidget) -> None:
    """Place a dialog below a widget of its parent, less high if needed; centered if there is too little space."""
    window = widget.window()
    room = widget.screen().availableGeometry()
    top = widget.mapToGlobal(QtCore.QPoint(0, widget.height())).y()
    if (height := min(window.geometry().bottom(), room.bottom()) - top - FRAME_PX) >= LOWEST_PX:
        dialog.resize(dialog.width(), min(dialog.height(), height))
        middle = window.geometry().center().x() - dialog.width() // 2
        dialog.move(max(room.left(), middle), top)


def titled(dialog: QtWidgets.QDialog, title: Text, least_px: int = 0) -> str:
    """Set the dialog's title and its accessible name. Returns the translated title. least_px: minimum width."""
    words = spoken(title)
    dialog.setWindowTitle(words)
    dialog.setAccessibleName(words)
    dialog.setMinimumWidth(least_px)
    return words


def title_and_note(title: str, note: str) -> tuple[PlainLabel, PlainLabel]:
    """Return the heading of a dialog and a muted explanation below it."""
    return heading_label(title), label(note, role="muted", is_wrapped=True)


def dialog_column(dialog: QtWidgets.QDialog, *parts: Part) -> QtWidgets.QVBoxLayout:
    """Arrange the parts of a dialog from top to bottom, with the margins of all dialogs. Returns the layout."""
    made = column(*parts, on=dialog, margins=(20, 18, 20, 16), spacing=8)
    for widget in (dialog, *dialog.findChildren(QtWidgets.QWidget)) if text_scale() != 1 else ():
        widget.setMinimumWidth(text_px(widget.minimumWidth()))
    return made


def note_label(lines: int, role: str = "") -> PlainLabel:
    """Return a label for changing texts with space for `lines` lines, so that the layout stays."""
    made = label(role=role, is_wrapped=True)
    made.setMinimumHeight(lines * made.fontMetrics().lineSpacing() + 4)
    return made


def open_once(dialog: QtWidgets.QDialog) -> None:
    """Open a dialog that is deleted when closed."""
    dialog.setAttribute(QtCore.Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def exec_once(dialog: QtWidgets.QDialog) -> None:
    """Show a dialog until it is closed; what it says can be read until control is back in the event loop.

    Then it is deleted: the window that it belongs to would keep it for good.
    """
    dialog.exec()
    dialog.deleteLater()


def tell_whether(
    note: PlainLabel, button: QtWidgets.QPushButton, why: str, words: str, tip: str, first: str = ""
) -> None:
    """Show the meaning of a dialog's fields, or the problem in red; the button is then disabled, with the problem as
    tip.

    first: the missing input, shown in place of `why` before any input is wrong; otherwise "".
    """
    is_wrong = bool(why) and not first
    retell(note, (first or why) if why else words, "red" if is_wrong else "muted")
    button.setEnabled(not why)
    set_tip(button, why or tip)


def primary_button(text: str, pressed: Callable[[], object]) -> QtWidgets.QPushButton:
    """Return the primary button, which Enter also presses."""
    button = named(QtWidgets.QPushButton(text, default=True), text, step="strong")
    button.setProperty("primary", True)
    button.clicked.connect(pressed)
    return button


def cancel_button(dialog: QtWidgets.QDialog, tip: str = "") -> QtWidgets.QPushButton:
    """Return a button that closes the dialog as Esc does; never the default. tip: its effect, if it has any."""
    return named_button(tr("Cancel"), tip or tr("Change nothing (Esc)"), dialog.reject)


def close_button(dialog: QtWidgets.QDialog) -> QtWidgets.QPushButton:
    """Return a button that closes a dialog whose changes apply immediately."""
    return named_button(tr("Close"), tr("Close (Esc)"), dialog.accept)


def foot(*buttons: Part) -> QtWidgets.QHBoxLayout:
    """Return a row of buttons, aligned right."""
    return row(STRETCH, *buttons, spacing=8)


def takes_enter(dialog: QtWidgets.QDialog, event: QtGui.QKeyEvent) -> bool:
    """Return whether a key was Enter, and press the focused button; in a dialog with fields Enter does not close it."""
    if event.key() not in (QtCore.Qt.Key.Key_Return, QtCore.Qt.Key.Key_Enter):
        return False
    if isinstance(focused := dialog.focusWidget(), QtWidgets.QPushButton | QtWidgets.QToolButton):
        focused.click()
    return True


class AnsweringDialog(QtWidgets.QDialog):
    """A dialog that can explain its figures."""

    # figure id, its widget, and the rectangle in it (None: all of the widget)
    figure_opened = QtCore.Signal(str, object, object)

    def trace(self, figure_id: str) -> Trace:
        """Return the explanation of one of its figures. Errors: KeyError for any other figure."""
        raise KeyError(figure_id)
