"""Numbers and days inside a message: typed where something is said, written by whoever shows it."""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Final, Literal, SupportsFloat

from gpuplanner.domain.figures.writing import ENGLISH, QUOTE_NEEDED, UNKNOWN, Writer, WrittenAs
from gpuplanner.domain.message import Message, Part, Value, worded, worded_count
from gpuplanner.lazy_dataclass import dataclass

Way = Literal[
    "number", "amount", "change", "percent", "gpus", "significant", "each", "way_ms", "day", "short_day", "month",
    "moment",
]  # fmt: skip
"""How a value is written: what `Writer` has for it."""

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
    "moment": lambda writer, at_s, _: writer.moment(int(at_s)),
}
WAYS: Final = frozenset(_WAYS)
DIGITS_OF_A_DOUBLE: Final = 15
MOST_PLACES: Final = 20
"""Of a value that comes from a file."""


@dataclass(frozen=True, slots=True)
class Written(Value):
    """A value and how it is written. Its `str` is English; another medium asks `by` with its own writer.

    value: None is unknown; a day or moment is in epoch seconds. places: digits after the point, or of `significant`
    those that say something.

    >>> str(Written("amount", -1234.5, 2)), str(Written("percent", None))
    ('−$1,234.50', '—')
    """

    way: Way
    value: float | None
    places: int = 0

    def by(self, writer: Writer) -> str:
        """As this writer writes it."""
        return UNKNOWN if self.value is None else _WAYS[self.way](writer, self.value, self.places)

    def __str__(self) -> str:
        return self.by(ENGLISH)


def whole(value: float | None) -> Written:
    """1,234: counts, hours, money whose sign stands in the words.

    >>> str(whole(1234.5))
    '1,235'
    """
    return Written("number", value)


def decimals(value: float | None, places: int = 1) -> Written:
    """1,234.5: with so many places, zeros too.

    >>> str(decimals(2, 2))
    '2.00'
    """
    return Written("number", value, places)


def exact(value: Decimal) -> Written:
    """With the places that it was given with; of a quotient as many digits as a double knows.

    >>> str(exact(Decimal("1200.50"))), str(exact(Decimal(10) / 3600))
    ('1,200.50', '0.00277777777777778')
    """
    _, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int) or len(digits) > DIGITS_OF_A_DOUBLE:
        return significant(value, DIGITS_OF_A_DOUBLE)
    return Written("number", float(value), max(0, -exponent))


def significant(value: SupportsFloat | None, digits: int = 6) -> Written:
    """As many places as say it, at most so many digits.

    >>> str(significant(0.5)), str(significant(2 / 3, 4))
    ('0.5', '0.6667')
    """
    return Written("significant", None if value is None else float(value), digits)


def amount(usd: float | None, places: int = 0) -> Written:
    """$1,234, in the money of the project.

    >>> str(amount(1234.5))
    '$1,235'
    """
    return Written("amount", usd, places)


def change(value: float | None) -> Written:
    """+1,234: always a sign, but for nothing at all.

    >>> str(change(1234.5))
    '+1,235'
    """
    return Written("change", value)


def percent(share: float | None, places: int = 0) -> Written:
    """13% of a share 0..1.

    >>> str(percent(0.125)), str(percent(0.125, 1))
    ('13%', '12.5%')
    """
    return Written("percent", share, places)


def gpus(value: float | None) -> Written:
    """64, or 4.6 where it is a mean.

    >>> str(gpus(64.0))
    '64'
    """
    return Written("gpus", value)


def way_ms(ms: float | None) -> Written:
    """86.4 of a way in ms; what is over the limit by less than a tenth with as many places as show it.

    >>> str(way_ms(80.0)), str(way_ms(80.001))
    ('80.0', '80.001')
    """
    return Written("way_ms", ms)


def day(at_s: int | None) -> Written:
    """3 Jul 2026, in UTC; at_s: epoch seconds.

    >>> str(day(0))
    '1 Jan 1970'
    """
    return Written("day", at_s)


def short_day(at_s: int) -> Written:
    """3 Jul, in UTC; at_s: epoch seconds.

    >>> str(short_day(0))
    '1 Jan'
    """
    return Written("short_day", at_s)


def month(at_s: int) -> Written:
    """The name of a month, short, in UTC; at_s: epoch seconds.

    >>> str(month(0))
    'Jan'
    """
    return Written("month", at_s)


def plan_month(at: int) -> Message:
    """What a month of a plan is called where no day of it is: everywhere the same. at: 0 for the first.

    >>> str(plan_month(0)), str(plan_month(11))
    ('first month', 'month 12')
    """
    return worded("month {month}", month=whole(at + 1)) if at else worded("first month")


def moment(at_s: int | None) -> Written:
    """3 Jul 2026 05:00, in UTC; at_s: epoch seconds.

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
    """A value under a heading that names its unit, as `Writer.of_unit` writes it; no flag has a value here.

    >>> str(of_unit(0.5, "share")), str(of_unit(2.5, "usd")), str(of_unit(None, "rate"))
    ('50.0%', '3', 'quote needed')
    """
    if unit == "rate" and value is None:
        return QUOTE_NEEDED
    kind, places = _OF_UNIT.get(unit, ("number", 0))
    return Written(kind, value, places)


def worded_whole(count: float, singular: str, many: str, /, **values: Part) -> Message:
    """`worded_count` with the number as {count}, a whole one.

    >>> [str(worded_whole(n, "{count} GPU", "{count} GPUs")) for n in (1, 2000)]
    ['1 GPU', '2,000 GPUs']
    """
    return worded_count(count, singular, many, count=whole(count), **values)
