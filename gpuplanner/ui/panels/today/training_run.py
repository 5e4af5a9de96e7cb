"""Training runs: what the planner states of one, whether it fits, when it is done on how many GPUs, and at which $."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QSlider, QWidget

from gpuplanner.charts.kit.plain_text import sentence, set_tip, spoken, tr
from gpuplanner.domain.figures import titles
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.trained import (
    PRECISIONS,
    RUN_FIELDS,
    Method,
    Recompute,
    RunField,
    Sharding,
    Stack,
    StatedRun,
    TrainedModel,
    run_with,
    short_count,
    typed_number,
    value_in,
)
from gpuplanner.domain.reports.training import CHIPS, NETWORKS, sentences_of
from gpuplanner.domain.training.answer import Answer, knee_of
from gpuplanner.domain.training.choices import Choice
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.fields import ValueField
from gpuplanner.ui.kit.layout import STRETCH, across, add, column, grid, named, row, share
from gpuplanner.ui.kit.theme import Palette, icon, in_use, text_px
from gpuplanner.ui.panels.today import training_rows
from gpuplanner.ui.panels.today.hardware_rows import LIGHTS
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import SeenChart, chart_colours, sheet_of
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.tables.report_table import table_columns, table_rows
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import Lane

if TYPE_CHECKING:
    from gpuplanner.charts.plots.frontier import FinishChart, FinishCurve

Options = tuple[tuple[Text, Any], ...]
OF_FILE: Final = "file"
NEW_RUN: Final = worded("A new run\u2026")
NOTHING_STATED: Final = worded("No training run is stated yet.")
TO_DO: Final = worded(
    "Choose a model and say on how many tokens it is trained: then every GPU model of the price list is tried, with "
    "memory, hours and $."
)
NO_TOKENS: Final = worded("Say on how many tokens it is trained, such as 1T or 300B.")
NO_GPUS: Final = worded("No GPU model that is known. Import prices, or choose one above.")
UNDIVIDED: Final = worded(
    "The layout divides no number of GPUs that is tried: take powers of 2, or state a multiple of TP x PP x CP as GPUs."
)
PLAN_IT: Final = worded("Put the run on so many GPUs into the plan, as work that no log has")
TABLES: Final = (
    worded("The cheapest on each GPU model"),
    worded("What a slower network costs"),
    worded("On the clusters that are there"),
    CHIPS.title,
)
CHART_PX: Final = 170
IN_SIGHT: Final = ("tokens", "deadline_h", "gpus")
"""Numbers that are asked of every run; the others stand under a heading that folds."""
CHOICES: Final[tuple[tuple[str, Message, Options], ...]] = (
    ("sharding", worded("Sharding"), (("FSDP", Sharding.FSDP), ("ZeRO-1", Sharding.ZERO1), ("ZeRO-2", Sharding.ZERO2),
                                      ("HSDP", Sharding.HSDP), (worded("None"), Sharding.NONE))),
    ("recompute", worded("Recomputation"), ((worded("Only if needed"), Recompute.NONE),
                                            (worded("None"), Recompute.NEVER),
                                            (worded("Selective"), Recompute.SELECTIVE),
                                            (worded("Full"), Recompute.FULL))),
    ("precision", worded("Precision"), tuple((one, one) for one in PRECISIONS)),
    ("method", worded("What learns"), ((worded("All of it"), Method.FULL), ("LoRA", Method.LORA),
                                       ("QLoRA", Method.QLORA))),
    ("stack", worded("Software"), ((worded("Tuned"), Stack.TUNED), (worded("Plain"), Stack.PLAIN),
                                   (worded("Untuned"), Stack.UNTUNED))),
    ("is_rdma", worded("Network"), ((worded("RDMA"), True), (worded("Plain TCP"), False))),
)  # fmt: skip
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
        self._catalogue: Callable[[], Iterable[TrainedModel]] = tuple
        self._models: dict[str, TrainedModel] = {}
        self._new: dict[str, Any] = {}  # of a run that lacks its model or its tokens
        self._shown: ViewState | None = None
        self._at, self._is_new = 0, False
        self.answer: Answer | None = None
        self.gpu_model_drawn = ""
        self._curve: tuple[Choice, ...] = ()
        self.chosen: Choice | None = None
        self._chart = SeenChart(_new_chart, self._put, self._sheet)
        self._build_form()
        self._build_answer()
        self._lay_out()
        self.drop.setIcon(icon("minus", "text"))

    # ---- building

    def _build_form(self) -> None:
        self.runs = self._box(worded("Run"), worded("The runs that this project keeps"), self._choose_run)
        self.drop = page_parts.tool_button(
            tr("Drop this run"), tr("Drop this run"), lambda: self.run_dropped.emit(self._at)
        )
        tip = worded("The model that is trained: of the catalogue, or from a config.json")
        self.model = self._box(worded("Model"), tip, self._choose_model)
        tip = worded("One GPU model, or all of the price list")
        self.gpu_model = self._box(worded("GPU model"), tip, partial(self._set, "gpu_model"))
        self.fields: dict[str, ValueField] = {}
        for each in RUN_FIELDS:
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
        self.sign = page_parts.label()
        self.sign.setFixedWidth(20)
        self.sign.setAlignment(Qt.AlignmentFlag.AlignTop)  # beside the first of its lines
        self.use_remedy = page_parts.named_button(
            tr("Lay it out so"), tr("Take the layout that fits"), self._take_remedy, is_link=True
        )
        self.drawn = page_parts.muted_label(
            tr("Hours by number of GPUs, with the band of published runs; dotted: each doubling halves them")
        )
        self.slider = named(QSlider(Qt.Orientation.Horizontal), tr("Number of GPUs"))
        self.slider.setPageStep(1)
        self.slider.valueChanged.connect(self._slide)
        self.plan = page_parts.named_button(tr("Plan it on the board"), does=self._plan)
        self.titles = [page_parts.heading_label(words) for words in TABLES]
        self.tables = [FigureTable(tr(words)) for words in TABLES]
        self.table = self.tables[0]
        self.table.asks_by_click = False
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))

    def _lay_out(self) -> None:
        columns = page_parts.TwoColumns(6)
        columns.setContentsMargins(14, 8, 12, 10)

        def beside(title: Text, editor: QWidget) -> tuple[QWidget, QWidget]:
            return page_parts.label(title, of=editor), editor

        typed = {each.name: beside(each.title, self.fields[each.name]) for each in RUN_FIELDS}
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
        self.fold = page_parts.Fold(worded("Layout, precision, network"))
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

    def set_models(self, catalogue: Callable[[], Iterable[TrainedModel]]) -> None:
        """Where the catalogue is read from, once the view is looked at."""
        self._catalogue = catalogue

    def recolour(self) -> None:
        """Other colours from now on."""
        if self.answer is not None:
            self._draw()

    # ---- what is stated

    @property
    def run(self) -> StatedRun | None:
        """The run that is shown; None for a new one."""
        runs = () if self._shown is None else self._shown.evaluation.project.runs
        return runs[self._at] if self._at < len(runs) else None

    def show_state(self, shown: ViewState) -> None:
        """Show the runs of the project and ask for what comes of the one that is chosen."""
        self._shown, project = shown, shown.evaluation.project
        self._models = self._models or {model.name: model for model in self._catalogue()}
        self._at = min(self._at, max(0, len(project.runs) - (0 if self._is_new else 1)))
        called = tuple((run.called, at) for at, run in enumerate(project.runs))
        _fill(self.runs, (*called, (NEW_RUN, len(project.runs))), self._at)
        run = self.run
        self._show_model()
        for each in RUN_FIELDS:
            value = self._new.get(each.name) if run is None else value_in(run, each.name)
            self.fields[each.name].show_value("" if value is None else _typed(each, value))
        for part in self._of_run:
            part.setVisible(run is not None)
        if run is None:
            self._show_empty()
            return
        names = sorted({offer.gpu_model for offer in project.offers} | {run.gpu_model} - {""})
        _fill(self.gpu_model, ((worded("All"), ""), *((name, name) for name in names)), run.gpu_model)
        for name, _, options in CHOICES:
            _fill(self.choices[name], options, value_in(run, name))
        self.plan.setEnabled(not shown.is_today)
        set_tip(self.plan, tr("Show a plan first: today is the past") if shown.is_today else tr(PLAN_IT))
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

    def take_model(self, run: StatedRun | None, model: TrainedModel) -> None:
        """The model of the run that it was read for, whichever is shown by now; nothing where that is gone."""
        runs = () if self._shown is None else self._shown.evaluation.project.runs
        if run is None:
            self._state_new("model", model)
        elif run in runs:
            self.run_stated.emit(runs.index(run), run_with(run, "model", model))

    def _take(self, of: RunField, text: str) -> None:
        self.error.hide()
        try:
            self._set(of.name, typed_number(of, text))
        except PlannerError as error:
            what, remedy = spoken(error.what), sentence(error.remedy)
            self.error.setText(tr("{title}: {what}. {remedy}.", title=of.title, what=what, remedy=remedy))
            self.error.show()

    def _set(self, name: str, value: Any) -> None:
        """The run with another value; a new one is stated once its model and its tokens are there."""
        if self.run is not None:
            self.run_stated.emit(self._at, run_with(self.run, name, value))
        else:
            self._state_new(name, value)

    def _state_new(self, name: str, value: Any) -> None:
        self._new[name] = value
        if {"model", "tokens"} <= set(self._new) and self._shown is not None:
            stated, self._new, self._is_new = StatedRun(**self._new), {}, False
            self.run_stated.emit(len(self._shown.evaluation.project.runs), stated)
        elif self._shown is not None:
            self.show_state(self._shown)

    def _take_remedy(self) -> None:
        run, choice = self.run, self._looked_at
        if run is not None and choice is not None and choice.remedy is not None:
            would = choice.remedy.run
            for name, value in (("layout", would.layout), ("method", would.method), ("gpus", would.gpus)):
                run = run_with(run, name, value)
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
        self._chart.show(False)

    def _draw(self) -> None:
        """The tables, and the GPU model that was looked at, else the best."""
        answer = self.answer
        if answer is None:
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
        self.note.setText(tr("Not known, left out: {names}.", names=unknown) if unknown else "")
        self.note.setVisible(bool(unknown))
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
        at = (
            sizes.index(wanted.run.gpus)
            if wanted is not None and wanted.run.gpus in sizes
            else len(sizes) - 1
        )
        self.chosen = self._curve[at] if self._curve else None
        self.slider.blockSignals(True)
        self.slider.setRange(0, max(0, len(sizes) - 1))
        self.slider.setValue(max(0, at))
        self.slider.blockSignals(False)
        for part in (self.slider, self.drawn):
            part.setVisible(len(sizes) > 1)
        self._say()
        if len(sizes) > 1:
            self._chart.ready().show_curve(self._told())
        self._chart.show(len(sizes) > 1)

    def _slide(self, at: int) -> None:
        """Another number of GPUs; nothing is worked out anew."""
        if at < len(self._curve):
            self.chosen = self._curve[at]
            self._say()
            if self._chart.plot is not None:
                self._chart.plot.show_chosen(at)

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
        self.money.setVisible(choice is not None and choice.fit.light is not Light.RED)
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
        self.sign.setPixmap(icon(name, in_use().colour(role).name()).pixmap(16, 16))
        self.sign.setAccessibleName(spoken(word))
        said = [training_rows.memory_words(choice), training_rows.trains_words(choice)]
        if self.answer is not None and choice.fit.light is not Light.RED:
            said += [spoken(words) for words in sentences_of(choice, self.answer.asked)]
        self.memory.setText("\n".join(filter(None, said)))
        self.remedy.setText(remedy)

    def _plan(self) -> None:
        if self.run is not None and self.chosen is not None and self.chosen.fit.light is not Light.RED:
            self.work_chosen.emit(self.run, self.chosen)

    # ---- the chart

    def _told(self) -> "FinishCurve":
        from gpuplanner.charts.plots.frontier import FinishCurve, FinishPoint

        points = tuple(
            FinishPoint(one.run.gpus, finish.hours, finish.hours_low, finish.hours_high, one.usd)
            for one in self._curve
            if (finish := one.finish) is not None
        )
        knee, chosen = (
            None if one is None else self._curve.index(one) for one in (knee_of(self._curve), self.chosen)
        )
        deadline_h = None if self.run is None else self.run.deadline_h
        colour = in_use().lane(Lane.TRAINING).name()
        return FinishCurve(self.gpu_model_drawn, points, knee, chosen, deadline_h, colour)

    def _put(self, chart: "FinishChart") -> None:
        chart.setFixedHeight(CHART_PX)
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
        title = tr("Hours to train, by number of GPUs: {called}", called=self.run.called if self.run else "")
        return sheet_of(title, tr("Hours"), source_words(shown), make, columns, rows)


def _fill(box: QComboBox, options: Options, chosen: Any) -> None:
    """Other options where they are others, and the one that holds."""
    held = [(box.itemText(at), box.itemData(at)) for at in range(box.count())]
    if held != [(spoken(words), value) for words, value in options]:
        box.clear()
        for words, value in options:
            box.addItem(spoken(words), value)
    box.setCurrentIndex(max(0, next((at for at, one in enumerate(options) if one[1] == chosen), 0)))


def _typed(of: RunField, value: Any) -> str:
    """A number as it is typed: tokens by their scale."""
    return short_count(value) if of.name == "tokens" else numbers.significant(value, 6)


def _new_chart(palette: Palette) -> "FinishChart":
    from gpuplanner.charts.plots.frontier import FinishChart

    return FinishChart(chart_colours(palette), training_rows.short_hours, numbers.dollars)
