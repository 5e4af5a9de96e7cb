"""Spend in the past: rates, amounts paid and used, the bridge to stranded spend, by cluster and contract."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final, TypeVar

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.audit.utilization import (
    ClusterHours,
    group_of_row,
    held_contracts,
    model_of_cluster,
    part_of,
    per_unit_of_demand,
    run_seconds_by_hour,
    served_of_models,
    weighted_sums,
)
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.figures.clusters import CLUSTER
from gpuplanner.domain.figures.figure import (
    MILLI_GPU_SECONDS_PER_GPU_HOUR,
    Number,
    exact_hours,
    floats,
    gpu_hours,
    optional,
)
from gpuplanner.domain.figures.use import CONTRACT
from gpuplanner.domain.fit.rules import Need, cheapest, eligible_offers, steady_offers
from gpuplanner.domain.message import Text, joined, worded
from gpuplanner.domain.model import amounts
from gpuplanner.domain.model.book.contract import RATES, Contract, in_month, mean_rate, usd_in_month
from gpuplanner.domain.model.book.dollars import in_turn, prices_of
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ModelMapping, at_ratio, ratio_for
from gpuplanner.domain.model.book.renewal import bound_usd
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool, PricingCategory
from gpuplanner.domain.model.window import HOUR_S, Window
from gpuplanner.lazy_dataclass import dataclass, fields, replace

# --- Rates: the price of overflow on demand, and the offer behind a contract's break-even


def stand_in_models(project: Project) -> dict[str, str | None]:
    """Return `model_of_cluster` of every cluster that has contracts.

    Clusters without contracts are left out: their untyped demand has no model.
    """
    contracts = amounts.grouped((contract.cluster, contract) for contract in project.contracts)
    return {cluster: model_of_cluster(of_cluster) for cluster, of_cluster in contracts.items()}


def on_demand_rate_of_model(
    offers: Iterable[Offer],
    gpu_model: str | None,
    mappings: Sequence[ModelMapping] = (),
    pool: Pool | None = None,
) -> float | None:
    """Return $ per GPU-hour of the cheapest on-demand offer of a model (of any model, if unknown), or None.

    A mapped model has its rate for the work of one GPU of the model, as in the plan. pool: as in `ratio_for`.
    """
    ratios = ((offer, ratio_for(mappings, gpu_model, offer.gpu_model, pool)) for offer in offers)
    of_model = (at_ratio(offer, ratio) for offer, ratio in ratios if ratio is not None)
    offer = cheapest(of_model, PricingCategory.STANDARD)
    return None if offer is None else offer.rate


@dataclass(frozen=True, slots=True)
class EligibleRates:
    """On-demand rates by class and model. Hardware that is red for the class and model is left out.

    several_nodes: the (class, model) pairs in which some workload runs on more than one node.
    """

    offers: tuple[Offer, ...]
    several_nodes: frozenset[tuple[Pool, str | None]]
    mappings: tuple[ModelMapping, ...] = ()

    def on_demand_offer(self, pool: Pool, gpu_model: str | None) -> Offer | None:
        """Return the cheapest eligible on-demand offer, at its rate for the work of one such GPU, or None.

        pool: class of the workload. gpu_model None: unknown, so every model is eligible.
        """
        return cheapest(self._eligible(pool, gpu_model), PricingCategory.STANDARD)

    def on_demand(self, pool: Pool, gpu_model: str | None) -> float | None:
        """Return $ per GPU-hour of the offer that `on_demand_offer` returns.

        None if there is no such offer.
        """
        offer = self.on_demand_offer(pool, gpu_model)
        return None if offer is None else offer.rate

    def steady(self, pool: Pool, gpu_model: str | None) -> tuple[Offer, ...]:
        """Return the eligible offers with a rate that the provider can't take back, cheapest first.

        On demand or committed. Terms below the minimum are left out. The order spreads upfront payments over the term.
        """
        return steady_offers(self._eligible(pool, gpu_model))

    def _eligible(self, pool: Pool, gpu_model: str | None) -> tuple[Offer, ...]:
        need = Need(pool, gpu_model, (pool, gpu_model) in self.several_nodes)
        return eligible_offers(self.offers, need, self.mappings)


def eligible_rates(project: Project, classes: Sequence[Pool]) -> EligibleRates:
    """Return the project's offers with the needs of each class. Untyped demand counts with its cluster's model.

    classes: of the project's workloads, in their order.
    """
    stand_in = stand_in_models(project)
    pairs = set()
    for index, model in project.cube.pairs:
        workload = project.workloads[index]
        if (workload.max_nodes or 1) > 1:
            pairs.add((classes[index], stand_in.get(workload.cluster) if model is None else model))
    return EligibleRates(project.offers, frozenset(pairs), project.mappings)


# --- Stranded spend: $ of GPU time at its contracts' rates, and why one reading can be above the other


def priced(milli_gpu_seconds: Ints, rates: list[float | None]) -> float | None:
    """Return $ of GPU time by contract at their rates; None if GPU time has no rate. Shapes: (contracts,) both."""
    spent: list[int] = milli_gpu_seconds.tolist()
    if any(amount and rate is None for amount, rate in zip(spent, rates, strict=True)):
        return None
    return sum(
        amount / MILLI_GPU_SECONDS_PER_GPU_HOUR * (rate or 0.0)
        for amount, rate in zip(spent, rates, strict=True)
    )


def why_readings_differ(metered: float | None, audit: float | None, idle: float | None) -> Text:
    """Return why metered stranded spend is above the audit's reading, or the audit's reading above all idle cost.

    Empty if neither is the case, or if one is unknown. All in $ a month. idle: paid and not allocated in any hour.
    """
    if audit is not None and idle is not None and audit > idle + 0.5:
        return worded(
            "The audit estimate exceeds idle cost: it applies the idle share of hours without training to all "
            "hours."
        )
    if metered is None or audit is None or metered < audit + 0.5:
        return ""
    return worded(
        "Metered exceeds the estimate: the cheapest contracts are used first, and idle ones cost more. The "
        "estimate uses the mean rate."
    )


# --- Spend in the past: payments, uses, overflow, and the cost of each workload


def overflow_usd(hours: ClusterHours, project: Project, span: slice = slice(None)) -> float | None:
    """Return $ of a cluster's overflow, in all or some of its hours, at each model's cheapest on-demand rate."""
    rates = [overflow_rate(hours, model, project) for model in hours.models]
    return priced(hours.overflow[:, span].sum(axis=1), rates)


def workload_usd_per_month(project: Project, clusters: Sequence[ClusterHours]) -> list[float | None]:
    """Return each workload's $ a month: its share, by GPU time in each hour, of its GPU model's cost on its cluster.

    The cost of an hour is the served GPU time at its contracts' rates, plus the overflow. None if one of the workload's
    hours has an unknown cost. Law: the values add up to allocated + overflow of all clusters.
    """
    of_row, worth = group_of_row(project, clusters), usd_per_unit(project, clusters)
    window_usd = weighted_sums(project.cube, of_row, worth, len(project.workloads))
    return workload_usd_of(window_usd, project.window)


def workload_usd_of(window_usd: Floats, window: Window) -> list[float | None]:
    """Return $ a month from $ in the window, shape (n,): of workloads, or of one workload's weeks; NaN is unknown."""
    given = {"cost_in_window": window_usd, "months": np.full(len(window_usd), window.months)}
    return optional(CARD.value("cost_today", given))


def usd_per_unit(project: Project, clusters: Sequence[ClusterHours]) -> Floats:
    """Return $ of each milli-GPU-second of demand, NaN if a rate is missing; shape (groups, hours).

    A group is a GPU model on a cluster, in the order of `group_of_row`: jobs on L40S pay for L40S.
    """
    return per_unit_of_demand(clusters, lambda hours: _served_usd(hours) + _overflow_usd(hours, project))


def served_usd_per_unit(clusters: Sequence[ClusterHours]) -> Floats:
    """Return the part of `usd_per_unit` that contracts served. The rest is overflow. Shape (groups, hours)."""
    return per_unit_of_demand(clusters, _served_usd)


def overflow_usd_per_unit(project: Project, clusters: Sequence[ClusterHours]) -> Floats:
    """Return the part of `usd_per_unit` that did not fit in any contract. Shape (groups, hours)."""
    return per_unit_of_demand(clusters, lambda hours: _overflow_usd(hours, project))


def current_parts(
    project: Project,
    clusters: Sequence[ClusterHours],
    rates: EligibleRates,
    current: float | None,
    unmatched: Collection[str],
) -> amounts.PartSum:
    """Return the parts of today's spend, in $ a month: each contract, and the overflow of each GPU model.

    current: the sum; if it is known, there are no parts. unmatched: clusters with contracts whose jobs are unknown as
    yet; their overflow is unknown.
    """
    if current is not None:
        return amounts.NO_PARTS
    parts: list[tuple[Text, float | None]] = []
    for hours in clusters:
        for contract, capacity in zip(hours.contracts, hours.capacity, strict=True):
            if capacity.any():
                parts.append((contract.part_name, priced(capacity.sum(keepdims=True), [contract.rate])))
        for model, lost, rate in _priced_overflow(hours, rates):
            is_unknown = rate is None or hours.cluster in unmatched
            usd = None if is_unknown else float(lost.sum()) * (rate or 0.0)
            parts.append((joined((model or UNKNOWN_MODEL,)), usd))
    total = amounts.part_sum(parts)
    return amounts.PartSum(total.known / project.window.months, total.parts, total.missing)


UNKNOWN_MODEL: Final = worded("unknown model")
Times = Mapping[tuple[Pool, str | None], Floats]
NO_TIMES: Final[Times] = {}


def eligible_usd_by_hour(
    clusters: Sequence[ClusterHours], rates: EligibleRates, times: Times = NO_TIMES
) -> Floats | None:
    """Return $ of each hour of all clusters: paid, and overflow at eligible rates; shape (hours,).

    None if a rate is missing. times: factors on the overflow of a class and model in each hour, (hours,). Law: without
    times, the sum over the months of the window is today's spend.
    """
    total: Floats | None = None
    for hours in clusters:
        paid = usd_by_hour(hours.capacity, [contract.rate for contract in hours.contracts])
        overflow = _overflow_by_hour(hours, rates, times)
        if overflow is None or np.isnan(paid).any():
            return None
        total = paid + overflow if total is None else total + paid + overflow
    return total


def overflow_at_eligible_rates(hours: ClusterHours, rates: EligibleRates) -> float | None:
    """Return $ of one cluster's overflow. Classes of a model that overflow in an hour share it by their GPU time."""
    usd = _overflow_by_hour(hours, rates)
    return None if usd is None else float(usd.sum())


def _overflow_by_hour(hours: ClusterHours, rates: EligibleRates, times: Times = NO_TIMES) -> Floats | None:
    usd = np.zeros(hours.capacity.shape[1])
    for _, lost, rate in _priced_overflow(hours, rates, times):
        if rate is None:
            return None
        usd += lost * rate
    return usd


def overflow_by_model(
    clusters: Sequence[ClusterHours], rates: EligibleRates
) -> dict[str | None, float | None]:
    """Return $ of the overflow of each GPU model, None if a rate is missing. Law: the sum is that of all clusters."""
    parts = (part for hours in clusters for part in _priced_overflow(hours, rates))
    return amounts.known_sums(
        (model, None if rate is None else float(lost.sum()) * rate) for model, lost, rate in parts
    )


def _model_to_rent(hours: ClusterHours, model: str | None) -> str | None:
    """Return the model whose price overflow has: if the model is unknown, the model of the cluster's contracts."""
    return hours.stand_in if model is None else model


def _overflow_parts(hours: ClusterHours) -> Iterator[tuple[str | None, Pool, Floats]]:
    """Yield (GPU model, class, GPU-hours by hour) of the overflow. Classes of a model share it by their GPU time."""
    for model, overflow, by_class in zip(hours.models, hours.overflow, hours.demand, strict=True):
        demand = by_class.sum(axis=0)
        lost = part_of(overflow, demand)
        for pool, overflowed in zip(POOLS, by_class * lost / MILLI_GPU_SECONDS_PER_GPU_HOUR, strict=True):
            if overflowed.any():
                yield model, pool, overflowed


def _priced_overflow(
    hours: ClusterHours, rates: EligibleRates, times: Times = NO_TIMES
) -> Iterator[tuple[str | None, Floats, float | None]]:
    """Yield (GPU model, GPU-hours by hour, $ per GPU-hour on demand) of the overflow of each class; None: no rate."""
    for model, pool, overflow in _overflow_parts(hours):
        rented = _model_to_rent(hours, model)
        yield model, overflow * times.get((pool, rented), 1.0), rates.on_demand(pool, rented)


def lock_in_now_months(project: Project) -> float | None:
    """Return the months still to be paid, weighted by $ of month 0, over existing contracts that run in it, or None.

    A contract without an end counts with its notice. A contract whose notice has passed counts to its renewed end.
    Source: docs/formulas/totals.md.
    """
    weighted = paid = 0.0
    for contract in in_month(held_contracts(project), project.plan_window, 0):
        if contract.is_committed:
            bound = bound_usd(contract, project.plan_window)
            if bound is None:
                return None
            weighted += bound
            paid += usd_in_month((contract,), project.plan_window, 0) or 0.0
    return weighted / paid if paid else None


def overflow_rate(hours: ClusterHours, model: str | None, project: Project) -> float | None:
    """Return $ per GPU-hour of the cheapest on-demand offer of a model: the price of its overflow.

    If a pool has a mapping of its own: the mean over the overflow of each class; None if a class has no offer.
    """
    rent = partial(on_demand_rate_of_model, project.offers, _model_to_rent(hours, model), project.mappings)
    if all(mapping.pool is None for mapping in project.mappings):
        return rent()
    parts = [(rent(pool), float(lost.sum())) for of, pool, lost in _overflow_parts(hours) if of == model]
    return mean_rate(*zip(*parts, strict=True)) if parts else rent()


def _served_usd(hours: ClusterHours) -> Floats:
    """Return $ of GPU time that contracts served, by GPU model and hour; shape (models, hours)."""
    rates = [contract.full_rate for contract in hours.contracts]
    usd = np.zeros(hours.served_demand.shape)
    for number, (open_to, served) in enumerate(served_of_models(hours)):
        usd[number] = usd_by_hour(served, [rates[place] for place in open_to])
    return usd


def _overflow_usd(hours: ClusterHours, project: Project) -> Floats:
    """Return $ of overflow by GPU model and hour; shape (models, hours)."""
    usd = np.zeros(hours.served_demand.shape)
    for number, (model, overflow) in enumerate(zip(hours.models, hours.overflow, strict=True)):
        usd[number] = usd_by_hour(overflow[np.newaxis], [overflow_rate(hours, model, project)])
    return usd


def usd_by_hour(amount: npt.NDArray[np.int64], rates: list[float | None]) -> Floats:
    """Return $ in each hour; shapes: amount (tiers, hours), rates (tiers,); NaN if GPU time has no rate."""
    usd = np.where(amount > 0, amount * floats(rates).reshape(-1, 1), 0.0) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    return np.asarray(usd.sum(axis=0), dtype=np.float64)


# --- The bridge from the bill to stranded spend: how paid, metered and audit follow from one another


@dataclass(frozen=True, slots=True, kw_only=True)
class StrandedBridge:
    """Six figures of clusters (figures/clusters.py) in $ a month, summed over the clusters. None is unknown.

    Laws, to the cent if all are known: paid - allocated - idle_while_training = metered; metered + scaled = audit.
    """

    cost_per_month: float | None
    allocated_per_month: float | None
    idle_while_training: float | None
    stranded_metered: float | None
    scaled_to_all_hours: float | None
    stranded_audit: float | None


NOTHING_KNOWN = StrandedBridge(
    cost_per_month=None,
    allocated_per_month=None,
    idle_while_training=None,
    stranded_metered=None,
    scaled_to_all_hours=None,
    stranded_audit=None,
)


def total_bridge(clusters: Iterable[Any]) -> StrandedBridge:
    """Return the bridge over several clusters: the sum of each figure, unknown if one cluster's figure is.

    clusters: rows that have these six fields. Without rows the sums are 0.
    """
    each = list(clusters)
    return StrandedBridge(
        **{f.name: amounts.known_sum(getattr(row, f.name) for row in each) for f in fields(StrandedBridge)}
    )


# --- Inputs to the figures of a contract: its hours, its rates, and the offer that it is compared with

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
    rows = (pair for of in clusters for pair in zip(of.counted, of.overflow.sum(axis=1), strict=True))
    left = amounts.summed(rows)
    held = [pair for of in clusters for pair in zip(of.contracts, of.served.sum(axis=1), strict=True)]
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


# --- Inputs to the figures of a cluster: its hours, and the amounts its contracts were paid

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
    overflow at the cheapest on-demand rates that its classes may use. paid_parts: $ a month of each of its contracts.
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
    its jobs, are unknown as yet; is_demand_known: False only in the first case.
    """
    trains = hours.training_hours
    idle = inside & ~trains
    money = contract_amounts(hours, inside, months)
    unused = contract_amounts(hours, idle, months)["unused_in_window"]

    def of_use(amount: Amount) -> Amount | None:
        return amount if is_use_known else None

    def of_demand(amount: Amount) -> Amount | None:
        return amount if is_demand_known else None

    return ClusterInputs(
        cluster=hours.cluster,
        paid=int(hours.capacity[:, inside].sum()),
        used=of_use(int(hours.served[:, inside].sum())),
        training_hours=int((inside & trains).sum()),
        non_training_hours=int(idle.sum()),
        non_training_paid=int(hours.capacity[:, idle].sum()),
        non_training_used=of_use(int(hours.served[:, idle].sum())),
        activity=activity,
        overflow=of_demand(int(hours.overflow[:, inside].sum())),
        overflow_in_window=of_demand(overflow_in_window),
        eligible_overflow_in_window=of_demand(eligible_overflow_in_window),
        paid_in_window=amounts.known_sum(money["paid_in_window"]),
        allocated_in_window=of_use(amounts.known_sum(money["allocated_in_window"])),
        unallocated_in_window=of_use(amounts.known_sum(money["unused_in_window"])),
        non_training_unallocated_in_window=of_use(amounts.known_sum(unused)),
        months=months,
        paid_parts=amounts.part_sum(
            zip((contract.part_name for contract in hours.contracts), money["paid_per_month"], strict=True)
        ),
    )
