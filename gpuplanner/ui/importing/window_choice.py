"""Choice of the lookback period: last days, the whole log, or from one day to another."""

from typing import Final

from PySide6.QtCore import QDate, QSignalBlocker, Qt, QTime, QTimeZone, Signal
from PySide6.QtWidgets import QDateEdit, QWidget

from gpuplanner.charts.kit.translation import tr
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.files.values.lookback_period import DEFAULT_DAYS, WindowRequest
from gpuplanner.ui.kit.layout import STRETCH, named, row
from gpuplanner.ui.kit.page_parts import choice_of, label

WHOLE: Final = "whole"
FROM_TO: Final = "from_to"
CHOICES: Final = (
    (30, worded("Last 30 days")),
    (90, worded("Last 90 days")),
    (180, worded("Last 180 days")),
    (365, worded("Last 365 days")),
    (WHOLE, worded("Whole log")),
    (FROM_TO, worded("From \u2013 to")),
)


class WindowChoice(QWidget):
    """A box of usual lengths, and two days where the planner wants their own; emits changed."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        tip = tr("Days end with the last finished job")
        self.box = choice_of(tr("Lookback period"), tip, ((title, value) for value, title in CHOICES))
        self.box.setCurrentIndex(self.box.findData(DEFAULT_DAYS))
        self.first, self.last = (
            _day(tr("First day of the lookback period")),
            _day(tr("Last day of the lookback period")),
        )
        self._dash = label("\u2013")
        row(self.box, self.first, self._dash, self.last, STRETCH, on=self, spacing=8)
        self.box.currentIndexChanged.connect(self._choose)
        for day in (self.first, self.last):
            day.dateChanged.connect(lambda _: self.changed.emit())
        self._show_days(False)

    @property
    def request(self) -> WindowRequest:
        """What is chosen, as the readers take it. Days are UTC days; the last one is in."""
        if (chosen := self.box.currentData()) == WHOLE:
            return WindowRequest(whole_log=True)
        if chosen == FROM_TO:
            return WindowRequest(start_s=_epoch_s(self.first), end_s=_epoch_s(self.last) + DAY_S)
        return WindowRequest() if chosen == DEFAULT_DAYS else WindowRequest(days=chosen)

    @property
    def refusal(self) -> str:
        """Why this is no window; empty where it is one."""
        if self.box.currentData() == FROM_TO and self.last.date() < self.first.date():
            return tr("The lookback period ends before it starts: choose a later last day.")
        return ""

    @property
    def words(self) -> str:
        """last 30 days; whole log; 3 Jul 2026 - 30 Sep 2026."""
        if self.box.currentData() == FROM_TO:
            return f"{self.first.text()} {chr(0x2013)} {self.last.text()}"
        return self.box.currentText().lower()

    def show_window(self, window: Window) -> None:
        """The days of a window that is known; says nothing by itself."""
        for day, at_s in ((self.first, window.start_s), (self.last, window.end_s - HOUR_S)):
            with QSignalBlocker(day):
                day.setDate(QDate(1970, 1, 1).addDays(at_s // DAY_S))

    def _choose(self) -> None:
        """Shows the days if they are what is chosen, and says that the choice changed."""
        self._show_days(self.box.currentData() == FROM_TO)
        self.changed.emit()

    def _show_days(self, is_visible: bool) -> None:
        """Shows or hides the fields of the two days."""
        for widget in (self.first, self._dash, self.last):
            widget.setVisible(is_visible)


def _day(name: str) -> QDateEdit:
    """A field for a day in UTC, which speaks up when the whole day is typed."""
    edit = named(QDateEdit(), name, tr("{value}, UTC", value=name))
    edit.setDisplayFormat("d MMM yyyy")
    edit.setTimeZone(QTimeZone.utc())
    edit.setAlignment(Qt.AlignmentFlag.AlignRight)
    edit.setKeyboardTracking(False)
    return edit


def _epoch_s(edit: QDateEdit) -> int:
    """The first second of the field's day, UTC."""
    at = edit.date().startOfDay(QTimeZone.utc())
    assert at.time() == QTime(0, 0)
    return int(at.toSecsSinceEpoch())
