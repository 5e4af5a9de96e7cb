"""Figures as shown in the window: dollars, changes, rates, GPU-hours, shares, dates, and unknown values."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from gpuplanner.charts.kit.translation import WRITE, by_count, capital
from gpuplanner.charts.kit.user_locale import day, grouped, locale, use_locale
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
    """Format a sum, as $612,032, with a mark in front if it is a lower bound.

    write: the format of the amount.
    """
    return (AT_LEAST if of.is_at_least else "") + write(of.written)


def with_dollar(text: str) -> str:
    """Add the currency sign to a formatted number, as $612,032."""
    return f"{MINUS}{WRITE.money()}{text[1:]}" if text.startswith(MINUS) else f"{WRITE.money()}{text}"


def cents(value: float | None) -> str:
    """Format $2.75, for rates in texts and amounts in tool tips."""
    return dollars(value, 2)


def fine_rate(value: float) -> str:
    """Format $2.7525, for mean rates in an explained calculation."""
    return dollars(value, 4)


def fine(value: float) -> str:
    """Format 2.9589, for factors in an explained calculation."""
    return WRITE.number(value, 4)


def dollar_change(value: float | None) -> str:
    """Format a change in dollars, as +$1,200 or −$2,303."""
    return change(value, WRITE.money())


def gpu_hours(hours: float) -> str:
    """Format GPU-hours in whole numbers; below 1 with two significant digits.

    >>> gpu_hours(5840.4), gpu_hours(0.4167)
    ('5,840', '0.42')
    """
    return whole(hours) if hours >= 1 else significant(hours, 2)


def whole_percent(share: float) -> str:
    """Format a share of 0..1 without decimals, as 97%."""
    return percent(share, 0)


def short_dollars(value: float) -> str:
    """Format dollars for axes: $612k, $7.3M, with a minus before the currency sign."""
    if abs(value) >= 1e6:
        return f"{dollars(value / 1e6, 1)}M"
    return f"{dollars(value / 1e3)}k" if abs(value) >= 1e3 else dollars(value)


def date(epoch_s: int) -> str:
    """Format a UTC day, as 29 Nov 2026. epoch_s: epoch seconds."""
    return day(epoch_s)


def iso_date(text: str) -> str:
    """Format an ISO date as 29 Nov 2026; other text is unchanged."""
    return date(instant_s(text)) if is_day(text) else text


def short_date(epoch_s: int) -> str:
    """Format a UTC day without its year, as 3 Jul. epoch_s: epoch seconds."""
    return day(epoch_s, "d MMM")


def month_name(epoch_s: int) -> str:
    """Format a UTC month in short, as Jul. epoch_s: epoch seconds."""
    return day(epoch_s, "MMM")


def span(start_s: int, end_s: int) -> str:
    """Format a period, as 3 Jul – 30 Sep 2026, with its last day and one year where both days share the year.

    start_s, end_s: epoch seconds UTC, end exclusive.
    """
    last = end_s - 1
    if date(start_s) == date(last):
        return date(last)
    same_year = datetime.fromtimestamp(start_s, UTC).year == datetime.fromtimestamp(last, UTC).year
    return f"{short_date(start_s) if same_year else date(start_s)} {EN_DASH} {date(last)}"


def counted(count: int, single: str, many: str = "") -> str:
    """Format a count with its noun, as 1 job or 2 jobs, in the plural form of the language.

    many: the plural; default is `single` with an s.
    """
    return by_count(count, "{count} " + single, "{count} " + (many or single + "s"), count=grouped(count))


def clock(at_s: int | None, *, with_day: bool = False) -> str:
    """Format a UTC time, as 17:54 or 20 Nov 17:54; empty for None. at_s: epoch seconds."""
    if at_s is None:
        return ""
    minutes = at_s // 60 % (24 * 60)
    time = f"{minutes // 60:02d}:{minutes % 60:02d}"
    return f"{short_date(at_s)} {time}" if with_day else time


_THOUSANDS: Final = {"k": 1e3, "m": 1e6}


def plain_amount(text: str) -> str:
    """Return a typed amount such as "$400k" or "1.2m" in plain digits; other text as for `plain_number`."""
    bare = text.strip().removeprefix("$").strip()
    if (times := _THOUSANDS.get(bare[-1:].casefold())) is None:
        return plain_number(bare)
    try:
        return f"{float(plain_number(bare[:-1].strip())) * times:.15g}"
    except ValueError:
        return text


def plain_number(text: str) -> str:
    """Return a number typed in the locale as 1234.5, without thousands separators.

    Percent and dollar signs stay, as does the T of 15T. Text that is no number in the locale ("1.5" where 1,5 is used;
    a name) is unchanged.
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
    """Return the number at the start of a table text, in the locale: 1234 for "≥ $1,234 open"; None without one."""
    without_signs = text.removeprefix(AT_LEAST).replace(WRITE.money(), "")
    bare = lazy_re(r"[ \u00a0%](?!\d)").split(without_signs, maxsplit=1)[0]
    try:
        return float(plain_number(bare))
    except ValueError:
        return None
