"""Days and lengths of time as vendors write them into the cells of a quote, read rightly or asked about."""

import re
from datetime import date, timedelta
from typing import Final

from gpuplanner.domain.message import worded
from gpuplanner.domain.model.window import is_day, months_after
from gpuplanner.files.request.quoted_amounts import NOTHING_TOLD, Told, one_number
from gpuplanner.files.request.quoted_words import (
    AS_ASKED,
    BAD_NUMBER,
    BAD_TIME,
    LONGEST_CELL,
    UNDECIDED,
    UnclearError,
    has_odd_signs,
    plain_cell,
    words_of,
)
from gpuplanner.files.values.written_dates import DAY_FIRST, MONTH_FIRST, months_of_period, read_date

_LEAD_HOURS: Final = {
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 1),
    **dict.fromkeys(("d", "day", "days", "tag", "tage", "tagen", "jours"), 24),
    **dict.fromkeys(("w", "wk", "wks", "week", "weeks", "woche", "wochen"), 168),
    **dict.fromkeys(("mo", "mos", "month", "months", "monat", "monate"), 730),
}
_LEAD_FILLERS: Final = frozenset(
    {"from", "after", "order", "aro", "of", "calendar", "lead", "time", "within", "up", "to"}
)
_LONGEST_LEAD_HOURS: Final = 24 * 3660
_FIRST_YEAR, _LAST_YEAR = 2020, 2100
_NUMERIC_DAY: Final = re.compile(
    r"(\d{1,4})\s*([./-])\s*\d{1,2}\s*[./-]\s*\d{1,4}([T ]+\d\d?:\d\d(:\d\d)?(\.\d+)?Z?)?"
)
_SHORT_YEAR: Final = re.compile(r"\d\d[-/]\d{1,2}[-/]\d\d")
_YEAR_FIRST: Final = re.compile(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})")
_LENGTHS: Final = re.compile(
    r"(\d{1,3}(?:\.\d)?)\s*(?:[-–—−]|to|bis|à)\s*(\d{1,3}(?:\.\d)?)\s*([^\W\d_]*(?:\s+[^\W\d_]+)*)", re.I
)
_HOLDS: Final = re.compile(
    r"(?:valid\s+)?(?:for\s+)?(\d{1,3})\s*(d|days?|tage?n?|w|wks?|weeks?|wochen?|mos?|months?|monate?n?)\b(.*)",
    re.I,
)
_HOLDS_FILLERS: Final = frozenset(
    {"from", "after", "of", "the", "date", "day", "quote", "quoted", "quotation", "this", "offer"}
    | {"validity", "calendar"}
)
_AS_DAYS: Final = worded("write whole days, such as 14")
_AS_DAY: Final = worded("write it as 2026-12-31")


def read_lead_hours(text: str, told: Told = NOTHING_TOLD) -> float:
    """Hours from order to delivery; a number alone counts days. Errors: UnclearError.

    Of a range with a unit the longer one counts; without one it may be a day.

    >>> [read_lead_hours(text) for text in ("2 weeks", "14", "336 h", "in stock", "2-3 weeks")]
    [336.0, 336.0, 336.0, 0.0, 504.0]
    """
    if plain_cell(text) in AS_ASKED:
        return 0.0
    if not told.is_typed and longer_of(text) != text:
        if not words_of(text) - {"to", "bis", "à"}:
            raise UnclearError(UNDECIDED, worded("a range without a unit may be a day"), _AS_DAYS)
        text = longer_of(text)
    words = set() if told.is_typed else words_of(text) - _LEAD_FILLERS
    each = {_LEAD_HOURS.get(word, 0) for word in words}
    number = None if 0 in each or len(each) > 1 or has_odd_signs(text) else one_number(text, told)
    if number is None or not 0 <= number * (hours := each.pop() if each else 24) <= _LONGEST_LEAD_HOURS:
        raise UnclearError(BAD_NUMBER, worded("it is no number of days"), _AS_DAYS)
    return float(number * hours)


def longer_of(text: str) -> str:
    """The longer of two lengths of time with a dash between them; the text itself where it is no such range.

    >>> longer_of("2-3 weeks"), longer_of("10 to 14 days"), longer_of("3 weeks"), longer_of("3-2 weeks")
    ('3 weeks', '14 days', '3 weeks', '3-2 weeks')
    """
    found = _LENGTHS.fullmatch(text.strip()[:LONGEST_CELL])
    if found is None or float(found[1]) >= float(found[2]):
        return text
    return f"{found[2]} {found[3]}".strip()


def read_last_day(text: str, quoted_on: str | None) -> str | None:
    """The last day of a quote: a day, or a length of time (30 days, 6 weeks, 2 months) from the day it was quoted on.

    None where it says that nothing differs from what was asked. Errors: UnclearError, also where it counts from a day
    that is not told, or to one beyond all quotes.

    >>> read_last_day("30 days", "2026-10-05"), read_last_day("2026-12-01", None)
    ('2026-11-04', '2026-12-01')
    """
    found = _holds(text)
    if found is None:
        return read_day(text)
    if quoted_on is None:
        raise UnclearError(
            UNDECIDED, worded("the day of the quote is not told, from which it counts"), _AS_DAY
        )
    number, unit = int(found[1]), found[2].lower()
    begin, last = date.fromisoformat(quoted_on), None
    if unit.startswith("mo"):
        last = months_after(quoted_on, number)
    elif begin.year <= _LAST_YEAR:
        last = (begin + timedelta(days=number * (7 if unit.startswith("w") else 1))).isoformat()
    if last is None or int(last[:4]) > _LAST_YEAR:
        raise UnclearError(BAD_TIME, worded("it is no day of these years"), _AS_DAY)
    return last[:10]


def is_length(text: str) -> bool:
    """Whether a text says for how long a quote holds, and no day.

    >>> [is_length(text) for text in ("30 days", "2 months from date of quote", "30 working days", "2026-12-01")]
    [True, True, False, False]
    """
    return _holds(text) is not None


def _holds(text: str) -> re.Match[str] | None:
    """Number and unit of a length of time."""
    found = _HOLDS.fullmatch(text.strip()[:LONGEST_CELL])
    return None if found is None or words_of(found[3]) - _HOLDS_FILLERS else found


def read_day(text: str) -> str | None:
    """A day as ISO text; None where it says that nothing differs from what was asked.

    01/12/2026 is asked about, since it is two days; so is a month, and a year of two digits that may be a day. What
    stands behind a day but for its clock is no part of one. Errors: UnclearError.

    >>> [read_day(text) for text in ("1 Dec 2026", "25/12/2026", "1.12.2026", "2026-12-01T00:00:00")]
    ['2026-12-01', '2026-12-25', '2026-12-01', '2026-12-01']
    """
    if plain_cell(text) in AS_ASKED:
        return None
    cleaned = text.strip()
    if found := _YEAR_FIRST.fullmatch(cleaned):
        cleaned = f"{found[1]}-{int(found[2]):02d}-{int(found[3]):02d}"
    has_more = re.match(r"\d{1,4}\s*[./-]\s*\d{1,2}\s*[./-]", cleaned) and not _NUMERIC_DAY.fullmatch(cleaned)
    readings = {read_date(cleaned, order) for order in (DAY_FIRST, MONTH_FIRST)}
    if has_more or None in readings or len(cleaned) > LONGEST_CELL:
        raise UnclearError(BAD_TIME, worded("it is no day"), _AS_DAY)
    if months_of_period(cleaned):
        raise UnclearError(BAD_TIME, worded("it is a period, and no day of it"), _AS_DAY)
    days = {(reading or "")[:10] for reading in readings}
    if len(days) > 1 or _SHORT_YEAR.fullmatch(cleaned):
        raise UnclearError(UNDECIDED, worded("day, month and year cannot be told apart"), _AS_DAY)
    day = days.pop()
    if not is_day(day) or not _FIRST_YEAR <= date.fromisoformat(day).year <= _LAST_YEAR:
        raise UnclearError(BAD_TIME, worded("it is no day of these years"), _AS_DAY)
    return day
