"""Figures as the planner's locale and currency write them, in charts and in the window."""

from functools import lru_cache
from typing import Final

from PySide6.QtCore import QLocale

from gpuplanner.charts.kit.translation import currency, tr
from gpuplanner.domain.figures.writing import Writer
from gpuplanner.domain.model.money_signs import before_amount


def use_locale(chosen: QLocale | None = None) -> None:
    """Write figures as this locale does from now on; None: as the system's does."""
    QLocale.setDefault(QLocale.system() if chosen is None else chosen)
    locale.cache_clear()
    grouped.cache_clear()
    significant.cache_clear()


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


WRITE: Final = Writer(grouped, lambda: before_amount(currency()), tr, "\u00b1")
"""How charts and window write figures."""


@lru_cache(maxsize=5_000)
def significant(value: float, digits: int = 10) -> str:
    """1,234.5 of 1234.5: at most so many digits that say something, and no zeros after them."""
    return WRITE.significant(value, digits)


def short(value: float) -> str:
    """2.5 or 2,5 at a tick: no zeros after the last digit that says something, six digits at most.

    value: as it stands at the tick, in the unit of the axis.
    """
    return significant(value, 6)
