"""Asks for work that no log has: how many GPUs of a model in a pool, in which hours, from when to when."""

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
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.pool import POOLS
from gpuplanner.domain.model.scenario.dated import MOST_GPUS, PlannedWork
from gpuplanner.domain.model.window import DAY_S, HOURS_OF_WEEK, HOURS_PER_MONTH
from gpuplanner.files.lists.planned import hours_of, hours_text
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.dialogs import (
    cancel_button,
    dialog_column,
    foot,
    primary_button,
    tell_whether,
    title_and_note,
)
from gpuplanner.ui.kit.plain_number import PlainNumber
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.lanes import lane_of
from gpuplanner.ui.words.translation import spoken, tr
from gpuplanner.ui.words.window_words import refusal_words

PRESETS: Final = ("always", "mon-fri 08-20", "mon-fri 09-17", "sat,sun 00-24")
"""Hours that are often meant, as `--planned` writes them."""
MOST_HOURS: Final = 10 * 365 * 24


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
        self.setWindowTitle(tr("Add planned work") if work is None else tr("Change planned work"))
        self.setAccessibleName(self.windowTitle())
        self.setMinimumWidth(520)
        self.name = QLineEdit()
        self.pool = QComboBox()
        for pool in POOLS:
            self.pool.addItem(lane_of(pool).title)
        self.gpu_model = _editable(choices.gpu_models)
        self.gpus = PlainNumber()
        self.gpus.setDecimals(3)
        self.gpus.setRange(0, MOST_GPUS)
        self.gpus.setSingleStep(8)
        self.in_hours, self.of_length = (
            QRadioButton(tr("In hours of the week")),
            QRadioButton(tr("For a time")),
        )
        self._ways = QButtonGroup(self)
        for way in (self.in_hours, self.of_length):
            self._ways.addButton(way)
        self.hours = _editable(PRESETS)
        self.length = QSpinBox()
        self.length.setRange(1, MOST_HOURS)
        self.length.setSuffix(tr(" hours"))
        self.length.setGroupSeparatorShown(True)
        self.has_latest, self.latest = QCheckBox(tr("done by")), self._day()
        self.has_begin, self.begins = QCheckBox(tr("On a day")), self._day()
        self.has_end, self.ends = QCheckBox(tr("On a day")), self._day()
        self.cluster, self.team = _editable(("", *choices.clusters)), _editable(("", *choices.teams))
        self.note = PlainLabel()
        self.note.setWordWrap(True)
        self.do = primary_button(tr("Add") if work is None else tr("Change"), self._go_on)
        self._name_fields()
        self._build()
        self._show_work(work, choices)
        self._connect()
        self._check()
        self.name.setFocus()
        self.name.selectAll()

    def _day(self) -> DayField:
        """A field for a day."""
        return DayField(worded("Day"), worded("Day, UTC"), 0)

    def _name_fields(self) -> None:
        """Gives every field its name and its tip."""
        for field, name, tip in (
            (self.name, worded("Name"), worded("Of the work: its key is cluster/team/name")),
            (self.pool, worded("Pool"), worded("Where it is to run; it can be moved as every card")),
            (self.gpu_model, worded("GPU model"), worded("What it needs: one of the project, or another")),
            (self.gpus, worded("GPUs"), worded("While it runs")),
            (self.in_hours, worded("In hours of the week"), worded("It runs again every week, in UTC")),
            (self.of_length, worded("For a time"), worded("It ends so many hours after it begins")),
            (self.hours, worded("Hours of the week"), worded("always, mon-fri 08-20, sat,sun 00-24: in UTC")),
            (self.length, worded("Length in hours"), worded("How long it runs from its beginning")),
            (
                self.has_latest,
                worded("It has to be done by a day"),
                worded("A check says so where it is not"),
            ),
            (
                self.latest,
                worded("Last day on which it may be done"),
                worded("Until the end of this day, UTC"),
            ),
            (self.has_begin, worded("It begins on a day"), worded("Otherwise with the plan, at once")),
            (self.begins, worded("First day"), worded("First day, UTC")),
            (self.has_end, worded("It ends on a day"), worded("Otherwise it stays for good")),
            (self.ends, worded("Last day"), worded("Last day, UTC")),
            (self.cluster, worded("Cluster"), worded("Whose contracts may serve it; without one none does")),
            (self.team, worded("Team"), worded("Who asks for it; may be left empty")),
        ):
            field.setAccessibleName(spoken(name))
            set_tip(field, spoken(tip))
        for box in (self.pool, self.gpu_model, self.hours, self.cluster, self.team):
            box.view().setAccessibleName(box.accessibleName())

    def _build(self) -> None:
        """Lays the fields out as a form."""
        title, under = title_and_note(
            self.windowTitle(),
            tr(
                "Work that no log has yet, in this plan alone. Growth leaves it as it is planned. Times are UTC."
            ),
        )
        self.cluster.setMinimumWidth(184)
        self.team.setMinimumWidth(184)
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.setVerticalSpacing(8)
        form.addRow(tr("Name"), self.name)
        form.addRow(tr("Pool"), _row(self.pool))
        form.addRow(tr("GPUs"), _row(self.gpus, self.gpu_model))
        form.addRow(tr("Runs"), _row(self.in_hours, self.hours))
        form.addRow("", _row(self.of_length, self.length, self.has_latest, self.latest))
        form.addRow(tr("Begins"), _row(self.has_begin, self.begins))
        form.addRow(tr("Ends"), _row(self.has_end, self.ends))
        form.addRow(tr("Cluster"), _row(self.cluster))
        form.addRow(tr("Team"), _row(self.team))
        layout = dialog_column(self, title, under)
        layout.addSpacing(4)
        layout.addLayout(form)
        layout.addSpacing(4)
        layout.addWidget(self.note)
        layout.addSpacing(8)
        layout.addLayout(foot(cancel_button(self, tr("The plan stays as it is (Esc)")), self.do))
        self.note.setMinimumHeight(2 * self.note.fontMetrics().lineSpacing() + 4)

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
        for tick in (self.in_hours, self.of_length, self.has_latest, self.has_begin, self.has_end):
            tick.toggled.connect(self._check)
        for day in (self.latest, self.begins, self.ends):
            day.changed.connect(self._check)

    def work(self) -> PlannedWork:
        """What is chosen. Errors: PlannerError for hours of the week that are none."""
        has_length = self.of_length.isChecked()
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
            self._last(self.ends) if self.has_end.isChecked() and not has_length else None,
            hours_of("always") if has_length else hours,
            self.length.value() if has_length else None,
            self._last(self.latest) if has_length and self.has_latest.isChecked() else None,
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
        for widget, is_on in (
            (self.hours, not has_length),
            (self.length, has_length),
            (self.has_latest, has_length),
            (self.latest, has_length and self.has_latest.isChecked()),
            (self.begins, self.has_begin.isChecked()),
            (self.has_end, not has_length),
            (self.ends, not has_length and self.has_end.isChecked()),
        ):
            widget.setEnabled(is_on)
        unread = next(
            (day.refusal for day in (self.begins, self.ends, self.latest) if day.isEnabled() and day.refusal),
            "",
        )
        try:
            work = self.work()
            why = unread or self._refusal(work)
        except PlannerError as fault:
            why = unread or refusal_words(fault)
        is_told = bool(unread or self.name.text().strip())
        first = "" if is_told else tr("Enter a name.")
        words = "" if why else _sum_words(work)
        tell_whether(self.note, self.do, why, words, tr("One undo step (Enter)"), first=first)

    def _go_on(self) -> None:
        """Closes, then says which work is planned."""
        work = self.work()
        self.accept()
        self.work_chosen.emit(work)


def _sum_words(work: PlannedWork) -> str:
    """How much of the GPUs it would take in a month."""
    if work.length_hours is not None:
        hours = work.gpus * work.length_hours
        return tr("{hours} GPU-h in all.", hours=numbers.whole(hours))
    share = len(work.hours) / HOURS_OF_WEEK
    return tr(
        "{hours} GPU-h per month while it is there, {gpus} GPUs in the mean.",
        hours=numbers.whole(HOURS_PER_MONTH * work.gpus * share),
        gpus=numbers.gpus(work.gpus * share),
    )


def _editable(choices: Sequence[str]) -> QComboBox:
    """A box of choices in which anything else may be typed."""
    box = QComboBox()
    box.setEditable(True)
    box.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
    box.setMinimumWidth(150)
    for choice in choices:
        box.addItem(choice)
    return box


def _row(*widgets: QWidget) -> QHBoxLayout:
    """Fields side by side at the left."""
    row = QHBoxLayout()
    row.setSpacing(8)
    for widget in widgets:
        row.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)
    row.addStretch(1)
    return row
