"""Currencies: dated rates of exchange that the planner states, and what a quoted amount comes to by them."""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, TypeVar

from gpuplanner.domain.figures.typed import exact
from gpuplanner.domain.message import Message, Text, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.window import is_day

USD: Final = "USD"
ONE: Final = Decimal(1)
LARGEST_RATE: Final = Decimal(10**6)
_CODE: Final = re.compile(r"[A-Z]{3}")

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
    said = {one.code: one for one in rates}.get(code)
    return Currency(code, None, None) if said is None else Currency(code, said.usd_rate, said.as_of)


def exchange_words(rates: Iterable[ExchangeRate]) -> Message:
    """What each currency counts at, and of which day: empty without any.

    >>> str(exchange_words([ExchangeRate("EUR", Decimal("1.08"), "2026-09-30")]))
    '1 EUR = 1.08 USD as of 2026-09-30'
    """
    said = [
        worded("1 {code} = {rate} USD as of {day}", code=one.code, rate=exact(one.usd_rate), day=one.as_of)
        for one in rates
    ]
    return joined(said, "; ")


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
    if row.exchange is not None or not row.rate_usd_per_gpu_hour:
        return ""
    stated = {USD, *(one.code for one in rates)}
    return next((code for code in (row.currency, counted) if code not in stated), "")


def lacking_words(row: Contract | Offer, lacking: str) -> Message:
    """That a row counts once a rate is stated, and how to state it."""
    return worded(
        "is quoted in {quoted}, and no rate of exchange of {lacking} is stated: its amounts are unknown; "
        "state it, as in --fx {lacking}=1.08@2026-10-01, or in the window with Scenario > Currency",
        quoted=row.currency,
        lacking=lacking,
    )


def as_quoted(row: Contract | Offer) -> Text:
    """`2.2 CHF` of a rate that waits for a rate of exchange; empty where it counts, or there is none."""
    rate = row.rate_usd_per_gpu_hour
    return "" if row.exchange is not None or not rate else joined((exact(rate), row.currency), " ")


def check_code(code: str) -> str:
    """A currency's ISO code in capitals. Errors: PlannerError usage for what is none.

    >>> check_code(" eur ")
    'EUR'
    """
    cleaned = code.strip().upper()
    if not _CODE.fullmatch(cleaned):
        raise PlannerError(
            code, "usage", worded("it is no code of a currency"), worded("write three letters, as EUR")
        )
    return cleaned


def check_rate(rate: ExchangeRate) -> ExchangeRate:
    """The rate itself. Errors: PlannerError usage: of a code that is none or USD, no positive number, no date."""
    check_code(rate.code)
    if rate.code == USD:
        raise PlannerError(
            USD, "usage", worded("rates are in US dollars"), worded("state that of another currency")
        )
    if not rate.usd_rate.is_finite() or not 0 < rate.usd_rate <= LARGEST_RATE:
        what = worded("{rate} is no rate", rate=f"{rate.usd_rate}")
        raise PlannerError(rate.code, "usage", what, worded("enter US dollars of one {code}", code=rate.code))
    if not is_day(rate.as_of):
        what = worded("{day} is no date", day=f"{rate.as_of!r:.40}")
        raise PlannerError(rate.code, "usage", what, worded("enter a date such as 2026-10-01"))
    return rate
