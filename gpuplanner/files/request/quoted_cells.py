"""What vendors write into the cells of a quote: words, amounts and days, read rightly or asked about."""

import re
from collections.abc import Callable, Iterable
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.domain.model.window import is_day, months_after
from gpuplanner.files.values.amounts import CODES, NO_AMOUNT, currency_of, read_amount, styles_of
from gpuplanner.files.values.unit_words import HOURS_OF_PERIOD, price_words
from gpuplanner.files.values.word_lists import words
from gpuplanner.files.values.written_dates import DAY_FIRST, MONTH_FIRST, months_of_period, read_date
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- What whole cells of a quote say: nothing is offered, as asked, still to come, for a machine; words and signs

BAD_NUMBER: Final = "bad_number"
BAD_TIME: Final = "bad_time"
UNDECIDED: Final = "undecided"
_NO_BID: Final = words(
    "no bid|no-bid|nobid|no|n|none|nil|decline|declined|no offer|no quote|pass|not offered|not available|unavailable"
    "|not quoted|sold out|x|n/a|na|n.a|nb|-|--|–|—|/|kein angebot|keine|nein|entfällt|non|pas d'offre"
)
_TO_COME: Final = NO_AMOUNT - _NO_BID | {"pending", "to follow", "later", "to be defined"}
AS_ASKED: Final = words(
    "as asked|as requested|as per rfq|as required|any|ok|yes|confirmed|same|asap|now|immediate|immediately|at once"
    "|in stock|available|-|–|—|n/a|none"
)
NO_LIMIT: Final = frozenset({"unlimited", "no limit", "no minimum", "all"} | AS_ASKED)
"""Whole cells in small letters: nothing is offered; an amount is still to come; nothing differs from what was asked."""

_SAYING_ALL: Final = words(
    "no bid|no-bid|declined|no offer|no quote|not offered|not available|sold out|tbd|tba|tbc|on request|to be confirmed"
    "|to be quoted"
)
"""Of these the texts behind which a reason may stand."""

OF_MACHINES: Final = words("node|nodes|server|servers|instance|machine|system|box|host|rack|pod|hgx|dgx")
LONGEST_CELL: Final = 80
GAPS: Final = "'’\u00a0\u2007\u2009\u202f "
_DIGITS: Final = lazy_re(rf"[-+−]?[.,]?\d[\d.,{GAPS}]*")
SIGNS: Final = lazy_re(r"(?i)(?:(?:US|CA|C|AU|A|S)?\$|[€£¥₹₩])")
WORDS: Final = lazy_re(r"[^\W\d_]+")
THOUSANDS: Final = lazy_re(r"(?<=\d)\s?(?:[kK]|[Tt]sd|[Mm]io|M|mn)\.?(?![A-Za-z])")
_HARMLESS: Final = lazy_re(r"[\s/.,;:()\[\]·\-–—]*")
_PRICE: Final = r"(?:\b(?:rates?|prices?|priced|pricing|quoted?|costs?|amounts?|preise?|usd|eur)\b|[$€£])"
_MACHINE: Final = rf"(?:{'|'.join(sorted(OF_MACHINES, key=len, reverse=True))})"
_OTHER_UNITS: Final = (
    rf"{_PRICE}[^.;,\d]{{0,40}}(?:\bper|\bpro|\bpar|\bje|/)\s*(?:\d+\s*[x×-]?\s*gpus?[\s-]*)?{_MACHINE}\b",
    rf"{_PRICE}[^.;,\d]{{0,40}}(?:\bper|\bpro|\bpar|\bje|/)\s*\d+\s*gpus?\b",
    rf"{_PRICE}[^.;,\d]{{0,40}}(?:\bper|\bpro|\bpar|\bje|/)\s*(?:gpu[\s-]*)?(?:month|year|week|day)\b",
    rf"\b{_MACHINE}[\s-](?:hourly\s)?{_PRICE}(?!\s+(?:lists?|on\srequest|attached)\b)",
)
"""How a remark says that a rate is for a machine, several GPUs or another time; compiled where one is read."""

_OF_GPU_HOURS: Final = lazy_re(
    r"(?i)(?<!not )(?:\bper|\bpro|\bpar|\bje|/)\s*gpus?\s*(?:-|/|\bper|\bpro|\band|\bpar)?\s*(?:hours?|hr|h|stunde)\b"
)
"""How it says that a rate is for one GPU and one hour."""


class UnclearError(Exception):
    """A cell that is not read: the code of its issue, why, and what to write instead."""

    def __init__(self, code: str, why: Message, remedy: Message) -> None:
        super().__init__(why)
        self.code, self.why, self.remedy = code, why, remedy


def is_no_bid(text: str) -> bool:
    """Whether a text says that nothing is offered.

    >>> [is_no_bid(text) for text in ("No bid", " n/a ", "no bid: sold out", "2.10", "TBD", "no bid below 64")]
    [True, True, True, False, False, False]
    """
    return plain_cell(text) in _NO_BID or _begins(text, _NO_BID)


def is_to_come(text: str) -> bool:
    """Whether a text says that an amount is still to come.

    >>> [is_to_come(text) for text in ("TBD", "on request", "TBD, after our audit", "2.10")]
    [True, True, True, False]
    """
    return plain_cell(text) in _TO_COME or _begins(text, _TO_COME)


def is_of_another_unit(remark: str) -> bool:
    """Whether a remark says that a price is for something else than one GPU and one hour; what it says first counts.

    >>> [is_of_another_unit(text) for text in ("Rate per node", "prices are per 8-GPU server", "per-node pricing")]
    [True, True, True]
    >>> [is_of_another_unit(text) for text in ("8 GPUs per node", "rate per GPU-hour", "price fixed for a year")]
    [False, False, False]
    """
    others = [found.end() for pattern in _OTHER_UNITS if (found := re.search(pattern, remark, re.I))]
    own = _OF_GPU_HOURS.search(remark)
    return bool(others) and (own is None or own.start() > min(others))


def plain_cell(text: str) -> str:
    """A cell in small letters, with one blank between words and no full stop behind."""
    cleaned = " ".join(text[:LONGEST_CELL].lower().split())
    return cleaned.removesuffix(".") if len(cleaned) > 2 else cleaned


def _begins(text: str, words: frozenset[str]) -> bool:
    """Whether a cell begins with one of some texts that say all, and has no figure behind it."""
    plain = plain_cell(text)
    begun = [word for word in words & _SAYING_ALL if re.match(rf"{re.escape(word)}\b", plain)]
    return bool(begun) and not any(map(str.isdigit, plain))


def words_of(text: str) -> set[str]:
    """The words of a cell in small letters; signs of currencies and what multiplies its number are none."""
    return set(WORDS.findall(SIGNS.sub(" ", THOUSANDS.sub(" ", text)).lower()))


def has_odd_signs(text: str) -> bool:
    """Whether a cell has signs that change what its number means, or may do so: ~2.10, <14, 99+, 2.10*."""
    rest = _DIGITS.sub(" ", SIGNS.sub(" ", text))
    return _HARMLESS.fullmatch(WORDS.sub(" ", rest)) is None


# --- What vendors write into the cells of a quote, read rightly or asked about: amounts, ranges, counts, percentages

_FILLERS: Final = words(
    "per|pro|par|por|je|a|each|the|of|for|at|rate|price|fixed|firm|flat|net|netto|excl|excluding|ex|vat|tax|taxes|mwst"
    "|ust|ht|only"
)
_OF_ONE_GPU: Final = frozenset({"gpu", "gpus", "card", "cards", "accelerator", "accelerators"})
_CROWNS: Final = frozenset({"SEK", "NOK", "DKK"})
_DOLLARS: Final = frozenset({"CAD", "AUD", "NZD", "SGD", "HKD", "MXN"})
_CURRENCY_WORDS: Final = frozenset(
    {"us", "dollar", "dollars", "euro", "euros", "rmb", "yuan", "yen", "kr"}
    | {code.lower() for code in CODES}
)
_PERIOD_OF: Final = {
    word: unit
    for unit in reversed(HOURS_OF_PERIOD)
    for word in (*price_words(unit), f"{unit}s")
    if word != "an"
}
"""What a price is for, by word; `an` is a year in French and no unit in English."""

_OF_A_DOLLARS_SIZE: Final = frozenset({"USD", "EUR", "GBP", "CHF", "CAD", "AUD", "NZD", "SGD"})
_LEAST_RATE, _MOST_RATE = Decimal("0.02"), Decimal(100)
"""Of one GPU-hour, in a currency of about a dollar's size: what is beyond has not been asked by anybody."""

_LARGEST: Final = Decimal(10**12)
LEAST_PERCENT: Final = 50
_MILLIONTH: Final = Decimal("0.000001")

_BARE: Final = lazy_re(rf"[-+(]?[\d.,{GAPS}]+\)?")
_TAX: Final = lazy_re(
    r"(?i)(?:\+|\bplus|\bzzgl\.?|\bexcl(?:\.|uding)?|\bex|\bwithout)\s*(?:vat|taxes|tax|mwst|ust)\b"
)
_TIMES: Final = lazy_re(r"(?<=[^\W\d])\*(?=[^\W\d])")
"""Tax that is not in an amount; the sign between units, as in GPU*h."""

_RANGE: Final = lazy_re(r"(?i)([^\d.,]*)(\d[\d.,]*)\s*(?:[-–—−]|to|bis|à)\s*(\D{0,4})(\d[\d.,]*)(\D*)")


_AS_NUMBER: Final = worded("write only the amount, such as 2.10; move other text to Remark")
_AS_RATE: Final = worded("write the rate per GPU-hour, such as 2.10")
_AS_GPUS: Final = worded("write a whole number of GPUs")


@dataclass(frozen=True, slots=True)
class Told:
    """What is known beside a cell's text. currency: ISO code of amounts that name none, empty: unknown.

    style: how the program that wrote a text file writes numbers (POINT or COMMA), empty: unknown. is_typed: the program
    keeps the cell as a number, so there is one way to read it; unit: the sign or code of a currency, or the %, that it
    shows beside that number.
    """

    currency: str
    style: str = ""
    is_typed: bool = False
    unit: str = ""


NOTHING_TOLD: Final = Told("")


@dataclass(frozen=True, slots=True)
class Money:
    """An amount as it is quoted. currency: ISO code; said: the arithmetic that is to be said, empty: there is none."""

    amount: Decimal
    currency: str
    said: Message = NO_WORDS


@dataclass(frozen=True, slots=True)
class RateRange:
    """A rate that is not one yet: somewhere from low to high."""

    low: Money
    high: Money


def read_rate(text: str, told: Told) -> Money | RateRange:
    """The rate of one GPU-hour. A month is 730 h.

    Nothing is guessed: an amount for a month that does not say it is of one GPU, one of a machine, one that reads in
    two ways and any word that is not known are asked about. Errors: UnclearError.

    >>> us = Told("USD")
    >>> [str(read_rate(text, us).amount) for text in ("2.10 USD/h", "$ 2,10 / GPU-h", "1,760 per GPU-month")]
    ['2.10', '2.10', '2.410959']
    >>> read_rate("€2.10", us).currency, str(read_rate("2.1-2.4", us).high.amount)
    ('EUR', '2.4')
    """
    text = text if told.is_typed else _TIMES.sub(" ", _TAX.sub(" ", text))
    if not told.is_typed and (found := _range(text, told)) is not None:
        return found
    words = set() if told.is_typed else words_of(text)
    period = "" if told.is_typed else _period(text, words)
    if words & OF_MACHINES:
        why = worded("per machine with an unknown GPU count")
        raise UnclearError(UNDECIDED, why, _AS_RATE)
    is_of_one = any(word.startswith("gpu") for word in words) or bool(words & _OF_ONE_GPU)
    if period not in ("", "hour") and not is_of_one:
        why = worded("perhaps per GPU, perhaps for all GPUs")
        raise UnclearError(UNDECIDED, why, worded("write the rate per GPU-hour, or add “per GPU”"))
    if not period and THOUSANDS.search(text):
        raise UnclearError(UNDECIDED, worded("the period is missing"), _AS_RATE)
    hours = HOURS_OF_PERIOD[period or "hour"]

    def is_possible(amount: Decimal, currency: str) -> bool:
        """Whether anybody may ask so much; unknown, and so true, in currencies that are not of a dollar's size."""
        return currency not in _OF_A_DOLLARS_SIZE or _LEAST_RATE <= _per_hour(amount, hours) <= _MOST_RATE

    money = _money(text, told, is_possible, is_unit_told=bool(period))
    if money.amount and not is_possible(money.amount, money.currency):
        raise UnclearError(UNDECIDED, worded("implausible for one GPU-hour"), _AS_RATE)
    if hours == 1:
        return money
    rate = _per_hour(money.amount, hours)
    arithmetic = worded(
        "{price} / {hours} h = {rate} per GPU-hour",
        price=exact(money.amount),
        hours=str(hours),
        rate=exact(rate),
    )
    return Money(rate, money.currency, arithmetic)


def read_money(text: str, told: Told) -> Money:
    """An amount that is for what its column says: one GPU, or a GB. Errors: UnclearError.

    >>> str(read_money("12.5k", Told("USD")).amount), read_money("€ 500 per GPU", Told("USD")).currency
    ('12500.0', 'EUR')
    """
    if told.is_typed:
        return _money(text, told)
    text = _TAX.sub(" ", text)
    if plain_cell(text) == "free":
        return Money(Decimal(0), told.currency or "USD")
    words = words_of(text) - {"gb", "upfront"}
    if _period(text, words) or words & OF_MACHINES:
        raise UnclearError(UNDECIDED, worded("does not fit its column"), _AS_NUMBER)
    return _money(text, told)


def read_gpus(text: str, told: Told = NOTHING_TOLD) -> int | None:
    """A whole number of GPUs; None where it says that there is no limit. Errors: UnclearError.

    >>> read_gpus("64 GPUs"), read_gpus("1,024"), read_gpus("no limit")
    (64, 1024, None)
    """
    if plain_cell(text) in NO_LIMIT:
        return None
    if words_of(text) - {"gpu", "gpus", "cards"} or has_odd_signs(text):
        raise UnclearError(BAD_NUMBER, worded("not a number of GPUs"), _AS_GPUS)
    numbers = {read_amount(text).number} if told.is_typed else set(_readings(text).values())
    whole = {int(one) for one in numbers if one is not None and 0 <= one <= 10**7 and one == int(one)}
    if len(whole) != 1:
        raise UnclearError(BAD_NUMBER, worded("not a whole number"), _AS_GPUS)
    return whole.pop()


def read_percent(text: str) -> float:
    """Percent of the time in a month; a share of one (0.999) is taken as one. Errors: UnclearError.

    >>> [read_percent(text) for text in ("99.9%", "99,9", "0.999", "99.999")]
    [99.9, 99.9, 99.9, 99.999]
    """
    plain = re.sub(r"^\s*(?:≥|>=)", " ", text).replace("%", " ")
    if not words_of(text) - words("uptime|sla|per|month|monthly|availability") and not has_odd_signs(plain):
        numbers = [number for number in _readings(plain).values() if number is not None]
        shares = {number * 100 if number <= 1 and "%" not in text else number for number in numbers}
        possible = {float(number) for number in shares if LEAST_PERCENT <= number <= 100}
        if len(possible) == 1:
            return possible.pop()
    raise UnclearError(
        BAD_NUMBER, worded("not a percentage of time"), worded("write it as {example}", example="99.9")
    )


def number_style(texts: Iterable[str]) -> str:
    """How the program that wrote a text file writes numbers: POINT or COMMA; empty where its bare numbers do not tell.

    >>> number_style(["2.10", "1,024"]), number_style(["2,10"]), number_style(["64", "1,760 per month"])
    ('point', 'comma', '')
    """
    told = {
        style for text in texts if is_bare(text) and len(styles := styles_of(text)) == 1 for style in styles
    }
    return told.pop() if len(told) == 1 else ""


def is_bare(text: str) -> bool:
    """Whether a text is a number and nothing else.

    >>> is_bare("1,024.50"), is_bare("1,760 per month")
    (True, False)
    """
    return _BARE.fullmatch(text.strip()) is not None


def _period(text: str, words: set[str]) -> str:
    """For what time an amount is, as a key of HOURS_OF_PERIOD; empty where its words do not say.

    Errors: UnclearError for two of them, and for words or signs that may mean anything.
    """
    units = {word: _PERIOD_OF.get(word) or _PERIOD_OF.get(word.removeprefix("gpu")) for word in words}
    found = {unit for unit in units.values() if unit is not None}
    known = _FILLERS | _CURRENCY_WORDS | _OF_ONE_GPU | OF_MACHINES | ({"an"} if found == {"hour"} else set())
    strange = {word for word, unit in units.items() if unit is None and word not in known}
    if strange or len(found) > 1 or has_odd_signs(text):
        raise UnclearError(BAD_NUMBER, worded("not an amount with a unit"), _AS_NUMBER)
    return found.pop() if found else ""


def _range(text: str, told: Told) -> RateRange | None:
    """Two rates with a dash between them, the lower first; None where a cell is none of that. Errors: UnclearError."""
    found = _RANGE.fullmatch(text.strip()[:LONGEST_CELL])
    if found is None or found[3].strip() not in ("", found[1].strip()):
        return None
    low, high = (read_rate(f"{found[1]}{one}{found[5]}", told) for one in (found[2], found[4]))
    is_range = isinstance(low, Money) and isinstance(high, Money) and low.amount < high.amount
    return RateRange(low, high) if is_range else None  # type: ignore[arg-type]


def _money(
    text: str,
    told: Told,
    is_possible: Callable[[Decimal, str], bool] = lambda amount, currency: True,
    *,
    is_unit_told: bool = False,
) -> Money:
    """The amount of a cell and its currency; is_possible, is_unit_told: see one_number. Errors: UnclearError."""
    if told.unit == "%":
        raise UnclearError(BAD_NUMBER, worded("a percentage"), _AS_NUMBER)
    currency = _named_currency(told.unit if told.is_typed else text, told) or told.currency

    def may_be(amount: Decimal) -> bool:
        """Whether the amount may be meant, in its currency."""
        return is_possible(amount, currency)

    number = one_number(text, told, may_be, is_unit_told=is_unit_told)
    if number is None or not 0 <= number <= _LARGEST:
        raise UnclearError(BAD_NUMBER, worded("not an amount"), _AS_NUMBER)
    if not currency and number:
        why = worded("no currency here or above the table")
        raise UnclearError(UNDECIDED, why, worded("add the currency code, such as USD"))
    return Money(number, currency or "USD")


def one_number(
    text: str,
    told: Told,
    is_possible: Callable[[Decimal], bool] = lambda amount: True,
    *,
    is_unit_told: bool = False,
) -> Decimal | None:
    """The one number of a cell; None where it holds none, or several.

    Of a text that is one number with points and another with commas (1,760) that is taken which the program writes that
    wrote the file, or which alone is possible where the cell says what it is for. Errors: UnclearError otherwise.
    """
    if told.is_typed:
        return read_amount(text).number
    readings = _readings(text)
    numbers = {number for number in readings.values() if number is not None}
    if len(numbers) < 2:
        return next(iter(numbers), None)
    of_style = readings.get(told.style)
    if of_style is not None and is_bare(text) and is_possible(of_style):
        return of_style
    possible = {number for number in numbers if is_possible(number)}
    if is_unit_told and len(possible) == 1:
        return possible.pop()
    why = worded("{one} or {other}", one=exact(min(numbers)), other=exact(max(numbers)))
    raise UnclearError(UNDECIDED, why, worded("omit thousands separators: 1760 or 1.76"))


def _readings(text: str) -> dict[str, Decimal | None]:
    """What a cell is in each way in which its number can be read; nothing where it has none, or several."""
    return {style: read_amount(text, style).number for style in styles_of(text)}


def _named_currency(text: str, told: Told) -> str:
    """The ISO code of the currency that a cell names; empty where it names none.

    Errors: UnclearError where it names several, or by a sign that several have.
    """
    named = {code for word in WORDS.findall(text) if (code := currency_of(word)) is not None}
    words = {code for code in named if code in CODES}  # kr is the sign of several
    signs = {sign.upper() for sign in SIGNS.findall(text)}
    shared = {"$": _DOLLARS, "¥": frozenset({"CNY"}), "KR": _CROWNS}
    if "kr" in words_of(text):
        signs.add("KR")
    if {"dollar", "dollars"} & words_of(text) and not words:
        signs.add("$")
    found = set(words)
    for sign in signs:
        of_sign = currency_of(sign)
        if len(words) == 1 and words <= shared.get(sign, frozenset()):
            continue  # $ 2.10 CAD
        if sign == "KR" and told.currency in _CROWNS:
            continue
        is_yen_or_yuan = sign == "¥" and told.currency != "JPY"
        is_shared = is_yen_or_yuan or told.currency in shared.get(sign, ())
        if of_sign not in CODES or (is_shared and not words):
            why = worded("the currency of “{sign}” is ambiguous", sign=sign.lower())
            raise UnclearError(UNDECIDED, why, worded("add the currency code, such as USD"))
        found.add(of_sign)
    if len(found) > 1:
        raise UnclearError(UNDECIDED, worded("two currencies"), _AS_NUMBER)
    return found.pop() if found else ""


def _per_hour(amount: Decimal, hours: Fraction) -> Decimal:
    """What an amount for so many hours is for one; to a millionth where it is divided."""
    if hours == 1:
        return amount
    rate = (amount * hours.denominator / hours.numerator).quantize(_MILLIONTH)
    return Decimal(f"{rate.normalize():f}")


# --- Days and lengths of time as vendors write them into the cells of a quote, read rightly or asked about

_LEAD_HOURS: Final = {
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), 1),
    **dict.fromkeys(("d", "day", "days", "tag", "tage", "tagen", "jours"), 24),
    **dict.fromkeys(("w", "wk", "wks", "week", "weeks", "woche", "wochen"), 168),
    **dict.fromkeys(("mo", "mos", "month", "months", "monat", "monate"), 730),
}
_LEAD_FILLERS: Final = frozenset(
    {"from", "after", "order", "aro", "of", "calendar", "lead", "time", "within", "up", "to"}
)
_LONGEST_LEAD_HOURS: Final = 24 * 3660
_FIRST_YEAR, _LAST_YEAR = 2020, 2100
_NUMERIC_DAY: Final = lazy_re(
    r"(\d{1,4})\s*([./-])\s*\d{1,2}\s*[./-]\s*\d{1,4}([T ]+\d\d?:\d\d(:\d\d)?(\.\d+)?Z?)?"
)
_SHORT_YEAR: Final = lazy_re(r"\d\d[-/]\d{1,2}[-/]\d\d")
_YEAR_FIRST: Final = lazy_re(r"(\d{4})[./-](\d{1,2})[./-](\d{1,2})")
_LENGTHS: Final = lazy_re(
    r"(?i)(\d{1,3}(?:\.\d)?)\s*(?:[-–—−]|to|bis|à)\s*(\d{1,3}(?:\.\d)?)\s*([^\W\d_]*(?:\s+[^\W\d_]+)*)"
)
_HOLDS: Final = lazy_re(
    r"(?i)(?:valid\s+)?(?:for\s+)?(\d{1,3})\s*(d|days?|tage?n?|w|wks?|weeks?|wochen?|mos?|months?|monate?n?)\b(.*)"
)
_HOLDS_FILLERS: Final = words(
    "from|after|of|the|date|day|quote|quoted|quotation|this|offer|validity|calendar"
)
_AS_DAYS: Final = worded("write whole days, such as 14")
_AS_DAY: Final = worded("write it as {example}", example="2026-12-31")


def read_lead_hours(text: str, told: Told = NOTHING_TOLD) -> float:
    """Hours from order to delivery; a number alone counts days. Errors: UnclearError.

    Of a range with a unit the longer one counts; without one it may be a day.

    >>> [read_lead_hours(text) for text in ("2 weeks", "14", "336 h", "in stock", "2-3 weeks")]
    [336.0, 336.0, 336.0, 0.0, 504.0]
    """
    if plain_cell(text) in AS_ASKED:
        return 0.0
    if not told.is_typed and longer_of(text) != text:
        if not words_of(text) - {"to", "bis", "à"}:
            raise UnclearError(UNDECIDED, worded("a range without a unit may be a date"), _AS_DAYS)
        text = longer_of(text)
    words = set() if told.is_typed else words_of(text) - _LEAD_FILLERS
    each = {_LEAD_HOURS.get(word, 0) for word in words}
    number = None if 0 in each or len(each) > 1 or has_odd_signs(text) else one_number(text, told)
    if number is None or not 0 <= number * (hours := each.pop() if each else 24) <= _LONGEST_LEAD_HOURS:
        raise UnclearError(BAD_NUMBER, worded("not a number of days"), _AS_DAYS)
    return float(number * hours)


def longer_of(text: str) -> str:
    """The longer of two lengths of time with a dash between them; the text itself where it is no such range.

    >>> longer_of("2-3 weeks"), longer_of("10 to 14 days"), longer_of("3 weeks"), longer_of("3-2 weeks")
    ('3 weeks', '14 days', '3 weeks', '3-2 weeks')
    """
    found = _LENGTHS.fullmatch(text.strip()[:LONGEST_CELL])
    if found is None or float(found[1]) >= float(found[2]):
        return text
    return f"{found[2]} {found[3]}".strip()


def read_last_day(text: str, quoted_on: str | None) -> str | None:
    """The last day of a quote: a day, or a length of time (30 days, 6 weeks, 2 months) from the day it was quoted on.

    None where it says that nothing differs from what was asked. Errors: UnclearError, also where it counts from a day
    that is not told, or to one beyond all quotes.

    >>> read_last_day("30 days", "2026-10-05"), read_last_day("2026-12-01", None)
    ('2026-11-04', '2026-12-01')
    """
    found = _holds(text)
    if found is None:
        return read_day(text)
    if quoted_on is None:
        raise UnclearError(UNDECIDED, worded("no quote date to count from"), _AS_DAY)
    number, unit = int(found[1]), found[2].lower()
    begin, last = date.fromisoformat(quoted_on), None
    if unit.startswith("mo"):
        last = months_after(quoted_on, number)
    elif begin.year <= _LAST_YEAR:
        last = (begin + timedelta(days=number * (7 if unit.startswith("w") else 1))).isoformat()
    if last is None or int(last[:4]) > _LAST_YEAR:
        raise UnclearError(BAD_TIME, worded("not a plausible date"), _AS_DAY)
    return last[:10]


def is_length(text: str) -> bool:
    """Whether a text says for how long a quote holds, and no day.

    >>> [is_length(text) for text in ("30 days", "2 months from date of quote", "30 working days", "2026-12-01")]
    [True, True, False, False]
    """
    return _holds(text) is not None


def _holds(text: str) -> re.Match[str] | None:
    """Number and unit of a length of time."""
    found = _HOLDS.fullmatch(text.strip()[:LONGEST_CELL])
    return None if found is None or words_of(found[3]) - _HOLDS_FILLERS else found


def read_day(text: str) -> str | None:
    """A day as ISO text; None where it says that nothing differs from what was asked.

    01/12/2026 is asked about, since it is two days; so is a month, and a year of two digits that may be a day. What
    stands behind a day but for its clock is no part of one. Errors: UnclearError.

    >>> [read_day(text) for text in ("1 Dec 2026", "25/12/2026", "1.12.2026", "2026-12-01T00:00:00")]
    ['2026-12-01', '2026-12-25', '2026-12-01', '2026-12-01']
    """
    if plain_cell(text) in AS_ASKED:
        return None
    cleaned = text.strip()
    if found := _YEAR_FIRST.fullmatch(cleaned):
        cleaned = f"{found[1]}-{int(found[2]):02d}-{int(found[3]):02d}"
    has_more = re.match(r"\d{1,4}\s*[./-]\s*\d{1,2}\s*[./-]", cleaned) and not _NUMERIC_DAY.fullmatch(cleaned)
    readings = {read_date(cleaned, order) for order in (DAY_FIRST, MONTH_FIRST)}
    if has_more or None in readings or len(cleaned) > LONGEST_CELL:
        raise UnclearError(BAD_TIME, worded("not a day"), _AS_DAY)
    if months_of_period(cleaned):
        raise UnclearError(BAD_TIME, worded("a period, not a day"), _AS_DAY)
    days = {(reading or "")[:10] for reading in readings}
    if len(days) > 1 or _SHORT_YEAR.fullmatch(cleaned):
        raise UnclearError(UNDECIDED, worded("day, month and year are ambiguous"), _AS_DAY)
    day = days.pop()
    if not is_day(day) or not _FIRST_YEAR <= date.fromisoformat(day).year <= _LAST_YEAR:
        raise UnclearError(BAD_TIME, worded("not a plausible date"), _AS_DAY)
    return day
