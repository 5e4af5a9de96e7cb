"""Asks which team's workloads stop, and from which day; says what that saves before it is done."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QDialog, QFormLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.audit.evidence.trace import Trace
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button, tell_whether
from gpuplanner.ui.kit.theme import Palette
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.plans.stop_effect import StopEffect
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import spoken, tr

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
        palette: Palette,
        parent: QWidget | None = None,
        team: str = "",
    ) -> None:
        """begins_s: the plan's first day; refusal: why a team cannot stop on a day, "" where it can; team: shown."""
        super().__init__(parent)
        self._choices, self._refusal, self._begins_s = choices, refusal, begins_s
        self.setWindowTitle(tr("Stop a team's workloads"))
        self.setAccessibleName(self.windowTitle())
        self.setMinimumWidth(560)
        title = PlainLabel(self.windowTitle())
        title.setFont(font("title"))
        self.team = QComboBox()
        self.team.setAccessibleName(tr("Team"))
        set_tip(self.team, tr("The account of the jobs, else their user"))
        for choice in choices:
            self.team.addItem(choice.title, choice.team)
        self.team.setCurrentIndex(max(0, next((at for at, one in enumerate(choices) if one.team == team), 0)))
        self.day = DayField(worded("From"), worded("First day without them, UTC"), begins_s - DAY_S)
        self.day.show_day(begins_s)
        self.names, self.note = PlainLabel(), PlainLabel()
        for label in (self.names, self.note):
            label.setWordWrap(True)
            label.setProperty("role", "muted")
        self.effect = StopEffect(palette)
        self.effect.figure_opened.connect(self.figure_opened)
        self.do = primary_button(tr("Stop"), self._go_on)
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        form.addRow(tr("Team"), self.team)
        form.addRow(tr("From"), self.day)
        layout = dialog_column(self, title)
        layout.addLayout(form)
        layout.addWidget(self.names)
        layout.addWidget(self.effect)
        layout.addWidget(self.note)
        layout.addStretch()
        layout.addLayout(foot(cancel_button(self, tr("They stay as they are (Esc)")), self.do))
        lines = 2 * self.note.fontMetrics().lineSpacing() + 4
        for label in (self.names, self.note):
            label.setMinimumHeight(lines)
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
        words = (
            tr("They stop as the plan begins, in its first month. What they did before stays in the log.")
            if day_s == self._begins_s
            else tr(
                "They are there up to {day}, and the plan signs nothing for them beyond.",
                day=numbers.date(day_s - 1),
            )
        )
        tell_whether(self.note, self.do, why, words, tr("In this plan alone; one undo step (Enter)"))
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
