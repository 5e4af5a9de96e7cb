"""Currencies: how money is written, and what quoted amounts come to by dated rates of exchange."""

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

# --- Currencies: dated rates of exchange that the planner states, and what a quoted amount comes to by them

USD: Final = "USD"
ONE: Final = Decimal(1)
LARGEST_RATE: Final = Decimal(10**6)
_CODE: Final = lazy_re(r"[A-Z]{3}")

Quoted = TypeVar("Quoted", Contract, Offer)


@dataclass(frozen=True, slots=True)
class ExchangeRate:
    """What one unit of a currency (ISO code) is in US dollars, as the planner states it. as_of: its ISO date."""

    code: str
    usd_rate: Decimal
    as_of: str


@dataclass(frozen=True, slots=True)
class Currency:
    """What amounts are reported in. usd_rate: US dollars of one unit, None where nobody stated it; as_of: ISO date."""

    code: str = USD
    usd_rate: Decimal | None = ONE
    as_of: str | None = None


DOLLARS: Final = Currency()


def currency_from(code: str, rates: Iterable[ExchangeRate]) -> Currency:
    """A currency with the rate that is stated of it; without one its rate is unknown, and never guessed.

    code: ISO code in capitals; of several rates of it the last counts. US dollars have a rate of 1 and no
    day.
    """
    if code == USD:
        return DOLLARS
    stated = {rate.code: rate for rate in rates}.get(code)
    return Currency(code, None, None) if stated is None else Currency(code, stated.usd_rate, stated.as_of)


def exchange_words(rates: Iterable[ExchangeRate]) -> Message:
    """What each currency counts at, and of which day: empty without any.

    >>> str(exchange_words([ExchangeRate("EUR", Decimal("1.08"), "2026-09-30")]))
    '1 EUR = 1.08 USD as of 2026-09-30'
    """
    sentences = [
        worded("1 {code} = {rate} USD as of {day}", code=rate.code, rate=exact(rate.usd_rate), day=rate.as_of)
        for rate in rates
    ]
    return joined(sentences, "; ")


def exchange_between(quoted: str, counted: str, rates: Iterable[ExchangeRate]) -> Decimal | None:
    """Units of the currency counted in, of one unit of the quoted one; None where a rate that it needs is not stated.

    Laws: 1 between a currency and itself, whatever is stated; there and back is 1.
    """
    if quoted == counted:
        return ONE
    rates = tuple(rates)
    of_quoted, of_counted = (currency_from(code, rates).usd_rate for code in (quoted, counted))
    return None if of_quoted is None or of_counted is None else of_quoted / of_counted


def unstated_exchange(code: str) -> Decimal | None:
    """The rate of exchange of what a file quotes, before any is stated: unknown but for US dollars."""
    return ONE if code == USD else None


def counted_rows(rows: Iterable[Quoted], counted: str, rates: Iterable[ExchangeRate]) -> tuple[Quoted, ...]:
    """Quoted rows with the rate of exchange at which they count; those that have it already are the same objects.

    counted: ISO code of the money that they count in. A rate that is not stated makes their amounts unknown,
    never 0.
    """
    rows, rates = tuple(rows), tuple(rates)
    into = {code: exchange_between(code, counted, rates) for code in {row.currency for row in rows}}
    return tuple(
        row if row.exchange == into[row.currency] else replace(row, exchange=into[row.currency])
        for row in rows
    )


def lacking_rate(row: Contract | Offer, counted: str, rates: Iterable[ExchangeRate]) -> str:
    """The currency whose rate a quoted row waits for; empty where it waits for none, or has no quoted rate itself.

    Of two rates that are not stated that of the row's own currency is named.
    """
    if row.exchange is not None or not row.quoted_rate:
        return ""
    stated = {USD, *(rate.code for rate in rates)}
    return next((code for code in (row.currency, counted) if code not in stated), "")


def lacking_words(row: Contract | Offer, lacking: str) -> Message:
    """That a row counts once a rate is stated, and how to state it."""
    return worded_both(
        "quoted in {quoted} without an exchange rate of {lacking}: amounts are unknown. Enter "
        "it: --fx {lacking}=1.08@2026-10-01, or Plan > Currency",
        "quoted in {quoted} without an exchange rate of {lacking}: amounts are unknown. Enter it "
        "in Plan > Currency",
        quoted=row.currency,
        lacking=lacking,
    )


def as_quoted(row: Contract | Offer) -> Text:
    """`2.2 CHF` of a rate that waits for a rate of exchange; empty where it counts, or there is none."""
    rate = row.quoted_rate
    return "" if row.exchange is not None or not rate else joined((exact(rate), row.currency), " ")


def check_code(code: str) -> str:
    """A currency's ISO code in capitals. Errors: PlannerError usage for what is none.

    >>> check_code(" eur ")
    'EUR'
    """
    cleaned = code.strip().upper()
    if not _CODE.fullmatch(cleaned):
        raise refusal(code, worded("it is no code of a currency"), worded("write three letters, as EUR"))
    return cleaned


def check_rate(rate: ExchangeRate) -> ExchangeRate:
    """The rate itself. Errors: PlannerError usage: of a code that is none or USD, no positive number, no date."""
    check_code(rate.code)
    if rate.code == USD:
        raise refusal(USD, worded("rates are in US dollars"), worded("state that of another currency"))
    if not rate.usd_rate.is_finite() or not 0 < rate.usd_rate <= LARGEST_RATE:
        problem = worded("{rate} is no rate", rate=f"{rate.usd_rate}")
        raise refusal(rate.code, problem, worded("enter US dollars per {code}", code=rate.code))
    if not is_day(rate.as_of):
        problem = worded("{day} is no date", day=f"{rate.as_of!r:.40}")
        raise refusal(rate.code, problem, worded("enter a date such as 2026-10-01"))
    return rate


# --- How money is written: in our templates `$` stands for the money of the project, and its sign takes that place
# US dollars that are meant whatever a project reports in are written USD, or come as a value of a template.

SIGNS: Final = {
    "USD": "$",
    "EUR": "\u20ac",
    "GBP": "\u00a3",
    "JPY": "\u00a5",
    "INR": "\u20b9",
    "KRW": "\u20a9",
}
"""Of currencies that have one; the others are written by their codes."""

_OF_AMOUNT: Final = lazy_re(r"\$(?=[\d{])")
_ALONE: Final = lazy_re(r"\$(?![A-Za-z_(])")  # in a name such as job-$x it is a letter


def sign_of(code: str) -> str:
    """The sign of a currency as headings have it.

    >>> sign_of("EUR"), sign_of("CHF")
    ('€', 'CHF')
    """
    return SIGNS.get(code, code)


def before_amount(code: str) -> str:
    """What stands before an amount: a sign close to it, or a code with a space that does not break.

    >>> before_amount("EUR"), before_amount("CHF") == "CHF" + chr(160)
    ('€', True)
    """
    sign = sign_of(code)
    return f"{sign}\u00a0" if _CODE.fullmatch(sign) else sign


def with_code(text: Text, code: str) -> Text:
    """A text that stays in a currency whatever the project is reported in later: its code in place of `$`.

    Amounts among its values, and texts within it, too. What is no text of ours, as a plan named Plan $5, stays.

    >>> from gpuplanner.domain.figures.typed import amount
    >>> with_code("Plan $5", "USD"), str(with_code(joined(("saves ", amount(5))), "USD"))
    ('Plan $5', 'saves USD\xa05')
    """

    def coded(part: str) -> str:
        return _ALONE.sub(code, _OF_AMOUNT.sub(f"{code}\u00a0", part))

    if not isinstance(text, Message):
        return text
    values = {name: _value_with_code(value, code) for name, value in text.values.items()}
    return Message(coded(text.template), values, text.number, coded(text.one), coded(text.window))


def _value_with_code(value: object, code: str) -> object:
    """A value of a message: names from the data, and numbers that are no money, stay."""
    if isinstance(value, Message):
        return with_code(value, code)
    if isinstance(value, Written) and value.way == "amount" and value.value is not None:
        sign = MINUS if half_up(value.value, value.places) < 0 else ""
        return joined((sign, f"{code}\u00a0", decimals(abs(value.value), value.places)))
    return value


def english_in(text: Text, code: str) -> str:
    """A text in English, in the money of a project: its sign in our words, amounts by the writer of that money.

    A name stays as it is, also within a text.

    >>> from gpuplanner.domain.figures.typed import amount
    >>> from gpuplanner.domain.message import worded
    >>> english_in(worded("{plan} saves {usd}, in $", plan="Plan $5", usd=amount(-5)), "EUR")
    'Plan $5 saves −€5, in €'
    """
    return _english(text, code, replace(ENGLISH, money=partial(before_amount, code)))


def _english(text: Text, code: str, writer: Writer) -> str:
    """The same with its writer made."""
    if not isinstance(text, Message):
        return text
    values = {name: _value_in(value, code, writer) for name, value in text.values.items()}
    return str(Message(in_money(text.template, code), values, text.number, in_money(text.one, code)))


def _value_in(value: object, code: str, writer: Writer) -> object:
    """What stands in a text, as it is written in a money."""
    if isinstance(value, Message):
        return _english(value, code, writer)
    return value.by(writer) if isinstance(value, Written) else value


@lru_cache(maxsize=5_000)  # the same templates are shown again and again
def in_money(text: str, code: str) -> str:
    """A text of ours with the sign of a currency; the very same in US dollars.

    >>> in_money("$ per GPU-h", "EUR"), in_money("${usd} a month", "CHF"), in_money("$/month", "USD")
    ('€ per GPU-h', 'CHF\\xa0{usd} a month', '$/month')
    """
    if code == USD or "$" not in text:
        return text
    return _ALONE.sub(sign_of(code), _OF_AMOUNT.sub(before_amount(code), text))
