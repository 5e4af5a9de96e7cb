"""Figures on axes and in the tips of charts, as the planner's locale writes them."""

from PySide6.QtCore import QLocale


def grouped(value: float, decimals: int = 0) -> str:
    """1,234 or 1.234: with so many decimals; the window chooses the locale (`QLocale.setDefault`).

    decimals: digits after the point. Where no locale was chosen figures are written as in US English.
    """
    locale = QLocale()
    if locale.language() == QLocale.Language.C:
        locale = QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    return locale.toString(float(value), "f", decimals)


def short(value: float) -> str:
    """2.5 or 2,5 at a tick: no zeros after the last digit that says something, six digits at most.

    value: as it stands at the tick, in the unit of the axis.
    """
    decimals = len(f"{float(value):.6g}".partition(".")[2]) if "e" not in f"{float(value):.6g}" else 0
    return grouped(value, decimals)
