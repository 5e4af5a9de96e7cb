"""Asks from which day a plan counts its months: the end of the log, today, or another day."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QHBoxLayout,
    QRadioButton,
    QWidget,
)

from gpuplanner.charts.kit.plain_text import PlainLabel, set_tip
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.kit.day_field import DayField
from gpuplanner.ui.kit.dialogs import cancel_button, dialog_column, foot, primary_button, tell_whether
from gpuplanner.ui.kit.type_scale import font
from gpuplanner.ui.words import numbers
from gpuplanner.ui.words.translation import tr


class PlanFromDialog(QDialog):
    """Told when plans begin now and what day it is; emits the moment that is wanted (None: the end of the log)."""

    day_chosen = Signal(object)  # epoch seconds UTC, or None

    def __init__(self, project: Project, today_s: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Plan from"))
        self.setAccessibleName(tr("Plan from"))
        self.setMinimumWidth(500)
        end_s = project.window.end_s
        self._end_s, self._today_s = end_s, today_s // DAY_S * DAY_S
        title = PlainLabel(tr("Plan from"))
        title.setFont(font("title"))
        self.at_end = QRadioButton(tr("The end of the log, {date}", date=numbers.date(end_s - 1)))
        self.today = QRadioButton(tr("Today, {date}", date=numbers.date(today_s)))
        self.other = QRadioButton(tr("Another day"))
        self._group = QButtonGroup(self)
        self.day = DayField(tr("Day that plans begin"), tr("Day that plans begin, UTC"), end_s)
        chosen_s = project.plan_window.end_s
        offered_s = chosen_s if chosen_s > end_s else max(self._today_s, end_s + DAY_S)
        self.day.show_day(offered_s)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.other)
        line.addWidget(self.day)
        line.addStretch(1)
        self.note = PlainLabel()
        self.note.setWordWrap(True)
        self.choose = primary_button(tr("Plan from this day"), self._go_on)
        self.note.setMinimumHeight(3 * self.note.fontMetrics().lineSpacing() + 4)
        for button in (self.at_end, self.today, self.other):
            self._group.addButton(button)
            button.setAccessibleName(button.text())
            button.toggled.connect(self._show_day)
        self.day.changed.connect(self._check)
        self._show_choice(chosen_s)
        layout = dialog_column(self, title, self.at_end, self.today)
        layout.addLayout(line)
        layout.addWidget(self.note)
        layout.addStretch()
        layout.addLayout(foot(cancel_button(self, tr("Plans begin when they do now (Esc)")), self.choose))

    def _show_choice(self, chosen_s: int) -> None:
        """Checks the choice that fits the day; today is none of them while the log goes past it."""
        self.today.setEnabled(self._today_s > self._end_s)
        if not self.today.isEnabled():
            set_tip(self.today, tr("The log goes on to this day or past it"))
        shown = (
            self.at_end
            if chosen_s <= self._end_s
            else self.today
            if chosen_s == self._today_s
            else self.other
        )
        shown.setChecked(True)
        self._show_day()

    def _show_day(self) -> None:
        """Lets a day be typed only where another day is chosen."""
        self.day.setEnabled(self.other.isChecked())
        self._check()

    def _check(self) -> None:
        """Says what the choice means, or why the day cannot be."""
        why = self.day.refusal if self.other.isChecked() else ""
        tell_whether(
            self.note,
            self.choose,
            why,
            tr(
                "Orders, contracts that end and the months compared are counted from that day, in every plan. "
                "The demand of the log and the prices as listed count as those of that day. Today's "
                "figures do not change."
            ),
            tr("All plans begin on that day; one undo step (Enter)"),
        )

    @property
    def wanted_s(self) -> int | None:
        """What is chosen: epoch seconds, None for the end of the log."""
        if self.at_end.isChecked():
            return None
        if self.today.isChecked():
            return self._today_s
        return self.day.day_s

    def _go_on(self) -> None:
        """Closes, then says the chosen day."""
        self.accept()
        self.day_chosen.emit(self.wanted_s)
