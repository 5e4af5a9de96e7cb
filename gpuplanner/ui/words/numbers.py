"""Figures as they are shown: dollars, changes, rates, GPU-hours, shares, dates, and what is unknown."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from gpuplanner.charts.kit.plain_text import WRITE, by_count, capital, day, grouped, locale, use_locale
from gpuplanner.domain.figures.writing import MINUS, UNKNOWN
from gpuplanner.domain.model.amounts import PartSum
from gpuplanner.domain.model.window import instant_s, is_day
from gpuplanner.lazy_re import lazy_re

__all__ = ["MINUS", "UNKNOWN", "capital", "locale", "use_locale"]

MIDDOT: Final = " \u00b7 "
EN_DASH: Final = "\u2013"

_TYPED: Final = lazy_re(r"([$+-]*)(\d[\d.,\s\u2019']*)(\s*[%KMBTkmbt]?)")

whole, one_decimal, gpus, rate = WRITE.whole, WRITE.one_decimal, WRITE.gpus, WRITE.rate
dollars, change, percent, of_unit = WRITE.amount, WRITE.change, WRITE.percent, WRITE.of_unit
significant, way_ms = WRITE.significant, WRITE.way_ms

AT_LEAST: Final = "\u2265 "


def sum_of(of: PartSum, write: Callable[[float | None], str] = dollars) -> str:
    """$612,032 of a sum; with a mark before it where a part of it has no price: it is at least that.

    write: how amounts are written there.
    """
    return (AT_LEAST if of.is_at_least else "") + write(of.written)


def with_dollar(text: str) -> str:
    """$612,032 of a whole amount that is written already."""
    return f"{MINUS}{WRITE.money()}{text[1:]}" if text.startswith(MINUS) else f"{WRITE.money()}{text}"


def cents(value: float | None) -> str:
    """$2.75: rates in text, amounts in tool tips."""
    return dollars(value, 2)


def fine_rate(value: float) -> str:
    """$2.7525: a mean rate in a sum that is worked out before the planner's eyes."""
    return dollars(value, 4)


def fine(value: float) -> str:
    """2.9589 months: a factor in a sum that is worked out before the planner's eyes."""
    return WRITE.number(value, 4)


def dollar_change(value: float | None) -> str:
    """+$1,200 or a true minus with $2,303."""
    return change(value, WRITE.money())


def gpu_hours(hours: float) -> str:
    """Whole GPU-hours; of a few minutes two figures, for they are not nothing.

    >>> gpu_hours(5840.4), gpu_hours(0.4167)
    ('5,840', '0.42')
    """
    return whole(hours) if hours >= 1 else significant(hours, 2)


def whole_percent(share: float) -> str:
    """97%, for confidence."""
    return percent(share, 0)


def short_dollars(value: float) -> str:
    """$612k, $7.3M: axes only.

    A minus stands before the sign of the currency.
    """
    if abs(value) >= 1e6:
        return f"{dollars(value / 1e6, 1)}M"
    return f"{dollars(value / 1e3)}k" if abs(value) >= 1e3 else dollars(value)


def date(epoch_s: int) -> str:
    """29 Nov 2026, in UTC."""
    return day(epoch_s)


def iso_date(text: str) -> str:
    """29 Nov 2026 of a day as files have it; any other text as it is."""
    return date(instant_s(text)) if is_day(text) else text


def short_date(epoch_s: int) -> str:
    """3 Jul, in UTC."""
    return day(epoch_s, "d MMM")


def span(start_s: int, end_s: int) -> str:
    """3 Jul - 30 Sep 2026 with a true dash: the last day is shown, the stored end is exclusive.

    Epoch seconds, UTC. The year stands once where both days are of it.
    """
    last = end_s - 1
    if date(start_s) == date(last):
        return date(last)
    same_year = datetime.fromtimestamp(start_s, UTC).year == datetime.fromtimestamp(last, UTC).year
    return f"{short_date(start_s) if same_year else date(start_s)} {EN_DASH} {date(last)}"


def counted(count: int, single: str, many: str = "") -> str:
    """1 job, 2 jobs; in a language with other forms, one of those."""
    return by_count(count, "{count} " + single, "{count} " + (many or single + "s"), count=grouped(count))


def clock(at_s: int | None, *, with_day: bool = False) -> str:
    """17:54, or 20 Nov 17:54, in UTC.

    Empty where the time is unknown.
    """
    if at_s is None:
        return ""
    minutes = at_s // 60 % (24 * 60)
    time = f"{minutes // 60:02d}:{minutes % 60:02d}"
    return f"{short_date(at_s)} {time}" if with_day else time


_THOUSANDS: Final = {"k": 1e3, "m": 1e6}


def plain_amount(text: str) -> str:
    """An amount of money as people say it, "$400k" or "1.2m", as the domain reads it; else as `plain_number`."""
    bare = text.strip().removeprefix("$").strip()
    if (times := _THOUSANDS.get(bare[-1:].casefold())) is None:
        return plain_number(bare)
    try:
        return f"{float(plain_number(bare[:-1].strip())) * times:.15g}"
    except ValueError:
        return text


def plain_number(text: str) -> str:
    """1234.5 for a number that the planner wrote in the locale, with or without groups: as the domain reads it.

    A percent or dollar sign stays, as the T of 15T. What is no number in the locale ("1.5" where that is 1,5; a name)
    stays as it is.
    """
    if (match := _TYPED.fullmatch(text.strip().replace(MINUS, "-"))) is None:
        return text
    before, written, after = match.groups()
    of = locale()
    group = of.groupSeparator()
    if group.isspace():
        written = lazy_re(r"\s").sub(group, written)
    if not of.toDouble(written)[1]:
        return text
    plain = written.replace(group, "").replace(of.decimalPoint(), ".")
    return f"{before}{plain}{after}"


def number_in(text: str) -> float | None:
    """The number that a text of a table begins with, in the locale: "≥ $1,234 open" is 1234; None without one."""
    without_signs = text.removeprefix(AT_LEAST).replace(WRITE.money(), "")
    bare = lazy_re(r"[ \u00a0%](?!\d)").split(without_signs, maxsplit=1)[0]
    try:
        return float(plain_number(bare))
    except ValueError:
        return None
