"""Two offers of H100: committed for a year, and by the hour."""

from decimal import Decimal
from typing import Any

from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.offer_fields import with_value
from gpuplanner.domain.model.errors import PlannerError
from gpuplanner.domain.model.tables import PricingCategory

YEAR = Offer(
    offer_id="y",
    gpu_model="H100",
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    rate_usd_per_gpu_hour=Decimal("2.5"),
    provider="Ada",
)
HOUR = Offer(
    offer_id="h",
    gpu_model="H100",
    pricing_category=PricingCategory.STANDARD,
    term_months=0,
    rate_usd_per_gpu_hour=Decimal(4),
    provider="Bo",
)


def changed(offer: Offer, name: str, value: Any) -> Any:
    """The field as it is then, or the error's code."""
    try:
        return getattr(with_value(offer, name, value), name)
    except PlannerError as error:
        return error.code
