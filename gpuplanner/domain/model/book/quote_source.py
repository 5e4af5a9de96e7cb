"""Source of an offer: the RFQ row that it answers, the vendor's remark, and the requested start."""

from functools import lru_cache
from typing import Final

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_fields import LONGEST_TEXT
from gpuplanner.domain.model.intake import issued_on
from gpuplanner.domain.model.window import DAY_S, instant_s, is_day
from gpuplanner.lazy_dataclass import dataclass
from gpuplanner.lazy_re import lazy_re

SLA_ASKED_PERCENT: Final = 99.9
"""SLA that an RFQ with rows R1, R2, … requested a month by default, in percent; one with O1, O2, … none."""
_OLD_ROW: Final = "R"
OF_OPTION: Final = " option"
TAKEN: Final = " as quoted"
"""Marks the source of an offer that the buyer accepts despite its remark."""
_SOURCE: Final = lazy_re(
    rf"(?s)(Quote (\S+) ([OR][1-9]\d*)({OF_OPTION})?(?: for (\d{{4}}-\d\d-\d\d))?(?: at (\d{{1,3}}(?:\.\d+)?)%)?)"
    rf"({TAKEN})?(?:$|; (.*))"
)
_QUOTE: Final = lazy_re(r"(?i)quote\s+[^\s;,]")
_NOTED: Final = lazy_re(rf"(?s)(Noted in [^;]+?)({TAKEN})?; (.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answered:
    """The RFQ row of an offer. asked_for, issued: requested start and date of the RFQ, ISO; None: not stated.

    sla_percent: requested per month; 0: none. remark: by the vendor. is_taken: accepted as quoted by the buyer.
    is_option: the row is wanted only if recent demand continues.
    """

    reference: str
    row: str
    asked_for: str | None
    issued: str | None
    sla_percent: float = 0.0
    remark: str = ""
    is_taken: bool = False
    is_option: bool = False


def quote_source(
    reference: str,
    row: str,
    remark: str = "",
    asked_for: str | None = None,
    sla_percent: float = 0.0,
    *,
    is_option: bool = False,
) -> str:
    """Return the source of an offer that answers an RFQ row; a remark that is too long is cut and ends in ….

    row: O2, or R2 of an older RFQ. asked_for: requested start, an ISO date. sla_percent: 0 if not requested.

    >>> quote_source("RFQ-20260930-7C1E", "O2", "two sites", "2026-12-01", 99.95)
    'Quote RFQ-20260930-7C1E O2 for 2026-12-01 at 99.95%; two sites'
    """
    named = f"Quote {reference} {row}{OF_OPTION if is_option else ''}" + (
        f" for {asked_for}" if asked_for else ""
    )
    named += "" if sla_percent == _usual_sla_percent(row) else f" at {sla_percent:.10g}%"
    text = "; ".join(filter(None, (named, remark)))
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def _usual_sla_percent(row: str) -> float:
    """Return the SLA that the RFQ of a row requests by default, in percent."""
    return SLA_ASKED_PERCENT if row.startswith(_OLD_ROW) else 0.0


def named_in(source: str) -> str:
    """Return the part of a source that names the RFQ row or the list, without the remark; "" without one."""
    match = _SOURCE.match(source) or _NOTED.match(source)
    return "" if match is None else match[1]


def noted_source(source: str, note: str) -> str:
    """Return the source of an offer in a vendor's own list (file or list name) with the row's remark.

    >>> noted_source("vela.xlsx", "plus VAT"), noted_source("vela.xlsx", "")
    ('Noted in vela.xlsx; plus VAT', 'vela.xlsx')
    """
    named = source if named_in(source) else f"Noted in {source.replace(';', ',')}"
    text = f"{named}; {note}" if note else source
    return text if len(text) <= LONGEST_TEXT else f"{text[: LONGEST_TEXT - 1]}…"


def remark_on(offer: Offer) -> tuple[str, bool]:
    """Return a vendor's remark on an offer, and whether the buyer accepted it as quoted; "" without a remark.

    >>> from gpuplanner.domain.model.tables import CATEGORY_WORDS, PricingCategory
    >>> quote = Offer(
    ...     offer_id="a",
    ...     gpu_model="H100",
    ...     pricing_category=PricingCategory.COMMITTED,
    ...     term_months=12,
    ...     rate_usd_per_gpu_hour=None,
    ...     source=noted_source("a.csv", "plus VAT"),
    ... )
    >>> remark_on(quote)
    ('plus VAT', False)
    """
    if (answered := answered_row(offer)) is not None:
        return answered.remark, answered.is_taken
    match = _NOTED.match(offer.source or "")
    return ("", False) if match is None else (match[3], match[2] is not None)


def quote_id(vendor: str, reference: str, row: str) -> str:
    """Return the offer_id of a vendor's answer to an RFQ row.

    >>> quote_id("Vela", "RFQ-20260930-7C1E", "R2")
    'quote Vela RFQ-20260930-7C1E R2'
    """
    return f"quote {vendor} {reference} {row}"


def is_quote(offer: Offer) -> bool:
    """Return whether an offer's price is a quote and no list price: it is valid until a day, or its source is one.

    >>> from gpuplanner.domain.model.tables import PricingCategory
    >>> from gpuplanner.lazy_dataclass import replace
    >>> listed = Offer(
    ...     offer_id="a",
    ...     gpu_model="H100",
    ...     pricing_category=PricingCategory.COMMITTED,
    ...     term_months=12,
    ...     rate_usd_per_gpu_hour=None,
    ... )
    >>> is_quote(listed), is_quote(replace(listed, source="Quote GE-9"))
    (False, True)
    """
    return offer.valid_until is not None or _QUOTE.match(offer.source or "") is not None


def answered_row(offer: Offer) -> Answered | None:
    """Return the RFQ row that an offer answers; None without one.

    >>> from gpuplanner.domain.model.tables import CATEGORY_WORDS, PricingCategory
    >>> source = "Quote RFQ-20260930-7C1E R2; two sites"
    >>> quote = Offer(
    ...     offer_id="a",
    ...     gpu_model="H100",
    ...     pricing_category=PricingCategory.COMMITTED,
    ...     term_months=12,
    ...     rate_usd_per_gpu_hour=None,
    ...     source=source,
    ... )
    >>> said = answered_row(quote)
    >>> (said.reference, said.row, said.issued, said.remark)
    ('RFQ-20260930-7C1E', 'R2', '2026-09-30', 'two sites')
    """
    return None if offer.source is None else _answered(offer.source)


@lru_cache(maxsize=4096)
def _answered(source: str) -> Answered | None:
    """Parse a source; None if it names no RFQ row."""
    match = _SOURCE.match(source)
    if match is None:
        return None
    return Answered(
        reference=match[2],
        row=match[3],
        asked_for=_day(match[5]),
        issued=issued_on(match[2]),
        sla_percent=_usual_sla_percent(match[3]) if match[6] is None else float(match[6]),
        remark=match[8] or "",
        is_taken=match[7] is not None,
        is_option=match[4] is not None,
    )


def _day(text: str | None) -> str | None:
    """Return the text if it is an ISO date, otherwise None."""
    return text if text and is_day(text) else None


@dataclass(frozen=True, slots=True)
class QuotedStart:
    """The start of a quote, days in epoch seconds. asked_s: requested. offered_s: the vendor's, if later, otherwise
    the same. is_at_once: requested from the day of the RFQ on.
    """

    asked_s: int
    offered_s: int
    is_at_once: bool


def quoted_start(offer: Offer) -> QuotedStart | None:
    """Return the start of a quote; None if an offer answers no RFQ, or no date is stated."""
    answered = answered_row(offer)
    if answered is None:
        return None
    own_s = None if offer.starts_s is None else offer.starts_s - offer.starts_s % DAY_S
    asked_s = own_s if answered.asked_for is None else instant_s(answered.asked_for)
    if asked_s is None:
        return None
    issued_s = None if answered.issued is None else instant_s(answered.issued)
    return QuotedStart(asked_s, max(asked_s, own_s or asked_s), asked_s == issued_s)
