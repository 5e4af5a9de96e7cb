"""Numbers as people write them, read exactly: decimal commas, amounts of money, names of units, word lists."""

import re
from collections.abc import Iterable, Sequence
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from typing import Final

from gpuplanner.domain.message import NO_WORDS, Message, Value, joined, worded
from gpuplanner.files.system.engine import sql_text
from gpuplanner.files.system.process import rows_of
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

# --- Word lists


def phrases(text: str) -> tuple[str, ...]:
    """Split a list of words at `|`, in order.

    >>> phrases("per hour|hourly")
    ('per hour', 'hourly')
    """
    return tuple(text.split("|"))


def words(text: str) -> frozenset[str]:
    """Split a list of words at `|` into a set."""
    return frozenset(phrases(text))


# --- Exact numbers, and no numbers of a million digits from a short text --------------------------

TEXTS_KEPT: Final = 2**16
"""Cells whose readings are cached, because tables repeat themselves."""

_LONGEST_NUMBER: Final = 60
_LARGEST_EXPONENT: Final = 30


@lru_cache(maxsize=TEXTS_KEPT)
def read_decimal(text: str) -> Decimal | None:
    """Parse a plain decimal number (1, 0.5, 1e3); None for other text and for absurd numbers.

    >>> read_decimal("0.50"), read_decimal("1e999999999"), read_decimal("nan")
    (Decimal('0.50'), None, None)
    """
    cleaned = text.strip()
    if len(cleaned) > _LONGEST_NUMBER or "_" in cleaned:  # Decimal reads 1_000, but no table means it
        return None
    try:
        number = Decimal(cleaned)
    except InvalidOperation:
        return None
    return None if not number.is_finite() or abs(number.adjusted()) > _LARGEST_EXPONENT else number


# --- Names of units in headings and cells, in the languages of people's tables; shared by all readers --------------


@dataclass(frozen=True, slots=True)
class UnitWords:
    """Words for a unit of time, separated by `|`. anywhere: valid in all contexts.

    with_numbers: after the number of a duration or at the end of a log's heading (`3 mins`, `wall_min`). of_terms:
    after the number of a term (`36 mos`). of_prices: unit of a price (`mensuel`). A letter depends on context: 5 m are
    minutes of a job and months of a contract.
    """

    anywhere: str
    with_numbers: str = ""
    of_terms: str = ""
    of_prices: str = ""


_TIME_UNITS: Final = rows_of("time_units.csv")
TIME_WORDS: Final = {
    row["unit"]: UnitWords(row["anywhere"], row["with_numbers"], row["of_terms"], row["of_prices"])
    for row in _TIME_UNITS
}
"""By unit of time."""

HOURS_OF_PERIOD: Final = {row["unit"]: Fraction(row["hours"]) for row in _TIME_UNITS}
"""Hours of each unit of time, common units of prices first."""

_LOG_UNITS: Final = {
    "ms": "ms|msec|millis|millisecond|milliseconds",
    "us": "us|usec|micros|microsecond|microseconds",
    "ns": "ns|nsec|nanos|nanosecond|nanoseconds",
    "milli": "milli|mgpu|mgpus|millicards|thousandths",
    "percent": "percent|pct|percentage|perc",
    "share": "ratio|share|fraction|frac",
}


def _parted(*texts: str) -> tuple[str, ...]:
    """Return the words of all lists, longest first, so that a longer word is found before its beginning."""
    names = (word for text in texts for word in text.split("|") if word)
    return tuple(sorted(names, key=lambda word: (-len(word), word)))


def number_words(unit: str) -> tuple[str, ...]:
    """Return the words for a unit of time after a number or at the end of a log's heading, longest first.

    >>> number_words("minute")
    ('minutes', 'minute', 'mins', 'min', 'm')
    """
    return _parted(TIME_WORDS[unit].anywhere, TIME_WORDS[unit].with_numbers)


UNIT_OF_WORD: Final = {
    **{
        word: unit
        for unit, name in (("s", "second"), ("min", "minute"), ("h", "hour"), ("d", "day"))
        for word in number_words(name)
    },
    **{word: unit for unit, names in _LOG_UNITS.items() for word in names.split("|")},
    "epochs": "s",
}
"""Unit for --map by the last word of a log's heading."""


def term_words(unit: str) -> tuple[str, ...]:
    """Return the words for a unit of time in contract terms, longest first."""
    return _parted(TIME_WORDS[unit].anywhere, TIME_WORDS[unit].of_terms)


def price_words(unit: str) -> frozenset[str]:
    """Return the words for a unit of time in prices."""
    return frozenset(_parted(TIME_WORDS[unit].anywhere, TIME_WORDS[unit].of_prices))


def pattern_of(names: Iterable[str]) -> str:
    """Return a regular expression for one of several words; longer words must come first.

    >>> pattern_of(["hours", "h"])
    '(?:hours|h)'
    """
    return f"(?:{'|'.join(names)})"


# --- Amounts in tables: currency signs and codes, points and commas, text after a slash -----------

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


def decide_style(texts: Iterable[str]) -> tuple[str | None, bool]:
    """Return the decimal style of a column (None if undecided), and whether ambiguous cells remain.

    The second is True only if no cell decides and a cell can be read in both styles.

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
    if points:
        return POINT, False
    if commas:
        return COMMA, False
    return None, is_open


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


# --- Numbers with a decimal comma, thousands or gaps (1.234,5): the same forms for the engine and for Python

STYLES: Final = (COMMA, POINT)
"""Suffix of a unit in --map: `h:comma` means hours with a decimal comma."""

STYLE_TITLES: Final = {COMMA: worded("as {number}", number="1,5"), POINT: worded("as {number}", number="1.5")}
"""Examples of the styles, for display."""

_GAP: Final = "'’ \u00a0\u2007\u2009\u202f"
_NUMBER_FORMS: Final = {
    COMMA: rf"^\s*[-+]?([0-9]{{1,3}}([.{_GAP}][0-9]{{3}})+|[0-9]+)(,[0-9]*)?\s*$",
    POINT: rf"^\s*[-+]?([0-9]{{1,3}}([,{_GAP}][0-9]{{3}})+|[0-9]+)([.][0-9]*)?\s*$",
}
_LEFT_OUT: Final = {COMMA: f"[.\\s{_GAP}]", POINT: f"[,\\s{_GAP}]"}
_INDICES_BELOW: Final = 16  # of GPUs in one node
_PAIR: Final = lazy_re(r"\s*(\d{1,2}),([1-9]\d?)\s*")
_LIST: Final = lazy_re(r"\s*[\[({]?\s*\w[\w:-]*\s*([,;]\s*\w[\w:-]*\s*){2,}[\])}]?\s*")
_SHARES: Final = frozenset(("5", "25", "75", "125"))
"""Decimals in usual shares of GPUs."""


@dataclass(frozen=True, slots=True)
class ColumnStyle:
    """Number style of a column. style: "" for plain numbers. note: an open question, in words."""

    style: str = ""
    note: Message = NO_WORDS


def column_style(texts: Sequence[str], *, may_list: bool = False, elsewhere: str = "") -> ColumnStyle:
    """Return the number style of a whole column. texts: its cells that are not empty.

    may_list: cells may list GPUs (0,1), which is no number. elsewhere: style of other columns.

    >>> column_style(["64,0", "8"]).style, column_style(["0,1,2,3", "0,1"], may_list=True).style
    ('comma', '')
    """
    odd = [text for text in texts if read_decimal(text) is None]
    if may_list and any(_LIST.fullmatch(text) and not styles_of(text) for text in odd):
        return ColumnStyle()
    if may_list and elsewhere != COMMA and odd and all(map(_are_indices, odd)):
        # 0,5 is half a GPU if all are usual shares, otherwise a list of GPUs
        if {text.strip().partition(",")[2] for text in odd} <= _SHARES:
            note = worded("0,5 read as half a GPU; for GPUs 0 and 5, change the unit")
            return ColumnStyle(COMMA, note)
        return ColumnStyle()
    style, is_open = decide_style(texts)
    if is_open and not elsewhere and odd:
        return ColumnStyle(
            POINT, worded("{value} is ambiguous; read with a decimal point", value=odd[0][:40])
        )
    style = elsewhere if is_open else style or ""
    is_needed = style and any(plain_number(text, style) != text.strip() for text in texts)
    return ColumnStyle(style if is_needed else "")


def _are_indices(text: str) -> bool:
    """Return whether a text may name two GPUs of a node: 0,5 does, 64,0 and 2,50 do not."""
    match = _PAIR.fullmatch(text)
    return match is not None and int(match[1]) < int(match[2]) < _INDICES_BELOW


def plain_number(text: str, style: str) -> str:
    """Return a number in a style as a plain number; other text is unchanged.

    >>> plain_number("1.234,5", "comma"), plain_number("1,024", "point"), plain_number("0,1,2", "comma")
    ('1234.5', '1024', '0,1,2')
    """
    if not style or not re.match(_NUMBER_FORMS[style], text):
        return text
    return re.sub(_LEFT_OUT[style], "", text).replace(",", ".")


def plain_sql(column: str, style: str) -> str:
    """Return SQL for `plain_number` of a column.

    style: as for `plain_number`; empty leaves the column unchanged.
    """
    if not style:
        return column
    form, left_out = sql_text(_NUMBER_FORMS[style]), sql_text(_LEFT_OUT[style])
    plain = f"replace(regexp_replace({column}, {left_out}, '', 'g'), ',', '.')"
    return f"case when regexp_matches({column}, {form}) then {plain} else {column} end"
