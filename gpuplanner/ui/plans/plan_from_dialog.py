"""Dialog: the day from which a plan counts its months."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QDialog, QRadioButton, QWidget

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.system.resources import long_text
from gpuplanner.ui.kit import dialogs
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.layout import STRETCH, row
from gpuplanner.ui.kit.page_parts import heading_label
from gpuplanner.ui.words import numbers


class PlanFromDialog(QDialog):
    """Told when plans begin now and what day it is; emits the moment that is wanted (None: the end of the log)."""

    day_chosen = Signal(object)  # epoch seconds UTC, or None

    def __init__(self, project: Project, today_s: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        title = dialogs.titled(self, tr("Plan from"), 500)
        end_s = project.window.end_s
        self._end_s, self._today_s = end_s, today_s // DAY_S * DAY_S
        self.at_end = QRadioButton(tr("End of the log, {date}", date=numbers.date(end_s - 1)))
        self.today = QRadioButton(tr("Today, {date}", date=numbers.date(today_s)))
        self.other = QRadioButton(tr("Another day"))
        self._group = QButtonGroup(self)
        self.day = DayField(tr("Start date of plans"), tr("Start date of plans, UTC"), end_s)
        chosen_s = project.plan_window.end_s
        self.day.show_day(chosen_s if chosen_s > end_s else max(self._today_s, end_s + DAY_S))
        self.note = dialogs.note_label(3)
        self.choose = dialogs.primary_button(tr("Plan from this day"), self._go_on)
        for button in (self.at_end, self.today, self.other):
            self._group.addButton(button)
            button.setAccessibleName(button.text())
            button.toggled.connect(self._show_day)
        self.day.changed.connect(self._check)
        self._show_choice(chosen_s)
        other = row(self.other, self.day, STRETCH, spacing=8)
        cancel = dialogs.cancel_button(self)
        last = dialogs.foot(cancel, self.choose)
        dialogs.dialog_column(
            self, heading_label(title), self.at_end, self.today, other, self.note, STRETCH, last
        )

    def _show_choice(self, chosen_s: int) -> None:
        """Checks the choice that fits the day; today is none of them while the log goes past it."""
        self.today.setEnabled(self._today_s > self._end_s)
        if not self.today.isEnabled():
            set_tip(self.today, tr("The log reaches this day"))
        later = self.today if chosen_s == self._today_s else self.other
        (self.at_end if chosen_s <= self._end_s else later).setChecked(True)
        self._show_day()

    def _show_day(self) -> None:
        """Lets a day be typed only where another day is chosen."""
        self.day.setEnabled(self.other.isChecked())
        self._check()

    def _check(self) -> None:
        """Says what the choice means, or why the day cannot be."""
        why = self.day.refusal if self.other.isChecked() else ""
        words = tr(long_text("start_date"))
        tip = tr("For all plans; one undo step (Enter)")
        dialogs.tell_whether(self.note, self.choose, why, words, tip)

    @property
    def wanted_s(self) -> int | None:
        """What is chosen: epoch seconds, None for the end of the log."""
        if self.at_end.isChecked():
            return None
        return self._today_s if self.today.isChecked() else self.day.day_s

    def _go_on(self) -> None:
        """Closes, then says the chosen day."""
        self.accept()
        self.day_chosen.emit(self.wanted_s)
