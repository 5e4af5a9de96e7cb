"""Hardware fit: training runs that are stated, and workloads that stand on hardware that does not fit them."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QSlider, QSplitter, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import sentence, spoken, tr
from gpuplanner.domain.commitment.outlook_result import SpotAdvice
from gpuplanner.domain.figures import titles
from gpuplanner.domain.fit.fit_rows import FitRow
from gpuplanner.domain.fit.offer_fit import offers_for
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.fit.workload_fit import WorkloadFit, rows_in_pool
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model import errors, spelling, trained
from gpuplanner.domain.model.hardware_needs import NOTHING_SET
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.reports.training import CHIPS, NETWORKS, sentences_of
from gpuplanner.domain.training.answer import Answer, knee_of
from gpuplanner.domain.training.choices import Choice
from gpuplanner.files.system.resources import long_text, views_of, words_table
from gpuplanner.ui.cards.details import LIGHTS
from gpuplanner.ui.kit import fold, page_parts, two_columns
from gpuplanner.ui.kit.fields import ValueField
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import STRETCH, across, add, column, grid, named, row, share, stacked
from gpuplanner.ui.kit.page_parts import choice_of, label, muted_label
from gpuplanner.ui.kit.palettes import Palette, in_use
from gpuplanner.ui.kit.tabs import view_tabs
from gpuplanner.ui.kit.two_columns import BESIDE_FROM_PX
from gpuplanner.ui.kit.type_scale import text_px
from gpuplanner.ui.panels.panel import About, Panel, PanelView
from gpuplanner.ui.panels.today import hardware_detail, hardware_rows, training_rows
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.cells import filled_row
from gpuplanner.ui.tables.chart_menu import sheet_of
from gpuplanner.ui.tables.chart_palette import chart_colours
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.tables.rows_model import LazyRows
from gpuplanner.ui.tables.seen_chart import SeenChart
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import Lane, lane_of

if TYPE_CHECKING:
    from gpuplanner.charts.plots.frontier import FinishChart, FinishCurve


# --- Training runs: what the planner states of one, whether it fits, when it is done on how many GPUs, and at
# which $


Options = tuple[tuple[Text, Any], ...]
OF_FILE: Final = "file"
NOTHING_STATED: Final = worded("No training run yet.")
TO_DO: Final = long_text("training_how_to")
NO_TOKENS: Final = worded("Enter training tokens, such as 1T or 300B.")
NO_GPUS: Final = worded("No known GPU model. Import prices or choose one above.")
UNDIVIDED: Final = long_text("undivided_layout")
IN_PART: Final = worded("Your measurement counts once you enter hours, GPUs and GPU model.")
LAID_OUT_SO: Final = ("full_recomputation", "tensor_parallel_8", "pipeline")
"""Remedies that are another layout."""
PLAN_IT: Final = worded("Add the run with this many GPUs to the plan")
TABLES: Final = (*words_table("run_table").values(), CHIPS.title)
CHART_PX: Final = 170
IN_SIGHT: Final = ("tokens", "deadline_h", "gpus")
"""Numbers that are asked of every run; the others stand under a heading that folds."""
CHOICES: Final[tuple[tuple[str, Message, Options], ...]] = (
    (
        "sharding",
        worded("Sharding"),
        (
            (worded("Searched"), None),
            ("FSDP", trained.Sharding.FSDP),
            ("ZeRO-1", trained.Sharding.ZERO1),
            ("ZeRO-2", trained.Sharding.ZERO2),
            ("HSDP", trained.Sharding.HSDP),
            (worded("None"), trained.Sharding.NONE),
        ),
    ),
    (
        "recompute",
        worded("Recomputation"),
        (
            (worded("Searched"), trained.Recompute.NONE),
            (worded("None"), trained.Recompute.NEVER),
            (worded("Selective"), trained.Recompute.SELECTIVE),
            (worded("Full"), trained.Recompute.FULL),
        ),
    ),
    ("precision", worded("Precision"), tuple((precision, precision) for precision in trained.PRECISIONS)),
    (
        "method",
        worded("Trained part"),
        (
            (worded("All of it"), trained.Method.FULL),
            ("LoRA", trained.Method.LORA),
            ("QLoRA", trained.Method.QLORA),
        ),
    ),
    (
        "stack",
        worded("Software"),
        (
            (worded("Tuned"), trained.Stack.TUNED),
            (worded("Plain"), trained.Stack.PLAIN),
            (worded("Untuned"), trained.Stack.UNTUNED),
        ),
    ),
    ("is_rdma", worded("Network"), ((worded("RDMA"), True), (worded("Plain TCP"), False))),
)
"""What is chosen of a run: its name, its title, and the words of each value."""


class TrainingRunView(QWidget):
    """Told the project and what came of a run; emits what was stated, asked and chosen."""

    run_stated = Signal(int, object)  # place among the runs, StatedRun
    run_dropped = Signal(int)
    answer_asked = Signal(object)  # StatedRun
    file_asked = Signal(object)  # StatedRun, None for a new one
    work_chosen = Signal(object, object)  # StatedRun, Choice

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._catalogue: Callable[[], Iterable[trained.TrainedModel]] = tuple
        self._models: dict[str, trained.TrainedModel] = {}
        self._new: dict[str, Any] = {}  # of a run that lacks its model or its tokens
        self._shown: ViewState | None = None
        self._at, self._is_new = 0, False
        self.answer: Answer | None = None
        self.gpu_model_drawn = ""
        self._curve: tuple[Choice, ...] = ()
        self.chosen: Choice | None = None
        self.chart = SeenChart(_new_chart, self._put, self._sheet)
        self._build_form()
        self._build_answer()
        self._lay_out()
        self.drop.setIcon(icon("minus", "text"))

    # ---- building

    def _build_form(self) -> None:
        self.runs = self._box(worded("Run"), worded("Training runs"), self._choose_run)
        drop = tr("Remove this run")
        self.drop = page_parts.tool_button(drop, drop, lambda: self.run_dropped.emit(self._at))
        tip = worded("Model, from the catalog or a config.json")
        self.model = self._box(worded("Model"), tip, self._choose_model)
        tip = worded("One GPU model, or all")
        self.gpu_model = self._box(worded("GPU model"), tip, partial(self._set, "gpu_model"))
        self.fields: dict[str, ValueField] = {}
        for each in trained.RUN_FIELDS:
            field = self.fields[each.name] = named(ValueField(), each.title, each.tip)
            field.setMinimumWidth(text_px(56))
            field.entered.connect(partial(self._take, each))
        self.choices: dict[str, QComboBox] = {}
        for name, title, options in CHOICES:
            self.choices[name] = self._box(title, title, partial(self._set, name))
            _fill(self.choices[name], options, None)
        self.error = page_parts.label(role="red", step="small", is_wrapped=True)
        self.error.hide()

    def _box(self, name: Text, tip: Text, chosen: Callable[[Any], object]) -> QComboBox:
        """A box as narrow as its panel, that tells the value that was chosen."""
        box = page_parts.choice_of(name, tip, (), letters=4)
        box.activated.connect(lambda at: chosen(box.itemData(at)))
        return box

    def _build_answer(self) -> None:
        self.headline = page_parts.label(step="title", is_wrapped=True)
        self.money, self.memory, self.remedy, self.note = (page_parts.muted_label() for _ in range(4))
        self.sign = page_parts.Drawing()
        self.sign.setFixedWidth(20)
        self.sign.setAlignment(Qt.AlignmentFlag.AlignTop)  # beside the first of its lines
        self.use_remedy = page_parts.named_button(
            tr("Use layout"), tr("Use the fitting layout"), self._take_remedy, is_link=True
        )
        self.drawn = page_parts.muted_label(
            tr("Hours by number of GPUs. Band: published runs. Dotted: doubling GPUs halves the hours")
        )
        self.slider = named(QSlider(Qt.Orientation.Horizontal), tr("Number of GPUs"))
        self.slider.setPageStep(1)
        self.slider.valueChanged.connect(self._slide)
        self.plan = page_parts.named_button(tr("Add to plan"), does=self._plan)
        self.titles = [page_parts.heading_label(words) for words in TABLES]
        self.tables = [FigureTable(tr(words)) for words in TABLES]
        self.table = self.tables[0]
        self.table.asks_by_click = False
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))

    def _lay_out(self) -> None:
        columns = two_columns.TwoColumns(6)
        columns.setContentsMargins(14, 8, 12, 10)

        def beside(title: Text, editor: QWidget) -> tuple[QWidget, QWidget]:
            return page_parts.label(title, of=editor), editor

        typed = {each.name: beside(each.title, self.fields[each.name]) for each in trained.RUN_FIELDS}
        priced = beside(worded("GPU model"), self.gpu_model)
        form = grid(
            (
                page_parts.label(tr("Run"), of=self.runs),
                across(row(share(self.runs), self.drop, spacing=4), 3),
            ),
            (page_parts.label(tr("Model"), of=self.model), across(self.model, 3)),
            (*typed["tokens"], *typed["deadline_h"]),
            (*priced, *typed["gpus"]),
            spacing=(8, 6),
            shares=(0, 1, 0, 1),
        )
        self.fold = fold.Fold(worded("Layout, precision, network"))
        more = [pair for name, pair in typed.items() if name not in IN_SIGHT]
        more = [*(beside(title, self.choices[name]) for name, title, _ in CHOICES), *more]
        add(self.fold.rows, grid(*more, spacing=(8, 6), shares=(0, 1)))
        self._of_run = (*typed["deadline_h"], *priced, *typed["gpus"], self.fold, self.drop)
        self._body = add(
            columns.first,
            *(form, self.fold, self.error, 4, self.headline, self.money),
            row(self.sign, share(self.memory), spacing=4),
            row(share(self.remedy), self.use_remedy, spacing=6),
            *(self.drawn, row(share(self.slider), self.plan, spacing=10), STRETCH),
        )
        parts = (part for pair in zip(self.titles, self.tables, strict=True) for part in pair)
        add(columns.second, *parts, self.note, STRETCH)
        column(share(page_parts.scrolled(columns, tr("Training run"))), on=self)

    def set_models(self, catalogue: Callable[[], Iterable[trained.TrainedModel]]) -> None:
        """Where the catalogue is read from, once the view is looked at."""
        self._catalogue = catalogue

    def recolour(self) -> None:
        """Other colours from now on."""
        if self.answer is not None:
            self._draw()

    # ---- what is stated

    @property
    def run(self) -> trained.StatedRun | None:
        """The run that is shown; None for a new one."""
        runs = () if self._shown is None else self._shown.evaluation.project.runs
        return runs[self._at] if self._at < len(runs) else None

    def show_state(self, shown: ViewState) -> None:
        """Show the runs of the project and ask for what comes of the one that is chosen."""
        self._shown, project = shown, shown.evaluation.project
        self._models = self._models or {model.name: model for model in self._catalogue()}
        self._at = min(self._at, max(0, len(project.runs) - (0 if self._is_new else 1)))
        called = tuple((run.called, at) for at, run in enumerate(project.runs))
        _fill(self.runs, (*called, (worded("A new run\u2026"), len(project.runs))), self._at)
        run = self.run
        self._show_model()
        for each in trained.RUN_FIELDS:
            value = self._new.get(each.name) if run is None else trained.value_in(run, each.name)
            self.fields[each.name].show_value("" if value is None else _typed(each, value))
        for part in self._of_run:
            part.setVisible(run is not None)
        if run is None:
            self._show_empty()
            return
        names = sorted({offer.gpu_model for offer in project.offers} | {run.gpu_model} - {""})
        _fill(self.gpu_model, ((worded("All"), ""), *((name, name) for name in names)), run.gpu_model)
        for name, _, options in CHOICES:
            _fill(self.choices[name], options, trained.value_in(run, name))
        self.plan.setEnabled(not shown.is_today)
        set_tip(self.plan, tr("Open a plan first") if shown.is_today else tr(PLAN_IT))
        self.answer_asked.emit(run)

    def _show_model(self) -> None:
        model = self._new.get("model") if self.run is None else self.run.model
        own = () if model is None or model.name in self._models else (model.name,)
        names = (*own, *self._models)
        options = ((worded("Choose a model"), None), *((name, name) for name in names))
        _fill(self.model, (*options, (worded("From a file\u2026"), OF_FILE)), model and model.name)

    def _choose_run(self, at: int) -> None:
        if self._shown is not None:
            self._at, self._is_new = at, at == len(self._shown.evaluation.project.runs)
            self.show_state(self._shown)

    def _choose_model(self, name: str | None) -> None:
        if name == OF_FILE:
            self.file_asked.emit(self.run)
        elif name in self._models:
            self._set("model", self._models[name])
        self._show_model()

    def take_model(self, run: trained.StatedRun | None, model: trained.TrainedModel) -> None:
        """The model of the run that it was read for, whichever is shown by now; nothing where that is gone."""
        runs = () if self._shown is None else self._shown.evaluation.project.runs
        if run is None:
            self._state_new("model", model)
        elif run in runs:
            self.run_stated.emit(runs.index(run), trained.run_with(run, "model", model))

    def _take(self, of: trained.RunField, text: str) -> None:
        self.error.hide()
        try:
            self._set(of.name, trained.typed_number(of, numbers.plain_number(text)))
        except errors.PlannerError as error:
            what, remedy = spoken(error.what), sentence(error.remedy)
            self.error.setText(tr("{title}: {what}. {remedy}.", title=of.title, what=what, remedy=remedy))
            self.error.show()

    def _set(self, name: str, value: Any) -> None:
        """The run with another value; a new one is stated once its model and its tokens are there."""
        if self.run is not None:
            self.run_stated.emit(self._at, trained.run_with(self.run, name, value))
        else:
            self._state_new(name, value)

    def _state_new(self, name: str, value: Any) -> None:
        self._new[name] = value
        if {"model", "tokens"} <= set(self._new) and self._shown is not None:
            stated, self._new, self._is_new = trained.StatedRun(**self._new), {}, False
            self.run_stated.emit(len(self._shown.evaluation.project.runs), stated)
        elif self._shown is not None:
            self.show_state(self._shown)

    def _take_remedy(self) -> None:
        run, choice = self.run, self._looked_at
        if run is not None and choice is not None and choice.remedy is not None:
            would = choice.remedy.run
            own = ("layout", would.layout) if choice.remedy.change in LAID_OUT_SO else ("layout", run.layout)
            for name, value in (own, ("method", would.method), ("gpus", would.gpus)):
                run = trained.run_with(run, name, value)
            self.run_stated.emit(self._at, run)

    # ---- what came of it

    def show_answer(self, answer: Answer) -> None:
        """Show what came of a run, unless another is shown by now."""
        if answer.stated == self.run:
            if self.answer is None or self.answer.stated != answer.stated:
                self.gpu_model_drawn, self.chosen = "", None  # of another run others are the best
            self.answer = answer
            self._draw()

    @property
    def _of_answer(self) -> tuple[QWidget, ...]:
        said = (self.money, self.sign, self.memory, self.remedy, self.use_remedy, self.note)
        return (*said, self.drawn, self.slider, self.plan, *self.titles, *self.tables)

    def _show_empty(self) -> None:
        """What is missing, and what to do."""
        self.answer = self.chosen = None
        self.headline.setText(tr(NOTHING_STATED))
        self.money.setText(tr(NO_TOKENS if "model" in self._new else TO_DO))
        for part in self._of_answer:
            part.setVisible(part is self.money)
        self.chart.show(False)

    def _draw(self) -> None:
        """The tables, and the GPU model that was looked at, else the best."""
        if (answer := self.answer) is None:
            return
        best = answer.best_of_each
        if self.gpu_model_drawn not in best:
            self.gpu_model_drawn = next(iter(best), "")
        filled = (
            (training_rows.CHOICE_COLUMNS, training_rows.choice_rows(best)),
            (table_columns(NETWORKS), table_rows(NETWORKS, answer.networks)),
            (training_rows.CLUSTER_COLUMNS, training_rows.cluster_rows(answer.clusters)),
            (table_columns(CHIPS), table_rows(CHIPS, answer.chips)),
        )
        for title, table, (columns, rows) in zip(self.titles, self.tables, filled, strict=True):
            table.show_all(columns, rows)
            title.setVisible(bool(rows))
        selection = self.table.selectionModel()
        selection.blockSignals(True)
        if best:
            self.table.selectRow(list(best).index(self.gpu_model_drawn))
        selection.blockSignals(False)
        unknown = ", ".join(answer.unknown)
        self.note.show_text(tr("Unknown and skipped: {names}.", names=unknown) if unknown else "")
        self._draw_model()

    def _follow(self, at: int) -> None:
        """The keyboard or the mouse moved to another GPU model."""
        if 0 <= at < self.table.model().rowCount() and self.table.row_at(at).key != self.gpu_model_drawn:
            self.gpu_model_drawn, self.chosen = self.table.row_at(at).key, None
            self._draw_model()

    def _draw_model(self) -> None:
        """The curve of the GPU model, with the number of GPUs that was chosen before, else the cheapest."""
        self._curve = () if self.answer is None else self.answer.curve(self.gpu_model_drawn)
        wanted, sizes = self._looked_at, [one.run.gpus for one in self._curve]
        at = len(sizes) - 1
        if wanted is not None and wanted.run.gpus in sizes:
            at = sizes.index(wanted.run.gpus)
        self.chosen = self._curve[at] if self._curve else None
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(0, len(sizes) - 1))
        self.slider.setValue(max(0, at))
        self.slider.blockSignals(False)
        for part in (self.slider, self.drawn):
            part.setVisible(len(sizes) > 1)
        self._say()
        if len(sizes) > 1:
            self.chart.ready().show_curve(self._told())
        self.chart.show(len(sizes) > 1)

    def _slide(self, at: int) -> None:
        """Another number of GPUs; nothing is worked out anew."""
        if at < len(self._curve):
            self.chosen = self._curve[at]
            self._say()
            if self.chart.plot is not None:
                self.chart.plot.show_chosen(at)

    @property
    def _looked_at(self) -> Choice | None:
        """The number of GPUs that was chosen, else the cheapest of the GPU model."""
        best = {} if self.answer is None else self.answer.best_of_each
        return self.chosen or best.get(self.gpu_model_drawn)

    def _say(self) -> None:
        """Hours and $ first, then the memory with its light, and what would fit."""
        choice = self._looked_at
        remedy = "" if choice is None else training_rows.remedy_words(choice.remedy)
        for part in (self.sign, self.memory):
            part.setVisible(choice is not None)
        self.money.setVisible(choice is not None and choice.fit.holds)
        self.remedy.setVisible(bool(remedy))
        self.use_remedy.setVisible(bool(remedy))
        self.plan.setVisible(self.chosen is not None)
        if choice is None:
            is_undivided = self.answer is not None and self.answer.is_undivided
            self.headline.setText(tr(UNDIVIDED if is_undivided else NO_GPUS))
            return
        self.headline.setText(training_rows.headline_words(choice))
        self.money.setText(training_rows.money_words(choice))
        name, role, word = LIGHTS[choice.fit.light]
        self.sign.show_drawing(name, role)
        self.sign.setAccessibleName(spoken(word))
        said = [training_rows.memory_words(choice), training_rows.trains_words(choice)]
        if self.answer is not None and choice.fit.holds:
            said += [spoken(words) for words in sentences_of(choice, self.answer.asked)]
            said += [tr(IN_PART)] if self.answer.stated.measured_lacks else []
        self.memory.setText("\n".join(filter(None, said)))
        self.remedy.setText(remedy)

    def _plan(self) -> None:
        if self.run is not None and self.chosen is not None and self.chosen.fit.holds:
            self.work_chosen.emit(self.run, self.chosen)

    # ---- the chart

    def _told(self) -> "FinishCurve":
        from gpuplanner.charts.plots.frontier import FinishCurve, FinishPoint

        points = tuple(
            FinishPoint(
                gpus=one.run.gpus,
                hours=finish.whole_hours,
                low=finish.whole_low,
                high=finish.whole_high,
                usd=one.usd,
            )
            for one in self._curve
            if (finish := one.finish) is not None
        )
        knee, chosen = (
            None if one is None else self._curve.index(one) for one in (knee_of(self._curve), self.chosen)
        )
        deadline_h = None if self.run is None else self.run.deadline_h
        colour = in_use().lane(Lane.TRAINING).name()
        return FinishCurve(
            gpu_model=self.gpu_model_drawn,
            points=points,
            knee=knee,
            chosen=chosen,
            deadline_h=deadline_h,
            colour=colour,
        )

    def _put(self, chart: "FinishChart") -> None:
        chart.setFixedHeight(text_px(CHART_PX))
        self._body.insertWidget(self._body.indexOf(self.drawn) + 1, chart)

    def _sheet(self) -> Any:
        shown, curve = self._shown, self._told()
        if shown is None or not curve.points:
            return None

        def make(palette: Palette) -> QWidget:
            made = _new_chart(palette)
            made.show_curve(curve)
            return made

        def rows() -> list[tuple[str, ...]]:
            hours = ([numbers.one_decimal(h) for h in (one.hours, one.low, one.high)] for one in curve.points)
            pairs = zip(curve.points, hours, strict=True)
            return [(numbers.whole(one.gpus), *said, numbers.dollars(one.usd)) for one, said in pairs]

        columns = (tr("GPUs"), tr("Hours"), tr("P10"), tr("P90"), tr(titles.COST))
        title = tr("Training hours by GPUs: {called}", called=self.run.called if self.run else "")
        return sheet_of(title, tr("Hours"), source_words(shown), make, columns, rows)


def _fill(box: QComboBox, options: Options, chosen: Any) -> None:
    """Other options where they are others, and the one that holds."""
    held = [(box.itemText(at), box.itemData(at)) for at in range(box.count())]
    if held != [(spoken(words), value) for words, value in options]:
        box.clear()
        for words, value in options:
            box.addItem(spoken(words), value)
    box.setCurrentIndex(max(0, next((at for at, option in enumerate(options) if option[1] == chosen), 0)))


def _typed(of: trained.RunField, value: Any) -> str:
    """A number as it is typed: tokens by their scale."""
    count = trained.short_count(value).replace(".", numbers.locale().decimalPoint())
    return count if of.name == "tokens" else numbers.significant(value, 6)


def _new_chart(palette: Palette) -> "FinishChart":
    from gpuplanner.charts.plots.frontier import FinishChart

    return FinishChart(chart_colours(palette), training_rows.short_hours, numbers.dollars)


# --- Hardware fit: training runs that are stated, and workloads that stand on hardware that does not fit them


LIGHT_CHOICES: Final[tuple[tuple[Message, frozenset[Light | None]], ...]] = (
    (worded("Does not fit, or over-specified"), frozenset((Light.RED, Light.AMBER))),
    (worded("Does not fit"), frozenset((Light.RED,))),
    (worded("Over-specified"), frozenset((Light.AMBER,))),
    (worded("Fits"), frozenset((Light.GREEN,))),
    (worded("Unknown"), frozenset((None,))),
    (worded("Any fit"), frozenset((Light.RED, Light.AMBER, Light.GREEN, None))),
)
POOL_CHOICES: Final[tuple[tuple[Message, frozenset[Pool]], ...]] = (
    (worded("All classes"), frozenset(Pool)),
    *((lane_of(pool).word, frozenset((pool,))) for pool in POOLS),
)
BELOW_PARTS: Final = (220, 280)
BESIDE_PARTS: Final = (1, 1)
"""How the list and the chosen workload share the panel's height, or its width where that has room for both."""


VIEWS: Final = views_of("hardware_fit")


class HardwareFitPanel(Panel):
    """Told what is shown; emits the need that the planner set of a workload. runs: the view of training runs."""

    about = About(
        name="hardware_fit",
        title=worded("Hardware fit"),
        title_shortly=worded("Hardware"),
        beside="duration",
        is_counted=True,
        views=tuple(PanelView(name, title, tip) for name, title, tip in VIEWS),
    )

    need_set = Signal(str, str, object)  # workload key, need, value or None

    _counted: tuple[object, dict[Light | None, int]] = (None, {})  # before the content is there

    def build(self) -> None:
        self._drawn: tuple[object, ...] = ()
        self.listed: list[WorkloadFit] = []
        self.key = ""
        self.lights = choice_of(tr("Fit shown"), tr("Fit shown"), LIGHT_CHOICES, self._redraw_chosen)
        self.pools = choice_of(tr("Which classes"), tr("Which classes"), POOL_CHOICES, self._redraw_chosen)
        tip = tr("Workloads with hardware, most expensive first")
        self.summary = named(muted_label(), tip=tip)
        self.table = FigureTable(tr("Hardware fit"))
        self.table.asks_by_click = False  # a click chooses the workload below
        self.table.setMinimumHeight(38 + 4 * self.table.row_height)
        self.empty = label(role="muted", is_wrapped=True)
        self.detail = hardware_detail.HardwareDetail()
        upper = QWidget()
        head = row(self.lights, self.pools, STRETCH, spacing=8)
        # without a table the words stay at the top
        parts = (head, self.summary, self.empty, share(self.table), share(None, 0))
        column(*parts, on=upper, margins=(14, 10, 12, 4), spacing=6)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(upper)
        self.splitter.addWidget(self.detail)
        self.splitter.setChildrenCollapsible(False)
        self.splitter.setSizes(list(BELOW_PARTS))
        self.splitter.setStretchFactor(0, 1)
        self.splitter.setStretchFactor(1, 1)
        self.runs = TrainingRunView()
        self._views = stacked(self.runs, self.splitter)
        line, self.tabs = view_tabs(self, tr("Hardware fit"), VIEWS, self.show_view)
        self.fill(line, self._views, top=6)
        self._is_new = True
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._choose(now.row()))
        self.table.row_opened.connect(lambda _: self._choose(self.table.currentIndex().row()))
        self.detail.need_set.connect(self.need_set)
        self.detail.workload_asked.connect(self.workload_asked)

    def _redraw_chosen(self, _: int) -> None:
        self.redraw()

    def count(self, shown: ViewState) -> int:
        """How many workloads are red."""
        return self._counts(shown).get(Light.RED, 0)

    def _counts(self, shown: ViewState) -> dict[Light | None, int]:
        """How many workloads have which light; counted when the fit is another."""
        if self._counted[0] is not shown.fit:
            self._counted = shown.fit, hardware_rows.counts_by_light(shown.fit or ())
        return self._counted[1]

    def show_view(self, name: str) -> None:
        """Show one of VIEWS."""
        self._is_new = False
        self.tabs[name].setChecked(True)
        self._views.setCurrentIndex([view for view, _, _ in VIEWS].index(name))
        self.redraw()

    def choose(self, key: str) -> None:
        """Show one workload, in the list too; all are listed where the filter leaves it out."""
        self.show_view("workloads")
        self.key = key
        if all(fit.key != key for fit in self.listed):
            self.lights.setCurrentIndex(len(LIGHT_CHOICES) - 1)
            self.pools.setCurrentIndex(0)
        self.redraw()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_beside = event.size().width() >= BESIDE_FROM_PX
        wanted = Qt.Orientation.Horizontal if is_beside else Qt.Orientation.Vertical
        if self.splitter.orientation() is not wanted:
            self.splitter.setOrientation(wanted)
            whole, parts = event.size().width(), BESIDE_PARTS if is_beside else BELOW_PARTS
            self.splitter.setSizes([whole * part // sum(parts) for part in parts])
        before, now, wide = event.oldSize().width(), event.size().width(), text_px(hardware_rows.WIDE_FROM)
        if (before >= wide) != (now >= wide) and self.isVisible():
            self.redraw()

    def draw(self, shown: ViewState) -> None:
        """The view that is shown, at first workloads where no run is stated; nothing where all stands as it is."""
        if self._is_new and shown.evaluation.project.workloads and not shown.evaluation.project.runs:
            self.show_view("workloads")
            return
        self._is_new = False
        if self._views.currentWidget() is self.runs:
            self.runs.show_state(shown)
            return
        of, audit = shown.evaluation.project, shown.evaluation.audit
        spot = None if shown.outlook is None or shown.is_today else shown.outlook.spot
        places = (self.lights.currentIndex(), self.pools.currentIndex(), self.key)
        is_wide = self.width() >= text_px(hardware_rows.WIDE_FROM)
        state = (shown.fit, audit, of.offers, of.mappings, spot, *places, is_wide)
        if len(state) == len(self._drawn) and all(a is b for a, b in zip(state, self._drawn, strict=True)):
            return
        self._drawn = state
        chosen = hardware_rows.FitFilter(self.lights.currentData(), self.pools.currentData())
        usd = {row.key: row.usd_per_month for row in audit.workloads}
        names = spelling.told_apart(of.workloads)
        listed = self.listed = hardware_rows.filtered_fits(shown.fit or (), usd, chosen)
        self.summary.setText(_summary(self._counts(shown), shown.fit is None))
        columns = hardware_rows.fit_columns(self.width() >= text_px(hardware_rows.WIDE_FROM), names, usd)
        rows = LazyRows(len(listed), lambda at: filled_row(columns, listed[at], listed[at].key))
        self.table.show_rows(columns, rows)
        self.empty.setText(_empty_words(shown))
        self.empty.setVisible(not listed)
        self.table.setVisible(bool(listed))
        place = next((at for at, fit in enumerate(listed) if fit.key == self.key), 0)
        self.detail.setVisible(bool(listed))
        if listed:
            self.key = listed[place].key
            stands_in = self._stands_in(self.key)
            self._drawn = (*state[:-2], stands_in, self.key)
            with QSignalBlocker(self.table.selectionModel()):
                self.table.selectRow(place)
            fit = listed[place]
            offers = offers_for(fit, of.offers, of.mappings)
            self.detail.show_fit(fit, names[fit.key], usd.get(fit.key), offers)
            self.detail.show_elsewhere(stands_in, self._rows_in(fit, stands_in))
            self.detail.show_spot(self._spot(fit.key))
            self.detail.lay_out()

    def _spot(self, key: str) -> tuple[SpotAdvice, ...]:
        """What spot means for a workload in the plan that is shown."""
        if (shown := self._shown) is None or shown.is_today or shown.outlook is None:
            return ()
        return tuple(one for one in shown.outlook.spot if one.key == key)

    def _stands_in(self, key: str) -> Pool | None:
        """The pool of a card in what is shown."""
        shown = self._shown
        place = None if shown is None else shown.evaluation.figures.basis.index_by_key.get(key)
        # None too where it is divided
        return None if shown is None or place is None else shown.cards[place].pool

    def _rows_in(self, fit: WorkloadFit, pool: Pool | None) -> tuple[FitRow, ...]:
        """What the pool in which a card stands asks of its hardware, where that is not its class."""
        if (shown := self._shown) is None or pool is None or pool is fit.pool:
            return ()
        of = shown.evaluation.project
        workload = next(one for one in of.workloads if one.key == fit.key)
        return rows_in_pool(fit, workload, pool, of.needs.get(fit.key, NOTHING_SET))

    def _choose(self, place: int) -> None:
        if 0 <= place < len(self.listed) and self.listed[place].key != self.key:
            self.key = self.listed[place].key
            self.redraw()


def _summary(counts: dict[Light | None, int], is_working: bool) -> str:
    if is_working:
        return tr("Calculating…")
    words = (
        (Light.RED, tr("do not fit")),
        (Light.AMBER, tr("fit at a cost")),
        (Light.GREEN, tr("fit")),
        (None, tr("unknown")),
    )
    parts = [
        tr("{first} {second}", first=numbers.whole(counts[light]), second=word)
        for light, word in words
        if counts.get(light)
    ]
    return numbers.MIDDOT.join(parts)


def _empty_words(shown: ViewState) -> str:
    if shown.fit is None:
        return ""
    if not shown.evaluation.project.workloads:
        return tr("No jobs yet. Import a job log.")
    return tr("No workload with this fit. Choose another.")
