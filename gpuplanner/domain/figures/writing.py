"""Units of figures, their dimensions, and the number format of each unit."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal
from math import floor, isfinite, log10
from typing import Final, Literal

from gpuplanner.domain.message import Text, worded
from gpuplanner.lazy_dataclass import dataclass

# --- Units of figures: dimensions, which formulas must match, and labels --------------------------

WrittenAs = Literal[
    "usd",
    "rate",
    "gpu_hours",
    "milli_gpu_seconds",
    "hours",
    "gpus",
    "share",
    "count",
    "ms",
    "decimal",
    "exact",
    "each",
    "flag",
    "text",
]
"""Number format. milli_gpu_seconds: whole numbers, shown as GPU-hours; share: 0..1; rate: $ per GPU-h;
decimal: one decimal, for GB and ms; exact: as many decimals as needed, as for seconds per step; each: $ for one item,
in cents or, below a dollar, with three significant digits; flag: 1 or 0."""

Dimension = tuple[int, ...]
"""Powers of BASES; all dimensions have the same length."""

BASES: Final = ("money", "gpu", "hour", "month", "kwh", "kg")
SIGNS: Final = {"money": "$", "gpu": "GPU", "hour": "h", "month": "month", "kwh": "kWh", "kg": "kg"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """The unit of a value.

    key: its number format. dimension: powers of BASES, all 0 for a plain number. label: in headings; empty where values
    show the unit. short: for narrow places. per: after a value in a sentence.
    """

    key: WrittenAs
    dimension: Dimension
    label: Text = ""
    short: Text = ""
    per: Text = ""


def _of(**powers: int) -> Dimension:
    """Return a dimension by the names of its bases; all others are 0."""
    return tuple(powers.get(base, 0) for base in BASES)


A_MONTH: Final = worded("per month")
MONEY: Final = Unit(key="usd", dimension=_of(money=1), label=worded("$ in the lookback period"), short="$")
MONEY_PER_MONTH: Final = Unit(
    key="usd",
    dimension=_of(money=1, month=-1),
    label=worded("$ per month"),
    short=worded("$ per month"),
    per=A_MONTH,
)
RATE: Final = Unit(
    key="rate",
    dimension=_of(money=1, gpu=-1, hour=-1),
    label=worded("$ per GPU-h"),
    short=worded("$ per GPU-h"),
)
GPU_HOURS: Final = Unit(
    key="gpu_hours",
    dimension=_of(gpu=1, hour=1),
    label=worded("GPU-h in the lookback period"),
    short="GPU-h",
    per="GPU-h",
)
GPU_HOURS_IN_ALL: Final = Unit(key="gpu_hours", dimension=_of(gpu=1, hour=1), label="GPU-h", short="GPU-h")
GPU_HOURS_PER_MONTH: Final = Unit(
    key="gpu_hours",
    dimension=_of(gpu=1, hour=1, month=-1),
    label=worded("GPU-h per month"),
    short=worded("GPU-h per month"),
    per=worded("GPU-h per month"),
)
GPU_TIME: Final = Unit(key="milli_gpu_seconds", dimension=_of(gpu=1, hour=1), label="GPU-h", short="GPU-h")
"""Stored in thousandths of a GPU-second, shown in GPU-hours."""
GPUS: Final = Unit(key="gpus", dimension=_of(gpu=1))
MONEY_PER_GPU_MONTH: Final = Unit(
    key="usd",
    dimension=_of(money=1, gpu=-1, month=-1),
    label=worded("$ per month"),
    short=worded("$ per month"),
    per=A_MONTH,
)
MONEY_PER_GPU: Final = Unit(
    key="usd", dimension=_of(money=1, gpu=-1), label=worded("$ per GPU"), short=worded("$ per GPU")
)
MONEY_IN_ALL: Final = Unit(
    key="usd", dimension=_of(money=1), label=worded("$ in all"), short="$", per=worded("in all")
)
MONEY_TO_HORIZON: Final = Unit(
    key="usd",
    dimension=_of(money=1),
    label=worded("$ in all"),
    short="$",
    per=worded("to the horizon, present value"),
)
MONEY_OF_SPAN: Final = Unit(
    key="usd", dimension=_of(money=1), label="$", short="$", per=worded("in that time")
)
"""For one month or twelve; the row names the period."""
KW_PER_GPU: Final = Unit(
    key="exact", dimension=_of(kwh=1, hour=-1, gpu=-1), label=worded("kW per GPU"), short=worded("kW per GPU")
)
KW: Final = Unit(key="decimal", dimension=_of(kwh=1, hour=-1), label="kW", short="kW", per="kW")
MONEY_EACH: Final = Unit(key="each", dimension=_of(money=1), label=worded("$ each"), short=worded("$ each"))
DAYS: Final = Unit(key="decimal", dimension=_of(hour=1))
"""Shown in days, as the title says; used in no formula."""
KWH_PER_MONTH: Final = Unit(
    key="count",
    dimension=_of(kwh=1, month=-1),
    label=worded("kWh per month"),
    short=worded("kWh per month"),
    per=worded("kWh per month"),
)
KWH: Final = Unit(key="count", dimension=_of(kwh=1), label="kWh", short="kWh", per="kWh")
KG: Final = Unit(key="count", dimension=_of(kg=1), label="kg", short="kg", per="kg")
KG_PER_KWH: Final = Unit(
    key="exact", dimension=_of(kg=1, kwh=-1), label=worded("kg per kWh"), short=worded("kg per kWh")
)
KG_PER_MONTH: Final = Unit(
    key="count",
    dimension=_of(kg=1, month=-1),
    label=worded("kg per month"),
    short=worded("kg per month"),
    per=worded("kg per month"),
)
MONEY_PER_KWH: Final = Unit(
    key="exact", dimension=_of(money=1, kwh=-1), label=worded("$ per kWh"), short=worded("$ per kWh")
)
MONEY_PER_KW_MONTH: Final = Unit(
    key="usd",
    dimension=_of(money=1, kwh=-1, hour=1, month=-1),
    label=worded("$ per kW and month"),
    short=worded("$ per kW and month"),
)
HOURS_A_MONTH: Final = Unit(key="hours", dimension=_of(hour=1, month=-1))
HOURS: Final = Unit(key="exact", dimension=_of(hour=1), label="h", short="h")
MONTHS: Final = Unit(key="exact", dimension=_of(month=1), label=worded("months"), short=worded("months"))
MONEY_TIMES_MONTHS: Final = Unit(
    key="usd", dimension=_of(money=1), label=worded("$ x months"), short=worded("$ x months")
)
"""$ per month x months of commitment."""
GIGABYTES: Final = Unit(key="decimal", dimension=_of(), label="GB", short="GB", per="GB")
GIBIBYTES: Final = Unit(key="decimal", dimension=_of(), label="GiB", short="GiB", per="GiB")
RUN_HOURS: Final = Unit(key="decimal", dimension=_of(hour=1), label="h", short="h", per="h")
MILLISECONDS: Final = Unit(key="decimal", dimension=_of(), label="ms", short="ms", per="ms")
LONGEST_MS: Final = 80
"""Largest one-way latency; larger values are flagged, and no value is rounded across this limit."""
SHARE: Final = Unit(key="share", dimension=_of())
PERCENT: Final = Unit(key="decimal", dimension=_of(), label="%", short="%")
TIMES: Final = Unit(key="exact", dimension=_of())
"""A factor."""
COUNT: Final = Unit(key="count", dimension=_of())
TIMES_A_MONTH: Final = Unit(key="count", dimension=_of(month=-1))
FLAG: Final = Unit(key="flag", dimension=_of())
"""A condition: 1 or 0."""


def spelled(dimension: Dimension) -> str:
    """Return a dimension in signs, for errors.

    >>> spelled(RATE.dimension), spelled(SHARE.dimension)
    ('$ GPU^-1 h^-1', '1')
    """
    parts = [
        SIGNS[base] + ("" if power == 1 else f"^{power}")
        for base, power in zip(BASES, dimension, strict=True)
        if power
    ]
    return " ".join(parts) or "1"


# --- Number formats by unit: thousands separators, sign, decimals, money, unknown -----------------

ALL_DIGITS: Final = Context(prec=350)
"""Precision for every digit of the largest number and its shown decimals."""
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
NEAR_HALF, NO_HALF_UNSEEN = 1e-4, 1e9
"""Distance from a half below which digits are checked exactly; largest scaled value for the fast check."""
WHOLE_FROM: Final = 2.0**53
"""Doubles of this size or more are whole."""
MOST_PLACES_OF_A_WAY: Final = 9
"""Most decimals of a latency just over the limit; a smaller excess shows all digits."""
PLACES_OF_A_DOUBLE: Final = 15
"""Further decimals matter only for tiny numbers, whose scaled value may overflow."""
UNKNOWN: Final = "\u2014"
MINUS: Final = "\u2212"
QUOTE_NEEDED, NO_RATE = worded("quote needed"), worded("no rate")
YES, NO = worded("yes"), worded("no")


def in_english(value: float, places: int) -> str:
    """Format a number of 0 or more with thousands separators and fixed decimals.

    >>> in_english(1234.5, 2)
    '1,234.50'
    """
    return f"{value:,.{places}f}"


def half_up(value: float, places: int) -> float:
    """Round to `places` decimals, halves away from zero as spreadsheets do; NaN and infinity are unchanged.

    >>> half_up(2.5, 0), half_up(-0.125, 2), half_up(0.4, 0)
    (3.0, -0.13, 0.0)
    """
    if not abs(value) < WHOLE_FROM:
        return value
    if places <= PLACES_OF_A_DOUBLE:
        scaled = abs(value) * 10.0**places
        if scaled < NO_HALF_UNSEEN and abs(scaled % 1.0 - 0.5) > NEAR_HALF:
            return float(round(value, places))  # no half: round to nearest, in a fifth of the time
    return float(Decimal(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP, ALL_DIGITS))


def day(at_s: int | None) -> str:
    """Format a UTC day in English, as 3 Jul 2026; a dash for None. at_s: epoch seconds.

    >>> day(0), day(None)
    ('1 Jan 1970', '—')
    """
    if at_s is None:
        return UNKNOWN
    at = _EPOCH + timedelta(seconds=at_s)
    return f"{at.day} {at:%b %Y}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Writer:
    """The number format of a medium; all other rules are shared.

    digits: format a number of 0 or more with fixed decimals. money: return the currency sign. say: translate a text.
    no_change: sign of a zero change. day: format epoch seconds as a UTC day.
    """

    digits: Callable[[float, int], str] = in_english
    money: Callable[[], str] = lambda: "$"
    say: Callable[[Text], str] = str
    no_change: str = ""
    day: Callable[[int | None], str] = day

    def number(self, value: float | None, places: int = 0, before: str = "") -> str:
        """Format a number with a true minus sign and `before` in front of the digits; a dash for None.

        >>> ENGLISH.number(-1234.56, 1), ENGLISH.number(-0.2), ENGLISH.number(None)
        ('−1,234.6', '0', '—')
        """
        if value is None:
            return UNKNOWN
        rounded = half_up(
            value, places
        )  # once for digits and sign, because the media round halves differently
        return (MINUS if rounded < 0 else "") + before + self.digits(abs(rounded), places)

    def whole(self, value: float | None) -> str:
        """Format whole numbers, as 612,032: money and GPU-hours under a heading with the unit, counts."""
        return self.number(value)

    def one_decimal(self, value: float | None) -> str:
        """Format one decimal: 4.6 mean GPUs, 9.1 months."""
        return self.number(value, 1)

    def amount(self, value: float | None, places: int = 0) -> str:
        """Format money in texts, as $612,032, with a minus before the currency sign.

        >>> ENGLISH.amount(-3.0), ENGLISH.amount(2.75, 2)
        ('−$3', '$2.75')
        """
        return self.number(value, places, self.money())

    def change(self, value: float | None, before: str = "") -> str:
        """Format a change with its sign, as +128,480; zero has `no_change` instead.

        >>> ENGLISH.change(12.0), ENGLISH.change(-12.0), ENGLISH.change(0.1), ENGLISH.change(None)
        ('+12', '−12', '0', '—')
        """
        if value is None:
            return UNKNOWN
        rounded = half_up(value, 0)
        if rounded > 0:
            sign = "+"
        elif rounded:
            sign = ""
        else:
            sign = self.no_change
        return sign + self.number(rounded, 0, before)

    def percent(self, share: float | None, places: int = 1) -> str:
        """Format a share of 0..1 in percent, as 39.0%; shares over 1 exceed 100%.

        >>> ENGLISH.percent(0.1234), ENGLISH.percent(-0.1), ENGLISH.percent(None)
        ('12.3%', '−10.0%', '—')
        """
        return UNKNOWN if share is None else self.number(100 * share, places) + "%"

    def way_ms(self, value: float | None) -> str:
        """Format a latency in ms with one decimal; a value just over the limit with as many as the excess needs.

        >>> [ENGLISH.way_ms(ms) for ms in (79.96, 80.0, 80.001, None)]
        ['80.0', '80.0', '80.001', '—']
        """
        if value is None:
            return UNKNOWN
        for places in range(1, MOST_PLACES_OF_A_WAY + 1):
            if (value > LONGEST_MS) == (round(value, places) > LONGEST_MS):
                return self.number(value, places)
        return self.significant(value, 17)

    def gpus(self, value: float | None) -> str:
        """Format GPUs: 64 if whole, 0.25 for hundredths, otherwise one decimal for a mean.

        >>> ENGLISH.gpus(64.0), ENGLISH.gpus(0.25), ENGLISH.gpus(4.5678)
        ('64', '0.25', '4.6')
        """
        if value is None:
            return UNKNOWN
        exact = (places for places in (0, 1, 2) if abs(value - round(value, places)) < 1e-9)
        return self.number(value, next(exact, 1))

    def rate(self, value: float | None) -> str:
        """Format a rate under a heading "$ per GPU-h", as 2.75; a missing rate is "quote needed"."""
        return self.say(QUOTE_NEEDED) if value is None else self.number(value, 2)

    def significant(self, value: float, digits: int = 10) -> str:
        """Format at most `digits` significant digits without trailing zeros, as 1,234.5.

        Zero, NaN and infinity are written plainly.

        >>> ENGLISH.significant(1234.5), ENGLISH.significant(0.123456, 2)
        ('1,234.5', '0.12')
        """
        if value == 0 or not isfinite(value):
            return self.number(value) if value == 0 else self.digits(value, 0)
        places = max(0, digits - 1 - floor(log10(abs(value))))
        needed = len(f"{value:.{places}f}".rstrip("0").partition(".")[2]) if places else 0
        return self.number(round(value, places), needed)

    def each(self, value: float | None) -> str:
        """Format $ for one item: cents, or three significant digits below 10 cents.

        >>> ENGLISH.each(12.3456), ENGLISH.each(0.0123456), ENGLISH.each(0.5), ENGLISH.each(None)
        ('12.35', '0.0123', '0.50', '—')
        """
        if value is None or not 0 < abs(value) < 0.1:
            return self.number(value, 2)
        return self.number(value, 2 - floor(log10(abs(value))))

    def exact(self, value: float | None) -> str:
        """Format as many decimals as needed, at most ten digits."""
        return UNKNOWN if value is None else self.significant(value)

    def flag(self, value: float | None) -> str:
        """Format 1 as yes and 0 as no."""
        return UNKNOWN if value is None else self.say(YES if value else NO)

    def moment(self, at_s: int) -> str:
        """Format a UTC day and time. at_s: epoch seconds.

        >>> ENGLISH.moment(61_200)
        '1 Jan 1970 17:00'
        """
        minutes = at_s // 60 % (24 * 60)
        return f"{self.day(at_s)} {minutes // 60:02d}:{minutes % 60:02d}"

    def of_unit(self, value: float | None, unit: WrittenAs) -> str:
        """Format a value under a heading with the unit; money and units without a rule in whole numbers.

        >>> ENGLISH.of_unit(0.5, "share"), ENGLISH.of_unit(2.5, "usd"), ENGLISH.of_unit(None, "rate")
        ('50.0%', '3', 'quote needed')
        """
        return _BY_UNIT.get(unit, Writer.whole)(self, value)


_BY_UNIT: Final[Mapping[WrittenAs, Callable[[Writer, float | None], str]]] = {
    "rate": Writer.rate,
    "share": Writer.percent,
    "gpus": Writer.gpus,
    "hours": Writer.gpus,
    "decimal": Writer.one_decimal,
    "ms": Writer.way_ms,
    "exact": Writer.exact,
    "each": Writer.each,
    "flag": Writer.flag,
}


ENGLISH: Final = Writer()
"""The format of terminal and brief."""
