"""Dialog: planned work, which no log has."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.book.contract import Contract, only_cluster_of
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan.planned_work import MOST_GPUS, PlannedWork
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOURS_OF_WEEK, HOURS_PER_MONTH
from gpuplanner.files.lists.planned_work import hours_of, hours_text
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.ui.kit import dialogs, small_dialogs
from gpuplanner.ui.kit.day_field import DayField, WholeField
from gpuplanner.ui.kit.fields import PlainNumber
from gpuplanner.ui.kit.layout import STRETCH, named, placed, row
from gpuplanner.ui.kit.page_parts import choice_of, label
from gpuplanner.ui.plans.stop_effect import stop_values
from gpuplanner.ui.words import lanes, numbers, window_words

PRESETS: Final = ("always", "mon-fri 08-20", "mon-fri 09-17", "sat,sun 00-24")
"""Hours that are often meant, as `--planned` writes them."""
MOST_HOURS: Final = 10 * 365 * 24
BACK: Final = worded("Back to the model")
PLAN_IT: Final = worded("Plan it")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedChoices:
    """What the project has to choose from; begins_s: the plan's first day, epoch seconds.

    usual: of each pool the GPU model that most of its work runs on; contracts: whose only cluster of a model is
    proposed with it.
    """

    gpu_models: Sequence[str]
    clusters: Sequence[str]
    teams: Sequence[str]
    begins_s: int
    usual: Mapping[Pool, str] = field(default_factory=dict)
    contracts: Sequence[Contract] = ()


class PlannedDialog(dialogs.AnsweringDialog):
    """Told the work as it is (None: more of it), why work cannot be planned and what it costs; emits what is wanted."""

    work_chosen = QtCore.Signal(object)  # PlannedWork
    tried = QtCore.Signal(object)  # the same, as it is filled in: its cost is shown before it is added

    def __init__(
        self,
        work: PlannedWork | None,
        choices: PlannedChoices,
        refusal: Callable[[PlannedWork], str],
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._refusal, self._begins_s = refusal, choices.begins_s
        self._known_models = {*choices.gpu_models, *(() if work is None else (work.gpu_model,))}
        title, under = dialogs.title_and_note(
            dialogs.titled(self, tr("Add planned work") if work is None else tr("Change planned work"), 520),
            tr(long_text("planned_work")),
        )
        self._make_fields(choices)
        self.note, self.cost = dialogs.note_label(2), label(step="strong")
        self.do = dialogs.primary_button(tr("Add") if work is None else tr("Change"), self._go_on)
        last = dialogs.foot(dialogs.cancel_button(self), self.do)
        dialogs.dialog_column(self, title, under, 4, self._form(), 4, self.note, self.cost, 8, last)
        self._show_work(work, choices)
        if work is None:
            models, usual = self.gpu_model, choices.usual.get
            where = partial(only_cluster_of, choices.contracts)
            self.pool.currentIndexChanged.connect(
                lambda at: models.setEditText(usual(POOLS[at], models.currentText()))
            )
            models.currentTextChanged.connect(lambda model: self.cluster.setEditText(where(model)))
        self._connect()
        self._check()
        self.name.setFocus()
        self.name.selectAll()

    def _make_fields(self, choices: PlannedChoices) -> None:
        """Makes every field, with its name and its tip."""
        self.name = named(QtWidgets.QLineEdit(), tr("Name"), tr("Key: cluster/team/name"))
        pools = ((lanes.lane_of(pool).title, None) for pool in POOLS)
        self.pool = choice_of(tr("Pool"), tr("Movable later, as any card"), pools)
        self.gpu_model = _editable(tr("GPU model"), tr("One of the project, or another"), choices.gpu_models)
        self.gpus = PlainNumber(decimals=3, minimum=0, maximum=MOST_GPUS, singleStep=8)
        named(self.gpus, tr("GPUs"), tr("While it runs"))
        in_hours, for_a_time = tr("In hours of the week"), tr("For a time")
        self.in_hours = named(QtWidgets.QRadioButton(in_hours), in_hours, tr("Repeats every week, in UTC"))
        self.of_length = named(
            QtWidgets.QRadioButton(for_a_time), for_a_time, tr("Hours from its start to its end")
        )
        self._ways = QtWidgets.QButtonGroup(self)
        for way in (self.in_hours, self.of_length):
            self._ways.addButton(way)
        self.hours = _editable(
            tr("Hours of the week"), tr("always, mon-fri 08-20, sat,sun 00-24: in UTC"), PRESETS
        )
        self.length = QtWidgets.QSpinBox(minimum=1, maximum=MOST_HOURS, suffix=f" {tr('hours')}")
        self.length.setGroupSeparatorShown(True)
        named(self.length, tr("Length in hours"), tr("Length from its start"))
        self.has_latest = named(
            QtWidgets.QCheckBox(tr("done by")), tr("Has a deadline"), tr("A check warns if it is late")
        )
        self.latest = DayField(tr("Deadline"), tr("Until the end of this day, UTC"), 0)
        tip = tr("Repeats after these hours, until its end")
        self.comes_back = named(QtWidgets.QCheckBox(tr("again every")), tr("Repeats"), tip)
        self.every = QtWidgets.QSpinBox(minimum=1, maximum=MOST_HOURS, suffix=f" {tr('hours')}")
        self.every.setGroupSeparatorShown(True)
        named(
            self.every, tr("Hours from start to start"), tr("168 hours = one week; no shorter than the run")
        )
        self.has_begin = named(
            QtWidgets.QCheckBox(tr("On a day")), tr("Starts on a day"), tr("Otherwise at the plan's start")
        )
        self.begins = DayField(tr("First day"), tr("First day, UTC"), 0)
        self.has_end = named(
            QtWidgets.QCheckBox(tr("On a day")), tr("Ends on a day"), tr("Otherwise permanent")
        )
        self.ends = DayField(tr("Last day"), tr("Last day, UTC"), 0)
        whose = tr("Cluster whose contracts may serve it, or none")
        self.cluster = _editable(tr("Cluster"), whose, ("", *choices.clusters))
        self.team = _editable(tr("Team"), tr("Optional"), ("", *choices.teams))
        self.cluster.setMinimumWidth(184)
        self.team.setMinimumWidth(184)

    def _form(self) -> QtWidgets.QFormLayout:
        """The fields, each with what it is before it."""
        form = QtWidgets.QFormLayout(horizontalSpacing=12, verticalSpacing=8)
        form.addRow(tr("Name"), self.name)
        form.addRow(tr("Pool"), _beside(self.pool))
        form.addRow(tr("GPUs"), _beside(self.gpus, self.gpu_model))
        form.addRow(tr("Runs"), _beside(self.in_hours, self.hours))
        form.addRow("", _beside(self.of_length, self.length, self.comes_back, self.every))
        form.addRow("", _beside(self.has_latest, self.latest))
        form.addRow(tr("Begins"), _beside(self.has_begin, self.begins))
        form.addRow(tr("Ends"), _beside(self.has_end, self.ends))
        form.addRow(tr("Cluster"), _beside(self.cluster))
        form.addRow(tr("Team"), _beside(self.team))
        return form

    def _show_work(self, work: PlannedWork | None, choices: PlannedChoices) -> None:
        """Shows planned work to be changed, or what new work is likely to be.

        Last days are shown, not the hours after them.
        """
        begins_s = choices.begins_s
        model = choices.usual.get(POOLS[0], next(iter(choices.gpu_models), ""))
        cluster = only_cluster_of(choices.contracts, model)
        shown = work or PlannedWork(name="", pool=POOLS[0], gpu_model=model, gpus=8.0, cluster=cluster)
        self.name.setText(shown.name)
        self.pool.setCurrentIndex(POOLS.index(shown.pool))
        self.gpu_model.setEditText(shown.gpu_model)
        self.gpus.setValue(shown.gpus)
        (self.in_hours if shown.length_hours is None else self.of_length).setChecked(True)
        self._hours = shown.hours
        self._hours_text = hours_text(shown.hours) or tr("other hours")
        self.hours.setEditText(self._hours_text)
        self.length.setValue(shown.length_hours or 24 * 30)
        self.comes_back.setChecked(shown.every_hours is not None)
        self.every.setValue(shown.every_hours or max(HOURS_OF_WEEK, shown.length_hours or 0))
        self.has_latest.setChecked(shown.latest_finish_s is not None)
        self.latest.show_day((shown.latest_finish_s or begins_s + 90 * DAY_S) - 1)
        self.has_begin.setChecked(shown.begins_s is not None)
        self.begins.show_day(shown.begins_s or begins_s)
        self.has_end.setChecked(shown.ends_s is not None)
        self.ends.show_day((shown.ends_s or begins_s + 90 * DAY_S) - 1)
        self.cluster.setEditText(shown.cluster)
        self.team.setEditText(shown.team)
        self._moments = {  # a moment inside a day stays what it was while the day is the same
            (self.begins, self.begins.day_s): shown.begins_s,
            (self.ends, self.ends.day_s): shown.ends_s,
            (self.latest, self.latest.day_s): shown.latest_finish_s,
        }

    def _connect(self) -> None:
        """Checks anew after every change."""
        boxes = self.pool, self.gpu_model, self.hours, self.cluster, self.team
        ticks = self.in_hours, self.of_length, self.has_latest, self.comes_back, self.has_begin, self.has_end
        for changed in (
            self.name.textChanged,
            *(box.currentTextChanged for box in boxes),
            *(tick.toggled for tick in ticks),
            *(one.valueChanged for one in (self.gpus, self.length, self.every)),
            *(day.changed for day in (self.latest, self.begins, self.ends)),
        ):
            changed.connect(self._check)

    def work(self) -> PlannedWork:
        """What is chosen. Errors: PlannerError for hours of the week that are none."""
        has_length = self.of_length.isChecked()
        comes_back = has_length and self.comes_back.isChecked()
        text = self.hours.currentText()
        hours = self._hours if has_length or text == self._hours_text else hours_of(text)
        return PlannedWork(
            name=" ".join(self.name.text().split()),
            pool=POOLS[self.pool.currentIndex()],
            gpu_model=self.gpu_model.currentText().strip(),
            gpus=self.gpus.value(),
            cluster=self.cluster.currentText().strip(),
            team=self.team.currentText().strip(),
            begins_s=self._moment(self.begins, self.begins.day_s) if self.has_begin.isChecked() else None,
            ends_s=self._last(self.ends)
            if self.has_end.isChecked() and (comes_back or not has_length)
            else None,
            hours=hours_of("always") if has_length else hours,
            length_hours=self.length.value() if has_length else None,
            latest_finish_s=self._last(self.latest)
            if self.has_latest.isChecked() and has_length and not comes_back
            else None,
            every_hours=self.every.value() if comes_back else None,
        )

    def _last(self, day: DayField) -> int:
        """The end of a field's day, which the work has in full."""
        return self._moment(day, day.day_s + DAY_S)

    def _moment(self, day: DayField, moment_s: int) -> int:
        """The moment that the work had on this day, to the hour, as long as the day is left as it is."""
        known = self._moments.get((day, day.day_s))
        return moment_s if known is None else known

    def _check(self) -> None:
        """What may be filled in now, and why what is chosen cannot be planned."""
        has_length = self.of_length.isChecked()
        comes_back = has_length and self.comes_back.isChecked()
        is_once, may_end = has_length and not comes_back, comes_back or not has_length
        for widget, is_on in (
            (self.hours, not has_length),
            (self.length, has_length),
            (self.comes_back, has_length),
            (self.every, comes_back),
            (self.has_latest, is_once),
            (self.latest, is_once and self.has_latest.isChecked()),
            (self.begins, self.has_begin.isChecked()),
            (self.has_end, may_end),
            (self.ends, may_end and self.has_end.isChecked()),
        ):
            widget.setEnabled(is_on)
        days = (self.begins, self.ends, self.latest)
        unread = next((day.refusal for day in days if day.isEnabled() and day.refusal), "")
        try:
            work = self.work()
            why = unread or self._refusal(work)
        except PlannerError as fault:
            why = unread or window_words.refusal_words(fault)
        first = "" if bool(unread or self.name.text().strip()) else tr("Enter a name.")
        words = "" if why else _sum_words(work)
        dialogs.tell_whether(self.note, self.do, why, words, tr("One undo step (Enter)"), first=first)
        self.show_unknown("" if why or first else tr("Calculating…"))
        if not (why or first):
            self.tried.emit(work)

    @property
    def effect(self) -> "PlannedDialog":
        """What is told what the work would cost."""
        return self

    def show_plans(self, before: Advice, after: Advice) -> None:
        """What the work adds to the plan."""
        usd = stop_values(before, after)["stop_saves_in_year"]
        if self.do.isEnabled():
            self.show_unknown(
                tr("Cost unknown: a rate is missing.")
                if usd is None
                else tr("Adds {usd} in 12 months.", usd=numbers.dollars(-usd))
            )

    def show_unknown(self, why: str) -> None:
        """Words in place of its cost."""
        self.cost.setText(why)

    def _go_on(self) -> None:
        """Closes, then says which work is planned; a GPU model that is new here is asked about first."""
        work = self.work()
        model, known = work.gpu_model, self._known_models
        new = tr("{model} is a new GPU model", model=model)
        why = tr(long_text("model_without_price", model=model))
        if known and model not in known and small_dialogs.ask(self, new, why, (BACK, PLAN_IT)) != PLAN_IT:
            self.gpu_model.setFocus()
            return
        self.accept()
        self.work_chosen.emit(work)


def _sum_words(work: PlannedWork) -> str:
    """How much of the GPUs it would take in a month."""
    if work.length_hours is not None:
        hours = work.gpus * work.length_hours
        if work.every_hours is not None:
            return tr(
                "{hours} GPU-h each time, on average {mean} per month.",
                hours=numbers.whole(hours),
                mean=numbers.whole(hours * HOURS_PER_MONTH / work.every_hours),
            )
        return tr("{hours} GPU-h in all.", hours=numbers.whole(hours))
    share = len(work.hours) / HOURS_OF_WEEK
    monthly, gpus = numbers.whole(HOURS_PER_MONTH * work.gpus * share), numbers.gpus(work.gpus * share)
    return tr("{hours} GPU-h per month while it runs, {gpus} GPUs on average.", hours=monthly, gpus=gpus)


def _editable(name: str, tip: str, choices: Sequence[str]) -> QtWidgets.QComboBox:
    """A box of choices in which anything else may be typed."""
    field = choice_of(name, tip, ((choice, None) for choice in choices))
    field.setEditable(True)
    field.setLineEdit(WholeField())
    field.setInsertPolicy(QtWidgets.QComboBox.InsertPolicy.NoInsert)
    field.setMinimumWidth(150)
    return field


def _beside(*fields: QtWidgets.QWidget) -> QtWidgets.QHBoxLayout:
    """Fields side by side at the left."""
    middle = QtCore.Qt.AlignmentFlag.AlignVCenter
    return row(*(placed(field, middle) for field in fields), STRETCH, spacing=8)
