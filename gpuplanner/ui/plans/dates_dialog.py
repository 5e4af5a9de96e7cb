"""Asks for days: when workloads or those of a team stop, end or begin; and for demand that no log has."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.plain_text import by_count, set_tip, spoken, tr
from gpuplanner.domain.commitment.plan.comparison import Horizon, plan_usd_in
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.edits.dates import ALL
from gpuplanner.domain.evidence.answering import Inputs, explained
from gpuplanner.domain.evidence.trace import Trace, figure
from gpuplanner.domain.figures.plan import PLAN, STOP
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract import Contract, only_cluster_of
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.plan_inputs import MOST_GPUS, MOST_TIMES, PlannedWork
from gpuplanner.domain.model.tables import POOLS, Pool
from gpuplanner.domain.model.window import DAY_S, HOURS_OF_WEEK, HOURS_PER_MONTH
from gpuplanner.files.lists.planner_lists import hours_of, hours_text
from gpuplanner.files.system.resources import long_text
from gpuplanner.lazy_dataclass import dataclass, field
from gpuplanner.ui.kit import dialogs, small_dialogs
from gpuplanner.ui.kit.day_field import DayField, WholeField
from gpuplanner.ui.kit.fields import PlainNumber
from gpuplanner.ui.kit.layout import STRETCH, add, column, emptied, named, placed, row, share
from gpuplanner.ui.kit.page_parts import choice_of, heading_label, label, tool_button
from gpuplanner.ui.kit.theme import icon
from gpuplanner.ui.tables.cells import Cell, Column, Row, asked, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import dated_words, glossary, numbers, window_words

# --- What stopping some workloads would save, and which GPUs it leaves idle: a table and words, before it is done

Values = dict[str, float | None]
SAVES: Final = ("stop_saves", "stop_saves_in_year")
COLUMNS: Final = (
    Column(title="", is_figure=False),
    Column(title=worded("First month, $"), is_figure=True, width=128),
    Column(title=worded("12 months, $"), is_figure=True, width=128),
)
LEAST_GPUS: Final = 0.05
UNKNOWN_YET: Final[Values] = dict.fromkeys(
    ("plan", "plan_in_year", "plan_after_stop", "after_stop_in_year", "stop_saves", "stop_saves_in_year")
)


class StopEffect(QtWidgets.QWidget):
    """Told the plan as it is and as it would be; a figure that is asked about has its `trace`."""

    figure_opened = QtCore.Signal(
        str, object, object
    )  # figure id, the widget it stands in, and where (QRect)

    def __init__(self) -> None:
        super().__init__()
        self.values: Values = UNKNOWN_YET
        self._is_awaited = False
        self.table = FigureTable(tr("What stopping saves"))
        self.table.pass_on(self.figure_opened)
        self.freed = dialogs.note_label(2, "muted")
        column(self.table, self.freed, on=self, margins=(0, 4, 0, 0), spacing=8)
        self._show(UNKNOWN_YET)

    def show_working(self) -> None:
        """It is being worked out; what was known of another choice stays until then."""
        self._is_awaited = True
        self.freed.setText(tr("Calculating…"))

    def show_plans(self, before: Advice, after: Advice) -> None:
        """The plan as it is, and as it would be; not shown beside a choice that is refused by now."""
        if not self._is_awaited:
            return
        self._show(stop_values(before, after))
        self.freed.setText(freed_words(before, after))

    def show_unknown(self, why: str) -> None:
        """Why nobody can say yet what it would do."""
        self._is_awaited = False
        self._show(UNKNOWN_YET)
        self.freed.setText(why)

    def trace(self, figure_id: str, called: Text) -> Trace:
        """Why a figure of the table is what it is. called: who would stop. Errors: KeyError where it is none of it."""
        # Why stopping saves so much. called: who would stop. Errors: KeyError where the figure is none of
        # these.
        if (key := figure_id.partition(":")[0]) not in SAVES:
            raise KeyError(figure_id)
        given = {name: value for name, value in self.values.items() if name not in SAVES}
        return explained(
            STOP, key, Inputs(values=given, name="", title=called, opens={"plan": figure("plan_usd")})
        )

    def _show(self, values: Values) -> None:
        self.values = values
        self.table.show_rows(COLUMNS, stop_rows(values))
        heading = self.table.horizontalHeader().sizeHint().height()
        self.table.setFixedHeight(heading + 3 * self.table.row_height + 4)


def stop_values(before: Advice, after: Advice) -> Values:
    """What goes into the figures of STOP, and what comes out, by key."""
    given: Values = {
        "plan": before.totals.plan,
        "plan_in_year": plan_usd_in(before, Horizon.TWELVE_MONTHS),
        "plan_after_stop": after.totals.plan,
        "after_stop_in_year": plan_usd_in(after, Horizon.TWELVE_MONTHS),
    }
    return given | STOP.row(given, list(SAVES))


def stop_rows(values: Values) -> list[Row]:
    """The plan, the plan without them, and what stopping saves, in the first month and in twelve."""

    def usd(key: str, of: str = "") -> Cell:
        return written(numbers.whole, values[key], figure_id=asked(values[key], of) if of else "")

    month, year = SAVES
    saves = (Cell(text=STOP[month].title), usd(month, month), usd(year, year))
    return [
        Row((Cell(text=PLAN["plan"].title), usd("plan", "plan_usd"), usd("plan_in_year"))),
        Row((Cell(text=STOP["plan_after_stop"].title), usd("plan_after_stop"), usd("after_stop_in_year"))),
        Row(saves, is_total=True),
    ]


def freed_words(before: Advice, after: Advice) -> str:
    """What existing contracts are then paid for and nobody uses, in the first month; that nothing is where it is so."""
    gpus = sum(row.gpus for row in after.idle_existing) - sum(row.gpus for row in before.idle_existing)
    usd = [known_sum(row.cost_per_month for row in of.idle_existing) for of in (before, after)]
    if gpus < LEAST_GPUS:
        return tr("No contract GPUs become idle in the first month.")
    written = by_count(gpus, "{gpus} GPU", "{gpus} GPUs", gpus=numbers.gpus(gpus))
    if usd[0] is not None and usd[1] is not None:
        written = f"{written}, {numbers.dollars(usd[1] - usd[0])}"
    return tr("Idle contract GPUs in the first month, paid to the end: {gpus}.", gpus=written)


# --- Asks which team's workloads stop, and from which day; says what that saves before it is done

AS_WIDE_AS_ASKED: Final = QtWidgets.QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint
NAMED_AT_MOST: Final = 8
"""Workloads that are named; of more it says how many."""


@dataclass(frozen=True, slots=True)
class TeamChoice:
    """A team, "" for work without one, and the names of what it has in the plan."""

    team: str
    names: Sequence[str]

    @property
    def title(self) -> str:
        """vision · 4 workloads."""
        return numbers.MIDDOT.join((self.team or tr("No team"), numbers.counted(len(self.names), "workload")))


class TeamDialog(dialogs.AnsweringDialog):
    """Told the teams and, of each choice, what it would do; emits the choice as it changes, and that it is wanted.

    figure_opened: a figure of what it would save, whose `trace` says why.
    """

    chosen = QtCore.Signal(str, object)  # team, epoch seconds: to be tried
    stop_asked = QtCore.Signal(str, object)  # the same: to be done

    def __init__(
        self,
        choices: Sequence[TeamChoice],
        begins_s: int,
        refusal: Callable[[str, int], str],
        parent: QtWidgets.QWidget | None = None,
        team: str = "",
    ) -> None:
        """begins_s: the plan's first day; refusal: why a team cannot stop on a day, "" where it can; team: shown."""
        super().__init__(parent)
        self._choices, self._refusal, self._begins_s = choices, refusal, begins_s
        title = dialogs.titled(self, tr("Stop a team's workloads"), 560)
        teams = ((choice.title, choice.team) for choice in choices)
        self.team = choice_of(tr("Team"), tr("The jobs' account, otherwise their user"), teams)
        self.team.setCurrentIndex(max(0, next((at for at, one in enumerate(choices) if one.team == team), 0)))
        self.day = DayField(worded("From"), worded("First day without them, UTC"), begins_s - DAY_S)
        self.day.show_day(begins_s)
        self.names, self.note = dialogs.note_label(2, "muted"), dialogs.note_label(2, "muted")
        self.effect = StopEffect()
        self.effect.figure_opened.connect(self.figure_opened)
        self.do = dialogs.primary_button(tr("Stop"), self._go_on)
        form = QtWidgets.QFormLayout(horizontalSpacing=12, fieldGrowthPolicy=AS_WIDE_AS_ASKED)
        form.addRow(tr("Team"), self.team)
        form.addRow(tr("From"), self.day)
        last = dialogs.foot(dialogs.cancel_button(self), self.do)
        shown = (form, self.names, self.effect, self.note)
        dialogs.dialog_column(self, heading_label(title), *shown, STRETCH, last)
        self.team.currentIndexChanged.connect(lambda _: self._check())
        self.day.changed.connect(self._check)

    def begin(self) -> None:
        """Say what the first choice would do; whoever hears `chosen` is connected by now."""
        self._check()

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of the table is what it is. Errors: KeyError where it is none of its own."""
        return self.effect.trace(figure_id, self._choice.team or tr("No team"))

    @property
    def from_s(self) -> int:
        """When they are over, epoch seconds: on the plan's first day, or one before it, as the plan begins."""
        return max(self.day.day_s, self._begins_s)

    @property
    def _choice(self) -> TeamChoice:
        return self._choices[self.team.currentIndex()]

    def _check(self) -> None:
        """Says what the choice means, or why it cannot be, and has it tried."""
        choice, day_s = self._choice, self.from_s
        named = [*choice.names[:NAMED_AT_MOST]]
        if len(choice.names) > NAMED_AT_MOST:
            named.append(tr("{count} more", count=numbers.whole(len(choice.names) - NAMED_AT_MOST)))
        self.names.setText(", ".join(named))
        why = self.day.refusal or self._refusal(choice.team, day_s)
        last = numbers.date(day_s - 1)
        words = (
            tr("They stop in the plan's first month. The log keeps them.")
            if day_s == self._begins_s
            else tr("They run until {day}, without later orders.", day=last)
        )
        dialogs.tell_whether(self.note, self.do, why, words, tr("Only in this plan; one undo step (Enter)"))
        if why:
            self.effect.show_unknown("")
        else:
            self.effect.show_working()
            self.chosen.emit(choice.team, day_s)

    def _go_on(self) -> None:
        """Closes, then says which team stops, and when."""
        self.accept()
        self.stop_asked.emit(self._choice.team, self.from_s)


def choices_of(teams: dict[str, tuple[str, ...]], called: Callable[[str], str]) -> tuple[TeamChoice, ...]:
    """The teams in their order. called: a workload's name, by its key."""
    return tuple(TeamChoice(team, [spoken(called(key)) for key in keys]) for team, keys in teams.items())


# --- Asks for the day on which workloads stop, end or begin in a plan ----------------------------

Refusal = Callable[[int], str]
"""Why the moment cannot be; "" where it can."""


class DatesDialog(dialogs.AnsweringDialog):
    """Told what is asked, of what, and the moment to begin with; emits the moment that is wanted, epoch seconds.

    The last day of a workload is asked for as that day, and told as the moment after it.
    """

    moment_chosen = QtCore.Signal(object)  # epoch seconds UTC
    tried = QtCore.Signal(object)  # the same, as it is chosen: where `effect` says what it would save

    def __init__(
        self,
        verb: str,
        called: str,
        first_s: int,
        moment_s: int,
        refusal: Refusal,
        parent: QtWidgets.QWidget | None = None,
        *,
        names: str = "",
        effect: StopEffect | None = None,
    ) -> None:
        """names: which they are, where `called` is their number alone; effect: shows what a stop would save."""
        super().__init__(parent)
        words = dated_words.DATE_VERBS[verb]
        self._after_s = DAY_S if verb == dated_words.END else 0
        self._refusal, self.effect, self._called = refusal, effect, called
        title = dialogs.titled(self, worded(str(words.heading), called=called), 440)
        self.day = DayField(words.field, worded("{value}, UTC", value=spoken(words.field)), first_s)
        self.day.show_day(moment_s - self._after_s)
        self.note = dialogs.note_label(2)
        self._words = spoken(words.note)
        self.do = dialogs.primary_button(spoken(words.button), self._go_on)
        form = QtWidgets.QFormLayout(horizontalSpacing=12, fieldGrowthPolicy=AS_WIDE_AS_ASKED)
        form.addRow(spoken(words.field), self.day)
        self.names = label(names, role="muted", is_wrapped=True)
        self.names.setVisible(bool(names))
        if effect is not None:
            effect.figure_opened.connect(self.figure_opened)
        last = dialogs.foot(dialogs.cancel_button(self), self.do)
        heading = label(title, step="title", is_wrapped=True)
        dialogs.dialog_column(self, heading, self.names, form, self.note, effect, STRETCH, last)
        self.day.changed.connect(self._check)
        self._check()

    @property
    def moment_s(self) -> int:
        """What is chosen, epoch seconds."""
        return self.day.day_s + self._after_s

    def _check(self) -> None:
        """Says what the day would mean, or why it cannot be."""
        why = self.day.refusal or self._refusal(self.moment_s)
        tip = tr("Only in this plan; one undo step (Enter)")
        dialogs.tell_whether(self.note, self.do, why, self._words, tip)
        if self.effect is not None and why:
            self.effect.show_unknown("")
        elif self.effect is not None:
            self.effect.show_working()
            self.tried.emit(self.moment_s)

    def begin(self) -> None:
        """Have the first day tried; whoever hears `tried` is connected by now."""
        self._check()

    def trace(self, figure_id: str) -> Trace:
        """Why a figure of what it would save is what it is. Errors: KeyError where it is none of it."""
        if self.effect is None:
            raise KeyError(figure_id)
        return self.effect.trace(figure_id, self._called)

    def _go_on(self) -> None:
        """Closes, then says which moment was chosen."""
        self.accept()
        self.moment_chosen.emit(self.moment_s)


# --- Asks for work that no log has: how many GPUs of a model in a pool, in which hours, from when to when

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
        pools = ((glossary.lane_of(pool).title, None) for pool in POOLS)
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


# --- Steps of demand of a plan: what there is, each with a way to take it out, and one more ------

FACTOR: Final = 2.0


class DemandDialog(QtWidgets.QDialog):
    """Told the steps in words; emits the one that is wanted, or the number of the one that is to go."""

    # key, class or ALL; factor; epoch seconds; evenly up to then
    step_chosen = QtCore.Signal(str, float, object, bool)
    step_removed = QtCore.Signal(int)

    def __init__(
        self,
        of: tuple[str, str] | None,
        begins_s: int,
        first_s: int,
        refusal: Callable[[str, float, int, bool], str],
        parent: QtWidgets.QWidget | None = None,
    ) -> None:
        """of: key and name of the workload that is asked about; None: of a class or all."""
        super().__init__(parent)
        self._refusal = refusal
        title, under = dialogs.title_and_note(
            dialogs.titled(self, tr("Steps of demand"), 520), tr(long_text("demand_steps"))
        )
        self._list = column(spacing=4)
        self.removers: list[QtWidgets.QToolButton] = []
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
        asked += ((tr("All demand"), ALL), *((glossary.lane_of(pool).title, pool.value) for pool in POOLS))
        tip = tr("A class means its current workloads")
        self.of = choice_of(tr("Demand of"), tip, asked, self._check)
        self.factor = PlainNumber(decimals=3, minimum=0, maximum=MOST_TIMES, singleStep=0.1, prefix="\u00d7 ")
        self.factor.setValue(FACTOR)
        tip = tr("2: double, {half}: half, 0: end", half=numbers.significant(0.5))
        named(self.factor, tr("Times"), tip)
        ways = ((tr("from"), False), (tr("evenly by"), True))
        tip = tr("On the day, or month by month up to it")
        self.how = choice_of(tr("Transition"), tip, ways, self._check)
        self.day = DayField(tr("Day"), tr("First day at full size, UTC"), first_s)
        self.day.show_day(begins_s)
        self.factor.valueChanged.connect(self._check)
        self.day.changed.connect(self._check)

    def show_steps(self, steps: Sequence[str]) -> None:
        """Show the steps that there are, in words."""
        emptied(self._list)
        self.removers = []
        for number, words in enumerate(steps):
            name, tip = tr("Remove: {step}", step=words), tr("Remove; one undo step")
            button = tool_button(name, tip, lambda _=False, number=number: self.step_removed.emit(number))
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
        self.note.show_text(why)
        self.add.setEnabled(not why)
        set_tip(self.add, why or tr("Only in this plan; one undo step (Enter)"))

    def _go_on(self) -> None:
        """Says which step is to be added."""
        self.step_chosen.emit(*self._wanted())
