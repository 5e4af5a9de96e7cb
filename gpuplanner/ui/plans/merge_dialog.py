"""Dialog: the name and pool of several cards that become one."""

from collections.abc import Sequence

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evaluation import CardFigures
from gpuplanner.domain.evidence.trace import Trace, figure, parts_of, summed
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.plan.merged_cards import LONGEST_NAME
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.cards.details import proposed_name
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.layout import named
from gpuplanner.ui.kit.page_parts import choice_of
from gpuplanner.ui.plans.card_traces import CARDS, MERGED_HOURS, MERGED_USD, trace_rows
from gpuplanner.ui.plans.split_dialog import card_facts
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of


class MergeDialog(dialogs.AnsweringDialog):
    """Told the cards, what they cost together and which names are taken; emits what is wanted."""

    merge_chosen = QtCore.Signal(str, object)  # name, Pool

    def __init__(
        self,
        cards: Sequence[CardFigures],
        usd: Sequence[float | None],
        taken: frozenset[str],
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._taken, self._cards, self._usd = taken, tuple(cards), tuple(usd)
        dialogs.titled(self, tr("Merge cards"), 460)
        title, under = dialogs.title_and_note(
            tr("Merge {cards} into one", cards=numbers.counted(len(cards), "card")),
            tr(long_text("merged_card")),
        )
        proposed = proposed_name([card.name for card in cards])[:LONGEST_NAME]
        self.name = QtWidgets.QLineEdit(proposed, maxLength=LONGEST_NAME)
        named(self.name, tr("Card name"), tr("Card name"))
        self.name.selectAll()
        pools = ((lane_of(pool).title, None) for pool in POOLS)
        self.pool = choice_of(tr("Pool"), tr("Pool"), pools)
        hours = {pool: sum(card.gpu_hours_per_month for card in cards if card.pool is pool) for pool in POOLS}
        self.pool.setCurrentIndex(POOLS.index(max(POOLS, key=lambda pool: hours[pool])))
        self._sums = (
            (figure(MERGED_HOURS), tr("{gpu_hours} GPU-h", gpu_hours=numbers.whole(sum(hours.values())))),
            (figure(MERGED_USD), tr("{usd} per month", usd=numbers.dollars(known_sum(usd)))),
        )
        self.line = card_facts()
        self.line.figure_asked.connect(lambda figure_id: self.figure_opened.emit(figure_id, self.line, None))
        self.do = dialogs.primary_button(tr("Merge"), self._go_on)
        form = QtWidgets.QFormLayout(horizontalSpacing=12, verticalSpacing=8)
        form.addRow(tr("Name"), self.name)
        form.addRow(tr("Pool"), self.pool)
        last = dialogs.foot(dialogs.cancel_button(self), self.do)
        dialogs.dialog_column(self, title, under, 4, form, self.line, 8, last)
        self.name.textChanged.connect(self._check)
        self._check()

    def trace(self, figure_id: str) -> Trace:
        """Why a sum is what it is. Errors: KeyError where it is none of the dialog's."""
        if (kind := parts_of(figure_id)[0]) not in (MERGED_USD, MERGED_HOURS):
            raise KeyError(figure_id)
        # What cards are together that would stand as one
        is_usd = kind == MERGED_USD
        return summed(
            tr("Cards together"),
            known_sum(self._usd) if is_usd else sum(card.gpu_hours_per_month for card in self._cards),
            "usd" if is_usd else "gpu_hours",
            tr("Together = Σ over the cards to merge"),
            trace_rows(zip(self._cards, self._usd, strict=True)),
            columns=CARDS,
            column=1 if is_usd else 0,
            said_as=tr("per month"),
        )

    def _check(self) -> None:
        """Says what the cards are together, or why they cannot have this name."""
        called = " ".join(self.name.text().split())
        refusal = "" if called else tr("Enter a name.")
        if called in self._taken:
            refusal = tr("Another merged card has this name.")
        if refusal:
            self.line.show_words(refusal)
        else:
            after = f". {tr('Take apart or Undo separates them.')}"
            self.line.show_facts(self._sums, f"{tr('Together')}: ", between=", ", after=after)
        self.do.setEnabled(not refusal)
        set_tip(self.do, spoken(refusal) or tr("One undo step (Enter)"))

    def _go_on(self) -> None:
        """Closes, then says name and pool of the merged card."""
        self.accept()
        self.merge_chosen.emit(self.name.text(), POOLS[self.pool.currentIndex()])
