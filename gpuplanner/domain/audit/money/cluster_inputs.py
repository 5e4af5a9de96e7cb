"""What went into the figures of a cluster: its hours, and what its contracts were paid for them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.audit.money.contract_inputs import contract_amounts
from gpuplanner.domain.audit.use.utilization import ClusterHours
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.figures.quantity import Number
from gpuplanner.domain.model.amounts import known_sum

Amount = TypeVar("Amount")


@dataclass(frozen=True, slots=True)
class ClusterInputs:
    """What one cluster's figures are worked out from, over the window or some of its hours.

    paid, used and overflow: milli-GPU-seconds, exact; *_in_window: $, sums over its contracts. None is unknown: a rate
    that nobody states, or what is used where nobody has said yet which of its jobs its contracts serve.
    eligible_overflow_in_window: overflow at the cheapest on-demand rates that its classes may use.
    """

    cluster: str
    paid: int
    used: int | None
    training_hours: int
    non_training_hours: int
    non_training_paid: int
    non_training_used: int | None
    activity: float | None
    overflow: int | None
    overflow_in_window: float | None
    eligible_overflow_in_window: float | None
    paid_in_window: float | None
    allocated_in_window: float | None
    unallocated_in_window: float | None
    non_training_unallocated_in_window: float | None
    months: float

    @property
    def exact(self) -> dict[str, Number | None]:
        """The inputs of CLUSTER by key, exact: what its explanations begin with.

        GPU-hours as fractions; $ as they are. None is unknown.
        """
        return {
            "paid_gpu_hours": _exact(self.paid),
            "used_gpu_hours": _exact(self.used),
            "non_training_paid_gpu_hours": _exact(self.non_training_paid),
            "non_training_used_gpu_hours": _exact(self.non_training_used),
            "training_hours": self.training_hours,
            "non_training_hours": self.non_training_hours,
            "activity": self.activity,
            "overflow_gpu_hours": _exact(self.overflow),
            "overflow_in_window": self.overflow_in_window,
            "eligible_overflow_in_window": self.eligible_overflow_in_window,
            "paid_in_window": self.paid_in_window,
            "allocated_in_window": self.allocated_in_window,
            "unallocated_in_window": self.unallocated_in_window,
            "non_training_unallocated_in_window": self.non_training_unallocated_in_window,
            "months": self.months,
        }


def cluster_inputs(
    hours: ClusterHours,
    inside: Bools,
    months: float,
    activity: float | None,
    overflow_in_window: float | None,
    eligible_overflow_in_window: float | None,
    *,
    is_use_known: bool = True,
) -> ClusterInputs:
    """What went into the figures of a cluster in some hours. inside: which hours, shape (hours,).

    overflow_in_window: $ at the cheapest on-demand rates; is_use_known: False where nobody has said yet which
    jobs its contracts serve.
    """
    trains = hours.training_hours
    idle = inside & ~trains
    money = contract_amounts(hours, inside, months)
    unused = contract_amounts(hours, idle, months)["unused_in_window"]

    def of_use(amount: Amount) -> Amount | None:
        return amount if is_use_known else None

    return ClusterInputs(
        cluster=hours.cluster,
        paid=int(hours.capacity[:, inside].sum()),
        used=of_use(int(hours.served[:, inside].sum())),
        training_hours=int((inside & trains).sum()),
        non_training_hours=int(idle.sum()),
        non_training_paid=int(hours.capacity[:, idle].sum()),
        non_training_used=of_use(int(hours.served[:, idle].sum())),
        activity=activity,
        overflow=of_use(int(hours.overflow[:, inside].sum())),
        overflow_in_window=of_use(overflow_in_window),
        eligible_overflow_in_window=of_use(eligible_overflow_in_window),
        paid_in_window=known_sum(money["paid_in_window"]),
        allocated_in_window=of_use(known_sum(money["allocated_in_window"])),
        unallocated_in_window=of_use(known_sum(money["unused_in_window"])),
        non_training_unallocated_in_window=of_use(known_sum(unused)),
        months=months,
    )


def _exact(milli_gpu_seconds: int | None) -> Fraction | None:
    """GPU-hours as a fraction; None stays unknown."""
    return None if milli_gpu_seconds is None else Fraction(milli_gpu_seconds, MILLI_GPU_SECONDS_PER_GPU_HOUR)
