"""Rows of a plan by pool and GPU model: demand that only some providers may serve is in its model's row."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.commitment.plan.layers import added, as_one, p95_of, peak_of
from gpuplanner.domain.commitment.result import Layer, PoolPlan
from gpuplanner.domain.model.amounts import grouped, known_sum
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.tables import PricingCategory
from gpuplanner.lazy_dataclass import replace


def by_pool_and_model(pools: Sequence[PoolPlan]) -> tuple[PoolPlan, ...]:
    """One row for each pool and GPU model; rows that stand for themselves are the very same objects.

    A joint row has the sums of its parts, p95 and peak of all of them together, layers of one offer and term as one,
    and what is no sum (break-even, sigma, levels set by hand) from the part with most GPU-hours.
    """
    parts = grouped(((pool.pool, gpu_model_of(pool.gpu_model)), pool) for pool in pools)
    joined = [
        _joined(model, same_model) if [pool.gpu_model for pool in same_model] != [model] else same_model[0]
        for (_, model), same_model in parts.items()
    ]
    return tuple(sorted(joined, key=lambda pool: (pool.pool, pool.gpu_model or "")))


def _joined(model: str | None, parts: Sequence[PoolPlan]) -> PoolPlan:
    """One row of parts of one model. model: None is unknown."""
    main = max(parts, key=lambda pool: pool.demand.gpu_hours)
    demand = np.sum([pool.demand.hourly_gpus for pool in parts], axis=0)
    month_parts = added([pool.demand.month_parts for pool in parts])
    return replace(
        main,
        gpu_model=model,
        demand=replace(
            main.demand,
            gpu_hours=sum(pool.demand.gpu_hours for pool in parts),
            mean_gpus=float(demand.mean()),
            p95_gpus=p95_of(month_parts),
            peak_gpus=peak_of(month_parts),
        ),
        layers=_layers([layer for pool in parts for layer in pool.layers]),
        cost_per_month=known_sum([pool.cost_per_month for pool in parts]),
        note="; ".join(f"{pool.gpu_model}: {pool.note}" for pool in parts if pool.note),
    )


def _layers(layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """Existing, then by term, longest first, then one paid by use."""
    alike: dict[tuple[int, float, str], list[Layer]] = {}
    for layer in layers:
        by_use = not layer.existing and not layer.term_months
        if layer.existing:
            rank = 0
        elif by_use:
            rank = 2
        else:
            rank = 1
        key = (rank, -(layer.term_months or 0))
        alike.setdefault((*key, "" if by_use else layer.offer_id or ""), []).append(layer)
    return tuple(
        same_kind[0] if len(same_kind) == 1 else _layer(same_kind) for _, same_kind in sorted(alike.items())
    )


def _layer(alike: Sequence[Layer]) -> Layer:
    """Layers of one kind as one; a rate or share that is the same in all of them is it to the last digit."""
    joint, gpus = as_one(alike), [layer.mean_gpus for layer in alike]
    rates = {layer.rate for layer in alike}
    categories = {layer.pricing_category for layer in alike}
    offers = {layer.offer_id for layer in alike}
    return replace(
        joint,
        pricing_category=joint.pricing_category if len(categories) == 1 else PricingCategory.MIXED,
        offer_id=joint.offer_id if len(offers) == 1 else None,
        rate=alike[0].rate if len(rates) == 1 else joint.rate,
        spot_share=_by_gpus([layer.spot_share for layer in alike], gpus) or 0.0,
        offer_rate=_by_gpus([layer.offer_rate for layer in alike], gpus),
    )


def _by_gpus(values: Sequence[float | None], gpus: Sequence[float]) -> float | None:
    """What offers say of themselves, by the GPUs that are paid for; unknown where one of them is."""
    if len(set(values)) == 1:
        return values[0]
    whole = known_sum(None if value is None else value * n for value, n in zip(values, gpus, strict=True))
    return None if whole is None or not sum(gpus) else whole / sum(gpus)
