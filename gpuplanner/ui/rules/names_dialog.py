"""Matches names: GPU models and clusters of log, contracts and prices side by side, and what is one of them."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.checks.model_checks import VariantAsked
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.model_mapping import LEAST_RATIO, MOST_RATIO
from gpuplanner.domain.model.names.name_rows import Named, NameRow
from gpuplanner.domain.model.same import Same, SameKind
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button, title_and_note
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.plain_number import PlainNumber
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr

NAMES_SHOWN: Final = 3
"""Ways to write one thing that a cell lists; more are counted."""

HEADINGS: Final = {
    SameKind.MODEL: worded("GPU models"),
    SameKind.CLUSTER: worded("Clusters"),
}
AS_NOW, OWN = "", "own"
"""What a choice holds: nothing changes; the name stands for itself and is not asked about again."""


def _hours(gpu_hours: float) -> str:
    """Whole GPU-hours; of a few minutes two figures, for they are not nothing.

    >>> _hours(5840.4), _hours(0.4167)
    ('5,840', '0.42')
    """
    return numbers.whole(gpu_hours) if gpu_hours >= 1 else numbers.significant(gpu_hours, 2)


class NamesDialog(QDialog):
    """Told what is side by side and what was said; emits decisions, those taken back, and mappings."""

    chosen = Signal(object, object, object)  # tuples: Same said, Same taken back, (VariantAsked, ratio)

    def __init__(
        self,
        rows: Sequence[NameRow],
        variants: Sequence[VariantAsked],
        same: Sequence[Same],
        palette: Palette,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._palette = palette
        self.setWindowTitle(tr("Match names"))
        self.setAccessibleName(tr("Match names"))
        self.resize(860, 560)
        title, note = title_and_note(
            tr("Match names"),
            tr(
                "Log, contracts and prices may call one thing by several names. What you say is kept with the "
                "project, holds for the next import, and is one undo step."
            ),
        )
        self.choices: list[tuple[NameRow, QComboBox]] = []
        self.ratios: list[tuple[VariantAsked, QComboBox, PlainNumber]] = []
        self.removers: list[QToolButton] = []
        self._gone: list[Same] = []
        inside = QWidget()
        inside.setObjectName("panel")
        inside.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        body = QVBoxLayout(inside)
        body.setContentsMargins(16, 12, 16, 12)
        body.setSpacing(8)
        for kind, heading in HEADINGS.items():
            of_kind = [row for row in rows if row.kind is kind]
            if of_kind:
                body.addWidget(_heading(tr(heading)))
                body.addLayout(self._grid(of_kind))
                body.addSpacing(10)
        if variants:
            body.addWidget(_heading(tr("Offers of another variant")))
            body.addLayout(self._variants(variants))
            body.addSpacing(10)
        decided = [one for one in same if one.kind in HEADINGS]
        if decided:
            body.addWidget(_heading(tr("Said before")))
            body.addLayout(self._decided(decided))
        body.addStretch(1)
        area = QScrollArea()
        area.setWidget(inside)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(tr("Names side by side"))
        self.use = primary_button(tr("Use these names"), self._go_on)
        set_tip(self.use, tr("Figures follow at once; one undo step (Enter)"))
        layout = dialog_column(self, title, note)
        layout.addSpacing(6)
        layout.addWidget(area, 1)
        layout.addLayout(foot(cancel_button(self, tr("Keep all names as they are (Esc)")), self.use))

    def _grid(self, rows: Sequence[NameRow]) -> QGridLayout:
        """The names of log, contracts and prices in rows, with a choice of what each is the same as."""
        has_prices = any(row.prices.names for row in rows)
        grid = QGridLayout()
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(6)
        headings = (
            tr("Log"),
            tr("Contracts"),
            *((tr("Prices"),) if has_prices else ()),
            tr("Same as"),
        )
        for column, heading in enumerate(headings):
            label = PlainLabel(heading)
            label.setProperty("role", "muted")
            label.setFont(font("small"))
            grid.addWidget(label, 0, column)
            grid.setColumnStretch(column, 2 if column < len(headings) - 1 else 0)
        for at, row in enumerate(rows, 1):
            amounts = (
                tr("{hours} GPU-h", hours=_hours(row.log.amount)),
                numbers.counted(round(row.contracts.amount), "contract"),
                numbers.counted(round(row.prices.amount), "offer"),
            )
            sources = (row.log, row.contracts, row.prices)[: len(headings) - 1]
            for column, (named, amount) in enumerate(zip(sources, amounts, strict=False)):
                grid.addWidget(self._cell(named, amount), at, column, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(self._answer(row), at, len(headings) - 1, Qt.AlignmentFlag.AlignTop)
        return grid

    def _cell(self, named: Named, amount: str) -> QWidget:
        """The names of a row in one source, with what they amount to; a dash for none."""
        if not named.names:
            empty = PlainLabel("\u2014")
            empty.setProperty("role", "muted")
            return empty
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        shown = [name or tr("no name") for name in named.names[:NAMES_SHOWN]]
        more = len(named.names) - len(shown)
        text = ", ".join(shown) + (tr(" and {count} more", count=more) if more else "")
        name = PlainLabel(text)
        name.setWordWrap(True)
        column.setAlignment(Qt.AlignmentFlag.AlignTop)
        under = PlainLabel(amount)
        under.setProperty("role", "muted")
        under.setFont(font("small"))
        column.addWidget(name)
        column.addWidget(under)
        return holder

    def _answer(self, row: NameRow) -> QWidget:
        """The choice of a row, marked where an answer is proposed."""
        box = self._choice(row)
        if not row.proposed:
            return box
        holder = QWidget()
        column = QVBoxLayout(holder)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        asked = PlainLabel(tr("Proposed: please confirm"))
        asked.setProperty("role", "amber")
        asked.setFont(font("small"))
        column.addWidget(box)
        column.addWidget(asked)
        return holder

    def _choice(self, row: NameRow) -> QComboBox:
        """A box of what a name is the same as; a proposal is chosen already."""
        box = QComboBox()
        name = row.name or tr("no name")
        box.setAccessibleName(tr("{name} is the same as", name=name))
        box.view().setAccessibleName(box.accessibleName())
        box.addItem(tr("Not said yet") if row.proposed else tr("nothing else"), AS_NOW)
        if row.proposed:
            box.addItem(tr("nothing else"), OWN)
        for other in row.choices:
            box.addItem(other, f"={other}")
        box.setMinimumWidth(190)
        if row.proposed:
            box.setCurrentIndex(max(0, box.findData(f"={row.proposed}")))
            set_tip(box, tr("Asked: the two may be one; the likeliest answer is proposed"))
        else:
            set_tip(box, tr("Another name of the same thing"))
        self.choices.append((row, box))
        return box

    def _variants(self, variants: Sequence[VariantAsked]) -> QVBoxLayout:
        """Questions whether offers of a variant may serve a model, and how much each is worth."""
        column = QVBoxLayout()
        column.setSpacing(4)
        for variant in variants:
            line = QHBoxLayout()
            line.setSpacing(8)
            words = PlainLabel(
                tr(
                    "{offers} of {offered}, the project runs on {gpu_model}: they",
                    offers=numbers.counted(variant.offers, "offer"),
                    offered=variant.offered,
                    gpu_model=variant.gpu_model,
                )
            )
            may = QComboBox()
            may.addItem(tr("do not serve it"), False)
            may.addItem(tr("serve it, each worth"), True)
            may.setAccessibleName(tr("Whether {offered} may serve", offered=variant.offered))
            may.view().setAccessibleName(may.accessibleName())
            ratio = PlainNumber()
            ratio.setRange(LEAST_RATIO, MOST_RATIO)
            ratio.setDecimals(2)
            ratio.setSingleStep(0.05)
            ratio.setValue(variant.ratio)
            ratio.setAccessibleName(tr("GPUs that one {offered} is worth", offered=variant.offered))
            set_tip(ratio, tr("GPUs of {gpu_model} whose work one of them does", gpu_model=variant.gpu_model))
            ratio.setEnabled(False)
            may.currentIndexChanged.connect(lambda at, ratio=ratio: ratio.setEnabled(at == 1))
            for widget in (words, may, ratio):
                line.addWidget(widget)
            line.addStretch(1)
            column.addLayout(line)
            self.ratios.append((variant, may, ratio))
        return column

    def _decided(self, same: Sequence[Same]) -> QVBoxLayout:
        """What was decided before, each with a button to take it back."""
        column = QVBoxLayout()
        column.setSpacing(4)
        for one in same:
            holder = QWidget()
            line = QHBoxLayout(holder)
            line.setContentsMargins(0, 0, 0, 0)
            line.setSpacing(8)
            words = decision_words(one)
            button = QToolButton()
            button.setIcon(icon("close", self._palette.muted))
            button.setAccessibleName(tr("Take back: {decision}", decision=words))
            set_tip(button, tr("Take this back, when the names are used"))
            button.clicked.connect(lambda _=False, one=one, holder=holder: self._take_back(one, holder))
            line.addWidget(PlainLabel(words))
            line.addWidget(button)
            line.addStretch(1)
            column.addWidget(holder)
            self.removers.append(button)
        return column

    def _take_back(self, one: Same, holder: QWidget) -> None:
        """Notes that a decision is to go; it does with the rest."""
        self._gone.append(one)
        holder.hide()

    def answers(self) -> tuple[Same, ...]:
        """What is said now that was not said before."""
        found = []
        for row, box in self.choices:
            data = str(box.currentData())
            if data == OWN:
                found.append(Same(row.kind, row.name, row.name))
            elif data.startswith("="):
                found.append(Same(row.kind, row.name, data[1:]))
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


def decision_words(one: Same) -> str:
    """H100 SXM is H100; L40S is its own."""
    theirs = one.theirs or tr("jobs without a cluster")
    if one.is_own:
        return tr("{name} is nothing else", name=theirs)
    return tr("{theirs} is {ours}", theirs=theirs, ours=one.ours)


def _heading(text: str) -> PlainLabel:
    """The heading of a part."""
    label = PlainLabel(text)
    label.setFont(font("strong"))
    return label
