"""Rates far from the market, which are always asked about: the issue odd_rate of contracts and prices."""

from functools import cache, lru_cache
from typing import Final, TypeVar

from gpuplanner.domain.figures.typed import decimals, significant, whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import (
    MarketRange,
    MarketRates,
    is_far,
    likely_readings,
    market_rate,
    market_rates,
)
from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.tables import CATEGORY_WORDS, PricingCategory
from gpuplanner.files.system import resources
from gpuplanner.files.tables import small_table
from gpuplanner.files.tables.fields import WORDS
from gpuplanner.files.values import amounts
from gpuplanner.lazy_dataclass import replace

Value = TypeVar("Value", Contract, Offer)
ODD_RATE: Final = "odd_rate"


def with_odd_rates(read: small_table.TableRead[Value]) -> small_table.TableRead[Value]:
    """The same, with the issue odd_rate where rates are over four times the market or under a quarter.

    Every row stays accepted. A family or a way to pay that the market list does not know is not held against it.
    """
    rows: dict[int, Contract | Offer] = {}
    for at, value in enumerate(read.values):
        if not value.is_dollars and _is_odd(value):
            rows.setdefault(read.rows[at] if read.rows else at + 1, value)
    if not rows:
        return read
    kept = [_odd_words(value, line) for line, value in list(rows.items())[: small_table.WORDS_KEPT]]
    if len(rows) > len(kept):
        kept.append(worded("and {count} more rows", count=whole(len(rows) - len(kept))))
    issue = Issue(ODD_RATE, len(rows), min(rows), small_table.worded_message(ODD_RATE, kept))
    issues = sorted((*read.intake.issues, issue), key=lambda one: one.code)
    return replace(read, intake=replace(read.intake, issues=tuple(issues)))


_CHINA: Final = WORDS["china"]
UNKNOWN: Final = "XXX"
"""What ISO 4217 has for no currency."""


def is_of_china(region: str | None) -> bool:
    """Whether a region is one of China, whose lists are in its own money.

    >>> is_of_china("cn-hangzhou"), is_of_china("华东1"), is_of_china("us-east-1")
    (True, True, False)
    """
    return _CHINA.search(region or "") is not None


def with_currency_asked(
    read: small_table.TableRead[Offer], head: str, words: str
) -> small_table.TableRead[Offer]:
    """The same, where a list of Chinese regions names no currency with amounts that are unknown until it is told.

    head: of the file; told: how it is read, in words.
    """
    regions = [is_of_china(offer.region) for offer in read.values if offer.region]
    named = amounts.currency_of(head)
    is_yen = "¥" in head and named == "JPY" and "JPY" not in head
    if sum(regions) * 2 <= len(regions) or (named and not is_yen) or "currency=" in words:
        return read
    values = tuple(
        replace(offer, currency="CNY" if is_yen else UNKNOWN, exchange=None) for offer in read.values
    )
    asked = worded(
        ("regions in China without a currency: amounts are unknown. Specify it, such as {how}"),
        how="--map prices.currency==CNY",
    )
    issue = Issue("undecided", len(values), min(read.rows, default=1), asked)
    return replace(read, values=values).with_issues(() if is_yen else (issue,))


def market_families(gpu_model: str | None, memory_gb: float | None = None) -> tuple[str, ...]:
    """The families of the market list that a GPU model's name may be of: several of an A100 that does not say its size.

    >>> market_families("NVIDIA H100 80GB HBM3"), market_families("A100"), market_families("A100", 80.0)
    (('H100',), ('A100 40GB', 'A100 80GB'), ('A100 80GB',))
    """
    read = resources.gpu_families().read(gpu_model or "")
    if read is None or read.part:
        return ()
    known = sorted({family for family, _ in _market()})
    if not read.is_unsized:
        return (read.family,) if read.family in known else ()
    sizes = [family for family in known if family.startswith(f"{read.family} ")]
    told = [family for family in sizes if memory_gb and family == f"{read.family} {memory_gb:g}GB"]
    return tuple(told or sizes)


@lru_cache(maxsize=512)
def market_of(
    gpu_model: str | None, memory_gb: float | None, category: PricingCategory | None
) -> MarketRange:
    """The market of what a name may mean; 0 and 0 where it is not known.

    memory_gb and category: None where they are not stated; the range is then that of all.
    """
    return market_rate(_market(), market_families(gpu_model, memory_gb), category)


def market_of_offer(offer: Offer) -> MarketRange:
    """The market beside an offer, as `market_of` says it, US dollars per GPU-hour."""
    return market_of(offer.gpu_model, offer.gpu_memory_gb, offer.pricing_category)


@cache
def _market() -> MarketRates:
    """The rates of the list and the history that ship with the product, by family."""
    months = (replace(row, gpu_model=_family(row.gpu_model)) for row in resources.read_price_history())
    listed = (replace(rate, gpu_model=_family(rate.gpu_model)) for rate in resources.read_listed_rates())
    return market_rates(months, listed)


def _family(name: str) -> str:
    """The family of a GPU model, by which its market is known; its own name if it is of none."""
    read = resources.gpu_families().read(name)
    return name if read is None else read.family


def _rate(value: Contract | Offer) -> float:
    """What an hour of a GPU costs; 0 where nobody knows."""
    return (value.spread_rate if isinstance(value, Offer) else value.rate) or 0.0


def _is_odd(value: Contract | Offer) -> bool:
    """Whether a rate in US dollars, which the market list is in, is far from the market."""
    rate = _rate(value)
    market = (value.gpu_model, value.gpu_memory_gb, value.pricing_category)
    return rate > 0 and value.currency == USD and is_far(rate, market_of(*market))


def _odd_words(value: Contract | Offer, line: int) -> Message:
    """What is odd about a rate: its line, the rate, what the market is, and what the number may be."""
    rate = _rate(value)
    low, high = market = market_of(value.gpu_model, value.gpu_memory_gb, value.pricing_category)
    words = worded(
        "row {line}: {model} {way} at {rate} per GPU-hour; the market rate is about {market}",
        line=whole(line),
        model=value.gpu_model or "",
        way=CATEGORY_WORDS[value.pricing_category or PricingCategory.COMMITTED],
        rate=joined(("$", significant(rate))),
        market=joined(("$", decimals(low, 2), *(() if low == high else ("\u2013", decimals(high, 2))))),
    )
    readings = likely_readings(rate, market, value.gpus if isinstance(value, Contract) else 1)
    if not readings:
        return words
    message = joined(
        (
            worded("{rate} if it is {what}", rate=joined(("$", decimals(each, 2))), what=what)
            for what, each in readings
        ),
        ", ",
    )
    return joined((words, " (", message, ")"))
