"""The lookback period of a log in whole UTC hours, and the days of the week."""

from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.lazy_dataclass import dataclass

# --- The lookback period: whole UTC hours ---------------------------------------------------------

HOUR_S: Final = 3600
DAY_S: Final = 86_400
HOURS_PER_MONTH: Final = 730
MONTH_S: Final = HOURS_PER_MONTH * HOUR_S
HOURS_OF_WEEK: Final = 168
MONDAY_S: Final = 4 * DAY_S
"""Monday 5 January 1970, 0:00 UTC, the first Monday of the epoch, in seconds."""
FIRST_DAY_S: Final = 631_152_000
"""1 January 1990, epoch seconds. An earlier instant means that the log counts time from 0 and has no dates."""


def day_of(at_s: int) -> int:
    """Return the start of the UTC day of an instant. at_s, result: epoch seconds."""
    return at_s - at_s % DAY_S


def week_hour_of(at_s: int) -> int:
    """Return the hour of the week of an instant: 0..167, where 0 is Monday 0:00 UTC.

    at_s: epoch seconds; an instant within an hour belongs to that hour.

    >>> week_hour_of(0), week_hour_of(4 * 86_400), week_hour_of(4 * 86_400 - 1)
    (72, 0, 167)
    """
    return (at_s - MONDAY_S) // HOUR_S % HOURS_OF_WEEK


def has_calendar(at_s: int) -> bool:
    """Return whether an instant is a calendar date; False for times counted from 0.

    at_s: epoch seconds.

    >>> has_calendar(12_902_960), has_calendar(1_790_812_800)
    (False, True)
    """
    return at_s >= FIRST_DAY_S


def iso_utc(at_s: int) -> str:
    """Format epoch seconds as ISO 8601 UTC with Z: 2026-01-31T05:00:00Z.

    >>> iso_utc(0)
    '1970-01-01T00:00:00Z'
    """
    return f"{datetime.fromtimestamp(at_s, UTC):%Y-%m-%dT%H:%M:%SZ}"


def iso_day(at_s: int) -> str:
    """Format epoch seconds as an ISO date where they are midnight UTC, otherwise as `iso_utc`.

    >>> iso_day(86_400), iso_day(3_600)
    ('1970-01-02', '1970-01-01T01:00:00Z')
    """
    return iso_utc(at_s) if at_s % DAY_S else iso_utc(at_s)[:10]


@lru_cache(maxsize=4096)
def instant_s(text: str) -> int:
    """Return the epoch seconds of an ISO date (00:00 UTC) or time; without a zone the time is UTC.

    Cached, because a plan reads the few dates of its offers millions of times. Errors: ValueError.

    >>> instant_s("1970-01-02"), instant_s("1970-01-01T01:00:00+01:00")
    (86400, 0)
    """
    at = datetime.fromisoformat(text)
    return int((at.replace(tzinfo=UTC) if at.tzinfo is None else at).timestamp())


@lru_cache(maxsize=4096)
def is_day(text: str) -> bool:
    """Return whether a text is a calendar date in the form 2026-01-31.

    >>> is_day("2026-02-28"), is_day("2026-02-30"), is_day("20260228")
    (True, False, False)
    """
    try:
        return len(date.fromisoformat(text).isoformat()) == len(text)
    except ValueError:
        return False


def months_after(iso: str, months: int) -> str | None:
    """Return the same day `months` later, or the month's last day; None outside the calendar or without a date.

    >>> months_after("2026-01-31", 1), months_after("2026-01-01T06:00:00Z", 12)
    ('2026-02-28', '2027-01-01T06:00:00Z')
    """
    try:
        day = date.fromisoformat(iso[:10])
        year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
        first = date(year, month + 1, 1)
        last = (date(year + (month == 11), (month + 1) % 12 + 1, 1) - timedelta(days=1)).day
        return first.replace(day=min(day.day, last)).isoformat() + iso[10:]
    except (ValueError, OverflowError):
        return None


def months_on(at_s: int, months: int) -> int:
    """Return the instant `months` calendar months later, epoch seconds UTC; for times counted from 0 a month has 730 h.

    >>> iso_day(months_on(instant_s("2027-01-31"), 6)), months_on(0, 2) == 2 * MONTH_S
    ('2027-07-31', True)
    """
    later = months_after(iso_utc(at_s), months) if has_calendar(at_s) else None
    return at_s + months * MONTH_S if later is None else instant_s(later)


@dataclass(frozen=True, slots=True)
class Window:
    """A half-open span of whole hours, such as the lookback period.

    start_s: epoch seconds UTC on a whole hour. hours: at least 1. timezone: for display only.
    """

    start_s: int
    hours: int
    timezone: str = "UTC"

    def __post_init__(self) -> None:
        """Check the values. Errors: ValueError if the start is no whole hour or `hours` is below 1."""
        if self.start_s % HOUR_S or self.hours < 1:
            raise ValueError(
                f"window: start {self.start_s} s, {self.hours} h; give whole hours, at least one"
            )

    @property
    def end_s(self) -> int:
        """End of the window: epoch seconds of the first instant after it."""
        return self.start_s + self.hours * HOUR_S

    def later(self, seconds: int) -> "Window":
        """Return a window of the same length that starts `seconds` later, or earlier if negative.

        seconds: a multiple of 3,600. Errors: ValueError for a part of an hour.
        """
        return Window(self.start_s + seconds, self.hours, self.timezone)

    @property
    def months(self) -> float:
        """Length in months of 730 h; an amount of the window divided by `months` is the amount per month."""
        return self.hours / HOURS_PER_MONTH


# --- The days of a week, Monday first, short and long --------------------------------------------

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
