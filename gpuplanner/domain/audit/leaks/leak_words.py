"""What leaks are called, and what accepting one can change in a plan."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpuplanner.domain.audit.leaks.leak_rules import LEAK_RULES
from gpuplanner.domain.audit.result import Audit, Leak
from gpuplanner.domain.message import Message, worded
from gpuplanner.domain.model.pool import Pool


@dataclass(frozen=True, slots=True)
class Remedy:
    """What accepting a leak does in a plan: its workloads of that class go to `pool`; None: it is noted.

    keys: of the workloads that move; empty where it is only noted.
    """

    pool: Pool | None
    keys: tuple[str, ...]


def remedy_of(leak: Leak, classes: Mapping[str, Pool]) -> Remedy:
    """What accepting a leak does. classes: of the workloads, by key; of contention only inference moves.

    Workloads of other classes stay: moving them would not stop the leak.
    """
    pool = LEAK_RULES[leak.code].pool
    keys = tuple(
        part.id for part in leak.parts if part.kind == "workload" and pool and classes.get(part.id) is pool
    )
    return Remedy(pool if keys else None, keys)


def classes_by_key(audit: Audit) -> dict[str, Pool]:
    """The class of every workload, by key."""
    return {row.key: row.classification.pool for row in audit.workloads}


def leak_called(leak: Leak) -> Message:
    """`Idle after training, atlas`: what a leak is called in a sentence, an undo step or the log.

    By its cluster, or by its contract where it is of one.
    """
    where = leak.leak_id.partition(":")[2] or worded("jobs without a cluster")
    return worded("{title}, {where}", title=LEAK_RULES[leak.code].title, where=where)
