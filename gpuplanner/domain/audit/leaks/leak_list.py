"""Leaks: where money runs out, with jobs or contracts named and what to do; the list's total counts no hour twice."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.leaks.idle_leaks import idle_tails, unmaterialised
from gpuplanner.domain.audit.leaks.leak_claims import LeakClaim, Past
from gpuplanner.domain.audit.leaks.premium import consolidation_premium
from gpuplanner.domain.audit.leaks.use_leaks import (
    contention,
    failed_work,
    peak_provisioned,
    permanent_burst,
    persistent_dev,
)
from gpuplanner.domain.audit.result import Leak, LeakPart
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.scenario.plan_inputs import LeakStatus, Scenario
from gpuplanner.domain.model.worded import worded

LEAK_RULES: Final[tuple[Callable[[Past], list[LeakClaim]], ...]] = (
    idle_tails,
    persistent_dev,
    unmaterialised,
    peak_provisioned,
    failed_work,
    contention,
    consolidation_premium,
    permanent_burst,
)
"""In the order of docs/formulas.md, Leaks: where two leaks claim the same GPU-hour, the total gives it to the first."""


@dataclass(frozen=True, slots=True)
class LeakList:
    """The leaks, each as large as its rule says, and their total, in which every GPU-hour counts once."""

    leaks: tuple[Leak, ...]
    total_gpu_hours: float
    total_usd_per_month: float | None


COUNTED_ONCE: Final = worded(
    "The total counts each GPU-hour of a workload, and each idle one of a contract, once. Leaks are counted kind by "
    "kind, idle after training first: where two have the same GPU-hours, the later one counts only what is left."
)
"""How the total counts every GPU-hour once, in words for the window and the book."""


def find_leaks(past: Past) -> LeakList:
    """Every leak of the window, in table order, then by subject. Laws: those of `Leak`."""
    months = past.project.window.months
    left = {("workload", workload.key): workload.gpu_hours for workload in past.project.workloads}
    left |= {("contract", contract_id): idle for contract_id, idle in past.idle_gpu_hours.items()}
    leaks = tuple(
        _leak(claim, left, months)
        for rule in LEAK_RULES
        for claim in sorted(rule(past), key=lambda claim: claim.subject)
    )
    return LeakList(
        leaks,
        sum((leak.counted_gpu_hours for leak in leaks), 0.0),
        known_sum([leak.counted_usd_per_month for leak in leaks]),
    )


def without_clusters(found: LeakList, clusters: Collection[str]) -> LeakList:
    """The list without the leaks of some clusters, of whose use nothing is known."""
    leaks = tuple(leak for leak in found.leaks if leak.cluster not in clusters)
    return LeakList(
        leaks,
        sum((leak.counted_gpu_hours for leak in leaks), 0.0),
        known_sum([leak.counted_usd_per_month for leak in leaks]),
    )


def most_expensive_first(leaks: Sequence[Leak]) -> list[Leak]:
    """Leaks by $ a month, dearest first, those of unknown $ last; equals stay in table order."""
    return sorted(leaks, key=lambda leak: (leak.usd_per_month is None, -(leak.usd_per_month or 0.0)))


@dataclass(frozen=True, slots=True)
class LeakTotal:
    """What some of the leaks count in the list's total; $ a month None where a rate of them is unknown."""

    leaks: int
    gpu_hours: float
    usd_per_month: float | None


def totals_by_status(leaks: Sequence[Leak], plan: Scenario | None) -> dict[str, LeakTotal]:
    """What is open, accepted and dismissed in a plan, by what each leak counts; the three add up to the total.

    A leak takes with it what it counts: nothing moves to a later leak because an earlier one was dismissed.
    Without a plan all of them are open.
    """
    decided = {one.leak_id: one.status for one in plan.leak_decisions} if plan else {}
    totals = {}
    for status in ("open", *LeakStatus):
        these = [leak for leak in leaks if decided.get(leak.leak_id, "open") == status]
        totals[str(status)] = LeakTotal(
            len(these),
            sum((leak.counted_gpu_hours for leak in these), 0.0),
            known_sum([leak.counted_usd_per_month for leak in these]),
        )
    return totals


def _leak(claim: LeakClaim, left: dict[tuple[str, str], float], months: float) -> Leak:
    """One claim as a leak; what it counts is taken from `left`, the GPU-hours of each workload and contract."""
    parts = []
    for part in sorted(claim.parts, key=lambda part: part.of):
        if not part.gpu_hours:
            continue
        counted = min(part.gpu_hours, max(left[part.of], 0.0))
        left[part.of] -= counted
        rate = part.usd_per_gpu_hour
        parts.append(
            LeakPart(
                *part.of,
                gpu_hours=part.gpu_hours,
                usd_per_month=None if rate is None else part.gpu_hours * rate / months,
                counted_gpu_hours=counted,
                counted_usd_per_month=0.0
                if not counted
                else None
                if rate is None
                else counted * rate / months,
            )
        )
    return Leak(
        claim.code,
        claim.subject,
        sum(part.gpu_hours for part in parts),
        known_sum([part.usd_per_month for part in parts]),
        claim.action,
        leak_id=f"{claim.code}:{claim.of}",
        cluster=claim.cluster,
        parts=tuple(parts),
        counted_gpu_hours=sum(part.counted_gpu_hours for part in parts),
        counted_usd_per_month=known_sum([part.counted_usd_per_month for part in parts]),
    )
