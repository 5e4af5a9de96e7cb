"""Asks for the name of several cards that are to stand as one, and for its pool where they stand in several."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QLineEdit,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.audit.evidence.trace import Trace, figure, parts_of
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.scenario.merging import LONGEST_NAME
from gpuplanner.ui.cards.merged import proposed_name
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button, title_and_note
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.tables.facts_label import FactsLabel
from gpuplanner.ui.why.dialog_traces import MERGED_HOURS, MERGED_USD, merge_trace
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr


class MergeDialog(QDialog):
    """Told the cards, what they cost together and which names are taken; emits what is wanted."""

    merge_chosen = Signal(str, object)  # name, Pool
    figure_opened = Signal(
        str, object, object
    )  # figure id, the widget it stands in, and where (None: all of it)

    def __init__(
        self,
        cards: Sequence[CardFigures],
        usd: Sequence[float | None],
        taken: frozenset[str],
        palette: Palette,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._taken, self._cards, self._usd = taken, tuple(cards), tuple(usd)
        self.setWindowTitle(tr("Merge cards"))
        self.setAccessibleName(tr("Merge cards"))
        self.setMinimumWidth(460)
        title, under = title_and_note(
            tr("Merge {cards} into one", cards=numbers.counted(len(cards), "card")),
            tr("One card of this plan that is moved, pinned and labelled as one. The log, the audit and other "
                 "plans stay as they are."),
        )  # fmt: skip
        self.name = QLineEdit(proposed_name([card.name for card in cards])[:LONGEST_NAME])
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setAccessibleName(tr("Name of the card"))
        set_tip(self.name, tr("Name of the card"))
        self.name.selectAll()
        self.pool = QComboBox()
        self.pool.setAccessibleName(tr("Pool of the card"))
        set_tip(self.pool, tr("Where all of them go"))
        self.pool.view().setAccessibleName(tr("Pool of the card"))
        for pool in POOLS:
            self.pool.addItem(spoken(lane_of(pool).title))
        hours = {pool: sum(card.gpu_hours_per_month for card in cards if card.pool is pool) for pool in POOLS}
        self.pool.setCurrentIndex(POOLS.index(max(POOLS, key=lambda pool: hours[pool])))
        self._sums = (
            (figure(MERGED_HOURS), tr("{values} GPU-h", values=numbers.whole(sum(hours.values())))),
            (figure(MERGED_USD), tr("{usd} per month", usd=numbers.dollars(known_sum(usd)))),
        )
        self.line = FactsLabel(palette)
        self.line.setFont(font("body"))
        self.line.setProperty("role", "")
        self.line.setWordWrap(True)
        self.line.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.line, None))
        self.do = primary_button(tr("Merge"), self._go_on)
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.addRow(tr("Name"), self.name)
        form.addRow(tr("Pool"), self.pool)
        layout = dialog_column(self, title, under)
        layout.addSpacing(4)
        layout.addLayout(form)
        layout.addWidget(self.line)
        layout.addSpacing(8)
        layout.addLayout(foot(cancel_button(self, tr("Leave the cards as they are (Esc)")), self.do))
        self.name.textChanged.connect(self._check)
        self._check()

    def trace(self, figure_id: str) -> Trace:
        """Why a sum is what it is. Errors: KeyError where it is none of the dialog's."""
        kind = parts_of(figure_id)[0]
        if kind not in (MERGED_USD, MERGED_HOURS):
            raise KeyError(figure_id)
        return merge_trace(kind, self._cards, self._usd)

    def _check(self) -> None:
        """Says what the cards are together, or why they cannot have this name."""
        called = " ".join(self.name.text().split())
        refusal = "" if called else tr("Enter a name.")
        if called in self._taken:
            refusal = tr("Another merged card of this plan has this name.")
        if refusal:
            self.line.show_words(refusal)
        else:
            after = tr(" together. Take apart, or Undo, makes them single cards again.")
            self.line.show_facts(self._sums, between=tr(" and "), after=after)
        self.do.setEnabled(not refusal)
        set_tip(self.do, spoken(refusal) or tr("One undo step (Enter)"))

    def _go_on(self) -> None:
        """Closes, then says name and pool of the merged card."""
        self.accept()
        self.merge_chosen.emit(self.name.text(), POOLS[self.pool.currentIndex()])
