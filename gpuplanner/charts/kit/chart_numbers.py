"""The planner's locale, and how it writes digits and days: in charts and in the window."""

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QDate, QLocale

from gpuplanner.domain.figures.writing import UNKNOWN, Writer
from gpuplanner.domain.model.window import DAY_S

_EPOCH: Final = QDate(1970, 1, 1)


def use_locale(chosen: QLocale | None = None) -> None:
    """Write figures as this locale does from now on; None: as the system's does."""
    QLocale.setDefault(QLocale.system() if chosen is None else chosen)
    locale.cache_clear()
    grouped.cache_clear()


@lru_cache(maxsize=1)
def locale() -> QLocale:
    """The planner's locale; where the system names none ("C"), figures are grouped as in English."""
    found = QLocale()
    if found.language() == QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    return found


@lru_cache(maxsize=20_000)  # a repaint asks for hundreds of figures, and most of them have not changed
def grouped(value: float, decimals: int = 0) -> str:
    """1,234 or 1.234: with so many decimals, in the locale's signs for thousands and decimals."""
    return locale().toString(float(value), "f", decimals)


def day(at_s: int | None, form: str = "d MMM yyyy") -> str:
    """29 Nov 2026, in UTC, with the locale's name of the month; a dash for what is unknown. at_s: epoch seconds."""
    if at_s is None:
        return UNKNOWN
    return locale().toString(_EPOCH.addDays(at_s // DAY_S), form)


_PLAIN: Final = Writer(grouped)


def short(value: float) -> str:
    """2.5 or 2,5 at a tick: no zeros after the last digit that says something, six digits at most.

    value: as it stands at the tick, in the unit of the axis.
    """
    return _PLAIN.significant(value, 6)
