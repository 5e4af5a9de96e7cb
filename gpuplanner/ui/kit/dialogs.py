"""Dialogs: what they share, errors, questions, progress."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Final

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, sentence, set_tip, spoken, tr
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.kit.layout import STRETCH, Part, add, column, grid, named, row
from gpuplanner.ui.kit.page_parts import heading_label, label, named_button, retell
from gpuplanner.ui.kit.theme import text_px, text_scale

# --- What dialogs share: a size within the screen, a title with a note, a way back, and the one button that goes on

FRAME_PX: Final = 36
"""What a window manager may put above a dialog's content, and what of the window beside it is seen."""
LOWEST_PX: Final = 420
"""A dialog of rows that is lower than this shows too few of them."""


def resize_within_screen(dialog: QWidget, width: int, height: int) -> None:
    """Give a dialog this size, or what the screen of its parent has room for."""
    room = (dialog.parentWidget() or dialog).screen().availableGeometry()
    most = room.width() - FRAME_PX, room.height() - FRAME_PX
    dialog.resize(min(text_px(width), most[0]), min(text_px(height), most[1]))


def stand_below(dialog: QWidget, widget: QWidget) -> None:
    """Stand under a widget of the parent, lower if need be; in the middle where there is no room for that."""
    window = widget.window()
    room = widget.screen().availableGeometry()
    top = widget.mapToGlobal(QPoint(0, widget.height())).y()
    if (height := min(window.geometry().bottom(), room.bottom()) - top - FRAME_PX) >= LOWEST_PX:
        dialog.resize(dialog.width(), min(dialog.height(), height))
        middle = window.geometry().center().x() - dialog.width() // 2
        dialog.move(max(room.left(), middle), top)


def titled(dialog: QDialog, title: Text, least_px: int = 0) -> str:
    """What a dialog is called, in its frame and to who listens: these words, spoken. least_px: its width at least."""
    words = spoken(title)
    dialog.setWindowTitle(words)
    dialog.setAccessibleName(words)
    dialog.setMinimumWidth(least_px)
    return words


def title_and_note(title: str, note: str) -> tuple[PlainLabel, PlainLabel]:
    """What a dialog is about, and under it, muted, what it does."""
    return heading_label(title), label(note, role="muted", is_wrapped=True)


def dialog_column(dialog: QDialog, *parts: Part) -> QVBoxLayout:
    """What a dialog holds, from the top down, with the margins of all of them; more can be added to it."""
    made = column(*parts, on=dialog, margins=(20, 18, 20, 16), spacing=8)
    for widget in (dialog, *dialog.findChildren(QWidget)) if text_scale() != 1 else ():
        widget.setMinimumWidth(text_px(widget.minimumWidth()))
    return made


def note_label(lines: int, role: str = "") -> PlainLabel:
    """Words that change, with room for so many lines of them: nothing moves when they do."""
    made = label(role=role, is_wrapped=True)
    made.setMinimumHeight(lines * made.fontMetrics().lineSpacing() + 4)
    return made


def open_once(dialog: QDialog) -> None:
    """Open a dialog that goes when it is closed."""
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()


def tell_whether(
    note: PlainLabel, button: QPushButton, why: str, words: str, tip: str, first: str = ""
) -> None:
    """Say what the fields of a dialog mean, or in red why that cannot be; then the button waits, with the same tip.

    first: what is to be entered before anything is called wrong, said in place of why; empty where something is.
    """
    is_wrong = bool(why) and not first
    retell(note, (first or why) if why else words, "red" if is_wrong else "muted")
    button.setEnabled(not why)
    set_tip(button, why or tip)


def primary_button(text: str, pressed: Callable[[], object]) -> QPushButton:
    """The one that goes on, which Enter presses too."""
    button = named(QPushButton(text, default=True), text, step="strong")
    button.setProperty("primary", True)
    button.clicked.connect(pressed)
    return button


def cancel_button(dialog: QDialog, tip: str = "") -> QPushButton:
    """Leaves the dialog as Esc does; never the button that Enter presses. tip: what else than nothing it does."""
    return named_button(tr("Cancel"), tip or tr("Change nothing (Esc)"), dialog.reject)


def close_button(dialog: QDialog) -> QPushButton:
    """Leaves a dialog whose changes are done as they are made."""
    return named_button(tr("Close"), tr("Close (Esc)"), dialog.accept)


def foot(*buttons: Part) -> QHBoxLayout:
    """The buttons side by side at the right."""
    return row(STRETCH, *buttons, spacing=8)


def takes_enter(dialog: QDialog, event: QKeyEvent) -> bool:
    """Whether a key was Enter: in a dialog of fields it takes a value or presses a button, and does not close it."""
    if event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
        return False
    if isinstance(focused := dialog.focusWidget(), QPushButton | QToolButton):
        focused.click()
    return True


class AnsweringDialog(QDialog):
    """A dialog that knows why its figures are what they are."""

    # figure id, the widget it stands in, and where (QRect; None: all of it)
    figure_opened = Signal(str, object, object)

    def trace(self, figure_id: str) -> Trace:
        """The answer for one of its figures. Errors: KeyError where it is none of its own."""
        raise KeyError(figure_id)


# --- Small dialogs: an error with its remedy, a question with named answers, one line of text ----


class Question(QDialog):
    """A title, a sentence and buttons that begin with verbs; `answer` is the one pressed, empty for Esc."""

    def __init__(
        self, parent: QWidget | None, title: Text, text: Text, answers: tuple[Text, ...], note: str = ""
    ) -> None:
        super().__init__(parent)
        self.answer: Text = ""
        heading = label(titled(self, title, 420), step="title", is_wrapped=True)
        body = label(spoken(text), is_wrapped=True)
        body.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.layout_ = dialog_column(self, heading, body)
        remedy = label(spoken(note), role="muted", is_wrapped=True) if note else None
        self.row = foot()
        for number, name in enumerate(answers):
            button = named(QPushButton(tr(name)), tr(name), step="strong")
            is_last = number == len(answers) - 1
            button.setProperty("primary", is_last)
            button.setDefault(is_last)
            button.clicked.connect(lambda _=False, name=name: self._answer(name))
            self.row.addWidget(button)
        add(self.layout_, remedy, 8, self.row)
        button.setFocus()  # the last one: Enter and Space both give the answer that loses nothing

    def showEvent(self, event: QShowEvent) -> None:
        """As high as its words at the width it has: labels that wrap ask for more before they know their width."""
        super().showEvent(event)
        self.resize(self.width(), self.layout_.totalHeightForWidth(self.width()))

    def _answer(self, name: Text) -> None:
        """Closes with the answer of a button."""
        self.answer = name
        self.accept()


def ask(parent: QWidget | None, title: str, text: str, answers: tuple[Text, ...]) -> Text:
    """The answer that was chosen, or an empty text.

    Waits for it; empty where the dialog was closed.
    """
    dialog = Question(parent, title, text, answers)
    dialog.exec()
    return dialog.answer


def ask_text(parent: QWidget | None, title: str, words: str, value: str, verb: str) -> str:
    """One line of text, or an empty one where the planner thought better of it. words: what is asked for."""
    return next(iter(ask_fields(parent, title, words, {words: value}, verb)), "")


def ask_fields(
    parent: QWidget | None, title: str, words: str, fields: Mapping[str, str], verb: str
) -> tuple[str, ...]:
    """A line of text for each title, filled in at first; nothing where the planner thought better of it."""
    dialog = Question(parent, title, words, ("Cancel", verb))
    lines = [named(QLineEdit(value), name) for name, value in fields.items()]
    names = (
        None if name is words else label(name, of=line) for name, line in zip(fields, lines, strict=True)
    )
    dialog.layout_.insertLayout(2, grid(*zip(names, lines, strict=True), spacing=(8, 6)))
    lines[0].selectAll()
    lines[0].setFocus()
    dialog.exec()
    return tuple(line.text().strip() for line in lines) if dialog.answer == verb else ()


def show_error(parent: QWidget | None, error: Exception) -> None:
    """Where, what, remedy."""
    if isinstance(error, PlannerError):
        fault, remedy = f"{sentence(error.what)}.", f"{sentence(error.remedy)}."
        Question(parent, error.where, fault, ("Close",), remedy).exec()
    else:
        text = tr("gpuplanner failed. Loaded data is safe.")
        detail = tr("{name}: {error}", name=type(error).__name__, error=error)
        Question(parent, tr("This did not work"), text, ("Close",), detail).exec()


@contextmanager
def errors_in_dialog(parent: QWidget | None) -> Iterator[None]:
    """What is refused inside is said over the parent, and nothing after it is done."""
    try:
        yield
    except PlannerError as error:
        show_error(parent, error)


# --- Progress of long work: seen after 300 ms, always with a Cancel that works -------------------

DELAY_MS = 300


class ProgressDialog(QDialog):
    """Told how far the work is; emits cancelled."""

    cancelled = Signal()

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        heading = heading_label(titled(self, title, 420))
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self._text = label(tr("Starting"), role="muted")
        self._bar = named(QProgressBar(maximum=1000, textVisible=False), tr("Progress"))
        # Enter that was meant for the window before this one stops no work
        cancel = cancel_button(self, tr("Stop; loaded data does not change (Esc)"))
        dialog_column(self, heading, self._text, self._bar, 4, foot(cancel))
        self._is_over = False
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.show)

    def begin(self) -> None:
        """Count the 300 ms from now.

        Work that is done sooner shows no dialog at all.
        """
        self._is_over = False
        self._timer.start(DELAY_MS)

    def show_progress(self, fraction: float, text: Text) -> None:
        """Share done 0..1, and what is being done."""
        self._bar.setValue(round(1000 * fraction))
        self._text.setText(sentence(text))

    def end(self) -> None:
        """The work is over."""
        self._is_over = True
        self._timer.stop()
        self.hide()

    def reject(self) -> None:
        """Cancels once, however it is closed: by button, key or frame."""
        was_over, self._is_over = self._is_over, True
        self._timer.stop()
        self.hide()
        if not was_over:
            self.cancelled.emit()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Closing the frame is cancelling."""
        self.reject()
        event.accept()
