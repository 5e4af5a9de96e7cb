"""What each kind of leak is called, how it is worked out, and what accepting it can change in a plan."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.result import Audit, Leak
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.worded import worded


@dataclass(frozen=True, slots=True)
class LeakKind:
    """One kind of leak in words.

    title: short, for a table; formula: how its $ follow from GPU-hours; rule: when it is one; pool: where its workloads
    belong, so that a plan can put them there; None: a plan of pools and terms cannot show what would be saved.
    rate: what its $ of each GPU-hour are called.
    """

    title: str
    rule: str
    formula: str
    pool: Pool | None = None
    rate: str = worded("Rate")


LEAK_KINDS: Final[Mapping[str, LeakKind]] = {
    "idle_tail": LeakKind(
        worded("Idle after training"),
        worded(
            "Capacity stayed idle after training stopped, for longer than the idle tail, until new demand began."
        ),
        worded("idle GPU-hours of each contract × its rate"),
    ),
    "persistent_dev": LeakKind(
        worded("Development left running"),
        worded(
            "Notebooks and development were held over 24 h with activity under 10%; over 72 h where nobody measured it."
        ),
        worded("GPU-hours held × what the workload's GPU-hours cost"),
        Pool.BURST,
    ),
    "unmaterialised": LeakKind(
        worded("Contract hardly used"),
        worded("Under 10% was used in each of its last three blocks of 30 days, or since its start."),
        worded("GPU-hours paid and not used × its rate"),
    ),
    "peak_provisioned": LeakKind(
        worded("Held for the peak"),
        worded("Inference was held flat while its activity stayed under the target."),
        worded("Σ hours (held − held × activity / target, rounded up) × what the workload's GPU-hours cost"),
    ),
    "failed_work": LeakKind(
        worded("Work that failed"),
        worded("Jobs ended as FAILED, NODE_FAIL, OUT_OF_MEMORY or TIMEOUT."),
        worded("GPU-hours of those jobs × what the workload's GPU-hours cost"),
    ),
    "contention": LeakKind(
        worded("More demand than GPUs"),
        worded("In these hours demand was more than the contracts of its model hold."),
        worded(
            "GPU-hours beyond the contracts × the cheapest on-demand rate of the model, shared by GPU time"
        ),
        Pool.INFERENCE,
    ),
    "consolidation_premium": LeakKind(
        worded("Inference on dear hardware"),
        worded("Inference paid more per GPU-hour than the cheapest offer that fits it, of no longer term."),
        worded("inference GPU-hours × (rate paid − rate of that offer)"),
        Pool.INFERENCE,
        worded("Paid above it"),
    ),
    "permanent_burst": LeakKind(
        worded("Burst on long contracts"),
        worded("Burst work ran on contracts that bind for longer than it was active."),
        worded("GPU-hours that those contracts served of it × their rates"),
        Pool.BURST,
    ),
}
"""In the order of docs/formulas.md, Leaks."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """What accepting a leak does in a plan: its workloads of that class go to `pool`; None: it is noted."""

    pool: Pool | None
    keys: tuple[str, ...]


def remedy_of(leak: Leak, classes: Mapping[str, Pool]) -> Remedy:
    """What accepting a leak does. classes: of the workloads, by key; of contention only inference moves."""
    pool = LEAK_KINDS[leak.code].pool
    keys = tuple(
        part.id for part in leak.parts if part.kind == "workload" and pool and classes.get(part.id) is pool
    )
    return Remedy(pool if keys else None, keys)


def classes_by_key(audit: Audit) -> dict[str, Pool]:
    """The class of every workload, by key."""
    return {row.key: row.classification.pool for row in audit.workloads}


def leak_called(leak: Leak) -> str:
    """`Idle after training, atlas`: what a leak is called in a sentence, an undo step or the log."""
    where = leak.leak_id.partition(":")[2] or worded("jobs without a cluster")
    return worded("{title}, {where}", title=LEAK_KINDS[leak.code].title, where=where)
