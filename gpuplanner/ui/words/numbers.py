"""Figures as they are shown: dollars, changes, rates, GPU-hours, shares, dates, and what is unknown."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from math import floor, isfinite, log10
from typing import Final

from PySide6.QtCore import QDate, QLocale

from gpuplanner.charts.kit.translation import by_count, currency
from gpuplanner.domain.model.money_signs import before_amount
from gpuplanner.domain.model.part_sum import PartSum
from gpuplanner.domain.serving.transit import LONGEST_MS
from gpuplanner.ui.words.translation import tr

UNKNOWN: Final = "\u2014"
MINUS: Final = "\u2212"
MIDDOT: Final = " \u00b7 "
EN_DASH: Final = "\u2013"


def use_locale(chosen: QLocale | None = None) -> None:
    """Write figures as this locale does from now on; None: as the system's does."""
    QLocale.setDefault(QLocale.system() if chosen is None else chosen)
    locale.cache_clear()
    _grouped.cache_clear()
    significant.cache_clear()


@lru_cache(maxsize=1)
def locale() -> QLocale:
    """The planner's locale; where the system names none ("C"), figures are grouped as in English."""
    found = QLocale()
    if found.language() == QLocale.Language.C:
        return QLocale(QLocale.Language.English, QLocale.Country.UnitedStates)
    return found


@lru_cache(maxsize=20_000)  # a repaint asks for hundreds of figures, and most of them have not changed
def _grouped(value: float, decimals: int = 0) -> str:
    """A number with the language's signs for thousands and decimals."""
    return locale().toString(float(value), "f", decimals)


def _sign() -> str:
    """What stands before an amount of money: the sign of the project's currency, or its code."""
    return before_amount(currency())


def _signless(value: float, decimals: int) -> str:
    """The same without its sign."""
    return _grouped(abs(value), decimals)


def whole(value: float | None) -> str:
    """612,032: dollars under a heading with their unit, GPU-hours, counts."""
    if value is None:
        return UNKNOWN
    return (MINUS if round(value) < 0 else "") + _signless(value, 0)


def dollars(value: float | None) -> str:
    """$612,032, for text and headline."""
    if value is None:
        return UNKNOWN
    return (MINUS if round(value) < 0 else "") + _sign() + _signless(value, 0)


AT_LEAST: Final = "\u2265 "


def sum_of(of: PartSum, write: Callable[[float | None], str] = dollars) -> str:
    """$612,032 of a sum; with a mark before it where a part of it has no price: it is at least that.

    write: how amounts are written there.
    """
    return (AT_LEAST if of.is_at_least else "") + write(of.written)


def with_dollar(text: str) -> str:
    """$612,032 of a whole amount that is written already."""
    return f"{MINUS}{_sign()}{text[1:]}" if text.startswith(MINUS) else f"{_sign()}{text}"


def cents(value: float | None) -> str:
    """$2.75: rates in text, amounts in tool tips."""
    if value is None:
        return UNKNOWN
    return (MINUS if round(value, 2) < 0 else "") + _sign() + _signless(value, 2)


def fine_rate(value: float) -> str:
    """$2.7525: a mean rate in a sum that is worked out before the planner's eyes."""
    return (MINUS if value < 0 else "") + _sign() + _signless(value, 4)


def fine(value: float) -> str:
    """2.9589 months: a factor in a sum that is worked out before the planner's eyes."""
    return _grouped(value, 4)


def change(value: float | None) -> str:
    """+128,480 or a true minus: always a sign, but for nothing at all."""
    if value is None:
        return UNKNOWN
    rounded = round(value)
    return ("+" if rounded > 0 else MINUS if rounded < 0 else "\u00b1") + _signless(rounded, 0)


def dollar_change(value: float | None) -> str:
    """+$1,200 or a true minus with $2,303."""
    if value is None:
        return UNKNOWN
    rounded = round(value)
    return ("+" if rounded > 0 else MINUS if rounded < 0 else "\u00b1") + _sign() + _signless(rounded, 0)


def rate(value: float | None) -> str:
    """2.75 under a heading "$ per GPU-h"; a missing rate is a quote to ask for."""
    return tr("quote needed") if value is None else _grouped(value, 2)


def gpus(value: float | None) -> str:
    """64 where it is whole, 4.6 where it is a mean."""
    if value is None:
        return UNKNOWN
    return _grouped(value, 0) if abs(value - round(value)) < 1e-9 else _grouped(value, 1)


def one_decimal(value: float | None) -> str:
    """4.6 GPUs as a mean, 9.1 months."""
    return UNKNOWN if value is None else _grouped(value, 1)


@lru_cache(maxsize=5_000)
def significant(value: float, digits: int = 10) -> str:
    """1,234.5 of 1234.5: at most so many digits that say something, and no zeros after them.

    Zero and what is no number are written plainly.
    """
    if value == 0 or not isfinite(value):
        return _grouped(value)
    decimals = max(0, digits - 1 - floor(log10(abs(value))))
    places = len(f"{value:.{decimals}f}".rstrip("0").partition(".")[2]) if decimals else 0
    return _grouped(round(value, decimals), places)


def percent(share: float | None, decimals: int = 1) -> str:
    """39.0% of a share 0..1; two decimals in "Why this number?".

    None is a dash. A share over 1 is over 100%.
    """
    if share is None:
        return UNKNOWN
    value = round(100 * share, decimals)
    return (MINUS if value < 0 else "") + _signless(value, decimals) + "%"


def whole_percent(share: float) -> str:
    """97%, for confidence."""
    return f"{_grouped(round(100 * share))}%"


def short_dollars(value: float) -> str:
    """$612k, $7.3M: axes only.

    A minus stands before the sign of the currency.
    """
    size = abs(value)
    sign = (MINUS if value < 0 else "") + _sign()
    if size >= 1e6:
        return f"{sign}{_grouped(size / 1e6, 1)}M"
    return f"{sign}{_grouped(size / 1e3, 0)}k" if size >= 1e3 else f"{sign}{_grouped(size)}"


def date(epoch_s: int) -> str:
    """29 Nov 2026, in UTC."""
    day = datetime.fromtimestamp(epoch_s, UTC)
    return locale().toString(QDate(day.year, day.month, day.day), "d MMM yyyy")


def short_date(epoch_s: int) -> str:
    """3 Jul, in UTC."""
    day = datetime.fromtimestamp(epoch_s, UTC)
    return locale().toString(QDate(day.year, day.month, day.day), "d MMM")


def span(start_s: int, end_s: int) -> str:
    """3 Jul - 30 Sep 2026 with a true dash: the last day is shown, the stored end is exclusive.

    Epoch seconds, UTC. The year stands once where both days are of it.
    """
    last = end_s - 1
    if date(start_s) == date(last):
        return date(last)
    same_year = datetime.fromtimestamp(start_s, UTC).year == datetime.fromtimestamp(last, UTC).year
    return f"{short_date(start_s) if same_year else date(start_s)} {EN_DASH} {date(last)}"


def capital(text: str) -> str:
    """A note as a sentence: it begins with a capital, unless with a name (`vela-h100: ...`)."""
    is_name = text.split(" ", 1)[0].endswith(":")
    return text if is_name else text[:1].upper() + text[1:]


def counted(count: int, one: str, many: str = "") -> str:
    """1 job, 2 jobs; in a language with other forms, one of those."""
    return by_count(count, "{count} " + one, "{count} " + (many or one + "s"), count=_grouped(count))


def way_ms(ms: float | None) -> str:
    """86.4 under a heading in ms; what is over 80 by less than a tenth with as many places as show it.

    So no way is written as 80 that is over the limit.
    """
    if ms is None:
        return UNKNOWN
    text = one_decimal(ms)
    return text if (ms > LONGEST_MS) == (round(ms, 1) > LONGEST_MS) else significant(ms, 6)


def clock(at_s: int | None, *, with_day: bool = False) -> str:
    """17:54, or 20 Nov 17:54, in UTC.

    Empty where the time is unknown.
    """
    if at_s is None:
        return ""
    minutes = at_s // 60 % (24 * 60)
    time = f"{minutes // 60:02d}:{minutes % 60:02d}"
    return f"{short_date(at_s)} {time}" if with_day else time
