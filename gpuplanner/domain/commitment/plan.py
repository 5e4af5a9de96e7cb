"""From the ground to a plan: tables of busy shares, rows to plan, and what each of their slices signs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import gcd

import numpy as np

from gpuplanner.domain.commitment.allocation import RowToPlan, Signed, allocate
from gpuplanner.domain.commitment.busy import Month, busy_tables, months_of, peaks_of, residual_in
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.ground import Ground
from gpuplanner.domain.commitment.lived import LONGEST_AFTER_A_FALL_MONTHS, Lived, has_fallen, lived_in
from gpuplanner.domain.commitment.rates import (
    SHORT_WINDOW_TERM_MONTHS,
    Flex,
    blend,
    committed_offers,
)
from gpuplanner.domain.commitment.recursion import Market
from gpuplanner.domain.commitment.residual import Flow, ModelDemand
from gpuplanner.domain.commitment.result import Floats
from gpuplanner.domain.commitment.slicing import (
    SOON_MONTHS,
    Peaks,
    Slicing,
    asked_block,
    block_for,
    slicing_of,
)
from gpuplanner.domain.commitment.users import Row
from gpuplanner.domain.commitment.volatility import volatility_of
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.log_length import SHORT_WINDOW_HOURS
from gpuplanner.domain.model.model_mapping import ratios_of
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.scenario import HandLayer

COMPARED_MONTHS = SOON_MONTHS


@dataclass(frozen=True, slots=True, eq=False)
class PlannedRow:
    """One row with its answer. demand_gpus, residual_gpus: each hour of the window, month 0 at level 1, (hours,).

    left_of_offers: GPUs of each offer with a maximum when the row's turn came, by offer_id. has_fallen: terms over 3
    months are closed to it.
    """

    row: RowToPlan
    signed: Signed
    demand_gpus: Floats
    residual_gpus: Floats
    left_of_offers: Mapping[str, float] = field(default_factory=dict)
    has_fallen: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """All rows of a plan, and the offers whose maximum was reached."""

    rows: tuple[PlannedRow, ...]
    reached: tuple[Offer, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """What a row is planned with besides its demand. churn and sigma are those of the pool planned."""

    churn: float
    sigma: float
    eligible: tuple[Offer, ...]
    flex: Flex
    hand: tuple[HandLayer, ...] | None = None
    is_rest_advised: bool = False


def plan_of(ground: Ground, cache: AdviceCache) -> Planned:
    """The plan of a scenario: every pool for itself."""
    assumptions = ground.assumptions
    wishes = {
        row: Wish(
            assumptions.of_pool("lambda", row[0]),
            volatility_of(assumptions, row[0]),
            ground.eligible[row],
            blend([(ground.prices[row], ground.plan.users[row])]),
            ground.scenario.hand_layers.get(row),
            row in ground.scenario.advised_around,
        )
        for row in ground.rows
    }
    step_sigma = {pool: volatility_of(assumptions, pool) for pool in Pool}
    return plan_models(ground, ground.plan.models, wishes, step_sigma, True, cache)


def plan_models(
    ground: Ground,
    models: Sequence[ModelDemand],
    wishes: Mapping[Row, Wish],
    step_sigma: Mapping[Pool, float],
    pins_apply: bool,
    cache: AdviceCache,
) -> Planned:
    """Plan all rows of some models; the answers sorted by pool and model."""
    assumptions, hours = ground.assumptions, ground.window.hours
    months = max(assumptions.horizon_months, COMPARED_MONTHS)
    rows: list[RowToPlan] = []
    hourly: list[tuple[Floats, Floats]] = []
    fallen: list[bool] = []
    for model in models:
        found = months_of(model, ground.plan.contracts, ground.window, ground.outlined, months, pins_apply)
        asked = [wishes[pool, model.gpu_model] for pool in model.rows]
        planned_months = found[: assumptions.horizon_months]
        peaks = cache.recall(
            "peaks", (planned_months,), (model,), partial(peaks_of, model, planned_months, hours)
        )
        slicings = tuple(
            _slicing(peak, wish, assumptions.block) for peak, wish in zip(peaks, asked, strict=True)
        )
        sigmas = tuple(wish.sigma for wish in asked)
        steps = {pool: step_sigma[pool] for pool in model.grows_with}
        key = (found, tuple(steps.items()), sigmas, slicings)
        tables = cache.recall(
            "busy",
            (*key, assumptions.recency_half_life_days),
            (model,),
            partial(
                busy_tables,
                model,
                found,
                steps,
                sigmas,
                slicings,
                hours,
                ground.weights,
            ),
        )
        lived = _lived(ground, model, found, slicings, cache)
        left = residual_in(model, found[0], hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        for place, (pool, wish, table) in enumerate(zip(model.rows, asked, tables, strict=True)):
            market = Market(
                assumptions.horizon_months,
                wish.churn,
                assumptions.delta,
                wish.sigma,
                assumptions.wacc,
            )
            demand = demand_in(model, place, found[0], hours)
            is_advised = wish.hand is None or wish.is_rest_advised
            fell = assumptions.demand_fall_closes and has_fallen(_unstated(ground, model, place))
            longest = _longest_term(fell, hours) if is_advised else None
            offers = committed_offers(wish.eligible, longest)
            rows.append(
                RowToPlan(
                    pool,
                    model.gpu_model,
                    table,
                    market,
                    slicings[place],
                    offers,
                    wish.flex,
                    wish.hand,
                    is_rest_advised=wish.is_rest_advised and wish.hand is not None,
                    lived=lived[place],
                    ratios=ratios_of(ground.project.offers, model.gpu_model, ground.project.mappings),
                )
            )
            hourly.append((demand / MILLI_GPU_SECONDS_PER_GPU_HOUR, left[place]))
            fallen.append(fell)
    signed, reached, left_of_offers = allocate(rows, months, cache)
    planned = [
        PlannedRow(row, answer, *amounts, gpus, fell)
        for row, answer, amounts, gpus, fell in zip(rows, signed, hourly, left_of_offers, fallen, strict=True)
    ]
    planned.sort(key=lambda one: (one.row.pool, one.row.gpu_model or ""))
    return Planned(tuple(planned), reached)


def _slicing(peaks: Peaks, wish: Wish, block: int | None) -> Slicing:
    """The slices of a row: finer where levels set by hand are no whole blocks."""
    levels = [layer.gpus for layer in wish.hand or ()]
    own = gcd(block_for(peaks.today, asked_block(block, committed_offers(wish.eligible))), *levels)
    return slicing_of(peaks, own, sum(levels))


def _longest_term(fell: bool, hours: int) -> int | None:
    """In months: what a short log and a fall of demand leave open; None: every term."""
    if hours <= SHORT_WINDOW_HOURS:
        return SHORT_WINDOW_TERM_MONTHS
    return LONGEST_AFTER_A_FALL_MONTHS if fell else None


def _lived(
    ground: Ground,
    model: ModelDemand,
    months: Sequence[Month],
    slicings: tuple[Slicing, ...],
    cache: AdviceCache,
) -> Sequence[Lived | None]:
    if not ground.assumptions.slices_lived:
        return [None] * len(slicings)
    soon, hours, schedules = tuple(months[:COMPARED_MONTHS]), ground.window.hours, ground.outlined.schedules
    return cache.recall(
        "lived",
        (soon, schedules, slicings, hours),
        (model,),
        partial(lived_in, model, soon, schedules, slicings, hours),
    )


def demand_in(model: ModelDemand, place: int, month: Month, hours: int) -> Floats:
    """What one row of a model wants in each hour of a month at today's level, milli-GPU-seconds, before anything is
    served; (hours,)."""
    there: dict[Flow, float] = {}
    for share, state in month:
        for flow, factor in state.factors:
            there[flow] = there.get(flow, 0.0) + share * factor
    total = np.zeros(hours)
    for site in model.sites:
        for stream in site.streams:
            if stream.row == place and there[stream.flow]:
                total += stream.demand if there[stream.flow] == 1 else stream.demand * there[stream.flow]
    return total


def _unstated(ground: Ground, model: ModelDemand, place: int) -> Floats:
    """The demand of a row whose coming and going the planner said nothing about, as it was logged; (hours,)."""
    schedules = ground.outlined.schedules
    total = np.zeros(ground.window.hours)
    for site in model.sites:
        for stream in site.streams:
            if stream.row == place and not schedules[stream.group].is_stated:
                total += stream.demand
    return total
