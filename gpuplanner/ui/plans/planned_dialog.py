"""Asks for demand that no log has: planned work, and steps of demand."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QRadioButton,
    QSpinBox,
    QToolButton,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import set_tip, tr
from gpuplanner.domain.edits.dates import ALL
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import MOST_GPUS, MOST_TIMES, PlannedWork
from gpuplanner.domain.model.tables import POOLS
from gpuplanner.domain.model.window import DAY_S, HOURS_OF_WEEK, HOURS_PER_MONTH
from gpuplanner.files.lists.planner_lists import hours_of, hours_text
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.fields import DayField, PlainNumber, WholeField
from gpuplanner.ui.kit.layout import STRETCH, add, column, emptied, named, placed, row, share
from gpuplanner.ui.kit.page_parts import choice_of, label, tool_button
from gpuplanner.ui.kit.theme import icon
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.glossary import lane_of
from gpuplanner.ui.words.window_words import refusal_words

# --- Asks for work that no log has: how many GPUs of a model in a pool, in which hours, from when to when

PRESETS: Final = ("always", "mon-fri 08-20", "mon-fri 09-17", "sat,sun 00-24")
"""Hours that are often meant, as `--planned` writes them."""
MOST_HOURS: Final = 10 * 365 * 24
BACK: Final = worded("Back to the model")
PLAN_IT: Final = worded("Plan it")


@dataclass(frozen=True, slots=True)
class PlannedChoices:
    """What the project has to choose from; begins_s: the plan's first day, epoch seconds."""

    gpu_models: Sequence[str]
    clusters: Sequence[str]
    teams: Sequence[str]
    begins_s: int


class PlannedDialog(QDialog):
    """Told the work as it is (None: more of it) and why work cannot be planned; emits what is wanted."""

    work_chosen = Signal(object)  # PlannedWork

    def __init__(
        self,
        work: PlannedWork | None,
        choices: PlannedChoices,
        refusal: Callable[[PlannedWork], str],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._refusal, self._begins_s = refusal, choices.begins_s
        self._known_models = {*choices.gpu_models, *(() if work is None else (work.gpu_model,))}
        title, under = dialogs.title_and_note(
            dialogs.titled(self, tr("Add planned work") if work is None else tr("Change planned work"), 520),
            tr(
                "Work that no log has yet, in this plan alone. Growth leaves it as it is planned. Times are UTC."
            ),
        )
        self._make_fields(choices)
        self.note = dialogs.note_label(2)
        self.do = dialogs.primary_button(tr("Add") if work is None else tr("Change"), self._go_on)
        last = dialogs.foot(dialogs.cancel_button(self, tr("The plan stays as it is (Esc)")), self.do)
        dialogs.dialog_column(self, title, under, 4, self._form(), 4, self.note, 8, last)
        self._show_work(work, choices)
        self._connect()
        self._check()
        self.name.setFocus()
        self.name.selectAll()

    def _make_fields(self, choices: PlannedChoices) -> None:
        """Makes every field, with its name and its tip."""
        self.name = named(QLineEdit(), tr("Name"), tr("Of the work: its key is cluster/team/name"))
        pools = ((lane_of(pool).title, None) for pool in POOLS)
        self.pool = choice_of(tr("Pool"), tr("Where it is to run; it can be moved as every card"), pools)
        self.gpu_model = _editable(
            tr("GPU model"), tr("What it needs: one of the project, or another"), choices.gpu_models
        )
        self.gpus = PlainNumber(decimals=3, minimum=0, maximum=MOST_GPUS, singleStep=8)
        named(self.gpus, tr("GPUs"), tr("While it runs"))
        in_hours, for_a_time = tr("In hours of the week"), tr("For a time")
        self.in_hours = named(QRadioButton(in_hours), in_hours, tr("It runs again every week, in UTC"))
        self.of_length = named(
            QRadioButton(for_a_time), for_a_time, tr("It ends so many hours after it begins")
        )
        self._ways = QButtonGroup(self)
        for way in (self.in_hours, self.of_length):
            self._ways.addButton(way)
        self.hours = _editable(
            tr("Hours of the week"), tr("always, mon-fri 08-20, sat,sun 00-24: in UTC"), PRESETS
        )
        self.length = QSpinBox(minimum=1, maximum=MOST_HOURS, suffix=tr(" hours"))
        self.length.setGroupSeparatorShown(True)
        named(self.length, tr("Length in hours"), tr("How long it runs from its beginning"))
        self.has_latest = named(
            QCheckBox(tr("done by")), tr("It has to be done by a day"), tr("A check says so where it is not")
        )
        self.latest = DayField(
            tr("Last day on which it may be done"), tr("Until the end of this day, UTC"), 0
        )
        self.comes_back = named(
            QCheckBox(tr("again every")),
            tr("It comes back"),
            tr("It starts again every so many hours, until its end"),
        )
        self.every = QSpinBox(minimum=1, maximum=MOST_HOURS, suffix=tr(" hours"))
        self.every.setGroupSeparatorShown(True)
        named(self.every, tr("Hours from start to start"), tr("168 hours are a week; at least its length"))
        self.has_begin = named(
            QCheckBox(tr("On a day")), tr("It begins on a day"), tr("Otherwise with the plan, at once")
        )
        self.begins = DayField(tr("First day"), tr("First day, UTC"), 0)
        self.has_end = named(
            QCheckBox(tr("On a day")), tr("It ends on a day"), tr("Otherwise it stays for good")
        )
        self.ends = DayField(tr("Last day"), tr("Last day, UTC"), 0)
        whose = tr("Whose contracts may serve it; without one none does")
        self.cluster = _editable(tr("Cluster"), whose, ("", *choices.clusters))
        self.team = _editable(tr("Team"), tr("Who asks for it; may be left empty"), ("", *choices.teams))
        self.cluster.setMinimumWidth(184)
        self.team.setMinimumWidth(184)

    def _form(self) -> QFormLayout:
        """The fields, each with what it is before it."""
        form = QFormLayout(horizontalSpacing=12, verticalSpacing=8)
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
        shown = work or PlannedWork("", POOLS[0], choices.gpu_models[0] if choices.gpu_models else "", 8.0)
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
        self.name.textChanged.connect(self._check)
        for box in (self.pool, self.gpu_model, self.hours, self.cluster, self.team):
            box.currentTextChanged.connect(self._check)
        self.gpus.valueChanged.connect(self._check)
        self.length.valueChanged.connect(self._check)
        self.every.valueChanged.connect(self._check)
        for tick in (
            self.in_hours, self.of_length, self.has_latest, self.comes_back, self.has_begin, self.has_end,
        ):  # fmt: skip
            tick.toggled.connect(self._check)
        for day in (self.latest, self.begins, self.ends):
            day.changed.connect(self._check)

    def work(self) -> PlannedWork:
        """What is chosen. Errors: PlannerError for hours of the week that are none."""
        has_length = self.of_length.isChecked()
        comes_back = has_length and self.comes_back.isChecked()
        text = self.hours.currentText()
        hours = self._hours if has_length or text == self._hours_text else hours_of(text)
        return PlannedWork(
            " ".join(self.name.text().split()),
            POOLS[self.pool.currentIndex()],
            self.gpu_model.currentText().strip(),
            self.gpus.value(),
            self.cluster.currentText().strip(),
            self.team.currentText().strip(),
            self._moment(self.begins, self.begins.day_s) if self.has_begin.isChecked() else None,
            self._last(self.ends) if self.has_end.isChecked() and (comes_back or not has_length) else None,
            hours_of("always") if has_length else hours,
            self.length.value() if has_length else None,
            self._last(self.latest)
            if self.has_latest.isChecked() and has_length and not comes_back
            else None,
            self.every.value() if comes_back else None,
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
            why = unread or refusal_words(fault)
        first = "" if bool(unread or self.name.text().strip()) else tr("Enter a name.")
        words = "" if why else _sum_words(work)
        dialogs.tell_whether(self.note, self.do, why, words, tr("One undo step (Enter)"), first=first)

    def _go_on(self) -> None:
        """Closes, then says which work is planned; a GPU model that is new here is asked about first."""
        work = self.work()
        is_known = not self._known_models or work.gpu_model in self._known_models
        if (
            not is_known
            and dialogs.ask(
                self,
                tr("{model} is new here", model=work.gpu_model),
                tr(
                    "No job, contract or price here is of {model}. Its work has no price until one is imported.",
                    model=work.gpu_model,
                ),
                (BACK, PLAN_IT),
            )
            != PLAN_IT
        ):
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
                "{hours} GPU-h each time, {mean} GPU-h per month on average.",
                hours=numbers.whole(hours),
                mean=numbers.whole(hours * HOURS_PER_MONTH / work.every_hours),
            )
        return tr("{hours} GPU-h in all.", hours=numbers.whole(hours))
    share = len(work.hours) / HOURS_OF_WEEK
    return tr(
        "{hours} GPU-h per month while it is there, {gpus} GPUs in the mean.",
        hours=numbers.whole(HOURS_PER_MONTH * work.gpus * share),
        gpus=numbers.gpus(work.gpus * share),
    )


def _editable(name: str, tip: str, choices: Sequence[str]) -> QComboBox:
    """A box of choices in which anything else may be typed."""
    field = choice_of(name, tip, ((choice, None) for choice in choices))
    field.setEditable(True)
    field.setLineEdit(WholeField())
    field.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    field.setMinimumWidth(150)
    return field


def _beside(*fields: QWidget) -> QHBoxLayout:
    """Fields side by side at the left."""
    middle = Qt.AlignmentFlag.AlignVCenter
    return row(*(placed(field, middle) for field in fields), STRETCH, spacing=8)


# --- Steps of demand of a plan: what there is, each with a way to take it out, and one more ------

FACTOR: Final = 2.0


class DemandDialog(QDialog):
    """Told the steps in words; emits the one that is wanted, or the number of the one that is to go."""

    # key, class or ALL; factor; epoch seconds; evenly up to then
    step_chosen = Signal(str, float, object, bool)
    step_removed = Signal(int)

    def __init__(
        self,
        of: tuple[str, str] | None,
        begins_s: int,
        first_s: int,
        refusal: Callable[[str, float, int, bool], str],
        parent: QWidget | None = None,
    ) -> None:
        """of: key and name of the workload that is asked about; None: of a class or all."""
        super().__init__(parent)
        self._refusal = refusal
        title, under = dialogs.title_and_note(
            dialogs.titled(self, tr("Steps of demand"), 520),
            tr(
                "From a day on, or evenly up to it, demand is so many times what it was; steps of one workload "
                "multiply. This plan alone."
            ),
        )
        self._list = column(spacing=4)
        self.removers: list[QToolButton] = []
        self._make_fields(of, begins_s, first_s)
        # the dialog stays open for the next
        self.add = dialogs.primary_button(tr("Add the step"), self._go_on)
        self.close_button = dialogs.close_button(self)
        step = row(self.of, self.factor, self.how, self.day, STRETCH, spacing=8)
        self.note = label(role="red", is_wrapped=True)
        last = dialogs.foot(self.close_button, self.add)
        dialogs.dialog_column(self, title, under, self._list, step, self.note, STRETCH, last)
        self._check()

    def _make_fields(self, of: tuple[str, str] | None, begins_s: int, first_s: int) -> None:
        """Makes the fields of one more step: of what, by which factor, from or evenly by which day."""
        asked: list[tuple[Text, str]] = [] if of is None else [(of[1], of[0])]
        asked += ((tr("All demand"), ALL), *((lane_of(pool).title, pool.value) for pool in POOLS))
        tip = tr("A class is the workloads that are of it now")
        self.of = choice_of(tr("Demand of"), tip, asked, self._check)
        self.factor = PlainNumber(decimals=3, minimum=0, maximum=MOST_TIMES, singleStep=0.1, prefix="\u00d7 ")
        self.factor.setValue(FACTOR)
        tip = tr("2 doubles it, {half} halves it, 0 ends it", half=numbers.significant(0.5))
        named(self.factor, tr("Times"), tip)
        ways = ((tr("from"), False), (tr("evenly by"), True))
        tip = tr("At once on the day, or month by month up to it")
        self.how = choice_of(tr("How it comes"), tip, ways, self._check)
        self.day = DayField(tr("Day"), tr("First day on which all of it is there, UTC"), first_s)
        self.day.show_day(begins_s)
        self.factor.valueChanged.connect(self._check)
        self.day.changed.connect(self._check)

    def show_steps(self, steps: Sequence[str]) -> None:
        """Show the steps that there are, in words."""
        emptied(self._list)
        self.removers = []
        for number, words in enumerate(steps):
            button = tool_button(
                tr("Remove: {step}", step=words),
                tr("Remove this step; one undo step"),
                lambda _=False, number=number: self.step_removed.emit(number),
            )
            button.setIcon(icon("close", "muted"))
            self.removers.append(button)
            add(self._list, row(share(label(words)), button))
        if not steps:
            add(self._list, label(tr("No steps yet."), role="muted"))

    def _wanted(self) -> tuple[str, float, int, bool]:
        """What the step is of, its factor, its day in epoch seconds, and whether it comes evenly by that day."""
        of, is_even = str(self.of.currentData()), bool(self.how.currentData())
        return of, self.factor.value(), self.day.day_s, is_even

    def _check(self) -> None:
        """Lets the step be added, or says why it cannot be."""
        why = self.day.refusal or self._refusal(*self._wanted())
        self.note.setText(why)
        self.note.setVisible(bool(why))
        self.add.setEnabled(not why)
        set_tip(self.add, why or tr("In this plan alone; one undo step (Enter)"))

    def _go_on(self) -> None:
        """Says which step is to be added."""
        self.step_chosen.emit(*self._wanted())
