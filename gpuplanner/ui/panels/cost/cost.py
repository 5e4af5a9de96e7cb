"""The panel Cost: cost per run, model, endpoint and experiment; two periods; chargeback."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy

from gpuplanner.app.past.costing import Costing, Costs
from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.audit.cost_result import ChargeBy
from gpuplanner.domain.audit.unit_costs.business_costs import BusinessCost, business_costs
from gpuplanner.domain.audit.variance import halves
from gpuplanner.domain.commitment.plan.totals import month_12_of
from gpuplanner.domain.evaluation import Evaluation
from gpuplanner.domain.message import worded
from gpuplanner.lazy_dataclass import replace
from gpuplanner.ui.kit.layout import add, column, row, share
from gpuplanner.ui.kit.page_parts import choice_of, muted_label, named_button
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.panels.cost.charge_controls import ChargeControls
from gpuplanner.ui.panels.cost.cost_chart import model_bars, model_chart, months_chart
from gpuplanner.ui.panels.cost.detail import CostBehind, charge_of, detail_of
from gpuplanner.ui.panels.cost.period_pickers import PeriodPickers
from gpuplanner.ui.panels.cost.rows import BUSINESS_VIEW, MONTHS_VIEW, OF_PLAN, TOTAL_KEY, VIEWS, CostView
from gpuplanner.ui.panels.panel import About, Need, Panel, PanelView
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.dash_reasons import dash_reasons
from gpuplanner.ui.tables.figure_table import FigureTable

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
        self.choices: dict[str, str] = {}  # view -> key of its row
        self.costing = Costing(self)
        self.costing.answered.connect(self.show_costs)
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
        self.choices[self._view.name] = key
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

    def show_costs(self, costs: Costs) -> None:
        whole = replace(costs, business=self._business_of(costs))
        if costs is not self._told or self.costs is None or whole.business != self.costs.business:
            self.costs, self._told = whole, costs
            self._draw_view()

    def _business_of(self, costs: Costs) -> tuple[BusinessCost, ...]:
        """Spend beside the business figures of what is shown; of a plan in its month 12 too."""
        if (shown := self._shown) is None or not shown.evaluation.project.business:
            return ()
        month_12 = month_12_of(None if shown.is_today else shown.advice)
        return business_costs(shown.evaluation.project, costs.usd_by_hour, month_12)

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
        key = self.choices.get(view.name, first)
        at = keys.index(key) if key in keys else 0
        if rows:
            self.choices[view.name] = keys[at]
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
        key = self.choices.get(self._view.name)
        costs = self.costs
        found = None if key is None or costs is None else detail_of(self._view.name, key, costs)
        self.behind.show_detail(found)
        if costs is not None and self._view.by is not None:
            charge = charge_of(self._view.by, key, costs)
            self.charge_controls.show_rule(costs.charged.rule)
            self.charge_controls.show_row(charge, is_of_teams=self._view.by is ChargeBy.TEAM)
        self._columns.share(2, 3 if self.behind.has_body else 0)
