"""Twelve months with nothing signed: what contracts cost, and what they leave over on demand."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpuplanner.domain.arrays import Floats
from gpuplanner.domain.commitment.cache import AdviceCache
from gpuplanner.domain.commitment.demand.busy import Month, MonthState, months_of, residual_at, states_in
from gpuplanner.domain.commitment.demand.slices import weighted_mean
from gpuplanner.domain.commitment.plan.ground import Ground, ground_of
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS
from gpuplanner.domain.figures.columns import MILLI_GPU_SECONDS_PER_GPU_HOUR
from gpuplanner.domain.fit.eligibility import eligible_offers, need_of
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract_months import monthly_usd, running
from gpuplanner.domain.model.book.model_mapping import ratios_of
from gpuplanner.domain.model.book.offer import Offer
from gpuplanner.domain.model.book.only import ANYBODY, only_of
from gpuplanner.domain.model.pool import SERVING_ORDER, Pool, PricingCategory
from gpuplanner.domain.model.project import Project
from gpuplanner.domain.model.window import HOURS_PER_MONTH


@dataclass(frozen=True, slots=True)
class NothingMonth:
    """One month with nothing signed.

    usd: contracts that run through the month and, of what they leave over, the cheapest eligible on-demand rate, in $
    of that month (None: a rate is missing); use_usd: what they leave over alone; unserved_gpu_hours: demand that no
    offer may serve, in no $.
    Source: docs/formulas.md, Comparison.
    """

    usd: float | None
    unserved_gpu_hours: float = 0.0
    use_usd: float | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Open:
    """What one pool and model would rent: its offers on demand, cheapest first, and what is left over in each state.

    rates: $ per GPU-hour of each offer in each month, (offers, months).
    """

    pool: Pool
    gpu_model: str | None
    offers: tuple[Offer, ...]
    ratios: dict[str, float]
    months: tuple[Month, ...]
    left: dict[MonthState, Floats]
    rates: Floats


def nothing_by_month(ground: Ground) -> tuple[NothingMonth, ...]:
    """Months 0..11: every contract row that runs through the month, whatever its category, and what they leave over at
    the cheapest on-demand rate eligible for its pool and model; an offer serves, hour by hour, at most its own GPUs."""
    rows = _open_rows(ground)
    contracts = ground.nothing.contracts
    answer = []
    for month in range(COMPARED_MONTHS):
        paid = monthly_usd(running(contracts, ground.window, month))
        hour_usd, unserved = _rented(rows, month, ground)
        usd = None if hour_usd is None else HOURS_PER_MONTH * hour_usd
        answer.append(NothingMonth(known_sum([paid, usd]), HOURS_PER_MONTH * unserved, usd))
    return tuple(answer)


def nothing_where_anybody_serves(
    project: Project, ground: Ground, nothing: Sequence[NothingMonth], cache: AdviceCache
) -> Sequence[NothingMonth]:
    """Doing nothing without limits of who may serve. project: as it was given to the advice; nothing: with them.

    Where the scenario limits nobody, the very same months. Costs another evaluation of the ground where it
    does.
    """
    if not ground.scenario.only:
        return nothing
    scenario = replace(ground.scenario, only={})
    return nothing_by_month(ground_of(project, scenario, ground.pools, cache, ground.classes))


def _open_rows(ground: Ground) -> list[_Open]:
    """In serving order: inference, training, burst, then by model."""
    window, project = ground.window, ground.project
    many = np.array([(workload.max_nodes or 1) > 1 for workload in project.workloads], dtype=np.bool_)
    rows = []
    for model in ground.nothing.models:
        months = months_of(
            model, ground.nothing.contracts, window, ground.outlined, COMPARED_MONTHS, is_joined=False
        )
        left = {state: residual_at(model, state, window.hours) for state in states_in(months)}
        for place, (pool, name) in enumerate(model.rows):
            several = bool((many & (ground.nothing.users[pool, name] > 0)).any())
            need = need_of(pool, name, several)
            eligible = eligible_offers(project.offers, need, project.mappings)
            priced = [o for o in eligible if o.pricing_category == PricingCategory.STANDARD and o.rate]
            offers = tuple(sorted(priced, key=lambda offer: (offer.rate or 0.0, offer.offer_id)))
            mine = {state: hourly[place] / MILLI_GPU_SECONDS_PER_GPU_HOUR for state, hourly in left.items()}
            ratios = ratios_of(project.offers, model.gpu_model, project.mappings)
            rates = [(o.rate or 0.0) * ground.levels.of_use(o.gpu_model, COMPARED_MONTHS) for o in offers]
            monthly = np.array(rates, dtype=np.float64).reshape(len(offers), COMPARED_MONTHS)
            rows.append(_Open(pool, name, offers, ratios, tuple(months), mine, monthly))
    return sorted(rows, key=lambda row: (SERVING_ORDER.index(row.pool), row.gpu_model or ""))


def _rented(rows: Sequence[_Open], month: int, ground: Ground) -> tuple[float | None, float]:
    """$ and unserved GPU-hours of an hour on average, at prices of the month; $ None: somebody has no offer at all.

    A month in which workloads come or go is several pieces, each with its share of the month.
    """
    usd: list[float | None] = []
    unserved = 0.0
    for piece in range(len(rows[0].months[month]) if rows else 0):
        room: dict[str, Floats] = {}
        for row in rows:
            share, state = row.months[month][piece]
            amount = row.left[state]
            if not row.offers and only_of(row.gpu_model) != ANYBODY:
                unserved += share * weighted_mean(amount, ground.weights)
            elif not row.offers:
                usd.append(None if weighted_mean(amount, ground.weights) else 0.0)
            elif row.offers[0].max_gpus is None:
                usd.append(share * weighted_mean(amount, ground.weights) * float(row.rates[0, month]))
            else:
                paid, left = _hour_by_hour(row, amount, room, ground.weights, month)
                usd.append(share * paid)
                unserved += share * left
    return known_sum(usd), unserved


def _hour_by_hour(
    row: _Open, amount: Floats, room: dict[str, Floats], weights: Floats | None, month: int
) -> tuple[float, float]:
    """$ and GPU-hours that nobody serves, of an hour on average; what is taken is taken off `room`, (hours,)."""
    usd = 0.0
    for place, offer in enumerate(row.offers):
        ratio, taken = row.ratios.get(offer.offer_id, 1.0), amount
        if offer.max_gpus is not None:
            left = room.setdefault(offer.offer_id, np.full(len(amount), float(offer.max_gpus)))
            taken = np.minimum(amount, left * ratio)
            left -= taken / ratio
        usd += weighted_mean(taken, weights) * float(row.rates[place, month])
        amount = amount - taken
    return usd, weighted_mean(amount, weights)
