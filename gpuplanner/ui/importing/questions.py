"""The questions of an import: what a log leaves open, on which cluster its jobs ran, what a price is for."""

import re
from collections.abc import Collection, Sequence
from pathlib import PurePath
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QCompleter, QFrame, QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.labels import muted_label, named_button
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.translation import spoken, tr
from gpuplanner.ui.words.window_words import in_window_words


class LogQuestion(QWidget):
    """Hidden until `ask`; `answer` is empty until then. Any text may be typed."""

    changed = Signal()

    def __init__(self, sentence: str, name: str, tip: str) -> None:
        super().__init__()
        self.box = QComboBox()
        self.box.setEditable(True)
        self.box.setAccessibleName(spoken(name))
        set_tip(self.box, spoken(tip))
        self.box.setMinimumContentsLength(18)
        completer = self.box.completer()  # Oslo finds Europe/Oslo
        assert completer is not None, "what is typed into has one"
        completer.setFilterMode(Qt.MatchFlag.MatchContains)
        completer.setCompletionMode(QCompleter.CompletionMode.PopupCompletion)
        self.box.currentTextChanged.connect(lambda _: self.changed.emit())
        self.label = PlainLabel(spoken(sentence))
        self.label.setBuddy(self.box)
        self._meaning = PlainLabel()
        self._meaning.setProperty("role", "muted")
        self._meaning.setFont(font("small"))
        self._meaning.setWordWrap(True)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.label)
        row.addWidget(self.box)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addLayout(row)
        column.addWidget(self._meaning)
        self._meaning.hide()
        self._is_asked = False
        self.hide()

    @property
    def is_asked(self) -> bool:
        """Whether it stands there to be answered."""
        return self._is_asked

    @property
    def answer(self) -> str:
        """What is chosen or typed; empty where nothing was asked."""
        return self.box.currentText().strip() if self._is_asked else ""

    def show_meaning(self, text: str) -> None:
        """What the answer makes of a value of the log; empty: nothing."""
        self._meaning.setText(spoken(text))
        self._meaning.setVisible(bool(text))

    def ask(self, choices: Sequence[str], chosen: str) -> None:
        """Show the question with its likely answers and one of them chosen; says nothing by itself."""
        self.box.blockSignals(True)
        if not self.box.count():
            self.box.addItems(choices)
        self.box.setCurrentText(chosen)
        self.box.blockSignals(False)
        self._is_asked = True
        self.show()


_ENDINGS: Final = frozenset(
    (".csv", ".tsv", ".txt", ".json", ".jsonl", ".xlsx", ".ods", ".parquet", ".gz", ".zst", ".zip")
)
"""What follows the name of a file, packed or not."""


def likely_cluster(paths: Sequence[str], clusters: Collection[str]) -> str:
    """The cluster that contracts are for, or that a log's file is called after; empty where there is none.

    paths: of the logs; clusters: that contracts name.

    Without contracts nothing is proposed: the name of one file would stay the cluster of every month's log.

    >>> likely_cluster(["/logs/saga_sacct_2026-10.csv"], []), likely_cluster(["jobs.csv"], ["atlas"])
    ('', 'atlas')
    """
    if len(clusters) == 1:
        return next(iter(clusters))
    words = {word for path in paths for word in _words(_name(path))}
    called = [cluster for cluster in sorted(clusters) if set(_words(cluster)) <= words]
    return called[0] if len(called) == 1 else ""


def _name(path: str) -> str:
    """A file's name without its endings, packed ones too."""
    name = PurePath(path)
    while name.suffix.lower() in _ENDINGS:
        name = name.with_suffix("")
    return name.name


def _words(name: str) -> list[str]:
    """The words of a name in small letters."""
    return [word for word in re.split(r"[\W_]+", name.casefold()) if word]


class ClusterQuestion(QWidget):
    """Told the clusters of contracts and the answer so far; emits another answer, empty for none of them."""

    answered = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Cluster of the jobs"))
        self.sentence = PlainLabel()
        self.sentence.setWordWrap(True)
        self.box = QComboBox()
        self.box.setAccessibleName(tr("Cluster of the jobs"))
        set_tip(self.box, tr("Contracts serve the jobs of the cluster that they name"))
        self.box.activated.connect(lambda at: self.answered.emit(self.box.itemData(at)))
        self.note = muted_label()
        row = QHBoxLayout()
        row.addWidget(self.box)
        row.addStretch(1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 4)
        column.setSpacing(4)
        column.addWidget(self.sentence)
        column.addLayout(row)
        column.addWidget(self.note)
        self.hide()

    def ask(self, clusters: Sequence[str], answer: str) -> None:
        """Ask about these clusters of contracts; without any there is no question."""
        self.setVisible(bool(clusters))
        if not clusters:
            return
        self.sentence.setText(cluster_sentence(clusters))
        self.box.clear()
        alone = len(clusters) == 1
        for name in clusters:
            self.box.addItem(tr("Yes, on {name}", name=name) if alone else name, name)
        if answer and answer not in clusters:
            self.box.addItem(tr("No, on {name}", name=answer) if alone else answer, answer)
        self.box.addItem(tr("No, on another cluster") if alone else tr("None of these"), "")
        self.box.setCurrentIndex(self.box.findData(answer))
        self.note.setText("" if answer in clusters else spoken(unserved_words(clusters)))
        self.note.setVisible(answer not in clusters)


def cluster_sentence(clusters: Sequence[str]) -> str:
    """The question in words."""
    if len(clusters) == 1:
        return tr(
            "The log names no cluster; contracts are of {name}. Are these jobs on {name}?", name=clusters[0]
        )
    names = ", ".join(clusters)
    return tr("The log names no cluster; contracts are of {names}. On which are these jobs?", names=names)


def unserved_words(clusters: Sequence[str]) -> str:
    """What follows where none of them is chosen."""
    return tr(
        "So no contract serves these jobs: contracts of {names} would be shown as not used.",
        names=", ".join(clusters),
    )


RIGHT: Final = ""
"""The answer that the rates are as they should be."""

ANSWERS: Final = (
    (RIGHT, worded("It is right"), worded("Take the rates as they are")),
    ("gpu_hour", worded("A GPU and hour"), worded("Take each number as $ per GPU-hour")),
    ("gpu_month", worded("A GPU and month"), worded("Divide by 730 hours")),
    ("hour", worded("An hour, all GPUs"), worded("Divide by the GPUs of the row or of its machine")),
    ("month", worded("A month, all GPUs"), worded("Divide by 730 hours and the GPUs of the row")),
)
"""Unit of the price, its words, and what is done then."""

_ICON_PX: Final = 16


class RateQuestion(QFrame):
    """Told which file has such rates, or none; emits what its prices are for."""

    answered = Signal(str)  # a unit of prices, or RIGHT

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Rates far from the market"))
        sign = PlainLabel()
        sign.setPixmap(icon("triangle", palette.amber).pixmap(_ICON_PX, _ICON_PX))
        self._title, self._sentence = PlainLabel(), muted_label()
        self._title.setFont(font("strong"))
        self.buttons = {}
        row = QHBoxLayout()
        row.setSpacing(8)
        for unit, words, tip in ANSWERS:
            button = named_button(words, tip)
            button.clicked.connect(lambda _=False, unit=unit: self.answered.emit(unit))
            self.buttons[unit] = button
            row.addWidget(button)
        row.addStretch(1)
        words_box = QVBoxLayout()
        words_box.setSpacing(4)
        words_box.addWidget(self._title)
        words_box.addWidget(self._sentence)
        words_box.addLayout(row)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(20, 8, 20, 10)
        layout.setSpacing(10)
        layout.addWidget(sign, 0, Qt.AlignmentFlag.AlignTop)
        layout.addLayout(words_box, 1)
        self.hide()

    def show_question(self, name: str, message: Text, unit: str = "") -> None:
        """Ask about a file; unit: in which its prices were read, empty where no other can be chosen. No name: hide."""
        self.setVisible(bool(name))
        if name:
            self._title.setText(tr("{name}: what is the price for?", name=name))
            self._sentence.setText(spoken(_rows_of(message)))
            self.setAccessibleDescription(self._sentence.text())
            for answer, button in self.buttons.items():
                button.setVisible(answer == RIGHT or bool(unit and answer != unit))


def _rows_of(message: Text) -> Text:
    """What the issue says of its rows, without what it says of all such rows."""
    if isinstance(message, Message) and message.values:
        so = next(iter(message.values.values()))
        rows = [*so.values.values()][-1] if isinstance(so, Message) and len(so.values) > 1 else None
        if isinstance(rows, Message | str):
            return spoken(rows)
    return in_window_words(message)
