"""The line under the columns while several cards are selected."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.ui.cards.card_order import Usd
from gpuplanner.ui.cards.details import Members, cards_words
from gpuplanner.ui.kit.layout import named, row, share
from gpuplanner.ui.kit.page_parts import named_button
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import with_keys

SHOWN_FROM = 2
"""One card says its own figures."""


class SelectionLine(QFrame):
    """Told the selected cards."""

    details_asked = Signal()
    cleared = Signal()

    def __init__(self) -> None:
        super().__init__()
        named(self, tr("Selection"), look="foot")
        self.said = named(FactsLabel(), step="strong")
        self.said.setProperty("role", "")
        self.said.setWordWrap(True)  # a narrow board has room for two lines of it
        known = with_keys(tr("Card details"), "details")
        self.details = named_button(tr("Details"), known, self.details_asked, is_link=True)
        nothing = tr("Select nothing (Esc)")
        self.clear = named_button(tr("Clear selection"), nothing, self.cleared, is_link=True)
        row(share(self.said), self.details, self.clear, on=self, margins=(12, 3, 9, 3), spacing=12)
        self.hide()

    def show_cards(self, cards: Sequence[CardFigures], usd: Usd, members: Members) -> None:
        """The selected cards, $ a month of each, and which stand for several."""
        self.setVisible(len(cards) >= SHOWN_FROM)
        if len(cards) < SHOWN_FROM:
            return
        total = known_sum([usd.get(card.key) for card in cards])
        hours = sum(card.gpu_hours_per_month for card in cards)
        workloads = sum(len(members.get(card.key, (card.key,))) for card in cards)
        facts = (
            (figure("selected_usd"), tr("{value} per month", value=numbers.dollars(total))),
            (figure("selected_hours"), tr("{hours} GPU-h per month", hours=numbers.whole(hours))),
        )
        count = tr("{cards} selected", cards=cards_words(len(cards), workloads))
        self.said.show_facts(facts, f"{count} \u00b7 ")
