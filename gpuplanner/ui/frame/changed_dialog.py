"""Somebody else saved this project since: keep both, replace theirs, or look first. Nothing is lost by any of them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.app.what_differs import Difference
from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.ui.kit.dialogs import dialog_column
from gpuplanner.ui.kit.labels import heading_label, muted_label
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.file_words import moment
from gpuplanner.ui.words.translation import tr

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
        when = "" if written_s is None else tr(" (last written {when})", when=moment(written_s))
        body = _plain(
            tr(
                "The file{when} is not the one that was opened or saved here: another session, somebody else or a sync "
                "folder put another version there. Yours is not saved yet.",
                when=when,
            )
        )
        self._looked = QVBoxLayout()
        self._looked.setSpacing(4)
        self.layout_ = dialog_column(self)
        heading = heading_label(title)
        heading.setWordWrap(True)
        self.layout_.addWidget(heading)
        self.layout_.addWidget(body)
        self.layout_.addLayout(self._looked)
        self.layout_.addSpacing(4)
        for name, what in (
            (
                tr("Keep both"),
                tr("yours is saved as {name} beside it, and is open from then on.", name=copy_name),
            ),
            (
                tr("Replace theirs"),
                tr("yours takes its place; theirs is kept as {name}.", name=kept_name),
            ),
        ):
            self.layout_.addLayout(_meaning(name, what))
        self.look = self._button(tr("Look at theirs"))
        self.replace = self._button(tr("Replace theirs"))
        self.keep_both = self._button(tr("Keep both"), is_primary=True)
        self.look.clicked.connect(self._ask_to_look)
        self.replace.clicked.connect(lambda: self._answer(REPLACE))
        self.keep_both.clicked.connect(lambda: self._answer(KEEP_BOTH))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.look)
        row.addStretch(1)
        row.addWidget(self.replace)
        row.addWidget(self.keep_both)
        self.layout_.addSpacing(8)
        self.layout_.addLayout(row)
        self.keep_both.setFocus()

    def show_differences(self, differences: Sequence[Difference]) -> None:
        """What differs between ours and theirs."""
        self._clear()
        if not differences:
            self._add(_plain(tr("Both hold the same: nothing differs.")))
        else:
            self._add(heading_label(tr("What differs")))
            inside = QWidget()
            inside.setObjectName("panel")
            rows = QVBoxLayout(inside)
            rows.setContentsMargins(10, 8, 10, 8)
            rows.setSpacing(6)
            for difference in differences:
                rows.addWidget(_plain(words_of(difference)))
            rows.addStretch(1)
            area = QScrollArea()
            area.setWidgetResizable(True)
            area.setFrameShape(QFrame.Shape.NoFrame)
            area.setAccessibleName(tr("What differs"))
            area.setWidget(inside)
            width = self.width() - 60  # of the rows, beside a scroll bar
            area.setFixedHeight(min(DIFFERENCES_HIGH, rows.totalHeightForWidth(width) + 4))
            self._add(area)
        self.look.setEnabled(False)
        self._fit()

    def show_problem(self, error: Exception) -> None:
        """Theirs cannot be opened."""
        self._clear()
        what = getattr(error, "what", None) or str(error)
        self._add(_plain(tr("It cannot be opened here: {error}.", error=what)))
        self.look.setEnabled(False)
        self._fit()

    def _button(self, words: str, *, is_primary: bool = False) -> QPushButton:
        """A button of the foot; the primary one is what Return does."""
        button = QPushButton(words)
        button.setAccessibleName(words)
        button.setFont(font("strong"))
        button.setProperty("primary", is_primary)
        button.setDefault(is_primary)
        button.setAutoDefault(False)
        return button

    def _ask_to_look(self) -> None:
        """Says that theirs is being read, and asks for the differences."""
        self._clear()
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

    def _clear(self) -> None:
        """Takes away all that is under the question."""
        while (item := self._looked.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()

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
    return tr("{names} and {count} more", names=text, count=rest) if rest > 0 else text


def _meaning(name: str, what: str) -> QHBoxLayout:
    """What an answer does, behind its name."""
    row = QHBoxLayout()
    row.setSpacing(8)
    label = PlainLabel(name)
    label.setFont(font("strong"))
    label.setMinimumWidth(104)
    row.addWidget(label, 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(_plain(what), 1)
    return row


def _plain(text: str) -> PlainLabel:
    """Names of files and workloads come from elsewhere: they are text and nothing else."""
    label = PlainLabel(text)
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label
