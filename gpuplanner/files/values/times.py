"""Times: text to UTC seconds, time zones as SQL, and the lookback period."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

from gpuplanner.domain.figures.typed import whole
from gpuplanner.domain.message import worded
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import DAY_S, HOUR_S, Window
from gpuplanner.files.system.engine import sql_text
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- Times: text to UTC seconds, with daylight saving of local times. Works on distinct values ----

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


# --- Time zones as SQL: the zone texts of a log, applied by column --------------------------------

_UNKNOWN_NAMES_AT_MOST: Final = 1000  # with more, garbage after times, the rest is plainly bad_time


class Zones:
    """The zone texts of a file as SQL over a column of texts and a column of clock seconds."""

    def __init__(self, clocks: Mapping[str, tuple[int, int]], timezone: str | None) -> None:
        """Create the SQL. clocks: first and last clock second of each zone text; timezone: of times without a zone."""
        zones = {text: read_zone(text) for text in sorted(clocks)}
        self.has_zoned = any(not zone.is_naive for zone in zones.values())
        self._naive = [text for text, zone in zones.items() if zone.is_naive]
        unknown = [text for text, zone in zones.items() if zone.fault == "unknown_timezone"]
        self._unknown = unknown[:_UNKNOWN_NAMES_AT_MOST]
        self._spans = {
            text: zone_spans(zone, clocks[text], timezone) for text, zone in zones.items() if not zone.fault
        }

    @property
    def is_fixed(self) -> bool:
        """Whether every zone has one offset for all times of the file.

        One subtraction then handles all rows; otherwise each time needs a search in the spans.
        """
        return all(len(spans) == 1 for spans in self._spans.values())

    def figure(self, rest: str, clock_s: str, of_span: Callable[[ClockSpan], int]) -> str:
        """Return SQL for a figure of each time's span; null for a faulty zone.

        rest: SQL of the text after a time. clock_s: SQL of its clock in seconds. of_span: returns the figure.
        """
        return _case(
            rest, [(text, _search(spans, clock_s, of_span)) for text, spans in self._spans.items()], "null"
        )

    def fault(self, rest: str) -> str:
        """Return SQL for the code of an unknown zone, otherwise null."""
        return _case(rest, [(text, "'unknown_timezone'") for text in self._unknown], "null")

    def is_naive(self, rest: str) -> str:
        """Return SQL for whether a time states no zone."""
        return _case(rest, [(text, "true") for text in self._naive], "false")


def zone_spans(zone: Zone, clocks: tuple[int, int], timezone: str | None) -> Sequence[ClockSpan]:
    """Return the spans of a zone without a fault; a fixed offset is one span without a start.

    clocks: first and last clock time, seconds since 1970. timezone: of naive times.
    """
    name = zone.name or (timezone if zone.is_naive else None)
    if name is not None:
        return clock_spans(name, *clocks)
    offset_s = zone.offset_s or 0
    return (ClockSpan(-(2**62), offset_s, offset_s),)


def _search(spans: Sequence[ClockSpan], clock_s: str, of_span: Callable[[ClockSpan], int]) -> str:
    """Return SQL for a binary search in the spans."""
    if len({of_span(span) for span in spans}) == 1:
        return str(of_span(spans[0]))
    middle = len(spans) // 2
    low, high = (_search(half, clock_s, of_span) for half in (spans[:middle], spans[middle:]))
    return f"case when {clock_s} < {spans[middle].clock_s} then {low} else {high} end"


def _case(text: str, branches: Iterable[tuple[str, str]], otherwise: str) -> str:
    """Return SQL for a choice by text; only `otherwise` without branches."""
    whens = " ".join(f"when {sql_text(value)} then {result}" for value, result in branches)
    return f"case {text} {whens} else {otherwise} end" if whens else otherwise


# --- The lookback period: the whole log, its last days, or given bounds ---------------------------

DEFAULT_DAYS: Final = 90

LONGEST_HOURS: Final = 50 * 366 * 24
"""Longer bounds are a mistake, and hourly figures over them would fill the memory."""


@dataclass(frozen=True, slots=True)
class WindowRequest:
    """The requested lookback period; None applies the rule of docs/formulas/basics.md, Units and months.

    start_s, end_s: epoch seconds UTC on whole hours. days: length without a start. whole_log: from the first start to
    the last end (`reduce`); given bounds still apply.
    """

    start_s: int | None = None
    end_s: int | None = None
    days: int | None = None
    whole_log: bool = False

    @property
    def years(self) -> tuple[int, ...]:
        """Years between two given bounds, ascending; empty if one is missing.

        A period that ends with a year does not include the next.
        """
        if (
            self.start_s is None
            or self.end_s is None
            or not EARLIEST_S <= self.start_s < self.end_s < LATEST_S
        ):
            return ()
        first, last = (datetime.fromtimestamp(at_s, UTC).year for at_s in (self.start_s, self.end_s - 1))
        return tuple(range(first, last + 1))


@dataclass(frozen=True, slots=True)
class LogSpan:
    """Times of accepted jobs of any kind, epoch seconds; None if no job states one.

    last_finished_s: last end of a job that is not running. last_end_s: last end of any job (a running one has an end if
    the log states its elapsed time). last_start_s: of any job.
    """

    first_start_s: int | None
    last_start_s: int | None
    last_end_s: int | None
    last_finished_s: int | None


def choose_window(request: WindowRequest, span: LogSpan, timezone: str = "UTC") -> Window | None:
    """Return the lookback period; None without jobs and bounds.

    Errors: PlannerError usage if the bounds are empty, out of range or not whole hours.
    """
    for bound in (request.start_s, request.end_s):
        if bound is not None and bound % HOUR_S:
            raise PlannerError(
                "window",
                "usage",
                worded("start or end is not a whole hour"),
                worded("use whole hours in UTC"),
            )
        if bound is not None and not EARLIEST_S <= bound < LATEST_S:
            raise PlannerError(
                "window", "usage", worded("out of range"), worded("use years from 1900 to 2199")
            )
    if request.days is not None and request.days < 1:
        raise PlannerError(
            "window",
            "usage",
            worded("{days} days is too short", days=whole(request.days)),
            worded("use 1 day or more"),
        )
    end_s = request.end_s if request.end_s is not None else _end_of_log(request, span)
    if end_s is None:
        return None
    start_s = request.start_s if request.start_s is not None else _start_of_log(request, span, end_s)
    if end_s <= start_s:
        raise PlannerError(
            "window",
            "usage",
            worded("it ends before it starts")
            if request.end_s is not None
            else worded("starts after the last job"),
            worded("choose an earlier start, or a later end"),
        )
    is_asked = (request.start_s, request.end_s, request.days) != (None, None, None)
    if is_asked and end_s - start_s > LONGEST_HOURS * HOUR_S:
        raise PlannerError(
            "window",
            "usage",
            worded("{years} years is too long", years=whole((end_s - start_s) / (365.25 * DAY_S))),
            worded("use 50 years or less"),
        )
    return Window(start_s, (end_s - start_s) // HOUR_S, timezone)


def _end_of_log(request: WindowRequest, span: LogSpan) -> int | None:
    """Return the end of the lookback period: the hour after the last finished job; None for a log without jobs.

    For the whole log, running jobs count too.
    """
    if span.first_start_s is None or span.last_start_s is None:
        return None
    last = span.last_finished_s
    if last is None or (request.whole_log and span.last_end_s is not None):
        last = max(span.last_end_s or span.last_start_s, span.last_start_s if last is None else last)
    return max(-(-last // HOUR_S) * HOUR_S, span.first_start_s // HOUR_S * HOUR_S + HOUR_S)


def _start_of_log(request: WindowRequest, span: LogSpan, end_s: int) -> int:
    """Return the start of the lookback period: so many days before its end, but not before the first job."""
    first_s = None if span.first_start_s is None else span.first_start_s // HOUR_S * HOUR_S
    if request.whole_log and request.days is None and first_s is not None and first_s < end_s:
        return first_s
    start_s = end_s - (request.days or DEFAULT_DAYS) * DAY_S
    # never before the first job, unless all jobs come after the end
    return max(start_s, first_s) if first_s is not None and first_s < end_s else start_s
