"""Asks for the day on which workloads stop, end or begin in a plan."""

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QFormLayout, QWidget

from gpuplanner.charts.kit.plain_text import PlainLabel
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button, tell_whether
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words.date_verbs import DATE_VERBS, END
from gpuplanner.ui.words.translation import spoken, tr

Refusal = Callable[[int], str]
"""Why the moment cannot be; "" where it can."""


class DatesDialog(QDialog):
    """Told what is asked, of what, and the moment to begin with; emits the moment that is wanted, epoch seconds.

    The last day of a workload is asked for as that day, and told as the moment after it.
    """

    moment_chosen = Signal(object)  # epoch seconds UTC

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
    ) -> None:
        """names: which they are, where `called` is their number alone."""
        super().__init__(parent)
        words = DATE_VERBS[verb]
        self._after_s = DAY_S if verb == END else 0
        self._refusal = refusal
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

    def _go_on(self) -> None:
        """Closes, then says which moment was chosen."""
        self.accept()
        self.moment_chosen.emit(self.moment_s)
