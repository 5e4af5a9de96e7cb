"""The audit of a project without a job log: what is paid stays known; how much of it is used is not, and not 0."""

from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.money.bridge import NOTHING_KNOWN, StrandedBridge
from gpuplanner.domain.audit.result import NOTHING_LEAKS, Audit

OF_USE: Final = frozenset(("below_40", "persistent_dev", "contention", "activity_unknown", "short_log"))
"""Checks that speak of how contracts were used, or of the log."""


def without_log(audit: Audit) -> Audit:
    """The audit with every figure of use unknown; no contract is under 40% and nothing leaks that nobody looked at."""
    return replace(
        audit,
        clusters=tuple(
            replace(
                row,
                utilization=None,
                non_training_utilization=None,
                below_40_percent=False,
                stranded_audit_usd_per_month=None,
                stranded_metered_usd_per_month=None,
                useful_usd=None,
                allocated_idle_usd=None,
                allocated_usd=None,
                unallocated_usd=None,
            )
            for row in audit.clusters
        ),
        contracts=tuple(
            replace(row, utilization=None, below_40_percent=False, unused_per_month=None)
            for row in audit.contracts
        ),
        leaks=(),
        leaks_total=NOTHING_LEAKS,
        checks=tuple(check for check in audit.checks if check.code not in OF_USE),
        unused_now_usd_per_month=None,
        effective_utilization_now=None,
        bridge=_paid_alone(audit.bridge),
        bridges={cluster: _paid_alone(bridge) for cluster, bridge in audit.bridges.items()},
        use=None,
    )


def _paid_alone(bridge: StrandedBridge) -> StrandedBridge:
    return replace(NOTHING_KNOWN, paid_usd_per_month=bridge.paid_usd_per_month)
