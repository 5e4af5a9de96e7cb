"""Twelve months: what doing nothing and the plan cost in each, along today's level of demand."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpuplanner.domain.arrays import Floats, Ints
from gpuplanner.domain.commitment.plan.doing_nothing import NothingMonth
from gpuplanner.domain.commitment.plan.ground import Ground
from gpuplanner.domain.commitment.plan.row_plans import COMPARED_MONTHS, PlannedRow
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, bound_in, committed_share
from gpuplanner.domain.commitment.recursion.price_levels import over
from gpuplanner.domain.commitment.result import ComparisonMonth
from gpuplanner.domain.model.amounts import known_sum
from gpuplanner.domain.model.book.contract_months import month_start_s, monthly_usd, running
from gpuplanner.domain.model.book.model_mapping import paid_gpus
from gpuplanner.domain.model.window import HOURS_PER_MONTH


@dataclass(frozen=True, slots=True)
class MonthParts:
    """One month of the plan at today's level of demand, in $ of that month (None: a rate is missing).

    contracts_usd: committed contracts that run through the month, used or not; orders_usd: what is signed by then, at
    the rate of the month of its signature, with this month's share of what is paid upfront; use_usd: the rest, by use.
    unserved_gpu_hours: demand that no offer may serve; it is in no $. Source: docs/formulas.md, Comparison.
    """

    contracts_usd: float | None
    orders_usd: float | None
    use_usd: float | None
    unserved_gpu_hours: float = 0.0

    @property
    def plan_usd(self) -> float | None:
        """All of it. Law: every dollar of a month is a contract, an order, or use.

        None where one of the three is unknown. Units: $ of that month.
        """
        return known_sum([self.contracts_usd, self.orders_usd, self.use_usd])


def plan_parts_in(ground: Ground, rows: Sequence[PlannedRow], month: int) -> MonthParts:
    """One month of the plan along today's level of demand.

    month: 0 is the first of the plan. rows: all of the plan.
    Source: docs/formulas.md, Comparison.
    """
    parts = [_parts_of(planned, month) for planned in rows]
    return MonthParts(
        monthly_usd(running(ground.plan.contracts, ground.window, month)),
        known_sum([part.orders_usd for part in parts]),
        known_sum([part.use_usd for part in parts]),
        sum(part.unserved_gpu_hours for part in parts),
    )


def _parts_of(planned: PlannedRow, month: int) -> MonthParts:
    """What one row signs and pays by use in a month. Contracts are left to the caller, for they are no row's
    own.
    """
    row, signed = planned.row, planned.signed
    since, place = bound_in(signed, month)
    bound, widths = since >= 0, row.slicing.widths
    share, upfront_share = committed_share(row, since, place, month)
    used = _paid_by_use(row, since, share, month)
    price = HOURS_PER_MONTH * float(over(row.market.use_prices, month + 1)[month])
    use, unserved = _use_of(row, used, month, price)
    if (place[bound] < 0).any():
        return MonthParts(0.0, None, use, unserved)  # set by hand to a term that nobody offers
    upfront = np.array([offer.upfront for offer in row.offers], dtype=np.float64)
    paid = np.zeros(0)
    if bound.any():
        rates = row.rates_when_signed(month + 1)
        paid = HOURS_PER_MONTH * rates[place[bound], since[bound]] * share[bound]
        paid += upfront[place[bound]] * upfront_share[bound]
    if row.ratios or any(offer.unit_gpus for offer in row.offers):
        paid = paid * _paid_share(row, since[bound], place[bound], widths[bound])
    return MonthParts(0.0, float((paid * widths[bound]).sum()), use, unserved)


def _use_of(row: RowToPlan, used: Floats, month: int, price: float) -> tuple[float | None, float]:
    """$ by use and GPU-hours that nobody serves. used: mean GPUs of each slice, (slices,); price: hours x level."""
    if row.use is None:
        whole, rate = float(used.sum()), row.flex.rate
        return (0.0 if whole == 0 else None if rate is None else whole * rate * price), 0.0
    rates = row.use.rate[month]
    is_served = ~np.isnan(rates)
    usd = float((used[is_served] * rates[is_served]).sum()) * price
    return usd, HOURS_PER_MONTH * float(used[~is_served].sum())


def rate_by_use(planned: PlannedRow, month: int) -> float | None:
    """What a GPU-hour that is not signed costs a row in a month, on average over what the plan pays by use in it.

    $ per GPU-hour, at prices of the month; None where nobody sells by use. What nobody may serve costs nothing.
    Law: times the plan's GPU-hours by use it is the $ by use of `plan_parts_in`.
    """
    row = planned.row
    price = float(over(row.market.use_prices, month + 1)[month])
    if row.use is None:
        return None if row.flex.rate is None else row.flex.rate * price
    since, place = bound_in(planned.signed, month)
    used = _paid_by_use(row, since, committed_share(row, since, place, month)[0], month)
    used = used if used.any() else row.slicing.widths
    usd, _ = _use_of(row, used, month, price)
    return usd / float(used.sum()) if usd is not None and used.any() else None


def signs_what_nobody_offers(planned: PlannedRow, month: int) -> bool:
    """Whether levels set by hand hold a term in a month that nobody offers: what they cost is unknown."""
    since, place = bound_in(planned.signed, month)
    return bool((place[since >= 0] < 0).any())


def _paid_by_use(row: RowToPlan, since: Ints, share: Floats, month: int) -> Floats:
    """Mean GPUs of each slice that are paid by use in a month, (slices,). since, share: of what binds each."""
    return np.asarray(row.busy.today(month) * row.slicing.widths * np.where(since >= 0, 1 - share, 1.0))


def unserved_in(planned: PlannedRow, month: int) -> float:
    """GPU-hours of a row in a month that nobody serves.

    Along today's level of demand. Units: GPU-hours of a month of 730 h.
    """
    row = planned.row
    used = row.busy.today(month) * row.slicing.widths * unserved_share(planned, month)
    return HOURS_PER_MONTH * float(used.sum())


def unserved_share(planned: PlannedRow, month: int) -> Floats:
    """The share of each slice's use in a month that nobody serves: shape (slices,), 0..1.

    0 wherever the row has a price by use for all; else what is not bound (or not yet, before a lead ends) of slices
    that nobody who may serve them rents to. Source: docs/formulas.md, Only some may serve.
    """
    row = planned.row
    if row.use is None:
        return np.zeros(row.slices)
    since, place = bound_in(planned.signed, month)
    share, _ = committed_share(row, since, place, month)
    return np.where(np.isnan(row.use.rate[month]), np.where(since >= 0, 1 - share, 1.0), 0.0)


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
    ground: Ground, rows: Sequence[PlannedRow], nothing: Sequence[NothingMonth]
) -> tuple[ComparisonMonth, ...]:
    """Months 0..11 side by side.

    nothing: the same twelve months with nothing signed. Source: docs/formulas.md, Comparison.
    """
    answer = []
    for month in range(COMPARED_MONTHS):
        parts = plan_parts_in(ground, rows, month)
        answer.append(
            ComparisonMonth(
                month,
                month_start_s(ground.window, month),
                nothing[month].usd,
                parts.plan_usd,
                parts.contracts_usd,
                parts.orders_usd,
                parts.use_usd,
                parts.unserved_gpu_hours,
                nothing[month].unserved_gpu_hours,
                nothing[month].use_usd,
            )
        )
    return tuple(answer)
