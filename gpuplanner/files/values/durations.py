"""Durations: text to whole seconds, in every form that schedulers print."""

import re
from fractions import Fraction
from typing import Final

from gpuplanner.files.sources.source import NOT_SET
from gpuplanner.files.values import numbers, unit_words
from gpuplanner.files.values.times import MISSING_TEXTS
from gpuplanner.files.values.written_dates import LONGEST_TEXT
from gpuplanner.lazy_re import lazy_re

SECONDS_PER: Final = {
    "s": Fraction(1),
    "min": Fraction(60),
    "h": Fraction(3600),
    "epoch_s": Fraction(1),
    "epoch_ms": Fraction(1, 1000),
}
"""Units of times and durations given as plain numbers; for a time they count from 1970 UTC."""

_SLURM: Final = lazy_re(
    r"^(?:(?P<days>\d+)-)?(?:(?P<hours>\d+):)?(?P<minutes>\d+):(?P<seconds>\d+)(?:\.\d+)?$|^(?P<d>\d+)-(?P<h>\d+)(?::(?P<m>\d+))?$"
)
_DURATION_NUMBER: Final = r"\d{1,9}(?:\.\d{1,9})?"
_WORD: Final = {
    unit: unit_words.pattern_of(unit_words.number_words(unit)) for unit in ("day", "hour", "minute", "second")
}
_SPELLED: Final = lazy_re(
    rf"(?ai)^P?(?:(?P<days>{_DURATION_NUMBER})\s*{_WORD['day']},?\s*)?T?"
    rf"(?:(?P<clock>\d\d?:[0-5]\d:[0-5]\d)(?:\.\d+)?|(?:(?P<hours>{_DURATION_NUMBER})\s*{_WORD['hour']},?\s*)?"
    rf"(?:(?P<minutes>{_DURATION_NUMBER})\s*{_WORD['minute']},?\s*)?(?:(?P<seconds>{_DURATION_NUMBER})\s*{_WORD['second']})?)$"
)
_SECONDS_AT_MOST: Final = 10**11


def read_seconds(text: str, unit: str = "s") -> int | None:
    """A plain number in a unit, in seconds, fractions cut off; None where it is none.

    >>> read_seconds("1.5", "min")
    90
    """
    number = numbers.read_decimal(text)
    if number is None:
        return None
    seconds = int(Fraction(number) * SECONDS_PER[unit])
    return seconds if abs(seconds) <= _SECONDS_AT_MOST else None


def read_duration(text: str, unit: str = "s") -> int | None:
    """`2-03:04:05`, `03:04:05`, `04:05`, `04:05.678`, `2-03`, or a plain number in a unit; None for anything else.

    Spelled out too: `2 days, 3:04:05`, `1h 30m`, `PT90M`, `1.5 hours`.

    >>> read_duration("12-14:16:39"), read_duration("1h 30m")
    (1088199, 5400)
    """
    match = _SLURM.match(text.strip()[:LONGEST_TEXT])
    if match is None:
        seconds = read_seconds(text, unit)
        return _spelled_out(text.strip()) if seconds is None else seconds
    days, hours = int(match["days"] or match["d"] or 0), int(match["hours"] or match["h"] or 0)
    minutes, seconds = int(match["minutes"] or match["m"] or 0), int(match["seconds"] or 0)
    if seconds > 59 or (minutes > 59 and (days or match["hours"])) or (hours > 23 and days):
        return None
    total = ((days * 24 + hours) * 60 + minutes) * 60 + seconds
    return total if total <= _SECONDS_AT_MOST else None


HOURS_AND_MINUTES: Final = r"^\s*([0-9]+):([0-9]{1,2})\s*$"
"""12:30 of a spreadsheet's [h]:mm, for the regular expressions of any engine."""


def with_seconds(text: str) -> str:
    """Hours and minutes as hours, minutes and seconds; any other text as it is.

    >>> with_seconds("12:30"), with_seconds("1:02:03")
    ('12:30:00', '1:02:03')
    """
    return re.sub(HOURS_AND_MINUTES, r"\1:\2:00", text)


_NO_LIMIT: Final = frozenset(
    {"unlimited", "infinite", "partition_limit", "invalid", "not_set", "-1", "inf", *MISSING_TEXTS, *NOT_SET}
)
_LONGEST_LIMIT_S: Final = 2**31 - 1


def read_time_limit(text: str, unit: str = "s") -> int | None:
    """How long a job may run, in seconds; 0 for one that has no limit (UNLIMITED, Partition_Limit, 2^32 - 1, zero).

    As `read_duration` reads it; None where it is none. A limit over 68 years is none.

    >>> read_time_limit("1-00:00:00"), read_time_limit("60", "min"), read_time_limit("UNLIMITED")
    (86400, 3600, 0)
    """
    if text.strip().lower() in _NO_LIMIT:
        return 0
    seconds = read_duration(text, unit)
    if seconds is None or seconds < 0:
        return None
    return seconds if seconds <= _LONGEST_LIMIT_S else 0


def _spelled_out(text: str) -> int | None:
    """Seconds of a duration in words, such as 2 days 3 h; None where it is none or too long."""
    match = _SPELLED.match(text[: 2 * LONGEST_TEXT])
    parts = {} if match is None else {name: part for name, part in match.groupdict().items() if part}
    if not parts:
        return None
    total = sum((Fraction(parts.get(name, 0)) * size for name, size in _SECONDS_OF), Fraction(0))
    if "clock" in parts:
        hours, minutes, seconds = map(int, parts["clock"].split(":"))
        total += (hours * 60 + minutes) * 60 + seconds
    return int(total) if total <= _SECONDS_AT_MOST else None


_SECONDS_OF: Final = (("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1))
