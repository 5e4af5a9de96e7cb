"""Owned GPUs: an offer whose rate follows from price, life, power and cost of capital; in a plan a commitment."""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from typing import Final

from gpuplanner.domain.figures.costs.owned import OWNED
from gpuplanner.domain.model.book.contract import counted_amount
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH

COUNTED_AS_NONE: Final = (
    "residual_share",
    "kw_per_gpu",
    "usd_per_kwh",
    "space_usd_per_kw_month",
    "staff_usd_per_gpu_month",
)
"""Fields of an owned offer that count as 0 where nobody states them; `pue` is then the assumption."""
OWNED_FIELDS: Final = ("capex_usd_per_gpu", "life_months", *COUNTED_AS_NONE, "pue")
"""What an owned offer is worked out from; other offers leave it empty."""


def is_owned(offer: Offer) -> bool:
    """Whether it is GPUs of our own."""
    return offer.pricing_category is PricingCategory.OWNED


def owned_inputs(
    offer: Offer, wacc: float, pue: float, exchange: Decimal | None = Decimal(1)
) -> dict[str, float | None]:
    """What its rate is worked out from, by the keys of OWNED.

    wacc: cost of capital, a ratio a year; pue: of the assumptions, where the offer states none; exchange: units of the
    money counted in of one unit of that quoted in, None: unknown. What is not stated counts as 0; without price or life
    the rate is unknown.
    """

    def amount(quoted: Decimal | None) -> float | None:
        """Of money, 0 where it is not stated."""
        return counted_amount(quoted or Decimal(0), exchange)

    return {
        "capex_per_gpu": amount(offer.capex_usd_per_gpu) if offer.capex_usd_per_gpu else None,
        "residual_share": offer.residual_share or 0.0,
        "wacc": wacc,
        "life_months": float(offer.life_months) if offer.life_months else None,
        "kw_per_gpu": offer.kw_per_gpu or 0.0,
        "pue": pue if offer.pue is None else offer.pue,
        "month_hours": float(HOURS_PER_MONTH),
        "price_per_kwh": amount(offer.usd_per_kwh),
        "space_per_kw_month": amount(offer.space_usd_per_kw_month),
        "staff_per_month": amount(offer.staff_usd_per_gpu_month),
    }


def owned_at(offers: tuple[Offer, ...], wacc: float, pue: float) -> tuple[Offer, ...]:
    """Offers with the rate and the term of those that are owned; law: the very same tuple where nothing changes.

    wacc, pue: as in `owned_inputs`. An owned offer whose price or life nobody states has no rate: a quote is needed.
    Its rate is the one that follows, whatever its list states. Source: docs/formulas.md, Owned GPUs.
    """
    if not any(map(is_owned, offers)):
        return offers
    found = tuple(_at(offer, wacc, pue) if is_owned(offer) else offer for offer in offers)
    return offers if all(one is other for one, other in zip(found, offers, strict=True)) else found


def _at(offer: Offer, wacc: float, pue: float) -> Offer:
    rate = OWNED.row(owned_inputs(offer, wacc, pue), ["rate"])["rate"]
    stated = Decimal(repr(rate)) if rate else None
    term = offer.life_months or 0
    if (offer.rate_usd_per_gpu_hour, offer.term_months) == (stated, term):
        return offer
    return replace(offer, rate_usd_per_gpu_hour=stated, term_months=term)


MONEY: Final = ("capex_usd_per_gpu", "usd_per_kwh", "space_usd_per_kw_month", "staff_usd_per_gpu_month")


def scaled(offer: Offer, factor: Decimal) -> Offer:
    """An owned offer that costs so many times as much, all of it: its rate is then as many times what it was."""
    rate = offer.rate_usd_per_gpu_hour
    costs = {name: cost * factor for name in MONEY if (cost := getattr(offer, name)) is not None}
    return replace(offer, rate_usd_per_gpu_hour=None if rate is None else rate * factor, **costs)


def unstated(offer: Offer) -> tuple[str, ...]:
    """The fields of an owned offer that count as 0 since nobody states them."""
    return tuple(name for name in COUNTED_AS_NONE if getattr(offer, name) is None)


def has_owned(offers: Iterable[Offer]) -> bool:
    """Whether some of them are owned."""
    return any(map(is_owned, offers))
