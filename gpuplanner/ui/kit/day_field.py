"""A field for a day, UTC, in epoch seconds."""

from typing import Final

from PySide6.QtCore import QDate, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QFocusEvent, QKeyEvent, QMouseEvent, QTextCharFormat
from PySide6.QtWidgets import QCalendarWidget, QLineEdit, QToolButton, QWidgetAction

from gpuplanner.charts.kit.plain_text import set_tip
from gpuplanner.charts.kit.translation import tr
from gpuplanner.charts.kit.user_locale import day_locale
from gpuplanner.domain.message import Text
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.kit.icons import icon
from gpuplanner.ui.kit.layout import named
from gpuplanner.ui.kit.page_parts import passing_menu
from gpuplanner.ui.kit.typed_days import FORMAT, read_typed_day

EPOCH: Final = QDate(1970, 1, 1)
LATEST_DAYS: Final = 100 * 365
"""How long after the first day a day may be: a year typed wrong is refused."""
_STEPS: Final = {
    Qt.Key.Key_Up: (1, 0),
    Qt.Key.Key_Down: (-1, 0),
    Qt.Key.Key_PageUp: (0, 1),
    Qt.Key.Key_PageDown: (0, -1),
}
"""Days and months that a key goes on by."""


class WholeField(QLineEdit):
    """A field whose whole text is selected by the click that gives it the keyboard, so that typing replaces it."""

    _is_entered = False

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Comes before the press that brings the keyboard, but not to a window that is not in front."""
        super().focusInEvent(event)
        self._is_entered = event.reason() is Qt.FocusReason.MouseFocusReason

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if self._is_entered or not self.hasFocus():
            self.selectAll()
        self._is_entered = False


class DayField(QLineEdit):
    """Days from the first that begins at or after `first_s`; a calendar opens at its right end (Alt+Down).

    `changed` comes with every key. While `refusal` is not empty, `day_s` is still the day before: whoever acts on it
    asks for the refusal first.
    """

    changed = Signal()

    def __init__(self, name: Text, tip: Text, first_s: int) -> None:
        super().__init__()
        self._first = EPOCH.addDays(-(-first_s // DAY_S))
        self._last = EPOCH.addDays(first_s // DAY_S + LATEST_DAYS)
        self._day = self._first
        self.refusal = ""  # why what is typed is no day that there may be; "" where it is one
        named(self, name, tip)
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(140)
        self._open = QAction(tr("Calendar"), self)
        set_tip(self._open, tr("Calendar (Alt+Down)"))
        self._open.setIcon(icon("calendar", self.palette().text().color()))
        self._open.triggered.connect(self.open_calendar)
        self.addAction(self._open, QLineEdit.ActionPosition.TrailingPosition)
        self.calendar: QCalendarWidget | None = None
        self._show(self._first)
        self.textChanged.connect(self._read)
        self.editingFinished.connect(self._write)

    def show_day(self, at_s: int) -> None:
        """Show the day of a moment, or the nearest that there may be."""
        self._show(max(self._first, min(EPOCH.addDays(at_s // DAY_S), self._last)))

    @property
    def day_s(self) -> int:
        """When the day begins."""
        return EPOCH.daysTo(self._day) * DAY_S

    def open_calendar(self) -> None:
        """Choose a day in a calendar under the field."""
        menu = passing_menu(self)
        menu.setAccessibleName(tr("Calendar"))
        self.calendar = calendar = QCalendarWidget(menu)
        calendar.setAccessibleName(tr("Calendar"))
        calendar.setLocale(day_locale())
        plain = QTextCharFormat()
        plain.setForeground(self.palette().text())
        for day in (Qt.DayOfWeek.Saturday, Qt.DayOfWeek.Sunday):
            calendar.setWeekdayTextFormat(day, plain)  # red is for what is wrong
        calendar.setVerticalHeaderFormat(QCalendarWidget.VerticalHeaderFormat.NoVerticalHeader)
        for name, drawing in {"prevmonth": "chevron_left", "nextmonth": "chevron_right"}.items():
            arrow = calendar.findChild(QToolButton, f"qt_calendar_{name}")
            if isinstance(arrow, QToolButton):  # Qt's own are black in the dark
                arrow.setIcon(icon(drawing, self.palette().text().color()))
        calendar.setDateRange(self._first, self._last)
        calendar.setSelectedDate(self._day)
        for signal in (calendar.clicked, calendar.activated):
            signal.connect(self._choose)
            signal.connect(menu.close)
        holder = QWidgetAction(menu)
        holder.setDefaultWidget(calendar)
        menu.addAction(holder)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))
        calendar.setFocus(Qt.FocusReason.PopupFocusReason)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Alt+Down opens the calendar; the arrows go on or back by a day, the page keys by a month."""
        key, modifiers = Qt.Key(event.key()), event.modifiers()
        if key == Qt.Key.Key_Down and modifiers == Qt.KeyboardModifier.AltModifier:
            self.open_calendar()
        elif key in _STEPS and not modifiers & ~Qt.KeyboardModifier.KeypadModifier:
            days, months = _STEPS[key]
            self._choose(self._day.addDays(days).addMonths(months))
        else:
            super().keyPressEvent(event)

    def _show(self, day: QDate) -> None:
        """Shows a day, as the language writes it."""
        self._day = day
        self.setText(day_locale().toString(day, FORMAT))
        self.setCursorPosition(0)

    def _choose(self, day: QDate) -> None:
        """Shows a day if it may be chosen."""
        if self._first <= day <= self._last:
            self._show(day)

    def _read(self, text: str) -> None:
        """Reads what was typed, or keeps why it is no day that may be chosen."""
        if (day := read_typed_day(text, self._first, self._day)) is None:
            self.refusal = tr(
                "“{text}” is not a day. Example: {example}.",
                text=text.strip(),
                example=self._words(self._day),
            )
        elif day < self._first:
            self.refusal = tr("Earliest day: {day}.", day=self._words(self._first))
        elif day > self._last:
            self.refusal = tr("Latest day: {day}.", day=self._words(self._last))
        else:
            self._day, self.refusal = day, ""
        self.changed.emit()

    def _write(self) -> None:
        """The day that was understood, in full."""
        if not self.refusal and self.text() != self._words(self._day):
            self._show(self._day)

    def _words(self, day: QDate) -> str:
        """A day as the language writes it."""
        return day_locale().toString(day, FORMAT)
