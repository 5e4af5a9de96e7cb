"""The all-in rate has the upfront payment, and the extras that are stated."""

from dataclasses import replace
from decimal import Decimal

import pytest

from gpuplanner.domain.model.book.all_in_rate import all_in
from tests.domain.model.book.stated_offers import OFFER, YEAR


def test_all_in_is_the_rate_with_egress_where_somebody_said_how_much() -> None:
    assert all_in(OFFER).total == 2.75
    found = all_in(replace(OFFER, sent_gb=5.0))
    assert (found.rate, found.extras, found.total) == (2.75, {"egress": 0.09 * 5}, 2.75 + 0.09 * 5)
    unknown = all_in(replace(OFFER, egress_usd_per_gb=None, sent_gb=5.0))
    assert (unknown.rate, unknown.extras, unknown.total) == (2.75, {"egress": None}, None)
    assert all_in(replace(OFFER, rate_usd_per_gpu_hour=None, sent_gb=5.0)).total is None


def test_all_in_is_the_rate_with_upfront_and_extras() -> None:
    """$730 over 8,760 h are 8.33 cents."""
    upfront = replace(YEAR, upfront_usd=Decimal(730))
    both = all_in(upfront)
    assert (both.rate, both.total) == (2.5, pytest.approx(2.5 + 730 / 8760))
    assert both.upfront == pytest.approx(730 / 8760)
    plain = all_in(YEAR)
    assert (plain.upfront, plain.total) == (0.0, 2.5)
    unpriced = all_in(replace(YEAR, rate_usd_per_gpu_hour=None))
    assert (unpriced.upfront, unpriced.total) == (0.0, None)
