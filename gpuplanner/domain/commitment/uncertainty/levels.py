"""Other levels for one pool and model: its month 0 as it would be, from the hourly curve alone, within a frame."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import gcd, inf

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.demand.slices import busy_shares
from gpuplanner.domain.commitment.layer_figures import with_figures
from gpuplanner.domain.commitment.plan.layers import committed_layer, of_offer
from gpuplanner.domain.commitment.result import Layer, PoolPlan, SliceRun
from gpuplanner.domain.commitment.slicing import Slicing
from gpuplanner.domain.commitment.uncertainty.bands import RESAMPLES, SEED
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.model_mapping import ROUNDING
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.log.log_length import RANGE_WEEKS, WEEK_HOURS
from gpuplanner.domain.model.scenario.plan_inputs import HandLayer
from gpuplanner.domain.model.window import HOURS_PER_MONTH


@dataclass(frozen=True, slots=True, eq=False)
class LevelGround:
    """What the levels of one row stand on, worked out once when one is taken hold of.

    unit: GPUs a slice; those above the even ones are left out. busy: u_k of month 0, (slices,). above: mean slices in
    use over each level in every resample of weeks, (resamples, slices + 1); None for a log under two weeks. taken:
    GPUs that other rows have of an offer, of its own model.
    """

    plan: PoolPlan
    unit: int
    busy: Floats
    above: Floats | None
    taken: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class _Part:
    """GPUs of one term from one offer (None: nobody offers it)."""

    term_months: int
    gpus: int
    offer: Offer | None

    @property
    def offer_id(self) -> str | None:
        """Id of the offer; None where nobody offers the term."""
        return None if self.offer is None else self.offer.offer_id

    @property
    def rate(self) -> float | None:
        """$ per GPU-hour with what is paid upfront spread over the term; None where nobody offers it."""
        return None if self.offer is None else self.offer.spread_rate


def level_ground(
    plan: PoolPlan, weights: Floats | None, taken: Mapping[str, float], levels: Sequence[HandLayer] = ()
) -> LevelGround:
    """The ground of a row for levels in whole blocks, or in the blocks of `levels` where those are finer.

    weights: of the hours, as in the advice (None: all alike), shape (hours,).
    """
    unit = gcd(plan.block, *(level.gpus for level in levels))
    slices = max(plan.slicing.even * plan.block // unit, sum(level.gpus for level in levels) // unit, 1)
    in_units = plan.residual_gpus / unit
    busy = busy_shares(in_units[None], slices, weights)[0]
    weeks, above = len(in_units) // WEEK_HOURS, None
    if weeks >= RANGE_WEEKS:
        by_week = busy_shares(in_units[-weeks * WEEK_HOURS :].reshape(weeks, WEEK_HOURS), slices, None)
        weekly_above = np.zeros((weeks, slices + 1))
        weekly_above[:, :-1] = np.cumsum(by_week[:, ::-1], axis=1)[:, ::-1]
        drawn = np.random.default_rng(SEED).integers(0, weeks, size=(RESAMPLES, weeks))
        times = np.stack([(drawn == week).sum(axis=1) for week in range(weeks)], axis=1)
        above = np.asarray(times @ weekly_above / weeks, dtype=np.float64)
    return LevelGround(plan, unit, busy, above, taken)


def plan_at(ground: LevelGround, levels: Sequence[HandLayer]) -> PoolPlan:
    """The row with these levels from the bottom, longest first, and the rest paid by use.

    Law: layers and $ a month are those of the advice with the same levels set by hand, as long as no other row is
    left with less of an offer that has a maximum. Levels are whole numbers of the ground's unit.
    """
    plan, unit = ground.plan, ground.unit
    size = sum(level.gpus for level in levels) // unit
    busy = np.concatenate((ground.busy, np.zeros(max(0, size - len(ground.busy)))))
    layers = [layer for layer in plan.layers if layer.existing]
    runs: list[SliceRun] = []
    at = 0
    for level in sorted(levels, key=lambda level: -level.term_months):
        for part in _parts(ground, level):
            end = at + part.gpus // unit
            used = float(busy[at:end].mean())
            gpus = float(part.gpus)
            layers.append(committed_layer(part.term_months, gpus, part.offer, plan.ratios, gpus * used))
            runs.append(SliceRun(at + 1, end, part.term_months, part.offer_id, part.rate, used))
            at = end
    usage = _by_use(ground, busy, at)
    if usage is not None:
        layers.append(usage)
    if at < len(busy):
        by_use = next((layer for layer in plan.layers if layer.term_months == 0), None)
        offer_id = None if by_use is None else by_use.offer_id
        runs.append(SliceRun(at + 1, len(busy), 0, offer_id, plan.r_flex, float(busy[at:].mean())))
    found = with_figures(layers, plan.on_demand_rate)
    return replace(
        plan,
        slicing=Slicing(unit, len(busy)),
        layers=found,
        runs=tuple(runs),
        cost_per_month=known_sum([layer.cost_per_month for layer in found]),
        set_by_hand=True,
    )


def regret_p90_usd(ground: LevelGround, levels: Sequence[HandLayer], term_months: int) -> float | None:
    """What the best size of one layer would have saved a month, the others held: P90 over resampled weeks.

    Only month 0 counts: a shorter term that leaves a choice open later is no reason here. None where a rate is
    missing or the log is under two weeks. Source: block bootstrap of whole weeks (Künsch 1989).
    """
    flex, above = ground.plan.r_flex, ground.above
    own = next((level.gpus for level in levels if level.term_months == term_months), 0)
    part = _parts(ground, HandLayer(term_months, max(own, ground.unit)))[-1]
    if above is None or flex is None or part.rate is None:
        return None
    others = sum(level.gpus for level in levels if level.term_months != term_months) // ground.unit
    mine = own // ground.unit
    most = max(above.shape[1] - 1 - others, mine)
    places = np.minimum(others + np.arange(most + 1), above.shape[1] - 1)
    month = HOURS_PER_MONTH * ground.unit
    costs = month * (part.rate * np.arange(most + 1) + flex * above[:, places])
    return float(np.percentile(costs[:, mine] - costs.min(axis=1), 90))


def set_levels(plan: PoolPlan) -> tuple[HandLayer, ...]:
    """The committed levels of a row as whole GPUs, longest term first.

    GPUs are rounded to whole ones; offers of one term are added up, existing contracts left out.
    """
    sizes: dict[int, float] = {}
    for layer in plan.layers:
        if not layer.existing and layer.term_months:
            sizes[layer.term_months] = sizes.get(layer.term_months, 0.0) + layer.gpus
    return tuple(HandLayer(term, round(sizes[term])) for term in sorted(sizes, reverse=True))


def _parts(ground: LevelGround, level: HandLayer) -> list[_Part]:
    """One level by offer: the cheapest that can start now, the next best where its maximum is reached; what is sold by
    the month before what is sold by as many days."""
    plan, left, parts = ground.plan, level.gpus, list[_Part]()
    for offer in sorted(plan.offers, key=lambda one: bool(one.term_days)):  # of each kind the cheapest first
        if offer.term_months != level.term_months or not left:
            continue
        if offer.offer_id not in plan.open_now:
            continue
        room = inf
        if offer.max_gpus is not None:
            own_room = max(0.0, offer.max_gpus - ground.taken.get(offer.offer_id, 0.0))
            ratio = plan.ratios.get(offer.offer_id)
            room = own_room if ratio is None else own_room * ratio + ROUNDING
        gpus = left if room >= left else int(room // ground.unit) * ground.unit
        if gpus:
            parts.append(_Part(level.term_months, gpus, offer))
            left -= gpus
    if left:
        parts.append(_Part(level.term_months, left, None))
    return parts


def _by_use(ground: LevelGround, busy: Floats, at: int) -> Layer | None:
    """What is above the levels, paid by use; None where nothing is."""
    plan, waiting = ground.plan, busy[at:][busy[at:] > 0]
    if not len(waiting):
        return None
    gpus, busy_gpus = float(ground.unit * len(waiting)), ground.unit * float(waiting.sum())
    layer = Layer(
        False, plan.flex_category, 0, plan.flex_offer_id, gpus, busy_gpus, plan.r_flex, plan.flex_spot_share
    )
    return of_offer(layer, plan.flex_gpu_model, plan.ratios)
