"""What an offer says that it answers, in its source: the row of a request for quote, and the day it was asked for."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.price_book import LONGEST_TEXT
from gpuplanner.domain.model.window import DAY_S, instant_s, is_day

SLA_ASKED_PERCENT: Final = 99.9
"""What a request asks for, of a month, unless the buyer says otherwise."""

_SOURCE: Final = re.compile(
    r"Quote (\S+) (R[1-9]\d*)(?: for (\d{4}-\d\d-\d\d))?(?: at (\d{1,3}(?:\.\d+)?)%)?(?:$|; )"
)
_ISSUED: Final = re.compile(r"RFQ-(\d{4})(\d\d)(\d\d)-")


@dataclass(frozen=True, slots=True)
class Answered:
    """The row of a request. asked_for, issued: the day its start was asked for and that of the request, ISO; None: not
    told. sla_percent: asked for, of a month; 0: none was."""

    reference: str
    row: str
    asked_for: str | None
    issued: str | None
    sla_percent: float = SLA_ASKED_PERCENT


def quote_source(
    reference: str,
    row: str,
    remark: str = "",
    asked_for: str | None = None,
    sla_percent: float = SLA_ASKED_PERCENT,
) -> str:
    """The source of an offer that answers a row of a request; a remark is cut to what an offer keeps.

    asked_for: the start that was asked for, an ISO day; sla_percent: 0 where none was asked for.

    >>> quote_source("RFQ-20260930-7C1E", "R2", "two sites", "2026-12-01", 99.95)
    'Quote RFQ-20260930-7C1E R2 for 2026-12-01 at 99.95%; two sites'
    """
    named = f"Quote {reference} {row}" + (f" for {asked_for}" if asked_for else "")
    named += "" if sla_percent == SLA_ASKED_PERCENT else f" at {sla_percent:.10g}%"
    return "; ".join(filter(None, (named, remark)))[:LONGEST_TEXT]


def quote_id(vendor: str, reference: str, row: str) -> str:
    """The offer_id of what a vendor answered to a row of a request.

    >>> quote_id("Vela", "RFQ-20260930-7C1E", "R2")
    'quote Vela RFQ-20260930-7C1E R2'
    """
    return f"quote {vendor} {reference} {row}"


def answered_row(offer: Offer) -> Answered | None:
    """The row of a request that an offer answers; None where it answers none.

    >>> from gpuplanner.domain.model.pool import PricingCategory
    >>> source = "Quote RFQ-20260930-7C1E R2; two sites"
    >>> answered_row(Offer("a", "H100", PricingCategory.COMMITTED, 12, None, source=source))
    Answered(reference='RFQ-20260930-7C1E', row='R2', asked_for=None, issued='2026-09-30', sla_percent=99.9)
    """
    return None if offer.source is None else _answered(offer.source)


@lru_cache(maxsize=4096)
def _answered(source: str) -> Answered | None:
    """What a source says."""
    found = _SOURCE.match(source)
    if found is None:
        return None
    return Answered(
        found[1],
        found[2],
        _day(found[3]),
        issued_on(found[1]),
        SLA_ASKED_PERCENT if found[4] is None else float(found[4]),
    )


def issued_on(reference: str) -> str | None:
    """The day of a request, ISO, by its reference; None where that does not tell."""
    found = _ISSUED.match(reference)
    return None if found is None else _day("-".join(found.groups()))


def _day(text: str | None) -> str | None:
    """A text that is a day; None where it is none."""
    return text if text and is_day(text) else None


@dataclass(frozen=True, slots=True)
class QuotedStart:
    """When what a quote is for begins, days in epoch seconds. asked_s: asked for; offered_s: the vendor's own, where
    that is later, else the same. is_at_once: asked for from the day of the request on."""

    asked_s: int
    offered_s: int
    is_at_once: bool


def quoted_start(offer: Offer) -> QuotedStart | None:
    """The start that a quote is for; None where an offer answers no request, or no day is told."""
    answered = answered_row(offer)
    if answered is None:
        return None
    own_s = None if offer.starts_s is None else offer.starts_s - offer.starts_s % DAY_S
    asked_s = own_s if answered.asked_for is None else instant_s(answered.asked_for)
    if asked_s is None:
        return None
    issued_s = None if answered.issued is None else instant_s(answered.issued)
    return QuotedStart(asked_s, max(asked_s, own_s or asked_s), asked_s == issued_s)
