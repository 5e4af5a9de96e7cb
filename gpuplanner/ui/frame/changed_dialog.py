"""The dialog of a conflict: another person saved this project since it was opened."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QScrollArea, QWidget

from gpuplanner.app.differences import Difference
from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.charts.kit.translation import tr
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit.dialogs import dialog_column
from gpuplanner.ui.kit.layout import STRETCH, TOP, box, column, emptied, named, placed, row, share
from gpuplanner.ui.kit.page_parts import heading_label, label, muted_label, named_button
from gpuplanner.ui.words.file_words import moment

KEEP_BOTH, REPLACE = "keep both", "replace"
NAMED: Final = 3
"""So many names of a kind are said; the rest is counted."""
DIFFERENCES_HIGH: Final = 220


class ChangedDialog(QDialog):
    """`answer` is KEEP_BOTH, REPLACE or empty: not saved. `look_asked` wants `show_differences` or `show_problem`."""

    look_asked = Signal()

    def __init__(
        self, path: Path, written_s: int | None, copy_name: str, kept_name: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.answer = ""
        title = tr("{name} was saved elsewhere", name=path.name)
        self.setWindowTitle(tr("Saved elsewhere"))
        self.setAccessibleName(title)
        self.setMinimumWidth(560)
        body = tr(long_text("changed_elsewhere"))
        if written_s is not None:
            body = tr("{body} Last written {when}.", body=body, when=moment(written_s))
        self._looked = column(spacing=4)
        self.look = named(named_button(tr("Look at theirs"), does=self._ask_to_look), step="strong")
        replaces = named_button(tr("Replace theirs"), does=lambda: self._answer(REPLACE))
        self.replace = named(replaces, step="strong")
        self.keep_both = named_button(tr("Keep both"), does=lambda: self._answer(KEEP_BOTH))
        named(self.keep_both, step="strong").setProperty("primary", True)
        self.keep_both.setDefault(True)  # what Return does
        both = tr("your version is saved as {name} in the same folder and stays open.", name=copy_name)
        yours = tr("your version replaces it; theirs stays as {name}.", name=kept_name)
        head = (label(title, step="title", is_wrapped=True), _plain(body), self._looked)
        meanings = (_meaning(tr("Keep both"), both), _meaning(tr("Replace theirs"), yours))
        buttons = row(self.look, STRETCH, self.replace, self.keep_both, spacing=8)
        self.layout_ = dialog_column(self, *head, 4, *meanings, 8, buttons)
        self.keep_both.setFocus()

    def show_differences(self, differences: Sequence[Difference]) -> None:
        """What differs between ours and theirs."""
        emptied(self._looked)
        if not differences:
            self._add(_plain(tr("Both versions are identical.")))
        else:
            self._add(heading_label(tr("What differs")))
            lines = (_plain(words_of(difference)) for difference in differences)
            rows = column(*lines, STRETCH, margins=(10, 8, 10, 8), spacing=6)
            area = named(QScrollArea(widgetResizable=True), tr("What differs"))
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setWidget(box("panel", rows, QWidget()))
            width = self.width() - 60  # of the rows, beside a scroll bar
            area.setFixedHeight(min(DIFFERENCES_HIGH, rows.totalHeightForWidth(width) + 4))
            self._add(area)
        self.look.setEnabled(False)
        self._fit()

    def show_problem(self, error: Exception) -> None:
        """Theirs cannot be opened."""
        emptied(self._looked)
        what = getattr(error, "what", None) or str(error)
        self._add(_plain(tr("It cannot be opened here: {error}.", error=what)))
        self.look.setEnabled(False)
        self._fit()

    def _ask_to_look(self) -> None:
        """Says that theirs is being read, and asks for the differences."""
        emptied(self._looked)
        self._add(muted_label(tr("Reading the other version\u2026")))
        self._fit()
        self.look_asked.emit()

    def _answer(self, answer: str) -> None:
        """Closes with an answer."""
        self.answer = answer
        self.accept()

    def _add(self, widget: QWidget) -> None:
        """Adds a line under the question."""
        self._looked.addWidget(widget)
        widget.setVisible(True)  # at once: a layout leaves out what is not shown yet

    def _fit(self) -> None:
        """Gives the dialog the height that its lines need: labels that wrap do not tell it by themselves."""
        self.layout_.invalidate()
        self.layout_.activate()
        high = self.layout_.totalHeightForWidth(self.width())
        self.setMinimumHeight(high)
        self.resize(self.width(), high)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()


def words_of(difference: Difference) -> str:
    """Plans – different: Plan B; only in yours: Plan C; only in theirs: Plan D, Plan E."""
    if difference.is_one:
        return tr("{what} differs", what=difference.what)
    parts = []
    if difference.in_two_ways:
        parts.append(tr("different: {names}", names=_names(difference.in_two_ways)))
    if difference.only_ours:
        parts.append(tr("only in yours: {names}", names=_names(difference.only_ours)))
    if difference.only_theirs:
        parts.append(tr("only in theirs: {names}", names=_names(difference.only_theirs)))
    return tr("{what} – {parts}", what=difference.what, parts="; ".join(parts))


def _names(names: tuple[str, ...]) -> str:
    """The first few names, and how many more there are."""
    shown, rest = names[:NAMED], len(names) - NAMED
    text = ", ".join(name or tr("(without a name)") for name in shown)
    return tr("{names} and {more} more", names=text, more=rest) if rest > 0 else text


def _meaning(name: str, what: str) -> QHBoxLayout:
    """What an answer does, behind its name."""
    answer = label(name, step="strong")
    answer.setMinimumWidth(104)
    return row(placed(answer, TOP), share(_plain(what)), spacing=8)


def _plain(text: str) -> PlainLabel:
    """Names of files and workloads come from elsewhere: they are text and nothing else."""
    words = label(text, is_wrapped=True)
    words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return words
