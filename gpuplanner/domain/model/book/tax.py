"""Prices that include tax: what a remark says of it, and offers without it."""

from decimal import Decimal
from typing import Final

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import remark_on
from gpuplanner.lazy_dataclass import replace
from gpuplanner.lazy_re import lazy_re

_INCLUDED: Final = lazy_re(
    r"(?i)\b(?:incl(?:\.|uding|udes?|uded|)|inkl(?:\.|usive|)|TTC)(?: of| all| any| die| la)?"
    r" ?(?:(\d{1,2}(?:[.,]\d+)?) ?% ?)?(?:VAT|GST|tax(?:es)?|MwSt|USt|TVA)\b\.?"
)
_MONEY: Final = ("rate_usd_per_gpu_hour", "rate_low", "rate_high", "upfront_usd", "setup_usd")
_SMALLEST: Final = Decimal("0.000001")


def tax_included(offer: Offer) -> str | None:
    """Return the percentage of tax that an offer's remark says its prices include; "" without a number.

    None: it does not say so.
    """
    remark, _ = remark_on(offer)
    match = _INCLUDED.search(remark)
    return None if match is None else (match[1] or "").replace(",", ".")


def without_tax(offer: Offer, percent: Decimal) -> Offer:
    """Return an offer whose prices included a tax, in percent, without it; its remark then says so."""
    factor = 1 + percent / 100
    amounts = {name: amount for name in _MONEY if (amount := getattr(offer, name)) is not None}
    net = {name: (amount / factor).quantize(_SMALLEST).normalize() for name, amount in amounts.items()}
    source = _INCLUDED.sub(f"excl. VAT ({percent.normalize():f}% taken out)", offer.source or "")
    return replace(offer, **net, source=source or None)
