"""Locale of the user: digits and days in charts and in the window."""

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QDate, QLocale

from gpuplanner.domain.figures.writing import UNKNOWN, Writer
from gpuplanner.domain.model.window import DAY_S

_EPOCH: Final = QDate(1970, 1, 1)

_DAYS: Final[list[QLocale | None]] = [None]
"""The locale of month names where it differs from that of figures; [None]: the same."""


def use_locale(chosen: QLocale | None = None, days: QLocale | None = None) -> None:
    """Set the locale of figures. chosen: None is the system's. days: the locale of month names; None: the same."""
    QLocale.setDefault(QLocale.system() if chosen is None else chosen)
    _DAYS[0] = days
    locale.cache_clear()
    grouped.cache_clear()


@lru_cache(maxsize=1)
def locale() -> QLocale:
    """Return the user's locale; English (United States) where the system names none ("C")."""
    system = QLocale()
    if system.language() == QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    return system


def day_locale() -> QLocale:
    """Return the locale of the language, which names months, whatever the locale of figures."""
    return _DAYS[0] or locale()


@lru_cache(maxsize=20_000)  # a repaint asks for hundreds of figures, and few have changed
def grouped(value: float, decimals: int = 0) -> str:
    """Format a number with thousands separators and `decimals` places, in the user's locale."""
    return locale().toString(float(value), "f", decimals)


def day(at_s: int | None, form: str = "d MMM yyyy") -> str:
    """Format a UTC day, as 29 Nov 2026, with month names of the language; a dash for None. at_s: epoch seconds."""
    return UNKNOWN if at_s is None else day_locale().toString(_EPOCH.addDays(at_s // DAY_S), form)


def day_in(text: str) -> int | None:
    """Parse a day in the format of `day`. Returns the Julian day; None for other text."""
    date = day_locale().toDate(text, "d MMM yyyy")
    return date.toJulianDay() if date.isValid() else None


_PLAIN: Final = Writer(digits=grouped)


def short(value: float) -> str:
    """Format a tick value with at most six significant digits: 2.5 or 2,5.

    value: in the unit of the axis.
    """
    return _PLAIN.significant(value, 6)
