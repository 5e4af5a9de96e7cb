"""Twelve months: what doing nothing and the plan cost in each, along today's level of demand."""

from collections.abc import Sequence

import numpy as np

from gpuplanner.domain.commitment.allocation import RowToPlan, bound_in
from gpuplanner.domain.commitment.busy import months_of, residual_at, states_in
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
        months = months_of(model, ground.nothing.contracts, window, ground.outlined, COMPARED_MONTHS)
        left = {state: residual_at(model, state, window.hours) for state in states_in(months)}
        for place, pool in enumerate(model.rows):
            several = bool((many & (ground.nothing.users[pool, model.gpu_model] > 0)).any())
            need = Need(pool, model.gpu_model, several)
            eligible = eligible_offers(ground.project.offers, need, ground.project.mappings)
            offer = cheapest(eligible, PricingCategory.STANDARD)
            for month, pieces in enumerate(months):
                amount = sum(
                    share * weighted_mean(left[state][place], ground.weights) for share, state in pieces
                )
                gpus = amount / MILLI_GPU_SECONDS_PER_GPU_HOUR
                rate = 0.0 if gpus == 0 else offer.rate if offer else None
                price = HOURS_PER_MONTH * (1 - price_fall) ** month
                left_usd[month].append(None if rate is None else gpus * rate * price)
    return tuple(
        known_sum([monthly_usd(running(ground.nothing.contracts, window, month)), *left_usd[month]])
        for month in range(COMPARED_MONTHS)
    )


def plan_usd_in(ground: Ground, rows: Sequence[PlannedRow], month: int) -> float | None:
    """$ of one month of the plan: contracts that run through it, what is signed, and the rest paid by use."""
    price_fall = ground.assumptions.delta
    amounts = [monthly_usd(running(ground.plan.contracts, ground.window, month))]
    for planned in rows:
        row, busy = planned.row, planned.row.busy.today(month)
        since, place = bound_in(planned.signed, month)
        widths = row.slicing.widths
        used = float((busy * widths)[since < 0].sum())
        flex = 0.0 if used == 0 else row.flex.rate
        amounts.append(None if flex is None else HOURS_PER_MONTH * used * flex * (1 - price_fall) ** month)
        bound = since >= 0
        if (place[bound] < 0).any():
            amounts.append(None)  # set by hand to a term that nobody offers
        else:
            rates = np.array([offer.rate for offer in row.offers], dtype=np.float64)
            paid = rates[place[bound]] * (1 - price_fall) ** since[bound] if bound.any() else np.zeros(0)
            if row.ratios:
                paid = paid * _paid_share(row, since[bound], place[bound], widths[bound])
            amounts.append(HOURS_PER_MONTH * float((paid * widths[bound]).sum()))
    return known_sum(amounts)


def _paid_share(row: RowToPlan, since: Ints, place: Ints, widths: Floats) -> Floats:
    """GPUs paid for a GPU of each slice, (slices,): over 1 where whole GPUs of a mapped model are more than its work.

    Slices that sign one offer in one month sign it together.
    """
    share = np.ones(len(since))
    for month, offer in set(zip(since.tolist(), place.tolist(), strict=True)):
        together = (since == month) & (place == offer)
        gpus = float(widths[together].sum())
        share[together] = paid_gpus(gpus, row.ratios.get(row.offers[offer].offer_id)) / gpus
    return share


def comparison_of(
    ground: Ground, rows: Sequence[PlannedRow], nothing: Sequence[float | None]
) -> tuple[ComparisonMonth, ...]:
    """Months 0..11 side by side."""
    return tuple(
        ComparisonMonth(
            month, month_start_s(ground.window, month), nothing[month], plan_usd_in(ground, rows, month)
        )
        for month in range(COMPARED_MONTHS)
    )
