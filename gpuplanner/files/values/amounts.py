"""Amounts as people write them in tables: signs and codes of currencies, points and commas, what follows a slash."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

from gpuplanner.domain.message import Message, Value, joined
from gpuplanner.files.values.numbers import read_decimal

POINT: Final = "point"
COMMA: Final = "comma"
"""Which sign begins the decimals: 1,234.56 or 1.234,56."""

NO_AMOUNT: Final = frozenset(
    [
        "-",
        "--",
        "–",
        "—",
        "tbd",
        "tba",
        "tbc",
        "n/a",
        "na",
        "none",
        "null",
        "?",
        "unknown",
        "quote",
        "rfq",
        "poa",
        "open",
        "offen",
        "nan",
        "nb",
        "n.a.",
        "k.a.",
    ]
) | {"on request", "auf anfrage", "quote needed", "to be confirmed", "to be quoted", "ask", "contact sales"}
"""What stands where no amount is known."""

_SIGNS: Final = {"$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "₹": "INR", "₩": "KRW"}
CODES: Final = [
    "USD",
    "EUR",
    "GBP",
    "CHF",
    "SEK",
    "NOK",
    "DKK",
    "PLN",
    "CZK",
    "JPY",
    "CNY",
    "INR",
    "CAD",
    "AUD",
    "NZD",
    "SGD",
    "HKD",
    "KRW",
    "BRL",
    "MXN",
    "ZAR",
    "ILS",
    "AED",
    "SAR",
]
_NAMES: Final = {
    **{code: code for code in CODES},
    "EURO": "EUR",
    "EUROS": "EUR",
    "RMB": "CNY",
    "YUAN": "CNY",
    "YEN": "JPY",
}
_US_DOLLARS: Final = ("", "$", "usd", "us$", "us dollar", "us dollars")
_LONGEST_TEXT: Final = 80
_NUMBER: Final = re.compile(
    r"[-+−]?(?:\d[\d.,'’\u00a0\u2007\u2009\u202f ]*\d|\d|[.,]\d+)(?:[eE][-+]?\d{1,3})?[.,]?"
)
_GAPS: Final = re.compile(r"(?<=\d)['’\u00a0\u2007\u2009\u202f ](?=\d{3}(?!\d))")
_FORMS: Final = {
    POINT: re.compile(r"[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d*)?(?:[eE][-+]?\d+)?$"),
    COMMA: re.compile(r"[-+]?(?:\d{1,3}(?:\.\d{3})+|\d+)?(?:,\d*)?(?:[eE][-+]?\d+)?$"),
}


_TIMES: Final = re.compile(r"^\s?([kK]|[Tt]sd|[Mm]io|M|mn)\.?(?![A-Za-z])")
"""Thousands and millions behind a number: 120k, 1.2 Mio."""


@dataclass(frozen=True, slots=True)
class Amount:
    """One cell. number: None where it holds none, or several; currency: an ISO code, None where it names none.

    per: what follows the number in small letters, such as `/gpu/hr`.
    """

    number: Decimal | None
    currency: str | None = None
    per: str = ""


def currency_of(text: str) -> str | None:
    """The currency that a heading or a cell names; dollars of other countries by their code or letters.

    >>> currency_of("US$ 2.75"), currency_of("Preis (EUR/GPU/h)"), currency_of("C$ 3"), currency_of("rate")
    ('USD', 'EUR', 'CAD', None)
    """
    upper = text.upper()
    for letters, code in (("CA$", "CAD"), ("C$", "CAD"), ("AU$", "AUD"), ("A$", "AUD"), ("S$", "SGD")):
        if letters in upper and "US$" not in upper:
            return code
    for name, code in _NAMES.items():
        if re.search(rf"(?<![A-Z]){name}(?![A-Z])", upper):
            return code
    return next((code for sign, code in _SIGNS.items() if sign in text), None)


def quoted(amount: Value, code: str) -> Message:
    """An amount as a file quotes it, whatever the project reports in.

    >>> from gpuplanner.domain.figures.typed import exact
    >>> [str(quoted(exact(Decimal("2.75")), code)) for code in ("USD", "EUR", "")]
    ['$2.75', '2.75 EUR', '$2.75']
    """
    return joined((amount, f" {code}") if code not in ("", "USD") else ("$", amount))


def other_currency(text: str) -> str:
    """What a cell of the currency says where it is not US dollars: its code, else as it is written; empty: it is.

    >>> other_currency("euros"), other_currency("A$"), other_currency("usd"), other_currency(""), other_currency("MX$")
    ('EUR', 'AUD', '', '', 'MX$')
    """
    if text.strip().lower() in _US_DOLLARS:
        return ""
    code = currency_of(text)
    return text.strip() if code in (None, "USD") else str(code)


def styles_of(text: str) -> frozenset[str]:
    """In which ways the number of a cell can be read: both where it makes no difference, none where it is none.

    >>> sorted(styles_of("1.234,56")), sorted(styles_of("$2.75/hr")), sorted(styles_of("8"))
    (['comma'], ['point'], ['comma', 'point'])
    """
    found = _only_number(text)
    return frozenset() if found is None else frozenset(s for s in _FORMS if _parsed(found[0], s) is not None)


def is_two_numbers(text: str) -> bool:
    """Whether a cell is one number to those who write points and another to those who write commas: 1,234.

    >>> is_two_numbers("1,234"), is_two_numbers("1,23"), is_two_numbers("on request")
    (True, False, False)
    """
    found = _only_number(text)
    if found is None:
        return False
    readings = {_parsed(found[0], style) for style in _FORMS}
    return None not in readings and len(readings) > 1


def decide_style(texts: Iterable[str]) -> tuple[str | None, bool]:
    """What a column's cells say: the style (None where they say nothing), and whether some stay ambiguous.

    The second is true only where no cell decides and some could be read in both ways.

    >>> decide_style(["1.234,56", "1,234"]), decide_style(["1,234"]), decide_style(["8"])
    (('comma', False), (None, True), (None, False))
    """
    points = commas = 0
    is_open = False
    for text in texts:
        styles = styles_of(text)
        points += styles == {POINT}
        commas += styles == {COMMA}
        is_open = is_open or is_two_numbers(text)
    if points and commas:
        return (POINT if points >= commas else COMMA), is_open
    return (POINT if points else COMMA if commas else None), is_open and not points and not commas


def read_amount(text: str, style: str = POINT) -> Amount:
    """A cell in a style; one that can only be read in the other is read so.

    >>> read_amount("$2.75/hr"), read_amount("1.234,56 €", COMMA).number, read_amount("120k").number
    (Amount(number=Decimal('2.75'), currency='USD', per='/hr'), Decimal('1234.56'), Decimal('120000'))
    """
    plain = read_decimal(text) if style == POINT else None
    if plain is not None:
        return Amount(plain)
    found = _only_number(text)
    if found is None:
        return Amount(None, currency_of(text) if len(text) <= _LONGEST_TEXT else None)
    digits, rest = found
    other = COMMA if style == POINT else POINT
    number = _parsed(digits, style)
    if number is None:
        number = _parsed(digits, other)
    times = _TIMES.match(rest)
    if times is not None and number is not None:
        number, rest = number * (1000 if times[1].lower() in ("k", "tsd") else 1_000_000), rest[times.end() :]
    return Amount(number, currency_of(text), rest.strip().lower())


def _only_number(text: str) -> tuple[str, str] | None:
    """The one number of a short text as digits, and what follows it."""
    cleaned = text.strip()
    if not cleaned or len(cleaned) > _LONGEST_TEXT:
        return None
    is_negative = cleaned.startswith("(") and cleaned.endswith(")")
    found = list(_NUMBER.finditer(cleaned))
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
    """The number of these digits in one style; None where they are no number in it."""
    plain = digits.rstrip(".,") if digits[:-1] else digits
    if not _FORMS[style].match(plain):
        return None
    swapped = plain.replace(",", "") if style == POINT else plain.replace(".", "").replace(",", ".")
    return read_decimal(swapped)
