"""From today to the plan: where savings come from, the bridge of the spend, and twelve months beside doing nothing."""

from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QRect, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.commitment.plan.comparison import Horizon, horizon_row
from gpuplanner.domain.commitment.savings import SavingsStory
from gpuplanner.domain.commitment.words.months import has_dates
from gpuplanner.domain.commitment.words.savings import STEP_MEANINGS, bought_words, no_savings_words
from gpuplanner.domain.figures import titles
from gpuplanner.domain.figures.plan import PLAN
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.plan.scenario import DEMAND_CUTS
from gpuplanner.domain.reports.savings import OFFERED, SAVINGS, SEPARATION_LINES, separation_sentences
from gpuplanner.ui.kit.layout import STRETCH, add, named, row
from gpuplanner.ui.kit.page_parts import label, muted_label, named_button
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.state.month_words import plan_of
from gpuplanner.ui.state.plan_money import plan_amounts, story_amounts, story_of_plan
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.state.waterfall_steps import steps_of
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.tables.seen_chart import SeenChart, new_month_lines, new_waterfall, waterfall_sheet
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:  # charts are imported when the first one is shown
    from gpuplanner.charts.plots.month_lines import MonthLinesChart
    from gpuplanner.charts.plots.waterfall import WaterfallPlot

BRIDGE: Final = worded("From today to the plan")
MONTHS: Final = worded("12 months: do nothing and the plan")
OF_A_PLAN: Final = worded("Today is your current spend. Open a plan.")


class TodayToPlanPanel(Panel):
    """Told what is shown; says which figure of it was asked about."""

    about = About(
        name="today_to_plan", title=worded("Today to plan"), beside="contracts", letter="T", is_closed=True
    )

    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)
    saving_turned = Signal(str, bool)  # a cut of demand, and whether it is accepted or taken back

    def build(self) -> None:
        self._note = muted_label(tr(OF_A_PLAN))
        self._story_head, self._bridge_head = _head(SAVINGS.title, worded("$ per month saved")), _head(BRIDGE)
        self._months_head = _head(MONTHS)
        self.story = self._waterfall(SAVINGS.title, self._story_head)
        self.bridge = self._waterfall(BRIDGE, self._bridge_head)
        new = partial(new_month_lines, MONTHS)
        self._months = SeenChart(new, self._put_months, self._months_sheet, self._months_head)
        self._bought, self._apart, self._saved = muted_label(), muted_label(), muted_label()
        self.separation = FigureTable(spoken(SEPARATION_LINES.title))
        self._offered = muted_label()
        self.savings = {
            step: named_button(name, STEP_MEANINGS[step], partial(self._turn_saving, step))
            for step, name in DEMAND_CUTS.items()
        }
        offered = label(spoken(OFFERED.title), step="strong")
        separation_title = label(spoken(SEPARATION_LINES.title), step="strong")
        self._rows = add(
            self.scrolled(worded("Today to plan"), (14, 10, 12, 10), 4),
            *(self._story_head, self._bought, 12, offered),
            *(row(button, STRETCH) for button in self.savings.values()),  # too wide side by side
            *(self._offered, 12),
            *(separation_title, self.separation, self._apart, 12),
            *(self._bridge_head, 12, self._months_head, self._saved, STRETCH),
        )
        self.fill(self._note, self.scroll_area)
        self._note.setContentsMargins(14, 12, 12, 0)
        self.scroll_area.hide()

    # Inside

    def draw(self, shown: ViewState) -> None:
        """Show what a plan changes."""
        advice = None if shown.is_today else shown.advice
        self._note.setVisible(advice is None)
        self.scroll_area.setVisible(advice is not None)
        if advice is None:
            self._note.setText(tr(OF_A_PLAN) if shown.is_today else tr("Working out the plan."))
            return
        story, plan = story_of_plan(shown, advice), plan_of(shown)
        self.story.ready().show_steps(steps_of(story_amounts(story)))
        self._bought.setText(" ".join((*_unknown_steps(story), spoken(bought_words(story.buy)))))
        self._show_offered(shown, story)
        self.separation.show_whole(table_columns(SEPARATION_LINES), table_rows(SEPARATION_LINES, story))
        self._apart.setText("\n".join(map(spoken, separation_sentences(story))))
        self.bridge.ready().show_steps(steps_of(plan_amounts(shown)))
        _tell_months(self._months.ready(), shown)
        for chart in (self.story, self.bridge, self._months):
            chart.menu.refresh()
        saved = horizon_row(Horizon.TWELVE_MONTHS, advice, None).saved
        side = tr("below") if saved is None or saved >= 0 else tr("above")
        self._saved.setText(
            spoken(no_savings_words(advice)) or tr("Sum unknown: a rate is missing.")
            if saved is None
            else tr(
                "12 months: the plan is {saved} {side} do nothing, assuming {demand}, growth and price decline.",
                saved=numbers.dollars(abs(saved)),
                side=side,
                demand=tr("its later demand") if plan and has_dates(plan) else tr("today's demand"),
            )
        )

    def _turn_saving(self, step: str) -> None:
        if self._shown is not None:
            self.saving_turned.emit(step, step not in self._shown.evaluation.figures.basis.plan.accepted)

    def _show_offered(self, shown: ViewState, story: SavingsStory) -> None:
        """What each saving on offer is worth, on the button that takes it into the plan or out of it."""
        offered = {row.key: row for row in story.offered}
        accepted, lines = shown.evaluation.figures.basis.plan.accepted, []
        for step, button in self.savings.items():
            name, of = spoken(DEMAND_CUTS[step]), offered.get(step)
            month, year = (of.exact, of.saved_in_year) if of else (None, None)
            text = tr("Accept {name}", name=name)
            if month is not None:
                text = tr(
                    "Accept {name}: {month} per month, {year} in 12 months",
                    name=name,
                    month=numbers.dollars(month),
                    year=numbers.dollars(year),
                )
            button.setText(tr("Take back {name}", name=name) if step in accepted else text)
            named(button, button.text(), spoken(STEP_MEANINGS[step]))
            lines += [f"{name}: {spoken(of.meaning)}"] if of else []
        self._offered.setText("\n".join((*lines, spoken(OFFERED.note))))

    def _put_months(self, chart: "MonthLinesChart") -> None:
        chart.setFixedHeight(text_px(190))
        self._rows.insertWidget(self._rows.indexOf(self._saved), chart)

    def _waterfall(self, title: Text, head: QHBoxLayout) -> "SeenChart[WaterfallPlot]":
        """A waterfall under its heading, with its menu there."""

        def put(made: "WaterfallPlot") -> None:
            made.setFixedHeight(text_px(168))
            self._rows.insertWidget(self._rows.indexOf(head) + 1, made)
            made.step_opened.connect(
                lambda figure_id: self.figure_opened.emit(figure_id, made, QRect(made.place_of_current()))
            )

        def sheet() -> Any:
            if (shown := self._shown) is None or shown.advice is None:
                return None
            return waterfall_sheet(seen, title, tr("$ per month"), source_words(shown))

        seen = SeenChart(partial(new_waterfall, title), put, sheet, head)
        return seen

    def _months_sheet(self) -> Any:
        if (shown := self._shown) is None or shown.advice is None:
            return None
        comparison = shown.advice.comparison
        return sheet_of(
            MONTHS,
            tr("$ per month of 730 h"),
            source_words(shown),
            self._months.drawn(lambda made, _: _tell_months(made, shown)),
            (tr("Month from"), spoken(PLAN["do_nothing"].title), spoken(PLAN["plan"].title)),
            lambda: [
                (numbers.date(row.start_s), numbers.whole(row.do_nothing_usd), numbers.whole(row.plan_usd))
                for row in comparison
            ],
        )


def _head(title: Text, unit: Text = worded("$ per month")) -> QHBoxLayout:
    """What stands over a chart, with room for its menu."""
    return row(label(spoken(title), step="strong"), muted_label(unit, is_wrapped=False), STRETCH)


def _unknown_steps(story: SavingsStory) -> list[str]:
    """Why steps have no bar, each reason once."""
    whys = dict.fromkeys(spoken(row.meaning) for row in story.steps if row.exact is None and not row.is_total)
    return [why.removeprefix(f"{numbers.UNKNOWN}: ") for why in whys]


def _tell_months(chart: "MonthLinesChart", shown: ViewState) -> None:
    from gpuplanner.charts.plots.month_lines import MonthLine

    rows = shown.advice.comparison if shown.advice is not None else ()
    doing_nothing = tuple(row.do_nothing_usd for row in rows)
    lines = [
        MonthLine(tr(titles.THE_PLAN), tuple(row.plan_usd for row in rows), True),
        MonthLine(spoken(PLAN["do_nothing"].title), doing_nothing, dash=Qt.PenStyle.DashLine),
    ]
    chart.show_lines(lines, [numbers.short_date(row.start_s) for row in rows])
