"""Prices that include tax."""

from decimal import Decimal

import pytest

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.quote_source import noted_source
from gpuplanner.domain.model.book.remark import undecided
from gpuplanner.domain.model.book.tax import tax_included, without_tax
from gpuplanner.domain.model.tables import PricingCategory


def offer(remark: str) -> Offer:
    return Offer(
        offer_id="a",
        gpu_model="H100",
        pricing_category=PricingCategory.COMMITTED,
        term_months=12,
        rate_usd_per_gpu_hour=Decimal("2.38"),
        upfront_usd=Decimal(119),
        source=noted_source("a.csv", remark),
    )


@pytest.mark.parametrize(
    ("remark", "percent"),
    [
        ("incl. 19% VAT", "19"),
        ("inkl. 8,1 % MwSt.", "8.1"),
        ("TTC TVA", ""),
        ("including VAT", ""),
        ("excl. 19% VAT", None),
        ("plus VAT", None),
        ("", None),
    ],
)
def test_a_remark_says_what_tax_prices_include(remark: str, percent: str | None) -> None:
    assert tax_included(offer(remark)) == percent


def test_an_offer_without_its_tax_leaves_nothing_open() -> None:
    gross = offer("incl. 19% VAT")
    net = without_tax(gross, Decimal(19))
    assert (net.rate_usd_per_gpu_hour, net.upfront_usd) == (Decimal(2), Decimal(100))
    assert undecided(gross) is not None and undecided(net) is None and tax_included(net) is None
