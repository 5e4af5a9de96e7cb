"""Offers of one GPU model at stated rates."""

from typing import Any

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.tables import PricingCategory
from tests.domain.audit.conftest import make_offer

STANDARD, COMMITTED, DYNAMIC = PricingCategory.STANDARD, PricingCategory.COMMITTED, PricingCategory.DYNAMIC


def offer(
    name: str, rate: str | None, category: PricingCategory = STANDARD, term: int = 0, **facts: Any
) -> Offer:
    return make_offer(name, rate, pricing_category=category, term_months=term, **facts)
