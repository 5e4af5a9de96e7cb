"""Dialog: the day on which workloads stop, end or begin."""

from collections.abc import Callable

from PySide6 import QtCore, QtWidgets

from gpuplanner.charts.kit.translation import spoken, tr
from gpuplanner.domain.evidence.trace import Trace
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.layout import STRETCH
from gpuplanner.ui.kit.page_parts import label
from gpuplanner.ui.plans.stop_effect import StopEffect
from gpuplanner.ui.plans.team_dialog import AS_WIDE_AS_ASKED
from gpuplanner.ui.words import date_verbs

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
        words = date_verbs.DATE_VERBS[verb]
        self._after_s = DAY_S if verb == date_verbs.END else 0
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
