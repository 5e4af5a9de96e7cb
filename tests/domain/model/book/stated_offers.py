"""Offers of H100: committed for a year, by the hour, and one with its hardware and source."""

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
OFFER = Offer(
    offer_id="bm-12",
    gpu_model="H100",
    pricing_category=PricingCategory.COMMITTED,
    term_months=12,
    rate_usd_per_gpu_hour=Decimal("2.75"),
    provider="Vela",
    rate_low=Decimal("2.00"),
    rate_high=Decimal("3.50"),
    max_gpus=64,
    lead_time_hours=48.0,
    min_term_months=1,
    gpu_memory_gb=80.0,
    bare_metal=True,
    interconnect="infiniband",
    egress_usd_per_gb=Decimal("0.09"),
    region="us-east",
    source="quote of May",
    as_of="2026-05-01",
)
"""With the hardware, the range of its rate and its source."""


def changed(offer: Offer, name: str, value: Any) -> Any:
    """The field as it is then, or the error's code."""
    try:
        return getattr(with_value(offer, name, value), name)
    except PlannerError as error:
        return error.code
