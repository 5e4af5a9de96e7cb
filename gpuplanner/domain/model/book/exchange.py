"""Currencies: how money is written, and conversion of quoted amounts by dated exchange rates."""

from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache, partial
from typing import Final, TypeVar

from gpuplanner.domain.figures.typed import Written, decimals, exact
from gpuplanner.domain.figures.writing import ENGLISH, MINUS, Writer, half_up
from gpuplanner.domain.message import Message, Text, joined, worded, worded_both
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import refusal
from gpuplanner.domain.model.window import is_day
from gpuplanner.lazy_dataclass import dataclass, replace
from gpuplanner.lazy_re import lazy_re

# --- Currencies: dated exchange rates that the user states, and conversion of quoted amounts ------

USD: Final = "USD"
ONE: Final = Decimal(1)
LARGEST_RATE: Final = Decimal(10**6)
_CODE: Final = lazy_re(r"[A-Z]{3}")

Quoted = TypeVar("Quoted", Contract, Offer)


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """An exchange rate stated by the user: US dollars per unit of a currency (ISO code). as_of: its ISO date."""

    code: str
    usd_rate: Decimal
    as_of: str


@dataclass(frozen=True, slots=True)
class Currency:
    """The currency of reports. usd_rate: US dollars per unit, None if not stated; as_of: ISO date of the rate."""

    code: str = USD
    usd_rate: Decimal | None = ONE
    as_of: str | None = None


DOLLARS: Final = Currency()


def currency_from(code: str, rates: Iterable[ExchangeRate]) -> Currency:
    """Return a currency with its stated exchange rate; without one the rate is unknown, never guessed.

    code: ISO code in capitals; of several rates the last counts. US dollars have a rate of 1 and no date.
    """
    if code == USD:
        return DOLLARS
    stated = {rate.code: rate for rate in rates}.get(code)
    return Currency(code, None, None) if stated is None else Currency(code, stated.usd_rate, stated.as_of)


def exchange_words(rates: Iterable[ExchangeRate]) -> Message:
    """Return the exchange rates with their dates in words; empty without any.

    >>> str(exchange_words([ExchangeRate("EUR", Decimal("1.08"), "2026-09-30")]))
    '1 EUR = 1.08 USD as of 2026-09-30'
    """
    sentences = [
        worded("1 {code} = {rate} USD as of {day}", code=rate.code, rate=exact(rate.usd_rate), day=rate.as_of)
        for rate in rates
    ]
    return joined(sentences, "; ")


def exchange_between(quoted: str, counted: str, rates: Iterable[ExchangeRate]) -> Decimal | None:
    """Return units of `counted` per unit of `quoted` (ISO codes); None if a needed rate is not stated.

    Laws: 1 between a currency and itself, whatever the rates; the product of both directions is 1.
    """
    if quoted == counted:
        return ONE
    rates = tuple(rates)
    of_quoted, of_counted = (currency_from(code, rates).usd_rate for code in (quoted, counted))
    return None if of_quoted is None or of_counted is None else of_quoted / of_counted


def unstated_exchange(code: str) -> Decimal | None:
    """Return the exchange rate of a file's amounts before one is stated: 1 for US dollars, otherwise None."""
    return ONE if code == USD else None


def counted_rows(rows: Iterable[Quoted], counted: str, rates: Iterable[ExchangeRate]) -> tuple[Quoted, ...]:
    """Return quoted rows with their exchange rate; rows that have it already are the same objects.

    counted: ISO code of the project's currency. Without a stated rate the amounts are unknown, never 0.
    """
    rows, rates = tuple(rows), tuple(rates)
    into = {code: exchange_between(code, counted, rates) for code in {row.currency for row in rows}}
    return tuple(
        row if row.exchange == into[row.currency] else replace(row, exchange=into[row.currency])
        for row in rows
    )


def lacking_rate(row: Contract | Offer, counted: str, rates: Iterable[ExchangeRate]) -> str:
    """Return the currency whose exchange rate a row needs; "" if it needs none, or has no quoted rate.

    If two rates are missing, the row's own currency is returned.
    """
    if row.exchange is not None or not row.quoted_rate:
        return ""
    stated = {USD, *(rate.code for rate in rates)}
    return next((code for code in (row.currency, counted) if code not in stated), "")


def lacking_words(row: Contract | Offer, lacking: str) -> Message:
    """Return that a row's amounts are unknown without an exchange rate, and how to enter the rate."""
    return worded(
        "quoted in {quoted} without an exchange rate of {lacking}: amounts are unknown. {enter}",
        quoted=row.currency,
        lacking=lacking,
        enter=worded_both(
            "Enter it: --fx {lacking}=1.08@2026-10-01", "Enter it in Plan > Currency", lacking=lacking
        ),
    )


def as_quoted(row: Contract | Offer) -> Text:
    """Return the rate of a row without an exchange rate, as `2.2 CHF`; empty if it has one, or no quoted rate."""
    rate = row.quoted_rate
    return "" if row.exchange is not None or not rate else joined((exact(rate), row.currency), " ")


def check_code(code: str) -> str:
    """Return a currency's ISO code in capitals. Errors: PlannerError usage for other text.

    >>> check_code(" eur ")
    'EUR'
    """
    cleaned = code.strip().upper()
    if not _CODE.fullmatch(cleaned):
        raise refusal(code, worded("not a currency code"), worded("write three letters, such as EUR"))
    return cleaned


def check_rate(rate: ExchangeRate) -> ExchangeRate:
    """Return the exchange rate if it is valid.

    Errors: PlannerError usage for a code that is invalid or USD, a number that is not positive, or an invalid date.
    """
    check_code(rate.code)
    if rate.code == USD:
        raise refusal(USD, worded("rates are in US dollars"), worded("use another currency"))
    if not rate.usd_rate.is_finite() or not 0 < rate.usd_rate <= LARGEST_RATE:
        problem = worded("{value} is not allowed", value=f"{rate.usd_rate}")
        raise refusal(rate.code, problem, worded("enter US dollars per {code}", code=rate.code))
    if not is_day(rate.as_of):
        problem = worded("{value} is not allowed", value=f"{rate.as_of!r:.40}")
        raise refusal(rate.code, problem, worded("enter a date such as 2026-10-01"))
    return rate


# --- Money in texts: `$` in our templates means the project's currency and is replaced by its sign -
# US dollars, whatever the project's currency, are written USD, or are a value of a template.

SIGNS: Final = {
    "USD": "$",
    "EUR": "\u20ac",
    "GBP": "\u00a3",
    "JPY": "\u00a5",
    "INR": "\u20b9",
    "KRW": "\u20a9",
}
"""Currency signs; other currencies are written as codes."""

_OF_AMOUNT: Final = lazy_re(r"\$(?=[\d{])")
_ALONE: Final = lazy_re(r"\$(?![A-Za-z_(])")  # in a name such as job-$x it is a letter


def sign_of(code: str) -> str:
    """Return the sign of a currency in headings.

    >>> sign_of("EUR"), sign_of("CHF")
    ('€', 'CHF')
    """
    return SIGNS.get(code, code)


def before_amount(code: str) -> str:
    """Return the text before an amount: a sign, or a code with a no-break space.

    >>> before_amount("EUR"), before_amount("CHF") == "CHF" + chr(160)
    ('€', True)
    """
    sign = sign_of(code)
    return f"{sign}\u00a0" if _CODE.fullmatch(sign) else sign


def with_code(text: Text, code: str) -> Text:
    """Return a text with a currency code for `$`, so that it stays in this currency if the project's changes.

    Amounts in its values and nested texts are included. Plain text, such as a plan named Plan $5, is unchanged.

    >>> from gpuplanner.domain.figures.typed import amount
    >>> with_code("Plan $5", "USD"), str(with_code(joined(("saves ", amount(5))), "USD"))
    ('Plan $5', 'saves USD\xa05')
    """

    def coded(part: str) -> str:
        return _ALONE.sub(code, _OF_AMOUNT.sub(f"{code}\u00a0", part))

    if not isinstance(text, Message):
        return text
    values = {name: _value_with_code(value, code) for name, value in text.values.items()}
    return Message(
        template=coded(text.template),
        values=values,
        number=text.number,
        one=coded(text.one),
        window=coded(text.window),
    )


def _value_with_code(value: object, code: str) -> object:
    """Return a message's value with the currency code; names and other numbers are unchanged."""
    if isinstance(value, Message):
        return with_code(value, code)
    if isinstance(value, Written) and value.way == "amount" and value.value is not None:
        sign = MINUS if half_up(value.value, value.places) < 0 else ""
        return joined((sign, f"{code}\u00a0", decimals(abs(value.value), value.places)))
    return value


def english_in(text: Text, code: str) -> str:
    """Return a text in English with its amounts in a project's currency. Names are unchanged, also within a text.

    >>> from gpuplanner.domain.figures.typed import amount
    >>> from gpuplanner.domain.message import worded
    >>> english_in(worded("{plan} saves {usd}, in $", plan="Plan $5", usd=amount(-5)), "EUR")
    'Plan $5 saves −€5, in €'
    """
    return _english(text, code, replace(ENGLISH, money=partial(before_amount, code)))


def _english(text: Text, code: str, writer: Writer) -> str:
    """Return a text in English with a given writer."""
    if not isinstance(text, Message):
        return text
    values = {name: _value_in(value, code, writer) for name, value in text.values.items()}
    return str(Message(in_money(text.template, code), values, text.number, in_money(text.one, code)))


def _value_in(value: object, code: str, writer: Writer) -> object:
    """Return a message's value, formatted in a currency."""
    if isinstance(value, Message):
        return _english(value, code, writer)
    return value.by(writer) if isinstance(value, Written) else value


@lru_cache(maxsize=5_000)  # the same templates are shown repeatedly
def in_money(text: str, code: str) -> str:
    """Return a text of ours with the sign of a currency; unchanged for US dollars.

    >>> in_money("$ per GPU-h", "EUR"), in_money("${usd} a month", "CHF"), in_money("$/month", "USD")
    ('€ per GPU-h', 'CHF\\xa0{usd} a month', '$/month')
    """
    if code == USD or "$" not in text:
        return text
    return _ALONE.sub(sign_of(code), _OF_AMOUNT.sub(before_amount(code), text))
