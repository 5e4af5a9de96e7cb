"""Dialogs: shared parts, errors, questions, progress."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.plain_text import PlainLabel, sentence, set_tip, spoken, tr
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.kit.layout import STRETCH, Part, add, column, grid, named, row
from gpuplanner.ui.kit.page_parts import heading_label, label, named_button, retell
from gpuplanner.ui.kit.theme import text_px, text_scale

# --- Shared parts of dialogs: size within the screen, title and note, cancel and primary buttons --

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


# --- Small dialogs: an error with its remedy, a question with named answers, a line of text -------


class Question(QtWidgets.QDialog):
    """A dialog with a title, a sentence and buttons named by verbs; `answer` is the pressed one, "" for Esc."""

    def __init__(
        self,
        parent: QtWidgets.QWidget | None,
        title: Text,
        text: Text,
        answers: tuple[Text, ...],
        note: str = "",
    ) -> None:
        super().__init__(parent)
        self.answer: Text = ""
        heading = label(titled(self, title, 420), step="title", is_wrapped=True)
        body = label(spoken(text), is_wrapped=True)
        body.setTextInteractionFlags(QtCore.Qt.TextInteractionFlag.TextSelectableByMouse)
        self.layout_ = dialog_column(self, heading, body)
        remedy = label(spoken(note), role="muted", is_wrapped=True) if note else None
        self.row = foot()
        for number, name in enumerate(answers):
            button = named(QtWidgets.QPushButton(tr(name)), tr(name), step="strong")
            is_last = number == len(answers) - 1
            button.setProperty("primary", is_last)
            button.setDefault(is_last)
            button.clicked.connect(lambda _=False, name=name: self._answer(name))
            self.row.addWidget(button)
        add(self.layout_, remedy, 8, self.row)
        button.setFocus()  # the last button: Enter and Space give the safe answer

    def showEvent(self, event: QtGui.QShowEvent) -> None:
        """Set the height to fit wrapped labels, which request too much before their width is known."""
        super().showEvent(event)
        self.resize(self.width(), self.layout_.totalHeightForWidth(self.width()))

    def _answer(self, name: Text) -> None:
        """Close with a button's answer."""
        self.answer = name
        self.accept()


def ask(parent: QtWidgets.QWidget | None, title: str, text: str, answers: tuple[Text, ...]) -> Text:
    """Ask a question and wait. Returns the chosen answer, or "" if the dialog was closed."""
    dialog = Question(parent, title, text, answers)
    exec_once(dialog)
    return dialog.answer


def ask_text(parent: QtWidgets.QWidget | None, title: str, words: str, value: str, verb: str) -> str:
    """Ask for a line of text; "" if cancelled. words: the requested input."""
    return next(iter(ask_fields(parent, title, words, {words: value}, verb)), "")


def ask_fields(
    parent: QtWidgets.QWidget | None, title: str, words: str, fields: Mapping[str, str], verb: str
) -> tuple[str, ...]:
    """Ask for a line of text per title, with initial values; empty if cancelled."""
    dialog = Question(parent, title, words, ("Cancel", verb))
    lines = [named(QtWidgets.QLineEdit(value), name) for name, value in fields.items()]
    names = (
        None if name is words else label(name, of=line) for name, line in zip(fields, lines, strict=True)
    )
    dialog.layout_.insertLayout(2, grid(*zip(names, lines, strict=True), spacing=(8, 6)))
    lines[0].selectAll()
    lines[0].setFocus()
    exec_once(dialog)
    return tuple(line.text().strip() for line in lines) if dialog.answer == verb else ()


def show_error(parent: QtWidgets.QWidget | None, error: Exception) -> None:
    """Show an error: place, problem, remedy."""
    if isinstance(error, PlannerError):
        fault, remedy = f"{sentence(error.what)}.", f"{sentence(error.remedy)}."
        exec_once(Question(parent=parent, title=error.where, text=fault, answers=("Close",), note=remedy))
    else:
        text = tr("gpuplanner failed. Loaded data is safe.")
        detail = tr("{title}: {value}", title=type(error).__name__, value=error)
        exec_once(
            Question(parent=parent, title=tr("This did not work"), text=text, answers=("Close",), note=detail)
        )


@contextmanager
def errors_in_dialog(parent: QtWidgets.QWidget | None) -> Iterator[None]:
    """Show an error raised in this context over the parent, and skip the rest."""
    try:
        yield
    except PlannerError as error:
        show_error(parent, error)


# --- Progress of long work: shown after 300 ms, always with a working Cancel ----------------------

DELAY_MS = 300


class ProgressDialog(QtWidgets.QDialog):
    """A dialog that shows progress, and signals a cancellation."""

    cancelled = QtCore.Signal()

    def __init__(self, title: str, parent: QtWidgets.QWidget | None = None) -> None:
        super().__init__(parent)
        heading = heading_label(titled(self, title, 420))
        self.setWindowModality(QtCore.Qt.WindowModality.WindowModal)
        self.text_label = label(tr("Starting"), role="muted")
        self._bar = named(QtWidgets.QProgressBar(maximum=1000, textVisible=False), tr("Progress"))
        # an Enter meant for the window before must not cancel
        cancel = cancel_button(self, tr("Stop; loaded data does not change (Esc)"))
        dialog_column(self, heading, self.text_label, self._bar, 4, foot(cancel))
        self._is_over = False
        self._timer = QtCore.QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.show)

    def begin(self) -> None:
        """Start the delay of 300 ms; shorter work shows no dialog."""
        self._is_over = False
        self._timer.start(DELAY_MS)

    def show_progress(self, fraction: float, text: Text) -> None:
        """Show the share done, 0..1, and the present step."""
        self._bar.setValue(round(1000 * fraction))
        self.text_label.setText(sentence(text))

    def end(self) -> None:
        """Finish, and remove the dialog."""
        self._is_over = True
        self._timer.stop()
        self.hide()
        self.deleteLater()

    def reject(self) -> None:
        """Cancel once, whether by button, key or frame."""
        was_over, self._is_over = self._is_over, True
        self._timer.stop()
        self.hide()
        if not was_over:
            self.cancelled.emit()

    def closeEvent(self, event: QtGui.QCloseEvent) -> None:
        """Cancel when the frame is closed."""
        self.reject()
        event.accept()
