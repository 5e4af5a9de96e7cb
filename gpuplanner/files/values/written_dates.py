"""Dates as people write them in tables, column by column: 31.1.2026, 1/31/2026, 31 Jan 2026, a spreadsheet's serial."""

import re
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final

from gpuplanner.domain.model.window import DAY_S
from gpuplanner.files.values.times import read_time, utc_seconds

DAY_FIRST: Final = "dmy"
MONTH_FIRST: Final = "mdy"
SERIAL: Final = "serial"
"""Days since the last day but one of 1899, as spreadsheets keep dates."""

_FIRST_SERIAL, _LAST_SERIAL = 20_000, 80_000  # 1954 to 2119
_MONTHS: Final = {
    name: number
    for number, names in enumerate(
        (
            "jan january januar janvier enero januari",
            "feb february februar fevrier février febrero februari",
            "mar march mär märz mrz maerz mars marzo",
            "apr april avril abril",
            "may mai mayo maj",
            "jun june juni juin junio",
            "jul july juli juillet julio",
            "aug august août aout agosto augusti",
            "sep sept september septembre septiembre",
            "oct october okt oktober octobre octubre",
            "nov november novembre noviembre",
            "dec december dez dezember décembre decembre diciembre des desember",
        ),
        1,
    )
    for name in names.split()
}
_PARTS: Final = re.compile(r"^(\d{1,2})\s*([./-])\s*(\d{1,2})\s*\2\s*(\d{4}|\d\d)(?:[T ,].*)?$")
_DAY_NAME: Final = re.compile(r"^(\d{1,2})(?:st|nd|rd|th|\.)?[\s-]*([^\W\d]+)\.?[\s,-]*(\d{4}|\d\d)$")
_NAME_DAY: Final = re.compile(r"^([^\W\d]+)\.?\s*(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})$")
_YEAR_MONTH: Final = re.compile(r"^(\d{4})\s*[-/.]\s*(\d{1,2})$")
_QUARTER: Final = re.compile(r"^Q([1-4])[\s/'-]*(\d{4})$|^(\d{4})[\s/-]*Q([1-4])$", re.I)
_NAME_YEAR: Final = re.compile(r"^([^\W\d]+)\.?[\s-]+(\d{4})$")


def decide_order(texts: Iterable[str]) -> tuple[str | None, bool]:
    """Day or month first, or serials, as a column's cells say (None: they say nothing), and whether it stays open.

    >>> decide_order(["1/2/2026", "1/31/2026"]), decide_order(["1/2/2026"]), decide_order(["1.2.2026"])
    (('mdy', False), (None, True), (None, False))
    """
    days = months = serials = others = is_open = 0
    for text in texts:
        found = _PARTS.match(text.strip())
        if found is None:
            is_serial = _serial(text) is not None
            serials += is_serial
            others += not is_serial
            continue
        first, sign, second = int(found[1]), found[2], int(found[3])
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
    return (DAY_FIRST if days else MONTH_FIRST if months else None), bool(is_open and not days and not months)


def read_date(text: str, order: str = MONTH_FIRST) -> str | None:
    """A date as ISO text; what is ISO already stays as it is. None where it is no date.

    A month or a quarter is its first day.

    >>> read_date("31.1.2026"), read_date("1/2/2026"), read_date("1/2/2026", DAY_FIRST), read_date("1 Jan 2026")
    ('2026-01-31', '2026-01-02', '2026-02-01', '2026-01-01')
    """
    cleaned = text.strip()
    if read_time(cleaned) is not None:
        return cleaned
    if found := _QUARTER.match(cleaned):
        return _iso(found[2] or found[3], 3 * int(found[1] or found[4]) - 2, 1)
    if found := _PARTS.match(cleaned):
        first, sign, second = int(found[1]), found[2], int(found[3])
        is_day_first = sign == "." or first > 12 or (order == DAY_FIRST and second <= 12)
        day, month = (first, second) if is_day_first else (second, first)
        return _iso(found[4], month, day)
    if found := _DAY_NAME.match(cleaned):
        return _iso(found[3], _MONTHS.get(found[2].lower()), int(found[1]))
    if found := _NAME_DAY.match(cleaned):
        return _iso(found[3], _MONTHS.get(found[1].lower()), int(found[2]))
    if found := _NAME_YEAR.match(cleaned):
        return _iso(found[2], _MONTHS.get(found[1].lower()), 1)
    if found := _YEAR_MONTH.match(cleaned):
        return _iso(found[1], int(found[2]), 1)
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
    return (
        3 if _QUARTER.match(cleaned) else 1 if _NAME_YEAR.match(cleaned) or _YEAR_MONTH.match(cleaned) else 0
    )


def is_day_before(iso: str, other: str) -> bool:
    """Whether a date is the day before another: how people write the last day of a term.

    >>> is_day_before("2026-02-28", "2026-03-01"), is_day_before("2026-03-01", "2026-03-01")
    (True, False)
    """
    one, two = utc_seconds(iso), utc_seconds(other)
    return one is not None and two is not None and two - one == DAY_S


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
