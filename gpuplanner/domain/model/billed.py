"""Use of GPUs as a bill states it: its GPU time by hour, and what was charged for it."""

from typing import Final

from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.lazy_dataclass import dataclass

RATES_AT_MOST: Final = 12
"""Rates of one cluster, GPU model and way to pay; hours of more are kept at the mean of as many classes of rates."""

Span = tuple[int, int, int]
"""Start of the first hour (epoch seconds), number of hours, milli-GPU-seconds in each of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BilledUse:
    """Use of one GPU model on one cluster at one rate.

    pricing_category: COMMITTED is use that a commitment covers. is_daily: of lines of a day or longer, whose hours are
    not known. amount: charged for all spans, in `currency`. spans: by start, none overlaps another.
    """

    cluster: str
    gpu_model: str | None
    pricing_category: PricingCategory
    currency: str
    is_daily: bool
    amount: float
    spans: tuple[Span, ...]

    @property
    def milli_gpu_seconds(self) -> int:
        """GPU time of all spans."""
        return sum(hours * amount for _, hours, amount in self.spans)
