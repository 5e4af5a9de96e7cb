"""The days of a week, Monday first, short and long."""

from typing import Final

from gpuplanner.domain.message import worded

DAYS: Final = (
    worded("Mon"),
    worded("Tue"),
    worded("Wed"),
    worded("Thu"),
    worded("Fri"),
    worded("Sat"),
    worded("Sun"),
)
LONG_DAYS: Final = (
    worded("Monday"),
    worded("Tuesday"),
    worded("Wednesday"),
    worded("Thursday"),
    worded("Friday"),
    worded("Saturday"),
    worded("Sunday"),
)
