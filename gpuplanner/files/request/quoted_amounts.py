"""What vendors write into the cells of a quote, read rightly or asked about: amounts, ranges, counts, percentages."""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Final

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import NO_WORDS, Message, worded
from gpuplanner.files.request.quoted_words import (
    BAD_NUMBER,
    GAPS,
    LONGEST_CELL,
    NO_LIMIT,
    OF_MACHINES,
    SIGNS,
    THOUSANDS,
    UNDECIDED,
    WORDS,
    UnclearError,
    has_odd_signs,
    plain_cell,
    words_of,
)
from gpuplanner.files.values.amounts import CODES, currency_of, read_amount, styles_of
from gpuplanner.files.values.unit_words import HOURS_OF_PERIOD, price_words

_FILLERS: Final = frozenset(
    {"per", "pro", "par", "por", "je", "a", "each", "the", "of", "for", "at", "rate", "price", "fixed"}
    | {"firm", "flat"}
    | {"net", "netto", "excl", "excluding", "ex", "vat", "tax", "taxes", "mwst", "ust", "ht", "only"}
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

_BARE: Final = re.compile(rf"[-+(]?[\d.,{GAPS}]+\)?")
_TAX: Final = re.compile(
    r"(?:\+|\bplus|\bzzgl\.?|\bexcl(?:\.|uding)?|\bex|\bwithout)\s*(?:vat|taxes|tax|mwst|ust)\b", re.I
)
_TIMES: Final = re.compile(r"(?<=[^\W\d])\*(?=[^\W\d])")
"""Tax that is not in an amount; the sign between units, as in GPU*h."""

_RANGE: Final = re.compile(r"([^\d.,]*)(\d[\d.,]*)\s*(?:[-–—−]|to|bis|à)\s*(\D{0,4})(\d[\d.,]*)(\D*)", re.I)


_AS_NUMBER: Final = worded("write the amount as a number alone, such as 2.10, and the rest as a remark")
_AS_RATE: Final = worded("write the rate of one GPU for one hour, such as 2.10")
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
        why = worded("it is for a machine, and how many GPUs that has is not told")
        raise UnclearError(UNDECIDED, why, _AS_RATE)
    is_of_one = any(word.startswith("gpu") for word in words) or bool(words & _OF_ONE_GPU)
    if period not in ("", "hour") and not is_of_one:
        why = worded("it is not told whether it is for one GPU or for all of the row")
        raise UnclearError(UNDECIDED, why, worded("write the rate of one GPU for one hour, or add “per GPU”"))
    if not period and THOUSANDS.search(text):
        raise UnclearError(UNDECIDED, worded("it is not told for what time it is"), _AS_RATE)
    hours = HOURS_OF_PERIOD[period or "hour"]

    def is_possible(amount: Decimal, currency: str) -> bool:
        """Whether anybody may ask so much; unknown, and so true, in currencies that are not of a dollar's size."""
        return currency not in _OF_A_DOLLARS_SIZE or _LEAST_RATE <= _per_hour(amount, hours) <= _MOST_RATE

    money = _money(text, told, is_possible, is_unit_told=bool(period))
    if money.amount and not is_possible(money.amount, money.currency):
        raise UnclearError(
            UNDECIDED, worded("nobody asks so much, or so little, for one GPU and one hour"), _AS_RATE
        )
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
        raise UnclearError(UNDECIDED, worded("it is for something else than its column asks"), _AS_NUMBER)
    return _money(text, told)


def read_gpus(text: str, told: Told = NOTHING_TOLD) -> int | None:
    """A whole number of GPUs; None where it says that there is no limit. Errors: UnclearError.

    >>> read_gpus("64 GPUs"), read_gpus("1,024"), read_gpus("no limit")
    (64, 1024, None)
    """
    if plain_cell(text) in NO_LIMIT:
        return None
    if words_of(text) - {"gpu", "gpus", "cards"} or has_odd_signs(text):
        raise UnclearError(BAD_NUMBER, worded("it is not a number of GPUs alone"), _AS_GPUS)
    numbers = {read_amount(text).number} if told.is_typed else set(_readings(text).values())
    whole = {int(one) for one in numbers if one is not None and 0 <= one <= 10**7 and one == int(one)}
    if len(whole) != 1:
        raise UnclearError(BAD_NUMBER, worded("it is no whole number"), _AS_GPUS)
    return whole.pop()


def read_percent(text: str) -> float:
    """Percent of the time in a month; a share of one (0.999) is taken as one. Errors: UnclearError.

    >>> [read_percent(text) for text in ("99.9%", "99,9", "0.999", "99.999")]
    [99.9, 99.9, 99.9, 99.999]
    """
    plain = re.sub(r"^\s*(?:≥|>=)", " ", text).replace("%", " ")
    if not words_of(text) - {
        "uptime",
        "sla",
        "per",
        "month",
        "monthly",
        "availability",
    } and not has_odd_signs(plain):
        numbers = [number for number in _readings(plain).values() if number is not None]
        shares = {number * 100 if number <= 1 and "%" not in text else number for number in numbers}
        possible = {float(number) for number in shares if LEAST_PERCENT <= number <= 100}
        if len(possible) == 1:
            return possible.pop()
    raise UnclearError(BAD_NUMBER, worded("it is no percentage of the time"), worded("write it as 99.9"))


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
        raise UnclearError(BAD_NUMBER, worded("it is more than an amount and what that is for"), _AS_NUMBER)
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
        raise UnclearError(BAD_NUMBER, worded("it is a percentage"), _AS_NUMBER)
    named = _named_currency(told.unit if told.is_typed else text, told)
    currency = named or told.currency

    def may_be(amount: Decimal) -> bool:
        """Whether the amount may be meant, in its currency."""
        return is_possible(amount, currency)

    number = one_number(text, told, may_be, is_unit_told=is_unit_told)
    if number is None or not 0 <= number <= _LARGEST:
        raise UnclearError(BAD_NUMBER, worded("it is no amount"), _AS_NUMBER)
    if not currency and number:
        why = worded("its currency is not told, neither here nor above the table")
        raise UnclearError(UNDECIDED, why, worded("write the code of the currency behind it, such as USD"))
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
    why = worded(
        "it is {one} to some and {other} to others", one=exact(min(numbers)), other=exact(max(numbers))
    )
    raise UnclearError(
        UNDECIDED, why, worded("write it without a sign between thousands, such as 1760 or 1.76")
    )


def _readings(text: str) -> dict[str, Decimal | None]:
    """What a cell is in each way in which its number can be read; nothing where it has none, or several."""
    return {style: read_amount(text, style).number for style in styles_of(text)}


def _named_currency(text: str, told: Told) -> str:
    """The ISO code of the currency that a cell names; empty where it names none.

    Errors: UnclearError where it names several, or by a sign that several have.
    """
    words = {code for word in WORDS.findall(text) if (code := currency_of(word)) is not None}
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
        if of_sign is None or (is_shared and not words):
            why = worded("whose currency “{sign}” is here is not told", sign=sign.lower())
            raise UnclearError(
                UNDECIDED, why, worded("write the code of the currency behind it, such as USD")
            )
        found.add(of_sign)
    if len(found) > 1:
        raise UnclearError(UNDECIDED, worded("it names two currencies"), _AS_NUMBER)
    return found.pop() if found else ""


def _per_hour(amount: Decimal, hours: Fraction) -> Decimal:
    """What an amount for so many hours is for one; to a millionth where it is divided."""
    if hours == 1:
        return amount
    rate = (amount * hours.denominator / hours.numerator).quantize(_MILLIONTH)
    return Decimal(f"{rate.normalize():f}")
