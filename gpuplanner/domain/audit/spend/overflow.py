"""Overflow: $ of GPU time beyond contracts, at on-demand rates."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.audit.spend.on_demand_rates import EligibleRates, on_demand_rate_of_model
from gpuplanner.domain.audit.spend.pricing import priced
from gpuplanner.domain.audit.utilization.cluster_hours import ClusterHours, part_of
from gpuplanner.domain.figures.figure import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model import amounts
from gpuplanner.domain.model.book.contract import mean_rate
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.tables import POOLS, Pool


def overflow_usd(hours: ClusterHours, project: Project, span: slice = slice(None)) -> float | None:
    """Return $ of a cluster's overflow, in all or some of its hours, at each model's cheapest on-demand rate."""
    rates = [overflow_rate(hours, model, project) for model in hours.models]
    return priced(hours.overflow[:, span].sum(axis=1), rates)


Times = Mapping[tuple[Pool, str | None], Floats]
NO_TIMES: Final[Times] = {}


def overflow_at_eligible_rates(hours: ClusterHours, rates: EligibleRates) -> float | None:
    """Return $ of one cluster's overflow. Classes of a model that overflow in an hour share it by their GPU time."""
    usd = overflow_by_hour(hours, rates)
    return None if usd is None else float(usd.sum())


def overflow_by_hour(hours: ClusterHours, rates: EligibleRates, times: Times = NO_TIMES) -> Floats | None:
    usd = np.zeros(hours.capacity.shape[1])
    for _, lost, rate in priced_overflow(hours, rates, times):
        if rate is None:
            return None
        usd += lost * rate
    return usd


def overflow_by_model(
    clusters: Sequence[ClusterHours], rates: EligibleRates
) -> dict[str | None, float | None]:
    """Return $ of the overflow of each GPU model, None if a rate is missing. Law: the sum is that of all clusters."""
    parts = (part for hours in clusters for part in priced_overflow(hours, rates))
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


def priced_overflow(
    hours: ClusterHours, rates: EligibleRates, times: Times = NO_TIMES
) -> Iterator[tuple[str | None, Floats, float | None]]:
    """Yield (GPU model, GPU-hours by hour, $ per GPU-hour on demand) of the overflow of each class; None: no rate."""
    for model, pool, overflow in _overflow_parts(hours):
        rented = _model_to_rent(hours, model)
        yield model, overflow * times.get((pool, rented), 1.0), rates.on_demand(pool, rented)


def overflow_by_class(
    hours: ClusterHours, rates: EligibleRates
) -> Iterator[tuple[Pool, str | None, float | None]]:
    """Yield (class, GPU model, $ on demand) of the overflow. An unknown model is that of the cluster's contracts.

    $ are those of the window; None: no rate.
    """
    for model, pool, overflow in _overflow_parts(hours):
        rented = _model_to_rent(hours, model)
        rate = rates.on_demand(pool, rented)
        yield pool, rented, None if rate is None else float(overflow.sum()) * rate


def overflow_rate(hours: ClusterHours, model: str | None, project: Project) -> float | None:
    """Return $ per GPU-hour of the cheapest on-demand offer of a model: the price of its overflow.

    If a pool has a mapping of its own: the mean over the overflow of each class; None if a class has no offer.
    """
    rent = partial(on_demand_rate_of_model, project.offers, _model_to_rent(hours, model), project.mappings)
    if all(mapping.pool is None for mapping in project.mappings):
        return rent()
    parts = [
        (rent(pool), float(lost.sum()))
        for lost_model, pool, lost in _overflow_parts(hours)
        if lost_model == model
    ]
    return mean_rate(*zip(*parts, strict=True)) if parts else rent()
