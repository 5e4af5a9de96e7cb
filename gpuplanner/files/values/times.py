"""Times: text to UTC seconds, with what daylight saving makes of local ones. Works on distinct values."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import DAY_S

EARLIEST_S: Final = -2_208_988_800  # 1900
LATEST_S: Final = 7_258_118_400  # 2200: later dates are placeholders for "never"

MISSING_TEXTS: Final = ("", "unknown", "none", "null", "n/a", "na", "nan", "nat", "-", "--")
"""What logs write where they know no time, in lower case."""

LONGEST_MISSING_TEXT: Final = max(map(len, MISSING_TEXTS))

_FORM: Final = re.compile(
    r"^(?P<year>\d{4})-?(?P<month>\d\d)-?(?P<day>\d\d)"
    r"(?:[T ]\s*(?P<hour>\d\d)(?::?(?P<minute>\d\d)(?::?(?P<second>\d\d)(?:[.,]\d+)?)?)?)?(?P<rest>.*)$",
    re.I | re.S,
)
_OFFSET: Final = re.compile(r"^(?:UTC|GMT)?([+-])(\d\d?)(?::?(\d\d))?(?::?(\d\d))?(?:\[.*\])?$", re.I)
_NAME: Final = re.compile(r"^\[?([A-Za-z][A-Za-z0-9_+/-]*)\]?$")


@dataclass(frozen=True, slots=True)
class LocalTime:
    """A time as written: seconds of its own clock since 1970, and what it says about its zone."""

    clock_s: int
    zone_text: str


def read_time(text: str) -> LocalTime | None:
    """An ISO 8601 time (a date alone is its midnight); fractions of a second are cut off.

    None where it is none.

    clock_s of the answer is the clock's reading as if it were UTC; what follows it is the text of the zone,
    not read yet.

    >>> read_time("2026-01-31T05:00:00.9+01:00")
    LocalTime(clock_s=1769835600, zone_text='+01:00')
    >>> read_time("31/01/2026") is None
    True
    """
    found = _FORM.match(text.strip())
    if found is None:
        return None
    parts = [int(found[name] or 0) for name in ("year", "month", "day", "hour", "minute", "second")]
    try:
        clock = datetime(*parts, tzinfo=UTC)  # type: ignore[misc, arg-type]
    except ValueError:
        return None
    return LocalTime(int((clock - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds()), found["rest"].strip())


@dataclass(frozen=True, slots=True)
class Zone:
    """What a zone text means. offset_s: a fixed offset; name: an IANA zone; neither: naive, or at fault."""

    offset_s: int | None = None
    name: str | None = None
    fault: str | None = None

    @property
    def is_naive(self) -> bool:
        """Whether the time says nothing of its zone."""
        return self.offset_s is None and self.name is None and self.fault is None


def read_zone(zone_text: str) -> Zone:
    """Z, an offset, or the name of a zone (`2026-01-31 05:00:00 Europe/Oslo`, or in brackets).

    An empty text is a zone that is not stated; one that is none has a fault: bad_time, or unknown_timezone.

    >>> read_zone("+05:30").offset_s, read_zone("Z").offset_s, read_zone("Europe/Oslo").name, read_zone("").is_naive
    (19800, 0, 'Europe/Oslo', True)
    """
    text = zone_text.strip()
    if not text:
        return Zone()
    if text.upper() in ("Z", "UTC", "GMT", "Z[UTC]"):
        return Zone(offset_s=0)
    if found := _OFFSET.match(text):
        hours, minutes, seconds = int(found[2]), int(found[3] or 0), int(found[4] or 0)
        if hours > 18 or minutes > 59 or seconds > 59:
            return Zone(fault="bad_time")
        size = hours * 3600 + minutes * 60 + seconds
        return Zone(offset_s=-size if found[1] == "-" else size)
    if found := _NAME.match(text):
        if is_known_zone(found[1]):
            return Zone(name=found[1])
        is_time = any(letter.isdigit() for letter in found[1])  # the rest of a time that is cut off, like T1
        return Zone(fault="bad_time" if is_time else "unknown_timezone")
    return Zone(fault="bad_time")


@lru_cache(maxsize=256)
def is_known_zone(name: str) -> bool:
    """Whether the zone database has it.

    >>> is_known_zone("Europe/Oslo"), is_known_zone("Oslo")
    (True, False)
    """
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        return False
    return True


def check_timezone(name: str | None) -> None:
    """Errors: PlannerError usage for a --timezone that the zone database does not have."""
    if name is not None and not is_known_zone(name):
        raise PlannerError(
            repr(name), "usage", worded("no such time zone"), worded("use a name like Europe/Oslo or UTC")
        )


@dataclass(frozen=True, slots=True)
class ClockSpan:
    """From clock_s on (a zone's own clock, seconds since 1970) until the next span.

    A clock time is utc + offset. earlier_offset_s gives the earlier of its instants, later_offset_s the later one;
    they differ where the hour is repeated. is_skipped: the clock never showed it; it is read with the old offset.
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
    """The spans of a zone's clock between two of its times, ascending; the first reaches back without end.

    zone_name: of the zone database. The two times are seconds since 1970 as the clock showed them, not UTC.
    Law: each span reaches up to the next, so that `span_of` finds one for every time between.
    """
    zone = ZoneInfo(zone_name)

    def offset_s(utc_s: int) -> int:
        """The zone's offset from UTC in seconds at an instant."""
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
    """The span that a clock time falls in.

    spans ascend, and the first reaches back without end: there always is one.
    """
    return next(span for span in reversed(spans) if span.clock_s <= clock_s)


def utc_seconds(text: str, timezone: str | None = None) -> int | None:
    """One time as UTC seconds, naive ones read in timezone (None: UTC), the earlier instant where there are two.

    None where it is no time. For tables of a few rows; logs take the column-wise way of `row_fates`.
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
