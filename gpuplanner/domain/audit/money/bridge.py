"""The bridge from the bill to stranded spend: how what is paid, metered and audit follow from one another."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

from gpuplanner.domain.model.amounts import known_sum


@dataclass(frozen=True, slots=True)
class StrandedBridge:
    """Six figures of clusters (figures/clusters.py) in $ a month, summed over them; None is unknown.

    Laws, to the cent where all are known: paid - allocated - idle_while_training = metered; metered + scaled = audit.
    """

    cost_per_month: float | None
    allocated_per_month: float | None
    idle_while_training: float | None
    stranded_metered: float | None
    scaled_to_all_hours: float | None
    stranded_audit: float | None


NOTHING_KNOWN = StrandedBridge(None, None, None, None, None, None)


def total_bridge(clusters: Iterable[Any]) -> StrandedBridge:
    """The bridge over several clusters: every figure of their rows summed, unknown where one cluster's is.

    clusters: rows that have these six fields. Of none it is 0.
    """
    each = list(clusters)
    return StrandedBridge(
        **{one.name: known_sum(getattr(row, one.name) for row in each) for one in fields(StrandedBridge)}
    )
