"""Amounts in tables: currency signs and codes, points and commas, text after a slash."""

from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache
from typing import Final, NamedTuple

from gpuplanner.domain.message import Message, Value, joined
from gpuplanner.files.values.numbers import TEXTS_KEPT, read_decimal
from gpuplanner.files.values.word_lists import phrases, words
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

POINT: Final = "point"
COMMA: Final = "comma"
"""The decimal sign: 1,234.56 or 1.234,56."""

NO_AMOUNT: Final = words(
    "-|--|–|—|tbd|tba|tbc|n/a|na|none|null|?|unknown|quote|rfq|poa|open|offen|nan|nb|n.a.|k.a."
) | {"on request", "auf anfrage", "quote needed", "to be confirmed", "to be quoted", "ask", "contact sales"}
"""Texts for an unknown amount."""

CODES: Final = phrases(
    "USD|EUR|GBP|CHF|SEK|NOK|DKK|PLN|CZK|JPY|CNY|INR|CAD|AUD|NZD|SGD|HKD|KRW|BRL|MXN|ZAR|ILS|AED|SAR"
)
_NAMES: Final = {
    name: code or name
    for name, _, code in (
        pair.partition("=")
        for pair in phrases(
            f"CA$=CAD|C$=CAD|AU$=AUD|A$=AUD|S$=SGD|HK$=HKD|NZ$=NZD|R$=BRL|{'|'.join(CODES)}|US$=USD|EURO=EUR|EUROS=EUR"
            "|RMB=CNY|YUAN=CNY|YEN=JPY|SFR=CHF|KČ=CZK|KR=SEK/NOK/DKK|ZŁ=PLN|元=CNY|人民币=CNY"
            "|$=USD|€=EUR|£=GBP|¥=JPY|₹=INR|₩=KRW"
        )
    )
}
_CURRENCY: Final = lazy_re(
    rf"(?<![A-Z])(?:[KTM]?({'|'.join(filter(str.isalpha, _NAMES))})(?![A-Z])|[A-Z]{{1,2}}\$)|[$€£¥₹₩]"
)
"""A code, a word or a sign; dollars with unknown letters before them have an unknown currency."""
_US_DOLLARS: Final = ("", "$", "usd", "us$", "us dollar", "us dollars")
_LONGEST_AMOUNT: Final = 80
_NUMBER: Final = lazy_re(
    r"[-+−]?(?:\d[\d.,'’\u00a0\u2007\u2009\u202f ]*\d|\d|[.,]\d+)(?:[eE][-+]?\d{1,3})?[.,]?"
)
_GAPS: Final = lazy_re(r"(?<=\d)['’\u00a0\u2007\u2009\u202f ](?=\d{3}(?!\d))")
_AMOUNT_FORMS: Final = {
    POINT: lazy_re(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][-+]?\d+)?$"),
    COMMA: lazy_re(r"[-+]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d*)?(?:[eE][-+]?\d+)?$"),
}


_TIMES: Final = lazy_re(
    r"^\s?(?:([kK]|[Tt]sd|[Mm]io|M|mn)\.?(?![A-Za-z])|([kKTM])(?=(?:USD|EUR|GBP|CHF)\b|[$€£]))"
)
"""Thousands and millions after a number: 120k, 1.2 Mio., 70 TEUR."""


@dataclass(frozen=True, slots=True)
class Amount:
    """The amount in a cell. number: None without exactly one number. currency: ISO code, None if not named.

    per: text after the number in small letters, such as `/gpu/hr`.
    """

    number: Decimal | None
    currency: str | None = None
    per: str = ""


@lru_cache(maxsize=TEXTS_KEPT)
def currency_of(text: str) -> str | None:
    """Return the first currency in a heading or a cell, as ISO code; None without one.

    >>> currency_of("US$ 2.75"), currency_of("Preis (EUR/GPU/h)"), currency_of("C$ 3"), currency_of("rate")
    ('USD', 'EUR', 'CAD', None)
    """
    return next(iter(currencies_in(text)), None)


@lru_cache(maxsize=TEXTS_KEPT)
def currencies_in(text: str) -> tuple[str, ...]:
    """Return all currencies in a text: other dollars, codes, words, signs.

    >>> currencies_in("1 EUR = $1.08"), currencies_in("25 Kč"), currencies_in("H100")
    (('EUR', 'USD'), ('CZK',), ())
    """
    codes = {match[1] or match[0] for match in _CURRENCY.finditer(text.upper())}
    named = [
        code for name, code in _NAMES.items() if name in codes or (name == "$" and codes - _NAMES.keys())
    ]
    return tuple(dict.fromkeys(named))


def quoted(amount: Value, code: str) -> Message:
    """Return an amount in the currency of its file, whatever the project's currency. code: ISO code.

    >>> from gpuplanner.domain.figures.typed import exact
    >>> [str(quoted(exact(Decimal("2.75")), code)) for code in ("USD", "EUR", "")]
    ['$2.75', '2.75 EUR', '$2.75']
    """
    return joined((amount, f" {code}") if code not in ("", "USD") else ("$", amount))


@lru_cache(maxsize=TEXTS_KEPT)
def other_currency(text: str) -> str:
    """Return the currency in a cell unless it is US dollars: its code, or the text if unclear; "" for US dollars.

    >>> other_currency("euros"), other_currency("A$"), other_currency("usd"), other_currency(""), other_currency("MX$")
    ('EUR', 'AUD', '', '', 'MX$')
    """
    if text.strip().lower() in _US_DOLLARS:
        return ""
    code = currency_of(text)
    is_open = "/" in text and len(currencies_in(text)) > 1  # EUR/GBP is ambiguous
    return text.strip() if is_open or code in (None, "USD") else str(code)


def styles_of(text: str) -> frozenset[str]:
    """Return the decimal styles that a cell's number can have: both if equal, none without a number.

    >>> sorted(styles_of("1.234,56")), sorted(styles_of("$2.75/hr")), sorted(styles_of("8"))
    (['comma'], ['point'], ['comma', 'point'])
    """
    only_number = _only_number(text)
    if only_number is None:
        return frozenset()
    return frozenset(s for s in _AMOUNT_FORMS if _parsed(only_number[0], s) is not None)


@lru_cache(maxsize=TEXTS_KEPT)
def is_two_numbers(text: str) -> bool:
    """Return whether a cell gives two different numbers in the two styles, as 1,234.

    >>> is_two_numbers("1,234"), is_two_numbers("1,23"), is_two_numbers("on request")
    (True, False, False)
    """
    only_number = _only_number(text)
    if only_number is None:
        return False
    readings = {_parsed(only_number[0], style) for style in _AMOUNT_FORMS}
    return None not in readings and len(readings) > 1


class DecidedStyle(NamedTuple):
    """Decimal style of a column (None: undecided), and whether ambiguous cells remain."""

    style: str | None
    is_open: bool


def decide_style(texts: Iterable[str]) -> DecidedStyle:
    """Return the decimal style of a column (None if undecided), and whether ambiguous cells remain.

    The second is True only if no cell decides and a cell can be read in both styles.

    >>> decide_style(["1.234,56", "1,234"])
    DecidedStyle(style='comma', is_open=False)
    >>> decide_style(["1,234"]).is_open, decide_style(["8"]).is_open
    (True, False)
    """
    points = commas = 0
    is_open = False
    for text in texts:
        styles = styles_of(text)
        points += styles == {POINT}
        commas += styles == {COMMA}
        is_open = is_open or is_two_numbers(text)
    if points and commas:
        return DecidedStyle(style=POINT if points >= commas else COMMA, is_open=is_open)
    if points:
        return DecidedStyle(style=POINT, is_open=False)
    if commas:
        return DecidedStyle(style=COMMA, is_open=False)
    return DecidedStyle(style=None, is_open=is_open)


def proven_style(columns: Iterable[Iterable[str]]) -> str:
    """Return the decimal style that columns of one file prove; "" if none proves one, or they disagree.

    >>> proven_style([["41.200"], ["48,2"]]), proven_style([["4.9"], ["48,2"]]), proven_style([["41.200"]])
    ('comma', '', '')
    """
    proofs = {style for texts in columns if (style := decide_style(texts).style) is not None}
    return proofs.pop() if len(proofs) == 1 else ""


@lru_cache(maxsize=TEXTS_KEPT)
def read_amount(text: str, style: str = POINT) -> Amount:
    """Parse a cell in a style, or in the other style if it only fits that.

    >>> read_amount("$2.75/hr"), read_amount("1.234,56 €", COMMA).number, read_amount("120k").number
    (Amount(number=Decimal('2.75'), currency='USD', per='/hr'), Decimal('1234.56'), Decimal('120000'))
    """
    plain = read_decimal(text) if style == POINT else None
    if plain is not None:
        return Amount(plain)
    only_number = _only_number(text)
    if only_number is None:
        return Amount(None, currency_of(text) if len(text) <= _LONGEST_AMOUNT else None)
    digits, rest = only_number
    other = COMMA if style == POINT else POINT
    number = _parsed(digits, style)
    if number is None:
        number = _parsed(digits, other)
    times = _TIMES.match(rest)
    if times is not None and number is not None:
        is_thousands = (times[1] or times[2]).lower() in ("k", "tsd", "t")
        number, rest = number * (1000 if is_thousands else 1_000_000), rest[times.end() :]
    return Amount(number, currency_of(text), rest.strip().lower())


_KILOHOURS: Final = lazy_re(
    r"(?i)(?<![\w.,])1[ ,.'’]?000(?=[ -]*(?:gpu[ -]*)?(?:h|hrs?|hours?|std|stunden|heures?)\b)"
)


def with_kilohours(text: str) -> str:
    """Replace the thousand hours of a price by a unit.

    >>> with_kilohours("$2,500 per 1,000 GPU-hours"), with_kilohours("1000 GPUs")
    ('$2,500 per kilohour GPU-hours', '1000 GPUs')
    """
    return _KILOHOURS.sub("kilohour", text)


def is_range(text: str) -> bool:
    """Return whether a cell states a range or a bound instead of one amount.

    >>> is_range("$2.29 \u2013 $2.59"), is_range("from 2.29"), is_range("2.49+"), is_range("-2.29")
    (True, True, True, False)
    """
    return len(text) <= _LONGEST_AMOUNT and _RANGE.search(text.strip()) is not None


_RANGE: Final = lazy_re(
    r"(?i)^(?:[<>≤≥]|(?:from|starting|starts|as low as|up to|at least|at most|min|max|ab|bis|dès|jusqu|à partir)\b)"
    r"|^[^\d+]*\d[\d.,]*\s*(?:/\S+\s*)?(?:-|\u2013|\u2014|to|bis|à|\.\.+|…)\s*[^\W\d]{0,3}[$€£]?\s*\d|^\D*\d[\d.,]*\s?\+(?:\s*/.*)?$"
)


_REGION_BEHIND: Final = lazy_re(r"\s*\((?:[a-z]+-)*[a-z]{3,}-?\d\)$")


def _only_number(text: str) -> tuple[str, str] | None:
    """Return the only number in a short text as digits, and the text after it; None without exactly one."""
    cleaned = _REGION_BEHIND.sub("", text.strip())
    if not cleaned or len(cleaned) > _LONGEST_AMOUNT:
        return None
    is_negative = cleaned.startswith("(") and cleaned.endswith(")")
    found = list(_NUMBER.finditer(cleaned))
    if len(found) == 2:  # $2,500 per 1,000 GPU-hours
        found = list(_NUMBER.finditer(cleaned := with_kilohours(cleaned)))
    if len(found) != 1:
        return None
    before, rest = cleaned[: found[0].start()], cleaned[found[0].end() :]
    if before[-1:].isalpha() and currency_of(before) is None:  # H100 is a name
        return None
    digits = _GAPS.sub("", found[0][0].replace("−", "-")).strip()
    if " " in digits or "'" in digits:
        return None
    return ("-" + digits if is_negative else digits), rest


def _parsed(digits: str, style: str) -> Decimal | None:
    """Parse digits in a style; None if they do not fit it."""
    plain = digits.rstrip(".,") if digits[:-1] else digits
    if not _AMOUNT_FORMS[style].match(plain):
        return None
    swapped = plain.replace(",", "") if style == POINT else plain.replace(".", "").replace(",", ".")
    return read_decimal(swapped)
