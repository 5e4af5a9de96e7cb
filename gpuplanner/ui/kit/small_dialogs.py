"""Small dialogs: an error with its remedy, a question with answers, a line of text."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from PySide6 import QtCore, QtGui, QtWidgets

from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.kit.dialogs import dialog_column, exec_once, foot, titled
from gpuplanner.ui.kit.layout import add, grid, named
from gpuplanner.ui.kit.page_parts import label


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
