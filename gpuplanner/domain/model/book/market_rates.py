"""What the market asks for a GPU family and a way to pay, and whether a rate is far from it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from statistics import median
from typing import Final

from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.book.price_history import PriceMonth, provider_kind
from gpuplanner.domain.model.pool import PricingCategory

FAR_FACTOR: Final = 4
"""A rate over so many times the market, or under it divided by so many, is asked about."""

NEAR_FACTOR: Final = 3
"""A reading that brings a rate within it of the market is a likely one."""


@dataclass(frozen=True, slots=True)
class ListedRate:
    """One rate of the list that ships with the product. Units: $ per GPU-hour."""

    gpu_model: str
    provider: str
    pricing_category: str
    rate_usd_per_gpu_hour: float


MarketRates = dict[tuple[str, str], float]
"""By GPU family and pricing category: $ per GPU-hour."""


def market_rates(months: Iterable[PriceMonth], listed: Iterable[ListedRate]) -> MarketRates:
    """The latest rates of each family and category: the median of what its kinds of providers ask.

    Of a history the newest month of each series counts. Each kind of provider (hyperscaler, neocloud, marketplace)
    counts by the median of its own, so that a long list of one kind does not become the market.
    """
    newest: dict[tuple[str, str, str, int], PriceMonth] = {}
    for row in months:
        key = (row.gpu_model, row.pricing_category, row.provider_kind, row.term_months)
        if key not in newest or newest[key].month < row.month:
            newest[key] = row
    by_kind: dict[tuple[str, str], dict[str, list[float]]] = {}
    rates = [
        *(
            (row.gpu_model, row.pricing_category, row.provider_kind, row.rate_usd_per_gpu_hour)
            for row in newest.values()
        ),
        *(
            (one.gpu_model, one.pricing_category, provider_kind(one.provider), one.rate_usd_per_gpu_hour)
            for one in listed
        ),
    ]
    for family, category, kind, rate in rates:
        by_kind.setdefault((family, category), {}).setdefault(kind, []).append(rate)
    return {key: median(map(median, kinds.values())) for key, kinds in by_kind.items()}


def market_rate(
    rates: MarketRates, families: Sequence[str], category: PricingCategory | None
) -> tuple[float, float]:
    """The lowest and the highest market rate of some families, $ per GPU-hour; (0, 0) where it is unknown.

    families: several where a name does not tell which (A100 without its size). A commitment of a family of which no
    committed rate is known is held against its on-demand rate; None is a commitment, as in contracts.
    """
    asked = category or PricingCategory.COMMITTED
    steps = (asked, PricingCategory.STANDARD) if asked is PricingCategory.COMMITTED else (asked,)
    for step in steps:
        found = [rate for family in families if (rate := rates.get((family, str(step)))) is not None]
        if found:
            return min(found), max(found)
    return 0.0, 0.0


def is_far(rate: float, market: tuple[float, float]) -> bool:
    """Whether a rate is over FAR_FACTOR times the market, or under it divided by that; no market: no answer.

    >>> is_far(1980, (3.9, 3.9)), is_far(2.5, (3.9, 3.9)), is_far(0.9, (3.9, 3.9)), is_far(9, (0, 0))
    (True, False, True, False)
    """
    low, high = market
    return high > 0 and (rate > FAR_FACTOR * high or rate < low / FAR_FACTOR)


READINGS: Final[tuple[tuple[Message, Decimal], ...]] = (
    (worded("cents an hour"), Decimal(100)),
    (worded("a node of 8 GPUs an hour"), Decimal(8)),
    (worded("a node of 4 GPUs an hour"), Decimal(4)),
    (worded("a GPU per month"), Decimal(730)),
    (worded("a node of 8 GPUs per month"), Decimal(730 * 8)),
    (worded("a GPU a day"), Decimal(24)),
    (worded("a GPU a year"), Decimal(8760)),
    (worded("a GPU a second"), Decimal(1) / 3600),
    (worded("a GPU a minute"), Decimal(1) / 60),
)
"""What a number far from the market may be instead, and by what it is divided then."""


def likely_readings(rate: float, market: tuple[float, float], gpus: float = 1) -> list[tuple[Message, float]]:
    """The readings of a far rate that bring it near the market, the nearest first. gpus: of a contract.

    rate: $ per GPU-hour as it is written; market: lowest and highest rate, above 0. At most two, each with
    the rate that it comes to.
    """
    low, high = market
    found = [(words, rate / float(divisor)) for words, divisor in READINGS]
    if gpus > 1:
        found += [
            (worded("all its GPUs an hour"), rate / gpus),
            (worded("all its GPUs per month"), rate / gpus / 730),
        ]
    near = [(words, each) for words, each in found if low / NEAR_FACTOR <= each <= high * NEAR_FACTOR]
    middle = (low * high) ** 0.5
    return sorted(near, key=lambda one: max(one[1] / middle, middle / one[1]))[:2]
