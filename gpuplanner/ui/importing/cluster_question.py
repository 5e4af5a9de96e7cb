"""Which cluster the jobs of a log ran on that names none: the likely one, and the question on the last page."""

import re
from collections.abc import Collection, Sequence
from pathlib import PurePath
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.words.translation import spoken, tr

_ENDINGS: Final = frozenset(
    (".csv", ".tsv", ".txt", ".json", ".jsonl", ".xlsx", ".parquet", ".gz", ".zst", ".zip")
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
