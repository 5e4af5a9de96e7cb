"""Low, mid and high rates beside each other: which of them a plan counts with, and what that changes."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.commitment.uncertainty.price_sensitivity import CasePlan
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.price_case import PRICE_CASES, PriceCase
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.prices.rows import CASE_COLUMNS, LAYER_COLUMNS, case_rows, layer_rows
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.translation import spoken, tr

TITLES: Final = {PriceCase.LOW: worded("Low"), PriceCase.MID: worded("Mid"), PriceCase.HIGH: worded("High")}


class PriceCasesView(QWidget):
    """Told a plan in three cases; emits the case that it is to count with."""

    case_chosen = Signal(object)  # PriceCase

    def __init__(self, palette: Palette, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.shown: Sequence[CasePlan] = ()
        self.said = muted_label()
        self.buttons: dict[PriceCase, QToolButton] = {}
        group = QButtonGroup(self)
        line = QHBoxLayout()
        line.setSpacing(4)
        label = PlainLabel(tr("Rates that count"))
        line.addWidget(label)
        for case in PRICE_CASES:
            button = QToolButton()
            button.setText(spoken(TITLES[case]))
            button.setProperty("tab", True)
            button.setCheckable(True)
            button.setAccessibleName(tr("Count with {case} rates", case=case))
            set_tip(button, tr("Count with the {case} rate of every offer; one step of Undo", case=case))
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
            button.clicked.connect(lambda _=False, case=case: self.case_chosen.emit(case))
            group.addButton(button)
            line.addWidget(button)
            self.buttons[case] = button
        line.addStretch(1)
        self.money = FigureTable(tr("The plan at low, mid and high rates"), palette)
        self.layers_title = PlainLabel(tr("Layers that change"))
        self.layers_title.setFont(font("title"))
        self.layers = FigureTable(tr("Layers that change with the rates"), palette)
        self.note = muted_label()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 6, 12, 8)
        layout.setSpacing(6)
        layout.addLayout(line)
        layout.addWidget(self.said)
        layout.addWidget(self.money)
        layout.addSpacing(10)
        layout.addWidget(self.layers_title)
        layout.addWidget(self.layers)
        layout.addWidget(self.note)
        layout.addStretch(1)

    def show_plan(self, name: str | None, case: PriceCase) -> None:
        """Whose rates these are; None for the past, which has no choice."""
        for each, button in self.buttons.items():
            button.setEnabled(name is not None)
            button.setChecked(each is case)
        if name is None:
            self.said.setText(tr("Today counts with mid rates. Choose a plan to see it at others."))
        else:
            self.said.setText(
                tr(
                    "{name} counts with {case} rates. What is paid today stays at mid rates.",
                    name=name,
                    case=case,
                )
            )

    def show_cases(self, cases: Sequence[CasePlan]) -> None:
        """Show what was worked out; nothing while it is being worked out."""
        self.shown = cases
        self.money.setVisible(bool(cases))
        rows = layer_rows(cases)
        self.layers.setVisible(bool(rows))
        self.layers_title.setVisible(bool(cases))
        self.money.show_rows(CASE_COLUMNS, case_rows(cases))
        self.money.fit_height()
        self.layers.show_rows(LAYER_COLUMNS, rows)
        self.layers.fit_height()
        self.note.setText(_note(cases, bool(rows)))

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.money.show_palette(palette)
        self.layers.show_palette(palette)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        cases = list(self.buttons)
        here = next((at for at, case in enumerate(cases) if self.buttons[case].hasFocus()), None)
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        if here is None or step is None or not 0 <= here + step < len(cases):
            super().keyPressEvent(event)
            return
        self.buttons[cases[here + step]].setFocus(Qt.FocusReason.OtherFocusReason)
        self.buttons[cases[here + step]].click()


def _note(cases: Sequence[CasePlan], has_changes: bool) -> str:
    if not cases:
        return tr("Working it out\u2026")
    parts = [] if has_changes else [tr("No layer changes: the same terms and GPUs pay at all three.")]
    if any(one.at_mid for one in cases):
        parts.append(tr("An offer without a low or high rate counts with its mid rate in that case too."))
    return " ".join(parts)
