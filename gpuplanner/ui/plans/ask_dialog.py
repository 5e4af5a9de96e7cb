"""Shows what was asked in words: one sentence, Keep or Discard, or its page; else the nearest questions."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QDialog, QLineEdit, QWidget

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.message import Text
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.layout import STRETCH, column, named
from gpuplanner.ui.kit.page_parts import heading_label, named_button
from gpuplanner.ui.words import numbers


class AskDialog(QDialog):
    """Told the question, then its answer; emits that it is kept, that its page is wanted, or what to ask instead."""

    keep_asked = Signal()
    page_asked = Signal()
    asked_instead = Signal(str)

    def __init__(self, typed: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = dialogs.titled(self, typed, 520)
        self.sentence, self.note = dialogs.note_label(3), dialogs.note_label(1, "muted")
        self.sentence.setText(tr("Calculating"))
        self._waited_s, self.clock = 0, QTimer(self, interval=1000)
        self.clock.timeout.connect(self._count)
        self.clock.start()
        self.keep = dialogs.primary_button(tr("Keep"), self._keep)
        self.page = named_button(tr("Show in window"), tr("Close and open its page"), self._open_page)
        self.discard = named_button(tr("Discard"), tr("Change nothing (Esc)"), self.reject)
        self.again = named(QLineEdit(typed), tr("Question"), tr("Ask again (Enter)"))
        self.again.returnPressed.connect(lambda: self._ask(self.again.text()))
        self.instead = column(self.again, spacing=4)
        foot = dialogs.foot(self.page, self.discard, self.keep)
        dialogs.dialog_column(
            self, heading_label(title), self.sentence, self.note, self.instead, STRETCH, foot
        )
        for widget in (self.keep, self.page, self.again):
            widget.hide()

    def show_meaning(self, note: str, *, can_be_kept: bool, has_page: bool) -> None:
        """How it was understood, while it is worked out. can_be_kept: it changes the plan; then there is no page."""
        self.note.setText(note)
        self.keep.setVisible(can_be_kept)
        self.keep.setEnabled(False)
        self.page.setVisible(has_page)
        if not can_be_kept:
            self.discard.setText(tr("Close"))

    def _count(self) -> None:
        """A second went by; nobody knows how many are to come."""
        self._waited_s += 1
        self.sentence.setText(tr("Calculating: {seconds} s", seconds=numbers.whole(self._waited_s)))

    def _say(self, text: str) -> None:
        self.clock.stop()
        self.sentence.setText(text)

    def show_answer(self, sentence: Text) -> None:
        """The answer; from now on it can be kept."""
        self._say(spoken(sentence))
        self.sentence.setAccessibleName(spoken(sentence))
        needed = self.sentence.heightForWidth(self.sentence.width())
        self.sentence.setMinimumHeight(max(needed, self.sentence.minimumHeight()))
        self.keep.setEnabled(True)

    def show_no_answer(self, why: str) -> None:
        """It was understood, and there is nothing to answer with yet."""
        self._say(why)
        self.discard.setText(tr("Close"))
        self.keep.hide()

    def show_not_understood(self, why: Text, instead: Sequence[str]) -> None:
        """Why there is no answer, and a button for each question that may be meant."""
        self._say(tr("{why}.", why=spoken(why)))
        self.note.setText(tr("Ask, for example:"))
        self.discard.setText(tr("Close"))
        self.again.show()
        self.again.setFocus()
        if instead and instead[0].casefold().startswith(
            self.again.text().casefold()
        ):  # what is missing, to type over
            self.again.setText(instead[0])
            self.again.setSelection(instead[0].rfind(" ") + 1, len(instead[0]))
        for one in instead:
            self.instead.addWidget(named_button(one, tr("Ask this instead"), partial(self._ask, one)))

    def _ask(self, text: str) -> None:
        self.accept()
        self.asked_instead.emit(text)

    def _keep(self) -> None:
        self.accept()
        self.keep_asked.emit()

    def _open_page(self) -> None:
        self.accept()
        self.page_asked.emit()
