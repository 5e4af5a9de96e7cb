"""Asks for the day on which workloads stop, end or begin in a plan."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.audit.evidence.trace import Trace
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button, tell_whether
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.plans.stop_effect import StopEffect
from gpuplanner.ui.words.date_verbs import DATE_VERBS, END
from gpuplanner.ui.words.translation import spoken, tr

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
        self.setWindowTitle(spoken(worded(str(words.heading), called=called)))
        self.setAccessibleName(self.windowTitle())
        self.setMinimumWidth(440)
        title = PlainLabel(self.windowTitle())
        title.setFont(font("title"))
        title.setWordWrap(True)
        self.day = DayField(words.field, worded("{field}, UTC", field=spoken(words.field)), first_s)
        self.day.show_day(moment_s - self._after_s)
        self.note = PlainLabel()
        self.note.setWordWrap(True)
        self._words = spoken(words.note)
        self.do = primary_button(spoken(words.button), self._go_on)
        form = QFormLayout()
        form.setHorizontalSpacing(12)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        form.addRow(spoken(words.field), self.day)
        layout = dialog_column(self, title)
        self.names = PlainLabel(names)
        self.names.setWordWrap(True)
        self.names.setProperty("role", "muted")
        self.names.setVisible(bool(names))
        layout.addWidget(self.names)
        layout.addLayout(form)
        layout.addWidget(self.note)
        if effect is not None:
            layout.addWidget(effect)
            effect.figure_opened.connect(self.figure_opened)
        layout.addStretch()
        layout.addLayout(foot(cancel_button(self, tr("The dates stay as they are (Esc)")), self.do))
        self.note.setMinimumHeight(2 * self.note.fontMetrics().lineSpacing() + 4)
        self.day.changed.connect(self._check)
        self._check()

    @property
    def moment_s(self) -> int:
        """What is chosen, epoch seconds."""
        return self.day.day_s + self._after_s

    def _check(self) -> None:
        """Says what the day would mean, or why it cannot be."""
        why = self.day.refusal or self._refusal(self.moment_s)
        tell_whether(self.note, self.do, why, self._words, tr("In this plan alone; one undo step (Enter)"))
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
