"""What an offer says that it answers: the row of a request for quote, in its source."""

import re
from typing import Final

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_book import LONGEST_TEXT

_SOURCE: Final = re.compile(r"Quote (\S+) (R[1-9]\d*)(?:$|; )")


def quote_source(reference: str, row: str, remark: str = "") -> str:
    """The source of an offer that answers a row of a request; a remark is cut to what an offer keeps.

    >>> quote_source("RFQ-20260930-7C1E", "R2", "two sites")
    'Quote RFQ-20260930-7C1E R2; two sites'
    """
    return "; ".join(filter(None, (f"Quote {reference} {row}", remark)))[:LONGEST_TEXT]


def answered_row(offer: Offer) -> tuple[str, str] | None:
    """Reference and row of the request that an offer answers; None where it answers none.

    >>> from gpuplanner.domain.model.pool import PricingCategory
    >>> offer = Offer("a", "H100", PricingCategory.COMMITTED, 12, None, source="Quote RFQ-20260930-7C1E R2; two sites")
    >>> answered_row(offer)
    ('RFQ-20260930-7C1E', 'R2')
    """
    found = _SOURCE.match(offer.source or "")
    return None if found is None else (found[1], found[2])
