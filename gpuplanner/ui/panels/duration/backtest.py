"""The panel Backtest: cost of each month by way of buying, and settings that would have paid."""

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSizePolicy

from gpuplanner.app.past.backtesting import Walked
from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.commitment import advice_backtest
from gpuplanner.domain.commitment.advice_backtest import Backtest, Variant
from gpuplanner.domain.commitment.history import LOOKBACKS
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.cube import Support, log_support
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.ui.kit import page_parts, two_columns
from gpuplanner.ui.kit.layout import STRETCH, add, row, share
from gpuplanner.ui.kit.palettes import Palette
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.panel import About, Need, Panel
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.price_table import select
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.window_words import placed_refusal

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.month_lines import MonthLinesChart
from gpuplanner.ui.panels.duration.backtest_rows import settings_text, variant_table, way_table

TODAY_TEXT: Final = worded("Open a plan to test its advice.")
NO_JOBS: Final = worded("Import a job log to see this.")
WALKING: Final = worded("Testing on the log…")


class BacktestPanel(Panel):
    """Told what is shown and what a walk found; asks for a walk when it is seen."""

    about = About(
        name="backtest",
        title=worded("Backtest"),
        beside="contracts",
        needs=(
            Need("workloads", worded("Import a job log to see this.")),
            Need("offers", worded("Import prices to test the advice.")),
        ),
    )

    walk_asked = Signal(bool)  # over the whole log
    settings_chosen = Signal(object, object)  # {assumption: value}, how the step is called

    def build(self) -> None:
        self.walked: Walked | None = None  # what it shows; None until there is a walk
        self.chart = SeenChart(_new_chart, self._put, self._sheet)
        self._is_whole_log = False
        self.verdict = page_parts.label(step="strong", is_wrapped=True)
        self.caveat = page_parts.muted_label()
        self._span = page_parts.muted_label()
        tip = tr("With earlier months, from stored job rows")
        whole_log = worded("Test on the whole log")
        self.whole_log = page_parts.named_button(whole_log, tip, self._ask_whole_log)
        self._unit = page_parts.muted_label(worded("$ per month of 730 h"), is_wrapped=False)
        self.ways = FigureTable(tr("Cost by way of buying"))
        self.reasons = page_parts.label(is_wrapped=True)
        self.reasons.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._settings = page_parts.heading_label(tr("Settings that would have paid"))
        self._settings.setContentsMargins(0, 8, 0, 0)
        self._suggestion = page_parts.muted_label()
        self.variants = FigureTable(tr("Settings that would have paid"))
        self.variants.asks_by_click = False
        self.apply = page_parts.named_button(tr("Use this setting"), does=self._apply)
        columns = two_columns.TwoColumns(6)
        self.scrolled(worded("Backtest"), (14, 10, 12, 10), 6).addWidget(columns)
        head = row(share(self._span), self.whole_log)
        parts = (self.verdict, self.caveat, head, self._unit, self.ways, share(None, 0))
        self._body = add(columns.first, *parts)
        found = (self._settings, self._suggestion, self.variants)
        add(columns.second, self.reasons, *found, row(STRETCH, self.apply), share(None, 0))
        self.outcome = (self.caveat, self._unit, self.ways, *found, self.apply)
        self.fill(self.scroll_area)
        self.variants.selectionModel().currentRowChanged.connect(lambda *_: self._show_choice())
        self._say(tr(NO_JOBS))

    def show_walked(self, walked: Walked) -> None:
        """Show what a walk found."""
        self.walked = walked
        self._draw_walk()

    def show_progress(self, share: float, doing: Text) -> None:
        """How far the reading of a whole log is."""
        self._span.setText(tr("{title}: {value}", title=doing, value=numbers.whole_percent(share)))

    def show_failure(self, error: Exception) -> None:
        """Why there is no walk, and what to do; the project's own window can still be walked."""
        self._is_whole_log = False
        self._say(placed_refusal(error) if isinstance(error, PlannerError) else sentence(str(error)))
        self.whole_log.setVisible(True)

    def recolour_content(self) -> None:
        super().recolour_content()
        if self.walked is not None and self.isVisible():
            self._draw_walk()

    def draw(self, shown: ViewState) -> None:
        """Ask for a walk of the plan that is shown."""
        if not shown.evaluation.project.workloads:
            self._say(tr(NO_JOBS))
        elif shown.is_today:
            self._say(tr(TODAY_TEXT))
        else:
            if self.walked is None:
                self._say(tr(WALKING))
            self.walk_asked.emit(self._is_whole_log)

    def _ask_whole_log(self) -> None:
        self._is_whole_log = True
        self._span.setText(tr(WALKING))
        self.walk_asked.emit(True)

    def _say(self, text: str) -> None:
        """One sentence instead of a walk."""
        self.verdict.setText(spoken(text))
        for widget in (*self.outcome, self.reasons, self.whole_log):
            widget.hide()
        self._span.setText("")
        self.chart.show(False)

    def _draw_walk(self) -> None:
        if (walked := self.walked) is None:
            return
        answer = walked.backtest
        folds = answer.folds
        verdict = advice_backtest.verdict_of(answer) if folds else too_short_words(walked)
        self.verdict.setText(spoken(verdict))
        self.caveat.setText(spoken(advice_backtest.caveat_of(answer)))
        span = numbers.span(folds[0].paid_for[0], folds[-1].paid_for[1]) if folds else ""
        months = numbers.counted(len(folds), "month")
        self._span.setText(tr("{months} paid for, {paid_for}", months=months, paid_for=span) if folds else "")
        self.whole_log.setVisible(not walked.is_whole_log)
        for widget in self.outcome:
            widget.setVisible(bool(folds))
        reasons = [
            tr("{title}: {value}", title=numbers.short_date(fold.paid_for[0]), value=reason)
            for fold in folds
            for reason in map(spoken, advice_backtest.fold_reasons(fold))
        ]
        self.reasons.show_text("\n".join(reasons))
        if not folds:
            self.chart.show(False)
            return
        chart = self.chart.ready()
        self.chart.show()
        _tell(chart, answer)
        self.chart.menu.refresh()
        self.ways.show_all(*way_table(answer))
        self._suggestion.setText(spoken(advice_backtest.suggestion_of(walked.variants)))
        self.variants.show_all(*variant_table(walked.variants))
        if (suggested := advice_backtest.suggested_of(walked.variants)) is not None:
            select(self.variants, walked.variants.index(suggested))
        self._show_choice()

    def _put(self, chart: "MonthLinesChart") -> None:
        chart.setFixedHeight(text_px(170))
        chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._body.insertWidget(self._body.indexOf(self.ways), chart)

    def _sheet(self) -> Any:
        if self.walked is None or self._shown is None or not self.walked.backtest.folds:
            return None
        answer = self.walked.backtest
        ways = list(_dashes(answer))
        return sheet_of(
            tr("Backtest: cost by way of buying"),
            self._unit.text(),
            source_words(self._shown),
            self.chart.drawn(lambda made, _: _tell(made, answer)),
            (tr("Month from"), *(spoken(advice_backtest.WAY_NAMES[way]) for way in ways)),
            lambda: [
                (numbers.date(fold.paid_for[0]), *(numbers.whole(fold.usd[way]) for way in ways))
                for fold in answer.folds
            ],
        )

    def chosen_variant(self) -> Variant | None:
        if self.walked is None:
            return None
        row = self.variants.currentIndex().row()
        variants = self.walked.variants
        return variants[row] if 0 <= row < len(variants) else None

    def _show_choice(self) -> None:
        chosen = self.chosen_variant()
        self.apply.setEnabled(chosen is not None and bool(chosen.settings))
        if chosen is None:
            set_tip(self.apply, tr("Choose a setting above."))
        else:
            set_tip(self.apply, settings_text(chosen))

    def _apply(self) -> None:
        if (chosen := self.chosen_variant()) is not None and chosen.settings:
            self.settings_chosen.emit(dict(chosen.settings), chosen.title)


def _new_chart(palette: Palette) -> "MonthLinesChart":
    from gpuplanner.charts.plots.month_lines import MonthLinesChart

    return MonthLinesChart(chart_colours(palette))


def _tell(chart: "MonthLinesChart", answer: Backtest) -> None:
    from gpuplanner.charts.plots.month_lines import MonthLine

    usd = {key: tuple(fold.usd[key] for fold in answer.folds) for key in _dashes(answer)}
    lines = [
        MonthLine(advice_backtest.WAY_NAMES[key], usd[key], key == "advice", dash)
        for key, dash in _dashes(answer).items()
    ]
    chart.show_lines(lines, [numbers.short_date(fold.paid_for[0]) for fold in answer.folds])


def _dashes(answer: Backtest) -> dict[str, Qt.PenStyle]:
    """The ways that are drawn, and how their lines are told apart."""
    return {
        "advice": Qt.PenStyle.SolidLine,
        "hindsight": Qt.PenStyle.DashLine,
        advice_backtest.best_lookback(answer) or LOOKBACKS[0]: Qt.PenStyle.DotLine,
        "on_demand": Qt.PenStyle.DashDotLine,
    }


def too_short_words(walked: Walked) -> str:
    """Why a log has no backtest, and what to do."""
    support = next(row for row in log_support(walked.hours) if row.figure == "backtest")
    too_short = support.message if support.support is Support.NO else ""
    remedy = tr("Test on the whole log, or import a longer one.")
    if walked.is_whole_log:
        remedy = tr("Import a longer log.")
    return f"{spoken(too_short or advice_backtest.verdict_of(walked.backtest))} {remedy}"
