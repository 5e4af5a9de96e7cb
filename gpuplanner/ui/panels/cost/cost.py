"""Cost: what each training run, model, endpoint and experiment cost, what changed between two periods, and who pays."""

from dataclasses import replace
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout

from gpuplanner.app.questions.costing import Costing, Costs
from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.costs.business import BusinessCost, business_costs
from gpuplanner.domain.audit.costs.charge_words import ChargeBy
from gpuplanner.domain.audit.costs.periods import halves
from gpuplanner.domain.message import worded
from gpuplanner.domain.reports.business import month_12_of
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.cost.bars import CostBars
from gpuplanner.ui.panels.cost.behind import CostBehind
from gpuplanner.ui.panels.cost.charge_controls import ChargeControls
from gpuplanner.ui.panels.cost.detail import charge_of, detail_of
from gpuplanner.ui.panels.cost.periods import PeriodPickers
from gpuplanner.ui.panels.cost.rows import BUSINESS_VIEW, TOTAL_KEY, VIEWS, CostView
from gpuplanner.ui.panels.panel import About, Need, Panel, PanelView
from gpuplanner.ui.state.inputs import source_words
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.dash_reasons import dash_reasons
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words.translation import spoken, tr

ROWS_AT_LEAST: Final = 5
"""So many rows are seen however much stands behind the chosen one."""


class CostPanel(Panel):
    """Told what is shown; works the costs out in a thread once it is seen."""

    about = About(
        "cost",
        worded("Cost"),
        beside="duration",
        needs=(Need("workloads", worded("A job log shows what training runs, models and endpoints cost.")),),
        also=worded(
            "spend unit costs variance chargeback showback who pays team idle budget energy power carbon co2 kwh "
            "business orders users unit economics retraining cadence"
        ),
        views=tuple(PanelView(view.name, view.title, view.also) for view in VIEWS),
    )

    jobs_asked = Signal(
        str, object, object
    )  # workload key, start and end in epoch seconds (None: the window's)
    contract_asked = Signal(str)
    business_asked = Signal()
    traffic_asked = Signal(str)  # workload key whose traffic is to be read from a file

    def build(self) -> None:
        self._costs: Costs | None = None
        self._told: Costs | None = None  # as it was answered, without what the shown plan adds
        self._chosen: dict[str, str] = {}  # view -> key of its row
        self.costing = Costing(self)
        self.costing.answered.connect(self._take)
        self.costing.failed.connect(self._fail)
        self.view = QComboBox()
        self.view.setAccessibleName(tr("Cost of what"))
        self.view.view().setAccessibleName(tr("Costs"))
        set_tip(self.view, tr("What to see the cost of"))
        for view in VIEWS:
            self.view.addItem(spoken(view.title), view)
        self.periods = PeriodPickers()
        self.charge_controls = ChargeControls()
        self.import_business = QPushButton(tr("Import business figures\u2026"))
        self.import_business.setAccessibleName(self.import_business.text())
        set_tip(self.import_business, tr("A table with the columns month, figure and value"))
        self.import_business.clicked.connect(self.business_asked)
        self.import_business.hide()
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self.view)
        head.addStretch(1)
        head.addWidget(self.import_business)
        self.caption = PlainLabel()
        self.caption.setProperty("role", "muted")
        self.caption.setFont(font("small"))
        self.caption.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.caption.setWordWrap(True)  # after the policy, which would forget that lines have a height
        self.table = FigureTable(tr("Costs"), self._palette)
        self.table.asks_by_click = False
        self.behind = CostBehind(self._palette)
        self.behind.source = lambda: source_words(self._shown) if self._shown is not None else ""
        self.bars = CostBars(self._palette, self.behind.source)
        self.bars.key_chosen.connect(self._choose_bar)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(14, 10, 12, 8)
        layout.setSpacing(6)
        layout.addLayout(head)
        layout.addWidget(self.periods)
        layout.addWidget(self.charge_controls)
        layout.addWidget(self.caption)
        self._columns = TwoColumns(6)
        self._columns.first.addWidget(self.bars)
        self._columns.first.addWidget(self.table, 1)
        self._columns.first.addStretch()
        self._columns.second.addWidget(self.behind, 1)
        layout.addWidget(self._columns, 1)
        self.periods.hide()
        self.charge_controls.hide()
        self.view.currentIndexChanged.connect(lambda _: self._draw_view())
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
        if self._costs is not None and self._view.name == "energy_of_plan":
            self._draw_view()  # a plan moves where the past does not

    @property
    def costs(self) -> Costs | None:
        """What it shows; None until they are worked out."""
        return self._costs

    def show_view(self, name: str) -> None:
        """Show one of the tables: runs, models, endpoints, experiments, changes, or charges_team and its like."""
        self.view.setCurrentIndex([view.name for view in VIEWS].index(name))
        self.view.setFocus()

    def choose(self, key: str) -> None:
        """Show what stands behind a row."""
        self._chosen[self._view.name] = key
        self._draw_behind()

    def recolour(self, palette: Palette) -> None:
        """Other colours from now on."""
        self.bars.show_palette(palette)
        self.behind.show_palette(palette)

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
        if self._costs is None:
            self.caption.setText(tr("Working out what things cost"))
        self.costing.ask(evaluation.project, evaluation.audit, periods)

    def _fail(self, error: Exception) -> None:
        self.caption.setText(tr("The costs cannot be worked out: {error}", error=error))

    def _take(self, costs: Costs) -> None:
        whole = replace(costs, business=self._business_of(costs))
        if costs is not self._told or self._costs is None or whole.business != self._costs.business:
            self._costs, self._told = whole, costs
            self._draw_view()

    def _business_of(self, costs: Costs) -> tuple[BusinessCost, ...]:
        """Spend beside the business figures of what is shown; of a plan in its month 12 too."""
        shown = self._shown
        if shown is None or not shown.evaluation.project.business:
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
        self.caption.setText("\n".join(said))
        self.table.setAccessibleName(spoken(view.title))
        self.table.show_rows(columns, rows)
        self.table.setVisible(bool(rows))
        self.bars.show_costs(view.name, costs)
        self.table.take_room(ROWS_AT_LEAST)
        keys = [row.key for row in rows]
        first = TOTAL_KEY if view.name == "changes" else keys[0] if keys else ""
        key = self._chosen.get(view.name, first)
        at = keys.index(key) if key in keys else 0
        if rows:
            self._chosen[view.name] = keys[at]
            self.table.selectRow(at)
        self._draw_behind()

    def _with_plan(self) -> Costs | None:
        """The costs, with the energy of the plan that is shown; of none on Today."""
        shown, costs = self._shown, self._costs
        if costs is None or shown is None or shown.is_today or shown.advice is None:
            return costs
        return replace(costs, plan_energy=shown.advice.energy)

    def _follow(self, row: int) -> None:
        """The keyboard moved to another row."""
        if 0 <= row < self.table.model().rowCount() and self.table.hasFocus():
            self.choose(self.table.row_at(row).key)

    def _choose_bar(self, key: str) -> None:
        """A bar was opened: its row of the table is the chosen one."""
        keys = [self.table.row_at(at).key for at in range(self.table.model().rowCount())]
        if key in keys:
            self.table.selectRow(keys.index(key))
            self.choose(key)

    def _draw_behind(self) -> None:
        key = self._chosen.get(self._view.name)
        costs = self._costs
        found = None if key is None or costs is None else detail_of(self._view.name, key, costs)
        self.behind.show_detail(found)
        if costs is not None and self._view.by is not None:
            row = charge_of(self._view.by, key, costs)
            self.charge_controls.show_rule(costs.charged.rule)
            self.charge_controls.show_row(row, is_of_teams=self._view.by is ChargeBy.TEAM)
        self._columns.share(2, 3 if self.behind.has_body else 0)
