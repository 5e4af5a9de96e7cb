"""Times: text to UTC seconds, with daylight saving of local times. Works on distinct values."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.values.numbers import TEXTS_KEPT
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

EARLIEST_S: Final = -2_208_988_800  # 1900
LATEST_S: Final = 7_258_118_400  # 2200: later dates are placeholders for "never"

MISSING_TEXTS: Final = ("", "unknown", "none", "null", "n/a", "na", "nan", "nat", "-", "--")
"""Texts for an unknown time in logs, in lower case."""

LONGEST_MISSING_TEXT: Final = max(map(len, MISSING_TEXTS))

_FORM: Final = lazy_re(
    r"(?is)^(?P<year>\d{4})-?(?P<month>\d\d)-?(?P<day>\d\d)"
    r"(?:[T ]\s*(?P<hour>\d\d)(?::?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,]\d+)?)?)?)?(?P<rest>.*)$"
)
_OFFSET: Final = lazy_re(r"(?i)^(?:UTC|GMT)?([+-])(\d\d?)(?::?(\d\d))?(?::?(\d\d))?(?:\[.*\])?$")
_NAME: Final = lazy_re(r"^\[?([A-Za-z][A-Za-z0-9_+/-]*)\]?$")


@dataclass(frozen=True, slots=True)
class LocalTime:
    """A time as written: its clock in seconds since 1970, and the text of its zone."""

    clock_s: int
    zone_text: str


@lru_cache(maxsize=TEXTS_KEPT)
def read_time(text: str) -> LocalTime | None:
    """Parse an ISO 8601 time; a date alone is its midnight, fractions of a second are dropped. None for other text.

    clock_s: the clock's time as if it were UTC. zone_text: the remaining text, not parsed.

    >>> read_time("2026-01-31T05:00:00.9+01:00")
    LocalTime(clock_s=1769835600, zone_text='+01:00')
    >>> read_time("31/01/2026") is None
    True
    """
    match = _FORM.match(text.strip())
    if match is None:
        return None
    parts = [int(match[name] or 0) for name in ("year", "month", "day", "hour", "minute", "second")]
    try:
        clock = datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]
    except ValueError:
        return None
    return LocalTime(int((clock - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()), match["rest"].strip())


@dataclass(frozen=True, slots=True)
class Zone:
    """The meaning of a zone text.

    offset_s: a fixed offset; name: an IANA zone; neither: naive, or a fault (issue code).
    """

    offset_s: int | None = None
    name: str | None = None
    fault: str | None = None

    @property
    def is_naive(self) -> bool:
        """Whether the time states no zone."""
        return self.offset_s is None and self.name is None and self.fault is None


def read_zone(zone_text: str) -> Zone:
    """Parse Z, an offset, or a zone name (`2026-01-31 05:00:00 Europe/Oslo`, or in brackets).

    An empty text is a naive zone; other text has a fault: bad_time or unknown_timezone.

    >>> read_zone("+05:30").offset_s, read_zone("Z").offset_s, read_zone("Europe/Oslo").name, read_zone("").is_naive
    (19800, 0, 'Europe/Oslo', True)
    """
    text = zone_text.strip()
    if not text:
        return Zone()
    if text.upper() in ("Z", "UTC", "GMT", "Z[UTC]"):
        return Zone(offset_s=0)
    if match := _OFFSET.match(text):
        hours, minutes, seconds = int(match[2]), int(match[3] or 0), int(match[4] or 0)
        if hours > 18 or minutes > 59 or seconds > 59:
            return Zone(fault="bad_time")
        size = hours * 3600 + minutes * 60 + seconds
        return Zone(offset_s=-size if match[1] == "-" else size)
    if match := _NAME.match(text):
        if is_known_zone(match[1]):
            return Zone(name=match[1])
        is_time = any(letter.isdigit() for letter in match[1])  # the rest of a cut-off time, such as T1
        return Zone(fault="bad_time" if is_time else "unknown_timezone")
    return Zone(fault="bad_time")


@lru_cache(maxsize=256)
def is_known_zone(name: str) -> bool:
    """Return whether the zone database contains a name.

    >>> is_known_zone("Europe/Oslo"), is_known_zone("Oslo")
    (True, False)
    """
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def check_timezone(name: str | None) -> None:
    """Check the value of --timezone. Errors: PlannerError usage for an unknown zone."""
    if name is not None and not is_known_zone(name):
        raise PlannerError(
            repr(name), "usage", worded("unknown time zone"), worded("use a name such as Europe/Oslo or UTC")
        )


@dataclass(frozen=True, slots=True)
class ClockSpan:
    """A part of a zone's clock, from clock_s (seconds since 1970) until the next span.

    Clock time = UTC + offset. earlier_offset_s and later_offset_s give the two instants of a clock time; they differ
    only in a repeated hour. is_skipped: the clock never showed these times, which are read with the old offset.
    """

    clock_s: int
    earlier_offset_s: int
    later_offset_s: int
    is_skipped: bool = False

    @property
    def is_repeated(self) -> bool:
        """Whether the clock showed these times twice."""
        return self.earlier_offset_s != self.later_offset_s


def clock_spans(zone_name: str, first_clock_s: int, last_clock_s: int) -> tuple[ClockSpan, ...]:
    """Return the spans of a zone's clock between two clock times, ascending; the first has no start.

    zone_name: in the zone database. first_clock_s, last_clock_s: seconds since 1970 on the clock, not UTC.
    Law: each span ends where the next starts, so that `span_of` finds one for every time between.
    """
    zone = ZoneInfo(zone_name)

    def offset_s(utc_s: int) -> int:
        """Return the zone's offset from UTC at an instant, both in seconds."""
        at = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(seconds=utc_s)
        shift = at.astimezone(zone).utcoffset()
        assert shift is not None
        return int(shift.total_seconds())

    first = max(EARLIEST_S, min(first_clock_s, LATEST_S)) - 2 * DAY_S
    last = max(EARLIEST_S, min(last_clock_s, LATEST_S)) + 2 * DAY_S
    before = offset_s(first)
    spans = [ClockSpan(-(2**62), before, before)]
    for day in range(first, last, DAY_S):
        low, high = day, day + DAY_S
        after = offset_s(high)
        if after == before:
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset_s(middle) == before else (low, middle)
        if after > before:
            spans.append(ClockSpan(high + before, before, before, is_skipped=True))
            spans.append(ClockSpan(high + after, after, after))
        else:
            spans.append(ClockSpan(high + after, before, after))
            spans.append(ClockSpan(high + before, after, after))
        before = after
    return tuple(spans)


def span_of(spans: Sequence[ClockSpan], clock_s: int) -> ClockSpan:
    """Return the span of a clock time. spans: ascending; the first has no start."""
    return next(span for span in reversed(spans) if span.clock_s <= clock_s)


@lru_cache(maxsize=TEXTS_KEPT)
def utc_seconds(text: str, timezone: str | None = None) -> int | None:
    """Return a time as UTC seconds; None if invalid. timezone: of naive times (None: UTC).

    Of two instants in a repeated hour the earlier. For tables of a few rows; logs use the column-wise `row_validation`.
    """
    local = read_time(text)
    if local is None:
        return None
    zone = read_zone(local.zone_text)
    if zone.fault is not None:
        return None
    name = zone.name or (timezone if zone.is_naive else None)
    if name is not None:
        span = span_of(clock_spans(name, local.clock_s, local.clock_s), local.clock_s)
        seconds = local.clock_s - span.earlier_offset_s
    else:
        seconds = local.clock_s - (zone.offset_s or 0)
    return seconds if EARLIEST_S <= seconds < LATEST_S else None
