"""Exchange rates in the texts of a sheet: `1 EUR = 1.11 USD (30 Nov 2026)`."""

from collections.abc import Iterator, Sequence
from decimal import Decimal
from functools import cache
from re import Pattern
from typing import Final

from gpuplanner.domain.model.book.exchange import USD, ExchangeRate
from gpuplanner.files.system.resources import rows_of
from gpuplanner.files.values.amounts import CODES, currency_of
from gpuplanner.files.values.numbers import read_decimal
from gpuplanner.files.values.written_dates import read_date
from gpuplanner.lazy_re import lazy_re

_UNIT: Final = rf"(?:{'|'.join(CODES)}|US\$|[$€£]|euros?|(?:us )?dollars?|pounds?)"
_NUMBER: Final = r"\d{1,5}(?:[.,]\d{1,6})?"
_EQUAL: Final = lazy_re(
    rf"(?i)(?<![\w.,])(?:1(?:[.,]0+)? ?({_UNIT})|({_UNIT}) ?1(?:[.,]0+)?) ?(?:=|is|:|≙|entspricht) ?"
    rf"(?:({_UNIT}) ?({_NUMBER})|({_NUMBER}) ?({_UNIT}))(?![\w])"
)
_PAIR: Final = lazy_re(
    rf"(?i)(?<!\w)({_UNIT}) ?/ ?({_UNIT}) ?(?:[:=]|rate|kurs|at|@|\s)+ ?({_NUMBER})(?![\w%])"
)
_PER: Final = lazy_re(
    rf"(?i)(?:rate|kurs|taux|fx)\D{{0,20}}?({_NUMBER}) ?({_UNIT}) ?(?:per|pro|par|/) ?({_UNIT})(?!\w)"
)


def exchange_stated(text: str) -> ExchangeRate | None:
    """The exchange rate that a text states, with its date (empty where it has none); None where it states none.

    >>> exchange_stated("1 EUR = 1.11 USD (30 Nov 2026)")
    ExchangeRate(code='EUR', usd_rate=Decimal('1.11'), as_of='2026-11-30')
    >>> exchange_stated("EUR/USD: 1,0850").usd_rate, exchange_stated("$1 = €0.80").usd_rate
    (Decimal('1.0850'), Decimal('1.25'))
    >>> exchange_stated("FX rate 1.25 USD per GBP").code, exchange_stated("EUR 1,200 per month")
    ('GBP', None)
    """
    for unit, other, number in _pairs(text):
        rate = read_decimal(number.replace(",", "."))
        codes = (_code(unit), _code(other))
        if not rate or USD not in codes or codes[0] == codes[1] or "" in codes:
            continue
        is_inverse = codes[0] == USD
        usd_rate = (1 / rate).quantize(Decimal("0.000001")).normalize() if is_inverse else rate
        day = _date().search(text)
        as_of = (read_date(day[1]) or "")[:10] if day is not None else ""
        return ExchangeRate(code=codes[1] if is_inverse else codes[0], usd_rate=usd_rate, as_of=as_of)
    return None


def without_exchange(text: str) -> str:
    """A text without the exchange rates that it states: their currencies are not those of amounts.

    >>> without_exchange("All prices in EUR. 1 EUR = 1.10 USD")
    'All prices in EUR.  '
    """
    if exchange_stated(text) is None:
        return text
    for pattern in (_EQUAL, _PAIR, _PER):
        text = pattern.sub(" ", text)
    return text


def is_exchange_in_parts(cells: Sequence[str], delimiter: str) -> bool:
    """Whether an exchange rate is in several cells of a row, taken apart at its decimal comma."""
    is_in_cell = any(exchange_stated(cell) is not None for cell in cells)
    return not is_in_cell and exchange_stated(delimiter.join(cells)) is not None


def _pairs(text: str) -> Iterator[tuple[str, str, str]]:
    """What a text equates: one unit of a currency, the other currency, and how many of it."""
    for match in _EQUAL.finditer(text):
        unit, other = match[1] or match[2], match[3] or match[6]
        yield unit, other, match[4] or match[5]
    for match in _PAIR.finditer(text):
        yield match[1], match[2], match[3]
    for match in _PER.finditer(text):
        yield match[3], match[2], match[1]


def _code(unit: str) -> str:
    """The ISO code of a currency's sign, code or name; empty where it has none."""
    named = {"euro": "EUR", "dollar": USD, "us dollar": USD, "pound": "GBP"}
    return named.get(unit.lower().removesuffix("s")) or currency_of(unit.upper()) or ""


@cache
def _date() -> Pattern[str]:
    """How a day is written among words."""
    pattern = next(row["pattern"] for row in rows_of("quote_words.csv") if row["name"] == "date")
    return lazy_re(f"(?i){pattern}")
