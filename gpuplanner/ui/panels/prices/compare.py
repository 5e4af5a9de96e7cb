"""Rates beside each other: offers of a GPU model, low, mid and high, and each provider alone."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QComboBox, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, spoken, tr
from gpuplanner.domain.award.deciding import OfferWorth
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.commitment.uncertainty.limit_costs import ProviderPlan
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.offer import PRICE_CASES, Offer, PriceCase
from gpuplanner.domain.model.window import Window
from gpuplanner.domain.reports.report import Report
from gpuplanner.ui.kit.layout import STRETCH, column, row, share
from gpuplanner.ui.kit.page_parts import heading_label, label, muted_label, press_beside, tab_button
from gpuplanner.ui.kit.theme import text_px
from gpuplanner.ui.panels.prices.rows import (
    AROUND_VIEW,
    CASE_COLUMNS,
    LAYER_COLUMNS,
    by_rate,
    case_rows,
    compare_table,
    layer_rows,
    widest_words,
)
from gpuplanner.ui.tables.figure_table import FigureTable, chooser, fill, price_table, select
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers

# --- Offers of one GPU model side by side: how far each is below the chosen one, and which two are furthest apart

NOTE = worded(
    "Choose an offer: the last column says how far each other one is below it. Worked out for these two rates."
)


class PriceCompareView(QWidget):
    """Told the offers; emits the model or the offer that was chosen."""

    model_chosen = Signal()
    offer_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.models: QComboBox = chooser(tr("GPU model to compare"), [])
        self.models.setMinimumWidth(text_px(130))
        self.widest = label(is_wrapped=True)
        self.table: FigureTable = price_table(tr("Offers side by side"))
        self.note = muted_label(NOTE)
        parts = (row(self.models, STRETCH), self.widest, share(self.table), self.note)
        column(*parts, on=self, margins=AROUND_VIEW, spacing=6)
        self.models.activated.connect(lambda _: self.model_chosen.emit())
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))

    def show_models(self, models: list[str]) -> None:
        """Which GPU models there are to choose from."""
        fill(self.models, models)

    def show_offers(self, offers: Sequence[Offer], offer_id: str, window: Window) -> None:
        """Show the offers of the chosen model beside one of them, the most expensive where that is not among them."""
        model = self.models.currentText()
        ordered = by_rate([offer for offer in offers if offer.gpu_model == model])
        chosen = next(
            (offer for offer in ordered if offer.offer_id == offer_id), ordered[0] if ordered else None
        )
        self.widest.setText(widest_words(ordered, model) if model else tr("No offers to compare yet."))
        self.table.show_rows(*compare_table(ordered, chosen, window))
        if chosen is not None:
            select(self.table, ordered.index(chosen))

    def _follow(self, row: int) -> None:
        if 0 <= row < self.table.model().rowCount():
            self.offer_chosen.emit(self.table.row_at(row).key)


# --- Low, mid and high rates beside each other: which of them a plan counts with, and what that changes

TITLES: Final = {PriceCase.LOW: worded("Low"), PriceCase.MID: worded("Mid"), PriceCase.HIGH: worded("High")}


class PriceCasesView(QWidget):
    """Told a plan in three cases; emits the case that it is to count with."""

    case_chosen = Signal(object)  # PriceCase

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("panel")
        self.shown: Sequence[CasePlan] = ()
        self.said = muted_label()
        self.buttons = {
            case: tab_button(
                TITLES[case],
                tr("Count with {case} rates", case=case),
                tr("Count with the {case} rate of every offer; one step of Undo", case=case),
                lambda _=False, case=case: self.case_chosen.emit(case),
            )
            for case in PRICE_CASES
        }
        group = QButtonGroup(self)
        for button in self.buttons.values():
            group.addButton(button)
        self.money = FigureTable(tr("The plan at low, mid and high rates"))
        self.layers_title = heading_label(tr("Layers that change"))
        self.layers = FigureTable(tr("Layers that change with the rates"))
        self.note = muted_label()
        column(
            row(PlainLabel(tr("Rates that count")), *self.buttons.values(), STRETCH, spacing=4),
            *(self.said, self.money, 10, self.layers_title, self.layers, self.note, STRETCH),
            on=self,
            margins=AROUND_VIEW,
            spacing=6,
        )

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
        rows = layer_rows(cases)
        self.layers_title.setVisible(bool(cases))
        self.money.show_all(CASE_COLUMNS, case_rows(cases) if cases else ())
        self.layers.show_all(LAYER_COLUMNS, rows)
        self.note.setText(_note(cases, bool(rows)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not press_beside([*self.buttons.values()], event, Qt.Key.Key_Left, Qt.Key.Key_Right):
            super().keyPressEvent(event)


def _note(cases: Sequence[CasePlan], has_changes: bool) -> str:
    if not cases:
        return tr("Working it out\u2026")
    parts = [] if has_changes else [tr("No layer changes: the same terms and GPUs pay at all three.")]
    if any(one.at_mid for one in cases):
        parts.append(tr("An offer without a low or high rate counts with its mid rate in that case too."))
    return " ".join(parts)


# --- Reports of many plans: each provider alone beside the plan, and what each term on offer is worth


class PlanReportView(QWidget):
    """Told the rows of a report of a plan. words: what they come to."""

    def __init__(self, of: Report, words: Callable[[Any], str]) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.shown: Sequence[Any] = ()
        self.said = muted_label()
        self.table = FigureTable(spoken(of.title))
        self.note = muted_label(spoken(of.note))
        self._of, self._words = of, words
        column(self.said, self.table, self.note, STRETCH, on=self, margins=AROUND_VIEW, spacing=6)

    def say(self, words: str) -> None:
        """Say why there is nothing to show."""
        self.shown = ()
        self.said.setText(spoken(words))
        self.table.hide()
        self.note.hide()

    def show_plans(self, found: Sequence[Any]) -> None:
        """Show what was worked out, and what it comes to in words."""
        self.shown = found
        self.said.setText(self._words(found))
        self.table.show_all(table_columns(self._of), table_rows(self._of, found))
        self.note.setVisible(bool(found))


def worth_words(found: Sequence[OfferWorth]) -> str:
    """How many are signed at the rate that they have."""
    if not found:
        return tr("No offer has a term and a rate.")
    signed = sum(one.worth_rate is not None and one.worth_rate >= one.rate for one in found)
    return tr(
        "What each term is worth: {signed} of {many} would be signed at the rate that they have.",
        signed=numbers.whole(signed),
        many=numbers.counted(len(found), "offer"),
    )


def alone_words(found: Sequence[ProviderPlan]) -> str:
    """How many could serve all, and what the cheapest of them costs beside the plan."""
    if not found:
        return tr("No offer names its provider.")
    able = [one for one in found if one.serves_all]
    if not able:
        return tr("No provider of the price book could serve all of the plan alone.")
    first = able[0]
    many = numbers.counted(len(found), "provider")
    if first.beside_plan is None:
        return tr("{able} of {many} could serve all alone.", able=numbers.whole(len(able)), many=many)
    side = tr("more") if first.beside_plan >= 0 else tr("less")
    return tr(
        "{able} of {many} could serve all alone. The cheapest, {provider}, costs {usd} {side} than the plan over "
        "twelve months.",
        able=numbers.whole(len(able)),
        many=many,
        provider=first.provider,
        usd=numbers.dollars(abs(first.beside_plan)),
        side=side,
    )
