"""From today to the plan: where savings come from, the bridge of the spend, and twelve months beside doing nothing."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.commitment.comparison.horizons import Horizon, horizon_row
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.commitment.words.first_month import first_month_words
from gpuplanner.domain.commitment.words.savings_words import bought_words
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.reports.plan.savings import (
    SAVINGS,
    SEPARATION_LINES,
    SavingsStory,
    separation_sentences,
)
from gpuplanner.ui.kit.labels import muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.headline_figures import why_no_savings
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.month_words import has_dates
from gpuplanner.ui.state.plan_money import plan_amounts
from gpuplanner.ui.state.savings_story import story_amounts, story_of_plan
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.state.waterfall_steps import steps_of
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu, sheet_of
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.month_lines import MonthLinesChart
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

BRIDGE: Final = worded("From today to the plan")
SAVED: Final = worded("$ per month saved")
MONTHS: Final = worded("Twelve months: doing nothing and the plan")
OF_A_PLAN: Final = worded("Today is what is paid now. Open a plan to see what it changes.")
SETTLING: Final = worded("Working out the plan.")


class TodayToPlanPanel(Panel):
    """Told what is shown; says which figure of it was asked about."""

    about = About(
        "today_to_plan",
        worded("Today to plan"),
        beside="recommendations",
        letter="T",
        is_closed=True,
        also=worded(
            "savings saved where they come from, what they would buy, reinvest, separation costs and avoids, "
            "contention, premium, do nothing, sign nothing, no commitment, baseline, demand that went away by itself, "
            "separating, twelve months, waterfall"
        ),
    )

    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def build(self) -> None:
        self.story: Any = None  # charts are imported when the first one is shown
        self.bridge: Any = None  # charts are imported when the first one is shown
        self.months: Any = None
        self._note = muted_label(tr(OF_A_PLAN))
        self._story_head, self._bridge_head, self._months_head = QHBoxLayout(), QHBoxLayout(), QHBoxLayout()
        self._bought, self._apart, self._saved = muted_label(), muted_label(), muted_label()
        self.separation = FigureTable(spoken(SEPARATION_LINES.title), self._palette)
        separation_title = PlainLabel(spoken(SEPARATION_LINES.title))
        separation_title.setFont(font("strong"))
        self._rows = self.scrolled(worded("Today to plan, charts"), (14, 10, 12, 10), 4)
        heads = ((self._story_head, SAVINGS.title), (self._bridge_head, BRIDGE), (self._months_head, MONTHS))
        for head, title in heads:
            label = PlainLabel(spoken(title))
            label.setFont(font("strong"))
            head.addWidget(label)
            unit = SAVED if head is self._story_head else worded("$ per month")
            head.addWidget(muted_label(unit, is_wrapped=False))
            head.addStretch(1)
            if head is not self._story_head:
                self._rows.addSpacing(12)
            self._rows.addLayout(head)
            if head is self._story_head:
                self._rows.addWidget(self._bought)
                self._rows.addSpacing(12)
                self._rows.addWidget(separation_title)
                self._rows.addWidget(self.separation)
                self._rows.addWidget(self._apart)
        self._rows.addWidget(self._saved)
        self._rows.addStretch(1)
        self.fill(self._note, self.scroll_area)
        self._note.setContentsMargins(14, 12, 12, 0)
        self.scroll_area.hide()

    def recolour(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.separation.show_palette(palette)
        if self.bridge is not None:
            self.bridge.show_colours(chart_colours(palette))
            self._bridge_menu.show_palette(palette)
            self.story.show_colours(chart_colours(palette))
            self._story_menu.show_palette(palette)
        if self.months is not None:  # drawn in its colours: made anew when it is seen again
            self._rows.removeWidget(self.months)
            self.months.deleteLater()
            self.months = None
            self._months_menu.button.deleteLater()

    @property
    def waterfalls(self) -> tuple[Any, ...]:
        """The charts whose bars are asked about; none before a plan was shown."""
        return () if self.bridge is None else (self.story, self.bridge)

    # Inside

    def draw(self, shown: ViewState) -> None:
        """Show what a plan changes."""
        advice = None if shown.is_today else shown.advice
        self._note.setVisible(advice is None)
        self.scroll_area.setVisible(advice is not None)
        if advice is None:
            self._note.setText(tr(OF_A_PLAN) if shown.is_today else tr(SETTLING))
            return
        self._make()
        story = story_of_plan(shown, advice)
        self.story.show_steps(steps_of(story_amounts(story)))
        self._bought.setText(" ".join((*_unknown_steps(story), spoken(bought_words(story.buy)))))
        self.separation.show_rows(table_columns(SEPARATION_LINES), table_rows(SEPARATION_LINES, story))
        self.separation.fit_height()
        self._apart.setText("\n".join(map(spoken, separation_sentences(story))))
        self.bridge.show_steps(steps_of(plan_amounts(shown)))
        _tell_months(self.months, shown)
        for menu in (self._story_menu, self._bridge_menu, self._months_menu):
            menu.refresh()
        saved = horizon_row(Horizon.TWELVE_MONTHS, advice, None).saved
        side = tr("below") if saved is None or saved >= 0 else tr("above")
        self._saved.setText(
            why_no_savings(shown) or tr("A rate is missing: the months cannot be added up.")
            if saved is None
            else tr(
                "Over twelve months the plan is {saved} {side} doing nothing, {demand} and the assumed growth and "
                "price fall.",
                saved=numbers.dollars(abs(saved)),
                side=side,
                demand=tr("with the demand that the plan sets for later")
                if has_dates(shown)
                else tr("at today's level of demand"),
            )
            + _first_month_words(advice)
        )

    def _make(self) -> None:
        if self.bridge is None:
            self.story, self._story_menu = self._waterfall(SAVINGS.title, self._story_head, self._story_sheet)
            self.bridge, self._bridge_menu = self._waterfall(BRIDGE, self._bridge_head, self._bridge_sheet)
        if self.months is None:
            self.months = self._new_months(self._palette)
            self.months.setFixedHeight(190)
            self._rows.insertWidget(self._rows.indexOf(self._saved), self.months)
            self._months_menu = ChartMenu(self.months, self._palette, self._months_sheet, is_floating=False)
            self._months_head.addWidget(self._months_menu.button)

    def _waterfall(self, title: Text, head: QHBoxLayout, sheet: Callable[[], Any]) -> tuple[Any, ChartMenu]:
        """A waterfall under its heading, with its menu there."""
        made = _new_waterfall(title, self._palette)
        made.setFixedHeight(190)
        self._rows.insertWidget(self._rows.indexOf(head) + 1, made)
        made.step_opened.connect(
            lambda figure_id: self.figure_opened.emit(figure_id, made, QRect(made.place_of_current()))
        )
        menu = ChartMenu(made, self._palette, sheet, is_floating=False)
        head.addWidget(menu.button)
        return made, menu

    def _new_months(self, palette: Palette) -> "MonthLinesChart":
        from gpuplanner.charts.plots.month_lines import MonthLinesChart

        return MonthLinesChart(chart_colours(palette), spoken(MONTHS))

    def _story_sheet(self) -> Any:
        return self._waterfall_sheet(SAVINGS.title, self.story)

    def _bridge_sheet(self) -> Any:
        return self._waterfall_sheet(BRIDGE, self.bridge)

    def _waterfall_sheet(self, title: Text, chart: Any) -> Any:
        shown = self._shown
        if shown is None or shown.advice is None:
            return None

        def make(palette: Palette) -> QWidget:
            made = _new_waterfall(title, palette)
            made.show_steps(chart.steps)
            return made

        headings = ("", tr("$ per month"))
        return sheet_of(title, tr("$ per month"), source_words(shown), make, headings, chart.table, 320)

    def _months_sheet(self) -> Any:
        shown = self._shown
        if shown is None or shown.advice is None:
            return None
        comparison = shown.advice.comparison

        def make(palette: Palette) -> QWidget:
            made = self._new_months(palette)
            _tell_months(made, shown)
            return made

        return sheet_of(
            MONTHS,
            tr("$ per month of 730 h"),
            source_words(shown),
            make,
            (tr("Month from"), spoken(PLAN["do_nothing"].title), spoken(PLAN["plan"].title)),
            lambda: [
                (numbers.date(row.start_s), numbers.whole(row.do_nothing_usd), numbers.whole(row.plan_usd))
                for row in comparison
            ],
        )


def _new_waterfall(title: Text, palette: Palette) -> "WaterfallPlot":
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

    return WaterfallPlot(title, chart_colours(palette))


def _unknown_steps(story: SavingsStory) -> list[str]:
    """Why steps have no bar, each reason once."""
    whys = dict.fromkeys(spoken(row.what) for row in story.steps if row.exact is None and not row.is_total)
    return [why.removeprefix(f"{numbers.UNKNOWN}: ") for why in whys]


def _first_month_words(advice: Advice) -> str:
    """Why the first of the months is not what the plan costs a month; empty where it is."""
    words = first_month_words(advice)
    return "" if words is None else f" {spoken(words)}"


def _tell_months(chart: Any, shown: ViewState) -> None:
    from gpuplanner.charts.plots.month_lines import MonthLine

    rows = shown.advice.comparison if shown.advice is not None else ()
    chart.show_lines(
        [
            MonthLine(tr(titles.THE_PLAN), tuple(row.plan_usd for row in rows), True),
            MonthLine(
                spoken(PLAN["do_nothing"].title),
                tuple(row.do_nothing_usd for row in rows),
                dash=Qt.PenStyle.DashLine,
            ),
        ],
        [numbers.short_date(row.start_s) for row in rows],
    )
