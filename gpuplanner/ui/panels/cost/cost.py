"""Cost: what runs, models, endpoints and experiments cost, as bars and tables; two periods; who pays."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QLineEdit, QSizePolicy, QWidget

from gpuplanner.app.past.costing import Costing, Costs
from gpuplanner.charts.kit.plain_text import spoken, tr
from gpuplanner.domain.audit import chargeback, series, unit_costs
from gpuplanner.domain.audit.cost_result import RULE_WORDS, ChargeBy, Period
from gpuplanner.domain.audit.variance import halves, month_periods
from gpuplanner.domain.commitment.plan.totals import month_12_of
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.figures.chargeback import CHARGE
from gpuplanner.domain.figures.window import SERIES
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.assumptions import SPEC_BY_NAME, IdleRule
from gpuplanner.domain.model.cube import CALLED_NOBODY
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.domain.reports.series import MONTHS
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.layout import RIGHT, STRETCH, add, column, named, row, share
from gpuplanner.ui.kit.page_parts import choice_of, label, muted_label, named_button
from gpuplanner.ui.kit.theme import Palette, text_px
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.panels.cost.detail import CostBehind, charge_of, detail_of
from gpuplanner.ui.panels.cost.rows import BUSINESS_VIEW, MONTHS_VIEW, OF_PLAN, TOTAL_KEY, VIEWS, CostView
from gpuplanner.ui.panels.panel import About, Need, Panel, PanelView
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.dash_reasons import dash_reasons
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.charts.plots.month_lines import MonthLinesChart
    from gpuplanner.charts.plots.waterfall import RankedBar, RankedBars


# --- Cost by model as bars, the log month by month as lines, each over the table that is its twin

MOST: Final = 8
"""Models with a bar of their own; the others share the last one."""
OTHERS: Final = "\0others"
LINES: Final = (
    ("paid_per_month", False, Qt.PenStyle.SolidLine),
    ("stranded_audit", True, Qt.PenStyle.SolidLine),
    ("stranded_metered", False, Qt.PenStyle.DashLine),
)
"""Figures of a month that are drawn, which is the strong one, its dashes."""
MONTHS_HEIGHT: Final = 170


class CostChart(QWidget):
    """Told the rows that it draws; hidden where they are fewer than two.

    unit: of what is drawn; new: makes the chart; tell: draws rows on it; sheet: rows as a table, its headings first.
    """

    def __init__(
        self,
        title: str,
        unit: Text,
        new: Callable[[Palette], Any],
        tell: Callable[[Any, Sequence[Any]], object],
        sheet: Callable[[Sequence[Any]], Sequence[tuple[str, ...]]],
        source: Callable[[], str],
    ) -> None:
        super().__init__()
        self._title, self._unit, self._tell, self._told, self._source = title, unit, tell, sheet, source
        self._drawn: Sequence[Any] = ()
        self._head = row(label(title, step="strong"), muted_label(unit, is_wrapped=False), STRETCH)
        self._rows = column(self._head, on=self, spacing=2)
        self.chart = SeenChart(new, self._put, self._sheet, self._head)
        self.hide()

    def show_rows(self, rows: Sequence[Any]) -> None:
        """Draw these rows; one of them alone is no chart."""
        self._drawn = rows
        self.setVisible(len(rows) > 1)
        if len(rows) > 1:
            self._tell(self.chart.ready(), rows)
            self.chart.menu.refresh()

    def _put(self, chart: QWidget) -> None:
        self._rows.addWidget(chart)

    def _sheet(self) -> Any:
        rows = self._drawn
        headings, *cells = self._told(rows)
        make = self.chart.drawn(lambda made, _: self._tell(made, rows))
        return sheet_of(self._title, spoken(self._unit), self._source(), make, headings, lambda: cells)


def model_chart(opened: Callable[[str], object], source: Callable[[], str]) -> CostChart:
    """What each model costs, as bars. opened: told the key of a bar that was."""
    title, unit = tr("Cost by model"), worded("$ per month")

    def new(palette: Palette) -> "RankedBars":
        from gpuplanner.charts.plots.waterfall import RankedBars

        made = RankedBars(title, spoken(unit), chart_colours(palette))
        made.bar_opened.connect(opened)
        return made

    def sheet(bars: Sequence["RankedBar"]) -> list[tuple[str, ...]]:
        headings = (tr("Model"), tr("$ per month"), *(name for name, _ in bars[0].lines))
        return [headings, *((bar.name, bar.label, *(value for _, value in bar.lines)) for bar in bars)]

    return CostChart(
        title=title,
        unit=unit,
        new=new,
        tell=lambda chart, bars: chart.show_bars(bars),
        sheet=sheet,
        source=source,
    )


def model_bars(costs: Costs) -> list[Any]:
    """A bar a model, most expensive first, and one for what is left."""
    from gpuplanner.charts.plots.waterfall import RankedBar

    models = sorted(costs.unit.models, key=lambda row: -(row.cost_per_month or 0.0))
    first, rest = models[:MOST], models[MOST:]
    bars = [
        RankedBar(
            key=row.subject,
            name=row.model or tr("Unknown model"),
            amount=row.cost_per_month,
            label=numbers.whole(row.cost_per_month),
            lines=(
                (tr("GPU-h in the lookback period"), numbers.whole(row.gpu_hours)),
                (tr("Workloads"), numbers.whole(row.workloads)),
            ),
        )
        for row in first
    ]
    if rest:
        usd = known_sum(row.cost_per_month for row in rest)
        lines = (
            (tr("GPU-h in the lookback period"), numbers.whole(sum(row.gpu_hours for row in rest))),
            (tr("Workloads"), numbers.whole(sum(row.workloads for row in rest))),
        )
        bars.append(
            RankedBar(
                key=OTHERS,
                name=tr("{rest} others", rest=len(rest)),
                amount=usd,
                label=numbers.whole(usd),
                lines=lines,
            )
        )
    return bars


def months_chart(source: Callable[[], str]) -> CostChart:
    """What the months of the log cost, as lines."""
    title = spoken(MONTHS.title)

    def new(palette: Palette) -> "MonthLinesChart":
        from gpuplanner.charts.plots.month_lines import MonthLinesChart

        made = MonthLinesChart(chart_colours(palette), title)
        made.setFixedHeight(text_px(MONTHS_HEIGHT))
        return made

    def tell(chart: "MonthLinesChart", months: Sequence[series.MonthRow]) -> None:
        from gpuplanner.charts.plots.month_lines import MonthLine

        lines = [
            MonthLine(SERIES[key].title, tuple(month.figures[key] for month in months), is_main, dash)
            for key, is_main, dash in LINES
        ]
        chart.show_lines(lines, [month.month for month in months])

    def sheet(months: Sequence[series.MonthRow]) -> list[tuple[str, ...]]:
        headings = (tr("Month"), *(spoken(SERIES[key].title) for key, *_ in LINES))
        cells = ((month.month, *(numbers.whole(month.figures[key]) for key, *_ in LINES)) for month in months)
        return [headings, *cells]

    return CostChart(
        title=title, unit=worded("$ per month of 730 h"), new=new, tell=tell, sheet=sheet, source=source
    )


# --- Which two periods of the window are compared: halves, months, or the last days against those before

Choice = tuple[str, Period]


def choices_of(window: Window) -> list[Choice]:
    """The periods to choose from, named by their dates; the halves come first."""
    before, after = halves(window)
    found = [(tr("First half"), before), (tr("Second half"), after)]
    for days in (30, 7):
        hours = days * 24
        if window.hours >= 2 * hours:
            earlier = Period(window.hours - 2 * hours, window.hours - hours)
            found.append((tr("{days} days before", days=days), earlier))
            found.append((tr("Last {days} days", days=days), Period(window.hours - hours, window.hours)))
    months = month_periods(window)
    if len(months) > 1:
        found += [(_days(window, period), period) for _, period in months]
    return found


def _days(window: Window, period: Period) -> str:
    start_s = window.start_s + period.first * HOUR_S
    return numbers.span(start_s, window.start_s + period.last * HOUR_S)


class PeriodPickers(QWidget):
    """Told the window; emits when the planner chose another period."""

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._window: Window | None = None
        self._choices: list[Choice] = []
        first, second = tr("First period"), tr("Second period")
        self.before, self.after = (choice_of(name, name, (), letters=11) for name in (first, second))
        self.dates = muted_label()
        to = muted_label(tr("to"), is_wrapped=False)
        line = row(share(self.before), to, share(self.after), spacing=6)
        column(line, self.dates, on=self, spacing=4)
        for box in (self.before, self.after):
            box.view().setAccessibleName(tr("{name}, choices", name=box.accessibleName()))
            box.currentIndexChanged.connect(lambda _: self._show_dates())
            box.currentIndexChanged.connect(lambda _: self.chosen.emit())

    @property
    def periods(self) -> tuple[Period, Period] | None:
        """The two that are chosen; None before a window is known."""
        if not self._choices:
            return None
        return self._choices[self.before.currentIndex()][1], self._choices[self.after.currentIndex()][1]

    def show_window(self, window: Window) -> None:
        """The periods of this window; another window begins with its halves."""
        if window == self._window:
            return
        self._window, self._choices = window, choices_of(window)
        for box, at in ((self.before, 0), (self.after, 1)):
            with QSignalBlocker(box):
                box.clear()
                for place, (name, period) in enumerate(self._choices):
                    box.addItem(spoken(name))
                    start_s, end_s = (window.start_s + hour * HOUR_S for hour in (period.first, period.last))
                    # its tool tip
                    span = numbers.span(start_s, end_s)
                    box.setItemData(place, f"{span}, {numbers.whole(period.hours)} h", 3)
                box.setCurrentIndex(at)
                box.view().setMinimumWidth(text_px(190))
        self._show_dates()

    def _show_dates(self) -> None:
        """Which days are compared; names such as "First half" do not say it."""
        if self._window is not None and self.periods is not None:
            before, after = (_days(self._window, period) for period in self.periods)
            self.dates.setText(tr("{start} to {end}", start=before, end=after))


# --- Who pays: how idle GPUs are shared, the budget of the chosen team, and budgets from a file

SHARED_BY = "idle_shared_by"
RULE_AT_MOST_PX = 250


class ChargeControls(QWidget):
    """Told the rule and the chosen row; emits what the planner says of them."""

    rule_chosen = Signal(str)
    budget_typed = Signal(str, str)  # team, text of the amount a month; empty: none
    budgets_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._team: str | None = None
        title = spoken(SPEC_BY_NAME[SHARED_BY].title)
        tip = tr("How teams share idle cost")
        self.rule = choice_of(title, tip, ((RULE_WORDS[rule], rule.value) for rule in IdleRule), letters=12)
        self.rule.view().setAccessibleName(tr("{name}, choices", name=title))
        self.rule.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.rule.setMaximumWidth(text_px(RULE_AT_MOST_PX))
        name = tr("Team's monthly budget")
        tip = tr("Empty: none (Enter)")
        self.budget = named(QLineEdit(alignment=RIGHT, placeholderText=tr("not set")), name, tip)
        self.budget.setFixedWidth(text_px(92))
        self.read = named_button(
            tr("Import\u2026"),  # short, for the panel may be narrow
            tr("A table with columns team and usd_per_month"),
            self.budgets_asked,
            called=tr("Import budgets"),
        )
        self._budget_said = muted_label(spoken(CHARGE["budget_per_month"].title), is_wrapped=False)
        # two rows: the panel may be narrow
        rules = row(muted_label(title, is_wrapped=False), share(self.rule, 3), STRETCH, spacing=6)
        budgets = row(self._budget_said, self.budget, self.read, STRETCH, spacing=6)
        column(rules, budgets, on=self, spacing=4)
        self.rule.activated.connect(lambda at: self.rule_chosen.emit(self.rule.itemData(at)))
        self.budget.editingFinished.connect(self._take_budget)

    def show_rule(self, rule: IdleRule) -> None:
        """The rule in force."""
        self.rule.setCurrentIndex(self.rule.findData(rule.value))

    def show_row(self, row: chargeback.Charge | None, *, is_of_teams: bool) -> None:
        """The budget of a team's row; none where rows are of something else, or it is that of all."""
        for one in (self._budget_said, self.budget, self.read):
            one.setVisible(is_of_teams)
        team = None if row is None or row.is_all else row.name or (CALLED_NOBODY if row.is_nobodys else None)
        if team == self._team and self.budget.isModified():
            return
        self._team = team
        self.budget.setEnabled(team is not None)
        usd = None if row is None else row.budget_per_month
        self.budget.setText("" if usd is None else numbers.significant(usd, 12))

    def _take_budget(self) -> None:
        if self.budget.isModified() and self._team is not None:
            self.budget.setModified(False)
            self.budget_typed.emit(self._team, numbers.plain_amount(self.budget.text()))


# --- Cost: what each training run, model, endpoint and experiment cost, what changed between two periods, and who pays

ROWS_AT_LEAST: Final = 5
"""So many rows are seen however much stands behind the chosen one."""


class CostPanel(Panel):
    """Told what is shown; works the costs out in a thread once it is seen."""

    about = About(
        name="cost",
        title=worded("Cost"),
        beside="duration",
        needs=(Need("workloads", worded("Import a job log to see this.")),),
        views=tuple(PanelView(view.name, view.title, view.also) for view in VIEWS),
    )

    # workload key, start and end in epoch seconds (None: the window's)
    jobs_asked = Signal(str, object, object)
    business_asked = Signal()
    months_asked = Signal(object)  # Evaluation whose log is to be seen month by month
    traffic_asked = Signal(str)  # workload key whose traffic is to be read from a file

    def build(self) -> None:
        self.costs: Costs | None = None  # what it shows; None until they are worked out
        self._by_month: Evaluation | None = None
        self._told: Costs | None = None  # as it was answered, without what the shown plan adds
        self._chosen: dict[str, str] = {}  # view -> key of its row
        self.costing = Costing(self)
        self.costing.answered.connect(self._take)
        self.costing.failed.connect(self._fail)
        titled = [(view.title, view) for view in VIEWS]
        self.view = choice_of(tr("Cost view"), tr("Show cost of"), titled, letters=16)
        self.view.view().setAccessibleName(tr("Costs"))
        self.periods = PeriodPickers()
        self.charge_controls = ChargeControls()
        tip = tr("A table with columns month, figure and value")
        self.import_business = named_button(tr("Import business figures\u2026"), tip, self.business_asked)
        self.import_business.hide()
        self.caption = muted_label(is_wrapped=False)
        self.caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.caption.setWordWrap(True)  # after the policy, which would forget that lines have a height
        self.table = FigureTable(tr("Costs"))
        self.table.asks_by_click = False
        self.behind = CostBehind()
        self.behind.source = lambda: source_words(self._shown) if self._shown is not None else ""
        self.bars = model_chart(self._choose_bar, self.behind.source)
        self.months = months_chart(self.behind.source)
        self._columns = TwoColumns(6)
        head = row(share(self.view), self.import_business, spacing=8)
        parts = (head, self.periods, self.charge_controls, self.caption, share(self._columns))
        column(*parts, on=self, margins=(14, 10, 12, 8), spacing=6)
        add(self._columns.first, self.bars, self.months, share(self.table), share(None, 0))
        add(self._columns.second, share(self.behind))
        self.periods.hide()
        self.charge_controls.hide()
        self.view.currentIndexChanged.connect(lambda _: self._draw_view())
        self.view.currentIndexChanged.connect(lambda _: self._ask_months())
        self.periods.chosen.connect(self._ask)
        self.table.row_opened.connect(self.choose)
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))
        self.behind.jobs_asked.connect(self.jobs_asked)
        self.behind.contract_asked.connect(self.contract_asked)
        self.behind.traffic_asked.connect(self.traffic_asked)

    def draw(self, shown: ViewState) -> None:
        """Show the costs of this past; worked out when the panel is seen."""
        self.periods.show_window(shown.evaluation.project.window)
        self._ask()
        if self.costs is not None and self._view.name in OF_PLAN:
            self._draw_view()  # a plan moves where the past does not

    def show_view(self, name: str) -> None:
        """Show one of the tables: runs, models, endpoints, experiments, changes, or charges_team and its like."""
        self.view.setCurrentIndex([view.name for view in VIEWS].index(name))
        self.view.setFocus()

    def choose(self, key: str) -> None:
        """Show what stands behind a row."""
        self._chosen[self._view.name] = key
        self._draw_behind()

    # Inside

    @property
    def _view(self) -> CostView:
        view: CostView = self.view.currentData()
        return view

    def _ask(self) -> None:
        if self._shown is None:
            return
        evaluation = self._shown.evaluation
        periods = self.periods.periods or halves(evaluation.project.window)
        if self.costs is None:
            self.caption.setText(tr("Calculating costs"))
        self.costing.ask(evaluation.project, evaluation.audit, periods)
        self._ask_months()

    def _ask_months(self) -> None:
        if self._shown is not None and self._view.name == MONTHS_VIEW:
            self.months_asked.emit(self._shown.evaluation)

    def show_months(self, evaluation: Evaluation) -> None:
        """The log of what is shown, month by month."""
        self._by_month = evaluation
        if self.costs is not None:
            self._draw_view()

    def show_no_months(self, error: Exception) -> None:
        """Why the months are not known, where they are looked at."""
        if self._view.name == MONTHS_VIEW:
            self._fail(error)

    def _fail(self, error: Exception) -> None:
        self.caption.setText(tr("Cannot be calculated: {error}", error=error))

    def _take(self, costs: Costs) -> None:
        whole = replace(costs, business=self._business_of(costs))
        if costs is not self._told or self.costs is None or whole.business != self.costs.business:
            self.costs, self._told = whole, costs
            self._draw_view()

    def _business_of(self, costs: Costs) -> tuple[unit_costs.BusinessCost, ...]:
        """Spend beside the business figures of what is shown; of a plan in its month 12 too."""
        if (shown := self._shown) is None or not shown.evaluation.project.business:
            return ()
        month_12 = month_12_of(None if shown.is_today else shown.advice)
        return unit_costs.business_costs(shown.evaluation.project, costs.usd_by_hour, month_12)

    def _draw_view(self) -> None:
        view, costs = self._view, self._with_plan()
        self.periods.setVisible(view.name == "changes")
        self.charge_controls.setVisible(view.by is not None)
        self.import_business.setVisible(view.name == BUSINESS_VIEW)
        if costs is None:
            return
        rows = view.rows(costs)
        columns = view.columns(costs)
        said = (view.caption(costs), *dash_reasons(columns, rows)) if rows else (spoken(view.empty),)
        if view.name == MONTHS_VIEW and costs.by_month is None:
            said = (tr("Reading the log month by month"),)
        self.caption.setText("\n".join(said))
        self.table.setAccessibleName(spoken(view.title))
        self.table.show_rows(columns, rows)
        self.table.setVisible(bool(rows))
        self.bars.show_rows(model_bars(costs) if view.name == "models" else ())
        by_month = costs.by_month if view.name == MONTHS_VIEW else None
        self.months.show_rows(() if by_month is None else by_month.months or ())
        self.table.take_room(ROWS_AT_LEAST)
        keys = [row.key for row in rows]
        if view.name == "changes":
            first = TOTAL_KEY
        elif keys:
            first = keys[0]
        else:
            first = ""
        key = self._chosen.get(view.name, first)
        at = keys.index(key) if key in keys else 0
        if rows:
            self._chosen[view.name] = keys[at]
            self.table.selectRow(at)
        self._draw_behind()

    def _with_plan(self) -> Costs | None:
        """The costs, with the months of their log and the plan that is shown; of none on Today."""
        shown, costs = self._shown, self.costs
        if shown is None or costs is None:
            return costs
        costs = replace(costs, today=shown.evaluation)
        if self._by_month is not None and self._by_month.audit is shown.evaluation.audit:
            costs = replace(costs, by_month=self._by_month)
        if shown.is_today or shown.advice is None:
            return costs
        plan = shown.evaluation  # right after a gesture its advice is still that of before
        return replace(costs, plan=plan if plan.advice else replace(plan, advice=shown.advice))

    def _follow(self, at: int) -> None:
        """The keyboard moved to another row."""
        if 0 <= at < self.table.model().rowCount() and self.table.hasFocus():
            self.choose(self.table.row_at(at).key)

    def _choose_bar(self, key: str) -> None:
        """A bar was opened: its row of the table is the chosen one."""
        keys = [self.table.row_at(at).key for at in range(self.table.model().rowCount())]
        if key in keys:
            self.table.selectRow(keys.index(key))
            self.choose(key)

    def _draw_behind(self) -> None:
        key = self._chosen.get(self._view.name)
        costs = self.costs
        found = None if key is None or costs is None else detail_of(self._view.name, key, costs)
        self.behind.show_detail(found)
        if costs is not None and self._view.by is not None:
            charge = charge_of(self._view.by, key, costs)
            self.charge_controls.show_rule(costs.charged.rule)
            self.charge_controls.show_row(charge, is_of_teams=self._view.by is ChargeBy.TEAM)
        self._columns.share(2, 3 if self.behind.has_body else 0)
