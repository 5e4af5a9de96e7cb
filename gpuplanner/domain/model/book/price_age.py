"""Age of a price: offers that are out of date at the end of the window."""

from datetime import date, timedelta
from typing import Final

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.window import DAY_S, Window

STALE_DAYS: Final = 90
"""An offer dated more than this many days before the window's end is stale."""
_EPOCH: Final = date(1970, 1, 1)


def oldest_fresh_date(window: Window) -> str:
    """Return the first ISO date that is not stale: STALE_DAYS UTC days before the end of the window."""
    return (_EPOCH + timedelta(days=window.end_s // DAY_S - STALE_DAYS)).isoformat()


def is_stale(offer: Offer, window: Window) -> bool:
    """Return whether a priced offer's date is stale; False without a date or a rate."""
    return bool(offer.rate and offer.as_of and offer.as_of < oldest_fresh_date(window))
