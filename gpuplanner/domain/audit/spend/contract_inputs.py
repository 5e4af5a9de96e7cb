"""Inputs to the figures of a contract: its hours, its rates, and the offer that it is compared with."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from gpuplanner.domain.arrays import Bools, Floats
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours
from gpuplanner.domain.audit.utilization.dispatch import run_seconds_by_hour
from gpuplanner.domain.figures.figure import (
    MILLI_GPU_SECONDS_PER_GPU_HOUR,
    Number,
    exact_hours,
    floats,
    gpu_hours,
    optional,
)
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.model import amounts
from gpuplanner.domain.model.book.contract import RATES, Contract
from gpuplanner.domain.model.book.dollars import in_turn, prices_of
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.lazy_dataclass import dataclass, replace

MONEY_OF_USE: Final = ("paid_per_month", "allocated_per_month", "unused_per_month")


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractInputs:
    """Inputs to one contract's figures, over the window or some of its hours.

    run_s: seconds that it ran; paid, used: milli-GPU-seconds, exact (used None: the jobs it serves are unknown as yet).
    on_demand: the cheapest eligible on-demand offer, or None. months: of 730 h in the window. For a commitment in
    dollars, paid and used are dollars, as shares of one unit; covered_gpu_hours: GPU-hours that it covers; coverage:
    their share of the on-demand dollars of its GPU models, 0..1.
    """

    contract: Contract
    run_s: int
    paid: int
    used: int | None
    on_demand: Offer | None
    months: float
    covered_gpu_hours: float | None = None
    coverage: float | None = None

    @property
    def committed_rate(self) -> float | None:
        """The rate paid if the contract is a commitment: other contracts have no break-even.

        $ per GPU-hour. Also None if a quote is needed.
        """
        return self.contract.rate if self.contract.is_committed else None

    @property
    def on_demand_rate(self) -> float | None:
        """$ per GPU-hour of the offer that the contract is compared with.

        None without an offer, or without a rate.
        """
        return None if self.on_demand is None or not self.on_demand.rate else self.on_demand.rate

    @property
    def exact(self) -> dict[str, Number | None]:
        """The inputs of CONTRACT by key, exact: the start of its explanations.

        GPU-hours and hours as fractions. None is unknown.
        """
        return {
            "gpus": Fraction(self.contract.milli_gpus, 1000),
            "run_hours": Fraction(self.run_s, HOUR_S),
            "used_gpu_hours": exact_hours(self.used),
            "committed_rate": self.committed_rate,
            "on_demand_rate": self.on_demand_rate,
            **self.contract.rates,
            "months": self.months,
        }


def contract_inputs(
    hours: ClusterHours, window: Window, on_demand: Mapping[str, Offer | None], unknown: Collection[str]
) -> tuple[ContractInputs, ...]:
    """Return the inputs to the figures of a cluster's contracts over the window, in their order.

    on_demand: the offer that each contract is compared with, by contract_id; unknown: ids of contracts whose jobs are
    unknown as yet.
    """
    return tuple(
        ContractInputs(
            contract=contract,
            run_s=int(run_seconds_by_hour(contract, window).sum()),
            paid=int(hours.capacity[place].sum()),
            used=None if contract.contract_id in unknown else int(hours.served[place].sum()),
            on_demand=on_demand[contract.contract_id],
            months=window.months,
        )
        for place, contract in enumerate(hours.contracts)
        if not contract.is_dollars
    )


def dollar_inputs(project: Project, clusters: Sequence[ClusterHours]) -> Iterator[ContractInputs]:
    """Yield the inputs to the figures of commitments in dollars, over all clusters.

    Coverage is at on-demand rates: the share that a commitment covers of its models' use outside contracts in GPUs.
    """
    window, unit = project.window, MILLI_GPU_SECONDS_PER_GPU_HOUR
    rows = (
        pair
        for cluster in clusters
        for pair in zip(cluster.counted, cluster.overflow.sum(axis=1), strict=True)
    )
    left = amounts.summed(rows)
    held = [
        pair
        for cluster in clusters
        for pair in zip(cluster.contracts, cluster.served.sum(axis=1), strict=True)
    ]
    for row in in_turn(project.contracts):
        prices, run_s = prices_of(row, project.offers, left), int(run_seconds_by_hour(row, window).sum())
        parts = [(part.gpu_model or "", amount) for part, amount in held if part.ramp_of == row.contract_id]
        used = sum(amount * prices[model].paid for model, amount in parts) / (row.rate or 1.0)
        at_list = sum(amount * prices[model].on_demand for model, amount in parts)
        of_all = at_list + sum(left[model] * listed for model, (_, listed) in prices.items())
        inputs = ContractInputs(
            contract=row,
            run_s=run_s,
            paid=row.milli_gpus * run_s,
            used=None,
            on_demand=None,
            months=window.months,
        )
        if prices and row.rate is not None:
            hours, share = sum(amount for _, amount in parts) / unit, at_list / of_all if of_all else None
            inputs = replace(inputs, used=round(used), covered_gpu_hours=hours, coverage=share)
        yield inputs


def rate_columns(contracts: Iterable[Contract]) -> dict[str, Floats]:
    """Return the rates of contracts by their keys, (contracts,); NaN if a quote is needed."""
    listed = [contract.rates for contract in contracts]
    return {key: floats([rates[key] for rates in listed]) for key in RATES}


def contract_amounts(hours: ClusterHours, inside: Bools, months: float) -> dict[str, list[float | None]]:
    """Return figures of a cluster's contracts over some hours, by key, in their order. None if a rate is missing.

    inside: the hours that count, shape (hours,). Units: $ of those hours for *_in_window, a month for *_per_month;
    months: of 730 h in them.
    """
    return {
        key: optional(column)
        for key, column in CONTRACT.worked_out(
            {
                "paid_gpu_hours": gpu_hours(hours.capacity[:, inside].sum(axis=1).tolist()),
                "used_gpu_hours": gpu_hours(hours.served[:, inside].sum(axis=1).tolist()),
                **rate_columns(hours.contracts),
                "months": floats([months] * len(hours.contracts)),
            },
            MONEY_OF_USE,
        ).items()
    }
