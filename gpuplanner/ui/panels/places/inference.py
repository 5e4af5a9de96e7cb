"""The panel Inference: which GPUs serve an endpoint's model at its load."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QSlider, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import only_cluster_of
from gpuplanner.domain.model.places import NOTHING_CHOSEN, ServedModel
from gpuplanner.domain.model.plan.scenario import TODAY
from gpuplanner.domain.reports.serving import RATIOS, REGIONS
from gpuplanner.domain.reports.serving_words import advice, weighed
from gpuplanner.domain.serving.calibration import PRECISIONS
from gpuplanner.domain.serving.sizing import STATED
from gpuplanner.ui.kit import page_parts, two_columns
from gpuplanner.ui.kit.layout import LEFT, RIGHT, STRETCH, across, add, grid, named, placed, row, share
from gpuplanner.ui.kit.palettes import in_use
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.panels.places import inference_rows
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_rows
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers

if TYPE_CHECKING:
    from gpuplanner.charts.plots.week_load import WeekLoadChart
from gpuplanner.ui.panels.places.endpoint_choice import NO_MODEL, EndpointChoice, empty_choice
from gpuplanner.ui.panels.places.endpoint_week import new_week_chart, week_load, week_sheet

TARGET_STEPS: Final = 60
"""Of the slider of the time per token, from the least on: the last is no target."""


def target_ms(step: int) -> float | None:
    """ms a token at most; each step is 7% more than the one before.

    >>> target_ms(0), target_ms(30), target_ms(60)
    (5.0, 38.0, None)
    """
    return None if step >= TARGET_STEPS else float(round(5 * 1.07**step))


CHART_PX: Final = 160
LOW_CHART_PX: Final = 110
LOW_PANEL_PX: Final = 600
"""A panel lower than this has a lower chart: its tables are what is read."""
NOTHING_YET: Final = worded("Nothing sized yet.")


class InferencePanel(Panel):
    """Told what is shown and what was sized; emits what the planner chose."""

    about = About(name="inference", title=worded("Inference"), beside="duration", letter="I", is_closed=True)

    size_asked = Signal(str)  # workload key; empty: no endpoint of the log
    model_chosen = Signal(str, object)  # workload key, ServedModel
    model_file_asked = Signal(str)
    traffic_file_asked = Signal(str)
    typing_asked = Signal(str)  # workload key
    term_chosen = Signal(str, int)  # workload key, months; 0: by the hour
    row_chosen = Signal(str, str, str, int)  # workload key, GPU model, precision, GPUs a replica
    assumptions_asked = Signal()
    rates_asked = Signal(str)  # workload key
    measured_file_asked = Signal(str)
    measured_dropped = Signal(str)
    mapping_chosen = Signal(str, str, float)  # GPU model of the demand, of the offers, ratio
    plan_asked = Signal(str, object)  # workload key, PlannedWorks
    # workload key, ms a token at most (None: no target): while it is dragged
    target_moved = Signal(str, object)
    target_set = Signal(object)  # ms a token at most, or None

    def build(self) -> None:
        self.sizing: EndpointSizing | None = None
        self._target_step = TARGET_STEPS
        self._drawn: ServingCost | None = None
        # Parts of the panel that are to be drawn
        self._due: list[Callable[[EndpointSizing, ServingCost], None]] = []
        self._turn = QTimer(self, singleShot=True)
        self._turn.timeout.connect(self._draw_due)
        self._chart = SeenChart(new_week_chart, self._put, self._sheet)
        self.choice = EndpointChoice(self)
        self.endpoint, self.model = self.choice.endpoint, self.choice.model
        tip = tr("Requests with tokens, or requests_per_s by hour_of_week")
        words, reads = tr("Read file\u2026"), lambda: self.traffic_file_asked.emit(self.key)
        self.read = page_parts.named_button(words, tip, reads, called=tr("Read requests"))
        tip = tr("Requests per second, tokens and hours")
        words, types = tr("Type\u2026"), lambda: self.typing_asked.emit(self.key)
        self.type = page_parts.named_button(words, tip, types, called=tr("Type requests"))
        self.measured = page_parts.muted_label()
        self.measure = page_parts.named_button(
            tr("Add results\u2026"),
            tr("Your benchmarks of this model: AIPerf, vLLM, SGLang, InferenceX, llm-d, MLPerf, a table"),
            lambda: self.measured_file_asked.emit(self.key),
            called=tr("Add results of benchmarks"),
        )
        self.forget = page_parts.named_button(
            tr("Forget"),
            tr("The formula applies again"),
            lambda: self.measured_dropped.emit(self.key),
            called=tr("Remove the measurement"),
            is_link=True,
        )
        self.headline = page_parts.label(step="strong", is_wrapped=True)
        self.load = page_parts.muted_label()
        self.today = page_parts.muted_label()
        tip = tr("The model that the endpoint's name suggests")
        self.take = page_parts.named_button("", tip, self._take_proposed, called=tip)
        self.drawn = page_parts.muted_label(tr("GPUs, UTC; dotted: requests"))
        self.replayed = page_parts.muted_label(is_wrapped=True)
        self.weighed = page_parts.muted_label(is_wrapped=True)
        self.held = FigureTable(tr("Allocated and needed GPUs"))
        self.by_site = FigureTable(tr("By site"))
        self.sizes_title = page_parts.label(tr("GPUs that serve it"), step="title", is_wrapped=True)
        self.precision = empty_choice(tr("Precision of the weights"), tr("Precision of the weights"))
        self.precision.addItems(PRECISIONS)
        self.term = empty_choice(
            tr("Term of the rates"), tr("On demand, or rates of a commitment"), letters=10
        )
        self.table = FigureTable(tr("GPUs that serve it"))
        self.table.asks_by_click = False  # a click chooses the row that is drawn
        self.keep = page_parts.named_button(tr("Size on these"), does=self._keep)
        self.plan = page_parts.named_button(tr("Plan its needs"), does=self._plan)
        self.ratios_title = page_parts.label(step="title", is_wrapped=True)
        self.ratios = FigureTable(tr("Other GPUs for the same work"))
        self.map = page_parts.named_button(
            tr("Use ratio in plans"),
            tr("Let the chosen GPU model serve this demand at its ratio (Prices, GPU models)"),
            self._map,
        )
        self.target_words = page_parts.muted_label()
        tip = tr("Drag to see the cost of faster answers (right end: no target)")
        self.target = named(QSlider(Qt.Orientation.Horizontal), tr("Time per token, at most"), tip)
        self.target.setRange(0, TARGET_STEPS)
        self.beside_title = page_parts.heading_label("")
        self.beside = FigureTable(tr("The same GPUs in other precisions"))
        self.terms = page_parts.muted_label()
        self.change = page_parts.named_button(
            tr("Change assumptions\u2026"),
            tr("Latency targets, headroom, parallel requests, replica start and delay"),
            self.assumptions_asked,
            called=tr("Change assumptions"),
            is_link=True,
        )
        self._lay_out()
        self._connect()
        self._show_empty()

    def _lay_out(self) -> None:
        columns = self._columns = two_columns.TwoColumns(6)
        self.scrolled(worded("Inference"), (14, 10, 12, 10), 6).addWidget(columns)
        form = grid(
            (page_parts.label(tr("Endpoint"), of=self.endpoint), across(self.endpoint, 2)),
            (page_parts.label(tr("Model"), of=self.model), across(self.model, 2)),
            (page_parts.label(tr("Requests")), self.load, row(self.read, self.type)),
            (page_parts.label(tr("Measured")), row(share(self.measured), self.forget), self.measure),
            spacing=(8, 6),
            shares=(0, 1),
        )
        texts = (self.headline, self.today, row(self.take, STRETCH), self.drawn)
        tables = (self.held, self.replayed, self.weighed, self.by_site)
        self._body = add(columns.first, form, *texts, *tables, STRETCH)
        add(
            columns.second,
            row(share(self.sizes_title), self.term, self.precision),
            row(self.target_words, share(self.target), spacing=8),
            share(self.table),
            row(None, share(None), self.plan, self.keep),
            *(self.beside_title, self.beside, self.ratios_title, self.ratios),
            placed(self.map, RIGHT),
            self.terms,
            placed(self.change, LEFT),
            share(None, 0),
        )
        self.fill(self.scroll_area)
        self.setFocusProxy(self.endpoint)

    def _connect(self) -> None:
        self.choice.endpoint_chosen.connect(self.redraw)
        self.choice.model_chosen.connect(lambda model: self.model_chosen.emit(self.key, model))
        self.choice.file_asked.connect(lambda: self._ask_for(self.model_file_asked))
        self.choice.rates_asked.connect(lambda: self._ask_for(self.rates_asked))
        self.precision.activated.connect(lambda _: self._draw_table())
        self.term.activated.connect(lambda _: self.term_chosen.emit(self.key, self.term.currentData()))
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))
        self.target.valueChanged.connect(self._move_target)
        self.target.sliderReleased.connect(self._set_target)
        self.table.row_opened.connect(self._show_row)
        self.beside.row_opened.connect(self._show_row)

    @property
    def key(self) -> str:
        """The workload key of the endpoint that is shown; empty: none of the log."""
        return self.choice.key

    def set_models(self, models: Sequence[ServedModel]) -> None:
        """The table of well-known models."""
        self.choice.models = tuple(models)

    def show_sizing(self, key: str, sizing: EndpointSizing | None) -> None:
        """Show what was sized for an endpoint; None: its model or its requests are not known."""
        if key != self.key:
            return
        self.sizing = sizing
        if sizing is None:
            self._show_empty()
            return
        self._drawn = drawn = sizing.drawn
        if drawn is not None:
            self.precision.setCurrentText(drawn.row.precision)
        self._draw()

    def recolour_content(self) -> None:
        super().recolour_content()
        self._draw_row_parts()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._chart.plot is not None:
            self._chart.plot.setFixedHeight(self._chart_px)

    @property
    def _chart_px(self) -> int:
        return CHART_PX if self.height() >= LOW_PANEL_PX else LOW_CHART_PX

    # ---- what is chosen

    def draw(self, shown: ViewState) -> None:
        """Show the endpoints and the model of the one that is shown, and ask for its sizing."""
        self.choice.show_endpoints(shown.evaluation)
        self._show_model(shown)
        self.size_asked.emit(self.key)

    def _show_model(self, shown: ViewState) -> None:
        choice = shown.evaluation.project.serving.get(self.key, NOTHING_CHOSEN)
        self.choice.show_model(choice)
        self.measured.setText(inference_rows.measured_words(choice.measured))
        self.measure.setEnabled(choice.model is not None)
        self.forget.setVisible(bool(choice.measured))

    def _ask_for(self, asked: Any) -> None:
        """Ask for what takes the place of a model of the table."""
        asked.emit(self.key)
        if self._shown is not None:  # until a file is read, what was chosen before
            self._show_model(self._shown)

    def _follow(self, row: int) -> None:
        """The keyboard or the mouse moved to another row: it is drawn, and not yet kept."""
        if 0 <= row < self.table.model().rowCount():
            self._show_row(self.table.row_at(row).key)

    def _show_row(self, key: str) -> None:
        cost = None if self.sizing is None else self.sizing.of_key(key)
        if cost is None or cost is self._drawn:
            return
        self._drawn = cost
        if cost.row.precision != self.precision.currentText():
            self.precision.setCurrentText(cost.row.precision)
            self._draw_table()
        self._draw_row_parts()

    def _keep(self) -> None:
        if self._drawn is not None:
            self.row_chosen.emit(self.key, *self._drawn.row.row_id)

    def _move_target(self, step: int) -> None:
        """Say what it is; a drag asks for what it comes to, a key sets it."""
        self._say_target(target_ms(step))
        if self.target.isSliderDown():
            self.target_moved.emit(self.key, target_ms(step))
        else:
            self.target_set.emit(target_ms(step))

    def _say_target(self, ms: float | None) -> None:
        none = tr("Any time per token")
        words = tr("At most {ms} ms per token, P95", ms=numbers.whole(ms)) if ms is not None else none
        self.target_words.setText(words)

    def _set_target(self) -> None:
        """The step to which it was dragged; let go where it stood, the target in force stays."""
        if self.target.value() != self._target_step:
            self.target_set.emit(target_ms(self.target.value()))

    def _show_target(self, ms: float | None) -> None:
        """Where the target in force stands, unless it is being dragged."""
        if not self.target.isSliderDown():
            with QSignalBlocker(self.target):
                steps = range(TARGET_STEPS if ms is not None else 0)
                near = min(
                    steps, key=lambda at: abs((target_ms(at) or 0.0) - (ms or 0.0)), default=TARGET_STEPS
                )
                self.target.setValue(near)
                self._target_step = near
            self._say_target(ms)

    def _plan(self) -> None:
        shown, sizing, cost = self._shown, self.sizing, self._drawn
        if shown is None or sizing is None or cost is None:
            return
        workload = next((one for one in shown.evaluation.project.workloads if one.key == self.key), None)
        contracts = shown.evaluation.project.contracts
        cluster, team = (workload.cluster, workload.owner) if workload else ("", "")
        cluster = cluster or only_cluster_of(contracts, cost.row.gpu_model)
        name = tr("{name}, sized", name=self.endpoint.currentText() if workload else tr("inference"))
        self.plan_asked.emit(self.key, sizing.planned(cost, name, cluster, team))

    def _map(self) -> None:
        sizing, at = self.sizing, self.ratios.currentIndex().row()
        if sizing is not None and 0 <= at < len(sizing.ratios):
            one = sizing.ratios[at]
            self.mapping_chosen.emit(one.against, one.gpu_model, round(one.ratio, 3))

    # ---- drawing

    @property
    def _proposed(self) -> ServedModel | None:
        """The model that the endpoint's name suggests, where none is chosen."""
        from gpuplanner.files.lists.served_models import model_in_name

        is_open = self._shown is not None and self.model.currentText() == spoken(NO_MODEL)
        return model_in_name(self.endpoint.currentText(), self.choice.models) if is_open else None

    def _take_proposed(self) -> None:
        self.model_chosen.emit(self.key, self._proposed)

    def _show_empty(self) -> None:
        """What is missing, and what to do."""
        model = self._proposed
        self.take.setVisible(model is not None)
        self.take.setText(tr("Use {title}", title="" if model is None else model.name))
        self.headline.setText(tr(NOTHING_YET))
        self.today.setText(tr("Choose the model, then read or type requests to size every GPU."))
        self.today.show()
        shown = self._shown
        project = None if shown is None else shown.evaluation.project
        week = None if project is None else project.serving.get(self.key, NOTHING_CHOSEN).week
        read = week or (None if project is None else project.traffic.get(self.key))
        self.load.setText(
            tr("None read yet.") if read is None else spoken(read.source) or tr("typed traffic")
        )
        self._drawn = None
        for widget in self._figures:
            widget.hide()
        self._chart.show(False)

    @property
    def _figures(self) -> tuple[QWidget, ...]:
        return (
            self.held,
            self.by_site,
            self.table,
            self.beside,
            self.ratios,
            self.drawn,
            self.replayed,
            self.weighed,
            self.sizes_title,
            self.term,
            self.precision,
            self.keep,
            self.plan,
            self.target,
            self.target_words,
            self.map,
            self.ratios_title,
            self.beside_title,
            self.terms,
            self.change,
        )

    def _draw(self) -> None:
        if (sizing := self.sizing) is None:
            return
        self.take.hide()
        for widget in self._figures:
            widget.show()
        self.load.setText(inference_rows.load_words(sizing.load))
        # What the endpoint holds in the log, beside what it asks for
        evaluation = None if self._shown is None else self._shown.evaluation
        gpus = usd = None
        if evaluation is not None:
            project = evaluation.project
            workload = next((one for one in project.workloads if one.key == self.key), None)
            gpus = None if workload is None else workload.gpu_hours / project.window.hours
            usd = next((row.usd_per_month for row in evaluation.audit.workloads if row.key == self.key), None)
        plan = None if evaluation is None else evaluation.advice
        idle = inference_rows.idle_words(() if plan is None else plan.idle_existing)
        self.today.show_text(f"{inference_rows.today_words(gpus, usd)} {idle}".strip())
        self.terms.setText(inference_rows.terms_words(sizing.terms))
        # The terms that rates may be asked for, and the one that counts
        chosen = sizing.choice.term_months
        terms = sorted({*sizing.offered_terms, chosen})
        if [self.term.itemData(at) for at in range(self.term.count())] != terms:
            page_parts.refill(self.term, [(inference_rows.term_name(term), term) for term in terms], chosen)
        self.term.setCurrentIndex(terms.index(chosen))
        self._show_target(sizing.assumptions.serving_tpot_p95_ms)
        self._draw_table()
        self._draw_row_parts()

    def _draw_row_parts(self) -> None:
        """What is of the row that is drawn, is due from now on; what is due already, once."""
        self._due = list(dict.fromkeys((*self._due, self._draw_row, self._draw_week, self._draw_beside)))
        if self.target.isSliderDown():
            self._turn.start()
        else:
            self._draw_due()

    def _draw_due(self) -> None:
        """Draw what is due: while the target is dragged a part a turn, that the slider moves between them."""
        sizing, cost = self.sizing, self._drawn
        while self._due and sizing is not None and cost is not None:
            self._due.pop(0)(sizing, cost)
            if self.target.isSliderDown():
                self._turn.start()
                return

    def _draw_table(self) -> None:
        if (sizing := self.sizing) is None:
            return
        precision = self.precision.currentText() if sizing.model is not None else STATED
        costs = inference_rows.sorted_costs(sizing.costs, precision)
        self.table.show_rows(inference_rows.SIZE_COLUMNS, inference_rows.size_rows_of(costs))
        self.table.take_room()
        drawn = None if self._drawn is None else self._drawn.row.key
        at = next((place for place, cost in enumerate(costs) if cost.row.key == drawn), -1)
        with QSignalBlocker(self.table.selectionModel()):
            self.table.clearSelection()
            if at >= 0:
                self.table.selectRow(at)

    def _draw_row(self, sizing: EndpointSizing, cost: ServingCost) -> None:
        self.headline.setText(inference_rows.headline_words(cost))
        is_sized = cost.gpus_peak is not None
        self.drawn.setVisible(is_sized)
        self.held.show_all(inference_rows.HELD_COLUMNS, inference_rows.held_rows(cost) if is_sized else ())
        self.weighed.show_text("\n".join(map(spoken, weighed(sizing, cost))) if is_sized else "")
        self.replayed.setText("\n".join(map(spoken, advice(sizing, cost))))
        found = sizing.regional(cost) if is_sized else None
        sites = () if found is None else table_rows(REGIONS, found.regions)
        self.by_site.show_all(inference_rows.REGION_COLUMNS, sites)

    def _draw_week(self, sizing: EndpointSizing, cost: ServingCost) -> None:
        load = week_load(sizing, cost, in_use()) if cost.gpus_peak is not None else None
        if load is not None:
            self._chart.ready().show_load(load)
        self._chart.show(cost.gpus_peak is not None)

    def _draw_beside(self, sizing: EndpointSizing, cost: ServingCost) -> None:
        self.beside_title.setText(tr("{row} in other precisions", row=inference_rows.replica_words(cost.row)))
        self.beside.show_all(inference_rows.PRECISION_COLUMNS, inference_rows.precision_rows(sizing, cost))
        for widget in (self.precision, self.target, self.target_words, self.beside_title, self.beside):
            widget.setVisible(sizing.model is not None)
        self.ratios.show_all(inference_rows.RATIO_COLUMNS, table_rows(RATIOS, sizing.ratios, are_opened=True))
        for part in (self.ratios_title, self.ratios, self.map):
            part.setVisible(bool(sizing.ratios))
        if sizing.ratios:
            self.ratios_title.setText(inference_rows.ratios_title(sizing.ratios[0]))
            self.ratios.selectRow(0)
        self._say_keep(sizing, cost)

    def _say_keep(self, sizing: EndpointSizing, cost: ServingCost) -> None:
        choice = sizing.choice
        is_kept = sizing.row(choice.gpu_model, choice.precision, choice.tensor_parallel) is cost
        self.keep.setEnabled(not is_kept and bool(cost.row.fits))
        scenario = TODAY if self._shown is None else self._shown.evaluation.scenario
        self.plan.setEnabled(cost.gpus_peak is not None and scenario != TODAY)
        set_tip(
            self.plan,
            tr("Open a plan first")
            if scenario == TODAY
            else tr("In this plan, the row replaces the logged work hour by hour"),
        )
        tip = tr(
            "Keep {row}, {precision} in project and workbook",
            row=inference_rows.replica_words(cost.row),
            precision=cost.row.precision,
        )
        if is_kept:
            tip = tr("These are kept with the project")
        elif not cost.row.fits:
            tip = sentence(cost.row.why) or tr("Fit unknown")
        set_tip(self.keep, spoken(tip))

    def _put(self, chart: "WeekLoadChart") -> None:
        chart.setFixedHeight(self._chart_px)
        chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._body.insertWidget(self._body.indexOf(self.drawn) + 1, chart)

    def _sheet(self) -> Any:
        load = None if self._chart.plot is None else self._chart.plot.load
        return None if load is None or self._shown is None else week_sheet(load, self._shown)
