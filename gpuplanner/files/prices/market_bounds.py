"""Price lists most of whose rates are far from any market: their unit is asked, or whether GPUs are sold."""

from collections.abc import Iterable, Sequence
from statistics import median
from typing import Final

from gpuplanner.domain.figures.typed import decimals, significant, whole
from gpuplanner.domain.message import joined, worded
from gpuplanner.domain.model.book.exchange import USD
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.files.tables.column_mapping import RATE, ColumnMapping, mapping_text
from gpuplanner.files.tables.odd_rates import is_of_china, market_of_offer
from gpuplanner.files.tables.small_table import TableRead

_LOW, _HIGH = 0.2, 5.0
"""Shares of the market outside of which a rate is asked about, where most rates are."""
_LEAST, _MOST = 0.005, 40.0
"""$ per GPU-hour: the same where the market of a model is not known."""
_OF_PURCHASE: Final = 100.0
"""$: so much costs no hour of a GPU."""
_ROWS_OF_MODEL: Final = 3
"""Rates of one model that say something by themselves; fewer are single rows."""


def check_near_market(read: TableRead[Offer], path: str, header_row: int, columns: Sequence[str]) -> None:
    """Refuse a list most of whose rates, of a payment method or of a model, are far from the market.

    columns: headings of the rates. Errors: PlannerError odd_rate, a question with what the column may be.
    """
    offers = [offer for offer in read.values if offer.spread_rate and offer.currency == USD]
    offers = [offer for offer in offers if not offer.is_dollars and offer.tokens_per_minute_per_unit is None]
    offers = [offer for offer in offers if not is_of_china(offer.region)]  # maybe in other money
    by_way: dict[object, list[Offer]] = {}
    by_model: dict[object, list[Offer]] = {}
    for offer in offers:
        by_way.setdefault((offer.pricing_category, offer.term_months), []).append(offer)
        by_model.setdefault(offer.gpu_model, []).append(offer)
    several = (group for group in by_model.values() if len(group) >= _ROWS_OF_MODEL)
    for group in (*by_way.values(), *several):
        far = [*filter(_is_far, group)]
        if 2 * len(far) > len(group):
            raise _question(far, len(group), path, header_row, columns)


def _is_far(offer: Offer) -> bool:
    """Whether a rate is outside the bounds of its market."""
    rate, market = offer.spread_rate or 0.0, market_of_offer(offer)
    if not market.high:
        return not _LEAST <= rate <= _MOST
    return not _LOW * market.low <= rate <= _HIGH * market.high


def _question(
    far: Sequence[Offer], count: int, path: str, header_row: int, columns: Iterable[str]
) -> PlannerError:
    """The question about a column of rates."""
    first, name = far[0], next(iter(columns), "")
    market = market_of_offer(first)
    ends = (
        decimals(market.low, 2),
        *(() if market.low == market.high else ("\u2013", decimals(market.high, 2))),
    )
    usual = joined(("$", *ends)) if market.high else worded("unknown")
    problem = worded(
        "{count} of {all} rates are far from the market, such as {model} at {rate} per GPU-hour (market: {market})",
        count=whole(len(far)),
        all=whole(count),
        model=first.gpu_model,
        rate=joined(("$", significant(first.spread_rate or 0.0))),
        market=usual,
    )
    if median(offer.spread_rate or 0.0 for offer in far) > _OF_PURCHASE:
        remedy = worded(
            "--map {capex} if it is a purchase price, or state its unit: --map {unit}",
            capex=mapping_text(ColumnMapping({"capex_usd_per_gpu": name})),
            unit=mapping_text(ColumnMapping({RATE: name}, {RATE: "month"})),
        )
    else:
        remedy = worded(
            "state its unit, such as --map {unit}, or --map {hour} if it is right",
            unit=mapping_text(ColumnMapping({RATE: name}, {RATE: "month"})),
            hour=mapping_text(ColumnMapping({RATE: name}, {RATE: "gpu_hour"})),
        )
    return PlannerError(f"{path}:{header_row}", "odd_rate", problem, remedy)
