"""Today's spend of all clusters: its parts, and $ of each hour."""

from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.spend.on_demand_rates import EligibleRates
from gpuplanner.domain.audit.spend.overflow import NO_TIMES, Times, overflow_by_hour, priced_overflow
from gpuplanner.domain.audit.spend.pricing import priced, usd_by_hour
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model import amounts
from gpuplanner.domain.model.project import Project


def current_parts(
    project: Project,
    clusters: Sequence[ClusterHours],
    rates: EligibleRates,
    current: float | None,
    unmatched: Collection[str],
) -> amounts.PartSum:
    """Return the parts of today's spend, in $ a month: each contract, and the overflow of each GPU model.

    current: the sum; if it is known, there are no parts. unmatched: clusters with contracts whose jobs are unknown as
    yet; their overflow is unknown.
    """
    if current is not None:
        return amounts.NO_PARTS
    parts: list[tuple[Text, float | None]] = []
    for hours in clusters:
        for contract, capacity in zip(hours.contracts, hours.capacity, strict=True):
            if capacity.any():
                parts.append((contract.part_name, priced(capacity.sum(keepdims=True), [contract.rate])))
        for model, lost, rate in priced_overflow(hours, rates):
            is_unknown = rate is None or hours.cluster in unmatched
            usd = None if is_unknown else float(lost.sum()) * (rate or 0.0)
            parts.append((joined((model or UNKNOWN_MODEL,)), usd))
    total = amounts.part_sum(parts)
    return amounts.PartSum(total.known / project.window.months, total.parts, total.missing)


UNKNOWN_MODEL: Final = worded("unknown model")


def eligible_usd_by_hour(
    clusters: Sequence[ClusterHours], rates: EligibleRates, times: Times = NO_TIMES
) -> Floats | None:
    """Return $ of each hour of all clusters: paid, and overflow at eligible rates; shape (hours,).

    None if a rate is missing. times: factors on the overflow of a class and model in each hour, (hours,). Law: without
    times, the sum over the months of the window is today's spend.
    """
    total: Floats | None = None
    for hours in clusters:
        paid = usd_by_hour(hours.capacity, [contract.rate for contract in hours.contracts])
        overflow = overflow_by_hour(hours, rates, times)
        if overflow is None or np.isnan(paid).any():
            return None
        total = paid + overflow if total is None else total + paid + overflow
    return total
