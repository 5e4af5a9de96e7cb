"""Under the layers: why they are so, screening curve, what they hang on, coverage and value, what to order."""

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QLabel, QSizePolicy, QVBoxLayout, QWidget
from shiboken6 import isValid

from gpuplanner.charts.kit.plain_text import Markup, MarkupLabel, escaped
from gpuplanner.domain.commitment.result import PoolPlan
from gpuplanner.domain.commitment.uncertainty.flips import FlipPoint, flip_sentence
from gpuplanner.domain.commitment.uncertainty.screening import Screening, screening_of
from gpuplanner.domain.commitment.words.path_words import paths_sentences, price_changes_sentences
from gpuplanner.domain.commitment.words.sentences import (
    coverage_sentences,
    layer_sentences,
    npv_sentence,
    savings_rate_sentence,
    volatility_sentence,
)
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.ui.kit.fold import Fold
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.duration.section_rows import (
    ORDER_COLUMNS,
    PATH_COLUMNS,
    SCREENING_COLUMNS,
    VALUE_COLUMNS,
    order_rows,
    path_rows,
    screening_lines,
    screening_rows,
    value_rows,
)
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.order_words import pool_title
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.chart_colours import chart_colours, term_step
from gpuplanner.ui.tables.chart_menu import ChartMenu, sheet_of
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr

WHY, SCREEN, FLIPS, PATHS, VALUE, ORDERS = (
    worded("Why these layers"),
    worded("Screening curve"),
    worded("What would change them"),
    worded("What the terms hang on"),
    worded("Coverage and value"),
    worded("Orders"),
)
RULE_OF_THUMB: Final = worded(
    "$ per month of one GPU, by % of hours busy. A rule of thumb: terms carry churn and price fall."
)
LOOKING: Final = worded("Looking for the values at which another term takes over.")
NO_FLIPS: Final = worded(
    "No growth, volatility, price fall or churn in the usual range puts another term first here."
)
SET_BY_YOU: Final = worded(
    "Levels set by you do not change by themselves. Use the advice to see what would change it."
)


PATHS_OF_A_PLAN: Final = worded("Price paths are of a plan. Open one to see them.")
WORKING: Final = worded("Working out what the plan costs where prices go another way.")


class DurationSections(QWidget):
    """Told a row of a plan as it is set or tried; asks for flip points while they are looked at."""

    flips_asked = Signal(object)  # Evaluation
    flips_left = Signal()

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self._palette = palette
        self._plan: PoolPlan | None = None
        self._shown: ViewState | None = None
        self._flips: tuple[FlipPoint, ...] | None = None
        self._flips_of: object = None
        self._is_seen = True
        self._screening: Any = None  # charts are imported when the first one is shown
        self.folds = {
            title: Fold(title, palette, is_open=title == WHY)
            for title in (WHY, SCREEN, FLIPS, PATHS, VALUE, ORDERS)
        }
        self.texts = {title: _text() for title in self.folds}
        self.tables = {
            title: FigureTable(spoken(name), palette)
            for title, name in (
                (SCREEN, "Break-evens"),
                (PATHS, tr("What the plan costs where prices fall, are cut, stay or rise")),
                (VALUE, tr("Value of each layer")),
                (ORDERS, tr("Orders")),
            )
        }
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        for title, fold in self.folds.items():
            fold.rows.addWidget(self.texts[title])
            if title in self.tables:  # of the paths the figures come first: the words are about them
                fold.rows.insertWidget(0 if title == PATHS else 1, self.tables[title])
            fold.turned.connect(lambda _: self._draw())
            layout.addWidget(fold)
        self.texts[SCREEN].setText(tr(RULE_OF_THUMB))
        self.texts[SCREEN].setFont(font("small"))

    def show_row(self, plan: PoolPlan, shown: ViewState, *, is_trial: bool = False) -> None:
        """Show a row of a plan. is_trial: under the hand; only what follows it is drawn anew."""
        self._plan, self._shown = plan, shown
        if is_trial:
            self._show_why(plan)
        else:
            self._draw()

    def show_palette(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        for fold in self.folds.values():
            fold.show_palette(palette)
        for table in self.tables.values():
            table.show_palette(palette)
        if self._screening is not None:
            self._screening.deleteLater()
            self._screening = None
        self._draw()

    def show_flips(self, points: tuple[FlipPoint, ...]) -> None:
        """The answer to what was asked last."""
        self._flips = points
        self._show_flips()

    def show_no_flips(self, _: Exception) -> None:
        """They could not be worked out."""
        self._flips = None
        self.texts[FLIPS].setText(tr("Flip points could not be worked out."))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw()

    def show_seen(self, is_seen: bool) -> None:
        """Whether the panel is in front of others: what takes long is worked out only while somebody looks."""
        if not isValid(self):  # docks still tell of themselves while the window is taken apart
            return
        self._is_seen = is_seen
        if is_seen:
            self._draw()
        elif self._flips is None and self._flips_of is not None:
            self._flips_of = None
            self.flips_left.emit()

    # Inside

    def _draw(self) -> None:
        plan, shown = self._plan, self._shown
        if plan is None or shown is None or not self.isVisible():
            return
        self._show_why(plan)
        if self.folds[SCREEN].is_open:
            self._show_screening(plan)
        if self.folds[FLIPS].is_open:
            self._ask_flips(shown)
        if self.folds[PATHS].is_open:
            self._show_paths(shown)
        if self.folds[VALUE].is_open:
            self._show_value(plan, shown)
        if self.folds[ORDERS].is_open:
            self._show_orders(plan, shown)

    def _show_why(self, plan: PoolPlan) -> None:
        if self.folds[WHY].is_open:
            self.texts[WHY].setText(_paragraphs((*layer_sentences(plan), volatility_sentence(plan))))

    def _show_screening(self, plan: PoolPlan) -> None:
        from gpuplanner.charts.plots.screening import ScreeningChart

        screening = screening_of(plan)
        self.tables[SCREEN].setVisible(screening is not None)
        if screening is None:
            self.texts[SCREEN].setText(
                tr("Nobody offers GPUs paid by use: there is nothing to compare terms with.")
            )
            if self._screening is not None:
                self._screening.hide()
            return
        self.texts[SCREEN].setText(tr(RULE_OF_THUMB))
        if self._screening is None:
            self._screening = ScreeningChart(chart_colours(self._palette))
            self._screening.setFixedHeight(170)
            self.folds[SCREEN].rows.insertWidget(1, self._screening)
            self._screening_menu = ChartMenu(self._screening, self._palette, self._screening_sheet)
        colours = _term_colours(screening, self._palette)
        self._screening.show_lines(screening_lines(screening, colours, self._palette.hatch))
        if self._screening_menu.table is None or self._screening_menu.table.isHidden():
            self._screening.show()
        self._screening_menu.refresh()
        self.tables[SCREEN].show_rows(SCREENING_COLUMNS, screening_rows(plan, screening, colours))
        self.tables[SCREEN].fit_height()

    def _screening_sheet(self) -> Any:
        plan, shown = self._plan, self._shown
        screening = None if plan is None else screening_of(plan)
        if plan is None or shown is None or screening is None:
            return None

        def make(palette: Palette) -> QWidget:
            from gpuplanner.charts.plots.screening import ScreeningChart

            made = ScreeningChart(chart_colours(palette))
            made.show_lines(screening_lines(screening, _term_colours(screening, palette), palette.hatch))
            return made

        lines = screening_lines(screening, _term_colours(screening, self._palette), "")
        return sheet_of(
            tr("Screening curve: {plan}", plan=pool_title(plan)),
            tr("$ per month of one GPU, by % of hours busy"),
            source_words(shown),
            make,
            (tr("% busy"), *(line.name for line in lines)),
            lambda: [
                (f"{share}%", *(numbers.whole(line.usd(share / 100)) for line in lines))
                for share in range(0, 101, 10)
            ],
        )

    def _ask_flips(self, shown: ViewState) -> None:
        if shown.is_today or shown.is_settling or not self._is_seen:
            return
        evaluation = shown.evaluation
        plan = (evaluation.project.cube, evaluation.project.scenario(evaluation.scenario))
        if self._flips_of is None or self._flips_of != plan:
            self._flips_of, self._flips = plan, None
            self.texts[FLIPS].setText(tr(LOOKING))
            self.flips_asked.emit(evaluation)
        self._show_flips()

    def _show_flips(self) -> None:
        plan = self._plan
        if plan is None:
            return
        if plan.set_by_hand:
            self.texts[FLIPS].setText(tr(SET_BY_YOU))
        elif self._flips is not None:
            mine = [one for one in self._flips if (one.pool, one.gpu_model) == (plan.pool, plan.gpu_model)]
            mine.sort(key=lambda one: abs(one.at - one.value))
            self.texts[FLIPS].setText(
                _paragraphs([joined((flip_sentence(one, is_named=False), ".")) for one in mine])
                or tr(NO_FLIPS)
            )

    def _show_paths(self, shown: ViewState) -> None:
        """Of the whole plan: what prices do, they do to all of it."""
        outlook = shown.outlook
        paths = () if outlook is None or shown.is_today else outlook.price_paths
        self.tables[PATHS].setVisible(bool(paths))
        if outlook is None or not paths:
            self.texts[PATHS].setText(tr(PATHS_OF_A_PLAN if shown.is_today else WORKING))
            return
        scenario = shown.evaluation.project.scenario(shown.evaluation.scenario)
        months = shown.evaluation.project.assumptions_in(scenario).horizon_months
        changes = price_changes_sentences(scenario.price_changes)
        hang = [f"{sentence(one.message)}." for one in outlook.checks if one.code == "terms_hang_on_prices"]
        what = tr(
            "The whole plan, expected $ over {months} months in today's money, contracts in it. What the first month "
            "signs is held, what follows is planned knowing the path. \u2713 costs least.",
            months=months,
        )
        said = [*hang, *paths_sentences(paths, months), *changes, what]
        self.texts[PATHS].setText(_paragraphs(said))
        self.tables[PATHS].show_rows(PATH_COLUMNS, path_rows(paths))
        self.tables[PATHS].fit_height()

    def _show_value(self, plan: PoolPlan, shown: ViewState) -> None:
        outlook = shown.outlook
        said: list[Message] = []
        if outlook is not None:
            assumptions = shown.evaluation.project.assumptions
            if not shown.is_today:
                scenario = shown.evaluation.project.scenario(shown.evaluation.scenario)
                assumptions = shown.evaluation.project.assumptions_in(scenario)
            said += coverage_sentences(outlook.coverage) if outlook.coverage is not None else ()
            said.append(npv_sentence(outlook.npv_usd, assumptions.horizon_months))
            said += [savings_rate_sentence(shown.advice.totals)] if shown.advice is not None else []
        self.texts[VALUE].setText(_paragraphs(said) or tr("Working out coverage and value."))
        rows = value_rows(plan)
        self.tables[VALUE].setVisible(bool(rows))
        self.tables[VALUE].show_rows(VALUE_COLUMNS, rows)
        self.tables[VALUE].fit_height()

    def _show_orders(self, plan: PoolPlan, shown: ViewState) -> None:
        rows = order_rows(plan, shown)
        self.texts[ORDERS].setText("" if rows else tr("Nothing to order in the next 12 months."))
        self.texts[ORDERS].setVisible(not rows)
        self.tables[ORDERS].setVisible(bool(rows))
        self.tables[ORDERS].show_rows(ORDER_COLUMNS, rows)
        self.tables[ORDERS].fit_height()


def _paragraphs(sentences: Sequence[Text]) -> Markup:
    """Sentences as paragraphs with a little room between them; names are data, never markup."""
    last = len(sentences) - 1
    return Markup(
        "".join(
            f"<p style='margin-top:0; margin-bottom:{0 if at == last else 5}px'>{escaped(spoken(sentence))}</p>"
            for at, sentence in enumerate(sentences)
        )
    )


def _term_colours(screening: Screening, palette: Palette) -> dict[int, str]:
    return {term.term_months: palette.terms[term_step(palette, term.term_months)] for term in screening.terms}


def _text() -> QLabel:
    label = MarkupLabel()
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
    return label
