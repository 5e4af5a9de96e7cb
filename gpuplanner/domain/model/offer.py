"""An offer: what could be bought, at what rate, for how long."""

from dataclasses import dataclass
from decimal import Decimal

from gpuplanner.domain.model.pool import PricingCategory


@dataclass(frozen=True, slots=True)
class Offer:
    """One row of a price list.

    Units: term_months 0 for usage-priced offers (STANDARD on demand, DYNAMIC spot); rates in $ per GPU-hour;
    max_gpus whole GPUs, None without a limit; as_of an ISO date. A missing rate is "quote needed".
    """

    offer_id: str
    gpu_model: str
    pricing_category: PricingCategory
    term_months: int
    rate_usd_per_gpu_hour: Decimal | None
    provider: str | None = None
    rate_low: Decimal | None = None
    rate_high: Decimal | None = None
    max_gpus: int | None = None
    lead_time_hours: float = 0.0
    min_term_months: int = 0
    gpu_memory_gb: float | None = None
    bare_metal: bool | None = None
    interconnect: str | None = None
    egress_usd_per_gb: Decimal | None = None
    region: str | None = None
    source: str | None = None
    as_of: str | None = None

    @property
    def rate(self) -> float | None:
        """$ per GPU-hour as a float; None where it is missing or zero: that asks for a quote, it is not a gift."""
        return float(self.rate_usd_per_gpu_hour) if self.rate_usd_per_gpu_hour else None
