"""Stranded spend: the bridge from the bill, and why its two readings differ."""

from collections.abc import Iterable
from typing import Any

from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model import amounts
from gpuplanner.lazy_dataclass import dataclass, fields


def why_readings_differ(metered: float | None, audit: float | None, idle: float | None) -> Text:
    """Return why metered stranded spend is above the audit's reading, or the audit's reading above all idle cost.

    Empty if neither is the case, or if one is unknown. All in $ a month. idle: paid and not allocated in any hour.
    """
    if audit is not None and idle is not None and audit > idle + 0.5:
        return worded(
            "The audit estimate exceeds idle cost: it applies the idle share of hours without training to all "
            "hours."
        )
    if metered is None or audit is None or metered < audit + 0.5:
        return ""
    return worded(
        "Metered exceeds the estimate: the cheapest contracts are used first, and idle ones cost more. The "
        "estimate uses the mean rate."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class StrandedBridge:
    """Six figures of clusters (figures/clusters.py) in $ a month, summed over the clusters. None is unknown.

    Laws, to the cent if all are known: paid - allocated - idle_while_training = metered; metered + scaled = audit.
    """

    cost_per_month: float | None
    allocated_per_month: float | None
    idle_while_training: float | None
    stranded_metered: float | None
    scaled_to_all_hours: float | None
    stranded_audit: float | None


NOTHING_KNOWN = StrandedBridge(
    cost_per_month=None,
    allocated_per_month=None,
    idle_while_training=None,
    stranded_metered=None,
    scaled_to_all_hours=None,
    stranded_audit=None,
)


def total_bridge(clusters: Iterable[Any]) -> StrandedBridge:
    """Return the bridge over several clusters: the sum of each figure, unknown if one cluster's figure is.

    clusters: rows that have these six fields. Without rows the sums are 0.
    """
    each = list(clusters)
    return StrandedBridge(
        **{f.name: amounts.known_sum(getattr(row, f.name) for row in each) for f in fields(StrandedBridge)}
    )
