"""Typed numbers and days in messages; the medium that shows a message formats them."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final, Literal, SupportsFloat

from gpuplanner.domain.figures.writing import ENGLISH, QUOTE_NEEDED, UNKNOWN, Writer, WrittenAs
from gpuplanner.domain.message import Message, Part, Value, worded, worded_count
from gpuplanner.lazy_dataclass import dataclass

Way = Literal[
    "number",
    "amount",
    "change",
    "percent",
    "gpus",
    "significant",
    "each",
    "way_ms",
    "day",
    "short_day",
    "month",
    "month_of_year",
    "moment",
]
"""Number format of a value: a method of `Writer`."""

_WAYS: Final[Mapping[Way, Callable[[Writer, float, int], str]]] = {
    "number": Writer.number,
    "amount": Writer.amount,
    "change": lambda writer, value, _: writer.change(value),
    "percent": Writer.percent,
    "gpus": lambda writer, value, _: writer.gpus(value),
    "significant": Writer.significant,
    "each": lambda writer, value, _: writer.each(value),
    "way_ms": lambda writer, value, _: writer.way_ms(value),
    "day": lambda writer, at_s, _: writer.day(int(at_s)),
    "short_day": lambda writer, at_s, _: writer.day(int(at_s)).rpartition(" ")[0],
    "month": lambda writer, at_s, _: writer.day(int(at_s)).split(" ")[1],
    "month_of_year": lambda writer, at_s, _: writer.day(int(at_s)).partition(" ")[2],
    "moment": lambda writer, at_s, _: writer.moment(int(at_s)),
}
WAYS: Final = frozenset(_WAYS)
DIGITS_OF_A_DOUBLE: Final = 15
MOST_PLACES: Final = 20
"""Most decimal places of a value from a file."""


@dataclass(frozen=True, slots=True)
class Written(Value):
    """A value with its number format. `str` gives English; other media call `by` with their own writer.

    value: None is unknown; days and moments are epoch seconds. places: decimals, or significant digits for the format
    `significant`.

    >>> str(Written("amount", -1234.5, 2)), str(Written("percent", None))
    ('−$1,234.50', '—')
    """

    way: Way
    value: float | None
    places: int = 0

    def by(self, writer: Writer) -> str:
        """Return the value as `writer` formats it; a dash if unknown."""
        return UNKNOWN if self.value is None else _WAYS[self.way](writer, self.value, self.places)

    def __str__(self) -> str:
        return self.by(ENGLISH)


def whole(value: float | None) -> Written:
    """Format counts, hours, and money with the currency sign elsewhere: 1,234.

    >>> str(whole(1234.5))
    '1,235'
    """
    return Written("number", value)


def decimals(value: float | None, places: int = 1) -> Written:
    """Format a number with a fixed number of decimals: 1,234.5.

    >>> str(decimals(2, 2))
    '2.00'
    """
    return Written("number", value, places)


def exact(value: Decimal) -> Written:
    """Format a decimal with all given places; a quotient with the 15 digits of a double.

    >>> str(exact(Decimal("1200.50"))), str(exact(Decimal(10) / 3600))
    ('1,200.50', '0.00277777777777778')
    """
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or len(digits) > DIGITS_OF_A_DOUBLE:
        return significant(value, DIGITS_OF_A_DOUBLE)
    return Written("number", float(value), max(0, -exponent))


def significant(value: SupportsFloat | None, digits: int = 6) -> Written:
    """Format a number with at most `digits` significant digits, without trailing zeros.

    >>> str(significant(0.5)), str(significant(2 / 3, 4))
    ('0.5', '0.6667')
    """
    return Written("significant", None if value is None else float(value), digits)


def amount(usd: float | None, places: int = 0) -> Written:
    """Format money in the project's currency: $1,234.

    >>> str(amount(1234.5))
    '$1,235'
    """
    return Written("amount", usd, places)


def change(value: float | None) -> Written:
    """Format a difference with its sign: +1,234; zero has no sign.

    >>> str(change(1234.5))
    '+1,235'
    """
    return Written("change", value)


def percent(share: float | None, places: int = 0) -> Written:
    """Format a share of 0..1 in percent.

    >>> str(percent(0.125)), str(percent(0.125, 1))
    ('13%', '12.5%')
    """
    return Written("percent", share, places)


def gpus(value: float | None) -> Written:
    """Format a number of GPUs: 64, or 4.6 for a mean.

    >>> str(gpus(64.0))
    '64'
    """
    return Written("gpus", value)


def way_ms(ms: float | None) -> Written:
    """Format a network latency in ms; a value just over its limit gets as many decimals as the excess needs.

    >>> str(way_ms(80.0)), str(way_ms(80.001))
    ('80.0', '80.001')
    """
    return Written("way_ms", ms)


def day(at_s: int | None) -> Written:
    """Format a UTC day: 3 Jul 2026. at_s: epoch seconds.

    >>> str(day(0))
    '1 Jan 1970'
    """
    return Written("day", at_s)


def short_day(at_s: int) -> Written:
    """Format a UTC day without its year: 3 Jul. at_s: epoch seconds.

    >>> str(short_day(0))
    '1 Jan'
    """
    return Written("short_day", at_s)


def month(at_s: int) -> Written:
    """Format a UTC month as its short name. at_s: epoch seconds.

    >>> str(month(0))
    'Jan'
    """
    return Written("month", at_s)


def month_of_year(at_s: int) -> Written:
    """Format a UTC month with its year: Jan 1970. at_s: epoch seconds.

    >>> str(month_of_year(0))
    'Jan 1970'
    """
    return Written("month_of_year", at_s)


def plan_month(at: int) -> Message:
    """Return the name of a plan month without a calendar. at: 0 for the first.

    >>> str(plan_month(0)), str(plan_month(11))
    ('first month', 'month 12')
    """
    return worded("month {month}", month=whole(at + 1)) if at else worded("first month")


def moment(at_s: int | None) -> Written:
    """Format a UTC time to the minute: 3 Jul 2026 05:00. at_s: epoch seconds.

    >>> str(moment(3600))
    '1 Jan 1970 01:00'
    """
    return Written("moment", at_s)


_OF_UNIT: Final[Mapping[WrittenAs, tuple[Way, int]]] = {
    "rate": ("number", 2),
    "share": ("percent", 1),
    "gpus": ("gpus", 0),
    "hours": ("gpus", 0),
    "decimal": ("number", 1),
    "ms": ("way_ms", 0),
    "exact": ("significant", 10),
    "each": ("each", 0),
}


def of_unit(value: float | None, unit: WrittenAs) -> Part:
    """Format a value under a heading with the unit, as `Writer.of_unit`; flags are not supported.

    >>> str(of_unit(0.5, "share")), str(of_unit(2.5, "usd")), str(of_unit(None, "rate"))
    ('50.0%', '3', 'quote needed')
    """
    if unit == "rate" and value is None:
        return QUOTE_NEEDED
    kind, places = _OF_UNIT.get(unit, ("number", 0))
    return Written(kind, value, places)


def worded_whole(count: float, singular: str, many: str, /, **values: Part) -> Message:
    """Return `worded_count` with the number as {count}, in whole digits.

    >>> [str(worded_whole(n, "{count} GPU", "{count} GPUs")) for n in (1, 2000)]
    ['1 GPU', '2,000 GPUs']
    """
    return worded_count(count, singular, many, count=whole(count), **values)
