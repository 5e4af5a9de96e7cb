"""All-in rate of an offer: with its upfront payment spread over the term, and its extras."""

from typing import Final

from gpuplanner.domain.model.book.extras import Extras
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.lazy_dataclass import dataclass


@dataclass(frozen=True, slots=True)
class AllIn:
    """All-in rate of an offer, $ per GPU-hour. upfront: spread over the term. extras: by name (None: unknown price).

    total: their sum (None: a part is unknown).
    """

    rate: float | None
    upfront: float
    extras: Extras
    total: float | None


HIDDEN_SHARES: Final = (0.20, 0.40)
"""Additional cost of idle time and egress on GPU-hour bills, by an article on the cost of inference (2026)."""


def all_in(offer: Offer) -> AllIn:
    """Return the all-in rate of an offer with all stated extras. Source: docs/formulas/prices.md, Price book."""
    rate, total, extras = offer.bare_rate, offer.spread_rate, offer.extras
    upfront = 0.0 if total is None or offer.rate is None else total - offer.rate
    return AllIn(rate, upfront, extras, None if None in extras.values() else total)
