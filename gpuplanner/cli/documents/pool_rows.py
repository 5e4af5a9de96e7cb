"""Rows of a plan by pool and GPU model: what is planned apart because only some may serve it is in its model's row."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gpuplanner.domain.commitment.layer_figures import as_one
from gpuplanner.domain.commitment.plan.highest_hours import added, p95_of, peak_of
from gpuplanner.domain.commitment.result import Layer, PoolPlan
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.only import gpu_model_of
from gpuplanner.domain.model.pool import PricingCategory


def by_pool_and_model(pools: Sequence[PoolPlan]) -> tuple[PoolPlan, ...]:
    """One row for each pool and GPU model; rows that stand for themselves are the very same objects.

    A joint row has the sums of its parts, p95 and peak of all of them together, layers of one offer and term as one,
    and what is no sum (break-even, sigma, levels set by hand) from the part with most GPU-hours.
    """
    parts: dict[tuple[str, str | None], list[PoolPlan]] = {}
    for pool in pools:
        parts.setdefault((pool.pool, gpu_model_of(pool.gpu_model)), []).append(pool)
    joined = [
        _joined(model, mine) if [pool.gpu_model for pool in mine] != [model] else mine[0]
        for (_, model), mine in parts.items()
    ]
    return tuple(sorted(joined, key=lambda pool: (pool.pool, pool.gpu_model or "")))


def _joined(model: str | None, parts: Sequence[PoolPlan]) -> PoolPlan:
    """One row of parts of one model. model: None is unknown."""
    main = max(parts, key=lambda pool: pool.gpu_hours)
    demand = np.sum([pool.demand_gpus for pool in parts], axis=0)
    month_parts = added([pool.month_parts for pool in parts])
    return replace(
        main,
        gpu_model=model,
        gpu_hours=sum(pool.gpu_hours for pool in parts),
        mean_gpus=float(demand.mean()),
        p95_gpus=p95_of(month_parts),
        peak_gpus=peak_of(month_parts),
        layers=_layers([layer for pool in parts for layer in pool.layers]),
        cost_per_month=known_sum([pool.cost_per_month for pool in parts]),
        note="; ".join(f"{pool.gpu_model}: {pool.note}" for pool in parts if pool.note),
    )


def _layers(layers: Sequence[Layer]) -> tuple[Layer, ...]:
    """Existing, then by term, longest first, then one paid by use."""
    alike: dict[tuple[int, float, str], list[Layer]] = {}
    for layer in layers:
        by_use = not layer.existing and not layer.term_months
        key = (0 if layer.existing else 2 if by_use else 1, -(layer.term_months or 0))
        alike.setdefault((*key, "" if by_use else layer.offer_id or ""), []).append(layer)
    return tuple(mine[0] if len(mine) == 1 else _layer(mine) for _, mine in sorted(alike.items()))


def _layer(alike: Sequence[Layer]) -> Layer:
    """Layers of one kind as one; a rate or share that is the same in all of them is it to the last digit."""
    one, gpus = as_one(alike), [layer.mean_gpus for layer in alike]
    rates = {layer.rate for layer in alike}
    categories = {layer.pricing_category for layer in alike}
    offers = {layer.offer_id for layer in alike}
    return replace(
        one,
        pricing_category=one.pricing_category if len(categories) == 1 else PricingCategory.MIXED,
        offer_id=one.offer_id if len(offers) == 1 else None,
        rate=alike[0].rate if len(rates) == 1 else one.rate,
        spot_share=_by_gpus([layer.spot_share for layer in alike], gpus) or 0.0,
        offer_rate=_by_gpus([layer.offer_rate for layer in alike], gpus),
    )


def _by_gpus(values: Sequence[float | None], gpus: Sequence[float]) -> float | None:
    """What offers say of themselves, by the GPUs that are paid for; unknown where one of them is."""
    if len(set(values)) == 1:
        return values[0]
    whole = known_sum(None if value is None else value * n for value, n in zip(values, gpus, strict=True))
    return None if whole is None or not sum(gpus) else whole / sum(gpus)
