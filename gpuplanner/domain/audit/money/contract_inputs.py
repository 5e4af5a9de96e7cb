"""What went into the figures of a contract: its hours, its rates, and the offer that it is measured against."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from gpuplanner.domain.arrays import Bools
from gpuplanner.domain.audit.use.utilization import ClusterHours, run_seconds_by_hour
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR, floats, gpu_hours, optional
from gpuplanner.domain.figures.quantity import Number
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.model.book.contract import Contract
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.window import HOUR_S, Window

MONEY_OF_USE: Final = ("paid_per_month", "allocated_per_month", "unused_per_month")


@dataclass(frozen=True, slots=True)
class ContractInputs:
    """What one contract's figures are worked out from, over the window or some of its hours.

    run_s: seconds that it ran; paid, used: milli-GPU-seconds, exact (used None: nobody has said yet what it serves).
    on_demand: the cheapest eligible on-demand offer; None where nobody offers one. months: of 730 h in the window.
    """

    contract: Contract
    run_s: int
    paid: int
    used: int | None
    on_demand: Offer | None
    months: float

    @property
    def committed_rate(self) -> float | None:
        """The rate paid where it is a commitment: what is paid by use has nothing to break even against.

        $ per GPU-hour; None where a quote is needed, too.
        """
        return self.contract.rate if self.contract.is_committed else None

    @property
    def on_demand_rate(self) -> float | None:
        """$ per GPU-hour of the offer that it is measured against.

        None where nobody offers one, or without a rate.
        """
        return None if self.on_demand is None or not self.on_demand.rate else self.on_demand.rate

    @property
    def exact(self) -> dict[str, Number | None]:
        """The inputs of CONTRACT by key, exact: what its explanations begin with.

        GPU-hours and hours as fractions. None is unknown.
        """
        used = None if self.used is None else Fraction(self.used, MILLI_GPU_SECONDS_PER_GPU_HOUR)
        return {
            "gpus": Fraction(self.contract.milli_gpus, 1000),
            "run_hours": Fraction(self.run_s, HOUR_S),
            "used_gpu_hours": used,
            "committed_rate": self.committed_rate,
            "on_demand_rate": self.on_demand_rate,
            "rate": self.contract.rate,
            "months": self.months,
        }


def contract_inputs(
    hours: ClusterHours,
    window: Window,
    on_demand: Mapping[str, Offer | None],
    unknown: Collection[str] = (),
) -> tuple[ContractInputs, ...]:
    """What went into the figures of a cluster's contracts over the window, in their order.

    on_demand: the offer that each is measured against, by contract_id; unknown: ids of those of which nobody knows
    what they serve.
    """
    return tuple(
        ContractInputs(
            contract,
            int(run_seconds_by_hour(contract, window).sum()),
            int(hours.capacity[place].sum()),
            None if contract.contract_id in unknown else int(hours.served[place].sum()),
            on_demand[contract.contract_id],
            window.months,
        )
        for place, contract in enumerate(hours.contracts)
    )


def contract_amounts(hours: ClusterHours, inside: Bools, months: float) -> dict[str, list[float | None]]:
    """Figures of a cluster's contracts over some hours, by key, in their order. inside: which hours, shape (hours,).

    Units: $ of those hours for *_in_window, a month for *_per_month; months: of 730 h in them. None where a
    rate is missing.
    """
    return {
        key: optional(column)
        for key, column in CONTRACT.worked_out(
            {
                "paid_gpu_hours": gpu_hours(hours.capacity[:, inside].sum(axis=1).tolist()),
                "used_gpu_hours": gpu_hours(hours.served[:, inside].sum(axis=1).tolist()),
                "rate": floats([contract.rate for contract in hours.contracts]),
                "months": floats([months] * len(hours.contracts)),
            },
            MONEY_OF_USE,
        ).items()
    }
