"""A field for a day, UTC, told and asked in epoch seconds."""

from PySide6.QtCore import QDate, Qt, QTimeZone
from PySide6.QtWidgets import QDateEdit, QWidget

from gpuplanner.charts.shown_text import set_tip
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.ui.said import spoken

_EPOCH = QDate(1970, 1, 1)
LATEST_DAYS = 100 * 365
"""How long after the first day a day may be: a year typed wrong is refused."""


class DayField(QDateEdit):
    """Days from the first that begins at or after `first_s`."""

    def __init__(self, name: str, tip: str, first_s: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDisplayFormat("d MMM yyyy")
        self.setTimeZone(QTimeZone.utc())
        self.setMinimumDate(_EPOCH.addDays(-(-first_s // DAY_S)))
        self.setMaximumDate(_EPOCH.addDays(first_s // DAY_S + LATEST_DAYS))
        self.setCalendarPopup(True)
        self.setAccessibleName(spoken(name))
        set_tip(self, spoken(tip))
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.setMinimumWidth(140)

    def show_day(self, at_s: int) -> None:
        """Show the day of a moment."""
        self.setDate(_EPOCH.addDays(at_s // DAY_S))

    @property
    def day_s(self) -> int:
        """When the day begins."""
        return int(self.date().startOfDay(QTimeZone.utc()).toSecsSinceEpoch())
