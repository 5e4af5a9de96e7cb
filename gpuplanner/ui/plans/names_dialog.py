"""Matches names: GPU models and clusters of log, contracts and prices side by side."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QDialog, QGridLayout, QToolButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.audit.log_checks import VariantAsked
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.only import LEAST_RATIO, MOST_RATIO
from gpuplanner.domain.model.gpu_family import Same, SameKind
from gpuplanner.domain.model.unmatched import Named, NameRow
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.fields import PlainNumber
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, TOP, Part, Share, box, column, grid, named, placed, row, share
from gpuplanner.ui.kit.page_parts import choice_of, label, muted_label, scrolled, tool_button
from gpuplanner.ui.words import numbers

NAMES_SHOWN: Final = 3
"""Ways to write one thing that a cell lists; more are counted."""

HEADINGS: Final = {SameKind.MODEL: worded("GPU models"), SameKind.CLUSTER: worded("Clusters")}
AS_NOW, OWN = "", "own"
"""What a choice holds: nothing changes; the name stands for itself and is not asked about again."""


class NamesDialog(QDialog):
    """Told what is side by side and what was said; emits decisions, those taken back, and mappings."""

    chosen = Signal(object, object, object)  # tuples: Same said, Same taken back, (VariantAsked, ratio)

    def __init__(
        self,
        rows: Sequence[NameRow],
        variants: Sequence[VariantAsked],
        same: Sequence[Same],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.resize(860, 560)
        title, note = dialogs.title_and_note(
            dialogs.titled(self, tr("Match names")), tr(long_text("match_names"))
        )
        self.choices: list[tuple[NameRow, QComboBox]] = []
        self.ratios: list[tuple[VariantAsked, QComboBox, PlainNumber]] = []
        self.removers: list[QToolButton] = []
        self._gone: list[Same] = []
        parts: list[Part] = []
        for kind, heading in HEADINGS.items():
            if of_kind := [one for one in rows if one.kind is kind]:
                parts += (label(heading, step="strong"), self._grid(of_kind), 10)
        if variants:
            parts += (label(tr("Offers of another variant"), step="strong"), self._variants(variants), 10)
        if decided := [one for one in same if one.kind in HEADINGS]:
            parts += (label(tr("Earlier answers"), step="strong"), self._decided(decided))
        inside = box("panel", column(*parts, STRETCH, margins=(16, 12, 16, 12), spacing=8), QWidget())
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        area = scrolled(inside, tr("Names side by side"), takes_tab=True)
        self.use = dialogs.primary_button(tr("Use these names"), self._go_on)
        set_tip(self.use, tr("One undo step (Enter)"))
        last = dialogs.foot(dialogs.cancel_button(self), self.use)
        dialogs.dialog_column(self, title, note, 6, share(area), last)

    def _grid(self, rows: Sequence[NameRow]) -> QGridLayout:
        """The names of log, contracts and prices in rows, with a choice of what each is the same as."""
        prices = (tr("Prices"),) if any(row.prices.names for row in rows) else ()
        headings = (tr("Log"), tr("Contracts"), *prices, tr("Same as"))
        sources = len(headings) - 1
        lines: list[Sequence[QWidget | Share]] = [[muted_label(one, is_wrapped=False) for one in headings]]
        for one in rows:
            cells = (
                self._cell(one.log, tr("{gpu_hours} GPU-h", gpu_hours=numbers.gpu_hours(one.log.amount))),
                self._cell(one.contracts, numbers.counted(round(one.contracts.amount), "contract")),
                self._cell(one.prices, numbers.counted(round(one.prices.amount), "offer")),
            )
            lines.append([placed(cell, TOP) for cell in (*cells[:sources], self._answer(one))])
        return grid(*lines, spacing=(20, 6), shares=[2] * sources)

    def _cell(self, found: Named, amount: str) -> QWidget:
        """The names of a row in one source, with what they amount to; a dash for none."""
        if not found.names:
            return label("\u2014", role="muted")
        shown = [name.removeprefix("/") or tr("no name") for name in found.names[:NAMES_SHOWN]]
        more = len(found.names) - len(shown)
        text = ", ".join(shown) + (tr(" and {count} more", count=more) if more else "")
        both = column(label(text, is_wrapped=True), muted_label(amount, is_wrapped=False), spacing=0)
        both.setAlignment(TOP)
        return box("", both, QWidget())

    def _answer(self, asked: NameRow) -> QWidget:
        """The choice of a row, marked where an answer is proposed."""
        choice = self._choice(asked)
        if not asked.is_akin:
            return choice
        confirm = label(tr("Proposed: please confirm"), role="amber", step="small")
        return box("", column(choice, confirm, spacing=2), QWidget())

    def _choice(self, asked: NameRow) -> QComboBox:
        """A box of what a name is the same as; a proposal is chosen already."""
        nothing = tr("nothing else")
        now = ((tr("Not answered yet"), AS_NOW), (nothing, OWN)) if asked.proposed else ((nothing, AS_NOW),)
        tip = tr("Another name")
        if asked.is_akin:
            tip = tr("May be the same; the likeliest answer is proposed")
        name = tr("{name} is the same as", name=asked.name or tr("no name"))
        choice = choice_of(name, tip, (*now, *((other, f"={other}") for other in asked.choices)))
        choice.setMinimumWidth(190)
        if asked.is_akin:
            choice.setCurrentIndex(max(0, choice.findData(f"={asked.proposed}")))
        self.choices.append((asked, choice))
        return choice

    def _variants(self, variants: Sequence[VariantAsked]) -> QVBoxLayout:
        """Questions whether offers of a variant may serve a model, and how much each is worth."""
        lines = []
        for variant in variants:
            words = tr(
                "Let {offers} of {offered} serve demand for {gpu_model}?",
                offers=numbers.counted(variant.offers, "offer"),
                offered=variant.offered,
                gpu_model=variant.gpu_model,
            )
            name = tr("Whether {offered} may serve", offered=variant.offered)
            answers = ((tr("No"), False), (tr("Yes, each worth"), True))
            may = choice_of(name, "", answers)
            ratio = PlainNumber(minimum=LEAST_RATIO, maximum=MOST_RATIO, decimals=2, singleStep=0.05)
            ratio.setValue(variant.ratio)
            ratio.setVisible(False)
            named(
                ratio,
                tr("GPUs that one {offered} is worth", offered=variant.offered),
                tr("GPUs of {gpu_model} that one replaces", gpu_model=variant.gpu_model),
            )
            may.currentIndexChanged.connect(lambda at, ratio=ratio: ratio.setVisible(at == 1))
            lines.append(row(label(words), may, ratio, STRETCH, spacing=8))
            self.ratios.append((variant, may, ratio))
        return column(*lines, spacing=4)

    def _decided(self, same: Sequence[Same]) -> QVBoxLayout:
        """What was decided before, each with a button to take it back."""
        lines = []
        for one in same:
            words, holder = decision_words(one), QWidget()
            button = tool_button(
                tr("Take back: {step}", step=words),
                tr("Undo this match when you apply"),
                lambda _=False, one=one, holder=holder: self._take_back(one, holder),
            )
            button.setIcon(icon("close", "muted"))
            row(label(words), button, STRETCH, on=holder, spacing=8)
            lines.append(holder)
            self.removers.append(button)
        return column(*lines, spacing=4)

    def _take_back(self, pair: Same, holder: QWidget) -> None:
        """Notes that a decision is to go; it does with the rest."""
        self._gone.append(pair)
        holder.hide()

    def answers(self) -> tuple[Same, ...]:
        """What is said now that was not said before."""
        found = []
        for asked, choice in self.choices:
            if (data := str(choice.currentData())) == OWN:
                found.append(Same(asked.kind, asked.name, asked.name))
            elif data.startswith("="):
                found.append(Same(asked.kind, asked.name, data[1:]))
        return tuple(found)

    def mappings(self) -> tuple[tuple[VariantAsked, float], ...]:
        """Variants that may serve, each with what one of them is worth: as proposed to the last digit, if left so."""
        return tuple(
            (variant, variant.ratio if ratio.value() == round(variant.ratio, 2) else ratio.value())
            for variant, may, ratio in self.ratios
            if may.currentData()
        )

    def _go_on(self) -> None:
        """Closes, then says what is the same, what is taken back and what may serve."""
        self.accept()
        self.chosen.emit(self.answers(), tuple(self._gone), self.mappings())


def decision_words(pair: Same) -> str:
    """H100 SXM is H100; L40S is its own."""
    theirs = pair.theirs or tr("jobs without a cluster")
    if pair.is_own:
        return tr("{name} is nothing else", name=theirs)
    return tr("{theirs} is {ours}", theirs=theirs, ours=pair.ours)
