"""Stranded spend: what a cluster costs while nothing trains on it. Two numbers, each with its own name."""

from dataclasses import dataclass

from gpuplanner.domain.audit.use.utilization import ClusterHours
from gpuplanner.domain.model.log.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR, Ints
from gpuplanner.domain.model.worded import worded


@dataclass(frozen=True, slots=True)
class Stranded:
    """used and capacity in milli-GPU-seconds of the non-training hours; metered_usd is a window amount."""

    training_hours: int
    non_training_hours: int
    used: int
    capacity: int
    metered_usd: float | None

    @property
    def utilization(self) -> float | None:
        """U_nt, 0..1; None without a non-training hour or without capacity in them."""
        return self.used / self.capacity if self.capacity else None

    def audit_usd(self, cost_usd: float | None) -> float | None:
        """(1 - U_nt) x cost, in the unit of the cost; None where either is unknown."""
        if self.utilization is None or cost_usd is None:
            return None
        return (self.capacity - self.used) / self.capacity * cost_usd


def stranded(hours: ClusterHours) -> Stranded:
    """Both readings of one cluster; metered adds up to the invoice.

    Source: docs/formulas.md, Utilization and stranded spend.
    """
    trains = hours.training_hours
    idle = (hours.capacity - hours.served)[:, ~trains].sum(axis=1)
    return Stranded(
        training_hours=int(trains.sum()),
        non_training_hours=int((~trains).sum()),
        used=int(hours.served[:, ~trains].sum()),
        capacity=int(hours.capacity[:, ~trains].sum()),
        metered_usd=priced(idle, [contract.rate for contract in hours.contracts]),
    )


def priced(milli_gpu_seconds: Ints, rates: list[float | None]) -> float | None:
    """$ of GPU time by contract at their rates; None where GPU time has no rate. Shapes: (contracts,) both."""
    spent: list[int] = milli_gpu_seconds.tolist()
    if any(amount and rate is None for amount, rate in zip(spent, rates, strict=True)):
        return None
    return sum(
        amount / MILLI_GPU_SECONDS_PER_GPU_HOUR * (rate or 0.0)
        for amount, rate in zip(spent, rates, strict=True)
    )


def why_metered_is_more(metered: float | None, audit: float | None) -> str:
    """Why metered stranded spend can be above the audit's reading; empty where it is not, or one is unknown."""
    if metered is None or audit is None or metered < audit + 0.5:
        return ""
    return worded(
        "Metered is above audit: contracts are used cheapest first, so the idle GPUs are the dearest ones. Metered "
        "takes them at their own rates, audit takes the idle share of the cost at the mean rate."
    )
