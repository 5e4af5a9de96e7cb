"""Prices: the offers that plans count with, to filter, compare and edit; and the plan at low, mid and high rates."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final

from PySide6.QtCore import Qt, Signal, SignalInstance
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QWidget

from gpuplanner.app.plans.price_cases import Cases, PriceCases
from gpuplanner.app.plans.reports import PlanReport, worth
from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, set_tip
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evaluation import alone
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.book.extras import sending
from gpuplanner.domain.model.book.offer import Offer, PriceCase
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.reports.award import OFFER_WORTHS
from gpuplanner.domain.reports.savings import PROVIDERS_ALONE
from gpuplanner.files.system.resources import long_text, read_price_history, views_of, words_table
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, box, column, row, share, stacked
from gpuplanner.ui.kit.page_parts import muted_label, named_button, scrolled, tool_button
from gpuplanner.ui.kit.tabs import view_tabs
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.panel import About, Panel, PanelView
from gpuplanner.ui.panels.prices import (
    cases_view,
    compare_view,
    detail,
    history_view,
    models_view,
    offer_rows,
    plan_reports,
)
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.price_table import chooser, fill, price_table, select
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.commands import COPY_OFFER

VIEWS: Final = views_of("prices")
ALSO: Final = words_table("price_view_also")
"""Other words that people look for a view by."""
BOTH_FROM: Final = 440
"""Pixels of height from which the list and the chosen offer stand one above the other."""

BUTTONS: Final = (
    ("edit", "document", worded("Edit offer (Enter)")),
    ("add", "plus", worded("Add an offer")),
    ("duplicate", "copy", worded("Duplicate offer ({keys})", keys=COPY_OFFER)),
    ("remove", "minus", worded("Remove offer (Delete)")),
)


def _assumptions(shown: ViewState) -> Assumptions:
    """Those in force in what is shown: of the past the project's own."""
    project = shown.evaluation.project
    own = project.assumptions
    return own if shown.is_today else project.assumptions_in(project.scenario(shown.evaluation.scenario))


class PricesPanel(Panel):
    """Told what is shown; says what the planner did to the price book."""

    about = About(
        name="prices",
        title=worded("Prices"),
        beside="contracts",
        views=tuple(
            PanelView(name, title, joined((tip, ALSO.get(name, "")), " ")) for name, title, tip in VIEWS
        ),
    )

    field_set = Signal(str, str, object)  # offer_id, field, value
    add_asked = Signal(str)  # GPU model that is listed; "": all
    duplicate_asked = Signal(str)  # offer_id
    remove_asked = Signal(str)  # offer_id
    egress_set = Signal(object)  # text: GB that a GPU sends out in an hour
    case_chosen = Signal(object)  # PriceCase
    mapping_set = Signal(str, str, object, object)  # as its view has it
    fall_chosen = Signal(float)  # price fall, a ratio a month
    export_asked = Signal()
    public_prices_asked = Signal()

    def build(self) -> None:
        self._drawn: tuple[object, ...] = ()
        self._listed: list[Offer] = []
        self._offer_id = ""
        # where there is no room for list and offer, the offer stands in the list's place
        self._is_editing = False
        self.price_cases = PriceCases(self)
        self.cases = cases_view.PriceCasesView()
        self.price_cases.answered.connect(self._take_cases)
        self.price_cases.failed.connect(
            lambda error: self.cases.note.setText(tr("Cannot be calculated: {error}", error=error))
        )
        self.providers_alone, self.worths = PlanReport(alone, self), PlanReport(worth, self)
        self.alone = plan_reports.PlanReportView(PROVIDERS_ALONE, plan_reports.alone_words)
        self.worth = plan_reports.PlanReportView(OFFER_WORTHS, plan_reports.worth_words)
        for asked, view in ((self.providers_alone, self.alone), (self.worths, self.worth)):
            asked.answered.connect(partial(self._take_report, view))
            asked.failed.connect(partial(self._fail_report, view))
        self.compare, self.history = compare_view.PriceCompareView(), history_view.PriceHistoryView()
        self.mapped = models_view.PriceModelsView()
        rates = box("panel", column(self.cases, self.worth, STRETCH), QWidget())
        others = map(scrolled, (self.history, self.mapped, rates, self.alone))
        self._views = stacked(scrolled(self._offers_view()), self.compare, *others)
        line, self.tabs = view_tabs(self, tr("Prices"), VIEWS, self.show_view)
        self.fill(line, self._views, top=6)
        self._connect()

    # Building

    def _offers_view(self) -> QWidget:
        self.models = chooser(tr("GPU model"), [offer_rows.ALL_MODELS])
        self.categories = chooser(tr("Category"), [title for title, _ in offer_rows.CATEGORIES])
        self.summary = muted_label()
        self.table = price_table(tr("Offers"))
        self.table.setMinimumHeight(42 + 3 * self.table.row_height)
        self.empty = MarkupLabel()
        self.empty.setText(Markup(tr(long_text("no_prices"))))
        self.empty.setProperty("role", "muted")
        self.empty.setWordWrap(True)
        self.detail = detail.PriceDetail()
        self.upper = QWidget()
        choices = row(*map(share, (self.models, self.categories)), spacing=6)
        parts = (choices, self.summary, self.empty, share(self.table), self._buttons())
        column(*parts, on=self.upper, margins=(14, 6, 12, 4), spacing=6)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(self.upper)
        self.splitter.addWidget(self.detail)
        self.splitter.setObjectName("panel")
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes([300, 240])
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        return self.splitter

    def _buttons(self) -> QHBoxLayout:
        does: dict[str, Callable[[], object]] = {
            "edit": self.edit_chosen,
            "add": lambda: self.add_asked.emit(self._shelf().gpu_model or ""),
            "duplicate": lambda: self._emit_chosen(self.duplicate_asked),
            "remove": lambda: self._emit_chosen(self.remove_asked),
        }
        self.buttons = {
            name: tool_button(spoken(tip).split(" (")[0], tip, does[name]) for name, _, tip in BUTTONS
        }
        for name, drawing, _ in BUTTONS:
            self.buttons[name].setIcon(icon(drawing, "text", "muted"))
        tip = tr("Import a price list, with a preview")
        called = tr("Import prices")
        self.importer = named_button(tr("Import\u2026"), tip, self.import_asked, called=called)
        tip, called = tr("The price book as an importable file"), tr("Save prices as CSV")
        self.exporter = named_button(tr("Save as CSV\u2026"), tip, self.export_asked, called=called)
        return row(*self.buttons.values(), STRETCH, self.importer, self.exporter, spacing=4)

    def _connect(self) -> None:
        for choice in (self.models, self.categories):
            choice.activated.connect(lambda _: self.redraw())
        self.compare.model_chosen.connect(self.redraw)
        self.compare.offer_chosen.connect(self._choose_compared)
        self.history.offer_chosen.connect(self._choose_compared)
        self.history.fall_chosen.connect(self.fall_chosen)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))
        self.table.row_opened.connect(self.choose)
        self.table.activated.connect(lambda _: self.edit_chosen())
        self.table.row_entered.connect(lambda _: self.edit_chosen())
        self.detail.field_set.connect(self.field_set)
        self.detail.egress_set.connect(self.egress_set)
        self.detail.back.clicked.connect(self.show_list)
        self.empty.linkActivated.connect(lambda _: self.public_prices_asked.emit())
        self.cases.case_chosen.connect(self.case_chosen)
        self.mapped.mapping_set.connect(self.mapping_set)

    # What to show

    def show_view(self, name: str) -> None:
        """Show one of VIEWS."""
        self.tabs[name].setChecked(True)
        self._views.setCurrentIndex([view for view, _, _ in VIEWS].index(name))
        self.redraw()

    def choose(self, offer_id: str) -> None:
        """Show one offer, in the list too; all are listed where the filter leaves it out."""
        self._offer_id = offer_id
        self.redraw()
        if all(offer.offer_id != offer_id for offer in self._listed):
            self.models.setCurrentIndex(0)
            self.categories.setCurrentIndex(0)
            self._offer_id = offer_id
            self.redraw()

    def edit_chosen(self) -> None:
        """Bring the chosen offer's fields into sight, the keyboard on its rate."""
        self._is_editing = True
        self.redraw()
        self.detail.focus_rate()

    def show_list(self) -> None:
        """Back from the fields of one offer to the list."""
        self._is_editing = False
        self.redraw()
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    def refuse(self, error: PlannerError) -> None:
        """Say under the offer, or under the models, what cannot be."""
        is_of_models = VIEWS[self._views.currentIndex()][0] == "models"
        (self.mapped if is_of_models else self.detail).refuse(error)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            self.redraw()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Delete and self.table.hasFocus():
            self._emit_chosen(self.remove_asked)
        elif QKeySequence(event.keyCombination()) == QKeySequence(COPY_OFFER):
            self._emit_chosen(self.duplicate_asked)
        elif event.key() == Qt.Key.Key_Escape and self._is_editing:
            self.show_list()
        else:
            super().keyPressEvent(event)

    # Inside

    def _shelf(self) -> offer_rows.Shelf:
        model = self.models.currentText()
        category = offer_rows.CATEGORIES[max(0, self.categories.currentIndex())][1]
        return offer_rows.Shelf(None if self.models.currentIndex() <= 0 else model, category)

    def draw(self, shown: ViewState) -> None:
        """Show the price book in the view that is chosen."""
        project = shown.evaluation.project
        if (view := VIEWS[self._views.currentIndex()][0]) == "cases":
            self._draw_cases(shown)
            self._draw_report(shown, self.worths, self.worth)
            return
        if view == "alone":
            self._draw_report(shown, self.providers_alone, self.alone)
            return
        if view == "history":
            self.history.show_history(shown, self._offer_id, read_price_history(), _assumptions(shown).delta)
            return
        if view == "models":
            self.mapped.show_project(project, shown.offers)
            return
        models = sorted({offer.gpu_model for offer in project.offers})
        fill(self.models, [offer_rows.ALL_MODELS, *models])
        self.compare.show_models(models)
        state = (
            view,
            project.offers,
            shown.offers,
            project.plan_window,
            _assumptions(shown).egress_gb_per_gpu_hour,
            self._shelf(),
            self.compare.models.currentText(),
            self._offer_id,
            self._is_editing,
            self.size(),
            numbers.locale(),
        )
        if len(state) == len(self._drawn) and all(
            a is b or (not isinstance(a, tuple) and a == b) for a, b in zip(state, self._drawn, strict=True)
        ):
            return
        self._drawn = state
        if view == "offers":
            self._draw_offers(shown)
        else:
            self._draw_comparison(shown)

    def _draw_offers(self, shown: ViewState) -> None:
        project, window = shown.evaluation.project, shown.evaluation.project.plan_window
        gb = _assumptions(shown).egress_gb_per_gpu_hour
        self._listed = listed = offer_rows.listed_offers(sending(project.offers, gb), self._shelf())
        width = self.table.width()
        self.summary.setText(offer_rows.summary_words(listed, window))
        is_low = self.height() < text_px(BOTH_FROM)
        self.summary.setVisible(bool(project.offers) and not is_low)  # a row of the table is worth more there
        set_tip(self.table, self.summary.text() if is_low else "")
        self.empty.setVisible(not project.offers)
        self.table.setVisible(bool(project.offers))
        self.table.show_rows(*offer_rows.offers_table(listed, window, width))
        at = next((at for at, one in enumerate(listed) if one.offer_id == self._offer_id), 0)
        self._is_editing = self._is_editing and bool(listed)
        self.detail.setVisible(bool(listed) and (self._is_editing or not is_low))
        self.detail.back.setVisible(is_low)
        self.upper.setVisible(not (is_low and self._is_editing))
        self.buttons["edit"].setVisible(is_low)
        self.buttons["edit"].setEnabled(bool(listed))
        for name in ("duplicate", "remove"):
            self.buttons[name].setEnabled(bool(listed))
        self.exporter.setEnabled(bool(project.offers))
        if listed:
            self._offer_id = listed[at].offer_id
            select(self.table, at)
            self.detail.show_offer(listed[at], window, gb)

    def _draw_comparison(self, shown: ViewState) -> None:
        self.compare.show_offers(shown.offers, self._offer_id, shown.evaluation.project.plan_window)
        self.compare.note.setVisible(self.height() >= text_px(BOTH_FROM))

    def _draw_cases(self, shown: ViewState) -> None:
        evaluation = shown.evaluation
        if shown.is_today:
            self.cases.show_plan(None, PriceCase.MID)
            self.cases.show_cases(())
            self.cases.note.setText("")
            return
        self.cases.show_plan(evaluation.scenario, evaluation.project.scenario(evaluation.scenario).price_case)
        self.price_cases.ask(evaluation)

    def _take_cases(self, cases: Cases) -> None:
        if self._shown is not None and not self._shown.is_today:
            self.cases.show_cases(cases)

    def _draw_report(self, shown: ViewState, asked: PlanReport, view: plan_reports.PlanReportView) -> None:
        if shown.is_today:
            view.say(tr("Today is your current spend. Open a plan."))
            return
        if shown.advice is None or not view.shown:
            view.say(tr("Calculating…"))
        asked.ask(shown.evaluation)

    def _take_report(self, view: plan_reports.PlanReportView, found: Sequence[Any]) -> None:
        if self._shown is not None and not self._shown.is_today:
            view.show_plans(found)

    def _fail_report(self, view: plan_reports.PlanReportView, error: object) -> None:
        view.say(tr("Cannot be calculated: {error}", error=str(error)))

    def _follow(self, row: int) -> None:
        shown = self._shown
        if (
            shown is not None
            and 0 <= row < len(self._listed)
            and self._listed[row].offer_id != self._offer_id
        ):
            self._offer_id = self._listed[row].offer_id
            project = shown.evaluation.project
            gb = _assumptions(shown).egress_gb_per_gpu_hour
            self.detail.show_offer(self._listed[row], project.plan_window, gb)

    def _choose_compared(self, offer_id: str) -> None:
        if self._shown is not None and offer_id != self._offer_id:
            self._offer_id = offer_id
            self.redraw()

    def _emit_chosen(self, signal: SignalInstance) -> None:
        if self._offer_id and any(offer.offer_id == self._offer_id for offer in self._listed):
            signal.emit(self._offer_id)
