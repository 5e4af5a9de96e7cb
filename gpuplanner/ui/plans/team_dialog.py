"""Dialog: which team's workloads stop, and from which day."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.layout import STRETCH
from gpuplanner.ui.kit.page_parts import choice_of, heading_label
from gpuplanner.ui.plans.stop_effect import StopEffect
from gpuplanner.ui.words import numbers

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
