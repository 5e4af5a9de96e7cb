"""The days of the demo: six months of log that end on a day one chooses."""

from datetime import date
from typing import Final

from gpuplanner.domain.model.window import DAY_S, iso_day
from gpuplanner.lazy_dataclass import dataclass

EPOCH: Final = date(1970, 1, 1)
DAYS: Final = 183
"""Six months of 730 h, and half a day."""
QUARTER_DAYS: Final = 90
"""Counts in resources/demo/workloads.csv are of a quarter, as a window is by default."""
GOLDEN_DAY: Final = date(2026, 9, 30)
"""The last day of the demo in tests and pictures."""


@dataclass(frozen=True, slots=True)
class DemoDays:
    """A log of whole days UTC: from start_s to end_s, epoch seconds, end_s the midnight after the last day logged."""

    start_s: int
    end_s: int

    def weekday(self, day: int) -> int:
        """0 is Monday; day 0 is the first of the log."""
        return (self.start_s // DAY_S + day + 3) % 7

    def date(self, from_end: int) -> str:
        """The ISO date so many days after the log's end: 0 is the first day that is not logged."""
        return iso_day(self.end_s + from_end * DAY_S)


def ending(last: date) -> DemoDays:
    """A log whose last day is this one."""
    end_s = (last.toordinal() + 1 - EPOCH.toordinal()) * DAY_S
    return DemoDays(end_s - DAYS * DAY_S, end_s)


def ending_yesterday(now_s: int) -> DemoDays:
    """A log that ends with the last whole day."""
    return ending(date.fromordinal(EPOCH.toordinal() + now_s // DAY_S - 1))
