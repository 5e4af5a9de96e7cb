"""Price cases: whether the low, the mid or the high rate of each offer counts in a plan."""

from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from enum import StrEnum
from typing import Final

from gpuplanner.domain.model.book.offer import Offer


class PriceCase(StrEnum):
    """Which rate of an offer counts; MID is the rate itself, and what a plan begins with."""

    LOW = "low"
    MID = "mid"
    HIGH = "high"


PRICE_CASES: Final = (PriceCase.LOW, PriceCase.MID, PriceCase.HIGH)
"""The order in which cases are shown."""

_OWN_RATE: Final = {PriceCase.LOW: "rate_low", PriceCase.HIGH: "rate_high"}


def own_rate(offer: Offer, case: PriceCase) -> Decimal | None:
    """$ per GPU-hour that the offer itself states for a case; None where it states none (or zero: no gift).

    As it is quoted, before exchange. At mid it is the rate itself.
    """
    stated: Decimal | None = getattr(offer, _OWN_RATE.get(case, "rate_usd_per_gpu_hour"))
    return stated or None


def offer_in_case(offer: Offer, case: PriceCase) -> Offer:
    """The offer at the rate that counts: without one of its own for the case, at its mid rate.

    An offer without a mid rate needs a quote in every case.
    """
    rate = own_rate(offer, case)
    if case is PriceCase.MID or rate is None or not offer.rate or rate == offer.rate_usd_per_gpu_hour:
        return offer
    return replace(offer, rate_usd_per_gpu_hour=rate)


def offers_in_case(offers: tuple[Offer, ...], case: PriceCase) -> tuple[Offer, ...]:
    """Offers at the rates that count; law: the very same tuple at mid.

    Shapes: one for each offer, in order; ids stay.
    """
    return offers if case is PriceCase.MID else tuple(offer_in_case(offer, case) for offer in offers)


def without_own_rate(offers: Iterable[Offer], case: PriceCase) -> tuple[Offer, ...]:
    """The priced offers that count with their mid rate in a case since they state no other.

    In given order; offers without a mid rate are left out. At mid it is empty.
    """
    return tuple(offer for offer in offers if offer.rate and own_rate(offer, case) is None)
