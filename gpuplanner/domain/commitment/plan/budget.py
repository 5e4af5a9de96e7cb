"""A budget a month: which slices a plan gives up, for good, so that no month costs more."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats
from gpuplanner.domain.commitment.recursion.allocation import RowToPlan, Signed, bound_in, committed_share
from gpuplanner.domain.commitment.recursion.limited_use import LimitedUse
from gpuplanner.domain.commitment.recursion.price_levels import over
from gpuplanner.domain.model.pool import Pool
from gpuplanner.domain.model.window import HOURS_PER_MONTH

GIVEN_UP: Final = (frozenset({Pool.BURST}), frozenset({Pool.TRAINING}), frozenset({Pool.INFERENCE}))
"""The pools in the order in which they give up slices."""
ALL_ALIKE: Final = (frozenset(Pool),)
"""Where all workloads of a model are one pool."""
_ROUNDING_USD: Final = 1e-6


@dataclass(frozen=True, slots=True, eq=False)
class Dropped:
    """What one row gave up. usd: of the slices that it gave up, what each of the months would have cost, (months,)."""

    slices: Bools
    usd: Floats


def within_budget(
    rows: Sequence[RowToPlan],
    signed: Sequence[Signed],
    contracts_usd: Sequence[float | None],
    budget_usd: float,
    order: Sequence[frozenset[Pool]] = GIVEN_UP,
) -> tuple[list[tuple[RowToPlan, Signed]], tuple[Dropped, ...]]:
    """Rows and what they sign, without the slices that are given up; None of them where an amount is unknown.

    Months in order: while one costs more, the slice that begins highest (ties: GPU model) of the first pool of burst,
    training, inference that has one which costs something in it is dropped, in every month. contracts_usd: of months.
    A dropped slice signs nothing and is served by nobody.
    """
    months = len(contracts_usd)
    costs = [slice_usd(row, one, months) for row, one in zip(rows, signed, strict=True)]
    dropped = [np.zeros(row.slices, dtype=np.bool_) for row in rows]
    if not any(cost is None for cost in costs) and None not in contracts_usd:
        known = [cost for cost in costs if cost is not None]
        for month, contracts in enumerate(contracts_usd):
            over = (contracts or 0.0) + sum(
                float(cost[month][~gone].sum()) for cost, gone in zip(known, dropped, strict=True)
            )
            while over > budget_usd + _ROUNDING_USD:
                found = _highest(rows, [cost[month] for cost in known], dropped, order)
                if found is None:
                    break
                at, k = found
                dropped[at][k] = True
                over -= float(known[at][month, k])
    answer = [
        _without(row, one, gone) if gone.any() else (row, one)
        for row, one, gone in zip(rows, signed, dropped, strict=True)
    ]
    given_up = tuple(
        Dropped(gone, np.zeros(months) if cost is None else cost[:, gone].sum(axis=1))
        for cost, gone in zip(costs, dropped, strict=True)
    )
    return answer, given_up


def slice_usd(row: RowToPlan, signed: Signed, months: int) -> Floats | None:
    """$ of each slice in each month: what it signed and what it pays by use, at today's level of demand.

    Shapes: (months, slices), months 0..months-1. What is paid upfront is spread over the months that it pays for.
    None where a rate is missing for something that is used, or a term is held that nobody offers.
    Source: docs/formulas.md, Comparison.
    """
    usd, widths = np.zeros((months, row.slices)), row.slicing.widths
    rates = np.concatenate([row.rates_when_signed(months), np.zeros((1, months))])
    prices = over(row.market.use_prices, months)
    upfront = np.array([*(offer.upfront for offer in row.offers), 0.0], dtype=np.float64)
    for month in range(months):
        since, place = bound_in(signed, month)
        bound = since >= 0
        if (place[bound] < 0).any():
            return None
        share, upfront_share = committed_share(row, since, place, month)
        paid = HOURS_PER_MONTH * rates[place, np.maximum(since, 0)] * share
        paid += upfront[place] * upfront_share
        used = row.busy.today(month) * np.where(bound, 1 - share, 1.0)
        rate = row.flex.rate if row.use is None else np.nan_to_num(row.use.rate[month])
        if rate is None:
            if used.any():
                return None
            rate = 0.0
        usd[month] = widths * (paid + HOURS_PER_MONTH * used * rate * prices[month])
    return usd


def _highest(
    rows: Sequence[RowToPlan],
    costs: Sequence[Floats],
    dropped: Sequence[Bools],
    order: Sequence[frozenset[Pool]],
) -> tuple[int, int] | None:
    """Row and slice to give up next: the highest with a cost in the first pools that have one; None where
    nothing is left.
    """
    for pools in order:
        found = []
        for at, (row, cost, gone) in enumerate(zip(rows, costs, dropped, strict=True)):
            places = np.flatnonzero((cost > 0) & ~gone)
            if row.pool in pools and len(places):
                k = int(places[-1])
                found.append((-row.slicing.below(k), row.gpu_model or "", at, k))
        if found:
            _, _, at, k = min(found)
            return at, k
    return None


def _without(row: RowToPlan, signed: Signed, gone: Bools) -> tuple[RowToPlan, Signed]:
    """The row with slices that nobody serves: no price by use, nothing signed. months: all that the row has."""
    months = len(row.busy.state_of_month)
    if row.use is not None:
        rate, flex, flexes = row.use.rate.copy(), row.use.flex, row.use.flexes
    else:
        known = np.nan if row.flex.rate is None else row.flex.rate
        rate, flex, flexes = (
            np.full((months, row.slices), known),
            np.zeros(row.slices, dtype=np.int64),
            (row.flex,),
        )
    rate[:, gone] = np.nan
    term, offer = signed.term.copy(), signed.offer.copy()
    term[:, gone], offer[:, gone] = 0, -1
    kept = replace(row, use=LimitedUse(rate, flex, flexes))
    return kept, Signed(term, offer, signed.value_usd)
