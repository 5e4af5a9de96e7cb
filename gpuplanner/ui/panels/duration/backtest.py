"""Backtest: would this advice have paid? Cost of each month by way of buying, and the settings that would have paid."""

from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from gpuplanner.app.questions.backtesting import Walked
from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.commitment.backtest.advice_backtest import Backtest
from gpuplanner.domain.commitment.backtest.strategies import LOOKBACKS
from gpuplanner.domain.commitment.backtest.variants import Variant
from gpuplanner.domain.commitment.words.backtest_words import (
    WAY_NAMES,
    best_lookback,
    caveat_of,
    fold_reasons,
    suggested_of,
    suggestion_of,
    verdict_of,
)
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.log.log_length import Support, log_support
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.duration.backtest_rows import (
    VARIANT_COLUMNS,
    WAY_COLUMNS,
    settings_text,
    variant_rows,
    way_rows,
)
from gpuplanner.ui.panels.panel import About, Need, Panel
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu, sheet_of, take_out
from gpuplanner.ui.tables.chooser import select
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr
from gpuplanner.ui.words.window_words import placed_refusal

WHOLE_LOG: Final = worded("Walk over the whole log")
TODAY_TEXT: Final = worded("Today signs nothing. Choose a plan to see whether its advice would have paid.")
NO_JOBS: Final = worded("No jobs yet. Import a job log to test the advice on it.")
WALKING: Final = worded("Walking over the log\u2026")


class BacktestPanel(Panel):
    """Told what is shown and what a walk found; asks for a walk when it is seen."""

    about = About(
        "backtest",
        worded("Backtest"),
        beside="recommendations",
        needs=(
            Need("workloads", worded("A job log is what the advice is tested on.")),
            Need("offers", worded("With prices the advice can be tested on the past.")),
        ),
        also=worded("would such advice have paid in the past, history, track record"),
    )

    walk_asked = Signal(bool)  # over the whole log
    settings_chosen = Signal(object, object)  # {assumption: value}, how the step is called

    def build(self) -> None:
        self._walked: Walked | None = None
        self._chart: Any = None  # charts are imported when the first one is shown
        self._is_whole_log = False
        self._verdict = PlainLabel()
        self._verdict.setWordWrap(True)
        self._verdict.setFont(font("strong"))
        self._caveat = muted_label()
        self._span = muted_label(is_wrapped=False)
        self.whole_log = QPushButton(tr(WHOLE_LOG))
        self.whole_log.setAccessibleName(tr(WHOLE_LOG))
        set_tip(
            self.whole_log,
            tr("Also the months before this project's window, from the job rows that were kept"),
        )
        self._unit = muted_label(worded("$ of each month of 730 h"), is_wrapped=False)
        self.ways = FigureTable(tr("What each way of buying cost"), self._palette)
        self._reasons = PlainLabel()
        self._reasons.setWordWrap(True)
        self._reasons.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._settings = PlainLabel(tr("Which settings would have paid"))
        self._settings.setFont(font("title"))
        self._settings.setContentsMargins(0, 8, 0, 0)
        self._suggestion = muted_label()
        self.variants = FigureTable(tr("Settings that were tried"), self._palette)
        self.variants.asks_by_click = False
        self.apply = QPushButton(tr("Use this setting"))
        self.apply.setAccessibleName(tr("Use this setting"))
        self._lay_out()
        self.whole_log.clicked.connect(self._ask_whole_log)
        self.apply.clicked.connect(self._apply)
        self.variants.selectionModel().currentRowChanged.connect(lambda *_: self._show_choice())
        self._say(tr(NO_JOBS))

    def _lay_out(self) -> None:
        columns = TwoColumns(6)
        self.scrolled(worded("Backtest, chart and tables"), (14, 10, 12, 10), 6).addWidget(columns)
        self._body, beside = columns.first, columns.second
        head = QHBoxLayout()
        head.addWidget(self._span, 1)
        head.addWidget(self.whole_log)
        choice = QHBoxLayout()
        choice.addStretch(1)
        choice.addWidget(self.apply)
        self._body.addWidget(self._verdict)
        self._body.addWidget(self._caveat)
        self._body.addLayout(head)
        self._body.addWidget(self._unit)
        self._body.addWidget(self.ways)
        self._body.addStretch()
        for part in (self._reasons, self._settings, self._suggestion, self.variants):
            beside.addWidget(part)
        beside.addLayout(choice)
        beside.addStretch()
        self.fill(self.scroll_area)

    def show_walked(self, walked: Walked) -> None:
        """Show what a walk found."""
        self._walked = walked
        self._draw_walk()

    @property
    def walked(self) -> Walked | None:
        """What it shows; None until there is a walk."""
        return self._walked

    def show_progress(self, share: float, text: str) -> None:
        """How far the reading of a whole log is."""
        self._span.setText(f"{text} {numbers.whole_percent(share)}")

    def show_failure(self, error: Exception) -> None:
        """Why there is no walk, and what to do; the project's own window can still be walked."""
        self._is_whole_log = False
        self._say(placed_refusal(error) if isinstance(error, PlannerError) else sentence(str(error)))
        self.whole_log.setVisible(True)

    def recolour(self, palette: Palette) -> None:
        """Other colours from now on."""
        take_out(self._body, self._chart)
        self._chart = None
        if self._walked is not None and self.isVisible():
            self._draw_walk()

    def draw(self, shown: ViewState) -> None:
        """Ask for a walk of the plan that is shown."""
        if not shown.evaluation.project.workloads:
            self._say(tr(NO_JOBS))
        elif shown.is_today:
            self._say(tr(TODAY_TEXT))
        else:
            if self._walked is None:
                self._say(tr(WALKING))
            self.walk_asked.emit(self._is_whole_log)

    def _ask_whole_log(self) -> None:
        self._is_whole_log = True
        self._span.setText(tr(WALKING))
        self.walk_asked.emit(True)

    def _say(self, text: str) -> None:
        """One sentence instead of a walk."""
        self._verdict.setText(spoken(text))
        for widget in (
            self._caveat,
            self._unit,
            self.ways,
            self._reasons,
            self._settings,
            self._suggestion,
            self.variants,
        ):
            widget.hide()
        self.apply.hide()
        self.whole_log.hide()
        self._span.setText("")
        if self._chart is not None:
            self._chart.hide()

    def _draw_walk(self) -> None:
        walked = self._walked
        if walked is None:
            return
        answer = walked.backtest
        folds = answer.folds
        self._verdict.setText(spoken(verdict_of(answer) if folds else too_short_words(walked)))
        self._caveat.setText(spoken(caveat_of(answer)))
        self._span.setText(
            tr(
                "{months} paid for, {paid_for}",
                months=numbers.counted(len(folds), "month"),
                paid_for=numbers.span(folds[0].paid_for[0], folds[-1].paid_for[1]),
            )
            if folds
            else ""
        )
        self.whole_log.setVisible(not walked.is_whole_log)
        for widget in (
            self._caveat,
            self._unit,
            self.ways,
            self._settings,
            self._suggestion,
            self.variants,
            self.apply,
        ):
            widget.setVisible(bool(folds))
        reasons = [
            tr("{paid_for}: {reason}", paid_for=numbers.short_date(fold.paid_for[0]), reason=reason)
            for fold in folds
            for reason in map(spoken, fold_reasons(fold))
        ]
        self._reasons.setVisible(bool(reasons))
        self._reasons.setText("\n".join(reasons))
        if not folds:
            if self._chart is not None:
                self._chart.hide()
            return
        self._draw_chart(answer)
        self.ways.show_rows(WAY_COLUMNS, way_rows(answer))
        self.ways.fit_height()
        self._suggestion.setText(spoken(suggestion_of(walked.variants)))
        self.variants.show_rows(VARIANT_COLUMNS, variant_rows(walked.variants))
        self.variants.fit_height()
        suggested = suggested_of(walked.variants)
        if suggested is not None:
            select(self.variants, walked.variants.index(suggested))
        self._show_choice()

    def _draw_chart(self, answer: Backtest) -> None:
        from gpuplanner.charts.plots.month_lines import MonthLinesChart

        if self._chart is None:
            self._chart = MonthLinesChart(chart_colours(self._palette))
            self._chart.setFixedHeight(170)
            self._chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self._body.insertWidget(self._body.indexOf(self.ways), self._chart)
            self._menu = ChartMenu(self._chart, self._palette, self._sheet)
        if self._menu.table is None or self._menu.table.isHidden():
            self._chart.show()
        self._tell(self._chart, answer)
        self._menu.refresh()

    def _sheet(self) -> Any:
        if self._walked is None or self._shown is None or not self._walked.backtest.folds:
            return None
        answer = self._walked.backtest

        def make(palette: Palette) -> QWidget:
            from gpuplanner.charts.plots.month_lines import MonthLinesChart

            made = MonthLinesChart(chart_colours(palette))
            self._tell(made, answer)
            return made

        ways = list(_dashes(answer))
        return sheet_of(
            tr("Backtest: what each way of buying cost"),
            self._unit.text(),
            source_words(self._shown),
            make,
            (tr("Month from"), *(spoken(WAY_NAMES[way]) for way in ways)),
            lambda: [
                (numbers.date(fold.paid_for[0]), *(numbers.whole(fold.usd[way]) for way in ways))
                for fold in answer.folds
            ],
        )

    def _tell(self, chart: Any, answer: Backtest) -> None:
        from gpuplanner.charts.plots.month_lines import MonthLine

        lines = [
            MonthLine(WAY_NAMES[way], tuple(fold.usd[way] for fold in answer.folds), way == "advice", dash)
            for way, dash in _dashes(answer).items()
        ]
        chart.show_lines(lines, [numbers.short_date(fold.paid_for[0]) for fold in answer.folds])

    def _chosen(self) -> Variant | None:
        if self._walked is None:
            return None
        row = self.variants.currentIndex().row()
        variants = self._walked.variants
        return variants[row] if 0 <= row < len(variants) else None

    def _show_choice(self) -> None:
        chosen = self._chosen()
        can = chosen is not None and bool(chosen.settings)
        self.apply.setEnabled(can)
        if chosen is None:
            set_tip(self.apply, tr("Choose a setting in the table above."))
        else:
            set_tip(self.apply, settings_text(chosen))

    def _apply(self) -> None:
        chosen = self._chosen()
        if chosen is not None and chosen.settings:
            self.settings_chosen.emit(dict(chosen.settings), chosen.title)


def _dashes(answer: Backtest) -> dict[str, Qt.PenStyle]:
    """The ways that are drawn, and how their lines are told apart."""
    return {
        "advice": Qt.PenStyle.SolidLine,
        "hindsight": Qt.PenStyle.DashLine,
        best_lookback(answer) or LOOKBACKS[0]: Qt.PenStyle.DotLine,
        "on_demand": Qt.PenStyle.DashDotLine,
    }


def too_short_words(walked: Walked) -> str:
    """Why a log has no backtest, and what to do."""
    found = next(one for one in log_support(walked.hours) if one.figure == "backtest")
    said = found.message if found.support is Support.NO else ""
    remedy = (
        tr("Import a longer log.")
        if walked.is_whole_log
        else tr("Walk over the whole log, or import a longer one.")
    )
    return f"{spoken(said or verdict_of(walked.backtest))} {remedy}"
