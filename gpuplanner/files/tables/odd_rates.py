"""Rates far from the market are always asked about: the issue odd_rate of contracts and prices, in every format."""

from dataclasses import replace
from functools import cache
from typing import Final, TypeVar

from gpuplanner.domain.figures.typed import decimals, significant, whole
from gpuplanner.domain.message import Message, joined, worded
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_history import (
    MarketRates,
    is_far,
    likely_readings,
    market_rate,
    market_rates,
)
from gpuplanner.domain.model.intake import Issue
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.files.system.resources import gpu_families, read_listed_rates, read_price_history
from gpuplanner.files.tables.small_table import WORDS_KEPT, TableRead, worded_message

Value = TypeVar("Value", Contract, Offer)
ODD_RATE: Final = "odd_rate"

_WAYS: Final = {
    PricingCategory.STANDARD: worded("on demand"),
    PricingCategory.DYNAMIC: worded("spot"),
    PricingCategory.COMMITTED: worded("committed"),
}


def with_odd_rates(read: TableRead[Value]) -> TableRead[Value]:
    """The same, with the issue odd_rate where rates are over four times the market or under a quarter.

    Every row stays accepted. A family or a way to pay that the market list does not know is not held against it.
    """
    rows: dict[int, Message] = {}
    for at, value in enumerate(read.values):
        line = read.rows[at] if read.rows else at + 1
        if line not in rows and (words := _odd_words(value, line)) is not None:
            rows[line] = words
    if not rows:
        return read
    kept = list(rows.values())[:WORDS_KEPT]
    if len(rows) > len(kept):
        kept.append(worded("and {count} more rows", count=whole(len(rows) - len(kept))))
    issue = Issue(ODD_RATE, len(rows), min(rows), worded_message(ODD_RATE, kept))
    issues = sorted((*read.intake.issues, issue), key=lambda one: one.code)
    return replace(read, intake=replace(read.intake, issues=tuple(issues)))


def market_families(gpu_model: str | None, memory_gb: float | None = None) -> tuple[str, ...]:
    """The families of the market list that a GPU model's name may be of: several of an A100 that does not say its size.

    >>> market_families("NVIDIA H100 80GB HBM3"), market_families("A100"), market_families("A100", 80.0)
    (('H100',), ('A100 40GB', 'A100 80GB'), ('A100 80GB',))
    """
    read = gpu_families().read(gpu_model or "")
    if read is None or read.part:
        return ()
    known = sorted({family for family, _ in _market()})
    if not read.is_unsized:
        return (read.family,) if read.family in known else ()
    sizes = [family for family in known if family.startswith(f"{read.family} ")]
    told = [family for family in sizes if memory_gb and family == f"{read.family} {memory_gb:g}GB"]
    return tuple(told or sizes)


def market_of(
    gpu_model: str | None, memory_gb: float | None, category: PricingCategory | None
) -> tuple[float, float]:
    """The lowest and highest market rate of what a name may mean, $ per GPU-hour.

    (0, 0) where it is not known.

    memory_gb and category: None where they are not stated; the range is then that of all.
    """
    return market_rate(_market(), market_families(gpu_model, memory_gb), category)


def market_of_offer(offer: Offer) -> tuple[float, float]:
    """The market beside an offer, as `market_of` says it, US dollars per GPU-hour."""
    return market_of(offer.gpu_model, offer.gpu_memory_gb, offer.pricing_category)


@cache
def _market() -> MarketRates:
    """The rates of the list and the history that ship with the product, by family."""
    months = (replace(row, gpu_model=_family(row.gpu_model)) for row in read_price_history())
    listed = (replace(one, gpu_model=_family(one.gpu_model)) for one in read_listed_rates())
    return market_rates(months, listed)


def _family(name: str) -> str:
    """The family of a GPU model, by which its market is known; its own name if it is of none."""
    read = gpu_families().read(name)
    return name if read is None else read.family


def _odd_words(value: Contract | Offer, line: int) -> Message | None:
    """What is odd about a rate in US dollars, which the market list is in; None: nothing.

    Words of the line, the rate, what the market is, and what the number may be.
    """
    rate = value.spread_rate if isinstance(value, Offer) else value.rate
    if not rate or value.currency != USD:
        return None
    market = market_of(value.gpu_model, value.gpu_memory_gb, value.pricing_category)
    if not is_far(rate, market):
        return None
    low, high = market
    way = _WAYS.get(value.pricing_category or PricingCategory.COMMITTED, worded("committed"))
    words = worded(
        "row {line}: {gpu_model} {way} at {rate} per GPU-hour, where the market asks about {market}",
        line=whole(line),
        gpu_model=value.gpu_model or "",
        way=way,
        rate=joined(("$", significant(rate))),
        market=joined(("$", decimals(low, 2), *(() if low == high else ("\u2013", decimals(high, 2))))),
    )
    readings = likely_readings(rate, market, value.gpus if isinstance(value, Contract) else 1)
    if not readings:
        return words
    said = joined(
        (
            worded("{rate} if it is {what}", rate=joined(("$", decimals(each, 2))), what=what)
            for what, each in readings
        ),
        ", ",
    )
    return joined((words, " (", said, ")"))
