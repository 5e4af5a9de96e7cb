"""Under the columns while several cards are selected: how many, what they cost a month, and their GPU-hours."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui import numbers
from gpuplanner.ui.board_order import Usd
from gpuplanner.ui.said import said, spoken
from gpuplanner.ui.type_scale import font

SHOWN_FROM = 2
"""One card says its own figures."""


class SelectionLine(QFrame):
    """Told the selected cards."""

    details_asked = Signal()
    cleared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("foot")
        self.setAccessibleName(said("Selection"))
        self.said = QLabel()
        self.said.setFont(font("strong"))
        self.details = _link(said("Details"), said("What is known of the selected cards (F4)"))
        self.details.clicked.connect(self.details_asked)
        self.clear = _link(said("Clear selection"), said("Select nothing (Esc)"))
        self.clear.clicked.connect(self.cleared)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 3, 9, 3)
        row.setSpacing(12)
        row.addWidget(self.said)
        row.addStretch(1)
        row.addWidget(self.details)
        row.addWidget(self.clear)
        self.hide()

    def show_cards(self, cards: Sequence[CardFigures], usd: Usd) -> None:
        """The selected cards and $ a month of each."""
        self.setVisible(len(cards) >= SHOWN_FROM)
        if len(cards) < SHOWN_FROM:
            return
        total = known_sum([usd.get(card.key) for card in cards])
        hours = sum(card.gpu_hours_per_month for card in cards)
        self.said.setText(
            said(
                "{workloads} selected \u00b7 {total} a month \u00b7 {hours} GPU-h a month",
                workloads=numbers.counted(len(cards), "workload"),
                total=numbers.dollars(total),
                hours=numbers.whole(hours),
            )
        )


def _link(text: str, tip: str) -> QPushButton:
    button = QPushButton(spoken(text))
    button.setAccessibleName(spoken(text))
    button.setToolTip(spoken(tip))
    button.setProperty("link", True)
    return button
