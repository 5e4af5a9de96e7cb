"""From the ground to a plan: tables of busy shares, rows to plan, and what each of their slices signs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import gcd

import numpy as np

from gpuplanner.domain.commitment.allocation import RowToPlan, Signed, allocate
from gpuplanner.domain.commitment.busy import busy_tables, month_states, peaks_of, residual_at
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.ground import Ground
from gpuplanner.domain.commitment.provider_limits import UNLIMITED, room_of_providers
from gpuplanner.domain.commitment.rates import (
    SHORT_WINDOW_TERM_MONTHS,
    Flex,
    blend,
    committed_offers,
)
from gpuplanner.domain.commitment.recursion import Market
from gpuplanner.domain.commitment.residual import ModelDemand
from gpuplanner.domain.commitment.result import Floats, Volatility
from gpuplanner.domain.commitment.seen_volatility import seen_volatility
from gpuplanner.domain.commitment.slicing import (
    SOON_MONTHS,
    Peaks,
    Slicing,
    asked_block,
    block_for,
    slicing_of,
)
from gpuplanner.domain.commitment.users import Row
from gpuplanner.domain.commitment.volatility import in_force
from gpuplanner.domain.model.assumptions import Assumptions
from gpuplanner.domain.model.contract_months import running
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.model.log_length import SHORT_WINDOW_HOURS
from gpuplanner.domain.model.model_mapping import ratios_of
from gpuplanner.domain.model.offer import Offer
from gpuplanner.domain.model.scenario import HandLayer

COMPARED_MONTHS = SOON_MONTHS


@dataclass(frozen=True, slots=True, eq=False)
class PlannedRow:
    """One row with its answer. demand_gpus, residual_gpus: each hour of the window, month 0 at level 1, (hours,).

    left_of_offers: GPUs of each offer with a maximum when the row's turn came, by offer_id.
    """

    row: RowToPlan
    signed: Signed
    volatility: Volatility
    demand_gpus: Floats
    residual_gpus: Floats
    left_of_offers: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Planned:
    """All rows of a plan, and the offers whose maximum was reached."""

    rows: tuple[PlannedRow, ...]
    reached: tuple[Offer, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Wish:
    """What a row is planned with besides its demand. churn and volatility are those of the pool planned."""

    churn: float
    volatility: Volatility
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
            in_force(assumptions, row[0], shown_by(model, place, ground.window.hours, cache)),
            ground.eligible[row],
            blend([(ground.prices[row], ground.plan.users[row])]),
            ground.scenario.hand_layers.get(row),
            row in ground.scenario.advised_around,
        )
        for model in ground.plan.models
        for place, row in enumerate((pool, model.gpu_model) for pool in model.rows)
    }
    return plan_models(ground, ground.plan.models, wishes, True, cache)


def shown_by(model: ModelDemand, place: int, hours: int, cache: AdviceCache) -> Volatility:
    """The volatility that the log of one row of a model shows."""
    return cache.recall(
        "volatility", (place, hours), (model,), lambda: seen_volatility(demand_gpus(model, place, hours))
    )


def plan_models(
    ground: Ground,
    models: Sequence[ModelDemand],
    wishes: Mapping[Row, Wish],
    pins_apply: bool,
    cache: AdviceCache,
) -> Planned:
    """Plan all rows of some models; the answers sorted by pool and model."""
    assumptions, hours = ground.assumptions, ground.window.hours
    months = max(assumptions.horizon_months, COMPARED_MONTHS)
    rows: list[RowToPlan] = []
    hourly: list[tuple[Volatility, Floats, Floats]] = []
    for model in models:
        found = month_states(
            model,
            ground.plan.contracts,
            ground.window,
            ground.growth,
            assumptions.growth_fade,
            months,
            pins_apply,
        )
        asked = [wishes[pool, model.gpu_model] for pool in model.rows]
        planned_months = found[: assumptions.horizon_months]
        peaks = cache.recall(
            "peaks", (planned_months,), (model,), partial(peaks_of, model, planned_months, hours)
        )
        slicings = tuple(_slicing(peak, wish, assumptions) for peak, wish in zip(peaks, asked, strict=True))
        sigmas = tuple(wish.volatility.sigma for wish in asked)
        steps = {stream.grows_with: sigmas[stream.row] for site in model.sites for stream in site.streams}
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
        left = residual_at(model, found[0], hours) / MILLI_GPU_SECONDS_PER_GPU_HOUR
        for place, (pool, wish, table) in enumerate(zip(model.rows, asked, tables, strict=True)):
            market = Market(
                assumptions.horizon_months,
                wish.churn,
                assumptions.delta,
                wish.volatility.sigma,
                assumptions.wacc,
            )
            is_advised = wish.hand is None or wish.is_rest_advised
            longest = assumptions.max_term_months if is_advised else None
            if hours <= SHORT_WINDOW_HOURS and is_advised:
                longest = SHORT_WINDOW_TERM_MONTHS  # no less than a month is the longest that may be set
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
                    ratios=ratios_of(ground.project.offers, model.gpu_model, ground.project.mappings),
                    calendar=ground.calendar if is_advised else ground.calendar.by_hand,
                )
            )
            hourly.append((wish.volatility, demand_gpus(model, place, hours), left[place]))
    rows, (signed, reached, left_of_offers) = _with_minima(rows, months, cache)
    share = assumptions.max_provider_share
    if share is not None:
        in_month_0 = running(ground.plan.contracts, ground.window, 0)
        room = room_of_providers(rows, signed, in_month_0, share)
        rows, (signed, reached, left_of_offers) = _with_minima(rows, months, cache, room)
    planned = [
        PlannedRow(row, answer, *amounts, gpus)
        for row, answer, amounts, gpus in zip(rows, signed, hourly, left_of_offers, strict=True)
    ]
    planned.sort(key=lambda one: (one.row.pool, one.row.gpu_model or ""))
    return Planned(tuple(planned), reached)


_Allocated = tuple[tuple[Signed, ...], tuple[Offer, ...], tuple[Mapping[str, float], ...]]


def _with_minima(
    rows: list[RowToPlan], months: int, cache: AdviceCache, room: Mapping[str, float] = UNLIMITED
) -> tuple[list[RowToPlan], _Allocated]:
    """Rows and what they sign once no offer is signed in month 0 for fewer GPUs than it is sold for.

    An offer whose slices of month 0 do not come to its least is closed there, the first by offer_id, and all is planned
    again, until none changes. What is set by hand is not closed.
    """
    rows = [replace(row, calendar=replace(row.calendar, not_now=frozenset())) for row in rows]
    while True:
        found = allocate(rows, months, cache, room)
        taken: dict[str, float] = {}
        least = {offer.offer_id: offer.min_gpus for row in rows for offer in row.offers if offer.min_gpus}
        for row, signed in zip(rows, found[0], strict=True):
            if row.hand is not None and not row.is_rest_advised:
                continue
            for place, offer in enumerate(row.offers):
                if offer.offer_id in least:
                    gpus = row.widths_of(offer.offer_id)[signed.offer[0] == place].sum()
                    taken[offer.offer_id] = taken.get(offer.offer_id, 0.0) + float(gpus)
        short = [name for name, gpus in taken.items() if 0 < gpus < (least[name] or 0) - 1e-9]
        if not short:
            return rows, found
        closed = min(short)
        rows = [
            replace(row, calendar=replace(row.calendar, not_now=row.calendar.not_now | {closed}))
            for row in rows
        ]


def _slicing(peaks: Peaks, wish: Wish, assumptions: Assumptions) -> Slicing:
    """The slices of a row: finer where levels set by hand are no whole blocks."""
    levels = [layer.gpus for layer in wish.hand or ()]
    block = asked_block(assumptions.block, committed_offers(wish.eligible))
    own = gcd(block_for(peaks.today, block), *levels)
    return slicing_of(peaks, own, sum(levels))


def demand_gpus(model: ModelDemand, place: int, hours: int) -> Floats:
    """Mean GPUs in each hour that one row of a model wants, before anything is served."""
    total = np.zeros(hours)
    for site in model.sites:
        for stream in site.streams:
            if stream.row == place:
                total += stream.demand
    return np.asarray(total / MILLI_GPU_SECONDS_PER_GPU_HOUR, dtype=np.float64)
