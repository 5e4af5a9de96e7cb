"""Inference: which GPUs serve an endpoint's model at its load, flat and autoscaled, and what the peak costs."""

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.fit.endpoint_sizing import EndpointSizing
from gpuplanner.domain.fit.serving_costs import ServingCost
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.served_model import NOTHING_CHOSEN, ServedModel
from gpuplanner.domain.serving.memory import PRECISIONS
from gpuplanner.ui.kit.labels import heading_label, muted_label
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.two_columns import TwoColumns
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.panels.panel import About, Panel
from gpuplanner.ui.panels.places.inference_chart import week_load, week_sheet
from gpuplanner.ui.panels.places.inference_choice import EndpointChoice, named_box
from gpuplanner.ui.panels.places.inference_rows import (
    HELD_COLUMNS,
    PRECISION_COLUMNS,
    SIZE_COLUMNS,
    headline_words,
    held_rows,
    key_parts,
    load_words,
    precision_rows,
    replica_words,
    row_key,
    size_rows_of,
    sorted_costs,
    terms_words,
    today_words,
)
from gpuplanner.ui.state.view_state import ViewState
from gpuplanner.ui.tables.chart_colours import chart_colours
from gpuplanner.ui.tables.chart_menu import ChartMenu, take_out
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import sentence, spoken, tr

CHART_PX: Final = 160
LOW_CHART_PX: Final = 110
LOW_PANEL_PX: Final = 600
"""A panel lower than this has a lower chart: its tables are what is read."""
NOTHING_YET: Final = worded("Nothing sized yet.")
NONE_READ: Final = worded("None read yet.")
GPUS_BY_HOUR: Final = worded("GPUs by hour of the week, UTC; dotted: the requests")
TO_DO: Final = worded(
    "Choose the model that is served and read its requests: then every GPU is sized for them."
)


class InferencePanel(Panel):
    """Told what is shown and what was sized; emits what the planner chose."""

    about = About(
        "inference",
        worded("Inference"),
        beside="duration",
        letter="I",
        is_closed=True,
        also=worded("latency tokens throughput size sizing GPUs that a model needs"),
    )

    size_asked = Signal(str)  # workload key; empty: no endpoint of the log
    model_chosen = Signal(str, object)  # workload key, ServedModel
    model_file_asked = Signal(str)
    traffic_file_asked = Signal(str)
    row_chosen = Signal(str, str, str, int)  # workload key, GPU model, precision, GPUs a replica
    assumptions_asked = Signal()

    def build(self) -> None:
        self.sizing: EndpointSizing | None = None
        self._drawn: ServingCost | None = None
        self._chart: Any = None  # charts are imported when the first one is shown
        self.choice = EndpointChoice(self)
        self.endpoint, self.model = self.choice.endpoint, self.choice.model
        self.read = QPushButton(tr("Read requests\u2026"))
        self.read.setAccessibleName(tr("Read requests"))
        set_tip(self.read, tr("A list of requests with their tokens, or requests_per_s by hour_of_week"))
        self.headline = PlainLabel()
        self.headline.setWordWrap(True)
        self.headline.setFont(font("strong"))
        self.load = muted_label()
        self.today = muted_label()
        self.drawn = muted_label(tr(GPUS_BY_HOUR))
        self.held = FigureTable(tr("What is held and what is needed"), self._palette)
        self.sizes_title = heading_label(tr("GPUs that serve it"))
        self.precision = named_box(
            tr("Precision of the weights"), tr("Precision of the weights in the table below")
        )
        self.precision.addItems(PRECISIONS)
        self.table = FigureTable(tr("GPUs that serve it"), self._palette)
        self.table.asks_by_click = False  # a click chooses the row that is drawn
        self.keep = QPushButton(tr("Size on these"))
        self.keep.setAccessibleName(tr("Size on these"))
        self.beside_title = heading_label("")
        self.beside = FigureTable(tr("The same GPUs in other precisions"), self._palette)
        self.terms = muted_label()
        self.change = QPushButton(tr("Change assumptions\u2026"))
        self.change.setProperty("link", True)
        self.change.setAccessibleName(tr("Change assumptions"))
        set_tip(
            self.change, tr("Headroom, usable memory, requests at once, what of a GPU's speed is reached")
        )
        self._lay_out()
        self._connect()
        self._show_empty()

    def _lay_out(self) -> None:
        columns = self._columns = TwoColumns(6)
        self.scrolled(worded("Inference, chart and tables"), (14, 10, 12, 10), 6).addWidget(columns)
        first, second = columns.first, columns.second
        self._body = first
        form = QGridLayout()
        form.setHorizontalSpacing(8)
        form.setVerticalSpacing(6)
        form.setColumnStretch(1, 1)
        for at, (word, widget) in enumerate(((tr("Endpoint"), self.endpoint), (tr("Model"), self.model))):
            label = PlainLabel(spoken(word))
            label.setBuddy(widget)
            form.addWidget(label, at, 0)
            form.addWidget(widget, at, 1, 1, 2)
        form.addWidget(PlainLabel(tr("Requests")), 2, 0)
        form.addWidget(self.load, 2, 1)
        form.addWidget(self.read, 2, 2)
        first.addLayout(form)
        for part in (self.headline, self.today, self.drawn, self.held):
            first.addWidget(part)
        first.addStretch(1)
        head = QHBoxLayout()
        head.addWidget(self.sizes_title, 1)
        head.addWidget(self.precision)
        second.addLayout(head)
        second.addWidget(self.table, 1)
        second.addWidget(self.keep, 0, Qt.AlignmentFlag.AlignRight)
        for part in (self.beside_title, self.beside, self.terms):
            second.addWidget(part)
        second.addWidget(self.change, 0, Qt.AlignmentFlag.AlignLeft)
        second.addStretch()
        self.fill(self.scroll_area)
        self.setFocusProxy(self.endpoint)

    def _connect(self) -> None:
        self.choice.endpoint_chosen.connect(self.redraw)
        self.choice.model_chosen.connect(lambda model: self.model_chosen.emit(self.key, model))
        self.choice.file_asked.connect(self._ask_for_model_file)
        self.read.clicked.connect(lambda: self.traffic_file_asked.emit(self.key))
        self.precision.activated.connect(lambda _: self._draw_table())
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))
        self.keep.clicked.connect(self._keep)
        self.table.row_opened.connect(self._show_row)
        self.beside.row_opened.connect(self._show_row)
        self.change.clicked.connect(self.assumptions_asked)

    @property
    def key(self) -> str:
        """The workload key of the endpoint that is shown; empty: none of the log."""
        return self.choice.key

    def set_models(self, models: Sequence[ServedModel]) -> None:
        """The table of well-known models."""
        self.choice.set_models(models)

    def show_sizing(self, key: str, sizing: EndpointSizing | None) -> None:
        """Show what was sized for an endpoint; None: its model or its requests are not known."""
        if key != self.key:
            return
        self.sizing = sizing
        if sizing is None:
            self._show_empty()
            return
        drawn = sizing.drawn
        self._drawn = drawn
        if drawn is not None:
            self.precision.setCurrentText(drawn.row.precision)
        self._draw()

    def recolour(self, palette: Palette) -> None:
        """Other colours from now on."""
        take_out(self._body, self._chart)
        self._chart = None
        if self._drawn is not None:
            self._draw_row(self._drawn)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._chart is not None:
            self._chart.setFixedHeight(self._chart_px)

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
        self.choice.show_model(shown.evaluation.project.serving.get(self.key, NOTHING_CHOSEN).model)

    def _ask_for_model_file(self) -> None:
        self.model_file_asked.emit(self.key)
        if self._shown is not None:  # until a file is read, what was chosen before
            self._show_model(self._shown)

    def _follow(self, row: int) -> None:
        """The keyboard or the mouse moved to another row: it is drawn, and not yet kept."""
        if 0 <= row < self.table.model().rowCount():
            self._show_row(self.table.row_at(row).key)

    def _show_row(self, key: str) -> None:
        cost = None if self.sizing is None else self.sizing.row(*key_parts(key))
        if cost is None or cost is self._drawn:
            return
        self._drawn = cost
        if cost.row.precision != self.precision.currentText():
            self.precision.setCurrentText(cost.row.precision)
            self._draw_table()
        self._draw_row(cost)

    def _keep(self) -> None:
        if self._drawn is not None:
            self.row_chosen.emit(self.key, *self._drawn.row.row_id)

    # ---- drawing

    def _show_empty(self) -> None:
        """What is missing, and what to do."""
        self.headline.setText(tr(NOTHING_YET))
        self.today.setText(tr(TO_DO))
        self.today.show()
        shown = self._shown
        project = None if shown is None else shown.evaluation.project
        week = None if project is None else project.serving.get(self.key, NOTHING_CHOSEN).week
        read = week or (None if project is None else project.traffic.get(self.key))
        self.load.setText(tr(NONE_READ) if read is None else spoken(read.source))
        self._drawn = None
        for widget in self._figures:
            widget.hide()
        if self._chart is not None:
            self._chart.hide()

    @property
    def _figures(self) -> tuple[QWidget, ...]:
        tables = (self.held, self.table, self.beside)
        words = (self.drawn, self.sizes_title, self.precision, self.keep, self.beside_title, self.terms)
        return (*tables, *words, self.change)

    def _draw(self) -> None:
        sizing = self.sizing
        if sizing is None:
            return
        for widget in self._figures:
            widget.show()
        self.load.setText(load_words(sizing.load))
        self._show_today()
        self.terms.setText(terms_words(sizing.terms))
        self._draw_table()
        if self._drawn is not None:
            self._draw_row(self._drawn)

    def _show_today(self) -> None:
        """What the endpoint holds in the log, beside what it asks for."""
        evaluation = None if self._shown is None else self._shown.evaluation
        gpus = usd = None
        if evaluation is not None:
            project = evaluation.project
            workload = next((one for one in project.workloads if one.key == self.key), None)
            gpus = None if workload is None else workload.gpu_hours / project.window.hours
            usd = next((row.usd_per_month for row in evaluation.audit.workloads if row.key == self.key), None)
        self.today.setText(today_words(gpus, usd))
        self.today.setVisible(gpus is not None)

    def _draw_table(self) -> None:
        sizing = self.sizing
        if sizing is None:
            return
        costs = sorted_costs(sizing.costs, self.precision.currentText())
        self.table.show_rows(SIZE_COLUMNS, size_rows_of(costs))
        self.table.take_room()
        drawn = None if self._drawn is None else row_key(self._drawn.row)
        at = next((place for place, cost in enumerate(costs) if row_key(cost.row) == drawn), -1)
        model = self.table.selectionModel()
        model.blockSignals(True)
        self.table.clearSelection()
        if at >= 0:
            self.table.selectRow(at)
        model.blockSignals(False)

    def _draw_row(self, cost: ServingCost) -> None:
        sizing = self.sizing
        if sizing is None:
            return
        self.headline.setText(headline_words(cost))
        is_sized = cost.gpus_peak is not None
        self.held.setVisible(is_sized)
        self.drawn.setVisible(is_sized)
        if is_sized:
            self.held.show_rows(HELD_COLUMNS, held_rows(cost))
            self.held.fit_height()
            self._draw_chart(sizing, cost)
        elif self._chart is not None:
            self._chart.hide()
        self.beside_title.setText(tr("{row} in other precisions", row=replica_words(cost.row)))
        self.beside.show_rows(PRECISION_COLUMNS, precision_rows(sizing, cost))
        self.beside.fit_height()
        self._say_keep(sizing, cost)

    def _say_keep(self, sizing: EndpointSizing, cost: ServingCost) -> None:
        choice = sizing.choice
        kept = sizing.row(choice.gpu_model, choice.precision, choice.tensor_parallel)
        is_kept = kept is cost
        self.keep.setEnabled(not is_kept and bool(cost.row.fits))
        tip = tr(
            "Keep {row}, {precision} with the project and in its workbook",
            row=replica_words(cost.row),
            precision=cost.row.precision,
        )
        if is_kept:
            tip = tr("These are kept with the project")
        elif not cost.row.fits:
            tip = sentence(cost.row.why) or tr("Nobody knows whether it fits")
        set_tip(self.keep, spoken(tip))

    def _sheet(self) -> Any:
        load = self._chart.load
        return None if load is None or self._shown is None else week_sheet(load, self._shown)

    def _draw_chart(self, sizing: EndpointSizing, cost: ServingCost) -> None:
        from gpuplanner.charts.plots.week_load import WeekLoadChart

        if self._chart is None:
            self._chart = WeekLoadChart(
                chart_colours(self._palette),
                lambda gpus: tr("{gpus} GPUs", gpus=numbers.significant(gpus, 4)),
            )
            self._chart.setFixedHeight(self._chart_px)
            self._chart.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            self._body.insertWidget(self._body.indexOf(self.drawn) + 1, self._chart)
            self._menu = ChartMenu(self._chart, self._palette, self._sheet)
        if self._menu.table is None or self._menu.table.isHidden():
            self._chart.show()
        load = week_load(sizing, cost, self._palette)
        if load is not None:
            self._chart.show_load(load)
