"""Levels set by hand: month 0 of one pool and GPU model as it would be, from the hourly curve alone."""

from collections.abc import Mapping, Sequence
from math import gcd, inf

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment import result
from gpuplanner.domain.commitment.demand.slicing import Slicing, busy_shares
from gpuplanner.domain.commitment.plan.layers import committed_layer, held_terms, of_offer
from gpuplanner.domain.commitment.uncertainty.bands import RESAMPLES, SEED
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ROUNDING
from gpuplanner.domain.model.cube import RANGE_WEEKS, WEEK_HOURS
from gpuplanner.domain.model.plan.scenario import HandLayer
from gpuplanner.domain.model.window import HOURS_PER_MONTH
from gpuplanner.lazy_dataclass import dataclass, replace


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LevelGround:
    """What the levels of one row stand on, worked out once when one is taken hold of.

    unit: GPUs a slice; those above the even ones are left out. busy: u_k of month 0, (slices,). above: mean slices in
    use over each level in every resample of weeks, (resamples, slices + 1); None for a log under two weeks. taken:
    GPUs that other rows have of an offer, of its own model.
    """

    plan: result.PoolPlan
    unit: int
    busy: Floats
    above: Floats | None
    taken: Mapping[str, float]


def level_ground(
    plan: result.PoolPlan, taken: Mapping[str, float], levels: Sequence[HandLayer] = ()
) -> LevelGround:
    """The ground of a row for levels in whole blocks, or in the blocks of `levels` where those are finer."""
    unit = gcd(plan.block, *(level.gpus for level in levels))
    slices = max(plan.slicing.even * plan.block // unit, sum(level.gpus for level in levels) // unit, 1)
    in_units = (plan.apart or plan.demand).residual_gpus / unit
    weights = plan.demand.weights
    busy = busy_shares(in_units[None], slices, weights)[0]
    if weights is not None:
        in_units = in_units[weights > 0]  # what is missing in the log weighs nothing
    weeks, above = len(in_units) // WEEK_HOURS, None
    if weeks >= RANGE_WEEKS:
        by_week = busy_shares(in_units[-weeks * WEEK_HOURS :].reshape(weeks, WEEK_HOURS), slices, None)
        weekly_above = np.zeros((weeks, slices + 1))
        weekly_above[:, :-1] = np.cumsum(by_week[:, ::-1], axis=1)[:, ::-1]
        drawn = np.random.default_rng(SEED).integers(0, weeks, size=(RESAMPLES, weeks))
        times = np.stack([(drawn == week).sum(axis=1) for week in range(weeks)], axis=1)
        above = np.asarray(times @ weekly_above / weeks, dtype=np.float64)
    return LevelGround(plan=plan, unit=unit, busy=busy, above=above, taken=taken)


def plan_at(ground: LevelGround, levels: Sequence[HandLayer]) -> result.PoolPlan:
    """The row with these levels from the bottom, longest first, and the rest paid by use.

    Law: layers and $ a month are those of the advice with the same levels set by hand, as long as no other row is
    left with less of an offer that has a maximum, and no level is above what its offers have: the advice may then
    order the rest of it, which is paid by use here. Levels are whole numbers of the ground's unit.
    """
    plan, unit = ground.plan, ground.unit
    size = sum(level.gpus for level in levels) // unit
    busy = np.concatenate((ground.busy, np.zeros(max(0, size - len(ground.busy)))))
    layers = [layer for layer in plan.layers if layer.existing]
    runs: list[result.SliceRun] = []
    beyond: list[result.LevelBeyondOffers] = []
    lowest, is_by_use = 0, np.ones(len(busy), dtype=np.bool_)
    for level in sorted(levels, key=lambda level: -level.term_months):
        for whole_gpus, offer in _parts(ground, level):
            end = lowest + whole_gpus // unit
            is_sold_out = bool(_open_offers(ground, level.term_months))
            is_later = any(offer.term_months == level.term_months for offer in plan.supply.offers)
            if offer is None and (is_sold_out or is_later):
                runs.append(result.SliceRun(lowest + 1, end, 0, plan.flex.rate))
                lowest = end
            if offer is None and is_sold_out:
                beyond.append(
                    result.LevelBeyondOffers(
                        term_months=level.term_months,
                        gpus=level.gpus,
                        offered_gpus=level.gpus - whole_gpus,
                        offers=len(_open_offers(ground, level.term_months)),
                        is_left=any(
                            offer.offer_id in ground.taken
                            for offer in _open_offers(ground, level.term_months)
                        ),
                    )
                )
            if lowest == end:
                continue
            is_by_use[lowest:end] = False
            gpus, used = float(whole_gpus), float(busy[lowest:end].mean())
            layers.append(committed_layer(level.term_months, gpus, offer, plan.supply.ratios, gpus * used))
            rate = None if offer is None else offer.spread_rate
            runs.append(result.SliceRun(lowest + 1, end, level.term_months, rate))
            lowest = end
    layers += () if plan.apart is None else (layer for layer in plan.apart.layers if layer.is_new)
    layers += _by_use(ground, busy[is_by_use])
    if lowest < len(busy):
        runs.append(result.SliceRun(lowest + 1, len(busy), 0, plan.flex.rate))
    figured = result.with_figures(layers, plan.supply.on_demand_rate)
    return replace(
        plan,
        slicing=Slicing(unit, len(busy)),
        layers=figured,
        runs=tuple(runs),
        cost_per_month=known_sum([layer.cost_per_month for layer in figured]),
        by_hand=replace(plan.by_hand, is_set=True, levels=tuple(levels), beyond=tuple(beyond)),
    )


def regret_p90_usd(ground: LevelGround, levels: Sequence[HandLayer], term_months: int) -> float | None:
    """What the best size of one layer would have saved a month, the others held: P90 over resampled weeks.

    Only month 0 counts: a shorter term that leaves a choice open later is no reason here. None where a rate is
    missing or the log is under two weeks. Source: block bootstrap of whole weeks (Künsch 1989).
    """
    flex, above = ground.plan.flex.rate, ground.above
    own = next((level.gpus for level in levels if level.term_months == term_months), 0)
    _, offer = _parts(ground, HandLayer(term_months, max(own, ground.unit)))[-1]
    if above is None or flex is None or offer is None or offer.spread_rate is None:
        return None
    others = sum(level.gpus for level in levels if level.term_months != term_months) // ground.unit
    units = own // ground.unit
    most = max(above.shape[1] - 1 - others, units)
    places = np.minimum(others + np.arange(most + 1), above.shape[1] - 1)
    month = HOURS_PER_MONTH * ground.unit
    costs = month * (offer.spread_rate * np.arange(most + 1) + flex * above[:, places])
    return float(np.percentile(costs[:, units] - costs.min(axis=1), 90))


def set_levels(plan: result.PoolPlan) -> tuple[HandLayer, ...]:
    """The committed levels of a row as whole GPUs, longest term first.

    GPUs are rounded to whole ones; offers of one term are added up, existing contracts and planned runs left out.
    """
    return tuple(HandLayer(term, round(held.gpus)) for term, held in held_terms(plan).items())


def _parts(ground: LevelGround, level: HandLayer) -> list[tuple[int, Offer | None]]:
    """GPUs of one level by offer (None: nobody offers it, or no more of it): the cheapest that can start now, the next
    best where its maximum is reached."""
    plan, left, parts = ground.plan, level.gpus, list[tuple[int, Offer | None]]()
    for offer in _open_offers(ground, level.term_months):
        if not left:
            break
        room = inf
        if offer.max_gpus is not None:
            own_room = max(0.0, offer.max_gpus - ground.taken.get(offer.offer_id, 0.0))
            ratio = plan.supply.ratios.get(offer.offer_id)
            room = own_room if ratio is None else own_room * ratio + ROUNDING
        gpus = left if room >= left else int(room // ground.unit) * ground.unit
        if gpus:
            parts.append((gpus, offer))
            left -= gpus
    if left:
        parts.append((left, None))
    return parts


def _open_offers(ground: LevelGround, term_months: int) -> list[Offer]:
    """Return the offers of a term that can start now: what is sold by the month before what is sold by as many days, of
    each the cheapest first."""
    supply = ground.plan.supply
    sold = [o for o in supply.offers if o.term_months == term_months and o.offer_id in supply.open_now]
    return sorted(sold, key=lambda offer: bool(offer.term_days))


def _by_use(ground: LevelGround, busy: Floats) -> list[result.Layer]:
    """What is above the levels, paid by use, with planned runs that are paid alike; beside it those paid otherwise.

    busy: of the slices that no level holds.
    """
    plan, flex, waiting = ground.plan, ground.plan.flex, busy[busy > 0]
    runs = [layer for layer in (plan.apart.layers if plan.apart else ()) if not layer.is_new]
    if not len(waiting):
        return runs
    wanted = flex.category, flex.offer_id, flex.rate
    alike = [run for run in runs if (run.pricing_category, run.offer_id, run.rate) == wanted]
    gpus = ground.unit * len(waiting) + sum(layer.gpus for layer in alike)
    used = ground.unit * float(waiting.sum()) + sum(layer.busy_gpus for layer in alike)
    layer = result.Layer(
        existing=False,
        pricing_category=flex.category,
        term_months=0,
        offer_id=flex.offer_id,
        gpus=gpus,
        busy_gpus=used,
        rate=flex.rate,
        spot_share=flex.spot_share,
    )
    others = (run for run in runs if run not in alike)
    return [of_offer(layer, flex.gpu_model, plan.supply.ratios), *others]
