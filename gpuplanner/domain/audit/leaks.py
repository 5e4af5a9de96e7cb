"""Leaks: where money runs out, with jobs or contracts named and what to do; the list's total counts no hour twice."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from gpuplanner.domain.audit.idle_leaks import idle_tails, unmaterialised
from gpuplanner.domain.audit.leak_claims import LeakClaim, Past
from gpuplanner.domain.audit.result import Leak
from gpuplanner.domain.audit.use_leaks import (
    consolidation_premium,
    contention,
    failed_work,
    peak_provisioned,
    permanent_burst,
    persistent_dev,
)

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


def find_leaks(past: Past) -> LeakList:
    """Every leak of the window, in table order, then by subject."""
    claims = [claim for rule in LEAK_RULES for claim in sorted(rule(past), key=lambda claim: claim.subject)]
    months = past.project.window.months
    leaks = tuple(
        Leak(claim.code, claim.subject, claim.gpu_hours, _per_month(claim.usd, months), claim.action)
        for claim in claims
    )
    hours, usd = _counted_once(claims, past)
    return LeakList(leaks, hours, _per_month(usd, months))


def _counted_once(claims: Sequence[LeakClaim], past: Past) -> tuple[float, float | None]:
    """GPU-hours and $ of all claims: a workload's GPU time, or a contract's idle time, is given away once."""
    left = {("workload", workload.key): workload.gpu_hours for workload in past.project.workloads}
    left |= {("contract", contract_id): idle for contract_id, idle in past.idle_gpu_hours.items()}
    hours, usd = 0.0, 0.0
    is_known = True
    for claim in claims:
        for part in claim.parts:
            counted = min(part.gpu_hours, left[part.of])
            left[part.of] -= counted
            hours += counted
            if part.usd_per_gpu_hour is not None:
                usd += counted * part.usd_per_gpu_hour
            elif counted:
                is_known = False
    return hours, usd if is_known else None


def _per_month(window_usd: float | None, months: float) -> float | None:
    return None if window_usd is None else window_usd / months
