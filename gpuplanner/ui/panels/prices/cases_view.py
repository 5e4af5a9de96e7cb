"""Low, mid and high rates: which of them a plan counts with, and the changes."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.uncertainty.flips import CasePlan
from gpuplanner.domain.evidence.plan.price_cases import layer_subject
from gpuplanner.domain.evidence.trace import figure
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.offer import PRICE_CASES, PriceCase
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.ui.kit.layout import STRETCH, column, row
from gpuplanner.ui.kit.page_parts import heading_label, muted_label, press_beside
from gpuplanner.ui.kit.tabs import tab_button
from gpuplanner.ui.panels.prices.offer_rows import AROUND_VIEW
from gpuplanner.ui.tables.cells import Cell, Column, Row, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of

# ---------------------------------------------------------------- low, mid, high

CASE_COLUMNS: Final = (
    Column(title="$ per month", is_figure=False),
    Column(title="Low"),
    Column(title="Mid"),
    Column(title="High"),
)
LAYER_COLUMNS: Final = (
    Column(title="New commitments, GPUs", is_figure=False),
    Column(title="Low"),
    Column(title="Mid"),
    Column(title="High"),
)


def case_rows(cases: Sequence[CasePlan]) -> list[Row]:
    """Money of the plan in each case, and how many offers state no rate of their own."""

    def at_mid(plan: CasePlan) -> str:
        return tr("{shown} of {total}", shown=plan.at_mid, total=plan.priced_offers)

    nothing, saved = PLAN["do_nothing"].title, PLAN["savings_vs_do_nothing"].title
    lines: tuple[tuple[Text, str, Callable[[CasePlan], str]], ...] = (
        ("Plan", "case_plan", lambda plan: numbers.whole(plan.plan_usd_per_month)),
        (nothing, "case_nothing", lambda plan: numbers.whole(plan.do_nothing_usd_per_month)),
        (saved, "case_saved", lambda plan: numbers.whole(plan.savings_vs_do_nothing_usd_per_month)),
        ("Offers that count at mid", "case_at_mid", at_mid),
    )
    return [
        Row(
            (
                Cell(text=tr(name), role="muted" if at else "text", is_strong=not at),
                *(
                    Cell(text=text(case), is_strong=not at, figure_id=figure(kind, "", case.case.value))
                    for case in cases
                ),
            )
        )
        for at, (name, kind, text) in enumerate(lines)
    ]


def layer_rows(cases: Sequence[CasePlan]) -> list[Row]:
    """The layers that are not the same in all cases, with their GPUs in each."""
    gpus: dict[tuple[Pool, str | None, int], dict[str, float]] = {}
    terms: dict[tuple[Pool, str | None, int], Text] = {}
    for case in cases:
        for change in case.changed_layers:
            key = (change.pool, change.gpu_model, change.term_months)
            gpus.setdefault(key, {})["mid"] = change.gpus_mid
            gpus[key][case.case.value] = change.gpus
            terms.setdefault(key, change.term)
    rows = []
    for (pool, model, term), found in sorted(
        gpus.items(), key=lambda row: (POOLS.index(row[0][0]), row[0][1:])
    ):
        name = numbers.MIDDOT.join(
            (lane_of(pool).title, model or tr("unknown model"), spoken(terms[pool, model, term]))
        )
        subject = layer_subject(pool, model, term)
        cells = (
            written(
                numbers.gpus,
                found.get(one.case.value, found["mid"]),
                figure_id=figure("case_layer", subject, one.case.value),
            )
            for one in cases
        )
        rows.append(Row((Cell(text=name), *cells)))
    return rows


# --- Low, mid and high rates beside each other: which of them a plan counts with, and what that changes

TITLES: Final = {PriceCase.LOW: worded("Low"), PriceCase.MID: worded("Mid"), PriceCase.HIGH: worded("High")}


class PriceCasesView(QWidget):
    """Told a plan in three cases; emits the case that it is to count with."""

    case_chosen = Signal(object)  # PriceCase

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self.shown: Sequence[CasePlan] = ()
        self.said = muted_label()
        self.buttons = {
            case: tab_button(
                TITLES[case],
                tr("Count with {case} rates", case=case),
                tr("Use the {case} rate of every offer; one undo step", case=case),
                lambda _=False, case=case: self.case_chosen.emit(case),
            )
            for case in PRICE_CASES
        }
        group = QButtonGroup(self)
        for button in self.buttons.values():
            group.addButton(button)
        self.money = FigureTable(tr("Plan at low, mid and high rates"))
        self.layers_title = heading_label(tr("Layers that change"))
        self.layers = FigureTable(tr("Layers that change with the rates"))
        self.note = muted_label()
        cases = row(PlainLabel(tr("Rates that count")), *self.buttons.values(), STRETCH, spacing=4)
        parts = (cases, self.said, self.money, 10, self.layers_title, self.layers, self.note, STRETCH)
        column(*parts, on=self, margins=AROUND_VIEW, spacing=6)

    def show_plan(self, name: str | None, case: PriceCase) -> None:
        """Whose rates these are; None for the past, which has no choice."""
        for each, button in self.buttons.items():
            button.setEnabled(name is not None)
            button.setChecked(each is case)
        if name is None:
            self.said.setText(tr("Today uses mid rates. Choose a plan to see others."))
        else:
            self.said.setText(tr("{name} uses {case} rates; today stays at mid rates.", name=name, case=case))

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
        return tr("Calculating…")
    parts = [] if has_changes else [tr("No layer changes at the three rates.")]
    if any(case.at_mid for case in cases):
        parts.append(tr("Offers without low or high rates use their mid rate."))
    return " ".join(parts)
