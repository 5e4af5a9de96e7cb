"""How GPU prices have moved: monthly medians of dated rates, and the mean change of like with like."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import exp


@dataclass(frozen=True, slots=True)
class PriceMonth:
    """One month of one GPU model, kind of provider and term: a row of resources/price_history.csv.

    month: ISO year and month; rates in $ per GPU-hour: the median, lowest and highest of `series` series; log_change:
    summed log change of those series since each was last seen, over series_months months of theirs in all; source:
    the repositories and pages that the rates were read from.
    """

    gpu_model: str
    provider_kind: str
    pricing_category: str
    term_months: int
    month: str
    rate_usd_per_gpu_hour: float
    rate_low: float
    rate_high: float
    series: int
    log_change: float
    series_months: int
    source: str


def fall_per_month(months: Iterable[PriceMonth]) -> float | None:
    """Mean monthly fall of prices over some rows, a ratio (negative: a rise); None where no series was seen twice.

    Each series counts by the months that it was followed, so that series that come and go move nothing.
    Source: matched-model price index (ILO et al., Consumer Price Index Manual 2020, ch. 7).
    """
    rows = list(months)
    followed = sum(row.series_months for row in rows)
    return 1 - exp(sum(row.log_change for row in rows) / followed) if followed else None
