"""A day as people type it: one day, or none if it could be two."""

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QDate, QLocale

from gpuplanner.charts.kit.user_locale import day_locale
from gpuplanner.lazy_re import lazy_re
from gpuplanner.ui.words import numbers

FORMAT: Final = "d MMM yyyy"
"""As days are shown everywhere."""
_ISO: Final = lazy_re(r"(\d{4})-(\d{1,2})-(\d{1,2})")
_NUMBERS: Final = lazy_re(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})")
_YEARS_ON: Final = 8
"""How far a day without a year is looked for: 29 February comes within these."""


def read_day(text: str, locale: QLocale, first: QDate, shown: QDate) -> QDate | None:
    """The day of `31 May 2027`, `31 May`, `May 31, 2027`, `2027-05-31`, `31.5.2027`; None where it is not one day.

    Without a year: the year of the day that is shown, or the next in which it is not before the first one. Figures
    alone are read as the locale writes them; with another separator than the locale's only where one order makes a day.
    """
    text = " ".join(text.split())
    date = locale.toDate(text, FORMAT)
    if date.isValid():
        return date
    if match := _ISO.fullmatch(text):
        return _valid(*map(int, match.groups()))
    if match := _NUMBERS.fullmatch(text):
        # A day in numbers in the language's own order; with other signs only if it can be but one day
        former, other, year = int(match[1]), int(match[3]), int(match[4])
        day_first, month_first = _valid(year, other, former), _valid(year, former, other)
        short = locale.dateFormat(QLocale.FormatType.ShortFormat)
        if match[2] in short and "d" in short and "M" in short:
            return day_first if short.index("d") < short.index("M") else month_first
        both = {day.toJulianDay(): day for day in (day_first, month_first) if day is not None}
        return next(iter(both.values())) if len(both) == 1 else None
    return _from_words(text, locale, first, shown)


def read_typed_day(text: str, first: QDate, shown: QDate) -> QDate | None:
    """`read_day` as the language writes days, else as figures are written."""
    by_language = read_day(text, day_locale(), first, shown)
    return by_language or read_day(text, numbers.locale(), first, shown)


def _from_words(text: str, locale: QLocale, first: QDate, shown: QDate) -> QDate | None:
    """A day with the month as a word; without a year the first such day that may be chosen.

    None if parts are left.
    """
    months, figures = [], []
    for part in text.replace(",", " ").split():
        bare = part.rstrip(".")
        if month := _month(bare, locale):
            months.append(month)
        elif bare.isdecimal():
            figures.append(bare)
        else:
            return None
    days = [int(figure) for figure in figures if len(figure) <= 2]
    years = [int(figure) for figure in figures if len(figure) == 4]
    if (len(months), len(days)) != (1, 1) or len(years) > 1 or len(figures) != 1 + len(years):
        return None
    if years:
        return _valid(years[0], months[0], days[0])
    later = (_valid(shown.year() + more, months[0], days[0]) for more in range(_YEARS_ON + 1))
    return next((day for day in later if day is not None and day >= first), None)


def _month(word: str, locale: QLocale) -> int:
    """1 to 12 of a month's name, short or long, or of so much of it that no other month begins so; else 0."""
    sought = word.casefold()
    short, long = QLocale.FormatType.ShortFormat, QLocale.FormatType.LongFormat
    names: list[Callable[[int], str]] = [
        lambda month: locale.monthName(month, short),
        lambda month: locale.standaloneMonthName(month, short),
        lambda month: locale.monthName(month, long),
        lambda month: locale.standaloneMonthName(month, long),
    ]
    by_month = [{name(month).casefold().rstrip(".") for name in names} for month in range(1, 13)]
    exact = [at for at, known in enumerate(by_month, 1) if sought in known]
    begun = [at for at, known in enumerate(by_month, 1) if any(name.startswith(sought) for name in known)]
    months = exact or (begun if len(sought) >= 3 and sought.isalpha() else [])
    return months[0] if len(months) == 1 else 0


def _valid(year: int, month: int, day: int) -> QDate | None:
    """A day, or None where the calendar has none."""
    date = QDate(year, month, day)
    return date if date.isValid() else None
