"""Inputs to the figures of a cluster: its hours, and the amounts that its contracts were paid."""

from typing import Final, TypeVar

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.audit.spend.contract_inputs import contract_amounts
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.figure import Number, exact_hours
from gpuplanner.domain.message import Text
from gpuplanner.domain.model import amounts
from gpuplanner.domain.model.book.billed_part import BilledPart
from gpuplanner.lazy_dataclass import dataclass

Amount = TypeVar("Amount")
CLUSTER_GPU_TIME: Final = {
    "paid_gpu_hours": "paid",
    "used_gpu_hours": "used",
    "non_training_paid_gpu_hours": "non_training_paid",
    "non_training_used_gpu_hours": "non_training_used",
    "overflow_gpu_hours": "overflow",
}
CLUSTER_NUMBERS: Final = tuple(
    each.key for each in CLUSTER.figures if each.formula is None and each.key not in CLUSTER_GPU_TIME
)
"""Inputs of a cluster that are exact: key of the input, and field of `ClusterInputs`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterInputs:
    """Inputs to one cluster's figures, over the window or some of its hours.

    paid, used and overflow: milli-GPU-seconds, exact; *_in_window: $, sums over its contracts. None is unknown: a
    missing rate, or use if the jobs of the cluster's contracts are unknown as yet. eligible_overflow_in_window:
    overflow at the cheapest on-demand rates that its classes may use. paid_parts: $ a month of each of its contracts;
    billed: the same of the use that bills state, which is in them.
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
    paid_parts: amounts.PartSum = amounts.NO_PARTS
    billed: tuple[tuple[Text, float | None], ...] = ()

    @property
    def exact(self) -> dict[str, Number | None]:
        """The inputs of CLUSTER by key, exact: the start of its explanations.

        GPU-hours as fractions; $ as they are. None is unknown.
        """
        hours = {key: exact_hours(getattr(self, name)) for key, name in CLUSTER_GPU_TIME.items()}
        return hours | {key: getattr(self, key) for key in CLUSTER_NUMBERS}


def cluster_inputs(
    hours: ClusterHours,
    inside: Bools,
    months: float,
    activity: float | None,
    overflow_in_window: float | None,
    eligible_overflow_in_window: float | None,
    *,
    is_use_known: bool,
    is_demand_known: bool,
) -> ClusterInputs:
    """Return the inputs to the figures of a cluster in some hours. inside: the hours that count, shape (hours,).

    overflow_in_window: $ at the cheapest on-demand rates; is_use_known: False if the jobs of its contracts, or all of
    its jobs, are unknown as yet; is_demand_known: False only in the first case. Billed lines of a day or longer
    count in no figure of single hours, which is unknown where they are over half of the demand.
    """
    trains = hours.training_hours
    idle = inside & ~trains
    money = contract_amounts(hours, inside, months)
    unused = contract_amounts(hours, idle, months)["unused_in_window"]
    with_hours = ~hours.is_daily
    daily = int(hours.served[hours.is_daily][:, inside].sum())
    are_hours_known = 2 * daily <= int(hours.demand[:, :, inside].sum())

    def of_use(amount: Amount) -> Amount | None:
        return amount if is_use_known else None

    def of_demand(amount: Amount) -> Amount | None:
        return amount if is_demand_known else None

    def of_hours(amount: Amount | None) -> Amount | None:
        return amount if are_hours_known else None

    parts = list(zip((row.part_name for row in hours.contracts), money["paid_per_month"], strict=True))
    by_bill = zip(hours.contracts, parts, strict=True)
    return ClusterInputs(
        cluster=hours.cluster,
        paid=int(hours.capacity[:, inside].sum()),
        used=of_use(int(hours.served[:, inside].sum())),
        training_hours=int((inside & trains).sum()),
        non_training_hours=int(idle.sum()),
        non_training_paid=int(hours.capacity[with_hours][:, idle].sum()),
        non_training_used=of_hours(of_use(int(hours.served[with_hours][:, idle].sum()))),
        activity=activity,
        overflow=of_demand(int(hours.overflow[:, inside].sum())),
        overflow_in_window=of_demand(overflow_in_window),
        eligible_overflow_in_window=of_demand(eligible_overflow_in_window),
        paid_in_window=amounts.known_sum(money["paid_in_window"]),
        allocated_in_window=of_use(amounts.known_sum(money["allocated_in_window"])),
        unallocated_in_window=of_use(amounts.known_sum(money["unused_in_window"])),
        non_training_unallocated_in_window=of_hours(of_use(amounts.known_sum(unused))),
        months=months,
        paid_parts=amounts.part_sum(parts),
        billed=tuple(part for row, part in by_bill if isinstance(row, BilledPart)),
    )
