"""Dates, durations and terms as people, clouds and schedulers write them."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from fractions import Fraction
from functools import lru_cache
from typing import Final

from gpuplanner.files.sources.source import NOT_SET
from gpuplanner.files.system.resources import plain_table
from gpuplanner.files.values import numbers, unit_words
from gpuplanner.files.values.times import MISSING_TEXTS, read_time
from gpuplanner.lazy_re import lazy_re

# --- Dates as people write them in tables, column by column: 31.1.2026, 1/31/2026, 31 Jan 2026, a spreadsheet's serial

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


def decide_order(texts: Iterable[str]) -> tuple[str | None, bool]:
    """Day or month first, or serials, as a column's cells say (None: they say nothing), and whether it stays open.

    >>> decide_order(["1/2/2026", "1/31/2026"]), decide_order(["1/2/2026"]), decide_order(["1.2.2026"])
    (('mdy', False), (None, True), (None, False))
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
        return SERIAL, False
    if days and months:
        return (DAY_FIRST if days >= months else MONTH_FIRST), bool(is_open)
    if days:
        return DAY_FIRST, False
    if months:
        return MONTH_FIRST, False
    return None, bool(is_open)


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


# --- Dates that are not ISO 8601 (31/01/2026, Jan 31 2026): the same forms for the engine and for Python

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
_LONGEST_TEXT: Final = 40


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
    plain = re.sub(_SIGNS, r"\1/\2/\3 ", text.strip(" ")[:_LONGEST_TEXT], flags=re.A)
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


# --- Durations: text to whole seconds, in every form that schedulers print -----------------------

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
    match = _SLURM.match(text.strip()[:_LONGEST_TEXT])
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
    match = _SPELLED.match(text[: 2 * _LONGEST_TEXT])
    parts = {} if match is None else {name: part for name, part in match.groupdict().items() if part}
    if not parts:
        return None
    total = sum((Fraction(parts.get(name, 0)) * size for name, size in _SECONDS_OF), Fraction(0))
    if "clock" in parts:
        hours, minutes, seconds = map(int, parts["clock"].split(":"))
        total += (hours * 60 + minutes) * 60 + seconds
    return int(total) if total <= _SECONDS_AT_MOST else None


_SECONDS_OF: Final = (("days", 86_400), ("hours", 3600), ("minutes", 60), ("seconds", 1))


# --- Terms as people and clouds write them: 3 yrs, 36 mo, 12 Monate, P1Y, THIRTY_SIX_MONTH, in months

MONTHS: Final = "months"
YEARS: Final = "years"
LONGEST_TERM_MONTHS: Final = 1200

_WORDS: Final = {word: int(number) for word, number in plain_table("number_word").items()}
_LONGEST_FIRST: Final = tuple(sorted(_WORDS.items(), key=lambda item: -len(item[0])))
_UNITS: Final = tuple(
    (lazy_re(rf"(?i)^{unit_words.pattern_of(unit_words.term_words(unit))}\b"), months)
    for unit, months in (("year", 12), ("month", 1))
)
_ISO: Final = lazy_re(r"(?i)^P(?:(\d{1,3})Y)?(?:(\d{1,4})M)?$")
_WORD_BEGINS: Final = lazy_re(r"(?<![^\W_])(?<![.,])[^\W_]")
_RANGE_BEFORE: Final = lazy_re(r"(?i)\d\s*(?:[-–/]|to|or|bis|oder|à|ou)\s*$")
"""What stands before the second of two numbers with one unit."""
_TERM_NUMBER: Final = lazy_re(r"(?s)^(\d{1,4}(?:[.,]\d{1,2})?)[\s_-]*(.*)$")


def read_term(text: str, unit: str = MONTHS) -> int | None:
    """Whole months; unit: what a number without one counts. None where it is no term.

    >>> read_term("3 yrs"), read_term("36 mo"), read_term("P1Y"), read_term("THIRTY_SIX_MONTH"), read_term("1", YEARS)
    (36, 36, 12, 36, 12)
    """
    text = re.sub(r"^[^\W\d_]+\s*\((\d+)\)", r"\1", text.strip())  # one (1) year
    cleaned = text.strip("()[]").replace("_MONTH", " month").replace("_YEAR", " year")
    if match := _ISO.match(cleaned):
        months = int(match[1] or 0) * 12 + int(match[2] or 0)
        return months if 0 < months <= LONGEST_TERM_MONTHS else None
    for word, number in _LONGEST_FIRST if cleaned[:1].isalpha() else ():
        if cleaned.lower().startswith(word + " ") or cleaned.lower() == word:
            cleaned = f"{number}{cleaned[len(word) :]}"
            break
    match = _TERM_NUMBER.match(cleaned)
    if match is None:
        return None
    rest = match[2].strip()
    per = 12 if unit == YEARS else 1
    if rest:
        per = next((months for pattern, months in _UNITS if pattern.match(rest)), 0)
    months_exact = float(match[1].replace(",", ".")) * per
    months = round(months_exact)
    return months if months == months_exact and 0 < months <= LONGEST_TERM_MONTHS else None


def term_within(text: str) -> int | None:
    """The one term that stands among other words, with its unit; None where there is none, or more than one.

    >>> term_within("Reserved 1 year"), term_within("RI-3yr, No Upfront"), term_within("1-3 years")
    (12, 36, None)
    """
    found: set[int] = set()
    after = 0
    for word in _WORD_BEGINS.finditer(text):
        term = text[word.start() :]
        if word.start() < after or (months := read_term(term)) is None or not names_its_unit(term):
            continue
        if _RANGE_BEFORE.search(text[: word.start()]):
            return None
        found.add(months)
        after = word.start() + len(
            term.split(maxsplit=1)[0]
        )  # the six of THIRTY_SIX_MONTH is none of its own
    return found.pop() if len(found) == 1 else None


def names_its_unit(text: str) -> bool:
    """Whether a term says what it counts.

    >>> names_its_unit("36"), names_its_unit("3 yrs"), names_its_unit("2)")
    (False, True, False)
    """
    return re.search(r"[^\W\d]", text) is not None
