"""Dates as people write them, column by column, and dates that are not ISO 8601."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Final, NamedTuple

from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values import numbers
from gpuplanner.files.values.times import read_time
from gpuplanner.lazy_re import lazy_re

DAY_FIRST: Final = "dmy"
MONTH_FIRST: Final = "mdy"
NO_YEAR: Final = "no_year"
"""Days and months alone: `Dec-31` is no month of 2031."""
SERIAL: Final = "serial"
"""Days since the last day but one of 1899, as spreadsheets keep dates."""

_FIRST_SERIAL, _LAST_SERIAL = 20_000, 80_000  # 1954 to 2119
_MONTHS: Final = {name: int(number) for name, number in plain_table("month").items()}
_PARTS: Final = lazy_re(r"^(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4}|\d\d)(?:[T ,].*)?$")
_DAY_NAME: Final = lazy_re(r"^(\d{1,2})(?:st|nd|rd|th|er|\.)?(?: of)?[\s-]*([^\W\d]+)\.?[\s,-]*(\d{4}|\d\d)$")
_NAME_DAY: Final = lazy_re(r"^([^\W\d]+)\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$")
_YEAR_MONTH: Final = lazy_re(r"^(\d{4})\s*[-/.]\s*(\d{1,2})$")
_YEAR_FIRST: Final = lazy_re(r"^(\d{4})\s*[-/.]\s*(\d{1,2})(?:\s*[-/.]\s*(\d{1,2})(?:[T ,].*)?)?$")
_QUARTER: Final = lazy_re(r"(?i)^Q([1-4])[\s/'-]*(\d{4})$|^(\d{4})[\s/-]*Q([1-4])$")
_NAME_YEAR: Final = lazy_re(r"^([^\W\d]+)\.?(?:[\s-]+(?=\d{4}$)|-(?=[2-4]\d$)|\s?['\u2019])(\d\d|\d{4})$")
"""Of two digits behind a hyphen, as spreadsheets show a month: Jan-26."""
_DAY_OR_YEAR: Final = lazy_re(r"^([^\W\d]+)\.?-(2[0-9]|3[01])$")
_NAME_ALONE: Final = lazy_re(r"^(?:(\d{1,2})\.?[\s-]*([^\W\d]+)\.?|([^\W\d]+)\.?[\s-]*([01]?\d))$")


def lacks_year(text: str) -> bool:
    """Whether a text is a day and a month and no year.

    >>> [lacks_year(text) for text in ("1-Jan", "Jan 15", "15. März", "Jan-26", "1 Jan 2026")]
    [True, True, True, False, False]
    """
    match = _NAME_ALONE.match(text.strip())
    return match is not None and (match[2] or match[3]).lower() in _MONTHS


def may_lack_year(text: str) -> bool:
    """Whether a month and two digits are its last day as well as a month of that year.

    >>> [may_lack_year(text) for text in ("Dec-31", "Feb-28", "Jan-27")]
    [True, True, False]
    """
    match = _DAY_OR_YEAR.match(text.strip())
    if match is None or (month := _MONTHS.get(match[1].lower())) is None:
        return False
    return int(match[2]) >= (28 if month == 2 else 30 + (month in (1, 3, 5, 7, 8, 10, 12)))


class DecidedOrder(NamedTuple):
    """Order of day and month in a column (None: undecided), and whether it stays open."""

    order: str | None
    is_open: bool


def decide_order(texts: Iterable[str]) -> DecidedOrder:
    """Day or month first, or serials, as a column's cells say (None: they say nothing), and whether it stays open.

    >>> decide_order(["1/2/2026", "1/31/2026"])
    DecidedOrder(order='mdy', is_open=False)
    >>> decide_order(["1/2/2026"]).is_open, decide_order(["1.2.2026"]).is_open
    (True, False)
    """
    days = months = serials = others = is_open = 0
    for text in texts:
        match = _PARTS.match(text.strip())
        if match is None:
            is_serial = _serial(text) is not None
            serials += is_serial
            others += not is_serial
            continue
        first, sign, second = int(match[1]), match[2], int(match[3])
        others += 1
        if sign == ".":
            continue
        days += first > 12
        months += second > 12
        is_open += first <= 12 and second <= 12 and first != second
    if serials and not others:
        return DecidedOrder(order=SERIAL, is_open=False)
    if days and months:
        return DecidedOrder(order=DAY_FIRST if days >= months else MONTH_FIRST, is_open=bool(is_open))
    if days:
        return DecidedOrder(order=DAY_FIRST, is_open=False)
    if months:
        return DecidedOrder(order=MONTH_FIRST, is_open=False)
    return DecidedOrder(order=None, is_open=bool(is_open))


@lru_cache(maxsize=numbers.TEXTS_KEPT)
def read_date(text: str, order: str = MONTH_FIRST) -> str | None:
    """A date as ISO text; what is ISO already stays as it is. None where it is no date.

    A month or a quarter is its first day.

    >>> read_date("31.1.2026"), read_date("1/2/2026"), read_date("1/2/2026", DAY_FIRST), read_date("2026/1/2")
    ('2026-01-31', '2026-01-02', '2026-02-01', '2026-01-02')
    """
    cleaned = text.strip()
    if read_time(cleaned) is not None:
        return cleaned
    if match := _QUARTER.match(cleaned):
        return _iso(match[2] or match[3], 3 * int(match[1] or match[4]) - 2, 1)
    if match := _PARTS.match(cleaned):
        first, sign, second = int(match[1]), match[2], int(match[3])
        is_day_first = sign == "." or first > 12 or (order == DAY_FIRST and second <= 12)
        day, month = (first, second) if is_day_first else (second, first)
        return _iso(match[4], month, day)
    if match := _DAY_NAME.match(cleaned):
        return _iso(match[3], _MONTHS.get(match[2].lower()), int(match[1]))
    if match := _NAME_DAY.match(cleaned):
        return _iso(match[3], _MONTHS.get(match[1].lower()), int(match[2]))
    if (match := _NAME_YEAR.match(cleaned)) and not (order == NO_YEAR and _DAY_OR_YEAR.match(cleaned)):
        return _iso(match[2], _MONTHS.get(match[1].lower()), 1)
    if match := _YEAR_FIRST.match(cleaned):
        return _iso(match[1], int(match[2]), int(match[3] or 1))
    serial = _serial(cleaned)
    return None if serial is None else (date(1899, 12, 30) + timedelta(days=serial)).isoformat()


def months_of_period(text: str) -> int:
    """How many months a text is that names a month or a quarter in place of a day; 0 of any other.

    >>> [months_of_period(text) for text in ("Dec 2026", "2026-12", "Q4 2026", "3.4.26")]
    [1, 1, 3, 0]
    """
    cleaned = text.strip()
    if read_date(cleaned) is None:
        return 0
    if _QUARTER.match(cleaned):
        return 3
    return 1 if _NAME_YEAR.match(cleaned) or _YEAR_MONTH.match(cleaned) else 0


def _serial(text: str) -> int | None:
    """The days of a spreadsheet's serial date; None for other numbers."""
    cleaned = text.strip()
    if not re.match(r"^\d{5}(?:\.\d+)?$", cleaned):
        return None
    days = int(float(cleaned))
    return days if _FIRST_SERIAL <= days <= _LAST_SERIAL else None


def _iso(year: str, month: int | None, day: int) -> str | None:
    """A date in ISO; None if there is none such. Years of two digits are of this century."""
    if month is None:
        return None
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), month, day).isoformat()
    except ValueError:
        return None


_CLOCKS: Final = ("", " %H:%M:%S", " %H:%M", " %H:%M:%S.%f", " %I:%M:%S %p", " %I:%M %p")
_NAMED_MONTHS: Final = ("%d/%b/%Y", "%d %b %Y", "%b %d, %Y", "%b %d %Y")
_DATES: Final = {
    "ymd": ("%Y/%m/%d",),
    "dmy": ("%d/%m/%Y", *_NAMED_MONTHS),
    "mdy": ("%m/%d/%Y", *_NAMED_MONTHS),
}
FORMS_OF: Final[Mapping[str, tuple[str, ...]]] = {
    unit: tuple(date + clock for date in dates for clock in _CLOCKS) for unit, dates in _DATES.items()
}
"""By unit of --map: how a date and its clock may be written, with one slash for any sign between the numbers."""

_SIGNS: Final = r"^(\w+)[-./](\w+)[-./](\w+)[-T,]? *"
_SHORT_YEAR: Final = r"^(\w{1,3}/\w{1,3}/)(\d\d) "
LONGEST_TEXT: Final = 40


_SERIAL: Final = r"^\s*([2-6][0-9]{4})([.,][0-9]+)?\s*$"


def iso_sql(column: str, unit: str) -> str:
    """SQL: the text of a column as ISO 8601 where it is such a date, else as it is.

    unit: one of `FORMS_OF`, or the spreadsheet's serial number of days since 30 December 1899.
    Years of two digits are of this century.
    """
    if unit == SERIAL:
        days = f"try_cast(replace({column}, ',', '.') as double)"
        at = f"timestamp '1899-12-30' + to_seconds(cast(round({days} * 86400) as bigint))"
        return (
            f"case when regexp_matches({column}, '{_SERIAL}') "
            f"then strftime({at}, '%Y-%m-%dT%H:%M:%S') else {column} end"
        )
    forms = ", ".join(f"'{form}'" for form in FORMS_OF[unit])
    plain = rf"regexp_replace(trim({column}), '{_SIGNS}', '\1/\2/\3 ')"
    plain = rf"trim(regexp_replace({plain}, '{_SHORT_YEAR}', '\120\2 '))"
    return f"coalesce(strftime(try_strptime({plain}, [{forms}]), '%Y-%m-%dT%H:%M:%S'), {column})"


def serial_days(text: str) -> float | None:
    """A date as a spreadsheet counts days, of 1954 to 2091; None where it is none.

    >>> serial_days("46140,5"), serial_days("460")
    (46140.5, None)
    """
    return float(text.strip().replace(",", ".")) if re.match(_SERIAL, text) else None


def iso_text(text: str, unit: str) -> str | None:
    """The same of one text; None where it is no such date.

    >>> iso_text("31.1.2026 5:03", "dmy"), iso_text("1/31/26", "mdy"), iso_text("soon", "ymd")
    ('2026-01-31T05:03:00', '2026-01-31T00:00:00', None)
    """
    if unit == SERIAL:
        days = serial_days(text)
        if days is None:
            return None
        return (datetime(1899, 12, 30, tzinfo=UTC) + timedelta(seconds=round(days * 86400))).strftime(
            "%Y-%m-%dT%H:%M:%S"
        )
    plain = re.sub(_SIGNS, r"\1/\2/\3 ", text.strip(" ")[:LONGEST_TEXT], flags=re.A)
    plain = re.sub(_SHORT_YEAR, r"\g<1>20\2 ", plain, flags=re.A).strip(" ")
    return iso_of(plain, FORMS_OF[unit])


def iso_of(text: str, forms: Iterable[str]) -> str | None:
    """A time in the first of some forms that fits, as ISO 8601 on its own clock; None where none does."""
    for form in forms:
        try:
            return datetime.strptime(text, form).replace(tzinfo=UTC).strftime("%Y-%m-%dT%H:%M:%S")
        except ValueError:
            continue
    return None
