"""Small dialogs: an error with its remedy, a question with named answers, one line of text."""

from PySide6.QtCore import Qt
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.kit.dialogs import dialog_column
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import sentence, spoken, tr


class Question(QDialog):
    """A title, a sentence and buttons that begin with verbs; `answer` is the one pressed, empty for Esc."""

    def __init__(
        self, parent: QWidget | None, title: Text, text: Text, answers: tuple[Text, ...], note: str = ""
    ) -> None:
        super().__init__(parent)
        self.answer: Text = ""
        self.setWindowTitle(spoken(title))
        self.setAccessibleName(spoken(title))
        self.setMinimumWidth(420)
        heading = PlainLabel(spoken(title))
        heading.setFont(font("title"))
        heading.setWordWrap(True)
        body = PlainLabel(spoken(text))
        body.setWordWrap(True)
        body.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.layout_ = dialog_column(self, heading, body)
        if note:
            remedy = PlainLabel(spoken(note))
            remedy.setWordWrap(True)
            remedy.setProperty("role", "muted")
            self.layout_.addWidget(remedy)
        self.row = QHBoxLayout()
        self.row.setSpacing(8)
        self.row.addStretch(1)
        for number, name in enumerate(answers):
            button = QPushButton(tr(name))
            button.setAccessibleName(tr(name))
            button.setFont(font("strong"))
            is_last = number == len(answers) - 1
            button.setProperty("primary", is_last)
            button.setDefault(is_last)
            button.clicked.connect(lambda _=False, name=name: self._answer(name))
            self.row.addWidget(button)
        self.layout_.addSpacing(8)
        self.layout_.addLayout(self.row)
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


def ask_text(parent: QWidget | None, title: str, label: str, value: str, verb: str) -> str:
    """One line of text, or an empty one where the planner thought better of it."""
    dialog = Question(parent, title, label, ("Cancel", verb))
    field = QLineEdit(value)
    field.setAccessibleName(spoken(label))
    field.selectAll()
    dialog.layout_.insertWidget(2, field)
    field.setFocus()
    dialog.exec()
    return field.text().strip() if dialog.answer == verb else ""


def show_error(parent: QWidget | None, error: Exception) -> None:
    """Where, what, remedy."""
    if isinstance(error, PlannerError):
        Question(
            parent,
            error.where,
            f"{sentence(error.what)}.",
            ("Close",),
            f"{sentence(error.remedy)}.",
        ).exec()
    else:
        text = tr("Something in gpuplanner failed. Nothing that was loaded is lost.")
        Question(
            parent,
            tr("This did not work"),
            text,
            ("Close",),
            tr("{name}: {error}", name=type(error).__name__, error=error),
        ).exec()
