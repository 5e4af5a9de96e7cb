"""Money of the past: what was paid, what it was used for, what overflowed, and what each workload cost."""

from collections.abc import Collection, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.money.rates import EligibleRates, model_of_cluster, on_demand_rate_of_model
from gpuplanner.domain.audit.use.model_groups import group_of_row, per_unit_of_demand
from gpuplanner.domain.audit.use.row_sums import weighted_row_sums
from gpuplanner.domain.audit.use.stranded import priced
from gpuplanner.domain.audit.use.utilization import ClusterHours, served_of_models
from gpuplanner.domain.figures.card import CARD
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR, optional
from gpuplanner.domain.message import Text, worded
from gpuplanner.domain.model.book.contract_months import bound_usd, running
from gpuplanner.domain.model.part_sum import NO_PARTS, PartSum, part_sum
from gpuplanner.domain.model.pool import POOLS, Pool
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import Window


def overflow_usd(hours: ClusterHours, project: Project, span: slice = slice(None)) -> float | None:
    """$ of one cluster's overflow, in all or in some of its hours, at the cheapest on-demand rate of each model."""
    rates = [overflow_rate(hours, model, project) for model in hours.models]
    return priced(hours.overflow[:, span].sum(axis=1), rates)


def workload_usd_per_month(project: Project, clusters: Sequence[ClusterHours]) -> list[float | None]:
    """Each workload's $ a month: its share, by GPU time in each hour, of what its GPU model's hour cost on its cluster.

    The hour's cost is what was served, at its contracts' rates, and the overflow. None where one of the
    workload's hours has a cost that nobody knows. Law: they add up to allocated + overflow of all clusters.
    """
    cube = project.cube
    by_row = weighted_row_sums(cube, group_of_row(project, clusters), usd_per_unit(project, clusters))
    window_usd: Floats = np.bincount(cube.workload_index, by_row, minlength=len(project.workloads)).astype(
        float
    )
    return workload_usd_of(window_usd, project.window)


def workload_usd_of(window_usd: Floats, window: Window) -> list[float | None]:
    """$ a month of $ of the window, shape (n,): of workloads, or of weeks of one; NaN is unknown."""
    given = {"cost_in_window": window_usd, "months": np.full(len(window_usd), window.months)}
    return optional(CARD.value("cost_today", given))


def usd_per_unit(project: Project, clusters: Sequence[ClusterHours]) -> Floats:
    """$ of each milli-GPU-second of demand, NaN where it needs a rate nobody states; shape (groups, hours).

    A group is a GPU model on a cluster, in the order of `group_of_row`: who ran on an L40S pays for L40S.
    """
    return per_unit_of_demand(clusters, lambda hours: _served_usd(hours) + _overflow_usd(hours, project))


def served_usd_per_unit(clusters: Sequence[ClusterHours]) -> Floats:
    """The part of `usd_per_unit` that contracts served; the rest is overflow. Shape (groups, hours)."""
    return per_unit_of_demand(clusters, _served_usd)


def overflow_usd_per_unit(project: Project, clusters: Sequence[ClusterHours]) -> Floats:
    """The part of `usd_per_unit` that no contract had room for. Shape (groups, hours)."""
    return per_unit_of_demand(clusters, lambda hours: _overflow_usd(hours, project))


def current_parts(
    project: Project,
    clusters: Sequence[ClusterHours],
    rates: EligibleRates,
    current: float | None,
    unmatched: Collection[str] = (),
) -> PartSum:
    """What today's spend is made of, in $ a month: each contract, and the overflow of each GPU model.

    current: the sum; where it is known nothing is looked up. unmatched: clusters of which nobody has said what their
    contracts serve; their overflow is unknown.
    """
    if current is not None:
        return NO_PARTS
    parts: list[tuple[Text, float | None]] = []
    for hours in clusters:
        for contract, capacity in zip(hours.contracts, hours.capacity, strict=True):
            if capacity.any():
                parts.append((contract.contract_id, priced(capacity.sum(keepdims=True), [contract.rate])))
        for model, pool, gpu_hours in _overflow_parts(hours):
            is_asked = hours.cluster in unmatched
            rate = None if is_asked else rates.on_demand(pool, _model_to_rent(hours, model))
            parts.append((model or UNKNOWN_MODEL, None if rate is None else float(gpu_hours.sum()) * rate))
    found = part_sum(parts)
    return PartSum(found.known / project.window.months, found.parts, found.missing)


UNKNOWN_MODEL: Final = worded("unknown model")


def eligible_usd_by_hour(clusters: Sequence[ClusterHours], rates: EligibleRates) -> Floats | None:
    """$ of each hour of all clusters: paid, and overflow at eligible rates; shape (hours,), None where a rate is
    missing. Law: their sum over the months of the window is today's spend."""
    total: Floats | None = None
    for hours in clusters:
        paid = _usd_by_hour(hours.capacity, [contract.rate for contract in hours.contracts])
        overflow = _overflow_by_hour(hours, rates)
        if overflow is None or np.isnan(paid).any():
            return None
        total = paid + overflow if total is None else total + paid + overflow
    return total


def overflow_at_eligible_rates(hours: ClusterHours, rates: EligibleRates) -> float | None:
    """$ of one cluster's overflow; among classes of a model that overflow in an hour, by their GPU time."""
    usd = _overflow_by_hour(hours, rates)
    return None if usd is None else float(usd.sum())


def _overflow_by_hour(hours: ClusterHours, rates: EligibleRates) -> Floats | None:
    usd = np.zeros(hours.capacity.shape[1])
    for model, pool, gpu_hours in _overflow_parts(hours):
        rate = rates.on_demand(pool, _model_to_rent(hours, model))
        if rate is None:
            return None
        usd += gpu_hours * rate
    return usd


def _model_to_rent(hours: ClusterHours, model: str | None) -> str | None:
    """The model whose price the overflow of a model has: of unknown model, that of the cluster's contracts."""
    return model_of_cluster(hours.contracts) if model is None else model


def _overflow_parts(hours: ClusterHours) -> Iterator[tuple[str | None, Pool, Floats]]:
    """(GPU model, class, GPU-hours by hour) of what overflowed; among classes of a model by their GPU time."""
    for model, overflow, by_class in zip(hours.models, hours.overflow, hours.demand, strict=True):
        demand = by_class.sum(axis=0)
        lost = np.divide(overflow, demand, out=np.zeros(len(demand)), where=demand > 0)
        for pool, gpu_hours in zip(POOLS, by_class * lost / MILLI_GPU_SECONDS_PER_GPU_HOUR, strict=True):
            if gpu_hours.any():
                yield model, pool, gpu_hours


def lock_in_now_months(project: Project) -> float | None:
    """Months still to be paid, weighted by $, over existing contracts that run through month 0; None without any.

    A contract without an end counts with its notice. Source: docs/formulas.md, Totals.
    """
    weighted = paid = 0.0
    for contract in running(project.contracts, project.plan_window, 0):
        if contract.is_committed:
            bound = bound_usd(contract, project.plan_window)
            if bound is None:
                return None
            weighted += bound
            paid += contract.cost_per_month or 0.0
    return weighted / paid if paid else None


def overflow_rate(hours: ClusterHours, model: str | None, project: Project) -> float | None:
    """$ per GPU-hour of the cheapest on-demand offer of a model: what its overflow is priced at."""
    return on_demand_rate_of_model(project.offers, _model_to_rent(hours, model), project.mappings)


def _served_usd(hours: ClusterHours) -> Floats:
    """$ of what contracts served of each GPU model in each hour; shape (models, hours)."""
    rates = [contract.rate for contract in hours.contracts]
    usd = np.zeros(hours.served_demand.shape)
    for number, (open_to, served) in enumerate(served_of_models(hours)):
        usd[number] = _usd_by_hour(served, [rates[place] for place in open_to])
    return usd


def _overflow_usd(hours: ClusterHours, project: Project) -> Floats:
    """$ of what overflowed of each GPU model in each hour; shape (models, hours)."""
    usd = np.zeros(hours.served_demand.shape)
    for number, (model, overflow) in enumerate(zip(hours.models, hours.overflow, strict=True)):
        usd[number] = _usd_by_hour(overflow[np.newaxis], [overflow_rate(hours, model, project)])
    return usd


def _usd_by_hour(amount: npt.NDArray[np.int64], rates: list[float | None]) -> Floats:
    """$ in each hour; shapes: amount (tiers, hours), rates (tiers,); NaN where GPU time has no rate."""
    known = np.array([np.nan if rate is None else rate for rate in rates], dtype=np.float64).reshape(-1, 1)
    usd = np.where(amount > 0, amount * known, 0.0) / MILLI_GPU_SECONDS_PER_GPU_HOUR
    return np.asarray(usd.sum(axis=0), dtype=np.float64)
