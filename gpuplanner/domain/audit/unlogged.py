"""The audit of a project without a job log: what is paid stays known; how much of it is used is not, and not 0."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Final

from gpuplanner.domain.audit.money.bridge import NOTHING_KNOWN
from gpuplanner.domain.audit.result import NOTHING_LEAKS, Audit
from gpuplanner.domain.audit.use.energy_rows import UNKNOWN_ENERGY
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.figure import Subject
from gpuplanner.domain.figures.use import CONTRACT

OF_USE: Final = frozenset(("below_40", "persistent_dev", "contention", "activity_unknown", "short_log"))
"""Checks that speak of how contracts were used, or of the log."""


OF_HOURS: Final = frozenset(
    (
        "used_gpu_hours",
        "non_training_used_gpu_hours",
        "allocated_in_window",
        "unallocated_in_window",
        "non_training_unallocated_in_window",
    )
)
"""Figures of what ran, which only a log tells."""


def without_log(audit: Audit) -> Audit:
    """The audit with every figure of use unknown; no contract is under 40% and nothing leaks that nobody looked at.

    What is paid, and checks that are of contracts alone, stay.
    """
    return replace(
        audit,
        energy=replace(UNKNOWN_ENERGY, powers=audit.energy.powers),
        clusters=tuple(
            replace(
                row,
                utilization=None,
                non_training_utilization=None,
                below_40_percent=False,
                stranded_audit=None,
                stranded_metered=None,
                useful_in_window=None,
                allocated_idle_in_window=None,
                allocated_in_window=None,
                unallocated_in_window=None,
                allocated_per_month=None,
                unallocated_per_month=None,
                idle_while_training=None,
                scaled_to_all_hours=None,
                figures=_unknown(row.figures, CLUSTER, OF_HOURS),
            )
            for row in audit.clusters
        ),
        contracts=tuple(
            replace(
                row,
                utilization=None,
                below_40_percent=False,
                unused_per_month=None,
                figures=_unknown(row.figures, CONTRACT, OF_HOURS),
            )
            for row in audit.contracts
        ),
        leaks=(),
        leaks_total=NOTHING_LEAKS,
        checks=tuple(check for check in audit.checks if check.code not in OF_USE),
        unused_per_month=None,
        effective_utilization=None,
        bridge=replace(NOTHING_KNOWN, cost_per_month=audit.bridge.cost_per_month),
        use=None,
    )


def _unknown(
    figures: Mapping[str, float | None], subject: Subject, keys: Collection[str]
) -> dict[str, float | None]:
    """The figures of a row without those of the keys, and without all that stand on one."""
    gone = set(keys)
    for one in subject.figures:
        if gone.intersection(one.parameters):
            gone.add(one.key)
    return {key: None if key in gone else value for key, value in figures.items()}
