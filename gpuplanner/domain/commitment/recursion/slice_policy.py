"""The policy of each slice: wait, or commit to a term, whichever costs least from here to the horizon."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gpuplanner.domain.arrays import Bools, Floats, Ints
from gpuplanner.domain.commitment.demand.walk import after_months
from gpuplanner.domain.commitment.recursion.price_levels import Levels, over
from gpuplanner.domain.commitment.recursion.rates import TermRates
from gpuplanner.domain.model.window import HOURS_PER_MONTH

TIE: Final = 1e-12
NOT_BUSY: Final = 1e-12
"""A share of hours that is only rounding: a thousandth of a GPU for a second in a year is more."""
IMPOSSIBLE_USD: Final = 1e200
"""Stands for infinity, so that impossible states add up without NaN."""


UNSERVED_USD: Final = 1e7
"""A GPU-hour that nobody serves: more than any dollars, so that less of them is always better."""


@dataclass(frozen=True, slots=True)
class Market:
    """What the recursion assumes: ratios a month (wacc a year), months to the horizon.

    use_prices: what a price by use of today is in each month. last_month: how long the last one is, a share of 730 h; a
    forecast ends with a whole one, what came need not.
    """

    horizon_months: int
    churn: float
    use_prices: Levels
    sigma: float
    wacc: float
    last_month: float = 1.0

    @property
    def beta(self) -> float:
        """Worth today of a dollar next month.

        A ratio a month: (1 + wacc)^(-1/12), with wacc a year. Source: docs/formulas.md, Policy.
        """
        return float((1 + self.wacc) ** (-1 / 12))


@dataclass(frozen=True, slots=True, eq=False)
class Policy:
    """The cheapest policy of every slice.

    Shapes: value (levels, slices), $ from month 0 on; choice (months, slices) along today's level: the column of
    TermRates.terms to commit to, -1 to wait; by_month (months + 1, levels, slices), $ from each month on; signed_usd
    (terms, slices): what signing each term in month 0 at today's level costs until it ends, NaN where it is not open.
    """

    value: Floats
    choice: Ints
    by_month: Floats
    signed_usd: Floats


def cheapest_policy(
    shares: Floats,
    state_of_month: Ints,
    rates: TermRates,
    flex_rate: float | Floats | None,
    market: Market,
    widths: Floats | float,
    closed: Bools | None = None,
) -> Policy:
    """Backward recursion over months and levels, all slices at once (docs/formulas.md, Policy).

    Shapes: shares u_k (states, levels, slices); state_of_month (months,) says which state a month has;
    widths b_k, GPUs: (slices,), or one for all. closed (months, terms, slices): what a slice may not sign in the
    first months.
    A candidate replaces the best so far when it is lower by more than 1e-12 of it: wait first, then terms ascending.
    flex_rate: r_flex, or of each month and slice where use is limited, (months, slices), NaN where nobody serves it.
    None: a busy slice cannot wait, nor sign what leaves a part of a month to be paid by use.
    """
    horizon, beta = market.horizon_months, market.beta
    _, levels, slices = shares.shape
    today = levels // 2
    month_hours = HOURS_PER_MONTH * widths
    stays = beta * (1 - market.churn)
    spans = (1, *rates.terms)
    backwards = [stays**span * after_months(market.sigma, span) for span in spans]  # discounted E_T
    annuities = np.concatenate(([0.0], np.cumsum(beta ** np.arange(horizon))))  # 1 + beta + .. + beta^(n - 1)
    lengths = [1.0] * (horizon - 1) + [market.last_month]
    values = np.empty((horizon + 1, levels, slices))
    values[horizon] = 0.0
    choice = np.full((horizon, slices), -1, dtype=np.int64)
    signed = np.full((len(rates.terms), slices), np.nan)
    lower, scratch = np.empty((levels, slices), dtype=np.bool_), np.empty((levels, slices))
    candidate = np.empty((levels, slices))
    prices = over(market.use_prices, horizon).tolist()
    for month in range(horizon - 1, -1, -1):
        busy, best = shares[state_of_month[month]], values[month]
        np.matmul(backwards[0], values[month + 1], out=best)
        if flex_rate is None:
            best[busy > NOT_BUSY] = IMPOSSIBLE_USD
        else:
            used = lengths[month] * month_hours * _rate_in(flex_rate, month, prices[month])
            best += np.multiply(busy, used, out=scratch)
        for column, term in enumerate(rates.terms):
            if rates.offer[month, column] < 0:
                continue
            ends_inside = month + term <= horizon
            late = rates.late[month, column]
            early = rates.early[month, column] if ends_inside else 0.0
            weight = annuities[min(term, horizon - month)] - late - early * beta ** (term - 1)
            weight -= (1 - lengths[min(month + term, horizon) - 1]) * beta ** (horizon - month - 1)
            paid = HOURS_PER_MONTH * rates.rate[month, column] * weight
            fixed = (paid + rates.upfront[month, column]) * widths
            if month + term < horizon:
                np.matmul(backwards[column + 1], values[month + term], out=candidate)
                candidate += fixed
            else:
                candidate[:] = fixed
            beside: Floats | None = None
            if flex_rate is not None and late + early > 0:
                of_first = late + early if term == 1 else late
                beside = busy * (used * of_first)
                if early > 0 and term > 1:
                    last = shares[state_of_month[month + term - 1]]
                    later = stays ** (term - 1) * after_months(market.sigma, term - 1) @ last
                    at = month + term - 1
                    beside += later * (month_hours * _rate_in(flex_rate, at, prices[at]) * early)
                candidate += beside
            elif late + early > 0:
                _forbid(candidate, busy, late, early, term, shares, state_of_month, month)
            if month == 0:
                signed[column] = fixed if beside is None else fixed + beside[today]
            if closed is not None and month < len(closed):
                candidate[:, closed[month, column]] = np.inf
            np.multiply(best, 1 - TIE, out=scratch)
            np.less(candidate, scratch, out=lower)
            np.copyto(best, candidate, where=lower)
            choice[month, lower[today]] = column
    return Policy(values[0], choice, values, signed)


def _rate_in(flex_rate: float | Floats, month: int, price: float) -> Floats | float:
    """$ per GPU-hour by use in a month; price: share of today's."""
    if isinstance(flex_rate, float | int):
        return flex_rate * price
    here = flex_rate[month]
    return np.where(np.isnan(here), UNSERVED_USD, here * price)


def _forbid(
    candidate: Floats,
    busy: Floats,
    late: float,
    early: float,
    term: int,
    shares: Floats,
    state_of_month: Ints,
    month: int,
) -> None:
    """A term that leaves a busy slice without GPUs for a part of a month is impossible where nobody rents them out."""
    if late > 0 or term == 1:
        candidate[busy > NOT_BUSY] = IMPOSSIBLE_USD
    if early > 0 and term > 1:
        last = shares[state_of_month[month + term - 1]]
        candidate[:, last.max(axis=0) > NOT_BUSY] = IMPOSSIBLE_USD
