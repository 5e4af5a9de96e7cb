"""The bridge from the bill to stranded spend: how what is paid, metered and audit follow from one another."""

from collections.abc import Iterable
from dataclasses import dataclass, fields

from gpuplanner.domain.model.amounts import known_sum


@dataclass(frozen=True, slots=True)
class StrandedBridge:
    """Six amounts in $ a month, the laws that tie them, and no other reading of stranded spend.

    Laws, to the cent where all are known: paid - served - idle_while_training = metered; metered + scaled = audit.
    served: what jobs were allocated, at the rates of the contracts that served them. idle_while_training: paid and
    not allocated in hours with training. scaled: what the audit's reading adds by taking every hour for one without
    training; negative where those hours are used better than their cost suggests. None is unknown: a rate that
    nobody states or, for scaled and audit, no capacity in an hour without training.
    Source: docs/formulas.md, Utilization and stranded spend.
    """

    paid_usd_per_month: float | None
    served_usd_per_month: float | None
    idle_while_training_usd_per_month: float | None
    metered_usd_per_month: float | None
    scaled_usd_per_month: float | None
    audit_usd_per_month: float | None


NOTHING_KNOWN = StrandedBridge(None, None, None, None, None, None)


def bridge_from(
    paid: float | None,
    served: float | None,
    unallocated: float | None,
    metered: float | None,
    audit: float | None,
) -> StrandedBridge:
    """The bridge of one cluster from amounts in $ a month; unallocated: paid and not served, in all its hours."""
    return StrandedBridge(
        paid_usd_per_month=paid,
        served_usd_per_month=served,
        idle_while_training_usd_per_month=_less(unallocated, metered),
        metered_usd_per_month=metered,
        scaled_usd_per_month=_less(audit, metered),
        audit_usd_per_month=audit,
    )


def total_bridge(bridges: Iterable[StrandedBridge]) -> StrandedBridge:
    """The bridge over several clusters: every amount summed, unknown where one cluster's is."""
    each = list(bridges)
    return StrandedBridge(
        **{
            one.name: known_sum(getattr(bridge, one.name) for bridge in each)
            for one in fields(StrandedBridge)
        }
    )


def _less(amount: float | None, other: float | None) -> float | None:
    return None if amount is None or other is None else amount - other
