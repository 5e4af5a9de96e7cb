"""Times of samples: epoch numbers and local texts to UTC seconds, fast enough for one a row."""

from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from gpuplanner.files.values.times import LATEST_S, ClockSpan, clock_spans, read_time, read_zone, span_of
from gpuplanner.lazy_re import lazy_re

EARLIEST_SAMPLE_S: Final = 946_684_800  # 2000: nobody measured GPUs before; a smaller number is no time

LARGEST_TIME: Final = 1e19  # nanoseconds of the year 2286

_NUMBER: Final = lazy_re(r"(?i)^\d{9,19}(?:\.\d+)?$|^\d\.\d+e\+?\d{1,2}$")
_SLASHES: Final = lazy_re(r"^(\d{4})/(\d\d)/(\d\d)")
_PER_SECOND: Final = ((10**17, 10**9), (10**14, 10**6), (10**11, 10**3), (0, 1))
"""From that size on a number counts so many to the second."""


class Clock:
    """Reads the times of one file. timezone: of those that state none (None: UTC)."""

    def __init__(self, timezone: str | None) -> None:
        self._timezone = timezone
        self._last: tuple[str, tuple[int | None, bool]] = ("", (None, False))

    def read(self, text: str) -> tuple[int | None, bool]:
        """Epoch seconds, fractions cut off (None: no time), and whether it was a local time without a zone.

        Local times are read in the zone that the clock was made with, UTC without one.
        """
        if text != self._last[0]:  # samples come in groups of one time
            self._last = (text, self._read(text.strip()))
        return self._last[1]

    def _read(self, text: str) -> tuple[int | None, bool]:
        """An instant in UTC seconds, None where it cannot be read or is out of range.

        And whether it stated no zone.
        A local time that a change of clocks makes ambiguous is read as the earlier of the two.
        """
        if _NUMBER.match(text):
            return epoch_s(float(text)), False
        local = read_time(_SLASHES.sub(r"\1-\2-\3", text))
        if local is None:
            return None, False
        zone = read_zone(local.zone_text)
        if zone.fault is not None:
            return None, False
        name = zone.name or (self._timezone if zone.is_naive else None)
        offset_s = zone.offset_s or 0
        if name is not None:
            year = datetime.fromtimestamp(max(0, min(local.clock_s, LATEST_S)), UTC).year
            offset_s = span_of(_spans_of_year(name, year), local.clock_s).earlier_offset_s
        return _in_range(local.clock_s - offset_s), zone.is_naive


def epoch_s(number: float) -> int | None:
    """Epoch seconds of a number in seconds, milli-, micro- or nanoseconds, told by its size.

    None outside of the years that samples may be of.

    >>> epoch_s(1769835600), epoch_s(1769835600.5e3), epoch_s(1769835600e9), epoch_s(12)
    (1769835600, 1769835600, 1769835600, None)
    """
    if not 0 <= number < LARGEST_TIME:
        return None
    for size, per_second in _PER_SECOND:
        if number >= size:
            return _in_range(int(number // per_second))
    return None


def _in_range(at_s: int) -> int | None:
    """The instant itself, or None where no sample can be that old or that late."""
    return at_s if EARLIEST_SAMPLE_S <= at_s < LATEST_S else None


@lru_cache(maxsize=64)
def _spans_of_year(name: str, year: int) -> tuple[ClockSpan, ...]:
    """The offsets of a zone over one calendar year.

    A local time needs no more, and a year is looked up but once.
    """
    first, after = (int(datetime(at, 1, 1, tzinfo=UTC).timestamp()) for at in (year, year + 1))
    return clock_spans(name, first, after)
