"""Training runs: what the planner states of one, whether it fits, when it is done on how many GPUs, and at which $."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QComboBox, QSlider, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.domain.fit.rules import Light
from gpuplanner.domain.message import Message, Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.project import Project
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
from gpuplanner.domain.training.answer import Answer, knee_of
from gpuplanner.domain.training.choices import Choice, note_of
from gpuplanner.ui.kit import page_parts
from gpuplanner.ui.kit.fields import ValueField
from gpuplanner.ui.kit.layout import STRETCH, across, add, column, grid, named, row, share
from gpuplanner.ui.kit.theme import Palette, icon
from gpuplanner.ui.panels.today import training_rows
from gpuplanner.ui.panels.today.hardware_rows import LIGHTS
from gpuplanner.ui.state.view_state import ViewState, source_words
from gpuplanner.ui.tables.chart_menu import SeenChart, chart_colours, sheet_of
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import Lane
from gpuplanner.ui.words.translation import sentence, spoken, tr

if TYPE_CHECKING:
    from gpuplanner.charts.plots.finishing import FinishChart, FinishCurve

NO_MODEL: Final = worded("Choose a model")
FROM_FILE: Final = worded("From a file\u2026")
NEW_RUN: Final = worded("A new run\u2026")
EVERY_MODEL: Final = worded("All")
NOTHING_STATED: Final = worded("No training run is stated yet.")
TO_DO: Final = worded(
    "Choose a model and say on how many tokens it is trained: then every GPU model of the price list is tried, with "
    "memory, hours and $."
)
NO_TOKENS: Final = worded("Say on how many tokens it is trained, such as 1T or 300B.")
PLAN_IT: Final = worded("Put the run on so many GPUs into the plan, as work that no log has")
CHART_PX: Final = 170
IN_SIGHT: Final = ("tokens", "deadline_h")
"""Fields that are asked of every run; the others stand under a heading that folds."""
CHOICES: Final[tuple[tuple[str, Message, tuple[tuple[Text, Any], ...]], ...]] = (
    (
        "sharding",
        worded("Sharding"),
        (("FSDP", Sharding.FSDP), ("ZeRO-1", Sharding.ZERO1), ("ZeRO-2", Sharding.ZERO2), ("HSDP", Sharding.HSDP),
         (worded("None"), Sharding.NONE)),
    ),
    (
        "recompute",
        worded("Recomputation"),
        ((worded("Only if needed"), Recompute.NONE), (worded("Selective"), Recompute.SELECTIVE),
         (worded("Full"), Recompute.FULL)),
    ),
    ("precision", worded("Precision"), tuple((one, one) for one in PRECISIONS)),
    (
        "method",
        worded("What learns"),
        ((worded("All of it"), Method.FULL), ("LoRA", Method.LORA), ("QLoRA", Method.QLORA)),
    ),
    (
        "stack",
        worded("Software"),
        ((worded("Tuned"), Stack.TUNED), (worded("Plain"), Stack.PLAIN), (worded("Untuned"), Stack.UNTUNED)),
    ),
    ("is_rdma", worded("Network"), ((worded("RDMA"), True), (worded("Plain TCP"), False))),
)  # fmt: skip
"""What is chosen of a run: its name, its title, and the words of each value."""


class TrainingRunView(QWidget):
    """Told the project and what came of a run; emits what was stated, asked and chosen."""

    run_stated = Signal(int, object)  # place among the runs, StatedRun
    run_dropped = Signal(int)
    answer_asked = Signal(object)  # StatedRun
    file_asked = Signal()
    work_chosen = Signal(object, object)  # StatedRun, Choice

    def __init__(self, palette: Palette) -> None:
        super().__init__()
        self.setObjectName("panel")
        self._palette = palette
        self._models: tuple[TrainedModel, ...] = ()
        self._catalogue: Callable[[], Iterable[TrainedModel]] = tuple
        self._model: TrainedModel | None = None  # of a run that lacks its tokens
        self._tokens: float | None = None  # of one that lacks its model
        self._shown: ViewState | None = None
        self._at, self.answer = 0, None  # type: tuple[int, Answer | None]
        self._gpu_model, self._curve, self.chosen = "", (), None  # type: tuple[str, tuple[Choice, ...], Choice | None]
        self._chart = SeenChart(_new_chart, self._put, self._sheet)
        self._build_form()
        self._build_answer()
        self._lay_out()
        self.recolour(palette)

    # ---- building

    def _build_form(self) -> None:
        self.runs = _box(tr("Run"), tr("The runs that this project keeps"))
        self.runs.activated.connect(self._choose_run)
        self.drop = page_parts.tool_button(
            tr("Drop this run"), tr("Drop this run"), lambda: self.run_dropped.emit(self._at)
        )
        self.model = _box(
            tr("Model"), tr("The model that is trained: of the catalogue, or from a config.json")
        )
        self.model.activated.connect(self._choose_model)
        self.gpu_model = _box(tr("GPU model"), tr("One GPU model, or all of the price list"))
        self.gpu_model.activated.connect(lambda _: self._set("gpu_model", self.gpu_model.currentData()))
        self.fields = {each.name: self._field(each) for each in RUN_FIELDS}
        self.choices: dict[str, QComboBox] = {}
        for name, title, options in CHOICES:
            box = self.choices[name] = _box(title, title)
            for words, value in options:
                box.addItem(spoken(words), value)
            box.activated.connect(lambda _, name=name, box=box: self._set(name, box.currentData()))
        self.error = page_parts.label(role="red", step="small", is_wrapped=True)
        self.error.hide()

    def _field(self, of: RunField) -> ValueField:
        field = named(ValueField(), of.title, of.tip)
        field.setMinimumWidth(56)
        field.entered.connect(lambda text: self._take(of, text))
        return field

    def _build_answer(self) -> None:
        self.headline = page_parts.label(step="title", is_wrapped=True)
        self.money = page_parts.muted_label()
        self.sign, self.memory = page_parts.label(), page_parts.muted_label()
        self.sign.setFixedWidth(20)
        self.remedy = page_parts.muted_label()
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
        self.table, self.networks, self.clusters = (
            FigureTable(tr(name), self._palette)
            for name in ("Cheapest on each GPU model", "What the network costs", "On the clusters there are")
        )
        self.table.asks_by_click = False
        self.table.selectionModel().currentRowChanged.connect(lambda now, _: self._follow(now.row()))
        self.titles = [
            page_parts.heading_label(words)
            for words in (
                tr("The cheapest on each GPU model"),
                tr("What a slower network costs"),
                tr("On the clusters that are there"),
            )
        ]
        self.note = page_parts.muted_label()

    def _lay_out(self) -> None:
        columns = page_parts.TwoColumns(6)
        area = page_parts.scrolled(columns, tr("Training run"))
        columns.setContentsMargins(14, 8, 12, 10)

        def asked(name: str) -> tuple[QWidget, QWidget]:
            of = next(each for each in RUN_FIELDS if each.name == name)
            return page_parts.label(of.title, of=self.fields[name]), self.fields[name]

        def chosen(at: int) -> tuple[QWidget, QWidget]:
            name, title, _ = CHOICES[at]
            return page_parts.label(title, of=self.choices[name]), self.choices[name]

        form = grid(
            (
                page_parts.label(tr("Run"), of=self.runs),
                across(row(share(self.runs), self.drop, spacing=4), 3),
            ),
            (page_parts.label(tr("Model"), of=self.model), across(self.model, 3)),
            (*asked("tokens"), *(deadline := asked("deadline_h"))),
            (
                priced := page_parts.label(tr("GPU model"), of=self.gpu_model),
                self.gpu_model,
                *(gpus := asked("gpus")),
            ),
            spacing=(8, 6),
            shares=(0, 1, 0, 1),
        )
        self.fold = page_parts.Fold(worded("Layout, precision, network"), self._palette)
        more = [each.name for each in RUN_FIELDS if each.name not in (*IN_SIGHT, "gpus")]
        typed = [asked(name) for name in more]
        add(
            self.fold.rows,
            grid(
                *(
                    (*left, *right)
                    for left, right in zip(map(chosen, range(len(CHOICES))), typed, strict=True)
                ),
                spacing=(8, 6),
                shares=(0, 1, 0, 1),
            ),
        )
        self._of_run = (*deadline, priced, self.gpu_model, *gpus, self.fold, self.drop)
        self._of_answer = (
            self.money, self.sign, self.memory, self.remedy, self.use_remedy, self.drawn, self.slider, self.plan,
            self.note, *self.titles,
        )  # fmt: skip
        self._body = add(
            columns.first,
            form,
            self.fold,
            self.error,
            4,
            self.headline,
            self.money,
            row(self.sign, share(self.memory), spacing=4),
            row(share(self.remedy), self.use_remedy, spacing=6),
            self.drawn,
            row(share(self.slider), self.plan, spacing=10),
            STRETCH,
        )
        tables = (self.table, self.networks, self.clusters)
        parts = (part for pair in zip(self.titles, tables, strict=True) for part in pair)
        add(columns.second, *parts, self.note, STRETCH)
        column(share(area), on=self)

    def set_models(self, catalogue: Callable[[], Iterable[TrainedModel]]) -> None:
        """Where the catalogue is read from, once the view is looked at."""
        self._catalogue = catalogue

    def recolour(self, palette: Palette) -> None:
        """Other colours from now on."""
        self._palette = palette
        self._chart.drop()
        self.fold.show_palette(palette)
        self.drop.setIcon(icon("minus", palette.text))
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
        self._models = self._models or tuple(self._catalogue())
        self._shown = shown
        project = shown.evaluation.project
        self._at = min(self._at, max(0, len(project.runs) - (0 if self._is_new else 1)))
        self._show_runs(project)
        run = self.run
        self._show_model(run.model if run is not None else self._model)
        tokens = run.tokens if run is not None else self._tokens
        for each in RUN_FIELDS:
            value = tokens if each.name == "tokens" else None if run is None else value_in(run, each.name)
            self.fields[each.name].show_value("" if value is None else _typed(each, value))
        for part in self._of_run:
            part.setVisible(run is not None)
        if run is None:
            self._show_empty()
            return
        self._show_gpu_models(project, run)
        for name, box in self.choices.items():
            box.setCurrentIndex(max(0, box.findData(value_in(run, name))))
        self.plan.setEnabled(not shown.is_today)
        set_tip(self.plan, tr("Show a plan first: today is the past") if shown.is_today else tr(PLAN_IT))
        self.answer_asked.emit(run)

    @property
    def _is_new(self) -> bool:
        return self.runs.currentText() == spoken(NEW_RUN)

    def _show_runs(self, project: Project) -> None:
        words = [*(run.called for run in project.runs), spoken(NEW_RUN)]
        if [self.runs.itemText(at) for at in range(self.runs.count())] != words:
            self.runs.clear()
            self.runs.addItems(words)
        self.runs.setCurrentIndex(self._at)

    def _show_model(self, model: TrainedModel | None) -> None:
        own = [] if model is None or model in self._models else [model.name]
        words = [spoken(NO_MODEL), *own, *(one.name for one in self._models), spoken(FROM_FILE)]
        if [self.model.itemText(at) for at in range(self.model.count())] != words:
            self.model.clear()
            self.model.addItems(words)
        self.model.setCurrentIndex(0 if model is None else self.model.findText(model.name))

    def _show_gpu_models(self, project: Project, run: StatedRun) -> None:
        names = sorted({offer.gpu_model for offer in project.offers} | {run.gpu_model} - {""})
        if [self.gpu_model.itemData(at) for at in range(self.gpu_model.count())] != ["", *names]:
            self.gpu_model.clear()
            for words, name in ((spoken(EVERY_MODEL), ""), *((name, name) for name in names)):
                self.gpu_model.addItem(words, name)
        self.gpu_model.setCurrentIndex(self.gpu_model.findData(run.gpu_model))

    def _choose_run(self, at: int) -> None:
        self._at, self._gpu_model, self.chosen = at, "", None
        if self._shown is not None:
            self.show_state(self._shown)

    def _choose_model(self, at: int) -> None:
        text = self.model.itemText(at)
        if text == spoken(FROM_FILE):
            self._show_model(self.run.model if self.run is not None else self._model)
            self.file_asked.emit()
            return
        found = next((model for model in self._models if model.name == text), None)
        if found is not None:
            self.take_model(found)

    def take_model(self, model: TrainedModel) -> None:
        """The model that is trained: of the run that is shown, or of a new one once its tokens are known."""
        self._model = model
        self._set("model", model)

    def _take(self, of: RunField, text: str) -> None:
        self.error.hide()
        try:
            value = typed_number(of, text)
        except PlannerError as error:
            self.error.setText(
                tr(
                    "{title}: {what}. {remedy}.",
                    title=of.title,
                    what=spoken(error.what),
                    remedy=sentence(error.remedy),
                )
            )
            self.error.show()
            return
        if of.name == "tokens":
            self._tokens = value
        self._set(of.name, value)

    def _set(self, name: str, value: Any) -> None:
        """The run with another value; a new one is stated once its model and its tokens are there."""
        run = self.run
        if run is not None:
            self.run_stated.emit(self._at, run_with(run, name, value))
        elif self._model is not None and self._tokens is not None:
            stated = StatedRun(self._model, self._tokens)
            self._model = self._tokens = None
            self.run_stated.emit(self._at, stated)
        elif self._shown is not None:
            self.show_state(self._shown)

    def _take_remedy(self) -> None:
        run, choice = self.run, self._drawn_choice
        if run is not None and choice is not None and choice.remedy is not None:
            would = choice.remedy.run
            for name, value in (("layout", would.layout), ("method", would.method), ("gpus", would.gpus)):
                run = run_with(run, name, value)
            self.run_stated.emit(self._at, run)

    # ---- what came of it

    def show_answer(self, answer: Answer) -> None:
        """Show what came of a run, unless another is shown by now."""
        if answer.stated == self.run:
            self.answer = answer
            self._draw()

    def _show_empty(self) -> None:
        """What is missing, and what to do."""
        self.answer = self.chosen = None
        self.headline.setText(tr(NOTHING_STATED))
        self.money.setText(tr(TO_DO if self._model is None else NO_TOKENS))
        for part in (*self._of_answer, self.table, self.networks, self.clusters):
            part.setVisible(part is self.money)
        self._chart.show(False)

    def _draw(self) -> None:
        """The tables, and the GPU model that was looked at, else the best."""
        answer = self.answer
        if answer is None:
            return
        for part in self._of_answer:
            part.show()
        rows = answer.best_of_each
        names = [one.run.chip.name for one in rows]
        if self._gpu_model not in names:
            self._gpu_model = names[0] if names else ""
        tables = (
            (self.table, training_rows.CHOICE_COLUMNS, training_rows.choice_rows(rows)),
            (self.networks, training_rows.NETWORK_COLUMNS, training_rows.network_rows(answer)),
            (self.clusters, training_rows.CLUSTER_COLUMNS, training_rows.cluster_rows(answer.clusters)),
        )
        for title, (table, columns, filled) in zip(self.titles, tables, strict=True):
            table.selectionModel().blockSignals(True)
            table.show_all(columns, filled)
            title.setVisible(bool(filled))
        if self._gpu_model:
            self.table.selectRow(names.index(self._gpu_model))
        self.table.selectionModel().blockSignals(False)
        left = tr("Not known, left out: {names}.", names=", ".join(answer.unknown)) if answer.unknown else ""
        self.note.setText(left)
        self.note.setVisible(bool(left))
        self._draw_model()

    def _follow(self, at: int) -> None:
        """The keyboard or the mouse moved to another GPU model."""
        if 0 <= at < self.table.model().rowCount() and self.table.row_at(at).key != self._gpu_model:
            self._gpu_model, self.chosen = self.table.row_at(at).key, None
            self._draw_model()

    def _draw_model(self) -> None:
        """The curve of the GPU model, with the number of GPUs that was chosen before, else the cheapest."""
        answer = self.answer
        if answer is None:
            return
        self._curve = answer.curve(self._gpu_model)
        best = next((one for one in answer.best_of_each if one.run.chip.name == self._gpu_model), None)
        wanted = self.chosen or best
        sizes = [one.run.gpus for one in self._curve]
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
        has_several = len(sizes) > 1
        self.slider.setVisible(has_several)
        self.drawn.setVisible(has_several)
        self._say(self.chosen or best)
        if has_several:
            self._chart.ready(self._palette).show_curve(self._told())
        self._chart.show(has_several)

    def _slide(self, at: int) -> None:
        """Another number of GPUs; nothing is worked out anew."""
        if at < len(self._curve):
            self.chosen = self._curve[at]
            self._say(self.chosen)
            if self._chart.plot is not None:
                self._chart.plot.show_chosen(at)

    @property
    def _drawn_choice(self) -> Choice | None:
        best = () if self.answer is None else self.answer.best_of_each
        return self.chosen or next((one for one in best if one.run.chip.name == self._gpu_model), None)

    def _say(self, choice: Choice | None) -> None:
        """Hours and $ first, then the memory with its light."""
        self.plan.setVisible(self.chosen is not None)
        if choice is None:
            self.headline.setText(tr("No GPU model that is known. Import prices, or choose one above."))
            for part in (self.money, self.sign, self.memory, self.remedy, self.use_remedy):
                part.hide()
            return
        self.headline.setText(training_rows.headline_words(choice))
        self.money.setText(training_rows.money_words(choice))
        self.money.setVisible(bool(self.money.text()))
        name, role, word = LIGHTS[choice.fit.light]
        self.sign.setPixmap(icon(name, self._palette.colour(role).name()).pixmap(16, 16))
        self.sign.setAccessibleName(spoken(word))
        note = sentence(note_of(choice)) if note_of(choice) else ""
        self.memory.setText("\n".join(filter(None, (training_rows.memory_words(choice.fit), note))))
        remedy = training_rows.remedy_words(choice.remedy)
        self.remedy.setText(remedy)
        self.remedy.setVisible(bool(remedy))
        self.use_remedy.setVisible(bool(remedy))

    def _plan(self) -> None:
        if self.run is not None and self.chosen is not None and self.chosen.fit.light is not Light.RED:
            self.work_chosen.emit(self.run, self.chosen)

    # ---- the chart

    def _told(self) -> "FinishCurve":
        from gpuplanner.charts.plots.finishing import FinishCurve, FinishPoint

        points = tuple(
            FinishPoint(one.run.gpus, finish.hours, finish.hours_low, finish.hours_high, one.usd)
            for one in self._curve
            if (finish := one.finish) is not None
        )
        knee, chosen = knee_of(self._curve), self.chosen
        return FinishCurve(
            self._gpu_model,
            points,
            None if knee is None else self._curve.index(knee),
            None if chosen is None else self._curve.index(chosen),
            None if self.answer is None else self.answer.stated.deadline_h,
            self._palette.lane(Lane.TRAINING).name(),
        )

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
            return [
                (numbers.whole(one.gpus), *map(numbers.one_decimal, (one.hours, one.low, one.high)),
                 numbers.dollars(one.usd))
                for one in curve.points
            ]  # fmt: skip

        columns = (tr("GPUs"), tr("Hours"), tr("P10"), tr("P90"), tr("Cost"))
        title = tr("Hours to train, by number of GPUs: {called}", called=self.run.called if self.run else "")
        return sheet_of(title, tr("Hours"), source_words(shown), make, columns, rows)


def _typed(of: RunField, value: Any) -> str:
    """A number as it is typed: tokens by their scale."""
    return short_count(value) if of.name == "tokens" else numbers.significant(value, 6)


def _box(name: Text, tip: Text) -> QComboBox:
    """A box as narrow as its panel."""
    choice = page_parts.choice_of(name, tip, ())
    choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    choice.setMinimumContentsLength(6)
    return choice


def _new_chart(palette: Palette) -> "FinishChart":
    from gpuplanner.charts.plots.finishing import FinishChart

    return FinishChart(chart_colours(palette), training_rows.short_hours, numbers.dollars)
