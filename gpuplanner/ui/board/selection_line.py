"""Under the columns while several cards are selected: how many, what they cost a month, and their GPU-hours."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.audit.evidence.trace import figure
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui.cards.column_order import Usd
from gpuplanner.ui.cards.merged import Members, cards_words
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import with_keys
from gpuplanner.ui.words.translation import spoken, tr

SHOWN_FROM = 2
"""One card says its own figures."""


class SelectionLine(QFrame):
    """Told the selected cards."""

    details_asked = Signal()
    figure_asked = Signal(str)  # figure id
    cleared = Signal()

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("foot")
        self.setAccessibleName(tr("Selection"))
        self.said = FactsLabel(palette)
        self.said.setFont(font("strong"))
        self.said.setProperty("role", "")
        self.said.setWordWrap(True)  # a narrow board has room for two lines of it
        self.said.figure_asked.connect(self.figure_asked)
        self.details = _link(tr("Details"), with_keys(tr("What is known of the selected cards"), "details"))
        self.details.clicked.connect(self.details_asked)
        self.clear = _link(tr("Clear selection"), tr("Select nothing (Esc)"))
        self.clear.clicked.connect(self.cleared)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 3, 9, 3)
        row.setSpacing(12)
        row.addWidget(self.said, 1)
        row.addWidget(self.details)
        row.addWidget(self.clear)
        self.hide()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.said.show_palette(palette)

    def show_cards(self, cards: Sequence[CardFigures], usd: Usd, members: Members) -> None:
        """The selected cards, $ a month of each, and which stand for several."""
        self.setVisible(len(cards) >= SHOWN_FROM)
        if len(cards) < SHOWN_FROM:
            return
        total = known_sum([usd.get(card.key) for card in cards])
        hours = sum(card.gpu_hours_per_month for card in cards)
        workloads = sum(len(members.get(card.key, (card.key,))) for card in cards)
        facts = (
            (figure("selected_usd"), tr("{total} per month", total=numbers.dollars(total))),
            (figure("selected_hours"), tr("{hours} GPU-h per month", hours=numbers.whole(hours))),
        )
        self.said.show_facts(facts, tr("{cards} selected \u00b7 ", cards=cards_words(len(cards), workloads)))


def _link(text: str, tip: str) -> QPushButton:
    button = QPushButton(spoken(text))
    button.setAccessibleName(spoken(text))
    set_tip(button, spoken(tip))
    button.setProperty("link", True)
    return button
