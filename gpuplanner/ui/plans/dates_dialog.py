"""Asks when workloads, or those of a team, stop, end or begin; and what stopping them would save."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QWidget

from gpuplanner.charts.kit.plain_text import by_count, spoken, tr
from gpuplanner.domain.audit.evidence.answering import Inputs, explained
from gpuplanner.domain.audit.evidence.trace import Trace, figure
from gpuplanner.domain.commitment.plan.comparison import Horizon, plan_usd_in
from gpuplanner.domain.commitment.result import Advice
from gpuplanner.domain.figures.plan import PLAN, STOP
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.fields import DayField
from gpuplanner.ui.kit.layout import STRETCH, column
from gpuplanner.ui.kit.page_parts import choice_of, heading_label, label
from gpuplanner.ui.tables.cells import Cell, Column, Row, asked, written
from gpuplanner.ui.tables.figure_table import FigureTable
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.dated_words import DATE_VERBS, END

# --- What stopping some workloads would save, and which GPUs it leaves idle: a table and words, before it is done

Values = dict[str, float | None]
SAVES: Final = ("stop_saves", "stop_saves_in_year")
COLUMNS: Final = (
    Column("", False),
    Column(worded("First month, $"), True, 128),
    Column(worded("12 months, $"), True, 128),
)
LEAST_GPUS: Final = 0.05
UNKNOWN_YET: Final[Values] = dict.fromkeys(
    ("plan", "plan_in_year", "plan_after_stop", "after_stop_in_year", "stop_saves", "stop_saves_in_year")
)


class StopEffect(QWidget):
    """Told the plan as it is and as it would be; a figure that is asked about has its `trace`."""

    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
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
        self.freed.setText(tr("Working out what it saves"))

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
        key = figure_id.partition(":")[0]
        if key not in SAVES:
            raise KeyError(figure_id)
        given = {name: value for name, value in self.values.items() if name not in SAVES}
        return explained(STOP, key, Inputs(given, "", called, opens={"plan": figure("plan_usd")}))

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
    saves = (Cell(STOP[month].title), usd(month, month), usd(year, year))
    return [
        Row((Cell(PLAN["plan"].title), usd("plan", "plan_usd"), usd("plan_in_year"))),
        Row((Cell(STOP["plan_after_stop"].title), usd("plan_after_stop"), usd("after_stop_in_year"))),
        Row(saves, is_total=True),
    ]


def freed_words(before: Advice, after: Advice) -> str:
    """What existing contracts are then paid for and nobody uses, in the first month; that nothing is where it is so."""
    gpus = sum(row.gpus for row in after.idle_existing) - sum(row.gpus for row in before.idle_existing)
    usd = [known_sum(row.cost_per_month for row in of.idle_existing) for of in (before, after)]
    if gpus < LEAST_GPUS:
        return tr("No GPUs under contract are left idle by it in the first month.")
    written = numbers.gpus(gpus)
    if usd[0] is None or usd[1] is None:
        return by_count(
            gpus,
            "{gpus} GPU under contract is left idle in the first month: it stays paid until the contract ends.",
            "{gpus} GPUs under contract are left idle in the first month: they stay paid until their contracts end.",
            gpus=written,
        )
    return by_count(
        gpus,
        "{gpus} GPU under contract is left idle in the first month: {usd} stay paid until the contract ends.",
        "{gpus} GPUs under contract are left idle in the first month: {usd} stay paid until their contracts end.",
        gpus=written,
        usd=numbers.dollars(usd[1] - usd[0]),
    )


# --- Asks which team's workloads stop, and from which day; says what that saves before it is done

AS_WIDE_AS_ASKED: Final = QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint
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


class TeamDialog(QDialog):
    """Told the teams and, of each choice, what it would do; emits the choice as it changes, and that it is wanted.

    figure_opened: a figure of what it would save, whose `trace` says why.
    """

    chosen = Signal(str, object)  # team, epoch seconds: to be tried
    stop_asked = Signal(str, object)  # the same: to be done
    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(
        self,
        choices: Sequence[TeamChoice],
        begins_s: int,
        refusal: Callable[[str, int], str],
        parent: QWidget | None = None,
        team: str = "",
    ) -> None:
        """begins_s: the plan's first day; refusal: why a team cannot stop on a day, "" where it can; team: shown."""
        super().__init__(parent)
        self._choices, self._refusal, self._begins_s = choices, refusal, begins_s
        title = dialogs.titled(self, tr("Stop a team's workloads"), 560)
        teams = ((choice.title, choice.team) for choice in choices)
        self.team = choice_of(tr("Team"), tr("The account of the jobs, else their user"), teams)
        self.team.setCurrentIndex(max(0, next((at for at, one in enumerate(choices) if one.team == team), 0)))
        self.day = DayField(worded("From"), worded("First day without them, UTC"), begins_s - DAY_S)
        self.day.show_day(begins_s)
        self.names, self.note = dialogs.note_label(2, "muted"), dialogs.note_label(2, "muted")
        self.effect = StopEffect()
        self.effect.figure_opened.connect(self.figure_opened)
        self.do = dialogs.primary_button(tr("Stop"), self._go_on)
        form = QFormLayout(horizontalSpacing=12, fieldGrowthPolicy=AS_WIDE_AS_ASKED)
        form.addRow(tr("Team"), self.team)
        form.addRow(tr("From"), self.day)
        last = dialogs.foot(dialogs.cancel_button(self, tr("They stay as they are (Esc)")), self.do)
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
            tr("They stop as the plan begins, in its first month. What they did before stays in the log.")
            if day_s == self._begins_s
            else tr("They are there up to {day}, and the plan signs nothing for them beyond.", day=last)
        )
        dialogs.tell_whether(self.note, self.do, why, words, tr("In this plan alone; one undo step (Enter)"))
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


class DatesDialog(QDialog):
    """Told what is asked, of what, and the moment to begin with; emits the moment that is wanted, epoch seconds.

    The last day of a workload is asked for as that day, and told as the moment after it.
    """

    moment_chosen = Signal(object)  # epoch seconds UTC
    tried = Signal(object)  # the same, as it is chosen: where `effect` says what it would save
    figure_opened = Signal(str, object, object)  # figure id, the widget it stands in, and where (QRect)

    def __init__(
        self,
        verb: str,
        called: str,
        first_s: int,
        moment_s: int,
        refusal: Refusal,
        parent: QWidget | None = None,
        *,
        names: str = "",
        effect: StopEffect | None = None,
    ) -> None:
        """names: which they are, where `called` is their number alone; effect: shows what a stop would save."""
        super().__init__(parent)
        words = DATE_VERBS[verb]
        self._after_s = DAY_S if verb == END else 0
        self._refusal, self.effect, self._called = refusal, effect, called
        title = dialogs.titled(self, worded(str(words.heading), called=called), 440)
        self.day = DayField(words.field, worded("{field}, UTC", field=spoken(words.field)), first_s)
        self.day.show_day(moment_s - self._after_s)
        self.note = dialogs.note_label(2)
        self._words = spoken(words.note)
        self.do = dialogs.primary_button(spoken(words.button), self._go_on)
        form = QFormLayout(horizontalSpacing=12, fieldGrowthPolicy=AS_WIDE_AS_ASKED)
        form.addRow(spoken(words.field), self.day)
        self.names = label(names, role="muted", is_wrapped=True)
        self.names.setVisible(bool(names))
        if effect is not None:
            effect.figure_opened.connect(self.figure_opened)
        last = dialogs.foot(dialogs.cancel_button(self, tr("The dates stay as they are (Esc)")), self.do)
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
        dialogs.tell_whether(
            self.note, self.do, why, self._words, tr("In this plan alone; one undo step (Enter)")
        )
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
