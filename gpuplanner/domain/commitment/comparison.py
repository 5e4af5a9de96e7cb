"""Twelve months: what doing nothing and the plan cost in each, along today's level of demand."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.commitment.allocation import RowToPlan, bound_in, committed_share
from gpuplanner.domain.commitment.busy import month_states, residual_at
from gpuplanner.domain.commitment.ground import Ground
from gpuplanner.domain.commitment.plan import COMPARED_MONTHS, PlannedRow
from gpuplanner.domain.commitment.result import ComparisonMonth, Floats
from gpuplanner.domain.commitment.slices import weighted_mean
from gpuplanner.domain.fit.eligibility import Need, cheapest, eligible_offers
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.contract_months import month_start_s, monthly_usd, running
from gpuplanner.domain.model.cube import MILLI_GPU_SECONDS_PER_GPU_HOUR, Ints
from gpuplanner.domain.model.model_mapping import paid_gpus
from gpuplanner.domain.model.pool import PricingCategory
from gpuplanner.domain.model.window import HOURS_PER_MONTH


def nothing_by_month(ground: Ground) -> tuple[float | None, ...]:
    """$ of months 0..11 with nothing signed: every contract row that runs through the month, whatever its category,
    and what they leave over at the cheapest on-demand rate eligible for its pool and model."""
    window, price_fall = ground.window, ground.assumptions.delta
    left_usd: list[list[float | None]] = [[] for _ in range(COMPARED_MONTHS)]
    many = np.array([(workload.max_nodes or 1) > 1 for workload in ground.project.workloads], dtype=np.bool_)
    for model in ground.nothing.models:
        contracts, fade = ground.nothing.contracts, ground.assumptions.growth_fade
        states = month_states(model, contracts, window, ground.growth, fade, COMPARED_MONTHS)
        left = {state: residual_at(model, state, window.hours) for state in dict.fromkeys(states)}
        for place, pool in enumerate(model.rows):
            several = bool((many & (ground.nothing.users[pool, model.gpu_model] > 0)).any())
            need = Need(pool, model.gpu_model, several)
            eligible = eligible_offers(ground.project.offers, need, ground.project.mappings)
            offer = cheapest(eligible, PricingCategory.STANDARD)
            for month, state in enumerate(states):
                gpus = weighted_mean(left[state][place], ground.weights) / MILLI_GPU_SECONDS_PER_GPU_HOUR
                rate = 0.0 if gpus == 0 else offer.rate if offer else None
                price = HOURS_PER_MONTH * (1 - price_fall) ** month
                left_usd[month].append(None if rate is None else gpus * rate * price)
    return tuple(
        known_sum([monthly_usd(running(ground.nothing.contracts, window, month)), *left_usd[month]])
        for month in range(COMPARED_MONTHS)
    )


@dataclass(frozen=True, slots=True)
class MonthParts:
    """One month of the plan: contracts that run through it, what is signed, the rest by use, and what nobody serves."""

    contracts_usd: float | None
    orders_usd: float | None
    use_usd: float | None
    unserved_gpu_hours: float = 0.0

    @property
    def plan_usd(self) -> float | None:
        """All of it. Law: every dollar of a month is a contract, an order, or use."""
        return known_sum([self.contracts_usd, self.orders_usd, self.use_usd])


def plan_parts_in(ground: Ground, rows: Sequence[PlannedRow], month: int) -> MonthParts:
    """One month of the plan along today's level of demand."""
    parts = [_parts_of(planned, month, ground.assumptions.delta) for planned in rows]
    return MonthParts(
        monthly_usd(running(ground.plan.contracts, ground.window, month)),
        known_sum([part.orders_usd for part in parts]),
        known_sum([part.use_usd for part in parts]),
        sum(part.unserved_gpu_hours for part in parts),
    )


def _parts_of(planned: PlannedRow, month: int, price_fall: float) -> MonthParts:
    row, signed = planned.row, planned.signed
    since, place = bound_in(signed, month)
    bound, widths = since >= 0, row.slicing.widths
    share, upfront_share = committed_share(row, since, place, month)
    busy, rate = row.busy.today(month) * widths, row.flex.rate
    waiting, beside = float(busy[~bound].sum()), float((busy * (1 - share))[bound].sum())
    price = HOURS_PER_MONTH * (1 - price_fall) ** month
    used = waiting + beside
    use = 0.0 if used == 0 else None if rate is None else used * rate * price
    if (place[bound] < 0).any():
        return MonthParts(0.0, None, use)  # set by hand to a term that nobody offers
    rates = np.array([offer.rate for offer in row.offers], dtype=np.float64)
    upfront = np.array([offer.upfront for offer in row.offers], dtype=np.float64)
    paid = np.zeros(0)
    if bound.any():
        paid = HOURS_PER_MONTH * rates[place[bound]] * (1 - price_fall) ** since[bound] * share[bound]
        paid += upfront[place[bound]] * upfront_share[bound]
    if row.ratios or any(offer.unit_gpus for offer in row.offers):
        paid = paid * _paid_share(row, since[bound], place[bound], widths[bound])
    return MonthParts(0.0, float((paid * widths[bound]).sum()), use)


def _paid_share(row: RowToPlan, since: Ints, place: Ints, widths: Floats) -> Floats:
    """GPUs paid for a GPU of each slice, (slices,): over 1 where whole units, or GPUs of a mapped model, are
    more than its work.

    Slices that sign one offer in one month sign it together.
    """
    share = np.ones(len(since))
    for month, offer in set(zip(since.tolist(), place.tolist(), strict=True)):
        together = (since == month) & (place == offer)
        gpus = float(widths[together].sum())
        taken = row.offers[offer]
        share[together] = paid_gpus(gpus, row.ratios.get(taken.offer_id), taken.unit_gpus) / gpus
    return share


def comparison_of(
    ground: Ground, rows: Sequence[PlannedRow], nothing: Sequence[float | None]
) -> tuple[ComparisonMonth, ...]:
    """Months 0..11 side by side."""
    answer = []
    for month in range(COMPARED_MONTHS):
        parts = plan_parts_in(ground, rows, month)
        answer.append(
            ComparisonMonth(
                month,
                month_start_s(ground.window, month),
                nothing[month],
                parts.plan_usd,
                parts.contracts_usd,
                parts.orders_usd,
                parts.use_usd,
                parts.unserved_gpu_hours,
            )
        )
    return tuple(answer)
